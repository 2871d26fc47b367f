"""The engine finds what minimax finds, whatever techniques are on, wherever they are exact."""

import random
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import BrokenContract, Engine, Game, Limit, Tree, game, move
from zermelo.bits import popcount
from zermelo.searches.engine.techniques import INEXACT, TECHNIQUES

MANY = settings(max_examples=60, deadline=None)
TO_THE_END = Limit(depth=60)
EXACT_ONES = [name for name in TECHNIQUES if name not in INEXACT]
PLAIN = dict.fromkeys(INEXACT, False)
"""Switches with which the value at every depth is that of alpha-beta."""
BARE = dict.fromkeys(TECHNIQUES, False)
"""Switches with which the engine is alpha-beta."""


def search(of, s=None, limit=TO_THE_END, **options):
    return zermelo.search(of, s, limit=limit, **{"device": "python", **options})


# --- random trees, in which anybody may be to move anywhere ----------------------------------------------------------
# A node is a number (an end) or (player, [node, ...]).


NUMBERS = st.integers(-6, 6)


def trees(ends=NUMBERS):
    grown = st.recursive(
        ends, lambda nodes: st.tuples(st.integers(0, 1), st.lists(nodes, min_size=1, max_size=4)), max_leaves=25
    )
    return grown.filter(lambda node: isinstance(node, tuple))


def typed(node):
    return move(node[0], [typed(child) for child in node[1]]) if isinstance(node, tuple) else node


def value(node, depth=100):
    """Minimax in three lines; beyond the depth nothing is known."""
    if not isinstance(node, tuple):
        return node
    return 0 if depth == 0 else (max, min)[node[0]](value(child, depth - 1) for child in node[1])


@MANY
@given(trees(), st.sets(st.sampled_from([*TECHNIQUES])))
def test_any_tree_with_any_techniques(node, off):
    found = search(Tree(typed(node)), **dict.fromkeys(off, False))
    assert (found.value, found.bound) == (value(node), "exact")
    assert value(node[1][found.action]) == value(node)


@MANY
@given(trees(), st.integers(1, 5), st.sets(st.sampled_from(EXACT_ONES)))
def test_any_depth_with_any_exact_techniques(node, depth, off):
    tree = Tree(typed(node))
    tree.bounds = (-6.0, 6.0)  # where nothing is known 0 is assumed, which has to be possible
    found = search(tree, limit=Limit(depth=depth), **PLAIN, **dict.fromkeys(off, False))
    assert found.value == value(node, depth)


SCALES = [
    lambda source: source.randint(-6, 6),
    lambda source: source.randint(-60, 60) / 10,
    lambda source: source.randint(-9, 9) * 1e-9,
    lambda source: source.uniform(-1e6, 1e6),
    lambda source: source.randint(-5, 5) * 1e12,
    lambda source: source.choice([-1e300, 1e299, 1e300]),
    lambda source: 0.1 + source.randint(0, 3) * 2.0**-55,
    lambda source: source.choice([5e-324, 0.0, -0.0, -5e-324]),
    lambda source: source.randint(-9, 9) * 2**56,
    lambda source: 7,
]


def mixed_trees(seed, count):
    """Trees with payoffs of several scales at once."""
    source = random.Random(seed)

    def grown(depth, scales):
        if depth == 0 or source.random() < 0.15:
            return source.choice(scales)(source)
        return source.randint(0, 1), [grown(depth - 1, scales) for _ in range(source.randint(1, 4))]

    for _ in range(count):
        scales = source.sample(SCALES, source.randint(1, 4))
        depth = source.randint(0, 3)
        yield source.randint(0, 1), [grown(depth, scales) for _ in range(source.randint(1, 4))]


def exactly(node):
    return (max, min)[node[0]](map(exactly, node[1])) if isinstance(node, tuple) else Fraction(node)


