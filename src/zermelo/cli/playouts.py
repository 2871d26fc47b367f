"""Play random games and say what they came to; the same seed gives the same games on every machine."""

import argparse

from zermelo.cli.shared_arguments import (
    add_device,
    add_game,
    add_position,
    add_seed,
    integer,
    open_game,
    open_position,
    print_json,
)

MOST_SHOWN = 1e12
"""Means beyond this are written by their first digits."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    parser.add_argument("--games", type=integer(1, 1 << 40), default=1_000, metavar="N", help="how many (1000)")
    add_seed(parser)
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Print the means."""
    from zermelo.searches.playouts import playouts

    game = open_game(options.game)
    state, _ = open_position(game, options)
    found = playouts(game, state, games=options.games, seed=options.seed, device=options.device)
    if options.json:
        print_json(found.to_json())
        return 0
    print(f"{game.name}: {found.games:,} random games on {found.device}, seed {found.seed}")
    for player, mean in enumerate(found.means):
        error = f" ± {found.error:.2g} (standard error)" if player == 0 else ""
        written = f"{mean:+.4f}" if abs(mean) < MOST_SHOWN else f"{mean:+.6g}"
        print(f"  player {player}: {written}{error}")
    print(f"{found.moves / found.games:.1f} moves a game, {found.time:.3g} s, {found.speed:,.0f} moves/s")
    return 0
