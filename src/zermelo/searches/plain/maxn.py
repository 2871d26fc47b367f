"""Games of any number of players: a value for each of them at every node.

max^n (Luckhardt and Irani, 1986) lets everybody maximise their own; paranoid search (Sturtevant and Korf, 2000) takes
everybody else as one opponent; expectimax takes everybody else as a die.
"""

from collections.abc import Sequence
from typing import Any

from zermelo.arguments import player_of
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import as_number, kernel
from zermelo.contract import CHANCE
from zermelo.result import Limit
from zermelo.running.callbacks import evaluation_for_players, ordering
from zermelo.running.nodes import mover_at
from zermelo.running.statuses import FINE
from zermelo.running.suitability import require_open
from zermelo.searches.limits import limit_of
from zermelo.searches.plain.call import Call, CallForAll
from zermelo.searches.plain.deepening import plain_search
from zermelo.searches.plain.node import WalkSetup, arrive, check_odds, is_close, note_average, odds_of, place_of
from zermelo.types import Evaluate, Order


@plain_search
def maxn(
    game: AnyGame,
    state: Any = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    order: Order | bool | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Call:
    """The values for all players when each maximises its own (max^n); any sums, any number of players."""
    limit = limit_of("maxn", limit, time=time, nodes=nodes, depth=depth)
    return _call("maxn", game, state, None, limit, evaluate, order, device=device, record=record, history=history)


@plain_search
def paranoid(
    game: AnyGame,
    state: Any = None,
    *,
    player: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    order: Order | bool | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Call:
    """The values when everybody else plays against `player` (the one to move, unless named)."""
    limit = limit_of("paranoid", limit, time=time, nodes=nodes, depth=depth)
    return _call("paranoid", game, state, player, limit, evaluate, order, device=device, record=record, history=history)


@plain_search
def expectimax(
    game: AnyGame,
    state: Any = None,
    *,
    player: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluate: Evaluate | None = None,
    order: Order | bool | None = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Call:
    """The values when `player` (the one to move, unless named) does its best and everybody else moves at random."""
    limit = limit_of("expectimax", limit, time=time, nodes=nodes, depth=depth)
    return _call(
        "expectimax", game, state, player, limit, evaluate, order, device=device, record=record, history=history
    )


def _call(
    method: str, game: AnyGame, state: Any, player: int | None, limit: Limit, evaluate: Evaluate | None,
    order: Order | bool | None, *, device: str, record: bool, history: Sequence[Any],
) -> Call:  # fmt: skip
    game = as_game(game)
    require_open(game, method)
    s = game.initial() if state is None else game.checked_state(state)
    me = player if player is not None else 0 if game.is_terminal(s) else max(0, mover_at(game, s))
    player_of(game.players, me, game.name)
    setup = WalkSetup(
        search=players_value, evaluate=evaluation_for_players(game, evaluate), order=ordering(game, order), style=method
    )
    return CallForAll(method, game, s, limit, history, setup, device=device, record=record, me=me)


@kernel
def players_value(game, setup, s, depth, walk):
    """The action to take in `s`, -1 where there is none; everybody's value lies in walk.values, at the node's place."""
    top = walk.top
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return -1
    mover, choice, total = walk.mover, -1, as_number(0)
    averages = mover == CHANCE or (setup.style == "expectimax" and mover != walk.me)
    here = place_of(game, depth, walk)
    for player in range(game.players):
        walk.values[here + player] = as_number(0)
    for i in range(top, end):
        action, odds = walk.actions[i], as_number(1)
        if game.probability is not None and mover == CHANCE:
            odds = odds_of(game, s, action, walk)
            total += odds
        if setup.record is not None:
            alike = 1.0 / (end - top) if averages else None
            setup.record.branch(action, odds if mover == CHANCE else alike)
        players_value(game, setup, game.result(s, action), depth - 1, walk)
        if walk.status != FINE:
            return -1
        if top == 0:
            keep_first_of_all(game, i, walk)
        if averages:
            add_share(game, odds if mover == CHANCE else 1.0 / (end - top), here, walk)
        elif is_preferred(game, setup, mover, i == top, here, walk):
            choice = action
            for player in range(game.players):
                walk.values[here + player] = walk.values[here + game.players + player]
    walk.top = top
    if averages:
        look_at_average(game, mover, total, here, walk)
    if setup.record is not None:
        setup.record.leave_all(walk, depth, choice)
    return choice


@kernel
def is_preferred(game, setup, mover, is_first, here, walk):
    """Whether the child whose values lie behind those of `here` is the best so far for whoever moves.

    In paranoid search everybody else wants the least for the player whom the search is for.
    """
    subject = walk.me if setup.style == "paranoid" else mover
    new, old = walk.values[here + game.players + subject], walk.values[here + subject]
    if game.probability is not None or setup.style == "expectimax":
        # The values of the other players depend on this choice.
        if game.players > 1 and not is_first and is_close(new, old):
            walk.close = 1
    return is_first or (new < old if setup.style == "paranoid" and mover != walk.me else new > old)


@kernel
def add_share(game, share, here, walk):
    """Add a share of the child's values to those of `here`."""
    for player in range(game.players):
        walk.values[here + player] += share * walk.values[here + game.players + player]
    return 0


@kernel
def look_at_average(game, mover, total, here, walk):
    """Check the odds and note the averages when all outcomes have been seen."""
    if game.probability is not None and mover == CHANCE:
        check_odds(total, walk)
    for player in range(game.players):
        note_average(walk.values[here + player], walk)
    return 0


@kernel
def keep_first_of_all(game, place, walk):
    """Note everybody's value of a first move."""
    for player in range(game.players):
        walk.first[walk.first_at + place * game.players + player] = walk.values[game.players + player]
    walk.count = place + 1
    return 0
