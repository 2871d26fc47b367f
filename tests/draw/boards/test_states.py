"""Any game's states show themselves: by the game's own picture, by its text, or by the fields of its State."""

from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from small_games import Subtraction

import zermelo
from zermelo import BadState, Game, games, u64
from zermelo.draw.boards.drawing import fields_svg
from zermelo.draw.boards.fields import fields_of, fields_text


class Board(Subtraction):
    """A game whose states have fields of all kinds."""

    rows: int = 3
    cols: int = 4

    class Hand(NamedTuple):
        coins: int
        cards: tuple[int, int, int]

    class State(NamedTuple):
        mine: u64
        cells: tuple[int, ...]
        hand: "Board.Hand"
        grid: tuple[tuple[int, ...], ...]
        player: int

    def initial(self):
        hand = self.Hand(5, (10, -2, 33))
        return self.State(u64(0b101000010001), (0, 1, 2) * 4, hand, ((0, 1, 2), (3, 4, 5)), 1)

    def is_terminal(self, s):
        return False


def texts(svg):
    """The words in a picture, in order."""
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_fields_stand_side_by_side_where_they_are_numbers():
    shown = Subtraction().show()
    assert shown.text() == repr(shown) == "left=7, player=0"
    assert texts(shown.svg()) == ["left", "7", "player", "0", "player 0 moves"]
    over = Subtraction().show(Subtraction.State(0, 1))
    assert texts(over.svg())[-1] == "the game is over"


def test_tuples_and_boards_are_grids_as_wide_as_the_game_says():
    shown = Board().show()
    assert repr(shown).splitlines() == [
        "mine",
        "  x . . .",
        "  x . . .",
        "  . x . x",
        "cells",
        "  0 1 2 0",
        "  1 2 0 1",
        "  2 0 1 2",
        "hand.coins=5, hand.cards=(10, -2, 33)",
        "grid",
        "  0 1 2",
        "  3 4 5",
        "player=1",
    ]
    drawn = shown.svg()
    assert drawn.count('class="cell"') == 12 + 12 + 1 + 3 + 6 + 1
    assert drawn.count("<circle") == 4
    assert "hand.cards" in texts(drawn)


def test_without_a_word_from_the_game_squares_are_squares():
    assert fields_text(fields_of((1,) * 9)) == "  1 1 1\n  1 1 1\n  1 1 1"
    assert fields_text(fields_of((1, 2, 3, 4))) == "(1, 2, 3, 4)"
    assert fields_text(fields_of(u64(1))).splitlines() == ["  x . . . . . . .", *["  . . . . . . . ."] * 7]
    assert [len(row) for row in fields_of((0,) * 40)[0].rows] == [16, 16, 8]
    assert fields_of((0,) * 5000)[0].rows == ()


@pytest.mark.parametrize("state", ["word", 7, (), ((1, 2), (3,)), (1, "two", None), ((), ())])
def test_states_may_be_anything(state):
    assert isinstance(fields_text(fields_of(state)), str)
    texts(fields_svg(fields_of(state)))


@pytest.mark.parametrize("name", sorted(games))
def test_all_games_show_themselves(name):
    game = zermelo.game(name)
    assert repr(game.show()) == game.text(game.initial())
    ElementTree.fromstring(game.show()._repr_svg_())
    html = game._repr_html_()
    if not isinstance(game, zermelo.Matrix):  # a table shows its payoffs
        assert "<svg" in html
        assert str(game.traits) in html


def test_what_a_game_draws_or_writes_itself_goes_first():
    toe, pig = zermelo.game("tic_tac_toe"), zermelo.game("pig")
    assert toe.show().svg() == toe.svg(toe.initial(), None)
    assert texts(pig.show().svg()) == [pig.text(pig.initial())]


def test_a_player_sees_what_the_game_shows_that_player():
    class Secret(Subtraction):
        class View(NamedTuple):
            seen: int

        def view(self, s, player):
            return self.View(s.left if player == 0 else -1)

    game = Secret()
    s = game.initial()
    assert repr(game.show(s, 1)) == "seen=-1"
    assert texts(game.show(s, 1).svg())[:2] == ["seen", "-1"]
    assert repr(game.show(s, 0)) == "seen=7"


def test_another_games_state_is_refused():
    with pytest.raises(BadState, match=r"wants a Subtraction\.State"):
        Subtraction().show(zermelo.game("tic_tac_toe").initial())


def test_a_game_that_is_half_written_still_has_a_name():
    class Begun(Game):
        def initial(self):
            raise NotImplementedError

        def to_move(self, s):
            return 0

        def actions(self, s):
            yield 0

        def result(self, s, action):
            return s

        def utility(self, s, player):
            return 0

    assert Begun()._repr_html_() is None
    assert repr(Begun()) == "Begun()"


def test_text_is_escaped():
    class Sign(Subtraction):
        def text(self, s, player=None):
            return "a < b & c"

    assert texts(Sign().show().svg()) == ["a < b & c"]


def test_completion_offers_what_answers():
    bare = dir(Subtraction())
    assert {"initial", "actions", "play", "show", "n", "text", "parse_action"} <= set(bare)
    hooks = {
        "probability",
        "view",
        "evaluate",
        "svg",
        "solver",
        "noted_score",
        "notes_words",
        "symmetry_count",
        "names",
    }
    assert not hooks & set(bare)
    empty = {name for name in bare if not name.startswith("_") and getattr(Subtraction(), name) is None}
    assert empty == {"bounds", "repetition", "utility_sum"}
    poker = zermelo.game("kuhn_poker")
    assert {"probability", "view", "svg"} <= set(dir(poker))
    assert "view" not in dir(zermelo.opened(poker))
    assert {"symmetry_count", "transform", "sampling"} <= set(dir(zermelo.game("tic_tac_toe")))
