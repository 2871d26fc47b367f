"""Solve a position of Connect Four: the exact score of every move.

0 is a draw, 1 a win with one's last stone, 2 one stone earlier, and so on; losses are negative. Scores are those of the
side to move. A position is the columns in the order of play, such as 4455, or the board as `zermelo play` writes it.
"""

import argparse

from zermelo.cli.shared_arguments import add_game, add_position, integer, open_game, open_position, print_json
from zermelo.terminal import Progress

DEVICES = ("auto", "python", "cpu")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    from zermelo.games.connect_four.solver import LARGEST_TABLE, TABLE

    add_game(parser)
    add_position(parser)
    size = integer(1, LARGEST_TABLE)
    parser.add_argument(
        "--table",
        type=size,
        default=TABLE,
        metavar="MB",
        help=f"the most memory for positions that are known ({TABLE})",
    )
    parser.add_argument("--value", action="store_true", help="the value of the position alone, not of every move")
    parser.add_argument("--device", choices=DEVICES, default="auto", help="the machine that it runs on")


def run(options: argparse.Namespace) -> int:
    """Print the scores."""
    from zermelo.solving import solve

    game = open_game(options.game)
    state, _ = open_position(game, options)
    progress = Progress()

    def watch(nodes: int, low: int, high: int) -> None:
        progress.show(f"{nodes:,} positions searched; the score lies from {low:+d} to {high:+d}")

    try:
        answer = solve(game, state, moves=not options.value, table=options.table, device=options.device, watch=watch)
    finally:
        progress.clear()
    if options.json:
        print_json(answer.to_json())
        return 0
    print(answer)
    print(f"{answer.nodes:,} positions searched, {answer.time:.3g} s on {answer.device}")
    return 0
