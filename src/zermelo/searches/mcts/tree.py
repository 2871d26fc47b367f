"""One simulation: down the tree by UCB1 (or PUCT, or RAVE), a playout, and back up; then the next.

`shared` is True where several threads work on one tree: then every change is one atomic step, and simulations on their
way down count as lost already, so that others go elsewhere.
"""

import math

from zermelo.bits import u64
from zermelo.compile import exchange_if, fetch_add, kernel, load_float, make_room, now, store_float
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.searches.mcts.arithmetic import logarithm
from zermelo.searches.mcts.layout import (
    ACTION,
    BIAS,
    CAPACITY,
    CLAIMED,
    COUNT,
    DEADLINE,
    DEEPEST,
    ENDED,
    EXACT_AT,
    EXPLORATION,
    FINE,
    FIRST,
    FLAGS,
    FLIGHT,
    FULL,
    GREATEST,
    GROWTH,
    HAS_URGENCY,
    HAS_WIDENING,
    LEAST,
    LIMIT,
    LONGEST_PATH,
    MARKS_AT,
    MOVERS_AT,
    NODES_AT,
    ONE,
    OTHERS_AT,
    OUT_OF_TIME,
    PATH,
    PRIOR,
    PROVEN,
    RAVE_AT,
    RAVE_INDEX,
    RAVE_SUM,
    RAVE_VISITS,
    ROOT,
    SEED,
    SIMULATIONS,
    STARTED,
    STATUS,
    SUM,
    SUMS,
    SURE_ENDS,
    TOO_MANY,
    TOP,
    UNOPENED,
    URGENCY,
    VISITS,
    WIDENING,
    WIDTH,
)
from zermelo.searches.mcts.playing import actions_at, keep_draw, keep_utilities, play_on, values_at

WATCH = 3
"""The clock is read before simulations whose number has these bits: a few are made however short the time is."""


@kernel
def simulate(game, s, prior, weight, estimate, shared, rave, tree, memory, keys, work):
    """Simulate until a limit is reached; how many simulations this thread made."""
    while work[STATUS] == FINE:
        if work[SIMULATIONS] & WATCH == WATCH and now() >= work[DEADLINE]:
            work[STATUS] = OUT_OF_TIME
            break
        if work[EXACT_AT] and tree[ROOT + PROVEN]:
            break
        number = tree[STARTED]
        if shared:
            number = fetch_add(tree, STARTED, 1)
        else:
            tree[STARTED] = number + 1
        if number >= work[LIMIT]:
            # Numbers are not used up by those who turn back: the next search goes on with them.
            add(tree, STARTED, -1, shared)
            break
        simulation(game, s, prior, weight, estimate, shared, rave, number, tree, memory, keys, work)
        work[SIMULATIONS] += 1
    return work[SIMULATIONS]


@kernel
def simulation(game, s, prior, weight, estimate, shared, rave, number, tree, memory, keys, work):
    """One simulation from the root, whose state is `s`."""
    key = stream(work[SEED], number)
    node = ROOT
    ply = 0
    memory[NODES_AT] = node
    if shared:
        fetch_add(tree, node + FLIGHT, 1)
    drawn = False
    while ply < LONGEST_PATH - 1:
        if work[EXACT_AT] and tree[node + PROVEN]:
            break
        if tree[node + FIRST] == UNOPENED and (tree[node + VISITS] > 0 or ply == 0):
            open_node(game, s, prior, shared, rave, ply, node, tree, memory, keys, work)
            if work[STATUS] != FINE:
                return 0
        if tree[node + FIRST] <= 0:
            break
        mover = game.to_move(s)
        memory[MOVERS_AT + ply] = mover
        bits = word(key ^ u64(ply + 1), 1 << 20)
        if game.probability is not None and mover == CHANCE:
            node = drawn_child(game, s, node, bits, tree, work)
        else:
            node = best_child(mover, prior, rave, node, bits, tree, work)
        if game.repetition is not None:
            keys[work[PATH] + ply] = game.key(s)
        s = game.result(s, tree[node + ACTION])
        ply += 1
        memory[NODES_AT + ply] = node
        if shared:
            fetch_add(tree, node + FLIGHT, 1)
        if game.draws_by_repetition and came_before(game, s, ply, keys, work):
            drawn = True
            break
    if ply > work[DEEPEST]:
        work[DEEPEST] = ply
    if drawn:
        keep_draw(game, tree, memory, work)
    elif work[EXACT_AT] and tree[node + PROVEN]:
        for player in range(work[SUMS]):
            memory[values_at(game) + player] = tree[node + work[EXACT_AT] + player]
    elif tree[node + FIRST] == ENDED:
        keep_utilities(game, s, tree, memory, work)
    else:
        play_on(game, s, weight, estimate, key, rave, tree, memory, work)
    if work[STATUS] != FINE:
        return 0
    back_up(game, shared, rave, ply, tree, memory, work)
    if work[EXACT_AT]:
        prove(game, ply, tree, memory, work)
    return 0


