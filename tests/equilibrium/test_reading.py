"""Floats as the numbers that they stand for: one reading for all exact methods, and regret that is true for it."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo import Matrix, Tree, game
from zermelo.equilibrium.arithmetic.rational import exact_odds
from zermelo.equilibrium.nash.sequence_form import sequence_form
from zermelo.exact import exact_numbers
from zermelo.tree import chance, move

NEXT = 0.30000000000000004
"""The float after 0.3."""
F = Fraction


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=6))
def test_numbers_that_differ_stay_apart_in_the_same_order(numbers):
    read = exact_numbers(numbers)
    assert [float(x) for x in read] == numbers
    assert sorted(range(len(read)), key=read.__getitem__) == sorted(range(len(read)), key=numbers.__getitem__)


def test_whatever_is_exact_stays_as_it_is():
    assert exact_numbers([1, F(1, 3), 0.5]) == [1, F(1, 3), F(1, 2)]
    noise = [random.Random(i).random() for i in range(9)]
    assert exact_numbers(noise) == list(map(F, noise)), "a huge common denominator: the binary fractions themselves"


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=9))
def test_odds_sum_to_exactly_one(weights):
    odds = exact_odds([w / sum(weights) for w in weights])
    assert sum(odds) == 1
    assert all(abs(p - w / sum(weights)) < 1e-9 for p, w in zip(odds, weights, strict=True))


ONE = {
    "nash": lambda g: zermelo.nash(g, exact=True)[0],
    "pure": lambda g: zermelo.nash(g, exact=True, method="pure")[0],
    "vertices": lambda g: zermelo.nash(g, exact=True, all=True)[0],
    "lemke": zermelo.lemke,
    "quasi_perfect": zermelo.quasi_perfect,
    "subgame_perfect": lambda g: zermelo.subgame_perfect(g, exact=True)[0],
    "trembling_hand": zermelo.trembling_hand,
}


@pytest.mark.parametrize("method", ONE)
def test_floats_next_to_each_other_are_different_payoffs(method):
    low_first = Matrix([[0.3, 0.3], [NEXT, NEXT]], [[1, 0], [1, 0]])
    high_first = Matrix([[NEXT, NEXT], [0.3, 0.3]], [[1, 0], [1, 0]])
    for table, best in ((low_first, 1), (high_first, 0)):
        found = ONE[method](table)
        assert found.profile[0][best] == 1
        assert float(found.values[0]) == NEXT
        assert found.regret == 0


@pytest.mark.parametrize("method", [m for m in ONE if m not in ("pure", "vertices")])
def test_so_they_are_at_the_ends_of_a_tree(method):
    tree = Tree(move(0, {"out": (0.3, 0), "in": move(1, {"left": (NEXT, 1), "right": (0, 0)})}))
    found = ONE[method](tree)
    assert found.regret == 0
    if method in ("quasi_perfect", "subgame_perfect", "trembling_hand"):
        assert float(found.values[0]) == NEXT


def test_zero_sum_methods_read_alike():
    table = Matrix([[0.3, 0.3], [NEXT, NEXT]])
    value = exact_numbers([0.3, NEXT])[1]
    assert zermelo.zero_sum(table, exact=True).value == value
    assert sequence_form(table, exact=True).value == value
    assert zermelo.security_level(table).value == pytest.approx(NEXT)
    assert zermelo.eliminate(table).surviving[0] == (1,)


def test_zero_sum_but_for_rounding_is_no_exact_zero_sum():
    off = Matrix([[0.3, 1.0]], [[-NEXT, -1.0]])
    assert zermelo.zero_sum(off).value == pytest.approx(0.3)
    with pytest.raises(zermelo.UnsuitableGame, match="rounding"):
        zermelo.zero_sum(off, exact=True)


def test_chance_of_any_floats_adds_up():
    weights = [0.1234567, 0.7654321, 0.3333333]
    odds = [w / sum(weights) for w in weights]
    tree = Tree(chance([(p, move(0, {"l": (i, -i), "r": (0.1, -0.1)})) for p, i in zip(odds, range(3), strict=True)]))
    for method in (zermelo.lemke, zermelo.quasi_perfect):
        found = method(tree)
        assert found.regret == 0
        assert found.value == pytest.approx(odds[0] * 0.1 + odds[1] + odds[2] * 2)


def test_a_table_of_floats_from_a_tree_knows_its_exact_payoffs():
    noise = random.Random(1)
    tree = Tree(chance([(0.5, move(0, {"l": noise.random(), "r": noise.random()})) for _ in range(2)]))
    table = zermelo.normal_form(tree)
    assert not table.exact
    form = zermelo.extensive_form(tree)
    ends = [form.exact_payoffs[node][0] for node in sorted(form.exact_payoffs)]
    assert table.exact_cells[0][0] == (ends[0] + ends[2]) / 2
    assert zermelo.nash(game("kuhn_poker"), exact=True)[0].value == F(-1, 18)
