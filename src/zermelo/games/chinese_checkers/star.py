"""The star of Chinese checkers: its cells, row by row from the top, and what lies where.

A star of side n has 4 n + 1 rows: a point of n rows, then rows of 3 n + 1 cells down to 2 n + 1 and back again, then
the lowest point. The six points are numbered from the top clockwise. For each of them every cell has a height, from
-2 n at the tip of the opposite point to 2 n at its own tip; the cells higher than n are the point itself.

The tables have one layer for each side, from 2 on, and room for the cells of the largest star. A board is two words of
bits, of which the first has the cells up to 63.
"""

from zermelo.bits import bit, u64
from zermelo.compile import table

SIDES = (2, 3, 4)
NO_CELL = 127
"""What lies beyond the edge."""
STEPS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""Rows down and half cells to the right: the six neighbours of a cell."""


def row_lengths(side: int) -> list[int]:
    """How many cells each row has."""
    point, upper = list(range(1, side + 1)), list(range(3 * side + 1, 2 * side, -1))
    return [*point, *upper, *upper[-2::-1], *point[::-1]]


def places(side: int) -> list[tuple[int, int]]:
    """Row and column of every cell, in half cells from the middle."""
    rows = enumerate(row_lengths(side))
    return [(row - 2 * side, 2 * n - length + 1) for row, length in rows for n in range(length)]


def _heights(row: int, column: int) -> tuple[int, ...]:
    """The heights of a cell for the six points: its three coordinates, each one way and the other."""
    across = (column - row) // 2
    third = -across - row
    return -row, across, -third, row, -across, third


def _neighbours(side: int) -> list[list[int]]:
    cells = {place: cell for cell, place in enumerate(places(side))}
    return [[cells.get((row + down, column + right), NO_CELL) for down, right in STEPS] for row, column in cells]


def _padded(rows: list[list[int]]) -> list[list[int]]:
    """The rows with others added for the cells that smaller stars lack."""
    return rows + [[NO_CELL] * len(rows[0])] * (len(places(SIDES[-1])) - len(rows))


def _halves(cells: list[int]) -> list[int]:
    """A board of these cells as two words."""
    board = sum(1 << cell for cell in cells)
    return [board & (1 << 64) - 1, board >> 64]


def _boards(side: int, *, rest: bool) -> list[list[int]]:
    """For each point its cells; or those where a marble that began there may rest: there, opposite, in the middle."""
    found = []
    for point in range(6):
        heights = [_heights(*place) for place in places(side)]
        own = [cell for cell, h in enumerate(heights) if h[point] > side or (rest and h[point] < -side)]
        middle = [cell for cell, h in enumerate(heights) if rest and max(h) <= side]
        found.append(_halves(own + middle))
    return found


def _mirrored(side: int) -> list[list[int]]:
    cells = {place: cell for cell, place in enumerate(places(side))}
    return [[cells[row, -column]] for row, column in cells]


CELLS = tuple(len(places(side)) for side in SIDES)
NEIGHBOURS = table([_padded(_neighbours(side)) for side in SIDES])  # [side - 2, cell, direction]
HEIGHTS = table([_padded([list(_heights(*place)) for place in places(side)]) for side in SIDES])
"""[side - 2, cell, point]"""
POINTS = table([_boards(side, rest=False) for side in SIDES])  # [side - 2, point, word]
RESTS = table([_boards(side, rest=True) for side in SIDES])  # [side - 2, point, word]
MIRROR = table([_padded(_mirrored(side)) for side in SIDES])  # [side - 2, cell, 0]


# --- boards -----------------------------------------------------------------------------------------------------------

NO_CELLS = (u64(0), u64(0))


def cells_of(boards, side, point):
    """The board of a point, out of one of the tables of boards."""
    return boards[side - 2, point, 0], boards[side - 2, point, 1]


def has(board, cell):
    """Whether the cell is on the board."""
    return (board[0] if cell < 64 else board[1]) >> (cell & 63) & 1 != 0


def with_cell(board, cell):
    """The board with this cell."""
    low, high = board
    return (low | bit(cell), high) if cell < 64 else (low, high | bit(cell))


def without_cell(board, cell):
    """The board without this cell."""
    low, high = board
    return (low & ~bit(cell), high) if cell < 64 else (low, high & ~bit(cell))


def common(board, other):
    """The cells that both boards have."""
    return board[0] & other[0], board[1] & other[1]


def union_of(boards):
    """The cells of all boards together."""
    low, high = u64(0), u64(0)
    for board in boards:
        low, high = low | board[0], high | board[1]
    return low, high
