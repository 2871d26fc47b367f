"""Which way a simulation goes: by UCB1, PUCT or RAVE where a player moves, by the odds where chance does."""

import math

from zermelo.compile import kernel, load_float
from zermelo.compile.random import below, uniform
from zermelo.searches.mcts.arithmetic import exponential, inverse, inverse_root, logarithm, logarithm_root
from zermelo.searches.mcts.blocks import ACTION, FIRST, PRIOR, PROVEN, RAVE_SUM, RAVE_VISITS, SUM, VISITS

INFINITE = 1e300


@kernel
def drawn_child(game, s, node, bits, numbers, tree):
    """The outcome of chance, drawn by its odds."""
    nodes, width = tree.nodes, numbers.width
    first = nodes[node + FIRST]
    last = nodes[first - 1] - 1
    if game.draw is not None:
        action = game.draw(s, bits)
        for i in range(last):
            if nodes[first + i * width + ACTION] == action:
                return first + i * width
        return first + last * width
    left = uniform(bits)
    for i in range(last):
        child = first + i * width
        left -= game.probability(s, nodes[child + ACTION])
        if left < 0.0:
            return child
    return first + last * width


@kernel
def best_child(setup, mover, node, bits, numbers, tree):
    """The child with the highest upper bound for the player to move.

    Children are gone through from a random one on, so that equals are tried in no fixed order.
    """
    nodes, width = tree.nodes, numbers.width
    first = nodes[node + FIRST]
    count, visits = nodes[first - 1], nodes[node + VISITS]
    if setup.widening:
        count = min(count, widened(visits, numbers))
    side, value_at, least = 1.0, SUM, tree.least + 0.0
    if setup.several:
        value_at = SUM if mover == 0 else numbers.others_at + mover - 1
    elif mover > 0:
        side, least = -1.0, 0.0 - tree.greatest
    span = max(1, tree.greatest - tree.least) + 0.0
    untried = least + span * numbers.urgency
    reach = span * numbers.exploration
    reach *= logarithm_root(max(visits, 1)) if setup.prior is None else math.sqrt(visits + 0.0)
    start = first + (below(bits, count) if setup.prior is None else 0) * width
    child, end, chosen, best = start, first + count * width, first, -INFINITE
    for _ in range(2):
        while child < end:
            n = nodes[child + VISITS]
            if setup.solver and nodes[child + PROVEN]:
                # What is certain needs no exploration.
                bound = side * nodes[child + numbers.exact_at + (mover if setup.several else 0)]
            else:
                mean = side * nodes[child + value_at] * inverse(n)
                known = n > 0
                if setup.rave and nodes[child + numbers.rave_at + RAVE_VISITS] > 0:
                    mean = with_rave(side, mean, n, child + numbers.rave_at, nodes, numbers)
                    known = True
                if not known:
                    if setup.prior is None and not setup.urgency:
                        return child
                    mean = untried
                if setup.prior is not None:
                    bound = mean + reach * load_float(nodes, child + PRIOR) * inverse(1 + n)
                else:
                    bound = mean + reach * inverse_root(n)
            if bound > best:
                best, chosen = bound, child
            child += width
        child, end = first, start
    return chosen


@kernel
def with_rave(side, mean, n, at, nodes, numbers):
    """The mean of a child with `n` visits, and what RAVE says of it, which counts less and less; `at` are its words."""
    m = nodes[at + RAVE_VISITS]
    as_first = side * nodes[at + RAVE_SUM] * inverse(m)
    share = m / (m + n + m * n * numbers.bias)
    return as_first * share + mean * (1.0 - share) if n > 0 else as_first


@kernel
def widened(visits, numbers):
    """How many children are looked at after so many visits."""
    return 1 + int(numbers.widening * exponential(numbers.growth * logarithm(max(visits, 1))))
