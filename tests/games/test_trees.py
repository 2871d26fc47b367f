"""Trees typed in by hand: what they mean, that both machines agree on it, and that bad ones are refused by place."""

import math
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.compile import kernel, machine
from zermelo.contract import CHANCE
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.traits import total
from zermelo.tree import Tree, chance, move

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
UNSEEN = move(
    0,
    {
        "left": move(1, {"up": 1, "down": Fraction(-1, 3)}, information_set="dark"),
        "right": move(1, {"up": -2, "down": 2}, information_set="dark"),
    },
)


@kernel
def whole(game, s, memory, top):
    """A number into which every odds, utility, view and mover of the tree enters."""
    if game.is_over(s):
        total = 0.0
        for player in range(game.players):
            total = total * 0.7 + game.utility(s, player)
        return total
    mover = game.to_move(s)
    end = game.fill(s, memory, top)
    total = 0.1 * mover
    if game.view is not None:
        for player in range(game.players):
            total = total * 0.9 + game.view(s, player)
    for i in range(top, end):
        value = whole(game, game.result(s, memory[i]), memory, end)
        if game.probability is not None and mover == -1:
            value = value * game.probability(s, memory[i])
        total = total * 0.8 + value
    return total


def on(device, game):
    m = machine(device)
    return m.call(whole, game=game, s=game.initial(), memory=m.memory(4_000), top=0)


def minimax(game, s):
    if game.is_terminal(s):
        return game.utility(s, 0), ()
    lines = [(value, (a, *line)) for a in game.actions(s) for value, line in [minimax(game, game.result(s, a))]]
    if game.to_move(s) == CHANCE:
        return sum(game.probability(s, line[0]) * value for value, line in lines), ()
    pick = max if game.to_move(s) == 0 else min
    return pick(lines, key=lambda pair: pair[0])


def nested_minimax(tree, sign=1):
    if not isinstance(tree, list):
        return tree
    return sign * max(sign * nested_minimax(child, -sign) for child in tree)


def test_the_textbook_tree():
    tree = Tree(TEXTBOOK)
    assert minimax(tree, tree.initial()) == (3, (0, 0))
    assert (tree.players, tree.max_actions, tree.bounds) == (2, 3, (2.0, 14.0))
    s = tree.play(tree.initial(), 2, 1)
    assert (tree.utility(s, 0), tree.utility(s, 1)) == (5, -5)
    assert tree.path(s) == ("2", "1")
    assert str(tree.traits) == "2 players, deterministic, perfect information, turns, zero sum"
    assert tree.view is None
    assert tree.probability is None


