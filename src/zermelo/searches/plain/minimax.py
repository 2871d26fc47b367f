"""Minimax: the value of a game when both sides play their best (von Neumann, 1928; Shannon, 1950)."""

from collections.abc import Sequence
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import kernel
from zermelo.result import Limit
from zermelo.running.callbacks import evaluation
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.searches.limits import limit_of
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.call import Call
from zermelo.searches.plain.deepening import plain_search
from zermelo.searches.plain.node import WalkSetup, arrive, keep_first
from zermelo.types import Evaluate


@plain_search
def minimax(
    game: AnyGame,
    state: Any = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
    when_lost: str | None = None,
) -> Call:
    """The value of a two-player zero-sum game by looking at every line of play.

    `depth` looks so many moves ahead. With `time` in seconds, or `nodes`, it looks one move ahead, then two, and so on,
    and the deepest search that was finished is the answer. `limit` is a `Limit` in place of these.

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
    limit = limit_of("minimax", limit, time=time, nodes=nodes, depth=depth)
    return Call(
        "minimax", game, state, limit, history, setup, device=device, record=record, when_lost=when_lost
    )  # fmt: skip


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
