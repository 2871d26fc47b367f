"""Minimax: the value of a game when both sides play their best (von Neumann, 1928; Shannon, 1950)."""

from collections.abc import Sequence
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import kernel
from zermelo.result import Analysis
from zermelo.running.callbacks import evaluation
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.best_play import with_policy
from zermelo.searches.plain.call import Call
from zermelo.searches.plain.node import WalkSetup, arrive, keep_first
from zermelo.types import Evaluate


def minimax(
    game: AnyGame,
    state: Any = None,
    *,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
    when_lost: str | None = None,
) -> Analysis:
    """The value of a two-player zero-sum game by looking at every line of play.

    >>> from zermelo import Tree
    >>> minimax(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])).value
    3.0
    """
    game = as_game(game)
    require_open(game, "minimax")
    require_no_chance(game, "minimax")
    require_two_sides(game, "minimax")
    # The best line is found by alpha-beta, which gives the same values and is faster.
    setup = WalkSetup(search=minimax_value, windowed=alphabeta_value, evaluate=evaluation(game, evaluate))
    answer = Call("minimax", game, state, depth, history, setup).analyse(device, record, when_lost)
    return with_policy(
        answer, minimax, {"depth": depth, "evaluate": evaluate, "device": device, "when_lost": when_lost}
    )


@kernel
def minimax_value(game, setup, s, depth, walk):
    """The value of `s` for player 0 when player 0 maximises it and player 1 minimises it."""
    top = walk.top
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return walk.value
    mover, best, choice = walk.mover, 0.0, -1
    for i in range(top, end):
        action = walk.actions[i]
        if setup.record is not None:
            setup.record.branch(action)
        value = minimax_value(game, setup, game.result(s, action), depth - 1, walk)
        if walk.status != FINE:
            return 0.0
        if top == 0:
            keep_first(walk, i, value)
        if i == top or (value > best if mover == 0 else value < best):
            best, choice = value, action
    walk.top = top
    if setup.record is not None:
        setup.record.leave(best, choice)
    return best