@kernel
def came_before(game, s, ply, keys, work):
    """Whether a position counts as a draw: it was on this path, or as often before as the rules say."""
    key = game.key(s)
    times = 1
    for i in range(work[PATH] + ply):
        if keys[i] == key:
            times += 1
            if i >= work[PATH] or times >= game.repetition_count:
                return True
    return False


# --- down ------------------------------------------------------------------------------------------------------------


@kernel
def drawn_child(game, s, node, bits, tree, work):
    """The outcome of chance, drawn by its odds."""
    first, last = tree[node + FIRST], tree[node + COUNT] - 1
    if game.draw is not None:
        action = game.draw(s, bits)
        for i in range(last):
            if tree[first + i * work[WIDTH] + ACTION] == action:
                return first + i * work[WIDTH]
        return first + last * work[WIDTH]
    left = uniform(bits)
    for i in range(last):
        child = first + i * work[WIDTH]
        left -= game.probability(s, tree[child + ACTION])
        if left < 0.0:
            return child
    return first + last * work[WIDTH]


@kernel
def best_child(mover, prior, rave, node, bits, tree, work):
    """The child with the highest upper bound for the player to move.

    Children are gone through from a random one on, so that equals are tried in no fixed order.
    """
    width, count, first = work[WIDTH], tree[node + COUNT], tree[node + FIRST]
    visits = tree[node + VISITS] + tree[node + FLIGHT]
    least, span = tree[LEAST], max(1, tree[GREATEST] - tree[LEAST])
    constant = load_float(work, EXPLORATION)
    log = constant * constant * logarithm(max(visits, 1))
    root = math.sqrt(visits + 0.0)
    flags = work[FLAGS]
    if flags & HAS_WIDENING:
        count = min(count, widened(visits, work))
    if mover > 0 and work[SUMS] > 1:
        value_at = work[OTHERS_AT] + mover - 1
    else:
        value_at = SUM
    start = below(bits, count) if prior is None else 0
    best, chosen = -1.0, first
    for k in range(count):
        place = start + k if start + k < count else start + k - count
        child = first + place * width
        n = tree[child + VISITS]
        if work[EXACT_AT] and tree[child + PROVEN]:
            # What is certain needs no exploration.
            exact_at = work[EXACT_AT] + (mover if work[SUMS] > 1 else 0)
            bound = share(tree[child + exact_at], 1, 0, least, span, mover, work)
        else:
            flight = tree[child + FLIGHT]
            tries = n + flight
            mean = share(tree[child + value_at], n, flight, least, span, mover, work)
            known = n > 0 or flight > 0
            if rave:
                at = child + work[RAVE_AT]
                m = tree[at + RAVE_VISITS]
                if m > 0:
                    as_first = share(tree[at + RAVE_SUM], m, 0, least, span, mover, work)
                    beta = m / (m + tries + m * tries * load_float(work, BIAS))
                    mean = as_first * beta + mean * (1.0 - beta) if known else as_first
                    known = True
            if not known and flags & HAS_URGENCY:
                mean = load_float(work, URGENCY)
                known = True
            if prior is not None:
                bound = (mean if known else 0.5) + constant * load_float(tree, child + PRIOR) * root / (1 + tries)
            elif not known:
                return child
            else:
                bound = mean + math.sqrt(log / max(tries, 1))
        if bound > best:
            best, chosen = bound, child
    return chosen


@kernel
def share(total, n, flight, least, span, mover, work):
    """A mean as a share of the range of values, between 0 and 1, for the player to move; what is under way is lost."""
    if n + flight == 0:
        return 0.0
    if mover > 0 and work[SUMS] == 1:
        above = n * (least + span) - total
    else:
        above = total - n * least
    return above / ((n + flight) * span)


@kernel
def widened(visits, work):
    """How many children are looked at after so many visits."""
    return 1 + int(load_float(work, WIDENING) * math.exp(load_float(work, GROWTH) * logarithm(max(visits, 1))))


# --- growing ---------------------------------------------------------------------------------------------------------


