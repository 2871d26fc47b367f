"""Zero-sum tables: the linear program, regret matching, fractions, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import BadParameter, Matrix, UnsuitableGame, game
from zermelo.equilibrium.arithmetic.rational import exact_number, unique_solution
from zermelo.equilibrium.nash import zero_sum as room
from zermelo.equilibrium.nash.zero_sum import FloatMatrix, regret_play, zero_sum

F = Fraction


def tables(most=5):
    numbers = st.integers(-6, 6)
    shapes = st.tuples(st.integers(1, most), st.integers(1, most))
    return shapes.flatmap(
        lambda shape: st.lists(
            st.lists(numbers, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )


@settings(max_examples=60, deadline=None)
@given(tables())
def test_exact_answers_prove_themselves(table):
    found = zero_sum(table, exact=True)
    x, y = found.profile
    assert sum(x) == sum(y) == 1
    assert min(x) >= 0
    assert min(y) >= 0
    columns = [sum(p * row[j] for p, row in zip(x, table)) for j in range(len(table[0]))]
    rows = [sum(q * e for q, e in zip(y, row)) for row in table]
    assert min(columns) == max(rows) == found.value
    assert found.regret == 0
    assert found.values[1] == -found.value
    assert isinstance(found.value, Fraction)


@settings(max_examples=25, deadline=None)
@given(tables())
def test_all_ways_find_the_value(table):
    exact = zero_sum(table, exact=True)
    program, regrets = zero_sum(table), zero_sum(table, gap=1e-3)
    spread = max(map(max, table)) - min(map(min, table))
    assert program.value == pytest.approx(float(exact.value), abs=1e-7)
    assert program.regret <= 1e-7
    assert sum(regrets.gains) <= 1e-3 * spread + 1e-12
    assert abs(regrets.value - float(exact.value)) <= 1e-3 * spread + 1e-12


def test_known_values():
    assert zero_sum([[3, 0], [1, 2]], exact=True).profile == ((F(1, 4), F(3, 4)), (F(1, 2), F(1, 2)))
    assert zero_sum([[0, 2, -1], [-2, 0, 3], [1, -3, 0]], exact=True).profile[0] == (F(1, 2), F(1, 6), F(1, 3))
    saddle = zero_sum([[4, 2], [3, 1]], exact=True)
    assert saddle.is_pure
    assert saddle.value == 2


def test_fractions_and_floats_in_the_table_are_read_exactly():
    found = zero_sum([[F(1, 3), 0], [0, 0.2]], exact=True)
    assert found.value == F(1, 8)
    assert exact_number(1 - 1 / 3) == F(2, 3)
    assert exact_number(-0.1) == F(-1, 10)
    assert exact_number(3e-20) != 0


def test_payoffs_that_sum_to_a_constant():
    found = zero_sum(Matrix([[3, 0], [0, 3]], [[2, 5], [5, 2]]), exact=True)
    assert found.values == (F(3, 2), F(7, 2))
    assert zero_sum(Matrix([[3, 0], [0, 3]], [[2, 5], [5, 2]])).values == pytest.approx((1.5, 3.5))


def test_a_large_table_takes_regret_matching_and_says_its_gap():
    table = np.random.default_rng(5).random((350, 320))
    found = zero_sum(table)
    assert found.method == "predictive regret matching+"
    assert sum(found.gains) <= 1e-4 * np.ptp(table)
    x, y = map(np.array, found.profile)
    assert (table @ y).max() - (x @ table).min() == pytest.approx(sum(found.gains), abs=1e-12)
    assert found.value == pytest.approx(zero_sum(table[:300, :300]).value, abs=0.1)
    assert found.note == ""


def test_the_gap_is_measured_even_where_it_is_not_reached():
    table = np.random.default_rng(6).random((30, 30))
    x, y, iterations, reached = regret_play(table, 0.0, most=60)
    assert not reached
    assert iterations == 60
    assert x.sum() == pytest.approx(1)
    assert (table @ y).max() > (x @ table).min()


def test_where_rounding_misled_the_program_lemke_is_asked(monkeypatch):
    monkeypatch.setattr(room, "_linear_program", lambda table: (np.full(2, 0.5), np.full(2, 0.5)))
    found = zero_sum([[3, 0], [1, 2]], exact=True)
    assert found.profile == ((F(1, 4), F(3, 4)), (F(1, 2), F(1, 2)))
    assert found.regret == 0


def test_a_table_of_floats_is_a_game_like_any_other():
    array = np.array([[0.5, -1.0], [-1.0, 2.0]])
    table, usual = FloatMatrix(array), Matrix(array)
    assert table.payoffs.tolist() == usual.payoffs.tolist()
    assert table[(0.5, 0.5), (0.5, 0.5)] == usual[(0.5, 0.5), (0.5, 0.5)]
    end = table.play(table.initial(), 1, 1)
    assert [table.utility(end, p) for p in (0, 1)] == [2.0, -2.0]
    assert str(table) == str(usual)
    assert zero_sum(table, exact=True).value == F(0)


def test_the_policy_plays_the_profile():
    found = zero_sum([[3, 0], [1, 2]], exact=True)
    state = found.game.initial()
    assert found.policy(state) == {0: F(1, 4), 1: F(3, 4)}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2], [3]], "ragged"),
        ([[1, float("nan")]], "finite"),
        (np.array([[1.0, np.inf]]), r"\[0, 1\].*finite"),
        (np.zeros((0, 3)), "rows and columns"),
        ("tic", "nested lists"),
    ],
)
def test_bad_tables(table, message):
    with pytest.raises(BadParameter, match=message):
        zero_sum(table)


def test_what_is_not_for_it():
    with pytest.raises(UnsuitableGame, match="use nash"):
        zero_sum(game("prisoners_dilemma"))
    with pytest.raises(UnsuitableGame, match="sequence_form"):
        zero_sum(game("kuhn_poker"))
    with pytest.raises(UnsuitableGame, match="two players"):
        zero_sum(Matrix(np.zeros((2, 2, 2, 3))))
    with pytest.raises(BadParameter, match="between 0 and 1"):
        zero_sum([[1]], gap=2)
    with pytest.raises(BadParameter, match="exact=True"):
        zero_sum([[1]], gap=0.1, exact=True)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=1, max_size=8)
    ),
    st.data(),
)
def test_linear_equations(rows, data):
    count = len(rows[0])
    secret = data.draw(st.lists(st.fractions(-3, 3, max_denominator=5), min_size=count, max_size=count))
    right = [sum(a * x for a, x in zip(row, secret)) for row in rows]
    found = unique_solution([dict(enumerate(row)) for row in rows], right, count)
    full = np.linalg.matrix_rank(np.array(rows, dtype=float)) == count
    assert (found is not None) == full
    if full:
        assert found == secret
        right[0] += 1
        broken = unique_solution([dict(enumerate(row)) for row in rows], right, count)
        assert broken is None or broken != secret


def test_equations_that_contradict_have_no_solution():
    assert unique_solution([{0: 1}, {0: 2}], [1, 3], 1) is None
