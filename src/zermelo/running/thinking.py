"""How long a call thinks, and how long compilers work for it: the two are told apart.

A time limit is one of thinking. Where a call waits for native code to be made or loaded, its clock stands still; what a
child process compiles beside it takes none of its time.
"""

import time

from zermelo.compile import aside, nanoseconds, now
from zermelo.compile.program import seconds_compiling


class Thinking:
    """The time of one call, from its beginning on."""

    def __init__(self) -> None:
        self.began, self._called = now(), time.monotonic()
        self._waited = self._waited_before = seconds_compiling()

    def restart(self) -> None:
        """Begin to think now; what was compiled until now stays counted."""
        self.began, self._waited = now(), seconds_compiling()

    @property
    def waited(self) -> float:
        """Seconds for which this thread has waited for native code."""
        return seconds_compiling() - self._waited

    @property
    def seconds(self) -> float:
        """Seconds of thinking so far."""
        return max(0.0, (now() - self.began) / 1e9 - self.waited)

    @property
    def since(self) -> int:
        """When it would have begun to think, on the clock of `now`, had it not waited."""
        return self.began + nanoseconds(self.waited)

    @property
    def compile_seconds(self) -> float:
        """Seconds that compilers have worked for it: those that it waited for, and those of child processes."""
        return seconds_compiling() - self._waited_before + aside.seconds_since(self._called)
