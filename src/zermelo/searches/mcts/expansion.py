"""How a tree grows: a node that is visited again gets its children, the most promising first."""

from zermelo.compile import as_number, exchange_if, is_finer, kernel, load_float, make_room, store_float
from zermelo.running.faults import fault_at
from zermelo.running.repetition import without_repeats
from zermelo.running.statuses import TOO_MANY
from zermelo.searches.mcts.blocks import ACTION, CLAIMED, ENDED, FIRST, PRIOR, PROVEN, RAVE_INDEX, UNOPENED
from zermelo.searches.mcts.playouts import keep_utilities
from zermelo.searches.mcts.sharing import own_room


@kernel
def open_node(game, setup, s, ply, node, numbers, tree, thread):
    """Give a node its children, if there is room for them and no other thread is doing so."""
    if setup.shared:
        if not exchange_if(tree.nodes, node + FIRST, UNOPENED, CLAIMED):
            return 0
    if game.is_over(s):
        return end_node(game, setup, s, node, numbers, tree, thread)
    count = game.fill(s, thread.actions, 0)
    if count < 0:
        thread.status = TOO_MANY
        return 0
    wrong = fault_at(game, s, thread.actions, 0, count) if game.is_watched else 0
    if wrong != 0:
        thread.status = wrong
        return 0
    if game.forbids_repetition:
        count = without_repeats(game, s, thread.actions, 0, count, thread.keys, numbers.before + ply + 1, None)
    if count == 0:
        return end_node(game, setup, s, node, numbers, tree, thread)
    first = room_for(setup, count, numbers, tree, thread)
    if first > 0:
        write_children(game, setup, s, first, count, numbers, tree.nodes, thread)
    else:
        tree.full, first = 1, UNOPENED
    # Others see the children only when they are complete.
    if setup.shared:
        exchange_if(tree.nodes, node + FIRST, CLAIMED, first)
    else:
        tree.nodes[node + FIRST] = first
    return 0


@kernel
def room_for(setup, count, numbers, tree, thread):
    """Where the first of so many children stands, behind the word that tells their number; 0 where the tree is full."""
    size = 1 + count * numbers.width
    start = own_room(size, tree, thread) if setup.shared else tree.counts.top
    if start + size > tree.capacity:
        return 0
    if not setup.shared:
        tree.counts.top = start + size
    make_room(tree.nodes, start + size)
    return start + 1


@kernel
def write_children(game, setup, s, first, count, numbers, nodes, thread):
    """Write nodes for the actions that the thread has found."""
    nodes[first - 1] = count
    for i in range(count):
        child = first + i * numbers.width
        for k in range(numbers.width):
            nodes[child + k] = 0
        nodes[child + ACTION] = thread.actions[i]
        if setup.rave:
            nodes[child + numbers.rave_at + RAVE_INDEX] = game.policy_index(s, thread.actions[i])
    if setup.prior is not None:
        set_priors(game, setup, s, first, count, numbers, nodes)
    return 0


@kernel
def end_node(game, setup, s, node, numbers, tree, thread):
    """Note that the game is over here, and what everybody gets."""
    nodes = tree.nodes
    if setup.solver:
        keep_utilities(game, setup, s, numbers, tree, thread)
        for player in range(numbers.sums):
            nodes[node + numbers.exact_at + player] = thread.values[player]
            given = game.utility(s, player)
            store_float(nodes, node + numbers.exact_at + numbers.sums + player, as_number(given))
            if is_finer(given):
                tree.finer = 1
        nodes[node + PROVEN] = 1
    nodes[node + FIRST] = ENDED
    return 0


@kernel
def set_priors(game, setup, s, first, count, numbers, nodes):
    """Give children their shares of what looks promising, the most promising first."""
    width = numbers.width
    total = 0.0
    for i in range(count):
        weight = max(0.0, 0.0 + setup.prior(game, s, nodes[first + i * width + ACTION]))
        store_float(nodes, first + i * width + PRIOR, weight)
        total += weight
    for i in range(count):
        child = first + i * width
        weight = load_float(nodes, child + PRIOR) / total if total > 0.0 else 1.0 / count
        action = nodes[child + ACTION]
        index = nodes[child + numbers.rave_at + RAVE_INDEX] if setup.rave else 0
        k = i
        while k > 0 and load_float(nodes, first + (k - 1) * width + PRIOR) < weight:
            k -= 1
            move_child(setup, first + k * width, first + (k + 1) * width, numbers, nodes)
        store_float(nodes, first + k * width + PRIOR, weight)
        nodes[first + k * width + ACTION] = action
        if setup.rave:
            nodes[first + k * width + numbers.rave_at + RAVE_INDEX] = index
    return 0


@kernel
def move_child(setup, source, target, numbers, nodes):
    """Let a child that has not been visited stand one place further on."""
    store_float(nodes, target + PRIOR, load_float(nodes, source + PRIOR))
    nodes[target + ACTION] = nodes[source + ACTION]
    if setup.rave:
        nodes[target + numbers.rave_at + RAVE_INDEX] = nodes[source + numbers.rave_at + RAVE_INDEX]
    return 0
