"""Alpha-beta: minimax without the branches that cannot matter (Knuth and Moore, 1975), fail-soft."""

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
def alphabeta_value(
    game, s, alpha, beta, depth, ply, evaluate, order, symmetry, checked, memory, top, root, keys,
    work, record,
):  # fmt: skip
    """The value v of `s` for player 0, as far as the window tells.

    If alpha < v < beta it is the minimax value; v <= alpha is an upper bound of it and v >= beta a lower one. Where
    `checked`, values have to lie between the bounds that `work` holds.
    """
    work[NODES] += 1
    if game.is_over(s):
        value = utility_of(game, s, 0, checked, work)
        if record is not None:
            record.end(s, value, alpha, beta)
        return value
    if game.repetition is not None and is_drawn(game, s, keys, work[PATH] + ply):
        if record is not None:
            record.end(s, game.draw_value, alpha, beta)
        return game.draw_value
    mover = as_whole(game.to_move(s)) if game.is_watched else game.to_move(s)
    if record is not None:
        record.enter(s, mover, alpha, beta)
    if depth == 0:
        work[CUT] = 1
        value = estimate_of(evaluate(game, s), checked, work)
        if record is not None:
            record.leave(value, bound="estimate")
        return value
    end = expand(game, s, ply, memory, top, keys, work, order, symmetry, record)
    if end == top:
        value = utility_of(game, s, 0, checked, work)
        if record is not None:
            record.ends_here(value)
        return value
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    low, high = alpha, beta
    best = 0.0
    choice = -1
    for i in range(top, end):
        action = memory[i]
        if record is not None:
            record.branch(action)
        value = alphabeta_value(
            game, game.result(s, action), low, high, depth - 1, ply + 1, evaluate, order, symmetry, checked, memory,
            end, root, keys, work, record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return 0.0
        if ply == 0:
            keep_root(root, i - top, value)
        if mover == 0:
            if i == top or value > best:
                best, choice = value, action
            if best > low:
                low = best
        else:
            if i == top or value < best:
                best, choice = value, action
            if best < high:
                high = best
        if low >= high:
            if record is not None:
                record.cut_off(memory, i + 1, end, low, high, mover)
            break
    if record is not None:
        record.leave_window(best, choice, alpha, beta)
    return best
