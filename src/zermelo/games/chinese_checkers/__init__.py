"""Chinese checkers: bring all your marbles across the star into the opposite point before the others do.

Two, three, four or six play, each from one point of a six-pointed star. In turn a player moves one marble: to an empty
cell next to it, or by hops. A hop goes in a straight line over one marble next to it, whoever's, to the empty cell
right behind; from there it may hop on, as often as there is a way, and all of that is one action. Nothing is captured.
Who cannot move passes. `side` is that of the points, 4 on the common star; smaller ones have fewer marbles.

With `strict=True` marbles rest in the middle of the star, in their own point and in the opposite one alone, and one
that has come to the opposite point moves inside it only; hops may pass anywhere.

Who has all marbles in the opposite point wins: the winner gets 1, and the others lose it in equal shares. So that
nobody goes on for ever, or stays at home to keep others out, the game ends after `longest` moves of each player. Then
everybody gets half of how much further the own marbles have come than the others' on average, as a share of the way.

Action from * cells + to moves the marble, and action 0 is the pass. See `star` for the cells.
"""

import math
from typing import NamedTuple

from zermelo.bits import each, lowest, u64
from zermelo.board_game import BoardGame
from zermelo.compile import replace
from zermelo.errors import BadParameter
from zermelo.games.chinese_checkers import notation
from zermelo.games.chinese_checkers.star import (
    CELLS,
    HEIGHTS,
    MIRROR,
    NEIGHBOURS,
    NO_CELL,
    NO_CELLS,
    POINTS,
    RESTS,
    cells_of,
    common,
    has,
    union_of,
    with_cell,
    without_cell,
)

PASS = 0
STEEP = 8.0
"""A lead of an eighth of the way is worth 0.7 of a win."""


