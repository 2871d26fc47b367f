"""What is known of a search while it runs: nodes so far, for whoever watches, and answers so far, for Ctrl-C."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from zermelo.result import Analysis

EVERY = 0.2
"""Seconds between two looks."""


class _Watcher:
    """Reads the counter of the search that is under way, and tells somebody."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self.tell = tell
        self.nodes: Callable[[], int] | None = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self.over.wait(EVERY):
            nodes = self.nodes
            if nodes is not None:
                self.tell(nodes())


_watcher: ContextVar[_Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(tell: Callable[[int], None]) -> Iterator[None]:
    """While a search runs inside, call `tell` with the nodes that it has seen so far, several times a second, from
    another thread."""
    watcher = _Watcher(tell)
    before = _watcher.set(watcher)
    watcher.thread.start()
    try:
        yield
    finally:
        watcher.over.set()
        watcher.thread.join()
        _watcher.reset(before)


@contextmanager
def watched(nodes: Callable[[], int]) -> Iterator[None]:
    """Let whoever watches know how to count the nodes of the kernel that works inside."""
    watcher = _watcher.get()
    if watcher is None:
        yield
        return
    watcher.nodes = nodes
    try:
        yield
    finally:
        watcher.nodes = None


@contextmanager
def known_when_interrupted(known: Callable[[], Analysis | None] = lambda: None) -> Iterator[None]:
    """Let a KeyboardInterrupt that ends what runs inside carry what was known by then, as its `answer`: None where that
    is nothing. What stands further inside knows better."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if not hasattr(interrupt, "answer"):
            found = None
            with suppress(Exception):  # what is wrong with a game does not matter to whoever stops it
                found = known()
            interrupt.answer = found  # type: ignore[attr-defined]
            if found is not None:
                interrupt.add_note(f"What was known so far is the `answer` of this interrupt: {found!r}")
        raise
