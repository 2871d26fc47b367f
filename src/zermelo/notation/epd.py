"""EPD, extended position description: a chess position and what is asked or known about it, on one line.

    r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "scholar";
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400

Operations end in a semicolon; those of perft suites begin with one, and both are read.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from zermelo.contract import Game
from zermelo.errors import BadState, ZermeloError
from zermelo.games.chess import Chess
from zermelo.notation import BadNotation

OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}")
OPERAND = re.compile(r"\s*(?:\"(?P<string>[^\"]*)\"|(?P<end>;)|(?P<word>[^\s;\"]+)|(?P<rest>\"))")
CLOCKS = {"hmvc": 4, "fmvn": 5}
MOVES = ("am", "bm", "pm", "pv", "sm")
"""The operations whose operands are moves."""
COUNT = re.compile(r"D(\d{1,2})")


@dataclass
class Position:
    """A position and its operations: each with its operands, as they were written."""

    game: Game
    state: Any
    operations: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """What the position is called."""
        return " ".join(self.operations.get("id", ()))

    def actions(self, opcode: str) -> tuple[int, ...]:
        """The moves that an operation names: `bm` the best ones, `am` those to avoid, `pv` a line of play."""
        s, found = self.state, []
        for name in self.operations.get(opcode, ()):
            found.append(self.game.parse_action(s, name))
            if opcode == "pv":
                s = self.game.result(s, found[-1])
        return tuple(found)

    @property
    def counts(self) -> dict[int, int]:
        """The counts of a perft suite by depth: D1, D2, ..."""
        found = {COUNT.fullmatch(opcode): operands for opcode, operands in self.operations.items()}
        return {int(match[1]): int(operands[0]) for match, operands in found.items() if match}

    def __str__(self) -> str:
        return write(self.game, self.state, self.operations)


def parse(line: str, *, game: Game | None = None) -> Position:
    """The position on a line; BadNotation or BadState where it cannot be read."""
    game = Chess() if game is None else game
    if not isinstance(line, str):
        raise BadNotation(f"EPD is a line of text, not {line!r}")
    found = re.match(r"\s*\S+\s+\S+\s+\S+\s+[^\s;]+(?:\s+\d+\s+\d+(?=[\s;]|$))?", line)
    if found is None:
        raise BadNotation(f"column 1: {line.strip()[:60]!r} has no four fields of a position")
    operations = dict(_operations(line, found.end()))
    fields = found[0].split()
    fields += ["0", "1"][len(fields) - 4 :]
    for opcode, place in CLOCKS.items():
        if opcode in operations:
            if len(operations[opcode]) != 1:
                raise BadNotation(f"{opcode}: wants one number, not {' '.join(operations[opcode])[:40]!r}")
            fields[place] = operations[opcode][0]
    position = Position(game, game.parse_state(" ".join(fields)), operations)
    _check(position)
    return position


def _operations(line: str, at: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each opcode with its operands."""
    words: list[str] = []
    opened = at
    while found := OPERAND.match(line, at):
        if found["rest"]:
            raise BadNotation(f"column {found.start('rest') + 1}: a string is never closed")
        if found["end"]:
            if words:
                yield words[0], tuple(words[1:])
            words = []
        else:
            if not words:
                opened = found.start(found.lastgroup or 0)
                if found["word"] is None or not OPCODE.fullmatch(found["word"]):
                    raise BadNotation(f"column {opened + 1}: {found[0].strip()[:40]!r} is no opcode such as bm or id")
            words.append(found["word"] if found["string"] is None else found["string"])
        at = found.end()
    if words:
        yield words[0], tuple(words[1:])


def _check(position: Position) -> None:
    """Moves must be legal and counts be numbers."""
    for opcode, operands in position.operations.items():
        if opcode in MOVES:
            try:
                position.actions(opcode)
            except ZermeloError as error:
                raise BadNotation(f"{opcode}: {error}") from None
        elif COUNT.fullmatch(opcode) and not (len(operands) == 1 and re.fullmatch(r"[0-9]{1,18}", operands[0])):
            raise BadNotation(f"{opcode}: wants one number, not {' '.join(operands)[:40]!r}")


def read(source: str | Path | IO[str] | Iterable[str], *, game: Game | None = None) -> Iterator[Position]:
    """The positions of a file, or of the lines of a text; blank lines and those that begin with # are left out."""
    if isinstance(source, Path):
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise BadNotation(f"{source}: cannot be read ({error.strerror})") from None
        source = text
    for number, line in enumerate(source.split("\n") if isinstance(source, str) else source, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield parse(line, game=game)
        except (BadNotation, BadState) as error:
            raise type(error)(f"line {number}: {error}") from None


def write(game: Game, state: Any, operations: dict[str, tuple[str, ...]] | None = None) -> str:
    """The position and its operations on one line, strings in quotation marks where they need them."""
    fields = game.format_state(state).split()
    said = {"hmvc": (fields[4],), "fmvn": (fields[5],)} if fields[4:] != ["0", "1"] else {}
    parts = [" ".join(fields[:4])]
    for opcode, operands in {**(operations or {}), **said}.items():
        if not OPCODE.fullmatch(opcode):
            raise BadNotation(f"{opcode!r} is no opcode: letters, digits and _ only")
        parts.append(" ".join([opcode, *(_operand(opcode, text) for text in operands)]) + ";")
    return " ".join(parts)


def _operand(opcode: str, text: str) -> str:
    plain = text.replace('"', "'")
    words = opcode in MOVES or re.fullmatch(r"[+-]?[0-9.]+", plain) is not None
    return plain if words and plain and not re.search(r"[\s;]", plain) else f'"{plain}"'
