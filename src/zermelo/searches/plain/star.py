"""Star1 and Star2: expectiminimax without the branches that cannot matter (Ballard, 1983)."""

import math

from zermelo.compile import as_number, as_whole, divided, kernel, load_float, store_number
from zermelo.contract import CHANCE
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import FINE, NO_ACTION
from zermelo.searches.plain.node import arrive, check_odds, expand, keep_first, note_average, odds_of

NOTHING = math.nan
"""A value that is not known; unequal to itself."""


@kernel
def star_value(game, setup, s, alpha, beta, depth, walk):
    """The value of `s` as far as the window tells, for utilities that lie in walk.lower .. walk.upper.

    Inside the window it is the expectiminimax value; at or below alpha it is an upper bound, at or above beta a lower
    one. With `probing` chance nodes first look at one move behind each outcome (Star2); walk.known is the exact value
    of the first move of `s` by such a look, NaN where there is none.
    """
    if setup.record is not None:
        setup.record.window(alpha, beta)
    top, known = walk.top, walk.known
    walk.known = NOTHING
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return walk.value
    mover, best, choice = walk.mover, as_number(0), -1
    if mover == CHANCE:
        best = chance_value(game, setup, s, alpha, beta, depth, top, walk)
    else:
        low, high = alpha, beta
        for i in range(top, end):
            action = walk.actions[i]
            if i == top and known == known:
                value = known
                if setup.record is not None:
                    setup.record.known(action, value)
            else:
                if setup.record is not None:
                    setup.record.branch(action)
                value = star_value(game, setup, game.result(s, action), low, high, depth - 1, walk)
                if walk.status != FINE:
                    return 0.0
            if top == 0:
                keep_first(walk, i, value)
            if i == top or (value > best if mover == 0 else value < best):
                best, choice = value, action
            if mover == 0:
                low = best if best > low else low
            else:
                high = best if best < high else high
            if low >= high:
                if setup.record is not None:
                    setup.record.cut_off(walk.actions, i + 1, end, low, high, mover)
                break
    walk.top = top
    if setup.record is not None and walk.status == FINE:
        setup.record.leave_window(best, None if mover == CHANCE else choice, alpha, beta)
    return best


@kernel
def chance_value(game, setup, s, alpha, beta, depth, top, walk):
    """The average over the outcomes, left early when the window can no longer be reached."""
    end = walk.top
    count = end - top
    lows, highs, odds_at, firsts = end, end + count, end + 2 * count, end + 3 * count
    least, most = open_outcomes(game, s, top, end, walk)
    walk.top = end + 4 * count
    if setup.probing and walk.status == FINE:
        least, most = probe_outcomes(game, setup, s, alpha, beta, depth, top, walk)
    if walk.status != FINE:
        return 0.0
    total = as_number(0)
    for i in range(count):
        if total + least >= beta or total + most <= alpha:
            if setup.record is not None:
                setup.record.cut_off(walk.actions, top + i, end, alpha, beta, CHANCE)
            return total + least if total + least >= beta else total + most
        odds = load_float(walk.actions, odds_at + i)
        least -= odds * load_float(walk.actions, lows + i)
        most -= odds * load_float(walk.actions, highs + i)
        low, high = walk.upper, walk.lower
        if odds > 0.0:
            low = max(walk.lower, divided(alpha - total - most, odds))
            high = min(walk.upper, divided(beta - total - least, odds))
        if low >= high:
            # Only rounding, or odds of 0, leave no window where the sums above left one open: then search a full one.
            low, high = walk.lower - 1, walk.upper + 1
        if setup.record is not None:
            setup.record.branch(walk.actions[top + i], odds)
        walk.known = load_float(walk.actions, firsts + i)
        value = star_value(game, setup, game.result(s, walk.actions[top + i]), low, high, depth - 1, walk)
        if walk.status != FINE:
            return 0.0
        if top == 0:
            keep_first(walk, i, value)
        total += odds * value
        note_average(total, walk)
    return total


@kernel
def open_outcomes(game, s, top, end, walk):
    """The least and the greatest that the average can be.

    Behind the outcomes, memory keeps what is known of each: a lower bound, an upper bound, its odds, and the value of
    its first move.
    """
    count = end - top
    least, most, whole = as_number(0), as_number(0), as_number(0)
    for i in range(count):
        if as_whole(walk.actions[top + i]) < 0:
            walk.status = NO_ACTION
            return least, most
        odds = odds_of(game, s, walk.actions[top + i], walk)
        store_number(walk.actions, end + i, walk.lower)
        store_number(walk.actions, end + count + i, walk.upper)
        store_number(walk.actions, end + 2 * count + i, odds)
        store_number(walk.actions, end + 3 * count + i, NOTHING)
        least += odds * walk.lower
        most += odds * walk.upper
        whole += odds
    check_odds(whole, walk)
    note_average(least + most, walk)
    return least, most


@kernel
def probe_outcomes(game, setup, s, alpha, beta, depth, top, walk):
    """The least and the greatest that the average can be, after a look at one move behind each outcome."""
    count = (walk.top - top) // 5
    end = top + count
    lows, highs, odds_at, firsts = end, end + count, end + 2 * count, end + 3 * count
    least, most = as_number(0), as_number(0)
    for i in range(count):
        odds = load_float(walk.actions, odds_at + i)
        least += odds * walk.lower
        most += odds * walk.upper
    for i in range(count):
        odds = load_float(walk.actions, odds_at + i)
        child = game.result(s, walk.actions[top + i])
        if game.is_over(child):
            continue
        if game.draws_by_repetition and is_drawn(game, child, walk.keys, walk.past + walk.depth - depth + 1):
            continue
        mover = as_whole(game.to_move(child))
        # A lower bound can cut off only at a beta below walk.upper, an upper bound only at an alpha above walk.lower.
        if odds == 0.0 or not ((mover == 0 and beta < walk.upper) or (mover == 1 and alpha > walk.lower)):
            continue
        low = max(walk.lower, divided(alpha - (most - odds * walk.upper), odds))
        high = min(walk.upper, divided(beta - (least - odds * walk.lower), odds))
        if low >= high:
            continue
        bound = probe(game, setup, child, low, high, depth - 1, walk)
        if walk.status != FINE:
            return least, most
        # Outside its window the probe's own answer is a bound, which says nothing in the other direction.
        if low < bound < high:
            store_number(walk.actions, firsts + i, bound)
        if mover == 0 and bound > low:
            store_number(walk.actions, lows + i, bound)
            least += odds * (bound - walk.lower)
        elif mover == 1 and bound < high:
            store_number(walk.actions, highs + i, bound)
            most += odds * (bound - walk.upper)
        if least >= beta or most <= alpha:
            break
    return least, most


@kernel
def probe(game, setup, s, alpha, beta, depth, walk):
    """The value of the first move of `s`: a lower bound of `s` where player 0 moves, an upper one for player 1.

    NaN where there is no move to look at.
    """
    if depth <= 0:
        return NOTHING
    top = walk.top
    end = expand(game, setup.quiet, s, depth, walk)
    if end <= top or as_whole(walk.actions[top]) < 0:
        return NOTHING
    walk.top = end
    value = star_value(game, setup.quiet, game.result(s, walk.actions[top]), alpha, beta, depth - 1, walk)
    walk.top = top
    return value
