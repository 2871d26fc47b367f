"""Two-player tables as integers, their best-response polytopes, and equilibria with their exact regret as answers.

For the mixed strategies x of one player and the payoffs of the other, made positive, the polytope is {x >= 0, Cx <= 1},
with one row of C for each action of the other. Its vertices, other than 0, are mixed strategies with as many best
responses and unused actions together as x has entries: the labels of the vertex. The label of an action of
the first player is its number; those of the second player's actions follow.
"""

import operator
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Any

from zermelo.contract import Game
from zermelo.equilibrium.policies.equilibrium import Equilibrium, behaviour_of
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

Vertices = dict[int, int]
"""For each vertex, known by the set of all its labels in bits, the labels of one basis of it."""


class Polytope:
    """The polytope {x >= 0, Cx <= 1} of a positive integer matrix; labels start from `shift` at x[0] and wrap."""

    def __init__(self, constraints: Sequence[Sequence[int]], shift: int) -> None:
        self.constraints = constraints
        self.height, self.width, self.shift = len(constraints), len(constraints[0]), shift

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return self.height + self.width

    def label(self, variable: int) -> int:
        """The label of a variable: an entry of x or, after these, a slack."""
        return (variable + self.shift) % self.labels

    def point(self, basis: int) -> list[int]:
        """The vertex of a basis, times some positive integer.

        >>> Polytope([[1, 2], [2, 1]], 0).point(0b1100)
        [1, 1]
        """
        whole, width = self.labels, self.width
        # The labels in the order of the variables: first those of x.
        turned = (basis >> self.shift | basis << whole - self.shift) & (1 << whole) - 1
        used = [i for i in range(width) if not turned >> i & 1]
        rows = [row for j, row in enumerate(self.constraints, width) if turned >> j & 1]
        solved = solution([[row[i] for i in used] for row in rows])
        if solved is None:
            raise ArithmeticError("no basis: its equations depend on each other")
        out = [0] * width
        for i, x in zip(used, solved[0], strict=True):
            out[i] = x
        return out


def solution(rows: list[list[int]]) -> tuple[list[int], int] | None:
    """The numerators and the common denominator of the solution of equations with right-hand sides 1; None if singular.

    Elimination without fractions: every entry is a determinant of the matrix, so that all divisions come out even.

    >>> solution([[2, 1], [1, 3]])
    ([2, 1], 5)
    """
    size = len(rows)
    work = [[*row, 1] for row in rows]
    before = 1
    for k in range(size):
        chosen = k
        while not work[chosen][k]:
            chosen += 1
            if chosen == size:
                return None
        work[k], work[chosen] = work[chosen], work[k]
        top = work[k]
        pivot = top[k]
        for i in range(k + 1, size):
            row = work[i]
            factor = row[k]
            for j in range(k + 1, size + 1):
                row[j] = (pivot * row[j] - factor * top[j]) // before
        before = pivot
    solved = [0] * size
    for k in reversed(range(size)):
        row = work[k]
        total = before * row[size] - sum([row[j] * solved[j] for j in range(k + 1, size)])
        solved[k] = total // row[k]
    return ([-x for x in solved], -before) if before < 0 else (solved, before)


def too_large(polytope: Polytope, most: int) -> UnsuitableGame:
    """The refusal of a polytope with too many vertices."""
    return UnsuitableGame(
        f"the best-response polytope of this game of {polytope.height} and {polytope.width} actions has more than "
        f"{most:,} vertices: too many to find all equilibria; nash without all=True finds one, lemke_howson some"
    )


def vertex_bound(width: int, height: int) -> int:
    """The most vertices that a polytope can have, by its unknowns and its constraints beyond x >= 0 (McMullen).

    >>> vertex_bound(2, 2), vertex_bound(6, 6)
    (4, 112)
    """
    facets = width + height
    return comb(facets - (width + 1) // 2, height) + comb(facets - (width + 2) // 2, height)


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
            policy=behaviour_of(self.table, self.game, profile), gains=tuple(gains), iterations=iterations, time=time,
        )  # fmt: skip


def _weighed(rows: Sequence[Sequence[int]], weights: Sequence[int]) -> list[int]:
    """The rows' products with weights."""
    used = [(i, w) for i, w in enumerate(weights) if w]
    return [sum([row[i] * w for i, w in used]) for row in rows]
