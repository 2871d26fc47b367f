"""What everybody gets with all cards on the table, by search to the end: for games small enough to remember all of."""

from typing import Any

from zermelo.compile import machine
from zermelo.contract import CHANCE, Game
from zermelo.running.nodes import payoffs_at, require_sound
from zermelo.running.recursion import deep_recursion

DEEPEST = 2_000
"""Moves after which a game is taken for endless."""


class TooLarge(Exception):
    """More states than allowed, or a game that does not end."""


class OpenValues:
    """The values of open states, each found once. Everybody maximises their own; of equal actions the first is taken.

    For two players of a zero-sum game that is minimax, with chance expectiminimax, and for more max^n.
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self.known: dict[Any, tuple[float, ...]] = {}
        self._opening: set[Any] = set()

    def __call__(self, s: Any) -> tuple[float, ...]:
        """What everybody gets from `s` on; TooLarge where that cannot be said."""
        with deep_recursion():
            return machine("python").call(self._value, s=s, ply=0)

    def _value(self, s: Any, ply: int) -> tuple[float, ...]:
        known = self.known.get(s)
        if known is not None:
            return known
        if len(self.known) >= self.most or ply > DEEPEST or s in self._opening:
            raise TooLarge
        self._opening.add(s)
        self.known[s] = found = self._found(s, ply)
        self._opening.discard(s)
        return found

    def _found(self, s: Any, ply: int) -> tuple[float, ...]:
        game = self.game
        if game.is_terminal(s):
            return tuple(map(float, payoffs_at(game, s)))
        require_sound(game, s)
        mover = game.to_move(s)
        if mover != CHANCE:
            return max((self._value(after, ply + 1) for _, after in game.successors(s)), key=lambda v: v[mover])
        totals = [0.0] * game.players
        for action, after in game.successors(s):
            odds = float(game.probability(s, action))
            for player, value in enumerate(self._value(after, ply + 1)):
                totals[player] += odds * value
        return tuple(totals)
