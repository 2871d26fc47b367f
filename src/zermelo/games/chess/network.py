"""What a chess position is worth by a small network that learned it from scored positions.

Every piece on its square adds a row of weights to two sums, one as White sees the board and one as Black does; each
view is turned so that its own side moves up and its own king stands on the right half. The sums, cut off at 0 and 1 and
squared, are weighted into one number, by weights of their own for each number of pieces left. All of it is done in
integers, so that every machine finds the same score. `tools/train_chess_network.py` made the weights.
"""

from pathlib import Path

import numpy as np

from zermelo.bits import lowest, popcount, without_lowest
from zermelo.compile import row, squares_by_row, table

ONE = 255
"""1.0 in the sums."""
UNIT = 256
"""1.0 in the output weights."""
SPREAD = 400
"""An output of 1.0 in centipawns."""
OTHERS, EMPTY = 384, 768
"""Rows: own pieces, 64 squares for each of 6 kinds; then the opponent's; then the one with which each sum begins."""

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
    flip = (0 if lowest(s.kings & us) & 4 else 7) ^ 56 * player
    total = row(PIECES, EMPTY)
    for kind in range(6):
        board = of_kind(s, kind) & us
        while board:
            total = total + row(PIECES, 64 * kind + (lowest(board) ^ flip))
            board = without_lowest(board)
        board = of_kind(s, kind) & them
        while board:
            total = total + row(PIECES, OTHERS + 64 * kind + (lowest(board) ^ flip))
            board = without_lowest(board)
    return squares_by_row(total, ONE, OUTPUT, weights)


def of_kind(s, kind):
    """All pieces of a kind."""
    if kind < 3:
        return s.pawns if kind == 0 else s.knights if kind == 1 else s.bishops
    return s.rooks if kind == 3 else s.queens if kind == 4 else s.kings
