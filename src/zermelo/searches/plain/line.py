"""The search and the line of play that follows from it, in one run.

A search gives the value of a state and of its first moves. The line is found by searching again after each best move:
that costs a fraction of the first search and leaves the search itself as plain as in the book.
"""

import math

from zermelo.compile import kernel, make_room
from zermelo.contract import CHANCE
from zermelo.running.recursion import MAX_PLY
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import FINE

INFINITY = math.inf
ROUNDING, SMALLEST = 2.3e-16, 5e-324
"""A float and its neighbour differ by about this much, in proportion to it; and the least positive float."""


@kernel
def best_play(game, setup, s, depth, walk):
    """The value of `s` and the length of the best line, whose actions go to walk.line.

    The first moves go to walk.moves, their values to walk.first. The line is found by the search in a window, where
    there is one: it agrees with the one without and is faster.
    """
    if setup.whole is not None:
        value = setup.whole(game, setup, s, depth, walk)
    else:
        value = setup.windowed(game, setup, s, walk.alpha, walk.beta, depth, walk)
    place = best_place(game, s, value, walk)
    action = walk.actions[place] if place >= 0 and walk.status == FINE else -1
    count = begin_line(game, walk)
    past, length, exact = walk.past, 0, walk.alpha < value < walk.beta
    around = abs(value) * ROUNDING + SMALLEST
    while action >= 0:
        take(game, s, action, length, walk)
        s = game.result(s, action)
        length, depth = length + 1, depth - 1
        if ends_line(game, s, depth, length, walk):
            break
        # The value stays the same along the line. Where it is exact, the next move is the first that reaches it.
        low, high = -INFINITY, INFINITY
        if exact:
            low, high = (value - around, value) if game.to_move(s) == 0 else (value, value + around)
        walk.depth, walk.top, walk.count = depth, 0, 0
        if setup.windowed is not None:
            below = setup.windowed(game, setup.quiet, s, low, high, depth, walk)
        else:
            below = setup.whole(game, setup.quiet, s, depth, walk)
        place = best_place(game, s, below, walk)
        action = walk.actions[place] if place >= 0 and walk.status == FINE else -1
    walk.past, walk.count = past, count
    return value, length


@kernel
def best_play_of_all(game, setup, s, depth, walk):
    """The best action in `s` where every player has a value, and the length of the best line; see `best_play`.

    Everybody's value in `s` goes to walk.best.
    """
    first = setup.whole(game, setup, s, depth, walk)
    for player in range(game.players):
        walk.best[player] = walk.values[player]
    count = begin_line(game, walk)
    past, action, length = walk.past, first if walk.status == FINE else -1, 0
    while action >= 0:
        take(game, s, action, length, walk)
        s = game.result(s, action)
        length, depth = length + 1, depth - 1
        if ends_line(game, s, depth, length, walk):
            break
        walk.depth, walk.top = depth, 0
        action = setup.whole(game, setup.quiet, s, depth, walk)
    walk.past, walk.count = past, count
    return first, length


@kernel
def begin_line(game, walk):
    """Keep what the search counted and its first moves, how many of which are known, before it is made again."""
    walk.searched, walk.search_cut = walk.nodes, walk.cut
    for i in range(walk.count):
        walk.moves[i] = walk.actions[i]
    walk.first_at = game.max_actions * game.players
    return walk.count


@kernel
def best_place(game, s, value, walk):
    """The place of the first move that is worth the value of its state; -1 where there is no choice to make."""
    if walk.count == 0 or game.to_move(s) == CHANCE:
        return -1
    for i in range(walk.count):
        if walk.first[walk.first_at + i] == value:
            return i
    return -1


@kernel
def take(game, s, action, length, walk):
    """Write an action of the line down; the position it leaves belongs to the history from here on."""
    make_room(walk.line, length + 1)
    walk.line[length] = action
    if game.repetition is not None:
        make_room(walk.keys, walk.past + 1)
        walk.keys[walk.past] = game.key(s)
        walk.past += 1
    return 0


@kernel
def ends_line(game, s, depth, length, walk):
    """Whether there is no best move after this one: an end, a chance move, the depth limit."""
    if depth <= 0 or length > MAX_PLY or game.is_over(s):
        return True
    if game.repetition is not None and is_drawn(game, s, walk.keys, walk.past):
        return True
    return game.to_move(s) == CHANCE
