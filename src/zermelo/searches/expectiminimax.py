"""Expectiminimax: minimax with dice (Michie, 1966), and its pruning by Star1 and Star2 (Ballard, 1983)."""

import math

from zermelo.compile import kernel, load_float, store_float
from zermelo.contract import CHANCE
from zermelo.searches.walk import CUT, NODES, STATUS, expand, is_repeated_draw, keep_root

NOTHING = math.nan
"""A value that is not known; unequal to itself."""


@kernel
def expectiminimax_value(game, s, depth, ply, evaluate, order, memory, top, root, keys, work, record):
    """The value of `s` for player 0: maximised by player 0, minimised by player 1, averaged over chance."""
    work[NODES] += 1
    if game.is_over(s):
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.end(s, value)
        return value
    if game.repetition is not None and is_repeated_draw(game, s, ply, keys, work):
        if record is not None:
            record.end(s, game.draw_value)
        return game.draw_value
    mover = game.to_move(s)
    if record is not None:
        record.enter(s, mover)
    if depth == 0:
        work[CUT] = 1
        value = 0.0 + evaluate(game, s)
        if record is not None:
            record.leave(value, bound="estimate")
        return value
    end = expand(game, s, ply, memory, top, keys, work, order, False, record)
    if end == top:
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.ends_here(value)
        return value
    best = 0.0
    choice = -1
    for i in range(top, end):
        action = memory[i]
        odds = 1.0
        if game.probability is not None and mover == CHANCE:
            odds = 0.0 + game.probability(s, action)
        if record is not None:
            record.branch(action, odds if mover == CHANCE else None)
        value = expectiminimax_value(
            game, game.result(s, action), depth - 1, ply + 1, evaluate, order, memory, end, root, keys, work, record
        )
        if work[STATUS] != 0:
            return 0.0
        if ply == 0:
            keep_root(root, i - top, value)
        if mover == CHANCE:
            best += odds * value
        elif i == top or (value > best if mover == 0 else value < best):
            best = value
            choice = action
    if record is not None:
        record.leave(best, choice if mover != CHANCE else None)
    return best


