"""The search of the Connect Four solver: kernels.

A position is known by the stones of the side to move (`own`), by all stones (`taken`), by the number of cells that are
`left`, and by the free cells that complete a line of either side (`mine`, `theirs`). The search is asked one question
at a time: is the score at least `beta`?
"""

from zermelo.bits import popcount
from zermelo.compile import Array, Block, Memory, array, kernel
from zermelo.games.connect_four.claims import claims, completing

PAUSED, FULL = 1, 2
"""Why a search turns back: the limit is reached; the large table is to grow."""
UNLIMITED = 1 << 60
UNKNOWN = 1 << 20
"""No score."""

NEAR = 18
"""Positions with at most so many free cells are kept in the small table. The large one lies behind it."""
LOOK_AHEAD = 8
"""With more free cells than this, all replies are looked up before one is searched."""
FACTOR = 0x1E37_79B9_7F4A_7C15
"""Multiplies keys modulo a power of two. It is odd, so that different keys stay different."""
ZERO, BOUND, MARK = 32, 63, 12
"""An entry is a mark above two bounds of six bits, in which 32 stands for 0."""


class ScoreSearch(Block):
    """A position, what is known of its score, and the memory of the search for it."""

    nodes: int  # positions searched
    status: int  # why to turn back
    limit: int  # how many positions may be searched before the search turns back
    own: int  # the stones of the side to move
    taken: int  # all stones
    low: int  # the score is at least this
    high: int  # and at most this
    stored: int  # entries that were new to the large table
    most: int  # how many may be before it grows
    bits: int  # the binary logarithm of its entries
    table: Memory  # the small table, then the large one
    moves: Array[int] = array(lambda game: 3 * game.cols * (game.cells + 1))  # three words a move, as in `fill_moves`


# --- the table: two words for each place, the newer entry first -------------------------------------------------------


@kernel
def mixed_key(game, own, taken, left):
    """A number that only this position has; where the large table keeps it, also the mirrored one."""
    key = own + taken + game.floor
    if left > NEAR:
        column, twin, rest = (2 << game.rows) - 1, 0, key
        for _ in range(game.cols):
            twin = twin << game.rows + 1 | rest & column
            rest >>= game.rows + 1
        key = min(key, twin)
    return key * FACTOR & (1 << game.bits) - 1


@kernel
def place_of(game, mixed, size, start):
    """The place of a mixed key in a table of 2**size words, and the mark that tells it from others there."""
    index = mixed >> game.bits - size
    return start + (index & -2), (mixed & (1 << game.bits - size) - 1) << 1 | index & 1


@kernel
def place_in(game, own, taken, left, work):
    """The place of a position in its table, and its mark."""
    mixed = mixed_key(game, own, taken, left)
    if left > NEAR:
        return place_of(game, mixed, work.bits, 1 << game.small)
    return place_of(game, mixed, game.small, 0)


@kernel
def entry_at(table, place, mark):
    """The word with the entry of this mark, or -1."""
    if table[place] >> MARK == mark and table[place] != 0:
        return place
    if table[place + 1] >> MARK == mark and table[place + 1] != 0:
        return place + 1
    return -1


@kernel
def keep(table, place, mark, low, high):
    """Store what is known of a position; whether it is new there."""
    known = entry_at(table, place, mark)
    if known != place:
        table[place + 1] = table[place]
    table[place] = mark << MARK | low + ZERO << 6 | high + ZERO
    return known < 0


@kernel
def clear(table, words):
    """Take all entries out."""
    for i in range(words):
        table[i] = 0
    return 0


@kernel
def move_entries(game, table, size, work):
    """Fill a larger table with all entries of the one before, which had 2**size."""
    larger = work.table
    for i in range(1 << game.small):
        larger[i] = table[i]
    for i in range(1 << size):
        entry = table[(1 << game.small) + i]
        if entry != 0:
            mixed = (i & -2 | entry >> MARK & 1) << game.bits - size | entry >> MARK + 1
            place, mark = place_of(game, mixed, work.bits, 1 << game.small)
            keep(larger, place, mark, (entry >> 6 & BOUND) - ZERO, (entry & BOUND) - ZERO)
    return 0


# --- the search -------------------------------------------------------------------------------------------------------


