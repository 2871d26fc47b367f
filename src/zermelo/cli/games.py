"""List the games, or show one game: what it is about, its parameters and its traits."""

import argparse
import inspect
import sys
from dataclasses import asdict
from typing import Any

from zermelo.cli.shared_arguments import open_game, print_json
from zermelo.contract import Game
from zermelo.plain_data import game_data
from zermelo.terminal import Screen


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="show this one alone")


def run(options: argparse.Namespace) -> int:
    """Print the list, or one game."""
    if options.game is None:
        _print_list(options.json)
    else:
        _print_game(open_game(options.game), options.json)
    return 0


def _print_list(as_json: bool) -> None:
    from zermelo import games

    own: Any = games
    table = own.table()
    if as_json:
        print_json(
            {"games": [{"game": name, "about": about, "traits": asdict(traits)} for name, traits, about in table]}
        )
        return
    rows = [(name, str(traits.players), kind_in_words(traits), about) for name, traits, about in table]
    Screen().table(("game", ">players", "with", "about"), rows, one_line=True)


def kind_in_words(traits: Any) -> str:
    """The traits in few words: what makes it different from chess."""
    words = ["chance"] * traits.chance + ["simultaneous" if traits.simultaneous else "hidden"] * traits.hidden
    words += ["general sum"] * (traits.players > 1 and not traits.zero_sum)
    return ", ".join(words)


def _print_game(game: Game, as_json: bool) -> None:
    about = rules(game)
    if as_json:
        first = game.initial()
        print_json(
            game_data(game)
            | {"about": about, "traits": asdict(game.traits), "initial": game.format_state(first)}
            | {"max_actions": game.max_actions, "bounds": game.bounds}
        )
        return
    screen = Screen()
    screen.line(game.name, "bold cyan")
    screen.line(str(game.traits))
    screen.line(f"\n{about}")
    fields = [(name, repr(value)) for name, value in game.parameters.items() if name in game._fields]
    if fields:
        screen.line("\nparameters: " + ", ".join(f"{name}={value}" for name, value in fields))
    screen.line(f"\n{game.text(game.initial())}")


def rules(game: Game) -> str:
    """What the author wrote about the game: the module's docstring where there is one, or the class's."""
    module = sys.modules.get(type(game).__module__)
    own = "zermelo.games." in type(game).__module__ or type(game).__module__.startswith("zermelo_file_")
    text = inspect.getdoc(module) if own and module is not None else None
    return text or inspect.getdoc(type(game)) or ""
