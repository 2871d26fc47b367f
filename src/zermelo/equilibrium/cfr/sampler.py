"""Regrets by sampled games on one machine: a table of information sets in memory, which is all that is kept."""

import math
from collections.abc import Iterator
from typing import Any

from zermelo.compile.memory import float_to_word
from zermelo.compile.program import STOPPED
from zermelo.compile.routine import take_array
from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.cfr import sampling as at
from zermelo.equilibrium.forms.flat import array_of
from zermelo.equilibrium.forms.flattening import LARGEST_ROOM, set_key
from zermelo.equilibrium.policies.hashed_strategy import Strategy
from zermelo.errors import EndlessGame, Interrupted, UnsuitableGame, no_actions, too_many_actions, unequal_actions
from zermelo.running.faults import are_actions
from zermelo.running.statuses import ENDLESS, FINE, NO_ACTION, NO_ACTIONS, TOO_MANY, UNEQUAL, broken, fault

WAYS = {"external": at.by_external, "outcome": at.by_outcome, "chance": at.by_chance}
WORDS_FOR_A_SLOT = 16
LONGEST = 10_000
MANY = 2_000_000
"""So many states are gone through to list the information sets of a sampled strategy."""
SMALL = 1 << 16
"""Slots with which plain Python makes do."""


class Sampler:
    """Counts regrets over sampled games."""

    def __init__(
        self, game: Game, state: Any, variant: str, on: Any, *, seed: int, memory: int, exploration: float
    ) -> None:
        self.game, self.state, self.variant, self.on = game, state, variant, on
        self.seed, self.iterations = seed, 0
        native = on.name != "python"
        capacity = max(memory << 17, at.SLOTS_AT + 64 + 2 * (at.NODE + at.BLOCKS * game.max_actions))
        slots = 1 << int(math.log2(capacity / WORDS_FOR_A_SLOT))
        slots = slots if native else min(slots, SMALL)
        self.table = on.memory(capacity if native else at.SLOTS_AT + slots)
        head = [0] * at.SLOTS_AT
        head[at.TOP], head[at.CAPACITY], head[at.MASK] = at.SLOTS_AT + slots, capacity, slots - 1
        on.write(self.table, 0, head)
        room = min(LONGEST * 2 * game.max_actions, LARGEST_ROOM)
        self.memory = on.memory((room if native else 0) + 2 * game.max_actions)
        self.totals = on.memory(game.players)
        if not native:
            on.write(self.totals, 0, [0.0] * game.players)
        self.work = on.memory(at.WORK_WORDS)
        words: list[Any] = [0] * at.WORK_WORDS
        words[at.SEED], words[at.LONGEST], words[at.ROOM] = seed, LONGEST, room
        words[at.EXPLORATION] = float_to_word(exploration) if native else exploration
        on.write(self.work, 0, words)

    def iterate(self, count: int) -> None:
        """Do so many iterations more: in each, one walk for every player."""
        from zermelo.running.recursion import deep_recursion

        self.work[at.GOAL], self.work[at.STATUS] = self.iterations + count, FINE
        try:
            with deep_recursion():
                self.on.call(
                    at.play_games, game=self.game, s=self.state, walk=WAYS[self.variant], table=self.table,
                    memory=self.memory, totals=self.totals, work=self.work,
                )  # fmt: skip
        finally:
            self.iterations = self.work[at.DONE]
        self._refuse(self.work[at.STATUS])

    def _refuse(self, status: int) -> None:
        game = self.game
        if status == ENDLESS:
            raise EndlessGame(f"{game.name}: a game had not ended after {LONGEST:,} moves: end it by a rule")
        if status == TOO_MANY:
            raise too_many_actions(game.name, game.max_actions)
        if status == NO_ACTIONS:
            raise no_actions(game.name)
        known = fault(game, status)
        if known is not None:
            raise known
        if status == UNEQUAL:
            raise unequal_actions(game.name)
        if status == STOPPED:
            raise Interrupted("cfr was stopped")

    @property
    def means(self) -> tuple[float, ...]:
        """What each player got on average in the sampled games."""
        totals = take_array(self.on, self.totals, self.game.players)
        return tuple(float(total) / max(1, self.iterations) for total in totals)

    @property
    def note(self) -> str:
        """Whether the table is full."""
        if not self.table[at.FULL]:
            return ""
        known = self.table[at.NODES]
        return f"the table is full at {known:,} information sets, the others are played at random; raise memory="

    def strategy(self) -> Strategy:
        """The average strategies."""
        import numpy as np

        first_node = at.SLOTS_AT + self.table[at.MASK] + 1
        slots = self._words(np.arange(at.SLOTS_AT, first_node))
        nodes = np.sort(slots[slots > 0])
        counts = self._words(nodes + at.COUNT)
        first = np.concatenate(([0], np.cumsum(counts)))
        inside = np.arange(first[-1]) - np.repeat(first[:-1], counts)
        sums = self._words(np.repeat(nodes + at.NODE + at.SUM * counts, counts) + inside, floats=True)
        actions = self._actions(np.repeat(nodes + at.NODE + at.ACTION * counts, counts) + inside)
        whole = np.repeat(np.add.reduceat(sums, first[:-1]), counts) if len(nodes) else sums
        odds = np.where(whole > 0.0, sums / np.where(whole > 0.0, whole, 1.0), np.repeat(1.0 / counts, counts))
        keys = self._words(nodes + at.KEY)
        known = set(keys.tolist())
        return Strategy(
            keys, first, actions, odds, lambda: situations(self.game, self.state, known), partial=True
        )  # fmt: skip

    def _actions(self, places: Any) -> Any:
        """Words of the table that are actions."""
        given = [self.table[i] for i in places.tolist()] if self.on.name == "python" else self._words(places)
        if not are_actions(given, 0, len(given)):
            raise broken(self.game, NO_ACTION)
        return self._words(places)

    def _words(self, places: Any, *, floats: bool = False) -> Any:
        """Words of the table."""
        import numpy as np

        kind = np.float64 if floats else np.int64
        if self.on.name == "python":
            return np.array([self.table[i] for i in places.tolist()], dtype=kind)
        return array_of(self.table, self.table[at.TOP]).view(kind)[places]


def situations(game: Game, state: Any, known: set[int]) -> Iterator[Any]:
    """Every (player, what it knows) below a state whose hash is known, in the order of a walk."""
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
