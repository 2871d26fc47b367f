"""Python and native code give the same answers: values, moves, lines and node counts.

Games that are grown from a number need to be compiled once for any number of trees.
"""

from typing import NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, Game, game

PRIME = 2_147_483_647


class Grown(Game):
    """A tree that grows out of a number: who moves, how many moves there are and what they lead to depends on it."""

    max_actions = 4
    bounds = (-8.0, 8.0)

    class State(NamedTuple):
        seed: int
        left: int

    def initial(self):
        return self.State(12_345, 5)

    def to_move(self, s):
        return s.seed // 8 % 2

    def actions(self, s):
        yield from range(1 + s.seed // 64 % 4)

    def result(self, s, action):
        return self.State((s.seed * 48_271 + (action + 1) * 69_621 + s.left) % PRIME, s.left - 1)

    def is_terminal(self, s):
        return s.left == 0 or s.seed % 11 == 0

    def utility(self, s, player):
        value = float(s.seed // 128 % 17 - 8)
        return value if player == 0 else -value


class GrownDice(Grown):
    """Every third node is chance's, with 1, 2 or 4 outcomes."""

    def to_move(self, s):
        return CHANCE if s.seed % 3 == 0 else s.seed // 8 % 2

    def actions(self, s):
        count = 1 + s.seed // 64 % 4
        if s.seed % 3 == 0 and count == 3:
            count = 2
        yield from range(count)

    def probability(self, s, action):
        count = 1 + s.seed // 64 % 4
        return 1.0 / (2 if count == 3 else count)


class GrownThree(Grown):
    """For three players, with payoffs of any sum."""

    players = 3

    def to_move(self, s):
        return s.seed // 8 % 3

    def utility(self, s, player):
        return float(s.seed // (128 + 64 * player) % 17 - 8)


def shallow_guess(s):
    return (s.seed % 9 - 4) / 2


def low_digits(s, action):
    return (s.seed + action * 5) % 7


SEARCHES = {
    "minimax": (Grown, zermelo.minimax, {}),
    "minimax to a depth": (Grown, zermelo.minimax, {"depth": 3, "evaluate": shallow_guess}),
    "alphabeta": (Grown, zermelo.alphabeta, {}),
    "alphabeta in order": (Grown, zermelo.alphabeta, {"order": low_digits}),
    "alphabeta in a window": (Grown, zermelo.alphabeta, {"window": (-1, 2)}),
    "alphabeta within bounds": (Grown, zermelo.alphabeta, {"bounds": True}),
    "alphabeta, lost": (Grown, zermelo.alphabeta, {"when_lost": "delay"}),
    "expectiminimax": (GrownDice, zermelo.expectiminimax, {}),
    "star1": (GrownDice, zermelo.expectiminimax, {"prune": "star1"}),
    "star2": (GrownDice, zermelo.expectiminimax, {"prune": "star2"}),
    "maxn": (GrownThree, zermelo.maxn, {}),
    "paranoid": (GrownThree, zermelo.paranoid, {}),
    "expectimax": (GrownThree, zermelo.expectimax, {}),
    "maxn with dice": (GrownDice, zermelo.maxn, {}),
}


def assert_same(plain, native):
    for name in ("value", "values", "action", "line", "moves", "nodes", "bound", "note"):
        assert getattr(native, name) == getattr(plain, name), name
    assert list(native.moves) == list(plain.moves)
    for action, move in plain.moves.items():
        assert (native.moves[action].bound, native.moves[action].values) == (move.bound, move.values)
    assert (plain.device, native.device) == ("python", "cpu")


@pytest.mark.parametrize("name", SEARCHES)
def test_grown_trees(name):
    kind, search, options = SEARCHES[name]
    of = kind()
    for seed in range(1, 40):
        s = of.State(seed * 1_000_003 % PRIME, 3 + seed % 4)
        assert_same(*(search(of, s, device=device, **options) for device in ("python", "cpu")))


def test_grown_trees_by_hand():
    def value(of, s):
        if of.is_terminal(s):
            return of.utility(s, 0)
        values = {action: value(of, child) for action, child in of.successors(s)}
        if of.to_move(s) == CHANCE:
            return sum(of.probability(s, action) * v for action, v in values.items())
        return (max, min)[of.to_move(s)](values.values())

    for seed in range(1, 40):
        for of, search in ((Grown(), zermelo.alphabeta), (GrownDice(), zermelo.expectiminimax)):
            s = of.State(seed * 7_654_321 % PRIME, 5)
            assert search(of, s, device="cpu").value == value(of, s)


def test_grown_trees_are_games():
    for of in (Grown(), GrownDice(), GrownThree()):
        assert zermelo.check(of).machines[:2] == ("python", "cpu")


@pytest.mark.parametrize("kind", [Grown, GrownDice])
def test_counting_grown_trees(kind):
    of = kind()
    for seed in range(1, 20):
        s = of.State(seed * 1_000_003 % PRIME, 6)
        for depth in range(7):
            assert zermelo.perft(of, depth, s, device="cpu") == zermelo.perft(of, depth, s, device="python")


GAMES = [
    ("connect_four", {}, zermelo.alphabeta, {"depth": 5}),
    ("nim", {"heaps": (3, 2, 1)}, zermelo.alphabeta, {"symmetry": True}),
    ("higher_takes", {}, zermelo.alphabeta, {}),
    ("three_player_tic_tac_toe", {}, zermelo.maxn, {"depth": 4}),
    ("share", {}, zermelo.maxn, {}),
    ("coin_bucket", {}, zermelo.expectiminimax, {"prune": "star2"}),
    ("pig", {}, zermelo.maxn, {"depth": 5}),
]


@pytest.mark.parametrize("case", GAMES, ids=lambda case: f"{case[2].__name__} {case[0]}")
def test_games(case):
    name, parameters, search, options = case
    of = game(name, **parameters)
    assert_same(*(search(of, device=device, **options) for device in ("python", "cpu")))


SMALLER = {"go": "go:size=3", "hex": "hex:size=3", "twenty48": "twenty48:size=3"}
"""Boards on which plain Python sees the end of its work."""


@pytest.mark.slow
@pytest.mark.parametrize("name", list(zermelo.games))
def test_every_game_by_every_method_that_fits(name):
    of = game(SMALLER.get(name, name))
    depth = 4 if of.max_actions < 100 else 2
    searches = (zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn, zermelo.paranoid)
    for search in (*searches, zermelo.expectimax):
        try:
            plain = search(of, depth=depth, device="python")
        except zermelo.UnsuitableGame:
            continue
        assert_same(plain, search(of, depth=depth, device="cpu"))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(zermelo.games))
def test_every_game_in_random_play(name):
    of = game(SMALLER.get(name, name))
    games = 500 if of.max_actions < 100 else 5
    plain, native = (zermelo.playouts(of, games=games, seed=21, device=device) for device in ("python", "cpu"))
    assert (native.means, native.error, native.moves) == (plain.means, plain.error, plain.moves)


def test_a_tree_typed_by_hand():
    tree = zermelo.Tree([[3, zermelo.chance([(0.25, [1, 9]), (0.75, 4)])], zermelo.move(0, [2, [8, 7]]), 1])
    for prune in (None, "star2"):
        assert_same(*(zermelo.expectiminimax(tree, prune=prune, device=device) for device in ("python", "cpu")))


def test_auto_gives_the_same_answer_as_either():
    of = game("connect_four", rows=4, cols=4, line=3)
    found = [zermelo.alphabeta(of, depth=8, device=device) for device in ("python", "cpu", "auto")]
    for other in found[1:]:
        assert (other.value, other.moves, other.nodes, other.line) == (
            found[0].value, found[0].moves, found[0].nodes, found[0].line,
        )  # fmt: skip
