"""Subgames and subgame-perfect equilibria: textbook trees, ties, simultaneous stages, and agreement with Gambit."""

from fractions import Fraction

import pytest
from gambit_oracle import tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Behaviour, Tree, chance, game, maxn, move, nash_conv, sequence_form
from zermelo.equilibrium.concepts.subgames import subgame_perfect, subgames
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.policies.strategies import plan_names
from zermelo.errors import BadParameter, UnsuitableGame

PENNIES = move(0, [move(1, [(1, -1), (-1, 1)], "hidden"), move(1, [(-1, 1), (1, -1)], "hidden")])


def plans(tree, **options):
    form = extensive_form(tree)
    return [plan_names(form, found.policy) for found in subgame_perfect(tree, **options)]


def sexes(name="x"):
    """Battle of the sexes as a subtree."""
    return move(
        0,
        {
            "B": move(1, {"B": (3, 1), "S": (0, 0)}, information_set=name),
            "S": move(1, {"B": (0, 0), "S": (1, 3)}, information_set=name),
        },
    )


def test_the_share_game_has_two_pure_ones():
    found = subgame_perfect(game("share"), all=True)
    assert plans(game("share"), all=True) == [("keep", "yes yes yes"), ("share", "no yes yes")]
    assert [e.values for e in found] == [(2.0, 0.0), (1.0, 1.0)]
    assert [e.regret for e in found] == [0.0, 0.0]
    assert found[0].profile == ((1, 0, 0), (1, 0, 0, 0, 0, 0, 0, 0))
    assert not found.complete
    assert "indifferent" in found.note
    assert len(subgame_perfect(game("share"))) == 1


def test_an_empty_threat_is_not_believed():
    tree = Tree(move("entrant", {"out": (0, 2), "in": move("incumbent", {"fight": (-1, -1), "share": (1, 1)})}))
    [found] = subgame_perfect(tree, all=True)
    assert found.values == (1, 1)
    assert subgame_perfect(tree, all=True).complete


def test_centipede_ends_at_once():
    pot = (10, 9)
    for turn in range(7, -1, -1):
        pot = move(turn % 2, {"stop": (turn + 2, turn) if turn % 2 == 0 else (turn - 1, turn + 3), "go": pot})
    [found] = subgame_perfect(Tree(pot), all=True)
    assert found.values == (2, 0)


def test_outside_option_before_a_simultaneous_stage():
    tree = Tree(move(0, {"out": (2, 2), "in": sexes()}))
    assert [part.root for part in subgames(tree)] == [0, 2]
    found = subgame_perfect(tree, all=True)
    assert found.complete
    assert [e.values for e in found] == [(3, 1), (2, 2), (2, 2)]
    assert plans(tree, all=True)[2] == ("out (3/4 B + 1/4 S)", "(1/4 B + 3/4 S)")
    assert all(e.regret == 0 for e in found)


def test_matching_pennies_inside_a_tree():
    tree = Tree(move(1, {"stay": (Fraction(1, 2), Fraction(-1, 4)), "play": PENNIES}))
    [found] = subgame_perfect(tree)
    assert found.values == (0, 0)
    state = tree.play(tree.initial(), 1)
    assert found.policy(state) == {0: Fraction(1, 2), 1: Fraction(1, 2)}


def test_chance_between_subgames():
    third = Fraction(1, 3)
    tree = Tree(chance([(third, sexes("a")), (1 - third, move(1, [(0, 5), (6, 4)]))]))
    found = subgame_perfect(tree, all=True)
    assert [e.values for e in found][:2] == [(1, third + Fraction(10, 3)), (third, 1 + Fraction(10, 3))]
    assert len(subgames(tree)) == 3


def test_many_ties_and_the_limit():
    flat = Tree(move(0, [move(1, [(0, 0), (0, 0)]) for _ in range(3)]))
    assert len(subgame_perfect(flat, all=True)) == 3 * 2**3
    with pytest.raises(UnsuitableGame, match="more than 20 subgame-perfect"):
        subgame_perfect(flat, all=True, most=20)
    with pytest.raises(BadParameter, match="most"):
        subgame_perfect(flat, most=0)


def test_ties_in_floats_are_ties_of_what_they_stand_for():
    tree = Tree(move(0, [chance([(0.1, (1.0, 0.0)), (0.2, (1.0, 0.0)), (0.7, (0.0, 0.0))]), (0.3, 0.0)]))
    assert len(subgame_perfect(tree, all=True)) == 2


def test_repeated_dilemma_and_hidden_cards():
    repeated = game("repeated_prisoners_dilemma")
    [found] = subgame_perfect(repeated, all=True)
    assert all("cooperate" not in names for names in plan_names(extensive_form(repeated), found.policy))
    [poker] = subgame_perfect(game("kuhn_poker"))
    assert poker.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)
    assert poker.regret == 0


