"""The tree that a search walks through: values, windows, and what was cut off and why.

It is printed as text, or written as a picture (--svg FILE). Without a depth it is as deep as fits into some ten
thousand nodes. Games with hidden information are shown whole, with their information sets and equilibrium play.
"""

import argparse
from typing import Any

from zermelo import files
from zermelo.cli import search_options as search
from zermelo.cli.shared_arguments import (
    Parser,
    add_game,
    add_position,
    game_as_data,
    integer,
    open_game,
    open_position,
    print_json,
    unicode_output,
)
from zermelo.contract import Game
from zermelo.draw.words.set_names import set_names, sets_as_data
from zermelo.errors import BadParameter
from zermelo.record import Node, RecordedTree

ENOUGH_NODES = 20_000
"""Without a depth, trees up to about this size are recorded."""
TEXT_NODES, PICTURE_NODES = 60, 400


def arguments(parser: Parser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    search.add_search(parser, timed=False)
    parser.add_file("--svg", "write a picture instead")
    parser.add_argument("--max-nodes", type=integer(1, 1_000_000), metavar="N",
                        help=f"fold what is beyond ({TEXT_NODES}; in pictures {PICTURE_NODES})")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the tree or write its picture."""
    game = open_game(options.game)
    state, history = open_position(game, options)
    tree, note = _record(game, state, history, options)
    if options.svg is not None:
        files.write(options.svg, tree.svg(max_nodes=options.max_nodes or PICTURE_NODES))
    if options.json:
        document = game_as_data(game) | {"method": tree.method, "nodes": len(tree), "cut_off": tree.cut_off}
        document |= {"note": note, "svg": options.svg}
        if options.svg is None:
            names = set_names(tree)
            if names:
                document["information_sets"] = sets_as_data(tree, names)
            document["tree"] = _nested(tree, names, options.max_nodes or PICTURE_NODES)
        print_json(document)
    elif options.svg is not None:
        print(f"{options.svg}: {len(tree):,} nodes of {game.name}, {tree.method}" + (f" ({note})" if note else ""))
    else:
        print(tree.text(max_nodes=options.max_nodes or TEXT_NODES, unicode=unicode_output()))
        print(f"{game.name}, {tree.method}, {_size(tree)}" + (f" ({note})" if note else ""))
    return 0


def _size(tree: RecordedTree) -> str:
    """How many nodes the tree has, and how many branches were cut off."""
    nodes, cut = len(tree), tree.cut_off
    size = f"{nodes:,} node" + "s" * (nodes != 1)
    return f"{size}, {cut:,} branch{'es' * (cut != 1)} cut off" if cut else size


def _record(game: Game, state: Any, history: list[Any], options: argparse.Namespace) -> tuple[RecordedTree, str]:
    """The tree, and a remark on it."""
    if game.traits.hidden and options.method in ("auto", "sequence_form"):
        return _whole_tree(game, state, options)
    if options.method == "sequence_form":
        raise BadParameter(f"{game.name} hides nothing: a search draws its tree; leave --method out")
    if options.method == "mcts":
        tree = search.sampled(game, state, history, options, None, record=True).tree
        assert tree is not None
        return tree, ""
    search_to = search.make_search(game, state, history, options, record=True)
    if options.depth is not None:
        return search_to(options.depth, options.device).tree, ""
    sizes = [1]
    for depth in range(1, search.DEEPEST):
        answer = search_to(depth, options.device)
        sizes.append(answer.nodes)
        if answer.bound != "estimate":
            return answer.tree, ""
        if sizes[-1] * max(2.0, sizes[-1] / sizes[-2]) > ENOUGH_NODES:
            return answer.tree, f"to depth {depth}; --depth changes it"
    raise AssertionError("a tree that grows is large one day")


def _whole_tree(game: Game, state: Any, options: argparse.Namespace) -> tuple[RecordedTree, str]:
    """A game with hidden information, with equilibrium play where that can be found."""
    from zermelo.equilibrium.nash.both_sides import best_policies, whole_tree

    refused = [name for name in search.OPTIONS if search.is_given(options, name)]
    if refused:
        raise BadParameter(f"--{refused[0].replace('_', '-')} makes no sense here: {game.name} is shown whole")
    solvable = game.players == 1 or (game.players == 2 and game.traits.zero_sum)
    if options.depth is not None:
        return whole_tree(game, None, state, depth=options.depth), ""
    if not solvable:
        return whole_tree(game, None, state), ""
    tree = whole_tree(game, best_policies(game, state), state)
    unreached = any(node.value is None and node.pruned is None for node in tree.root.walk())
    return tree, "nodes without a value are those to which this play never comes" if unreached else ""


def _nested(tree: RecordedTree, sets: dict[Any, str], most: int) -> dict[str, Any]:
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
