"""Writes correlated equilibria, dominance and security levels as text and for notebooks.

>>> from zermelo import game, security_level
>>> print(security_level(game("matching_pennies")))
matching_pennies: what matcher can count on
                                         value  play
secures by one action                    -1     heads
secures by a mixture                     0      1/2 heads, 1/2 tails
is held to it by                         0      1/2 heads, 1/2 tails
gets at least, if it knows what they do  1
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.draw.words.payoffs import LABEL, SUPPORT, mixture_text, odds_text, table_html
from zermelo.draw.words.wording import PRINT, TERMINAL, abbreviated, escape, number_text, payoffs
from zermelo.matrix import Matrix

if TYPE_CHECKING:
    from zermelo.equilibrium.concepts.correlated import Correlated
    from zermelo.equilibrium.concepts.dominance import Elimination, Rationalizable
    from zermelo.equilibrium.concepts.security import Security

LISTED = 24
"""How many rows are written out."""
MOST_CELLS = 144
"""Tables up to this size are shown beside an answer."""
_CELL = "text-align: left; padding: 0.15em 0.8em"


class Sheet(NamedTuple):
    """An answer in writing: what it is, a table with its heading, and what there is to say about it."""

    title: str
    head: list[str]
    rows: list[list[str]]
    lines: list[str]
    table: Matrix | None
    """Shown in notebooks where it is small."""

    def text(self) -> str:
        """The answer for terminals."""
        grid = [self.head, *self.rows[:LISTED]] if self.rows else []
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        rows = ["  ".join(f"{x:<{w}}" for x, w in zip(row, widths, strict=True)).rstrip() for row in grid]
        return "\n".join([self.title, *rows, *self._more(), *self.lines])

    def html(self) -> str:
        """The answer for notebooks, with the payoff table where that is small."""
        parts = [f"<div><b>{escape(self.title)}</b></div>"]
        if self.rows:
            names = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in self.head)
            parts.append(f"<table><thead><tr>{names}</tr></thead><tbody>")
            for row in self.rows[:LISTED]:
                parts.append("<tr>" + "".join(f'<td style="{_CELL}">{escape(x)}</td>' for x in row) + "</tr>")
            parts.append("</tbody></table>")
        parts += [f'<div style="opacity: 0.65">{escape(line)}</div>' for line in (*self._more(), *self.lines)]
        if self.table is not None and len(self.table.cells.numbers) <= MOST_CELLS:
            parts.append(table_html(self.table))
        return "\n".join(['<div class="zermelo-answer">', *parts, "</div>"])

    def _more(self) -> list[str]:
        return [f"{len(self.rows) - LISTED:,} more"] if len(self.rows) > LISTED else []


def device_sheet(found: "Correlated", *, for_print: bool = False) -> Sheet:
    """The outcomes of a device with their odds, the likeliest first, and what they are worth."""
    script = PRINT if for_print else TERMINAL
    game = found.game
    kind = {"correlated": "correlated", "coarse": "coarse correlated", "extensive": "extensive-form correlated"}
    aim = found.objective
    by = aim if isinstance(aim, str) else "the weights " + payoffs(aim, script)
    ranked = sorted(found.names.items(), key=lambda item: -item[1])
    if isinstance(game, Matrix):
        head = ["odds", *game.names]
        rows = [[odds_text(p), *(abbreviated(name, LABEL) for name in names)] for names, p in ranked]
    else:
        head, rows = ["odds", "play"], [[odds_text(p), abbreviated(" ".join(names), 4 * LABEL)] for names, p in ranked]
    lines = [
        f"values {payoffs(found.values, script)}; welfare {number_text(found.welfare, script)}",
        f"slack {number_text(found.slack, script)}, {'exact' if found.exact else 'in decimals'}, {found.time:.3g} s",
    ]
    title = f"{game.name}: {kind[found.kind]} equilibrium, best by {by}"
    return Sheet(title, head, rows, lines, game if isinstance(game, Matrix) else None)


def elimination_sheet(found: "Elimination") -> Sheet:
    """What is left to each player, and step by step what beat the rest."""
    table = found.table
    how = f"iterated {'strict' if found.strict else 'weak'} dominance" + ("" if found.mixed else " by single actions")
    gone = f"{len(found.steps)} actions struck out" if len(found.steps) != 1 else "1 action struck out"
    rows = [
        [name, _some([abbreviated(labels[i], LABEL) for i in own])]
        for name, labels, own in zip(table.names, table.labels, found.surviving, strict=True)
    ]
    steps = [step.text(table) for step in found.steps[:LISTED]]
    more = [f"{len(found.steps) - LISTED:,} more steps"] if len(found.steps) > LISTED else []
    note = [found.note] if found.note else []
    return Sheet(f"{table.name}: {how}, {gone}", ["player", "left"], rows, [*steps, *more, *note], found.reduced)


def reasons_sheet(found: "Rationalizable") -> Sheet:
    """Every rationalizable action with a belief for which it is best."""
    table = found.elimination.table
    rows = [
        [table.names[player], abbreviated(table.labels[player][action], LABEL), _belief(table, player, belief)]
        for (player, action), belief in found.beliefs.items()
    ]
    head = ["player", "action", "is best if it believes"]
    lines = [found.note] if found.note else []
    return Sheet(f"{table.name}: rationalizable actions", head, rows, lines, found.elimination.reduced)


def security_sheet(found: "Security", *, for_print: bool = False) -> Sheet:
    """What one action and what a mixture secures, and what the others can do about it."""
    script = PRINT if for_print else TERMINAL
    table, player = found.table, found.player
    labels = table.labels[player]
    rows = [
        ["secures by one action", number_text(found.pure, script), abbreviated(labels[found.action], LABEL)],
        ["secures by a mixture", number_text(found.value, script), mixture_text(labels, found.strategy)],
    ]
    if table.players > 1:
        held = _belief(table, player, found.held_by)
        rows.append(["is held to it by", number_text(found.value, script), held])
        rows.append(["gets at least, if it knows what they do", number_text(found.pure_minimax, script), ""])
    return Sheet(f"{table.name}: what {table.names[player]} can count on", ["", "value", "play"], rows, [], table)


def _some(names: list[str]) -> str:
    """The names, or how many there are behind the first."""
    more = [f"{len(names) - SUPPORT:,} more"] if len(names) > SUPPORT else []
    return ", ".join([*names[:SUPPORT], *more])


def _belief(table: Matrix, player: int, odds: Mapping[tuple[int, ...], Any]) -> str:
    """What the others do, in words: each profile of theirs with its odds."""
    others: Sequence[Sequence[str]] = [own for p, own in enumerate(table.labels) if p != player]
    named = [" and ".join(own[i] for own, i in zip(others, choices, strict=True)) for choices in odds]
    return mixture_text(named, list(odds.values())) or "(nobody else plays)"
