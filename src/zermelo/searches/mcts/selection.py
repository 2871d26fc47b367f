"""Which way a simulation goes: by UCB1, PUCT or RAVE where a player moves, by the odds where chance does."""

import math

from zermelo.compile import kernel, load_float
from zermelo.compile.random import below, uniform
from zermelo.searches.mcts.arithmetic import exponential, inverse, inverse_root, logarithm, logarithm_root
from zermelo.searches.mcts.blocks import (
    ACTION,
    BIAS,
    EXACT_AT,
    EXPLORATION,
    FIRST,
    FLAGS,
    GREATEST,
    GROWTH,
    HAS_URGENCY,
    HAS_WIDENING,
    LEAST,
    OTHERS_AT,
    PATH,
    PRIOR,
    PROVEN,
    RAVE_AT,
    RAVE_SUM,
    RAVE_VISITS,
    SUM,
    URGENCY,
    VISITS,
    WIDENING,
    WIDTH,
)

INFINITE = 1e300


@kernel
def drawn_child(game, s, node, bits, tree, work):
    """The outcome of chance, drawn by its odds."""
    first = tree[node + FIRST]
    last = tree[first - 1] - 1
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
def best_child(mover, prior, rave, solver, several, node, bits, tree, work):
    """The child with the highest upper bound for the player to move.

    Children are gone through from a random one on, so that equals are tried in no fixed order.
    """
    width, first = work[WIDTH], tree[node + FIRST]
    count, visits = tree[first - 1], tree[node + VISITS]
    if work[FLAGS] & HAS_WIDENING:
        count = min(count, widened(visits, work))
    side, value_at, least = 1.0, SUM, tree[LEAST] + 0.0
    if several:
        value_at = SUM if mover == 0 else work[OTHERS_AT] + mover - 1
    elif mover > 0:
        side, least = -1.0, 0.0 - tree[GREATEST]
    span = max(1, tree[GREATEST] - tree[LEAST]) + 0.0
    untried = least + span * load_float(work, URGENCY)
    reach = span * load_float(work, EXPLORATION)
    reach *= logarithm_root(max(visits, 1)) if prior is None else math.sqrt(visits + 0.0)
    start = first + (below(bits, count) if prior is None else 0) * width
    child, end, chosen, best = start, first + count * width, first, -INFINITE
    for _ in range(2):
        while child < end:
            n = tree[child + VISITS]
            if solver and tree[child + PROVEN]:
                # What is certain needs no exploration.
                bound = side * tree[child + work[EXACT_AT] + (mover if several else 0)]
            else:
                mean = side * tree[child + value_at] * inverse(n)
                known = n > 0
                if rave and tree[child + work[RAVE_AT] + RAVE_VISITS] > 0:
                    at = child + work[RAVE_AT]
                    m = tree[at + RAVE_VISITS]
                    as_first = side * tree[at + RAVE_SUM] * inverse(m)
                    share = m / (m + n + m * n * load_float(work, BIAS))
                    mean = as_first * share + mean * (1.0 - share) if known else as_first
                    known = True
                if not known:
                    if prior is None and work[FLAGS] & HAS_URGENCY == 0:
                        return child
                    mean = untried
                if prior is not None:
                    bound = mean + reach * load_float(tree, child + PRIOR) * inverse(1 + n)
                else:
                    bound = mean + reach * inverse_root(n)
            if bound > best:
                best, chosen = bound, child
            child += width
        child, end = first, start
    return chosen


@kernel
def widened(visits, work):
    """How many children are looked at after so many visits."""
    return 1 + int(load_float(work, WIDENING) * exponential(load_float(work, GROWTH) * logarithm(max(visits, 1))))


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
