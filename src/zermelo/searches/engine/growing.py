"""An engine that answers at once: in plain Python until its native code is there, then natively.

Read `Grower.stream` from the top: a glance in plain Python, which often is enough; native code, where it was compiled
before; otherwise plain Python again while a child process compiles, and native code for the time that is left.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from zermelo.compile.aside import Making
from zermelo.compile.machine import is_native
from zermelo.compile.patience import Patience, UntilMade
from zermelo.contract import Game
from zermelo.errors import CompileError, DeviceError
from zermelo.result import Analysis, Limit
from zermelo.running.devices import from_kept_code, glance, tell_once
from zermelo.running.thinking import Thinking
from zermelo.searches.engine.engine import Engine


def may_grow(game: Game, device: str) -> bool:
    """Whether an engine for this game on this device can begin in plain Python and go on natively."""
    return device == "auto" and is_native(game) is None and not game._is_small


class Grower:
    """Searches positions of one game under limits of time, one after the other, as `Engine` does."""

    def __init__(self, game: Game, once: Limit | None = None, **options: Any) -> None:
        self.game, self.once, self.options = game, once, options
        self.plain = Engine(game, once=once, device="python", **options)
        self.native: Engine | None = None
        self.making: Making | None = None
        """The child process that compiles."""
        self.is_hopeless = False
        """Whether there will be no native code."""
        self.halted = False
        """Whether somebody has stopped the search."""

    def new_game(self) -> None:
        """Forget all positions."""
        for engine in (self.plain, self.native):
            if engine is not None:
                engine.new_game()

    def stop(self) -> None:
        """Let the search that is running end at once; what it has found so far is its answer."""
        self.halted = True
        for engine in (self.plain, self.native):
            if engine is not None:
                engine.stop()

    def search(self, state: Any, limit: Limit, **asked: Any) -> Analysis:
        """The best move found within the limit."""
        (last,) = self.stream(state, limit, every=False, **asked)
        return last

    def stream(
        self, state: Any, limit: Limit, *, every: bool = True, history: Sequence[Any] = (), **asked: Any
    ) -> Iterator[Analysis]:
        """An answer after every depth, each at least as deep as the one before; without `every` the last one alone."""
        self.halted = False
        best, thinking = Best(limit), Thinking()
        if self.making is not None and self.making.is_done and self.native is None and not self.is_hopeless:
            self._look_for_native_code()
        asked["history"] = history
        for engine, patience in self._stages(limit):
            left = best.left()
            try:
                for answer in engine.stream(state, left, since=thinking.since, patience=patience, **asked):
                    if best.improves(answer) and every:
                        yield best.answer
            except KeyboardInterrupt as interrupt:
                best.told_by(interrupt)
                raise
            best.nodes += sum(desk.nodes for desk in engine.desks)
            if not engine.ran_out_of_patience or self.halted or best.time_is_up(thinking):
                break
            self._look_for_native_code()
        if not every:
            yield best.answer

    def _stages(self, limit: Limit) -> Iterator[tuple[Engine, Patience | None]]:
        """The engines that search one after the other, each as long as its patience lasts."""
        if self.native is None and not self.is_hopeless:
            yield self.plain, Patience(glance(limit.time), monotonic) if self.making is None else UntilMade(self.making)
        if self.native is None and self.making is not None:
            yield self.plain, UntilMade(self.making)
        yield self.native or self.plain, None

    def _look_for_native_code(self) -> None:
        """Take native code where it is there; let a child process begin to make it where it is not."""
        kept = from_kept_code(lambda: Engine(self.game, once=self.once, device="cpu", **self.options))
        if kept.is_there:
            self.native = kept.answer
        elif kept.make_aside is not None:
            self.making = kept.make_aside()
        else:
            self._compile_here()

    def _compile_here(self) -> None:
        """Where no child process can compile, wait for it; the time to think does not run meanwhile."""
        try:
            self.native = Engine(self.game, once=self.once, device="cpu", **self.options)
        except (CompileError, DeviceError) as error:
            self.is_hopeless = True
            tell_once(f"zermelo: {error}; going on in plain Python")


class Best:
    """The best answer so far of several engines that search the same position, and what they spent."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.answer: Any = None
        self.nodes = 0
        """Of the engines before this one."""

    def left(self) -> Limit:
        """What the next engine may spend; the time counts from the beginning for all of them."""
        nodes = self.limit.nodes
        return self.limit if nodes is None else replace(self.limit, nodes=max(0, nodes - self.nodes))

    def time_is_up(self, thinking: Thinking) -> bool:
        """Whether there is no time left to think."""
        return self.limit.time is not None and thinking.seconds >= self.limit.time

    def improves(self, answer: Analysis) -> bool:
        """Keep an answer that is not less deep than the one before."""
        if self.answer is not None and answer.bound != "exact" and (answer.depth or 0) < (self.answer.depth or 0):
            return False
        self.answer = replace(answer, nodes=self.nodes + answer.nodes)
        return True

    def told_by(self, interrupt: Any) -> None:
        """Let an interrupt carry the best answer, where its engine knew none or a worse one."""
        found = getattr(interrupt, "answer", None)
        if found is not None:
            self.improves(found)
        interrupt.answer = self.answer
