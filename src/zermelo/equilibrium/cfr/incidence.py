"""The sparse arrays on which CFR works, and the kernels that every iteration shares: `meet` and `spread_plan`.

They say which ends each sequence meets, and which information sets come next.

What a sequence is worth to its player is the sum, over the ends that it reaches, of what the end gives times the odds
that the others play for it: a sparse product. To this comes the sum of what the next own sets are worth.

A row is a sequence or an information set. Rows of one player and one level do not depend on each other: a GPU works on
all of them at once, and one core goes through them one after the other. Sums are taken in the same order.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.compile import Block, Memory, kernel, load_float, store_float
from zermelo.compile.routine import put_array
from zermelo.equilibrium.forms.flat import Flat
from zermelo.errors import UnsuitableGame

HALF = 32
"""An entry is one word: in its lower half the sequence of the other player, in its upper half the place of its gain."""
LOWER = (1 << HALF) - 1


# --- for kernels -----------------------------------------------------------------------------------------------------


class FlatTree(Block):
    """The arrays of a `Form` on a machine."""

    players: int
    sets: int
    sequences: int
    ranges: Memory  # [players + 1] the first set of each player
    first: Memory  # [sets + 1] the first sequence of each set
    before: Memory  # [sets] the sequence that leads to it
    begin: Memory  # [sequences + 1] the first entry of each sequence
    entries: Memory  # [entries] the place of a gain and the other player's sequence
    others: Memory  # [entries, players - 1] the other players' sequences, where more than two play
    values: Memory  # [gains that differ] floats
    followed: Memory  # [sequences + 1] the first of the sets that come next
    follow: Memory  # [sets]


class Play(Block):
    """How everybody plays, and what that makes sequences worth."""

    odds: Memory  # [sequences] the odds of the last action in its set
    plan: Memory  # [sequences] the odds with which its player plays for it
    gain: Memory  # [sequences] what the sequence is worth


@kernel
def meet(start, stop, tree, play):
    """What the sequences from `start` on, before `stop`, are worth at the ends that they meet, as the others play."""
    begin, entries, others, values = tree.begin, tree.entries, tree.others, tree.values
    plan, gain, rivals = play.plan, play.gain, tree.players - 1
    for row in range(start, stop):
        total = 0.0
        if rivals == 1:
            for i in range(begin[row], begin[row + 1]):
                entry = entries[i]
                total += load_float(values, entry >> HALF) * load_float(plan, entry & LOWER)
        else:
            for i in range(begin[row], begin[row + 1]):
                worth = load_float(values, entries[i] >> HALF)
                for k in range(i * rivals, (i + 1) * rivals):
                    worth *= load_float(plan, others[k])
                total += worth
        store_float(gain, row, total)
    return 0


@kernel
def spread_plan(start, stop, tree, play):
    """With which odds players play for each sequence of the sets from `start` on, before `stop`."""
    first, before, odds, plan = tree.first, tree.before, play.odds, play.plan
    for row in range(start, stop):
        reach = load_float(plan, before[row])
        for i in range(first[row], first[row + 1]):
            store_float(plan, i, reach * load_float(odds, i))
    return 0


@kernel
def meet_row(row, start, tree, play):
    """`meet`, for one of the sequences from `start` on."""
    return meet(start + row, start + row + 1, tree, play)


@kernel
def spread_row(row, start, tree, play):
    """`spread_plan`, for one of the sets from `start` on."""
    return spread_plan(start + row, start + row + 1, tree, play)


# --- the arrays ------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Form:
    """Arrays of words; `values` are floats."""

    flat: Flat
    begin: Any  # [sequences + 1] the first entry of each sequence
    entries: Any  # [entries]
    others: Any  # [entries, players - 1] the other players' sequences, where more than two play
    values: Any  # [gains that differ]
    followed: Any  # [sequences + 1] the first of the sets that come next
    follow: Any  # [sets]
    ranges: Any  # [players + 1] the first set of each player
    levels: list[list[tuple[int, int]]]
    """For each player, level by level, the first set and the one after the last."""

    @property
    def players(self) -> int:
        """How many play."""
        return self.flat.players


def form_of(flat: Flat) -> Form:
    """The form of a flattened game."""
    import numpy as np

    players, count = flat.players, flat.sequences
    if players * len(flat.ends) >= 1 << HALF or count >= 1 << HALF:
        raise UnsuitableGame(f"{flat.game.name} has {len(flat.ends):,} ends: too many for one form")
    values = np.unique(flat.gains)
    place = np.searchsorted(values, flat.gains)
    begin = np.zeros(count + 1, dtype=np.int64)
    entries, others, rows = [], [], []
    for player in range(players):
        order, sizes = _by_row(flat.ends[:, player], count)
        begin[1:] += sizes
        rows.append(flat.ends[order, player])
        rest = np.delete(flat.ends, player, axis=1)[order] if players != 2 else flat.ends[order, 1 - player]
        gains = place[order, player]
        if players == 2:
            entries.append(gains << HALF | rest)
        else:
            entries.append(gains << HALF)
            others.append(rest)
    entries, others = _in_order(np.concatenate(rows), np.concatenate(entries), np.concatenate(others or [[]]))
    follow, sizes = _by_row(flat.before, count)
    ranges = np.searchsorted(flat.player, np.arange(players + 1))
    return Form(
        flat=flat,
        begin=np.cumsum(begin),
        entries=entries,
        others=others.reshape(-1) if len(others) else np.zeros(1, dtype=np.int64),
        values=values,
        followed=np.concatenate(([0], np.cumsum(sizes))),
        follow=follow.astype(np.int64),
        ranges=ranges,
        levels=[_levels(flat.level, int(ranges[p]), int(ranges[p + 1])) for p in range(players)],
    )


def _in_order(rows: Any, entries: Any, others: Any) -> tuple[Any, Any]:
    """Entries listed player by player, sorted by sequence: the empty sequences of all players come first."""
    import numpy as np

    if not len(rows) or (rows[:-1] <= rows[1:]).all():
        return entries, others
    order = np.argsort(rows, kind="stable")
    return entries[order], others[order] if len(others) else others


def _by_row(rows: Any, count: int) -> tuple[Any, Any]:
    """The places of the rows 0, 1, ... in an array of row numbers, and how many places each row has."""
    import numpy as np
    from scipy.sparse import csc_array

    # A matrix with one entry in each column, read by rows: scipy counts, which is faster than sorting.
    n = len(rows)
    columns = csc_array((np.ones(n, dtype=np.int8), rows, np.arange(n + 1)), shape=(count, n))
    by_rows = columns.tocsr()
    return by_rows.indices, np.diff(by_rows.indptr)


def _levels(level: Any, start: int, stop: int) -> list[tuple[int, int]]:
    """The stretches of equal level between two sets."""
    import numpy as np

    edges = [start, *(start + 1 + np.flatnonzero(np.diff(level[start:stop]))).tolist(), stop]
    return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if a < b]


def placed(form: Form, on: Any) -> Any:
    """The arrays of the form on a machine."""
    flat, tree = form.flat, on.block(FlatTree)
    tree.players, tree.sets, tree.sequences = flat.players, flat.sets, flat.sequences
    for name in ("first", "before"):
        setattr(tree, name, put_array(on, getattr(flat, name)))
    for name in ("ranges", "begin", "entries", "others", "values", "followed", "follow"):
        setattr(tree, name, put_array(on, getattr(form, name)))
    return tree
