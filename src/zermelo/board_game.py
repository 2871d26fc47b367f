"""What board games share: a notation in a file of its own, lines, symmetry and the frame of a picture."""

from collections.abc import Iterable
from typing import Any, ClassVar

from zermelo.contract import Game


class BoardGame(Game):
    """A game whose moves and positions are written, read and drawn by the functions of a module, its notation:
    `class Hex(BoardGame, notation=notation)`. Each takes the game first.
    """

    notation: ClassVar[Any]

    def __init_subclass__(cls, notation: Any = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if notation is not None:
            cls.notation = notation

    def format_action(self, s: Any, action: int) -> str:
        """The action as people write it."""
        return self.notation.format_action(self, s, action)

    def parse_action(self, s: Any, text: str) -> int:
        """The legal action that `text` names; IllegalAction where none does."""
        return self.notation.parse_action(self, s, text)

    def format_state(self, s: Any) -> str:
        """The state on one line."""
        return self.notation.format_state(self, s)

    def parse_state(self, text: str) -> Any:
        """The state that `text` describes."""
        return self.notation.parse_state(self, text)

    def checked_state(self, s: Any) -> Any:
        """`s` itself where play may come to it, as far as that is easily seen; BadState where it may not."""
        return self.notation.checked(self, super().checked_state(s))

    def text(self, s: Any, player: int | None = None) -> str:
        """The board for a terminal; everybody sees all of it."""
        return self.notation.text(self, s)

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture, in which what can be played carries its action."""
        return self.notation.svg(self, s)


def has_line(board, row, length):
    """Whether a board of bits, its rows `row` bits apart, holds a line so long: level, upright, falling or rising."""
    for step in (1, row - 1, row, row + 1):
        starts, done = board, 1
        while done < length:
            more = min(done, length - done)
            starts &= starts >> more * step
            done += more
        if starts:
            return True
    return False


def turned_cell(cell, k, rows, cols):
    """The cell to which symmetry k moves a cell: its bit 0 mirrors left and right, bit 1 top and bottom, bit 2 rows and
    columns."""
    row, col = cell // cols, cell % cols
    if k & 1:
        col = cols - 1 - col
    if k & 2:
        row = rows - 1 - row
    if k & 4:
        row, col = col, row
    return row * cols + col


def svg_picture(parts: Iterable[str], wide: float, high: float, style: str = "") -> str:
    """A picture of these parts; `style` is what holds for all of them."""
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}{style and " " + style}>{"".join(parts)}</svg>'
