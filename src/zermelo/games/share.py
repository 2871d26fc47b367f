"""The share game. Two coins lie on the table. Player 0 proposes: keep both, share them, or give both away. Player 1
says yes, and the coins are split as proposed, or no, and nobody gets anything.
"""

from typing import NamedTuple

from zermelo.contract import Game

COINS = 2
OPEN = -1
YES, NO = 0, 1
PROPOSALS = ("keep", "share", "give")
ANSWERS = ("yes", "no")


class Share(Game):
    """One player splits two coins, the other accepts or leaves both with nothing."""

    max_actions = 3
    bounds = (0.0, 2.0)

    class State(NamedTuple):
        given: int  # the coins offered to player 1, or OPEN
        answer: int

    def initial(self):
        return self.State(OPEN, OPEN)

    def to_move(self, s):
        return 0 if s.given == OPEN else 1

    def actions(self, s):
        if s.given == OPEN:
            yield from range(COINS + 1)
        else:
            yield YES
            yield NO

    def result(self, s, action):
        if s.given == OPEN:
            return self.State(action, OPEN)
        return self.State(s.given, action)

    def is_terminal(self, s):
        return s.answer != OPEN

    def utility(self, s, player):
        if s.answer == NO:
            return 0.0
        return float(s.given if player == 1 else COINS - s.given)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """keep, share or give; then yes or no."""
        return PROPOSALS[action] if s.given == OPEN else ANSWERS[action]

    def text(self, s, player=None):
        """The proposal and the answer."""
        if s.given == OPEN:
            return "two coins on the table"
        proposal = f"{PROPOSALS[s.given]}: {COINS - s.given} for player 0, {s.given} for player 1"
        return proposal if s.answer == OPEN else f"{proposal}; {ANSWERS[s.answer]}"
