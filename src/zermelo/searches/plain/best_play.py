"""The policy behind an answer: the move of the same search in every state that best play needs.

>>> from zermelo import game, minimax
>>> nim = game("nim", heaps=(2, 1))
>>> policy = minimax(nim).policy
>>> {nim.format_state(s): nim.format_action(s, a) for s, odds in policy for a in odds}
{'((2, 1), 0)': '2 from heap 1'}
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from zermelo.contract import Game
from zermelo.errors import EndlessGame
from zermelo.policy import Policy
from zermelo.result import Analysis

MANY = 100_000
"""States that are listed, and no more."""


class BestMove:
    """The move that a search finds in a state; it is looked for when somebody asks, and then kept."""

    def __init__(self, search: Callable[..., Analysis], game: Game, options: dict[str, Any]) -> None:
        self.search, self.game, self.options = search, game, options
        self.known: dict[Any, Any] = {}

    def __call__(self, s: Any) -> Any:
        """The best action; all alike where the search takes the mover for a die."""
        if s not in self.known:
            action = self.search(self.game, s, **self.options).action
            legal = list(self.game.actions(s))
            self.known[s] = dict.fromkeys(legal, 1 / len(legal)) if action is None else action
        return self.known[s]


class BestPlay(Policy):
    """Best play as a search sees it, for whoever moves in a state; listed are the states that `player` needs."""

    choose: BestMove

    def __init__(self, game: Game, choose: BestMove, state: Any, player: int) -> None:
        super().__init__(game, choose)
        self.state, self.player = state, player

    def __iter__(self) -> Iterator[tuple[Any, dict[int, float]]]:
        """Each state that the player can come to by this policy, whatever all others do, with what it does there."""
        game, seen = self.game, {self.state}
        level = [self.state]
        while level:
            below: dict[Any, None] = {}
            for s in level:
                if game.is_terminal(s):
                    continue
                actions = list(game.actions(s))
                if game.to_move(s) == self.player:
                    odds = self(s)
                    yield s, odds
                    actions = list(odds)
                below |= dict.fromkeys(game.result(s, action) for action in actions)
            level = [s for s in below if s not in seen]
            seen.update(level)
            if len(seen) > MANY:
                raise EndlessGame(f"{game.name}: best play needs more than {MANY:,} states; ask for one by policy(s)")

    def to_dict(self) -> dict[Any, dict[int, float]]:
        """All states that the player needs, and the odds of its actions there."""
        return dict(self)


def with_policy(
    answer: Analysis, search: Callable[..., Analysis], options: dict[str, Any], player: int = 0
) -> Analysis:
    """The answer of a search with the policy that plays what the same search finds in each state."""
    choose = BestMove(search, answer.game, options)
    return replace(answer, policy=BestPlay(answer.game, choose, answer.state, player))
