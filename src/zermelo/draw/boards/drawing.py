"""Pictures of what has no picture of its own: fields as cells, and lines of text as they stand on a terminal."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.board_game import svg_picture
from zermelo.draw.boards.fields import Field, cell_text
from zermelo.draw.theme import DARK, FONT, LIGHT, MONO, player_color
from zermelo.draw.words.wording import abbreviated, escape, width

CELL = 34
"""The least side of a cell."""
NAME = 22
"""How much room the name of a field takes above its cells."""
GAP, MARGIN = 16, 12
WIDEST = 620
"""Fields that would not fit into this width go below."""
LETTER, LINE = 8.0, 18
"""How wide a letter of text is, and how far its lines are apart."""


def fields_svg(fields: Sequence[Field], caption: str = "") -> str:
    """The fields side by side: each value in a cell of its own, below the name of its field."""
    boards = [field for field in fields if field.is_board]
    parts: list[str] = []
    x, y, right, lowest = float(MARGIN), float(MARGIN), 0.0, 0.0
    for field in fields:
        block = _block(field, boards.index(field) if field.is_board else 0)
        if x > MARGIN and x + block.wide > WIDEST:
            x, y = float(MARGIN), lowest + GAP
        parts.append(f'<g transform="translate({x:g} {y:g})">{block.drawn}</g>')
        x, right, lowest = x + block.wide + GAP, max(right, x + block.wide), max(lowest, y + block.tall)
    if caption:
        parts.append(f'<text class="name" x="{MARGIN}" y="{lowest + 20:g}">{escape(caption)}</text>')
        right, lowest = max(right, MARGIN + width(caption, 12)), lowest + 24
    return _on_paper(parts, right + MARGIN, lowest + MARGIN)


class Block(NamedTuple):
    """A field as it is drawn, and how much room it takes."""

    drawn: str
    wide: float
    tall: float


def _block(field: Field, number: int) -> Block:
    """One field; boards of bits have a colour each, by their number."""
    rows = field.rows or ((field.value,),)
    texts = [["" if field.is_board else abbreviated(cell_text(value), 40) for value in row] for row in rows]
    side = max([float(CELL), *(width(text, 14) + 14 for row in texts for text in row)])
    drawn = [f'<text class="name" y="13">{escape(field.name)}</text>'] if field.name else []
    top = NAME if field.name else 0
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            place = f'x="{x * side:g}" y="{top + y * CELL:g}" width="{side:g}" height="{CELL}"'
            drawn.append(f'<rect class="cell" {place}/>')
            if field.is_board:
                drawn += [_stone(x, top + y * CELL, number)] if value else []
            elif texts[y][x]:
                quiet = "" if value else " zero"
                middle = f'x="{(x + 0.5) * side:g}" y="{top + y * CELL + 22:g}"'
                drawn.append(f'<text class="value{quiet}" {middle}>{escape(texts[y][x])}</text>')
    across = max(len(row) for row in rows) * side
    return Block("".join(drawn), max(across, width(field.name, 12)), top + len(rows) * CELL)


def _stone(x: int, top: int, number: int) -> str:
    return f'<circle class="b{number % 6}" cx="{(x + 0.5) * CELL:g}" cy="{top + CELL / 2:g}" r="{0.3 * CELL:g}"/>'


def text_svg(text: str) -> str:
    """Text as it stands on a terminal."""
    lines = text.expandtabs().splitlines() or [""]
    parts = [
        f'<text class="text" x="{MARGIN}" y="{MARGIN + LINE * n + 14}" xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(lines)
    ]
    wide = max(max(map(len, lines)) * LETTER, max(width(line, 13) for line in lines) if not text.isascii() else 0)
    return _on_paper(parts, 2 * MARGIN + wide, 2 * MARGIN + LINE * len(lines))


def _on_paper(parts: Sequence[str], wide: float, tall: float) -> str:
    paper = f'<rect class="paper" width="{wide:g}" height="{tall:g}"/>'
    return svg_picture([f"<style>{_STYLE}</style>", paper, *parts], round(wide), round(tall), 'class="zermelo-state"')


def _colours(paper: dict[str, Any], *, dark: bool) -> str:
    boards = "".join(f".zermelo-state .b{n} {{ fill: {player_color(n, dark=dark)}; }}\n" for n in range(6))
    return f"""{boards}.zermelo-state .paper {{ fill: {paper["paper"]}; }}
.zermelo-state .cell {{ fill: none; stroke: {paper["faint"]}; }}
.zermelo-state .value, .zermelo-state .text {{ fill: {paper["ink"]}; }}
.zermelo-state .name, .zermelo-state .zero {{ fill: {paper["soft"]}; }}
"""


_STYLE = f"""
.zermelo-state text {{ font-family: {FONT}; font-size: 12px; }}
.zermelo-state .value {{ font-size: 14px; font-weight: 600; text-anchor: middle; }}
.zermelo-state .zero {{ font-weight: 400; }}
.zermelo-state .text {{ font-family: {MONO}; font-size: 13px; white-space: pre; }}
{_colours(LIGHT, dark=False)}@media (prefers-color-scheme: dark) {{
{_colours(DARK, dark=True)}}}
"""
