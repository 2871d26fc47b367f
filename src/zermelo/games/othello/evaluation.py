"""What a position of Othello is worth to Black, in units of which 150 are worth about seven tenths of a win.

The estimate is a sum of named parts. Each part counts something, Black's less White's, and weighs the count by how
full the board is: the weight glides from the one for an empty board to the one for a full board. The weights were
fitted to the results of games that the program played against itself.
"""

from zermelo.bits import bit, popcount, u64
from zermelo.games.othello.moves import first_column, full_board, placements, run_back, run_on


def corner_cells(size):
    """The four corners."""
    return bit(0) | bit(size - 1) | bit(size * (size - 1)) | bit(size * size - 1)


def outer_rows(size):
    """The first and the last row."""
    row = (u64(1) << size) - 1
    return row | row << size * (size - 1)


def outer_columns(size):
    """The first and the last column."""
    return first_column(size) | first_column(size) << size - 1


def edge_cells(size):
    """The cells on the rim of the board."""
    return outer_rows(size) | outer_columns(size)


def neighbours(board, size):
    """The cells next to those of the board, on all eight sides."""
    level = (board & ~(first_column(size) << size - 1)) << 1 | (board & ~first_column(size)) >> 1
    both = board | level
    return (level | both << size | both >> size) & full_board(size)


def empty_cells(s, size):
    """The cells without a disc."""
    return full_board(size) & ~(s.black | s.white)


def difference(black, white):
    """How many more cells Black's board has than White's."""
    return popcount(black) - popcount(white)


def weighed(s, count, opening, ending, size):
    """The count times a weight between `opening` (an empty board) and `ending` (a full one)."""
    cells, discs = size * size, popcount(s.black | s.white)
    worth = count * (opening * (cells - discs) + ending * discs)
    return worth // cells if worth >= 0 else -(-worth // cells)


def discs(s, size):
    """Discs: few are better at first, since they give the other side little to turn over."""
    return weighed(s, difference(s.black, s.white), -8, 7, size)


def corners(s, size):
    """Corners, which nobody turns over again."""
    cells = corner_cells(size)
    return weighed(s, difference(s.black & cells, s.white & cells), 110, 10, size)


def x_squares(s, size):
    """Discs that stand diagonally before an empty corner and help the other side into it."""
    cells = neighbours(empty_cells(s, size) & corner_cells(size), size) & ~edge_cells(size)
    return weighed(s, difference(s.black & cells, s.white & cells), -105, -25, size)


def c_squares(s, size):
    """Discs on the edge beside an empty corner."""
    cells = neighbours(empty_cells(s, size) & corner_cells(size), size) & edge_cells(size)
    return weighed(s, difference(s.black & cells, s.white & cells), -3, -11, size)


def stable_edges(s, size):
    """Discs on the edge that are joined to a corner of their own colour: they stay for good."""
    return weighed(s, difference(anchored(s.black, size), anchored(s.white, size)), 21, 8, size)


def anchored(mine, size):
    """The edge discs in one line with a corner of the same colour, without the corners themselves."""
    held = mine & corner_cells(size)
    rows, columns = mine & outer_rows(size), mine & outer_columns(size)
    level = run_on(held, rows, 1) | run_back(held, rows, 1)
    upright = run_on(held, columns, size) | run_back(held, columns, size)
    return (level | upright) & ~corner_cells(size)


def mobility(s, size):
    """The share of all placements that are Black's, less White's share."""
    black = popcount(placements(s.black, s.white, size))
    white = popcount(placements(s.white, s.black, size))
    worth = weighed(s, 100 * abs(black - white) // (black + white + 2), 7, 20, size) // 10
    return worth if black >= white else -worth


def frontier(s, size):
    """Potential mobility: discs next to an empty cell, which the other side may come to enclose."""
    open_cells = neighbours(empty_cells(s, size), size)
    return weighed(s, difference(s.white & open_cells, s.black & open_cells), -3, 13, size)


def parity(s, size):
    """Who will place the last disc, unless somebody passes."""
    last = s.player if popcount(empty_cells(s, size)) & 1 else 1 - s.player
    return weighed(s, 1 if last == 0 else -1, 0, 23, size)


PARTS = (discs, corners, x_squares, c_squares, stable_edges, mobility, frontier, parity)


def score(s, size):
    """The sum of all parts."""
    return (
        discs(s, size) + corners(s, size) + x_squares(s, size) + c_squares(s, size) + stable_edges(s, size)
        + mobility(s, size) + frontier(s, size) + parity(s, size)
    )  # fmt: skip


def rank(s, cell, size):
    """A first guess at how good it is to place a disc on this cell."""
    if cell & corner_cells(size):
        return 3
    if cell & neighbours(empty_cells(s, size) & corner_cells(size), size):
        return -1 if cell & edge_cells(size) else -2
    return 1 if cell & edge_cells(size) else 0
