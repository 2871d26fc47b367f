"""The bucket game: there are three buckets with two numbers each, A {-50, 50}, B {1, 3} and C {-5, 15}.

Player 0 picks a bucket, player 1 picks a number out of it, and player 0 gets that number from player 1. Against an
opponent who picks the smaller number B is best (1); against one who picks at random C is (5).
"""

from typing import Any, NamedTuple

from zermelo.contract import Game
from zermelo.errors import BadState, IllegalAction

BUCKETS = ((-50, 50), (1, 3), (-5, 15))
NAMES = "ABC"
NONE = -1


class Bucket(Game):
    """Player 0 picks a bucket, player 1 a number out of it."""

    max_actions = 3
    bounds = (-50.0, 50.0)

    class State(NamedTuple):
        """The bucket and which of its numbers were picked; NONE before."""

        bucket: int
        pick: int

    def initial(self):
        return self.State(NONE, NONE)

    def to_move(self, s):
        return 0 if s.bucket == NONE else 1

    def actions(self, s):
        yield 0
        yield 1
        if s.bucket == NONE:
            yield 2

    def result(self, s, action):
        if s.bucket == NONE:
            return self.State(action, NONE)
        return self.State(s.bucket, action)

    def is_terminal(self, s):
        return s.pick != NONE

    def utility(self, s, player):
        number = float(BUCKETS[s.bucket][s.pick])
        return number if player == 0 else -number

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The name of the bucket, or the number itself."""
        return NAMES[action] if self.to_move(s) == 0 else str(BUCKETS[s.bucket][action])

    def parse_action(self, s: Any, text: str) -> int:
        """The action of this name; a number stands for itself, never for a place in the bucket."""
        wanted, legal = text.strip().lower(), list(self.actions(s))
        for action in legal:
            if wanted == self.format_action(s, action).lower():
                return action
        raise IllegalAction(f"{text.strip()!r} is not to be had here; legal: {self._legal_names(s, legal)}")

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the picks are possible, one after the other."""
        s = super().checked_state(s)
        if s.bucket not in (NONE, 0, 1, 2) or s.pick not in (NONE, 0, 1) or (s.bucket == NONE and s.pick != NONE):
            raise BadState(f"{self.name}: a state has bucket -1 to 2, then pick -1 to 1; {s!r} has not")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The buckets, the picked one in brackets, and the number that was picked."""
        shown = [f"{name} {{{low}, {high}}}" for name, (low, high) in zip(NAMES, BUCKETS, strict=True)]
        line = "  ".join(f"[{text}]" if i == s.bucket else text for i, text in enumerate(shown))
        return line if s.pick == NONE else f"{line}  -> {BUCKETS[s.bucket][s.pick]}"
