"""Checkers, or English draughts: capture the other side's pieces, or leave it without a move.

Black is player 0 and begins; twelve men a side stand on the dark squares of an 8 x 8 board. A man goes one step
forward on the diagonal, a king one step any way. A piece next to an enemy with an empty square right behind it jumps
there and captures the enemy; it goes on jumping as long as it can, and all of that is one action. Whoever can capture
must, but may choose how. A man that reaches the last row becomes a king, and its turn ends. Who cannot move has lost.

A position that comes up for the third time is a draw, and so is the game after `draw_after` actions (forty moves of
each side) in which only kings moved and nothing was captured.

See `moves` for the board of bits and for what an action is.
"""

import math
from typing import Any, NamedTuple

from zermelo.bits import lowest
from zermelo.board_game import BoardGame
from zermelo.compile import hash64
from zermelo.errors import BadParameter
from zermelo.games.checkers import evaluation, notation
from zermelo.games.checkers.moves import (
    FIRST,
    LAST,
    PATH,
    ROWS,
    can_move,
    captures,
    destination,
    is_crowning,
    other,
    own,
    shifted,
    square_of,
    write_legal,
)

SCALE = 185
"""The score that is worth 0.7 of a win, which is a chance of 85 %."""


class Checkers(BoardGame, notation=notation):
    """English draughts on 8 x 8 squares: capture them all, or block them."""

    draw_after: int = 80

    max_actions = 68
    bounds = (-1.0, 1.0)
    repetition = ("draw", 3)
    advantage = 50

    class State(NamedTuple):
        """The pieces of either side, the kings of both, who moves, and for how long only kings have moved."""

        black: int
        white: int
        kings: int
        player: int
        quiet: int

    def validate(self) -> None:
        """Refuse games that are drawn before they begin."""
        if self.draw_after < 1:
            raise BadParameter(f"{self.name}: draw_after must be at least 1, not {self.draw_after}")

    def initial(self):
        return self.State(ROWS[0] | ROWS[1] | ROWS[2], ROWS[5] | ROWS[6] | ROWS[7], 0, 0, 0)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        return write_legal(s, out, n, False)

    def result(self, s, action):
        here, path, count = 1 << (action & 63), action >> PATH, captures(action)
        mine, theirs = own(s) ^ here, other(s)
        was_king = s.kings & here
        quiet = 0
        if count == 0:
            here = shifted(here, path)
            if was_king:
                quiet = s.quiet + 1
        for _ in range(count):
            over = shifted(here, path & 3)
            here = shifted(over, path & 3)
            theirs ^= over
            path >>= 2
        mine |= here
        kings = s.kings & (mine | theirs)
        if was_king or here & (FIRST | LAST):
            kings |= here
        if s.player == 0:
            return self.State(mine, theirs, kings, 1, quiet)
        return self.State(theirs, mine, kings, 0, quiet)

    def is_over(self, s):
        return s.quiet >= self.draw_after

    def utility(self, s, player):
        if can_move(s):
            return 0.0
        return -1.0 if player == s.player else 1.0

    # --- repetition and search ------------------------------------------------------------------------------------

    def key(self, s):
        """The position: how long only kings have moved is no part of it."""
        return hash64((s.black, s.white, s.kings, s.player))

    def reversible(self, s):
        """What men and captures have done cannot come again."""
        return s.quiet

    def fill_noisy(self, s, out, n):
        """Captures, and men that become kings."""
        return write_legal(s, out, n, True)

    def is_noisy(self, s, action):
        return captures(action) > 0 or is_crowning(s, action)

    def order(self, s, action):
        return 2 * captures(action) + (1 if is_crowning(s, action) else 0)

    def score(self, s):
        return evaluation.score(s)

    def expected(self, score):
        # An S-shaped curve that comes out the same to the last digit on all machines, as the logistic one does not.
        return score / math.sqrt(score * score + SCALE * SCALE)

    def evaluate(self, s):
        return self.expected(self.score(s))

    @property
    def policy_size(self) -> int:
        """For each square four steps, and jumps in four first directions to eight squares."""
        return 32 * 36

    def policy_index(self, s, action):
        """Steps by direction; jumps by first direction and last square. Jumps of three and more may share one."""
        start, direction = square_of(action & 63), action >> PATH & 3
        if captures(action) == 0:
            return 36 * start + direction
        # Jumps from one square end on eight: on every second row, on every second of its squares.
        last = square_of(lowest(destination(action)))
        return 36 * start + 4 + 4 * (last // 8 * 2 + last % 4 // 2) + direction

    @property
    def history_size(self) -> int:
        """For each square four steps and four first jumps."""
        return 32 * 8

    def history_index(self, s, action):
        jump = 1 if captures(action) > 0 else 0
        return 8 * square_of(action & 63) + 2 * (action >> PATH & 3) + jump

    # --- people ---------------------------------------------------------------------------------------------------

    def explain(self, s: Any) -> dict[str, int]:
        """The parts of `score` by name: their sum is the score."""
        return {part.__name__: part(s) for part in evaluation.PARTS}