@kernel
def star_value(
    game, s, alpha, beta, lower, upper, known, depth, ply, probing, evaluate, order, memory, top, root, keys, work,
    record,
):  # fmt: skip
    """The value of `s` as far as the window tells, for utilities that lie in [lower, upper].

    Inside the window it is the expectiminimax value; at or below alpha it is an upper bound, at or above beta a lower
    one. With `probing` chance nodes first look at one move behind each outcome (Star2); what such a look found out
    about the first move of `s` is `known`, NaN where it is nothing exact.
    """
    work[NODES] += 1
    if game.is_over(s):
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.end(s, value, alpha, beta)
        return value
    if game.repetition is not None and is_repeated_draw(game, s, ply, keys, work):
        if record is not None:
            record.end(s, game.draw_value, alpha, beta)
        return game.draw_value
    mover = game.to_move(s)
    if record is not None:
        record.enter(s, mover, alpha, beta)
    if depth == 0:
        work[CUT] = 1
        value = 0.0 + evaluate(game, s)
        if record is not None:
            record.leave(value, bound="estimate")
        return value
    end = expand(game, s, ply, memory, top, keys, work, order, False, record)
    if end == top:
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.ends_here(value)
        return value
    if mover == CHANCE:
        best = chance_value(
            game, s, alpha, beta, lower, upper, depth, ply, probing, evaluate, order, memory, top, end, root, keys,
            work, record,
        )  # fmt: skip
        if record is not None and work[STATUS] == 0:
            record.leave_window(best, None, alpha, beta)
        return best
    low, high = alpha, beta
    best = 0.0
    choice = -1
    for i in range(top, end):
        action = memory[i]
        if i == top and known == known:
            value = known
            if record is not None:
                record.known(action, value)
        else:
            if record is not None:
                record.branch(action)
            value = star_value(
                game, game.result(s, action), low, high, lower, upper, NOTHING, depth - 1, ply + 1, probing, evaluate,
                order, memory, end, root, keys, work, record,
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


@kernel
def chance_value(
    game, s, alpha, beta, lower, upper, depth, ply, probing, evaluate, order, memory, top, end, root, keys, work, record
):  # fmt: skip
    """The average over the outcomes, left early when the window can no longer be reached.

    Behind the outcomes, memory keeps what is known of each: a lower bound, an upper bound, its odds, and the value of
    its first move.
    """
    count = end - top
    free = end + 4 * count
    least, most = 0.0, 0.0
    for i in range(count):
        odds = 0.0 + game.probability(s, memory[top + i])
        store_float(memory, end + i, lower)
        store_float(memory, end + count + i, upper)
        store_float(memory, end + 2 * count + i, odds)
        store_float(memory, end + 3 * count + i, NOTHING)
        least += odds * lower
        most += odds * upper
    if probing:
        for i in range(count):
            odds = load_float(memory, end + 2 * count + i)
            child = game.result(s, memory[top + i])
            if game.is_over(child):
                continue
            if game.draws_by_repetition and is_repeated_draw(game, child, ply + 1, keys, work):
                continue
            mover = game.to_move(child)
            # A lower bound can only close a window that has an upper edge, and the other way round.
            if not ((mover == 0 and beta < upper) or (mover == 1 and alpha > lower)):
                continue
            low = max(lower, (alpha - (most - odds * upper)) / odds)
            high = min(upper, (beta - (least - odds * lower)) / odds)
            if low >= high:
                continue
            bound = probe(
                game, child, low, high, lower, upper, depth - 1, ply + 1, evaluate, order, memory, free, root, keys,
                work,
            )  # fmt: skip
            if work[STATUS] != 0:
                return 0.0
            # Outside its window the probe's own answer is a bound, which says nothing in the other direction.
            if low < bound < high:
                store_float(memory, end + 3 * count + i, bound)
            if mover == 0 and bound > low:
                store_float(memory, end + i, bound)
                least += odds * (bound - lower)
            elif mover == 1 and bound < high:
                store_float(memory, end + count + i, bound)
                most += odds * (bound - upper)
            if least >= beta or most <= alpha:
                break
    total = 0.0
    for i in range(count):
        if total + least >= beta or total + most <= alpha:
            if record is not None:
                record.cut_off(memory, top + i, end, alpha, beta, CHANCE)
            return total + least if total + least >= beta else total + most
        odds = load_float(memory, end + 2 * count + i)
        least -= odds * load_float(memory, end + i)
        most -= odds * load_float(memory, end + count + i)
        low = max(lower, (alpha - total - most) / odds)
        high = min(upper, (beta - total - least) / odds)
        if low >= high:
            # Rounding alone can close a window that the sums above have left open.
            low, high = lower - 1.0, upper + 1.0
        if record is not None:
            record.branch(memory[top + i], odds)
        value = star_value(
            game, game.result(s, memory[top + i]), low, high, lower, upper, load_float(memory, end + 3 * count + i),
            depth - 1, ply + 1, probing, evaluate, order, memory, free, root, keys, work, record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return 0.0
        if ply == 0:
            keep_root(root, i, value)
        total += odds * value
    return total


@kernel
def probe(game, s, alpha, beta, lower, upper, depth, ply, evaluate, order, memory, top, root, keys, work):
    """The value of the first move of `s`: a lower bound of `s` where player 0 moves, an upper one for player 1.

    NaN where there is no move to look at.
    """
    if depth <= 0:
        return NOTHING
    end = expand(game, s, ply, memory, top, keys, work, order, False, None)
    if end <= top:
        return NOTHING
    return star_value(
        game, game.result(s, memory[top]), alpha, beta, lower, upper, NOTHING, depth - 1, ply + 1, True, evaluate,
        order, memory, end, root, keys, work, None,
    )  # fmt: skip
