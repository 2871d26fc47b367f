"""Every error that zermelo raises on purpose. All of them say what was wrong and what to do instead."""

import re
from typing import Any

LONGEST_QUOTE, LONGEST_MESSAGE = 120, 2000
QUOTED = re.compile(r"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.){121,}?)\1(?!\w)""", re.DOTALL)
"""A longer text than that between two quotation marks, as repr writes it; apostrophes within words are none."""
WORD = re.compile(r"\S{201,}")
"""A longer word than any that is meant to be read: somebody's input without quotation marks."""


def shortened(message: str, most: int = LONGEST_MESSAGE) -> str:
    """The message with long quotations and words cut off and, where it is still too long, without its middle: it begins
    with what is wrong and ends with what to do."""
    if len(message) > LONGEST_QUOTE:
        message = QUOTED.sub(lambda found: f"{found[1]}{found[2][: LONGEST_QUOTE // 2]}...{found[1]}", message)
        message = WORD.sub(lambda found: f"{found[0][: LONGEST_QUOTE // 2]}...", message)
    if len(message) > most:
        end = most // 3
        message = f"{message[: most - end - 5]} ... {message[-end:]}"
    return message


def beginning(text: str, most: int) -> str:
    """The text, or its beginning and three dots where it has more letters than `most`."""
    return text if len(text) <= most else text[: most - 3] + "..."


class ZermeloError(Exception):
    """The root of all errors of this package. What is quoted in its message, and the message itself, is cut to a length
    that somebody reads."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*(shortened(one) if isinstance(one, str) else one for one in arguments))


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
    """A machine was asked for that this computer does not have."""


class MissingPackage(ZermeloError, ImportError):
    """Something was asked for that needs a package which is not installed; the message names it."""


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
