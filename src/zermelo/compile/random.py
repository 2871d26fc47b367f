"""Random numbers that are the same on every machine.

A stream is a pair of a key and a counter: number n of stream k is a fixed function of both, so any machine can produce
it without the numbers before. The mixing function is that of SplitMix64 (Steele, Lea and Flood, 2014).
"""

from zermelo.bits import u64

GOLDEN = 0x9E37_79B9_7F4A_7C15


def mix(x):
    """A 64-bit word in which every bit depends on every bit of `x`."""
    x = u64(x)
    x = (x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9
    x = (x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB
    return x ^ (x >> 31)


def stream(seed, index):
    """The key of stream `index` of `seed`."""
    return mix(mix(u64(seed) + GOLDEN) ^ (u64(index) * 0xD1B5_4A32_D192_ED03))


def word(key, counter):
    """Number `counter` of a stream: 64 random bits."""
    return mix(key + u64(counter + 1) * GOLDEN)


def below(bits, n):
    """An integer in 0 .. n-1 out of 64 random bits."""
    return int(((bits >> 32) * n) >> 32)


def uniform(bits):
    """A float in [0, 1) out of 64 random bits."""
    return int(bits >> 11) * (1.0 / 9007199254740992.0)
