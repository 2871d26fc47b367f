"""All mixtures over given supports that make every player indifferent: polynomial systems solved by homotopy.

Each player's condition is linear in the odds of each other player. A system of products of random linear forms has the
same degrees and known solutions; while it is turned into the system at hand, its solutions move along smooth paths, and
every isolated solution is the end of one (Morgan and Sommese, 1987). Odds are homogeneous coordinates, scaled by a
random condition, so that no path runs off to infinity.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MOST_STEPS = 3_000
FIRST_STEP, LEAST_STEP, LARGEST_STEP = 0.05, 1e-10, 0.25
LARGEST_HOP = 0.4
NEAR = 1e-9
"""How small the last correction must be, next to the point."""
CORRECTIONS = 3
AXES = "bcdefghijklmnopqrstuvwxy"
SAME = 1e-6
SINGULAR = 1e10
"""Where the equations are worse conditioned than this, a solution is not isolated, or not simple."""


@dataclass(frozen=True)
class Ends:
    """Where the paths of one system ended."""

    points: Any  # [paths, unknowns] complex
    sure: Any  # [paths] whether the path was followed to a simple solution of its own


class System:
    """The equations of one support: every action of a player there pays as much as its first.

    `tables` has one array a player over all players' actions in the support. The unknowns are all players' odds, one
    after the other, each player's up to a factor.
    """

    def __init__(self, tables: Sequence[Any], source: Any) -> None:
        import numpy as np

        self.sizes = [int(size) for size in tables[0].shape]
        self.players = len(self.sizes)
        self.starts = [0, *np.cumsum(self.sizes).tolist()]
        self.count = self.starts[-1]
        # What an action pays more than the first one of its player, the player's own axis first.
        self.better = [
            np.moveaxis(table, i, 0)[1:] - np.moveaxis(table, i, 0)[:1] for i, table in enumerate(map(np.array, tables))
        ]
        self.better = [b / (np.abs(b).max(initial=0.0) or 1.0) for b in self.better]
        self.patch = _unit(source, self.count)
        self.equations = [(i, a) for i, size in enumerate(self.sizes) for a in range(size - 1)]
        self.forms = {
            (row, j): _unit(source, self.sizes[j])
            for row, (i, _) in enumerate(self.equations)
            for j in range(self.players)
            if j != i and self.sizes[j] > 1
        }
        self.twist = complex(np.exp(2j * np.pi * source.random()))

    def part(self, x: Any, player: int) -> Any:
        """A player's unknowns."""
        return x[:, self.starts[player] : self.starts[player + 1]]

    def start_points(self, most: int) -> Any:
        """All solutions of the products of linear forms: each equation is met by one of its forms."""
        import numpy as np

        points = []
        for chosen in itertools.islice(self._choices(), most + 1):
            matrix = np.zeros((self.count, self.count), dtype=complex)
            right = np.zeros(self.count, dtype=complex)
            for row, j in enumerate(chosen):
                matrix[row, self.starts[j] : self.starts[j + 1]] = self.forms[row, j]
            for j in range(self.players):
                at, own = len(self.equations) + j, slice(self.starts[j], self.starts[j + 1])
                matrix[at, own], right[at] = self.patch[own], 1.0
            points.append(np.linalg.solve(matrix, right))
        return np.array(points).reshape(-1, self.count)

    def _choices(self) -> Iterator[tuple[int, ...]]:
        """For each equation the player whose form is 0, each player chosen as often as it has odds to be fixed."""
        left = [size - 1 for size in self.sizes]
        chosen: list[int] = []

        def choose(row: int) -> Iterator[tuple[int, ...]]:
            if row == len(self.equations):
                yield tuple(chosen)
                return
            for j in range(self.players):
                if left[j] and j != self.equations[row][0]:
                    left[j] -= 1
                    chosen.append(j)
                    yield from choose(row + 1)
                    chosen.pop()
                    left[j] += 1

        yield from choose(0)

    def target(self, x: Any) -> tuple[Any, Any]:
        """The equations at the points x, and their derivatives."""
        import numpy as np

        paths, rows = len(x), len(self.equations)
        off = np.zeros((paths, rows), dtype=x.dtype)
        slopes = np.zeros((paths, rows, self.count), dtype=x.dtype)
        row = 0
        for i in range(self.players):
            height = self.sizes[i] - 1
            if height == 0:
                continue
            others = [j for j in range(self.players) if j != i]
            for j in others:
                local = self._without(x, i, j)  # [paths, own actions, j's actions]
                slopes[:, row : row + height, self.starts[j] : self.starts[j + 1]] = local
            off[:, row : row + height] = np.einsum("zab,zb->za", local, self.part(x, others[-1]))
            row += height
        return off, slopes

    def _without(self, x: Any, i: int, j: int) -> Any:
        """What i's actions pay more than its first against each action of j, all others mixing."""
        import numpy as np

        axes = [AXES[m] for m in range(self.players) if m != i]
        mixing = [m for m in range(self.players) if m not in (i, j)]
        if not mixing:
            return np.broadcast_to(self.better[i], (len(x), *self.better[i].shape))
        inside = ",".join(["a" + "".join(axes), *("z" + AXES[m] for m in mixing)])
        return np.einsum(f"{inside}->za{AXES[j]}", self.better[i], *(self.part(x, m) for m in mixing))

    def start(self, x: Any) -> tuple[Any, Any]:
        """The products of linear forms at the points x, and their derivatives."""
        import numpy as np

        rows = len(self.equations)
        factors = np.ones((self.players, len(x), rows), dtype=complex)
        for (row, j), form in self.forms.items():
            factors[j, :, row] = self.part(x, j) @ form
        slopes = np.zeros((len(x), rows, self.count), dtype=complex)
        for (row, j), form in self.forms.items():
            others = np.prod(factors[:j, :, row], axis=0) * np.prod(factors[j + 1 :, :, row], axis=0)
            slopes[:, row, self.starts[j] : self.starts[j + 1]] = others[:, None] * form
        return self.twist * np.prod(factors, axis=0), self.twist * slopes

    def between(self, x: Any, t: Any) -> tuple[Any, Any, Any]:
        """The equations at the points x and times t (0: start, 1: target), their derivatives by x and by t."""
        import numpy as np

        begin, begin_slopes = self.start(x)
        end, end_slopes = self.target(x)
        rows = len(self.equations)
        off = np.empty((len(x), self.count), dtype=complex)
        jacobian = np.zeros((len(x), self.count, self.count), dtype=complex)
        by_time = np.zeros((len(x), self.count), dtype=complex)
        off[:, :rows] = (1 - t)[:, None] * begin + t[:, None] * end
        jacobian[:, :rows] = (1 - t)[:, None, None] * begin_slopes + t[:, None, None] * end_slopes
        by_time[:, :rows] = end - begin
        for j in range(self.players):
            own = slice(self.starts[j], self.starts[j + 1])
            off[:, rows + j] = x[:, own] @ self.patch[own] - 1.0
            jacobian[:, rows + j, own] = self.patch[own]
        return off, jacobian, by_time


