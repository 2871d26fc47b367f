"""Threads on one tree keep out of each other's way.

A word that two threads write has to travel between their cores, which takes as long as a short playout. Near the root
every simulation writes the same words. So a thread stays: it goes down to a node that has been visited often, makes
several simulations from there, and hands in their sum at all nodes above. Numbers of simulations, and room for new
nodes, are taken in portions as well.
"""

from zermelo.compile import fetch_add, kernel
from zermelo.compile.random import stream, word
from zermelo.contract import CHANCE
from zermelo.running.repetition import NEVER, last_time
from zermelo.searches.mcts.blocks import ACTION, FIRST, LONGEST_PATH, ROOT, SUM, VISITS
from zermelo.searches.mcts.selection import best_child

STAY = 16
"""Simulations from one node."""
MANY = 64 * STAY
"""A thread stays at nodes with so many visits or more, where STAY further ones change little."""
PORTION = 1 << 12
"""Words of the tree that a thread takes at a time."""


@kernel
def settle_down(game, setup, s, numbers, tree, thread):
    """Go down from the root, whose state is `s`, to the node where the next simulations begin; its state.

    These simulations are counted at once in all nodes on the way, as lost for the players who chose them, so that
    other threads go elsewhere.
    """
    nodes, node, ply = tree.nodes, ROOT, 0
    thread.path[0] = node
    key = stream(thread.seed, -1 - thread.simulations)
    while ply < LONGEST_PATH - 2 and nodes[node + FIRST] > 0:
        mover = game.to_move(s)
        if mover == CHANCE:
            break
        child = best_child(setup, mover, node, word(key, ply), numbers, tree)
        if nodes[child + VISITS] < MANY or nodes[child + FIRST] <= 0:
            break
        after = game.result(s, nodes[child + ACTION])
        if game.repetition is not None:
            here = numbers.before + ply + 1
            thread.keys[here] = game.key(after)
            if game.draws_by_repetition and last_time(game, thread.keys, 0, here, numbers.before) != NEVER:
                break
        thread.movers[ply] = mover
        s, node = after, child
        ply += 1
        thread.path[ply] = node
    stay = STAY if nodes[node + VISITS] >= MANY else 1
    for i in range(ply + 1):
        node = thread.path[i]
        loss = 0
        if i > 0 and tree.least <= tree.greatest:
            loss = stay * (tree.greatest if thread.movers[i - 1] == 1 else tree.least)
        fetch_add(nodes, node + VISITS, stay)
        fetch_add(nodes, node + SUM, loss)
        thread.losses[i] = loss
    thread.stays, thread.base, thread.due, thread.stay_sum = 1, ply, stay, 0
    return s


@kernel
def hand_in(tree, thread):
    """Add what the simulations of this stay found to all nodes down to where they began; count none that were not
    made."""
    if thread.stays:
        for i in range(thread.base + 1):
            node = thread.path[i]
            fetch_add(tree.nodes, node + SUM, thread.stay_sum - thread.losses[i])
            if thread.due > 0:
                fetch_add(tree.nodes, node + VISITS, -thread.due)
        thread.stays, thread.due = 0, 0
    # Numbers that were not used are there for the next search.
    if thread.number < thread.numbers_end:
        fetch_add(tree.counts, "started", thread.number - thread.numbers_end)
        thread.numbers_end = thread.number
    return 0


@kernel
def has_numbers(tree, thread):
    """Take the next numbers of simulations, as many as are due; whether there are any."""
    count = max(1, thread.due)
    first = fetch_add(tree.counts, "started", count)
    end = max(first, min(first + count, thread.limit))
    if end < first + count:
        fetch_add(tree.counts, "started", end - first - count)
    thread.number, thread.numbers_end = first, end
    return first < end


@kernel
def own_room(size, tree, thread):
    """Where so many words begin that no other thread uses; where the tree is full, they end behind its capacity."""
    if thread.room_end - thread.room < size:
        count = max(size, PORTION)
        start = fetch_add(tree.counts, "top", count)
        if start + count > tree.capacity:
            fetch_add(tree.counts, "top", -count)
            count = size
            start = fetch_add(tree.counts, "top", count)
            if start + count > tree.capacity:
                fetch_add(tree.counts, "top", -count)
                return tree.capacity
        thread.room, thread.room_end = start, start + count
    thread.room += size
    return thread.room - size
