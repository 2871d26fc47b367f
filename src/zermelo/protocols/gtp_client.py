"""Programs that speak GTP, as players. Player 0 is Black, as in Go."""

import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.clock import Clock
from zermelo.play.course import Path
from zermelo.play.players import CRASH, RESIGNED, PlayerFailed
from zermelo.protocols.process import PATIENCE, TO_START, TO_STOP, Program, allowed, spelled, understood

COLOURS = ("b", "w")


class GtpPlayer(Program):
    """A GTP program."""

    protocol = "GTP"

    def greet(self) -> None:
        """Ask for the program's name and for what it can do."""
        self.number = 0
        self.seen: Path | None = None
        """What the program knows of the game."""
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
        """Get ready for a new game."""
        self.process.drain()
        self.seen = None

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The program's move."""
        began = time.monotonic()
        own = self.own(clock)
        self.process.drain()
        path = Path.of(game, history, state)
        mover = COLOURS[game.to_move(state)]
        self.tell(game, path, state)
        self.set_clock(own, game.to_move(state))
        seconds = allowed(own, clock)
        patience = PATIENCE if seconds is None else began + seconds + TO_STOP - time.monotonic()
        answer = self.ask(f"genmove {mover}", patience)
        if answer.lower() == "resign":
            raise PlayerFailed(RESIGNED, f"{self.name} resigned")
        action = understood(game, state, answer, self.name)
        self.seen = Path([*path, state], [*path.actions, action])
        return action

    def tell(self, game: Game, path: Path, state: Any) -> None:
        """Tell the program what was played since it moved last, or all of it."""
        known = self.seen
        if known is None or known.actions != path.actions[: len(known.actions)] or known[:] != path[: len(known)]:
            if (path[0] if path else state) != game.initial():
                raise PlayerFailed(CRASH, f"{self.name} cannot be given a position: use openings written as moves")
            size = getattr(game, "size", None)
            if isinstance(size, int) and "boardsize" in self.commands:
                self.ask(f"boardsize {size}")
            self.ask("clear_board")
            komi = getattr(game, "komi", None)
            if komi is not None and "komi" in self.commands:
                self.ask(f"komi {komi:g}")
            told = 0
        else:
            told = len(known.actions)
        for s, action in list(zip(path, path.actions, strict=True))[told:]:
            self.ask(f"play {COLOURS[game.to_move(s)]} {spelled(game, s, action)}")

    def set_clock(self, clock: Clock, mover: int) -> None:
        """Tell the program the time, in whole seconds: GTP knows no others."""
        if clock.allowed is None or "time_settings" not in self.commands:
            return
        if clock.move is not None:
            self.ask(f"time_settings 0 {max(1, int(clock.move))} 1")
            return
        if self.seen is None:
            self.ask(f"time_settings {max(1, int(clock.remaining or 0))} 0 0")
        if "time_left" in self.commands:
            for player, left in ((mover, clock.remaining), (1 - mover, clock.opponent)):
                self.ask(f"time_left {COLOURS[player]} {max(1, int(left or 0))} 0")
