"""Expectiminimax: minimax with dice (Michie, 1966). Its pruning by Star1 and Star2 is in `star`."""

from collections.abc import Sequence
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import as_number, kernel
from zermelo.contract import CHANCE
from zermelo.errors import BadParameter
from zermelo.result import Analysis
from zermelo.running.callbacks import evaluation, ordering
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_open, require_two_sides
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.best_play import with_policy
from zermelo.searches.plain.call import ANYWHERE, Call, bounds_of
from zermelo.searches.plain.node import WalkSetup, arrive, check_odds, keep_first, note_average, odds_of
from zermelo.searches.plain.star import star_value
from zermelo.types import Evaluate, Order


def expectiminimax(
    game: AnyGame,
    state: Any = None,
    *,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
    prune: str | None = None,
    bounds: tuple[float, float] | None = None,
    order: Order | bool | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Analysis:
    """The value of a game with dice: best moves of both sides, averages over chance.

    `prune` is None, "star1" or "star2"; pruning needs the bounds of the utilities (the game's own, or `bounds`),
    and refuses a utility or an estimate that lies outside.
    """
    game = as_game(game)
    require_open(game, "expectiminimax")
    require_two_sides(game, "expectiminimax")
    if prune not in (None, "star1", "star2"):
        raise BadParameter(f'prune must be None, "star1" or "star2", not {prune!r}')
    again = {"depth": depth, "evaluate": evaluate, "prune": prune, "bounds": bounds, "order": order, "device": device}
    estimate, sorted_by = evaluation(game, evaluate), ordering(game, order)
    if prune is None:
        setup = WalkSetup(search=expectiminimax_value, evaluate=estimate, order=sorted_by)
        call = Call("expectiminimax", game, state, depth, history, setup)
        return with_policy(call.analyse(device, record), expectiminimax, again)
    within = bounds_of(game, True if bounds is None else bounds, prune)
    search = alphabeta_value if game.probability is None else star_value
    setup = WalkSetup(windowed=search, evaluate=estimate, order=sorted_by, checked=True, probing=prune == "star2")
    call = Call(f"expectiminimax ({prune})", game, state, depth, history, setup, window=ANYWHERE, bounds=within)
    return with_policy(call.analyse(device, record), expectiminimax, again)


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
