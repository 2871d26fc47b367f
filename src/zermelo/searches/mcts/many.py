"""Thousands of searches at once, for self-play and tournaments: one after the other on each core, or all on a GPU."""

import copy
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zermelo.arguments import limit_of, whole
from zermelo.compile import machine
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.result import Analysis, Limit
from zermelo.running.devices import on_best_machine
from zermelo.running.statuses import OUT_OF_RANGE
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.answers import Answer, ended
from zermelo.searches.mcts.batches import Batch, line_of, words_for
from zermelo.searches.mcts.options import MOST_THREADS, USUAL_LIMIT, Plan
from zermelo.searches.mcts.player import Mcts

PORTION = 64
"""Searches that a core takes at a time."""


def many(
    game: Game,
    states: Sequence[Any],
    *,
    limit: Limit | None = None,
    seed: int = 0,
    device: str = "auto",
    threads: int | None = None,
    memory: int = 4096,
    **options: Any,
) -> list[Analysis]:
    """The answers of independent searches from many states, in one launch.

    Search number i is `mcts(game, states[i], seed=seed + i, ...)` and takes the same options, but for `trees` and
    limits of time. On the CPU they are spread over `threads` (all cores), on a GPU each has a thread of its own, or a
    block of threads where a leaf is played more than once (`playouts`). `memory` are megabytes for all trees; what does
    not fit is searched afterwards.

    >>> from zermelo import Limit, game, mcts
    >>> tic = game("tic_tac_toe")
    >>> found = mcts.many(tic, [tic.initial()] * 3, limit=Limit(simulations=50), device="python")
    >>> [answer.nodes for answer in found]
    [50, 50, 50]
    """
    plan = Plan(game, seed, False, options)
    limit = limit_of(limit, "mcts", USUAL_LIMIT)
    if limit.time is not None or limit.simulations is None:
        raise BadParameter("mcts.many is limited by simulations: Limit(simulations=1000)")
    if threads is not None:
        whole("mcts: threads", threads, 1, MOST_THREADS)
    whole("mcts: memory", memory, 1)
    roots, simulations = [game.checked_state(s) for s in states], limit.simulations

    def run(on: str) -> list[Analysis]:
        if on != "python":
            return Launches(plan, machine(on), simulations, threads or cores(), memory).search(roots)
        players = (Mcts(game, seed=seed + i, device=on, **options) for i in range(len(roots)))
        return [player.search(s, limit) for player, s in zip(players, roots, strict=True)]

    return on_best_machine(game, "mcts.many", device, run)


class Launches:
    """How many searches are laid out on a machine."""

    def __init__(self, plan: Plan, on: Any, simulations: int, threads: int, megabytes: int) -> None:
        self.plan, self.machine, self.simulations = plan, on, simulations
        self.threads = 1 if on.name == "cuda" else threads
        most = (megabytes << 17) // self.threads
        self.capacity = words_for(plan, simulations, most)
        self.portion = max(1, most // self.capacity) if on.name == "cuda" else PORTION
        self.own = threading.local()

    def search(self, roots: list[Any]) -> list[Analysis]:
        """The answers for all of these states."""
        began = time.perf_counter()
        found: dict[int, tuple[Plan, list[int]]] = {}
        left = [i for i, s in enumerate(roots) if not self.plan.game.is_terminal(s)]
        elapsed = 0.0
        while left:
            summaries, spent = self._launch(roots, left)
            elapsed += spent
            again = []
            for i, words in zip(left, summaries, strict=True):
                if words[at.TROUBLE] == OUT_OF_RANGE:
                    again.append(i)
                self.plan.refuse(words[at.TROUBLE])
                found[i] = self.plan, words
            # Nobody said how large utilities can be, and some were larger than thought.
            left, self.plan = again, copy.copy(self.plan)
            self.plan.widen()
            self.own = threading.local()
        return [
            self._answer(*found[i], s, i, elapsed)
            if i in found
            else ended(self.plan, s, time.perf_counter() - began, self.plan.seed + i)
            for i, s in enumerate(roots)
        ]

    def _answer(self, plan: Plan, words: list[int], s: Any, i: int, elapsed: float) -> Analysis:
        return Answer(plan, s, [words]).analysis(
            line=line_of(words), done=words[at.ROOT + at.VISITS], time=elapsed, device=self.machine.name,
            seed=plan.seed + i,
        )  # fmt: skip

    def _launch(self, roots: list[Any], which: list[int]) -> tuple[list[list[int]], float]:
        """The summaries of these searches, and the time that they took together."""
        portions = [which[i : i + self.portion] for i in range(0, len(which), self.portion)]
        self._batch(len(portions[0])).prepare()
        began = time.perf_counter()

        def work(portion: list[int]) -> list[list[int]]:
            batch = self._batch(len(portions[0]))
            seeds, limits = [self.plan.seed + i for i in portion], [self.simulations] * len(portion)
            return batch.search([roots[i] for i in portion], seeds, limits, fresh=True)

        if self.threads == 1 or len(portions) == 1:
            done = [work(portion) for portion in portions]
        else:
            with ThreadPoolExecutor(self.threads) as crew:
                try:
                    done = list(crew.map(work, portions))
                except BaseException:
                    crew.shutdown(cancel_futures=True)
                    raise
        return [words for some in done for words in some], time.perf_counter() - began

    def _batch(self, size: int) -> Batch:
        """The memory of this thread."""
        if not hasattr(self.own, "batch"):
            self.own.batch = Batch(self.plan, self.machine, size, self.capacity)
        return self.own.batch


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
