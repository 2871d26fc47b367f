"""Correlated equilibria of all kinds: known values, the definition itself, and each kind against the others."""

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, Tree, chance, game, move
from zermelo.equilibrium.concepts import extensive_correlated
from zermelo.equilibrium.concepts.correlated import correlated
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.errors import BadParameter, UnsuitableGame

CHICKEN = Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], labels=("swerve", "dare"))
SEXES = Matrix([[(3, 2), (0, 0)], [(0, 0), (2, 3)]])


def test_chicken():
    found = correlated(CHICKEN)
    assert found.exact
    assert found.welfare == Fraction(21, 2)
    assert found.outcomes == {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)}
    assert found.slack == 0
    assert found.names["swerve", "swerve"] == Fraction(1, 2)
    assert correlated(CHICKEN, objective="min").values == (Fraction(21, 4), Fraction(21, 4))
    assert correlated(CHICKEN, objective="player 1").values == (2, 7)
    assert correlated(CHICKEN, objective=(-1, -1)).welfare == Fraction(36, 5)
    assert correlated(CHICKEN, exact=False).welfare == pytest.approx(10.5)


def test_battle_of_the_sexes():
    fair = correlated(SEXES, objective="min")
    assert fair.values == (Fraction(5, 2), Fraction(5, 2))
    assert fair.outcomes == {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}


def test_zero_sum_games_leave_the_value():
    hands = game("rock_paper_scissors")
    for kind, objective in itertools.product(("correlated", "coarse", "extensive"), ("player 0", "player 1")):
        assert correlated(hands, kind=kind, objective=objective).values == (0, 0)
    only = correlated(hands)
    assert set(only.outcomes.values()) == {Fraction(1, 9)}


def test_coarse_allows_more():
    # Rock, paper, scissors where a tie is worth something: who is told the tie beats it, who is told nothing obeys.
    tie = (Fraction(1, 4), Fraction(1, 4))
    table = Matrix([[tie, (-1, 1), (1, -1)], [(1, -1), tie, (-1, 1)], [(-1, 1), (1, -1), tie]])
    fine, coarse = correlated(table), correlated(table, kind="coarse")
    assert coarse.welfare == Fraction(1, 2)
    assert all(a == b for a, b in coarse.outcomes)
    assert coarse.slack >= 0
    assert fine.welfare < Fraction(1, 2)


def test_three_players():
    found = correlated(game("odd_man_out"), objective="min")
    assert len(found.values) == 3
    assert found.slack >= 0
    assert sum(found.outcomes.values()) == 1


def test_signals_in_the_extensive_form():
    # A mediator that speaks only when play arrives keeps the first mover from knowing too much: outside options of 2,
    # then chicken; obeying throughout the game supports no less than signals before it.
    tree = Tree(
        move(0, {"out": (4, 4), "in": move(0, {
            "s": move(1, {"s": (6, 6), "d": (2, 7)}, "c"), "d": move(1, {"s": (7, 2), "d": (0, 0)}, "c")})})
    )  # fmt: skip
    assert correlated(tree, kind="extensive").welfare == Fraction(21, 2)
    poker = correlated(game("matching_pennies"), kind="extensive")
    assert poker.values == (0, 0)


def test_extensive_form_beats_the_normal_form():
    # Player 0 hears only after its first move whether to say x or y: told at once, it would choose another first move.
    def answer(said, one, two):
        return move(1, {"A": one, "B": two}, information_set=f"heard {said}")

    tree = Tree(move(0, {
        "l": move(0, {"x": answer("x", (3, 1), (2, 0)), "y": answer("y", (2, 4), (1, 4))}),
        "r": move(0, {"x": answer("x", (3, 0), (1, 0)), "y": answer("y", (3, 1), (0, 1))}),
    }))  # fmt: skip
    normal, extensive = correlated(tree), correlated(tree, kind="extensive")
    assert (normal.welfare, extensive.welfare) == (4, Fraction(11, 2))
    assert extensive.names == {("l", "x", "A"): Fraction(1, 4), ("l", "y", "A"): Fraction(3, 4)}
    assert extensive.slack == 0


