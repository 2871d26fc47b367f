"""The transposition table: what was found out about positions, shared by all threads without locks.

An entry is two words: the key, mixed with the data, and the data. A thread that reads an entry while another writes it
sees words that do not fit together, and takes it for another position. Data are the score, the place of the best
action in the order in which the game generates them, whether the position lay on a principal variation, the depth, the
age, and what the score is: a bound or exact. Scores in a game's own units are small; all others need a third word,
which the key is mixed with too, and a fourth lies idle, so that a bucket fills a cache line. Two neighbours form a
bucket; of the two the one that is older or was searched less deep is replaced.
"""

from typing import Any

from zermelo.compile import Block, Memory, kernel
from zermelo.searches.engine.scores import SHOWN_SURE, SHOWN_WIN, SURE, WIN
from zermelo.searches.engine.techniques import PROVING, SELECTIVE

NOTHING, UPPER, LOWER, EXACT = range(4)
"""The kind of a score in the table; an entry of kind NOTHING keeps only a move."""
NO_PLACE = (1 << 20) - 1
SCORE_SHIFT, PLACE_SHIFT, PATH_SHIFT, DEPTH_SHIFT, AGE_SHIFT = 42, 22, 21, 10, 2
MISSING = NO_PLACE << PLACE_SHIFT
"""Data that say nothing: no place, no depth, and a score of kind NOTHING."""
FOR_EVER = 2047
"""The depth of what rests on ends of the game alone."""
SPARED = WIN - SHOWN_WIN
"""In a table whose scores are small, the score of a win is kept lower by this."""
PLACES_IN_DATA = NO_PLACE << PLACE_SHIFT


class Table(Block):
    """The transposition table as one thread sees it."""

    entries: Memory  # all threads share them
    size: int  # how many entries there are, a power of two
    in_use: int  # 1 where the table is used at all
    age: int  # the number of this search, from 1 to 255
    score: int  # the score of the data found last, where scores have a word of their own


def entry_words(setup: Any) -> int:
    """How many words an entry takes."""
    return 2 if setup.own_units else 4


@kernel
def slot_of(setup, table, key):
    """Where the bucket of a position begins."""
    return (key & (table.size - 1) & -2) * (2 if setup.own_units else 4)


@kernel
def probe(setup, table, key):
    """The data about a position, or MISSING."""
    if table.in_use == 0:
        return MISSING
    entries, at = table.entries, slot_of(setup, table, key)
    if setup.own_units:
        for i in range(2):
            data = entries[at + 2 * i + 1]
            if entries[at + 2 * i] ^ data == key and data != 0:
                return data
        return MISSING
    for i in range(2):
        data, score = entries[at + 4 * i + 1], entries[at + 4 * i + 2]
        if entries[at + 4 * i] ^ data ^ score == key and data != 0:
            table.score = score
            return data
    return MISSING


@kernel
def store(setup, table, key, score, ply, data):
    """Keep what was found, a score and the data of `packed`. Scores of wins count from the position, not the root."""
    if table.in_use == 0:
        return 0
    entries, at = table.entries, slot_of(setup, table, key)
    chosen, worst = at, 1 << 40
    for i in range(2):
        here = at + (2 * i if setup.own_units else 4 * i)
        old = entries[here + 1]
        if old == 0:
            chosen = here
            break
        if entries[here] ^ old ^ (0 if setup.own_units else entries[here + 2]) == key:
            # The same position: its move is kept, and no shallow result replaces a deep one of the same search.
            if place_of(data) == NO_PLACE:
                data &= old | ~PLACES_IN_DATA
            if kind_of(data) != EXACT and depth_of(data) + 3 < depth_of(old) and age_of(old) == table.age:
                return 0
            chosen = here
            break
        worth = min(depth_of(old), 40) - 8 * ((table.age - age_of(old)) & 255)
        if worth < worst:
            chosen, worst = here, worth
    data |= table.age << AGE_SHIFT
    score = from_here(setup, score, ply)
    if setup.own_units:
        data |= score << SCORE_SHIFT
        entries[chosen] = key ^ data
    else:
        entries[chosen] = key ^ data ^ score
        entries[chosen + 2] = score
    entries[chosen + 1] = data
    return 0


@kernel
def packed(place, on_path, depth, kind):
    """The data of an entry, but for its age and a score that has no word of its own."""
    return place << PLACE_SHIFT | (1 if on_path else 0) << PATH_SHIFT | depth << DEPTH_SHIFT | kind


@kernel
def from_here(setup, score, ply):
    """A score as the table keeps it: a win so many moves away from the position, and not from the root."""
    further = ply - SPARED if setup.own_units else ply
    if score > SURE:
        return score + further
    return score - further if score < -SURE else score


@kernel
def score_of(setup, table, data, ply):
    """The score that came with the data found last, counted from the root again."""
    if setup.own_units:
        score = data >> SCORE_SHIFT
        if score > SHOWN_SURE:
            return score + SPARED - ply
        return score - SPARED + ply if score < -SHOWN_SURE else score
    score = table.score
    if score > SURE:
        return score - ply
    return score + ply if score < -SURE else score


@kernel
def place_of(data):
    """The place of the best action, or NO_PLACE."""
    return data >> PLACE_SHIFT & NO_PLACE


@kernel
def was_on_path(data):
    """Whether the position lay on a principal variation."""
    return data >> PATH_SHIFT & 1 != 0


@kernel
def depth_of(data):
    """The depth to which the position was searched."""
    return data >> DEPTH_SHIFT & FOR_EVER


@kernel
def age_of(data):
    """The number of the search that wrote the entry."""
    return data >> AGE_SHIFT & 255


@kernel
def kind_of(data):
    """The kind of the score."""
    return data & 3


@kernel
def serves(known_depth, depth, techniques):
    """Whether a search to `known_depth` may stand for a search to `depth`."""
    if known_depth == FOR_EVER:
        return True
    if techniques & PROVING:
        return False
    return known_depth == depth or (techniques & SELECTIVE != 0 and known_depth > depth)


@kernel
def settles(kind, score, alpha, beta):
    """Whether a stored score answers the question of this window."""
    return kind == EXACT or (kind == LOWER and score >= beta) or (kind == UPPER and score <= alpha)
