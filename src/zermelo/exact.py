"""Numbers as they were given: fractions stay fractions in plain Python and become floats natively."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.compile.table import Table
from zermelo.errors import BadParameter


class Exact(Table):
    """A table of numbers that plain Python reads as they were given, fractions too, and native code as floats."""

    def __init__(self, numbers: Any) -> None:
        super().__init__(_floats(numbers))
        self.numbers = numbers

    def __getitem__(self, index: Any) -> Any:
        value = self.numbers
        for i in index if isinstance(index, tuple) else (index,):
            value = value[i]
        return value


def _floats(numbers: Any) -> Any:
    return [_floats(n) for n in numbers] if isinstance(numbers, list | tuple) else float(numbers)


def number(value: Any, what: str) -> Any:
    """The value itself where it is a finite number, as an int, a float or a Fraction; BadParameter where not."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise BadParameter(f"{what} must be a number, not {short(value)}")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        raise BadParameter(f"{what} is too large for a float") from None
    if not finite:
        raise BadParameter(f"{what} must be finite, not {value}")
    return value


def sums_to_one(numbers: Sequence[Any]) -> bool:
    """Whether odds sum to 1: exactly where all are exact, else within rounding."""
    exact = all(isinstance(x, int | Fraction) for x in numbers)
    return sum(numbers) == 1 if exact else abs(math.fsum(map(float, numbers)) - 1) <= 1e-9


def plain(value: Any) -> Any:
    """A number of numpy as Python's own; anything else as it is."""
    return value.item() if getattr(value, "shape", None) == () else value


def shown(value: Any) -> str:
    """The repr, even of what has none."""
    try:
        return repr(value)
    except Exception:
        return f"a {type(value).__name__}"


def short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= 60 else text[:57] + "..."
