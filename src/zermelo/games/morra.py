"""Morra. Both players show one or more fingers at once and call out how many the other shows. If one of them alone is
right, the other pays as many as there are fingers shown in all; otherwise nobody pays.

With `guess=False` nothing is called out: player 0 wins as many as there are fingers if their number is even, and loses
as many if it is odd.
"""

from itertools import product

from zermelo.arguments import is_whole
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix


class Morra(Matrix):
    """Show fingers and guess what the other shows; whoever alone is right wins the sum of the fingers."""

    fingers: int = 2
    guess: bool = True

    def __init__(self, fingers: int = 2, guess: bool = True) -> None:
        if not is_whole(fingers) or not 2 <= fingers <= 10:
            raise BadParameter(f"morra: hands show up to 2 to 10 fingers, not {fingers!r}")
        if not isinstance(guess, bool):
            raise BadParameter(f"morra: guess must be True or False, not {guess!r}")
        self.fingers, self.guess = fingers, guess
        hands = range(1, fingers + 1)
        if guess:
            calls = list(product(hands, hands))
            payoffs = [[_won(own, other) for other in calls] for own in calls]
            super().__init__(payoffs, labels=[f"show {shown}, call {called}" for shown, called in calls])
        else:
            payoffs = [[own + other if (own + other) % 2 == 0 else -own - other for other in hands] for own in hands]
            super().__init__(payoffs, labels=[f"show {shown}" for shown in hands], names=("even", "odd"))


def _won(own: tuple[int, int], other: tuple[int, int]) -> int:
    """What the first wins, each of the two showing and calling."""
    right, others = own[1] == other[0], other[1] == own[0]
    return (right - others) * (own[0] + other[0])
