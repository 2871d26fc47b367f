"""What every tree walk shares: the words that it keeps, how it opens a node, how it treats repeated positions.

Kernels here are ordinary functions; see `zermelo.compile.program`. `memory` is the stack of actions, `keys` the keys of
the positions on the path, `root` the values of the first moves, and `work` holds the words named below.
"""

import sys

from zermelo.compile import as_number, as_whole, hash64, is_finer, is_float, kernel, load_float, store_number
from zermelo.compile.program import STOP
from zermelo.record import MIRROR
from zermelo.running.faults import are_odds
from zermelo.running.recursion import MAX_PLY
from zermelo.running.repetition import without_repeats
from zermelo.running.statuses import (
    ESTIMATE_OUT_OF_BOUNDS,
    FINE,
    NO_ACTION,
    NO_ACTIONS,
    NO_NUMBER,
    NO_ODDS,
    NO_ROOM,
    OUT_OF_BOUNDS,
    TOO_DEEP,
    TOO_MANY,
)

(
    NODES, STATUS, CUT, PATH, ROOM, SEARCHED, SEARCH_CUT, LEAST, MOST, WRONG, FINER, AVERAGED, SMALLEST,
    LARGEST, CLOSE,
) = range(15)  # fmt: skip
"""Words of `work`: nodes seen, what went wrong, whether a depth limit cut, length of the history, words
of memory for the actions on the path; and the nodes and cuts of the search itself, before its line was followed. Then,
as floats, between what utilities and estimates have to lie, and one that does not. Then what rounding may have done:
whether some number was finer than floats are, whether floats were averaged, the least (but for 0) and the greatest size
of utilities that were averaged, and whether a choice between averages was close."""
assert STATUS == STOP
WORK_WORDS = 15

LARGEST_FLOAT = sys.float_info.max
ROUNDING = 1e-13
"""Averages of floats are at most so far off, in proportion to the largest."""

LARGEST_ROOM = 1 << 21
SPARE = 6
"""Behind the actions on the path there are so many times `max_actions` words more."""
UNLIMITED = 1 << 40


@kernel
def expand(game, s, ply, memory, top, keys, work, order, symmetry, record):
    """Write the actions of `s` to memory, in the order of search; the index after the last, -1 where that failed."""
    if ply > MAX_PLY:
        work[STATUS] = TOO_DEEP
        return -1
    if top > work[ROOM]:
        work[STATUS] = NO_ROOM
        return -1
    end = game.fill(s, memory, top)
    if end < 0:
        work[STATUS] = TOO_MANY
        return -1
    if end == top and not game.ends_without_actions:
        work[STATUS] = NO_ACTIONS
        return -1
    if game.is_watched and not settled(memory, top, end):
        work[STATUS] = NO_ACTION
        return -1
    if game.repetition is not None:
        keys[work[PATH] + ply] = game.key(s)
        if game.forbids_repetition:
            end = without_repeats(game, s, memory, top, end, keys, work[PATH] + ply + 1, record)
    if order is not None:
        sort_by(game, s, memory, top, end, order)
    if symmetry and game.repetition is None:
        # What came up before is seldom symmetric, and so is what repeats it.
        end = without_twins(game, s, memory, top, end, record)
    return end


@kernel
def sort_by(game, s, memory, top, end, order):
    """Sort the actions by `order(game, s, action)`, best first; equals keep their order."""
    for i in range(top + 1, end):
        action = memory[i]
        score = order(game, s, action)
        j = i
        while j > top and order(game, s, memory[j - 1]) < score:
            memory[j] = memory[j - 1]
            j -= 1
        memory[j] = action


@kernel
def canonical_key(game, s):
    """A hash that symmetric states share."""
    key = hash64(s)
    for k in range(1, game.symmetry_count):
        key = min(key, hash64(game.transform(s, k)))
    return key


@kernel
def without_twins(game, s, memory, top, end, record):
    """Keep the first of all actions that lead to the same state but for symmetry. Their keys use room behind `end`."""
    kept = top
    keys = end
    for i in range(top, end):
        action = memory[i]
        key = canonical_key(game, game.result(s, action))
        twin = False
        for j in range(keys, keys + kept - top):
            if memory[j] == key:
                twin = True
        if not twin:
            memory[keys + kept - top] = key
            memory[kept] = action
            kept += 1
        elif record is not None:
            record.skip(action, MIRROR)
    return kept


@kernel
def keep_root(root, place, value):
    """Note the value of a first move: the word 0 of `root` counts them, the values follow."""
    root[0] = place + 1
    store_number(root, place + 1, value)


# --- what the rules say, looked at before anything is built on it ----------------------------------------------------


@kernel
def settled(memory, start, end):
    """Make actions in memory integers, of whatever type they are; whether all of them are that, and none negative."""
    signs = 0
    for i in range(start, end):
        action = as_whole(memory[i])
        memory[i] = action
        signs |= action
    return signs >= 0


@kernel
def utility_of(game, s, player, checked, work):
    """What `player` gets at the end `s`; where `checked`, between bounds."""
    if not game.is_watched and not checked and game.probability is None:
        return 0.0 + game.utility(s, player)
    given = game.utility(s, player)
    value = as_number(given)
    if not -LARGEST_FLOAT <= value <= LARGEST_FLOAT:
        work[STATUS] = NO_NUMBER
    elif checked and not load_float(work, LEAST) <= value <= load_float(work, MOST):
        work[STATUS] = OUT_OF_BOUNDS
        store_number(work, WRONG, value)
    if is_finer(given):
        work[FINER] = 1
    if game.probability is not None:
        note_size(value, work)
    return value


@kernel
def estimate_of(given, checked, work):
    """What an `evaluate` returned; where `checked`, between bounds."""
    value = as_number(given)
    if not -LARGEST_FLOAT <= value <= LARGEST_FLOAT:
        work[STATUS] = NO_NUMBER
    elif checked and not load_float(work, LEAST) <= value <= load_float(work, MOST):
        work[STATUS] = ESTIMATE_OUT_OF_BOUNDS
        store_number(work, WRONG, value)
    return value


@kernel
def odds_of(game, s, action, work):
    """How likely the outcome of a chance node is."""
    given = game.probability(s, action)
    odds = as_number(given)
    if is_finer(given):
        work[FINER] = 1
    if not odds >= 0.0:
        work[STATUS] = NO_ODDS
    return odds


@kernel
def check_odds(total, work):
    """Stop where the odds of a chance node do not sum to 1, unless something else has ended the search before."""
    if work[STATUS] == FINE and not are_odds(total):
        work[STATUS] = NO_ODDS
    return 0


@kernel
def note_average(average, work):
    """Note whether floats were averaged."""
    if is_float(average):
        work[AVERAGED] = 1
    return 0


@kernel
def note_size(value, work):
    """Note the size of a utility that goes into averages."""
    size = abs(value)
    if size > load_float(work, LARGEST):
        store_number(work, LARGEST, size)
    if 0.0 < size < load_float(work, SMALLEST):
        store_number(work, SMALLEST, size)
    return 0


@kernel
def is_close(one, other):
    """Whether rounding may have decided which of two averages is larger."""
    return one != other and abs(one - other) <= ROUNDING * (abs(one) + abs(other))
