"""Minimax: the value of a game when both sides play their best (von Neumann, 1928; Shannon, 1950)."""

from zermelo.compile import as_whole, kernel
from zermelo.running.faults import is_player
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import NO_PLAYER
from zermelo.searches.plain.walk import (
    CUT,
    NODES,
    PATH,
    STATUS,
    estimate_of,
    expand,
    keep_root,
    utility_of,
)


@kernel
def minimax_value(game, s, depth, ply, evaluate, order, symmetry, memory, top, root, keys, work, record):
    """The value of `s` for player 0 when player 0 maximises it and player 1 minimises it."""
    work[NODES] += 1
    if game.is_over(s):
        value = utility_of(game, s, 0, False, work)
        if record is not None:
            record.end(s, value)
        return value
    if game.repetition is not None and is_drawn(game, s, keys, work[PATH] + ply):
        if record is not None:
            record.end(s, game.draw_value)
        return game.draw_value
    mover = as_whole(game.to_move(s)) if game.is_watched else game.to_move(s)
    if record is not None:
        record.enter(s, mover)
    if depth == 0:
        work[CUT] = 1
        value = estimate_of(evaluate(game, s), False, work)
        if record is not None:
            record.leave(value, bound="estimate")
        return value
    end = expand(game, s, ply, memory, top, keys, work, order, symmetry, record)
    if end == top:
        value = utility_of(game, s, 0, False, work)
        if record is not None:
            record.ends_here(value)
        return value
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    best = 0.0
    choice = -1
    for i in range(top, end):
        action = memory[i]
        if record is not None:
            record.branch(action)
        value = minimax_value(
            game, game.result(s, action), depth - 1, ply + 1, evaluate, order, symmetry, memory, end, root, keys, work,
            record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return 0.0
        if ply == 0:
            keep_root(root, i - top, value)
        if i == top or (value > best if mover == 0 else value < best):
            best = value
            choice = action
    if record is not None:
        record.leave(best, choice)
    return best
