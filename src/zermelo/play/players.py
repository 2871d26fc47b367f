"""Players: anything that is called as `player(game, state, history, clock)` and returns an action.

`history` holds the states before the present one (a `Path`, which also has their `actions`), `clock` is a `Clock`. A
player may also have `begin(game, seed)`, called before each game; `ready(game, state, history, clock)`, called after it
with where the game begins, while no clock runs; `close()`; and `note`, what it thought of its last move. One place,
`entrant`, makes players from what people write:

    random                          any legal move
    search:time=0.1                 a method of this package and its limits: time, nodes, depth
    mcts:simulations=1000,c=1.0     ... simulations and time, where it samples
    ismcts:simulations=2000         ... likewise, where something is hidden; pimc:worlds=100
    alphabeta:depth=3,symmetry=True ... and its options
    auto                            the method that fits the game
    mybot.py, mybot.py:choose       a function in a file
    uci:stockfish,Hash=16,depth=8   a program, its options and its limits; likewise gtp: and cecp: (xboard)

`name=NAME` among the options gives a player another name.
"""

import difflib
import importlib.util
import inspect
import os
import random
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path as FilePath
from typing import Any

from zermelo.contract import Game
from zermelo.contract.parameters import parse_parameters
from zermelo.errors import BadParameter, UnsuitableGame, ZermeloError
from zermelo.play.clock import Clock
from zermelo.play.course import Course
from zermelo.play.method_players import DepthPlayer, EquilibriumPlayer, Guesser, SamplingPlayer, Searcher
from zermelo.searches import methods

CRASH, ILLEGAL, TIME, RESIGNED = "crash", "illegal move", "time", "resigned"
"""Ways in which a player ends its game."""
PROGRAMS = ("uci", "gtp", "cecp")
PROGRAM = re.compile(rf"(?P<protocol>{'|'.join(PROGRAMS)}):(?P<rest>.*)", re.DOTALL)
OWN_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?")


class PlayerFailed(ZermeloError):
    """A player that cannot go on; `kind` is one of CRASH, ILLEGAL, TIME, RESIGNED."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Random:
    """Plays any legal move, all with the same odds; the same seed gives the same moves."""

    def __init__(self, seed: str = "0") -> None:
        self.seed = seed

    def begin(self, game: Game, seed: str) -> None:
        """Begin a game with this seed."""
        self.seed = seed

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """A random action, drawn by the seed and the length of the history: taking moves back changes no other."""
        legal = Course(game, state, history).legal() if game.forbids_repetition else list(game.actions(state))
        return random.Random(f"{self.seed} {len(history)}").choice(legal)


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a name, and how to make the player, once for each game that runs at the same time."""

    name: str
    make: Callable[[Game, bool], Any]
    """Makes the player for a game; the second argument says whether it has to keep a clock."""
    text: str = ""
    """The text that names the player."""


def entrant(who: Any) -> Entrant:
    """The player that a text names, or a function of the caller's."""
    if isinstance(who, Entrant):
        return who
    if callable(who):
        return _function(who, getattr(who, "__name__", type(who).__name__))
    if not isinstance(who, str) or not who.strip():
        raise BadParameter(f"{who!r} is no player: give a text such as search:depth=4, or a function")
    text = who.strip()
    program = PROGRAM.fullmatch(text)
    if program:
        return _program(program["protocol"], program["rest"], text)
    own = OWN_FILE.fullmatch(text)
    if own:
        return _from_file(FilePath(own["path"]), own["name"], text)
    return _method(text)


def entrants(players: Sequence[Any]) -> list[Entrant]:
    """The players, each with a name of its own."""
    found = [entrant(who) for who in players]
    names: list[str] = []
    for one in found:
        again = sum(name == one.name or name.startswith(f"{one.name} #") for name in names)
        names.append(f"{one.name} #{again + 1}" if again else one.name)
    return [Entrant(name, one.make, one.text) for name, one in zip(names, found, strict=True)]


def kinds() -> list[str]:
    """The words with which the text of a player begins."""
    return ["random", "auto", *methods.names(), *(f"{name}:" for name in PROGRAMS)]


# --- methods ---------------------------------------------------------------------------------------------------------


