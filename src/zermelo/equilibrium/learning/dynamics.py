"""Players and populations that learn: replicator dynamics, fictitious play, best-response dynamics, as trajectories.

>>> from zermelo import Matrix
>>> pennies = Matrix([[1, -1], [-1, 1]])
>>> played = fictitious_play(pennies, iterations=1000)
>>> played.lower <= 0 <= played.upper
True
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.arguments import is_whole, number, whole
from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import require_game
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.equilibrium.learning.trajectory import Trajectory, earnings, gained, kept, trajectory
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, frame, game_data

if TYPE_CHECKING:
    from pandas import DataFrame

CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Replicated:
    """Where populations went under the replicator dynamics."""

    final: tuple[tuple[float, ...], ...]
    """The shares of the actions in each population at the end."""
    values: tuple[float, ...]
    """What a member of each population earns on average at the end."""
    trajectory: Trajectory = field(repr=False)
    game: Matrix = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        document = {"final": self.final, "values": self.values, "trajectory": self.trajectory.to_json()}
        return game_data(self.game) | as_plain(document)

    def to_frame(self) -> "DataFrame":
        """The trajectory as a table of pandas: a row for each time, player and action."""
        return self.trajectory.to_frame(self.game)

    def __str__(self) -> str:
        from zermelo.draw.words.learned import learned_text

        return learned_text(self)

    def _repr_svg_(self) -> str:
        from zermelo.draw.plots.simplex import simplex_svg

        return simplex_svg(self)


@dataclass(frozen=True, eq=False)
class FictitiousPlay:
    """The play of players who always chose a best response to the average play of the others."""

    average: tuple[tuple[float, ...], ...]
    """The share of iterations in which each player played each action."""
    values: tuple[float, ...]
    """What the average strategies earn against each other."""
    regret: float
    """The most that anyone could gain against the average strategies of the others."""
    lower: float
    """In a zero-sum game of two, what player 0's average secures: the value is at least this."""
    upper: float
    """In a zero-sum game of two, what player 1's average holds player 0 to: the value is at most this."""
    iterations: int
    trajectory: Trajectory = field(repr=False)
    bounds: Any = field(repr=False)
    """In a zero-sum game of two, `lower` and `upper` along the trajectory: an array [times, 2]; else empty."""
    game: Matrix = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        zero_sum = len(self.bounds) > 0
        document = {
            "average": self.average,
            "values": self.values,
            "regret": self.regret,
            "lower": self.lower if zero_sum else None,
            "upper": self.upper if zero_sum else None,
            "iterations": self.iterations,
            "trajectory": self.trajectory.to_json(),
        }
        return game_data(self.game) | as_plain(document)

    def to_frame(self) -> "DataFrame":
        """The trajectory as a table of pandas: a row for each time, player and action."""
        return self.trajectory.to_frame(self.game)

    def __str__(self) -> str:
        from zermelo.draw.words.learned import learned_text

        return learned_text(self)

    def _repr_svg_(self) -> str:
        from zermelo.draw.plots.simplex import simplex_svg

        return simplex_svg(self)


