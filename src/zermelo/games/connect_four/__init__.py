"""Connect Four: X and O take turns to drop a stone into a column; four in a line win.

X is player 0 and begins. A stone falls onto the topmost one of its column. Lines run upright, level or slanted; `line`
says how long they must be. A full board without a line is a draw.

Each player's stones are one board of bits: column c begins at bit c * (rows + 1), its lowest cell first, and ends with
a bit that stays empty, so that lines do not run on from one column into the next.
"""

from typing import Any, NamedTuple

from zermelo.board_game import has_line, svg_picture
from zermelo.contract import Game
from zermelo.errors import BadParameter, BadState, IllegalAction

COLOURS = {"X": "#2563eb", "O": "#dc2626", ".": "#f8fafc"}


class ConnectFour(Game):
    """Drop stones into columns; `line` in a row win."""

    rows: int = 6
    cols: int = 7
    line: int = 4

    bounds = (-1.0, 1.0)
    symmetry_count = 2

    class State(NamedTuple):
        """The stones of X, the stones of O, and who moves."""

        x: int
        o: int
        player: int

    def validate(self) -> None:
        """Refuse boards without cells, boards that do not fit into 63 bits, and lines of one stone."""
        if self.rows < 1 or self.cols < 1:
            raise BadParameter(f"{self.name}: rows and cols must be at least 1, not {self.rows} and {self.cols}")
        if (self.rows + 1) * self.cols > 63:
            raise BadParameter(
                f"{self.name}: {self.rows} x {self.cols} is too large; (rows + 1) * cols may be up to 63"
            )
        if self.line < 2:
            raise BadParameter(f"{self.name}: line must be at least 2, not {self.line}")

    @property
    def max_actions(self) -> int:
        """One action a column."""
        return self.cols

    def initial(self):
        return self.State(0, 0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        top_cells = (s.x | s.o) >> (self.rows - 1)
        for col in range(self.cols):
            if not top_cells >> col * (self.rows + 1) & 1:
                yield col

    def result(self, s, action):
        # Added at the foot of the column, a bit is carried up to the first free cell.
        taken = s.x | s.o
        stone = taken + (1 << action * (self.rows + 1)) & ~taken
        if s.player == 0:
            return self.State(s.x | stone, s.o, 1)
        return self.State(s.x, s.o | stone, 0)

    def is_over(self, s):
        # Only the last move can have made a line. A full board needs no test: it has no actions.
        return self.has_line(s.o if s.player == 0 else s.x)

    def utility(self, s, player):
        if self.has_line(s.x):
            return 1.0 if player == 0 else -1.0
        if self.has_line(s.o):
            return 1.0 if player == 1 else -1.0
        return 0.0

    def has_line(self, board):
        """Whether the board holds a line: upright, falling, level or rising."""
        return has_line(board, self.rows + 1, self.line)

    @property
    def solver(self) -> Any:
        """The exact solver, which knows these rules alone and not those of a class derived from this one."""
        if type(self) is not ConnectFour:
            return None
        from zermelo.games.connect_four.solver import Solver

        return Solver

    # --- symmetry: k = 1 mirrors left and right -------------------------------------------------------------------

    def transform(self, s, k):
        if k == 0:
            return s
        return self.State(self.mirrored(s.x), self.mirrored(s.o), s.player)

    def mirrored(self, board):
        """The board with its columns in reverse order."""
        column, out = (1 << self.rows) - 1, 0
        for col in range(self.cols):
            stones = board >> col * (self.rows + 1) & column
            out |= stones << (self.cols - 1 - col) * (self.rows + 1)
        return out

    def transform_action(self, action, k):
        return action if k == 0 else self.cols - 1 - action

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The column, counted from 1."""
        return str(action + 1)

    def parse_action(self, s: Any, text: str) -> int:
        """The free column of this number, counted from 1."""
        free = {self.format_action(s, action): action for action in self.actions(s)}
        if text.strip() not in free:
            raise IllegalAction(f"{text.strip()!r} is no free column; free: {', '.join(free) or 'none'}")
        return free[text.strip()]

    def format_state(self, s: Any) -> str:
        """The rows from top to bottom, with a slash between them."""
        return "/".join("".join(row) for row in self._rows(s))

    def parse_state(self, text: str) -> Any:
        """The state with these rows, or the one after the columns that were played, such as 4453."""
        text = text.strip()
        if text.isdecimal():
            return self._after_columns(text)
        rows = text.split("/")
        if [len(row) for row in rows] != [self.cols] * self.rows or set(text) - set("XO./"):
            raise BadState(
                f"{text!r} is no board of {self.name}; write {self.rows} rows of {self.cols} signs X, O or . with /"
                " between them, or the columns in the order of play"
            )
        x, o = 0, 0
        for height, row in enumerate(reversed(rows)):
            for col, mark in enumerate(row):
                cell = 1 << col * (self.rows + 1) + height
                x, o = x | cell * (mark == "X"), o | cell * (mark == "O")
        return self.checked_state(self.State(x, o, x.bit_count() - o.bit_count()))

    def _after_columns(self, text: str) -> Any:
        s = self.initial()
        for count, column in enumerate(text, 1):
            if self.is_over(s):
                raise BadState(f"{text!r}: the game is over before move {count}")
            try:
                s = self.result(s, self.parse_action(s, column))
            except IllegalAction as error:
                raise BadState(f"{text!r}, move {count}: {error}") from None
        return s

    def checked_state(self, s: Any) -> Any:
        """`s` itself where its stones are possible: none in the air, and neither side too many."""
        s = super().checked_state(s)
        column = (1 << self.rows) - 1
        for col in range(self.cols):
            stones = (s.x | s.o) >> col * (self.rows + 1) & (column << 1 | 1)
            if stones & stones + 1 or stones > column:
                raise BadState(f"{self.name}: a stone hangs in the air in column {col + 1}")
        if min(s.x, s.o) < 0 or (s.x | s.o) >> self.cols * (self.rows + 1) or s.x & s.o:
            raise BadState(f"{self.name}: stones lie on the board, and no cell belongs to both players")
        if s.player not in (0, 1) or s.x.bit_count() - s.o.bit_count() != s.player:
            raise BadState(f"{self.name}: X begins, so that X has as many stones as O, or one more when O moves")
        if self.has_line(s.x if s.player == 0 else s.o):
            raise BadState(f"{self.name}: the player to move has {self.line} in a line; the game ended before")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The board over the numbers of its columns."""
        width = len(str(self.cols))
        lines = [*self._rows(s), [str(col + 1) for col in range(self.cols)]]
        return "\n".join(" ".join(mark.rjust(width) for mark in line) for line in lines)

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture; a click on a free column plays it."""
        wide, high = self.cols * 40, self.rows * 40
        parts = [f'<rect width="{wide}" height="{high}" rx="8" fill="#94a3b8"/>']
        for row, marks in enumerate(self._rows(s)):
            for col, mark in enumerate(marks):
                place = f'cx="{col * 40 + 20}" cy="{row * 40 + 20}" r="15"'
                parts.append(f'<circle {place} fill="{COLOURS[mark]}"/>')
        for col in [] if self.is_terminal(s) else self.actions(s):
            place = f'x="{col * 40}" width="40" height="{high}"'
            parts.append(f'<rect {place} fill="transparent" data-action="{col}"><title>{col + 1}</title></rect>')
        return svg_picture(parts, wide, high)

    def _rows(self, s: Any) -> list[list[str]]:
        """The marks from the top row down."""
        cells = [[col * (self.rows + 1) + row for col in range(self.cols)] for row in reversed(range(self.rows))]
        return [["X" if s.x >> c & 1 else "O" if s.o >> c & 1 else "." for c in row] for row in cells]