def assert_true(found, node):
    true = {action: exactly(below) for action, below in enumerate(node[1])}
    assert (Fraction(found.value), found.bound) == (exactly(node), "exact")
    assert true[found.action] == exactly(node)
    for action, said in found.moves.items():
        assert {"exact": true[action] == said, "upper": true[action] <= said, "lower": true[action] >= said}[said.bound]


def assert_mixed(seed, count):
    for number, node in enumerate(mixed_trees(seed, count)):
        tree = Tree(typed(node))
        if number % 3 == 0:
            tree.bounds = None
        assert_true(search(tree), node)


def test_payoffs_of_mixed_scales():
    assert_mixed(1, 400)


@pytest.mark.slow
def test_payoffs_of_mixed_scales_many_times():
    assert_mixed(2, 10_000)


@pytest.mark.parametrize(
    ("typed_in", "value", "action"),
    [
        ([[1, 10_000_000], [3, 5], [-10_000_000, 0]], 3, 1),
        ([[0.4, 1_000_000], [0.6, 2], [-1_000_000, 0]], 0.6, 1),
        ([[1e-9, 1e300], [2e-9, 1e300], [-1e300, 0]], 2e-9, 1),
    ],
)
@pytest.mark.parametrize("device", ["python", "cpu"])
def test_small_differences_among_large_payoffs(typed_in, value, action, device):
    found = search(Tree(typed_in), device=device)
    assert (found.value, found.action, found.bound) == (value, action, "exact")


class Ladder(Game):
    """Twelve steps, up or down at each; what a walk pays is of any scale. Natively the same as in plain Python."""

    max_actions = 2

    class State(NamedTuple):
        step: int
        place: int

    def initial(self):
        return self.State(0, 1)

    def to_move(self, s):
        return s.step & 1

    def actions(self, s):
        yield from range(2)

    def result(self, s, action):
        return self.State(s.step + 1, (s.place * 5 + action * 7 + s.step) % 1009)

    def is_terminal(self, s):
        return s.step == 10

    def utility(self, s, player):
        small = 1.0 + (s.place % 7) * 2.0**-50
        scale = 1e300 if s.place % 3 == 0 else 1e-300 if s.place % 3 == 1 else 1.0
        sign = 1.0 if (s.place % 2 == 0) == (player == 0) else -1.0
        return sign * small * scale


def test_payoffs_of_mixed_scales_in_native_code():
    of = Ladder()
    for place in range(1, 200, 7):
        s = of.State(0, place)
        true = zermelo.minimax(of, s, device="python")
        for device in ("python", "cpu"):
            found = search(of, s, device=device)
            assert (found.value, found.bound) == (true.value, "exact")
            assert true.moves[found.action] == true.value


@pytest.mark.parametrize(
    ("low", "high"),
    [(2**53, 2**53 + 1), (Fraction(1), 1 + Fraction(1, 10**20)), (-(2**60) - 1, -(2**60))],
)
@pytest.mark.parametrize("device", ["python", "cpu"])
def test_payoffs_that_no_float_tells_apart_are_not_called_exact(low, high, device):
    found = search(Tree([[low, high], [high, high + 1]]), device=device)
    assert (float(found.value), found.bound) == (float(high), "estimate")


def test_fractions_that_floats_tell_apart_are_exact():
    found = search(Tree([[Fraction(1, 3), 1], [Fraction(1, 7), Fraction(2, 3)]]))
    assert (found.value, found.action, found.bound) == (1 / 3, 0, "exact")


def test_utilities_beyond_the_bounds_are_refused():
    tree = Tree([[5, 2], [0, 1]])
    tree.bounds = (0.0, 3.0)
    with pytest.raises(BrokenContract, match=r"tree: an end pays what is outside of bounds = \(0\.0, 3\.0\)"):
        search(tree)


