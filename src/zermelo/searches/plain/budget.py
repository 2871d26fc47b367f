"""What the searches of one call may take together, and how they say that it is spent."""

from collections.abc import Callable
from typing import Any

from zermelo.arguments import as_word
from zermelo.result import Limit
from zermelo.running.thinking import Thinking
from zermelo.searches.limits import NEVER, thinking_time


class Spent(Exception):
    """A limit of time or nodes ended a search that was not finished, after so many nodes."""

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self.nodes = nodes


class Budget:
    """What searches may take together: nodes, and time from now on. Loading or compiling native code takes none."""

    def __init__(self, limit: Limit) -> None:
        self.limit, self.thinking = limit, Thinking()
        self.nodes, self.seen = as_word(limit.nodes, NEVER), 0
        self.ready = {"python"} if self.is_limited else {"python", "cpu", "cuda"}

    @property
    def is_limited(self) -> bool:
        """Whether time or nodes can run out."""
        return self.limit.time is not None or self.nodes < NEVER

    @property
    def deadline(self) -> int:
        """When time runs out, on the clock of `now`."""
        return NEVER if self.limit.time is None else self.thinking.since + thinking_time(self.limit.time)

    @property
    def spent(self) -> float:
        """Seconds of thinking so far."""
        return self.thinking.seconds

    @property
    def compile_seconds(self) -> float:
        """Seconds that compilers have worked for these searches."""
        return self.thinking.compile_seconds

    def load(self, device: str, work: Callable[[], Any]) -> None:
        """Let `work` bring in native code, unless that is there: a kernel that runs knows its deadline already."""
        if device not in self.ready:
            work()
            self.ready.add(device)
