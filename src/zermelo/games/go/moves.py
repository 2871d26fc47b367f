"""The rules of Go on boards of bits: what a stone captures, where one may be placed, who holds which points."""

from zermelo.games.go.boards import (
    beside,
    common,
    first_point,
    flooded,
    is_empty,
    joined,
    meet,
    no_points,
    one_point,
    size_of,
    without,
)


def reached(game, chain, stones, empty):
    """So much of a chain as shows that it has a liberty; all of it where it has none.

    The chain grows through `stones`; the caller tests whether the answer touches an empty point.
    """
    while True:
        around = beside(game, chain)
        if meet(game, around, empty):
            return chain
        more = joined(game, chain, common(game, around, stones))
        if more == chain:
            return chain
        chain = more


def has_liberty(game, chain, stones, empty):
    """Whether the chain of these stones has an empty point beside it."""
    return meet(game, beside(game, reached(game, chain, stones, empty)), empty)


def captured(game, stone, mine, theirs):
    """The stones of theirs that a new stone takes; `mine` has it already."""
    empty = without(game, game.board, joined(game, mine, theirs))
    waiting = common(game, beside(game, stone), theirs)
    taken = no_points(game)
    while not is_empty(game, waiting):
        chain = reached(game, first_point(game, waiting), theirs, empty)
        if not meet(game, beside(game, chain), empty):
            taken = joined(game, taken, chain)
        waiting = without(game, waiting, chain)
    return taken


def is_ko(game, stone, mine, theirs, taken):
    """Whether a stone that took `taken` could be taken back at once: one for one, each alone."""
    if size_of(game, taken) != 1:
        return False
    near = common(game, beside(game, stone), game.board)
    return near == joined(game, common(game, near, theirs), taken)


def is_sound(game, stone, mine, theirs):
    """Whether a stone on a point without empty neighbours has a liberty, or takes something."""
    with_stone = joined(game, mine, stone)
    empty = without(game, game.board, joined(game, with_stone, theirs))
    return has_liberty(game, stone, with_stone, empty) or not is_empty(game, captured(game, stone, with_stone, theirs))


def placements(game, mine, theirs, ko):
    """The points where a stone of mine may be placed; `ko` is the point that must not be retaken now, or -1."""
    empty = without(game, game.board, joined(game, mine, theirs))
    legal = common(game, beside(game, empty), empty)
    tight = without(game, empty, legal)
    if ko >= 0:
        tight = without(game, tight, one_point(game, ko))
    while not is_empty(game, tight):
        stone = first_point(game, tight)
        tight = without(game, tight, stone)
        if is_sound(game, stone, mine, theirs):
            legal = joined(game, legal, stone)
    return legal


def areas(game, black, white):
    """The points of Black's and of White's: stones, and empty points from which only that colour is reached."""
    empty = without(game, game.board, joined(game, black, white))
    near_black = flooded(game, black, joined(game, black, empty))
    near_white = flooded(game, white, joined(game, white, empty))
    return without(game, near_black, near_white), without(game, near_white, near_black)