def test_chance_moves_need_plans():
    third = Fraction(1, 3)
    deal = move(1, {"fold": (1, -1), "call": (2, -2)}, "seen bet")
    weak = move(1, {"fold": (1, -1), "call": (-2, 2)}, "seen bet")
    tree = Tree(chance([(third, move(0, {"bet": deal, "pass": (-1, 1)}, "high")),
                        (1 - third, move(0, {"bet": weak, "pass": (-1, 1)}, "low"))]))  # fmt: skip
    found = correlated(tree, kind="extensive", objective="player 0")
    assert found.values == correlated(tree, kind="extensive", objective="player 1").values
    assert sum(found.outcomes.values()) == 1


def test_bad_input():
    with pytest.raises(BadParameter, match="kind"):
        correlated(CHICKEN, kind="cheap talk")
    with pytest.raises(BadParameter, match="welfare, min, player 0, player 1"):
        correlated(CHICKEN, objective="player 2")
    with pytest.raises(BadParameter, match="2 weights"):
        correlated(CHICKEN, objective=(1, 1, 1))
    with pytest.raises(UnsuitableGame, match="regret_matching"):
        correlated(Matrix([[(0, 0)] * 200] * 200))
    forgetful = Tree(move(0, [move(0, [(1, 0), (2, 0)], "f"), move(0, [(3, 0), (4, 0)], "f")]))
    with pytest.raises(UnsuitableGame, match="perfect recall"):
        correlated(forgetful, kind="extensive")


def test_plain_data():
    data = json.loads(json.dumps(correlated(CHICKEN, objective=(1, Fraction(1, 2))).to_json()))
    assert data["kind"] == "correlated"
    assert data["outcomes"]


entries = st.integers(-4, 4)
small = st.lists(st.lists(st.tuples(entries, entries), min_size=3, max_size=3), min_size=2, max_size=3).map(Matrix)


@settings(max_examples=40, deadline=None)
@given(small, st.sampled_from(["welfare", "min", "player 0"]))
def test_by_the_definition(table, objective):
    found = correlated(table, objective=objective)
    assert found.exact
    assert sum(found.outcomes.values()) == 1
    payoffs, lost = table.payoffs, []
    for player in (0, 1):
        for told, other in itertools.permutations(range(table.shape[player]), 2):
            gain = 0
            for cell, p in found.outcomes.items():
                if cell[player] == told:
                    moved = tuple(other if i == player else c for i, c in enumerate(cell))
                    gain += p * (payoffs[cell][player] - payoffs[moved][player])
            lost.append(gain)
    assert min(lost) == found.slack >= 0
    coarse = correlated(table, kind="coarse", objective=objective)
    tree = correlated(table, kind="extensive", objective=objective)
    aim = {"welfare": sum, "min": min, "player 0": lambda v: v[0]}[objective]
    assert aim(coarse.values) >= aim(found.values) == aim(tree.values)


@settings(max_examples=15, deadline=None)
@given(small)
def test_nash_equilibria_are_correlated_ones(table):
    from zermelo.equilibrium.nash.nash import nash

    best = correlated(table).welfare
    assert all(sum(e.values) <= best for e in nash(table, all=True, exact=True))


@st.composite
def hidden_trees(draw):
    depth = draw(st.integers(2, 4))
    visible = [draw(st.booleans()) for _ in range(depth + 1)]

    def grow(left, seen):
        if left == 0:
            return (draw(st.integers(0, 4)), draw(st.integers(0, 4)))
        mover = (depth - left) % 2
        below = {}
        for label in "lr":
            after = [(*own, label) if p == mover or visible[left] else own for p, own in enumerate(seen)]
            below[label] = grow(left - 1, after)
        return move(mover, below, information_set=(mover, left, *seen[mover]))

    return Tree(grow(depth, [(), ()]))


@settings(max_examples=15, deadline=None)
@given(hidden_trees())
def test_pairs_of_sequences_and_whole_plans_agree(tree):
    ends = extensive_correlated._Ends(extensive_form(tree))
    short = extensive_correlated._by_sequences(ends).best("welfare", None, 0.0)
    long = extensive_correlated._by_plans(ends).best("welfare", None, 0.0)
    assert short.exact
    assert short.welfare == long.welfare >= correlated(tree).welfare
    assert short.slack >= 0
    assert long.slack >= 0
