"""Clocks: how much time players have, who has used how much, and when a flag falls.

A time control is written `0.1` (seconds a move), `60+0.6` (seconds for the game, and more seconds for each move),
`40/60` (seconds for each 40 moves) or `none`; `depth=6` and `nodes=10000` limit each search. Commas join such parts.
Time is wall time, measured by the referee around each call of a player.
"""

import math
import re
from dataclasses import dataclass

from zermelo.errors import BadParameter
from zermelo.result import Limit

NUMBER = r"\d+(?:\.\d*)?|\.\d+"
PER_MOVE = re.compile(rf"(?P<move>{NUMBER})s?")
PER_GAME = re.compile(rf"(?:(?P<moves>\d+)/)?(?P<base>{NUMBER})(?:\+(?P<increment>{NUMBER}))?s?")
MARGIN = 0.05
"""Seconds that a player may be late, since the message takes time as well."""
USUAL_MOVES = 25
"""Over how many moves a player divides its time, where the time control names no number."""
HARD = 3.0
"""How many fair shares one difficult move may take."""
LEAST = 0.001


@dataclass(frozen=True)
class Control:
    """A time control; a field that is None limits nothing."""

    move: float | None = None
    """Seconds for each move."""
    base: float | None = None
    """Seconds for the game, or for each period of `moves` moves."""
    increment: float = 0.0
    moves: int | None = None
    nodes: int | None = None
    depth: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Control":
        """The time control that the text names.

        >>> Control.parse("40/60+0.5,depth=8")
        Control(move=None, base=60.0, increment=0.5, moves=40, nodes=None, depth=8)
        """
        found: dict[str, float | int] = {}
        for part in text.replace(" ", "").split(","):
            found |= cls._part(part, text)
        if "move" in found and "base" in found:
            raise BadParameter(f"clock: {text!r} limits the move and the game; choose one")
        return cls(**found)  # type: ignore[arg-type]

    @staticmethod
    def _part(part: str, text: str) -> dict[str, float | int]:
        name, equals, number = part.partition("=")
        if equals and name in ("nodes", "depth") and number.isdecimal() and int(number) > 0:
            return {name: int(number)}
        if part in ("", "none"):
            return {}
        written = PER_MOVE.fullmatch(part) or PER_GAME.fullmatch(part)
        if written is None:
            hint = "write seconds a move (0.1), a game (60+0.6), 40 moves (40/60), or depth=6, nodes=10000"
            raise BadParameter(f"clock: {part or text!r} is no time control; {hint}")
        given = {name: value for name, value in written.groupdict().items() if value is not None}
        read: dict[str, float | int] = {k: int(v) if k == "moves" else float(v) for k, v in given.items()}
        if not all(value > 0 and math.isfinite(value) for k, value in read.items() if k != "increment"):
            raise BadParameter(f"clock: {part!r} leaves no time to move")
        return read

    def __str__(self) -> str:
        parts = []
        if self.move is not None:
            parts.append(f"{self.move:g}")
        if self.base is not None:
            parts.append((f"{self.moves}/" if self.moves else "") + f"{self.base:g}+{self.increment:g}")
        parts += [f"{name}={value}" for name in ("nodes", "depth") if (value := getattr(self, name)) is not None]
        return ",".join(parts) or "none"

    @property
    def timed(self) -> bool:
        """Whether a flag can fall."""
        return self.move is not None or self.base is not None


@dataclass(frozen=True)
class Clock:
    """The clock as the player to move sees it; a field that is None limits nothing."""

    move: float | None = None
    """Seconds for this move."""
    remaining: float | None = None
    """Seconds that the player has left, and those of the other side."""
    opponent: float | None = None
    increment: float = 0.0
    moves_left: int | None = None
    """Moves until more time comes."""
    nodes: int | None = None
    depth: int | None = None

    @property
    def allowed(self) -> float | None:
        """Seconds after which the flag falls."""
        return self.move if self.move is not None else self.remaining

    def limit(self) -> Limit:
        """Limits with which a search keeps to this clock: a fair share of the time that is left."""
        return Limit(time=self.shares()[0], nodes=self.nodes, depth=self.depth)

    def shares(self) -> tuple[float | None, float | None]:
        """Seconds that a move should take, and the most that it may: the same where each move has its own time."""
        if self.move is not None or self.remaining is None:
            return self.move, self.move
        most = max(LEAST, self.remaining - MARGIN if self.moves_left == 1 else self.remaining / 2)
        share = self.remaining / (self.moves_left or USUAL_MOVES) + 0.75 * self.increment
        return min(share, most), min(HARD * share, most)


FREE = Clock()
"""The clock that limits nothing."""


class Clocks:
    """The two clocks of one game, kept by the referee."""

    def __init__(self, control: Control, margin: float = MARGIN) -> None:
        self.control, self.margin = control, margin
        self.remaining = [control.base, control.base]
        self.made = [0, 0]
        self.spent = [0.0, 0.0]

    def of(self, player: int) -> Clock:
        """The clock as the player sees it."""
        control = self.control
        moves_left = None if control.moves is None else control.moves - self.made[player] % control.moves
        return Clock(
            move=control.move,
            remaining=self.remaining[player],
            opponent=self.remaining[1 - player],
            increment=control.increment,
            moves_left=moves_left,
            nodes=control.nodes,
            depth=control.depth,
        )

    def spend(self, player: int, seconds: float) -> bool:
        """Note what a move took; whether it was in time."""
        control = self.control
        allowed = self.of(player).allowed
        self.spent[player] += seconds
        self.made[player] += 1
        if allowed is not None and seconds > allowed + self.margin:
            return False
        left = self.remaining[player]
        if left is not None and control.base is not None:
            left = max(0.0, left - seconds) + control.increment
            if control.moves is not None and self.made[player] % control.moves == 0:
                left += control.base
            self.remaining[player] = left
        return True
