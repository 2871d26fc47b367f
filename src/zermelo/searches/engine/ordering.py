"""The order in which moves are tried: the table's move, captures that win, killers, then by statistics.

The actions of a node lie in memory as the game generates them; behind them lies one word for each, its rank and its
place, and the next move is the largest of those that are left.
"""

from zermelo.compile import kernel
from zermelo.searches.engine.desk import (
    FRAME,
    KILLER,
    LARGEST_PAIRS,
    PLAYED,
    SECOND_KILLER,
    STATISTICS,
    SWITCHES,
    frame,
)
from zermelo.searches.engine.techniques import CAPTURES_FIRST, COUNTER_MOVES, HISTORY, KILLERS
from zermelo.searches.engine.transpositions import NO_PLACE
from zermelo.searches.engine.tuning import (
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
"""What one of the game's own order counts among noisy moves."""
MOST = 16_384
"""Statistics stay within this."""


@kernel
def kind_of_move(game, s, action):
    """The action's number among `history_size` kinds of moves."""
    return game.history_index(s, action) % game.history_size


@kernel
def statistics_of(game, mover):
    """Where the history of a player's moves begins."""
    return STATISTICS + (game.history_size if mover == 0 else 0)


@kernel
def counters_of(game, mover):
    """Where the refutations of the moves of a player's opponent begin."""
    return STATISTICS + 2 * game.history_size + (game.history_size if mover == 0 else 0)


@kernel
def noise_of(game, mover):
    """Where the history of a player's noisy moves begins."""
    return STATISTICS + 4 * game.history_size + (game.history_size if mover == 0 else 0)


@kernel
def pairs_of(game, played):
    """Where the statistics of answers to a kind of move begin; behind all of these come those of how to go on."""
    return STATISTICS + 6 * game.history_size + played * game.history_size


@kernel
def learned(game, mover, kind, ply, desk):
    """What statistics say about a kind of move."""
    total = 0
    if desk[SWITCHES] & HISTORY:
        total += desk[statistics_of(game, mover) + kind]
    if game.history_size <= LARGEST_PAIRS and desk[SWITCHES] & COUNTER_MOVES:
        before = desk[frame(ply) - FRAME + PLAYED]
        if before >= 0:
            total += desk[pairs_of(game, before) + kind] * WEIGHT_OF_ANSWERS // 1024
        if ply > 0:
            before = desk[frame(ply) - 2 * FRAME + PLAYED]
            if before >= 0:
                total += desk[pairs_of(game, game.history_size + before) + kind] * WEIGHT_OF_PLANS // 1024
        if ply > 2:
            before = desk[frame(ply) - 4 * FRAME + PLAYED]
            if before >= 0:
                total += desk[pairs_of(game, game.history_size + before) + kind] * WEIGHT_OF_OLD_PLANS // 1024
    return total


@kernel
def is_noisy_move(game, s, action):
    """Whether the game calls the action noisy."""
    return game.is_noisy is not None and game.is_noisy(s, action)


@kernel
def rank(game, s, action, mover, ply, desk):
    """How early an action is tried."""
    switches = desk[SWITCHES]
    given = 0
    if game.order is not None and switches & CAPTURES_FIRST:
        given = game.order(s, action)
    if is_noisy_move(game, s, action):
        if switches & CAPTURES_FIRST == 0:
            return 0
        if given < 0:
            return LOSING + given
        past = desk[noise_of(game, mover) + kind_of_move(game, s, action)] if switches & HISTORY else 0
        return WINNING + MOST + NOISE_UNIT * given + past * WEIGHT_OF_NOISE // 1024
    at = frame(ply)
    if switches & KILLERS:
        if desk[at + KILLER] == action:
            return KILLING + 2
        if desk[at + SECOND_KILLER] == action:
            return KILLING + 1
    kind = kind_of_move(game, s, action)
    if switches & COUNTER_MOVES:
        before = desk[at - FRAME + PLAYED]
        if before >= 0 and desk[counters_of(game, mover) + before] == action:
            return KILLING
    return given * WEIGHT_OF_ORDER // 1024 + learned(game, mover, kind, ply, desk)


@kernel
def rank_all(game, s, memory, top, end, mover, best, ply, desk):
    """Write the rank of every action behind the actions; `best` is the place of the table's move."""
    for i in range(top, end):
        place = i - top
        value = FROM_TABLE
        if place != best:
            value = rank(game, s, memory[i], mover, ply, desk)
        memory[end + place] = value << PLACE_BITS | PLACES - place
    return 0


@kernel
def write_places(game, s, memory, top, end, at):
    """Write at `at` the places that the actions from `top` on have among all of `s`; the index after the last.

    They are some of all, in the same order.
    """
    game.fill(s, memory, at)
    j = at
    for i in range(top, end):
        while memory[j] != memory[i]:
            j += 1
        memory[at + i - top] = j - at
        j += 1
    return at + end - top


@kernel
def index_of(memory, first, last, word):
    """How far behind `first` a word stands, NO_PLACE where it does not."""
    for i in range(first, last):
        if memory[i] == word:
            return i - first
    return NO_PLACE


@kernel
def pick(memory, first, last):
    """Bring the highest rank of those left to the front, and return its place among the actions."""
    at = first
    largest = memory[first]
    for i in range(first + 1, last):
        if memory[i] > largest:
            at, largest = i, memory[i]
    memory[at] = memory[first]
    memory[first] = largest
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
