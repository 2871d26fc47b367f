"""One simulation: down the tree by UCB1 (or PUCT, or RAVE), a playout, and back up; then the next.

`shared` is True where several threads work on one tree: then every change is one atomic step, and simulations on their
way down count as lost already, so that others go elsewhere.
"""

from zermelo.bits import u64
from zermelo.compile import as_number, exchange_if, is_finer, kernel, load_float, make_room, now, store_float
from zermelo.compile.random import stream, word
from zermelo.contract import CHANCE
from zermelo.running.faults import fault_at
from zermelo.running.statuses import FINE, OUT_OF_TIME, TOO_MANY
from zermelo.searches.mcts.backing_up import back_up, lose, prove
from zermelo.searches.mcts.blocks import (
    ACTION,
    BASE,
    CAPACITY,
    CLAIMED,
    DEADLINE,
    DEEPEST,
    DUE,
    ENDED,
    EXACT_AT,
    FINER,
    FIRST,
    FULL,
    LIMIT,
    LONGEST_PATH,
    MOVERS_AT,
    NODES_AT,
    NUMBER,
    NUMBERS_END,
    PATH,
    PRIOR,
    PROVEN,
    RAVE_AT,
    RAVE_INDEX,
    ROOT,
    SEED,
    SIMULATIONS,
    STARTED,
    STATUS,
    SUMS,
    TOP,
    UNOPENED,
    VISITS,
    WIDTH,
)
from zermelo.searches.mcts.playouts import actions_at, keep_draw, keep_utilities, play_leaf, values_at
from zermelo.searches.mcts.selection import best_child, came_before, drawn_child
from zermelo.searches.mcts.sharing import hand_in, has_numbers, own_room, settle_down

WATCH = 3
"""The clock is read before simulations whose number has these bits: a few are made however short the time is."""


@kernel
def simulate(
    game, s, prior, weight, estimate, shared, stays, rave, solver, several, buffered, tree, memory, keys, work,
):  # fmt: skip
    """Simulate until a limit is reached; how many simulations this thread made."""
    here = s
    while True:
        if stays and work[DUE] == 0:
            hand_in(tree, memory, work)
            here = settle_down(game, s, prior, tree, memory, keys, work)
        number = next_number(shared, solver, tree, work)
        if number < 0:
            if stays:
                hand_in(tree, memory, work)
            return work[SIMULATIONS]
        key = stream(work[SEED], number)
        leaf, ply, drawn = descend(
            game, here, prior, shared, stays, rave, solver, several, key, tree, memory, keys, work
        )  # fmt: skip
        if work[STATUS] == FINE and not is_settled(game, leaf, solver, shared, drawn, ply, tree, memory, work):
            play_leaf(game, leaf, weight, estimate, shared, rave, several, buffered, key, tree, memory, work)
        if work[STATUS] == FINE:
            back_up(game, shared, stays, rave, several, ply, tree, memory, work)
            if solver:
                prove(game, several, ply, tree, memory, work)


@kernel
def next_number(shared, solver, tree, work):
    """The number of the next simulation, or -1 where there is to be none."""
    if work[STATUS] != FINE:
        return -1
    if work[SIMULATIONS] & WATCH == WATCH and now() >= work[DEADLINE]:
        work[STATUS] = OUT_OF_TIME
        return -1
    if solver and tree[ROOT + PROVEN]:
        return -1
    if shared:
        if work[NUMBER] == work[NUMBERS_END] and not has_numbers(tree, work):
            return -1
        work[NUMBER] += 1
    elif tree[STARTED] >= work[LIMIT]:
        return -1
    else:
        tree[STARTED] += 1
    work[SIMULATIONS] += 1
    return work[NUMBER] - 1 if shared else tree[STARTED] - 1


@kernel
def descend(game, s, prior, shared, stays, rave, solver, several, key, tree, memory, keys, work):
    """Go down from the root, or from the node where the thread stays, whose state is `s`, and grow the tree; the state
    there, how deep it is, and whether it is a draw by repetition."""
    node, ply = ROOT, 0
    if stays:
        ply = work[BASE]
        node = memory[NODES_AT + ply]
    else:
        memory[NODES_AT] = node
        if shared:
            lose(CHANCE, several, node, ply, tree, memory, work)
    drawn = False
    while ply < LONGEST_PATH - 1:
        if solver and tree[node + PROVEN]:
            break
        # Where threads share the tree this visit is counted already.
        if tree[node + FIRST] == UNOPENED and (tree[node + VISITS] > (1 if shared else 0) or ply == 0):
            open_node(game, s, prior, shared, rave, solver, ply, node, tree, memory, keys, work)
            if work[STATUS] != FINE:
                break
        if tree[node + FIRST] <= 0:
            break
        mover = game.to_move(s)
        memory[MOVERS_AT + ply] = mover
        bits = word(key ^ u64(ply + 1), 1 << 20)
        if game.probability is not None and mover == CHANCE:
            node = drawn_child(game, s, node, bits, tree, work)
        else:
            node = best_child(mover, prior, rave, solver, several, node, bits, tree, work)
        if game.repetition is not None:
            keys[work[PATH] + ply] = game.key(s)
        s = game.result(s, tree[node + ACTION])
        ply += 1
        memory[NODES_AT + ply] = node
        if shared:
            lose(mover, several, node, ply, tree, memory, work)
        if game.draws_by_repetition and came_before(game, s, ply, keys, work):
            drawn = True
            break
    if ply > work[DEEPEST]:
        work[DEEPEST] = ply
    return s, ply, drawn


