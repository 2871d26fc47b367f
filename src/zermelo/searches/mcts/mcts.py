"""`zermelo.mcts`: Monte Carlo tree search as people call it."""

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.result import Analysis, Limit
from zermelo.searches.mcts.many import many
from zermelo.searches.mcts.player import Mcts

__all__ = ["Mcts", "mcts"]


class Search:
    """The most promising move by Monte Carlo tree search, with what the simulations say about every move.

    >>> from zermelo import game, mcts, Limit
    >>> found = mcts(game("tic_tac_toe"), limit=Limit(simulations=500), seed=1)
    >>> sum(move.visits for move in found.moves.values())
    500
    """

    def __call__(
        self,
        game: Game,
        state: Any = None,
        *,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        **options: Any,
    ) -> Analysis:
        """The answer after `limit` (10,000 simulations where none is given).

        A simulation goes down the tree by UCB1 with the constant `c` (the square root of 2), adds a node, plays a
        random game from there, and counts its result on the way back; the most visited move is played. `seed` makes
        it repeatable. Options: `prior` (a function of state and action, or True for the game's own) leads selection by
        PUCT; `rollout` (a function of state and action) weighs the moves of playouts; `rollout_depth` cuts playouts
        off after so many moves and asks `evaluate`; `rave` lets moves played later count as played first (True, or the
        number of visits after which that fades); `urgency` is the value of a move not tried yet, as a share of the
        range; `widening=(constant, power)` looks at few moves first and at more with the visits; `solver` carries
        certain wins, draws and losses up the tree; `threads` work on one tree, or on `trees` of them; `memory` are
        megabytes for the tree; `longest` is the number of moves after which a playout is given up with an error;
        `record` keeps the tree, to be drawn, in the answer's `tree`.
        """
        return Mcts(game, **options).search(state, limit, history=history)

    def stream(
        self,
        game: Game,
        state: Any = None,
        *,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        **options: Any,
    ) -> Iterator[Analysis]:
        """The answers after 1, 2, 5, 10, 20, ... simulations; the last is the one of the whole limit."""
        yield from Mcts(game, **options).stream(state, limit, history=history)

    def many(
        self,
        game: Game,
        states: Sequence[Any],
        *,
        limit: Limit | None = None,
        **options: Any,
    ) -> list[Analysis]:
        """The answers of independent searches from many states at once; see `zermelo.searches.mcts.many`."""
        return many(game, states, limit=limit, **options)

    def __repr__(self) -> str:
        return "zermelo.mcts(game, state=None, *, limit=Limit(simulations=10000), c=1.414, seed=0, ...)"


mcts = Search()
