"""The trails. Trail A leads to a heap of gold. Trail B leads to a fork: one way is a heap of diamonds, the other way
the traveller is run over by a bus, and nobody can tell which way is which; both are equally likely.

A traveller who could see the signs would take B. Whoever cannot should take A. A method that draws the signs at
random, looks at each case as if it were open and averages says B, since it believes that it will know at the fork.
"""

from typing import NamedTuple

from zermelo.contract import CHANCE, Game

UNKNOWN = -1
LEFT, RIGHT = 0, 1
TRAIL_A, TRAIL_B = 0, 1
START, FORK, AT_GOLD, AT_DIAMONDS, UNDER_BUS = range(5)
PLACES = ("at the start", "at the fork", "at the gold", "at the diamonds", "under the bus")


class Trails(Game):
    """Gold by one trail; by the other a fork with diamonds one way and a bus the other, unknown which."""

    players = 1
    max_actions = 2
    hidden: bool = True
    gold: float = 1.0
    diamonds: float = 3.0
    bus: float = -10.0

    class State(NamedTuple):
        way: int  # where the diamonds are: LEFT, RIGHT or not decided yet
        place: int

    def validate(self):
        prizes = (self.gold, self.diamonds, self.bus)
        self.bounds = (min(prizes), max(prizes))
        if not self.hidden:
            self.view = None  # type: ignore[assignment, method-assign]

    def initial(self):
        return self.State(UNKNOWN, START)

    def to_move(self, s):
        return CHANCE if s.way == UNKNOWN else 0

    def actions(self, s):
        yield 0
        yield 1

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        if s.way == UNKNOWN:
            return self.State(action, START)
        if s.place == START:
            return self.State(s.way, AT_GOLD if action == TRAIL_A else FORK)
        return self.State(s.way, AT_DIAMONDS if action == s.way else UNDER_BUS)

    def is_terminal(self, s):
        return s.place >= AT_GOLD

    def utility(self, s, player):
        if s.place == AT_GOLD:
            return self.gold
        return self.diamonds if s.place == AT_DIAMONDS else self.bus

    def view(self, s, player):
        return s.place

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """The trail, A or B; at the fork and for the diamonds' place, left or right."""
        if s.way != UNKNOWN and s.place == START:
            return "AB"[action]
        return ("left", "right")[action]

    def text(self, s, player=None):
        """Where the traveller is; unless it is hidden, also where the diamonds are."""
        signs = f", diamonds on the {('left', 'right')[s.way]}" if s.way != UNKNOWN else ""
        return PLACES[s.place] + (signs if player is None or self.view is None else "")
