"""Nash equilibria of a game: one of them, or with --all every one, with the proof that there are no others.

A GAME may be a payoff table ("Matrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])"), a file of Gambit (.nfg, .efg) or any other
game. One that is too large for its table of strategies is solved without it: without secrets by backward induction, of
two players by the sequence form. With --exact all numbers are fractions.

Methods: vertices, supports, lemke-howson and pure work on the table of strategies; zero-sum is a linear program, for
trees the sequence form; lemke takes trees of any sums; logit follows the path of quantal responses, for any number of
players; subgame-perfect, quasi-perfect and trembling-hand find equilibria that are sensible off the path as well.
"""

import argparse

from zermelo.cli.shared_arguments import add_game, open_game, print_json
from zermelo.cli.strategies import listed_play, mixture_sum, numbers_text, print_play
from zermelo.contract import Game
from zermelo.draw.words.payoffs import table_text
from zermelo.equilibrium.nash.nash import METHODS as BY_TABLE
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix
from zermelo.plain_data import game_data
from zermelo.terminal import RIGHT, Progress, Screen

REFINED = ("subgame-perfect", "quasi-perfect", "trembling-hand")
"""Methods that also say what is done where play does not come."""
ONE = ("zero-sum", "lemke", "logit", "quasi-perfect", "trembling-hand")
"""Methods that find one equilibrium."""
METHODS = ("auto", *BY_TABLE, "zero-sum", "lemke", "logit", "subgame-perfect", "quasi-perfect", "trembling-hand")
MOST_CELLS = 144
"""Tables up to this size are printed."""
MOST_ROWS = 100
NOTHING = 1e-12
"""Rounding leaves as much regret."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    parser.add_argument("--all", action="store_true", help="every equilibrium, not only one")
    parser.add_argument("--exact", action="store_true", help="fractions, not decimals")
    parser.add_argument("--method", choices=METHODS, default="auto", help="auto: what fits the game")


def run(options: argparse.Namespace) -> int:
    """Print the equilibria."""
    game = open_game(options.game, table=True)
    found = _found(game, options)
    if options.json:
        print_json(game_data(game) | found.to_json())
        return 0
    if isinstance(game, Matrix) and len(game.cells.numbers) <= MOST_CELLS:
        print(table_text(game, [one for one in found if one.is_pure]), end="\n\n")
    print(_headline(game, found))
    if len(found) == 1 and not isinstance(game, Matrix):
        print(f"values {numbers_text(found[0].values)}; regret {numbers_text([found[0].regret])}")
        print_play(listed_play(found[0]), off_path=options.method in REFINED)
    elif found:
        _print_table(found)
    for note in dict.fromkeys(note for note in (found.note, *(one.note for one in found)) if note):
        print(f"({note.replace('all=True', '--all')})")
    return 0


def _found(game: Game, options: argparse.Namespace) -> Equilibria:
    """The equilibria that the options ask for."""
    import zermelo

    method = options.method
    if method in ONE and options.all:
        raise BadParameter(f"--method {method} finds one equilibrium: leave --all out, or use --method vertices")
    if options.exact and method in ("logit", "trembling-hand"):
        raise BadParameter(f"--method {method} does not take --exact: use --method quasi-perfect or lemke")
    if method == "auto" or method in BY_TABLE:
        return _by_table(game, None if method == "auto" else method, options)
    if method == "subgame-perfect":
        return zermelo.subgame_perfect(game, all=options.all, exact=options.exact or None)
    if method == "zero-sum":
        one = _zero_sum(game, options.exact)
    elif method == "logit":
        one = zermelo.quantal_response(game).equilibrium
    else:
        one = getattr(zermelo, method.replace("-", "_"))(game)
    return Equilibria([one], complete=False)


def _by_table(game: Game, method: str | None, options: argparse.Namespace) -> Equilibria:
    """Equilibria by the table of strategies, or one without it where it would be too large."""
    import zermelo

    shown = Progress()
    if options.all:
        shown.show(f"{game.name}: looking for all equilibria; large tables take a minute")
    try:
        return zermelo.nash(game, all=options.all, exact=options.exact, method=method)
    finally:
        shown.clear()


def _zero_sum(game: Game, exact: bool) -> Equilibrium:
    """Optimal play of a zero-sum game."""
    import zermelo
    from zermelo.equilibrium.nash.without_table import zero_sum_tree

    return zermelo.zero_sum(game, exact=exact) if isinstance(game, Matrix) else zero_sum_tree(game, exact=exact)


def _headline(game: Game, found: Equilibria) -> str:
    """How many there are, by which method."""
    if not found:
        return f"{game.name}: no equilibrium found"
    count = f"{len(found)} equilibria" if len(found) > 1 else "an equilibrium"
    if found.complete:
        count = f"{len(found)} equilibria, which are all" if len(found) > 1 else "the only equilibrium"
        subsets = sum(map(len, found.components))
        if subsets and any(len(subset) > 1 for component in found.components for subset in component):
            sets = f"{subsets} set" + ("s" if subsets > 1 else "")
            hang = f"{len(found.components)} component" + ("s" if len(found.components) > 1 else "")
            extreme = f"{len(found)} extreme equilibria"
            count = f"{extreme}; mixtures within {sets} in {hang} are equilibria too, and there are no others"
    methods = ", ".join(dict.fromkeys(one.method for one in found))
    return f"{game.name}: {count} ({methods})"


def _print_table(found: Equilibria) -> None:
    """A row for each equilibrium: what everybody plays, what it is worth, its regret where there is some."""
    game, labels = found[0].game, found[0].strategies
    names = game.names or [f"player {p}" for p in range(game.players)]
    regrets = any(one.regret > NOTHING for one in found)
    rows = []
    for place, one in enumerate(found[:MOST_ROWS]):
        strategies = [mixture_sum(own, of) for own, of in zip(one.profile, labels, strict=True)] or ["?"] * len(names)
        rest = [numbers_text([one.regret])] if regrets else []
        rows.append([str(place + 1), *strategies, numbers_text(one.values), *rest])
    Screen().table([RIGHT, *names, "values", *(["regret"] if regrets else [])], rows)
    if len(found) > MOST_ROWS:
        print(f"... {len(found) - MOST_ROWS:,} more (--json lists all)")
