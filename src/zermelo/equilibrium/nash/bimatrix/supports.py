"""Support enumeration: every vertex of the two polytopes by brute force, one small system of equations after the other.

This is the plain method with which the others are compared. A vertex that uses k actions makes k actions of the other
player best responses, whose equations determine it.
"""

import itertools
import time
from math import comb

from zermelo.equilibrium.nash.bimatrix.bimatrix import Bimatrix, Polytope, Vertices, solution
from zermelo.equilibrium.nash.bimatrix.enumeration import listed
from zermelo.equilibrium.policies.equilibrium import Equilibria
from zermelo.errors import UnsuitableGame

MOST_SUPPORTS = 500_000


def by_supports(game: Bimatrix, *, exact: bool) -> Equilibria:
    """All extreme equilibria, found by their supports."""
    count = comb(game.m + game.n, game.m)
    if count > MOST_SUPPORTS:
        raise UnsuitableGame(
            f"a {game.m} x {game.n} game has {count:,} pairs of supports, more than {MOST_SUPPORTS:,}: "
            f"use vertex_enumeration"
        )
    started = time.perf_counter()
    first, second = (_vertices(polytope) for polytope in game.polytopes)
    return listed(game, first, second, method="support enumeration", exact=exact, started=started)


def _vertices(polytope: Polytope) -> Vertices:
    """All vertices, 0 first."""
    found: Vertices = {}
    for size in range(min(polytope.width, polytope.height) + 1):
        for used in itertools.combinations(range(polytope.width), size):
            for tight in itertools.combinations(range(polytope.height), size):
                vertex = _vertex(polytope, used, tight)
                if vertex is not None:
                    found.setdefault(*vertex)
    return found


def _vertex(polytope: Polytope, used: tuple[int, ...], tight: tuple[int, ...]) -> tuple[int, int] | None:
    """The labels and a basis of the vertex where these rows are tight and other unknowns zero, if there is one."""
    rows = polytope.constraints
    solved = solution([[rows[j][i] for i in used] for j in tight])
    if solved is None or min(solved[0], default=0) < 0:
        return None
    x, one = solved
    slacks = [one - sum(row[i] * p for i, p in zip(used, x, strict=True)) for row in rows]
    if min(slacks) < 0:
        return None
    width = polytope.width
    basis = {i for i in range(width) if i not in used} | {width + j for j in tight}
    zeros = {i for i, p in zip(used, x, strict=True) if p == 0} | {width + j for j, s in enumerate(slacks) if s == 0}
    return _bits(polytope, basis | zeros), _bits(polytope, basis)


def _bits(polytope: Polytope, variables: set[int]) -> int:
    return sum(1 << polytope.label(v) for v in variables)
