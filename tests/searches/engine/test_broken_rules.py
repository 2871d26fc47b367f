"""Rules that are none are refused at the first node where it shows, in one line, whichever machine runs them."""

import math
from typing import NamedTuple

import pytest

import zermelo
from zermelo import BadParameter, BrokenContract, Game, Limit


class Sound(Game):
    """Four moves, and player 0 has won."""

    max_actions = 2
    utility_sum = 0.0

    class State(NamedTuple):
        n: int
        player: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield from range(2)

    def result(self, s, action):
        return self.State(s.n + 1, 1 - s.player)

    def is_terminal(self, s):
        return s.n >= 4

    def utility(self, s, player):
        return 1.0 if player == 0 else -1.0


class NoNumber(Sound):
    def utility(self, s, player):
        return math.nan


class Endless(Sound):
    def utility(self, s, player):
        return math.inf if player == 0 else -math.inf


class Nothing(Sound):
    def utility(self, s, player):
        return None


class Huge(Sound):
    def utility(self, s, player):
        return 10**400 if player == 0 else -(10**400)


class Seventh(Sound):
    def to_move(self, s):
        return 7 if s.n == 2 else s.player


class SeventhAtOnce(Sound):
    def to_move(self, s):
        return 7


class Nobody(Sound):
    def to_move(self, s):
        return -1 if s.n == 2 else s.player


class Named(Sound):
    def to_move(self, s):
        return "white" if s.n == 2 else s.player


class Negative(Sound):
    def actions(self, s):
        yield 0
        yield -1 if s.n == 1 else 1


class Letters(Sound):
    def actions(self, s):
        yield "A"
        yield "B"


class Letter(Sound):
    def actions(self, s):
        yield 0
        yield "B" if s.n == 2 else 1


class Tuples(Sound):
    def actions(self, s):
        yield (0, 1)


class Halves(Sound):
    def actions(self, s):
        yield 0.5


BROKEN = {
    NoNumber: "no finite number", Endless: "no finite number", Nothing: "no finite number", Huge: "no finite number",
    Seventh: "to_move names nobody who plays", SeventhAtOnce: "to_move names nobody who plays",
    Nobody: "to_move names nobody who plays", Named: "to_move names nobody who plays",
    Negative: "an action is no integer >= 0", Letters: "an action is no integer >= 0",
    Letter: "an action is no integer >= 0", Tuples: "an action is no integer >= 0",
    Halves: "an action is no integer >= 0",
}  # fmt: skip
NATIVE = (NoNumber, Endless, Seventh, Negative)


def assert_refused(kind, words, **options):
    with pytest.raises(BrokenContract, match=words) as refused:
        zermelo.search(kind(), limit=Limit(depth=6), **options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_refused_in_plain_python(kind):
    assert_refused(kind, BROKEN[kind], device="python")
    assert_refused(kind, BROKEN[kind], device="python", table=False, glances=False, deepening=False)


@pytest.mark.parametrize("kind", NATIVE, ids=lambda kind: kind.__name__)
def test_refused_in_native_code(kind):
    assert_refused(kind, BROKEN[kind], device="cpu")


def test_a_player_who_is_none_is_refused_at_a_leaf_too():
    with pytest.raises(BrokenContract, match="to_move names nobody who plays"):
        zermelo.search(Seventh(), limit=Limit(depth=2), device="python")


def test_a_state_that_is_over_with_no_number():
    for kind in (NoNumber, Nothing, Huge):
        with pytest.raises(BrokenContract, match="no finite number"):
            zermelo.search(kind(), Sound.State(4, 0), device="python")


def test_an_estimate_too_large_for_a_float():
    with pytest.raises(BadParameter, match="evaluate must return a finite number"):
        zermelo.search(Sound(), evaluate=lambda s: 10**400, limit=Limit(depth=1), device="python")


class LeftAlone(Sound):
    """Player 1 moves last, and at the end nobody is to move: the sign of the value does not hang on who that is."""

    def to_move(self, s):
        return -1 if s.n >= 4 else s.player

    def utility(self, s, player):
        return 1.0 if (s.n % 3 == 1) == (player == 0) else -1.0


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_who_is_to_move_at_an_end_does_not_matter(device):
    found = zermelo.search(LeftAlone(), device=device, limit=Limit(depth=9))
    assert (found.value, found.bound) == (zermelo.minimax(LeftAlone(), device="python").value, "exact")
