"""Boards of bits for Go: sets of points, of any size from 2 x 2 to 19 x 19, in a few words.

A word holds as many whole rows as fit, and after each row one spare bit that no set of points has. So a shift by one
never runs into the next row, and a set is grown by shifts alone: what spills onto spare bits goes when the set is cut
with the stones or with the empty points, as it always is. `game` knows the measures: `stride` is the bits of a row,
`rows` the rows of a word, `words` the words of a board, `carry` how far the last row of a word is from the first.
"""

from functools import cache

from zermelo.bits import bit, lowest, lowest_bit, nth, popcount, u64


def no_points(game):
    """The empty set."""
    return tuple(u64(0) for i in range(game.words))


@cache
def all_points(size: int) -> tuple[u64, ...]:
    """The whole board: what a game knows as `board`."""
    stride, rows = size + 1, 64 // (size + 1)
    row = (1 << size) - 1
    return tuple(
        u64(sum(row << (n - first) * stride for n in range(first, min(first + rows, size))))
        for first in range(0, size, rows)
    )


def one_point(game, action):
    """The set of the point with this number."""
    row = action // game.size
    word = row // game.rows
    here = bit((row - word * game.rows) * game.stride + action - row * game.size)
    return tuple(here if word == i else u64(0) for i in range(game.words))


def action_at(game, word, place):
    """The number of the point at this bit of this word."""
    row = place // game.stride
    return (word * game.rows + row) * game.size + place - row * game.stride


def first_action(game, points):
    """The least number of a point in the set; -1 where it is empty."""
    for i in range(game.words):
        if points[i] != 0:
            return action_at(game, i, lowest(points[i]))
    return -1


def write_points(game, points, out, n):
    """Write the numbers of the points to `out[n]` and so on; the index after the last."""
    for i in range(game.words):
        left = points[i]
        while left != 0:
            out[n] = action_at(game, i, lowest(left))
            n += 1
            left &= left - 1
    return n


def nth_point(game, points, n):
    """The point that has n others of the set before it, alone."""
    # Without branches: which word it is differs between threads that run in step.
    before = tuple(sum(popcount(points[j]) for j in range(i)) for i in range(game.words))
    here = tuple(before[i] <= n < before[i] + popcount(points[i]) for i in range(game.words))
    word = sum(points[i] if here[i] else u64(0) for i in range(game.words))
    place = nth(word, n - sum(before[i] if here[i] else 0 for i in range(game.words)))
    return tuple(bit(place) if here[i] else u64(0) for i in range(game.words))


def first_point(game, points):
    """The first point of a set that has one, alone."""
    return tuple(lowest_bit(points[i]) if all(points[j] == 0 for j in range(i)) else u64(0) for i in range(game.words))


def is_empty(game, points):
    """Whether there is no point in the set."""
    return all(word == 0 for word in points)


def size_of(game, points):
    """How many points are in the set."""
    return sum(popcount(word) for word in points)


def holds(game, points, action):
    """Whether the point with this number is in the set."""
    row = action // game.size
    word = row // game.rows
    return points[word] >> (row - word * game.rows) * game.stride + action - row * game.size & 1 != 0


def joined(game, a, b):
    """The points of either set."""
    return tuple(a[i] | b[i] for i in range(game.words))


def common(game, a, b):
    """The points of both sets."""
    return tuple(a[i] & b[i] for i in range(game.words))


def without(game, a, b):
    """The points of the first set that are not in the second."""
    return tuple(a[i] & ~b[i] for i in range(game.words))


def meet(game, a, b):
    """Whether the sets have a point in common."""
    return not is_empty(game, common(game, a, b))


def beside(game, points):
    """The points next to those of the set, and bits off the board: to be cut with what is wanted."""
    return tuple(
        points[i] << 1 | points[i] >> 1 | points[i] << game.stride | points[i] >> game.stride
        | (points[i - 1] >> game.carry if i > 0 else u64(0))
        | (points[i + 1] << game.carry if i + 1 < game.words else u64(0))
        for i in range(game.words)
    )  # fmt: skip


def corners(game, points):
    """The points diagonally next to those of the set, and bits off the board."""
    return tuple(
        (points[i] << 1 | points[i] >> 1) << game.stride | (points[i] << 1 | points[i] >> 1) >> game.stride
        | ((points[i - 1] << 1 | points[i - 1] >> 1) >> game.carry if i > 0 else u64(0))
        | ((points[i + 1] << 1 | points[i + 1] >> 1) << game.carry if i + 1 < game.words else u64(0))
        for i in range(game.words)
    )  # fmt: skip


def grown(game, points, within):
    """The set and the points beside it, cut with `within`."""
    return tuple(
        (points[i] | points[i] << 1 | points[i] >> 1 | points[i] << game.stride | points[i] >> game.stride
         | (points[i - 1] >> game.carry if i > 0 else u64(0))
         | (points[i + 1] << game.carry if i + 1 < game.words else u64(0))) & within[i]
        for i in range(game.words)
    )  # fmt: skip


def flooded(game, points, within):
    """All that can be reached from the set, step by step, within another."""
    while True:
        more = grown(game, points, within)
        if more == points:
            return points
        points = more
