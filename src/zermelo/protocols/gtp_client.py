"""Programs that speak GTP, as players. Player 0 is Black, as in Go."""

import math
import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.clock import Clock
from zermelo.play.course import Path
from zermelo.play.players import CRASH, RESIGNED, PlayerFailed
from zermelo.protocols.process import PATIENCE, TO_START, TO_STOP, ProgramPlayer, allowed, spelled, understood

COLOURS = ("b", "w")
TO_SET_UP = 180.0
"""Seconds that a program has to get ready for a game before any clock runs: some compile, or load a network."""


class GtpPlayer(ProgramPlayer):
    """A GTP program."""

    protocol = "GTP"

    def greet(self) -> None:
        """Ask for the program's name and for what it can do."""
        self.number = 0
        self.seen: Path | None = None
        """What the program knows of the game: the states, up to the last one that was told, and the actions."""
        self.name = self.ask("name") or self.name
        self.commands = set(self.ask("list_commands").split())
        if self.options:
            known = "GTP has no options; put them into the command"
            raise BadParameter(f"{self.name} has no option {next(iter(self.options))!r}: {known}")

    def ask(self, command: str, seconds: float | None = None) -> str:
        """What the program answers to a command."""
        deadline = time.monotonic() + (TO_START if seconds is None else seconds)
        self.number += 1
        self.send(f"{self.number} {command}")
        said: list[str] = []
        for line in self.lines_until(deadline, f"`{command}`"):
            if said and not line.strip():
                break  # an answer ends with an empty line
            if said or line.split(" ")[0].strip() in (f"={self.number}", f"?{self.number}"):
                said.append(line)
        answer = " ".join(said)
        text = answer[len(str(self.number)) + 1 :].strip()
        if answer.startswith("?"):
            raise PlayerFailed(CRASH, f"{self.name} answers {command!r} with the error {text[:100]!r}")
        return text

    def begin(self, game: Game, seed: str) -> None:
        """Forget the game before."""
        self.process.drain()
        self.seen = None

    def ready(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> None:
        """Set the board, the rules and the time before a clock runs."""
        path = Path.of(game, history, state)
        self.tell(game, path, state, TO_SET_UP)
        self.set_clock(self.own(clock), TO_SET_UP)
        self.seen = Path([*path, state], path.actions)

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The program's move."""
        began = time.monotonic()
        own = self.own(clock)
        self.process.drain()
        path = Path.of(game, history, state)
        mover = game.to_move(state)
        if self.seen is None:
            self.ready(game, state, history, clock)
        else:
            self.tell(game, path, state)
        self.show_clock(own, mover)
        seconds = allowed(own, clock)
        patience = PATIENCE if seconds is None else began + seconds + TO_STOP - time.monotonic()
        answer = self.ask(f"genmove {COLOURS[mover]}", patience)
        if answer.lower() == "resign":
            raise PlayerFailed(RESIGNED, f"{self.name} resigned")
        action = understood(game, state, answer, self.name)
        self.seen = Path([*path, state], [*path.actions, action])
        return action

    def tell(self, game: Game, path: Path, state: Any, seconds: float | None = None) -> None:
        """Tell the program what was played since it moved last, or all of it."""
        known, states = self.seen, [*path, state]
        told = 0 if known is None else len(known.actions)
        if known is None or known.actions != path.actions[:told] or list(known) != states[: len(known)]:
            told = 0
            if states[0] != game.initial():
                raise PlayerFailed(CRASH, f"{self.name} cannot be given a position: use openings written as moves")
            size = game.parameters.get("size")
            if isinstance(size, int) and "boardsize" in self.commands:
                self.ask(f"boardsize {size}", seconds)
            self.ask("clear_board", seconds)
            komi = game.parameters.get("komi")
            if komi is not None and "komi" in self.commands:
                self.ask(f"komi {komi:g}", seconds)
        for s, action in list(zip(path, path.actions, strict=True))[told:]:
            self.ask(f"play {COLOURS[game.to_move(s)]} {spelled(game, s, action)}")

    def set_clock(self, clock: Clock, seconds: float | None = None) -> None:
        """Tell the program what the clocks are like, before the game."""
        if clock.allowed is not None and "time_settings" in self.commands:
            time_left, stones = whole_seconds(clock)
            self.ask(f"time_settings 0 {time_left} {stones}" if stones else f"time_settings {time_left} 0 0", seconds)

    def show_clock(self, clock: Clock, mover: int) -> None:
        """Tell the program what the clocks show, before its move."""
        if clock.allowed is None:
            return
        if "time_left" not in self.commands:
            self.set_clock(clock)
            return
        time_left, stones = whole_seconds(clock)
        self.ask(f"time_left {COLOURS[mover]} {time_left} {stones}")
        if clock.opponent is not None and not stones:
            self.ask(f"time_left {COLOURS[1 - mover]} {int(clock.opponent)} 0")


def whole_seconds(clock: Clock) -> tuple[int, int]:
    """The time of a clock in whole seconds, and for how many moves it is, 0 where it is for all: as GTP wants it.

    It is never more than there is: a short time for each move becomes one second for several.

    >>> whole_seconds(Clock(move=2.5)), whole_seconds(Clock(move=0.3)), whole_seconds(Clock(remaining=59.9))
    ((2, 1), (1, 4), (59, 0))
    """
    if clock.move is None:
        return int(clock.remaining or 0), clock.moves_left or 0
    return (int(clock.move), 1) if clock.move >= 1 else (1, math.ceil(1 / clock.move))
