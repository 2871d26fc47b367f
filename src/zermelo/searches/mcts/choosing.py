"""Reading a tree: the move to play, the line that follows from it, and all that answers need, in a few words."""

from zermelo.compile import kernel, load_float
from zermelo.contract import CHANCE
from zermelo.searches.mcts.backing_up import is_won
from zermelo.searches.mcts.blocks import (
    ACTION,
    DEEPEST,
    DEPTH,
    EXACT_AT,
    FIRST,
    HEAD,
    LONGEST_LINE,
    OTHERS_AT,
    PROVEN,
    ROOT,
    STATUS,
    SUM,
    SUMS,
    SURE_ENDS,
    TROUBLE,
    VISITS,
    WIDTH,
)


@kernel
def mean_of(solver, several, mover, child, tree, work):
    """What a child is worth to the player to move: for certain, or on average."""
    side = -1.0 if mover == 1 and not several else 1.0
    if solver and tree[child + PROVEN]:
        return side * tree[child + work[EXACT_AT] + (mover if several else 0)]
    value_at = work[OTHERS_AT] + mover - 1 if several and mover > 0 else SUM
    return side * tree[child + value_at] / (max(1, tree[child + VISITS]) + 0.0)


@kernel
def sure_of(several, mover, child, tree, work):
    """What a proven child is worth to the player to move, on the scale of utilities."""
    gain = load_float(tree, child + work[EXACT_AT] + work[SUMS] + (mover if several else 0))
    return -gain if mover == 1 and not several else gain


@kernel
def best_move(solver, several, mover, tree, work):
    """Where the child stands that is to be played: what is proven to be best, else the most visited that is not proven
    to be worse."""
    first = tree[ROOT + FIRST]
    best, best_open, best_sure = first, 0, 0
    for i in range(tree[first - 1]):
        child = first + i * work[WIDTH]
        if is_ahead(solver, several, mover, child, best, tree, work):
            best = child
        if solver and tree[child + PROVEN]:
            if best_sure == 0 or is_surer(several, mover, child, best_sure, tree, work):
                best_sure = child
        elif best_open == 0 or is_ahead(solver, several, mover, child, best_open, tree, work):
            best_open = child
    if best_sure > 0:
        if best_open == 0 or (
            work[SURE_ENDS] and not several and is_won(mover, sure_of(several, mover, best_sure, tree, work), work)
        ):
            return best_sure
        if tree[best + PROVEN] and tree[best_open + VISITS] > 0:
            # A certain loss is not played while something else may be better.
            open_mean = mean_of(solver, several, mover, best_open, tree, work)
            if open_mean > mean_of(solver, several, mover, best, tree, work):
                return best_open
    return best


@kernel
def is_ahead(solver, several, mover, child, other, tree, work):
    """Whether a child has more visits than another, or as many and a better mean."""
    more = tree[child + VISITS] - tree[other + VISITS]
    if more != 0:
        return more > 0
    return mean_of(solver, several, mover, child, tree, work) > mean_of(solver, several, mover, other, tree, work)


@kernel
def is_surer(several, mover, child, other, tree, work):
    """Whether a proven child is better than another, or as good and more visited."""
    one, two = sure_of(several, mover, child, tree, work), sure_of(several, mover, other, tree, work)
    return one > two or (one == two and tree[child + VISITS] > tree[other + VISITS])


@kernel
def write_line(game, s, node, tree, width, out, at):
    """Write the actions from a child of the root, whose state is `s`, along the most visited way on; how many."""
    count = 0
    while True:
        out[at + count] = tree[node + ACTION]
        s = game.result(s, tree[node + ACTION])
        count += 1
        first = tree[node + FIRST]
        if count == LONGEST_LINE or first <= 0 or game.to_move(s) == CHANCE:
            return count
        node = first
        for i in range(tree[first - 1]):
            if tree[first + i * width + VISITS] > tree[node + VISITS]:
                node = first + i * width
        if tree[node + VISITS] == 0:
            return count


@kernel
def summary_words(game, width):
    """The words of a summary: the tree down to the children of the root, the length of a line, and the line."""
    return HEAD + width + 1 + game.max_actions * width + 1 + LONGEST_LINE


@kernel
def write_summary(game, s, solver, several, tree, work, out):
    """Copy what answers need from a tree whose root is `s`."""
    width = work[WIDTH]
    for i in range(HEAD + width):
        out[i] = tree[i]
    out[DEPTH], out[TROUBLE] = work[DEEPEST], work[STATUS]
    line_at = summary_words(game, width) - LONGEST_LINE
    out[line_at - 1] = 0
    first = tree[ROOT + FIRST]
    if first > 0:
        for i in range(1 + tree[first - 1] * width):
            out[HEAD + width + i] = tree[first - 1 + i]
        out[ROOT + FIRST] = HEAD + width + 1
        mover = game.to_move(s)
        if mover != CHANCE:
            node = best_move(solver, several, mover, tree, work)
            out[line_at - 1] = write_line(game, s, node, tree, width, out, line_at)
    return 0
