"""What rules return, as kernels take it: numbers, players and actions of whatever type an author writes.

Plain Python keeps integers and fractions as they are, so that nothing is rounded; native code has 64-bit integers and
floats. What is no number at all becomes one that no kernel accepts.
"""

import math
import operator
import sys
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

LARGEST = sys.float_info.max
WHOLE = 1 << 53
"""Floats hold all integers up to this one."""
NOBODY = -(1 << 62)
"""Stands for a player or an action that is no integer."""


def as_number(x: Any) -> Any:
    """A utility, an estimate or odds: exact where they were given so; NaN where they are no number."""
    kind = type(x)
    if kind is float:
        return x + 0.0
    return x if kind is int or kind is Fraction else _of_another_type(x)


def _of_another_type(x: Any) -> Any:
    if getattr(x, "shape", None) == ():
        x = x.item()
    if isinstance(x, Fraction):
        return x
    if isinstance(x, int):
        return int(x)
    if isinstance(x, Rational):
        return Fraction(int(x.numerator), int(x.denominator))
    if isinstance(x, Decimal):
        return Fraction(x) if x.is_finite() else math.nan
    return float(x) + 0.0 if isinstance(x, float) else math.nan


def as_whole(x: Any) -> int:
    """A player or an action as an integer; NOBODY where it is none."""
    if type(x) is int:
        return x
    try:
        return operator.index(x)
    except TypeError:
        return NOBODY


def is_finer(x: Any) -> bool:
    """Whether no float holds the number."""
    kind = type(x)
    if kind is float or (kind is int and -WHOLE <= x <= WHOLE):
        return False
    value = as_number(x)
    try:
        return value == value and float(value) != value
    except OverflowError:
        return True


def as_value(x: Any) -> Any:
    """A number as answers show it: a float where a float holds it, else the integer or fraction that it is.

    >>> as_value(3), as_value(Fraction(1, 2)), as_value(2**53 + 1), as_value(Fraction(1, 3))
    (3.0, 0.5, 9007199254740993, Fraction(1, 3))
    """
    if not isinstance(x, float) and is_finer(x):
        return int(x) if Fraction(x).denominator == 1 else x
    return float(x)


def is_finite(x: Any) -> bool:
    """Whether it is a number at all, and of a size that floats have."""
    kind = type(x)
    if kind is float:
        return x - x == 0.0
    return -LARGEST <= (x if kind is int else as_number(x)) <= LARGEST


def is_float(x: Any) -> bool:
    """Whether the number is a float, as all are in native code."""
    return type(x) is float


def divided(x: Any, y: Any) -> Any:
    """x / y, exact where both are."""
    return x / y if type(x) is float or type(y) is float else Fraction(x) / y


def store_number(memory: Any, index: int, value: Any) -> None:
    """Put a number into a memory, from where `load_float` takes it; in plain Python it stays what it is."""
    memory[index] = value
