"""`zermelo.mcts` and `zermelo.Mcts`: Monte Carlo tree search, once or with a tree that stays from move to move."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack

from zermelo.arguments import as_word, whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.machine import DEVICES, is_native, stop
from zermelo.compile.reach import game_digest
from zermelo.errors import BadParameter, CompileError, DeviceError
from zermelo.result import Analysis, Limit
from zermelo.running.devices import (
    MOMENT,
    from_kept_code,
    glance,
    note_slow,
    on_best_machine,
    tell_once,
    was_slow,
)
from zermelo.running.repetition import history_keys
from zermelo.running.statuses import FINE, OUT_OF_RANGE, OUT_OF_TIME
from zermelo.running.thinking import Thinking
from zermelo.running.watching import known_when_interrupted
from zermelo.searches.limits import limit_of, taken_from, thinking_time
from zermelo.searches.mcts.answers import Answer, ended, next_step, write_line
from zermelo.searches.mcts.batches import Launches, on_gpu
from zermelo.searches.mcts.blocks import FIRST, LONGEST_LINE, NEVER, ROOT, VISITS, SearchTree, ThreadMemory
from zermelo.searches.mcts.kept_trees import KeptTree
from zermelo.searches.mcts.options import APART, MOST_THREADS, USUAL_LIMIT, Sampling, signed
from zermelo.searches.mcts.simulation import simulate
from zermelo.types import MonteCarloOptions, SamplingOptions

__all__ = ["Mcts", "mcts"]

WORTH_COMPILING = 2.0
"""With device="auto", after a moment in plain Python, a search is compiled if the rest would take more seconds."""
LOOK = 0.02
"""Seconds between two looks at whether native code is there."""


class MonteCarloTreeSearch:
    """The most promising move by Monte Carlo tree search, with what the simulations say about every move.

    >>> from zermelo import game, mcts
    >>> found = mcts(game("tic_tac_toe"), simulations=500, seed=1)
    >>> sum(move.visits for move in found.moves.values())
    500
    """

    @known_when_interrupted()
    def __call__(
        self,
        game: AnyGame,
        state: Any = None,
        *,
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        **options: Unpack[MonteCarloOptions],
    ) -> Analysis:
        """The answer after so many `simulations` (10,000 where no limit is given), or so much `time` in seconds, or
        what a `Limit` says in place of these.

        A simulation goes down the tree by UCB1 with the constant `c` (the square root of 2), adds a node, plays a
        random game from there, and counts its result on the way back; the most visited move is played. `seed` makes
        it repeatable. Options: `prior` (a function of state and action, or True for the game's own) leads selection by
        PUCT; `rollout` (a function of state and action) weighs the moves of playouts; `rollout_depth` cuts playouts
        off after so many moves and asks `evaluate`; `rave` lets moves played later count as played first (True, or the
        number of visits after which that fades); `urgency` is the value of a move not tried yet, as a share of the
        range; `widening=(constant, power)` looks at few moves first and at more with the visits; `solver` carries
        certain wins, draws and losses up the tree; `threads` work on one tree, or on `trees` of them; `memory` are
        megabytes for the tree; `longest` is the number of moves after which a playout is given up with an error;
        `record` keeps the tree, to be drawn, in the answer's `tree`.
        """
        rest: dict[str, Any] = dict(options)
        limit = limit_of("mcts", limit, time=time, simulations=simulations, **taken_from(rest))
        return Mcts(game, **rest).search(state, limit, history=history)

    def stream(
        self,
        game: AnyGame,
        state: Any = None,
        *,
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        **options: Unpack[MonteCarloOptions],
    ) -> Iterator[Analysis]:
        """The answers after 1, 2, 5, 10, 20, ... simulations; the last is the one of the whole limit."""
        rest: dict[str, Any] = dict(options)
        limit = limit_of("mcts", limit, time=time, simulations=simulations, **taken_from(rest))
        yield from Mcts(game, **rest).stream(state, limit, history=history)

    def many(
        self,
        game: AnyGame,
        states: Sequence[Any],
        *,
        simulations: int | None = None,
        limit: Limit | None = None,
        seed: int = 0,
        device: str = "auto",
        threads: int | None = None,
        memory: int = 4096,
        **options: Unpack[SamplingOptions],
    ) -> list[Analysis]:
        """The answers of independent searches from many states, in one launch.

        Search number i is `mcts(game, states[i], seed=seed + i, ...)` and takes the same options, but for `trees` and
        limits of time. On the CPU they are spread over `threads` (all cores), on a GPU each has a thread of its own, or
        a block of threads where a leaf is played more than once (`playouts`). `memory` are megabytes for all trees;
        what does not fit is searched afterwards.

        >>> from zermelo import game, mcts
        >>> tic = game("tic_tac_toe")
        >>> found = mcts.many(tic, [tic.initial()] * 3, simulations=50, device="python")
        >>> [answer.nodes for answer in found]
        [50, 50, 50]
        """
        game = as_game(game)
        rest: dict[str, Any] = dict(options)
        unknown = taken_from(rest)
        limit = limit_of(
            "mcts.many", limit, USUAL_LIMIT, known=("simulations",), simulations=simulations, **unknown
        )  # fmt: skip
        sampling = Sampling(game, seed, False, rest)
        if threads is not None:
            whole("mcts: threads", threads, 1, MOST_THREADS)
        whole("mcts: memory", memory, 1)
        roots, each = [game.checked_state(s) for s in states], as_word(limit.simulations, NEVER)

        def run(on: str) -> list[Analysis]:
            if on != "python":
                return Launches(sampling, machine(on), each, threads or cores(), memory).search(roots)
            players = (Mcts(game, seed=seed + i, device=on, **rest) for i in range(len(roots)))
            return [player.search(s, limit) for player, s in zip(players, roots, strict=True)]

        return on_best_machine(game, "mcts.many", device, run)

    def __repr__(self) -> str:
        return "zermelo.mcts(game, state=None, *, simulations=10000, time=None, limit=None, c=1.414, seed=0, ...)"


mcts = MonteCarloTreeSearch()


class Mcts:
    """Monte Carlo tree search that keeps its tree from move to move.

    >>> from zermelo import game, Mcts
    >>> player = Mcts(game("tic_tac_toe"), device="python", seed=1)
    >>> player.search(simulations=200).nodes
    200
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        threads: int = 1,
        trees: int = 1,
        memory: int = 256,
        reuse: bool = True,
        seed: int = 0,
        device: str = "auto",
        record: bool = False,
        **options: Unpack[SamplingOptions],
    ) -> None:
        game = as_game(game)
        self.threads = whole("mcts: threads", threads, 1, MOST_THREADS)
        # A GPU has room for thousands of trees; here each has a thread of its own.
        self.trees = whole("mcts: trees", trees, 1, None if device == "cuda" else MOST_THREADS)
        self.sampling = Sampling(game, seed, threads > trees, dict(options))
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
        self.forest: list[KeptTree] = []
        self.root: Any = None
        self.rules = ""
        """The digest of the rules by which the trees have grown."""

    # --- searching -------------------------------------------------------------------------------------------------

    @known_when_interrupted()
    def search(
        self, state: Any = None, limit: Limit | None = None, *, time: float | None = None,
        simulations: int | None = None, history: Sequence[Any] = (),
    ) -> Analysis:  # fmt: skip
        """The answer within the limit."""
        *_, last = self.stream(state, limit, time=time, simulations=simulations, history=history, every=False)
        return last

    def stream(
        self, state: Any = None, limit: Limit | None = None, *, time: float | None = None,
        simulations: int | None = None, history: Sequence[Any] = (), every: bool = True,
    ) -> Iterator[Analysis]:  # fmt: skip
        """Answers while the tree grows, after 1, 2, 5, 10, 20, ... simulations."""
        limit = limit_of("mcts", limit, USUAL_LIMIT, time=time, simulations=simulations)
        yield from self._answers(state, limit, history, every)

    def _answers(self, state: Any, limit: Limit, history: Sequence[Any], every: bool) -> Iterator[Analysis]:
        game = self.game
        s = game.initial() if state is None else game.checked_state(state)
        if game.is_terminal(s):
            yield ended(self.sampling, s, 0.0, self.sampling.seed)
            return
        keys = history_keys(game, history)
        if self.device == "cuda":
            yield from on_gpu(self.sampling, s, keys, limit, every, self.trees, self.megabytes)
            return
        thinking = Thinking()
        self._prepare(s)
        wanted = as_word(limit.simulations, NEVER)
        if limit.time is not None:
            # What is there already is loaded, or made, before the time begins.
            self._run(s, keys, 0, NEVER)
            thinking.restart()
        already = self._done()
        looks = self._going_native(s, limit, lambda: self._is_long(wanted, self._done() - already, thinking))
        look = next(looks, NEVER)

        def known() -> Analysis | None:
            done = self._done() - already
            return self._analysis(s, done, thinking) if done > 0 else None

        while True:
            done = self._done() - already
            target = min(wanted, next_step(done)) if every else wanted
            end = NEVER
            if limit.time is not None:
                end = thinking.since + thinking_time(limit.time)
            with known_when_interrupted(known):
                self._run(s, keys, already + target, min(end, look))
            done = self._done() - already
            over = done >= wanted or now() >= end or self._is_proven()
            if done < target and not over:
                look = next(looks, NEVER)
                continue
            if every or over:
                yield self._analysis(s, done, thinking)
            if over:
                return

    def forget(self) -> None:
        """Begin the next search with an empty tree."""
        self.root = None

    def _prepare(self, s: Any) -> None:
        """Have a machine and trees whose root is `s`."""
        device, rules = self.device, game_digest(self.game)
        if device == "auto":
            native = is_native(self.game) is None and (was_slow(self.game, "mcts") or self._is_on("cpu"))
            device = "cpu" if native else "python"
        if self.machine is None:
            self.machine = machine(device)
        elif self.machine.name != device:
            self._go_native_if_possible(s)
        if not self.forest:
            self.forest = [
                KeptTree(self.sampling, self.machine, self.megabytes / self.trees) for _ in range(self.trees)
            ]
        elif self.root is None or not self.reuse or self.rules != rules or not self._follow(s):
            for tree in self.forest:
                tree.clear()
        self.root, self.rules = s, rules

    def _is_on(self, device: str) -> bool:
        return self.machine is not None and self.machine.name == device

    def _going_native(self, s: Any, limit: Limit, is_long: Callable[[], bool]) -> Iterator[int]:
        """Take the trees to native code when that is there. Yields when to go on with this, on the clock of `now`."""
        if self.device != "auto" or not self._is_on("python") or is_native(self.game) is not None:
            return
        first = now()
        yield first + nanoseconds(glance(limit.time))
        kept = from_kept_code(lambda: self._go_native(s))
        if kept.is_there:
            return
        if limit.time is None:
            yield first + nanoseconds(MOMENT)
            while not is_long():
                yield now() + nanoseconds(MOMENT)
        if kept.make_aside is not None:
            making = kept.make_aside()
            while not making.is_done:
                yield now() + nanoseconds(LOOK)
        self._go_native_if_possible(s)

    def _is_long(self, wanted: int, done: int, thinking: Thinking) -> bool:
        """Whether plain Python would need so long for the rest that compiling is worth while."""
        return (wanted - done) * thinking.seconds > WORTH_COMPILING * max(1, done)

    def _go_native_if_possible(self, s: Any) -> None:
        try:
            self._go_native(s)
        except (CompileError, DeviceError) as error:
            tell_once(f"zermelo: {error}; going on in plain Python")

    def _go_native(self, s: Any) -> None:
        """Take the trees from plain Python to the CPU, where they go on growing as they would have grown."""
        on = machine("cpu")
        bare = on.block(SearchTree)
        bare.nodes = on.memory(1)
        on.brief(simulate, **self._arguments(on, s, bare, self._thread(on, 0, [], 0, 0), self.sampling.numbers(on, 0)))
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
        return sum(tree.visits for tree in self.forest)

    def _is_proven(self) -> bool:
        return any(tree.is_proven for tree in self.forest)

    # --- threads ---------------------------------------------------------------------------------------------------

    def _run(self, s: Any, keys: list[int], simulations: int, end: int) -> None:
        """Let all threads simulate until the trees together have so many simulations, or time is up."""
        while True:
            left = [simulations * (i + 1) // self.trees - simulations * i // self.trees for i in range(self.trees)]
            status = self._attempt(s, keys, left, end)
            if status != OUT_OF_RANGE:
                break
            # Nobody said how large utilities can be, and one was larger than thought.
            self.sampling.widen()
            for tree in self.forest:
                tree.clear()
        self.sampling.refuse(status)

    def _attempt(self, s: Any, keys: list[int], left: list[int], end: int) -> int:
        """The status with which the threads end."""
        numbers = self.sampling.numbers(self.machine, len(keys))
        # Several threads work on each tree, or one on each of several; a seed belongs to a tree.
        working = [i % self.trees for i in range(max(self.threads, self.trees))]
        seeds = [self.sampling.seed + i * APART for i in range(self.trees)]
        threads = [self._thread(self.machine, seeds[i], keys, left[i], end) for i in working]

        def simulations_of(tree: KeptTree, thread: Any) -> Callable[[], None]:
            arguments = self._arguments(self.machine, s, tree.block, thread, numbers)
            return lambda: self.machine.call(simulate, **arguments)

        jobs = [simulations_of(self.forest[i], thread) for i, thread in zip(working, threads, strict=True)]
        if len(jobs) == 1:
            jobs[0]()
        else:
            at_once(jobs, threads)
        for i, thread in zip(working, threads, strict=True):
            self.forest[i].deepest = max(self.forest[i].deepest, thread.deepest)
        return next((thread.status for thread in threads if thread.status not in (FINE, OUT_OF_TIME)), FINE)

    def _thread(self, on: Any, seed: int, keys: list[int], limit: int, end: int) -> Any:
        """What a thread works with."""
        thread = on.block(ThreadMemory, self.game)
        thread.seed, thread.limit, thread.deadline = signed(seed), limit, end
        thread.keys = on.memory(self.sampling.key_words(len(keys)))
        if self.game.repetition is not None:
            on.write(thread.keys, 0, keys)
        return thread

    def _arguments(self, on: Any, s: Any, tree: Any, thread: Any, numbers: Any) -> dict[str, Any]:
        setup = self.sampling.setup_on(on.name)
        return {"game": self.game, "setup": setup, "s": s, "numbers": numbers, "tree": tree, "thread": thread}

    # --- answers ---------------------------------------------------------------------------------------------------

    def _analysis(self, s: Any, done: int, thinking: Thinking) -> Analysis:
        answer = Answer(self.sampling, s, [tree.found() for tree in self.forest])
        action = answer.action
        found = answer.analysis(
            line=() if action is None else self._line(s, action), done=done, time=thinking.seconds,
            device=self.machine.name, seed=self.sampling.seed,
        )  # fmt: skip
        found = replace(found, compile_seconds=thinking.compile_seconds)
        return replace(found, tree=self.forest[0].recorded(s, action)) if self.record else found

    def _line(self, s: Any, action: int) -> tuple[int, ...]:
        """The most visited way on, in the tree that knows most about it."""
        grown = [tree for tree in self.forest if tree.nodes[ROOT + FIRST] > 0]
        children = [tree.child(ROOT, action) for tree in grown]
        tree, node = max(zip(grown, children, strict=True), key=lambda pair: pair[0].nodes[pair[1] + VISITS])
        line = [0] * LONGEST_LINE
        return tuple(line[: write_line(self.game, s, node, tree.nodes, self.sampling.width, line)])


def at_once(jobs: Sequence[Callable[[], None]], memories: Sequence[Any]) -> None:
    """Run all jobs, each in a thread, and raise what one of them raised; `memories` are what they work with."""
    failed: list[BaseException] = []

    def work(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            failed.append(error)
            for memory in memories:
                stop(memory)

    threads = [threading.Thread(target=work, args=(job,), daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.05)
    finally:
        if any(thread.is_alive() for thread in threads):
            for memory in memories:
                if memory.status == FINE:
                    stop(memory)
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
