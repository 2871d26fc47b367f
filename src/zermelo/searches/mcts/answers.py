"""Answers read off trees: which move is to be played, the line that follows from it, what each first move is worth,
and how sure that is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.compile import kernel, machine
from zermelo.contract import CHANCE
from zermelo.exact import as_value
from zermelo.result import Analysis, Move
from zermelo.running.nodes import payoffs_at
from zermelo.searches.mcts.backing_up import is_won, sure_gain
from zermelo.searches.mcts.blocks import ACTION, FIRST, HEAD, LONGEST_LINE, PROVEN, ROOT, SUM, VISITS
from zermelo.searches.mcts.options import Sampling, as_float
from zermelo.searches.plain.rounding import is_finer_than_floats

CONFIDENCE = 0.05
"""An interval holds the true mean of the simulations but for this probability, by Hoeffding's inequality."""


# --- reading a tree ---------------------------------------------------------------------------------------------------


@kernel
def best_move(setup, mover, numbers, nodes):
    """Where the child of the root stands that is to be played: what is proven to be best, else the most visited that is
    not proven to be worse."""
    first = nodes[ROOT + FIRST]
    best, best_open, best_sure = first, 0, 0
    for i in range(nodes[first - 1]):
        child = first + i * numbers.width
        if is_ahead(setup, mover, child, best, numbers, nodes):
            best = child
        if setup.solver and nodes[child + PROVEN]:
            if best_sure == 0 or is_surer(setup, mover, child, best_sure, numbers, nodes):
                best_sure = child
        elif best_open == 0 or is_ahead(setup, mover, child, best_open, numbers, nodes):
            best_open = child
    if best_sure > 0:
        gain = sure_gain(setup, mover, best_sure, numbers, nodes)
        if best_open == 0 or (setup.bounded and not setup.several and is_won(mover, gain, numbers)):
            return best_sure
        if nodes[best + PROVEN] and nodes[best_open + VISITS] > 0:
            # A certain loss is not played while something else may be better.
            open_mean = mean_of(setup, mover, best_open, numbers, nodes)
            if open_mean > mean_of(setup, mover, best, numbers, nodes):
                return best_open
    return best


@kernel
def is_ahead(setup, mover, child, other, numbers, nodes):
    """Whether a child has more visits than another, or as many and a better mean."""
    more = nodes[child + VISITS] - nodes[other + VISITS]
    if more != 0:
        return more > 0
    return mean_of(setup, mover, child, numbers, nodes) > mean_of(setup, mover, other, numbers, nodes)


@kernel
def is_surer(setup, mover, child, other, numbers, nodes):
    """Whether a proven child is better than another, or as good and more visited."""
    one = sure_gain(setup, mover, child, numbers, nodes)
    two = sure_gain(setup, mover, other, numbers, nodes)
    return one > two or (one == two and nodes[child + VISITS] > nodes[other + VISITS])


@kernel
def mean_of(setup, mover, child, numbers, nodes):
    """What a child is worth to the player to move, in the tree's units: for certain, or on average."""
    side = -1.0 if mover == 1 and not setup.several else 1.0
    if setup.solver and nodes[child + PROVEN]:
        return side * nodes[child + numbers.exact_at + (mover if setup.several else 0)]
    value_at = numbers.others_at + mover - 1 if setup.several and mover > 0 else SUM
    return side * nodes[child + value_at] / (max(1, nodes[child + VISITS]) + 0.0)


@kernel
def write_line(game, s, node, nodes, width, line):
    """Write the actions from a child of the root, whose state is `s`, along the most visited way on; how many."""
    count = 0
    while True:
        line[count] = nodes[node + ACTION]
        s = game.result(s, nodes[node + ACTION])
        count += 1
        first = nodes[node + FIRST]
        if count == LONGEST_LINE or first <= 0 or game.to_move(s) == CHANCE:
            return count
        node = first
        for i in range(nodes[first - 1]):
            if nodes[first + i * width + VISITS] > nodes[node + VISITS]:
                node = first + i * width
        if nodes[node + VISITS] == 0:
            return count


