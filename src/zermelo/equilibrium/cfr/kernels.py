"""One step of counterfactual regret minimisation, row by row: the same on every machine.

A row is a sequence or an information set. Rows of one player and one level do not depend on each other, so that a GPU
works on all of them at once; one core goes through them one after the other. Sums are taken in the same order.

- `meet`: what each sequence of a player is worth at the ends that it meets, as the others play;
- `settle`: what each information set is worth, deepest first; regrets, the average, and the next strategy;
- `spread_plan`: the odds with which the player plays for each sequence, by that strategy.
"""

from zermelo.compile import kernel, load_float, store_float
from zermelo.compile.program import STOP
from zermelo.equilibrium.cfr.incidence import HALF

LOWER = (1 << HALF) - 1
DONE, STATUS, GOAL, STARTED = range(4)
"""Words of `work`: iterations made, what went wrong, iterations wanted, and the iteration to which the first row of
`pace` belongs."""
assert STATUS == STOP
WORK_WORDS = 8
KEEP_GAINS, KEEP_LOSSES, WEIGHT = range(3)
PACE = 3
"""Floats of `pace` for each iteration: the share of positive and of negative regrets that is kept, and the weight of
the strategy in the average."""


@kernel
def meet(row, players, plan, begin, entries, others, values, gain):
    """What sequence number `row` is worth at the ends that it meets."""
    total = 0.0
    if players == 2:
        for i in range(begin[row], begin[row + 1]):
            entry = entries[i]
            total += load_float(values, entry >> HALF) * load_float(plan, entry & LOWER)
    else:
        for i in range(begin[row], begin[row + 1]):
            worth = load_float(values, entries[i] >> HALF)
            for k in range(i * (players - 1), (i + 1) * (players - 1)):
                worth *= load_float(plan, others[k])
            total += worth
    store_float(gain, row, total)
    return 0


@kernel
def follow_up(row, followed, follow, worth, gain):
    """Add what comes after sequence number `row`."""
    start, stop = followed[row], followed[row + 1]
    if start < stop:
        total = load_float(gain, row)
        for i in range(start, stop):
            total += load_float(worth, follow[i])
        store_float(gain, row, total)
    return 0


@kernel
def settle(row, first, gain, worth, regrets, sums, odds, plan, pace, at, prediction):
    """What set number `row` is worth, what its actions are regretted, and how it is played next."""
    start, stop = first[row], first[row + 1]
    value = 0.0
    for i in range(start, stop):
        value += load_float(odds, i) * load_float(gain, i)
    store_float(worth, row, value)
    weight = load_float(pace, at + WEIGHT)
    whole = 0.0
    for i in range(start, stop):
        extra = load_float(gain, i) - value
        regret = load_float(regrets, i) + extra
        regret *= load_float(pace, at + KEEP_GAINS) if regret > 0.0 else load_float(pace, at + KEEP_LOSSES)
        store_float(regrets, i, regret)
        store_float(sums, i, load_float(sums, i) + weight * load_float(plan, i))
        wish = regret + prediction * extra
        if wish > 0.0:
            whole += wish
            store_float(odds, i, wish)
        else:
            store_float(odds, i, 0.0)
    if whole > 0.0:
        for i in range(start, stop):
            store_float(odds, i, load_float(odds, i) / whole)
    else:
        for i in range(start, stop):
            store_float(odds, i, 1.0 / (stop - start))
    return 0


@kernel
def spread_plan(row, first, before, odds, plan):
    """With which odds the player plays for each sequence of set number `row`."""
    reach = load_float(plan, before[row])
    for i in range(first[row], first[row + 1]):
        store_float(plan, i, reach * load_float(odds, i))
    return 0


@kernel
def iterate(
    players, together, prediction, ranges, first, before, begin, entries, others, values, followed, follow, gain,
    worth, regrets, sums, odds, plan, pace, work,
):  # fmt: skip
    """Iterations until as many are done as wanted; one core, one row after the other."""
    while work[DONE] < work[GOAL] and work[STATUS] == 0:
        at = PACE * (work[DONE] - work[STARTED])
        for player in range(players):
            for row in range(first[ranges[player]], first[ranges[player + 1]]):
                meet(row, players, plan, begin, entries, others, values, gain)
            for row in range(ranges[player + 1] - 1, ranges[player] - 1, -1):
                for i in range(first[row], first[row + 1]):
                    follow_up(i, followed, follow, worth, gain)
                settle(row, first, gain, worth, regrets, sums, odds, plan, pace, at, prediction)
            if not together:
                for row in range(ranges[player], ranges[player + 1]):
                    spread_plan(row, first, before, odds, plan)
        if together:
            for row in range(ranges[players]):
                spread_plan(row, first, before, odds, plan)
        work[DONE] += 1
    return 0


# --- the same for many rows at once ----------------------------------------------------------------------------------


@kernel
def meet_row(row, start, players, plan, begin, entries, others, values, gain):
    """`meet`, for rows from `start` on."""
    return meet(start + row, players, plan, begin, entries, others, values, gain)


@kernel
def follow_row(row, start, followed, follow, worth, gain):
    """`follow_up`, for rows from `start` on."""
    return follow_up(start + row, followed, follow, worth, gain)


@kernel
def settle_row(row, start, first, gain, worth, regrets, sums, odds, plan, pace, prediction, work):
    """`settle`, for rows from `start` on."""
    at = PACE * (work[DONE] - work[STARTED])
    return settle(start + row, first, gain, worth, regrets, sums, odds, plan, pace, at, prediction)


@kernel
def spread_row(row, start, first, before, odds, plan):
    """`spread_plan`, for rows from `start` on."""
    return spread_plan(start + row, first, before, odds, plan)


@kernel
def count_row(row, work):
    """One more iteration is done."""
    work[DONE] += 1
    return 0
