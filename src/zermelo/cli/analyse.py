"""The value of a position, the best move, and what every move is worth.

Without a method, one is picked that fits the game; without a depth it goes deeper until the answer is exact or the time
is up. Values are those of player 0. An interrupt stops it, and the answer so far is printed.
"""

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from zermelo.cli import search_options as search
from zermelo.cli.shared_arguments import add_game, add_position, open_game, open_position, print_json, unicode_output
from zermelo.cli.strategies import MOST_NODES, print_play
from zermelo.contract import Game
from zermelo.draw.words.text import analysis_text
from zermelo.result import Analysis
from zermelo.running.watching import watching
from zermelo.situations import Situation
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
    answer, interrupt = _answer(game, state, history, options)
    if options.json:
        print_json(answer.to_json() | ({"interrupted": True} if interrupt else {}))
    else:
        print(analysis_text(answer, unicode=unicode_output()))
        guessing = search.is_guessing(search.chosen_method(game, options))
        print_play([] if interrupt or guessing else _play(answer))
    if interrupt:
        sys.stdout.flush()
        raise interrupt
    return 0


def _answer(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace
) -> tuple[Analysis, KeyboardInterrupt | None]:  # fmt: skip
    """The answer, or what was known when somebody stopped the search."""
    progress = Progress()
    latest: list[Analysis] = []

    def watch(answer: Analysis) -> None:
        latest[:] = [answer]
        progress.show(_so_far(answer, answer.nodes))

    def count(nodes: int) -> None:
        progress.show(_so_far(latest[0], nodes) if latest else f"{nodes:,} nodes")

    try:
        with watching(count) if progress.live else nullcontext():
            return search.analyse(game, state, history, options, watch=watch), None
    except KeyboardInterrupt as interrupt:
        known = latest[0] if latest else getattr(interrupt, "answer", None)
        if known is None:
            print("interrupted before anything was found out", file=sys.stderr)
            raise
        note = "interrupted: this is what was known so far"
        return replace(known, note=f"{note}; {known.note}" if known.note else note), interrupt
    finally:
        progress.clear()


def _so_far(answer: Analysis, nodes: int) -> str:
    return f"depth {answer.depth}: {answer.action_name or '-'} {float(answer.value):+.3g}, {nodes:,} nodes"


def _play(answer: Analysis) -> list[Situation]:
    """What both sides do in which situation, where the answer is an equilibrium of a small game."""
    if answer.policy is None or not answer.policy.is_listed or answer.nodes > MOST_NODES:
        return []
    return answer.policy.situations(answer.state)
