"""Checkers on the points of a backgammon board, and where they can go: boards of bits.

Points are numbered 1 to 24 as White counts them; White goes down from 24 to 1, Black goes up. Bit 25 is the bar where
White's checkers wait to enter, bit 0 the bar of Black's. A checker that has left the board is counted nowhere.

The checkers of one side are four boards. Bit p of the first says whether the number of checkers on point p has a one
in it, that of the second whether it has a two, then a four, then an eight: the number in binary, upright. So the points
that a side holds with two checkers or more are three boards put together, and all of them are seen at once.
"""

from zermelo.bits import highest, lowest

OPENING, THROW, MOVE, OFFER, ANSWER, DROPPED, OVER = range(7)
"""What happens next: the first throw, a throw, a checker's move, a choice to double, an answer to it; or two ends."""
PASS, ROLL, DOUBLE, TAKE, DROP = range(150, 155)
"""Actions after the 150 that move a checker from one of 25 points by one of six numbers."""
BOTH = -1
"""The owner of a cube that nobody has turned yet."""
LAST_STAKE = 64

WHITE_BAR, BLACK_BAR = 1 << 25, 1
POINTS = (1 << 25) - 2
WHITE_HOME, BLACK_HOME = 0b1111110, 0b1111110 << 18
FIRST_WHITE = (1 << 13 | 1 << 8 | 1 << 6, 1 << 24 | 1 << 8, 1 << 13 | 1 << 6, 0)
"""Two checkers on 24, five on 13, three on 8, five on 6."""
FIRST_BLACK = (1 << 12 | 1 << 17 | 1 << 19, 1 << 1 | 1 << 17, 1 << 12 | 1 << 19, 0)


# --- the checkers of one side -----------------------------------------------------------------------------------------


def occupied(side):
    """The points with a checker, the bar included."""
    return side[0] | side[1] | side[2] | side[3]


def held(side):
    """The points with two checkers or more."""
    return side[1] | side[2] | side[3]


def blots(side):
    """The points with one checker, the bar left out."""
    return side[0] & ~held(side) & POINTS


def checkers_on(side, point):
    """How many checkers stand on a point."""
    return (side[0] >> point & 1) + 2 * (side[1] >> point & 1) + 4 * (side[2] >> point & 1) + 8 * (side[3] >> point & 1)


def with_checker(side, place):
    """The side with one checker more on the point of this bit: add one, and carry."""
    ones, twos, fours, eights = side
    to_two = place & ones
    to_four = to_two & twos
    return ones ^ place, twos ^ to_two, fours ^ to_four, eights ^ to_four & fours


def without_checker(side, place):
    """The side with one checker less: take one away, and borrow."""
    ones, twos, fours, eights = side
    from_two = place & ~ones
    from_four = from_two & ~twos
    return ones ^ place, twos ^ from_two, fours ^ from_four, eights ^ from_four & ~fours


# --- where they can go ------------------------------------------------------------------------------------------------
# `here` are the points with checkers of the player to move, `blocked` those that the opponent holds.


def own_point(point, player):
    """The number of a point as the player counts: 1 is the last before the checkers leave, 25 the bar."""
    return point if player == 0 else 25 - point


def steppers(here, blocked, die, player):
    """The points from which a checker can go on to another point by this number; from the bar first of all."""
    free = POINTS & ~blocked
    if player == 0:
        return (here & WHITE_BAR or here) & free << die
    return (here & BLACK_BAR or here) & free >> die


def leavers(here, die, player):
    """The point from which a checker can leave the board by this number, as a board; 0 where there is none.

    All must be at home. The number itself counts, and if all stand on lower points, the highest of these.
    """
    home = WHITE_HOME if player == 0 else BLACK_HOME
    if here == 0 or here & ~home:
        return 0
    if player == 0:
        return here & 1 << min(die, highest(here))
    return here & 1 << max(25 - die, lowest(here))


def movers(here, blocked, die, player):
    """All points from which a checker can move by this number."""
    return steppers(here, blocked, die, player) | leavers(here, die, player)


def target(point, die, player):
    """The board with the point where a checker comes to; 0 where it leaves."""
    if player == 0:
        return 1 << point - die if point > die else 0
    return 1 << point + die & POINTS


def goes_on(mine, blocked, point, die, other, player):
    """Whether the other number can be played after this one, from this point."""
    here = occupied(mine) | target(point, die, player)
    if not held(mine) >> point & 1:
        here &= ~(1 << point)
    return movers(here, blocked, other, player) != 0
