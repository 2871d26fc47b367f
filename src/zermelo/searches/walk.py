"""What every tree walk shares: the words that it keeps, how it opens a node, how it treats repeated positions.

Kernels here are ordinary functions; see `zermelo.compile.program`. `memory` is the stack of actions, `keys` the keys of
the positions on the path, `root` the values of the first moves, and `work` holds the words named below.
"""

from zermelo.compile import hash64, kernel, store_float
from zermelo.compile.program import STOP
from zermelo.record import MIRROR

NODES, STATUS, CUT, PATH, ROOM, SEARCHED, SEARCH_CUT = range(7)
"""Words of `work`: nodes seen, what went wrong, whether a depth limit cut, length of the history, words
of memory for the actions on the path; and the nodes and cuts of the search itself, before its line was followed."""
assert STATUS == STOP
WORK_WORDS = 7

FINE, TOO_DEEP, TOO_MANY, NO_ACTIONS, OUT_OF_PATIENCE, NO_ROOM = range(6)
"""Values of STATUS, and STOPPED where somebody interrupted."""

MAX_PLY = 10_000
LARGEST_ROOM = 1 << 21
SPARE = 6
"""Behind the actions on the path there are so many times `max_actions` words more."""
UNLIMITED = 1 << 40


def lose_patience(work):
    """End a search in plain Python: it turns back at its next node."""
    work[STATUS] = OUT_OF_PATIENCE


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
    if game.repetition is not None:
        keys[work[PATH] + ply] = game.key(s)
        if game.forbids_repetition:
            end = without_repeats(game, s, ply, memory, top, end, keys, work, record)
    if order is not None:
        sort_by(game, s, memory, top, end, order)
    if symmetry and game.repetition is None:
        # What came up before is seldom symmetric, and so is what repeats it.
        end = without_twins(game, s, memory, top, end, record)
    return end


@kernel
def occurrences(game, s, ply, keys, work):
    """How often this position stands on the path before it."""
    key = game.key(s)
    found = 0
    for i in range(work[PATH] + ply):
        if keys[i] == key:
            found += 1
    return found


@kernel
def is_repeated_draw(game, s, ply, keys, work):
    """Whether the rules call this position a draw because it came up before."""
    return game.draws_by_repetition and occurrences(game, s, ply, keys, work) + 1 >= game.repetition_count


@kernel
def without_repeats(game, s, ply, memory, top, end, keys, work, record):
    """Keep the actions that lead to no earlier position."""
    kept = top
    for i in range(top, end):
        if occurrences(game, game.result(s, memory[i]), ply + 1, keys, work) == 0:
            memory[kept] = memory[i]
            kept += 1
        elif record is not None:
            record.skip(memory[i], "repeats an earlier position")
    return kept


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
    store_float(root, place + 1, value)
