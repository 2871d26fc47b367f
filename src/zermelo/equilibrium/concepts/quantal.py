"""Quantal response: players err less the more precise they are, and errors vanish along a path of equilibria.

In a logit equilibrium of precision r every action is played with odds proportional to exp(r u), where u is what it
pays while all err (McKelvey and Palfrey, 1995, 1998). The path begins at r = 0, where all actions have the same
odds, and leads to one equilibrium as r grows. It is followed by prediction and correction (Turocy, 2005). In a game
with moves every information set errs on its own; a payoff table has one information set a player.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm, extensive_form, paths
from zermelo.equilibrium.policies.equilibrium import Behaviour, Equilibrium
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import number
from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, frame, game_data

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_NODES = 200_000
MOST_CELLS = 5_000_000
"""Ends times actions: the path works with tables of this size."""
MOST_ACTIONS = 600
"""The most actions of all information sets: each step solves as many equations."""
REGRET = 1e-6
MOST_STEPS = 20_000
FIRST_STEP, LEAST_STEP, LARGEST_STEP = 0.03, 1e-9, 1e9
NEAR = 1e-10
"""How near to the path a corrected point is."""
CORRECTIONS = 6
UPWARDS, DOWNWARDS = 1.0, 0.2
"""The largest share by which precision grows, and by which it falls, in one step."""
FARTHEST, CONTRACTION = 0.4, 0.6
"""The largest first correction, and how much smaller each must be than the one before."""


@dataclass(frozen=True)
class QuantalPoint:
    """One logit equilibrium: the precision, and the odds of the actions at each information set."""

    precision: float
    profile: tuple[tuple[float, ...], ...]
    regret: float
    """The most that a player could gain by its best response to these odds."""


@dataclass(eq=False)
class QuantalPath:
    """The path of logit equilibria from uniform play to an equilibrium."""

    game: Game
    points: list[QuantalPoint] = field(repr=False)
    form: ExtensiveForm = field(repr=False)
    time: float = 0.0
    note: str = ""

    def __iter__(self) -> Iterator[tuple[float, tuple[tuple[float, ...], ...]]]:
        """Pairs of precision and profile."""
        return iter((point.precision, point.profile) for point in self.points)

    def __len__(self) -> int:
        return len(self.points)

    def to_json(self) -> dict[str, Any]:
        """The path as plain data: a profile has the odds at each of the `sets`."""
        sets = [{"player": s.player, "view": s.view, "actions": s.labels} for s in self.form.sets]
        points = [{"precision": p.precision, "profile": p.profile, "regret": p.regret} for p in self.points]
        document = {"sets": sets, "points": points, "seconds": self.time, "note": self.note}
        return game_data(self.game) | as_plain(document) | {"equilibrium": self.equilibrium.to_json()}

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each precision, information set and action."""
        return frame(
            ("precision", "set", "player", "name", "odds"),
            (
                (point.precision, s.number, s.player, name, p)
                for point in self.points
                for s, odds in zip(self.form.sets, point.profile, strict=True)
                for name, p in zip(s.labels, odds, strict=True)
            ),
        )

    def __str__(self) -> str:
        way = f"{len(self)} logit equilibria, precision 0 to {self.points[-1].precision:.3g}"
        return f"{self.game.name}: {way}\n{self.equilibrium}"

    def _repr_html_(self) -> str:
        return self.equilibrium._repr_html_()

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """Where the path ends."""
        return behaviour_answer(
            self.form, self.points[-1].profile, "logit quantal response", self.time, len(self), self.note
        )  # fmt: skip


def behaviour_answer(
    form: ExtensiveForm, own: Any, method: str, seconds: float, iterations: int | None = None, note: str = ""
) -> Equilibrium:
    """The answer for odds at each information set, with what each player could gain by its best response."""
    values, gains = gains_of(form, own)
    choose = {
        (s.player, s.view): dict(zip(s.actions, odds, strict=True)) for s, odds in zip(form.sets, own, strict=True)
    }
    is_table = isinstance(form.game, Matrix)
    return Equilibrium(
        profile=tuple(tuple(odds) for odds in own) if is_table else (), values=values, regret=max(gains),
        method=method, game=form.game, policy=Behaviour(form.game, choose), gains=gains, iterations=iterations,
        time=seconds, note=note,
    )  # fmt: skip


