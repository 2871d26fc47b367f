"""A sheet on which plots are drawn: lines, areas, dots and words, written as SVG for pages or as TikZ for papers."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zermelo.draw.theme import DARK, FONT, LIGHT, player_color
from zermelo.draw.trees.node_shape import pixels
from zermelo.draw.words.latex import escape_latex
from zermelo.draw.words.wording import escape

Point = tuple[float, float]
INKS = ("paper", "ink", "soft", "line", "faint")
PLAYERS = 6
ANCHORS = {"start": "west", "middle": "center", "end": "east"}
POINT = 0.75
"""The points in a pixel."""


class Stroke(NamedTuple):
    """A line, or an area where it is filled."""

    points: tuple[Point, ...]
    color: str
    width: float
    dash: str
    fill: float
    """How opaque the inside is; 0 for a line."""
    opacity: float
    closed: bool


class Dot(NamedTuple):
    """A filled circle, or a ring."""

    at: Point
    radius: float
    color: str
    hollow: bool


class Writing(NamedTuple):
    """A line of text."""

    at: Point
    text: str
    color: str
    anchor: str
    size: float
    bold: bool
    underline: bool


class Canvas:
    """Collects what is drawn, in pixels from the upper left corner. Colours are `ink`, `soft`, `p0`, `p1`, `nobody`."""

    def __init__(self, width: float, height: float, *, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.marks: list[Stroke | Dot | Writing] = []

    def line(
        self, points: Iterable[Point], color: str = "ink", *, width: float = 1.5, dash: str = "", opacity: float = 1.0
    ) -> None:
        """Draw a line through the points."""
        self.marks.append(Stroke(tuple(points), color, width, dash, 0.0, opacity, False))

    def area(
        self, points: Iterable[Point], color: str = "ink", *, width: float = 0.0, fill: float = 0.15, dash: str = ""
    ) -> None:
        """Fill the polygon, with a border if it has a width."""
        self.marks.append(Stroke(tuple(points), color, width, dash, fill, 1.0, True))

    def box(self, x: float, y: float, wide: float, high: float, color: str, **options: Any) -> None:
        """Fill a rectangle."""
        self.area([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], color, **options)

    def dot(self, x: float, y: float, color: str = "ink", *, radius: float = 4.0, hollow: bool = False) -> None:
        """Draw a dot, or a ring."""
        self.marks.append(Dot((x, y), radius, color, hollow))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        color: str = "ink",
        *,
        anchor: str = "middle",
        size: float = 12.0,
        bold: bool = False,
        underline: bool = False,
    ) -> None:
        """Write a line of text with its baseline at `y`."""
        self.marks.append(Writing((x, y), words, color, anchor, size, bold, underline))

    def put(self, other: "Canvas", x: float, y: float) -> None:
        """Copy another sheet onto this one."""
        for mark in other.marks:
            if isinstance(mark, Stroke):
                self.marks.append(mark._replace(points=tuple((x + a, y + b) for a, b in mark.points)))
            else:
                self.marks.append(mark._replace(at=(x + mark.at[0], y + mark.at[1])))

    def svg(self) -> str:
        """The sheet as one self-contained SVG, for light and dark pages."""
        wide, high, title = pixels(self.width), pixels(self.height), escape(self.title)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-plot" role="img" aria-label="{title}" '
                f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">',
                f"<title>{title}</title>",
                f"<style>{plot_style()}</style>",
                f'<rect class="fill-paper" width="{wide}" height="{high}" rx="8"/>',
                *map(_svg, self.marks),
                "</svg>",
            ]
        )

    def tikz(self) -> str:
        """The sheet as a TikZ picture with its colours; the document needs the packages tikz and xcolor."""
        used = dict.fromkeys(mark.color for mark in self.marks)
        names = [*INKS, "nobody", *(f"p{i}" for i in range(PLAYERS))]
        return "\n".join(
            [
                *(f"\\definecolor{{z{n}}}{{HTML}}{{{_hex(n)[1:].upper()}}}" for n in names if n in used),
                f"\\begin{{tikzpicture}}[x={POINT}pt, y=-{POINT}pt, line join=round]",
                *map(_tikz, self.marks),
                "\\end{tikzpicture}",
            ]
        )


def plot_style() -> str:
    """The stylesheet of all plots, for light and for dark paper."""
    fixed = f"\n.zermelo-plot text {{ font-family: {FONT}; }}\n.zermelo-plot polyline {{ fill: none; }}\n"
    return f"{fixed}{_rules(dark=False)}@media (prefers-color-scheme: dark) {{\n{_rules(dark=True)}}}\n"


def _rules(*, dark: bool) -> str:
    names = [*INKS, "nobody", *(f"p{i}" for i in range(PLAYERS))]
    return "".join(
        f".zermelo-plot .line-{n} {{ stroke: {_hex(n, dark=dark)}; }}\n"
        f".zermelo-plot .fill-{n} {{ fill: {_hex(n, dark=dark)}; }}\n"
        for n in names
    )


def _hex(name: str, *, dark: bool = False) -> str:
    if name in INKS:
        return (DARK if dark else LIGHT)[name]
    return player_color(-1 if name == "nobody" else int(name[1:]), dark=dark)


def color_of(player: int) -> str:
    """The name of a player's colour."""
    return f"p{player % PLAYERS}"


