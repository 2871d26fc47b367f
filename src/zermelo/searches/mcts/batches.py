"""Many searches in one launch of a native machine: a row of the launch searches a tree, or a block of a GPU's threads
does so together.

In a block the first thread goes down the tree and back up, and all of them play from the leaf. They wait for each
other twice in every simulation. Sums are integers: nothing depends on who comes first.
"""

import copy
import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zermelo.arguments import as_word
from zermelo.compile import (
    Block,
    Memory,
    barrier,
    fetch_add,
    kernel,
    load_state,
    machine,
    part,
    state_words,
    store_state,
)
from zermelo.compile.block import Rows
from zermelo.compile.memory import Words
from zermelo.compile.random import stream
from zermelo.result import Analysis, Limit
from zermelo.running.statuses import FINE, OUT_OF_RANGE
from zermelo.searches.mcts.answers import Answer, Found, ended, found_in, next_step, summarise
from zermelo.searches.mcts.backing_up import back_up, prove
from zermelo.searches.mcts.blocks import HEAD, NEVER, ROOT, SearchTree, Summary, ThreadMemory
from zermelo.searches.mcts.options import APART, Sampling, signed
from zermelo.searches.mcts.playouts import average, play_on
from zermelo.searches.mcts.simulation import descend, is_settled, next_number, note_root, simulate

LANES = 128
"""Threads of a block."""
END, SETTLED, PLAY = range(3)
"""What a block is to do: end; nothing, since it is known what everybody gets; play from the leaf."""
PORTION = 64
"""Searches that a core takes at a time."""
GPU_STEP = 0.1
"""Seconds that a launch on a GPU takes, so that limits of time are kept and Ctrl-C is heard."""


class Launch(Block):
    """What all searches of a launch have in common."""

    fresh: int  # whether the trees begin anew; otherwise they go on growing
    spacing: int  # 1 where each search has memory of its own; 0 where one follows the other and they use the same
    capacity: int  # words of nodes of each tree
    key_words: int  # words of the keys of each search
    least: int  # the least value of a tree without simulations
    greatest: int  # the greatest value of such a tree
    nodes: Memory  # the nodes of all trees
    keys: Memory  # the keys of all searches
    history: Memory  # the keys of the positions that came before
    states: Memory  # the roots
    orders: Memory  # for each search its seed and how many simulations its tree may have


@kernel
def search_row(game, setup, row, launch, numbers, trees, threads, summaries):
    """Search tree number `row` alone."""
    slot = row * launch.spacing
    tree, thread = trees[slot], threads[slot]
    s = begin(game, row, slot, launch, numbers, tree, thread)
    simulate(game, setup, s, numbers, tree, thread)
    summarise(game, setup, s, numbers, tree, thread, summaries[row])


@kernel
def begin(game, number, slot, launch, numbers, tree, thread):
    """Lay out what search number `number` works with, and a tree unless there is one already; the state of the root."""
    thread.status, thread.simulations, thread.deepest = FINE, 0, 0
    thread.seed, thread.limit = launch.orders[2 * number], launch.orders[2 * number + 1]
    thread.deadline = NEVER
    thread.keys = part(launch.keys, slot * launch.key_words)
    if game.repetition is not None:
        for i in range(numbers.before):
            thread.keys[i] = launch.history[i]
    tree.nodes, tree.capacity = part(launch.nodes, slot * launch.capacity), launch.capacity
    if launch.fresh:
        for i in range(numbers.width):
            tree.nodes[ROOT + i] = 0
        tree.least, tree.greatest, tree.full, tree.finer = launch.least, launch.greatest, 0, 0
        tree.counts.top, tree.counts.started = ROOT + numbers.width, 0
    return load_state(game, launch.states, number * state_words(game))


@kernel
def search_block(game, setup, row, launch, numbers, trees, threads, summaries):
    """Search tree number `row // LANES` together with the other threads of the block, whom the first one leads."""
    slot, lane = row // LANES, row % LANES
    tree, thread, leader = trees[slot], threads[row], threads[slot * LANES]
    s = load_state(game, launch.states, slot * state_words(game))
    if lane == 0:
        begin(game, slot, slot, launch, numbers, tree, leader)
        note_root(game, s, numbers, leader)
    else:
        thread.status = FINE
    while True:
        if lane == 0:
            leader.doing = lead(game, setup, s, numbers, tree, leader)
        barrier()
        doing = leader.doing
        if doing == END:
            break
        if doing == PLAY:
            play_share(game, setup, lane, numbers, tree, thread, leader)
        barrier()
        if lane == 0 and leader.status == FINE:
            if doing == PLAY:
                for player in range(numbers.sums):
                    leader.values[player] = average(leader.totals[player], numbers.playouts)
            back_up(setup, leader.ply, numbers, tree, leader)
            if setup.solver:
                prove(game, setup, leader.ply, numbers, tree, leader)
    if lane == 0:
        summarise(game, setup, s, numbers, tree, leader, summaries[slot])


