"""Where the pieces of chess can go: boards of attacked squares, looked up or computed.

Squares are numbered from a1 = 0 along the ranks to h8 = 63. Sliding pieces are computed line by line: of the blockers
below a square the highest counts and of those above the lowest, and one subtraction fills the line between them.
"""

from zermelo.bits import bit, highest, lowest_bit
from zermelo.compile import table

NOT_A, NOT_H = 0xFEFE_FEFE_FEFE_FEFE, 0x7F7F_7F7F_7F7F_7F7F
RANK, FILE, RISING, FALLING = range(4)
"""The four lines through a square."""
DIRECTIONS = {RANK: (1, 0), FILE: (0, 1), RISING: (1, 1), FALLING: (-1, 1)}
NO_LINE = 4


def _walk(square: int, steps: list[tuple[int, int]], far: bool) -> int:
    """The squares that these steps reach from a square on the empty board, once or as far as they lead."""
    board = 0
    for across, up in steps:
        file, rank = square % 8 + across, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            board |= 1 << 8 * rank + file
            if not far:
                break
            file, rank = file + across, rank + up
    return board


def _lines() -> list[list[int]]:
    return [[_walk(s, [(x, y), (-x, -y)], True) for s in range(64)] for x, y in DIRECTIONS.values()]


def _line_of(a: int, b: int) -> int:
    return next((line for line in DIRECTIONS if _lines_[line][a] >> b & 1), NO_LINE)


def _between(a: int, b: int) -> int:
    """The squares strictly between two on one line."""
    line = _line_of(a, b)
    low, high = min(a, b), max(a, b)
    return 0 if line == NO_LINE else _lines_[line][a] & ((1 << high) - 1) & ~((2 << low) - 1)


def _through(a: int, b: int) -> int:
    """The whole line through two squares, both included."""
    line = _line_of(a, b)
    return 0 if line == NO_LINE else _lines_[line][a] | 1 << a


_lines_ = _lines()
KNIGHT_STEPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
KING_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]

LINES = table(_lines_)
BELOW = table([[board & ((1 << s) - 1) for s, board in enumerate(line)] for line in _lines_])
ABOVE = table([[board & ~((1 << s) - 1) for s, board in enumerate(line)] for line in _lines_])
KNIGHT = table([_walk(s, KNIGHT_STEPS, False) for s in range(64)])
KING = table([_walk(s, KING_STEPS, False) for s in range(64)])
PAWN = table([[_walk(s, [(-1, up), (1, up)], False) for s in range(64)] for up in (1, -1)])
BETWEEN = table([[_between(a, b) for b in range(64)] for a in range(64)])
THROUGH = table([[_through(a, b) for b in range(64)] for a in range(64)])


def along(line, square, occupied):
    """The squares of one line that a slider reaches: up to the nearest piece on either side, and that square too."""
    below = BELOW[line, square & 63] & occupied
    above = ABOVE[line, square & 63] & occupied
    first = lowest_bit(above)
    return LINES[line, square & 63] & (first + first - bit(highest(below | 1)))


def rook_attacks(square, occupied):
    """The squares that a rook attacks."""
    return along(RANK, square, occupied) | along(FILE, square, occupied)


def bishop_attacks(square, occupied):
    """The squares that a bishop attacks."""
    return along(RISING, square, occupied) | along(FALLING, square, occupied)


def pawn_attacks(pawns, player):
    """The squares that a board of pawns attacks."""
    if player == 0:
        return (pawns & NOT_A) << 7 | (pawns & NOT_H) << 9
    return (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9
