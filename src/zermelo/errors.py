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
