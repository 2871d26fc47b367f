"""What no method may overlook in rules: movers who do not play, utilities, odds and actions that are none.

Kernels look where such a thing would show first, and turn back with one of the statuses below; every room that reads a
kernel's status asks `fault` for the error. The statuses stand apart from those that rooms have of their own.
"""

from zermelo.compile import kernel
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
def is_number(value):
    """Whether a utility or an estimate is finite."""
    return value - value == 0.0


@kernel
def are_odds(total):
    """Whether odds, none of them negative, sum to what odds sum to."""
    return -ROUNDING <= total - 1.0 <= ROUNDING


def fault(game: Game, status: int) -> BrokenContract | None:
    """The error that a status stands for; None where it is none of these."""
    what = {
        NO_PLAYER: f"to_move names nobody who plays: players are 0 .. {game.players - 1}, "
        + ("and chance moves only where the class defines probability" if game.probability is None else "or CHANCE"),
        NO_NUMBER: "a utility or an estimate is no finite number",
        NO_ODDS: "the odds of a chance node are negative or do not sum to 1",
        NO_ACTION: "an action is no integer >= 0: number the actions, and name them in format_action",
    }.get(status)
    return None if what is None else BrokenContract(f"{game.name}: {what}; zermelo.check shows the state")
