"""How promising a move of Go looks before anything is searched: the product of a few learned weights."""

from zermelo.games.go.boards import (
    beside,
    common,
    first_point,
    grown,
    holds,
    is_empty,
    joined,
    one_point,
    size_of,
    without,
)
from zermelo.games.go.patterns import LEVEL, WEIGHT
from zermelo.games.go.stones import BLACK, is_eye
from zermelo.games.go.weights import DISTANCES, LINES, TACTICS

QUIET, CAPTURE, RESCUE_BY_CAPTURE, RESCUE, ATARI, SELF_ATARI, LOST = range(7)


def liberties(game, chain, stones, empty, enough):
    """The liberties of a chain, or as many of them as are enough."""
    while True:
        found = common(game, beside(game, chain), empty)
        if size_of(game, found) >= enough:
            return found
        more = grown(game, chain, stones)
        if more == chain:
            return found
        chain = more


def tactic(game, s, action):
    """What a stone does to the chains beside it."""
    mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
    stone = one_point(game, action)
    stones = joined(game, mine, theirs)
    near = common(game, beside(game, stone), stones)
    if is_empty(game, near):
        return QUIET
    empty = without(game, game.board, stones)
    captures, saves, threatens = False, False, False
    waiting = common(game, near, theirs)
    while not is_empty(game, waiting):
        first = first_point(game, waiting)
        waiting = without(game, waiting, first)
        left = size_of(game, liberties(game, first, theirs, empty, 3))
        captures = captures or left == 1
        threatens = threatens or left == 2
    waiting = common(game, near, mine)
    while not is_empty(game, waiting):
        first = first_point(game, waiting)
        waiting = without(game, waiting, first)
        saves = saves or size_of(game, liberties(game, first, mine, empty, 2)) == 1
    if captures:
        return RESCUE_BY_CAPTURE if saves else CAPTURE
    with_stone = joined(game, mine, stone)
    after = size_of(game, liberties(game, stone, with_stone, without(game, empty, stone), 2))
    if after < 2:
        return LOST if saves else SELF_ATARI
    return RESCUE if saves else ATARI if threatens else QUIET


def neighbourhood(game, s, action):
    """The colours of the eight neighbours, two bits each: 0 empty, 1 the player's own, 2 the other's, 3 no point."""
    mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
    size = game.size
    row, column = action // size, action % size
    code = 0
    for shift, down, right in (
        (0, -1, 0), (2, 0, -1), (4, 0, 1), (6, 1, 0), (8, -1, -1), (10, -1, 1), (12, 1, -1), (14, 1, 1),
    ):  # fmt: skip
        if row + down < 0 or row + down >= size or column + right < 0 or column + right >= size:
            code |= 3 << shift
        else:
            there = action + down * size + right
            code |= (holds(game, mine, there) + 2 * holds(game, theirs, there)) << shift
    return code


def distance(game, s, action):
    """How far from the last stone: dx + dy + the larger of them; 0 where there is none."""
    if s.last < 0:
        return 0
    down = abs(s.last // game.size - action // game.size)
    right = abs(s.last % game.size - action % game.size)
    return down + right + max(down, right)


def line(game, action):
    """The line of a point: 0 on the edge."""
    row, column = action // game.size, action % game.size
    return min(row, column, game.size - 1 - row, game.size - 1 - column)


def is_lonely(game, s, action):
    """Whether no stone is within three steps."""
    stones, reach = joined(game, s.black, s.white), one_point(game, action)
    for _ in range(3):
        reach = grown(game, reach, game.board)
    return is_empty(game, common(game, reach, stones))


def prior(game, s, action):
    """The weight."""
    if action == game.no_stone:
        if s.passes == 1:
            lead = game.lead(s)
            return 100.0 if (lead > 0.0) == (s.player == 0) else 0.01
        return 0.02
    near = neighbourhood(game, s, action)
    if is_eye(near, BLACK):
        return 0.0
    lonely = 1 if near & 0x5555 == 0 and near >> 1 & 0x5555 == 0 and is_lonely(game, s, action) else 0
    return (
        WEIGHT[LEVEL[near]]
        * TACTICS[tactic(game, s, action)]
        * DISTANCES[min(distance(game, s, action), 15)]
        * LINES[2 * min(line(game, action), 3) + lonely]
    )
