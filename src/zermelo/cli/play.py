"""Play a game on the terminal: people enter moves by name, machines search, chance rolls with the seed.

By default you are the first player and machines have the other seats. While it is your turn you may also type help,
moves, undo, hint or quit.
"""

import argparse
import sys
from typing import Any

from zermelo.cli import search_options as search
from zermelo.cli.shared_arguments import (
    add_device,
    add_game,
    add_position,
    add_seed,
    integer,
    open_game,
    open_position,
    print_json,
    seconds,
)
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.conversation import converse
from zermelo.play.course import Course
from zermelo.play.seats import AUTO, HUMAN, Seats, seated
from zermelo.play.table import Play
from zermelo.result import Limit


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    parser.add_argument(
        "--first", metavar="WHO", help="player 0: human, or a player as `zermelo match` knows it (human)"
    )
    parser.add_argument("--second", metavar="WHO", help="player 1 (auto)")
    parser.add_argument(
        "--players", metavar="WHO,WHO,...", help="all players; with ; between them where one has commas"
    )
    parser.add_argument("--depth", type=integer(1, search.DEEPEST), metavar="N", help="how far machines look ahead")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="or for how long, each move (1)")
    parser.add_argument(
        "--nodes", type=integer(1, search.MOST_NODES), metavar="N", help="or how many nodes or simulations, each move"
    )
    add_seed(parser)
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Play, and print the result or the record."""
    game = open_game(options.game)
    state, history = open_position(game, options)
    limit = Limit(time=options.time, nodes=options.nodes, depth=options.depth)
    seats = Seats(game, seats_named(game, options), limit=limit, seed=options.seed, device=options.device)
    out = sys.stderr if options.json else sys.stdout
    play = Play(Course(game, state, history), seats)

    def say(text: str) -> None:
        """Print to people; with --json that is not the standard output, and nothing where only machines play."""
        if play.humans or not options.json:
            print(text, file=out, flush=True)

    def ask(prompt: str) -> str:
        """The next line that is typed."""
        print(prompt, end="", file=out, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    try:
        converse(play, ask, say)
    finally:
        play.close()
    if options.json:
        print_json(play.to_json())
    return 0


def seats_named(game: Game, options: argparse.Namespace) -> list[Any]:
    """What is written for each seat."""
    if options.players is not None:
        if options.first is not None or options.second is not None:
            raise BadParameter("give --players, or --first and --second, not both")
        return seated(game, options.players)
    if options.second is not None and game.players < 2:
        raise BadParameter(f"{game.name} has one player: --second has no seat")
    return [options.first or HUMAN, options.second or AUTO, *[AUTO] * game.players][: game.players]
