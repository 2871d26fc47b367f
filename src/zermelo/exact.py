"""Numbers as they were given: fractions stay fractions in plain Python and become floats natively."""

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from zermelo.compile.given import as_value, is_finer
from zermelo.compile.tables import Table
from zermelo.errors import BadParameter

__all__ = [
    "Exact",
    "as_value",
    "common_fractions",
    "number",
    "plain",
    "short",
    "shown",
    "simplest",
    "simplest_between",
    "sums_to_one",
]
LARGEST_DENOMINATOR = 1 << 64


class Exact(Table):
    """A table of numbers that plain Python reads as they were given, fractions too, and native code as floats."""

    def __init__(self, numbers: Any) -> None:
        super().__init__(_floats(numbers))
        self.numbers = numbers

    @cached_property
    def finer(self) -> bool:
        """Whether some of these numbers are held by no float."""
        return _any_finer(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        value = self.numbers
        for i in index if isinstance(index, tuple) else (index,):
            value = value[i]
        return value

    @cached_property
    def is_blurred(self) -> bool:
        """Whether some of the numbers differ, and no float tells them apart."""
        different = set(_flat(self.numbers))
        return len({float(n) for n in different}) < len(different)


def _flat(numbers: Any) -> Iterator[Any]:
    for n in numbers:
        if isinstance(n, list | tuple):
            yield from _flat(n)
        else:
            yield n


def _floats(numbers: Any) -> Any:
    return [_floats(n) for n in numbers] if isinstance(numbers, list | tuple) else float(numbers)


def _any_finer(numbers: Any) -> bool:
    return any(map(_any_finer, numbers)) if isinstance(numbers, list | tuple) else is_finer(numbers)


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


def simplest(x: Any) -> Fraction:
    """The fraction of the least denominator that rounds to a float; other numbers as they are.

    >>> simplest(0.1), simplest(1 / 3), simplest(-2.0)
    (Fraction(1, 10), Fraction(1, 3), Fraction(-2, 1))
    """
    given = Fraction(x)
    if not isinstance(x, float) or given.denominator == 1:
        return given
    below, above = Fraction(math.nextafter(x, -math.inf)), Fraction(math.nextafter(x, math.inf))
    # Halfway to a neighbour denominators are larger than at x itself: the answer is never one of the bounds.
    return simplest_between((given + below) / 2, (given + above) / 2)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the least denominator between two bounds, both included; the one nearest to 0 of several.

    >>> simplest_between(Fraction(3, 10), Fraction(2, 5)), simplest_between(Fraction(-7, 2), Fraction(-3, 2))
    (Fraction(1, 3), Fraction(-2, 1))
    """
    if high < 0:
        return -simplest_between(-high, -low)
    if low <= 0:
        return Fraction(0)
    whole = (low.numerator - 1) // low.denominator
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def common_fractions(numbers: Iterable[Any]) -> list[Fraction] | None:
    """The numbers as the simplest fractions that round to them; None where those need a huge common denominator.

    >>> common_fractions([0.5, 1 / 3]), common_fractions([0.123456789012345, 0.98765432109876, 0.55443322110099887])
    ([Fraction(1, 2), Fraction(1, 3)], None)
    """
    common, out = 1, []
    for x in numbers:
        out.append(simplest(x))
        common = math.lcm(common, out[-1].denominator)
        if common > LARGEST_DENOMINATOR:
            return None
    return out


def exact_numbers(numbers: Iterable[Any]) -> list[Any]:
    """The numbers that belong to one game, without rounding: what is exact as it is, floats as fractions.

    A float is the simplest fraction that rounds to it; where such fractions need a huge common denominator, all floats
    are the binary fractions that they are. Either way two floats that differ stay apart, in the same order.

    >>> exact_numbers([1, 0.5, 0.3, 0.30000000000000004])
    [1, Fraction(1, 2), Fraction(3, 10), Fraction(415716888680356, 1385722962267853)]
    """
    given = list(numbers)
    places = [i for i, x in enumerate(given) if isinstance(x, float)]
    if places:
        simple = common_fractions(given)
        for i in places:
            given[i] = Fraction(given[i]) if simple is None else simple[i]
    return given


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