@kernel
def open_node(game, s, prior, shared, rave, ply, node, tree, memory, keys, work):
    """Give a node its children, if there is room for them and no other thread is doing so."""
    if shared:
        if not exchange_if(tree, node + FIRST, UNOPENED, CLAIMED):
            return 0
    if game.is_over(s):
        return end_node(game, s, node, tree, memory, work)
    start = actions_at(game)
    end = game.fill(s, memory, start)
    if end < 0:
        work[STATUS] = TOO_MANY
        return 0
    if game.forbids_repetition:
        end = new_positions(game, s, ply, memory, start, end, keys, work)
    if end == start:
        return end_node(game, s, node, tree, memory, work)
    count, width = end - start, work[WIDTH]
    first = tree[TOP]
    if shared:
        first = fetch_add(tree, TOP, count * width)
    else:
        tree[TOP] = first + count * width
    if first + count * width > tree[CAPACITY]:
        if shared:
            fetch_add(tree, TOP, -count * width)
        else:
            tree[TOP] = first
        tree[FULL] = 1
        tree[node + FIRST] = UNOPENED
        return 0
    make_room(tree, first + count * width)
    for i in range(count):
        child = first + i * width
        for k in range(width):
            tree[child + k] = 0
        tree[child + ACTION] = memory[start + i]
        if rave:
            tree[child + work[RAVE_AT] + RAVE_INDEX] = game.policy_index(s, memory[start + i])
    if prior is not None:
        set_priors(game, s, prior, first, count, tree, work)
    tree[node + COUNT] = count
    # Others see the children only when they are complete.
    if shared:
        exchange_if(tree, node + FIRST, CLAIMED, first)
    else:
        tree[node + FIRST] = first
    return 0


@kernel
def end_node(game, s, node, tree, memory, work):
    """Note that the game is over here, and what everybody gets."""
    if work[EXACT_AT]:
        keep_utilities(game, s, tree, memory, work)
        for player in range(work[SUMS]):
            tree[node + work[EXACT_AT] + player] = memory[values_at(game) + player]
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


# --- back up ---------------------------------------------------------------------------------------------------------


@kernel
def add(tree, at, value, shared):
    """Add to a word."""
    if shared:
        fetch_add(tree, at, value)
    else:
        tree[at] += value
    return 0


@kernel
def back_up(game, shared, rave, ply, tree, memory, work):
    """Add the simulation's values to every node of its path."""
    values = values_at(game)
    for i in range(ply, -1, -1):
        node = memory[NODES_AT + i]
        add(tree, node + VISITS, 1, shared)
        add(tree, node + SUM, memory[values], shared)
        if work[SUMS] > 1:
            for player in range(1, work[SUMS]):
                add(tree, node + work[OTHERS_AT] + player - 1, memory[values + player], shared)
        if shared:
            fetch_add(tree, node + FLIGHT, -1)
        if rave and i < ply:
            # What was played later counts as if it had been played here; then this node's own move joins in.
            mover = memory[MOVERS_AT + i]
            chosen = memory[NODES_AT + i + 1]
            if mover >= 0:
                memory[MARKS_AT + tree[chosen + work[RAVE_AT] + RAVE_INDEX]] = mover + 1
                credit(mover, memory[values + (mover if work[SUMS] > 1 else 0)], shared, node, tree, memory, work)
    return 0


@kernel
def credit(mover, value, shared, node, tree, memory, work):
    """Count the simulation for all children whose action the mover played in it, now or later."""
    first, count, width = tree[node + FIRST], tree[node + COUNT], work[WIDTH]
    for i in range(count):
        at = first + i * width + work[RAVE_AT]
        if memory[MARKS_AT + tree[at + RAVE_INDEX]] == mover + 1:
            add(tree, at + RAVE_VISITS, 1, shared)
            add(tree, at + RAVE_SUM, value, shared)
    return 0


# --- what is certain -------------------------------------------------------------------------------------------------


@kernel
def prove(game, ply, tree, memory, work):
    """Carry certain values up the path, as far as they decide something."""
    i = ply - 1
    while i >= 0 and tree[memory[NODES_AT + i + 1] + PROVEN] and not tree[memory[NODES_AT + i] + PROVEN]:
        if not is_decided(game, memory[MOVERS_AT + i], memory[NODES_AT + i], tree, work):
            break
        i -= 1
    return 0


@kernel
def is_decided(game, mover, node, tree, work):
    """Whether the children decide what a node is worth, and if so note it: the mover has a win, or all is known."""
    if game.probability is not None and mover == CHANCE:
        return False
    first, count, width, exact = tree[node + FIRST], tree[node + COUNT], work[WIDTH], work[EXACT_AT]
    sums = work[SUMS]
    best, chosen, every = 0, -1, True
    for i in range(count):
        child = first + i * width
        if tree[child + PROVEN]:
            value = tree[child + exact + (mover if sums > 1 else 0)]
            if mover > 0 and sums == 1:
                value = -value
            if chosen < 0 or value > best:
                best, chosen = value, child
        else:
            every = False
    # Known ends of the range lie at -ONE and ONE.
    if not every and not (work[SURE_ENDS] and sums == 1 and best >= ONE):
        return False
    for player in range(sums):
        tree[node + exact + player] = tree[chosen + exact + player]
    tree[node + PROVEN] = 1
    return True
