"""A tree of simulations as a recording, which can be drawn as those of other searches are."""

from typing import Any

from zermelo.contract import CHANCE
from zermelo.record import Node, RecordedTree
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.kept_trees import Tree


def recorded(tree: Tree, s: Any, action: int | None) -> RecordedTree:
    """All nodes that were visited, with their visits and means; `s` is the state of the root, `action` the answer."""
    game, words = tree.plan.game, tree.words
    root = Node(s, None, None, "")
    stack = [(at.ROOT, root)]
    while stack:
        row, node = stack.pop()
        _describe(tree, row, node)
        children = [child for child in tree.children(row) if words[child + at.VISITS]]
        for child in children:
            taken = words[child + at.ACTION]
            below = Node(game.result(node.state, taken), node, taken, game.format_action(node.state, taken))
            if node.player == CHANCE:
                below.probability = game.probability(node.state, taken)
            node.children.append(below)
            stack.append((child, below))
        if children and node.player != CHANCE:
            node.best = words[max(children, key=lambda child: words[child + at.VISITS]) + at.ACTION]
    root.best = action
    return RecordedTree(game, root, "mcts")


def _describe(tree: Tree, row: int, node: Node) -> None:
    """Note who moves at a node, how often it was visited and what it is worth."""
    plan, words = tree.plan, tree.words
    ends = words[row + at.FIRST] == at.ENDED or plan.game.is_terminal(node.state)
    node.player = None if ends else plan.game.to_move(node.state)
    node.visits = words[row + at.VISITS]
    node.values = plan.values_at(words, row)
    node.value = node.values[0]
    node.bound = "exact" if ends or plan.is_sure(words, row) else "estimate"
