"""A game that was played, with what was said about it: moves, variations, comments, evaluations and clocks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

COMMAND = re.compile(r"\[%(?P<name>\w+)\s+(?P<value>[^\]]*)\]")
EVALUATION = re.compile(r"(?:#(?P<mate>[+-]?\d{1,4})|(?P<pawns>[+-]?(?:\d{1,6}(?:\.\d*)?|\.\d+)))(?:,\d+)?")
CLOCK = re.compile(r"(?:(?P<hours>\d{1,5}):)?(?P<minutes>\d{1,5}):(?P<seconds>\d{1,5}(?:\.\d*)?)")


class Evaluation(NamedTuple):
    """What a program thought of a position, from White's side: so many pawns, or a mate in so many moves.

    >>> str(Evaluation(0.34)), str(Evaluation(mate=-5))
    ('+0.34', '#-5')
    """

    pawns: float | None = None
    mate: int | None = None

    def __str__(self) -> str:
        return f"#{self.mate}" if self.mate is not None else f"{self.pawns or 0.0:+.2f}"


@dataclass
class GameNode:
    """A move and all that follows it; the first of `following` is the line that was played."""

    action: int | None = None
    comment: str = ""
    before: str = ""
    """A comment that stands before the move, as at the beginning of a variation."""
    nags: list[int] = field(default_factory=list)
    """Numeric annotation glyphs: 1 is a good move (!), 2 a mistake (?), and so on."""
    following: list["GameNode"] = field(default_factory=list)

    def add_comment(self, text: str) -> None:
        """Put a comment behind what has been said."""
        self.comment = f"{self.comment} {text}".strip()


@dataclass
class Record:
    """A game as a file keeps it. `errors` says what could not be read; the moves are those before it."""

    headers: dict[str, str]
    game: Any
    """The game that is played; None where the file names one that there is not."""
    start: Any
    root: GameNode = field(default_factory=GameNode)
    result: str = "*"
    errors: list[str] = field(default_factory=list)

    def main_line(self) -> Iterator[GameNode]:
        """The moves that were played."""
        node = self.root
        while node.following:
            node = node.following[0]
            yield node

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that were played."""
        return tuple(node.action for node in self.main_line() if node.action is not None)

    @property
    def comments(self) -> dict[int, str]:
        """Comments by the index of the action that they follow; -1 is the one before all moves."""
        found = {i: node.comment for i, node in enumerate(self.main_line()) if node.comment}
        return {-1: self.root.comment, **found} if self.root.comment else found

    @property
    def nags(self) -> dict[int, tuple[int, ...]]:
        """Annotation glyphs by the index of their action."""
        return {i: tuple(node.nags) for i, node in enumerate(self.main_line()) if node.nags}

    @property
    def evaluations(self) -> dict[int, Evaluation]:
        """What comments say with `[%eval ...]`, by the index of the action before."""
        found = {i: evaluation_in(text) for i, text in self.comments.items()}
        return {i: value for i, value in found.items() if value is not None}

    @property
    def clocks(self) -> dict[int, float]:
        """The seconds left that comments tell with `[%clk ...]`, by the index of the action before."""
        found = {i: clock_in(text) for i, text in self.comments.items()}
        return {i: value for i, value in found.items() if value is not None}

    def states(self) -> Iterator[Any]:
        """The states of the line that was played, the first one included."""
        s = self.start
        yield s
        for action in self.actions:
            s = self.game.result(s, action)
            yield s

    def __str__(self) -> str:
        from zermelo.notation.pgn import write_record

        return write_record(self)


def played_line(actions: Iterable[int], comments: Mapping[int, str]) -> GameNode:
    """The root of a game without variations; comments stand behind the action of their index, -1 before all."""
    root = node = GameNode(comment=comments.get(-1, ""))
    for index, action in enumerate(actions):
        following = GameNode(action, comments.get(index, ""))
        node.following.append(following)
        node = following
    return root


def commands(comment: str) -> dict[str, str]:
    """What a comment tells programs: `[%clk 0:10:00]` is {"clk": "0:10:00"}."""
    return {found["name"]: found["value"].strip() for found in COMMAND.finditer(comment)}


def without_commands(comment: str) -> str:
    """What a comment tells people."""
    return " ".join(COMMAND.sub(" ", comment).split())


def evaluation_in(comment: str) -> Evaluation | None:
    """The evaluation that a comment gives.

    >>> evaluation_in("[%eval #-5] lost"), evaluation_in("[%eval 0.34,20]")
    (Evaluation(pawns=None, mate=-5), Evaluation(pawns=0.34, mate=None))
    """
    found = EVALUATION.fullmatch(commands(comment).get("eval", ""))
    if found is None:
        return None
    return Evaluation(mate=int(found["mate"])) if found["mate"] else Evaluation(float(found["pawns"]))


def clock_in(comment: str) -> float | None:
    """The seconds left on the clock that a comment tells.

    >>> clock_in("[%clk 1:01:05.5]")
    3665.5
    """
    found = CLOCK.fullmatch(commands(comment).get("clk", ""))
    if found is None:
        return None
    return 3600 * int(found["hours"] or 0) + 60 * int(found["minutes"]) + float(found["seconds"])


def clock_text(seconds: float) -> str:
    """Seconds as clocks show them.

    >>> clock_text(3665.5), clock_text(9)
    ('1:01:05.5', '0:00:09')
    """
    tenths = max(0, round(10 * seconds))
    minutes, tenths = divmod(tenths, 600)
    return f"{minutes // 60}:{minutes % 60:02}:{tenths // 10:02}" + (f".{tenths % 10}" if tenths % 10 else "")
