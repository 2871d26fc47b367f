"""Games that are hard for some method, built from dual cyclic polytopes."""

from collections.abc import Callable
from fractions import Fraction

from zermelo import Matrix


def dual_cyclic_game(d: int, label: Callable[[int], int]) -> Matrix:
    """The d x d game whose best-response polytopes are both dual to the cyclic polytope with 2d vertices.

    The facets of the first are labelled 1 to 2d in the order of the curve, facet k of the second has the label
    `label(k)` (von Stengel, New maximal numbers of equilibria in bimatrix games, 1999).
    """
    second = {label(k): k for k in range(1, 2 * d + 1)}
    columns = _constraints(d, list(range(1, d + 1)), list(range(d + 1, 2 * d + 1)))
    rows = _constraints(d, [second[d + j] for j in range(1, d + 1)], [second[i] for i in range(1, d + 1)])
    return Matrix(rows, [list(row) for row in zip(*columns, strict=True)])


def many_equilibria(k: int) -> int:
    """The labels of the games with the most equilibria."""
    return k + 1 if k % 2 else k - 1


def long_paths(k: int, d: int) -> int:
    """The labels of the games with the longest Lemke-Howson paths (Savani and von Stengel, 2006)."""
    if k in (1, d):
        return k
    return k + (-1) ** k if k < d else k - (-1) ** k


def _constraints(d: int, zero: list[int], tight: list[int]) -> list[list[Fraction]]:
    """C such that {x >= 0, Cx <= 1} is the polytope: x are the slacks of the facets `zero`, rows those of `tight`."""
    points = {t: [Fraction(t) ** power for power in range(1, d + 1)] for t in range(1, 2 * d + 1)}
    middle = [sum(p[i] for p in points.values()) / (2 * d) for i in range(d)]
    normals = {t: [a - b for a, b in zip(p, middle, strict=True)] for t, p in points.items()}
    # A facet is {z: normal z = 1}. Write each other normal as a sum of those of `zero`: c = sum of w_i c_i; then its
    # slack 1 - cz is 1 - sum w_i (1 - x_i), which is (1 - sum w_i) + sum w_i x_i.
    out = []
    for t in tight:
        weights = _solved([[normals[k][i] for k in zero] for i in range(d)], normals[t])
        free = 1 - sum(weights)
        out.append([-w / free for w in weights])
    return out


def _solved(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    work = [[*row, r] for row, r in zip(rows, right, strict=True)]
    size = len(work)
    for k in range(size):
        pivot = next(i for i in range(k, size) if work[i][k])
        work[k], work[pivot] = work[pivot], work[k]
        work[k] = [x / work[k][k] for x in work[k]]
        for i in range(size):
            if i != k:
                work[i] = [x - work[i][k] * y for x, y in zip(work[i], work[k], strict=True)]
    return [row[-1] for row in work]
