"""Logarithms that are the same on every machine: sums of two looked-up numbers, with no rounding left to a library."""

import math

from zermelo.bits import highest, u64
from zermelo.compile import kernel, table

BITS = 12
LOGARITHMS = table([math.log(n) if n else 0.0 for n in range(1 << BITS)])
DOUBLINGS = table([k * math.log(2) for k in range(64)])


@kernel
def logarithm(n):
    """The natural logarithm of a count: of 4096 and more to three digits, of fewer as exact as floats are."""
    doublings = max(0, highest(u64(n | 1)) - BITS + 1)
    return LOGARITHMS[n >> doublings] + DOUBLINGS[doublings]
