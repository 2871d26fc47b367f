"""What kind of game it is: found out by play, or said by the game where play would take long."""

import time
from typing import NamedTuple

import pytest

import zermelo
from zermelo.traits import Survey, survey, total


class Walk(zermelo.Game):
    """Two players walk on, and the first to stop shares 3 with the other: 2 and 1."""

    length: int = 4

    class State(NamedTuple):
        step: int
        stopped: bool

    def initial(self):
        return self.State(0, False)

    def to_move(self, s):
        return s.step % 2

    def actions(self, s):
        yield 0
        if s.step < self.length:
            yield 1

    def result(self, s, action):
        return self.State(s.step + (action == 1), action == 0)

    def is_terminal(self, s):
        return s.stopped

    def utility(self, s, player):
        return 2.0 if player == s.step % 2 else 1.0


class Told(Walk):
    """The same, and it says what utilities sum to."""

    utility_sum = 3.0

    def result(self, s, action):
        raise AssertionError("nobody needs to play")


class Hidden(Walk):
    """The same, and nobody sees what the other does: that shows only in play."""

    utility_sum = 3.0

    def view(self, s, player):
        return player


class Changing(Walk):
    """The sum depends on when somebody stops."""

    def utility(self, s, player):
        return float(s.step)


def test_play_shows_the_sum():
    assert total(Walk()) == 3.0
    assert Walk().traits.zero_sum
    assert len(survey(Walk()).sums) == 64
    assert total(Changing()) is None
    assert not Changing().traits.zero_sum


def test_what_a_game_says_is_not_looked_for():
    game = Told()
    assert survey(game) == Survey((3.0,), False)
    assert total(game) == 3.0
    assert str(game.traits) == "2 players, deterministic, perfect information, turns, zero sum"
    assert game.draw_value == 1.5


def test_unseen_moves_show_in_play_alone():
    assert len(survey(Hidden()).sums) == 64
    assert total(Hidden()) == 3.0


@pytest.mark.parametrize("size", [9, 19])
def test_go_is_known_at_once(size, monkeypatch):
    go = zermelo.game("go", size=size)
    monkeypatch.setattr(type(go), "result", None)
    assert total(go) == 0.0
    assert go.traits.zero_sum


class Patient(zermelo.Game):
    """Take one of nine; each takes its time."""

    moves = 0
    """How many were made."""

    def initial(self):
        return 9, 0

    def to_move(self, s):
        return s[1]

    def actions(self, s):
        yield 1

    def result(self, s, action):
        time.sleep(0.01)
        type(self).moves += 1
        return s[0] - 1, 1 - s[1]

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, player):
        return 1.0 if player == s[1] else -1.0


class Endless(Patient):
    def is_terminal(self, s):
        return False


def test_slow_games_are_played_less_often():
    assert Patient().traits.zero_sum
    assert Patient.moves < 200
    assert not Endless().traits.zero_sum
    assert Endless.moves < 800