def _method(text: str) -> Entrant:
    word, colon, written = text.partition(":")
    word = word.strip()
    if word not in kinds():
        close = difflib.get_close_matches(word, kinds(), n=1)
        hint = f"did you mean {close[0]}?" if close else f"players are {', '.join(kinds())}, or a file mybot.py"
        raise BadParameter(f"{word!r} is no player; {hint}")
    if colon and not written.strip():
        raise BadParameter(f"{text!r}: options belong after the colon, such as depth=4")
    options = parse_parameters(written)
    name = str(options.pop("name", text))
    if word in ("random", "sequence_form") and options:
        raise BadParameter(f"{word} has no option {next(iter(options))!r}")

    def make(game: Game, timed: bool) -> Any:
        method = word
        if method == "auto":
            try:
                method = methods.usual_method(game)
            except UnsuitableGame:
                method = "random"
        if method == "random":
            return Random()
        kind = methods.BY_NAME[method].kind
        if kind == methods.WHOLE:
            return EquilibriumPlayer(game)
        if kind == methods.ENGINE:
            return Searcher(game, **options)
        if kind == methods.SAMPLING:
            return SamplingPlayer(game, timed=timed, **options)
        if kind == methods.GUESSING:
            return Guesser(game, method, **options)
        return DepthPlayer(game, method, timed=timed, **options)

    return Entrant(name, make, text)


# --- functions -------------------------------------------------------------------------------------------------------


def _function(choose: Callable[..., Any], name: str, text: str = "") -> Entrant:
    """A player that is a function. All games at the same time share it."""
    try:
        inspect.signature(choose).bind(None, None, None, None)
    except (TypeError, ValueError):
        raise BadParameter(f"{name}: a player is called as player(game, state, history, clock)") from None
    return Entrant(name, lambda game, timed: choose, text)


def _from_file(path: FilePath, name: str | None, text: str) -> Entrant:
    """A function in a file: the one of this name, or the only public one that the file defines."""
    if not path.is_file():
        raise BadParameter(f"{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"zermelo_player_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))  # the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadParameter(f"{path}: loading it raised {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    own = {n: f for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__}
    public = [n for n in own if not n.startswith("_")]
    if name is None and len(public) != 1:
        found = f"several functions ({', '.join(public)})" if public else "no function"
        raise BadParameter(f"{path} defines {found}; write {path}:NAME for the player(game, state, history, clock)")
    wanted = name or public[0]
    if wanted not in own:
        raise BadParameter(f"{path} defines no function {wanted!r}")
    return _function(own[wanted], text, text)


# --- programs --------------------------------------------------------------------------------------------------------


def _program(protocol: str, rest: str, text: str) -> Entrant:
    """A program: its command, then options and limits, separated by commas."""
    try:
        lexer = shlex.shlex(rest, posix=True, punctuation_chars=",")
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = list(lexer)
    except ValueError as error:
        raise BadParameter(f"{text!r}: {error}") from None
    command: list[str] = []
    while words and set(words[0]) != {","}:
        command.append(words.pop(0))
    options = _options(" ".join(words), text)
    if not command:
        raise BadParameter(f"{text!r} names no program: write {protocol}:/path/of/program,Option=value")
    limits = _limits(options, text)
    shown = " ".join([os.path.basename(command[0]), *command[1:], *(f"{k}={v}" for k, v in options.items())])
    name = options.pop("name", shown)

    def make(game: Game, timed: bool) -> Any:
        return _client(protocol)(game, command, options, limits)

    return Entrant(name, make, text)


def _client(protocol: str) -> Any:
    """The class of players that speak this protocol."""
    if protocol == "uci":
        from zermelo.protocols.uci_client import UciPlayer

        return UciPlayer
    if protocol == "gtp":
        from zermelo.protocols.gtp_client import GtpPlayer

        return GtpPlayer
    from zermelo.protocols.cecp_client import CecpPlayer

    return CecpPlayer


def _options(written: str, text: str) -> dict[str, str]:
    """Options as programs know them: words, which may hold spaces."""
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in written.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise BadParameter(f"{text!r}: {part!r} is no option; write Name=value, separated by commas")
        options[name.strip()] = value.strip()
    return options


def _limits(options: dict[str, str], text: str) -> Clock:
    """The limits among the options, taken out of them."""
    found: dict[str, Any] = {}
    for name, field, kind in (("time", "move", float), ("nodes", "nodes", int), ("depth", "depth", int)):
        if name not in options:
            continue
        try:
            found[field] = kind(options.pop(name))
        except ValueError:
            found[field] = 0
        if not found[field] > 0:
            raise BadParameter(f"{text!r}: {name} must be a number above 0")
    assert found.keys() <= {field.name for field in fields(Clock)}
    return Clock(**found)
