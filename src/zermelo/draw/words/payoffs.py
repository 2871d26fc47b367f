"""Payoff tables: best responses underlined, equilibria boxed, for terminals, pages, notebooks and papers.

>>> from zermelo import game, nash
>>> battle = game("battle_of_the_sexes")
>>> print(table_text(battle, nash(battle, all=True, exact=True)))
she \\ he   ballet    fight
ballet    [2*, 1*]   0 , 0
fight      0 , 0    [1*, 2*]
* best response   [ ] equilibrium
mixed equilibrium: she 2/3 ballet, 1/3 fight; he 1/3 ballet, 2/3 fight; values 2/3, 2/3
"""

import itertools
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.draw.plots.canvas import Canvas, color_of
from zermelo.draw.theme import player_color
from zermelo.draw.words.latex import escape_latex, number_latex, paragraph
from zermelo.draw.words.wording import PRINT, TERMINAL, Script, abbreviated, escape, number_text, payoffs, width
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix

ROWS, COLUMNS, PAGES, MIXED, SUPPORT = 40, 24, 8, 6, 6
"""The most rows, columns, tables, mixed equilibria and actions in one of them that are written out."""
LABEL = 28


class Cell(NamedTuple):
    """What each player gets, for whom that is a best response, and whether an equilibrium lies here."""

    values: tuple[Any, ...]
    best: tuple[bool, ...]
    equilibrium: bool


class Page(NamedTuple):
    """One table: player 0 down, player 1 across, the choices of all others fixed."""

    heading: str
    rows: list[str]
    columns: list[str]
    cells: list[list[Cell]]


