"""A tree that stays: machines, threads, limits."""

import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from zermelo.arguments import as_word, limit_of, whole
from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.machine import DEVICES, is_native
from zermelo.compile.program import STOPPED
from zermelo.compile.reach import game_digest
from zermelo.contract import Game
from zermelo.errors import BadParameter, CompileError, DeviceError
from zermelo.result import Analysis, Limit
from zermelo.running.devices import MOMENT, from_kept_code, glance, note_slow, tell_once, was_slow
from zermelo.running.repetition import history_keys
from zermelo.running.statuses import FINE, OUT_OF_RANGE, OUT_OF_TIME
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.answers import Answer, ended
from zermelo.searches.mcts.batches import Batch, line_of, words_for
from zermelo.searches.mcts.choosing import write_line
from zermelo.searches.mcts.kept_trees import Thread, Tree
from zermelo.searches.mcts.options import MOST_THREADS, USUAL_LIMIT, Plan
from zermelo.searches.mcts.recording import recorded
from zermelo.searches.mcts.simulation import simulate

WORTH_COMPILING = 2.0
"""With device="auto" a search is compiled if the rest would take more seconds in plain Python, which had its moment."""
GPU_STEP = 0.1
"""Seconds that a launch on a GPU takes, so that limits of time are kept and Ctrl-C is heard."""
APART = 0x9E37_79B9
"""How far the seeds of several trees lie apart."""


