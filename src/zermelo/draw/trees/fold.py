"""What of a tree is shown when all of it would be too much: the best line and what is near it, the rest as counts."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from zermelo.record import Node


class Branch:
    """A node as it is shown: with the branches below it, or as one mark for all that is folded away there."""

    __slots__ = ("best", "children", "depth", "folded", "hidden", "node", "path", "rest")

    def __init__(self, node: Node, depth: int, path: str, *, best: bool = False) -> None:
        self.node, self.depth, self.path, self.best = node, depth, path, best
        self.folded = False
        """Whether this is a mark for what is folded away."""
        self.hidden = 0
        """How many nodes the mark stands for, without those that were cut off."""
        self.rest: list[Node] = []
        """The siblings that this mark stands for, where it does not stand for one node's subtree."""
        self.children: list[Branch] = []

    @property
    def kind(self) -> str:
        """The node's kind, or collapsed."""
        return "collapsed" if self.folded else self.node.kind

    def walk(self) -> "Iterator[Branch]":
        """This branch and all below it, parents first."""
        stack = [self]
        while stack:
            branch = stack.pop()
            yield branch
            stack.extend(reversed(branch.children))


def fold(root: Node, *, max_nodes: int | None, depth: int | None = None) -> Branch:
    """The tree in about `max_nodes` marks (None: no limit), with nothing below `depth` moves.

    The best line is opened first, then what is shallow and small: so the largest and deepest subtrees off the best
    line are the first to be folded.
    """
    sizes = _sizes(root)
    everything = max_nodes is None or len(sizes) <= max_nodes
    budget = len(sizes) if max_nodes is None or everything else max_nodes - 1
    line = root.best_line()
    on_line = set(line)
    levels = {root: 0}
    waiting: dict[Node, list[Node]] = {}
    heap: list[tuple[bool, int, int, int, Node]] = []
    turn = count()

    def offer(node: Node, late: bool) -> None:
        if node.children and (depth is None or levels[node] < depth):
            heappush(heap, (late, levels[node], sizes[node], next(turn), node))

    offer(root, False)
    while heap and budget > 0:
        late, level, _, _, node = heappop(heap)
        if node not in waiting:
            # Children are taken from the end: the best first, then what was searched, then what was pruned.
            waiting[node] = sorted(node.children, key=lambda c: (c not in on_line, c.pruned is not None))[::-1]
            budget -= 1  # for the mark of those that stay behind
        queue = waiting[node]
        portion = max(12, budget // 2) if late else max(3, budget // (2 * len(line)))
        taken = len(queue) if everything or len(queue) <= portion + 1 else max(1, min(portion, budget))
        for _ in range(taken):
            child = queue.pop()
            levels[child] = level + 1
            offer(child, child not in on_line)
        budget -= taken
        if queue:
            offer(node, True)
        else:
            budget += 1
    return _shown(root, levels, waiting, _sizes(root, looked_at=True), on_line)


def _sizes(root: Node, *, looked_at: bool = False) -> dict[Node, int]:
    """How many marks each subtree takes where it is drawn whole; or how many nodes it has, which were looked at."""
    sizes = {node: 0 if looked_at and node.pruned is not None else 1 for node in root.walk()}
    for node in reversed(sizes):
        if node is not root and node.parent is not None:
            sizes[node.parent] += sizes[node]
    return sizes


def _shown(root: Node, levels: dict[Node, int], waiting: dict[Node, list[Node]], sizes: dict[Node, int],
           on_line: set[Node]) -> Branch:  # fmt: skip
    top = Branch(root, 0, "", best=True)
    stack = [top]
    while stack:
        branch = stack.pop()
        node = branch.node
        if node.children and node not in waiting:
            branch.folded, branch.hidden = True, sizes[node]
            continue
        for child in node.children:
            if child in levels:
                path = f"{branch.path},{child.action}" if branch.path else str(child.action)
                branch.children.append(Branch(child, branch.depth + 1, path, best=child in on_line))
        stack.extend(branch.children)
        rest = waiting.get(node)
        if rest:
            rest = [child for child in node.children if child not in levels]
            mark = Branch(rest[0], branch.depth + 1, branch.path)
            mark.folded, mark.hidden, mark.rest = True, sum(sizes[child] for child in rest), rest
            branch.children.append(mark)
    return top
