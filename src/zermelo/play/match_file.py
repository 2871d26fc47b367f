"""Records of games, and the file in which a match keeps them: one JSON document a line, first what the match is.

Lines are only ever added. A line that was cut off when the computer or the program stopped is left out, and the same
match goes on behind it.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from zermelo import files
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.plain_data import as_plain, frame

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = "zermelo match 1"
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
ENDS = {"resigned": "R", "time": "T", "crash": "F", "illegal move": "F"}
"""How a game was lost, as SGF writes it."""
LATER = {"utilities", "positions", "values", "times", "clocks"}
"""Fields that files from before them do not have; they can still be read."""


@dataclass(frozen=True)
class GameRecord:
    """One game of a match."""

    number: int
    seats: tuple[int, int]
    """Who moved first and second, by their places in the match."""
    points: float
    """What the first mover got: 1, 0.5 or 0."""
    end: str
    """How it ended: "rules", "repetition", "length", "adjudicated", or by what a player lost: "time", "crash", ..."""
    reason: str
    """How it ended, in words, where there is more to say than `end`."""
    start: str
    """The position that it began in; empty for the first state of the game."""
    given: int
    """How many of the actions were the opening."""
    actions: tuple[int, ...]
    moves: str
    """The actions as people write them."""
    comments: tuple[str, ...]
    """What the players said about their moves, opening left out."""
    seconds: tuple[float, float]
    """The seconds that each side used."""
    utilities: tuple[float, ...] = ()
    """What the rules gave to the first and to the second mover; nothing where something else ended the game."""
    positions: tuple[str, ...] = ()
    """The states as the game writes them: that before each action, and the last one."""
    values: tuple[float | None, ...] = ()
    """For each action the score that its mover saw, in the units of its search; None where nobody searched."""
    times: tuple[float, ...] = ()
    """The seconds that each action took; 0 for chance and the opening."""
    clocks: tuple[float | None, ...] = ()
    """The seconds that the mover of each action had left behind it; None where no clock runs down."""

    @property
    def move_names(self) -> tuple[str, ...]:
        """The actions as people write them, one by one."""
        names = self.moves.split(", " if ", " in self.moves else None) if len(self.actions) > 1 else [self.moves]
        return tuple(names if len(names) == len(self.actions) else map(str, self.actions))

    def states(self, game: Game) -> list[Any]:
        """The states of the game, played again: that before each action, and the last one."""
        found = [game.parse_state(self.start) if self.start else game.initial()]
        for action in self.actions:
            found.append(game.play(found[-1], action))
        return found

    def to_json(self) -> dict[str, Any]:
        """The game as plain data, as it is in the file of its match."""
        return as_plain(asdict(self))

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each move."""
        columns = ("move", "position", "action", "name", "value", "seconds", "clock")
        names = self.move_names
        return frame(
            columns,
            zip(range(len(names)), self.positions, self.actions, names, self.values, self.times, self.clocks),
        )

    def points_of(self, player: int) -> float:
        """What the player got, by its place in the match."""
        return self.points if self.seats[0] == player else 1 - self.points

    def pgn(self, game: Game, names: tuple[str, ...], headers: dict[str, str] | None = None) -> str:
        """The game in PGN."""
        from zermelo.notation import pgn

        first, second = (names[seat] for seat in self.seats)
        said = {"Event": f"{game.name} match", "Round": str(self.number + 1), "White": first, "Black": second}
        said |= {"Result": RESULTS[self.points], "Termination": self.reason or self.end, **(headers or {})}
        comments = {self.given + i: comment for i, comment in enumerate(self.comments) if comment}
        start = game.parse_state(self.start) if self.start else None
        return pgn.write(said, game, start, self.actions, comments)

    def sgf(self, game: Game, names: tuple[str, ...], headers: dict[str, str] | None = None) -> str:
        """The game in SGF."""
        from zermelo.notation import sgf

        first, second = (names[seat] for seat in self.seats)
        said = {"EV": f"{game.name} match", "RO": str(self.number + 1), "PB": first, "PW": second}
        said |= {"Result": RESULTS[self.points], **(headers or {})}
        if self.end in ENDS and self.points != 0.5:
            said["RE"] = f"{'B' if self.points else 'W'}+{ENDS[self.end]}"
        comments = {self.given + i: comment for i, comment in enumerate(self.comments) if comment}
        comments |= {-1: self.reason} if self.reason else {}
        start = game.parse_state(self.start) if self.start else None
        return sgf.write(said, game, start, self.actions, comments)


def record_from(document: Any) -> GameRecord:
    """The record that a line of the store holds."""
    wanted = {field.name for field in fields(GameRecord)}
    if not isinstance(document, dict) or document.keys() | LATER != wanted:
        raise ValueError("it is no record of a game")
    made: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in document.items()
    }
    record = GameRecord(**made)
    whole = [record.number, record.given, *record.seats, *record.actions]
    if record.points not in RESULTS or len(record.seats) != 2 or not all(type(n) is int and n >= 0 for n in whole):
        raise ValueError("its numbers make no sense")
    if any(len(column) not in (0, len(record.actions)) for column in (record.values, record.times, record.clocks)):
        raise ValueError("it does not say the same number of things of each move")
    return record


class MatchFile:
    """The file of a match, open for adding games to it."""

    def __init__(self, path: FilePath, about: dict[str, Any]) -> None:
        self.path = path
        self.file = files.open_to_add(path)
        try:
            self._lock()
            self.records = self._read(json.loads(json.dumps(about)))
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """Only one match writes to a file."""
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadParameter(f"store: another match is writing to {str(self.path)!r}") from None

    def _read(self, about: dict[str, Any]) -> dict[int, GameRecord]:
        """The games that are there, by number; a new file gets its first line."""
        self.file.seek(0)
        text = self.file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            self.file.truncate(len(whole))  # the line that was being written when it stopped
        lines = whole.splitlines()
        if not lines:
            self._write({"format": FORMAT, **about})
            return {}
        self._check_head(lines[0], about)
        records: dict[int, GameRecord] = {}
        for number, line in enumerate(lines[1:], 2):
            if not line.strip():
                continue
            try:
                record = record_from(json.loads(line))
            except (ValueError, TypeError) as error:
                what = "it is no JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else error
                raise BadParameter(f"store: {self.path}, line {number}: {what}; delete the line to go on") from None
            records.setdefault(record.number, record)
        return records

    def _check_head(self, line: bytes, about: dict[str, Any]) -> None:
        try:
            head = json.loads(line)
        except ValueError:
            head = None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadParameter(f"store: {str(self.path)!r} is no file of a match; choose another name")
        for name, value in about.items():
            if head.get(name) != value:
                raise BadParameter(
                    f"store: {str(self.path)!r} holds another match: its {name} is {_short(head.get(name))}, "
                    f"not {_short(value)}; choose another name"
                )

    def add(self, record: GameRecord) -> None:
        """Keep a game."""
        self.records[record.number] = record
        self._write(asdict(record))

    def _write(self, document: dict[str, Any]) -> None:
        with files.told(self.path):
            self.file.write(json.dumps(document).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())

    def close(self) -> None:
        """Close the file."""
        # Closing tries once more to write what could not be written; that error has been reported already.
        with contextlib.suppress(OSError):
            self.file.close()


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 80 else shown[:77] + "..."
