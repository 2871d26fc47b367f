"""How long plain Python may take: kernels that run for too long turn back, as if somebody had stopped them.

It has so many seconds, or goes on until native code is there. Seconds are what this process spends on processors: on a
busy computer compiling takes longer as well, so that the choice of a machine is the same there. Under a limit of time
they are those of the clock on the wall, as the limit is.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zermelo.compile.aside import Making

TICK = 0.005
"""Seconds between two looks at what has run for too long; where nothing runs, nobody looks."""


class Patience:
    """Seconds that what runs inside may take in all: of processor time, unless another clock is given."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.process_time) -> None:
        self.clock = clock
        self.end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, none below 0."""
        return max(0.0, self.end - self.clock())

    @property
    def is_over(self) -> bool:
        """Whether plain Python has taken long enough."""
        return self.left == 0.0

    @contextmanager
    def ends(self, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` when time is up, from another thread, or at once where it is up already."""
        if self.is_over:
            end()
        number = _watch.begin(self, end)
        try:
            yield
        finally:
            _watch.call_off(number)


class UntilMade(Patience):
    """Patience that ends when native code is there, or when the child that was to make it has died: it lasts for ever
    where rules cannot be compiled."""

    def __init__(self, making: Making) -> None:
        super().__init__(math.inf)
        self.making = making

    @property
    def is_over(self) -> bool:
        return self.making.is_done and not self.making.error


@contextmanager
def patient(patience: Patience) -> Iterator[Patience]:
    """Let kernels of this thread take so long in plain Python."""
    before = current()
    _own.patience = patience
    try:
        yield patience
    finally:
        _own.patience = before


def current() -> Patience | None:
    """What this thread has been given; None where it may take as long as it needs."""
    return getattr(_own, "patience", None)


_own = threading.local()


class _Watch:
    """Calls functions when their time has come. One thread looks after all; it ends when there is nothing to watch."""

    def __init__(self) -> None:
        self.door = threading.Lock()
        self.due: dict[int, tuple[Patience, Callable[[], None]]] = {}
        self.alive = False
        self.number = 0

    def begin(self, patience: Patience, end: Callable[[], None]) -> int:
        """Call `end` when there is no patience left; a number to call it off by."""
        with self.door:
            self.number += 1
            self.due[self.number] = patience, end
            if not self.alive:
                threading.Thread(target=self._look, daemon=True).start()
                self.alive = True
            return self.number

    def call_off(self, number: int) -> None:
        """Do not call it any more; when this returns it does not run."""
        with self.door:
            self.due.pop(number, None)

    def _look(self) -> None:
        idle = 0
        try:
            while True:
                time.sleep(TICK)
                with self.door:
                    for number, (patience, end) in [*self.due.items()]:
                        if patience.is_over:
                            del self.due[number]
                            end()
                    idle = 0 if self.due else idle + 1
                    if idle > 100:
                        self.alive = False
                        return
        except BaseException:
            self.alive = False  # whoever comes next gets a thread of their own
            raise


_watch = _Watch()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch.__init__)  # type: ignore[misc]  # the thread is not there any more
