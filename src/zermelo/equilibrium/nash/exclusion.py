"""Proves that a support has no equilibrium, by bounds on payoffs over smaller and smaller parts of the odds.

What one action pays more than another is linear in the odds of each other player: over a product of simplices it lies
between its least and greatest value at the corners. Parts where an action of the support is always worse than another
are left out; if nothing is left, there is no equilibrium over the support.
"""

from collections.abc import Sequence
from typing import Any

SLACK = 1e-9
"""A share of the range of payoffs that rounding may cost."""


def is_excluded(payoffs: Any, support: Sequence[Sequence[int]], parts: int) -> bool:
    """Whether at most so many parts suffice to show that no equilibrium has exactly this support.

    `payoffs` has one axis for each player's actions and a last one for the player.
    """
    import numpy as np

    slack = SLACK * float(np.ptp(payoffs))
    tables = []
    for player, own in enumerate(support):
        others = [range(payoffs.shape[j]) if j == player else s for j, s in enumerate(support)]
        local = np.moveaxis(payoffs[..., player][np.ix_(*others)], player, 0)
        rest = [i for i in range(len(local)) if i not in own]
        first = local[own[0]]
        equal = [local[a] - local[b] for k, a in enumerate(own) for b in own[k + 1 :]]
        worse = [local[c] - first for c in rest]
        tables.append((_stacked(equal, first), _stacked(worse, first)))
    waiting = [[np.eye(len(own)) for own in support]]  # each player's part by its corners, one a row
    for _ in range(parts):
        if not waiting:
            return True
        part = waiting.pop()
        if all(_is_possible(tables[i], part, i, slack) for i in range(len(support))):
            split = _halves(part)
            if split is None:
                return False
            waiting += split
    return not waiting


def _stacked(rows: list[Any], like: Any) -> Any:
    import numpy as np

    return np.stack(rows) if rows else np.zeros((0, *like.shape))


def _is_possible(tables: tuple[Any, Any], part: list[Any], player: int, slack: float) -> bool:
    """Whether a player may be indifferent over its support, and prefer no other action, somewhere in the part."""
    import numpy as np

    for table, both in zip(tables, (True, False), strict=True):
        if not len(table):
            continue
        corners = table
        for j in range(len(part)):
            if j != player:
                # Axis 1 is the next other player's actions: it becomes the last axis, over the corners of its part.
                corners = np.tensordot(corners, part[j], axes=(1, 1))
        corners = corners.reshape(len(table), -1)
        if (corners.min(axis=1) > slack).any() or (both and (corners.max(axis=1) < -slack).any()):
            return False
    return True


def _halves(part: list[Any]) -> list[list[Any]] | None:
    """Two halves of a part, cut through its longest edge."""
    import numpy as np

    longest, where = 1e-4, None
    for j, corners in enumerate(part):
        if len(corners) > 1:
            lengths = np.abs(corners[:, None, :] - corners[None, :, :]).max(axis=2)
            a, b = np.unravel_index(lengths.argmax(), lengths.shape)
            if lengths[a, b] > longest:
                longest, where = float(lengths[a, b]), (j, int(a), int(b))
    if where is None:
        return None
    j, a, b = where
    middle = (part[j][a] + part[j][b]) / 2
    halves = []
    for corner in (a, b):
        moved = part[j].copy()
        moved[corner] = middle
        halves.append([*part[:j], moved, *part[j + 1 :]])
    return halves
