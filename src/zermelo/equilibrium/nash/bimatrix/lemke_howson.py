"""Lemke and Howson's path: from the pair of zero vertices, by pairs that lack one label, to an equilibrium.

Ties are broken by an infinitesimal perturbation, so that no path runs in a circle (Lemke and Howson, 1964; von Stengel,
2002). Small games are walked in exact integers. In large ones floats find the path; its end is then computed and
verified exactly, and where that fails the path is walked again in integers.
"""

import random
import time
from typing import Any

from zermelo.arguments import is_whole
from zermelo.equilibrium.nash.bimatrix.bimatrix import Bimatrix
from zermelo.equilibrium.nash.bimatrix.tableau import SEED, Dictionary, FloatDictionary, Tie
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium
from zermelo.errors import BadParameter, UnsuitableGame

SMALL = 40
"""Games with at most so many actions in all are walked in integers."""
PATIENCE = 50
"""Steps that floats may take for each action of a large game."""
MOST_CELLS, MOST_ZERO_SUM_CELLS = 500_000, 100_000
"""The most cells of any table and of a zero-sum one: this mixes more actions, so its exact equations are larger."""


def from_labels(game: Bimatrix, label: int | None, *, exact: bool) -> Equilibria:
    """The equilibria at the ends of the paths from one label, or from every label, without repetition."""
    count = game.m + game.n
    if label is not None and not (is_whole(label) and 0 <= label < count):
        raise BadParameter(f"lemke_howson: label must be an integer from 0 to {count - 1}, or None, not {label!r}")
    require_size(game)
    found: dict[Any, Equilibrium] = {}
    for start in range(count) if label is None else [label]:
        answer = from_label(game, start, exact=exact)
        found.setdefault(answer.profile, answer)
    return Equilibria(found.values(), complete=False, note="there may be more: all=True finds all")


def require_size(game: Bimatrix) -> None:
    """Refuse a game whose exact solution would take minutes."""
    cells = game.m * game.n
    if cells > MOST_ZERO_SUM_CELLS and game.is_zero_sum:
        raise UnsuitableGame(f"a zero-sum game of {game.m} x {game.n} is too large for exact paths: use zero_sum")
    if cells > MOST_CELLS:
        raise UnsuitableGame(
            f"a game of {game.m} x {game.n} is too large for exact paths, which end at {MOST_CELLS:,} cells: "
            f"use pure_equilibria, or fictitious_play for an approximation"
        )


def from_label(game: Bimatrix, label: int, *, exact: bool) -> Equilibrium:
    """The equilibrium at the end of the path that gives up one label."""
    started = time.perf_counter()
    if game.m + game.n > SMALL:
        limit = PATIENCE * (game.m + game.n)
        try:
            steps, bases = _walk(game, label, FloatDictionary, limit)
            answer = _answer(game, bases, steps, exact, started)
        except (Tie, ArithmeticError):
            answer = None
        if answer is not None and answer.regret == 0:
            return answer
    attempt = 0
    while True:
        try:
            steps, bases = _walk(game, label, Dictionary, None, attempt)
        except Tie:
            attempt += 1
            continue
        return _answer(game, bases, steps, exact, started)


def _walk(game: Bimatrix, label: int, kind: Any, limit: int | None, attempt: int = 0) -> tuple[int, tuple[int, int]]:
    """How many steps the path has, and the bases at its end."""
    source = random.Random(SEED + attempt)
    tableaus = [kind(p, source.sample(range(1, 10**6 * p.labels), p.height)) for p in game.polytopes]
    side, entering, steps = int(label >= game.m), label, 0
    while True:
        at = tableaus[side]
        column = at.free.index(entering)
        row = at.leaving(column)
        entering = at.basic[row]
        at.pivot(row, column)
        steps += 1
        if entering == label:
            return steps, (tableaus[0].basis(), tableaus[1].basis())
        if limit is not None and steps > limit:
            raise Tie
        side = 1 - side


def _answer(game: Bimatrix, bases: tuple[int, int], steps: int, exact: bool, started: float) -> Equilibrium:
    x, y = (polytope.point(basis) for polytope, basis in zip(game.polytopes, bases, strict=True))
    if min(x) < 0 or min(y) < 0:
        raise Tie
    return game.equilibrium(
        x, y, method="Lemke-Howson", exact=exact, time=time.perf_counter() - started, iterations=steps
    )
