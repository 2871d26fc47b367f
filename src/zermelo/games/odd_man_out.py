"""Odd man out. Three players show heads or tails at once. If one shows something else than the two others, that one
pays 1 to each of them; if all show the same, nobody pays.
"""

from zermelo.matrix import Matrix

PLAYERS = 3


class OddManOut(Matrix):
    """Three coins shown at once: whoever differs from the two others pays them."""

    def __init__(self) -> None:
        payoffs = [[[_paid((a, b, c)) for c in (0, 1)] for b in (0, 1)] for a in (0, 1)]
        super().__init__(payoffs, labels=("heads", "tails"))


def _paid(coins: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(coins)) == 1:
        return (0,) * PLAYERS
    return tuple(-2 if coins.count(own) == 1 else 1 for own in coins)
