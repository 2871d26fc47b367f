"""A match for notebooks: how all players did, how sure that is, and its first game on a board."""

import math
from typing import TYPE_CHECKING

from zermelo.draw.words.wording import escape, number_text

if TYPE_CHECKING:
    from zermelo.play.score import MatchResult, PlayerScore

_STYLE = """
.zermelo-match { line-height: 1.45; }
.zermelo-match table { border-collapse: collapse; margin: 0.5em 0; }
.zermelo-match th, .zermelo-match td { padding: 0.15em 0.7em; text-align: right; border: none; background: none; }
.zermelo-match th { font-weight: 400; opacity: 0.65; border-bottom: 1px solid rgba(128, 128, 128, 0.45); }
.zermelo-match td { font-variant-numeric: tabular-nums; }
.zermelo-match th:first-child, .zermelo-match td:first-child { text-align: left; }
.zermelo-match .quiet { opacity: 0.65; }
"""
HEADS = ("player", "games", "won", "drawn", "lost", "points", "Elo")


def match_html(result: "MatchResult") -> str:
    """The result as a piece of HTML that stands on its own."""
    title, *evidence = str(result).splitlines()
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _row(one))}</tr>" for one in result.standings)
    parts = [
        f'<div class="zermelo-match"><style>{_STYLE}</style>',
        f"<div><b>{escape(result.game.name)}</b>: {escape(title)}</div>",
        f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in HEADS)}</tr></thead><tbody>{rows}</tbody></table>",
        *(f'<div class="quiet">{escape(line)}</div>' for line in evidence),
    ]
    if result.games:
        parts.append(result.replay()._repr_html_())
    if len(result.games) > 1:
        parts.append(f'<div class="quiet">the others: <code>.replay(1)</code> to {len(result.games) - 1}</div>')
    return "\n".join([*parts, "</div>"])


def _row(one: "PlayerScore") -> list[str]:
    """A player's cells."""
    error = f" ± {one.error:.0f}" if math.isfinite(one.error) else ""
    elo = f"{one.elo:+.0f}{error}" if math.isfinite(one.elo) else number_text(one.elo)
    return [escape(one.name), str(one.games), str(one.wins), str(one.draws), str(one.losses), f"{one.points:g}", elo]