@dataclass(frozen=True, eq=False)
class BestResponses:
    """The path of players who, one after the other, change to a best response."""

    path: tuple[tuple[int, ...], ...]
    """The choices of all players, step by step; a step changes one of them."""
    stable: bool
    """Whether nobody wants to move at the end: a pure equilibrium."""
    cycle: tuple[tuple[int, ...], ...]
    """The steps that would repeat for ever; empty where the path is stable."""
    game: Matrix = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        document = {"path": self.path, "stable": self.stable, "cycle": self.cycle}
        return game_data(self.game) | as_plain(document)

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each step and player."""
        return frame(
            ("step", "player", "action", "name"),
            (
                (step, player, action, self.game.labels[player][action])
                for step, choices in enumerate(self.path)
                for player, action in enumerate(choices)
            ),
        )

    def __str__(self) -> str:
        from zermelo.draw.words.learned import path_text

        return path_text(self)


def replicator(
    game: AnyGame, start: Sequence[Any] | None = None, *, time: float = 100.0, steps: int = 1000, populations: int = 2
) -> Replicated:
    """Where populations go in which an action's share grows by how much more it earns than the average.

    With two populations (or one a player), members of each meet members of the others; `start` has the shares of each.
    With `populations=1` the members of one population meet each other: the game must be symmetric in who plays what,
    only player 0's payoffs count, and `start` is one list of shares. The start is uniform where none is given.

    >>> from zermelo import Matrix
    >>> hawk_dove = Matrix([[-1, 4], [0, 2]], [[-1, 0], [4, 2]])
    >>> [round(x, 6) for x in replicator(hawk_dove, (0.1, 0.9), populations=1).final[0]]
    [0.666667, 0.333333]
    """
    game = as_table(game)
    import numpy as np
    from scipy.integrate import solve_ivp

    require_game(game, "replicator")
    table = normal_form(game)
    count = _populations(table, populations)
    span = number("replicator: time", time, 0, sys.float_info.max, above=True)
    points = whole("replicator: steps", steps, least=1)
    payoffs = table.payoffs.astype(float)
    shares = _shares(table, start, count)
    sizes = [len(share) for share in shares]
    present = [np.array(share) > 0 for share in shares]
    cuts = np.cumsum(sizes)[:-1]
    # Logarithms keep the shares positive; actions without a share at the start never get one.
    logs = np.concatenate([np.log(np.where(p, share, 1.0)) for p, share in zip(present, shares, strict=True)])

    def mixes(y: Any) -> list[Any]:
        return [_softmax(part, p) for part, p in zip(np.split(y, cuts), present, strict=True)]

    def growth(_: float, y: Any) -> Any:
        mixed = mixes(y)
        everyone = mixed * 2 if count == 1 else mixed
        earned = [earnings(payoffs, everyone, player) for player in range(count)]
        # Only differences of logarithms matter: without the average, they stay small.
        return np.concatenate([e - m @ e for e, m in zip(earned, mixed, strict=True)])

    times = np.linspace(0.0, span, points + 1)
    found = solve_ivp(growth, (0.0, span), logs, method="DOP853", t_eval=times, rtol=1e-10, atol=1e-12)
    if not found.success:
        raise UnsuitableGame(f"{table.name}: the replicator dynamics cannot be followed ({found.message})")
    ways = [mixes(y) for y in found.y.T]
    current = tuple(np.array([way[player] for way in ways]) for player in range(count))
    everyone = ways[-1] * 2 if count == 1 else ways[-1]
    values = tuple(float(everyone[p] @ earnings(payoffs, everyone, p)) for p in range(count))
    final = tuple(tuple(map(float, part[-1])) for part in current)
    return Replicated(final, values, Trajectory(times, current, ()), table)


def fictitious_play(
    game: AnyGame,
    iterations: int = 1000,
    *,
    start: Sequence[int] | None = None,
    alternate: bool = False,
    seed: int | None = None,
) -> FictitiousPlay:
    """The play of players who always choose a best response to the average play of the others (Brown, 1951).

    The first choices are `start`, else everybody's first action. Ties go to the first action, or are drawn with a
    `seed`. With `alternate`, a player sees what those before it chose in the same iteration.

    >>> from zermelo import Matrix
    >>> fictitious_play(Matrix([[2, 0], [0, 1]], [[2, 0], [0, 1]]), 100).average
    ((1.0, 0.0), (1.0, 0.0))
    """
    game = as_table(game)
    import numpy as np

    require_game(game, "fictitious_play")
    table = normal_form(game)
    number = whole("fictitious_play: iterations", iterations, least=1)
    payoffs = table.payoffs.astype(float)
    drawn = None if seed is None else random.Random(seed)
    choices = _choices(table, start, "fictitious_play")
    counts = [np.zeros(size) for size in table.shape]
    for player, choice in enumerate(choices):
        counts[player][choice] += 1
    zero_sum = table.players == 2 and bool(np.all(np.abs(payoffs.sum(axis=-1)) <= CLOSE * (1 + np.abs(payoffs).max())))
    keep = set(kept(number))
    times, current, average, bounds = [], [], [], []
    for iteration in range(1, number + 1):
        if iteration > 1:
            before = list(counts) if alternate else [own.copy() for own in counts]
            for player in range(table.players):
                mixed = [own / own.sum() for own in before]
                choices[player] = _best(earnings(payoffs, mixed, player), drawn)
                counts[player][choices[player]] += 1
        if iteration in keep:
            mixed = [own / own.sum() for own in counts]
            times.append(iteration)
            current.append([np.eye(size)[c] for size, c in zip(table.shape, choices, strict=True)])
            average.append(mixed)
            if zero_sum:
                bounds.append((-earnings(payoffs, mixed, 1).max(), earnings(payoffs, mixed, 0).max()))
    values, regret = gained(payoffs, average[-1])
    lower, upper = bounds[-1] if zero_sum else (float("-inf"), float("inf"))
    return FictitiousPlay(
        average=tuple(tuple(map(float, part)) for part in average[-1]),
        values=values,
        regret=regret,
        lower=float(lower) + 0.0,
        upper=float(upper) + 0.0,
        iterations=number,
        trajectory=trajectory(times, current, average),
        bounds=np.array(bounds),
        game=table,
    )


def best_response_dynamics(game: AnyGame, start: Sequence[int] | None = None, *, steps: int = 10_000) -> BestResponses:
    """The path of players who in turn change to a best response, until nobody can gain or they go in circles.

    >>> from zermelo import Matrix
    >>> best_response_dynamics(Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])).path
    ((0, 0), (1, 0), (1, 1))
    >>> best_response_dynamics(Matrix([[1, -1], [-1, 1]])).stable
    False
    """
    game = as_table(game)
    require_game(game, "best_response_dynamics")
    table = normal_form(game)
    limit = whole("best_response_dynamics: steps", steps, least=1)
    choices = _choices(table, start, "best_response_dynamics")
    path, seen, turn, idle = [tuple(choices)], {(tuple(choices), 0): 0}, 0, 0
    while idle < table.players and len(path) <= limit:
        own = table.payoffs[tuple(slice(None) if p == turn else c for p, c in enumerate(choices))][:, turn].tolist()
        if max(own) > own[choices[turn]]:
            choices[turn] = own.index(max(own))
            path.append(tuple(choices))
            idle = 0
        else:
            idle += 1
        turn = (turn + 1) % table.players
        first = seen.setdefault((tuple(choices), turn), len(path) - 1)
        if first < len(path) - 1:
            return BestResponses(tuple(path), False, tuple(path[first:-1]), table)
    return BestResponses(tuple(path), idle >= table.players, (), table)


def _populations(table: Matrix, populations: int) -> int:
    if populations not in (1, 2):
        raise BadParameter(f"replicator: populations must be 1 or 2 (one for each player), not {populations!r}")
    if populations == 1 and (table.players != 2 or table.shape[0] != table.shape[1]):
        raise UnsuitableGame(f"{table.name}: one population needs a square table of two players; use populations=2")
    return 1 if populations == 1 else table.players


def _shares(table: Matrix, start: Any, count: int) -> list[list[float]]:
    if start is None:
        return [[1 / size] * size for size in table.shape[:count]]
    rows = start.tolist() if hasattr(start, "tolist") else list(start)
    given = [rows] if count == 1 and rows and not hasattr(rows[0], "__len__") else rows
    if len(given) != count:
        raise BadParameter(f"replicator: start needs the shares of {count} populations, not of {len(given)}")
    return [[float(p) for p in table._strategy(player, share)] for player, share in enumerate(given)]


def _softmax(logs: Any, present: Any) -> Any:
    import numpy as np

    weights = np.where(present, np.exp(logs - logs[present].max()), 0.0)
    return weights / weights.sum()


def _choices(table: Matrix, start: Sequence[int] | None, what: str) -> list[int]:
    choices = [0] * table.players if start is None else list(start)
    legal = len(choices) == table.players and all(
        is_whole(c) and 0 <= c < size for c, size in zip(choices, table.shape, strict=True)
    )
    if not legal:
        raise BadParameter(f"{what}: start must be one action a player, in numbers, not {start!r}")
    return choices


def _best(earned: Any, drawn: random.Random | None) -> int:
    """The index of the largest number; ties go to the first one, or are drawn."""
    if drawn is None:
        return int(earned.argmax())
    places = (earned >= earned.max() - CLOSE * (1 + abs(earned.max()))).nonzero()[0]
    return int(drawn.choice(places.tolist()))
