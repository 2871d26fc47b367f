"""Logarithms, reciprocals and roots that are the same on every machine: looked up, or rounded as the standard says.

Every child of every node on a path needs them, and a look at a table is several times as fast as a division.
"""

import math

from zermelo.bits import highest, u64
from zermelo.compile import kernel, table

BITS = 12
LOGARITHMS = table([math.log(n) if n else 0.0 for n in range(1 << BITS)])
DOUBLINGS = table([k * math.log(2) for k in range(64)])
INVERSES = table([1.0 / max(n, 1) for n in range(1 << BITS)])
INVERSE_ROOTS = table([1.0 / math.sqrt(max(n, 1)) for n in range(1 << BITS)])
LOGARITHM_ROOTS = table([math.sqrt(math.log(n)) if n else 0.0 for n in range(1 << BITS)])
POWERS = table([2.0**k for k in range(64)])
SHARES = table([1.0 / math.factorial(k) for k in range(14)])


@kernel
def logarithm(n):
    """The natural logarithm of a count: of 4096 and more to three digits, of fewer as exact as floats are."""
    doublings = max(0, highest(u64(n | 1)) - BITS + 1)
    return LOGARITHMS[n >> doublings] + DOUBLINGS[doublings]


@kernel
def logarithm_root(n):
    """The square root of the logarithm."""
    return LOGARITHM_ROOTS[n & (1 << BITS) - 1] if n < 1 << BITS else math.sqrt(logarithm(n))


@kernel
def inverse(n):
    """1 / n; 1 for 0."""
    return INVERSES[n & (1 << BITS) - 1] if n < 1 << BITS else 1.0 / n


@kernel
def inverse_root(n):
    """1 / sqrt(n); 1 for 0."""
    return INVERSE_ROOTS[n & (1 << BITS) - 1] if n < 1 << BITS else 1.0 / math.sqrt(n + 0.0)


@kernel
def exponential(x):
    """e to the power of x, which is 0 to 44: a power of 2 and the series of what is left."""
    doublings = int(x * (1.0 / DOUBLINGS[1]) + 0.5)
    left = x - doublings * DOUBLINGS[1]
    total = 0.0
    for k in range(13, -1, -1):
        total = total * left + SHARES[k]
    return total * POWERS[doublings]
