"""Scores: integers in which the engine computes, from utilities and estimates and back.

There are two kinds. Where a game estimates in units of its own (`score`) these are the scores, and utilities between
the least and the greatest are laid among them. Everywhere else the score of a number is its place among all floats, so
that payoffs of any scale, and estimates of any other, are told apart as well as floats tell them apart.
"""

from zermelo.compile import kernel
from zermelo.compile.memory import float_to_word, word_to_float

MAX_PLY = 246
"""No search goes deeper."""
WIN = 0x7FF8 << 48
"""The score of a win here and now; one that is n moves away scores n less: wins are hastened, losses delayed."""
SURE = WIN - 10_000
"""Scores beyond this are wins that can be forced. Every float has a score that is smaller (`ordinal`)."""
LARGEST = 900_000
"""Estimates in a game's own units lie within this."""
SHOWN_WIN = 1_000_000
SHOWN_SURE = SHOWN_WIN - 10_000
"""What people are shown instead of WIN and SURE, and what the table keeps where scores are in a game's own units."""
INFINITE = WIN + 1
UNKNOWN = -INFINITE
"""The estimate of a position in check: there is none."""
RANGE = 800_000.0
"""Half of the range between the least and the greatest utility, as a score in a game's own units."""


@kernel
def side_of(game, s):
    """1 where player 0 moves, -1 where the other does: scores are the mover's."""
    return 1 if game.to_move(s) == 0 else -1


@kernel
def keeps_turn(game, after, mover):
    """Whether the player who moved counts as the one to move again; at an end anybody may stand there."""
    return (game.to_move(after) == 0) == (mover == 0)


@kernel
def ordinal(x):
    """The place of a float among all floats, counted from 0: greater for greater ones, and less than any win."""
    word = float_to_word(abs(x))
    return word if x >= 0.0 else -word


def float_at(place: int) -> float:
    """The float at a place."""
    return word_to_float(place) if place >= 0 else -word_to_float(-place)


@kernel
def laid(x, low, high):
    """A utility between the least and the greatest among scores in the game's own units."""
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    share = (x - middle) / half
    return int(share * RANGE + (0.5 if share >= 0.0 else -0.5))


@kernel
def utility_of(score, low, high):
    """The utility that such a score stands for."""
    return (low + high) / 2.0 + score / RANGE * ((high - low) / 2.0)


@kernel
def score_of_utility(setup, x, low, high, wins):
    """Player 0's utility as a score; with `wins` the least is a loss and the greatest a win."""
    if wins and x >= high:
        return WIN
    if wins and x <= low:
        return -WIN
    return laid(x, low, high) if setup.own_units else ordinal(x)
