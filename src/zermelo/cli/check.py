"""Examine whether a game keeps the contract: random play, state by state, and agreement of the machines.

The exit code is 1 where something is wrong.
"""

import argparse

from zermelo.cli.shared_arguments import add_game, add_seed, integer, open_game, print_json
from zermelo.errors import BrokenContract


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    parser.add_argument("--games", type=integer(1, 1_000_000), default=60, metavar="N", help="random games (60)")
    parser.add_argument("--python-only", action="store_true", help="do not compare the machines")
    add_seed(parser)


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    from zermelo.conformance import Examination

    try:
        game = open_game(options.game)
    except BrokenContract as error:
        if options.json:
            print_json({"game": options.game, "ok": False, "problems": [str(error)]})
        else:
            print(f"{options.game}: broken\n  wrong: {error}")
        return 1
    report = Examination(game, options.games, options.seed).run(not options.python_only)
    if options.json:
        print_json(report.to_json())
    else:
        print(report)
    return 0 if report.ok else 1
