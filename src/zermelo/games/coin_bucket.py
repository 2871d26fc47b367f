"""The bucket game with a coin: after player 0 has picked a bucket, a coin is tossed.

Heads moves one bucket to the left, from A round to C; tails stays. Then player 1 picks a number out of the bucket, as
in the bucket game. Best is C, which is worth -2.
"""

from typing import Any, NamedTuple

from zermelo.contract import CHANCE
from zermelo.errors import BadState
from zermelo.games.bucket import NAMES, NONE, Bucket

HEADS, TAILS = 0, 1


class CoinBucket(Bucket):
    """Player 0 picks a bucket, a coin may move it, player 1 picks a number."""

    class State(NamedTuple):
        """The bucket, whether the coin was tossed, and which number was picked; NONE before."""

        bucket: int
        tossed: bool
        pick: int

    def initial(self):
        return self.State(NONE, False, NONE)

    def to_move(self, s):
        if s.bucket == NONE:
            return 0
        return 1 if s.tossed else CHANCE

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        if s.bucket == NONE:
            return self.State(action, False, NONE)
        if not s.tossed:
            return self.State((s.bucket + 2) % 3 if action == HEADS else s.bucket, True, NONE)
        return self.State(s.bucket, True, action)

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The bucket, the side of the coin, or the number."""
        if self.to_move(s) == CHANCE:
            return ("heads", "tails")[action]
        return super().format_action(s, action)

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the picks are possible, one after the other."""
        s = super().checked_state(s)
        if (s.tossed and s.bucket == NONE) or (s.pick != NONE and not s.tossed):
            raise BadState(f"{self.name}: first the bucket, then the coin, then the number; {s!r} is out of order")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The buckets, and whether the coin is still to be tossed."""
        waiting = s.bucket != NONE and not s.tossed
        return super().text(s, player) + (f"  coin: {NAMES[s.bucket - 1]} or {NAMES[s.bucket]}" if waiting else "")