@kernel
def lead(game, setup, s, numbers, tree, leader):
    """Go down the tree and note the leaf; what the block is to do."""
    number = next_number(setup, tree, leader)
    if number < 0:
        return END
    key = stream(leader.seed, number)
    leaf, ply, drawn = descend(game, setup, s, key, numbers, tree, leader)
    if leader.status != FINE:
        return END
    leader.key, leader.ply = key, ply
    if is_settled(game, setup, leaf, drawn, ply, numbers, tree, leader):
        return SETTLED
    for player in range(numbers.sums):
        leader.totals[player] = 0
    store_state(game, leader.leaf, 0, leaf)
    return PLAY


@kernel
def play_share(game, setup, lane, numbers, tree, thread, leader):
    """Make this thread's playouts from the leaf, and add them to those of the others."""
    leaf = load_state(game, leader.leaf, 0)
    for i in range(lane, numbers.playouts, LANES):
        key = leader.key if i == 0 else stream(leader.key, i)
        play_on(game, setup, leaf, key, numbers, tree, thread)
        if thread.status != FINE:
            leader.status = thread.status
        for player in range(numbers.sums):
            fetch_add(leader.totals, player, thread.values[player])
    return 0


# --- launches --------------------------------------------------------------------------------------------------------


class Batch:
    """Memory for so many searches at once. A GPU has a tree for each of them; on the CPU, where one follows the other,
    they use the same memory."""

    def __init__(self, sampling: Sampling, on: Any, count: int, capacity: int, history: Sequence[int] = ()) -> None:
        self.sampling, self.machine = sampling, on
        self.setup, self.numbers = sampling.setup_on(on.name), sampling.numbers(on, len(history))
        game, at_once = sampling.game, count if on.name == "cuda" else 1
        self.lanes = LANES if self.setup.together else 1
        self.trees = on.blocks(SearchTree, at_once)
        self.threads = on.blocks(ThreadMemory, at_once * self.lanes, game)
        self.summaries = on.blocks(Summary, count, game, self.setup)
        self.launched = launch = on.block(Launch)
        launch.spacing, launch.capacity = 1 if on.name == "cuda" else 0, capacity
        launch.key_words = sampling.key_words(len(history))
        launch.least, launch.greatest = sampling.first_ends
        launch.nodes = on.memory(at_once * capacity)
        launch.keys = on.memory(at_once * launch.key_words)
        self.history, self.states = on.memory(max(1, len(history))), on.memory(count * state_words(game))
        self.orders = on.memory(2 * count)
        launch.history, launch.states, launch.orders = self.history, self.states, self.orders
        on.write(self.history, 0, list(history))

    def search(self, states: Sequence[Any], seeds: Sequence[int], limits: Sequence[int], fresh: bool) -> list[Found]:
        """What is found in the trees after so many simulations each; they go on growing unless they are `fresh`."""
        self.order(states, seeds, limits)
        self.launch(len(states), fresh)
        return [found_in(summary) for summary in self._summaries(len(states))]

    def order(self, states: Sequence[Any], seeds: Sequence[int], limits: Sequence[int]) -> None:
        """Lay out what is to be searched."""
        self._write_states(states)
        orders = [x for pair in zip(map(signed, seeds), limits, strict=True) for x in pair]
        self.machine.write(self.orders, 0, orders)
        self.numbers.half = self.sampling.half

    def launch(self, count: int, fresh: bool) -> None:
        """Search as many of the trees that are laid out."""
        self.launched.fresh = int(fresh)
        self.machine.spread(self._kernel(), count * self.lanes, **self._arguments())

    def prepare(self) -> None:
        """Compile what is not compiled yet."""
        self.machine.prepare(self._kernel(), **self._arguments())

    def _kernel(self) -> Any:
        return search_block if self.setup.together else search_row

    def _arguments(self) -> dict[str, Any]:
        return {
            "game": self.sampling.game, "setup": self.setup, "launch": self.launched, "numbers": self.numbers,
            "trees": self.trees, "threads": self.threads, "summaries": self.summaries,
        }  # fmt: skip

    def _write_states(self, states: Sequence[Any]) -> None:
        from zermelo.compile.layout import flat, state_layout

        layout = state_layout(self.sampling.game)
        self.machine.write(self.states, 0, [word for s in states for word in flat(layout, s)])

    def _summaries(self, count: int) -> list[Any]:
        """The summaries of so many searches, fetched all at once."""
        if not isinstance(self.summaries, Rows):
            return self.summaries[:count]
        shape = self.summaries.shape
        here = Words(count * shape.size)
        here.fill(self.machine.read(self.summaries.words, 0, len(here)))
        rows = Rows(shape, here, count)
        return [rows[i] for i in range(count)]


def capacity_for(sampling: Sampling, simulations: int, most: int) -> int:
    """The words of nodes of a tree that is never full: each simulation opens one node. A whole tree has at most `most`
    words, and in any case those that a root needs."""
    block = 1 + sampling.game.max_actions * sampling.width
    least = sampling.width + block
    return max(least, min(most - HEAD, least + simulations * block))


