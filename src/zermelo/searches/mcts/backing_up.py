"""Back up the tree: values are added, and what is certain is carried on."""

from zermelo.compile import fetch_add, kernel, load_float
from zermelo.contract import CHANCE
from zermelo.searches.mcts.blocks import (
    BASE,
    DUE,
    EXACT_AT,
    FIRST,
    GREATEST,
    HIGHEST,
    LEAST,
    LOSSES_AT,
    LOWEST,
    MARKS_AT,
    MOVERS_AT,
    NODES_AT,
    OTHERS_AT,
    PROVEN,
    RAVE_AT,
    RAVE_INDEX,
    RAVE_SUM,
    RAVE_VISITS,
    STAY_SUM,
    SUM,
    SUMS,
    SURE_ENDS,
    VISITS,
    WIDTH,
)
from zermelo.searches.mcts.playouts import values_at


@kernel
def add(tree, at, value, shared):
    """Add to a word."""
    if shared:
        fetch_add(tree, at, value)
    else:
        tree[at] += value
    return 0


@kernel
def lose(mover, several, node, ply, tree, memory, work):
    """Count a simulation that is on its way down already, as lost for the player who chose it: other threads then go
    elsewhere."""
    fetch_add(tree, node + VISITS, 1)
    loss = 0
    if mover >= 0 and tree[LEAST] <= tree[GREATEST]:
        loss = tree[GREATEST] if mover == 1 and not several else tree[LEAST]
        fetch_add(tree, node + (work[OTHERS_AT] + mover - 1 if several and mover > 0 else SUM), loss)
    memory[LOSSES_AT + ply] = loss
    return 0


@kernel
def back_up(game, shared, stays, rave, several, ply, tree, memory, work):
    """Add the simulation's values to every node of its path, or to those below the node where the thread stays."""
    values = values_at(game)
    end = -1
    if stays:
        end = work[BASE]
        work[STAY_SUM] += memory[values]
        work[DUE] -= 1
    for i in range(ply, end, -1):
        node = memory[NODES_AT + i]
        if shared:
            # Counted on the way down: what was lost then is given back.
            loser = memory[MOVERS_AT + i - 1] if several and i > 0 else 0
            for player in range(work[SUMS]):
                value_at = work[OTHERS_AT] + player - 1 if player > 0 else SUM
                loss = memory[LOSSES_AT + i] if player == loser else 0
                fetch_add(tree, node + value_at, memory[values + player] - loss)
        else:
            tree[node + VISITS] += 1
            tree[node + SUM] += memory[values]
            if several:
                for player in range(1, work[SUMS]):
                    tree[node + work[OTHERS_AT] + player - 1] += memory[values + player]
        if rave and i < ply:
            # What was played later counts as if it had been played here; then this node's own move joins in.
            mover = memory[MOVERS_AT + i]
            chosen = memory[NODES_AT + i + 1]
            if mover >= 0:
                memory[MARKS_AT + tree[chosen + work[RAVE_AT] + RAVE_INDEX]] = mover + 1
                credit(mover, memory[values + (mover if several else 0)], shared, node, tree, memory, work)
    return 0


@kernel
def credit(mover, value, shared, node, tree, memory, work):
    """Count the simulation for all children whose action the mover played in it, now or later."""
    first, width = tree[node + FIRST], work[WIDTH]
    count = tree[first - 1]
    for i in range(count):
        at = first + i * width + work[RAVE_AT]
        if memory[MARKS_AT + tree[at + RAVE_INDEX]] == mover + 1:
            add(tree, at + RAVE_VISITS, 1, shared)
            add(tree, at + RAVE_SUM, value, shared)
    return 0


# --- what is certain -------------------------------------------------------------------------------------------------


@kernel
def prove(game, several, ply, tree, memory, work):
    """Carry certain values up the path, as far as they decide something."""
    i = ply - 1
    while i >= 0 and tree[memory[NODES_AT + i + 1] + PROVEN] and not tree[memory[NODES_AT + i] + PROVEN]:
        if not is_decided(game, several, memory[MOVERS_AT + i], memory[NODES_AT + i], tree, work):
            break
        i -= 1
    return 0


@kernel
def is_won(mover, gain, work):
    """Whether nothing better than this gain exists for the mover, where the ends of the range are known."""
    return gain >= (load_float(work, HIGHEST) if mover == 0 else -load_float(work, LOWEST))


@kernel
def is_decided(game, several, mover, node, tree, work):
    """Whether the children decide what a node is worth, and if so note it: the mover has a win, or all is known."""
    if game.probability is not None and mover == CHANCE:
        return False
    first, width, exact = tree[node + FIRST], work[WIDTH], work[EXACT_AT]
    count = tree[first - 1]
    best, chosen, every = 0.0, -1, True
    for i in range(count):
        child = first + i * width
        if tree[child + PROVEN]:
            value = load_float(tree, child + exact + work[SUMS] + (mover if several else 0))
            if mover > 0 and not several:
                value = -value
            if chosen < 0 or value > best:
                best, chosen = value, child
        else:
            every = False
    if not every and not (work[SURE_ENDS] and not several and is_won(mover, best, work)):
        return False
    for i in range(2 * work[SUMS]):
        tree[node + exact + i] = tree[chosen + exact + i]
    tree[node + PROVEN] = 1
    return True