def gains_of(form: ExtensiveForm, own: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What every player expects from these odds, and what its best response would gain; exact where the odds are."""
    reach = paths(form, own)
    values: list[Any] = []
    gains: list[Any] = []
    for player in range(form.players):
        value = sum(reach[node] * payoffs[player] for node, payoffs in form.payoffs.items())
        values.append(value)
        gains.append(max(_best(form, own, player) - value, 0 * value))
    return tuple(values), tuple(gains)


def _best(form: ExtensiveForm, own: Any, player: int) -> Any:
    """What a player gets by its best response: what its own sequences pay, gathered from the last sets on."""
    others: list[Any] = []
    last: list[tuple[int, int]] = []
    pays: dict[tuple[int, int], Any] = {}
    for node, parent in enumerate(form.parent):
        if parent == NOWHERE:
            others.append(1)
            last.append((NOWHERE, 0))
        else:
            decided, place = form.at[parent], form.place[node]
            mine = decided != NOWHERE and form.mover[parent] == player
            step = 1 if mine else form.odds[node] if decided == NOWHERE else own[decided][place]
            others.append(others[parent] * step)
            last.append((decided, place) if mine else last[parent])
        if node in form.payoffs:
            pays[last[node]] = pays.get(last[node], 0) + others[node] * form.payoffs[node][player]
    for s in reversed(form.sets_of(player)):
        best = max(pays.get((s.number, place), 0) for place in range(len(s.actions)))
        pays[s.before] = pays.get(s.before, 0) + best
    return pays.get((NOWHERE, 0), 0)


def quantal_response(
    game: AnyGame, *, precision: float | None = None, regret: float = REGRET
) -> QuantalPath:  # fmt: skip
    """The path of logit equilibria of a game or a payoff table, up to a precision, or until little can be gained.

    `regret` is the gain, as a share of the range of payoffs, below which the path ends where no precision is given.

    >>> from zermelo import Matrix
    >>> path = quantal_response(Matrix([[9, 1], [1, 2]], [[1, 2], [2, 1]]))
    >>> [round(p, 3) for p in path.equilibrium.profile[0]]
    [0.5, 0.5]
    """
    game = as_table(game)
    started = time.perf_counter()
    game = game if isinstance(game, Game) else Matrix(game)
    require_game(game, "quantal_response")
    if precision is not None and not number(precision, "quantal_response: precision") >= 0:
        raise BadParameter(f"quantal_response: the precision must be at least 0, not {precision!r}")
    if not 0 < number(regret, "quantal_response: regret") < 1:
        raise BadParameter(f"quantal_response: the regret must lie between 0 and 1, not {regret!r}")
    form = extensive_form(game, most=MOST_NODES)
    form.require_recall("quantal_response")
    logit = _Logit(form)
    points, note = logit.follow(precision, regret)
    return QuantalPath(game, points, form, time.perf_counter() - started, note)


class _Logit:
    """The logit correspondence of a game: log odds of all actions at all information sets, and the precision."""

    def __init__(self, form: ExtensiveForm) -> None:
        import numpy as np

        self.form = form
        sizes = [len(s.actions) for s in form.sets]
        self.starts = np.concatenate(([0], np.cumsum(sizes))).astype(int)
        count, ends = int(self.starts[-1]), list(form.payoffs)
        if count == 0:
            raise UnsuitableGame(f"{form.game.name}: nobody decides anything")
        if count * len(ends) > MOST_CELLS or count > MOST_ACTIONS:
            raise UnsuitableGame(
                f"{form.game.name} has {len(ends):,} ends and {count:,} actions: too large for the logit path; use cfr"
            )
        self.uses = np.zeros((len(ends), count))  # [ends, actions] whether the action is on the way to the end
        self.log_odds = np.zeros(len(ends))
        for row, end in enumerate(ends):
            node = end
            while form.parent[node] != NOWHERE:
                parent = form.parent[node]
                if form.at[parent] == NOWHERE:
                    self.log_odds[row] += math.log(form.odds[node])
                else:
                    self.uses[row, self.starts[form.at[parent]] + form.place[node]] = 1.0
                node = parent
        payoffs = np.array([[float(x) for x in form.payoffs[end]] for end in ends])
        self.spread = float(np.ptp(payoffs, axis=0).max()) or 1.0
        payoffs = (payoffs - payoffs.min(axis=0)) / self.spread
        owner = np.repeat([s.player for s in form.sets], sizes)
        self.payoffs = payoffs[:, owner]  # [ends, actions] what the end pays the owner of the action, from 0 to 1
        self.used_payoffs = self.uses * self.payoffs
        self.owner = owner
        self.first = np.repeat(self.starts[:-1], sizes)  # [actions] the first action of the same set
        self.is_first = np.arange(count) == self.first
        self.group = (self.first[:, None] == self.first[None, :]).astype(float)

    def payoff(self, x: Any) -> tuple[Any, Any]:
        """What each action pays where its set is reached, and the derivatives by the log odds of all actions."""
        import numpy as np

        ways = self.log_odds + self.uses @ x
        # A large factor common to all ways through a set cancels, so that rare sets do not vanish.
        peak = np.where(self.uses > 0, ways[:, None], -np.inf).max(axis=0)
        weight = self.uses * np.exp(np.minimum(ways[:, None] - peak[None, :], 0.0))  # [ends, actions]
        whole = weight.sum(axis=0)
        mean = (weight * self.payoffs).sum(axis=0) / whole
        slopes = ((weight * (self.payoffs - mean)).T @ self.uses) / whole[:, None]  # [actions, by actions]
        return mean, slopes

    def equations(self, x: Any, precision: float) -> tuple[Any, Any]:
        """How far a point is from the path, and the derivatives by the log odds and, last, by the precision."""
        import numpy as np

        mean, slopes = self.payoff(x)
        count = len(x)
        better, better_slopes = mean - mean[self.first], slopes - slopes[self.first]
        off = x - x[self.first] - precision * better
        jacobian = np.zeros((count, count + 1))
        jacobian[:, :count] = np.eye(count) - np.eye(count)[self.first] - precision * better_slopes
        jacobian[:, count] = -better
        odds = np.exp(x)
        sums = np.add.reduceat(odds, self.starts[:-1])
        rows = np.flatnonzero(self.is_first)
        off[rows] = np.log(sums)
        jacobian[rows, :count] = self.group[rows] * odds / sums[:, None]
        jacobian[rows, count] = 0.0
        return off, jacobian

    def follow(self, target: float | None, regret: float) -> tuple[list[QuantalPoint], str]:
        """Points on the path, and a note where it was left unfinished."""
        import numpy as np

        count = int(self.starts[-1])
        sizes = np.diff(self.starts)
        x = np.repeat(-np.log(sizes), sizes)
        goal = None if target is None else target * self.spread
        point, step = np.append(x, 0.0), FIRST_STEP
        points = [self.point(point)]
        _, jacobian = self.equations(x, 0.0)
        tangent = _tangent(jacobian, None)
        for _ in range(MOST_STEPS):
            if goal == point[count] or (goal is None and points[-1].regret <= regret * self.spread):
                return points, ""
            # Where precision is large, paths lie close together: one step changes it by a share of itself at most.
            part = UPWARDS if tangent[count] > 0 else DOWNWARDS
            step = min(step, part * (1.0 + point[count]) / max(abs(tangent[count]), LEAST_STEP))
            near = goal is not None and point[count] + step * tangent[count] >= goal
            if goal is not None and near:
                step = (goal - point[count]) / tangent[count]
            landed = self._corrected(point + step * tangent, tangent, goal if near else None)
            turned = None if landed is None else _tangent(landed[1], tangent)
            # The path begins with uniform play at precision 0: points of negative precision belong to another path.
            if landed is None or turned is None or turned @ tangent < 0.8 or landed[0][count] <= 0.0:
                step /= 2
                if step < LEAST_STEP:
                    return points, "the path could not be followed further"
                continue
            point, tangent = landed[0], turned
            points.append(self.point(point))
            step = min(step * (2.0 if landed[2] <= 2 else 1.2), LARGEST_STEP)
        return points, f"the path was left after {MOST_STEPS:,} steps"

    def _corrected(self, point: Any, tangent: Any, goal: float | None) -> tuple[Any, Any, int] | None:
        """The point of the path nearest to `point`, or the one nearby of precision `goal`; None if it is too far."""
        import numpy as np

        count = len(point) - 1
        if goal is not None:
            point[count] = goal
        before = FARTHEST / CONTRACTION
        for turn in range(CORRECTIONS):
            # A step that went too far overflows, is not finite, and is taken again, shorter.
            with np.errstate(over="ignore", invalid="ignore"):
                off, jacobian = self.equations(point[:count], point[count])
            if np.abs(off).max() < NEAR * max(1.0, abs(point[count])):
                return point, jacobian, turn
            along = tangent if goal is None else np.append(np.zeros(count), 1.0)
            try:
                change = np.linalg.solve(np.vstack([jacobian, along]), np.append(-off, 0.0))
            except np.linalg.LinAlgError:
                return None
            # Corrections that are large, or hardly smaller than the last, lead to some other path (Turocy, 2005).
            size = float(np.linalg.norm(change))
            if not size <= CONTRACTION * before:
                return None
            point, before = point + change, max(size, NEAR)
        return None

    def point(self, point: Any) -> QuantalPoint:
        """A point of the path for the reader: odds that sum to 1, and the precision in units of the payoffs."""
        import numpy as np

        odds = np.exp(point[:-1])
        parts = [odds[a:b] / odds[a:b].sum() for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]
        profile = tuple(tuple(part.tolist()) for part in parts)
        _, gains = gains_of(self.form, profile)
        return QuantalPoint(float(point[-1] / self.spread), profile, float(max(gains)))


def _tangent(jacobian: Any, before: Any) -> Any:
    """The direction of the path, of length 1: onward from direction `before`, or at the start to more precision."""
    import numpy as np

    if before is not None:
        try:
            tangent = np.linalg.solve(np.vstack([jacobian, before]), np.append(np.zeros(len(jacobian)), 1.0))
            return tangent / np.linalg.norm(tangent)
        except np.linalg.LinAlgError:
            pass
    tangent = np.linalg.svd(jacobian)[2][-1]
    return tangent if (tangent[-1] if before is None else tangent @ before) >= 0 else -tangent
