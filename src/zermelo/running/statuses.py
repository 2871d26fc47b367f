"""How kernels say what went wrong, and the errors that people read. One numbering serves every method.

A kernel writes one of these words to `status` and turns back. All but FINE lie below zero, so that a kernel that counts
can return a status in place of a count. Whoever called it asks `refuse` to raise what the status means.
"""

from zermelo.compile.program import STOPPED
from zermelo.contract import Game
from zermelo.errors import (
    BadParameter,
    BrokenContract,
    EndlessGame,
    Interrupted,
    ZermeloError,
    no_actions,
    too_many_actions,
    unequal_actions,
)
from zermelo.running.recursion import MAX_PLY

FINE = 0
"""Nothing is wrong. STOPPED, from the compiler's room, says that somebody interrupted the kernel."""

OUT_OF_TIME, OUT_OF_NODES, NO_ROOM = -2, -3, -4
"""A limit was reached; the memory is full. What was found until then holds."""

TOO_DEEP, ENDLESS = -5, -6
"""The game went deeper than any search does; a random game did not end."""

TOO_MANY, NO_ACTIONS, UNEQUAL, FORGETS = -7, -8, -9, -10
"""More actions than max_actions; none where the game goes on; other actions under an equal view; a player who forgets
what it did."""

NO_PLAYER, NO_NUMBER, NO_ODDS, NO_ACTION = -11, -12, -13, -14
"""Rules that break the contract: see `faults`."""

OUT_OF_BOUNDS, ESTIMATE_OUT_OF_BOUNDS, NO_ESTIMATE, OUT_OF_RANGE = -15, -16, -17, -18
"""A utility or an estimate outside of the bounds by which branches are pruned; an estimate that is no number; a sum
of utilities that is finer or larger than words hold."""


def refuse(game: Game, status: int, method: str = "the search", endless: str = "") -> None:
    """Raise what a kernel reported; `endless` says what to do about a random game that does not end."""
    error = error_of(game, status, method, endless)
    if error is not None:
        raise error


def error_of(game: Game, status: int, method: str = "the search", endless: str = "") -> ZermeloError | None:
    """The error that a status stands for; None where nothing is wrong, or where a limit was reached."""
    if status == STOPPED:
        return Interrupted(f"{method} was stopped")
    if status in (TOO_DEEP, NO_ROOM):
        return EndlessGame(
            f"{game.name} went deeper than {MAX_PLY:,} moves: give a depth=, or say in the class what a repeated "
            'position means (repetition = "draw" or "forbidden")'
        )
    if status == ENDLESS:
        return EndlessGame(f"{game.name}: {endless}")
    if status == TOO_MANY:
        return too_many_actions(game.name, game.max_actions)
    if status == NO_ACTIONS:
        return no_actions(game.name)
    if status == UNEQUAL:
        return unequal_actions(game.name)
    if status == NO_ESTIMATE:
        return BadParameter("evaluate must return finite numbers; in some position it returned nan or an infinity")
    return fault(game, status)


def fault(game: Game, status: int) -> BrokenContract | None:
    """The error of rules that break the contract; None where the status says nothing of the kind."""
    what = {
        NO_PLAYER: f"to_move names nobody who plays: players are 0 .. {game.players - 1}, "
        + ("and chance moves only where the class defines probability" if game.probability is None else "or CHANCE"),
        NO_NUMBER: "a utility or an estimate is no finite number: return finite numbers",
        NO_ODDS: "the odds of a chance node are negative or do not sum to 1",
        NO_ACTION: "an action is no integer >= 0: number the actions, and name them in format_action",
    }.get(status)
    return None if what is None else BrokenContract(f"{game.name}: {what}; zermelo.check shows the state")


def broken(game: Game, status: int) -> BrokenContract:
    """The error of one of the statuses NO_PLAYER, NO_NUMBER, NO_ODDS and NO_ACTION."""
    error = fault(game, status)
    assert error is not None
    return error
