"""What a search saw: the tree that it walked, with windows, values and the branches that it cut off.

A search on the python machine tells its recorder about every node that it enters and leaves. In compiled code the
recorder is None and the calls disappear.
"""

import math
from collections.abc import Iterator
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.plain_data import as_plain, game_data
from zermelo.running.recursion import deep_recursion

MIRROR = "mirror image of an earlier move"
"""Why a symmetric move is left out."""


class Node:
    """One node of a recorded tree."""

    __slots__ = (
        "action", "best", "bound", "children", "information_set", "name", "parent", "player", "probability", "pruned",
        "random_player", "state", "value", "values", "visits", "window", "wins",
    )  # fmt: skip

    def __init__(self, state: Any, parent: "Node | None", action: int | None, name: str) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        """The action that leads here; None at the root."""
        self.name = name
        """The action as people write it."""
        self.player: int | None = None
        """Who moves here: 0, 1, ..., CHANCE, or None at an end."""
        self.random_player: int | None = None
        """The player who is taken for a die here: `player` is then CHANCE."""
        self.probability: float | None = None
        """The odds of this branch, where chance moves above."""
        self.value: float | None = None
        """The value that the search gave it, for player 0; None where it was never looked at."""
        self.values: tuple[float, ...] | None = None
        """All players' values, where the search knows them."""
        self.visits: int | None = None
        """How many simulations came through, where the search makes them."""
        self.wins: float | None = None
        """How many of them were won by the player whose move leads here; a draw is half a win."""
        self.bound = "exact"
        """exact, lower or upper (a cut-off happened below), or estimate (the depth limit)."""
        self.window: tuple[float, float] | None = None
        """The window (alpha, beta) with which it was entered."""
        self.pruned: str | None = None
        """Why it was not searched, where it was not."""
        self.best: int | None = None
        """The action that was chosen here."""
        self.information_set: Any = None
        """The information set: what the mover sees. None where nothing is hidden."""
        self.children: list[Node] = []

    @property
    def kind(self) -> str:
        """The node's shape: max, min, chance, player2, player3, ..., end, cut (depth limit) or pruned."""
        if self.pruned is not None:
            return "pruned"
        if self.player is None:
            return "end"
        if self.bound == "estimate" and not self.children:
            return "cut"
        if self.player == CHANCE:
            return "chance"
        return ("max", "min")[self.player] if self.player < 2 else f"player{self.player}"

    @property
    def path(self) -> tuple[int, ...]:
        """The actions from the root to here."""
        node, actions = self, []
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))  # type: ignore[arg-type]

    def walk(self) -> "Iterator[Node]":
        """This node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def best_line(self) -> "list[Node]":
        """The nodes along the chosen actions."""
        node, line = self, [self]
        while node.best is not None:
            following = [c for c in node.children if c.action == node.best and c.pruned is None]
            if not following:
                break
            node = following[0]
            line.append(node)
        return line


OWN = tuple(name for name in Node.__slots__ if name not in ("parent", "children"))
"""What a node knows, its neighbours left out."""


def _unpickled(game: Game, method: str, rows: list[tuple[Any, ...]]) -> "RecordedTree":
    """The tree of these nodes: for each the place of its parent, and what it knows."""
    nodes: list[Node] = []
    for above, *known in rows:
        parent = None if above is None else nodes[above]
        node = Node(None, parent, None, "")
        for name, value in zip(OWN, known, strict=True):
            setattr(node, name, value)
        if parent is not None:
            parent.children.append(node)
        nodes.append(node)
    return RecordedTree(game, nodes[0], method)


class RecordedTree:
    """A finished recording, ready to be drawn.

    Its length is the number of its nodes. A node is a position that the search looked at, each time that it looked; a
    branch that was cut off leads to none.
    """

    def __init__(self, game: Game, root: Node, method: str) -> None:
        self.game, self.root, self.method = game, root, method

    def __len__(self) -> int:
        return sum(node.pruned is None for node in self.root.walk())

    @property
    def cut_off(self) -> int:
        """How many branches were not searched."""
        return sum(node.pruned is not None for node in self.root.walk())

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the nodes in one list: one inside the other, those of a long game would go too deep."""
        nodes = list(self.root.walk())
        place = {id(node): i for i, node in enumerate(nodes)}
        rows = [(place.get(id(node.parent)), *(getattr(node, name) for name in OWN)) for node in nodes]
        return _unpickled, (self.game, self.method, rows)

    def to_json(self, *, max_nodes: int | None = None) -> dict[str, Any]:
        """The tree as plain data, node within node: all of it, or as far as so many nodes go, level by level."""
        from zermelo.draw.words.set_names import set_names, sets_as_data

        document = game_data(self.game) | {"method": self.method, "nodes": len(self), "cut_off": self.cut_off}
        names = set_names(self)
        if names:
            document["information_sets"] = sets_as_data(self, names)
        most = len(self) + self.cut_off if max_nodes is None else max_nodes
        with deep_recursion():
            return document | {"tree": as_plain(_nested(self, names, most))}

    def svg(self, **options: Any) -> str:
        """The tree as SVG; see `zermelo.draw.trees.drawing.tree_svg` for the options."""
        from zermelo.draw.trees.drawing import tree_svg

        return tree_svg(self, **options)

    def text(self, **options: Any) -> str:
        """The tree as text."""
        from zermelo.draw.words.text import tree_text

        return tree_text(self, **options)

    def _repr_svg_(self) -> str:
        return self.svg()


