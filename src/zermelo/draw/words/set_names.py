"""What the information sets of a tree are called, in text, in pictures and in JSON."""

from typing import Any

from zermelo.contract import Game
from zermelo.record import Node, RecordedTree
from zermelo.tree import Tree

LONGEST = 28
"""What a player sees is a name where it is one line of at most so many characters; other sets are numbered."""


def set_names(tree: RecordedTree) -> dict[Any, str]:
    """A name of its own for each information set: its author's, or what the player sees there, or a number.

    Of a tree that was typed by hand, sets without a name hold one node each and are left out.
    """
    names: dict[Any, str] = {}
    taken: set[str] = set()
    for node in tree.root.walk():
        key = node.information_set
        if key is None or key in names:
            continue
        name = _name(tree.game, node, len(names) + 1)
        if name is None:
            continue
        if name in taken:
            name = f"{name} ({len(names) + 1})"
        taken.add(name)
        names[key] = name
    return names


def _name(game: Game, node: Node, number: int) -> str | None:
    if isinstance(game, Tree):
        given = game.information_set(node.state)
        return None if given is None else str(given)
    seen = game.text(node.state, node.player)
    return seen if 0 < len(seen) <= LONGEST and "\n" not in seen else f"set {number}"


def sets_as_data(tree: RecordedTree, names: dict[Any, str]) -> list[dict[str, Any]]:
    """Each information set with its name, its player, what that player sees, and how many nodes it has."""
    found: dict[Any, dict[str, Any]] = {}
    for node in tree.root.walk():
        key = node.information_set
        if key in names and node.pruned is None:
            sees = tree.game.text(node.state, node.player)
            row = found.setdefault(key, {"name": names[key], "player": node.player, "sees": sees, "nodes": 0})
            row["nodes"] += 1
    return list(found.values())
