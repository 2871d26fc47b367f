"""The forms of a game: the table of its strategies (normal form), or its tree with information sets (extensive form).

Without an option, a payoff table is shown as it is and any other game by its tree. --to writes a file that Gambit and
other programs read: .nfg holds a table, .efg a tree.
"""

import argparse
from pathlib import Path
from typing import Any

from zermelo import files
from zermelo.cli.shared_arguments import Parser, add_game, open_game, print_json
from zermelo.contract import CHANCE, Game
from zermelo.draw.words.wording import abbreviated
from zermelo.equilibrium.forms.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.forms.normal import normal_form, plan_count, shown_count
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix
from zermelo.plain_data import game_data
from zermelo.terminal import RIGHT, Screen

MOST_CELLS = 400
"""Tables up to this size are printed."""
MOST_SETS = 40
"""More information sets are counted, not listed."""
SEEN, NAMES = 40, 60
"""So many characters of what a player sees and of the names of its actions are printed."""


def arguments(parser: Parser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--normal", action="store_true", help="the table of all strategies")
    which.add_argument("--reduced", action="store_true", help="strategies that always do the same are one")
    which.add_argument("--extensive", action="store_true", help="the tree and its information sets")
    parser.add_file("--to", "write FILE.nfg or FILE.efg")


def run(options: argparse.Namespace) -> int:
    """Print the form, or write it."""
    suffix = _suffix(options)
    game = open_game(options.game)
    as_table = options.normal or options.reduced or suffix == ".nfg" or isinstance(game, Matrix)
    if as_table and not options.extensive:
        table = normal_form(game, reduced=options.reduced)
        document = game_data(game) | table.to_json()
        report = _table_report(game, table)
        kind = suffix or ".nfg"
        written: Game = table if options.normal or options.reduced or suffix == ".nfg" else game
    else:
        form = extensive_form(game)
        document = form.to_json()
        report = _tree_report(form)
        kind, written = ".efg", game
    if options.to is not None:
        from zermelo.notation import gambit

        files.write(options.to, gambit.write(written, form=kind[1:], title=game.name))
        report = f"{options.to}: {report.splitlines()[0]}"
    if options.json:
        print_json(document | {"written": options.to})
    else:
        print(report)
        if options.to is None and "sets" in document:
            _print_sets(game, document["sets"])
    return 0


def _suffix(options: argparse.Namespace) -> str:
    """The kind of file that is asked for by its name; the standard output has none."""
    if options.to is None or files.is_output(options.to):
        return ""
    suffix = Path(options.to).suffix.lower()
    if suffix not in (".efg", ".nfg"):
        raise BadParameter(f"--to {options.to!r}: the name must end in .nfg for a table or in .efg for a tree")
    if suffix == ".nfg" and options.extensive:
        raise BadParameter("--extensive makes a tree, and .nfg files hold tables: write an .efg file")
    return suffix


def _table_report(game: Game, table: Matrix) -> str:
    """The size of the table, and the table where it is small."""
    size = " x ".join(map(str, table.shape))
    strategies = "payoff table" if table is game else "strategies"
    head = f"{game.name}: {size} {strategies}"
    if len(table.cells.numbers) > MOST_CELLS:
        return f"{head}\n(too large to be shown; --json lists it, --to FILE.nfg writes it)"
    return f"{head}\n\n{table}"


def _tree_report(form: ExtensiveForm) -> str:
    """What the tree consists of."""
    chances = sum(mover == CHANCE for mover in form.mover)
    sets = " + ".join(str(len(form.sets_of(player))) for player in range(form.players))
    full, reduced = (
        " x ".join(shown_count(plan_count(form, player, reduced=fewer)) for player in range(form.players))
        for fewer in (False, True)
    )
    size = f"{len(form):,} nodes, {len(form.payoffs):,} ends, {chances:,} chance nodes"
    recall = "everybody remembers everything" if form.perfect_recall else f"no perfect recall: {form.forgets}"
    return (
        f"{form.game.name}: {size}, {sets} information sets\n"
        f"strategies {full}, reduced {reduced}\n{recall[0].upper()}{recall[1:]}."
    )


def _print_sets(game: Game, sets: list[dict[str, Any]]) -> None:
    """A row for each information set."""
    rows = [
        [str(s["player"]), abbreviated(s["sees"], SEEN), abbreviated(", ".join(s["actions"]), NAMES), str(s["nodes"])]
        for s in sets[:MOST_SETS]
    ]
    Screen().table([f"{RIGHT}player", "sees", "actions", f"{RIGHT}nodes"], rows)
    if len(sets) > MOST_SETS:
        print(f"... {len(sets) - MOST_SETS:,} more information sets (--json lists all)")
