"""Lemke's algorithm on the sequence form: an equilibrium of a game of two with any sums, in exact numbers.

Best answers to each other's plans are a linear complementarity problem as large as the tree (Koller, Megiddo and von
Stengel, 1996). Pivots are on integers, and ties are broken lexicographically, so that no path rounds or cycles. The
right-hand side may be a polynomial in an infinitesimal e: players then play every sequence with odds e^length at least,
and the limit is quasi-perfect (Miltersen and Sørensen, 2010).
"""

import time
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.forms.sequences import EMPTY, SequenceForm, best_plan, from_extensive, worth
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import UnsuitableGame

MOST_NODES = 20_000
MOST_ROWS = 600
"""A larger complementarity problem takes too long in exact numbers."""
OTHERS = "cfr, or sequence_form where the sums are zero"


def lemke(game: AnyGame, state: Any = None) -> Equilibrium:
    """An equilibrium of a game of two players with perfect recall, whatever payoffs sum to; all numbers are fractions.

    >>> from zermelo import game
    >>> found = lemke(game("kuhn_poker"))
    >>> found.values, found.regret
    ((Fraction(-1, 18), Fraction(1, 18)), Fraction(0, 1))
    """
    game = as_game(game)
    started = time.perf_counter()
    form = exact_form(game, state, "lemke")
    return answer(form, complementary_plans(form), "Lemke on the sequence form", started)


def exact_form(game: Game, state: Any, method: str) -> SequenceForm:
    """The sequence form in fractions of a game of two; UnsuitableGame where it does not fit or is too large."""
    require_game(game, method)
    if game.players != 2:
        raise UnsuitableGame(f"{method} is for two players; {game.name} has {game.players}: use nash")
    tree = extensive_form(game, state, most=MOST_NODES)
    tree.require_recall(method)
    form = from_extensive(tree)
    check_rows(form, method)
    return form


def check_rows(form: SequenceForm, method: str, instead: str = OTHERS) -> None:
    """Refuse a form that is too large for exact pivots."""
    rows = sum(form.counts) + 2 * sum(len(sets) + 1 for sets in form.sets)
    if rows > MOST_ROWS:
        raise UnsuitableGame(
            f"{method}: {form.game.name} makes {rows:,} equations, more than {MOST_ROWS}: use {instead}"
        )


def answer(
    form: SequenceForm, plans: Sequence[list[Fraction]], method: str, started: float, **more: Any
) -> Equilibrium:
    """Two plans as an equilibrium, with what each player could gain by its best response."""
    values, gains = [], []
    for player in (0, 1):
        pays = worth(form, player, plans[1 - player])
        value = sum((p * x for p, x in zip(plans[player], pays, strict=True)), Fraction(0))
        values.append(value)
        gains.append(best_plan(form.sets[player], pays)[0] - value)
    once = all(len(sets) == 1 for sets in form.sets)
    return Equilibrium(
        profile=tuple(tuple(plan[1:]) for plan in plans) if once else (),
        values=tuple(values),
        regret=max(gains),
        method=method,
        game=form.game,
        policy=more.pop("policy", None) or form.behaviour(plans),
        gains=tuple(gains),
        time=time.perf_counter() - started,
        **more,
    )


def complementary_plans(form: SequenceForm) -> tuple[list[Fraction], list[Fraction]]:
    """Plans of both players, each a best answer to the other."""
    mine, theirs = perturbed_plans(form, trembles=False)
    return [x[0] for x in mine], [y[0] for y in theirs]


Polynomial = list[Fraction]
"""Coefficients of 1, e, e², ..."""


def perturbed_plans(form: SequenceForm, *, trembles: bool) -> tuple[list[Polynomial], list[Polynomial]]:
    """Plans of both players as polynomials in e, equilibria for all small e > 0 where sequences have odds e^length."""
    lengths = [_lengths(form, player) for player in (0, 1)]
    degree = max(max(own) for own in lengths) if trembles else 0
    n, m = form.counts
    tables = [_costs(form, player) for player in (0, 1)]
    problem = _Tableau(form, tables, degree)
    if trembles:
        problem.shift(lengths)
    solution = problem.solve()
    plans = []
    for start, count, own in ((0, n, lengths[0]), (n, m, lengths[1])):
        plan = [solution.get(start + i, [Fraction(0)] * (degree + 1)) for i in range(count)]
        if trembles:
            for sequence in range(1, count):
                plan[sequence][own[sequence]] += 1
        plans.append(plan)
    return plans[0], plans[1]


def _lengths(form: SequenceForm, player: int) -> list[int]:
    """How many actions each sequence has."""
    out = [0] * form.counts[player]
    for own in form.sets[player]:
        for sequence in own.after:
            out[sequence] = out[own.before] + 1
    return out


