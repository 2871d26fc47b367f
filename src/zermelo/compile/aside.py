"""Native code made aside: a child process compiles at low priority while plain Python goes on answering.

A child that is forked knows the game as this process knows it, also one that was typed into a notebook, and it has an
interpreter of its own, so that neither waits for the other. It outlives this process: code that a command did not wait
for is kept for the next one. Where processes cannot be forked safely (outside of Linux), code is made in place.
"""

import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress

from zermelo.compile.cache import Entry
from zermelo.errors import CompileError

PATIENT = 5
"""What the child adds to its nice value: beside a busy process on the same core it gets a third of the time."""
LONGEST = 900
"""Seconds after which a child is given up: it may wait for a lock that a thread held when it was forked."""
LOOK = 0.02
"""Seconds between two looks at whether a child is done."""


class Making:
    """One piece of native code that a child is making, or has made."""

    def __init__(self, name: str, make: Callable[[], Entry]) -> None:
        self.name, self.began = name, time.monotonic()
        self.found: Entry | None = None
        self.error = ""
        """Why the rules cannot be compiled; empty where they can, or where the child died of something else."""
        self.seconds = 0.0
        """Of processor time, what it took in the end."""
        self._door = threading.Lock()
        self._child: int | None = None
        with suppress(OSError):  # no room for a file, or for a process: as if the child had died
            self._answer = tempfile.TemporaryFile()  # noqa: SIM115 - until the child has answered
            self._child = _forked()
        if self._child == 0:
            _make(make, self._answer.fileno())

    @property
    def is_done(self) -> bool:
        """Whether the child has ended, in whatever way."""
        with self._door:
            if self._child is not None and _has_ended(self._child):
                self._child = None
                self._read()
            return self._child is None

    @property
    def waited(self) -> float:
        """Seconds since the child began."""
        return time.monotonic() - self.began

    @property
    def is_made(self) -> bool:
        """Whether the code is there."""
        return self.is_done and self.found is not None

    def wait(self) -> Entry | None:
        """The code, when it is there; None where the child died. Raises CompileError where rules cannot be compiled."""
        while not self.is_done:
            time.sleep(LOOK)
        if self.error:
            raise CompileError(self.error)
        return self.found

    def _read(self) -> None:
        with self._answer as answer, suppress(EOFError, pickle.UnpicklingError):
            answer.seek(0)
            # Our own child has written it, into a file that has no name.
            self.found, self.error, self.seconds = pickle.load(answer)


def is_possible() -> bool:
    """Whether code can be made aside here."""
    return sys.platform == "linux" and os.environ.get("ZERMELO_ASIDE") != "0"


def make(name: str, code: Callable[[], Entry]) -> Making:
    """Let a child make the code of this name, unless one is at it already."""
    for other in [other for other in _under_way.values() if other.is_done and other.found is None]:
        if not other.error:
            del _under_way[other.name]  # it died, of what may not come again
    if name not in _under_way:
        _under_way[name] = Making(name, code)
    return _under_way[name]


def under_way(name: str) -> Making | None:
    """The child that makes, or has made, the code of this name."""
    return _under_way.get(name)


def seconds_since(began: float) -> float:
    """Seconds that children have worked that began after this moment, by `time.monotonic`."""
    return sum(m.seconds if m.is_done else m.waited for m in [*_under_way.values()] if m.began >= began)


def unfinished() -> list[Making]:
    """What children are still making."""
    return [making for making in _under_way.values() if not making.is_done]


def _forked() -> int:
    with warnings.catch_warnings():
        # Python warns where other threads run: the child has this thread alone, and uses nothing that they held.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _has_ended(child: int) -> bool:
    try:
        return os.waitpid(child, os.WNOHANG)[0] == child
    except ChildProcessError:  # somebody else has waited for it
        return True


_under_way: dict[str, Making] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_under_way.clear)  # its parent's children are not its own


def _make(make: Callable[[], Entry], answer: int) -> None:
    """Be the child: make the code, hand it over and end."""
    try:
        _leave_the_parent(answer)
        gc.disable()
        found, error = None, ""
        try:
            found = make()
        except CompileError as failed:
            error = str(failed)
        used = resource.getrusage(resource.RUSAGE_SELF)
        with os.fdopen(answer, "wb") as file:
            pickle.dump((found, error, used.ru_utime + used.ru_stime), file)
    finally:
        os._exit(0)


def _leave_the_parent(answer: int) -> None:
    """Take nothing from the parent: neither its signals nor its files, whose other ends wait for them to be closed."""
    os.setsid()
    os.nice(PATIENT)
    with suppress(OSError), open("/proc/self/autogroup", "w") as group:
        group.write(str(PATIENT))  # Linux may share processors among sessions first, and this is one of its own now
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(LONGEST)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.closerange(3, answer)
    os.closerange(answer + 1, os.sysconf("SC_OPEN_MAX"))
