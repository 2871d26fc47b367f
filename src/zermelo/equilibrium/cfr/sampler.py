"""Regrets by sampled games on one machine: a table of information sets in memory, which is all that is kept."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.cfr.sampling import ACTION, BLOCKS, COUNT, KEY, NODE, SUM, SampledSetup, Samples, play_games
from zermelo.equilibrium.forms.flat import array_of
from zermelo.equilibrium.forms.flattening import LARGEST_ROOM, set_key
from zermelo.equilibrium.policies.hashed_strategy import Strategy
from zermelo.errors import UnsuitableGame
from zermelo.running.faults import are_actions
from zermelo.running.recursion import deep_recursion
from zermelo.running.statuses import FINE, NO_ACTION, broken, refuse

WORDS_FOR_A_SLOT = 16
LONGEST = 10_000
MANY = 2_000_000
"""At most so many states are visited to list the information sets of a sampled strategy."""
SMALL = 1 << 16
"""The most slots of the table in plain Python."""


class Sampler:
    """Counts regrets over sampled games."""

    def __init__(
        self, game: Game, state: Any, variant: str, on: Any, *, seed: int, memory: int, exploration: float
    ) -> None:
        self.game, self.state, self.variant, self.on = game, state, variant, on
        self.seed, self.iterations = seed, 0
        self.setup = SampledSetup(variant)
        work = self.work = on.block(Samples, game)
        native = on.name != "python"
        capacity = max(memory << 17, 64 + 2 * (NODE + BLOCKS * game.max_actions))
        slots = 1 << int(math.log2(capacity / WORDS_FOR_A_SLOT))
        slots = slots if native else min(slots, SMALL)
        work.table = on.memory(capacity if native else slots)
        work.top, work.capacity, work.mask = slots, capacity, slots - 1
        work.seed, work.longest, work.exploration = seed, LONGEST, exploration
        work.room = min(LONGEST * 2 * game.max_actions, LARGEST_ROOM)
        work.actions = on.memory((work.room if native else 0) + 2 * game.max_actions)

    def iterate(self, count: int) -> None:
        """Do so many iterations more: in each, one walk for every player."""
        work = self.work
        work.goal, work.status = self.iterations + count, FINE
        try:
            with deep_recursion():
                self.on.call(play_games, game=self.game, setup=self.setup, s=self.state, work=work)
        finally:
            self.iterations = work.done
        endless = f"a game had not ended after {LONGEST:,} moves: end it by a rule"
        refuse(self.game, work.status, "cfr", endless)

    @property
    def means(self) -> tuple[float, ...]:
        """What each player got on average in the sampled games."""
        return tuple(total / max(1, self.iterations) for total in self.work.totals)

    @property
    def note(self) -> str:
        """Whether the table is full."""
        if not self.work.is_full:
            return ""
        known = self.work.sets
        return f"the table is full at {known:,} information sets, the others are played at random; raise memory="

    def strategy(self) -> Strategy:
        """The average strategies."""
        import numpy as np

        slots = self._words(np.arange(self.work.mask + 1))
        nodes = np.sort(slots[slots > 0])
        counts = self._words(nodes + COUNT)
        first = np.concatenate(([0], np.cumsum(counts)))
        inside = np.arange(first[-1]) - np.repeat(first[:-1], counts)
        sums = self._words(np.repeat(nodes + NODE + SUM * counts, counts) + inside, floats=True)
        actions = self._actions(np.repeat(nodes + NODE + ACTION * counts, counts) + inside)
        whole = np.repeat(np.add.reduceat(sums, first[:-1]), counts) if len(nodes) else sums
        odds = np.where(whole > 0.0, sums / np.where(whole > 0.0, whole, 1.0), np.repeat(1.0 / counts, counts))
        keys = self._words(nodes + KEY)
        below = partial(situations, self.game, self.state, keys)
        return Strategy(keys, first, actions, odds, below, partial=True)

    def _actions(self, places: Any) -> Any:
        """Words of the table that are actions."""
        given = [self.work.table[i] for i in places.tolist()] if self.on.name == "python" else self._words(places)
        if not are_actions(given, 0, len(given)):
            raise broken(self.game, NO_ACTION)
        return self._words(places)

    def _words(self, places: Any, *, floats: bool = False) -> Any:
        """Words of the table."""
        import numpy as np

        kind = np.float64 if floats else np.int64
        if self.on.name == "python":
            return np.array([self.work.table[i] for i in places.tolist()], dtype=kind)
        return array_of(self.work.table, self.work.top, floats=floats)[places]


def situations(game: Game, state: Any, keys: Any) -> Iterator[Any]:
    """Every (player, what it knows) below a state whose hash is among the keys, in the order of a walk."""
    known = set(keys.tolist())
    stack, left = [state], MANY
    while stack:
        s = stack.pop()
        left -= 1
        if left < 0:
            raise UnsuitableGame(f"{game.name} has more than {MANY:,} nodes: its information sets are not listed")
        if game.is_terminal(s):
            continue
        mover = game.to_move(s)
        if mover != CHANCE and set_key(game, s, mover) in known:
            yield mover, s if game.view is None else game.view(s, mover)
        stack += [game.result(s, a) for a in reversed([*game.actions(s)])]
