"""Keeping a part of a tree: what lies below one node is copied, and the copy is a tree of its own."""

from zermelo.compile import kernel, make_room
from zermelo.searches.mcts.layout import COUNT, FIRST, TOP


@kernel
def compact(tree, node, target, width, head):
    """Copy a node and all below it to `target`, whose rows are the queue of what is still to be copied."""
    make_room(target, head + width)
    for k in range(width):
        target[head + k] = tree[node + k]
    top = head + width
    row = head
    while row < top:
        first, count = target[row + FIRST], target[row + COUNT]
        if first > 0:
            make_room(target, top + count * width)
            for k in range(count * width):
                target[top + k] = tree[first + k]
            target[row + FIRST] = top
            top += count * width
        row += width
    target[TOP] = top
    return top