def _nested(tree: "RecordedTree", sets: dict[Any, str], most: int) -> dict[str, Any]:
    """The tree as nested objects: all of it, or as far as `most` nodes go, level by level."""
    top = _described_node(tree.root, sets)
    level, count = [(tree.root, top)], 1
    while level:
        below = []
        for node, written in level:
            if count + len(node.children) > most and node.children:
                written["hidden"] = sum(below.pruned is None for below in node.walk()) - 1
                continue
            written["children"] = [_described_node(child, sets) for child in node.children]
            count += len(node.children)
            below += list(zip(node.children, written["children"], strict=True))
        level = below
    return top


def _described_node(node: Node, sets: dict[Any, str]) -> dict[str, Any]:
    values = {
        "move": node.name or None,
        "kind": node.kind,
        "player": node.player,
        "random_player": node.random_player,
        "information_set": sets.get(node.information_set),
        "value": node.value,
        "values": node.values,
        "bound": node.bound if node.value is not None else None,
        "window": node.window,
        "wins": None if node.wins is None else round(node.wins, 6),
        "visits": node.visits,
        "odds": node.probability,
        "best": node.best,
        "pruned": node.pruned,
    }
    return {name: value for name, value in values.items() if value is not None}


class Recorder:
    """Builds the tree while a search runs; where only one player chooses, all others are drawn as chance."""

    def __init__(self, game: Game, only: int | None = None) -> None:
        self.game, self.only = game, only
        self.root: Node | None = None
        self.node: Node | None = None
        self.action: int | None = None
        self.odds: float | None = None
        self.edges: tuple[float, float] | None = None

    def branch(self, action: int, probability: float | None = None) -> None:
        """The next node that is entered is reached by this action."""
        self.action, self.odds = action, probability

    def window(self, alpha: float, beta: float) -> None:
        """The next node that is entered has this window."""
        self.edges = (alpha, beta)

    def enter(self, s: Any, player: int | None) -> None:
        """The search looks at `s`."""
        node = self._attach(s)
        node.player = player
        node.window, self.edges = self.edges, None
        if self.only is not None and player is not None and player >= 0 and player != self.only:
            node.player, node.random_player = CHANCE, player
        if player is not None and player >= 0 and self.game.view is not None:
            node.information_set = (player, self.game.view(s, player))
        self.node = node

    def _attach(self, s: Any) -> Node:
        parent = self.node
        name = "" if parent is None or self.action is None else self.game.format_action(parent.state, self.action)
        node = Node(s, parent, self.action if parent is not None else None, name)
        node.probability = self.odds if parent is not None else None
        if parent is None:
            self.root = node
        else:
            parent.children.append(node)
        return node

    def leave(self, value: float, best: int | None = None, bound: str = "exact",
              values: tuple[float, ...] | None = None) -> None:  # fmt: skip
        """The search is done with the node it entered last."""
        node = self.node
        assert node is not None
        node.value, node.best, node.bound, node.values = value, best, bound, values
        if any(child.pruned == MIRROR for child in node.children):
            # They were left out before the search of the others began; the picture keeps the order of the rules.
            place = {action: i for i, action in enumerate(self.game.actions(node.state))}
            node.children.sort(key=lambda child: place[child.action])  # type: ignore[index]
        self.node = node.parent

    def leave_window(self, value: float, best: int | None, alpha: float, beta: float) -> None:
        """As `leave`; a value outside the window is a bound, unless no utility lies beyond that edge of the window."""
        least, most = self.game.bounds or (-math.inf, math.inf)
        below, above = value <= alpha and alpha > least, value >= beta and beta < most
        self.leave(value, best, "upper" if below else "lower" if above else "exact")

    def end(self, s: Any, walk: Any, depth: int) -> None:
        """The search looks at an end, whose values it has just noted."""
        self.enter(s, None)
        self._leave_leaf(walk, depth, "exact")

    def ends_here(self, walk: Any, depth: int) -> None:
        """The node just entered turns out to have no actions: it is an end."""
        assert self.node is not None
        self.node.player = None
        self._leave_leaf(walk, depth, "exact")

    def estimated(self, walk: Any, depth: int) -> None:
        """The search looks no further than the node just entered."""
        self._leave_leaf(walk, depth, "estimate")

    def leave_all(self, walk: Any, depth: int, best: int) -> None:
        """As `leave`, with the values of all players."""
        values = self._values(walk, depth)
        self.leave(values[0], best if best >= 0 else None, "exact", values)

    def _leave_leaf(self, walk: Any, depth: int, bound: str) -> None:
        values = self._values(walk, depth)
        self.leave(values[0] if values else walk.value, None, bound, values or None)

    def _values(self, walk: Any, depth: int) -> tuple[Any, ...]:
        """Everybody's value of a node of this depth; empty where the search knows player 0's alone."""
        here = (walk.depth - depth) * self.game.players
        return tuple(walk.values[here : here + self.game.players])

    def cut_off(self, memory: Any, start: int, end: int, low: float, high: float, mover: int) -> None:
        """The window has closed: the other actions of this node do not matter."""
        node = self.node
        assert node is not None
        alpha, beta = map(float, node.window or (low, high))
        least, most = float(low), float(high)
        if mover == CHANCE:
            reason = f"the average cannot come back into the window [{alpha:g}, {beta:g}]"
        elif mover == 0:
            reason = f"cut off: {least:g} here is at least beta = {most:g}, {self._why(high, 1)}"
        else:
            reason = f"cut off: {most:g} here is at most alpha = {least:g}, {self._why(low, 0)}"
        for i in range(start, end):
            self.skip(memory[i], reason)

    def pruned_forward(self, memory: Any, start: int, end: int) -> None:
        """Note these actions of the current node as not promising enough to be looked at."""
        for i in range(start, end):
            self.skip(memory[i], "forward pruned: other moves look more promising")

    def _why(self, edge: float, player: int) -> str:
        """Why no value beyond an edge of the window matters, such as a better choice that a player has further up."""
        node, levels = self.node, 0
        while node is not None and node.parent is not None and node.parent.player != CHANCE:
            node, levels = node.parent, levels + 1
            if node.player == player and any(child.value == edge for child in node.children):
                far = f", {levels} levels above," if levels > 1 else ""
                return f"so {('Max', 'Min')[player]}{far} never lets it happen"
        if self.game.bounds is not None and edge == self.game.bounds[player]:
            return f"the {('least', 'greatest')[player]} utility there is: nothing better can follow"
        if node is not None and node.parent is not None:
            return "so the average above cannot come back into its window"
        return "the edge of the window that was asked for"

    def known(self, action: int, value: float) -> None:
        """The search valued this action before its turn came, and now uses that value."""
        assert self.node is not None
        self.branch(action)
        node = self._attach(self.game.result(self.node.state, action))
        node.player = None if self.game.is_terminal(node.state) else self.game.to_move(node.state)
        node.value = value

    def skip(self, action: int, reason: str) -> None:
        """The search does not look at this action of the current node."""
        assert self.node is not None
        self.branch(action)
        node = self._attach(self.game.result(self.node.state, action))
        node.pruned = reason

    def finish(self, method: str) -> RecordedTree:
        """The tree."""
        assert self.root is not None
        return RecordedTree(self.game, self.root, method)
