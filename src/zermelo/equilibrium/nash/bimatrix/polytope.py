"""Best-response polytopes.

For the mixed strategies x of one player and the payoffs of the other, made positive, the polytope is {x >= 0, Cx <= 1},
with one row of C for each action of the other. Its vertices, other than 0, are mixed strategies with as many best
responses and unused actions together as x has entries: the labels of the vertex. A row's label is the number of the
first player's action, or behind them that of the second's.
"""

from collections.abc import Sequence
from math import comb

from zermelo.errors import UnsuitableGame

Vertices = dict[int, int]
"""For each vertex, known by the set of all its labels in bits, the labels of one basis of it."""


class Polytope:
    """The polytope {x >= 0, Cx <= 1} of a positive integer matrix; the label of x[0] is `shift`, then they go round."""

    def __init__(self, constraints: Sequence[Sequence[int]], shift: int) -> None:
        self.constraints = constraints
        self.height, self.width, self.shift = len(constraints), len(constraints[0]), shift

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return self.height + self.width

    def label(self, variable: int) -> int:
        """The label of an entry of x, or behind those of a slack."""
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
