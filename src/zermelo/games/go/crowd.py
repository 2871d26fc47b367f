"""Uniform playouts of Go for crowds of threads: the whole board in a few words, which fit into the registers of each.

The same games as those of `playouts` on the board in memory, stone by stone. That board takes fewer steps, but
thousands of threads with 2 KB each wait for their memory.
"""

from zermelo.bits import u64
from zermelo.compile.random import below, word
from zermelo.games.go.boards import (
    beside,
    common,
    corners,
    first_action,
    holds,
    is_empty,
    joined,
    no_points,
    nth_point,
    size_of,
    without,
)
from zermelo.games.go.moves import areas, captured, has_liberty, is_ko


def play_out(game, s, seed, memory, start):
    """Play to the end, or for `game.longest` moves; player 0's utility. See the hook `rollout` of the contract."""
    key, draws = u64(seed), 0
    mine, theirs = (s.black, s.white) if s.player == 0 else (s.white, s.black)
    my_first, their_first = no_points(game), no_points(game)
    ko, passes, moves = s.ko, s.passes, 0
    left = without(game, game.board, joined(game, mine, theirs))
    count = size_of(game, left)
    # One round is one point drawn, not one move: threads that run in step wait for each other at every round, and the
    # most points that any of them draws for a move are many more than the mean.
    while passes < 2 and moves < game.longest:
        moved = count == 0
        if moved:
            passes += 1
            ko = -1
        else:
            stone = nth_point(game, left, below(word(key, draws), count))
            draws += 1
            grown = joined(game, mine, stone)
            taken = no_points(game)
            if not is_barred(game, stone, mine, theirs, ko):
                taken = captured(game, stone, grown, theirs)
                moved = not is_empty(game, taken) or has_liberty(
                    game, stone, grown, without(game, game.board, joined(game, grown, theirs))
                )
            if moved:
                passes = 0
                mine, theirs = grown, without(game, theirs, taken)
                ko = first_action(game, taken) if is_ko(game, stone, mine, theirs, taken) else -1
                my_first = joined(game, my_first, without(game, stone, their_first))
            else:
                left = without(game, left, stone)
                count -= 1
        if moved:
            mine, theirs = theirs, mine
            my_first, their_first = their_first, my_first
            moves += 1
            left = without(game, game.board, joined(game, mine, theirs))
            count = size_of(game, left)
    mover = (s.player + moves) & 1
    write_first(game, memory, start, my_first, their_first, mover)
    black, white = (mine, theirs) if mover == 0 else (theirs, mine)
    black, white = areas(game, black, white)
    lead = size_of(game, black) - size_of(game, white) - game.komi
    return 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0


def is_barred(game, stone, mine, theirs, ko):
    """Whether a playout leaves a point alone before anything is counted: the ko, and eyes of its own."""
    if ko >= 0:
        if holds(game, stone, ko):
            return True
    near = common(game, beside(game, stone), game.board)
    return is_empty(game, without(game, near, mine)) and is_guarded(game, stone, theirs)


def is_guarded(game, stone, theirs):
    """Whether the corners around a point are not theirs, as far as an eye takes."""
    around = corners(game, stone)
    on_board = common(game, around, game.board)
    return size_of(game, common(game, on_board, theirs)) + (1 if size_of(game, on_board) < 4 else 0) < 2


def write_first(game, memory, start, mine, theirs, mover):
    """Write down who was the first to play on each point: 1 + player, or 0."""
    for action in range(game.size * game.size):
        first = 1 + mover if holds(game, mine, action) else 2 - mover if holds(game, theirs, action) else 0
        memory[start + action] = first
    memory[start + game.size * game.size] = 0