class Mcts:
    """Monte Carlo tree search that keeps its tree from move to move.

    >>> from zermelo import game, Limit, Mcts
    >>> player = Mcts(game("tic_tac_toe"), device="python", seed=1)
    >>> player.search(limit=Limit(simulations=200)).nodes
    200
    """

    def __init__(
        self,
        game: Game,
        *,
        threads: int = 1,
        trees: int = 1,
        memory: int = 256,
        reuse: bool = True,
        seed: int = 0,
        device: str = "auto",
        record: bool = False,
        **options: Any,
    ) -> None:
        self.threads = whole("mcts: threads", threads, 1, MOST_THREADS)
        # A GPU has room for thousands of trees; here each has a thread of its own.
        self.trees = whole("mcts: trees", trees, 1, None if device == "cuda" else MOST_THREADS)
        self.plan = Plan(game, seed, threads > trees, options)
        self.game, self.device, self.reuse = game, device, reuse
        self.megabytes = whole("mcts: memory", memory, 1)
        if device not in DEVICES:
            raise BadParameter(f"mcts: device must be one of {', '.join(DEVICES)}, not {device!r}")
        if record and (device == "cuda" or trees > 1):
            raise BadParameter("mcts: one tree in this computer's memory can be recorded; leave out cuda and trees=")
        self.record = record
        if device == "cuda" and threads > trees:
            raise BadParameter("mcts: on cuda the threads of a block play from one leaf: say playouts=, not threads=")
        if device in ("cpu", "cuda") and (reason := is_native(game)) is not None:
            raise CompileError(reason)
        self.machine: Any = None
        self.forest: list[Tree] = []
        self.root: Any = None
        self.rules = ""
        """The digest of the rules by which the trees have grown."""

    # --- searching -------------------------------------------------------------------------------------------------

    def search(self, state: Any = None, limit: Limit | None = None, *, history: Sequence[Any] = ()) -> Analysis:
        """The answer within the limit."""
        *_, last = self.stream(state, limit, history=history, every=False)
        return last

    def stream(
        self, state: Any = None, limit: Limit | None = None, *, history: Sequence[Any] = (), every: bool = True
    ) -> Iterator[Analysis]:
        """Answers while the tree grows, after 1, 2, 5, 10, 20, ... simulations."""
        game = self.game
        s = game.initial() if state is None else game.checked_state(state)
        limit = limit_of(limit, "mcts", USUAL_LIMIT)
        if game.is_terminal(s):
            yield ended(self.plan, s, 0.0, self.plan.seed)
            return
        keys = history_keys(game, history)
        if self.device == "cuda":
            yield from on_gpu(self.plan, s, keys, limit, every, self.trees, self.megabytes)
            return
        began = time.perf_counter()
        self._prepare(s, limit)
        wanted = as_word(limit.simulations, at.NEVER)
        if limit.time is not None:
            # The time begins when everything is ready: the first search of a game is compiled.
            self._run(s, keys, 0, at.NEVER)
            began = time.perf_counter()
        end = at.NEVER if limit.time is None else now() + nanoseconds(limit.time - min(0.003, 0.1 * limit.time))
        # At a glance it is seen whether native code is worth its loading, after a moment, whether it is its compiling.
        waits = [nanoseconds(seconds) for seconds in (glance(), MOMENT)] if self._may_go_native() else []
        first = now()
        patience = first + waits.pop(0) if waits else at.NEVER
        already = self._done()
        while True:
            done = self._done() - already
            target = min(wanted, _next(done)) if every else wanted
            self._run(s, keys, already + target, min(end, patience))
            done = self._done() - already
            over = done >= wanted or now() >= end or self._is_proven()
            if done < target and not over:
                if waits:
                    from_kept_code(lambda: self._go_native(s))
                elif (wanted - done) * (time.perf_counter() - began) > WORTH_COMPILING * max(1, done):
                    self._go_native_if_possible(s)
                patience = first + waits.pop(0) if waits and self._is_on("python") else at.NEVER
                continue
            if every or over:
                yield self._analysis(s, done, began)
            if over:
                return

    def forget(self) -> None:
        """Begin the next search with an empty tree."""
        self.root = None

    def _prepare(self, s: Any, limit: Limit) -> None:
        """Have a machine and trees whose root is `s`."""
        device, rules = self.device, game_digest(self.game)
        if device == "auto":
            plain = limit.time is None and self.threads == 1 and not was_slow(self.game, "mcts")
            device = "python" if is_native(self.game) or (plain and not self._is_on("cpu")) else "cpu"
        if self.machine is None:
            self.machine = machine(device)
        elif self.machine.name != device:
            self._go_native_if_possible(s)
        if not self.forest:
            self.forest = [Tree(self.plan, self.machine, self.megabytes / self.trees) for _ in range(self.trees)]
        elif self.root is None or not self.reuse or self.rules != rules or not self._follow(s):
            for tree in self.forest:
                tree.clear()
        self.root, self.rules = s, rules

    def _is_on(self, device: str) -> bool:
        return self.machine is not None and self.machine.name == device

    def _may_go_native(self) -> bool:
        return self.device == "auto" and self._is_on("python") and is_native(self.game) is None

    def _go_native_if_possible(self, s: Any) -> None:
        try:
            self._go_native(s)
        except (CompileError, DeviceError) as error:
            tell_once(f"zermelo: {error}; going on in plain Python")

    def _go_native(self, s: Any) -> None:
        """Take the trees from plain Python to the CPU, where they go on growing as they would have grown."""
        on = machine("cpu")
        on.brief(simulate, **self._arguments(on, s, on.memory(1), Thread(self.plan, on, 0, [], 0, 0)))
        self.machine = on
        for tree in self.forest:
            tree.move_to(on)
        note_slow(self.game, "mcts")

    def _follow(self, s: Any) -> bool:
        """Let the trees begin at `s`, if they hold it."""
        if s == self.root:
            return True
        for tree in self.forest:
            node = tree.find(self.root, s)
            if node is None:
                return False
            tree.follow(node)
        return True

    def _done(self) -> int:
        return sum(tree.words[at.ROOT + at.VISITS] for tree in self.forest)

    def _is_proven(self) -> bool:
        return self.plan.options.solver and any(tree.words[at.ROOT + at.PROVEN] for tree in self.forest)

    def _run(self, s: Any, keys: list[int], simulations: int, end: int) -> None:
        """Let all threads simulate until the trees together have so many simulations, or time is up."""
        while True:
            left = [simulations * (i + 1) // self.trees - simulations * i // self.trees for i in range(self.trees)]
            status = self._attempt(s, keys, left, end)
            if status != OUT_OF_RANGE:
                break
            # Nobody said how large utilities can be, and one was larger than thought.
            self.plan.widen()
            for tree in self.forest:
                tree.clear()
        self.plan.refuse(status)

    def _attempt(self, s: Any, keys: list[int], left: list[int], end: int) -> int:
        jobs = [
            (tree, Thread(self.plan, self.machine, seed, keys, left[i % self.trees], end))
            for i, (tree, seed) in enumerate(self._crew())
        ]
        failed: list[BaseException] = []

        def work(tree: Tree, thread: Thread) -> None:
            try:
                self._simulate(s, tree, thread)
            except BaseException as error:
                failed.append(error)
                for _, other in jobs:
                    other.work[at.STATUS] = STOPPED

        if len(jobs) == 1:
            self._simulate(s, *jobs[0])
        else:
            threads = [threading.Thread(target=work, args=job, daemon=True) for job in jobs]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    while thread.is_alive():
                        thread.join(0.05)
            finally:
                for _, other in jobs:
                    other.work[at.STATUS] = other.work[at.STATUS] or (STOPPED if _any_alive(threads) else 0)
                for thread in threads:
                    thread.join()
        if failed:
            raise failed[0]
        states = [thread.work[at.STATUS] for _, thread in jobs]
        for tree, job in jobs:
            tree.deepest = max(tree.deepest, job.work[at.DEEPEST])
        return next((x for x in states if x not in (FINE, OUT_OF_TIME)), FINE)

    def _crew(self) -> list[tuple[Tree, int]]:
        """The tree on which each thread works, and the seed of that tree."""
        count = max(self.threads, self.trees)
        return [(self.forest[i % self.trees], self.plan.seed + i % self.trees * APART) for i in range(count)]

    def _simulate(self, s: Any, tree: Tree, thread: Thread) -> None:
        self.machine.call(simulate, **self._arguments(self.machine, s, tree.words, thread))

    def _arguments(self, on: Any, s: Any, words: Any, thread: Thread) -> dict[str, Any]:
        return {
            **self.plan.kernel_arguments(on.name), "s": s, "tree": words, "memory": thread.memory, "keys": thread.keys,
            "work": thread.work,
        }  # fmt: skip

    # --- answers ---------------------------------------------------------------------------------------------------

    def _analysis(self, s: Any, done: int, began: float) -> Analysis:
        answer = Answer(self.plan, s, [tree.summary() for tree in self.forest])
        action = answer.action
        found = answer.analysis(
            line=() if action is None else self._line(s, action), done=done, time=time.perf_counter() - began,
            device=self.machine.name, seed=self.plan.seed,
        )  # fmt: skip
        return replace(found, tree=recorded(self.forest[0], s, action)) if self.record else found

    def _line(self, s: Any, action: int) -> tuple[int, ...]:
        """The most visited way on, in the tree that knows most about it."""
        grown = [tree for tree in self.forest if tree.words[at.ROOT + at.FIRST] > 0]
        nodes = [tree.child(at.ROOT, action) for tree in grown]
        tree, node = max(zip(grown, nodes, strict=True), key=lambda pair: pair[0].words[pair[1] + at.VISITS])
        line = [0] * at.LONGEST_LINE
        return tuple(line[: write_line(self.game, s, node, tree.words, self.plan.width, line, 0)])


def on_gpu(
    plan: Plan, s: Any, keys: list[int], limit: Limit, every: bool, trees: int, megabytes: int
) -> Iterator[Analysis]:
    """The answers of a search on a GPU, where the trees are from the first simulation to the last."""
    wanted = as_word(limit.simulations, at.NEVER)
    capacity = words_for(plan, min(wanted, 1 << 40), (megabytes << 17) // trees)
    batch = Batch(plan, machine("cuda"), trees, capacity, keys)
    batch.prepare()
    began = time.perf_counter()
    end = began + (limit.time if limit.time is not None else math.inf)
    done, step = 0, 1
    while True:
        target = min(wanted, _next(done) if every else wanted, done + step)
        started = time.perf_counter()
        limits = [target * (i + 1) // trees - target * i // trees for i in range(trees)]
        found = batch.search([s] * trees, [plan.seed + i * APART for i in range(trees)], limits, fresh=done == 0)
        if any(words[at.TROUBLE] == OUT_OF_RANGE for words in found):
            plan.widen()
            done = 0
            continue
        for words in found:
            plan.refuse(words[at.TROUBLE])
        spent = time.perf_counter() - started
        made = sum(words[at.ROOT + at.VISITS] for words in found)
        # A launch cannot be stopped: it is as long as can be waited for.
        patience = min(GPU_STEP, max(0.0, end - time.perf_counter()))
        step = max(1, min(4 * step, int((made - done) * patience / max(spent, 1e-6))))
        done = made
        answer = Answer(plan, s, found)
        over = done >= wanted or time.perf_counter() >= end or answer.is_proven
        if over or (every and done >= _next(done - 1)):
            best = answer.action
            lines = [line for words in found if (line := line_of(words)) and line[0] == best]
            line = () if best is None else lines[0] if lines else (best,)
            yield answer.analysis(line=line, done=done, time=time.perf_counter() - began, device="cuda", seed=plan.seed)
        if over:
            return


def _next(done: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while True:
        for k in (1, 2, 5):
            if k * step > done:
                return k * step
        step *= 10


def _any_alive(threads: list[threading.Thread]) -> bool:
    return any(thread.is_alive() for thread in threads)
