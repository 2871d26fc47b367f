"""The walk that flattens a game: kernels.

Information sets are found by hashes of what their players know. Each is noted when it is first met, and each end
whenever play comes there. `Notes` says what is written down.
"""

from zermelo.compile import (
    Array,
    Block,
    Memory,
    array,
    hash64,
    is_finite,
    kernel,
    load_float,
    load_state,
    make_room,
    state_words,
    store_float,
)
from zermelo.compile import store_state as put_state
from zermelo.compile.program import told_as
from zermelo.contract import CHANCE
from zermelo.running.faults import are_odds, is_player
from zermelo.running.recursion import MAX_PLY
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

LARGEST_ROOM = 1 << 24
"""The most words for the actions on the way to a state."""
FIRST_SLOTS = 1 << 10


class Notes(Block):
    """What the walk counts, and what it writes down about sets, sequences and ends."""

    nodes: int  # how many it has met
    status: int  # what went wrong, or that it was stopped
    limit: int  # how many nodes it may meet
    room: int  # words that there are for actions
    ends: int  # how many it has met
    decisions: int  # nodes at which players decide
    branches: int  # actions at all of them
    sets: int  # how many it has found
    sequences: int  # how many it has found, the empty one of each player included
    mask: int  # the number of slots less 1
    faulty: int  # the set at which something is wrong
    last: Array[int] = array(lambda game: game.players)  # each player's last sequence on the way here
    depth: Array[int] = array(lambda game: game.players)  # how many decisions each has made on the way here
    actions: Memory  # those of all states on the way here
    slots: Memory  # where a set is found by its hash: its number and 1 more; 0 where there is none
    keys: Memory  # [sets] the hash of who decides and what that player knows
    movers: Memory  # [sets] who decides
    counts: Memory  # [sets] how many actions there are
    firsts: Memory  # [sets] the sequence that ends in the first action; those of the others follow
    befores: Memory  # [sets] the sequence that leads there
    levels: Memory  # [sets] how many decisions of the same player come before
    states: Memory  # [sets] a state of the set
    moves: Memory  # [sequences] the last action
    meeting: Memory  # [ends, players] the sequences that meet there
    gains: Memory  # [ends, players] what everybody gets times the odds of chance, as floats


@kernel
def set_key(game, s, mover):
    """The key of the information set of `s`: a hash of who moves and what that player sees."""
    if game.view is None:
        return hash64((mover, s))
    return hash64((mover, game.view(s, mover)))


@kernel
def opened(game, s, ply, top, notes):
    """Write the actions of `s` to memory; the index after the last, or -1 where that failed."""
    notes.nodes += 1
    if notes.nodes > notes.limit:
        notes.status = OUT_OF_NODES
    if notes.status != FINE:
        return -1
    if game.is_over(s):
        return top
    if ply >= MAX_PLY or top > notes.room:
        notes.status = TOO_DEEP
        return -1
    make_room(notes.actions, top + game.max_actions)
    end = game.fill(s, notes.actions, top)
    if end < 0:
        notes.status = TOO_MANY
    elif end == top and not game.ends_without_actions:
        notes.status = NO_ACTIONS
        return -1
    return end


# --- counting in advance, so that native memory has its size ---------------------------------------------------------


@kernel
def count_all(game, roots, count, notes):
    """Count ends, decisions and their branches from all roots on."""
    for i in range(count):
        count_below(game, load_state(game, roots, i * state_words(game)), 0, 0, notes)
    return 0


@kernel
def count_below(game, s, ply, top, notes):
    """Count ends, decisions and their branches from `s` on."""
    end = opened(game, s, ply, top, notes)
    if end < 0:
        return 0
    if end == top:
        notes.ends += 1
        return 0
    mover = game.to_move(s)
    if not is_player(game, mover):
        notes.status = NO_PLAYER
        return 0
    if game.probability is None or mover != CHANCE:
        notes.decisions += 1
        notes.branches += end - top
    for i in range(top, end):
        count_below(game, game.result(s, notes.actions[i]), ply + 1, end, notes)
    return 0


# --- the walk --------------------------------------------------------------------------------------------------------


@kernel
@told_as("the tree")
def walk_all(game, roots, odds, count, notes):
    """Flatten everything from all roots on, which have these odds."""
    for i in range(count):
        walk(game, load_state(game, roots, i * state_words(game)), load_float(odds, i), 0, 0, notes)
    return 0


