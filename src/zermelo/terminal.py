"""What people see on a terminal."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

RIGHT = ">"
"""Begins the name of a column whose cells are numbers and stand at the right."""


BETWEEN_COLUMNS = 3
"""How much room a table on a terminal leaves between two columns."""


class Screen:
    """Headings, lines and tables: in colour on a terminal (NO_COLOR is respected), as plain text elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream if stream is not None else sys.stdout
        self.console: Any = None
        if self.stream.isatty():
            from rich.console import Console

            self.console = Console(file=self.stream, highlight=False, markup=False, emoji=False)

    def heading(self, text: str) -> None:
        """Print the title of what follows."""
        self._print(f"\n{text}", "bold cyan")
        if self.console is None:
            self._print("-" * len(text))

    def line(self, text: str = "", style: str = "") -> None:
        """Print some text."""
        self._print(text, style)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], *, one_line: bool = False) -> None:
        """Print rows below the names of their columns; with `one_line` a narrow terminal cuts the last column."""
        rows = list(rows)
        if self.console is None:
            self._print(plain_table(columns, rows))
            return
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
        for name in columns:
            side: Any = "right" if name.startswith(RIGHT) else "left"
            table.add_column(Text(name.removeprefix(RIGHT)), justify=side, overflow="fold")
        if one_line:
            others = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns) - 1)]
            room = max(10, self.console.width - sum(others) - BETWEEN_COLUMNS * len(columns))
            rows = [[*row[:-1], row[-1] if len(row[-1]) <= room else row[-1][: room - 1] + "…"] for row in rows]
        for row in rows:
            table.add_row(*map(Text, row))
        self.console.print(table)

    def _print(self, text: str, style: str = "") -> None:
        if self.console is not None:
            self.console.print(text, style=style or None, soft_wrap=True)
        else:
            print(text, file=self.stream)


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows in aligned columns, below their names and a rule."""
    heads = [name.removeprefix(RIGHT) for name in columns]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    sides = [">" if name.startswith(RIGHT) else "<" for name in columns]
    grid = [heads, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in grid
    )


class Progress:
    """One line on a terminal's error stream that is written over again and again; nothing elsewhere."""

    def __init__(self) -> None:
        self.shown = 0
        self.live = sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Write the line. The cursor goes back to its start, so that whatever else is printed covers it."""
        if self.live:
            text = text[:100]
            print(text.ljust(self.shown), end="\r", file=sys.stderr, flush=True)
            self.shown = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print(" " * self.shown, end="\r", file=sys.stderr, flush=True)
            self.shown = 0
