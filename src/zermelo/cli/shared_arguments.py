"""What the verbs' arguments have in common: games, positions, numbers, and answers as JSON."""

import argparse
import json
import math
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from typing import Any, NoReturn

from zermelo import files
from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction
from zermelo.plain_data import as_plain

DEVICES = ("auto", "python", "cpu", "cuda")
SEPARATORS = " \t\n,;"


class Parser(argparse.ArgumentParser):
    """A verb's arguments; mistakes are raised as BadParameter."""

    def __init__(self, verb: str, about: str) -> None:
        super().__init__(prog=f"zermelo {verb}", description=about, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
        self.files: list[str] = []
        self.add_argument("--json", action="store_true", help="answer with one JSON document")

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise BadParameter(f"{message}; `{self.prog} --help` shows what it takes")

    def print_help(self, file: Any = None) -> None:
        """Print the help, and raise what printing raises."""
        print(self.format_help(), end="", file=file)

    def add_file(self, option: str, about: str) -> None:
        """An option that names a file which the verb writes."""
        self.files.append(self.add_argument(option, metavar="FILE", help=about).dest)

    def reporting(self, options: argparse.Namespace) -> AbstractContextManager[Any]:
        """What the verb prints goes to the error stream where one of its files is the standard output."""
        named = [name for name in (getattr(options, option) for option in self.files) if name is not None]
        taken = [name for name in named if files.is_output(name)]
        if taken and options.json:
            raise BadParameter(f"--json answers on the standard output, where {taken[0]!r} goes too: name a file")
        return redirect_stdout(sys.stderr) if taken else nullcontext()


def add_game(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    """GAME, or as many as `nargs` says."""
    about = "name:parameters, a file (mygame.py:MyGame, .efg, .nfg), or a tree in brackets"
    parser.add_argument("game", metavar="GAME", help=about, nargs=nargs)


def add_position(parser: argparse.ArgumentParser) -> None:
    """--position and --moves."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--position", metavar="TEXT", help="begin here, as the game writes its states")
    where.add_argument("--moves", metavar='"A B C"', help="begin after these moves")


def add_device(parser: argparse.ArgumentParser) -> None:
    """--device."""
    parser.add_argument("--device", choices=DEVICES, default="auto", help="the machine that it runs on")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """--seed."""
    kind = integer(-(1 << 63), (1 << 63) - 1)
    parser.add_argument("--seed", type=kind, default=0, metavar="S", help="where randomness begins (0)")


def integer(least: int, most: int) -> Callable[[str], int]:
    """Reads whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number from {least} to {most}")
        return number

    return read


def decimal(least: float, most: float, wanted: str, *, above: bool = False) -> Callable[[str], float]:
    """Reads numbers from `least`, or only above it, to `most`; mistakes are told as `'x' is no ...`, in these words."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most or (above and value == least):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is no {wanted}")
        return value

    return read


not_negative = decimal(0, 1e6, "number from 0 on")
seconds = decimal(0, 1e6, "number of seconds above 0", above=True)


# --- games -----------------------------------------------------------------------------------------------------------


def open_game(text: str, *, table: bool = False) -> Game:
    """The game that the argument names; with `table`, bare rows of numbers are a payoff table."""
    from zermelo import by_hand

    if by_hand.is_written(text):
        return by_hand.read(text, table=table)
    from zermelo.catalogue import game

    return game(text)


# --- positions -------------------------------------------------------------------------------------------------------


def open_position(game: Game, options: argparse.Namespace) -> tuple[Any, list[Any]]:
    """The state to begin at, and the states before it."""
    if options.position is not None:
        return game.parse_state(options.position), []
    return after_moves(game, options.moves or "")


def after_moves(game: Game, text: str) -> tuple[Any, list[Any]]:
    """The state after the moves in the text, and the states before it.

    Names may hold spaces. Other spellings that the game reads end at a comma, or where there is none at a space.
    """
    end_of_name = "[,;]" if re.search("[,;]", text) else r"\s"
    s, rest = game.initial(), text.strip(SEPARATORS)
    before: list[Any] = []
    while rest:
        if game.is_terminal(s):
            raise IllegalAction(f"--moves: the game is over before {rest[:40]!r}")
        names = {game.format_action(s, action): action for action in game.actions(s)}
        fits = [name for name in names if name and rest.startswith(name) and rest[len(name) :][:1] in ("", *SEPARATORS)]
        if fits:
            name = max(fits, key=len)
            action = names[name]
        else:
            name = re.split(end_of_name, rest, maxsplit=1)[0]
            try:
                action = game.parse_action(s, name)
            except IllegalAction as error:
                raise IllegalAction(f"--moves, move {len(before) + 1}: {error}") from None
        before.append(s)
        s, rest = game.result(s, action), rest[len(name) :].strip(SEPARATORS)
    return s, before


# --- answers ---------------------------------------------------------------------------------------------------------


def print_json(document: dict[str, Any]) -> None:
    """Print the one document."""
    print(json.dumps(as_plain(document), ensure_ascii=False, indent=2, allow_nan=False))


def unicode_output() -> bool:
    """Whether the output can show more than ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "▲→∞≤".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
