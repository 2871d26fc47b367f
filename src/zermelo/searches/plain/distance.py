"""Minimax that also counts moves: win soon, lose late."""

from zermelo.compile import as_whole, kernel
from zermelo.running.faults import is_player
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import NO_PLAYER
from zermelo.searches.plain.walk import (
    NODES,
    PATH,
    STATUS,
    estimate_of,
    expand,
    utility_of,
)


@kernel
def outcome_distance(game, s, middle, depth, ply, evaluate, memory, top, keys, work):
    """The value of `s` for player 0 and the number of moves to the end, when the winner hurries and the loser delays.

    `middle` is the value of a draw: who stands below it loses.
    """
    work[NODES] += 1
    if game.is_over(s):
        return utility_of(game, s, 0, False, work), 0
    if game.repetition is not None and is_drawn(game, s, keys, work[PATH] + ply):
        return game.draw_value, 0
    if depth == 0:
        return estimate_of(evaluate(game, s), False, work), 0
    end = expand(game, s, ply, memory, top, keys, work, None, False, None)
    if end == top:
        return utility_of(game, s, 0, False, work), 0
    mover = as_whole(game.to_move(s)) if game.is_watched else game.to_move(s)
    if game.is_watched and not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0, 0
    best = 0.0
    moves = -1
    for i in range(top, end):
        action = memory[i]
        value, length = outcome_distance(
            game, game.result(s, action), middle, depth - 1, ply + 1, evaluate, memory, end, keys, work
        )
        if work[STATUS] != 0:
            return 0.0, 0
        better = value > best if mover == 0 else value < best
        if value == best:
            ahead = value > middle if mover == 0 else value < middle
            behind = value < middle if mover == 0 else value > middle
            better = (ahead and length + 1 < moves) or (behind and length + 1 > moves)
        if i == top or better:
            best = value
            moves = length + 1
    return best, moves
