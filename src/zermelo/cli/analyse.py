"""The value of a position, the best move, and what every move is worth.

Without a method, one is picked that fits the game; without a depth it goes deeper until the answer is exact or the time
is up. Values are those of player 0.
"""

import argparse
from typing import Any

from zermelo.cli import search
from zermelo.cli.arguments import add_game, add_position, open_game, open_position, print_json, unicode_output
from zermelo.cli.strategies import MOST_NODES, play_as_data, print_play
from zermelo.contract import Game
from zermelo.draw.text import analysis_text
from zermelo.result import Analysis
from zermelo.terminal import Progress


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    search.add_search(parser)


def run(options: argparse.Namespace) -> int:
    """Print the answer."""
    game = open_game(options.game)
    state, history = open_position(game, options)
    progress = Progress()
    try:
        answer = search.analyse(game, state, history, options, watch=lambda a: progress.show(_so_far(a)))
    finally:
        progress.clear()
    play = [] if search.chosen_method(game, options) in search.HIDDEN else _play(game, answer)
    if options.json:
        print_json(answer.to_json() | ({"play": play_as_data(play)} if play else {}))
        return 0
    print(analysis_text(answer, unicode=unicode_output()))
    print_play(play)
    return 0


def _so_far(answer: Analysis) -> str:
    return f"depth {answer.depth}: {answer.action_name or '-'} {answer.value:+.3g}, {answer.nodes:,} nodes"


def _play(game: Game, answer: Analysis) -> list[Any]:
    """What both sides do in which situation, where the answer is an equilibrium of a small game."""
    if answer.policy is None or answer.nodes > MOST_NODES:
        return []
    from zermelo.equilibrium.both_sides import best_policies, situations

    return situations(game, best_policies(game, answer.state), answer.state)
