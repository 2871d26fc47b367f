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
    integer,
    open_game,
    open_position,
    print_json,
    unicode_output,
)
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.record import RecordedTree
from zermelo.result import Analysis

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
        document = tree.to_json(max_nodes=options.max_nodes or PICTURE_NODES)
        if options.svg is not None:
            del document["tree"]
        print_json(document | {"note": note, "svg": options.svg})
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
        return _recorded(search.sampled(game, state, history, options, None, record=True)), ""
    search_to = search.make_search(game, state, history, options, record=True)
    if options.depth is not None:
        return _recorded(search_to(options.depth, options.device)), ""
    sizes = [1]
    for depth in range(1, search.DEEPEST):
        answer = search_to(depth, options.device)
        sizes.append(answer.nodes)
        if answer.bound != "estimate":
            return _recorded(answer), ""
        if sizes[-1] * max(2.0, sizes[-1] / sizes[-2]) > ENOUGH_NODES:
            return _recorded(answer), f"to depth {depth}; --depth changes it"
    raise AssertionError("a tree that grows is large one day")


def _recorded(answer: Analysis) -> RecordedTree:
    """The tree of an answer that recorded one."""
    assert answer.tree is not None
    return answer.tree


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
