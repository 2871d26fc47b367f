"""What a chess position is worth by a small network that learned it from scored positions.

Every piece on its square adds a row of weights to two sums, one as White sees the board and one as Black does; each
view is turned so that its own side moves up and its own king stands on the right half, and has rows of its own for
where that king stands. The sums, cut off at 0 and 1 and squared, are weighted into one number, by weights of their own
for each number of pieces left. All of it is done in integers, so that every machine finds the same score.
`tools/train_chess_network.py` made the weights.
"""

from pathlib import Path

import numpy as np

from zermelo.bits import lowest, popcount, u64, without_lowest
from zermelo.compile import load_row, row, row_words, squares_by_row, store_row, table

ONE = 181
"""1.0 in the sums: its square is the largest below 2 ** 15."""
UNIT = 256
"""1.0 in the output weights."""
SPREAD = 400
"""An output of 1.0 in centipawns."""
OTHERS, PLACES = 384, 768
"""Rows of a zone: own pieces, 64 squares for each of 6 kinds; then the opponent's."""
ZONES = 8
"""Where the own king stands in its view: each square of the first rank, two halves of the second, and further up."""
EMPTY = ZONES * PLACES
"""The row with which each sum begins, behind those of all zones."""

with np.load(Path(__file__).with_name("network.npz")) as _weights:
    PIECES = table(_weights["pieces"])
    OUTPUT = table(_weights["output"])
    BIAS = table(_weights["bias"])


def score(s):
    """The estimate in centipawns, for White."""
    left = popcount(s.white | s.black) - 1 >> 2
    white, black = view(s, 0, 2 * left + (s.player & 1)), view(s, 1, 2 * left + (1 - s.player & 1))
    value = ((white + black) // ONE + BIAS[left]) * SPREAD // (ONE * UNIT)
    return value if s.player == 0 else -value


def view(s, player, weights):
    """What a player's view of the board adds to the output."""
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    return squares_by_row(whole_sum(s, us, them, seen_from(s.kings & us, player)), ONE, OUTPUT, weights)


def seen_from(king, player):
    """How squares become rows of the view of a player whose king stands here: the first row of the king's zone, and the
    number that turns squares by exclusive or."""
    square = lowest(king)
    flip = (0 if square & 4 else 7) ^ 56 * player
    return PLACES * zone(square ^ flip) | flip


def zone(square):
    """The zone of a king on this square of its own view."""
    if square < 8:
        return square - 4
    if square < 16:
        return 4 if square >= 14 else 5
    return 6 if square < 32 else 7


def whole_sum(s, us, them, seen):
    """The sum of a view, piece by piece."""
    total = row(PIECES, EMPTY)
    first, flip = seen & ~63, seen & 63
    for kind in range(6):
        board = of_kind(s, kind) & us
        while board:
            total = total + row(PIECES, first + 64 * kind + (lowest(board) ^ flip))
            board = without_lowest(board)
        board = of_kind(s, kind) & them
        while board:
            total = total + row(PIECES, first + OTHERS + 64 * kind + (lowest(board) ^ flip))
            board = without_lowest(board)
    return total


# --- the score with notes: the boards and the two sums of a position --------------------------------------------------

WHITE, BLACK, SUMS = 6, 7, 8
"""Words of notes: the six kinds of pieces, the two colours, then the sums."""
FEW_CHANGES = 12
"""With more changes than these, counting all pieces is quicker."""


def notes_words():
    """How many words the notes take."""
    return SUMS + 2 * row_words(PIECES)


def noted_score(s, memory, here, before):
    """As `score`, from the notes of a position that differs in little."""
    left = popcount(s.white | s.black) - 1 >> 2
    white = noted_view(s, 0, 2 * left + (s.player & 1), memory, here, before)
    black = noted_view(s, 1, 2 * left + (1 - s.player & 1), memory, here, before)
    for kind in range(6):
        memory[here + kind] = of_kind(s, kind)
    memory[here + WHITE], memory[here + BLACK] = s.white, s.black
    value = ((white + black) // ONE + BIAS[left]) * SPREAD // (ONE * UNIT)
    return value if s.player == 0 else -value


def noted_view(s, player, weights, memory, here, before):
    """As `view`, and the sum goes into the notes."""
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    old_us, old_them = u64(memory[before + WHITE + player]), u64(memory[before + BLACK - player])
    seen, at = seen_from(s.kings & us, player), SUMS + player * row_words(PIECES)
    changes = popcount(us ^ old_us) + popcount(them ^ old_them)
    if old_us and changes <= FEW_CHANGES and seen == seen_from(u64(memory[before + 5]) & old_us, player):
        total = load_row(memory, before + at, PIECES)
        flip = seen & 63
        for kind in range(6):
            new, old = of_kind(s, kind), u64(memory[before + kind])
            for others in (0, OTHERS):
                come, gone = (new & us, old & old_us) if others == 0 else (new & them, old & old_them)
                come, gone = come & ~gone, gone & ~come
                first = seen - flip + others + 64 * kind
                while come:
                    total = total + row(PIECES, first + (lowest(come) ^ flip))
                    come = without_lowest(come)
                while gone:
                    total = total - row(PIECES, first + (lowest(gone) ^ flip))
                    gone = without_lowest(gone)
    else:
        total = whole_sum(s, us, them, seen)
    store_row(memory, here + at, total)
    return squares_by_row(total, ONE, OUTPUT, weights)


def of_kind(s, kind):
    """All pieces of a kind."""
    if kind < 3:
        return s.pawns if kind == 0 else s.knights if kind == 1 else s.bishops
    return s.rooks if kind == 3 else s.queens if kind == 4 else s.kings
