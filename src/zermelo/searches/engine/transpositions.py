"""The transposition table: what was found out about positions, shared by all threads without locks.

An entry is two words: the key, mixed with the data, and the data. A thread that reads an entry while another writes it
sees words that do not fit together, and takes it for another position. Data are the score, the place of the best
action in the order in which the game generates them, whether the position lay on a principal variation, the depth, the
age, and what the score is: a bound or exact. Scores in a game's own units are small; all others (there is a `leaf`
then) need a third word, which the key is mixed with too, and a fourth lies idle, so that a bucket fills a cache line.
Two neighbours form a bucket; of the two the one goes that is older or was searched less deep.
"""

from typing import Any

from zermelo.compile import kernel
from zermelo.searches.engine.desk import AGE, FOUND, SHOWN_SURE, SHOWN_WIN, SURE, SWITCHES, TABLE, WIN
from zermelo.searches.engine.techniques import PROVING, SELECTIVE, USE_TABLE

NOTHING, UPPER, LOWER, EXACT = range(4)
"""What a score in the table is; NOTHING keeps a move alone."""
NO_PLACE = (1 << 20) - 1
SCORE_SHIFT, PLACE_SHIFT, PATH_SHIFT, DEPTH_SHIFT, AGE_SHIFT = 42, 22, 21, 10, 2
MISSING = -1
FOR_EVER = 2047
"""The depth of what rests on ends of the game alone."""
SPARED = WIN - SHOWN_WIN
"""So much less the score of a win counts in a table whose scores are small."""


@kernel
def slot_of(leaf, key, desk):
    """Where the bucket of a position begins."""
    return (key & (desk[TABLE] - 1) & -2) * (2 if leaf is None else 4)


def entry_words(leaf: Any) -> int:
    """How many words an entry takes."""
    return 2 if leaf is None else 4


@kernel
def probe(leaf, table, desk, key):
    """The data about a position, or MISSING."""
    if desk[SWITCHES] & USE_TABLE == 0:
        return MISSING
    at = slot_of(leaf, key, desk)
    if leaf is None:
        for i in range(2):
            data = table[at + 2 * i + 1]
            if table[at + 2 * i] ^ data == key and data != 0:
                return data
        return MISSING
    for i in range(2):
        data, score = table[at + 4 * i + 1], table[at + 4 * i + 2]
        if table[at + 4 * i] ^ data ^ score == key and data != 0:
            desk[FOUND] = score
            return data
    return MISSING


@kernel
def store(leaf, table, desk, key, score, place, on_path, depth, kind, ply):
    """Keep what was found. Scores of wins count from the position, not from the root."""
    if desk[SWITCHES] & USE_TABLE == 0:
        return 0
    if score > SURE:
        score += ply - SPARED if leaf is None else ply
    elif score < -SURE:
        score -= ply - SPARED if leaf is None else ply
    at = slot_of(leaf, key, desk)
    chosen, worst = at, 1 << 40
    for i in range(2):
        here = at + (2 * i if leaf is None else 4 * i)
        data = table[here + 1]
        if data == 0:
            chosen = here
            break
        if table[here] ^ data ^ (0 if leaf is None else table[here + 2]) == key:
            # The same position: a move is not forgotten, and deep knowledge not given for shallow of the same search.
            if place == NO_PLACE:
                place = place_of(data)
            if kind != EXACT and depth + 3 < depth_of(data) and age_of(data) == desk[AGE]:
                return 0
            chosen = here
            break
        worth = min(depth_of(data), 40) - 8 * ((desk[AGE] - age_of(data)) & 255)
        if worth < worst:
            chosen, worst = here, worth
    data = place << PLACE_SHIFT | (1 if on_path else 0) << PATH_SHIFT
    data |= depth << DEPTH_SHIFT | desk[AGE] << AGE_SHIFT | kind
    if leaf is None:
        data |= score << SCORE_SHIFT
        table[chosen] = key ^ data
    else:
        table[chosen] = key ^ data ^ score
        table[chosen + 2] = score
    table[chosen + 1] = data
    return 0


@kernel
def score_of(leaf, data, ply, desk):
    """The score that came with these data, counted from the root again."""
    if leaf is None:
        score = data >> SCORE_SHIFT
        if score > SHOWN_SURE:
            return score + SPARED - ply
        if score < -SHOWN_SURE:
            return score - SPARED + ply
        return score
    score = desk[FOUND]
    if score > SURE:
        return score - ply
    if score < -SURE:
        return score + ply
    return score


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
    """How deep was searched."""
    return data >> DEPTH_SHIFT & FOR_EVER


@kernel
def age_of(data):
    """In which search."""
    return data >> AGE_SHIFT & 255


@kernel
def kind_of(data):
    """What the score is."""
    return data & 3


@kernel
def serves(known_depth, depth, switches):
    """Whether what was searched so deep may stand for a search of this depth."""
    if known_depth == FOR_EVER:
        return True
    if switches & PROVING:
        return False
    return known_depth == depth or (switches & SELECTIVE != 0 and known_depth > depth)


@kernel
def settles(kind, score, alpha, beta):
    """Whether a stored score answers the question of this window."""
    return kind == EXACT or (kind == LOWER and score >= beta) or (kind == UPPER and score <= alpha)