class Marked:
    """A payoff table with everything that is marked in it."""

    def __init__(self, matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> None:
        if not isinstance(matrix, Matrix):
            raise BadParameter("payoff tables are drawn of a Matrix; use zermelo.normal_form(game) for other games")
        self.matrix = matrix
        self.equilibria = [equilibria] if isinstance(equilibria, Equilibrium) else list(equilibria)
        for found in self.equilibria:
            if tuple(map(len, found.profile)) != matrix.shape:
                raise BadParameter(f"the equilibrium has no strategy for each action of {matrix.name}: is it of "
                                   "another game, or of its normal form?")  # fmt: skip
        self.pure = {tuple(s.index(max(s)) for s in found.profile) for found in self.equilibria if found.is_pure}
        self.mixed = [found for found in self.equilibria if not found.is_pure]
        self.best = [matrix.payoffs[..., p].max(axis=p, keepdims=True) for p in range(matrix.players)]
        """For each player the most that it can get against each combination of the others' choices."""
        rest = list(itertools.product(*map(range, matrix.shape[2:])))
        self.pages = [self._page(choices) for choices in rest[:PAGES]]
        across = matrix.shape[1] if matrix.players > 1 else 1
        hidden = [(matrix.shape[0] - ROWS, "row"), (across - COLUMNS, "column"), (len(rest) - PAGES, "table")]
        left = [f"{n:,} more {what}{'s' * (n > 1)}" for n, what in hidden if n > 0]
        self.left_out = ", ".join(left)

    def _page(self, rest: tuple[int, ...]) -> Page:
        matrix = self.matrix
        heading = ", ".join(f"{matrix.names[p]}: {matrix.labels[p][i]}" for p, i in enumerate(rest, start=2))
        across = matrix.shape[1] if matrix.players > 1 else 1
        rows, columns = range(min(matrix.shape[0], ROWS)), range(min(across, COLUMNS))
        cells = [[self._cell((i, j, *rest)[: matrix.players]) for j in columns] for i in rows]
        labels = [abbreviated(matrix.labels[0][i], LABEL) for i in rows]
        heads = [abbreviated(matrix.labels[1][j], LABEL) if matrix.players > 1 else "" for j in columns]
        return Page(heading, labels, heads, cells)

    def _cell(self, choices: tuple[int, ...]) -> Cell:
        values = tuple(self.matrix.payoffs[choices].tolist())
        best = tuple(v == self.best[p][(*choices[:p], 0, *choices[p + 1 :])] for p, v in enumerate(values))
        return Cell(values, best, choices in self.pure)

    @property
    def corner(self) -> str:
        """Who chooses the rows and who the columns."""
        return abbreviated(" \\ ".join(self.matrix.names[:2]), LABEL)

    def notes(self, script: Script) -> Iterator[str]:
        """The mixed equilibria, each on a line, and what was left out."""
        for found in self.mixed[:MIXED]:
            mixed = [
                f"{name} {mixture_text(labels, strategy)}"
                for name, labels, strategy in zip(self.matrix.names, self.matrix.labels, found.profile, strict=True)
            ]
            yield f"mixed equilibrium: {'; '.join(mixed)}; values {payoffs(found.values, script)}"
        if len(self.mixed) > MIXED:
            yield f"{len(self.mixed) - MIXED:,} more mixed equilibria"
        if self.left_out:
            yield f"not shown: {self.left_out}"


def mixture_text(labels: Sequence[str], strategy: Sequence[Any]) -> str:
    """A mixed strategy in words: the label alone where it is pure, else the odds of each action.

    >>> from fractions import Fraction
    >>> mixture_text(("rock", "paper", "scissors"), (Fraction(1, 3), Fraction(2, 3), 0))
    '1/3 rock, 2/3 paper'
    """
    used = [(p, abbreviated(label, LABEL)) for p, label in zip(strategy, labels, strict=True) if p > 0]
    if len(used) == 1:
        return used[0][1]
    more = [f"{len(used) - SUPPORT} more"] if len(used) > SUPPORT else []
    return ", ".join([*(f"{odds_text(p)} {label}" for p, label in used[:SUPPORT]), *more])


def odds_text(p: Any) -> str:
    """Odds in few characters: 1/3, 0.187, <0.001.

    >>> odds_text(1 / 3), odds_text(0.1868), odds_text(0.00001), odds_text(1.0)
    ('1/3', '0.187', '<0.001', '1')
    """
    if isinstance(p, Fraction | int):
        return number_text(p, TERMINAL)
    simple = Fraction(p).limit_denominator(20)
    if abs(simple - p) < 1e-9:
        return str(simple)
    return "<0.001" if p < 0.001 else ">0.999" if p > 0.999 else f"{p:.3f}".rstrip("0")


def payoff_text(x: Any, script: Script = PRINT) -> str:
    """A payoff in few characters; integers keep all their digits."""
    return f"{x}".replace("-", script.minus) if isinstance(x, int) and abs(x) < 10**12 else number_text(x, script)


def table_text(
    matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = (), *, best_responses: bool = True
) -> str:
    """The table for terminals: best responses have a star, pure equilibria stand in brackets, mixed ones below."""
    marked = Marked(matrix, equilibria)
    parts = []
    for page in marked.pages:
        written = [[_cell_words(cell, best_responses) for cell in row] for row in page.cells]
        widths = [max(len(words[p]) for row in written for words in row) for p in range(matrix.players)]
        grid = [[marked.corner, *(f" {label}" if marked.pure else label for label in page.columns)]]
        for label, row, cells in zip(page.rows, written, page.cells, strict=True):
            line = [label]
            for words, cell in zip(row, cells, strict=True):
                inside = ", ".join(f"{word:<{w}}" for word, w in zip(words, widths, strict=True)).rstrip()
                bare = f" {inside}" if marked.pure else inside
                line.append(f"[{inside}]" if cell.equilibrium else bare)
            grid.append(line)
        parts.append("\n".join([*([page.heading] if page.heading else []), *_aligned(grid)]))
    key = ["* best response"] * best_responses + ["[ ] equilibrium"] * bool(marked.pure)
    return "\n".join(["\n\n".join(parts), *(["   ".join(key)] if key else []), *marked.notes(TERMINAL)])


def _cell_words(cell: Cell, stars: bool) -> list[str]:
    return [payoff_text(v, TERMINAL) + "*" * (best and stars) for v, best in zip(cell.values, cell.best, strict=True)]


def _aligned(grid: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return ["  ".join(f"{text:<{w}}" for text, w in zip(row, widths, strict=True)).rstrip() for row in grid]


def table_html(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> str:
    """The table as a piece of HTML that stands on its own, for notebooks: colours say whose payoff it is."""
    marked = Marked(matrix, equilibria)
    parts = ['<div class="zermelo-payoffs">', f"<style>{_HTML_STYLE}</style>"]
    for page in marked.pages:
        parts.append(f'<div class="quiet">{escape(page.heading)}</div>' if page.heading else "")
        heads = "".join(f'<th class="p1">{escape(label)}</th>' for label in page.columns)
        parts.append(f'<table><thead><tr><th class="quiet">{escape(marked.corner)}</th>{heads}</tr></thead><tbody>')
        for label, row in zip(page.rows, page.cells, strict=True):
            cells = "".join(f"<td{_EQUILIBRIUM * cell.equilibrium}>{_cell_html(cell)}</td>" for cell in row)
            parts.append(f'<tr><th class="p0">{escape(label)}</th>{cells}</tr>')
        parts.append("</tbody></table>")
    key = "underlined: best response" + "; boxed: equilibrium" * bool(marked.pure)
    parts += [f'<div class="quiet">{escape(line)}</div>' for line in (key, *marked.notes(PRINT))]
    return "\n".join(part for part in [*parts, "</div>"] if part)


def _cell_html(cell: Cell) -> str:
    words = [
        f"<u>{payoff_text(v)}</u>" if best else payoff_text(v) for v, best in zip(cell.values, cell.best, strict=True)
    ]
    return ", ".join(f'<span class="{color_of(p)}">{word}</span>' for p, word in enumerate(words))


def table_latex(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> str:
    """The table as LaTeX, without packages: best responses underlined, pure equilibria framed, mixed ones below."""
    marked = Marked(matrix, equilibria)
    parts = []
    for page in marked.pages:
        lines = [f"\\begin{{tabular}}{{r|{'c' * len(page.columns)}}}"]
        lines.append(" & ".join([escape_latex(marked.corner), *map(escape_latex, page.columns)]) + " \\\\ \\hline")
        for label, row in zip(page.rows, page.cells, strict=True):
            lines.append(" & ".join([escape_latex(label), *map(_cell_latex, row)]) + " \\\\")
        parts.append(paragraph(page.heading, [*lines, "\\end{tabular}"]))
    parts += [f"\\noindent {escape_latex(line)}" for line in marked.notes(TERMINAL)]
    return "\n\n".join(parts)


def _cell_latex(cell: Cell) -> str:
    words = [
        f"\\underline{{{number_latex(v)}}}" if best else number_latex(v)
        for v, best in zip(cell.values, cell.best, strict=True)
    ]
    inside = f"${', '.join(words)}$"
    return f"\\fbox{{{inside}}}" if cell.equilibrium else inside


def table_canvas(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> Canvas:
    """The table as a drawing: payoffs in the players' colours, best responses underlined, equilibria boxed."""
    marked = Marked(matrix, equilibria)
    pages = [_page_canvas(marked, page) for page in marked.pages]
    key = "underlined: best response" + "; boxed: equilibrium" * bool(marked.pure)
    notes = [line for note in (key, *marked.notes(PRINT)) for line in textwrap.wrap(note, 110)]
    places, x, y, high = [], MARGIN, MARGIN, 0.0
    for page in pages:
        if x > MARGIN and x + page.width > PAPER:
            x, y, high = MARGIN, y + high, 0.0
        places.append((x, y))
        x, high = x + page.width + MARGIN, max(high, page.height)
    foot = y + high + 22
    wide = max(*(a + page.width for (a, _), page in zip(places, pages, strict=True)),
               *(MARGIN + width(note, SMALL) for note in notes))  # fmt: skip
    sheet = Canvas(wide + MARGIN, foot + LINE * len(notes), title=f"Payoffs: {matrix.name}")
    for page, (a, b) in zip(pages, places, strict=True):
        sheet.put(page, a, b)
    for i, note in enumerate(notes):
        sheet.text(MARGIN, foot + LINE * i, note, "soft", anchor="start", size=SMALL)
    return sheet


def _page_canvas(marked: Marked, page: Page) -> Canvas:
    """One table."""
    written = [[", ".join(payoff_text(v) for v in cell.values) for cell in row] for row in page.cells]
    side = max(width(marked.matrix.names[0], SMALL), *(width(label, SIZE) for label in page.rows)) + 14
    widths = [
        max(64.0, width(label, SIZE) + 16, *(width(row[j], SIZE) + 26 for row in written))
        for j, label in enumerate(page.columns)
    ]
    top = 40.0 + 20 * bool(page.heading)
    sheet = Canvas(side + sum(widths), top + ROW * len(page.rows), title=page.heading)
    names = marked.matrix.names
    if page.heading:
        sheet.text(side, 14, page.heading, color_of(2), anchor="start", bold=True)
    sheet.text(side - 10, top - 10, names[0], "p0", anchor="end", size=SMALL)
    if len(names) > 1:
        sheet.text(side + sum(widths) / 2, top - 27, names[1], "p1", size=SMALL)
    for i, row in enumerate(page.cells):
        y = top + ROW * i
        sheet.text(side - 10, y + ROW / 2 + 5, page.rows[i], "p0", anchor="end", size=SIZE)
        x = side
        for cell, wide in zip(row, widths, strict=True):
            sheet.area([(x, y), (x + wide, y), (x + wide, y + ROW), (x, y + ROW)], "faint", width=1, fill=0.0)
            _draw_cell(sheet, cell, x, y, wide)
            x += wide
    x = side
    for label, wide in zip(page.columns, widths, strict=True):
        sheet.text(x + wide / 2, top - 9, label, "p1", size=SIZE)
        x += wide
    return sheet


def _draw_cell(sheet: Canvas, cell: Cell, x: float, y: float, wide: float) -> None:
    if cell.equilibrium:
        sheet.box(x + 4, y + 4, wide - 8, ROW - 8, "ink", width=2, fill=0.08)
    words = [payoff_text(v) for v in cell.values]
    gap = width(", ", SIZE) * TIGHT
    room = [width(word, SIZE) * TIGHT for word in words]
    at = x + (wide - sum(room) - gap * (len(words) - 1)) / 2
    for p, (word, best) in enumerate(zip(words, cell.best, strict=True)):
        middle = at + room[p] / 2
        sheet.text(middle, y + ROW / 2 + 5, word, color_of(p), size=SIZE, bold=best)
        if best:
            sheet.line([(at, y + ROW / 2 + 9), (at + room[p], y + ROW / 2 + 9)], color_of(p), width=1.6)
        if p < len(words) - 1:
            sheet.text(at + room[p] + 1, y + ROW / 2 + 5, ",", "soft", anchor="start", size=SIZE)
        at += room[p] + gap


def table_svg(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> str:
    """The table as one self-contained SVG, for light and dark pages."""
    return table_canvas(matrix, equilibria).svg()


SIZE, SMALL, ROW, LINE, MARGIN, PAPER, TIGHT = 14.0, 11.5, 38.0, 17.0, 20.0, 900.0, 0.9
"""Sizes of the drawing in pixels; TIGHT is the real width of text as a share of its estimated width."""
_EQUILIBRIUM = ' class="equilibrium"'
_OWN = "".join(
    f".zermelo-payoffs .p{p} {{ color: color-mix(in srgb, currentColor 35%, {player_color(p)}); }}\n" for p in range(6)
)
_HTML_STYLE = """
.zermelo-payoffs { line-height: 1.45; }
.zermelo-payoffs table { border-collapse: collapse; margin: 0.5em 0; }
.zermelo-payoffs th, .zermelo-payoffs td { padding: 0.3em 0.8em; text-align: center; background: none;
  border: 1px solid rgba(128, 128, 128, 0.4); white-space: nowrap; font-variant-numeric: tabular-nums; }
.zermelo-payoffs th { font-weight: 500; }
.zermelo-payoffs td.equilibrium { outline: 2px solid currentColor; outline-offset: -4px; border-radius: 8px;
  font-weight: 600; background: rgba(128, 128, 128, 0.13); }
.zermelo-payoffs u { text-underline-offset: 0.2em; text-decoration-thickness: 2px; }
.zermelo-payoffs .quiet { opacity: 0.65; font-weight: 400; }
"""
_HTML_STYLE += _OWN
