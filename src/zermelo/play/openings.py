"""Openings: where the games of a match begin. Both sides play each.

They are written `none` (the first state), `random:4` (so many random moves, different ones for each pair of games) or
as the name of a file: `.epd` and `.fen` hold a position a line, `.pgn` and `.sgf` games, any other file moves, an
opening a line. Those of a file come in an order that the seed shuffles, and again from the start if there are too few.
"""

import hashlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path as FilePath
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.errors import BadNotation, BadParameter, UnsuitableGame, ZermeloError
from zermelo.play.course import Course

USUAL = "random:2"
RANDOM = re.compile(r"random:(\d+)")
ATTEMPTS = 1_000
"""How often another random opening is tried, where one is known already or ends the game."""


@dataclass(frozen=True)
class Opening:
    """A state, or None for the first one, and the actions from there."""

    state: Any
    actions: tuple[int, ...] = ()

    def course(self, game: Game) -> Course:
        """The game after the opening."""
        course = Course(game, self.state)
        for action in self.actions:
            course.push(action)
        return course


class Openings:
    """The openings of a match, by number."""

    def __init__(self, game: Game, text: str | FilePath, seed: int) -> None:
        self.text = text = str(text)
        self.game = game
        found = RANDOM.fullmatch(text)
        self.plies = int(found[1]) if found else 0
        self.listed: list[Opening] = []
        self.drawn: list[Opening] = []
        self.known: set[Any] = set()
        self.exhausted = False
        """Whether new random openings have become hard to find: from then on openings may repeat."""
        self.source = random.Random(f"openings {seed}")
        if text == "none" or (found and not self.plies):
            self.listed = [Opening(None)]
        elif text.startswith("random:") and not found:
            raise BadParameter(f"openings: {text!r} says no number of random moves; write random:4")
        elif not found:
            self.listed = read_openings(game, FilePath(text))
            self.source.shuffle(self.listed)

    @property
    def signature(self) -> str:
        """What tells these openings from others: their text, and for a file what it holds."""
        if not self.listed or self.text == "none":
            return self.text
        held = hashlib.sha256(repr(sorted(map(repr, self.listed))).encode()).hexdigest()[:16]
        return f"{FilePath(self.text).name} {held}"

    def __getitem__(self, number: int) -> Opening:
        if self.listed:
            return self.listed[number % len(self.listed)]
        while len(self.drawn) <= number:
            self.drawn.append(self._draw())
        return self.drawn[number]

    def _draw(self) -> Opening:
        """A random opening: a new one while there are any."""
        opening = None
        for _ in range(ATTEMPTS):
            course = Course(self.game)
            for _ in range(self.plies):
                legal = course.moves()
                if not legal:
                    break
                rolls = self.game.to_move(course.state) == CHANCE
                course.push(course.rolled(self.source) if rolls else self.source.choice(legal))
            if len(course) < self.plies or course.is_over():
                continue
            opening = Opening(None, tuple(course.actions))
            if self.exhausted or course.state not in self.known:
                self.known.add(course.state)
                return opening
        if opening is None:
            raise BadParameter(f"openings: after {self.plies} random moves nothing of {self.game.name} is left to play")
        self.exhausted = True
        return opening


def read_openings(game: Game, path: FilePath) -> list[Opening]:
    """The openings in a file."""
    kind = path.suffix.lower()
    try:
        data = path.read_bytes()
        text = data.decode("utf-8", "replace" if kind == ".sgf" else "strict")  # SGF says itself how it is encoded
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise BadParameter(f"openings: {str(path)!r} cannot be read: {reason}") from None
    if kind in (".pgn", ".sgf"):
        found = _games(game, data if kind == ".sgf" else text, path)
    else:
        reader = _position if kind in (".epd", ".fen") else _moves
        lines = enumerate(map(str.strip, text.splitlines()), 1)
        found = [
            _checked(game, f"{path.name}, line {number}", partial(reader, game, line))
            for number, line in lines
            if line and not line.startswith("#")
        ]
    if not found:
        raise BadParameter(f"openings: {str(path)!r} holds none")
    return found


def _checked(game: Game, where: str, read: Callable[[], Opening]) -> Opening:
    """The opening, after which something must be left to play."""
    try:
        opening = read()
        over = opening.course(game).is_over()
    except ZermeloError as error:
        raise BadParameter(f"openings: {where}: {error}") from None
    if over:
        raise BadParameter(f"openings: {where}: the game is over there")
    return opening


def _position(game: Game, line: str) -> Opening:
    """A position: as the game writes it, or as EPD does, which has operations in the place of FEN's clocks."""
    fields = line.split(None, 4)
    if len(fields) >= 4 and not re.match(r"\d+\s+\d+\s*$", fields[4] if len(fields) > 4 else ""):
        operations = dict(re.findall(r"(hmvc|fmvn)\s+(\d+)\s*;", fields[4] if len(fields) > 4 else ""))
        line = " ".join([*fields[:4], operations.get("hmvc", "0"), operations.get("fmvn", "1")])
    return Opening(game.parse_state(line))


def _moves(game: Game, line: str) -> Opening:
    """Moves by name: separated by commas where there are any, else by spaces."""
    course = Course(game)
    for name in filter(None, (name.strip() for name in line.split("," if "," in line else None))):
        course.push(game.parse_action(course.state, name))
    return Opening(None, tuple(course.actions))


def _games(game: Game, given: str | bytes, path: FilePath) -> list[Opening]:
    """The games of a file in PGN or SGF, all of their moves: collections of openings hold nothing more."""
    if isinstance(given, bytes):
        from zermelo.notation import sgf

        records = sgf.read(given, game=game)
    else:
        from zermelo.notation import pgn

        records = pgn.read(given, game=game)
    found = []
    try:
        for number, record in enumerate(records, 1):
            where = f"{path.name}, game {number}"
            if record.errors:
                raise BadParameter(f"openings: {where}: {record.errors[0]}")
            state = None if record.start == game.initial() else record.start
            found.append(_checked(game, where, partial(Opening, state, record.actions)))
    except (BadNotation, UnsuitableGame) as error:
        raise BadParameter(f"openings: {path.name}: {error}") from None
    return found
