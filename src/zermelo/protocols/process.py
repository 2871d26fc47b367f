"""Programs that play: started, spoken to line by line, and never left running.

A thread reads what the program writes, so that nobody waits on a pipe for longer than they want to. A program that
writes without end is held up by a full queue; one that does not read, hangs or dies is reported with its last words.
"""

import atexit
import contextlib
import os
import queue
import select
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter, ZermeloError
from zermelo.play.clock import FREE, Clock
from zermelo.play.method_players import Note
from zermelo.play.players import CRASH, ILLEGAL, TIME, PlayerFailed

MOST_LINES = 10_000
"""Lines that wait to be read; a program that writes more is held up."""
LONGEST_LINE = 1 << 20
TO_START = 60.0
"""Seconds that a program has to say who it is, and to get ready; zermelo itself compiles at its first start."""
TO_READ = 5.0
"""Seconds that a program has to read what it is sent."""
TO_LEAVE = 1.0
"""Seconds that a program has to end after it is asked to, and again after each signal."""
TO_STOP = 5.0
"""Seconds after its time that a program may still answer; then it is taken for hanging."""
PATIENCE = 600.0
"""Seconds for a move where there is no clock."""


class Process:
    """A running program and the lines that it writes."""

    def __init__(self, command: Sequence[str], *, terminal: bool = False) -> None:
        self.command = list(command)
        self.name = os.path.basename(self.command[0]) if self.command else ""
        if not self.command or shutil.which(self.command[0]) is None:
            program = self.command[0] if self.command else ""
            trouble = "that file cannot be executed" if os.path.isfile(program) else "there is no such program"
            raise BadParameter(f"{program!r}: {trouble}")
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self.errors: deque[str] = deque(maxlen=20)
        self.last = ""
        """What the program said last."""
        self.closed = False
        self.leaving = threading.Lock()
        self._start(terminal)
        _running.add(self)

    def _start(self, terminal: bool) -> None:
        # Some programs keep what they write until there is much of it, unless a terminal reads.
        output, far_end = _terminal() if terminal else (None, subprocess.PIPE)
        try:
            # Its own session: Ctrl-C on the terminal is ours to handle, and helpers of the program end with it.
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=far_end, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            if output is not None:
                os.close(output)
            raise BadParameter(f"{self.command[0]!r} cannot be started: {error.strerror or error}") from None
        finally:
            if output is not None:
                os.close(far_end)
        assert self.process.stdin is not None
        os.set_blocking(self.process.stdin.fileno(), False)
        out: Any = self.process.stdout if output is None else os.fdopen(output, "rb", buffering=0)
        self.readers = [
            threading.Thread(target=self._read, args=arguments, daemon=True)
            for arguments in ((out, self._keep), (self.process.stderr, self.errors.append))
        ]
        for reader in self.readers:
            reader.start()

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(self, stream: Any, keep: Any) -> None:
        """Read lines until the program ends."""
        rest = b""
        with contextlib.closing(stream):
            while True:
                try:
                    found = stream.read(1 << 16)
                except (OSError, ValueError):
                    found = b""  # the other end of a terminal is gone
                if not found:
                    break
                *lines, rest = (rest + found).split(b"\n")
                if len(rest) > LONGEST_LINE:
                    lines, rest = [*lines, rest], b""
                for line in lines:
                    keep(_text(line))
        if rest:
            keep(_text(rest))
        if keep == self._keep:
            keep(None)

    def _keep(self, line: str | None) -> None:
        while not self.closed:
            with contextlib.suppress(queue.Full):
                self.lines.put(line, timeout=0.2)
                return

    def read(self, deadline: float) -> str | None:
        """The next line that the program writes; None where it writes none before the deadline (time.monotonic)."""
        left = deadline - time.monotonic()
        if left < 0:
            return None  # even if a program that never stops writing has more lines ready
        try:
            line = self.lines.get(timeout=left)
        except queue.Empty:
            return None
        if line is None:
            self.lines.put(None)  # whoever reads next is told the same
            raise PlayerFailed(CRASH, self.obituary())
        self.last = line.strip() or self.last
        return line

    def drain(self) -> None:
        """Forget what the program has written so far."""
        for _ in range(self.lines.qsize()):
            with contextlib.suppress(queue.Empty):
                line = self.lines.get_nowait()
                if line is None:
                    self.lines.put(None)
                    raise PlayerFailed(CRASH, self.obituary())
                self.last = line.strip() or self.last

    # --- writing -----------------------------------------------------------------------------------------------------

    def send(self, line: str, seconds: float = TO_READ) -> None:
        """Write a line to the program."""
        assert self.process.stdin is not None
        rest, deadline = f"{line}\n".encode(), time.monotonic() + seconds
        with self._its_death():
            place = self.process.stdin.fileno()
            while rest:
                if not select.select([], [place], [], max(0.0, deadline - time.monotonic()))[1]:
                    raise PlayerFailed(TIME, f"{self.name} does not read what it is sent{self.last_words()}")
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(place, rest) :]

    @contextlib.contextmanager
    def _its_death(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            raise PlayerFailed(CRASH, self.obituary()) from None

    def obituary(self) -> str:
        """How the program ended, and what it said last."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.5)
            self.readers[1].join(0.5)
        code = self.process.returncode
        how = "has closed its output" if code is None else f"has ended (exit code {code})"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                how = f"was ended by {signal.Signals(-code).name}"
        return f"{self.name} {how}{self.last_words()}"

    def last_words(self) -> str:
        """What the program said last, for messages."""
        said = next((line.strip() for line in reversed(self.errors) if line.strip()), "") or self.last
        return f"; it said last: {said[:200]!r}" if said else " and said nothing"

    # --- the end -----------------------------------------------------------------------------------------------------

    def close(self, farewell: str = "quit") -> None:
        """Ask the program to end, then make it."""
        with self.leaving:
            if self.closed:
                return
            self.closed = True
            process = self.process
            if process.poll() is None:
                with contextlib.suppress(ZermeloError):
                    self.send(farewell, 0.1)
            with contextlib.suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]
            for how in (None, signal.SIGTERM, signal.SIGKILL):
                if how is not None:
                    self._signal(how)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(TO_LEAVE)
                    break
            self.end()
            _running.discard(self)

    def end(self) -> None:
        """End the program at once, and helpers that it has left behind."""
        self._signal(signal.SIGKILL)

    def _signal(self, how: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, how)


_running: "weakref.WeakSet[Process]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for process in list(_running):
        process.close()
        process.end()


def _terminal() -> tuple[int, int]:
    """Two ends of a terminal that changes nothing in what passes through it."""
    import pty
    import tty

    near, far = pty.openpty()
    tty.setraw(far)
    return near, far


def _text(line: bytes) -> str:
    return line[:LONGEST_LINE].decode("utf-8", "replace").rstrip("\r").replace("\0", "")


# --- players ---------------------------------------------------------------------------------------------------------


class ProgramPlayer:
    """A player that is a program: what the protocols have in common."""

    protocol = ""
    terminal = False

    def __init__(self, game: Game, command: Sequence[str], options: dict[str, str], limits: Clock) -> None:
        self.game, self.options, self.limits = game, options, limits
        self.note: Note | None = None
        self.process = Process(command, terminal=self.terminal)
        self.name = self.process.name
        try:
            self.greet()
        except PlayerFailed as error:
            self.close()
            raise BadParameter(f"{self.name} does not speak {self.protocol}: {error}") from None
        except BaseException:
            self.close()
            raise

    def greet(self) -> None:
        """Learn who the program is, and set its options."""

    def begin(self, game: Game, seed: str) -> None:
        """Get ready for a new game."""

    def close(self) -> None:
        """End the program."""
        self.process.close()

    def send(self, *lines: str) -> None:
        """Write lines to the program."""
        for line in lines:
            self.process.send(line)

    def lines_until(self, deadline: float, what: str) -> Iterator[str]:
        """The lines that the program writes; after the deadline an error that it did not answer `what`."""
        while True:
            line = self.process.read(deadline)
            if line is None:
                raise self.silent(what)
            yield line

    def silent(self, what: str) -> PlayerFailed:
        """The error that the program did not answer."""
        return PlayerFailed(TIME, f"{self.name} did not answer {what}{self.process.last_words()}")

    def own(self, clock: Clock) -> Clock:
        """The player's own limits, or the clock where it has none."""
        return clock if self.limits == FREE else self.limits


def allowed(*clocks: Clock) -> float | None:
    """The seconds after which the first of the flags falls."""
    return min((clock.allowed for clock in clocks if clock.allowed is not None), default=None)


def spelled(game: Game, s: Any, action: int) -> str:
    """The action as protocols write it: in chess e2e4, elsewhere its name, without spaces."""
    if game.format_uci is not None:
        return game.format_uci(s, action)
    return game.format_action(s, action).replace(" ", "_")


def understood(game: Game, s: Any, text: str, who: str) -> int:
    """The action that a program wrote."""
    if game.parse_uci is not None:
        with contextlib.suppress(ZermeloError):
            return game.parse_uci(s, text)
    else:
        names = {spelled(game, s, action): action for action in game.actions(s)}
        if text in names:
            return names[text]
    try:
        return game.parse_action(s, text)
    except ZermeloError:
        where = game.format_state(s)
        raise PlayerFailed(ILLEGAL, f"{who} played {text[:40]!r}, which is not legal in {where}") from None
