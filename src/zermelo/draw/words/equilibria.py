"""Equilibria as text and for notebooks: who plays what, what it is worth, and by how much it is not quite one."""

import math
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.draw.plots.responses import responses_svg
from zermelo.draw.words.payoffs import mixture_text, odds_text, table_html
from zermelo.draw.words.wording import PRINT, TERMINAL, Script, escape, number_text, payoffs
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.forms.normal import plan_count, plan_labels
from zermelo.equilibrium.nash.both_sides import whole_tree
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium
from zermelo.errors import EndlessGame
from zermelo.matrix import Matrix

LISTED = 24
"""How many equilibria, or situations, are written out."""
_CELL = "text-align: left; padding: 0.15em 0.8em"
SMALL = 3_000
"""The most nodes of a game whose situations are listed, or whose tree is drawn."""


def equilibrium_text(found: Equilibrium) -> str:
    """The equilibrium in a few lines: game and method, values, what everybody plays, and how exact it is."""
    facts = [f"{found.game.name}: {found.method}", f"values  {payoffs(found.values, TERMINAL)}"]
    return "\n".join([*facts, *(f"  {line}" for line in _play(found)), _evidence(found, TERMINAL), *_note(found)])


def equilibria_text(found: Equilibria) -> str:
    """The equilibria, one a line, with their values; then which mixtures of them are equilibria too."""
    lines = [_headline(found)]
    if len(found) == 0:
        return "\n".join([*lines, *_note(found)])
    rows = _rows(found, TERMINAL)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines += ["  ".join(f"{x:<{w}}" for x, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    if len(found) > LISTED:
        lines.append(f"{len(found) - LISTED:,} more")
    return "\n".join([*lines, *_mixtures(found), *_note(found)])


def equilibrium_html(found: Equilibrium) -> str:
    """The equilibrium for notebooks: facts, and the payoff table or the tree with the odds on its branches."""
    facts = f"<b>{escape(found.game.name)}</b>: values <b>{escape(payoffs(found.values))}</b>, {escape(found.method)}"
    parts = [f"<div>{facts}</div>", *(f"<div>{escape(line)}</div>" for line in _play(found))]
    parts += [f'<div style="opacity: 0.65">{escape(line)}</div>' for line in (_evidence(found, PRINT), *_note(found))]
    if isinstance(found.game, Matrix) and found.profile:
        parts.append(table_html(found.game, found))
    elif found.policy is not None:
        try:
            tree = whole_tree(found.game, found.policy, most=SMALL, off_path=True, partly=True)
            parts.append(f'<div style="overflow-x: auto">{tree.svg()}</div>')
        except EndlessGame:
            pass  # Too large for a picture; the facts stand alone.
    return "\n".join(['<div class="zermelo-equilibrium">', *parts, "</div>"])


def equilibria_html(found: Equilibria) -> str:
    """The equilibria for notebooks: a table of them, the marked payoff table, and best responses if it is 2x2."""
    parts = [f"<div><b>{escape(_headline(found))}</b></div>"]
    if len(found):
        head, *rows = _rows(found, PRINT)
        cells = ["".join(f'<td style="{_CELL}">{escape(x)}</td>' for x in row) for row in rows]
        names = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
        parts.append(f"<table><thead><tr>{names}</tr></thead><tbody>")
        parts += [f"<tr>{row}</tr>" for row in cells]
        parts.append("</tbody></table>")
        parts += [f'<div style="opacity: 0.65">{escape(line)}</div>' for line in (*_mixtures(found), *_note(found))]
        table = found[0].game
        if isinstance(table, Matrix):
            parts.append(table_html(table, found))
            if table.shape == (2, 2):
                parts.append(responses_svg(table, found))
    return "\n".join(['<div class="zermelo-equilibria">', *parts, "</div>"])


def _headline(found: Equilibria) -> str:
    """Of which game, how many, whether all, and by which method."""
    count = f"{len(found):,} equilibri{'um' if len(found) == 1 else 'a'}"
    whole = "complete" if found.complete else "not known to be complete"
    if not len(found):
        return f"{count}, {whole}"
    return f"{found[0].game.name}: {count}, {whole}, {found[0].method}"


def _rows(found: Equilibria, script: Script) -> list[list[str]]:
    """A heading, then one row for each equilibrium."""
    game = found[0].game
    exact = all(one.regret == 0 for one in found)
    named = bool(found[0].profile)
    players = [_name(game, p) for p in range(game.players)] if named else []
    labels = strategy_labels(game, found[0].profile)
    rows = [["", *players, "values", *([] if exact else ["regret"])]]
    for i, one in enumerate(found[:LISTED]):
        mixed = [mixture_text(own, strategy) for own, strategy in zip(labels, one.profile, strict=True)]
        rows.append(
            [str(i), *mixed, payoffs(one.values, script), *([] if exact else [number_text(one.regret, script)])]
        )
    return rows


def _mixtures(found: Equilibria) -> list[str]:
    """Which equilibria may be mixed with each other."""
    sets = [subset for component in found.components for subset in component if len(subset) > 1]
    lines = [f"all mixtures of {', '.join(map(str, subset))} are equilibria too" for subset in sets[:LISTED]]
    return lines + ([f"{len(sets) - LISTED:,} more such sets"] if len(sets) > LISTED else [])


def _play(found: Equilibrium) -> list[str]:
    """What everybody plays: mixed strategies, or the odds in every situation of a small game."""
    game = found.game
    if found.profile:
        labels = strategy_labels(game, found.profile)
        wide = max(len(_name(game, p)) for p in range(game.players))
        return [f"{_name(game, p):<{wide}}  {mixture_text(labels[p], own)}" for p, own in enumerate(found.profile)]
    if found.policy is None:
        return []
    try:
        known = [one for one in found.policy.situations(most=SMALL) if one.reached]
    except EndlessGame:
        return []
    lines = [
        f"{_name(game, one.player)}  {' '.join(one.sees.split())}: "
        + ", ".join(f"{action} {odds_text(p)}" for action, p in one.named.items())
        for one in known[:LISTED]
    ]
    return lines + ([f"{len(known) - LISTED:,} more situations"] if len(known) > LISTED else [])


def _name(game: Game, player: int) -> str:
    own: Sequence[Any] = game.names
    return str(own[player]) if player < len(own) else f"player {player}"


def strategy_labels(game: Game, profile: Sequence[Sequence[Any]]) -> list[Sequence[str]]:
    """What the strategies of a profile are called: actions of a table, plans of the normal form, else numbers."""
    sizes = tuple(map(len, profile))
    if isinstance(game, Matrix) and game.shape == sizes:
        return list(game.labels)
    form = extensive_form(game)
    for reduced in (True, False):
        if sizes == tuple(plan_count(form, player, reduced=reduced) for player in range(form.players)):
            return list(plan_labels(form, reduced=reduced))
    return [[f"strategy {i}" for i in range(size)] for size in sizes]


def _evidence(found: Equilibrium, script: Script) -> str:
    """How near it is to an equilibrium, and the iterations, seed and time of the computation."""
    exact = found.regret == 0
    unknown = isinstance(found.regret, float) and math.isnan(found.regret)
    facts = [f"regret {'unknown' if unknown else number_text(found.regret, script)}"]
    if not exact and found.gains:
        facts.append(f"exploitability {number_text(found.exploitability, script)}")
    if found.iterations is not None:
        facts.append(f"{found.iterations:,} iterations")
    if found.seed is not None:
        facts.append(f"seed {found.seed}")
    return ", ".join([*facts, f"{found.time:.3g} s"])


def _note(found: Equilibrium | Equilibria) -> list[str]:
    return [found.note] if found.note else []