def _svg(mark: Stroke | Dot | Writing) -> str:
    if isinstance(mark, Stroke):
        points = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in mark.points)
        names = [f"line-{mark.color}"] * (mark.width > 0) + [f"fill-{mark.color}"] * mark.closed
        style = f' stroke-width="{mark.width:g}" stroke-linejoin="round"' if mark.width else ""
        style += f' stroke-dasharray="{mark.dash}"' if mark.dash else ""
        style += f' fill-opacity="{mark.fill:.3g}"' if mark.closed else ""
        style += f' opacity="{mark.opacity:g}"' if mark.opacity < 1 else ""
        shape = "polygon" if mark.closed else "polyline"
        return f'<{shape} class="{" ".join(names)}" points="{points}"{style}/>'
    x, y = map(pixels, mark.at)
    if isinstance(mark, Dot):
        fill = "paper" if mark.hollow else mark.color
        names = [f"line-{mark.color}", f"fill-{fill}"]
        return f'<circle class="{" ".join(names)}" cx="{x}" cy="{y}" r="{mark.radius:g}" stroke-width="1.8"/>'
    style = f' font-size="{mark.size:g}" text-anchor="{mark.anchor}"' + ' font-weight="600"' * mark.bold
    style += ' text-decoration="underline"' * mark.underline
    return f'<text class="fill-{mark.color}" x="{x}" y="{y}"{style}>{escape(mark.text)}</text>'


def _tikz(mark: Stroke | Dot | Writing) -> str:
    color = f"z{mark.color}"
    if isinstance(mark, Stroke):
        path = " -- ".join(f"({pixels(x)},{pixels(y)})" for x, y in mark.points) + " -- cycle" * mark.closed
        options = [f"draw={color}", f"line width={mark.width * POINT:.3g}pt"] if mark.width else []
        options += [f"dash pattern={_pattern(mark.dash)}"] if mark.dash else []
        options += [f"fill={color}", f"fill opacity={mark.fill:.3g}"] if mark.closed else []
        options += [f"opacity={mark.opacity:g}"] if mark.opacity < 1 else []
        return f"\\path[{', '.join(options)}] {path};"
    x, y = map(pixels, mark.at)
    if isinstance(mark, Dot):
        fill = "white" if mark.hollow else color
        return f"\\path[draw={color}, fill={fill}] ({x},{y}) circle[radius={mark.radius * POINT:.3g}pt];"
    words = escape_latex(mark.text)
    words = f"\\underline{{{words}}}" if mark.underline else words
    words = f"\\textbf{{{words}}}" if mark.bold else words
    size = f"\\fontsize{{{mark.size * POINT:.3g}pt}}{{{mark.size * POINT * 1.2:.3g}pt}}\\selectfont"
    where = {"center": "base", "west": "base west", "east": "base east"}[ANCHORS[mark.anchor]]
    return f"\\node[anchor={where}, inner sep=0pt, text={color}, font={size}] at ({x},{y}) {{{words}}};"


def _pattern(dash: str) -> str:
    lengths: Sequence[float] = [float(x) * POINT for x in dash.split()]
    return " ".join(f"{'on' if i % 2 == 0 else 'off'} {x:.3g}pt" for i, x in enumerate(lengths))
