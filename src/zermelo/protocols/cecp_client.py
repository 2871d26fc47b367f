"""Programs that speak the protocol of xboard (CECP), as players.

The protocol has grown in many dialects. This client copes with them as follows: a program gets one command at a time,
where it can say `pong`; at first it is in `force` mode, hears what was played, then its time, then `go`, and later the
opponent's move is enough; its own move is read in any of the ways in which programs write it. `st` counts whole
seconds: for shorter moves, a program that listens while it thinks (`sigint=0`) is told to move (`?`) when its time is
up; one that does not has a clock with one move to go.
"""

import math
import re
import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.clock import Clock
from zermelo.play.course import Path
from zermelo.play.method_players import Note
from zermelo.play.players import CRASH, ILLEGAL, RESIGNED, PlayerFailed
from zermelo.protocols.process import PATIENCE, TO_START, TO_STOP, Process, ProgramPlayer, allowed, spelled, understood

FEATURE = re.compile(r'(\w+)=("[^"]*"|\S+)')
MOVE = re.compile(r"(?:move|my move is\s*:?)\s+(\S+)\s*", re.IGNORECASE)
CLAIM = re.compile(r"(1-0|0-1|1/2-1/2|\*)(?:\s.*)?")
THOUGHT = re.compile(r"\s*(\d+)[.+&]?\s+(-?\d+)\s+\d+\s+(\d+)(?:\s.*)?")
REFUSAL = re.compile(r"(?:illegal move|error)\b.*", re.IGNORECASE)
TO_TELL = 2.0
"""Seconds that a program has to begin with its features; old ones have none."""
STARTS = 3
"""How often a program that tells no features is started: some hang now and then when they begin."""
NUDGE = 0.2
"""Seconds after which a silent program gets a harmless command, and twice that after which the next: some answer one
command when another comes."""
RESERVE = 0.6
"""The share of its time that is announced to a program which cannot be told to move."""
EARLY = 0.005
"""Seconds before the end of its time at which a program is told to move; but not before it has begun."""
TO_BEGIN = 0.02
MATE, FARTHEST_MATE = 100_000, 1_000
USUAL = {"ping": "0", "setboard": "0", "usermove": "0", "time": "1", "reuse": "1", "sigint": "1", "colors": "1"}


