"""What a search learns for its later parts: which kinds of moves are good, and how far estimates are off."""

from zermelo.compile import kernel
from zermelo.searches.engine.desk import (
    FRAME,
    KILLER,
    LARGEST_PAIRS,
    PLAYED,
    SECOND_KILLER,
    STATIC,
    SURE,
    SWITCHES,
    UNKNOWN,
    frame,
)
from zermelo.searches.engine.ordering import (
    MOST,
    counters_of,
    is_noisy_move,
    kind_of_move,
    noise_of,
    pairs_of,
    place_in,
    statistics_of,
)
from zermelo.searches.engine.scores import learn_error, side_of
from zermelo.searches.engine.techniques import CORRECTIONS, COUNTER_MOVES, HISTORY
from zermelo.searches.engine.transpositions import NO_PLACE
from zermelo.searches.engine.tuning import LEARNED_BY_PLY, LEARNED_FROM_ESTIMATES, MOST_LEARNED, PUNISHMENT


@kernel
def toward(desk, at, bonus):
    """Move a statistic by a bonus, the less the closer it is to its end."""
    desk[at] += bonus - desk[at] * abs(bonus) // MOST
    return 0


@kernel
def reward(game, mover, kind, ply, bonus, desk):
    """Note that a kind of quiet move was good here, or bad where the bonus is negative."""
    if desk[SWITCHES] & HISTORY:
        toward(desk, statistics_of(game, mover) + kind, bonus)
    if game.history_size <= LARGEST_PAIRS and desk[SWITCHES] & COUNTER_MOVES:
        before = desk[frame(ply) - FRAME + PLAYED]
        if before >= 0:
            toward(desk, pairs_of(game, before) + kind, bonus)
        if ply > 0:
            before = desk[frame(ply) - 2 * FRAME + PLAYED]
            if before >= 0:
                toward(desk, pairs_of(game, game.history_size + before) + kind, bonus)
        if ply > 2:
            before = desk[frame(ply) - 4 * FRAME + PLAYED]
            if before >= 0:
                toward(desk, pairs_of(game, game.history_size + before) + kind, bonus * 3 // 4)
    return 0


@kernel
def lesson(depth):
    """How much a search of this depth changes statistics."""
    return min(MOST_LEARNED, max(32, (12 * depth + LEARNED_BY_PLY) * depth - 240))


@kernel
def refuted_by(game, s, action, noisy, mover, ply, depth, memory, ranks, tried, top, desk):
    """Learn from a move that cut off: it was good, and those tried before it were not."""
    at = frame(ply)
    bonus = lesson(depth)
    kind = kind_of_move(game, s, action)
    if noisy:
        reward_noise(game, mover, kind, bonus, desk)
    else:
        if desk[at + KILLER] != action:
            desk[at + SECOND_KILLER] = desk[at + KILLER]
            desk[at + KILLER] = action
        before = desk[at - FRAME + PLAYED]
        if before >= 0:
            desk[counters_of(game, mover) + before] = action
        reward(game, mover, kind, ply, bonus, desk)
    bonus = -bonus * PUNISHMENT // 1024
    for i in range(ranks, tried):
        other = memory[top + place_in(memory[i])]
        if other != action:
            kind = kind_of_move(game, s, other)
            if is_noisy_move(game, s, other):
                reward_noise(game, mover, kind, bonus, desk)
            elif not noisy:
                reward(game, mover, kind, ply, bonus, desk)
    return 0


@kernel
def reward_noise(game, mover, kind, bonus, desk):
    """Note that a kind of noisy move was good here, or bad where the bonus is negative."""
    if desk[SWITCHES] & HISTORY:
        toward(desk, noise_of(game, mover) + kind, bonus)
    return 0


@kernel
def learn_from_estimates(game, mover, here, ply, desk):
    """Note whether the move before was good, by how the estimate changed with it."""
    before, said = desk[frame(ply) - FRAME + PLAYED], desk[frame(ply) - FRAME + STATIC]
    if before >= 0 and said != UNKNOWN:
        gain = -(here + said) * 100 // game.advantage * LEARNED_FROM_ESTIMATES // 1024
        toward(desk, statistics_of(game, 1 - mover) + before, min(max(gain, -MOST // 11), MOST // 20))
    return 0


@kernel
def note_error(game, s, best, alpha, beta, depth, checked, chosen, top, ply, memory, desk):
    """Learn from a value how far the estimate was off, unless it is a bound that proves nothing or noise decided."""
    said = desk[frame(ply) + STATIC]
    if desk[SWITCHES] & CORRECTIONS == 0:
        return 0
    if checked or said == UNKNOWN or abs(best) >= SURE or (best >= beta and best <= said) or said <= best <= alpha:
        return 0
    if chosen == NO_PLACE or not is_noisy_move(game, s, memory[top + chosen]):
        learn_error(game, s, depth, (best - said) * side_of(game, s), desk)
    return 0
