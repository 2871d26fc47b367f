"""The walk that flattens a game: information sets are found by hashes of views, ends are written down as they are met.

Kernels: one body on every machine. `table` holds the slots in which a set is found by its hash, `sets` a row of words
for each, `moves` the action of each sequence, `states` a state of each set; `ends` and `gains` have a row for each end.
"""

from zermelo.compile import hash64, is_finite, kernel, load_float, load_state, make_room, state_words, store_float
from zermelo.compile import store_state as put_state
from zermelo.compile.program import STOP
from zermelo.contract import CHANCE
from zermelo.running.faults import are_odds, is_player
from zermelo.running.statuses import (
    FINE,
    FORGETS,
    NO_ACTIONS,
    NO_NUMBER,
    NO_ODDS,
    NO_PLAYER,
    OUT_OF_NODES,
    TOO_DEEP,
    TOO_MANY,
    UNEQUAL,
)

MAX_PLY = 10_000
LARGEST_ROOM = 1 << 24
"""Words for the actions on the way to a state."""
FIRST_SLOTS = 1 << 10

NODES, STATUS, LIMIT, ENDS, DECISIONS, BRANCHES, SETS, SEQUENCES, MASK, PLACE, ROOM = range(11)
assert STATUS == STOP
WORK_WORDS = 16

KEY, PLAYER, COUNT, FIRST, BEFORE, LEVEL = range(6)
SET_WORDS = 6


@kernel
def set_key(game, s, mover):
    """How the player to move knows an information set: a hash of who moves and what it sees."""
    if game.view is None:
        return hash64((mover, s))
    return hash64((mover, game.view(s, mover)))


@kernel
def opened(game, s, ply, memory, top, work):
    """Write the actions of `s` to memory; the index after the last, or -1 where that failed."""
    work[NODES] += 1
    if work[NODES] > work[LIMIT]:
        work[STATUS] = OUT_OF_NODES
    if work[STATUS] != FINE:
        return -1
    if game.is_over(s):
        return top
    if ply >= MAX_PLY or top > work[ROOM]:
        work[STATUS] = TOO_DEEP
        return -1
    make_room(memory, top + game.max_actions)
    end = game.fill(s, memory, top)
    if end < 0:
        work[STATUS] = TOO_MANY
    elif end == top and not game.ends_without_actions:
        work[STATUS] = NO_ACTIONS
        return -1
    return end


@kernel
def count_below(game, s, ply, memory, top, work):
    """Count ends, decisions and their branches from `s` on."""
    end = opened(game, s, ply, memory, top, work)
    if end < 0:
        return 0
    if end == top:
        work[ENDS] += 1
        return 0
    mover = game.to_move(s)
    if not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0
    if game.probability is None or mover != CHANCE:
        work[DECISIONS] += 1
        work[BRANCHES] += end - top
    for i in range(top, end):
        count_below(game, game.result(s, memory[i]), ply + 1, memory, end, work)
    return 0


@kernel
def count_all(game, roots, count, memory, work):
    """Count ends, decisions and their branches from all roots on."""
    for i in range(count):
        count_below(game, load_state(game, roots, i * state_words(game)), 0, memory, 0, work)
    return 0


@kernel
def walk_all(game, roots, odds, count, memory, last, table, sets, moves, states, ends, gains, work):
    """Flatten everything from all roots on."""
    for i in range(count):
        s = load_state(game, roots, i * state_words(game))
        walk(game, s, load_float(odds, i), 0, memory, 0, last, table, sets, moves, states, ends, gains, work)
    return 0


