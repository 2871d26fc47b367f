"""Random games: what a search goes by at first where a game says nothing about how its positions look."""

from zermelo.compile import as_number, is_finite, kernel, load_float, now, store_float
from zermelo.compile.random import stream
from zermelo.searches.engine.desk import MAX_PLY, TRIALS
from zermelo.searches.engine.scores import side_of
from zermelo.searches.playouts import playout


@kernel
def try_out(game, s, memory, top, count, ranks, free, desk):
    """Write at `ranks` how many of the other first moves each seems better than, by random games behind them.

    All get as many games; then the worse half is left out, and the others share as much time again, until one is left.
    """
    games, sums = free, free + count
    for i in range(count):
        memory[ranks + i] = count
        memory[games + i] = 0
        store_float(memory, sums + i, 0.0)
    stages, half = 1, 2
    while half < count:
        stages, half = stages + 1, 2 * half
    began, left, stage, played = now(), count, 1, 0
    while left > 1:
        while played == 0 or now() < began + desk[TRIALS] * stage // stages:
            for i in range(count):
                if memory[ranks + i] == count:
                    play_once(game, s, memory, top + i, games + i, sums + i, free + 2 * count, played)
            played += 1
        keep = (left + 1) // 2
        while left > keep:
            left -= 1
            worst = worst_of(game, s, memory, count, ranks, games, sums)
            memory[ranks + worst] = count - 1 - left
        stage += 1
    return 0


@kernel
def play_once(game, s, memory, at, games, total, free, number):
    """Play one random game after a move, and note what it pays player 0."""
    end, moves = playout(game, game.result(s, memory[at]), stream(0, number), MAX_PLY, memory, free, True, True)
    memory[games] += 1
    if moves >= 0:
        gain = as_number(game.utility(end, 0))
        if is_finite(gain):
            store_float(memory, total, load_float(memory, total) + gain)
    return 0


@kernel
def worst_of(game, s, memory, count, ranks, games, sums):
    """The move that brought least to who makes it, of those that are not left out."""
    worst, least = -1, 0.0
    for i in range(count):
        if memory[ranks + i] == count:
            mean = side_of(game, s) * load_float(memory, sums + i) / memory[games + i]
            if worst < 0 or mean < least:
                worst, least = i, mean
    return worst