@pytest.mark.parametrize("size", [1e-300, 1e-3, 1.0, 1.01, 7.0, 1e4, 1e300])
@pytest.mark.parametrize("bounds", [None, (-1.0, 1.0)])
def test_estimates_of_any_size(size, bounds):
    tree = Tree(move(0, [move(1, [move(0, [0.5, 1]), move(0, [1, -1])]), move(1, [move(0, [0, 0])])]))
    tree.bounds = bounds

    def guess(game, s):
        return size * (game.key(s) % 1000 - 500) / 500

    for depth in (1, 2):
        true = zermelo.alphabeta(tree, depth=depth, evaluate=guess, device="python")
        found = search(tree, limit=Limit(depth=depth), evaluate=guess, **PLAIN)
        assert (found.value, found.action) == (true.value, true.action)
        assert search(tree, limit=Limit(nodes=1), evaluate=guess).value in [
            guess(tree, tree.result(tree.initial(), action)) for action in range(2)
        ]


def test_estimates_beyond_the_bounds_that_a_game_declares_stay_below_wins():
    tree = Tree(move(0, [move(1, [1, 1]), move(1, [move(0, [-1, -1])])]))
    tree.bounds = (-1.0, 1.0)
    found = search(tree, limit=Limit(depth=1), evaluate=lambda s: 5.0)
    assert (found.value, found.score, found.distance) == (5.0, 900_000, None)
    assert search(tree, limit=Limit(depth=2), evaluate=lambda s: 5.0).action == 0


def material(s):
    """In pawns."""
    total = 0.0
    for pieces, worth in ((s.pawns, 1.0), (s.knights, 3.0), (s.bishops, 3.0), (s.rooks, 5.0), (s.queens, 9.0)):
        total += worth * (popcount(pieces & s.white) - popcount(pieces & s.black))
    return total


def material_in_hundreds(s):
    return material(s) / 100.0


def material_in_millions(s):
    return material(s) * 1e6


def test_the_unit_of_an_estimate_changes_nothing():
    chess = game("chess")
    for fen in ("8/8/1kp5/7b/8/p7/5PPR/5NK1 w - - 0 1", "4rrk1/pp4pp/2p5/3q4/3P4/2P2N2/P4PPP/R3R1K1 w - - 0 1"):
        s = chess.parse_state(fen)
        a, b, c = (
            zermelo.search(chess, s, limit=Limit(depth=4), evaluate=of, device="cpu")
            for of in (material, material_in_hundreds, material_in_millions)
        )
        assert a.line == b.line == c.line
        assert a.nodes == b.nodes == c.nodes
        assert a.value == pytest.approx(100 * b.value) == pytest.approx(c.value / 1e6)


@MANY
@given(trees(st.sampled_from([-1, 1])))
def test_what_the_first_moves_are_said_to_be_worth(node):
    found = search(Tree(typed(node)))
    for action, said in found.moves.items():
        true = value(node[1][action])
        assert {"exact": true == said, "upper": true <= said, "lower": true >= said}[said.bound]


@MANY
@given(trees())
def test_the_line_leads_to_the_value(node):
    found = search(Tree(typed(node)), table=False)
    for action in found.line:
        assert value(node[1][action]) == found.value
        node = node[1][action]
    assert node == found.value


def test_a_game_of_one_player():
    found = search(Tree(move(0, [move(0, [3, 7]), move(0, [5, move(0, [1, 9])])])))
    assert (found.value, found.line[:2], found.bound) == (9, (1, 1), "exact")


def test_moving_twice_in_a_row():
    """Max moves three times before Min may: signs and windows turn only where the mover changes."""
    tree = Tree(move(0, [move(0, [move(0, [move(1, [4, 8]), move(1, [6, 7])]), 5]), move(1, [move(1, [9, 2]), 3])]))
    found = search(tree)
    assert (found.value, found.line) == (6, (0, 0, 1, 0))


# --- games -----------------------------------------------------------------------------------------------------------

