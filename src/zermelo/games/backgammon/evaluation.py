"""What a position of backgammon is worth to White, in thousandths; 1,000 are worth seven tenths of a stake.

The estimate is a sum of named parts, White's less Black's. Each part sees the board as the owner of one side does:
`mine` are the own checkers, `theirs` the opponent's, and point 1 is the last before the own checkers leave. The weights
were tried out in games that the program played against itself.
"""

import math

from zermelo.bits import highest, lowest, popcount
from zermelo.games.backgammon.moves import OPENING, POINTS, WHITE_HOME, blots, checkers_on, held, occupied

SCALE = 1000
HOME, FAR_HOME = WHITE_HOME, WHITE_HOME << 18
"""The points 1 to 6, and those from 19 to 24, which are the opponent's home."""
KEY_POINTS = 1 << 4 | 1 << 5 | 1 << 7
BAR = 25
BINARY = tuple(sum(1 << point for point in range(26) if point >> k & 1) for k in range(5))
"""The points whose number has a one, a two, a four, an eight or a sixteen in it."""
BITS, PAIRS, FOURS, BYTES, HALF = 0x5555_5555, 0x3333_3333, 0x0F0F_0F0F, 0x00FF_00FF, 0xFFFF


# --- boards -----------------------------------------------------------------------------------------------------------


def mirrored(board):
    """The board as the other side counts its points: point p is 25 - p."""
    board = board >> 1 & BITS | (board & BITS) << 1
    board = board >> 2 & PAIRS | (board & PAIRS) << 2
    board = board >> 4 & FOURS | (board & FOURS) << 4
    board = board >> 8 & BYTES | (board & BYTES) << 8
    return (board >> 16 | (board & HALF) << 16) >> 6


def as_black(side):
    """The side as Black counts its points."""
    return mirrored(side[0]), mirrored(side[1]), mirrored(side[2]), mirrored(side[3])


def checkers(side):
    """How many checkers are on the board or the bar."""
    return popcount(side[0]) + 2 * popcount(side[1]) + 4 * popcount(side[2]) + 8 * popcount(side[3])


def distance(board):
    """The sum of the numbers of all points on a board."""
    low = popcount(board & BINARY[0]) + 2 * popcount(board & BINARY[1]) + 4 * popcount(board & BINARY[2])
    return low + 8 * popcount(board & BINARY[3]) + 16 * popcount(board & BINARY[4])


def pips(side):
    """How far all checkers have to go."""
    return distance(side[0]) + 2 * distance(side[1]) + 4 * distance(side[2]) + 8 * distance(side[3])


def in_reach(theirs):
    """The points that the opponent hits with one number of the dice: one to six beyond a checker."""
    here = occupied(theirs)
    beyond = here << 1 | here << 2 | here << 3
    return beyond | beyond << 3


def have_passed(mine, theirs):
    """Whether all checkers have passed each other, so that only the dice decide."""
    return highest(occupied(mine)) < lowest(occupied(theirs))


# --- parts ------------------------------------------------------------------------------------------------------------


def race(mine, theirs):
    """The way to go, which counts most when the sides have passed each other, and the checkers that are off."""
    if have_passed(mine, theirs):
        return 260 * (15 - checkers(mine)) - 57 * pips(mine)
    return -14 * pips(mine)


def on_the_bar(mine, theirs):
    """Checkers on the bar: the worse, the more points the opponent holds at home."""
    return -checkers_on(mine, BAR) * (40 + 25 * popcount(held(theirs) & FAR_HOME))


def exposed(mine, theirs):
    """Single checkers that can be hit at once."""
    in_danger = blots(mine) & in_reach(theirs)
    harm = 22 + 10 * popcount(held(theirs) & FAR_HOME)
    return -harm * popcount(in_danger) - 18 * popcount(in_danger & HOME)


def home_points(mine, theirs):
    """Points held at home, where the opponent must enter, and those that are most worth holding."""
    if have_passed(mine, theirs):
        return 0
    return 60 * popcount(held(mine) & HOME) + 60 * popcount(held(mine) & KEY_POINTS)


def primes(mine, theirs):
    """Points held in a row of three and more: nobody jumps over six."""
    hold = held(mine) & POINTS if not have_passed(mine, theirs) else 0
    three = hold & hold >> 1 & hold >> 2
    four = three & hold >> 3
    five = four & hold >> 4
    return 40 * popcount(three) + 40 * popcount(four) + 40 * popcount(five) + 60 * popcount(five & hold >> 5)


def back_checkers(mine, theirs):
    """Checkers in the opponent's home: bad in the long run, but not so bad where two hold a point together."""
    return 35 * popcount(held(mine) & FAR_HOME) - 20 * popcount(occupied(mine) & FAR_HOME)


def stacks(mine, theirs):
    """Four checkers or more on one point, which are missing elsewhere."""
    if have_passed(mine, theirs):
        return 0
    return -20 * popcount(mine[2] | mine[3]) - 60 * popcount(mine[3])


PARTS = (race, on_the_bar, exposed, home_points, primes, back_checkers, stacks)


def side_score(mine, theirs):
    """The sum of all parts for one side."""
    return (
        race(mine, theirs) + on_the_bar(mine, theirs) + exposed(mine, theirs) + home_points(mine, theirs)
        + primes(mine, theirs) + back_checkers(mine, theirs) + stacks(mine, theirs)
    )  # fmt: skip


def turn(s):
    """Who throws next is half a throw ahead."""
    if s.phase == OPENING:
        return 0
    return 82 if s.player == 0 else -82


def score(s):
    """White's parts less Black's."""
    return side_score(s.white, s.black) - side_score(as_black(s.black), as_black(s.white)) + turn(s)


def estimate(s):
    """The score as a share of the stake: an S-shaped curve that is the same to the last digit on all machines."""
    points = score(s)
    return points / math.sqrt(points * points + SCALE * SCALE)
