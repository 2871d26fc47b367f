"""What the game's evaluations say of a position without searching, feature by feature; it lists them, too.

Each can be named to the searches: `zermelo analyse chess --method alphabeta --depth 3 --evaluate material`.
"""

import argparse

from zermelo.cli.shared_arguments import add_game, add_position, open_game, open_position, print_json
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.plain_data import game_data
from zermelo.running.evaluations import Estimated, Evaluation, evaluate


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    add_position(parser)
    parser.add_argument("--evaluate", metavar="NAME", help="this evaluation alone")


def run(options: argparse.Namespace) -> int:
    """Print the estimates."""
    game = open_game(options.game)
    state, _ = open_position(game, options)
    names: list[str | None] = [options.evaluate] if options.evaluate else [*_names(game)]
    if not names:
        raise BadParameter(
            f"{game.name} has no evaluations: write evaluations = {{name: Evaluation(...)}} in the class"
        )
    found = [(_about(game, name), evaluate(game, state, name)) for name in names]
    if options.json:
        head = game_data(game)
        rows = [{"about": about} | {k: v for k, v in one.to_json().items() if k not in head} for about, one in found]
        print_json(head | {"position": game.format_state(state), "evaluations": rows})
    else:
        print("\n\n".join(_text(about, one) for about, one in found))
    return 0


def _names(game: Game) -> list[str | None]:
    """All evaluations; None is the game's own estimate."""
    return [*(game.evaluations or ()), *([None] if game.evaluate is not None else [])]


def _about(game: Game, name: str | None) -> str:
    """What an evaluation is, in its author's words."""
    if name is None:
        return "what searches take where none is named"
    found = (game.evaluations or {}).get(name)
    return found.about if isinstance(found, Evaluation) else ((found.__doc__ or "").strip() if found else "")


def _text(about: str, one: Estimated) -> str:
    head, *rows = str(one).splitlines()
    return "\n".join([head, *([f"({about})"] if about else []), *(f"  {row}" for row in rows)])
