"""Where checkers move: the board as bits, and the legal actions written straight into memory.

Squares are numbered 1 to 32 as on score sheets, from Black's left to right, row by row. Square n is bit
n - 1 + (n - 1) // 8: after every second row one bit stays empty, so that a step to the next row is a shift by 4 or 5
from everywhere, and a piece that would leave the board lands on a bit that belongs to nobody.

An action holds the bit that the piece leaves (6 bits), how many pieces it captures (4 bits), and the directions in
which it goes, the first one lowest (2 bits each): one for a step, one for each capture of a jump.
"""

from zermelo.bits import lowest

DOWN_LEFT, DOWN_RIGHT, UP_RIGHT, UP_LEFT = range(4)
"""Directions as White sees the board, with square 1 near the upper left corner. Black's men go down."""
LEFT, RIGHT = (4, 5, 0, 0), (0, 0, 4, 5)
"""How far each direction shifts a board."""
COUNT, PATH = 6, 10
"""The bits of an action at which the number of captures and the directions begin."""
LONGEST = 9
"""No jump captures more: from any square, a king's jumps run along nine diagonals at most."""

BOARD = sum(1 << (square + square // 8) for square in range(32))
ROWS = tuple(BOARD & 0b1111 << (4 * row + row // 2) for row in range(8))
FIRST, LAST = ROWS[0], ROWS[7]


def shifted(board, direction):
    """The board with every piece one step further."""
    return board << LEFT[direction] >> RIGHT[direction]


def square_of(place):
    """The square at a bit, counted from 0."""
    return place - place // 9


def own(s):
    """The pieces of the player to move."""
    return s.black if s.player == 0 else s.white


def other(s):
    """The pieces of the opponent."""
    return s.white if s.player == 0 else s.black


def downward(s, player):
    """The pieces of a player that may go down the board: Black's all, of White's the kings."""
    return s.black if player == 0 else s.white & s.kings


def upward(s, player):
    """The pieces of a player that may go up the board."""
    return s.black & s.kings if player == 0 else s.white


def empty_squares(s):
    """The squares on which nobody stands."""
    return BOARD & ~(s.black | s.white)


def steppers(down, up, empty, direction):
    """Of the pieces that go down and those that go up, the ones with an empty square next to them."""
    return (down if direction < UP_RIGHT else up) & shifted(empty, direction ^ 2)


def jumpers(down, up, theirs, empty, direction):
    """The ones with a piece to jump over and an empty square behind it."""
    return (down if direction < UP_RIGHT else up) & shifted(theirs & shifted(empty, direction ^ 2), direction ^ 2)


def all_jumpers(down, up, theirs, empty):
    """The pieces that can capture."""
    return (
        jumpers(down, up, theirs, empty, DOWN_LEFT)
        | jumpers(down, up, theirs, empty, DOWN_RIGHT)
        | jumpers(down, up, theirs, empty, UP_RIGHT)
        | jumpers(down, up, theirs, empty, UP_LEFT)
    )


def can_move(s):
    """Whether the player to move has a legal action."""
    down, up, empty = downward(s, s.player), upward(s, s.player), empty_squares(s)
    steps = steppers(down, up, empty, DOWN_LEFT) | steppers(down, up, empty, DOWN_RIGHT)
    steps |= steppers(down, up, empty, UP_RIGHT) | steppers(down, up, empty, UP_LEFT)
    return (steps | all_jumpers(down, up, other(s), empty)) != 0


def must_capture(s):
    """Whether the player to move can capture, and so has to."""
    return all_jumpers(downward(s, s.player), upward(s, s.player), other(s), empty_squares(s)) != 0


def write_legal(s, out, n, noisy):
    """Write the legal actions: the jumps where there are any, else the steps; or the noisy ones alone."""
    down, up = downward(s, s.player), upward(s, s.player)
    theirs, empty = other(s), empty_squares(s)
    pieces = all_jumpers(down, up, theirs, empty)
    if pieces:
        while pieces:
            square = lowest(pieces)
            here = 1 << square
            n = write_jumps(out, n, square, here, here & down, here & up, theirs, empty | here, 0)
            pieces &= pieces - 1
        return n
    if noisy:
        down &= ROWS[6] & ~s.kings
        up &= ROWS[1] & ~s.kings
    for direction in range(4):
        pieces = steppers(down, up, empty, direction)
        while pieces:
            out[n] = lowest(pieces) | direction << PATH
            n += 1
            pieces &= pieces - 1
    return n


def write_jumps(out, n, action, here, down, up, theirs, empty, count):
    """Write every way to jump on from the square `here`; where there is none, the jump that led there.

    `down` and `up` are not 0 where the piece may go that way. A man that has come to the last row stops by itself: it
    is no king yet, and there is no row before it.
    """
    before = n
    for direction in range(4):
        if down if direction < UP_RIGHT else up:
            over = shifted(here, direction) & theirs
            to = shifted(over, direction) & empty
            if to:
                longer = action | direction << PATH + 2 * count
                n = write_jumps(out, n, longer, to, down, up, theirs ^ over, empty, count + 1)
    if n == before and count > 0:
        out[n] = action | count << COUNT
        n += 1
    return n


def captures(action):
    """How many pieces the action captures."""
    return action >> COUNT & 15


def destination(action):
    """The square where the piece stands afterwards, as a board."""
    here = 1 << (action & 63)
    path = action >> PATH
    if captures(action) == 0:
        return shifted(here, path)
    for _ in range(captures(action)):
        here = shifted(shifted(here, path & 3), path & 3)
        path >>= 2
    return here


def is_crowning(s, action):
    """Whether a man becomes a king."""
    return s.kings >> (action & 63) & 1 == 0 and destination(action) & (FIRST | LAST) != 0