@pytest.mark.parametrize(
    "tree",
    [
        Tree(TEXTBOOK),
        Tree(UNSEEN),
        Tree({"bet": chance({"heads": (Fraction(1, 3), [1, 3]), "tails": (Fraction(2, 3), -1)}), "stay": 0.25}),
        Tree([[[(1, 2, 6), (4, 3, 2)], [(6, 1, 2), (7, 4, 1)]], [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]),
        Tree(7),
    ],
    ids=["textbook", "unseen", "coin", "three players", "leaf"],
)
def test_both_machines_read_the_same_tree(tree):
    assert on("cpu", tree) == pytest.approx(float(on("python", tree)), abs=1e-12)


def test_players_take_turns_and_chance_takes_none():
    tree = Tree([chance([(0.5, [1, 2]), (0.5, [[3], 4])])])
    s = tree.initial()
    movers = [tree.to_move(s), tree.to_move(tree.play(s, 0)), tree.to_move(tree.play(s, 0, 1))]
    assert [*movers, tree.to_move(tree.play(s, 0, 1, 0))] == [0, CHANCE, 1, 0]
    three = Tree([[[[(1, 2, 3)]]]])
    assert [three.to_move(three.play(three.initial(), *[0] * n)) for n in range(4)] == [0, 1, 2, 0]
    after = Tree(move(1, [[1, 2], 3]))
    assert after.to_move(after.play(after.initial(), 0)) == 0


def test_names_of_players():
    assert Tree(TEXTBOOK).names == ("Max", "Min")
    tree = Tree(move("Ann", {"in": move("Bob", [(1, 2), (3, 4)]), "out": (0, 0)}))
    assert tree.names == ("Ann", "Bob")
    assert tree.to_move(tree.play(tree.initial(), 0)) == 1
    turned = Tree(move("Ann", {"in": move("Bob", [(1, 2), (3, 4)]), "out": (0, 0)}), names=("Bob", "Ann"))
    assert turned.to_move(turned.initial()) == 1
    only_min = Tree([move("Min", [1, 2]), 3])
    assert only_min.to_move(only_min.play(only_min.initial(), 0)) == 1


def test_fractions_stay_exact():
    third = Fraction(1, 3)
    tree = Tree(chance([(third, Fraction(1, 7)), (1 - third, 2)]))
    assert minimax(tree, tree.initial())[0] == third / 7 + (1 - third) * 2
    assert isinstance(tree.probability(tree.initial(), 0), Fraction)


def test_outcomes_of_odds_nothing_are_left_out():
    tree = Tree(chance([(0, "never looked at"), (1, 5)]))
    assert list(tree.actions(tree.initial())) == [0]
    assert tree.bounds == (5.0, 5.0)


def test_information_sets():
    tree = Tree(UNSEEN)
    left, right = tree.play(tree.initial(), 0), tree.play(tree.initial(), 1)
    assert tree.view(left, 1) == tree.view(right, 1)
    assert tree.view(left, 0) != tree.view(right, 0)
    assert tree.information_set(left) == "dark"
    assert tree.information_set(tree.initial()) is None
    assert tree.traits.hidden
    assert tree.traits.simultaneous
    assert tree.traits.zero_sum
    assert tree.text(left, 1) == tree.text(right, 1) == "no move of yours yet: you move in dark"
    assert "left" not in tree.text(left, 1)
    assert "left" in tree.text(left, 0)
    assert tree.text(left) == "left: Min moves"


def test_a_view_keeps_the_own_moves():
    tree = Tree(move(0, [move(1, [move(0, [1, 2], "later"), 3], "b"), move(1, [move(0, [1, 2], "other"), 3], "b")]))
    ends = [tree.play(tree.initial(), first, 1) for first in (0, 1)]
    assert tree.view(ends[0], 0) != tree.view(ends[1], 0)
    assert tree.view(ends[0], 1) == tree.view(ends[1], 1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([], "at the root"),
        ([1, [2, []]], "at 1 > 1"),
        ({"left": {"up": "3"}}, "at left > up: '3'"),
        ([1, [math.nan, 2]], "at 1 > 0: the payoff must be finite"),
        ([math.inf], "finite"),
        ([10**400], "too large"),
        ([None], "None is no payoff"),
        ([True], "True is no payoff"),
        ([1, (1, 2)], "at 1: 2 payoffs, but one number at 0"),
        ([(1, 2), [(1, 2, 3)]], "at 1 > 0: 3 payoffs, but 2 payoffs at 0"),
        ([()], "one number for each player"),
        ([(1, "a")], "payoff 1 must be a number"),
        ([chance([(0.5, 1), (0.4, 2)])], "at 0: the odds sum to 0.9"),
        (chance([(Fraction(1, 3), 1), (Fraction(1, 3), 2)]), "2/3"),
        (chance([(-1, 1), (2, 2)]), "between 0 and 1"),
        (chance([(math.nan, 1), (1, 2)]), "odds must be finite"),
        (chance([("half", 1)]), "odds must be a number"),
        (chance([]), "at least one"),
        (chance([1, 2]), "pairs"),
        (chance(3), "at least one"),
        (move(2, [1, 2]), "player 2 moves"),
        (move(-1, [1, 2]), "a player is"),
        (move(-2, [1, 2]), "player -2 moves"),
        (move(1.5, [1, 2]), "a player is"),
        (move(0, 3), "a list or a dict"),
        (move(0, [1, 2], information_set=[]), "hashable"),
        (move("A", [move("B", [move("C", [1])])]), "A, B, C move"),
        (move("A", [[1, 2], 3]), "names="),
        ({"": 1}, "name"),
        ({"a": {1: 2, "1": 3}}, "at a: two actions"),
        (move(0, [move(1, [1, 2], "x"), move(0, [1, 2], "x")]), "another player"),
        (move(0, [move(1, [1, 2], "x"), move(1, [1, 2, 3], "x")]), "other actions"),
        (move(0, [move(1, {"a": 1, "b": 2}, "x"), move(1, {"b": 1, "a": 2}, "x")]), "same order"),
    ],
)
def test_bad_trees_are_refused_by_place(bad, message):
    with pytest.raises(BadParameter) as error:
        Tree(bad)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("names", [("Max",), ("Max", "Max"), "ab", 5, (1, 2), ("", "x")])
def test_bad_names_are_refused(names):
    with pytest.raises(BadParameter):
        Tree(TEXTBOOK, names=names)