@kernel
def is_settled(game, s, solver, shared, drawn, ply, tree, memory, work):
    """Whether it is known what everybody gets here: then it is noted, and nothing needs to be played."""
    node = memory[NODES_AT + ply]
    if drawn:
        keep_draw(game, shared, tree, memory, work)
    elif solver and tree[node + PROVEN]:
        for player in range(work[SUMS]):
            memory[values_at(game) + player] = tree[node + work[EXACT_AT] + player]
    elif tree[node + FIRST] == ENDED:
        keep_utilities(game, s, shared, tree, memory, work)
    else:
        return False
    return True


# --- growing ---------------------------------------------------------------------------------------------------------


@kernel
def open_node(game, s, prior, shared, rave, solver, ply, node, tree, memory, keys, work):
    """Give a node its children, if there is room for them and no other thread is doing so."""
    if shared:
        if not exchange_if(tree, node + FIRST, UNOPENED, CLAIMED):
            return 0
    if game.is_over(s):
        return end_node(game, s, shared, solver, node, tree, memory, work)
    start = actions_at(game)
    end = game.fill(s, memory, start)
    if end < 0:
        work[STATUS] = TOO_MANY
        return 0
    wrong = fault_at(game, s, memory, start, end) if game.is_watched else 0
    if wrong != 0:
        work[STATUS] = wrong
        return 0
    if game.forbids_repetition:
        end = new_positions(game, s, ply, memory, start, end, keys, work)
    if end == start:
        return end_node(game, s, shared, solver, node, tree, memory, work)
    count, width = end - start, work[WIDTH]
    size = 1 + count * width
    block = tree[TOP]
    if shared:
        block = own_room(size, tree, work)
    else:
        tree[TOP] = block + size
    if block + size > tree[CAPACITY]:
        if not shared:
            tree[TOP] = block
        tree[FULL] = 1
        tree[node + FIRST] = UNOPENED
        return 0
    make_room(tree, block + size)
    tree[block] = count
    first = block + 1
    for i in range(count):
        child = first + i * width
        for k in range(width):
            tree[child + k] = 0
        tree[child + ACTION] = memory[start + i]
        if rave:
            tree[child + work[RAVE_AT] + RAVE_INDEX] = game.policy_index(s, memory[start + i])
    if prior is not None:
        set_priors(game, s, prior, first, count, tree, work)
    # Others see the children only when they are complete.
    if shared:
        exchange_if(tree, node + FIRST, CLAIMED, first)
    else:
        tree[node + FIRST] = first
    return 0


@kernel
def end_node(game, s, shared, solver, node, tree, memory, work):
    """Note that the game is over here, and what everybody gets."""
    if solver:
        keep_utilities(game, s, shared, tree, memory, work)
        for player in range(work[SUMS]):
            tree[node + work[EXACT_AT] + player] = memory[values_at(game) + player]
            given = game.utility(s, player)
            store_float(tree, node + work[EXACT_AT] + work[SUMS] + player, as_number(given))
            if is_finer(given):
                tree[FINER] = 1
        tree[node + PROVEN] = 1
    tree[node + FIRST] = ENDED
    return 0


@kernel
def new_positions(game, s, ply, memory, start, end, keys, work):
    """Keep the actions that lead to no earlier position."""
    kept = start
    here = work[PATH] + ply
    keys[here] = game.key(s)
    for i in range(start, end):
        key = game.key(game.result(s, memory[i]))
        again = False
        for k in range(here + 1):
            if keys[k] == key:
                again = True
        if not again:
            memory[kept] = memory[i]
            kept += 1
    return kept


@kernel
def set_priors(game, s, prior, first, count, tree, work):
    """Give children their shares of what looks promising, the most promising first."""
    width = work[WIDTH]
    total = 0.0
    for i in range(count):
        weight = max(0.0, 0.0 + prior(game, s, tree[first + i * width + ACTION]))
        store_float(tree, first + i * width + PRIOR, weight)
        total += weight
    for i in range(count):
        child = first + i * width
        weight = load_float(tree, child + PRIOR) / total if total > 0.0 else 1.0 / count
        action = tree[child + ACTION]
        index = tree[child + work[RAVE_AT] + RAVE_INDEX] if work[RAVE_AT] else 0
        k = i
        while k > 0 and load_float(tree, first + (k - 1) * width + PRIOR) < weight:
            move_row(tree, first + (k - 1) * width, first + k * width, work)
            k -= 1
        store_float(tree, first + k * width + PRIOR, weight)
        tree[first + k * width + ACTION] = action
        if work[RAVE_AT]:
            tree[first + k * width + work[RAVE_AT] + RAVE_INDEX] = index
    return 0


@kernel
def move_row(tree, source, target, work):
    """Let a child that has not been visited stand one place further on."""
    store_float(tree, target + PRIOR, load_float(tree, source + PRIOR))
    tree[target + ACTION] = tree[source + ACTION]
    if work[RAVE_AT]:
        tree[target + work[RAVE_AT] + RAVE_INDEX] = tree[source + work[RAVE_AT] + RAVE_INDEX]
    return 0
