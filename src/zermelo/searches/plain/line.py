"""The search and the line of play that follows from it, in one run.

A search gives the value of a state and of its first moves. The line is found by searching again after each best move:
that costs a fraction of the first search and leaves the search itself as plain as in the book.
"""

import math

from zermelo.compile import kernel, load_float, make_room
from zermelo.contract import CHANCE
from zermelo.running.recursion import MAX_PLY
from zermelo.running.repetition import is_drawn
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.expectiminimax import NOTHING, expectiminimax_value, star_value
from zermelo.searches.plain.maxn import players_value
from zermelo.searches.plain.minimax import minimax_value
from zermelo.searches.plain.walk import CUT, NODES, PATH, SEARCH_CUT, SEARCHED, STATUS

INFINITY = math.inf
ROUNDING, SMALLEST = 2.3e-16, 5e-324
"""A float and its neighbour differ by about this much, in proportion to it; and the least positive float."""


@kernel
def best_play(
    game, s, search, follow, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory,
    root, again, keys, work, line, record,
):  # fmt: skip
    """The value of `s` by `search` and the length of the best line, whose actions go to `line`.

    The values of the first moves stay in `root`, their actions at the start of `memory`; `again` serves the line, which
    is found by `follow`: the same search or one that agrees with it and is faster.
    """
    value = search(
        game, s, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory, 0,
        root, keys, work, record,
    )  # fmt: skip
    work[SEARCHED] = work[NODES]
    work[SEARCH_CUT] = work[CUT]
    free = root[0]
    place = best_place(game, s, root, value)
    action = memory[place] if place >= 0 and work[STATUS] == 0 else -1
    history = work[PATH]
    length = 0
    exact = alpha < value < beta
    around = abs(value) * ROUNDING + SMALLEST
    while action >= 0:
        take(game, s, action, line, length, keys, work)
        s = game.result(s, action)
        length += 1
        depth -= 1
        if ends_line(game, s, depth, length, keys, work):
            break
        # The value stays the same along the line. Where it is exact, the next move is the first that reaches it.
        low, high = -INFINITY, INFINITY
        if exact:
            low, high = (value - around, value) if game.to_move(s) == 0 else (value, value + around)
        again[0] = 0
        below = follow(
            game, s, low, high, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory,
            free, again, keys, work, None,
        )  # fmt: skip
        place = best_place(game, s, again, below)
        action = memory[free + place] if place >= 0 and work[STATUS] == 0 else -1
    work[PATH] = history
    return value, length


@kernel
def best_play_of_all(
    game, s, depth, me, style, evaluate, order, memory, vectors, more, root, again, keys, work, line, record
):  # fmt: skip
    """The best action in `s` where every player has a value, and the length of the best line; see `best_play`.

    The players' values in `s` stay in `vectors`; `more` serves the line.
    """
    first = players_value(
        game, s, depth, 0, me, style, evaluate, order, memory, 0, vectors, root, keys, work, record
    )  # fmt: skip
    work[SEARCHED] = work[NODES]
    work[SEARCH_CUT] = work[CUT]
    free = root[0]
    history = work[PATH]
    action = first
    length = 0
    while action >= 0:
        take(game, s, action, line, length, keys, work)
        s = game.result(s, action)
        length += 1
        depth -= 1
        if ends_line(game, s, depth, length, keys, work):
            break
        action = players_value(
            game, s, depth, 0, me, style, evaluate, order, memory, free, more, again, keys, work, None
        )  # fmt: skip
    work[PATH] = history
    return first, length


@kernel
def best_place(game, s, root, value):
    """The place of the first move that is worth the value of its state; -1 where there is no choice to make."""
    if root[0] == 0 or game.to_move(s) == CHANCE:
        return -1
    for i in range(root[0]):
        if load_float(root, i + 1) == value:
            return i
    return -1


@kernel
def take(game, s, action, line, length, keys, work):
    """Write an action of the line down; the position it leaves belongs to the history from here on."""
    make_room(line, length + 1)
    line[length] = action
    if game.repetition is not None:
        make_room(keys, work[PATH] + 1)
        keys[work[PATH]] = game.key(s)
        work[PATH] += 1
    return 0


@kernel
def ends_line(game, s, depth, length, keys, work):
    """Whether there is no best move after this one: an end, a chance move, the depth limit."""
    if depth <= 0 or length > MAX_PLY or game.is_over(s):
        return True
    if game.repetition is not None and is_drawn(game, s, keys, work[PATH]):
        return True
    return game.to_move(s) == CHANCE


# --- the searches, all called alike ----------------------------------------------------------------------------------


@kernel
def by_minimax(
    game, s, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory, top,
    root, keys, work, record,
):  # fmt: skip
    """The minimax value."""
    return minimax_value(game, s, depth, 0, evaluate, order, symmetry, memory, top, root, keys, work, record)


@kernel
def by_alphabeta(
    game, s, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory, top,
    root, keys, work, record,
):  # fmt: skip
    """The alpha-beta value."""
    return alphabeta_value(
        game, s, alpha, beta, depth, 0, evaluate, order, symmetry, checked, memory, top, root, keys, work, record
    )  # fmt: skip


@kernel
def by_expectiminimax(
    game, s, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory, top,
    root, keys, work, record,
):  # fmt: skip
    """The expectiminimax value."""
    return expectiminimax_value(game, s, depth, 0, evaluate, order, memory, top, root, keys, work, record)


@kernel
def by_star(
    game, s, alpha, beta, lower, upper, probing, depth, evaluate, order, symmetry, checked, memory, top,
    root, keys, work, record,
):  # fmt: skip
    """The expectiminimax value by Star1 or Star2."""
    return star_value(
        game, s, alpha, beta, lower, upper, NOTHING, depth, 0, probing, evaluate, order, memory, top, root, keys, work,
        record,
    )  # fmt: skip
