"""One simulation: down the tree by UCB1 (or PUCT, or RAVE), a playout, and back up; then the next."""

from zermelo.bits import u64
from zermelo.compile import kernel, now
from zermelo.compile.program import told_as
from zermelo.compile.random import stream, word
from zermelo.contract import CHANCE
from zermelo.running.repetition import NEVER, last_time
from zermelo.running.statuses import FINE, OUT_OF_TIME
from zermelo.searches.mcts.backing_up import back_up, lose, prove
from zermelo.searches.mcts.blocks import ACTION, ENDED, FIRST, LONGEST_PATH, PROVEN, ROOT, UNOPENED, VISITS
from zermelo.searches.mcts.expansion import open_node
from zermelo.searches.mcts.playouts import keep_draw, keep_utilities, play_leaf
from zermelo.searches.mcts.selection import best_child, drawn_child
from zermelo.searches.mcts.sharing import hand_in, has_numbers, settle_down

WATCH = 3
"""The clock is read before simulations whose number has these bits: a few are made however short the time is."""


@kernel
@told_as("mcts")
def simulate(game, setup, s, numbers, tree, thread):
    """Simulate until a limit is reached; how many simulations this thread made."""
    here = s
    note_root(game, s, numbers, thread)
    while True:
        if setup.stays and thread.due == 0:
            hand_in(tree, thread)
            here = settle_down(game, setup, s, numbers, tree, thread)
        number = next_number(setup, tree, thread)
        if number < 0:
            if setup.stays:
                hand_in(tree, thread)
            return thread.simulations
        key = stream(thread.seed, number)
        leaf, ply, drawn = descend(game, setup, here, key, numbers, tree, thread)
        if thread.status == FINE and not is_settled(game, setup, leaf, drawn, ply, numbers, tree, thread):
            play_leaf(game, setup, leaf, key, numbers, tree, thread)
        if thread.status == FINE:
            back_up(setup, ply, numbers, tree, thread)
            if setup.solver:
                prove(game, setup, ply, numbers, tree, thread)


@kernel
def note_root(game, s, numbers, thread):
    """Let every path begin with the position of the root."""
    thread.path[0] = ROOT
    if game.repetition is not None:
        thread.keys[numbers.before] = game.key(s)
    return 0


@kernel
def next_number(setup, tree, thread):
    """The number of the next simulation, or -1 where there is to be none."""
    if thread.status != FINE:
        return -1
    if thread.simulations & WATCH == WATCH and now() >= thread.deadline:
        thread.status = OUT_OF_TIME
        return -1
    if setup.solver and tree.nodes[ROOT + PROVEN]:
        return -1
    if setup.shared:
        if thread.number == thread.numbers_end and not has_numbers(tree, thread):
            return -1
        thread.number += 1
    elif tree.counts.started >= thread.limit:
        return -1
    else:
        tree.counts.started += 1
    thread.simulations += 1
    return thread.number - 1 if setup.shared else tree.counts.started - 1


@kernel
def descend(game, setup, s, key, numbers, tree, thread):
    """Go down from the root, or from the node where the thread stays, whose state is `s`, and grow the tree; the state
    there, how deep it is, and whether it is a draw by repetition."""
    nodes = tree.nodes
    node, ply = ROOT, 0
    if setup.stays:
        ply = thread.base
        node = thread.path[ply]
    elif setup.shared:
        lose(setup, CHANCE, node, ply, numbers, tree, thread)
    drawn = False
    while ply < LONGEST_PATH - 1:
        if setup.solver and nodes[node + PROVEN]:
            break
        # Where threads share the tree this visit is counted already.
        if nodes[node + FIRST] == UNOPENED and (nodes[node + VISITS] > (1 if setup.shared else 0) or ply == 0):
            open_node(game, setup, s, ply, node, numbers, tree, thread)
            if thread.status != FINE:
                break
        if nodes[node + FIRST] <= 0:
            break
        mover = game.to_move(s)
        thread.movers[ply] = mover
        bits = word(key ^ u64(ply + 1), 1 << 20)
        if game.probability is not None and mover == CHANCE:
            node = drawn_child(game, s, node, bits, numbers, tree)
        else:
            node = best_child(setup, mover, node, bits, numbers, tree)
        s = game.result(s, nodes[node + ACTION])
        ply += 1
        thread.path[ply] = node
        if setup.shared:
            lose(setup, mover, node, ply, numbers, tree, thread)
        if game.repetition is not None:
            here = numbers.before + ply
            thread.keys[here] = game.key(s)
            if game.draws_by_repetition and last_time(game, thread.keys, 0, here, numbers.before) != NEVER:
                drawn = True
                break
    if ply > thread.deepest:
        thread.deepest = ply
    return s, ply, drawn


@kernel
def is_settled(game, setup, s, drawn, ply, numbers, tree, thread):
    """Whether it is known what everybody gets here: then it is noted, and nothing needs to be played."""
    node = thread.path[ply]
    if drawn:
        keep_draw(game, setup, numbers, tree, thread)
    elif setup.solver and tree.nodes[node + PROVEN]:
        for player in range(numbers.sums):
            thread.values[player] = tree.nodes[node + numbers.exact_at + player]
    elif tree.nodes[node + FIRST] == ENDED:
        keep_utilities(game, setup, s, numbers, tree, thread)
    else:
        return False
    return True
