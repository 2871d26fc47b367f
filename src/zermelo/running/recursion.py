"""How deep walks go: as deep as the longest game, in plain Python too."""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MAX_PLY = 10_000
"""Moves from the first position to the deepest that is searched."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let plain Python recurse as deep as the longest game, and look for cycles less often: states have none.

    The limits belong to the whole process: the first search raises them and the last one sets them back.
    """
    with _searching:
        if not _before:
            _before.extend((sys.getrecursionlimit(), gc.get_threshold()))
            sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * MAX_PLY))
            gc.set_threshold(max(gc.get_threshold()[0], 100_000), *gc.get_threshold()[1:])
        _running.append(None)
    try:
        yield
    finally:
        with _searching:
            _running.pop()
            if not _running:
                sys.setrecursionlimit(_before[0])
                gc.set_threshold(*_before[1])
                _before.clear()


_searching = threading.Lock()
_running: list[None] = []
_before: list = []
