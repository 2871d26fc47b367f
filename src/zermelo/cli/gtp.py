"""Run the engine under a Go interface: it speaks GTP, version 2, on standard input and output.

Other board games of two players can be named; their moves are then written as the game writes them, and the first
player is Black. Without a limit or a clock it thinks for a second a move.
"""

import argparse
import io
import sys

from zermelo.cli.shared_arguments import add_seed, decimal, integer, open_game, seconds

MOST_SIMULATIONS, MOST_THREADS = 1 << 40, 256


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    parser.add_argument("game", nargs="?", default="go", metavar="GAME", help="the game to play (go)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--simulations", type=integer(1, MOST_SIMULATIONS), metavar="N", help="think so many games long")
    limit.add_argument("--time", type=seconds, metavar="S", help="think so many seconds, and less if the clock says so")
    parser.add_argument("--threads", type=integer(1, MOST_THREADS), default=1, metavar="N", help="how many think (1)")
    chance = decimal(0, 1, "number from 0 to 1")
    parser.add_argument(
        "--resign", type=chance, default=0.05, metavar="P", help="resign below this chance to win (0.05)"
    )
    add_seed(parser)


def run(options: argparse.Namespace) -> int:
    """Speak GTP until `quit`."""
    from zermelo.protocols.gtp import GtpServer, Settings

    # What is no text is garbage like any other, and no reason to end.
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    settings = Settings(options.simulations, options.time, options.threads, options.seed, options.resign)
    GtpServer(open_game(options.game), settings).serve(sys.stdin)
    return 0
