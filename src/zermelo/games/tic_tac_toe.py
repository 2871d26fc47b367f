"""Tic-tac-toe: X and O take turns to mark a cell of a 3 x 3 board; three in a row, column or diagonal win.

X is player 0 and begins. A full board without a line is a draw. Cells are numbered 0 to 8 from the top left, row by
row; cell n is bit n of a player's board, so that each octal digit of a board is one row of it. People call the cells
a1 (top left) to c3 (bottom right).
"""

from typing import Any, NamedTuple

from zermelo.bits import popcount
from zermelo.contract import Game
from zermelo.errors import BadState
from zermelo.running.evaluations import Evaluation

FULL = 0o777
COLOURS = {"X": "#2563eb", "O": "#dc2626"}


LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
"""The rows, columns and diagonals."""


def open_lines(s):
    """Lines in which O has no mark, less lines in which X has none."""
    lead = 0
    for line in LINES:
        lead += (s.o & line == 0) - (s.x & line == 0)
    return lead


def moves_to_a_line(s):
    """By how many moves X is faster to a line, if the other side passed from now on."""
    return _needs(s.o, s.x) - _needs(s.x, s.o)


def _needs(own, theirs):
    """The marks that are missing in the line which needs the fewest; 4 where no line is open."""
    least = 4
    for line in LINES:
        if theirs & line == 0:
            least = min(least, 3 - popcount(own & line))
    return least


class TicTacToe(Game):
    """Three in a row on a 3 x 3 board."""

    evaluations = {
        "lines": Evaluation("lines that are still open", {"open lines": open_lines}, {"open lines": 1}, half=4),
        "relaxed": Evaluation(
            "a relaxed game: who has a line first, if the other side passes",
            {"moves to a line": moves_to_a_line}, {"moves to a line": 1}, half=2,
        ),
    }  # fmt: skip
    max_actions = 9
    bounds = (-1.0, 1.0)
    symmetry_count = 8
    sampling = {"rave": True, "c": 0.7}  # loses none of 1,000 games by 1,000 simulations a move

    class State(NamedTuple):
        """The cells of X, the cells of O, and who moves."""

        x: int
        o: int
        player: int

    def initial(self):
        return self.State(0, 0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        taken = s.x | s.o
        for cell in range(9):
            if not taken >> cell & 1:
                yield cell

    def result(self, s, action):
        if s.player == 0:
            return self.State(s.x | 1 << action, s.o, 1)
        return self.State(s.x, s.o | 1 << action, 0)

    def is_terminal(self, s):
        # Only the last move can have made a line.
        return self.has_line(s.o if s.player == 0 else s.x) or s.x | s.o == FULL

    def utility(self, s, player):
        if self.has_line(s.x):
            return 1.0 if player == 0 else -1.0
        if self.has_line(s.o):
            return 1.0 if player == 1 else -1.0
        return 0.0

    def has_line(self, board):
        """Whether the board holds a full row, column or diagonal."""
        return (
            (board & board >> 1 & board >> 2 & 0o111) != 0
            or (board & board >> 3 & board >> 6) != 0
            or board & 0o421 == 0o421
            or board & 0o124 == 0o124
        )

    # --- symmetry: bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 rows and columns ----------------

    def transform(self, s, k):
        return self.State(self.turned(s.x, k), self.turned(s.o, k), s.player)

    def turned(self, board, k):
        """The board under symmetry k."""
        if k & 1:
            board = (board & 0o111) << 2 | board & 0o222 | board >> 2 & 0o111
        if k & 2:
            board = (board & 0o007) << 6 | board & 0o070 | board >> 6
        if k & 4:
            near = (board & 0o042) << 2 | board >> 2 & 0o042
            far = (board & 0o004) << 4 | board >> 4 & 0o004
            board = board & 0o421 | near | far
        return board

    def transform_action(self, action, k):
        row, col = action // 3, action % 3
        if k & 1:
            col = 2 - col
        if k & 2:
            row = 2 - row
        if k & 4:
            row, col = col, row
        return 3 * row + col

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The cell as column and row: b2 is the centre."""
        return f"{'abc'[action % 3]}{action // 3 + 1}"

    def format_state(self, s: Any) -> str:
        """The rows from top to bottom, such as X.O/.X./... ."""
        return "/".join("".join(row) for row in self._rows(s))

    def parse_state(self, text: str) -> Any:
        """The state with these rows; who moves follows from the numbers of stones."""
        rows = text.strip().split("/")
        if [len(row) for row in rows] != [3, 3, 3] or set(text.strip()) - set("XO./"):
            raise BadState(f"{text!r} is no tic-tac-toe board; write three rows of X, O and . such as X.O/.X./...")
        x, o = (sum(1 << cell for cell, mark in enumerate("".join(rows)) if mark == name) for name in "XO")
        return self.checked_state(self.State(x, o, x.bit_count() - o.bit_count()))

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the game can come to it."""
        s = super().checked_state(s)
        if not (0 <= s.x <= FULL and 0 <= s.o <= FULL) or s.x & s.o:
            raise BadState("tic_tac_toe: boards have 9 bits, and no cell belongs to both players")
        if s.player not in (0, 1) or s.x.bit_count() - s.o.bit_count() != s.player:
            raise BadState("tic_tac_toe: X begins, so that X has as many stones as O, or one more when O moves")
        if self.has_line(s.x if s.player == 0 else s.o):
            raise BadState("tic_tac_toe: the player to move has three in a row; the game ended before")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The board with the names of its columns and rows."""
        rows = [f"{number} {' '.join(row)}" for number, row in enumerate(self._rows(s), 1)]
        return "\n".join(["  a b c", *rows])

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture; free cells carry their action."""
        over = self.is_terminal(s)
        parts = ['<path d="M60 6V174M120 6V174M6 60H174M6 120H174" stroke="#64748b" stroke-width="3"/>']
        for cell, mark in enumerate("".join(map("".join, self._rows(s)))):
            x, y = cell % 3 * 60, cell // 3 * 60
            ink = f'fill="none" stroke="{COLOURS.get(mark)}" stroke-width="6" stroke-linecap="round"'
            if mark == "X":
                parts.append(f'<path d="M{x + 16} {y + 16}l28 28m0-28l-28 28" {ink}/>')
            elif mark == "O":
                parts.append(f'<circle cx="{x + 30}" cy="{y + 30}" r="15" {ink}/>')
            elif not over:
                name = self.format_action(s, cell)
                place = f'x="{x + 3}" y="{y + 3}" width="54" height="54"'
                parts.append(f'<rect {place} fill="transparent" data-action="{cell}"><title>{name}</title></rect>')
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 180" width="180" height="180">'
        return head + "".join(parts) + "</svg>"

    def _rows(self, s: Any) -> list[list[str]]:
        marks = ["X" if s.x >> cell & 1 else "O" if s.o >> cell & 1 else "." for cell in range(9)]
        return [marks[0:3], marks[3:6], marks[6:9]]
