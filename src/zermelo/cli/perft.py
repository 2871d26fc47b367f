"""Count the ways to play a number of moves: the test of every move generator."""

import argparse

from zermelo.cli.shared_arguments import (
    add_device,
    add_game,
    add_position,
    integer,
    open_game,
    open_position,
    print_json,
)
from zermelo.plain_data import game_data
from zermelo.terminal import Screen


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    parser.add_argument("depth", type=integer(0, 1_000), metavar="DEPTH", help="how many moves")
    add_position(parser)
    parser.add_argument("--divide", action="store_true", help="count each first move by itself")
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Print the count."""
    from zermelo.running.thinking import Thinking
    from zermelo.searches.perft import perft, perft_divide

    game = open_game(options.game)
    state, _ = open_position(game, options)
    thinking = Thinking()
    if options.divide:
        counts = perft_divide(game, options.depth, state, device=options.device)
        paths, document = sum(counts.values()), counts.to_json()
    else:
        paths = perft(game, options.depth, state, device=options.device)
        position = {"position": game.format_state(state), "depth": options.depth}
        document = game_data(game) | position | {"paths": paths}
    spent = thinking.seconds
    if options.json:
        took = {"seconds": spent, "compile_seconds": thinking.compile_seconds}
        print_json(document | took | {"paths_per_second": paths / max(spent, 1e-9)})
        return 0
    if options.divide:
        Screen().table(("move", ">paths"), [(name, f"{count:,}") for name, count in counts.names.items()])
    speed = paths / max(spent, 1e-9)
    print(f"{game.name}, {options.depth} moves: {paths:,} paths, {spent:.3g} s, {speed:,.0f} paths/s")
    return 0
