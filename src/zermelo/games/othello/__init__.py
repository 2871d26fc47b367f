"""Othello: enclose discs of the other colour to turn them over; whoever has more discs at the end wins.

Black is player 0, written X, and begins. A disc is placed so that it and another of its colour enclose a line of the
other colour, upright, level or slanted; all discs so enclosed change their colour. Who cannot place a disc passes, and
the game ends when nobody can. `size` is 8, or 6 or 4 for small boards.

Action n places a disc on cell n, counted from a1 in the upper left corner row by row; the number after the last cell
is the pass, which is there only where no disc can be placed. See `moves` for the boards of bits.
"""

import math
from typing import Any, NamedTuple

from zermelo.bits import bit, lowest, popcount, u64, without_lowest
from zermelo.board_game import BoardGame, turned_cell
from zermelo.errors import BadParameter
from zermelo.games.othello import evaluation, notation
from zermelo.games.othello.moves import placements, turned, turned_over

SCALE = 150
"""The score that is worth 0.7 of a win, which is a chance of 85 %."""


class Othello(BoardGame, notation=notation):
    """Enclose discs to turn them over; most discs win."""

    size: int = 8

    bounds = (-1.0, 1.0)
    symmetry_count = 8
    advantage = 20

    class State(NamedTuple):
        """The discs of either side, and who moves."""

        black: u64
        white: u64
        player: int

    def validate(self) -> None:
        """Refuse boards of other sizes."""
        if self.size not in (4, 6, 8):
            raise BadParameter(f"{self.name}: size must be 4, 6 or 8, not {self.size}")

    @property
    def max_actions(self) -> int:
        """One for each cell but the four in the middle."""
        return self.size * self.size - 4

    @property
    def policy_size(self) -> int:
        """One entry for each cell, and one for the pass."""
        return self.size * self.size + 1

    def initial(self):
        upper = (self.size // 2 - 1) * (self.size + 1)
        lower = upper + self.size
        return self.State(bit(upper + 1) | bit(lower), bit(upper) | bit(lower + 1), 0)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
        cells = placements(mine, theirs, self.size)
        if cells == 0 and placements(theirs, mine, self.size) != 0:
            out[n] = self.size * self.size
            return n + 1
        while cells:
            out[n] = lowest(cells)
            n += 1
            cells = without_lowest(cells)
        return n

    def result(self, s, action):
        if action == self.size * self.size:
            return self.State(s.black, s.white, 1 - s.player)
        disc = bit(action)
        if s.player == 0:
            turned = turned_over(disc, s.black, s.white, self.size)
            return self.State(s.black | disc | turned, s.white ^ turned, 1)
        turned = turned_over(disc, s.white, s.black, self.size)
        return self.State(s.black ^ turned, s.white | disc | turned, 0)

    def utility(self, s, player):
        black, white = popcount(s.black), popcount(s.white)
        if black == white:
            return 0.0
        return 1.0 if (black > white) == (player == 0) else -1.0

    # --- symmetry: bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 rows and columns ----------------
    # Half of them turn the first position into one that play does not reach, but by which the rules hold as well.

    def transform(self, s, k):
        return self.State(turned(int(s.black), k, self.size), turned(int(s.white), k, self.size), s.player)

    def transform_action(self, action, k):
        if action == self.size * self.size:
            return action
        return turned_cell(action, k, self.size, self.size)

    # --- search ---------------------------------------------------------------------------------------------------

    def score(self, s):
        return evaluation.score(s, self.size)

    def expected(self, score):
        # An S-shaped curve that comes out the same to the last digit on all machines, as the logistic one does not.
        return score / math.sqrt(score * score + SCALE * SCALE)

    def evaluate(self, s):
        return self.expected(self.score(s))

    def fill_noisy(self, s, out, n):
        """Corners alone: taking one changes the worth of all around it."""
        mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
        cells = placements(mine, theirs, self.size) & evaluation.corner_cells(self.size)
        while cells:
            out[n] = lowest(cells)
            n += 1
            cells = without_lowest(cells)
        return n

    def is_noisy(self, s, action):
        return action < self.size * self.size and bit(action) & evaluation.corner_cells(self.size) != 0

    def order(self, s, action):
        """Corners first, then the edge, then the middle; the cells beside an empty corner last."""
        if action == self.size * self.size:
            return 0
        return evaluation.rank(s, bit(action), self.size)

    # --- people ---------------------------------------------------------------------------------------------------

    def explain(self, s: Any) -> dict[str, int]:
        """The parts of `score` by name: their sum is the score."""
        return {part.__name__: int(part(s, self.size)) for part in evaluation.PARTS}
