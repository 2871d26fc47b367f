"""The order in which moves are tried: the table's move, captures that win, killers, then by statistics.

The actions of a node lie on the stack as the game generates them; behind them lies one word for each, its rank and its
place, and the next move is the largest of those that are left. The second half of this module is how statistics learn:
a move that cuts off was good, and those that were tried before it were not.
"""

from zermelo.compile import kernel
from zermelo.searches.engine.desk import BEFORE, HERE, LARGEST_PAIRS
from zermelo.searches.engine.estimates import learn_error
from zermelo.searches.engine.scores import SURE, UNKNOWN, side_of
from zermelo.searches.engine.techniques import CAPTURES_FIRST, CORRECTIONS, COUNTER_MOVES, HISTORY, KILLERS
from zermelo.searches.engine.transpositions import NO_PLACE
from zermelo.searches.engine.tuning import (
    LEARNED_BY_PLY,
    LEARNED_FROM_ESTIMATES,
    MOST_LEARNED,
    PUNISHMENT,
    WEIGHT_OF_ANSWERS,
    WEIGHT_OF_NOISE,
    WEIGHT_OF_OLD_PLANS,
    WEIGHT_OF_ORDER,
    WEIGHT_OF_PLANS,
)

PLACE_BITS = 20
PLACES = (1 << PLACE_BITS) - 1
FROM_TABLE, WINNING, KILLING, LOSING = 1 << 40, 1 << 30, 1 << 24, -(1 << 30)
"""Ranks: the table's move, noisy moves, killers, noisy moves that lose; statistics lie in between."""
NOISE_UNIT = 64
"""What a unit of the game's own `order` adds to the rank of a noisy move."""
MOST = 16_384
"""Statistics stay within this."""


# --- ranks -----------------------------------------------------------------------------------------------------------


@kernel
def kind_of_move(game, s, action):
    """The action's number among `history_size` kinds of moves."""
    return game.history_index(s, action) % game.history_size


@kernel
def is_noisy_move(game, s, action):
    """Whether the game calls the action noisy."""
    return game.is_noisy is not None and game.is_noisy(s, action)


@kernel
def by_player(game, mover, kind):
    """Where a kind of move of this player stands in statistics of both."""
    return kind if mover == 0 else game.history_size + kind


@kernel
def answer_at(game, before, kind):
    """Where a kind of move stands among pairs as the answer to the kind before it."""
    return before * game.history_size + kind


@kernel
def plan_at(game, before, kind):
    """Where a kind of move stands among pairs as what the same player does after an earlier kind."""
    return (game.history_size + before) * game.history_size + kind


@kernel
def learned(game, mover, kind, ply, desk):
    """What statistics say about a kind of quiet move."""
    total = 0
    if desk.techniques & HISTORY:
        total += desk.quiet_history[by_player(game, mover, kind)]
    if game.history_size <= LARGEST_PAIRS and desk.techniques & COUNTER_MOVES:
        frames, pairs = desk.frames, desk.pairs
        before = frames[ply + BEFORE].played
        if before >= 0:
            total += pairs[answer_at(game, before, kind)] * WEIGHT_OF_ANSWERS // 1024
        if ply > 0:
            before = frames[ply + HERE - 2].played
            if before >= 0:
                total += pairs[plan_at(game, before, kind)] * WEIGHT_OF_PLANS // 1024
        if ply > 2:
            before = frames[ply + HERE - 4].played
            if before >= 0:
                total += pairs[plan_at(game, before, kind)] * WEIGHT_OF_OLD_PLANS // 1024
    return total


@kernel
def rank(game, s, action, mover, ply, desk):
    """How early an action is tried."""
    techniques = desk.techniques
    given = 0
    if game.order is not None and techniques & CAPTURES_FIRST:
        given = game.order(s, action)
    if is_noisy_move(game, s, action):
        if techniques & CAPTURES_FIRST == 0:
            return 0
        if given < 0:
            return LOSING + given
        past = 0
        if techniques & HISTORY:
            past = desk.noisy_history[by_player(game, mover, kind_of_move(game, s, action))]
        return WINNING + MOST + NOISE_UNIT * given + past * WEIGHT_OF_NOISE // 1024
    if techniques & KILLERS:
        here = desk.frames[ply + HERE]
        if here.killer == action:
            return KILLING + 2
        if here.second_killer == action:
            return KILLING + 1
    kind = kind_of_move(game, s, action)
    if techniques & COUNTER_MOVES:
        before = desk.frames[ply + BEFORE].played
        if before >= 0 and desk.refutations[by_player(game, mover, before)] == action:
            return KILLING
    return given * WEIGHT_OF_ORDER // 1024 + learned(game, mover, kind, ply, desk)


@kernel
def rank_all(game, s, hint, ply, desk):
    """Write the rank of every action of a frame behind the actions; `hint` is the place of the table's move."""
    here, stack = desk.frames[ply + HERE], desk.stack
    top, end, mover = here.top, here.end, game.to_move(s)
    for i in range(top, end):
        place = i - top
        value = FROM_TABLE
        if place != hint:
            value = rank(game, s, stack[i], mover, ply, desk)
        stack[end + place] = value << PLACE_BITS | PLACES - place
    return 0


