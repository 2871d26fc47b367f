"""Expectiminimax: minimax with dice (Michie, 1966), and its pruning by Star1 and Star2 (Ballard, 1983)."""

from zermelo.compile import kernel, load_float, store_float
from zermelo.contract import CHANCE
from zermelo.searches.walk import CUT, STATUS, expand, is_repeated_draw, keep_root, visit


@kernel
def expectiminimax_value(game, s, depth, ply, evaluate, order, memory, top, root, keys, work, record):
    """The value of `s` for player 0: maximised by player 0, minimised by player 1, averaged over chance."""
    if visit(game, s, ply, top, keys, work):
        return 0.0
    if game.is_over(s):
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.end(s, value)
        return value
    if game.draws_by_repetition and is_repeated_draw(game, s, ply, keys, work):
        if record is not None:
            record.end(s, 0.0)
        return 0.0
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
        keep_root(root, ply, i - top, value)
        if mover == CHANCE:
            best += odds * value
        elif choice < 0 or (value > best if mover == 0 else value < best):
            best = value
            choice = action
    if record is not None:
        record.leave(best, choice if mover != CHANCE else None)
    return best


@kernel
def star_value(
    game, s, alpha, beta, lower, upper, depth, ply, probing, evaluate, order, memory, top, root, keys, work, record
):  # fmt: skip
    """The value of `s` as far as the window tells, for utilities that lie in [lower, upper].

    Inside the window it is the expectiminimax value; at or below alpha it is an upper bound, at or above beta a lower
    one. With `probing` chance nodes first look at one move behind each outcome (Star2).
    """
    if visit(game, s, ply, top, keys, work):
        return 0.0
    if game.is_over(s):
        value = 0.0 + game.utility(s, 0)
        if record is not None:
            record.end(s, value, alpha, beta)
        return value
    if game.draws_by_repetition and is_repeated_draw(game, s, ply, keys, work):
        if record is not None:
            record.end(s, 0.0, alpha, beta)
        return 0.0
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
        if record is not None:
            record.branch(action)
        value = star_value(
            game, game.result(s, action), low, high, lower, upper, depth - 1, ply + 1, probing, evaluate, order, memory,
            end, root, keys, work, record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return 0.0
        keep_root(root, ply, i - top, value)
        if mover == 0:
            if choice < 0 or value > best:
                best, choice = value, action
            low = max(low, best)
        else:
            if choice < 0 or value < best:
                best, choice = value, action
            high = min(high, best)
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

    Behind the outcomes, memory keeps what is known of each: a lower bound, an upper bound and its odds.
    """
    count = end - top
    free = end + 3 * count
    least, most = 0.0, 0.0
    for i in range(count):
        odds = 0.0 + game.probability(s, memory[top + i])
        store_float(memory, end + i, lower)
        store_float(memory, end + count + i, upper)
        store_float(memory, end + 2 * count + i, odds)
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
            bound = probe(
                game, child, (alpha - (most - odds * upper)) / odds, (beta - (least - odds * lower)) / odds, lower,
                upper, depth - 1, ply + 1, evaluate, order, memory, free, root, keys, work,
            )  # fmt: skip
            if work[STATUS] != 0:
                return 0.0
            if mover == 0:
                store_float(memory, end + i, bound)
                least += odds * (bound - lower)
            else:
                store_float(memory, end + count + i, bound)
                most += odds * (bound - upper)
            if least >= beta or most <= alpha:
                if record is not None:
                    record.cut_off(memory, top, end, alpha, beta, CHANCE)
                return least if least >= beta else most
    total = 0.0
    for i in range(count):
        odds = load_float(memory, end + 2 * count + i)
        least -= odds * load_float(memory, end + i)
        most -= odds * load_float(memory, end + count + i)
        low = max(lower, (alpha - total - most) / odds)
        high = min(upper, (beta - total - least) / odds)
        if record is not None:
            record.branch(memory[top + i], odds)
        value = star_value(
            game, game.result(s, memory[top + i]), low, high, lower, upper, depth - 1, ply + 1, probing, evaluate,
            order, memory, free, root, keys, work, record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return 0.0
        keep_root(root, ply, i, value)
        total += odds * value
        if total + least >= beta or total + most <= alpha:
            if record is not None:
                record.cut_off(memory, top + i + 1, end, alpha, beta, CHANCE)
            return total + least if total + least >= beta else total + most
    return total


@kernel
def probe(game, s, alpha, beta, lower, upper, depth, ply, evaluate, order, memory, top, root, keys, work):
    """A bound on `s` by one of its moves: a lower one where player 0 moves, an upper one for player 1.

    Where nothing can be learnt the bound that is known anyway is returned.
    """
    nothing = lower if game.to_move(s) == 0 else upper
    if depth <= 0:
        return nothing
    work_end = expand(game, s, ply, memory, top, keys, work, order, False, None)
    if work_end <= top:
        return nothing
    return star_value(
        game, game.result(s, memory[top]), max(lower, alpha), min(upper, beta), lower, upper, depth - 1, ply + 1, True,
        evaluate, order, memory, work_end, root, keys, work, None,
    )  # fmt: skip
