"""The board of backgammon as a picture: points, checkers, dice, and an arrow for every legal move."""

from typing import Any

from zermelo.board_game import svg_picture
from zermelo.games.backgammon.moves import MOVE, OPENING, PASS, THROW, checkers_on, own_point
from zermelo.games.backgammon.notation import format_action, message

COLUMN, HIGH = 32, 340
WIDE = 14 * COLUMN
FILLS, RIMS = ("#f8fafc", "#1f2937"), ("#334155", "#94a3b8")
FONT = 'font-family="sans-serif" text-anchor="middle"'


def column(place: int) -> int:
    """The middle of a point: 13 to 24 above from left to right, 12 to 1 below; the bars are between their halves."""
    if place in (0, 25):
        return 6 * COLUMN + COLUMN // 2
    across = place - 13 if place > 12 else 12 - place
    return (across + (across > 5)) * COLUMN + COLUMN // 2


def spot(place: int, height: int) -> tuple[int, int]:
    """Where the checker of this height stands on a point, or on a bar: White's below, Black's above."""
    above = place > 12 if place not in (0, 25) else place == 0
    return column(place), 17 + 26 * height if above else HIGH - 17 - 26 * height


def exit_of(player: int) -> tuple[int, int]:
    """Where checkers leave the board."""
    return 13 * COLUMN + COLUMN // 2, HIGH - 60 if player == 0 else 60


def svg(game: Any, s: Any) -> str:
    """The board as a picture."""
    parts = [
        f'<rect width="{WIDE}" height="{HIGH + 26}" fill="#f8fafc"/>',
        f'<rect width="{WIDE}" height="{HIGH}" fill="#e7d8b1"/>',
        f'<rect x="{6 * COLUMN}" width="{COLUMN}" height="{HIGH}" fill="#a16207"/>',
        f'<rect x="{13 * COLUMN}" width="{COLUMN}" height="{HIGH}" fill="#a16207"/>',
        *(_point(place) for place in range(1, 25)),
    ]
    for player, side in enumerate((s.white, s.black)):
        for place in range(26):
            parts += _checkers(place, checkers_on(side, place), player)
        x, y = exit_of(player)[0], 25 if player else HIGH - 15
        off = 15 - sum(checkers_on(side, place) for place in range(26))
        parts.append(f'<text x="{x}" y="{y}" {FONT} font-size="15" fill="{FILLS[player]}">{off or ""}</text>')
    parts.append(f'<text x="{WIDE // 2}" y="{HIGH + 18}" {FONT} font-size="14">{message(game, s)}</text>')
    if not game.is_terminal(s) and s.phase not in (OPENING, THROW):
        parts += _choices(game, s)
    marker = '<marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5" orient="auto">'
    tip = f'<defs>{marker}<path d="M0 0L6 3L0 6z" fill="#16a34a"/></marker></defs>'
    return svg_picture([tip, *parts], WIDE, HIGH + 26)


def _point(place: int) -> str:
    """A triangle."""
    x, foot, tip = column(place), (0 if place > 12 else HIGH), (130 if place > 12 else HIGH - 130)
    return f'<path d="M{x - 16} {foot}L{x} {tip}L{x + 16} {foot}z" fill="{"#b45309" if place % 2 else "#d6b370"}"/>'


def _checkers(place: int, count: int, player: int) -> list[str]:
    """Up to five checkers; the last of more has their number on it."""
    parts = []
    for height in range(min(count, 5)):
        x, y = spot(place, height)
        parts.append(f'<circle cx="{x}" cy="{y}" r="13" fill="{FILLS[player]}" stroke="{RIMS[player]}"/>')
    if count > 5:
        x, y = spot(place, 4)
        parts.append(f'<text x="{x}" y="{y + 5}" {FONT} font-size="14" fill="{FILLS[1 - player]}">{count}</text>')
    return parts


def _choices(game: Any, s: Any) -> list[str]:
    """What the player can do: arrows for moves, words for the rest."""
    parts, words = [], 0
    mine, theirs = (s.white, s.black) if s.player == 0 else (s.black, s.white)
    for action in game.actions(s):
        title = f'data-action="{action}"><title>{format_action(game, s, action)}</title>'
        if s.phase != MOVE or action == PASS:
            place = f'x="{4 * COLUMN + 6 * COLUMN * words}" y="{HIGH // 2 + 5}" {FONT} font-size="15" fill="#15803d"'
            parts.append(f"<text {place} {title}{format_action(game, s, action)}</text>")
            words += 1
            continue
        start, die = action // 6 + 1, action % 6 + 1
        place, end = own_point(start, s.player), own_point(start - die, s.player)
        x, y = spot(place, min(checkers_on(mine, place), 5) - 1)
        to_x, to_y = exit_of(s.player)
        if start > die:
            to_x, to_y = spot(end, min(checkers_on(mine, end) + checkers_on(theirs, end), 4))
        line = f'd="M{x} {y}Q{(x + to_x) // 2} {(y + to_y) // 2 + (HIGH // 2 - y) // 3} {to_x} {to_y}"'
        style = 'fill="none" stroke="#16a34a" stroke-width="4" stroke-opacity="0.6" marker-end="url(#tip)"'
        parts.append(f"<path {line} {style} {title}</path>")
    return parts
