"""Polyglot's format of opening books: its keys of chess positions, its numbers, its entries.

A book is a file of entries of 16 bytes, sorted by key: key (8 bytes), move (2), weight (2) and learning data (4), the
most significant byte first. The key of a position is the exclusive or of numbers from a published list of 781. That
list is what ISAAC-64, Bob Jenkins's random generator, gives when it starts from zeros, and is generated here.
"""

import struct
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from zermelo.bits import each, lowest
from zermelo.games.chess.attacks import PAWN
from zermelo.games.chess.moves import passing_pawns
from zermelo.games.chess.validity import passant_fault

ENTRY = struct.Struct(">QHHI")
NUMBERS = 781
CASTLING, PASSING, TURN = 768, 772, 780
"""Where the numbers for castling, for captures in passing and for White's move begin."""
WORD = (1 << 64) - 1
GOLDEN = 0x9E37_79B9_7F4A_7C13


class Entry(NamedTuple):
    """A line of the book."""

    key: int
    move: int
    weight: int
    learn: int = 0


def key(s: Any) -> int:
    """Polyglot's key of a chess position; a capture in passing counts where it is legal. See `keys`."""
    table, found = numbers(), 0
    for kind, board in enumerate(s[:6]):
        for white, side in enumerate((s.black, s.white)):
            for square in each(board & side):
                found ^= table[64 * (2 * kind + white) + square]
    for player, side in enumerate((s.white, s.black)):
        king = lowest(s.kings & side)
        for rook in each(s.castling & side):
            found ^= table[CASTLING + 2 * player + (rook < king)]
    if s.passant >= 0:
        found ^= table[PASSING + (s.passant & 7)]
    return found ^ table[TURN] if s.player == 0 else found


def keys(s: Any) -> Iterator[int]:
    """The keys under which Polyglot may know a position: `key` first, and mostly alone.

    Polyglot counts every pawn that has just passed one beside it, also where a pin or a check forbids to capture it. By
    the rules that changes nothing, and states do not tell it: then there is a further key for each pawn that may have
    done so.
    """
    found = key(s)
    yield found
    if s.passant >= 0 or s.clock > 0:
        return
    own, rank = (s.white, 5) if s.player == 0 else (s.black, 2)
    for square in range(8 * rank, 8 * rank + 8):
        passed = s._replace(passant=square)
        beside = PAWN[1 - s.player, square] & s.pawns & own
        if beside and not passant_fault(passed) and not passing_pawns(passed):
            yield found ^ numbers()[PASSING + (square & 7)]


def swapped(move: int) -> int:
    """An action as Polyglot numbers moves, or the other way round: the two squares change places."""
    return move >> 6 & 63 | (move & 63) << 6 | move & ~4095


@cache
def numbers() -> tuple[int, ...]:
    """The 781 numbers."""
    source = isaac64()
    return tuple(next(source) for _ in range(NUMBERS))


def isaac64() -> Iterator[int]:
    """The numbers of ISAAC-64 from a seed of zeros. Each round makes 256, which are given out from the last one on."""
    memory = _seeded()
    a = b = rounds = 0
    while True:
        rounds += 1
        b = b + rounds & WORD
        out = []
        for i in range(256):
            x = memory[i]
            turned = (~(a ^ a << 21), a ^ a >> 5, a ^ a << 12, a ^ a >> 33)[i & 3]
            a = memory[i + 128 & 255] + turned & WORD
            y = memory[i] = memory[x >> 3 & 255] + a + b & WORD
            b = memory[y >> 11 & 255] + x & WORD
            out.append(b)
        yield from reversed(out)


def _seeded() -> list[int]:
    """The generator's memory, stirred twice."""
    words, memory = [GOLDEN] * 8, [0] * 256
    for _ in range(4):
        _stir(words)
    for _ in range(2):
        for i in range(0, 256, 8):
            words = [word + old & WORD for word, old in zip(words, memory[i : i + 8], strict=True)]
            _stir(words)
            memory[i : i + 8] = words
    return memory


def _stir(words: list[int]) -> None:
    """Mix eight words, each with its neighbours."""
    for i, shift in enumerate((-9, 9, -23, 15, -14, 20, -17, 14)):
        here, far, near, last = i, (i + 4) % 8, (i + 5) % 8, (i + 7) % 8
        words[here] = words[here] - words[far] & WORD
        words[near] ^= words[last] >> -shift if shift < 0 else words[last] << shift & WORD
        words[last] = words[last] + words[here] & WORD
