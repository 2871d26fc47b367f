"""Matching pennies. Both players turn a coin at once. Player 0 wins the other's coin where the two sides match, and
loses the own one where they differ.
"""

from zermelo.matrix import Matrix


class MatchingPennies(Matrix):
    """Two coins turned at once: one player wants them equal, the other different."""

    def __init__(self) -> None:
        super().__init__([[1, -1], [-1, 1]], labels=("heads", "tails"), names=("matcher", "other"))
