"""Linear programs in fractions: the certified way and the simplex method agree, and both prove what they say."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.equilibrium.arithmetic.exact_program import Program, _Simplex
from zermelo.errors import UnsuitableGame

entries = st.integers(-3, 3)
tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(entries, min_size=n, max_size=n), min_size=1, max_size=5)
)


def game_value(rows):
    """The program whose optimum is the value of a zero-sum table."""
    value = len(rows)
    program = Program(value + 1, free=[value])
    for column in range(len(rows[0])):
        program.at_most({value: 1} | {i: -row[column] for i, row in enumerate(rows)})
    program.equals(dict.fromkeys(range(value), 1), 1)
    return program, {value: 1}


@settings(max_examples=80, deadline=None)
@given(tables)
def test_two_ways_to_one_value(rows):
    program, aim = game_value(rows)
    found = program.maximise(aim)
    again = _Simplex(program, aim).solve()
    assert found.exact
    assert found.value == again.value
    for optimum in (found, again):
        assert program._feasible(optimum.variables)
        assert program._optimal(aim, [*optimum.prices, *optimum.rates])
        assert sum(optimum.prices) == 1, "the other player's strategy"


def test_beales_example_does_not_cycle():
    program = Program(4)
    program.at_most({0: Fraction(1, 4), 1: -8, 2: -1, 3: 9})
    program.at_most({0: Fraction(1, 2), 1: -12, 2: Fraction(-1, 2), 3: 3})
    program.at_most({2: 1}, 1)
    aim = {0: Fraction(3, 4), 1: -20, 2: Fraction(1, 2), 3: -6}
    assert _Simplex(program, aim).solve().value == program.maximise(aim).value == Fraction(5, 4)


def test_differences_far_below_rounding():
    tiny = Fraction(1, 10**20)
    program = Program(2)
    program.at_most({0: 1, 1: 1}, 1)
    program.at_most({0: 1}, tiny)
    found = program.maximise({0: 1 + tiny, 1: 1})
    assert found.exact
    assert found.value == 1 + tiny * tiny
    assert found.variables == [tiny, 1 - tiny]


def test_redundant_equations_and_negative_bounds():
    program = Program(2, free=[1])
    program.equals({0: 1, 1: -1}, 3)
    program.equals({0: 2, 1: -2}, 6)
    program.at_most({1: -1}, -1)
    program.at_most({0: 1}, 7)
    for found in (program.maximise({1: -1}), _Simplex(program, {1: -1}).solve()):
        assert (found.value, found.variables) == (-1, [4, 1])


def test_floats_where_asked():
    program, aim = game_value([[1, -1], [-1, 1]])
    found = program.maximise(aim, exact=False)
    assert not found.exact
    assert found.value == pytest.approx(0)


def test_no_solution_and_no_bound():
    impossible = Program(1)
    impossible.at_most({0: 1}, -1)
    with pytest.raises(UnsuitableGame, match="no solution"):
        impossible.maximise({0: 1})
    endless = Program(1)
    endless.at_most({0: -1}, 0)
    with pytest.raises(UnsuitableGame, match="no bound"):
        endless.maximise({0: 1})
