"""Three armies. In turn, each player attacks one of the others and destroys as many of its soldiers as it has itself.
Whoever has none left is out. After a given number of rounds, or when one player is left, everyone gets its share of
the soldiers that still stand.

With armies 2, 3 and 5 nobody has agreed on anything, yet the two weak players ally against the strong one, because
each is better off so by max^n. If player 0 attacks player 1 instead, or player 1 then attacks player 0, the strong
one destroys both, and they get 0 instead of 1/2. Once player 2 is beaten (5 - 2 - 3 = 0) the alliance is over: the two
turn on each other, 3 - 2 and 2 - 1 are left, and each has half of what stands. With `rounds=1` the shares are 2/5, 3/5
and 0.
"""

from typing import NamedTuple

from zermelo.compile import replace
from zermelo.contract import Game
from zermelo.errors import BadParameter


class Alliance(Game):
    """Three armies of unequal size, where the weak two join against the strong one by their own interest."""

    players = 3
    max_actions = 2
    bounds = (0.0, 1.0)
    armies: tuple[int, int, int] = (2, 3, 5)
    rounds: int = 2

    class State(NamedTuple):
        armies: tuple[int, int, int]
        turn: int

    def validate(self):
        if min(self.armies) < 1 or self.rounds < 1:
            raise BadParameter("alliance: every army needs a soldier, and there is at least one round")
        if max(self.armies) > 1_000_000 or self.rounds > 1_000:
            raise BadParameter("alliance: armies have at most 1,000,000 soldiers and fight at most 1,000 rounds")

    def initial(self):
        return self.State(self.armies, 0)

    def to_move(self, s):
        return s.turn % 3

    def actions(self, s):
        for target in range(3):
            if target != s.turn % 3 and s.armies[target] > 0:
                yield target

    def result(self, s, action):
        left = max(0, s.armies[action] - s.armies[s.turn % 3])
        armies = replace(s.armies, action, left)
        turn = s.turn + 1
        while armies[turn % 3] == 0:
            turn += 1
        return self.State(armies, turn)

    def is_terminal(self, s):
        return s.turn >= 3 * self.rounds or sum(army > 0 for army in s.armies) == 1

    def utility(self, s, player):
        return s.armies[player] / sum(army for army in s.armies)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """Who is attacked."""
        return f"attack {action}"

    def text(self, s, player=None):
        """The armies, the round and who is to move."""
        armies = ", ".join(f"player {p}: {army}" for p, army in enumerate(s.armies))
        return armies if self.is_terminal(s) else f"{armies}; round {s.turn // 3 + 1}, player {s.turn % 3} attacks"
