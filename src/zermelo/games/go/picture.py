"""A Go board for pages: wood, lines, star points, coordinates and stones."""

from typing import Any

from zermelo.board_game import svg_picture
from zermelo.games.go.boards import holds
from zermelo.games.go.notation import LETTERS, NAMES, format_action, is_star, status

STEP, MARGIN, FOOT = 30, 44, 26
"""Distances: between two lines, from the rim to the first line, and below the board for the text."""
WOOD, RIM, INK = "#e3b870", "#8a6230", "#4a3418"
STONES = (("#5b6068", "#14161a", "#000000"), ("#ffffff", "#d5d4cf", "#8d8a83"))
"""The light on a stone, its body and its edge: Black's and White's."""


def svg_board(game: Any, s: Any) -> str:
    """The board as a picture; points where a stone may be placed carry their action, and so does the pass."""
    size, actions = game.size, [] if game.is_over(s) else list(game.actions(s))
    side = 2 * MARGIN + (size - 1) * STEP
    parts = [_shades(), f'<rect width="{side}" height="{side + FOOT}" rx="6" fill="{RIM}"/>']
    parts.append(f'<rect x="5" y="5" width="{side - 10}" height="{side - 10}" rx="3" fill="{WOOD}"/>')
    far = MARGIN + (size - 1) * STEP
    lines = "".join(f"M{_at(n)} {MARGIN}V{far}M{MARGIN} {_at(n)}H{far}" for n in range(size))
    parts.append(f'<path d="{lines}" stroke="{INK}" stroke-linecap="square"/>')
    parts += [_coordinates(size, n) for n in range(size)]
    for action in range(size * size):
        parts.append(_point(game, s, action, action in actions))
    parts.append(_foot(game, s, side, game.no_stone in actions))
    return svg_picture(parts, side, side + FOOT, 'font-family="sans-serif"')


def _at(n: int) -> int:
    """Where line number n is."""
    return MARGIN + n * STEP


def _shades() -> str:
    """How stones take the light."""
    made = ""
    for name, (light, body, _) in zip("bw", STONES, strict=True):
        stops = f'<stop offset="0" stop-color="{light}"/><stop offset="0.75" stop-color="{body}"/>'
        made += f'<radialGradient id="go-{name}" cx="0.36" cy="0.32" r="0.75">{stops}</radialGradient>'
    return f"<defs>{made}</defs>"


def _coordinates(size: int, n: int) -> str:
    """The letter of a column, above and below, and the number of a row, left and right."""
    style = f'font-size="12" font-weight="600" text-anchor="middle" fill="{INK}"'
    near, far = MARGIN - 22, MARGIN + (size - 1) * STEP + 22
    made = "".join(f'<text x="{_at(n)}" y="{y + 4}" {style}>{LETTERS[n]}</text>' for y in (near, far))
    return made + "".join(f'<text x="{x}" y="{_at(n) + 4}" {style}>{size - n}</text>' for x in (near, far))


def _point(game: Any, s: Any, action: int, free: bool) -> str:
    """A stone, or a star point, or where one can play; the last stone has a mark, and so has a ko."""
    row, column = divmod(action, game.size)
    x, y = _at(column), _at(row)
    for stones, name, (light, _, edge) in zip((s.black, s.white), "bw", STONES, strict=True):
        if holds(game, stones, action):
            made = f'<circle cx="{x}" cy="{y}" r="14" fill="url(#go-{name})" stroke="{edge}" stroke-width="0.8"/>'
            ink = "#fafafa" if light == STONES[0][0] else "#202020"
            mark = f'<circle cx="{x}" cy="{y}" r="6" fill="none" stroke="{ink}" stroke-width="1.8"/>'
            return made + (mark if action == s.last else "")
    made = f'<circle cx="{x}" cy="{y}" r="3.6" fill="{INK}"/>' if is_star(game.size, row, column) else ""
    if action == s.ko:
        made += f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14" fill="none" stroke="{INK}" stroke-width="1.6"/>'
    if free:
        title = f"<title>{format_action(game, s, action)}</title>"
        made += f'<circle cx="{x}" cy="{y}" r="14" fill="transparent" data-action="{action}">{title}</circle>'
    return made


def _foot(game: Any, s: Any, side: int, may_pass: bool) -> str:
    """Who moves or won, and the pass."""
    style = f'y="{side + 16}" font-size="12" fill="#fdf3df"'
    said = f"{NAMES[s.player]} moves" if may_pass else status(game, s)
    made = f'<text x="8" {style}>{said}</text>'
    if may_pass:
        made += f'<text x="{side - 8}" text-anchor="end" {style} data-action="{game.no_stone}">pass</text>'
    return made
