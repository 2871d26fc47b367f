"""Games from Python: by call, as in a notebook, and by question and answer, as on a terminal."""

import io
import json
import re
import sys
from html.parser import HTMLParser

import pytest
from small_games import Countdown, Push, Ring, Subtraction

import zermelo
from zermelo import BadParameter, BadState, IllegalAction
from zermelo.cli import main


def answering(monkeypatch, *lines):
    """Let `input` return these lines; what it was asked."""
    asked, left = [], list(lines)

    def typed(prompt=""):
        asked.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("builtins.input", typed)
    return asked


class Checked(HTMLParser):
    """Counts the elements of a page whose tags close in order, and keeps its ids and what refers to them."""

    def __init__(self, page):
        super().__init__()
        self.open, self.counts, self.ids, self.referred = [], {}, set(), set()
        self.feed(page)
        assert not self.open
        assert self.referred <= self.ids

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if self.open[-1:] == [tag]:
            self.open.pop()

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        known = dict(attributes)
        self.ids |= {known["id"]} if "id" in known else set()
        self.referred |= {known[name].lstrip("#") for name in ("for", "href") if name in known}
        if tag not in ("input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


# --- by call ---------------------------------------------------------------------------------------------------------


def test_a_game_is_played_by_calls():
    play = zermelo.play(Subtraction(n=4), opponent="alphabeta", ask=False)
    assert (play.state, play.legal, play.finished, play.utilities) == ((4, 0), ("1", "2"), False, None)
    assert play.move("1") is play
    assert play.actions[:1] == (1,)
    assert play.state.player == 0
    while not play.finished:
        play.move(1)
    assert play.states[0] == (4, 0)
    assert len(play.states) == len(play.actions) + 1 == len(play.moves) + 1
    assert play.utilities in ((1.0, -1.0), (-1.0, 1.0))
    assert play.legal == ()


def test_the_record_is_that_of_the_command(monkeypatch, capsys):
    play = zermelo.play(zermelo.game("pig:target=5"), players=("random", "random"), seed=5, ask=False)
    assert main(["play", "pig:target=5", "--players", "random,random", "--seed", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == play.to_json()


def test_you_may_sit_anywhere_and_machines_begin():
    play = zermelo.play(Subtraction(), players=("alphabeta", "human"), ask=False)
    assert len(play.actions) == 1
    assert play.news == [f"player 0: {play.actions[0]}"]
    assert (play.players, play.humans, play.viewer) == (("alphabeta", "human"), (1,), 1)
    assert zermelo.play(Subtraction(), players="random, human", ask=False).players == ("random", "human")


def test_functions_play_too():
    def greedy(game, state, history, clock):
        return max(game.actions(state))

    play = zermelo.play(Subtraction(n=5), opponent=greedy, ask=False).move(1)
    assert play.actions == (1, 2)
    assert play.players == ("human", "greedy")


def test_moves_are_taken_back_with_their_answers():
    play = zermelo.play(Subtraction(n=9), opponent="random", seed=3, ask=False)
    play.move(1).move(2).undo()
    assert (len(play.actions), play.state.player) == (2, 0)
    assert play.undo().actions == ()
    with pytest.raises(BadParameter, match="no move of yours to take back"):
        play.undo()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_move_without_an_answer_is_not_made(error):
    thinks = iter([error, None])

    def sleepy(game, state, history, clock):
        trouble = next(thinks)
        if trouble is not None:
            raise trouble
        return 1

    play = zermelo.play(Subtraction(), opponent=sleepy, ask=False)
    with pytest.raises(error):
        play.move(2)
    assert (play.actions, play.state) == ((), (7, 0))
    assert play.move(2).actions == (2, 1)


def test_the_end_may_be_taken_back():
    play = zermelo.play(Subtraction(n=1), ask=False).move(1)
    assert play.finished
    with pytest.raises(IllegalAction, match="over"):
        play.move(1)
    with pytest.raises(IllegalAction, match="over"):
        play.hint()
    assert play.undo().legal == ("1",)
    assert play.hint() == "1"


def test_two_people_at_one_table():
    play = zermelo.play(Subtraction(n=3), players=("human", "human"), ask=False)
    assert play.viewer == 0
    assert play.move(1).viewer == 1
    assert play.move(2).result == "result: player 0 -1, player 1 1; player 1 won"


def test_it_begins_where_it_is_told_to():
    game = Subtraction()
    assert zermelo.play(game, state=game.State(2, 1), opponent="alphabeta", ask=False).actions == (2,)
    with pytest.raises(BadState):
        zermelo.play(game, state=zermelo.game("tic_tac_toe").initial(), ask=False)


def test_what_is_forbidden_by_repetition_is_refused_by_name():
    class Strict(Ring):
        repetition = "forbidden"

        def format_action(self, s, action):
            return "back" if action == 0 else "forth"

    play = zermelo.play(Strict(), players=("human", "human"), ask=False).move("forth")
    assert play.legal == ("forth",)
    with pytest.raises(IllegalAction, match="'back' is forbidden: it repeats an earlier position"):
        play.move("back")
    with pytest.raises(IllegalAction, match=r"7 is not legal in strict here; legal: 0 \(back\), 1 \(forth\)"):
        play.move(7)


def test_games_without_an_end_are_left():
    with pytest.raises(IllegalAction, match="after 10,000 moves there is still no end"):
        zermelo.play(Push(), players=("random", "random"), ask=False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opponent": "nobody"}, "is no player"),
        ({"players": ("human",)}, "has 2 players, not 1"),
        ({"players": ("human", "random"), "opponent": "random"}, "not both"),
        ({"time": 0}, "play: time must be a number > 0"),
        ({"depth": 0}, "play: depth must be an integer >= 1"),
        ({"seed": "x"}, "play: seed must be an integer"),
        ({"opponent": 7}, "is no player"),
    ],
)
def test_what_makes_no_sense_is_refused(given, message):
    with pytest.raises(BadParameter, match=message):
        zermelo.play(Subtraction(), ask=False, **given)


def test_what_is_no_game_is_refused():
    with pytest.raises(BadParameter, match="make an instance of it"):
        zermelo.play(Subtraction)
    with pytest.raises(BadParameter, match="no seat for an opponent"):
        zermelo.play(zermelo.game("trails"), opponent="random")


# --- hidden information ----------------------------------------------------------------------------------------------


def test_nothing_hidden_is_shown():
    play = zermelo.play(zermelo.game("kuhn_poker"), seed=3, ask=False)
    assert play.moves == ("Q", "J")
    assert play.news == ["chance: Q"]
    shown = repr(play) + play._repr_html_() + repr(play.replay()) + play.replay()._repr_html_()
    assert ">J<" not in shown
    assert "Q J" not in shown
    assert play.replay().moves == ("Q", "?")
    assert play.states[-1] == play.state


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_a_game_in_progress_shows_its_board_and_how_to_go_on():
    play = zermelo.play(Subtraction(n=5), opponent="random", ask=False).move("1")
    text, page = repr(play), play._repr_html_()
    assert text.splitlines()[0] == "subtraction: player 0 (you) is human, player 1 is random"
    assert text.splitlines()[1] == play.news[0]
    assert f"left={play.state.left}, player=0" in text
    assert "player 0 (you) moves: 1" in text
    assert '.move("1")'.replace('"', "&quot;") in page
    assert Checked(page).counts["svg"] == 1


def test_a_game_that_is_over_is_shown_again_move_by_move():
    play = zermelo.play(Subtraction(n=5), players=("random", "random"), seed=1, ask=False)
    page = play._repr_html_()
    counts = Checked(page).counts
    assert counts["input"] == len(play.states)
    assert page.count('class="frame') == len(play.states)
    assert page.count(" checked>") == 1
    assert play.result in page
    assert "script" not in counts
    again = set(re.findall(r'name="(\w+)"', play._repr_html_()))
    assert not again & set(re.findall(r'name="(\w+)"', page)), "two on one page would share their buttons"


def test_replays_write_pieces_once():
    chess = zermelo.game("chess")
    play = zermelo.play(chess, players=("human", "human"), ask=False).move("e4").move("e5").move("Nf3")
    page = play.replay().html()
    assert Checked(page).counts["use"] > 100
    assert len(page) < 2.5 * len(play.game.show(play.state).svg())
    assert "data-moves" not in page


def test_long_games_show_their_end():
    play = zermelo.play(Countdown(start=500), ask=False)
    for _ in range(500):
        play.move(1)
    page = play._repr_html_()
    assert page.count('class="frame') == 400
    assert "500 of 500" in page


def test_a_match_shows_its_players_and_a_game():
    result = zermelo.match(Subtraction(n=5), ["alphabeta", "random"], games=4, openings="none")
    page = result._repr_html_()
    assert Checked(page).counts["tr"] == 3
    assert "alphabeta" in page
    assert "games[0]: alphabeta v. random" in page
    second = result.replay(1)
    assert second.states[0] == (5, 0)
    assert len(second.states) == len(result.games[1].actions) + 1
    assert repr(second).startswith("games[1]: random v. alphabeta, ")
    with pytest.raises(BadParameter, match="replay: game must be an integer from 0 to 3"):
        result.replay(4)


def test_a_report_shows_its_verdict():
    fine = zermelo.check(Subtraction(), machines=False)
    assert ">fine<" in fine._repr_html_()
    broken = zermelo.Report(Subtraction(), problems=["a < b: keep it"], notes=["one", "two"])._repr_html_()
    assert ">broken<" in broken
    assert "a &lt; b" in broken
    assert Checked(broken).counts["li"] == 3


# --- by question and answer ------------------------------------------------------------------------------------------


def test_at_a_terminal_it_asks_until_the_end(monkeypatch, capsys):
    asked = answering(monkeypatch, "help", "", "9", "1", *["1"] * 9)
    play = zermelo.play(Subtraction(n=4), opponent="alphabeta")
    out = capsys.readouterr().out
    assert play.finished
    assert set(asked) == {"player 0 (you) > "}
    assert "to take your last move back" in out
    assert "'9' is not legal here; legal: 1, 2" in out
    assert out.endswith(f"{play.result}\n")


def test_it_says_what_the_command_says(monkeypatch, capsys):
    answering(monkeypatch, "b2", "undo", "a1", "hint", "quit")
    zermelo.play(zermelo.game("tic_tac_toe"), opponent="random")
    mine = capsys.readouterr().out

    monkeypatch.setattr("sys.stdin", io.StringIO("b2\nundo\na1\nhint\nquit\n"))
    assert main(["play", "tic_tac_toe", "--second", "random"]) == 0
    assert capsys.readouterr().out.replace("player 0 (you) > ", "") == mine


def test_who_leaves_gets_the_game_so_far(monkeypatch):
    answering(monkeypatch, "1")
    play = zermelo.play(Subtraction(n=30), opponent="random")
    assert not play.finished
    assert play.actions[0] == 1
    assert play.utilities is None


class Shell:
    """What IPython says of itself in a kernel, and in a terminal."""

    def __init__(self, kernel):
        self.kernel = kernel

    def get_ipython(self):
        return self


@pytest.mark.parametrize(("kernel", "asks"), [(object(), False), (None, True)])
def test_it_asks_in_terminals_alone(monkeypatch, kernel, asks):
    asked = answering(monkeypatch)
    monkeypatch.setitem(sys.modules, "IPython", Shell(kernel))
    play = zermelo.play(Subtraction())
    assert bool(asked) is asks
    assert not play.finished
    assert zermelo.play(Subtraction(), ask=True).actions == ()
    assert len(asked) == 1 + asks


# --- the name --------------------------------------------------------------------------------------------------------


def test_the_room_is_called_and_keeps_its_modules():
    assert callable(zermelo.play)
    assert zermelo.play.match.match is zermelo.match  # type: ignore[attr-defined]
    assert isinstance(zermelo.play(Subtraction(), ask=False), zermelo.Play)
