"""Minimax level by level, to compare: it gives what `minimax` gives, and keeps the whole tree in memory for it.

Depth-first search remembers one path and forgets what lies behind; breadth-first search cannot say anything of a node
before the last level below it has been seen. So it needs memory for all b^d nodes instead of for d of them.
"""

import time
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.exact import as_value
from zermelo.result import Analysis, Limit, Move
from zermelo.running.callbacks import evaluation
from zermelo.running.nodes import actions_at, mover_at, payoffs_at
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.searches.limits import limit_of, naming_limits
from zermelo.searches.plain.node import UNLIMITED
from zermelo.types import Evaluate

MOST_NODES = 2_000_000


class _Node:
    """A node that waits for the values of its children."""

    __slots__ = ("action", "children", "mover", "state", "value")

    def __init__(self, state: Any, action: int | None) -> None:
        self.state, self.action = state, action
        self.mover = 0
        self.children: list[_Node] = []
        self.value: Any = None

    def choose(self) -> "_Node":
        """The best child for the mover; the first of several."""
        best = max if self.mover == 0 else min
        return best(self.children, key=lambda child: child.value)


@naming_limits
def breadth_first_minimax(
    game: AnyGame,
    state: Any = None,
    *,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    most: int = MOST_NODES,
) -> Analysis:
    """The minimax value, found level by level; the note says how many nodes were kept at once.

    `depth` looks so many moves ahead, as does `Limit(depth=...)` as `limit`; more than `most` nodes are refused.

    >>> answer = breadth_first_minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> answer.value, answer.nodes, answer.note
    (3.0, 13, '13 nodes were kept at once; depth-first search keeps a path of 3')
    """
    game = as_game(game)
    for require in (require_open, require_no_chance, require_two_sides):
        require(game, "breadth_first_minimax")
    depth = limit_of("breadth_first_minimax", limit, known=("depth",), depth=depth).depth
    started, left = time.perf_counter(), UNLIMITED if depth is None else depth
    estimate = evaluation(game, evaluate)
    root = _Node(game.initial() if state is None else game.checked_state(state), None)
    levels, nodes, cut = [[root]], 1, False
    while levels[-1]:
        below: list[_Node] = []
        for node in levels[-1]:
            if game.is_terminal(node.state):
                node.value = as_value(payoffs_at(game, node.state)[0])
            elif len(levels) > left:
                node.value, cut = estimate(game, node.state), True
            else:
                node.mover = mover_at(game, node.state)
                node.children = [_Node(game.result(node.state, a), a) for a in actions_at(game, node.state)]
                below += node.children
                nodes += len(node.children)
                if nodes > most:
                    raise BadParameter(f"{game.name}: more than {most:,} nodes at once; give a depth, or raise most=")
        levels.append(below)
    for level in reversed(levels):
        for node in level:
            if node.children:
                node.value = node.choose().value
    return _answer(game, root, nodes, len(levels) - 1, cut, depth, time.perf_counter() - started)


def _answer(
    game: Game, root: _Node, nodes: int, longest: int, cut: bool, depth: int | None, seconds: float
) -> Analysis:  # fmt: skip
    """What was found, as other searches say it."""
    bound = "estimate" if cut else "exact"
    line, node = [], root
    while node.children:
        node = node.choose()
        line.append(node.action)
    return Analysis(
        value=root.value, values=(root.value, -root.value)[: game.players], action=line[0] if line else None,
        line=tuple(line),  # type: ignore[arg-type]
        moves={child.action: Move(child.value, bound=bound) for child in root.children},  # type: ignore[misc]
        bound=bound, nodes=nodes, depth=depth, time=seconds, method="breadth_first_minimax", device="python", game=game,
        state=root.state,
        note=f"{nodes:,} nodes were kept at once; depth-first search keeps a path of {longest:,}",
    )  # fmt: skip
