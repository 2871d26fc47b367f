"""Keeping a part of a tree: what lies below one node is copied, and the copy is a tree of its own."""

from zermelo.compile import kernel, make_room
from zermelo.searches.mcts.blocks import FIRST, TOP


@kernel
def compact(tree, node, target, width, head):
    """Copy a node and all below it to `target`, whose rows are the queue of what is still to be copied."""
    make_room(target, head + width)
    for k in range(width):
        target[head + k] = tree[node + k]
    top = head + width
    row, left = head, 1
    while left > 0:
        first = target[row + FIRST]
        if first > 0:
            size = 1 + tree[first - 1] * width
            make_room(target, top + size)
            for k in range(size):
                target[top + k] = tree[first - 1 + k]
            target[row + FIRST] = top + 1
            top += size
        row += width
        left -= 1
        if left == 0 and row < top:
            # The next brothers and sisters, behind the word that says how many they are.
            left = target[row]
            row += 1
    target[TOP] = top
    return top