class ChineseCheckers(BoardGame, notation=notation):
    """Bring your marbles across the star, in steps and chains of hops."""

    players: int = 2
    side: int = 4
    strict: bool = True
    longest: int = 100

    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        """The marbles of each player, the height that each has climbed, who moves, and how many moves were made."""

        marbles: tuple[tuple[u64, u64], ...]
        climbed: tuple[int, ...]
        player: int
        moves: int

    def validate(self) -> None:
        """Refuse numbers of players for which the star has no seats, and other stars."""
        if self.players not in (2, 3, 4, 6):
            raise BadParameter(f"{self.name}: 2, 3, 4 or 6 play, not {self.players}")
        if self.side not in (2, 3, 4):
            raise BadParameter(f"{self.name}: side must be 2, 3 or 4, not {self.side}")
        if self.longest < 1:
            raise BadParameter(f"{self.name}: longest must be at least 1, not {self.longest}")

    @property
    def cells(self) -> int:
        """How many cells the star has."""
        return CELLS[self.side - 2]

    @property
    def number(self) -> int:
        """How many marbles each player has."""
        return self.side * (self.side + 1) // 2

    @property
    def way(self) -> int:
        """How high all marbles of a player climb together, from one point to the other."""
        return 4 * self.number * (2 * self.side + 1) // 3

    @property
    def max_actions(self) -> int:
        """Every marble to every empty cell."""
        return self.number * (self.cells - self.number * self.players)

    @property
    def policy_size(self) -> int:
        """From every cell to every cell."""
        return self.cells * self.cells

    def home(self, player):
        """The point from which a player starts."""
        return 6 * player // self.players

    def goal(self, player):
        """The opposite point, three further on."""
        return (self.home(player) + 3) % 6

    def initial(self):
        marbles = tuple(cells_of(POINTS, self.side, self.home(player)) for player in range(self.players))
        return self.State(marbles, (0,) * self.players, 0, 0)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        taken, start = union_of(s.marbles), n
        for word in range(2):
            for place in each(s.marbles[s.player][word]):
                n = self.fill_from(s, 64 * word + place, taken, out, n)
        if n == start:
            out[n] = PASS
            n += 1
        return n

    def fill_from(self, s, start, taken, out, n):
        """Write the moves of the marble on this cell."""
        ends = self.reached(start, without_cell(taken, start))
        if self.strict:
            ends = common(ends, self.rests(start, s.player))
        for word in range(2):
            for place in each(ends[word]):
                out[n] = start * self.cells + 64 * word + place
                n += 1
        return n

    def rests(self, start, player):
        """Where a marble of the player may rest that comes from this cell."""
        point = cells_of(POINTS, self.side, self.goal(player))
        return point if has(point, start) else cells_of(RESTS, self.side, self.goal(player))

    def reached(self, start, taken):
        """The empty cells that a marble reaches by a step or by hops, while it is off the board itself."""
        layer = self.side - 2
        seen = ends = with_cell(NO_CELLS, start)
        while ends[0] | ends[1]:
            cell = lowest(ends[0]) if ends[0] else 64 + lowest(ends[1])
            ends = without_cell(ends, cell)
            for direction in range(6):
                over = NEIGHBOURS[layer, cell, direction]
                if over == NO_CELL or not has(taken, over):
                    continue
                end = NEIGHBOURS[layer, over, direction]
                if end != NO_CELL and not has(taken, end) and not has(seen, end):
                    seen, ends = with_cell(seen, end), with_cell(ends, end)
        for direction in range(6):
            end = NEIGHBOURS[layer, start, direction]
            if end != NO_CELL and not has(taken, end):
                seen = with_cell(seen, end)
        return without_cell(seen, start)

    def result(self, s, action):
        following = (s.player + 1) % self.players
        if action == PASS:
            return self.State(s.marbles, s.climbed, following, s.moves + 1)
        start, end = action // self.cells, action % self.cells
        own = with_cell(without_cell(s.marbles[s.player], start), end)
        height = s.climbed[s.player] + self.gain(s, action)
        return self.State(
            replace(s.marbles, s.player, own), replace(s.climbed, s.player, height), following, s.moves + 1
        )

    def gain(self, s, action):
        """How much higher the marble comes."""
        layer, goal = self.side - 2, self.goal(s.player)
        return HEIGHTS[layer, action % self.cells, goal] - HEIGHTS[layer, action // self.cells, goal]

    def is_terminal(self, s):
        # Only who moved last can have brought the last marble home.
        last = (s.player + self.players - 1) % self.players
        return s.climbed[last] == self.way or s.moves >= self.longest * self.players

    def utility(self, s, player):
        last = (s.player + self.players - 1) % self.players
        if s.climbed[last] == self.way:
            return 1.0 if player == last else -1.0 / (self.players - 1)
        return 0.5 * self.lead(s, player)

    def lead(self, s, player):
        """How much further the player has come than the others on average, as a share of the whole way."""
        others = sum(height for height in s.climbed) - s.climbed[player]
        return (s.climbed[player] - others / (self.players - 1)) / self.way

    # --- search ---------------------------------------------------------------------------------------------------

    def evaluate(self, s, player):
        lead = STEEP * self.lead(s, player)
        return lead / math.sqrt(lead * lead + 1.0)

    def order(self, s, action):
        """Moves that climb most come first."""
        return 0 if action == PASS else self.gain(s, action)

    def prior(self, s, action):
        """The higher a move climbs the more promising it looks."""
        gain = 0 if action == PASS else self.gain(s, action)
        return 1.0 + gain if gain > 0 else 1.0 / (1.0 - gain)

    # --- symmetry: k = 1 mirrors left and right, where only the upper and the lower point play ---------------------

    @property
    def symmetry_count(self) -> int:
        """2 for two players, or else 1."""
        return 2 if self.players == 2 else 1

    def transform(self, s, k):
        if k == 0:
            return s
        return self.State((self.mirrored(s.marbles[0]), self.mirrored(s.marbles[1])), s.climbed, s.player, s.moves)

    def mirrored(self, board):
        """The board with left and right exchanged."""
        out = NO_CELLS
        for word in range(2):
            for place in each(board[word]):
                out = with_cell(out, MIRROR[self.side - 2, 64 * word + place, 0])
        return out

    def transform_action(self, action, k):
        if k == 0 or action == PASS:
            return action
        layer = self.side - 2
        return MIRROR[layer, action // self.cells, 0] * self.cells + MIRROR[layer, action % self.cells, 0]