def follow(system: System, most: int) -> Ends | None:
    """The ends of all paths; None where there are more than `most`.

    Two paths of simple solutions never meet: where they seem to, one has hopped onto the other, and all are followed
    again in smaller steps.
    """
    if sum(size > 1 for size in system.sizes) == 2:
        return _linear(system)
    starts = system.start_points(most)
    if len(starts) > most:
        return None
    for care in (1, 4, 16):
        ends, jumped = _tracked(system, starts, care)
        if not jumped.any():
            break
    return Ends(ends.points, ends.sure & ~jumped)


def _tracked(system: System, starts: Any, care: int) -> tuple[Ends, Any]:
    """The ends of all paths, and which of them met another though both ends are simple."""
    import numpy as np

    x, t = starts.copy(), np.zeros(len(starts))
    step, lost = np.full(len(x), FIRST_STEP / care), np.zeros(len(x), dtype=bool)
    for _ in range(MOST_STEPS * care):
        going = np.flatnonzero((t < 1) & ~lost)
        if len(going) == 0:
            break
        reach = np.minimum(t[going] + step[going], 1.0)
        moved, landed = _advanced(system, x[going], t[going], reach, LARGEST_HOP / care)
        x[going[landed]], t[going[landed]] = moved[landed], reach[landed]
        step[going] = np.where(landed, np.minimum(2 * step[going], LARGEST_STEP / care), step[going] / 4)
        lost |= step < LEAST_STEP
    sure = t == 1
    if sure.any():
        x[sure], regular = _polished(system, x[sure])
        sure[sure] = regular
    jumped = np.zeros(len(x), dtype=bool)
    for i, j in itertools.combinations(np.flatnonzero(sure), 2):
        if np.abs(x[i] - x[j]).max() < SAME:
            jumped[i] = jumped[j] = True
    return Ends(x, sure), jumped


