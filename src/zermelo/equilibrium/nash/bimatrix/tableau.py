"""Tableaus of a best-response polytope: in integers, where nothing is rounded, and in floats.

Ties are broken by an infinitesimal perturbation of the right-hand side.
"""

from zermelo.equilibrium.nash.bimatrix.bimatrix import Polytope

SEED = 1913
"""The seed of the perturbations."""
TINY, TIE = 1e-9, 1e-9
"""A float below this does not serve as a pivot; ratios that are as near to each other are taken for equal."""


class Tie(Exception):
    """Two rows stay equal under the perturbation."""


class Dictionary:
    """A tableau of integers over one common denominator, with the right-hand side and its perturbation at the end."""

    def __init__(self, polytope: Polytope, perturbation: list[int]) -> None:
        self.rows = [[*row, 1, moved] for row, moved in zip(polytope.constraints, perturbation, strict=True)]
        self.basic = [polytope.label(polytope.width + j) for j in range(polytope.height)]
        self.free = [polytope.label(i) for i in range(polytope.width)]
        self.denominator = 1

    def pivot(self, row: int, column: int) -> None:
        """Exchange a row and a column: Edmonds' integer pivoting, in which every division comes out even."""
        top, old = self.rows[row], self.denominator
        pivot = top[column]
        for i, line in enumerate(self.rows):
            if i != row:
                factor = line[column]
                new = [(pivot * x - factor * t) // old for x, t in zip(line, top, strict=True)] if factor else [
                    pivot * x // old for x in line
                ]  # fmt: skip
                new[column] = -factor
                self.rows[i] = new
        top[column] = old
        if pivot < 0:
            self.rows = [[-x for x in line] for line in self.rows]
        self.denominator = abs(pivot)
        self.basic[row], self.free[column] = self.free[column], self.basic[row]

    def leaving(self, column: int) -> int:
        """The row whose variable reaches zero first when that of a column grows."""
        best = -1
        for i, line in enumerate(self.rows):
            entry = line[column]
            if entry <= 0:
                continue
            if best >= 0:
                other = self.rows[best]
                order = line[-2] * other[column] - other[-2] * entry or line[-1] * other[column] - other[-1] * entry
                if order == 0:
                    raise Tie
                if order > 0:
                    continue
            best = i
        return best

    def basis(self) -> int:
        """The labels of the columns as a set of bits."""
        return sum(1 << label for label in self.free)

    def labels(self) -> int:
        """The labels of the vertex: those of the columns, and of the rows that are zero."""
        return self.basis() | sum(1 << self.basic[i] for i, line in enumerate(self.rows) if not line[-2])

    def go_to(self, basis: int) -> None:
        """Pivot to another basis."""
        while True:
            columns = [c for c, label in enumerate(self.free) if not basis >> label & 1]
            rows = [r for r, label in enumerate(self.basic) if basis >> label & 1]
            if not columns:
                return
            self.pivot(*next((r, c) for r in rows for c in columns if self.rows[r][c]))


class FloatDictionary:
    """A tableau of floats, with the right-hand side and its perturbation at the end."""

    def __init__(self, polytope: Polytope, perturbation: list[int]) -> None:
        import numpy as np

        largest = max(max(row) for row in polytope.constraints)
        scaled = np.array([[x / largest for x in row] for row in polytope.constraints])
        moved = np.array(perturbation, dtype=float) / max(perturbation)
        self.rows = np.column_stack([scaled, np.ones(polytope.height), moved])
        self.basic = [polytope.label(polytope.width + j) for j in range(polytope.height)]
        self.free = [polytope.label(i) for i in range(polytope.width)]

    def pivot(self, row: int, column: int) -> None:
        """Exchange a row and a column."""
        import numpy as np

        factors = self.rows[:, column].copy()
        self.rows[:, column] = 0.0
        self.rows[row, column] = 1.0
        self.rows[row] /= factors[row]
        factors[row] = 0.0
        self.rows -= np.outer(factors, self.rows[row])
        self.basic[row], self.free[column] = self.free[column], self.basic[row]

    def leaving(self, column: int) -> int:
        """The row whose variable reaches zero first when that of a column grows."""
        import numpy as np

        entries = self.rows[:, column]
        fit = np.flatnonzero(entries > TINY)
        if not len(fit):
            raise Tie
        ratios = self.rows[fit, -2] / entries[fit]
        near = fit[ratios <= ratios.min() + TIE * (1 + abs(ratios.min()))]
        return int(near[np.argmin(self.rows[near, -1] / entries[near])])

    def basis(self) -> int:
        """The labels of the columns as a set of bits."""
        return sum(1 << label for label in self.free)
