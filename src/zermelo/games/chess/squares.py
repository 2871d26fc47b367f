"""The names of squares and pieces."""

from typing import Any

from zermelo.bits import bit

FILES, RANKS = "abcdefgh", "12345678"
KINDS = "pnbrqk"
"""The signs of the six kinds of pieces, in the order of the State's boards."""
COLOURS = ("white", "black")
HOME = (0, 56)
"""Where the first rank of each player begins."""


def square_name(square: int) -> str:
    """The square as people call it: 0 is a1, 63 is h8."""
    return FILES[square & 7] + RANKS[square >> 3]


def square_number(name: str) -> int:
    """The number of the square that people call by this name."""
    return FILES.index(name[0]) + 8 * RANKS.index(name[1])


def sign_on(s: Any, square: int) -> str:
    """The piece on a square, a capital letter for a white one; an empty string where there is none."""
    here = bit(square)
    for kind, sign in enumerate(KINDS):
        if s[kind] & here:
            return sign.upper() if s.white & here else sign
    return ""
