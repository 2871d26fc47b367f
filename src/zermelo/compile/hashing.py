"""A 64-bit hash of any state or view, equal on all machines.

Every word of the value is mixed with its place and the results are added, so that native code works on all words at
once. Values that are no integers (a state of the python machine may be any hashable object) take Python's own hash.
"""

from typing import Any

from zermelo.bits import MASK
from zermelo.compile.random import GOLDEN

PLACE = 0xA076_1D64_78BD_642F
FIRST, SECOND = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB


def hash64(value: Any) -> int:
    """The hash as a signed 64-bit integer.

    >>> hash64((1, 2)) == hash64((2, 1))
    False
    """
    words: list[int] = []
    _flatten(value, words)
    total = 0
    for place, word in enumerate(words):
        total += mix((word & MASK) + (place + 1) * PLACE)
    total = mix(total + len(words) * GOLDEN)
    return total - (1 << 64) if total >> 63 else total


def mix(x: int) -> int:
    """A word in which every bit depends on every bit of `x`."""
    x &= MASK
    x = ((x ^ (x >> 32)) * FIRST) & MASK
    x = ((x ^ (x >> 29)) * SECOND) & MASK
    return x ^ (x >> 32)


def _flatten(value: Any, words: list[int]) -> None:
    if isinstance(value, int):
        words.append(int(value))
    elif isinstance(value, tuple):
        for item in value:
            _flatten(item, words)
    else:
        words.append(hash(value))
