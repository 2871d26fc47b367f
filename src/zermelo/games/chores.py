"""Chores: two people take turns to choose from a list of chores until none is left; each chore takes either of them its
own number of hours. Both get the same: they lose the hours until the last of them is done.

If the utilities are the same, the players cooperate without a word about it: each does what is best for itself, and
that is best for both.
"""

from typing import NamedTuple

from zermelo.contract import Game
from zermelo.errors import BadParameter

NAMES = ("dishes", "laundry", "shopping", "garden", "windows", "taxes", "cooking", "repairs")


class Chores(Game):
    """Divide the chores in turn; what counts for both is when all of it is done."""

    hours: tuple[tuple[int, int], ...] = ((1, 4), (2, 3), (5, 1), (3, 3))
    """For each chore the hours that it takes player 0 and player 1."""

    max_actions = len(NAMES)

    class State(NamedTuple):
        done: int  # a bit for each chore that is taken
        spent: tuple[int, int]  # each player's hours
        player: int

    def validate(self) -> None:
        """Refuse lists that are too long, and hours below 0."""
        if not 1 <= len(self.hours) <= len(NAMES):
            raise BadParameter(f"{self.name}: hours must name 1 to {len(NAMES)} chores, not {len(self.hours)}")
        if any(len(pair) != 2 or min(pair) < 0 for pair in self.hours):
            raise BadParameter(f"{self.name}: each chore has two numbers of hours from 0 on, one for either player")

    def initial(self):
        return self.State(0, (0, 0), 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        for chore in range(len(self.hours)):
            if not s.done >> chore & 1:
                yield chore

    def result(self, s, action):
        mine, other = s.spent
        if s.player == 0:
            spent = (mine + self.hours[action][0], other)
        else:
            spent = (mine, other + self.hours[action][1])
        return self.State(s.done | 1 << action, spent, 1 - s.player)

    def is_terminal(self, s):
        return s.done == (1 << len(self.hours)) - 1

    def utility(self, s, player):
        return -float(max(s.spent[0], s.spent[1]))

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """The chore by its name."""
        return NAMES[action]

    def text(self, s, player=None):
        """What is left to do, and the hours so far."""
        left = [f"{NAMES[i]} {a}/{b}" for i, (a, b) in enumerate(self.hours) if not s.done >> i & 1]
        return f"{', '.join(left) or 'all done'}; hours {s.spent[0]} and {s.spent[1]}"