def test_a_list_that_contains_itself_is_refused():
    tree = [1]
    tree.append(tree)
    with pytest.raises(BadParameter, match="contain itself"):
        Tree(tree)


def test_large_and_deep_trees():
    wide = Tree([[list(range(10)) for _ in range(100)] for _ in range(100)])
    assert len(wide.branches) == 110_101
    assert wide.utility(wide.play(wide.initial(), 99, 3, 7), 0) == 7
    deep = 0
    for i in range(2_000):
        deep = [deep, i]
    tree = Tree(deep)
    assert tree == Tree(deep)
    assert hash(tree) == hash(Tree(deep))
    assert len(repr(tree)) < 100
    s = tree.initial()
    for _ in range(2_000):
        s = tree.result(s, 0)
    assert tree.is_terminal(s)
    assert len(tree.path(s)) == 2_000
    with pytest.raises(BadParameter) as error:
        Tree([deep, "x"])
    assert "at 1: 'x'" in str(error.value)


def test_trees_are_equal_by_content():
    assert Tree(TEXTBOOK) == Tree([list(row) for row in TEXTBOOK])
    assert hash(Tree(TEXTBOOK)) == hash(Tree([[float(x) for x in row] for row in TEXTBOOK]))
    assert Tree(TEXTBOOK) != Tree(TEXTBOOK, names=("A", "B"))
    assert Tree({"a": 1, "b": 2}) != Tree([1, 2])
    assert Tree([Fraction(1, 3), 1]) != Tree([1 / 3, 1])
    assert Tree(UNSEEN) != Tree({"left": {"up": 1, "down": Fraction(-1, 3)}, "right": {"up": -2, "down": 2}})
    assert repr(Tree(TEXTBOOK)) == f"Tree({TEXTBOOK})"
    assert repr(Tree([[1, 2]] * 20)) != repr(Tree([[1, 3]] * 20))
    again = pickle.loads(pickle.dumps(Tree(UNSEEN)))
    assert again == Tree(UNSEEN)
    assert again.view is not None
    assert again.probability is None


def test_actions_are_named_and_read():
    tree = Tree({"1": 5, "0": 6, "go": [7]})
    s = tree.initial()
    assert [tree.parse_action(s, t) for t in ("1", "0", " go ", "2")] == [0, 1, 2, 2]
    with pytest.raises(IllegalAction):
        tree.parse_action(s, "stay")
    assert [tree.parse_action(s, tree.format_action(s, a)) for a in tree.actions(s)] == [0, 1, 2]


def test_states_of_other_trees_are_refused():
    tree = Tree(TEXTBOOK)
    assert tree.checked_state(tree.State(12)) == tree.State(12)
    assert tree.parse_state(tree.format_state(tree.State(3))) == tree.State(3)
    for node in (-1, 13, True):
        with pytest.raises(BadState):
            tree.checked_state(tree.State(node))


def test_arrays_are_trees_too():
    numpy = pytest.importorskip("numpy")
    assert Tree(numpy.array(TEXTBOOK)) == Tree(TEXTBOOK)
    assert Tree([numpy.float64(1.5), (numpy.int64(2))]) == Tree([1.5, 2])


payoffs = st.integers(-99, 99) | st.floats(-99, 99) | st.fractions(-9, 9)
nested = st.recursive(payoffs, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=30)


@given(nested)
def test_any_nested_list_is_its_minimax_tree(tree):
    game = Tree(tree)
    assert minimax(game, game.initial())[0] == nested_minimax(tree)
    assert total(game) == pytest.approx(0, abs=1e-9)
    assert game.view is None
    assert game.probability is None


junk = st.recursive(
    st.none() | st.booleans() | st.text(max_size=3) | st.floats() | st.integers() | st.binary(max_size=2),
    lambda below: (
        st.lists(below, max_size=3)
        | st.tuples(below, below)
        | st.dictionaries(st.text(max_size=2) | st.integers(), below, max_size=3)
        | st.builds(move, below, below, st.none() | st.text(max_size=1))
        | st.builds(chance, below)
    ),
    max_leaves=12,
)


@settings(max_examples=300)
@given(junk, st.none() | st.lists(st.text(max_size=2), max_size=3))
def test_junk_makes_a_tree_or_a_bad_parameter(tree, names):
    try:
        game = Tree(tree, names=names)
    except BadParameter:
        return
    assert math.isfinite(float(game.bounds[0]))
    assert isinstance(repr(game), str)
    assert game.text(game.initial())
