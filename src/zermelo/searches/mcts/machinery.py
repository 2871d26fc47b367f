"""A tree that stays: memory, threads, limits, and answers read off the tree."""

import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.compile import machine, now
from zermelo.compile.machine import DEVICES, is_native
from zermelo.compile.program import STOPPED
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter, BrokenContract, CompileError, EndlessGame, Interrupted
from zermelo.result import Analysis, Limit, Move
from zermelo.searches import surface
from zermelo.searches.mcts import layout as at
from zermelo.searches.mcts.compacting import compact
from zermelo.searches.mcts.plan import Plan, count, limit_of
from zermelo.searches.mcts.tree import simulate

QUICK_SIMULATIONS = 2_000
"""With device="auto" so many simulations are made in plain Python, which needs no time to start."""
CONFIDENCE = 0.05
"""An interval holds the true mean of the simulations but for this probability, by Hoeffding's inequality."""
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
        **options: Any,
    ) -> None:
        self.plan = Plan(game, seed, options)
        self.game, self.device, self.reuse = game, device, reuse
        self.threads, self.trees = count("threads", threads, 1), count("trees", trees, 1)
        self.megabytes = count("memory", memory, 1)
        if device not in DEVICES or device == "cuda":
            wanted = "auto, python or cpu (mcts.many runs on cuda)"
            raise BadParameter(f"mcts: device must be one of {wanted}, not {device!r}")
        if device == "cpu" and (reason := is_native(game)) is not None:
            raise CompileError(reason)
        self.machine: Any = None
        self.forest: list[Tree] = []
        self.root: Any = None

    # --- searching -------------------------------------------------------------------------------------------------

    def search(self, state: Any = None, limit: Limit | None = None, *, history: Sequence[Any] = ()) -> Analysis:
        """The answer within the limit."""
        *_, last = self.stream(state, limit, history=history, every=False)
        return last

    def stream(
        self, state: Any = None, limit: Limit | None = None, *, history: Sequence[Any] = (), every: bool = True
    ) -> Iterator[Analysis]:
        """Answers while the tree grows, after 1, 2, 5, 10, ... simulations and at least every quarter of a second."""
        game = self.game
        s = game.initial() if state is None else game.checked_state(state)
        limit = limit_of(limit)
        began = time.perf_counter()
        if game.is_terminal(s):
            yield self._ended(s, began)
            return
        keys = surface.history_keys(game, history)
        self._prepare(s, limit)
        wanted = limit.simulations if limit.simulations is not None else at.NEVER
        if limit.time is not None:
            # The time begins when everything is ready: the first search of a game is compiled.
            self._run(s, keys, 0, at.NEVER)
            began = time.perf_counter()
        end = at.NEVER if limit.time is None else now() + int(max(0.0, limit.time - min(0.003, 0.1 * limit.time)) * 1e9)
        already = self._done()
        while True:
            done = self._done() - already
            target = min(wanted, _next(done)) if every else wanted
            self._run(s, keys, already + target, end)
            done = self._done() - already
            over = done >= wanted or now() >= end or self._is_proven()
            if every or over:
                yield self._analysis(s, done, began)
            if over:
                return

    def _prepare(self, s: Any, limit: Limit) -> None:
        """Have a machine and trees whose root is `s`."""
        device = self.device
        if device == "auto":
            small = limit.simulations is not None and limit.simulations <= QUICK_SIMULATIONS and self.threads == 1
            device = "python" if is_native(self.game) or (small and not self._is_on("cpu")) else "cpu"
        if (
            self.machine is None
            or (self.machine.name != device and self.device != "auto")
            or (self.machine.name == "python" and device == "cpu")
        ):
            self.machine, self.forest = machine(device), []
        if not self.forest:
            self.forest = [Tree(self.plan, self.machine, self.megabytes / self.trees) for _ in range(self.trees)]
        elif self.root is None or not self.reuse or not self._follow(s):
            for tree in self.forest:
                tree.clear()
        self.root = s

    def _is_on(self, device: str) -> bool:
        return self.machine is not None and self.machine.name == device

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
            if status != at.OUT_OF_RANGE:
                break
            # Nobody said how large utilities can be, and one was larger than thought.
            self.plan.half *= 16.0
            for tree in self.forest:
                tree.clear()
        if status == at.ENDLESS:
            raise EndlessGame(
                f"{self.game.name}: a playout had not ended after {self.plan.options.longest:,} moves; raise longest=, "
                "end it by a rule, or cut playouts off by rollout_depth="
            )
        if status == at.TOO_MANY:
            most = self.game.max_actions
            raise BrokenContract(f"{self.game.name}: a state has more than max_actions = {most} actions: raise it")
        if status == STOPPED:
            raise Interrupted("the search was stopped")

    def _attempt(self, s: Any, keys: list[int], left: list[int], end: int) -> int:
        jobs = [
            (tree, Thread(self.plan, self.machine, seed, keys, left[i % self.trees], end))
            for i, (tree, seed) in enumerate(self._crew())
        ]
        failed: list[BaseException] = []

        def work(tree: "Tree", thread: Any) -> None:
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
        return next((x for x in states if x not in (at.FINE, at.OUT_OF_TIME)), at.FINE)

    def _crew(self) -> "list[tuple[Tree, int]]":
        """The tree on which each thread works, and the seed of that tree."""
        count = max(self.threads, self.trees)
        return [(self.forest[i % self.trees], self.plan.seed + i % self.trees * APART) for i in range(count)]

    def _simulate(self, s: Any, tree: "Tree", thread: "Thread") -> None:
        self.machine.call(
            simulate, s=s, shared=self.threads > self.trees, tree=tree.words, memory=thread.memory, keys=thread.keys,
            work=thread.work, **self.plan.kernel_arguments,
        )  # fmt: skip

    # --- answers ---------------------------------------------------------------------------------------------------

    def _analysis(self, s: Any, done: int, began: float) -> Analysis:
        game = self.game
        mover = game.to_move(s)
        merged = self._merged()
        moves = {action: self._move(found) for action, found in merged.items() if found.visits}
        best = None if mover == CHANCE else self._best(mover, merged)
        if best is None:
            root = Found.of(self.forest, [at.ROOT] * self.trees)
            values = self._values(root)
        else:
            values = self._values(merged[best])
        full = any(tree.words[at.FULL] for tree in self.forest)
        proven = self._is_proven()
        return Analysis(
            value=values[0], values=values, action=best, line=() if best is None else self._line(s, best), moves=moves,
            bound="exact" if proven else "estimate", nodes=done, depth=self.deepest, time=time.perf_counter() - began,
            method="mcts", device=self.machine.name, game=game, state=s, seed=self.plan.seed,
            note=f"the tree is full at {self.forest[0].rows:,} nodes and grows no more; raise memory=" if full else "",
        )  # fmt: skip

    @property
    def deepest(self) -> int:
        """The longest path from the root to a node of a tree."""
        return max(tree.deepest for tree in self.forest)

    def _merged(self) -> dict[int, "Found"]:
        """What all trees together say about each first move."""
        rows: dict[int, list[tuple[Tree, int]]] = {}
        for tree in self.forest:
            for child in tree.children(at.ROOT):
                rows.setdefault(tree.words[child + at.ACTION], []).append((tree, child))
        order = list(self.game.actions(self.root))
        return {a: Found.of(*map(list, zip(*rows[a], strict=True))) for a in order if a in rows}

    def _best(self, mover: int, merged: dict[int, "Found"]) -> int:
        """The move to play: what is proven to be best, else the most visited that is not proven to be worse."""
        sums = self.plan.sums
        side = -1 if mover == 1 and sums == 1 else 1

        def certain(found: Found) -> float | None:
            return None if found.exact is None else side * found.exact[mover if sums > 1 else 0]

        proven = {a: value for a, found in merged.items() if (value := certain(found)) is not None}
        open_moves = [a for a in merged if a not in proven]
        if proven and (not open_moves or (self.plan.sure and max(proven.values()) >= at.ONE)):
            best = max(proven.values())
            return max((a for a in proven if proven[a] == best), key=lambda a: merged[a].visits)

        def merit(action: int) -> tuple[int, float]:
            found = merged[action]
            mean = side * found.mean(mover if sums > 1 else 0)
            return found.visits, mean

        best = max(merged, key=merit)
        if best in proven and open_moves:
            # A certain loss is not played while something else may be better.
            rival = max(open_moves, key=merit)
            if merged[rival].visits and side * merged[rival].mean(mover if sums > 1 else 0) > proven[best]:
                return rival
        return best

    def _values(self, found: "Found") -> tuple[float, ...]:
        return self.plan.values_of([found.mean(p) for p in range(self.plan.sums)])

    def _move(self, found: "Found") -> Move:
        """A first move as answers show it."""
        value = self.plan.utility_of(found.mean(0))
        if found.exact is not None:
            interval = (value, value)
        else:
            reach = self._span() * math.sqrt(math.log(2 / CONFIDENCE) / (2 * found.visits))
            low, high = self._range()
            interval = (max(low, value - reach), min(high, value + reach))
        return Move(
            value, bound="estimate" if found.exact is None else "exact", values=self._values(found),
            visits=found.visits, interval=interval,
        )  # fmt: skip

    def _range(self) -> tuple[float, float]:
        """The least and the greatest utility, known or seen."""
        heads = [(tree.words[at.LEAST], tree.words[at.GREATEST]) for tree in self.forest if tree.words[at.STARTED]]
        return self.plan.utility_of(min(low for low, _ in heads)), self.plan.utility_of(max(high for _, high in heads))

    def _span(self) -> float:
        low, high = self._range()
        return high - low

    def _line(self, s: Any, action: int) -> tuple[int, ...]:
        """The most visited way on, in the tree that knows most about it."""
        tree = max(self.forest, key=lambda t: t.words[t.child(at.ROOT, action) + at.VISITS])
        node, line = tree.child(at.ROOT, action), [action]
        s = self.game.result(s, action)
        while not self.game.is_terminal(s) and self.game.to_move(s) != CHANCE:
            children = [child for child in tree.children(node) if tree.words[child + at.VISITS]]
            if not children:
                break
            node = max(children, key=lambda child: tree.words[child + at.VISITS])
            line.append(tree.words[node + at.ACTION])
            s = self.game.result(s, line[-1])
        return tuple(line)

    def _ended(self, s: Any, began: float) -> Analysis:
        values = tuple(0.0 + self.game.utility(s, p) for p in range(self.game.players))
        return Analysis(
            value=values[0], values=values, action=None, line=(), moves={}, bound="exact", nodes=0, depth=0,
            time=time.perf_counter() - began, method="mcts", device="python", game=self.game, state=s,
            seed=self.plan.seed,
        )  # fmt: skip


