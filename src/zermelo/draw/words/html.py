"""Answers for notebooks: the moves with their values as bars, the best line, what it cost, and the tree."""

import math

from zermelo.draw.theme import player_color
from zermelo.draw.trees.drawing import tree_svg
from zermelo.draw.words import analysis as answer
from zermelo.draw.words.wording import abbreviated, escape, number_text
from zermelo.result import Analysis, Move

MOVES = 30
"""How many moves the table lists."""

# Text inherits the page's colour, so that the answer fits light and dark notebooks; the rest is half transparent.
_STYLE = """
.zermelo-analysis { line-height: 1.45; }
.zermelo-analysis table { border-collapse: collapse; margin: 0.5em 0; }
.zermelo-analysis th, .zermelo-analysis td { padding: 0.15em 0.7em; text-align: left; border: none;
  background: none; white-space: nowrap; }
.zermelo-analysis th { font-weight: 400; opacity: 0.65; border-bottom: 1px solid rgba(128, 128, 128, 0.45); }
.zermelo-analysis td.value { text-align: right; font-variant-numeric: tabular-nums; }
.zermelo-analysis tr.best { font-weight: 600; background: rgba(128, 128, 128, 0.13); }
.zermelo-analysis .bar { position: relative; width: 12em; height: 0.8em; background: rgba(128, 128, 128, 0.13);
  border-radius: 2px; }
.zermelo-analysis .bar span { position: absolute; top: 0; bottom: 0; border-radius: 2px; min-width: 2px; }
.zermelo-analysis .bar i { position: absolute; top: -2px; bottom: -2px; width: 1px; background: currentColor;
  opacity: 0.5; }
.zermelo-analysis .quiet { opacity: 0.65; }
.zermelo-analysis .picture { overflow-x: auto; margin-top: 0.6em; }
"""


def analysis_html(analysis: Analysis) -> str:
    """The answer as a piece of HTML that stands on its own and leaves the page around it alone."""
    parts = [
        '<div class="zermelo-analysis">',
        f"<style>{_STYLE}</style>",
        f"<div><b>{escape(answer.title(analysis))}</b>: value <b>{escape(answer.value_text(analysis))}</b></div>",
    ]
    if analysis.action is not None:
        line = answer.line_text(analysis.line_names or (str(analysis.action_name),), MOVES)
        parts.append(f'<div><span class="quiet">best line</span> {escape(line)}</div>')
    parts += _table(analysis)
    cost = ", ".join([f"{analysis.method} on {analysis.device}", *answer.evidence(analysis)])
    parts.append(f'<div class="quiet">{escape(cost)}</div>')
    if analysis.note:
        parts.append(f'<div class="quiet">{escape(analysis.note)}</div>')
    if analysis.tree is not None:
        parts.append(f'<div class="picture">{tree_svg(analysis.tree)}</div>')
    return "\n".join([*parts, "</div>"])


def _table(analysis: Analysis) -> list[str]:
    moves = answer.best_first(analysis)
    if not moves:
        return []
    visited = any(move.visits is not None for _, move in moves)
    heads = ["move", "value", "", *(["visits"] if visited else [])]
    bars = _Bars(analysis)
    rows = ["<table><thead><tr>", *(f"<th>{head}</th>" for head in heads), "</tr></thead><tbody>"]
    for action, move in moves[:MOVES]:
        name = abbreviated(analysis.name_of(action), 40)
        best = action == analysis.action
        rows.append(f'<tr class="best"><td>★ {escape(name)}</td>' if best else f"<tr><td>{escape(name)}</td>")
        rows.append(f'<td class="value">{escape(answer.move_text(analysis, move))}</td><td>{bars.svg(move)}</td>')
        if visited:
            rows.append(f'<td class="value">{"" if move.visits is None else f"{move.visits:,}"}</td>')
        rows.append("</tr>")
    rows.append("</tbody></table>")
    if len(moves) > MOVES:
        rows.append(f'<div class="quiet">{len(moves) - MOVES} more moves</div>')
    return rows


class _Bars:
    """Draws values as bars on one scale that has its zero marked."""

    def __init__(self, analysis: Analysis) -> None:
        mover = answer.mover_of(analysis)
        self.player = mover if mover is not None and answer.needs_payoffs(analysis) and mover >= 0 else 0
        values = [v for v in map(self.value, analysis.moves.values()) if math.isfinite(v)]
        self.low, self.high = min([0.0, *values]), max([0.0, *values])

    def value(self, move: Move) -> float:
        """What the bar shows: player 0's value, or the mover's own where each has their own."""
        return float(move.values[self.player]) if move.values is not None and self.player else float(move)

    def svg(self, move: Move) -> str:
        """The bar of one move."""
        span = self.high - self.low or 1.0
        value = min(max(self.value(move), self.low), self.high)
        zero = -self.low / span * 100
        start, width = (min(value, 0.0) - self.low) / span * 100, abs(value) / span * 100
        # A value of player 0's below zero has player 1's colour; the values of any other player have that player's.
        player = 1 if value < 0 and self.player == 0 else self.player
        style = f"left:{start:.1f}%;width:{width:.1f}%;background:{player_color(player)}"
        label = escape(number_text(self.value(move)))
        return f'<div class="bar" title="{label}"><span style="{style}"></span><i style="left:{zero:.1f}%"></i></div>'
