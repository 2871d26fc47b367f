"""Expectiminimax: minimax with dice (Michie, 1966). Its pruning by Star1 and Star2 is in `star`."""

from collections.abc import Sequence
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import as_number, kernel
from zermelo.contract import CHANCE
from zermelo.errors import BadParameter
from zermelo.result import Limit
from zermelo.running.callbacks import evaluation, ordering
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_open, require_two_sides
from zermelo.searches.limits import limit_of
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.call import Call
from zermelo.searches.plain.deepening import plain_search
from zermelo.searches.plain.node import WalkSetup, arrive, check_odds, keep_first, note_average, odds_of
from zermelo.searches.plain.star import star_value
from zermelo.searches.plain.window import ANYWHERE, bounds_of
from zermelo.types import Evaluate, Order


@plain_search
def expectiminimax(
    game: AnyGame,
    state: Any = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    prune: str | None = None,
    bounds: tuple[float, float] | None = None,
    order: Order | bool | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Call:
    """The value of a game with dice: best moves of both sides, averages over chance.

    `prune` is None, "star1" or "star2"; pruning needs the bounds of the utilities (the game's own, or `bounds`),
    and refuses a utility or an estimate that lies outside.

    `depth` looks so many moves ahead. With `time` in seconds, or `nodes`, it looks one move ahead, then two, and so on,
    and the deepest search that was finished is the answer. `limit` is a `Limit` in place of these.
    """
    game = as_game(game)
    require_open(game, "expectiminimax")
    require_two_sides(game, "expectiminimax")
    if prune not in (None, "star1", "star2"):
        raise BadParameter(f'prune must be None, "star1" or "star2", not {prune!r}')
    limit = limit_of("expectiminimax", limit, time=time, nodes=nodes, depth=depth)
    estimate, sorted_by = evaluation(game, evaluate), ordering(game, order)
    if prune is None:
        setup = WalkSetup(search=expectiminimax_value, evaluate=estimate, order=sorted_by)
        return Call("expectiminimax", game, state, limit, history, setup, device=device, record=record)
    within = bounds_of(game, True if bounds is None else bounds, prune)
    search = alphabeta_value if game.probability is None else star_value
    setup = WalkSetup(windowed=search, evaluate=estimate, order=sorted_by, checked=True, probing=prune == "star2")
    return Call(
        f"expectiminimax ({prune})", game, state, limit, history, setup, device=device, record=record,
        window=ANYWHERE, bounds=within,
    )  # fmt: skip


@kernel
def expectiminimax_value(game, setup, s, depth, walk):
    """The value of `s` for player 0: maximised by player 0, minimised by player 1, averaged over chance."""
    top = walk.top
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return walk.value
    mover, best, choice, total = walk.mover, as_number(0), -1, as_number(0)
    for i in range(top, end):
        action, odds = walk.actions[i], as_number(1)
        if game.probability is not None and mover == CHANCE:
            odds = odds_of(game, s, action, walk)
            total += odds
        if setup.record is not None:
            setup.record.branch(action, odds if mover == CHANCE else None)
        value = expectiminimax_value(game, setup, game.result(s, action), depth - 1, walk)
        if walk.status != FINE:
            return 0.0
        if top == 0:
            keep_first(walk, i, value)
        if mover == CHANCE:
            best += odds * value
        elif i == top or (value > best if mover == 0 else value < best):
            best, choice = value, action
    if game.probability is not None and mover == CHANCE:
        check_odds(total, walk)
        note_average(best, walk)
    walk.top = top
    if setup.record is not None:
        setup.record.leave(best, choice if mover != CHANCE else None)
    return best
