"""Back up the tree: values are added, and what is certain is carried on."""

from zermelo.compile import fetch_add, kernel, load_float
from zermelo.contract import CHANCE
from zermelo.searches.mcts.blocks import (
    FIRST,
    PROVEN,
    RAVE_INDEX,
    RAVE_SUM,
    RAVE_VISITS,
    SUM,
    VISITS,
)


@kernel
def add(setup, nodes, at, value):
    """Add to a word."""
    if setup.shared:
        fetch_add(nodes, at, value)
    else:
        nodes[at] += value
    return 0


@kernel
def lose(setup, mover, node, ply, numbers, tree, thread):
    """Count a simulation on its way down as already lost for the player who chose this node (a virtual loss), so that
    other threads go elsewhere."""
    fetch_add(tree.nodes, node + VISITS, 1)
    loss = 0
    if mover >= 0 and tree.least <= tree.greatest:
        loss = tree.greatest if mover == 1 and not setup.several else tree.least
        value_at = numbers.others_at + mover - 1 if setup.several and mover > 0 else SUM
        fetch_add(tree.nodes, node + value_at, loss)
    thread.losses[ply] = loss
    return 0


@kernel
def back_up(setup, ply, numbers, tree, thread):
    """Add the simulation's values to every node of its path, or to those below the node where the thread stays."""
    end = -1
    if setup.stays:
        end = thread.base
        thread.stay_sum += thread.values[0]
        thread.due -= 1
    for i in range(ply, end, -1):
        node = thread.path[i]
        if setup.shared:
            add_shared(setup, i, node, numbers, tree.nodes, thread)
        else:
            add_alone(setup, node, numbers, tree.nodes, thread)
        if setup.rave and i < ply:
            # What was played later counts as if it had been played here; then this node's own move joins in.
            mover = thread.movers[i]
            chosen = thread.path[i + 1]
            if mover >= 0:
                thread.marks[tree.nodes[chosen + numbers.rave_at + RAVE_INDEX]] = mover + 1
                credit(setup, mover, thread.values[mover if setup.several else 0], node, numbers, tree.nodes, thread)
    return 0


@kernel
def add_alone(setup, node, numbers, nodes, thread):
    """Count the simulation in a node of a tree that only this thread grows."""
    nodes[node + VISITS] += 1
    nodes[node + SUM] += thread.values[0]
    if setup.several:
        for player in range(1, numbers.sums):
            nodes[node + numbers.others_at + player - 1] += thread.values[player]
    return 0


@kernel
def add_shared(setup, i, node, numbers, nodes, thread):
    """Add the values to node number `i` of the path. It was counted on the way down: what was lost then is given
    back."""
    loser = thread.movers[i - 1] if setup.several and i > 0 else 0
    for player in range(numbers.sums):
        value_at = numbers.others_at + player - 1 if player > 0 else SUM
        loss = thread.losses[i] if player == loser else 0
        fetch_add(nodes, node + value_at, thread.values[player] - loss)
    return 0


@kernel
def credit(setup, mover, value, node, numbers, nodes, thread):
    """Count the simulation for all children whose action the mover played in it, now or later."""
    first = nodes[node + FIRST]
    for i in range(nodes[first - 1]):
        at = first + i * numbers.width + numbers.rave_at
        if thread.marks[nodes[at + RAVE_INDEX]] == mover + 1:
            add(setup, nodes, at + RAVE_VISITS, 1)
            add(setup, nodes, at + RAVE_SUM, value)
    return 0


# --- what is certain -------------------------------------------------------------------------------------------------


@kernel
def prove(game, setup, ply, numbers, tree, thread):
    """Carry certain values up the path, as far as they decide something."""
    nodes = tree.nodes
    i = ply - 1
    while i >= 0 and nodes[thread.path[i + 1] + PROVEN] and not nodes[thread.path[i] + PROVEN]:
        if not is_decided(game, setup, thread.movers[i], thread.path[i], numbers, nodes):
            break
        i -= 1
    return 0


@kernel
def is_won(mover, gain, numbers):
    """Whether nothing better than this gain exists for the mover, where the ends of the range are known."""
    return gain >= (numbers.highest if mover == 0 else -numbers.lowest)


@kernel
def is_decided(game, setup, mover, node, numbers, nodes):
    """Whether the children decide what a node is worth, and if so note it: the mover has a win, or all is known."""
    if game.probability is not None and mover == CHANCE:
        return False
    first, exact = nodes[node + FIRST], numbers.exact_at
    best, chosen, every = 0.0, -1, True
    for i in range(nodes[first - 1]):
        child = first + i * numbers.width
        if nodes[child + PROVEN]:
            value = sure_gain(setup, mover, child, numbers, nodes)
            if chosen < 0 or value > best:
                best, chosen = value, child
        else:
            every = False
    if not every and not (setup.bounded and not setup.several and is_won(mover, best, numbers)):
        return False
    for i in range(2 * numbers.sums):
        nodes[node + exact + i] = nodes[chosen + exact + i]
    nodes[node + PROVEN] = 1
    return True


@kernel
def sure_gain(setup, mover, child, numbers, nodes):
    """What a proven child is worth to the player to move, on the scale of utilities."""
    gain = load_float(nodes, child + numbers.exact_at + numbers.sums + (mover if setup.several else 0))
    return -gain if mover > 0 and not setup.several else gain