@kernel
def summarise(game, setup, s, numbers, tree, thread, summary):
    """Copy what answers need from a tree whose root is `s`."""
    nodes, width = tree.nodes, numbers.width
    summary.status, summary.deepest, summary.capacity = thread.status, thread.deepest, tree.capacity
    summary.full, summary.finer = tree.full, tree.finer
    summary.least, summary.greatest = tree.least, tree.greatest
    summary.length = 0
    for i in range(width):
        summary.nodes[i] = nodes[ROOT + i]
    first = nodes[ROOT + FIRST]
    if first > 0:
        for i in range(1 + nodes[first - 1] * width):
            summary.nodes[width + i] = nodes[first - 1 + i]
        summary.nodes[ROOT + FIRST] = width + 1
        mover = game.to_move(s)
        if mover != CHANCE:
            node = best_move(setup, mover, numbers, nodes)
            summary.length = write_line(game, s, node, nodes, width, summary.line)
    return 0


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What was found in a tree, or in several with one root: its first nodes, and what is known of the whole."""

    nodes: list[Any]
    """The root, and its children behind it."""
    capacity: int
    full: bool
    finer: bool
    deepest: int
    least: int
    greatest: int
    line: tuple[int, ...] = ()
    status: int = 0

    @property
    def visits(self) -> int:
        """Simulations in all."""
        return self.nodes[ROOT + VISITS]

    def rows(self, width: int) -> list[int]:
        """Where the children of the root stand."""
        first = self.nodes[ROOT + FIRST]
        return [first + i * width for i in range(self.nodes[first - 1])] if first > 0 else []


def found_in(summary: Any) -> Found:
    """What a kernel has summed up."""
    return Found(
        nodes=summary.nodes[:], capacity=summary.capacity, full=bool(summary.full), finer=bool(summary.finer),
        deepest=summary.deepest, least=summary.least, greatest=summary.greatest, status=summary.status,
        line=tuple(summary.line[: summary.length]),
    )  # fmt: skip


class Answer:
    """What trees with the same root say together."""

    def __init__(self, sampling: Sampling, s: Any, trees: Sequence[Found]) -> None:
        self.sampling, self.state = sampling, s
        self.found = merged(sampling, trees)
        self.nodes = self.found.nodes
        self.mover = sampling.game.to_move(s)
        rows = self.found.rows(sampling.width)
        self.rows = {self.nodes[row + ACTION]: row for row in rows}
        if sampling.setup.solver:
            for row in [ROOT, *rows]:
                start = row + sampling.layout.exact_at + sampling.sums
                self.nodes[start : start + sampling.sums] = map(as_float, self.nodes[start : start + sampling.sums])
        self.finer = self.found.finer or is_finer_than_floats(sampling.game)

    @property
    def action(self) -> int | None:
        """The move to play."""
        if self.mover == CHANCE:
            return None
        numbers = self.sampling.numbers(machine("python"), 0)
        return self.nodes[best_move(self.sampling.setup, self.mover, numbers, self.nodes) + ACTION]

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is known for certain."""
        return self.sampling.is_sure(self.nodes, ROOT)

    def analysis(self, *, line: tuple[int, ...], done: int, time: float, device: str, seed: int) -> Analysis:
        """The answer for people; `line` begins with the action."""
        game, action = self.sampling.game, line[0] if line else None
        values = self.sampling.values_at(self.nodes, ROOT if action is None else self.rows[action])
        seen = [a for a in game.actions(self.state) if a in self.rows and self.nodes[self.rows[a] + VISITS]]
        size = (self.found.capacity + HEAD) * 8 >> 20
        return Analysis(
            value=values[0], values=values, action=action, line=line, moves={a: self._move(self.rows[a]) for a in seen},
            bound=self._bound(self.is_proven), nodes=done, depth=self.found.deepest, time=time, method="mcts",
            device=device, game=game, state=self.state, seed=seed,
            note=f"the tree is full ({size:,} MB) and grows no more; raise memory=" if self.found.full else "",
        )  # fmt: skip

    def _bound(self, sure: bool) -> str:
        """Proofs are made in floats."""
        return "exact" if sure and not self.finer else "estimate"

    def _move(self, row: int) -> Move:
        """A first move as answers show it."""
        sure, visits = self.sampling.is_sure(self.nodes, row), self.nodes[row + VISITS]
        values = self.sampling.values_at(self.nodes, row)
        value = values[0]
        low, high = (self.sampling.utility_of(end) for end in (self.found.least, self.found.greatest))
        reach = 0.0 if sure else (high - low) * math.sqrt(math.log(2 / CONFIDENCE) / (2 * visits))
        interval = (value, value) if sure else (max(low, value - reach), min(high, value + reach))
        bound = self._bound(sure)
        return Move(value, bound=bound, values=values, visits=visits, interval=interval)


def merged(sampling: Sampling, trees: Sequence[Found]) -> Found:
    """All trees as one: their visits and values added up."""
    grown = [found for found in trees if found.nodes[ROOT + FIRST] > 0]
    first = grown[0] if grown else trees[0]
    total = Found(
        nodes=list(first.nodes), capacity=first.capacity, full=any(found.full for found in trees),
        finer=any(found.finer for found in trees), deepest=max(found.deepest for found in trees),
        least=min(found.least for found in grown or trees[:1]),
        greatest=max(found.greatest for found in grown or trees[:1]),
    )  # fmt: skip
    # The children of the same root stand in the same order.
    for found in grown[1:]:
        for row in [ROOT, *found.rows(sampling.width)]:
            total.nodes[row + VISITS] += found.nodes[row + VISITS]
            for player in range(sampling.sums):
                at = row + sampling.sum_at(player)
                total.nodes[at] += found.nodes[at]
            if sampling.is_sure(found.nodes, row):
                exact = slice(row + sampling.layout.exact_at, row + sampling.layout.exact_at + 2 * sampling.sums)
                total.nodes[row + PROVEN] = 1
                total.nodes[exact] = found.nodes[exact]
    return total


def ended(sampling: Sampling, s: Any, time: float, seed: int) -> Analysis:
    """The answer where the game is over."""
    game = sampling.game
    values = tuple(map(as_value, payoffs_at(game, s)))
    return Analysis(
        value=values[0], values=values, action=None, line=(), moves={}, bound="exact", nodes=0, depth=0, time=time,
        method="mcts", device="python", game=game, state=s, seed=seed,
    )  # fmt: skip


def next_step(done: int) -> int:
    """The number of simulations after which a stream answers next: 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while True:
        for k in (1, 2, 5):
            if k * step > done:
                return k * step
        step *= 10
