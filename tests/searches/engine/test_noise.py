"""Noisy moves that never end, positions with more moves than there is room for, and lines as long as lines may be."""

from typing import NamedTuple

import pytest

import zermelo
from zermelo import Engine, Game, Limit
from zermelo.searches.engine.desk import LONGEST_NOISE, MOST_NOISE
from zermelo.searches.engine.scores import MAX_PLY


class Noise(Game):
    """A stone wanders over a board and a player's hand with it; every move is noisy, and all of them can be undone."""

    max_actions = 4
    bounds = (-1.0, 1.0)
    repetition = "draw"

    class State(NamedTuple):
        x: int
        y: int
        player: int

    def initial(self):
        return self.State(0, 0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield from range(4)

    def result(self, s, action):
        x = s.x - 1 if action == 0 else s.x + 1 if action == 1 else s.x
        y = s.y - 1 if action == 2 else s.y + 1 if action == 3 else s.y
        return self.State(min(max(x, -6), 6), min(max(y, -6), 6), 1 - s.player)

    def is_terminal(self, s):
        return abs(s.x) == 6 and abs(s.y) == 6

    def utility(self, s, player):
        return (1.0 if s.x > 0 else -1.0) * (1.0 if player == 0 else -1.0)

    def evaluate(self, s):
        return s.x / 20.0

    def is_noisy(self, s, action):
        return True


class EndlessNoise(Noise):
    """The same where the rules know no repetition."""

    repetition = None


class ForbiddenNoise(Noise):
    """The same where no position may come again."""

    repetition = "forbidden"


class Growth(Game):
    """A tree without end, five ways at every node, all noisy, and estimates that go up and down."""

    max_actions = 5
    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        seed: int
        ply: int

    def initial(self):
        return self.State(1, 0)

    def to_move(self, s):
        return s.ply % 2

    def actions(self, s):
        yield from range(5)

    def result(self, s, action):
        return self.State((s.seed * 1103515245 + 12345 + action * 7919) % 2147483648, s.ply + 1)

    def is_terminal(self, s):
        return s.ply >= 1000

    def utility(self, s, player):
        return 0.0

    def evaluate(self, s):
        return ((s.seed >> 8) % 200 - 100) / 200.0

    def is_noisy(self, s, action):
        return True


class Chain(Growth):
    """The same with one way only."""

    def actions(self, s):
        yield 0


@pytest.mark.parametrize("kind", [Noise, EndlessNoise, pytest.param(ForbiddenNoise, marks=pytest.mark.slow)])
def test_noise_without_end(kind):
    """Words for actions and plies are both bounded, and depths are finished all the same."""
    python = zermelo.search(kind(), limit=Limit(depth=5), device="python")
    cpu = zermelo.search(kind(), limit=Limit(depth=5), device="cpu")
    assert (cpu.score, cpu.nodes, cpu.line, cpu.depth) == (python.score, python.nodes, python.line, 5)
    for options in ({}, {"table": False}, {"singular_extensions": False, "killers": False}):
        found = zermelo.search(kind(), limit=Limit(nodes=300_000), device="cpu", **options)
        assert (found.depth > 5, found.deepest < MAX_PLY) == (True, True)


def test_a_draw_among_noisy_moves():
    """Player 0 can only step back to where it was: a draw, as a quiet move would be, and no gain of 0.05."""
    of = Noise()
    s = of.State(5, 6, 1)
    found = zermelo.search(of, s, history=[of.State(4, 6, 0)], limit=Limit(depth=1), device="python")
    assert found.value == zermelo.minimax(of, s, history=[of.State(4, 6, 0)], depth=2, device="python").value


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_noise_that_grows_is_cut_short(device):
    found = zermelo.search(Growth(), limit=Limit(depth=1), device=device, table=False)
    assert found.depth == 1
    assert 5 < found.nodes <= 5 * 3 * (MOST_NOISE + 2 + LONGEST_NOISE * 5)
    assert found.deepest == 1 + LONGEST_NOISE


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_search_that_runs_out_of_room_estimates(device):
    engine = Engine(zermelo.game("connect_four"), device=device)
    plenty = engine.search(limit=Limit(depth=7))
    engine.room = 60
    engine.new_game()
    found = engine.search(limit=Limit(depth=7))
    assert (found.depth, found.action in range(7)) == (7, True)
    assert found.deepest < plenty.deepest


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_lines_as_long_as_lines_may_be(device):
    found = zermelo.search(Chain(), limit=Limit(depth=10_000), device=device)
    assert (found.depth, found.deepest) == (MAX_PLY, MAX_PLY - 1)
    assert MAX_PLY - 1 <= len(found.line) <= MAX_PLY
    assert set(found.line) == {0}
