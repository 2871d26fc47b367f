"""What no method may overlook in rules: movers who do not play, utilities, odds and actions that are none.

Kernels look where such a thing would show first, and turn back with one of the statuses below; every room that reads a
kernel's status asks `fault` for the error. The statuses stand apart from those that rooms have of their own.
"""

from zermelo.compile import as_number, as_whole, kernel
from zermelo.contract import CHANCE, Game
from zermelo.errors import BrokenContract

NO_PLAYER, NO_NUMBER, NO_ODDS, NO_ACTION = -11, -12, -13, -14
ROUNDING = 1e-9
"""Odds sum to 1 but for this."""


@kernel
def is_player(game, mover):
    """Whether somebody of this number can be on the move; chance can where the game has a `probability`."""
    return (0 if game.probability is None else CHANCE) <= mover < game.players


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


def broken(game: Game, status: int) -> BrokenContract:
    """The error of one of these statuses."""
    error = fault(game, status)
    assert error is not None
    return error