@dataclass(frozen=True)
class Found:
    """What trees know about one move."""

    visits: int
    totals: tuple[int, ...]
    exact: tuple[int, ...] | None

    @classmethod
    def of(cls, trees: "list[Tree]", nodes: list[int]) -> "Found":
        """The sums over all trees."""
        sums = trees[0].plan.sums
        totals, visits, exact = [0] * sums, 0, None
        for tree, node in zip(trees, nodes, strict=True):
            visits += tree.words[node + at.VISITS]
            for player in range(sums):
                totals[player] += tree.words[node + tree.plan.sum_at(player)]
            if tree.plan.exact_at and tree.words[node + at.PROVEN]:
                exact = tuple(tree.words[node + tree.plan.exact_at + p] for p in range(sums))
        return cls(visits, tuple(totals), exact)

    def mean(self, player: int) -> float:
        """The mean value for a player, or the certain one."""
        if self.exact is not None:
            return self.exact[player]
        return self.totals[player] / max(1, self.visits)


class Tree:
    """One tree and its memory."""

    def __init__(self, plan: Plan, on: Any, megabytes: float) -> None:
        self.plan, self.machine = plan, on
        least = at.HEAD + plan.width * (2 + plan.game.max_actions)
        self.capacity = max(least, int(megabytes * (1 << 20)) // 8)
        self.deepest = 0
        self.words = self._block()
        self.spare: Any = None
        self.clear()

    def _block(self) -> Any:
        native = self.machine.name != "python"
        return self.machine.memory(self.capacity if native else at.HEAD + self.plan.width)

    @property
    def rows(self) -> int:
        """How many nodes there are."""
        return (self.words[at.TOP] - at.HEAD) // self.plan.width

    def clear(self) -> None:
        """Forget everything but the root, which is bare."""
        self.machine.write(self.words, 0, self.plan.bare_tree(self.capacity))
        self.deepest = 0

    def children(self, node: int) -> list[int]:
        """Where the children of a node stand."""
        first = self.words[node + at.FIRST]
        return [first + i * self.plan.width for i in range(self.words[node + at.COUNT])] if first > 0 else []

    def child(self, node: int, action: int) -> int:
        """Where the child with this action stands."""
        return next(child for child in self.children(node) if self.words[child + at.ACTION] == action)

    def find(self, root: Any, s: Any) -> int | None:
        """The visited node nearest to the root whose state is `s`, among those a few moves away."""
        game = self.plan.game
        level = [(at.ROOT, root)]
        for _ in range(4):
            following: list[tuple[int, Any]] = []
            for node, before in level:
                for child in self.children(node):
                    if not self.words[child + at.VISITS]:
                        continue
                    state = game.result(before, self.words[child + at.ACTION])
                    if state == s:
                        return child
                    if len(following) < 20_000 and self.words[child + at.FIRST] > 0:
                        following.append((child, state))
            level = following
        return None

    def follow(self, node: int) -> None:
        """Let the tree begin at this node; the rest is forgotten."""
        if self.spare is None:
            self.spare = self._block()
        self.machine.write(self.spare, 0, self.plan.bare_tree(self.capacity))
        self.spare[at.LEAST], self.spare[at.GREATEST] = self.words[at.LEAST], self.words[at.GREATEST]
        self.machine.call(compact, tree=self.words, node=node, target=self.spare, width=self.plan.width, head=at.HEAD)
        self.spare[at.STARTED] = self.spare[at.ROOT + at.VISITS]
        self.words, self.spare = self.spare, self.words
        self.deepest = max(0, self.deepest - 1)


class Thread:
    """What one thread works with: its words, its stack, the keys of its path."""

    def __init__(self, plan: Plan, on: Any, seed: int, keys: list[int], limit: int, end: int) -> None:
        self.work = on.memory(at.WORDS)
        on.write(self.work, 0, plan.work(on.name != "python", limit, end, seed, len(keys)))
        self.memory = on.memory(plan.stack_words)
        self.keys = on.memory(plan.key_words(len(keys)))
        if plan.game.repetition is not None:
            on.write(self.keys, 0, keys)


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
