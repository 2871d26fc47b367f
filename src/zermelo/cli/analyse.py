"""The value of a position, the best move, and what every move is worth.

Without a method, one is picked that fits the game; without a depth it goes deeper until the answer is exact or the time
is up. Values are those of player 0.
"""

import argparse
from typing import Any

from zermelo.cli import search
from zermelo.cli.arguments import add_game, add_position, open_game, open_position, print_json, unicode_output
from zermelo.contract import Game
from zermelo.draw.text import analysis_text
from zermelo.draw.wording import odds
from zermelo.result import Analysis
from zermelo.terminal import Progress

MOST_NODES = 5_000
"""Up to this size, play of both sides is listed."""
MOST_SITUATIONS = 24


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
    play = _play(game, answer)
    if options.json:
        found = [{"player": x.player, "sees": x.sees, "odds": x.odds} for x in play]
        print_json(answer.to_json() | ({"play": found} if found else {}))
        return 0
    print(analysis_text(answer, unicode=unicode_output()))
    for situation in play[:MOST_SITUATIONS]:
        seen = " / ".join(line.strip() for line in situation.sees.splitlines())
        named = ", ".join(f"{name} {odds(p)}" for name, p in situation.odds.items() if p > 1e-9)
        print(f"  player {situation.player} on {seen}: {named}")
    if len(play) > MOST_SITUATIONS:
        print(f"  ... {len(play) - MOST_SITUATIONS} more situations (--json lists all)")
    return 0


def _so_far(answer: Analysis) -> str:
    return f"depth {answer.depth}: {answer.action_name or '-'} {answer.value:+.3g}, {answer.nodes:,} nodes"


def _play(game: Game, answer: Analysis) -> list[Any]:
    """What both sides do in which situation, where the answer is an equilibrium of a small game."""
    if answer.policy is None or answer.nodes > MOST_NODES:
        return []
    from zermelo.equilibrium.both_sides import best_policies, situations

    return situations(game, best_policies(game, answer.state), answer.state)
