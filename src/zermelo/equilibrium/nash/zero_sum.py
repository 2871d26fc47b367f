"""Zero-sum tables: a linear program where it is small, regret matching where it is not, fractions where asked for.

Predictive regret matching+ (Farina, Kroer and Sandholm, 2021) with alternating updates and quadratic averaging needs
two products of the table and a vector an iteration; the duality gap, what both players together could still gain, is
measured, so that the answer is as good as it says however it was found.
"""

import time
from fractions import Fraction
from functools import cached_property
from typing import Any

from zermelo.compile.tables import Table
from zermelo.contract import Game
from zermelo.equilibrium.arithmetic.rational import unique_solution
from zermelo.equilibrium.policies.equilibrium import Equilibrium, behaviour_of
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import Exact, number
from zermelo.matrix import Matrix

SMALL = 90_000
"""Tables up to this many cells are solved by a linear program, unless a gap is given."""
GAP = 1e-4
"""The duality gap that is aimed at in larger tables, as a share of the range of payoffs."""
MOST_ITERATIONS = 1_000_000
STEP = 25
"""The gap is measured after this many iterations."""
TIGHT = 1e-9
"""What the linear program leaves below this, as a share of the range of payoffs, is 0 in truth."""


class FloatMatrix(Matrix):
    """A zero-sum table that stays one array of floats until somebody asks for its cells: large ones are quick."""

    def __init__(self, payoffs: Any) -> None:
        import numpy as np

        array = np.array(payoffs, dtype=float)
        if array.ndim != 2 or 0 in array.shape:
            raise BadParameter(f"zero_sum wants a table of rows and columns, not an array of shape {array.shape}")
        if not np.isfinite(array).all():
            i, j = np.argwhere(~np.isfinite(array))[0]
            raise BadParameter(f"matrix, at [{i}, {j}]: the payoff must be finite, not {array[i, j]}")
        self.array = array
        self._shape = array.shape
        self.cells = _FloatCells(array)
        self.players = 2
        self.max_actions = max(array.shape)
        self.bounds = (float(array.min()), float(array.max()))
        self.utility_sum = 0.0
        self._labels = tuple(tuple(map(str, range(size))) for size in array.shape)
        self._names = ("row", "column")
        Game.__init__(self)

    @property
    def exact(self) -> bool:
        """Floats are not exact."""
        return False


class _FloatCells(Exact):
    """The cells of a table, which become Python numbers when they are first read."""

    def __init__(self, array: Any) -> None:
        import numpy as np

        Table.__init__(self, np.stack([array, -array], axis=-1).reshape(-1, 2))

    @cached_property
    def numbers(self) -> Any:
        return self.array.tolist()


def zero_sum(matrix: Any, *, gap: float | None = None, exact: bool = False) -> Equilibrium:
    """Optimal play of a zero-sum table: a `Matrix` of two players whose payoffs have one sum, or rows of numbers.

    With `gap`, regret matching runs until the duality gap is at most this share of the range of payoffs; without, small
    tables are solved by a linear program and large ones up to a gap of 1e-4. With `exact`, everything is a fraction and
    the regret is 0.

    >>> pennies = zero_sum([[1, -1], [-1, 1]], exact=True)
    >>> pennies.profile[0], pennies.value, pennies.regret
    ((Fraction(1, 2), Fraction(1, 2)), Fraction(0, 1), Fraction(0, 1))
    >>> zero_sum([[3, 0], [1, 2]], gap=1e-6).exploitability < 1e-5
    True
    """
    import numpy as np

    started = time.perf_counter()
    if gap is not None and (exact or not 0 < number(gap, "zero_sum: gap") < 1):
        wanted = "no gap together with exact=True" if exact else f"a gap between 0 and 1, not {gap!r}"
        raise BadParameter(f"zero_sum wants {wanted}")
    game, whole = _table(matrix)
    table = game.array if isinstance(game, FloatMatrix) else game.payoffs[..., 0].astype(float)
    if exact:
        whole = _exact_sum(game)
        found = _exact(game, table, *_linear_program(table))
        return _answer(game, *found, whole, "exact linear program", started)
    if gap is None and table.size <= SMALL:
        return _answer(game, table, *_linear_program(table), whole, "linear program", started)
    aim = (GAP if gap is None else gap) * float(np.ptp(table))
    x, y, iterations, reached = regret_play(table, aim)
    note = "" if reached else f"the gap of {aim:.3g} was not reached after {iterations:,} iterations"
    return _answer(game, table, x, y, whole, "predictive regret matching+", started, iterations, note)


def _table(matrix: Any) -> tuple[Matrix, Any]:
    """The table as a game, and what its payoffs sum to everywhere."""
    import numpy as np

    if isinstance(matrix, Game) and not isinstance(matrix, Matrix):
        raise UnsuitableGame(f"zero_sum wants a payoff table; {matrix.name} has moves: use sequence_form")
    if isinstance(matrix, np.ndarray) and matrix.dtype.kind == "f" and matrix.ndim == 2:
        return FloatMatrix(matrix), 0
    game = matrix if isinstance(matrix, Matrix) else Matrix(matrix)
    if isinstance(game, FloatMatrix):
        return game, 0
    if game.players != 2:
        raise UnsuitableGame(f"zero_sum is for two players, not {game.players}: use nash")
    sums = game.payoffs.sum(axis=2)
    whole = sums.flat[0]
    if np.abs((sums - whole).astype(float)).max() > 1e-9:
        raise UnsuitableGame("zero_sum wants payoffs that sum to the same in every cell: use nash")
    return game, whole


