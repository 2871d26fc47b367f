"""Tic-tac-toe for three: X, O and Z take turns to mark a cell; `line` in a row, column or diagonal win.

The winner gets 1 and the others lose half of it each; a full board without a line gives nothing to anybody. Two players
who both want to stop the third must trust each other to do it.

Each player's cells are one board of bits: row r begins at bit r * (cols + 1) and ends with a bit that stays empty, so
that lines do not run on from one row into the next. Action n is the n-th cell from the top left, row by row.
"""

from typing import Any, NamedTuple

from zermelo.board_game import has_line, svg_picture, turned_cell
from zermelo.compile import replace
from zermelo.contract import Game
from zermelo.errors import BadParameter, BadState

MARKS = "XOZ"
COLOURS = {"X": "#2563eb", "O": "#dc2626", "Z": "#16a34a"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDE"


class ThreePlayerTicTacToe(Game):
    """Three in a row for three players."""

    rows: int = 3
    cols: int = 3
    line: int = 3

    players = 3
    bounds = (-0.5, 1.0)

    class State(NamedTuple):
        """The cells of each player, and who moves."""

        boards: tuple[int, int, int]
        player: int

    def validate(self) -> None:
        """Refuse boards without cells, boards that do not fit into 63 bits, and lines of one cell."""
        if self.rows < 1 or self.cols < 1:
            raise BadParameter(f"{self.name}: rows and cols must be at least 1, not {self.rows} and {self.cols}")
        if self.rows * (self.cols + 1) > 63:
            raise BadParameter(
                f"{self.name}: {self.rows} x {self.cols} is too large; rows * (cols + 1) may be up to 63"
            )
        if self.line < 2:
            raise BadParameter(f"{self.name}: line must be at least 2, not {self.line}")

    @property
    def max_actions(self) -> int:
        """One action a cell."""
        return self.rows * self.cols

    def initial(self):
        return self.State((0, 0, 0), 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        taken = s.boards[0] | s.boards[1] | s.boards[2]
        for cell in range(self.rows * self.cols):
            if not taken >> self.place(cell) & 1:
                yield cell

    def place(self, cell):
        """The bit of a cell."""
        return cell + cell // self.cols

    def result(self, s, action):
        marked = s.boards[s.player] | 1 << self.place(action)
        return self.State(replace(s.boards, s.player, marked), (s.player + 1) % 3)

    def is_over(self, s):
        # Only the last move can have made a line. A full board needs no test: it has no actions.
        return self.has_line(s.boards[(s.player + 2) % 3])

    def utility(self, s, player):
        for winner in range(3):
            if self.has_line(s.boards[winner]):
                return 1.0 if player == winner else -0.5
        return 0.0

    def has_line(self, board):
        """Whether the board holds a line: level, falling, upright or rising."""
        return has_line(board, self.cols + 1, self.line)

    # --- symmetry: bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 (of a square) rows and columns ---

    @property
    def symmetry_count(self) -> int:
        """8 for a square, 4 for other boards."""
        return 8 if self.rows == self.cols else 4

    def transform(self, s, k):
        first, second, third = 0, 0, 0
        for cell in range(self.rows * self.cols):
            here, there = self.place(cell), self.place(self.transform_action(cell, k))
            first |= (s.boards[0] >> here & 1) << there
            second |= (s.boards[1] >> here & 1) << there
            third |= (s.boards[2] >> here & 1) << there
        return self.State((first, second, third), s.player)

    def transform_action(self, action, k):
        return turned_cell(action, k, self.rows, self.cols)

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The cell as column and row, a1 at the top left."""
        return f"{LETTERS[action % self.cols]}{action // self.cols + 1}"

    def format_state(self, s: Any) -> str:
        """The rows from top to bottom, with a slash between them."""
        return "/".join("".join(row) for row in self._rows(s))

    def parse_state(self, text: str) -> Any:
        """The state with these rows; who moves follows from the numbers of marks."""
        rows = text.strip().split("/")
        if [len(row) for row in rows] != [self.cols] * self.rows or set(text.strip()) - set("XOZ./"):
            raise BadState(
                f"{text!r} is no board of {self.name}; write {self.rows} rows of {self.cols} signs X, O, Z or . with /"
                " between them"
            )
        marks = "".join(rows)
        boards = [sum(1 << self.place(cell) for cell, mark in enumerate(marks) if mark == own) for own in MARKS]
        return self.checked_state(self.State((boards[0], boards[1], boards[2]), (len(marks) - marks.count(".")) % 3))

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the game can come to it, as far as the numbers of marks and the lines tell."""
        s = super().checked_state(s)
        cells = sum(1 << self.place(cell) for cell in range(self.rows * self.cols))
        x, o, z = s.boards if len(s.boards) == 3 else (-1, -1, -1)
        if any(board & ~cells for board in (x, o, z)) or x & o or x & z or o & z:
            raise BadState(f"{self.name}: marks lie on the board, and no cell belongs to two players")
        counts = [board.bit_count() for board in (x, o, z)]
        if counts != [(sum(counts) + 2 - p) // 3 for p in range(3)] or s.player != sum(counts) % 3:
            raise BadState(f"{self.name}: X begins, then O, then Z; {s!r} has other numbers of marks")
        if any(self.has_line(s.boards[p]) for p in (s.player, (s.player + 1) % 3)):
            raise BadState(f"{self.name}: only the player who moved last can have a line; the game ended before")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The board with the names of its columns and rows."""
        rows = [f"{number:2} {' '.join(row)}" for number, row in enumerate(self._rows(s), 1)]
        return "\n".join([f"   {' '.join(LETTERS[: self.cols])}", *rows])

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture; free cells carry their action."""
        wide, high, over = self.cols * 50, self.rows * 50, self.is_terminal(s)
        parts = []
        for cell, mark in enumerate("".join(map("".join, self._rows(s)))):
            x, y = cell % self.cols * 50, cell // self.cols * 50
            name = self.format_action(s, cell)
            play = f' data-action="{cell}"' if mark == "." and not over else ""
            box = f'x="{x + 1}" y="{y + 1}" width="48" height="48" fill="#f8fafc" stroke="#94a3b8"'
            parts.append(f"<rect {box}{play}><title>{name}</title></rect>")
            if mark != ".":
                font = f'font-family="sans-serif" font-size="30" text-anchor="middle" fill="{COLOURS[mark]}"'
                parts.append(f'<text x="{x + 25}" y="{y + 36}" {font}>{mark}</text>')
        return svg_picture(parts, wide, high)

    def _rows(self, s: Any) -> list[list[str]]:
        marks = ["."] * (self.rows * self.cols)
        for mark, board in zip(MARKS, s.boards, strict=True):
            marks = [mark if board >> self.place(cell) & 1 else before for cell, before in enumerate(marks)]
        return [marks[row * self.cols : (row + 1) * self.cols] for row in range(self.rows)]