@kernel
def walk(game, s, odds, ply, memory, top, last, table, sets, moves, states, ends, gains, work):
    """Flatten everything from `s` on, which chance lets happen with these odds.

    `last` holds each player's last sequence, then how many decisions each has made.
    """
    end = opened(game, s, ply, memory, top, work)
    if end < 0:
        return 0
    if end == top:
        return note_end(game, s, odds, last, ends, gains, work)
    mover = game.to_move(s)
    if not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0
    if game.probability is not None and mover == CHANCE:
        if not has_odds(game, s, memory, top, end):
            work[STATUS] = NO_ODDS
            return 0
        for i in range(top, end):
            below, chance = game.result(s, memory[i]), odds * game.probability(s, memory[i])
            walk(game, below, chance, ply + 1, memory, end, last, table, sets, moves, states, ends, gains, work)
        return 0
    first = first_sequence(game, s, mover, memory, top, end, last, table, sets, moves, states, work)
    if first < 0:
        return 0
    before = last[mover]
    last[game.players + mover] += 1
    for i in range(top, end):
        last[mover] = first + i - top
        below = game.result(s, memory[i])
        walk(game, below, odds, ply + 1, memory, end, last, table, sets, moves, states, ends, gains, work)
    last[mover] = before
    last[game.players + mover] -= 1
    return 0


@kernel
def has_odds(game, s, memory, top, end):
    """Whether the odds of the outcomes between `top` and `end` are none of them negative, and sum to 1."""
    whole = 0.0
    for i in range(top, end):
        p = 0.0 + game.probability(s, memory[i])
        if not p >= 0.0:
            return False
        whole += p
    return are_odds(whole)


@kernel
def note_end(game, s, odds, last, ends, gains, work):
    """Note which sequences meet in the end `s`, and what everybody gets there."""
    row = work[ENDS] * game.players
    work[ENDS] += 1
    make_room(ends, row + game.players)
    make_room(gains, row + game.players)
    for player in range(game.players):
        gain = 0.0 + game.utility(s, player)
        if not is_finite(gain):
            work[STATUS] = NO_NUMBER
            return 0
        ends[row + player] = last[player]
        store_float(gains, row + player, odds * gain)
    return 0


@kernel
def first_sequence(game, s, mover, memory, top, end, last, table, sets, moves, states, work):
    """The sequence that ends in the first action of the information set of `s`; -1 where something is wrong with it.

    Where nothing is hidden a player knows the way that led here: each node is a set of its own.
    """
    key = set_key(game, s, mover)
    slot = key & work[MASK]
    if game.view is not None:
        while table[slot] != 0:
            row = (table[slot] - 1) * SET_WORDS
            if sets[row + KEY] == key:
                return same_set(mover, memory, top, end, last, sets, row, moves, work)
            slot = (slot + 1) & work[MASK]
    number, first = work[SETS], work[SEQUENCES]
    row = number * SET_WORDS
    work[SETS] += 1
    work[SEQUENCES] += end - top
    make_room(sets, row + SET_WORDS)
    make_room(moves, first + end - top)
    make_room(states, work[SETS] * state_words(game))
    sets[row + KEY], sets[row + PLAYER], sets[row + COUNT] = key, mover, end - top
    sets[row + FIRST], sets[row + BEFORE], sets[row + LEVEL] = first, last[mover], last[game.players + mover]
    for i in range(top, end):
        moves[first + i - top] = memory[i]
    put_state(game, states, number * state_words(game), s)
    if game.view is not None:
        table[slot] = work[SETS]
        if 2 * work[SETS] > work[MASK]:
            grow(table, sets, work)
    return first


@kernel
def same_set(mover, memory, top, end, last, sets, row, moves, work):
    """The first sequence of a set that was met before, if it is the same in all that players must know there."""
    first = sets[row + FIRST]
    same = sets[row + COUNT] == end - top and sets[row + PLAYER] == mover
    if same:
        for i in range(top, end):
            if moves[first + i - top] != memory[i]:
                same = False
    if not same:
        work[STATUS] = UNEQUAL
    elif sets[row + BEFORE] != last[mover]:
        work[STATUS] = FORGETS
    if work[STATUS] != FINE:
        work[PLACE] = row // SET_WORDS
        return -1
    return first


@kernel
def grow(table, sets, work):
    """Spread the sets over twice as many slots."""
    size = 2 * (work[MASK] + 1)
    make_room(table, size)
    for slot in range(size):
        table[slot] = 0
    work[MASK] = size - 1
    for number in range(work[SETS]):
        slot = sets[number * SET_WORDS + KEY] & work[MASK]
        while table[slot] != 0:
            slot = (slot + 1) & work[MASK]
        table[slot] = number + 1
    return 0