GAMES = [
    # Positions are as `parse_state` reads them.
    ("tic_tac_toe", {}, "X../.O./..."),
    ("nim", {"heaps": (2, 2)}, None),
    ("nim", {"heaps": (3, 2, 2), "misere": False}, None),
    ("halving", {"n": 14}, None),
    ("bucket", {}, None),
    ("connect_four", {"rows": 3, "cols": 4, "line": 3}, None),
    ("connect_four", {"rows": 4, "cols": 4}, "11112233"),
    ("othello", {"size": 4}, "--O-XXO-XXO-X--- X"),
]


def of_case(name, parameters, position):
    of = game(name, **parameters)
    return of, of.initial() if position is None else of.parse_state(position)


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_a_full_search_ends_by_itself(case):
    of, s = of_case(*case)
    true = zermelo.alphabeta(of, s, device="auto")
    found = search(of, s, limit=Limit())
    assert (found.value, found.bound) == (true.value, "exact")
    assert of.is_terminal(of.play(s, *found.line)) or found.distance is None or len(found.line) <= found.distance


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_each_technique_can_be_switched_off(case):
    of, s = of_case(*case)
    value = search(of, s).value
    for name in TECHNIQUES:
        found = search(of, s, **{name: False})
        assert (found.value, found.bound) == (value, "exact"), name


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_at_every_depth_the_value_of_alphabeta(case):
    of, s = of_case(*case)

    def guess(game, s):
        """Something to tell positions apart by, mirror images too."""
        return (game.key(s) % 1000 - 500) / 1000

    for depth in (1, 2, 3, 4):
        true = zermelo.alphabeta(of, s, depth=depth, evaluate=guess, device="python").value
        for switches in ({}, {"table": False}, {"zero_window": False, "killers": False}, BARE):
            options = PLAIN | {"symmetry": False} | switches
            found = search(of, s, limit=Limit(depth=depth), evaluate=guess, **options)
            assert found.value == true, (depth, switches)


@pytest.mark.parametrize(
    ("name", "parameters", "plies"),
    [
        ("connect_four", {"rows": 4, "cols": 5}, 9),
        ("othello", {"size": 4}, 4),
        ("tic_tac_toe", {}, 2),
        ("hex", {"size": 3}, 2),
    ],
)
def test_a_search_to_the_last_ply_ends_with_a_proof(name, parameters, plies):
    """As deep as the game can still be: no technique that looks at less stands in the way of the value."""
    of, source = game(name, **parameters), random.Random(4)
    for _ in range(6):
        s = of.initial()
        for _ in range(plies):
            s = s if of.is_terminal(s) else of.result(s, source.choice([*of.actions(s)]))
        if of.is_terminal(s):
            continue
        true = zermelo.alphabeta(of, s, device="python")
        found = search(of, s, limit=Limit(depth=20))
        assert (found.value, found.bound) == (true.value, "exact"), of.format_state(s)
        assert zermelo.alphabeta(of, of.result(s, found.action), device="python").value == true.value


def test_parity_decides_late():
    """28 plies before the board is full: column 4 wins, by force of who has to move where in the end."""
    four = game("connect_four")
    s = four.parse_state("57212542247723")
    found = search(four, s, limit=Limit(depth=28), device="cpu")
    assert (found.value, found.action_name, found.bound) == (1.0, "4", "exact")


def test_bare_of_all_techniques_it_is_alphabeta():
    """The same nodes, but that the root is not counted."""
    for name, parameters, depth in (("tic_tac_toe", {}, 5), ("connect_four", {}, 4)):
        of = game(name, **parameters)
        plain = zermelo.alphabeta(of, depth=depth, device="python")
        found = search(of, limit=Limit(depth=depth), **BARE)
        assert (found.nodes, found.value) == (plain.nodes - 1, plain.value)


