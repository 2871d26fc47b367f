"""What a position of checkers is worth to Black, in about hundredths of a man.

The estimate is a sum of named parts. Each part counts something, Black's less White's, and weighs the count by how
many pieces are left: the weight glides from the one for a full board to the one for an empty board. The weights were
fitted to the results of games that the program played against itself.
"""

from zermelo.bits import popcount
from zermelo.games.checkers.moves import (
    BOARD,
    FIRST,
    LAST,
    ROWS,
    UP_RIGHT,
    downward,
    empty_squares,
    shifted,
    upward,
)

ALL = 24
"""The pieces of the first position."""


def squares(*numbers: int) -> int:
    """The board with these squares, numbered from 1."""
    return sum(1 << (n - 1 + (n - 1) // 8) for n in numbers)


EDGE = FIRST | LAST | squares(5, 12, 13, 20, 21, 28)
CENTRE = squares(10, 11, 14, 15, 18, 19, 22, 23)
BLACK_BRIDGE, WHITE_BRIDGE = squares(1, 3), squares(30, 32)
EVEN_ROWS = ROWS[0] | ROWS[2] | ROWS[4] | ROWS[6]


def weighed(s, count, opening, ending):
    """The count times a weight between `opening` (all pieces on the board) and `ending` (none)."""
    pieces = popcount(s.black | s.white)
    worth = count * (opening * pieces + ending * (ALL - pieces))
    return worth // ALL if worth >= 0 else -(-worth // ALL)


def difference(black, white):
    """How many more squares Black's board has than White's."""
    return popcount(black) - popcount(white)


def black_men(s):
    """The men of Black."""
    return s.black & ~s.kings


def white_men(s):
    """The men of White."""
    return s.white & ~s.kings


def men(s):
    """Men on the board."""
    return weighed(s, difference(black_men(s), white_men(s)), 135, 65)


def kings(s):
    """Kings on the board."""
    return weighed(s, difference(s.black & s.kings, s.white & s.kings), 140, 135)


def back_row(s):
    """Men that guard their own back row, and the bridge of two that holds it alone."""
    guards = difference(black_men(s) & FIRST, white_men(s) & LAST)
    bridge = int(black_men(s) & BLACK_BRIDGE == BLACK_BRIDGE) - int(white_men(s) & WHITE_BRIDGE == WHITE_BRIDGE)
    return weighed(s, guards, -20, 36) + weighed(s, bridge, 0, 40)


def centre(s):
    """Pieces in the middle of the board."""
    of_men = difference(black_men(s) & CENTRE, white_men(s) & CENTRE)
    of_kings = difference(s.black & s.kings & CENTRE, s.white & s.kings & CENTRE)
    return weighed(s, of_men, 10, -12) + weighed(s, of_kings, 0, 10)


def edges(s):
    """Men on the edge, where nothing can capture them."""
    return weighed(s, difference(black_men(s) & EDGE, white_men(s) & EDGE), 10, 0)


def advancement(s):
    """How many rows the men have come."""
    rows = 0
    for row in range(8):
        rows += row * popcount(black_men(s) & ROWS[row])
        rows -= (7 - row) * popcount(white_men(s) & ROWS[row])
    return weighed(s, rows, -13, 13)


def runaways(s):
    """Men before whom no enemy stands who could stop them."""
    before_white, before_black = s.white, s.black
    for _ in range(6):
        before_white |= (before_white >> 4 | before_white >> 5) & BOARD
        before_black |= (before_black << 4 | before_black << 5) & BOARD
    return weighed(s, difference(black_men(s) & ~before_white, white_men(s) & ~before_black), 15, 8)


def mobility(s):
    """Steps to squares where nothing captures the piece."""
    return weighed(s, safe_steps(s, 0) - safe_steps(s, 1), 2, 4)


def safe_steps(s, player):
    """How many steps a player has to squares where the other side does not capture."""
    down, up = downward(s, player), upward(s, player)
    safe, steps = empty_squares(s) & ~attacked(s, 1 - player), 0
    for direction in range(4):
        steps += popcount(shifted(down if direction < UP_RIGHT else up, direction) & safe)
    return steps


def attacked(s, player):
    """The empty squares on which this player would capture a piece: it is next to them, the square behind is empty."""
    down, up, empty = downward(s, player), upward(s, player), empty_squares(s)
    board = 0
    for direction in range(4):
        board |= shifted(down if direction < UP_RIGHT else up, direction) & shifted(empty, direction ^ 2)
    return board & empty


def trapped(s):
    """Kings without a safe step."""
    return weighed(s, difference(shut_in(s, 0), shut_in(s, 1)), -20, -15)


def shut_in(s, player):
    """The kings of a player that have no safe step."""
    safe, reach = empty_squares(s) & ~attacked(s, 1 - player), 0
    for direction in range(4):
        reach |= shifted(safe, direction)
    return s.kings & (s.black if player == 0 else s.white) & ~reach


def the_move(s):
    """Who has the move: whose pieces stop the other's when they come face to face.

    With equal numbers the player to go has it if an odd number of all pieces stands on every second row. It decides
    many endings.
    """
    if popcount(s.black) != popcount(s.white):
        return 0
    odd = popcount((s.black | s.white) & EVEN_ROWS) & 1
    return weighed(s, 1 if (odd == 1) == (s.player == 0) else -1, -6, 12)


PARTS = (men, kings, back_row, centre, edges, advancement, runaways, mobility, trapped, the_move)


def score(s):
    """The sum of all parts."""
    return (
        men(s) + kings(s) + back_row(s) + centre(s) + edges(s) + advancement(s) + runaways(s) + mobility(s)
        + trapped(s) + the_move(s)
    )  # fmt: skip