@kernel
def pick(stack, first, last):
    """Bring the highest rank of those left to the front, and return its place among the actions."""
    at = first
    largest = stack[first]
    for i in range(first + 1, last):
        if stack[i] > largest:
            at, largest = i, stack[i]
    stack[at] = stack[first]
    stack[first] = largest
    return place_in(largest)


@kernel
def place_in(word):
    """The place among the actions of the one whose rank this is."""
    return PLACES - (word & PLACES)


@kernel
def is_to_be_weighed(word):
    """Whether a move stands among the noisy ones that may win something."""
    return FROM_TABLE > word >> PLACE_BITS >= WINNING


@kernel
def lowered(word):
    """The word of a noisy move that turned out to lose something."""
    return word + ((LOSING - WINNING) << PLACE_BITS)


# --- places where only some of all actions are left ------------------------------------------------------------------


@kernel
def write_places(game, s, stack, top, end, at):
    """Write at `at` the places that the actions from `top` on have among all of `s`; the index after the last.

    The actions from `top` on are some of all, in the same order.
    """
    game.fill(s, stack, at)
    j = at
    for i in range(top, end):
        while stack[j] != stack[i]:
            j += 1
        stack[at + i - top] = j - at
        j += 1
    return at + end - top


@kernel
def index_of(stack, first, last, word):
    """How far behind `first` a word stands; NO_PLACE where it is not there."""
    for i in range(first, last):
        if stack[i] == word:
            return i - first
    return NO_PLACE


# --- learning --------------------------------------------------------------------------------------------------------


@kernel
def toward(statistics, at, bonus):
    """Move a statistic by a bonus, the less the closer it is to the end of its range."""
    statistics[at] += bonus - statistics[at] * abs(bonus) // MOST
    return 0


@kernel
def reward(game, mover, kind, ply, bonus, desk):
    """Note that a kind of quiet move was good here, or bad where the bonus is negative."""
    if desk.techniques & HISTORY:
        toward(desk.quiet_history, by_player(game, mover, kind), bonus)
    if game.history_size <= LARGEST_PAIRS and desk.techniques & COUNTER_MOVES:
        frames, pairs = desk.frames, desk.pairs
        before = frames[ply + BEFORE].played
        if before >= 0:
            toward(pairs, answer_at(game, before, kind), bonus)
        if ply > 0:
            before = frames[ply + HERE - 2].played
            if before >= 0:
                toward(pairs, plan_at(game, before, kind), bonus)
        if ply > 2:
            before = frames[ply + HERE - 4].played
            if before >= 0:
                toward(pairs, plan_at(game, before, kind), bonus * 3 // 4)
    return 0


@kernel
def reward_noise(game, mover, kind, bonus, desk):
    """Note that a kind of noisy move was good here, or bad where the bonus is negative."""
    if desk.techniques & HISTORY:
        toward(desk.noisy_history, by_player(game, mover, kind), bonus)
    return 0


@kernel
def lesson(depth):
    """How much a search of this depth changes statistics."""
    return min(MOST_LEARNED, max(32, (12 * depth + LEARNED_BY_PLY) * depth - 240))


@kernel
def learn_from_cut(game, s, action, tried, depth, ply, desk):
    """Learn from a move that cut off, and those whose ranks stand before `tried`, which did not."""
    here, stack, mover = desk.frames[ply + HERE], desk.stack, game.to_move(s)
    bonus, kind, quiet = lesson(depth), here.played, here.quiet
    if quiet:
        if here.killer != action:
            here.second_killer = here.killer
            here.killer = action
        before = desk.frames[ply + BEFORE].played
        if before >= 0:
            desk.refutations[by_player(game, mover, before)] = action
        reward(game, mover, kind, ply, bonus, desk)
    else:
        reward_noise(game, mover, kind, bonus, desk)
    bonus = -bonus * PUNISHMENT // 1024
    for i in range(here.end, tried):
        other = stack[here.top + place_in(stack[i])]
        if other != action:
            kind = kind_of_move(game, s, other)
            if is_noisy_move(game, s, other):
                reward_noise(game, mover, kind, bonus, desk)
            elif quiet:
                reward(game, mover, kind, ply, bonus, desk)
    return 0


@kernel
def learn_from_estimate(game, mover, estimate, ply, desk):
    """Note whether the move before was good, by how the estimate changed with it."""
    before = desk.frames[ply + BEFORE]
    if before.played >= 0 and before.static != UNKNOWN:
        gain = -(estimate + before.static) * 100 // game.advantage * LEARNED_FROM_ESTIMATES // 1024
        at = by_player(game, 1 - mover, before.played)
        toward(desk.quiet_history, at, min(max(gain, -MOST // 11), MOST // 20))
    return 0


@kernel
def learn_from_value(game, s, best, alpha, beta, depth, ply, desk):
    """Learn how far the estimate was off, unless the value is a bound that it keeps, or a noisy move decided."""
    here = desk.frames[ply + HERE]
    said, chosen = here.static, here.chosen
    if desk.techniques & CORRECTIONS == 0:
        return 0
    if here.checked or said == UNKNOWN or abs(best) >= SURE:
        return 0
    if (best >= beta and best <= said) or said <= best <= alpha:
        return 0
    if chosen == NO_PLACE or not is_noisy_move(game, s, desk.stack[here.top + chosen]):
        learn_error(game, s, depth, (best - said) * side_of(game, s), desk)
    return 0
