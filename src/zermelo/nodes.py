"""Single nodes as walks in plain Python meet them: who moves, what can be done, with which odds, and what ends pay.

Kernels look for the faults of `zermelo.faults` on their own; these functions are the same looks for everybody else.
"""

import itertools
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BrokenContract, no_actions, too_many_actions
from zermelo.faults import NO_ACTION, NO_NUMBER, NO_ODDS, NO_PLAYER, are_odds, fault, is_number, is_player


def mover_at(game: Game, s: Any) -> int:
    """Who moves in a state that is not terminal; BrokenContract where that is nobody who plays."""
    mover = game.to_move(s)
    if not isinstance(mover, int) or not is_player(game, mover):
        raise broken(game, NO_PLAYER)
    return mover


def actions_at(game: Game, s: Any) -> tuple[int, ...]:
    """The actions of a state that is not terminal; BrokenContract where there are none, too many, or no integers."""
    actions = tuple(itertools.islice(game.actions(s), game.max_actions + 1))
    if len(actions) > game.max_actions:
        raise too_many_actions(game.name, game.max_actions)
    if not actions:
        raise no_actions(game.name)
    if not are_actions(actions):
        raise broken(game, NO_ACTION)
    return actions


def are_actions(actions: Any) -> bool:
    """Whether all of these are integers from 0 on."""
    return all(hasattr(action, "__index__") and action >= 0 for action in actions)


def odds_at(game: Game, s: Any, actions: tuple[int, ...]) -> tuple[Any, ...]:
    """The odds of the outcomes of a chance node, as the game gives them; BrokenContract where they are no odds."""
    odds = tuple(game.probability(s, action) for action in actions)
    if not all(_is_finite(p) and p >= 0 for p in odds) or not are_odds(sum(odds)):
        raise broken(game, NO_ODDS)
    return odds


def payoffs_at(game: Game, s: Any) -> tuple[Any, ...]:
    """What every player gets at an end, as the game gives it; BrokenContract where that is no finite number."""
    payoffs = tuple(game.utility(s, player) for player in range(game.players))
    if not all(map(_is_finite, payoffs)):
        raise broken(game, NO_NUMBER)
    return payoffs


def outcomes_at(game: Game, s: Any) -> dict[int, float]:
    """The odds of each outcome of a chance node, as floats."""
    actions = actions_at(game, s)
    return {action: float(p) for action, p in zip(actions, odds_at(game, s, actions), strict=True)}


def _is_finite(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, str) and bool(is_number(value))


def broken(game: Game, status: int) -> BrokenContract:
    """The error of a fault, by its status."""
    error = fault(game, status)
    assert error is not None
    return error
