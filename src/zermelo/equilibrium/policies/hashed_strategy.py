"""Strategies of millions of information sets, looked up by hash."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.compile import hash64
from zermelo.contract import Game
from zermelo.equilibrium.forms.flat import state_in


class Strategy(Mapping[Any, dict[int, float]]):
    """The odds of actions in every information set, by (player, what the player knows).

    A set is looked up by a 64-bit hash of that pair. `situations` lists all pairs when it is called, and pickles. A
    `partial` strategy comes from sampled games: sets that it does not know never came up, and are played at random.
    """

    def __init__(
        self, key: Any, first: Any, actions: Any, odds: Any, situations: Any, *, partial: bool = False
    ) -> None:
        import numpy as np

        order = np.argsort(key, kind="stable")
        self.key, self.order = key[order], order  # [sets], sorted
        self.first, self.actions, self.odds = first, actions, odds  # [sets + 1], [actions], [actions]
        self.situations, self.partial = situations, partial

    def __getitem__(self, situation: Any) -> dict[int, float]:
        return self.at(hash64(situation), situation)

    def at(self, key: int, situation: Any = None) -> dict[int, float]:
        """The odds of the set of this hash."""
        import numpy as np

        place = int(np.searchsorted(self.key, key))
        if place == len(self.key) or self.key[place] != key:
            raise KeyError(situation)
        number = self.order[place]
        start, stop = int(self.first[number]), int(self.first[number + 1])
        return dict(zip(self.actions[start:stop].tolist(), self.odds[start:stop].tolist(), strict=True))

    def arrays(self) -> tuple[Any, Any, Any, Any]:
        """Hashes [sets], ascending, where each set's actions begin [sets + 1], the actions and their odds."""
        import numpy as np

        sizes = np.diff(self.first)[self.order]
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        places = np.repeat(self.first[:-1][self.order] - first[:-1], sizes) + np.arange(first[-1])
        return self.key, first, self.actions[places], self.odds[places]

    def __iter__(self) -> Iterator[Any]:
        return iter(dict.fromkeys(self.situations()))

    def __len__(self) -> int:
        import numpy as np

        return len(np.unique(self.key))


@dataclass(frozen=True)
class SetsOf:
    """Information sets of a flattened game: when called, every (player, what the player knows)."""

    game: Game
    states: Any  # [sets] one state of each, or its words
    players: Any  # [sets]

    def __call__(self) -> Iterator[Any]:
        game = self.game
        for state, mover in zip(self.states, self.players.tolist(), strict=True):
            s = state_in(game, state)
            yield mover, s if game.view is None else game.view(s, mover)


def strategy_of(flat: Any, odds: Any, player: int | None = None) -> Strategy:
    """The odds of a flattened game's sequences as a strategy, of all players or of one."""
    import numpy as np

    numbers = np.arange(flat.sets) if player is None else np.flatnonzero(flat.player == player)
    # The sets of a player stand together.
    own = slice(numbers[0], numbers[-1] + 1) if len(numbers) else slice(0)
    situations = SetsOf(flat.game, flat.states_of(own), flat.player[own])
    if not len(numbers):
        return Strategy(flat.key[:0], np.zeros(1, dtype=np.int64), flat.moves[:0], odds[:0], situations)
    low, high = flat.first[numbers[0]], flat.first[numbers[-1] + 1]
    first = flat.first[numbers[0] : numbers[-1] + 2] - low
    moves = flat.moves[low - flat.players : high - flat.players]
    return Strategy(flat.key[numbers], first, moves, odds[low:high], situations)


def odds_in(flat: Any, known: Strategy) -> tuple[Any, Any]:
    """The odds of a flattened game's sequences by a strategy, uniform at sets that it says nothing of; and which sets
    it says something of.

    Where it names other actions than the game, or in another order, it is taken to say nothing.
    """
    import numpy as np

    sizes = np.diff(flat.first)
    odds = np.concatenate((np.ones(flat.players), np.repeat(1.0 / sizes, sizes)))
    if not len(known.key):
        return odds, np.zeros(flat.sets, dtype=bool)
    place = np.minimum(np.searchsorted(known.key, flat.key), len(known.key) - 1)
    number = known.order[place]
    said = (known.key[place] == flat.key) & (np.diff(known.first)[number] == sizes)
    counts = sizes[said]
    inside = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    here, there = (
        np.repeat(flat.first[:-1][said], counts) + inside,
        np.repeat(known.first[number[said]], counts) + inside,
    )
    same = flat.moves[here - flat.players] == known.actions[there]
    starts = np.cumsum(counts) - counts
    whole = np.logical_and.reduceat(same, starts) if len(counts) else same
    said[np.flatnonzero(said)[~whole]] = False
    kept = np.repeat(whole, counts)
    odds[here[kept]] = known.odds[there[kept]]
    return odds, said
