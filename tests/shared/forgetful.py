"""A game in which a view tells nothing of the past: what a player saw has to be remembered for them."""

from typing import NamedTuple

from zermelo import CHANCE, Game


class Forgetful(Game):
    """A coin falls, player 0 looks at it, turns away, and has to call it; the view tells nothing of the past."""

    players = 1
    max_actions = 2
    bounds = (0.0, 1.0)

    class State(NamedTuple):
        coin: int
        stage: int
        won: int

    def initial(self):
        return self.State(-1, 0, 0)

    def to_move(self, s):
        return CHANCE if s.stage == 0 else 0

    def actions(self, s):
        yield 0
        if s.stage != 1:
            yield 1

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        if s.stage == 0:
            return self.State(action, 1, 0)
        return self.State(s.coin, s.stage + 1, int(s.stage == 2 and action == s.coin))

    def is_terminal(self, s):
        return s.stage == 3

    def utility(self, s, player):
        return float(s.won)

    def view(self, s, player):
        return 10 * s.stage + (s.coin if s.stage == 1 else 0)
