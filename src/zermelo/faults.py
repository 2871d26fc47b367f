"""What no method may overlook in rules: movers who do not play, utilities, odds and actions that are none.

Kernels look where such a thing would show first, and turn back with one of the statuses below; every room that reads a
kernel's status asks `fault` for the error. The statuses stand apart from those that rooms have of their own.
"""

import itertools
from typing import Any

from zermelo.compile import as_number, as_whole, is_finite, kernel
from zermelo.contract import CHANCE, Game
from zermelo.errors import BrokenContract, too_many_actions

NO_PLAYER, NO_NUMBER, NO_ODDS, NO_ACTION = -11, -12, -13, -14
ROUNDING = 1e-9
"""Odds sum to 1 but for this."""


@kernel
def is_player(game, mover):
    """Whether somebody of this number can be on the move; chance can where the game has a `probability`."""
    return (0 if game.probability is None else CHANCE) <= mover < game.players


@kernel
def is_number(value):
    """Whether a utility or an estimate is finite."""
    return value - value == 0.0


@kernel
def are_odds(total):
    """Whether odds, none of them negative, sum to what odds sum to."""
    return -ROUNDING <= total - 1.0 <= ROUNDING


@kernel
def are_actions(memory, start, end):
    """Whether the words from `start` on are what actions are: integers, none of them negative."""
    signs = 0
    for i in range(start, end):
        signs |= as_whole(memory[i])
    return signs >= 0


@kernel
def fault_at(game, s, memory, start, end):
    """What is wrong with a state that has been opened, whose actions lie in memory; 0 where nothing is."""
    if start == end:
        return 0
    mover = as_whole(game.to_move(s))
    if not is_player(game, mover):
        return NO_PLAYER
    if not are_actions(memory, start, end):
        return NO_ACTION
    if game.probability is not None and mover == CHANCE:
        total = as_number(0)
        for i in range(start, end):
            odds = as_number(game.probability(s, memory[i]))
            if not odds >= 0.0:
                return NO_ODDS
            total += odds
        if not are_odds(total):
            return NO_ODDS
    return 0


def require_sound(game: Game, s: Any) -> None:
    """Refuse a state in which nobody can move, by a mover, actions or odds that are none."""
    if game.is_over(s):
        return
    memory = actions_at(game, s)
    status = fault_at(game, s, memory, 0, len(memory))
    if status != 0:
        raise fault(game, status) or AssertionError


def actions_at(game: Game, s: Any) -> list[int]:
    """The actions in `s`, where they are numbers and no more than the game promises."""
    found = list(itertools.islice(game.actions(s), game.max_actions + 1))
    if len(found) > game.max_actions:
        raise too_many_actions(game.name, game.max_actions)
    if any(as_whole(action) < 0 for action in found):
        raise fault(game, NO_ACTION) or AssertionError
    return found


def odds_at(game: Game, s: Any) -> dict[int, float]:
    """How likely each outcome of the chance node `s` is, where these are odds."""
    require_sound(game, s)
    return {action: float(as_number(game.probability(s, action))) for action in game.actions(s)}


def mover_at(game: Game, s: Any) -> int:
    """Who moves in `s`, where that is somebody."""
    mover = as_whole(game.to_move(s))
    if not is_player(game, mover):
        raise fault(game, NO_PLAYER) or AssertionError
    return mover


def utility_at(game: Game, s: Any, player: int) -> Any:
    """What a player gets at the end `s`, where that is a number."""
    value = as_number(game.utility(s, player))
    if not is_finite(value):
        raise fault(game, NO_NUMBER) or AssertionError
    return value


def fault(game: Game, status: int) -> BrokenContract | None:
    """The error that a status stands for; None where it is none of these."""
    what = {
        NO_PLAYER: f"to_move names nobody who plays: players are 0 .. {game.players - 1}, "
        + ("and chance moves only where the class defines probability" if game.probability is None else "or CHANCE"),
        NO_NUMBER: "a utility or an estimate is no finite number: return finite numbers",
        NO_ODDS: "the odds of a chance node are negative or do not sum to 1",
        NO_ACTION: "an action is no integer >= 0: number the actions, and name them in format_action",
    }.get(status)
    return None if what is None else BrokenContract(f"{game.name}: {what}; zermelo.check shows the state")
