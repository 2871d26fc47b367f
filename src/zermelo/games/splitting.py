"""Splitting: a row of 2^depth cells, some of which win for player 0. In turn the players keep the left or the right
half of what is left; the last cell decides.

The game is there to show a pathology of search (Nau, 1982; Pearl, 1983). Each cell wins by itself, at odds that make
the whole game a close affair. The evaluation `share` counts the winning cells that are left. That is a fair guess; yet
a search that is deeper, but not deep enough to see the end, decides worse by it than a shallow one. Neighbouring cells
say nothing about each other, and each level that picks the largest or the smallest of such guesses adds to the error.
"""

from typing import NamedTuple

from zermelo.compile import hash64
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.running.evaluations import Evaluation

PARTS = 10_000
FAIR_MAX, FAIR_MIN = 3_820, 6_180
"""Of 10,000 cells so many win, where player 0 or player 1 chooses last: the golden section, and the rest of it."""


def share(game, s):
    """The winning cells that are left, on the way from none (-1) to all (1)."""
    wins = 0
    for cell in range(s.start, s.start + s.size):
        wins += game.wins(cell)
    return 2 * wins / s.size - 1


class Splitting(Game):
    """Keep the left or the right half, until one cell is left that wins or loses."""

    depth: int = 8
    seed: int = 0

    max_actions = 2
    bounds = (-1.0, 1.0)
    evaluations = {"share": Evaluation("the share of winning cells that are left", {"share": share}, {"share": 1})}

    class State(NamedTuple):
        start: int
        size: int
        player: int

    def validate(self) -> None:
        """Refuse rows that nobody can write down."""
        if not 1 <= self.depth <= 30:
            raise BadParameter(f"{self.name}: depth must be 1 to 30, not {self.depth}")

    def initial(self):
        return self.State(0, 1 << self.depth, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        if s.size > 1:
            yield 0
            yield 1

    def result(self, s, action):
        return self.State(s.start + action * (s.size // 2), s.size // 2, 1 - s.player)

    def is_terminal(self, s):
        return s.size == 1

    def utility(self, s, player):
        won = self.wins(s.start)
        return 1.0 if won == (player == 0) else -1.0

    def wins(self, cell):
        """Whether a cell wins for player 0."""
        drawn = (hash64((self.seed, cell)) >> 11) % PARTS
        return drawn < (FAIR_MAX if self.depth % 2 else FAIR_MIN)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """left or right."""
        return ("left", "right")[action]

    def text(self, s, player=None):
        """The cells that are left: + wins for player 0."""
        cells = "".join("+" if self.wins(cell) else "-" for cell in range(s.start, s.start + min(s.size, 64)))
        return cells + ("..." if s.size > 64 else "")
