"""Expectiminimax: minimax with dice (Michie, 1966), and its pruning by Star1 and Star2 (Ballard, 1983)."""

import math

from zermelo.compile import as_number, as_whole, divided, kernel, load_float, store_number
from zermelo.contract import CHANCE
from zermelo.running.faults import is_player
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import NO_ACTION, NO_PLAYER
from zermelo.searches.plain.walk import (
    CUT,
    NODES,
    PATH,
    STATUS,
    check_odds,
    estimate_of,
    expand,
    keep_root,
    note_average,
    odds_of,
    utility_of,
)

NOTHING = math.nan
"""A value that is not known; unequal to itself."""


@kernel
def expectiminimax_value(game, s, depth, ply, evaluate, order, memory, top, root, keys, work, record):
    """The value of `s` for player 0: maximised by player 0, minimised by player 1, averaged over chance."""
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
    end = expand(game, s, ply, memory, top, keys, work, order, False, record)
    if end == top:
        value = utility_of(game, s, 0, False, work)
        if record is not None:
            record.ends_here(value)
        return value
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    best = as_number(0)
    total = as_number(0)
    choice = -1
    for i in range(top, end):
        action = memory[i]
        odds = as_number(1)
        if game.probability is not None and mover == CHANCE:
            odds = odds_of(game, s, action, work)
            total += odds
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
    if game.probability is not None and mover == CHANCE:
        check_odds(total, work)
        note_average(best, work)
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
        value = utility_of(game, s, 0, True, work)
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
        value = estimate_of(evaluate(game, s), True, work)
        if record is not None:
            record.leave(value, bound="estimate")
        return value
    end = expand(game, s, ply, memory, top, keys, work, order, False, record)
    if end == top:
        value = utility_of(game, s, 0, True, work)
        if record is not None:
            record.ends_here(value)
        return value
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
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
    least, most, whole = as_number(0), as_number(0), as_number(0)
    for i in range(count):
        if as_whole(memory[top + i]) < 0:
            work[STATUS] = NO_ACTION
            return 0.0
        odds = odds_of(game, s, memory[top + i], work)
        store_number(memory, end + i, lower)
        store_number(memory, end + count + i, upper)
        store_number(memory, end + 2 * count + i, odds)
        store_number(memory, end + 3 * count + i, NOTHING)
        least += odds * lower
        most += odds * upper
        whole += odds
    check_odds(whole, work)
    note_average(least + most, work)
    if work[STATUS] != 0:
        return 0.0
    if probing:
        for i in range(count):
            odds = load_float(memory, end + 2 * count + i)
            child = game.result(s, memory[top + i])
            if game.is_over(child):
                continue
            if game.draws_by_repetition and is_drawn(game, child, keys, work[PATH] + ply + 1):
                continue
            mover = as_whole(game.to_move(child))
            # A lower bound can only close a window that has an upper edge, and the other way round.
            if odds == 0.0 or not ((mover == 0 and beta < upper) or (mover == 1 and alpha > lower)):
                continue
            low = max(lower, divided(alpha - (most - odds * upper), odds))
            high = min(upper, divided(beta - (least - odds * lower), odds))
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
                store_number(memory, end + 3 * count + i, bound)
            if mover == 0 and bound > low:
                store_number(memory, end + i, bound)
                least += odds * (bound - lower)
            elif mover == 1 and bound < high:
                store_number(memory, end + count + i, bound)
                most += odds * (bound - upper)
            if least >= beta or most <= alpha:
                break
    total = as_number(0)
    for i in range(count):
        if total + least >= beta or total + most <= alpha:
            if record is not None:
                record.cut_off(memory, top + i, end, alpha, beta, CHANCE)
            return total + least if total + least >= beta else total + most
        odds = load_float(memory, end + 2 * count + i)
        least -= odds * load_float(memory, end + i)
        most -= odds * load_float(memory, end + count + i)
        low, high = upper, lower
        if odds > 0.0:
            low = max(lower, divided(alpha - total - most, odds))
            high = min(upper, divided(beta - total - least, odds))
        if low >= high:
            # Rounding alone can close a window that the sums above have left open; and odds of 0 leave none.
            low, high = lower - 1, upper + 1
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
        note_average(total, work)
    return total


@kernel
def probe(game, s, alpha, beta, lower, upper, depth, ply, evaluate, order, memory, top, root, keys, work):
    """The value of the first move of `s`: a lower bound of `s` where player 0 moves, an upper one for player 1.

    NaN where there is no move to look at.
    """
    if depth <= 0:
        return NOTHING
    end = expand(game, s, ply, memory, top, keys, work, order, False, None)
    if end <= top or as_whole(memory[top]) < 0:
        return NOTHING
    return star_value(
        game, game.result(s, memory[top]), alpha, beta, lower, upper, NOTHING, depth - 1, ply + 1, True, evaluate,
        order, memory, end, root, keys, work, None,
    )  # fmt: skip