def _answer(
    game: Matrix, table: Any, x: Any, y: Any, whole: Any, method: str, started: float, iterations: int | None = None,
    note: str = "",
) -> Equilibrium:  # fmt: skip
    """The answer with the gains of both players' best responses."""
    rows, columns = table @ y, x @ table
    value = x @ rows
    gains = (rows.max() - value, value - columns.min())
    values = (value, whole - value)
    if table.dtype != object:
        values, gains = (float(value), float(whole) - float(value) + 0.0), (float(gains[0]), float(gains[1]))
        gains = (max(gains[0], 0.0), max(gains[1], 0.0))
    profile = (tuple(x.tolist()), tuple(y.tolist()))
    return Equilibrium(
        profile=profile, values=values, regret=max(gains), method=method, game=game,
        policy=behaviour_of(game, game, profile), gains=gains, iterations=iterations,
        time=time.perf_counter() - started, note=note,
    )  # fmt: skip


def _linear_program(table: Any) -> tuple[Any, Any]:
    """Both mixed strategies of an optimal corner."""
    import numpy as np
    from scipy.optimize import linprog

    m, n = table.shape
    low, spread = float(table.min()), float(np.ptp(table)) or 1.0
    scaled = (table - low) / spread
    holds = np.hstack([-scaled.T, np.ones((n, 1))])
    aim = np.zeros(m + 1)
    aim[m] = -1.0
    bounds = np.full((m + 1, 2), (0.0, np.inf))
    bounds[m, 0] = -np.inf
    found = linprog(aim, holds, np.zeros(n), np.append(np.ones(m), 0.0)[None, :], [1.0], bounds)
    if not found.success:
        raise BadParameter(f"zero_sum: the linear program has no solution ({found.message})")
    return _mixture(found.x[:m]), _mixture(-found.ineqlin.marginals)


def _mixture(weights: Any) -> Any:
    import numpy as np

    clipped = np.maximum(weights, 0.0)
    return clipped / clipped.sum()


def regret_play(table: Any, aim: float, most: int = MOST_ITERATIONS) -> tuple[Any, Any, int, bool]:
    """Average play by regret matching: x, y, the iterations, and whether the duality gap is at most `aim`.

    In turn, each player mixes by the regrets that it will have if the last payoffs come again. The average weighs
    round t by t².
    """
    import numpy as np

    table = np.ascontiguousarray(table)
    m, n = table.shape
    regret_x, regret_y = np.zeros(m), np.zeros(n)
    sum_x, sum_y = np.zeros(m), np.zeros(n)
    x, y = np.full(m, 1 / m), np.full(n, 1 / n)
    for t in range(1, most + 1):
        losses = x @ table
        now = losses @ y - losses
        regret_y = np.maximum(regret_y + now, 0.0)
        y = _by_regret(regret_y + now)
        gains = table @ y
        now = gains - x @ gains
        regret_x = np.maximum(regret_x + now, 0.0)
        x = _by_regret(regret_x + now)
        sum_x += t * t * x
        sum_y += t * t * y
        if t % STEP == 0 or t == most:
            mean_x, mean_y = sum_x / sum_x.sum(), sum_y / sum_y.sum()
            if (table @ mean_y).max() - (mean_x @ table).min() <= aim:
                return mean_x, mean_y, t, True
    return mean_x, mean_y, most, False


def _by_regret(regrets: Any) -> Any:
    """The mixed strategy in proportion to positive regrets; uniform where no regret is positive."""
    import numpy as np

    kept = np.maximum(regrets, 0.0)
    total = kept.sum()
    return kept / total if total > 0 else np.full(len(kept), 1 / len(kept))


# --- exact -----------------------------------------------------------------------------------------------------------


def _exact_sum(game: Matrix) -> Fraction:
    """What the payoffs of every cell sum to, exactly."""
    sums = {sum(cell) for cell in game.exact_cells}
    if len(sums) > 1:
        raise UnsuitableGame(
            "zero_sum(exact=True) wants payoffs that sum to exactly the same in every cell, not but for rounding: give "
            "fractions, or use nash"
        )
    return Fraction(sums.pop())


def _exact(game: Matrix, table: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The table and both strategies in fractions, proved to be optimal.

    The linear program stops in a corner; the equations that hold there have one solution, which is found exactly. Where
    rounding misled it, Lemke's algorithm, which never rounds, is used.
    """
    import numpy as np

    exact = game.exact_payoffs[..., 0]
    slack = TIGHT * (float(np.ptp(table)) or 1.0)
    rows, columns = table @ y, x @ table
    tight_columns = np.flatnonzero(columns <= columns.min() + slack).tolist()
    tight_rows = np.flatnonzero(rows >= rows.max() - slack).tolist()
    mine = _corner(exact, np.flatnonzero(x > TIGHT).tolist(), tight_columns)
    theirs = _corner(exact.T, np.flatnonzero(y > TIGHT).tolist(), tight_rows)
    if mine is None or theirs is None or (mine @ exact).min() != (exact @ theirs).max():
        from zermelo.equilibrium.nash.lemke import lemke

        mine, theirs = (np.array(strategy, dtype=object) for strategy in lemke(game).profile)
    return exact, mine, theirs


def _corner(table: Any, used: list[int], tight: list[int]) -> Any:
    """The one mixture of the rows `used` that is worth the same against every column in `tight`; None where none is."""
    import numpy as np

    count = len(used)
    equations = [{k: table[i, j] for k, i in enumerate(used)} | {count: -1} for j in tight]
    equations.append(dict.fromkeys(range(count), 1))
    found = unique_solution(equations, [0] * len(tight) + [1], count + 1)
    if found is None or min(found[:count]) < 0:
        return None
    out = np.array([Fraction(0)] * table.shape[0], dtype=object)
    for k, i in enumerate(used):
        out[i] = found[k]
    return out
