"""Answers read off trees: what each first move is worth, which is to be played, and how sure that is."""

import math
from collections.abc import Sequence
from typing import Any

from zermelo.contract import CHANCE
from zermelo.exact import as_value
from zermelo.result import Analysis, Move
from zermelo.running.nodes import payoffs_at
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.choosing import best_move
from zermelo.searches.mcts.options import Plan, as_float
from zermelo.searches.plain.rounding import is_finer_than_floats

CONFIDENCE = 0.05
"""An interval holds the true mean of the simulations but for this probability, by Hoeffding's inequality."""


class Answer:
    """What summaries of trees with the same root say together."""

    def __init__(self, plan: Plan, s: Any, summaries: Sequence[list[int]]) -> None:
        self.plan, self.state = plan, s
        self.words: list[Any] = list(merged(plan, summaries))
        self.mover = plan.game.to_move(s)
        first = self.words[at.ROOT + at.FIRST]
        rows = [first + i * plan.width for i in range(self.words[first - 1])] if first > 0 else []
        self.rows = {self.words[row + at.ACTION]: row for row in rows}
        if plan.options.solver:
            for row in [at.ROOT, *rows]:
                start = row + plan.exact_at + plan.sums
                self.words[start : start + plan.sums] = [as_float(x) for x in self.words[start : start + plan.sums]]
        self.finer = any(summary[at.FINER] for summary in summaries) or is_finer_than_floats(plan.game)
        self.full = any(summary[at.FULL] for summary in summaries)
        self.deepest = max(summary[at.DEPTH] for summary in summaries)

    @property
    def action(self) -> int | None:
        """The move to play."""
        if self.mover == CHANCE:
            return None
        plan = self.plan
        work = plan.work(False, 0, 0, 0, 0)
        child = best_move(plan.options.solver, plan.sums > 1, self.mover, self.words, work)
        return self.words[child + at.ACTION]

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is known for certain."""
        return self.plan.options.solver and bool(self.words[at.ROOT + at.PROVEN])

    def analysis(self, *, line: tuple[int, ...], done: int, time: float, device: str, seed: int) -> Analysis:
        """The answer for people; `line` begins with the action."""
        game, action = self.plan.game, line[0] if line else None
        values = self.plan.values_at(self.words, at.ROOT if action is None else self.rows[action])
        seen = [a for a in game.actions(self.state) if a in self.rows and self.words[self.rows[a] + at.VISITS]]
        size = self.words[at.CAPACITY] * 8 >> 20
        return Analysis(
            value=values[0], values=values, action=action, line=line, moves={a: self._move(self.rows[a]) for a in seen},
            bound=self._bound(self.is_proven), nodes=done, depth=self.deepest, time=time, method="mcts",
            device=device, game=game, state=self.state, seed=seed,
            note=f"the tree is full ({size:,} MB) and grows no more; raise memory=" if self.full else "",
        )  # fmt: skip

    def _bound(self, sure: bool) -> str:
        """Proofs are made in floats."""
        return "exact" if sure and not self.finer else "estimate"

    def _move(self, row: int) -> Move:
        """A first move as answers show it."""
        sure, visits = self.plan.is_sure(self.words, row), self.words[row + at.VISITS]
        values = self.plan.values_at(self.words, row)
        value = values[0]
        low, high = (self.plan.utility_of(self.words[end]) for end in (at.LEAST, at.GREATEST))
        reach = 0.0 if sure else (high - low) * math.sqrt(math.log(2 / CONFIDENCE) / (2 * visits))
        interval = (value, value) if sure else (max(low, value - reach), min(high, value + reach))
        bound = self._bound(sure)
        return Move(value, bound=bound, values=values, visits=visits, interval=interval)


def merged(plan: Plan, summaries: Sequence[list[int]]) -> list[int]:
    """One summary of all: their visits and values added up."""
    grown = [words for words in summaries if words[at.ROOT + at.FIRST] > 0]
    if len(grown) <= 1:
        return grown[0] if grown else summaries[0]
    total = list(grown[0])
    for words in grown[1:]:
        total[at.LEAST] = min(total[at.LEAST], words[at.LEAST])
        total[at.GREATEST] = max(total[at.GREATEST], words[at.GREATEST])
        # The children of the same root stand in the same order.
        first = words[at.ROOT + at.FIRST]
        for row in [at.ROOT, *(first + i * plan.width for i in range(words[first - 1]))]:
            total[row + at.VISITS] += words[row + at.VISITS]
            for player in range(plan.sums):
                total[row + plan.sum_at(player)] += words[row + plan.sum_at(player)]
            if plan.options.solver and words[row + at.PROVEN]:
                exact = plan.exact_at
                total[row + at.PROVEN] = 1
                total[row + exact : row + exact + 2 * plan.sums] = words[row + exact : row + exact + 2 * plan.sums]
    return total


def ended(plan: Plan, s: Any, time: float, seed: int) -> Analysis:
    """The answer where the game is over."""
    game = plan.game
    values = tuple(map(as_value, payoffs_at(game, s)))
    return Analysis(
        value=values[0], values=values, action=None, line=(), moves={}, bound="exact", nodes=0, depth=0, time=time,
        method="mcts", device="python", game=game, state=s, seed=seed,
    )  # fmt: skip
