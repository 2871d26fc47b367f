"""Linear programs that are solved in floating point and then certified in fractions.

HiGHS finds where the optimum is: which variables are positive, which rows are tight. That is enough to compute the
optimum and its dual prices exactly, and both together prove each other. Where rounding misled HiGHS, a small program
is solved once more by the simplex method in fractions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.equilibrium.arithmetic.rational import unique_solution
from zermelo.errors import UnsuitableGame

ROUNDING = 1e-9
MOST_EXACT = 300
"""The most unknowns for which equations are solved in fractions."""
MOST_SIMPLEX = 10_000
"""The most entries of a table that the simplex method walks over in fractions."""

Row = Mapping[int, Any]
"""The numbers of one row that are not zero, by variable."""


@dataclass(frozen=True)
class Optimum:
    """The best that a linear program allows, and the prices that prove it."""

    value: Any
    variables: list[Any]
    prices: list[Any]
    """What one more unit on the right of each inequality is worth."""
    rates: list[Any]
    """What one more unit on the right of each equation is worth."""
    exact: bool
    """Whether all numbers are fractions, and proven."""


class Program:
    """Maximise a sum subject to rows; variables are at least 0, save for those that are free."""

    def __init__(self, variables: int, free: Iterable[int] = ()) -> None:
        self.variables = variables
        self.free = set(free)
        self.upper: list[tuple[Row, Any]] = []
        self.equal: list[tuple[Row, Any]] = []

    def add_free(self) -> int:
        """The number of a new variable that may have any sign."""
        self.free.add(self.variables)
        self.variables += 1
        return self.variables - 1

    def at_most(self, row: Row, bound: Any = 0) -> None:
        """Require that a sum is at most `bound`."""
        self.upper.append((row, bound))

    def equals(self, row: Row, bound: Any) -> None:
        """Require that a sum is `bound`."""
        self.equal.append((row, bound))

    def maximise(self, aim: Row, *, exact: bool = True) -> Optimum:
        """The optimum: in fractions where `exact` and the program is not too large, else in floats."""
        found = self._floats(aim)
        if not exact and found is not None:
            return found
        proven = None if found is None else self._proven(aim, found)
        if proven is not None:
            return proven
        rows, columns = len(self.upper) + len(self.equal), self.variables + len(self.free)
        if rows * (columns + len(self.upper) + rows) <= MOST_SIMPLEX:
            return _Simplex(self, aim).solve()
        if found is None:
            raise UnsuitableGame("a linear program has no solution, or none that floating point can find")
        return found

    def _floats(self, aim: Row) -> Optimum | None:
        """The optimum as HiGHS finds it; None where it finds none."""
        from scipy.optimize import linprog

        size = max((abs(float(x)) for x in aim.values()), default=0.0) or 1.0
        costs = [0.0] * self.variables
        for column, x in aim.items():
            costs[column] = -float(x) / size
        upper, limits, scales = _matrix(self.upper, self.variables)
        equal, right, sizes = _matrix(self.equal, self.variables)
        bounds = [(None if i in self.free else 0.0, None) for i in range(self.variables)]
        found = linprog(costs, upper, limits, equal, right, bounds, method="highs-ds")
        if not found.success:
            return None
        prices = [-float(p) * size / s for p, s in zip(found.ineqlin.marginals, scales, strict=True)]
        rates = [-float(p) * size / s for p, s in zip(found.eqlin.marginals, sizes, strict=True)]
        return Optimum(-float(found.fun) * size + 0.0, [float(x) for x in found.x], prices, rates, False)

    def _proven(self, aim: Row, found: Optimum) -> Optimum | None:
        """The optimum `found` in fractions, if its variables and prices prove each other."""
        used = {i for i, x in enumerate(found.variables) if abs(x) > ROUNDING}
        tight = [(row, bound) for row, bound in self.upper if _slack(row, bound, found.variables) <= ROUNDING]
        priced = [i for i, price in enumerate([*found.prices, *found.rates]) if abs(price) > ROUNDING]
        if max(len(used), len(priced)) > MOST_EXACT:
            return None
        some = _solved([(_only(row, used), bound) for row, bound in [*self.equal, *tight]], sorted(used))
        if some is None:
            return None
        variables = [some.get(i, Fraction(0)) for i in range(self.variables)]
        if not self._feasible(variables):
            return None
        size = max((abs(float(x)) for x in aim.values()), default=0.0) or 1.0
        charged = self._charged([*found.prices, *found.rates])
        fair = {i for i, cost in enumerate(charged) if abs(cost - aim.get(i, 0)) <= ROUNDING * size}
        columns = self._columns(priced)
        known = _solved([(columns.get(i, {}), aim.get(i, 0)) for i in sorted(used | fair)], priced)
        if known is None:
            return None
        prices = [known.get(i, Fraction(0)) for i in range(len(self.upper) + len(self.equal))]
        value = _dot(aim, variables)
        if not self._optimal(aim, prices) or value != self._paid(prices):
            return None
        return Optimum(value, variables, prices[: len(self.upper)], prices[len(self.upper) :], True)

    def _columns(self, rows: Iterable[int]) -> dict[int, dict[int, Any]]:
        every = [*self.upper, *self.equal]
        columns: dict[int, dict[int, Any]] = {}
        for i in rows:
            for column, x in every[i][0].items():
                columns.setdefault(column, {})[i] = x
        return columns

    def _feasible(self, variables: list[Any]) -> bool:
        return (
            all(x >= 0 or i in self.free for i, x in enumerate(variables))
            and all(_dot(row, variables) <= bound for row, bound in self.upper)
            and all(_dot(row, variables) == bound for row, bound in self.equal)
        )

    def _optimal(self, aim: Row, prices: list[Any]) -> bool:
        """Whether no variable is worth more than the rows charge for it."""
        wanted = [aim.get(i, 0) for i in range(self.variables)]
        pairs = enumerate(zip(self._charged(prices), wanted, strict=True))
        fair = all(cost == worth if i in self.free else cost >= worth for i, (cost, worth) in pairs)
        return fair and all(price >= 0 for price in prices[: len(self.upper)])

    def _charged(self, prices: list[Any]) -> list[Any]:
        """What the rows charge for one unit of each variable."""
        charged: list[Any] = [0] * self.variables
        for price, (row, _) in zip(prices, [*self.upper, *self.equal], strict=True):
            if price:
                for column, x in row.items():
                    charged[column] += price * x
        return charged

    def _paid(self, prices: list[Any]) -> Any:
        return sum(price * bound for price, (_, bound) in zip(prices, [*self.upper, *self.equal], strict=True) if price)


class _Simplex:
    """The simplex method in fractions; Bland's rule keeps it from going in circles."""

    def __init__(self, program: Program, aim: Row) -> None:
        self.program, self.aim = program, aim
        every = [*program.upper, *program.equal]
        # Columns: the variables, the negative parts of the free ones, a slack per inequality, an artificial per row.
        self.minus = {i: program.variables + n for n, i in enumerate(sorted(program.free))}
        first_slack = program.variables + len(self.minus)
        self.artificial = first_slack + len(program.upper)
        self.width = self.artificial + len(every)
        self.signs = [-1 if bound < 0 else 1 for _, bound in every]
        self.table: list[list[Fraction]] = []
        for i, ((row, bound), sign) in enumerate(zip(every, self.signs, strict=True)):
            line = [Fraction(0)] * (self.width + 1)
            for column, x in row.items():
                line[column] = Fraction(sign * x)
                if column in self.minus:
                    line[self.minus[column]] = Fraction(-sign * x)
            if i < len(program.upper):
                line[first_slack + i] = Fraction(sign)
            line[self.artificial + i] = Fraction(1)
            line[-1] = Fraction(sign * bound)
            self.table.append(line)
        self.basis = [self.artificial + i for i in range(len(every))]

    def solve(self) -> Optimum:
        """The optimum of the program."""
        start = [Fraction(0)] * self.artificial + [Fraction(-1)] * len(self.table)
        if self._climb(start)[-1] != 0:
            raise UnsuitableGame("a linear program has no solution")
        worth = [Fraction(0)] * self.width
        for column, x in self.aim.items():
            worth[column] = Fraction(x)
            if column in self.minus:
                worth[self.minus[column]] = Fraction(-x)
        gains = self._climb(worth)
        values = dict(zip(self.basis, (line[-1] for line in self.table), strict=True))
        variables = [values.get(i, Fraction(0)) for i in range(self.program.variables)]
        for i, minus in self.minus.items():
            variables[i] -= values.get(minus, Fraction(0))
        prices = [-sign * gains[self.artificial + i] for i, sign in enumerate(self.signs)]
        kinds = len(self.program.upper)
        return Optimum(-gains[-1], variables, prices[:kinds], prices[kinds:], True)

    def _climb(self, worth: list[Fraction]) -> list[Fraction]:
        """Pivot until no column gains; what each column would gain then, and minus the value reached."""
        gains = [*worth, Fraction(0)]
        for line, column in zip(self.table, self.basis, strict=True):
            _subtract(gains, line, gains[column])
        while True:
            enter = next((j for j in range(self.artificial) if gains[j] > 0), None)
            if enter is None:
                return gains
            ratios = [
                (line[-1] / line[enter], self.basis[i], i) for i, line in enumerate(self.table) if line[enter] > 0
            ]
            # An artificial variable that stayed at zero must not grow again: it leaves the basis before it would.
            ratios += [
                (Fraction(0), self.basis[i], i)
                for i, line in enumerate(self.table)
                if line[enter] < 0 and line[-1] == 0 and self.basis[i] >= self.artificial
            ]
            if not ratios:
                raise UnsuitableGame("a linear program has no bound")
            leave = min(ratios)[2]
            pivot = self.table[leave][enter]
            self.table[leave] = [x / pivot for x in self.table[leave]]
            self.basis[leave] = enter
            for line in [*(line for i, line in enumerate(self.table) if i != leave), gains]:
                _subtract(line, self.table[leave], line[enter])


