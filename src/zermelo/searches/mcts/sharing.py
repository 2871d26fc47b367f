"""Threads on one tree keep out of each other's way.

A word that two threads write has to travel between their cores, which takes as long as a short playout. Near the root
every simulation writes the same words. So a thread stays: it goes down to a node that has been visited often, makes
several simulations from there, and hands in their sum at all nodes above. Numbers of simulations, and room for new
nodes, are taken in portions as well.
"""

from zermelo.compile import fetch_add, kernel
from zermelo.compile.random import stream, word
from zermelo.contract import CHANCE
from zermelo.searches.mcts.blocks import (
    ACTION,
    BASE,
    CAPACITY,
    DUE,
    FIRST,
    GREATEST,
    LEAST,
    LIMIT,
    LONGEST_PATH,
    LOSSES_AT,
    MOVERS_AT,
    NODES_AT,
    NUMBER,
    NUMBERS_END,
    PATH,
    ROOM,
    ROOM_END,
    ROOT,
    SEED,
    SIMULATIONS,
    STARTED,
    STAY_SUM,
    STAYING,
    SUM,
    TOP,
    VISITS,
)
from zermelo.searches.mcts.selection import best_child, came_before

STAY = 16
"""Simulations from one node."""
MANY = 64 * STAY
"""Visits from which on a node is one to stay at: so many more do not matter much to it."""
PORTION = 1 << 12
"""Words of the tree that a thread takes at a time."""


@kernel
def settle_down(game, s, prior, tree, memory, keys, work):
    """Go down from the root, whose state is `s`, to the node where the next simulations begin; its state.

    They are counted at once in all nodes down to there, as lost for those who chose them: others then go elsewhere.
    """
    node, ply = ROOT, 0
    memory[NODES_AT] = node
    key = stream(work[SEED], -1 - work[SIMULATIONS])
    while ply < LONGEST_PATH - 2 and tree[node + FIRST] > 0:
        mover = game.to_move(s)
        if mover == CHANCE:
            break
        child = best_child(mover, prior, False, False, False, node, word(key, ply), tree, work)
        if tree[child + VISITS] < MANY or tree[child + FIRST] <= 0:
            break
        after = game.result(s, tree[child + ACTION])
        if game.repetition is not None:
            keys[work[PATH] + ply] = game.key(s)
            if game.draws_by_repetition and came_before(game, after, ply + 1, keys, work):
                break
        memory[MOVERS_AT + ply] = mover
        s, node = after, child
        ply += 1
        memory[NODES_AT + ply] = node
    stay = STAY if tree[node + VISITS] >= MANY else 1
    for i in range(ply + 1):
        node = memory[NODES_AT + i]
        loss = 0
        if i > 0 and tree[LEAST] <= tree[GREATEST]:
            loss = stay * (tree[GREATEST] if memory[MOVERS_AT + i - 1] == 1 else tree[LEAST])
        fetch_add(tree, node + VISITS, stay)
        fetch_add(tree, node + SUM, loss)
        memory[LOSSES_AT + i] = loss
    work[STAYING], work[BASE], work[DUE], work[STAY_SUM] = 1, ply, stay, 0
    return s


@kernel
def hand_in(tree, memory, work):
    """Add what the simulations of this stay found to all nodes down to where they began; count none that were not
    made."""
    if work[STAYING]:
        for i in range(work[BASE] + 1):
            node = memory[NODES_AT + i]
            fetch_add(tree, node + SUM, work[STAY_SUM] - memory[LOSSES_AT + i])
            if work[DUE] > 0:
                fetch_add(tree, node + VISITS, -work[DUE])
        work[STAYING], work[DUE] = 0, 0
    # Numbers that were not used are there for the next search.
    if work[NUMBER] < work[NUMBERS_END]:
        fetch_add(tree, STARTED, work[NUMBER] - work[NUMBERS_END])
        work[NUMBERS_END] = work[NUMBER]
    return 0


@kernel
def has_numbers(tree, work):
    """Take the next numbers of simulations, as many as are due; whether there are any."""
    count = max(1, work[DUE])
    first = fetch_add(tree, STARTED, count)
    end = max(first, min(first + count, work[LIMIT]))
    if end < first + count:
        fetch_add(tree, STARTED, end - first - count)
    work[NUMBER], work[NUMBERS_END] = first, end
    return first < end


@kernel
def own_room(size, tree, work):
    """Where so many words begin that no other thread uses; where the tree is full, they end behind its capacity."""
    if work[ROOM_END] - work[ROOM] < size:
        count = max(size, PORTION)
        block = fetch_add(tree, TOP, count)
        if block + count > tree[CAPACITY]:
            fetch_add(tree, TOP, -count)
            count = size
            block = fetch_add(tree, TOP, count)
            if block + count > tree[CAPACITY]:
                fetch_add(tree, TOP, -count)
                return tree[CAPACITY]
        work[ROOM], work[ROOM_END] = block, block + count
    work[ROOM] += size
    return work[ROOM] - size