@pytest.mark.parametrize(
    ("switch", "times", "others"),
    [
        ("table", 1.25, {"counter_moves": False}),  # pairs of moves order so small a game nearly as well as a table
        ("symmetry", 1.5, {}),
        ("captures_first", 1.0, {}),
        ("zero_window", 1.0, {}),
    ],
)
def test_techniques_save_nodes(switch, times, others):
    """Same value, fewer nodes: tic-tac-toe to its end."""
    of = game("tic_tac_toe")
    on, off = (search(of, **PLAIN, **others, **{switch: on}) for on in (True, False))
    assert on.value == off.value == 0.0
    assert on.nodes * times <= off.nodes


def test_killers_save_nodes():
    """In Connect Four: in tic-tac-toe statistics alone order moves as well."""
    four = game("connect_four")
    on, off = (search(four, limit=Limit(depth=7), **PLAIN, killers=on) for on in (True, False))
    assert on.value == off.value
    assert on.nodes < off.nodes


SYMMETRIC = [("tic_tac_toe", {}), ("connect_four", {"rows": 3, "cols": 4, "line": 3})]


@pytest.mark.parametrize(("name", "parameters"), SYMMETRIC)
def test_lines_keep_the_value_where_mirror_images_are_skipped(name, parameters):
    """Also behind what the search itself has written down: the table knows moves by their places among all."""
    of = game(name, **parameters)
    positions = [of.initial()]
    for _ in range(3):
        positions += [of.result(s, action) for s in positions[-12:] for action in list(of.actions(s))[::2]]
    for first in dict.fromkeys(positions[1:]):
        s, found = first, search(of, first)
        for action in found.line:
            true = zermelo.minimax(of, s, device="cpu").moves
            assert true[action] == found.value, (of.format_state(first), found.line)
            s = of.result(s, action)


def test_the_best_of_some_moves_is_not_remembered_as_the_best():
    of = game("tic_tac_toe")
    engine = Engine(of, device="python")
    s = of.parse_state("XX./O../...")
    for action in of.actions(s):
        after = of.result(s, action)
        worst = min(of.actions(after), key=lambda a: float(zermelo.minimax(of, after).moves[a]))
        engine.search(after, TO_THE_END, among=[worst])
    found, true = engine.search(s, TO_THE_END), zermelo.minimax(of, s)
    assert (found.value, found.action) == (true.value, true.action)


# --- sooner and later ------------------------------------------------------------------------------------------------


def test_wins_are_hastened():
    tree = Tree(move(0, [move(1, [move(0, [1, 1])]), 1, move(1, [1])]))
    tree.bounds = (-1.0, 1.0)
    found = search(tree)
    assert (found.value, found.action, found.distance, found.score) == (1.0, 1, 1, 999_999)


def test_losses_are_delayed():
    tree = Tree(move(0, [-1, move(1, [move(0, [-1, -1])]), move(1, [-1])]))
    tree.bounds = (-1.0, 1.0)
    found = search(tree)
    assert (found.value, found.action, found.distance, found.score) == (-1.0, 1, 3, -999_997)


def test_the_distance_is_the_shortest_that_can_be_forced():
    def distance(of, s):
        """Moves to the end: the winner hurries, the loser delays."""
        if of.is_terminal(s):
            return of.utility(s, 0), 0
        side = 1 if of.to_move(s) == 0 else -1
        below = [(of.utility(t, 0), 0) if of.is_terminal(t) else distance(of, t) for _, t in of.successors(s)]
        best = max(side * v for v, _ in below)
        ways = [d for v, d in below if side * v == best]
        return side * best, 1 + (min(ways) if best > 0 else max(ways))

    for name, parameters, position in (
        ("nim", {"heaps": (3, 2)}, None),
        ("nim", {"heaps": (2, 2)}, None),
        ("halving", {"n": 10}, None),
        ("halving", {"n": 13}, None),
        ("tic_tac_toe", {}, "XO./.../..."),
        ("connect_four", {"rows": 3, "cols": 3, "line": 3}, None),
    ):
        of, s = of_case(name, parameters, position)
        value, moves = distance(of, s)
        found = search(of, s)
        assert (found.value, found.distance) == (value, moves if value else None), (name, parameters)