def _subtract(line: list[Fraction], other: list[Fraction], times: Fraction) -> None:
    if times:
        line[:] = [a - times * b if b else a for a, b in zip(line, other, strict=True)]


def _matrix(rows: list[tuple[Row, Any]], width: int) -> tuple[Any, list[float], list[float]]:
    """The rows as a sparse matrix, their right-hand sides, and what each was divided by."""
    from scipy.sparse import coo_array

    places: list[tuple[int, int, float]] = []
    right, scales = [], []
    for i, (row, bound) in enumerate(rows):
        size = max((abs(float(x)) for x in row.values()), default=0.0) or 1.0
        places += [(i, column, float(x) / size) for column, x in row.items()]
        right.append(float(bound) / size)
        scales.append(size)
    y, x, entries = zip(*places, strict=True) if places else ((), (), ())
    return coo_array((entries, (y, x)), shape=(len(rows), width)).tocsr(), right, scales


def _solved(rows: list[tuple[Row, Any]], columns: list[int]) -> dict[int, Fraction] | None:
    """The only solution of linear equations in fractions, by column; None where there is none or more than one."""
    place = {column: i for i, column in enumerate(columns)}
    packed = [{place[column]: x for column, x in row.items()} for row, _ in rows]
    found = unique_solution(packed, [bound for _, bound in rows], len(columns))
    return None if found is None else dict(zip(columns, found, strict=True))


def _only(row: Row, columns: set[int]) -> dict[int, Any]:
    return {i: x for i, x in row.items() if i in columns}


def _dot(row: Row, variables: list[Any]) -> Any:
    return sum((x * variables[i] for i, x in row.items() if variables[i]), Fraction(0))


def _slack(row: Row, bound: Any, variables: list[float]) -> float:
    """How far a row is from its bound, measured by its largest number."""
    size = max((abs(float(x)) for x in row.values()), default=0.0) or 1.0
    return (float(bound) - sum(float(x) * variables[i] for i, x in row.items())) / size
