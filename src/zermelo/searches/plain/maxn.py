"""Games of any number of players: a vector of values at every node.

max^n (Luckhardt and Irani, 1986) lets everybody maximise their own; paranoid search (Sturtevant and Korf, 2000) takes
everybody else as one opponent; expectimax takes everybody else as a die.
"""

from zermelo.compile import as_number, as_whole, kernel, load_float, store_number
from zermelo.contract import CHANCE
from zermelo.running.faults import is_player
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import NO_PLAYER
from zermelo.searches.plain.walk import (
    CLOSE,
    CUT,
    NODES,
    PATH,
    STATUS,
    check_odds,
    estimate_of,
    expand,
    is_close,
    note_average,
    note_size,
    odds_of,
    utility_of,
)


@kernel
def players_value(
    game, s, depth, ply, me, style, evaluate, order, memory, top, vectors, root, keys, work, record
):  # fmt: skip
    """The action to take in `s` (-1 where there is none); the players' values lie at `vectors[ply * players]`.

    `style` is "maxn", "paranoid" or "expectimax", seen by player `me`.
    """
    here = ply * game.players
    below = here + game.players
    work[NODES] += 1
    over = game.is_over(s)
    if over or (game.repetition is not None and is_drawn(game, s, keys, work[PATH] + ply)):
        if over:
            keep_utilities(game, s, style, vectors, here, work)
        else:
            for player in range(game.players):
                store_number(vectors, here + player, game.draw_value)
        if record is not None:
            record.end_all(s, vectors, here)
        return -1
    mover = as_whole(game.to_move(s)) if game.is_watched else game.to_move(s)
    if record is not None:
        record.enter(s, mover)
    if depth == 0:
        work[CUT] = 1
        for player in range(game.players):
            store_number(vectors, here + player, estimate_of(evaluate(game, s, player), False, work))
        if record is not None:
            record.leave_all(vectors, here, -1, "estimate")
        return -1
    end = expand(game, s, ply, memory, top, keys, work, order, False, record)
    if end == top:
        keep_utilities(game, s, style, vectors, here, work)
        if record is not None:
            record.ends_here_all(vectors, here)
        return -1
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return -1
    averages = mover == CHANCE or (style == "expectimax" and mover != me)
    for player in range(game.players):
        store_number(vectors, here + player, as_number(0))
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
        players_value(
            game, game.result(s, action), depth - 1, ply + 1, me, style, evaluate, order, memory, end, vectors, root,
            keys, work, record,
        )  # fmt: skip
        if work[STATUS] != 0:
            return -1
        if ply == 0:
            root[0] = i - top + 1
            for player in range(game.players):
                store_number(root, 1 + (i - top) * game.players + player, load_float(vectors, below + player))
        if averages:
            share = odds if mover == CHANCE else 1.0 / (end - top)
            for player in range(game.players):
                old = load_float(vectors, here + player)
                store_number(vectors, here + player, old + share * load_float(vectors, below + player))
            continue
        subject = me if style == "paranoid" else mover
        new, old = load_float(vectors, below + subject), load_float(vectors, here + subject)
        if game.probability is not None or style == "expectimax":
            # What the others get hangs on this choice.
            if game.players > 1 and i > top and is_close(new, old):
                work[CLOSE] = 1
        if i == top or (new < old if style == "paranoid" and mover != me else new > old):
            choice = action
            for player in range(game.players):
                store_number(vectors, here + player, load_float(vectors, below + player))
    if game.probability is not None and mover == CHANCE:
        check_odds(total, work)
    if averages:
        for player in range(game.players):
            note_average(load_float(vectors, here + player), work)
    if record is not None:
        record.leave_all(vectors, here, choice, "exact")
    return choice


@kernel
def keep_utilities(game, s, style, vectors, here, work):
    """Write down what everybody gets at the end `s`."""
    for player in range(game.players):
        value = utility_of(game, s, player, False, work)
        store_number(vectors, here + player, value)
        if style == "expectimax":
            note_size(value, work)
    return 0
