"""Moves that people write are accepted wherever actions are: `game.play(s, "b2")`."""

from typing import NamedTuple

import pytest
from small_games import Subtraction

import zermelo
from zermelo import Game, IllegalAction


class Pawns(Game):
    """A piece walks along named squares; who moves it to the last one wins."""

    class State(NamedTuple):
        square: int
        player: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield 17
        yield 18

    def result(self, s, action):
        return self.State(s.square + action - 16, 1 - s.player)

    def is_terminal(self, s):
        return s.square > 3

    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0

    def format_action(self, s, action):
        return f"a{s.square}-A{s.square + action - 16}"


def test_text_and_numbers_name_the_same_move():
    game = Pawns()
    s = game.initial()
    assert game.play(s, "a0-A1", 18) == game.play(s, 17, 18) == game.play(s, 17, "a1-A3")


def test_capitals_and_spaces_need_not_be_right():
    game = Pawns()
    assert game.play(game.initial(), " A0 - a2 ") == game.play(game.initial(), 18)


class Cases(Pawns):
    """Two names that differ in capitals alone."""

    def format_action(self, s, action):
        return "b" if action == 17 else "B"


def test_capitals_that_tell_two_moves_apart_count():
    game = Cases()
    assert game.parse_action(game.initial(), "B") == 18
    assert game.parse_action(game.initial(), "b") == 17


def test_what_is_not_legal_is_named_as_it_was_given():
    game = Pawns()
    with pytest.raises(IllegalAction, match=r"'a2-a3' is not legal here; legal: a0-A1, a0-A2$"):
        game.play(game.initial(), "a2-a3")
    with pytest.raises(IllegalAction, match=r"16 is not legal in pawns here; legal: 17 \(a0-A1\), 18 \(a0-A2\)$"):
        game.play(game.initial(), 16)
    with pytest.raises(IllegalAction, match=r"9 is not legal in subtraction here; legal: 1, 2$"):
        Subtraction().play(Subtraction().initial(), 9)
    with pytest.raises(IllegalAction, match="'a4-A5' is not legal in pawns here; the game is over"):
        game.play(game.State(4, 0), "a4-A5")


class Confused(Pawns):
    """What it reads is no legal action."""

    def parse_action(self, s, text):
        return 99


def test_what_a_game_reads_is_checked_too():
    with pytest.raises(IllegalAction, match="99 is not legal"):
        Confused().play(Confused().initial(), "a0-A1")


def test_notations_of_the_package_are_read():
    chess = zermelo.game("chess")
    board = chess.format_state(chess.play(chess.initial(), "e4", "e7e5", "Nf3")).split()[0]
    assert board == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
