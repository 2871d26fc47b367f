"""Signals that come while something is compiled.

The handler of a signal runs in between whatever the main thread does. Raising in the middle of an import or of a
compiler leaves them half ready for the rest of the process, and a compiler takes any error for one of its own. So
handlers wait until the compiler comes to its next function; what they raise there is carried past it.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

_waiting: list[Callable[[], Any]] = []
"""The handlers whose signals have come."""
_compiling: list[int] = []
"""Not empty while the main thread is compiling."""


class Carried(BaseException):
    """An error that a handler raised, on its way to the caller of the compiler."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


@contextmanager
def passed_on() -> Iterator[None]:
    """Pass on what the handlers of signals raise while the compiler works inside, just as they raise it."""
    if _compiling or not _is_main():
        yield  # handlers run in the main thread alone
        return
    put_off: dict[int, _PutOff] = {}
    _compiling.append(1)
    try:
        for number in map(int, signal.valid_signals()):
            handler = signal.getsignal(number)
            if callable(handler):
                put_off[number] = _PutOff(handler)
                signal.signal(number, put_off[number])
        yield
        look()
    except Carried as carried:
        raise carried.error from None
    finally:
        _compiling.clear()
        for number, ours in put_off.items():
            # A handler that ran meanwhile may have put another in its place.
            before = ours.handler
            if signal.getsignal(number) is ours:
                signal.signal(number, before)
        for handle in _taken():
            handle()


def look() -> None:
    """Run the handlers that wait, at a place where the compiler can be left."""
    if not _compiling or not _is_main():
        return
    for handle in _taken():
        try:
            handle()
        except Exception as error:
            raise Carried(error) from None


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _taken() -> Iterator[Callable[[], Any]]:
    while _waiting:
        yield _waiting.pop(0)


class _PutOff:
    """A handler that only notes that its signal has come."""

    def __init__(self, handler: Callable[..., Any]) -> None:
        self.handler = handler

    def __call__(self, number: int, frame: Any) -> None:
        _waiting.append(partial(self.handler, number, frame))
