"""How strategies change while players learn, and what they earn on the way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, frame

if TYPE_CHECKING:
    from pandas import DataFrame

POINTS = 2000
"""The most points of a trajectory that are kept, evenly spread."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """How strategies changed."""

    times: Any
    """Times, or numbers of iterations."""
    current: tuple[Any, ...]
    """What each player, or population, played then: arrays [times, actions]."""
    average: tuple[Any, ...]
    """What each had played on average until then; empty where averages mean nothing."""

    def __len__(self) -> int:
        return len(self.times)

    def to_json(self) -> dict[str, Any]:
        """The trajectory as plain data."""
        return as_plain(
            {
                "times": self.times.tolist(),
                "current": [part.tolist() for part in self.current],
                "average": [part.tolist() for part in self.average],
            }
        )

    def to_frame(self, table: Matrix) -> "DataFrame":
        """A table of pandas: a row for each time, player and action of the payoff table. Of one population, the
        players are one."""
        average = self.average or [[[None] * part.shape[1]] * len(self) for part in self.current]
        return frame(
            ("time", "player", "action", "name", "current", "average"),
            (
                (time, player, action, name, part[i][action], average[player][i][action])
                for i, time in enumerate(self.times.tolist())
                for player, part in enumerate(self.current)
                for action, name in enumerate(table.labels[player])
            ),
        )


def earnings(payoffs: Any, mixed: Sequence[Any], player: int) -> Any:
    """What each action of a player earns against the others' mixed strategies."""
    import numpy as np

    own = payoffs[..., player]
    for other in range(len(mixed) - 1, -1, -1):
        if other != player:
            own = np.moveaxis(own, other, -1) @ mixed[other]
    return own


def gained(payoffs: Any, mixed: Sequence[Any]) -> tuple[tuple[float, ...], float]:
    """What mixed strategies earn against each other, and the most that anyone could gain by a change."""
    each = [earnings(payoffs, mixed, player) for player in range(len(mixed))]
    values = tuple(float(m @ e) + 0.0 for m, e in zip(mixed, each, strict=True))
    return values, max(0.0, *(float(e.max()) - v for e, v in zip(each, values, strict=True)))


def trajectory(times: list[int], current: list[list[Any]], average: list[list[Any]]) -> Trajectory:
    """A trajectory from what was noted at each time."""
    import numpy as np

    players = range(len(current[0]))
    return Trajectory(
        np.array(times),
        tuple(np.array([row[player] for row in current]) for player in players),
        tuple(np.array([row[player] for row in average]) for player in players),
    )


def kept(iterations: int) -> list[int]:
    """The iterations that a trajectory keeps: all, or POINTS of them, the last one always."""
    if iterations <= POINTS:
        return list(range(1, iterations + 1))
    return sorted({1 + i * (iterations - 1) // (POINTS - 1) for i in range(POINTS)})