def _linear(system: System) -> Ends:
    """The one solution where only two players mix: each one's odds are what makes the other indifferent."""
    import numpy as np

    x = np.zeros((1, system.count), dtype=complex)
    for j, size in enumerate(system.sizes):
        if size == 1:
            x[:, system.starts[j]] = 1 / system.patch[system.starts[j]]
    off, jacobian, _ = system.between(x, np.ones(1))
    if not np.linalg.cond(jacobian[0]) < SINGULAR:
        return Ends(x, np.array([False]))
    return Ends(x - _solved(jacobian, off), np.array([True]))


def _advanced(system: System, x: Any, t: Any, reach: Any, largest: float) -> tuple[Any, Any]:
    """The points a step further: predicted by four slopes (Runge and Kutta), then corrected; and which succeeded."""
    import numpy as np

    h = (reach - t)[:, None]
    with np.errstate(all="ignore"):
        first = _velocity(system, x, t)
        second = _velocity(system, x + h / 2 * first, t + h[:, 0] / 2)
        third = _velocity(system, x + h / 2 * second, t + h[:, 0] / 2)
        fourth = _velocity(system, x + h * third, reach)
        moved = x + h / 6 * (first + 2 * second + 2 * third + fourth)
        for _ in range(CORRECTIONS):
            off, jacobian, _ = system.between(moved, reach)
            change = _solved(jacobian, off)
            moved = moved - change
        size = np.abs(change).max(axis=1) / np.abs(moved).max(axis=1)
        # A step that changes a point beyond recognition may have hopped onto another path.
        hop = np.abs(moved - x).max(axis=1) / np.abs(x).max(axis=1)
        return moved, np.isfinite(size) & (size < NEAR) & (hop < largest)


def _velocity(system: System, x: Any, t: Any) -> Any:
    _, jacobian, by_time = system.between(x, t)
    return -_solved(jacobian, by_time)


def _solved(matrices: Any, right: Any) -> Any:
    """Solutions of many linear systems; where one of them is singular, numbers that are not finite."""
    import numpy as np

    try:
        return np.linalg.solve(matrices, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        out = np.full(right.shape, np.nan, dtype=complex)
        for i, (matrix, entries) in enumerate(zip(matrices, right, strict=True)):
            try:
                out[i] = np.linalg.solve(matrix, entries)
            except np.linalg.LinAlgError:
                continue
        return out


def _polished(system: System, x: Any) -> tuple[Any, Any]:
    """The ends made as precise as floats allow, and which of them are simple solutions."""
    import numpy as np

    with np.errstate(all="ignore"):
        for _ in range(2):
            off, jacobian, _ = system.between(x, np.ones(len(x)))
            better = x - _solved(jacobian, off)
            x = np.where(np.isfinite(better).all(axis=1)[:, None], better, x)
        conditions = np.linalg.cond(system.between(x, np.ones(len(x)))[1])
    return x, np.isfinite(conditions) & (conditions < SINGULAR)


def _unit(source: Any, count: int) -> Any:
    """Random complex numbers of size 1."""
    import numpy as np

    return np.exp(2j * np.pi * source.random(count))
