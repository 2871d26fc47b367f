"""Every plain method against a few lines of recursion on the same random trees, written without the package."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import Tree, chance, move

MANY = settings(max_examples=120, deadline=None)

# A node is a number or a tuple of numbers (an end), ("dice", [(odds, node), ...]) or (player, [node, ...]).


def ends(players):
    numbers = st.integers(-6, 6)
    return numbers if players == 0 else st.tuples(*[numbers] * players)


def is_end(node):
    return isinstance(node, int) or (isinstance(node[0], int) and isinstance(node[1], int))


@st.composite
def dice(draw, nodes):
    """A chance node whose odds are eighths: sums of products stay exact in floats."""
    cuts = sorted(draw(st.sets(st.integers(1, 7), max_size=3)))
    odds = [Fraction(high - low, 8) for low, high in pairwise([0, *cuts, 8])]
    return "dice", [(p, draw(nodes)) for p in odds]


def trees(players=2, payoffs=0, with_dice=False):
    """Trees in which anybody may be to move anywhere."""

    def grow(nodes):
        decisions = st.tuples(st.integers(0, players - 1), st.lists(nodes, min_size=1, max_size=4))
        return decisions | dice(nodes) if with_dice else decisions

    grown = st.recursive(ends(payoffs), grow, max_leaves=25)
    return grown.filter(lambda node: not is_end(node))


def typed(node):
    """The node as people type it for `Tree`."""
    if is_end(node):
        return node
    who, below = node
    if who == "dice":
        return chance([(odds, typed(child)) for odds, child in below])
    return move(who, [typed(child) for child in below])


def size(node):
    if is_end(node):
        return 1
    return 1 + sum(size(child[1] if node[0] == "dice" else child) for child in node[1])


def average(pairs):
    return sum(odds * value for odds, value in pairs)


def two_sided(node):
    """The value for player 0 of a game of two."""
    if is_end(node):
        return node
    who, below = node
    if who == "dice":
        return average((odds, two_sided(child)) for odds, child in below)
    return (max, min)[who](two_sided(child) for child in below)


def moves_of(node, value=two_sided):
    """The value of each first move."""
    return {i: value(child[1] if node[0] == "dice" else child) for i, child in enumerate(node[1])}


def best_move(node):
    if node[0] == "dice":
        return None
    values = moves_of(node)
    return next(i for i, value in values.items() if value == two_sided(node))


def many_sided(node, choose):
    """The values of all players; `choose(player, vectors)` picks one, or mixes them into a new one."""
    if is_end(node):
        return node
    who, below = node
    if who == "dice":
        vectors = [many_sided(child, choose) for _, child in below]
        return mixture([odds for odds, _ in below], vectors)
    return choose(who, [many_sided(child, choose) for child in below])


def mixture(odds, vectors):
    return tuple(sum(p * vector[i] for p, vector in zip(odds, vectors, strict=True)) for i in range(len(vectors[0])))


def uniform(vectors):
    return mixture([Fraction(1, len(vectors))] * len(vectors), vectors)


def greedy(player, vectors):
    return max(vectors, key=lambda vector: vector[player])


# --- two players ------------------------------------------------------------------------------------------------------


@MANY
@given(trees())
def test_minimax(node):
    found = zermelo.minimax(Tree(typed(node)), device="python")
    assert found.value == two_sided(node)
    assert found.values == (found.value, -found.value)
    assert found.moves == moves_of(node)
    assert found.action == best_move(node)
    assert found.nodes == size(node)
    assert found.bound == "exact"


@MANY
@given(trees())
def test_the_line_is_best_play(node):
    found = zermelo.alphabeta(Tree(typed(node)), device="python")
    for action in found.line:
        assert action == best_move(node)
        node = node[1][action]
    assert is_end(node)
    assert node == found.value


@MANY
@given(trees())
def test_alphabeta(node):
    tree = Tree(typed(node))
    found = zermelo.alphabeta(tree, device="python")
    assert (found.value, found.action, found.bound) == (two_sided(node), best_move(node), "exact")
    assert found.nodes <= size(node)
    bounded = zermelo.alphabeta(tree, bounds=True, device="python")
    assert (bounded.value, bounded.action, bounded.bound) == (found.value, found.action, "exact")
    assert bounded.nodes <= found.nodes
    assert_sound(found, node)
    assert_sound(bounded, node)


def assert_sound(found, node):
    """What is said of each first move holds."""
    for action, true in moves_of(node).items():
        if action in found.moves:
            said = found.moves[action]
            holds = {"exact": true == said, "upper": true <= said, "lower": true >= said}
            assert holds[said.bound]


@MANY
@given(trees(), st.integers(-7, 6), st.integers(1, 6))
def test_windows_are_fail_soft(node, low, width):
    high = low + width
    true, found = two_sided(node), zermelo.alphabeta(Tree(typed(node)), window=(low, high), device="python")
    if low < found.value < high:
        assert (found.value, found.bound) == (true, "exact")
    elif found.value <= low:
        assert true <= found.value
    else:
        assert true >= found.value
    assert {"exact": true == found.value, "upper": true <= found.value, "lower": true >= found.value}[found.bound]
    assert_sound(found, node)


@MANY
@given(trees(), st.integers(0, 1000))
def test_any_order_gives_the_value(node, salt):
    def order(s, action):
        return (s.node * 31 + action * 17 + salt) % 11

    found = zermelo.alphabeta(Tree(typed(node)), order=order, device="python")
    assert found.value == two_sided(node)
    assert moves_of(node)[found.action] == found.value
    assert list(found.moves) == sorted(moves_of(node), key=lambda a: -order(Tree.State(0), a))[: len(found.moves)]


@MANY
@given(trees(), st.integers(0, 4))
def test_depth_limit(node, depth):
    def cut(node, left):
        if is_end(node):
            return node
        return 0 if left == 0 else (max, min)[node[0]](cut(child, left - 1) for child in node[1])

    def deep(node):
        return 0 if is_end(node) else 1 + max(deep(child) for child in node[1])

    for search in (zermelo.minimax, zermelo.alphabeta):
        found = search(Tree(typed(node)), depth=depth, device="python")
        assert found.value == cut(node, depth)
        if search is zermelo.minimax:
            assert found.bound == ("exact" if deep(node) <= depth else "estimate")


@MANY
@given(trees())
def test_the_recording_shows_what_was_searched(node):
    for search in (zermelo.minimax, zermelo.alphabeta):
        found = search(Tree(typed(node)), record=True)
        nodes = list(found.tree.root.walk())
        assert sum(n.pruned is None for n in nodes) == found.nodes
        assert len({n.path for n in nodes}) == len(nodes)
        assert found.tree.root.value == found.value
        assert found.tree.root.best == found.action
        for n in nodes:
            assert (n.value is None) == (n.pruned is not None)


@MANY
@given(trees(), st.sampled_from(["delay", "hope"]))
def test_when_lost_the_choice_is_as_good_as_any(node, way):
    found = zermelo.alphabeta(Tree(typed(node)), when_lost=way, device="python")
    assert found.value == two_sided(node)
    assert moves_of(node)[found.action] == found.value
    losing = found.value < 0 if node[0] == 0 else found.value > 0
    assert bool(found.note) == losing


# --- chance -----------------------------------------------------------------------------------------------------------


@MANY
@given(trees(with_dice=True))
def test_expectiminimax(node):
    found = zermelo.expectiminimax(Tree(typed(node)), device="python")
    assert found.value == two_sided(node)
    assert found.moves == moves_of(node)
    assert found.action == best_move(node)
    assert found.nodes == size(node)


@MANY
@given(trees(with_dice=True), st.sampled_from(["star1", "star2"]), st.sampled_from([None, (-6, 6), (-9, 20)]))
@example((0, [(0, [1]), ("dice", [(Fraction(1, 1), (0, [0, 1]))])]), "star1", None)
def test_star(node, prune, bounds):
    tree = Tree(typed(node))
    found = zermelo.expectiminimax(tree, prune=prune, bounds=bounds, device="python")
    assert (found.value, found.action, found.bound) == (two_sided(node), best_move(node), "exact")
    if prune == "star1":
        assert found.nodes <= size(node)
    assert_sound(found, node)


@MANY
@given(trees(with_dice=True), st.integers(0, 1000))
def test_star_with_any_order(node, salt):
    def order(s, action):
        return (s.node * 31 + action * 17 + salt) % 11

    for prune in ("star1", "star2"):
        found = zermelo.expectiminimax(Tree(typed(node)), prune=prune, bounds=(-6, 6), order=order, device="python")
        assert found.value == two_sided(node)


def thirds(node):
    """The same tree with odds that floats cannot hold."""
    if is_end(node):
        return node
    who, below = node
    if who == "dice":
        return who, [(Fraction(1, len(below)), thirds(child)) for _, child in below]
    return who, [thirds(child) for child in below]


@MANY
@given(trees(with_dice=True).map(thirds), st.sampled_from([None, "star1", "star2"]))
def test_rounding_never_costs_more_than_rounding(node, prune):
    found = zermelo.expectiminimax(Tree(typed(node)), prune=prune, bounds=(-6, 6), device="python")
    true = two_sided(node)
    assert math.isclose(found.value, true, abs_tol=1e-9)
    if found.action is not None:
        assert math.isclose(moves_of(node)[found.action], true, abs_tol=1e-9)


# --- any number of players --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("with_dice", [False, True])
def test_maxn(players, with_dice):
    @settings(max_examples=40, deadline=None)
    @given(trees(players, max(2, players), with_dice))
    def agrees(node):
        found = zermelo.maxn(Tree(typed(node)), device="python")
        assert found.values == many_sided(node, greedy)
        assert found.nodes == size(node)
        assert {a: m.values for a, m in found.moves.items()} == moves_of(node, lambda n: many_sided(n, greedy))

    agrees()


@MANY
@given(trees(3, 3, True), st.integers(0, 2))
def test_paranoid(node, me):
    def choose(player, vectors):
        best = max if player == me else min
        return best(vectors, key=lambda vector: vector[me])

    found = zermelo.paranoid(Tree(typed(node)), player=me, device="python")
    assert found.values[me] == many_sided(node, choose)[me]
    assert found.values == many_sided(node, choose)


@MANY
@given(trees(3, 3, True), st.integers(0, 2))
def test_expectimax(node, me):
    def choose(player, vectors):
        return greedy(player, vectors) if player == me else uniform(vectors)

    found = zermelo.expectimax(Tree(typed(node)), player=me, device="python")
    assert found.values[me] == pytest.approx(float(many_sided(node, choose)[me]), abs=1e-9)


@MANY
@given(trees(3, 3, True))
def test_uniform_play(node):
    tree = Tree(typed(node))
    expected = many_sided(node, lambda player, vectors: uniform(vectors))
    found = zermelo.expected_values(tree, [zermelo.Policy.uniform(tree)] * 3)
    assert found == pytest.approx([float(x) for x in expected], abs=1e-9)


@MANY
@given(trees())
def test_nested_lists_take_turns(node):
    def lists(node):
        return node if is_end(node) else [lists(child) for child in node[1]]

    def in_turn(node, player):
        if is_end(node):
            return node
        return (max, min)[player](in_turn(child, 1 - player) for child in node[1])

    assert zermelo.minimax(Tree(lists(node)), device="python").value == in_turn(node, 0)
