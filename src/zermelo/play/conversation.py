"""A game by question and answer: people are shown the board, type a move, and read what the others do."""

import sys
from collections.abc import Callable

from zermelo.draw.words.wording import abbreviated
from zermelo.errors import ZermeloError
from zermelo.play.table import Play

HELP = """\
type a move by its name, or
  moves  to see all legal moves
  hint   to see what a machine would do
  undo   to take your last move back
  quit   to end the game"""
COMMANDS = ("quit", "exit", "undo", "help", "moves", "hint")
Say = Callable[[str], None]
Ask = Callable[[str], str]
"""Shows a prompt and returns the line that was typed, as `input` does; EOFError where there are no more."""


def in_notebook() -> bool:
    """Whether the code runs in a kernel of Jupyter: a notebook, which draws what cells return."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class PlayerLeft(Exception):
    """The person has gone."""


def converse(play: Play, ask: Ask | None = None, say: Say = print) -> Play:
    """Play to the end, or until a person leaves."""
    ask = ask or input  # looked up now: notebooks and tests have an `input` of their own
    say(play.title + ("; `help` shows the commands" if play.humans else ""))
    try:
        play.advance(say)
        while not play.finished:
            player = play.game.to_move(play.state)
            say("")
            say(play.game.text(play.state, player))
            say(f"moves: {abbreviated(', '.join(play.legal), 200)}")
            while not _turn(play, ask, say):
                pass
            play.advance(say)
    except PlayerLeft:
        say("the game is left unfinished")
        return play
    say("")
    say(play.game.text(play.state, play.viewer))
    say(play.result)
    return play


def _turn(play: Play, ask: Ask, say: Say) -> bool:
    """Take one line that a person types; whether the game stands elsewhere after it."""
    try:
        word = ask(f"{play.who(play.game.to_move(play.state))} > ").strip()
    except EOFError:
        say("")
        raise PlayerLeft from None
    if not word:
        return False
    try:
        if word in COMMANDS and word not in play.legal:
            return _command(play, word, say)
        play.push(play.chosen(word))
        return True
    except ZermeloError as error:
        say(str(error))
        return False


def _command(play: Play, word: str, say: Say) -> bool:
    """Do what is asked for; whether the game stands elsewhere after it."""
    if word in ("quit", "exit"):
        raise PlayerLeft
    if word == "undo":
        play.undo()
        return True
    say(HELP if word == "help" else "  ".join(play.legal) if word == "moves" else f"hint: {play.hint()}")
    return False
