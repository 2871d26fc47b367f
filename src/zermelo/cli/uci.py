"""Run the engine under a chess interface: it speaks UCI on standard input and output.

Any other game can be named; its moves are then written as the game writes them.
"""

import argparse
import io
import sys

from zermelo.cli.shared_arguments import open_game


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    parser.add_argument("game", nargs="?", default="chess", metavar="GAME", help="the game to play (chess)")


def run(options: argparse.Namespace) -> int:
    """Speak UCI until `quit`."""
    from zermelo.protocols.uci import UciServer
    from zermelo.searches.engine.engine import require_fit

    # What is no text is garbage like any other, and no reason to end.
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    game = open_game(options.game)
    require_fit(game)
    UciServer(game).serve(sys.stdin)
    return 0
