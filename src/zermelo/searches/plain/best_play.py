"""The policy behind an answer: the move of the same search in every state that best play needs.

>>> from zermelo import game, minimax
>>> nim = game("nim", heaps=(2, 1))
>>> policy = minimax(nim).policy
>>> {nim.format_state(s): nim.format_action(s, a) for s, odds in policy for a in odds}
{'((2, 1), 0)': '2 from heap 1'}
"""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.contract import Game
from zermelo.policy import SMALL, Policy
from zermelo.result import Analysis
from zermelo.situations import MANY, Situation, situations


class BestMove:
    """The move that a search finds in a state; it is looked for when somebody asks, and then kept."""

    def __init__(self, game: Game, search: Callable[..., Analysis], known: dict[Any, Any]) -> None:
        self.game, self.search, self.known = game, search, known

    def __call__(self, s: Any) -> Any:
        """The best action; all alike where the search takes the mover for a die."""
        if not self.knows(s):
            raise KeyError(s)
        if s not in self.known:
            action = self.search(self.game, s).action
            legal = list(self.game.actions(s))
            self.known[s] = dict.fromkeys(legal, 1 / len(legal)) if action is None else action
        return self.known[s]

    def knows(self, s: Any) -> bool:
        """Whether there is an answer: always, unless the search was lost in a pickle."""
        return s in self.known or self.search is not None

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: the search, too, unless it was given a function that pickles cannot name."""
        kept: dict[str, Any] = dict(vars(self))
        try:
            pickle.dumps(self.search)
        except (pickle.PicklingError, AttributeError, TypeError):
            kept["search"] = None
        return kept


class BestPlay(Policy):
    """Best play as a search sees it, for whoever moves in a state.

    Listed are the states that `player` needs: those to which it can come by this policy, whatever all others do.
    """

    choose: BestMove

    def __init__(self, game: Game, choose: BestMove, state: Any, player: int, *, is_whole: bool) -> None:
        super().__init__(game, choose)
        self.state, self.player, self.is_whole = state, player, is_whole

    def is_quick(self, nodes: int) -> bool:
        """Whether a document lists it: looking no further than some moves, a search goes on and on from state to
        state."""
        return self.is_whole and nodes <= SMALL

    def situations(self, state: Any = None, *, most: int = MANY) -> list[Situation]:
        """What the player does in each state that it needs, in the order of play; EndlessGame where more than `most`
        states would have to be looked at. The search is asked in each of them."""
        return situations(self.game, self._needed, self.state if state is None else state, whole=False, most=most)

    def _needed(self, s: Any) -> dict[int, float] | None:
        """What the player does; None where others move, whose every move has to be answered."""
        return self(s) if self.game.to_move(s) == self.player and self.choose.knows(s) else None

    def __iter__(self) -> Iterator[tuple[Any, dict[int, float]]]:
        """Each state that the player needs, with what it does there."""
        for found in self.situations():
            yield found.view, {action: p for action, p in found.odds.items() if p > 0}
