"""What the searches of one call may take together, and how they say that it is spent."""

from collections.abc import Callable
from typing import Any

from zermelo.arguments import as_word
from zermelo.compile import now
from zermelo.result import Limit
from zermelo.searches.limits import NEVER, thinking_time


class Spent(Exception):
    """A limit of time or nodes ended a search that was not finished, after so many nodes."""

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self.nodes = nodes


class Budget:
    """What searches may take together: nodes, and time from now on. Loading or compiling native code takes none."""

    def __init__(self, limit: Limit) -> None:
        self.began, self.loading = now(), 0
        self.deadline = NEVER if limit.time is None else self.began + thinking_time(limit.time)
        self.nodes, self.seen = as_word(limit.nodes, NEVER), 0
        self.ready = {"python"} if self.is_limited else {"python", "cpu", "cuda"}

    @property
    def is_limited(self) -> bool:
        """Whether time or nodes can run out."""
        return self.deadline < NEVER or self.nodes < NEVER

    @property
    def spent(self) -> float:
        """Seconds of thinking so far."""
        return (now() - self.began - self.loading) / 1e9

    def load(self, device: str, work: Callable[[], Any]) -> None:
        """Let `work` bring in native code, unless that is there; the clock stands still meanwhile."""
        if device in self.ready:
            return
        started = now()
        try:
            work()
        finally:
            self.loading += now() - started
            self.deadline += now() - started
        self.ready.add(device)