@kernel
def walk(game, s, odds, ply, top, notes):
    """Flatten everything from `s` on; `odds` are those of the root times those of all outcomes of chance on the way."""
    end = opened(game, s, ply, top, notes)
    if end < 0:
        return 0
    if end == top:
        return note_end(game, s, odds, notes)
    mover, actions = game.to_move(s), notes.actions
    if not is_player(game, mover):
        notes.status = NO_PLAYER
        return 0
    if game.probability is not None and mover == CHANCE:
        if not has_odds(game, s, actions, top, end):
            notes.status = NO_ODDS
            return 0
        for i in range(top, end):
            walk(game, game.result(s, actions[i]), odds * game.probability(s, actions[i]), ply + 1, end, notes)
        return 0
    first = first_sequence(game, s, mover, top, end, notes)
    if first < 0:
        return 0
    before = notes.last[mover]
    notes.depth[mover] += 1
    for i in range(top, end):
        notes.last[mover] = first + i - top
        walk(game, game.result(s, actions[i]), odds, ply + 1, end, notes)
    notes.last[mover] = before
    notes.depth[mover] -= 1
    return 0


@kernel
def has_odds(game, s, memory, top, end):
    """Whether the odds of the outcomes between `top` and `end` sum to 1, and none of them is negative."""
    whole = 0.0
    for i in range(top, end):
        p = 0.0 + game.probability(s, memory[i])
        if not p >= 0.0:
            return False
        whole += p
    return are_odds(whole)


@kernel
def note_end(game, s, odds, notes):
    """Note which sequences meet in the end `s`, and what everybody gets there."""
    row = notes.ends * game.players
    notes.ends += 1
    make_room(notes.meeting, row + game.players)
    make_room(notes.gains, row + game.players)
    for player in range(game.players):
        gain = 0.0 + game.utility(s, player)
        if not is_finite(gain):
            notes.status = NO_NUMBER
            return 0
        notes.meeting[row + player] = notes.last[player]
        store_float(notes.gains, row + player, odds * gain)
    return 0


@kernel
def first_sequence(game, s, mover, top, end, notes):
    """The sequence that ends in the first action of the information set of `s`; -1 where something is wrong with it.

    Where nothing is hidden a player knows the way that led here: each node is a set of its own.
    """
    key = set_key(game, s, mover)
    slot = key & notes.mask
    if game.view is not None:
        while notes.slots[slot] != 0:
            number = notes.slots[slot] - 1
            if notes.keys[number] == key:
                return same_set(mover, top, end, number, notes)
            slot = (slot + 1) & notes.mask
    number, first = notes.sets, notes.sequences
    notes.sets += 1
    notes.sequences += end - top
    make_room_for_set(game, number, first + end - top, notes)
    notes.keys[number], notes.movers[number], notes.counts[number] = key, mover, end - top
    notes.firsts[number], notes.befores[number], notes.levels[number] = first, notes.last[mover], notes.depth[mover]
    for i in range(top, end):
        notes.moves[first + i - top] = notes.actions[i]
    put_state(game, notes.states, number * state_words(game), s)
    if game.view is not None:
        notes.slots[slot] = notes.sets
        if 2 * notes.sets > notes.mask:
            grow(notes)
    return first


@kernel
def make_room_for_set(game, number, sequences, notes):
    """Let the memory of the python machine grow until it holds this set and its sequences."""
    make_room(notes.keys, number + 1)
    make_room(notes.movers, number + 1)
    make_room(notes.counts, number + 1)
    make_room(notes.firsts, number + 1)
    make_room(notes.befores, number + 1)
    make_room(notes.levels, number + 1)
    make_room(notes.states, (number + 1) * state_words(game))
    make_room(notes.moves, sequences)
    return 0


@kernel
def same_set(mover, top, end, number, notes):
    """The first sequence of a set met before; -1 where its mover, actions or last own sequence differ from these."""
    first = notes.firsts[number]
    same = notes.counts[number] == end - top and notes.movers[number] == mover
    if same:
        for i in range(top, end):
            if notes.moves[first + i - top] != notes.actions[i]:
                same = False
    if not same:
        notes.status = UNEQUAL
    elif notes.befores[number] != notes.last[mover]:
        notes.status = FORGETS
    if notes.status != FINE:
        notes.faulty = number
        return -1
    return first


@kernel
def grow(notes):
    """Spread the sets over twice as many slots."""
    size = 2 * (notes.mask + 1)
    make_room(notes.slots, size)
    for slot in range(size):
        notes.slots[slot] = 0
    notes.mask = size - 1
    for number in range(notes.sets):
        slot = notes.keys[number] & notes.mask
        while notes.slots[slot] != 0:
            slot = (slot + 1) & notes.mask
        notes.slots[slot] = number + 1
    return 0
