"""Pig: roll a die as often as you like and add up what it shows, then hold; the first to reach the target wins.

Holding banks the points of the turn and passes the die. A 1 loses them all and passes it too. A turn begins with a
roll, and whoever has enough to win holds. Nothing bounds the length of a game, so that searches need a depth.
"""

from typing import Any, NamedTuple

from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter, BadState

HOLD, ROLL = 0, 1


class Pig(Game):
    """Roll on or hold: greed against fear."""

    target: int = 20
    sides: int = 6

    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        """The banked points, those of this turn, whose turn it is, and whether the die is in the air."""

        scores: tuple[int, int]
        turn: int
        player: int
        rolling: bool

    def validate(self) -> None:
        """Refuse targets and dice that make no game."""
        if self.target < 1:
            raise BadParameter(f"pig: target must be at least 1, not {self.target}")
        if self.sides < 2:
            raise BadParameter(f"pig: sides must be at least 2, not {self.sides}")

    @property
    def max_actions(self) -> int:
        """One outcome for each side of the die."""
        return self.sides

    @property
    def policy_size(self) -> int:
        """The outcomes are the numbers on the die, 1 to `sides`."""
        return self.sides + 1

    def initial(self):
        return self.State((0, 0), 0, 0, False)

    def to_move(self, s):
        return CHANCE if s.rolling else s.player

    def actions(self, s):
        if s.rolling:
            yield from range(1, self.sides + 1)
        else:
            if s.turn > 0:
                yield HOLD
            if s.scores[s.player] + s.turn < self.target:
                yield ROLL

    def probability(self, s, action):
        return 1.0 / self.sides

    def result(self, s, action):
        if s.rolling and action == 1:
            return self.State(s.scores, 0, 1 - s.player, False)
        if s.rolling:
            return self.State(s.scores, s.turn + action, s.player, False)
        if action == ROLL:
            return self.State(s.scores, s.turn, s.player, True)
        return self.State(replace(s.scores, s.player, s.scores[s.player] + s.turn), 0, 1 - s.player, False)

    def is_terminal(self, s):
        return max(s.scores[0], s.scores[1]) >= self.target

    def utility(self, s, player):
        return 1.0 if s.scores[player] >= self.target else -1.0

    def evaluate(self, s):
        """How far player 0 is ahead, the points of the turn included, as a share of the target."""
        turn = s.turn if s.player == 0 else -s.turn
        ahead = (s.scores[0] - s.scores[1] + turn) / self.target
        return min(1.0, max(-1.0, ahead))

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """hold or roll, or what the die shows."""
        return str(action) if s.rolling else ("hold", "roll")[action]

    def checked_state(self, s: Any) -> Any:
        """`s` itself where no points are negative and nobody went on with enough points to win."""
        s = super().checked_state(s)
        if len(s.scores) != 2 or min(*s.scores, s.turn) < 0 or s.player not in (0, 1):
            raise BadState(f"pig: a state has points >= 0 and player 0 or 1; {s!r} has not")
        points, others = s.scores[s.player] + s.turn, s.scores[1 - s.player]
        if s.scores[s.player] >= self.target or (others >= self.target and (s.turn or s.rolling)):
            raise BadState(f"pig: {s!r} goes on although someone has reached {self.target}")
        if points >= self.target + (0 if s.rolling else self.sides):
            raise BadState(f"pig: {s!r} has rolled on with enough points to win; hold at {self.target}")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The points, and whose turn it is."""
        points = f"player 0: {s.scores[0]}, player 1: {s.scores[1]} of {self.target}"
        if self.is_terminal(s):
            return f"{points}; player {1 - s.player} wins"
        return f"{points}; turn of player {s.player}: {s.turn}{', rolling' if s.rolling else ''}"