@kernel
def search(game, own, taken, mine, theirs, beta, checked, work):
    """A score s: if s >= beta, the true score is at least s, otherwise it is at most s.

    The side to move has no win at once. `checked` says that the claims of the other side were looked at before.
    """
    work.nodes += 1
    table, moves, left = work.table, work.moves, game.cells - popcount(taken)
    rival = taken ^ own
    playable = taken + game.floor & game.full
    must = playable & theirs
    safe = (must if must else playable) & ~(theirs >> 1)
    if safe == 0 or must & must - 1:
        return -(left // 2)
    if left <= 2:
        return 0
    low, high = 1 - left // 2, (left - 1) // 2
    if low >= beta:
        return low
    if high < beta:
        return high
    if safe & safe - 1 == 0:
        made = completing(game, own | safe) & ~taken
        return -search(game, rival, taken | safe, theirs & ~safe, made, 1 - beta, False, work)
    empty = game.full & ~taken
    if claims(game, rival, mine, empty, playable, left, True, beta):
        return beta
    if not checked and claims(game, own, theirs, empty, playable, left, False, 1 - beta):
        return beta - 1
    place, mark = place_in(game, own, taken, left, work)
    known = entry_at(table, place, mark)
    if known >= 0:
        low, high = max(low, (table[known] >> 6 & BOUND) - ZERO), min(high, (table[known] & BOUND) - ZERO)
        if low >= beta:
            return low
        if high < beta:
            return high
    top = 3 * game.cols * left
    end = fill_moves(game, own, taken, safe, top, work)
    if end < 0:
        return (left - 1) // 2
    score = answered(game, rival, taken, beta, top, end, work)
    if score != UNKNOWN:
        return score
    best = -game.cells
    i = top
    while i < end and best < beta:
        cell, made = moves[i], moves[i + 1]
        score = -search(game, rival, taken | cell, theirs & ~cell, made, 1 - beta, True, work)
        if work.status != 0:
            return 0
        best = max(best, score)
        i += 3
    if best >= beta:
        low = max(low, best)
    else:
        high = min(high, best)
    if keep(table, place, mark, low, high) and left > NEAR:
        work.stored += 1
        if work.stored > work.most:
            work.status = FULL
    if work.nodes > work.limit:
        work.status = PAUSED
    return best


@kernel
def fill_moves(game, own, taken, safe, top, work):
    """Write the moves, those that make more threats first, then those nearer the middle; the index after the last.

    Each takes three words: the cell, the cells that complete a line after it, and their number. -1 says that one of
    them makes two threats which cannot both be met.
    """
    moves, end = work.moves, top
    for i in range(game.cols):
        column = game.cols // 2 + (i // 2 if i % 2 == 0 else -(i // 2) - 1)
        cell = safe & (1 << game.rows) - 1 << column * (game.rows + 1)
        if cell == 0:
            continue
        made = completing(game, own | cell) & ~taken
        urgent = made & (taken | cell) + game.floor
        if urgent & urgent - 1 or urgent << 1 & made:
            return -1
        threats = popcount(made)
        j = end
        while j > top and moves[j - 1] < threats:
            moves[j], moves[j + 1], moves[j + 2] = moves[j - 3], moves[j - 2], moves[j - 1]
            j -= 3
        moves[j], moves[j + 1], moves[j + 2] = cell, made, threats
        end += 3
    return end


@kernel
def answered(game, rival, taken, beta, top, end, work):
    """A score of at least `beta` that one of the moves is known to have, or UNKNOWN."""
    table, moves, left = work.table, work.moves, game.cells - popcount(taken)
    for i in range(top, end, 3):
        made, after = moves[i + 1], taken | moves[i]
        playable = after + game.floor & game.full
        empty = game.full & ~after
        if made & playable == 0 and claims(game, rival, made, empty, playable, left - 1, False, beta):
            return beta
    if left > LOOK_AHEAD:
        for i in range(top, end, 3):
            place, mark = place_in(game, rival, taken | moves[i], left - 1, work)
            known = entry_at(table, place, mark)
            if known >= 0 and ZERO - (table[known] & BOUND) >= beta:
                return ZERO - (table[known] & BOUND)
    return UNKNOWN


@kernel
def narrow(game, work):
    """Bring the bounds of the score together, beginning with who wins."""
    own, taken = work.own, work.taken
    mine, theirs = completing(game, own) & ~taken, completing(game, taken ^ own) & ~taken
    if mine & taken + game.floor:
        work.low = (game.cells - popcount(taken) + 1) // 2
        work.high = work.low
    while work.low < work.high:
        low, high = work.low, work.high
        if low < 1 <= high:
            beta = 1
        elif low < 0 <= high:
            beta = 0
        else:
            beta = low + 1 if low > 0 else high
        score = search(game, own, taken, mine, theirs, beta, False, work)
        if work.status != 0:
            return 0
        if score >= beta:
            work.low = score
        else:
            work.high = score
    return 0