class CecpPlayer(ProgramPlayer):
    """A program for xboard."""

    protocol = "CECP (xboard)"
    terminal = True

    def greet(self) -> None:
        """Read the program's features and set the options that were asked for."""
        self.features = dict(USUAL)
        self.choices: dict[str, str] = {}
        self.pings = 0
        self.seen: Path | None = None
        """What the program knows of the game."""
        self.fresh = True
        for start in range(STARTS):
            if start:
                self.restart()
            self.send("xboard", "protover 2")
            self.read_features()
            if self.features.keys() != USUAL.keys():
                break
        self.name = self.features.get("myname", self.name)
        for name, value in self.options.items():
            self.set_option(name, value)
        self.wait()

    def restart(self) -> None:
        """Start the program anew."""
        self.process.close()
        self.process = Process(self.process.command, terminal=self.terminal)

    def read_features(self) -> None:
        """Read until the program has said what it can do, or says nothing."""
        started = time.monotonic()
        nudge, nudges = started, 0
        while self.features.get("done") != "1":
            last = started + (TO_START if "done" in self.features else TO_TELL)
            nudge += NUDGE * 2**nudges
            line = self.process.read(min(last, nudge))
            if line is not None:
                nudge -= NUDGE * 2**nudges
                self.learn(line)
            elif time.monotonic() >= last:
                return
            else:
                self.send("easy")
                nudges += 1

    def learn(self, line: str) -> None:
        """Note the features that a line tells."""
        if not line.startswith("feature"):
            return
        for name, value in FEATURE.findall(line):
            value = value.strip('"')
            if name == "option":
                chosen = value.split(" -")[0].strip()
                self.choices[chosen.lower()] = chosen
            else:
                self.features[name] = value

    def set_option(self, name: str, value: str) -> None:
        """Set one of the program's options."""
        if name.lower() in ("memory", "cores") and self.features.get(name.lower()) == "1":
            self.send(f"{name.lower()} {value}")
        elif name.lower() in self.choices:
            self.send(f"option {self.choices[name.lower()]}={value}")
        else:
            own = [n for n in ("memory", "cores") if self.features.get(n) == "1"]
            known = ", ".join([*own, *self.choices.values()]) or "none"
            raise BadParameter(f"{self.name} has no option {name!r}; its options are {known}")

    def wait(self) -> None:
        """Wait until the program has done everything that it was told, where it can say so."""
        if self.features["ping"] != "1":
            return
        self.pings += 1
        self.send(f"ping {self.pings}")
        for line in self.lines_until(time.monotonic() + TO_START, "`ping`"):
            if line.split()[:2] == ["pong", str(self.pings)]:
                return
            self.learn(line)
            self.refuse(line)

    def command(self, *lines: str) -> None:
        """Send commands, each when the one before it is done."""
        for line in lines:
            self.send(line)
            self.wait()

    def refuse(self, line: str) -> None:
        """A program that cannot follow the game cannot play it."""
        if REFUSAL.fullmatch(line) and ("move" in line.lower() or "setboard" in line or "edit" in line):
            raise PlayerFailed(CRASH, f"{self.name} refuses what was played: {line[:100]!r}")

    def begin(self, game: Game, seed: str) -> None:
        """Get ready for a new game: a new process, where the program needs one."""
        if self.features["reuse"] == "0" and not self.fresh:
            self.restart()
            self.greet()
        self.process.drain()
        self.fresh = False
        self.seen = None

    # --- the moves ---------------------------------------------------------------------------------------------------

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The program's move."""
        began = time.monotonic()
        own = self.own(clock)
        if own.nodes is not None:
            raise PlayerFailed(CRASH, f"{self.name}: CECP programs know no limit of nodes")
        self.process.drain()
        self.note = None
        path = Path.of(game, history, state)
        fresh = self.news(path)
        moves = [self.written(game, s, action) for s, action in fresh]
        if self.seen is None or len(moves) != 1:
            self.retell(game, path, state, own, moves)
            moves = ["go"]
        hurry = self.set_clock(own)
        self.send(*moves)
        action = understood(game, state, self.answer(began, own, clock, hurry), self.name)
        self.seen = Path([*path, state], [*path.actions, action])
        return action

    def news(self, path: Path) -> list[tuple[Any, int]]:
        """What was played since the program moved last; all moves, where the program knows another game or none."""
        known = self.seen
        if known is not None:
            count = len(known)
            if known.actions != path.actions[:count] or known[:] != path[:count]:
                self.seen = known = None
        told = len(known) if known is not None else 0
        return list(zip(path, path.actions, strict=True))[told:]

    def written(self, game: Game, s: Any, action: int) -> str:
        """A move as the program reads it."""
        return ("usermove " if self.features["usermove"] == "1" else "") + spelled(game, s, action)

    def retell(self, game: Game, path: Path, state: Any, clock: Clock, moves: list[str]) -> None:
        """Tell the program what was played, from the beginning if it knows nothing."""
        if self.seen is None:
            self.command("new", "force", "easy", "post", *self.control(clock))
            start = path[0] if path else state
            if start != game.initial():
                if self.features["setboard"] != "1":
                    raise PlayerFailed(
                        CRASH, f"{self.name} cannot be given a position (no setboard): use openings written as moves"
                    )
                self.command(f"setboard {game.format_state(start)}")
        else:
            self.command("force")
        self.command(*moves)

    def control(self, clock: Clock) -> list[str]:
        """The commands that set the time control."""
        lines = [f"sd {clock.depth}"] if clock.depth is not None else []
        if clock.move is not None:
            if self.hurries(clock) or clock.move == int(clock.move):
                return [*lines, f"st {math.ceil(clock.move)}"]
            return [*lines, "level 1 0:01 0"]
        if clock.remaining is not None:
            minutes, seconds = divmod(max(1, round(clock.remaining)), 60)
            return [*lines, f"level {clock.moves_left or 0} {minutes}:{seconds:02} {clock.increment:g}"]
        return lines or ["st 1"]

    def hurries(self, clock: Clock) -> bool:
        """Whether the program is told to move when its time is up."""
        return clock.move is not None and self.features["sigint"] == "0"

    def set_clock(self, clock: Clock) -> float | None:
        """Tell the program the time; the seconds after which it is to be told to move, or None."""
        left = clock.remaining
        if clock.move is not None and not self.hurries(clock) and clock.move != int(clock.move):
            left = clock.move * RESERVE
        if left is not None and self.features["time"] == "1":
            other = left if clock.opponent is None else clock.opponent
            self.command(f"time {max(1, int(left * 100))}", f"otim {max(1, int(other * 100))}")
        return clock.move - EARLY if clock.move is not None and self.hurries(clock) else None

    def answer(self, began: float, own: Clock, clock: Clock, hurry: float | None) -> str:
        """The move that the program writes."""
        seconds = allowed(own, clock)
        last = began + (PATIENCE if seconds is None else seconds + TO_STOP)
        deadline = last if hurry is None else max(began + hurry, time.monotonic() + TO_BEGIN)
        while True:
            line = self.process.read(deadline)
            if line is None:
                if deadline == last:
                    raise self.silent("`go` with a move")
                self.send("?")
                deadline = last
                continue
            move, thought = MOVE.fullmatch(line), THOUGHT.fullmatch(line)
            if move is not None:
                return move[1]
            if thought is not None:
                self.note = note_of_thought(float(thought[2]), int(thought[1]), int(thought[3]))
            elif line.strip() == "resign" or line.startswith("tellics resign"):
                raise PlayerFailed(RESIGNED, f"{self.name} resigned")
            elif CLAIM.fullmatch(line):
                raise PlayerFailed(ILLEGAL, f"{self.name} does not move but claims {line[:60]!r}")
            else:
                self.refuse(line)


def note_of_thought(score: float, depth: int, nodes: int) -> Note:
    """What a line of thought says; the protocol writes a mate in n moves as n beyond `MATE`, or below it negated."""
    beyond = int(abs(score)) - MATE
    mate = (beyond if score > 0 else -beyond) if 0 < beyond < FARTHEST_MATE else None
    return Note(score=score, depth=depth, nodes=nodes, mate=mate)