class Launches:
    """Independent searches, as many in each launch as a machine has memory for."""

    def __init__(self, sampling: Sampling, on: Any, simulations: int, threads: int, megabytes: int) -> None:
        self.sampling, self.machine, self.simulations = sampling, on, simulations
        self.threads = 1 if on.name == "cuda" else threads
        most = (megabytes << 17) // self.threads
        self.capacity = capacity_for(sampling, simulations, most)
        self.portion = max(1, most // (self.capacity + HEAD)) if on.name == "cuda" else PORTION
        self.own = threading.local()

    def search(self, roots: list[Any]) -> list[Analysis]:
        """The answers for all of these states."""
        began = time.perf_counter()
        found: dict[int, tuple[Sampling, Found]] = {}
        left = [i for i, s in enumerate(roots) if not self.sampling.game.is_terminal(s)]
        elapsed = 0.0
        while left:
            trees, spent = self._launch(roots, left)
            elapsed += spent
            again = []
            for i, tree in zip(left, trees, strict=True):
                if tree.status == OUT_OF_RANGE:
                    again.append(i)
                self.sampling.refuse(tree.status)
                found[i] = self.sampling, tree
            # Nobody said how large utilities can be, and some were larger than thought.
            left, self.sampling = again, copy.copy(self.sampling)
            self.sampling.widen()
            self.own = threading.local()
        return [
            self._answer(*found[i], s, i, elapsed)
            if i in found
            else ended(self.sampling, s, time.perf_counter() - began, self.sampling.seed + i)
            for i, s in enumerate(roots)
        ]

    def _answer(self, sampling: Sampling, tree: Found, s: Any, i: int, elapsed: float) -> Analysis:
        return Answer(sampling, s, [tree]).analysis(
            line=tree.line, done=tree.visits, time=elapsed, device=self.machine.name, seed=sampling.seed + i
        )

    def _launch(self, roots: list[Any], which: list[int]) -> tuple[list[Found], float]:
        """What these searches found, and the time that they took together."""
        portions = [which[i : i + self.portion] for i in range(0, len(which), self.portion)]
        self._batch(len(portions[0])).prepare()
        began = time.perf_counter()

        def work(portion: list[int]) -> list[Found]:
            batch = self._batch(len(portions[0]))
            seeds, limits = [self.sampling.seed + i for i in portion], [self.simulations] * len(portion)
            return batch.search([roots[i] for i in portion], seeds, limits, fresh=True)

        if self.threads == 1 or len(portions) == 1:
            done = [work(portion) for portion in portions]
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                try:
                    done = list(pool.map(work, portions))
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
        return [tree for some in done for tree in some], time.perf_counter() - began

    def _batch(self, size: int) -> Batch:
        """The memory of this thread."""
        if not hasattr(self.own, "batch"):
            self.own.batch = Batch(self.sampling, self.machine, size, self.capacity)
        return self.own.batch


def on_gpu(
    sampling: Sampling, s: Any, history: list[int], limit: Limit, every: bool, trees: int, megabytes: int
) -> Iterator[Analysis]:
    """The answers of a search whose trees stay on the GPU from the first simulation to the last."""
    wanted = as_word(limit.simulations, NEVER)
    capacity = capacity_for(sampling, min(wanted, 1 << 40), (megabytes << 17) // trees)
    batch = Batch(sampling, machine("cuda"), trees, capacity, history)
    batch.prepare()
    began = time.perf_counter()
    end = began + (limit.time if limit.time is not None else math.inf)
    done, step = 0, 1
    while True:
        target = min(wanted, next_step(done) if every else wanted, done + step)
        started = time.perf_counter()
        limits = [target * (i + 1) // trees - target * i // trees for i in range(trees)]
        seeds = [sampling.seed + i * APART for i in range(trees)]
        found = batch.search([s] * trees, seeds, limits, fresh=done == 0)
        if any(tree.status == OUT_OF_RANGE for tree in found):
            sampling.widen()
            done = 0
            continue
        for tree in found:
            sampling.refuse(tree.status)
        spent = time.perf_counter() - started
        made = sum(tree.visits for tree in found)
        # A launch cannot be stopped, so it is no longer than a caller can wait.
        patience = min(GPU_STEP, max(0.0, end - time.perf_counter()))
        step = max(1, min(4 * step, int((made - done) * patience / max(spent, 1e-6))))
        done = made
        answer = Answer(sampling, s, found)
        over = done >= wanted or time.perf_counter() >= end or answer.is_proven
        if over or (every and done >= next_step(done - 1)):
            best = answer.action
            lines = [tree.line for tree in found if tree.line and tree.line[0] == best]
            line = () if best is None else lines[0] if lines else (best,)
            seconds = time.perf_counter() - began
            yield answer.analysis(line=line, done=done, time=seconds, device="cuda", seed=sampling.seed)
        if over:
            return
