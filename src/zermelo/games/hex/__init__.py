"""Hex: join your two sides of the board by an unbroken chain of stones.

Red is player 0, begins, and wants to join top and bottom; Blue is player 1 and wants to join left and right. In turn
each puts a stone on an empty cell; stones never move. A cell has six neighbours: two in its own row, two in the row
above it and two in the row below. One of the players always succeeds, never both, and without further rules it is Red
who can force it. With `swap=True` Blue may answer Red's first stone by taking it over: it becomes a blue one, mirrored
so that it is worth to Blue what it was worth to Red.

Action n puts a stone on cell n, counted from a1 in the upper left corner row by row; the number after the last cell
is the swap. See `boards` for the boards of bits.
"""

import math
from functools import cached_property
from typing import NamedTuple

from zermelo.bits import bit, each, lowest, popcount, u64, without_lowest
from zermelo.board_game import BoardGame
from zermelo.compile import freeze, thaw
from zermelo.compile.random import below, stream, word
from zermelo.errors import BadParameter
from zermelo.games.hex import notation
from zermelo.games.hex.boards import board_of, common, joined, near, overlap, with_bit

NOBODY = -1


class Hex(BoardGame, notation=notation):
    """Join your two sides of the board; the other wants to join the two others."""

    size: int = 11
    swap: bool = False

    bounds = (-1.0, 1.0)
    symmetry_count = 2

    class State(NamedTuple):
        """The stones of both, those of Red joined to the top and of Blue to the left, who moves, and who has won."""

        red: tuple[u64, ...]
        blue: tuple[u64, ...]
        from_top: tuple[u64, ...]
        from_left: tuple[u64, ...]
        player: int
        winner: int

    def validate(self) -> None:
        """Refuse boards that are too small or too large."""
        if not 2 <= self.size <= 19:
            raise BadParameter(f"{self.name}: size must be 2 to 19, not {self.size}")

    @property
    def max_actions(self) -> int:
        """One for each cell, and the swap."""
        return self.size * self.size + self.swap

    # The four sides, as boards.

    @cached_property
    def top(self) -> tuple[u64, ...]:
        """The first row."""
        return board_of(list(range(self.size)), self.size)

    @cached_property
    def bottom(self) -> tuple[u64, ...]:
        """The last row."""
        first = (self.size - 1) * (self.size + 1)
        return board_of(list(range(first, first + self.size)), self.size)

    @cached_property
    def left(self) -> tuple[u64, ...]:
        """The first column."""
        return board_of([row * (self.size + 1) for row in range(self.size)], self.size)

    @cached_property
    def right(self) -> tuple[u64, ...]:
        """The last column."""
        return board_of([row * (self.size + 1) + self.size - 1 for row in range(self.size)], self.size)

    @cached_property
    def cells(self) -> tuple[u64, ...]:
        """All cells."""
        places = [row * (self.size + 1) + col for row in range(self.size) for col in range(self.size)]
        return board_of(places, self.size)

    @cached_property
    def empty(self) -> tuple[u64, ...]:
        """No cell."""
        return board_of([], self.size)

    def initial(self):
        return self.State(self.empty, self.empty, self.empty, self.empty, 0, NOBODY)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        for i in range(len(s.red)):
            free = self.cells[i] & ~(s.red[i] | s.blue[i])
            while free:
                place = 64 * i + lowest(free)
                out[n] = place - place // (self.size + 1)
                n += 1
                free = without_lowest(free)
        if self.swap and self.can_swap(s):
            out[n] = self.size * self.size
            n += 1
        return n

    def can_swap(self, s):
        """Whether Red has put the first stone and Blue has not answered it."""
        return s.player == 1 and stones(s.red) == 1 and stones(s.blue) == 0

    def result(self, s, action):
        if action == self.size * self.size:
            return self.swapped(s)
        place = action + action // self.size
        if s.player == 0:
            red = with_bit(s.red, place)
            from_top = self.linked(s.from_top, red, self.top, place)
            winner = 0 if overlap(from_top, self.bottom) else NOBODY
            return self.State(red, s.blue, from_top, s.from_left, 1, winner)
        blue = with_bit(s.blue, place)
        from_left = self.linked(s.from_left, blue, self.left, place)
        winner = 1 if overlap(from_left, self.right) else NOBODY
        return self.State(s.red, blue, s.from_top, from_left, 0, winner)

    def linked(self, linked, mine, side, place):
        """The stones joined to a side, after one more has been put at this place."""
        i, stone = place >> 6, bit(place)
        if (side[i] | near(linked, i, self.size)) & stone == 0:
            return linked
        return joined(with_bit(linked, place), mine, self.size)

    def swapped(self, s):
        """The first stone as a blue one, mirrored in the line from a1 to the opposite corner."""
        place = 0
        for i in range(len(s.red)):
            if s.red[i] != 0:
                place = 64 * i + lowest(s.red[i])
        row, col = place // (self.size + 1), place % (self.size + 1)
        blue = with_bit(self.empty, col * (self.size + 1) + row)
        return self.State(self.empty, blue, self.empty, common(blue, self.left), 0, NOBODY)

    def is_over(self, s):
        return s.winner != NOBODY

    def utility(self, s, player):
        return 1.0 if player == s.winner else -1.0

    # --- sampling and search --------------------------------------------------------------------------------------

    @property
    def rollout_words(self) -> int:
        """A word for each action, and the list of the empty cells."""
        return 2 * self.max_actions

    def rollout(self, s, seed, memory, start):
        """Fill the board at random and see who has won: that does not depend on the order of the stones.

        Half of the empty cells, drawn one by one, are those of the player to move, the rest the other's.
        """
        cells = start + self.max_actions
        for action in range(self.max_actions):
            memory[start + action] = 0
        if s.winner != NOBODY:
            return self.utility(s, 0)
        count = 0
        for i in range(len(s.red)):
            free = self.cells[i] & ~(s.red[i] | s.blue[i])
            while free:
                memory[cells + count] = 64 * i + lowest(free)
                count += 1
                free = without_lowest(free)
        key, bits, red = stream(seed, 0), u64(0), thaw(s.red)
        mine = (count + 1) // 2
        for k in range(mine):
            bits = word(key, k >> 1) if k & 1 == 0 else bits << 32
            other = k + below(bits, count - k)
            chosen = memory[cells + other]
            memory[cells + other] = memory[cells + k]
            memory[cells + k] = chosen
        for k in range(count):
            place = memory[cells + k]
            player = s.player if k < mine else 1 - s.player
            memory[start + place - place // (self.size + 1)] = 1 + player
            if player == 0:
                red[place >> 6] = red[place >> 6] | bit(place)
        everything = freeze(red)
        reached = joined(common(everything, self.top), everything, self.size)
        return 1.0 if overlap(reached, self.bottom) else -1.0

    def evaluate(self, s):
        """By how many stones Red is nearer to a chain than Blue; whose turn it is counts half a stone."""
        ahead = self.missing(s.blue, s.red, self.left, self.right) - self.missing(s.red, s.blue, self.top, self.bottom)
        lead = ahead + (0.5 if s.player == 0 else -0.5)
        return lead / math.sqrt(lead * lead + 4.0)

    def missing(self, mine, theirs, side, goal):
        """How many more stones the shortest chain from one side to its goal needs."""
        reached, count = joined(common(mine, side), mine, self.size), 0
        while not overlap(reached, goal) and count < self.size * self.size:
            grown, allowed = thaw(reached), thaw(mine)
            for i in range(len(grown)):
                grown[i] = grown[i] | (near(reached, i, self.size) | side[i]) & self.cells[i] & ~theirs[i]
                allowed[i] = allowed[i] | grown[i]
            reached = joined(freeze(grown), freeze(allowed), self.size)
            count += 1
        return count

    # --- symmetry: k = 1 turns the board by half a turn -----------------------------------------------------------

    def transform(self, s, k):
        if k == 0:
            return s
        red, blue = self.turned(s.red), self.turned(s.blue)
        from_top = joined(common(red, self.top), red, self.size)
        from_left = joined(common(blue, self.left), blue, self.size)
        return self.State(red, blue, from_top, from_left, s.player, s.winner)

    def turned(self, board):
        """The board after half a turn."""
        last, out = self.size * (self.size + 1) - 2, thaw(self.empty)
        for i in range(len(board)):
            for place in each(board[i]):
                other = last - 64 * i - place
                out[other >> 6] = out[other >> 6] | bit(other)
        return freeze(out)

    def transform_action(self, action, k):
        if k == 0 or action == self.size * self.size:
            return action
        return self.size * self.size - 1 - action


def stones(board):
    """How many stones a board has."""
    count = 0
    for i in range(len(board)):
        count += popcount(board[i])
    return count
