"""Programs that speak UCI, as players."""

import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.clock import Clock
from zermelo.play.course import Path
from zermelo.play.method_players import Note
from zermelo.play.players import ILLEGAL, RESIGNED, PlayerFailed
from zermelo.protocols.process import PATIENCE, TO_START, TO_STOP, ProgramPlayer, allowed, spelled, understood

HINT_AFTER = 0.02
"""Seconds after its time at which a program is told to stop."""
MATE = 100_000
"""The score of a mate; one in n moves counts n less."""


class UciPlayer(ProgramPlayer):
    """A UCI program. Other games than chess are spoken about in the same way, in the names of their own moves."""

    protocol = "UCI"

    def greet(self) -> None:
        """Read the program's options and set those that were asked for."""
        self.known: dict[str, str] = {}
        self.send("uci")
        for line in self.lines_until(time.monotonic() + TO_START, "`uci` with `uciok`"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:]) or self.name
            elif words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                self.known[name.lower()] = name
            elif words[:1] == ["uciok"]:
                break
        for name, value in self.options.items():
            if name.lower() not in self.known:
                known = ", ".join(self.known.values()) or "none"
                raise BadParameter(f"{self.name} has no option {name!r}; its options are {known}")
            self.send(f"setoption name {self.known[name.lower()]} value {value}")
        self.wait()

    def wait(self) -> None:
        """Wait until the program is ready."""
        self.send("isready")
        for line in self.lines_until(time.monotonic() + TO_START, "`isready` with `readyok`"):
            if line.split()[:1] == ["readyok"]:
                return

    def begin(self, game: Game, seed: str) -> None:
        """Get ready for a new game."""
        self.process.drain()
        self.send("ucinewgame")
        self.wait()

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The program's move."""
        began = time.monotonic()
        own = self.own(clock)
        self.process.drain()
        self.note = None
        self.send(position(game, Path.of(game, history, state), state), go(own, game.to_move(state)))
        return understood(game, state, self.best_move(began, allowed(own, clock)), self.name)

    def best_move(self, began: float, seconds: float | None) -> str:
        """What the program answers; out of time it is told to stop."""
        last = began + (PATIENCE if seconds is None else seconds + TO_STOP)
        deadline = last if seconds is None else began + seconds + HINT_AFTER
        while True:
            line = self.process.read(deadline)
            if line is None:
                if deadline == last:
                    raise self.silent("`go` with `bestmove`")
                self.send("stop")
                deadline = last
                continue
            words = line.split()
            if words[:1] == ["info"]:
                self.note = note_of_info(words) or self.note
            elif words[:1] == ["bestmove"]:
                if words[1:2] == ["resign"]:
                    raise PlayerFailed(RESIGNED, f"{self.name} resigned ({line[:40]})")
                if words[1:2] in ([], ["(none)"], ["0000"]):
                    raise PlayerFailed(ILLEGAL, f"{self.name} knew no move ({line[:40]})")
                return words[1]


def position(game: Game, path: Path, state: Any) -> str:
    """The `position` command: where the game began, and the moves since."""
    start = path[0] if path else state
    where = "startpos" if start == game.initial() else f"fen {game.format_state(start)}"
    moves = [spelled(game, s, action) for s, action in zip(path, path.actions, strict=True)]
    return f"position {where}" + (f" moves {' '.join(moves)}" if moves else "")


def go(clock: Clock, mover: int) -> str:
    """The `go` command: player 0 is White."""
    words = ["go"]
    if clock.move is not None:
        words += ["movetime", milliseconds(clock.move)]
    elif clock.remaining is not None:
        times = clock.remaining, clock.remaining if clock.opponent is None else clock.opponent
        white, black = times if mover == 0 else times[::-1]
        step = milliseconds(clock.increment, 0)
        words += ["wtime", milliseconds(white), "btime", milliseconds(black), "winc", step, "binc", step]
        if clock.moves_left is not None:
            words += ["movestogo", str(clock.moves_left)]
    for name, value in (("nodes", clock.nodes), ("depth", clock.depth)):
        words += [name, str(value)] if value is not None else []
    return " ".join(words if len(words) > 1 else [*words, "movetime", "1000"])


def milliseconds(seconds: float, least: int = 1) -> str:
    """The time as UCI writes it."""
    return str(max(least, round(seconds * 1000)))


def note_of_info(words: list[str]) -> Note | None:
    """What an `info` line says about the program's choice."""
    found: dict[str, int] = {}
    for name, value in zip(words, words[1:], strict=False):
        if name in ("depth", "nodes", "cp", "mate"):
            try:
                found.setdefault(name, int(value))
            except ValueError:
                continue
        elif name in ("pv", "string"):
            break
    mate = found.get("mate")
    if mate is not None:
        found["cp"] = MATE - mate if mate > 0 else -MATE - mate
    if "cp" not in found:
        return None
    return Note(score=found["cp"], depth=found.get("depth"), nodes=found.get("nodes"), mate=mate)