def _costs(form: SequenceForm, player: int) -> dict[tuple[int, int], int]:
    """What each pair of sequences costs a player, in positive integers: scaled and shifted payoffs, their sign turned.

    The payoff of every end is shifted by one number times its odds, which shifts all plans' payoffs by that number.
    """
    most = max((x / p for x, p in zip(form.payoffs[player], form.odds, strict=True)), default=Fraction(0)) + 1
    costs: dict[tuple[int, int], Fraction] = {}
    for i, j, x, p in zip(form.rows, form.columns, form.payoffs[player], form.odds, strict=True):
        costs[i, j] = costs.get((i, j), Fraction(0)) + most * p - x
    scale = lcm(*(x.denominator for x in costs.values()))
    return {pair: int(x * scale) for pair, x in costs.items()}


class _Tableau:
    """The complementarity problem w = q + M z + d z0, w and z >= 0, w z = 0, as integers over a common divisor.

    z is (x, y, p', p'', q', q''): both plans, and what they hold each set to, split into positive and negative parts.
    Columns are those of w, of z, of z0 and the coefficients of q.
    """

    def __init__(self, form: SequenceForm, costs: list[dict[tuple[int, int], int]], degree: int) -> None:
        import numpy as np

        self.form, self.costs = form, costs
        n, m = form.counts
        h, k = len(form.sets[0]) + 1, len(form.sets[1]) + 1
        size = self.size = n + m + 2 * (h + k)
        self.start = n + m, n + m + 2 * h  # where the rows of player 0's and player 1's constraints begin
        table = self.table = np.zeros((size, 2 * size + 1 + degree + 1), dtype=object)
        table[range(size), range(size)] = 1
        table[:, 2 * size] = -1
        self.right = 2 * size + 1
        for (i, j), cost in costs[0].items():
            table[i, size + n + j] -= cost
        for (i, j), cost in costs[1].items():
            table[n + j, size + i] -= cost
        for player, offset in ((0, 0), (1, n)):
            self._constraints(player, offset)
        self.basis = list(range(size))
        self.divisor = 1

    def _constraints(self, player: int, offset: int) -> None:
        """Enter E x = e for a player whose sequences begin at `offset`."""
        sets, start = self.form.sets[player], self.start[player]
        half = len(sets) + 1
        rules = [(0, EMPTY, 1)]
        for number, own in enumerate(sets, start=1):
            rules += [(number, own.before, -1)] + [(number, sequence, 1) for sequence in own.after]
        for row, sequence, entry in rules:
            for sign, at in ((1, start + row), (-1, start + half + row)):
                self.table[at, self.size + offset + sequence] += sign * entry
                self.table[offset + sequence, self.size + at] -= sign * entry
        self.table[start, self.right] = 1
        self.table[start + half, self.right] = -1

    def shift(self, lengths: list[list[int]]) -> None:
        """Let each sequence but the empty one have odds e^length at least: z then counts what goes beyond that."""
        n = self.form.counts[0]
        for player, offset in ((0, 0), (1, n)):
            for sequence, length in enumerate(lengths[player]):
                if length:
                    self.table[:, self.right + length] -= self.table[:, self.size + offset + sequence]

    def solve(self) -> dict[int, Polynomial]:
        """The z that are not 0, by their place."""
        size = self.size
        row = self._least(range(size), 2 * size, -1)
        self.table[row] = -self.table[row]
        entering = self._pivot(row, 2 * size)
        while entering != 2 * size:
            column = (entering + size) % (2 * size)  # the complement of what has left
            candidates = [i for i in range(size) if self.table[i, column] > 0]
            if not candidates:
                raise UnsuitableGame(f"{self.form.game.name}: Lemke's algorithm ends in a ray; use cfr")
            entering = self._pivot(self._least(candidates, column, 1), column)
        return {
            place - size: [Fraction(x, self.divisor) for x in self.table[row, self.right :].tolist()]
            for row, place in enumerate(self.basis)
            if place >= size
        }

    def _least(self, rows: Sequence[int], column: int, sign: int) -> int:
        """The row whose (q, inverse of the basis), divided by its entry in the column, is least lexicographically."""
        table, left = self.table, list(rows)
        for at in (*range(self.right, table.shape[1]), *range(self.size)):
            if len(left) == 1:
                break
            shares = [Fraction(table[i, at], sign * table[i, column]) for i in left]
            least = min(shares)
            left = [i for i, share in zip(left, shares, strict=True) if share == least]
        return left[0]

    def _pivot(self, row: int, column: int) -> int:
        """Exchange the variable of a row for that of a column; return the one that leaves."""
        table, pivot = self.table, self.table[row, column]
        own = table[row].copy()
        factors = table[:, column].copy()
        factors[row] = 0
        changed = [i for i in range(self.size) if i != row]
        table[changed] = (table[changed] * pivot - factors[changed, None] * own[None, :]) // self.divisor
        self.divisor = pivot
        left, self.basis[row] = self.basis[row], column
        return left
