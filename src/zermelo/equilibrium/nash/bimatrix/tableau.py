"""The vertices of a polytope in exact integers: the same walk as the native one, slower and without any rounding."""

import random

from zermelo.equilibrium.nash.bimatrix.polytope import Polytope, too_large

SEED = 1913
ATTEMPTS = 20


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


def exact_bases(polytope: Polytope, most: int) -> list[tuple[int, int]]:
    """The labels and the basis of every vertex of the perturbed polytope, as sets of bits; that of 0 first."""
    source = random.Random(SEED)
    for attempt in range(1, ATTEMPTS + 1):
        perturbation = source.sample(range(1, 1000 * 10**attempt * polytope.labels), polytope.height)
        try:
            found = _walk(polytope, Dictionary(polytope, perturbation), most)
            return [(labels, basis) for basis, labels in found.items()]
        except Tie:
            continue
    raise AssertionError("no perturbation breaks all ties")


def _walk(polytope: Polytope, at: Dictionary, most: int) -> dict[int, int]:
    found: dict[int, int] = {}
    ends: dict[int, int] = {}
    """For each ridge with one end known, that end."""
    while True:
        basis = at.basis()
        found[basis] = at.labels()
        if len(found) > most:
            raise too_large(polytope, most)
        column = -1
        for c, label in enumerate(at.free):
            ridge = basis ^ 1 << label
            if ends.pop(ridge, None) is None:
                ends[ridge] = basis
                column = c
        if column < 0:
            if not ends:
                return found
            ridge, end = next(reversed(ends.items()))
            at.go_to(end)
            column = at.free.index((end ^ ridge).bit_length() - 1)
        at.pivot(at.leaving(column), column)
