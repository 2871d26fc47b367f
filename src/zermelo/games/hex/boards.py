"""Boards of Hex as words of bits: neighbours, and which stones hang together.

Row r of a board with n cells a side begins at bit r * (n + 1) and ends with a bit that stays empty, so that neighbours
do not run on from one row into the next. The bits go through as many words as they need, the lowest first. The
neighbours of a cell are then 1, n and n + 1 bits before and behind it.
"""

from zermelo.bits import bit, u64
from zermelo.compile import freeze, replace, thaw


def words_of(size: int) -> int:
    """How many words a board takes."""
    return (size * (size + 1) + 63) // 64


def board_of(places: list[int], size: int) -> tuple[u64, ...]:
    """The board with these bits."""
    words = [0] * words_of(size)
    for place in places:
        words[place >> 6] |= 1 << (place & 63)
    return tuple(u64(word) for word in words)


def has_bit(board, place):
    """Whether this bit is set."""
    return board[place >> 6] >> (place & 63) & 1 != 0


def with_bit(board, place):
    """The board with this bit set."""
    return replace(board, place >> 6, board[place >> 6] | bit(place))


def overlap(board, other):
    """Whether two boards have a bit in common."""
    common = u64(0)
    for i in range(len(board)):
        common |= board[i] & other[i]
    return common != 0


def near(board, i, size):
    """Word i of the neighbours of all cells of the board; some of them may lie between the rows."""
    here = board[i]
    below = board[i - 1] if i > 0 else u64(0)
    above = board[i + 1] if i + 1 < len(board) else u64(0)
    right, left = here << 1 | below >> 63, here >> 1 | above << 63
    # Each cell has two neighbours in the next row, its own column and the one to the left, and two in the row before.
    down = here | left
    down_below = below | below >> 1 | here << 63
    up = here | right
    up_above = above | above << 1 | here >> 63
    row = size + 1
    return right | left | down << row | down_below >> 64 - row | up >> row | up_above << 64 - row


def joined(start, stones, size):
    """The stones of `start` and all that hang together with them."""
    reached, all_stones = thaw(start), thaw(stones)
    grows = True
    while grows:
        grows = False
        for i in range(len(reached)):
            before = reached[i]
            reached[i] = (before | near(reached, i, size)) & all_stones[i]
            if reached[i] != before:
                grows = True
    return freeze(reached)


def common(board, other):
    """The bits that both boards have."""
    both = thaw(board)
    for i in range(len(both)):
        both[i] = both[i] & other[i]
    return freeze(both)
