"""Boards of 64 bits that mean the same on every machine.

`u64` is an unsigned 64-bit integer: whatever is computed with it stays a `u64` and wraps around at 2**64, in plain
Python just as in native code. A shift by 64 or more gives 0. Mixed with ordinary integers the result is a `u64`.

>>> u64(1) << 63
u64(0x8000000000000000)
>>> u64(0) - 1 == 2**64 - 1
True
>>> [square for square in each(u64(0b10110))]
[1, 2, 4]
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

__all__ = ["bit", "each", "highest", "lowest", "lowest_bit", "nth", "popcount", "rotate_left", "u64", "without_lowest"]

MASK = 0xFFFF_FFFF_FFFF_FFFF


def _wrapping(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(int, name)

    def operation(self: "u64", other: Any) -> Any:
        value = plain(self, other)
        return value if value is NotImplemented else _new(u64, value & MASK)

    operation.__name__ = name
    return operation


class u64(int):
    """An unsigned 64-bit integer that wraps around."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> "u64":
        return int.__new__(cls, value & MASK)

    if TYPE_CHECKING:

        def __add__(self, other: int, /) -> "u64": ...
        def __radd__(self, other: int, /) -> "u64": ...
        def __mul__(self, other: int, /) -> "u64": ...
        def __rmul__(self, other: int, /) -> "u64": ...
        def __and__(self, other: int, /) -> "u64": ...
        def __rand__(self, other: int, /) -> "u64": ...
        def __or__(self, other: int, /) -> "u64": ...
        def __ror__(self, other: int, /) -> "u64": ...
        def __xor__(self, other: int, /) -> "u64": ...
        def __rxor__(self, other: int, /) -> "u64": ...
        def __sub__(self, other: int, /) -> "u64": ...
        def __rsub__(self, other: int, /) -> "u64": ...
        def __floordiv__(self, other: int, /) -> "u64": ...
        def __rfloordiv__(self, other: int, /) -> "u64": ...
        def __mod__(self, other: int, /) -> "u64": ...
        def __rmod__(self, other: int, /) -> "u64": ...
        def __rshift__(self, other: int, /) -> "u64": ...
        def __rrshift__(self, other: int, /) -> "u64": ...
    else:
        __add__ = __radd__ = _wrapping("__add__")
        __mul__ = __rmul__ = _wrapping("__mul__")
        __and__ = __rand__ = _wrapping("__and__")
        __or__ = __ror__ = _wrapping("__or__")
        __xor__ = __rxor__ = _wrapping("__xor__")
        __sub__ = _wrapping("__sub__")
        __rsub__ = _wrapping("__rsub__")
        __rshift__ = _wrapping("__rshift__")
        __floordiv__ = _wrapping("__floordiv__")
        __rfloordiv__ = _wrapping("__rfloordiv__")
        __mod__ = _wrapping("__mod__")
        __rmod__ = _wrapping("__rmod__")
        __rrshift__ = _wrapping("__rrshift__")

    def __lshift__(self, count: int) -> "u64":
        return _new(u64, (int(self) << count) & MASK if count < 64 else 0)

    def __rlshift__(self, value: int) -> "u64":
        return _new(u64, (int(value) << int(self)) & MASK if self < 64 else 0)

    def __invert__(self) -> "u64":
        return _new(u64, int.__xor__(self, MASK))

    def __neg__(self) -> "u64":
        return _new(u64, int.__neg__(self) & MASK)

    def __pos__(self) -> "u64":
        return self

    def __repr__(self) -> str:
        return f"u64({int(self):#x})"

    def __str__(self) -> str:
        return int.__repr__(self)


_new = int.__new__


def popcount(x: int) -> int:
    """The number of bits that are set, of the 64."""
    return (x & MASK).bit_count()


def lowest(x: int) -> int:
    """The index of the lowest bit that is set; 64 where there is none."""
    x = int(x) & MASK
    return (x & -x).bit_length() - 1 if x else 64


def highest(x: int) -> int:
    """The index of the highest bit that is set; -1 where there is none."""
    return (int(x) & MASK).bit_length() - 1


def nth(x: int, n: int) -> int:
    """The index of the bit that has n set bits below it: `nth(x, 0) == lowest(x)`; 64 where there are no more than n.

    `n` counts modulo 64, so that no check is needed in native code.
    """
    x = int(x) & MASK
    for _ in range(int(n) & 63):
        x &= x - 1
    return lowest(x)


def lowest_bit(x: int) -> u64:
    """The lowest bit alone: `bit(lowest(x))`, and 0 for 0."""
    x = int(x)
    return u64(x & -x)


def without_lowest(x: int) -> u64:
    """All bits but the lowest."""
    x = int(x)
    return u64(x & (x - 1))


def bit(index: int) -> u64:
    """A board with one bit: `bit(3) == 8`. The index counts modulo 64, so that no check is needed in native code."""
    return u64(1 << (index & 63))


def rotate_left(x: int, count: int) -> u64:
    """The 64 bits turned left by `count` modulo 64."""
    x, count = int(x) & MASK, count & 63
    return u64(x << count | x >> (64 - count))


def each(x: int) -> Iterator[int]:
    """The indices of the bits that are set, from the lowest on."""
    x = int(x) & MASK
    while x:
        low = x & -x
        yield low.bit_length() - 1
        x ^= low
