"""What callers pass, looked at before anything runs: whole numbers, numbers, players. `searches.limits` reads limits.

>>> whole("match: games", 4, least=1)
4
>>> whole("match: games", 0, least=1)
Traceback (most recent call last):
...
zermelo.errors.BadParameter: match: games must be an integer >= 1, not 0
"""

import math
from typing import Any, TypeGuard

from zermelo.errors import BadParameter


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is an integer: True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether it is an integer or a float: True and False are none, and neither is nan."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """An integer between bounds; `name` says what it is for, as in "cfr: iterations"."""
    if not is_whole(value) or (least is not None and value < least) or (most is not None and value > most):
        raise BadParameter(f"{name} must be an integer{_between(least, most)}, not {value!r}")
    return int(value)


def number(
    name: str, value: Any, least: float = -math.inf, most: float = math.inf, *, above: bool = False, below: bool = False
) -> float:
    """A number between bounds: above the least, where `above` says so, and below the most, where `below` does."""
    fits = is_number(value) and least <= value <= most and not (above and value == least)
    if not fits or (below and value == most):
        low = "" if least == -math.inf else f" {'>' if above else '>='} {least:g}"
        high = "" if most == math.inf else f" {'<' if below else '<='} {most:g}"
        raise BadParameter(f"{name} must be a number{low}{' and' if low and high else ''}{high}, not {value!r}")
    return float(value)


def player_of(players: int, value: Any, name: str) -> int:
    """One of the players 0, 1, ...; `name` says of which game or for which method."""
    if not is_whole(value) or not 0 <= value < players:
        raise BadParameter(f"{name}: the players are 0 to {players - 1}, not {value!r}")
    return int(value)


def _between(least: int | None, most: int | None) -> str:
    if most is None:
        return "" if least is None else f" >= {least}"
    return f" from {least} to {most}"


def as_word(limit: int | None, never: int) -> int:
    """A limit for a kernel: where there is none, or it is beyond all words, one that is never reached."""
    return never if limit is None else min(limit, never)
