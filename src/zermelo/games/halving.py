"""The halving game: a number n; players take turns to lower it by one or to halve it, rounded down.

Whoever is to move when the number has become 0 wins: the other was made to go there.
"""

from typing import Any, NamedTuple

from zermelo.contract import Game
from zermelo.errors import BadParameter, BadState

DECREMENT, HALVE = 0, 1


class Halving(Game):
    """Decrement or halve; whoever is left with 0 wins."""

    n: int = 5

    max_actions = 2
    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        """The number, and who moves."""

        n: int
        player: int

    def validate(self) -> None:
        """Refuse to begin at 0."""
        if self.n < 1:
            raise BadParameter(f"halving: n must be at least 1, not {self.n}")

    def initial(self):
        return self.State(self.n, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield DECREMENT
        yield HALVE

    def result(self, s, action):
        return self.State(s.n - 1 if action == DECREMENT else s.n // 2, 1 - s.player)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, player):
        return 1.0 if player == s.player else -1.0

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """decrement or halve."""
        return ("decrement", "halve")[action]

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the number is not negative."""
        s = super().checked_state(s)
        if s.n < 0 or s.player not in (0, 1):
            raise BadState(f"halving: a state has a number >= 0 and player 0 or 1; {s!r} has not")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The number and who moves."""
        return f"{s.n}, player {s.player} wins" if s.n == 0 else f"{s.n}, player {s.player} to move"
