"""Every error that zermelo raises on purpose. All of them say what was wrong and what to do instead."""


class ZermeloError(Exception):
    """The root of all errors of this package."""


class UnknownGame(ZermeloError, ValueError):
    """A game name, file or class that cannot be found or loaded."""


class BadParameter(ZermeloError, ValueError):
    """A parameter of a game or a method that does not exist or has a value that makes no sense."""


class BadState(ZermeloError, ValueError):
    """A state that does not belong to the game it was given to."""


class IllegalAction(ZermeloError, ValueError):
    """An action that the rules do not allow in this state."""


class BadNotation(ZermeloError, ValueError):
    """A file or text that cannot be read; the message names the line and the column."""


class BrokenContract(ZermeloError):
    """A game whose rules contradict what a Game promises."""


class UnsuitableGame(ZermeloError, ValueError):
    """A method was given a game that it does not fit; the message names one that does."""


class EndlessGame(UnsuitableGame):
    """A search without a depth limit went deeper than any sensible game: the rules allow loops."""


class CompileError(ZermeloError):
    """A game or kernel that cannot be turned into native code; the message names the line and a way out."""


class DeviceError(ZermeloError):
    """A machine was asked for that is not there."""


class Interrupted(ZermeloError):
    """Native code was stopped before it had an answer."""


class Busy(ZermeloError):
    """An engine was asked for something while it is searching."""


# --- what several methods find wrong with a game ---------------------------------------------------------------------


def too_many_actions(game: str, most: int) -> BrokenContract:
    """The error of a state with more actions than the game of this name promises."""
    return BrokenContract(f"{game}: a state has more than max_actions = {most} actions: raise it")


def no_actions(game: str) -> BrokenContract:
    """The error of a state at which a game of this name neither ends nor goes on."""
    return BrokenContract(f"{game}: a state that is not terminal has no actions; zermelo.check shows it")


def unequal_actions(game: str, where: str | None = None) -> UnsuitableGame:
    """The error of equal views, in a game of this name, that offer different actions; `where` says at which."""
    place = "" if where is None else f" at {where!r}"
    return UnsuitableGame(f"{game}: equal views offer different actions{place}; zermelo.check shows it")
