"""Two-player tables as integers, and equilibria with their exact regret as answers."""

import operator
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from zermelo.contract import Game
from zermelo.equilibrium.forms.forgetting import ANY
from zermelo.equilibrium.forms.normal import NormalForm
from zermelo.equilibrium.nash.bimatrix.polytope import Polytope
from zermelo.equilibrium.nash.equilibrium import Behaviour, Equilibrium
from zermelo.matrix import UNKNOWN, Matrix


class Payoffs:
    """One player's exact payoffs as positive integers: scale * payoff + shift."""

    def __init__(self, numbers: Sequence[Sequence[Any]]) -> None:
        self.scale = 1
        if any(type(x) is not int for row in numbers for x in row):
            self.scale = lcm(*(x.denominator for row in numbers for x in row))
            numbers = [[x.numerator * (self.scale // x.denominator) for x in row] for row in numbers]
        self.shift = 1 - min(min(row) for row in numbers)
        self.rows = [[x + self.shift for x in row] for row in numbers]


class Bimatrix:
    """A two-player table in integers, with the game that it came from."""

    def __init__(self, table: Matrix, game: Game) -> None:
        self.table, self.game = table, game
        self.m, self.n = table.shape
        cells = table.exact_cells
        columns = range(self.n)
        self.first = Payoffs([[cells[i * self.n + j][0] for j in columns] for i in range(self.m)])
        self.second = Payoffs([[cells[i * self.n + j][1] for j in columns] for i in range(self.m)])

    @cached_property
    def polytopes(self) -> tuple[Polytope, Polytope]:
        """The best-response polytopes: of the first player's strategies, and of the second's."""
        return Polytope(self.columns, 0), Polytope(self.first.rows, self.m)

    @cached_property
    def columns(self) -> list[list[int]]:
        """The second player's payoffs, column by column."""
        return [list(column) for column in zip(*self.second.rows, strict=True)]

    @property
    def is_zero_sum(self) -> bool:
        """Whether the payoffs of all cells have the same sum."""
        sums = (
            a * self.second.scale + b * self.first.scale
            for row, other in zip(self.first.rows, self.second.rows, strict=True)
            for a, b in zip(row, other, strict=True)
        )
        first = next(sums)
        return all(x == first for x in sums)

    def equilibrium(
        self, x: Sequence[int], y: Sequence[int], *, method: str, exact: bool, time: float,
        iterations: int | None = None,
    ) -> Equilibrium:  # fmt: skip
        """The answer for two strategies, given as probabilities times integers, with its exact regret."""
        left, right = sum(x), sum(y)
        ratio: Any = Fraction if exact else operator.truediv
        gains, values = [], []
        for payoffs, rows, own, other in ((self.first, self.first.rows, x, y), (self.second, self.columns, y, x)):
            worth = _weighed(rows, other)
            played = sum([p * w for p, w in zip(own, worth, strict=True) if p])
            whole = left * right * payoffs.scale
            gains.append(ratio(max(worth) * sum(own) - played, whole))
            values.append(ratio(played - payoffs.shift * left * right, whole))
        profile = tuple([ratio(p, left) for p in x]), tuple([ratio(q, right) for q in y])
        return Equilibrium(
            profile=profile, values=tuple(values), regret=max(gains), method=method, game=self.game,
            policy=behaviour(self.table, self.game, profile), gains=tuple(gains), iterations=iterations, time=time,
        )  # fmt: skip


def _weighed(rows: Sequence[Sequence[int]], weights: Sequence[int]) -> list[int]:
    """The rows' products with weights."""
    used = [(i, w) for i, w in enumerate(weights) if w]
    return [sum([row[i] * w for i, w in used]) for row in rows]


def behaviour(table: Matrix, game: Game, profile: Sequence[Sequence[Any]]) -> Behaviour | None:
    """How all play who mix their strategies of the table with these odds; None where somebody forgets.

    At information sets that a player's own strategy never reaches, all actions have the same odds.
    """
    if not isinstance(table, NormalForm):
        return Behaviour(game, {(p, UNKNOWN): {i: q for i, q in enumerate(own) if q} for p, own in enumerate(profile)})
    if not table.form.perfect_recall:
        return None
    choose: dict[Any, Any] = {}
    for player, odds in enumerate(profile):
        own = table.form.sets_of(player)
        place = {s.number: i for i, s in enumerate(own)}
        used = [(plan, q) for plan, q in zip(table.plans[player], odds, strict=True) if q]
        for i, s in enumerate(own):
            weights: list[Any] = [0] * len(s.actions)
            for plan, q in used:
                if plan[i] != ANY and _reaches(table, plan, place, s.before):
                    weights[plan[i]] += q
            total = sum(weights)
            one = Fraction(1, len(s.actions)) if isinstance(sum(odds), Fraction) else 1 / len(s.actions)
            choose[player, s.view] = {a: w / total if total else one for a, w in zip(s.actions, weights, strict=True)}
    return Behaviour(game, choose)


def _reaches(table: NormalForm, plan: Sequence[int], place: dict[int, int], before: tuple[int, int]) -> bool:
    """Whether a plan takes all own decisions that lead to an information set."""
    while before[0] in place:
        if plan[place[before[0]]] != before[1]:
            return False
        before = table.form.sets[before[0]].before
    return True