def test_stages_too_large_for_a_table():
    poker = game("one_card_poker", cards=4)
    [found] = subgame_perfect(poker)
    assert found.value == pytest.approx(sequence_form(poker).value, abs=1e-9)
    assert found.regret == 0
    with pytest.raises(UnsuitableGame, match="plans, too many for a table"):
        subgame_perfect(game("kuhn_poker", players=3))
    with pytest.raises(UnsuitableGame, match="equations, too many"):
        subgame_perfect(game("leduc_poker"))


def test_ties_settled_differently_on_two_ways_to_one_state():
    found = subgame_perfect(game("nim"), all=True)
    assert {e.values for e in found} == {(-1.0, 1.0)}
    assert all(e.regret == 0 for e in found)
    told = [e for e in found if e.policy is None]
    assert told
    assert "way to a state" in told[0].note
    assert any(e.policy is not None for e in found)


def test_where_somebody_forgets():
    forgetful = Tree(move(0, [move(0, [(1, 0), (2, 0)], "f"), move(0, [(3, 0), (4, 0)], "f")]))
    with pytest.raises(UnsuitableGame, match="perfect recall"):
        subgame_perfect(forgetful)


def test_three_players_and_perfect_information():
    tree = Tree(move(0, [move(1, [(3, 1, 2), move(2, [(0, 4, 4), (5, 0, 1)])]), move(2, [(2, 2, 0), (1, 5, 3)])]))
    [found] = subgame_perfect(tree, all=True)
    assert found.values == (1, 5, 3)


@st.composite
def trees(draw, depth=4):
    """Random trees of two players with small payoffs, chance and information sets that respect perfect recall."""
    visible = [draw(st.booleans()) for _ in range(depth + 1)]

    def grow(left, seen):
        if left == 0 or (left < depth and draw(st.integers(0, 5)) == 0):
            return (draw(st.integers(-2, 3)), draw(st.integers(-2, 3)))
        mover = (depth - left) % 2
        # What is seen decides the set; a way that ended early would show in the depth, so it is part of the view.
        name = (mover, left, *seen[mover])
        below = {}
        for label in "lr":
            after = [(*seen[0], (left, label)) if mover == 0 or visible[left] else seen[0],
                     (*seen[1], (left, label)) if mover == 1 or visible[left] else seen[1]]  # fmt: skip
            below[label] = grow(left - 1, after)
        return move(mover, below, information_set=name)

    return Tree(grow(depth, [(), ()]))


@settings(max_examples=40, deadline=None)
@given(trees())
def test_no_player_gains_in_any_subgame(tree):
    [found] = subgame_perfect(tree)
    assert found.regret == 0
    assert found.values == tuple(map(Fraction, found.values))


@settings(max_examples=30, deadline=None)
@given(trees())
def test_subgame_roots_agree_with_gambit(tree):
    form = extensive_form(tree)
    theirs, nodes = tree_of(form)
    assert {part.root for part in subgames(form)} == theirs.subgames(nodes) - set(form.payoffs)


@settings(max_examples=30, deadline=None)
@given(
    st.recursive(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), lambda kids: st.lists(kids, min_size=1, max_size=3))
)
def test_perfect_information_agrees_with_maxn(nested):
    tree = Tree(nested)
    if isinstance(nested, tuple):
        return
    ways = subgame_perfect(tree, all=True, most=100_000)
    assert maxn(tree).values in [tuple(map(float, e.values)) for e in ways]


def test_fractions_where_they_are_asked_for():
    (found,) = subgame_perfect(game("kuhn_poker"), exact=True)
    assert found.values == (Fraction(-1, 18), Fraction(1, 18))
    assert isinstance(found.regret, Fraction)
    assert isinstance(subgame_perfect(Tree([1, 2]), exact=False)[0].values[0], float)
    assert isinstance(subgame_perfect(Tree([1, 2]))[0].values[0], Fraction)


def test_mixing_where_one_does_not_care_is_an_equilibrium_that_the_list_does_not_have_and_says_so():
    share = game("share")
    found = subgame_perfect(share, all=True)
    # Player 1 says yes to nothing with odds 1/2; both proposals are then worth 1 to player 0.
    half = {(0, share.initial()): {0: 0.5, 1: 0.5, 2: 0.0}}
    for action, odds in ((0, {0: 0.5, 1: 0.5}), (1, {0: 1.0, 1: 0.0}), (2, {0: 1.0, 1: 0.0})):
        half[1, share.play(share.initial(), action)] = odds
    assert nash_conv(share, Behaviour(share, half)) == 0
    assert all(one.is_pure for one in found)
    assert not found.complete
    assert "do not mix" in found.note
