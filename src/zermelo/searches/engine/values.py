"""Scores: integers in which the engine computes, from utilities and estimates and back."""

from zermelo.compile import kernel, load_float, store_float
from zermelo.searches.engine.desk import (
    BEYOND,
    DEPENDS,
    DRAW,
    FINE,
    HALF,
    KEYS,
    LARGEST,
    MIDDLE,
    NO_ESTIMATE,
    NO_UTILITY,
    OUT_OF_BOUNDS,
    PATH,
    SOLID,
    STATUS,
    STRUCTURES,
    SWITCHES,
    WIN,
    WINS,
    errors_at,
    frame,
)
from zermelo.searches.engine.switches import CORRECTIONS
from zermelo.searches.engine.tuning import TRUST_IN_ERRORS

RANGE = 800_000.0
"""Half of the range between the least and the greatest utility, as a score."""
FINE_UNITS = 256
"""Errors are kept in fractions of a score."""


@kernel
def side_of(game, s):
    """1 where player 0 moves, -1 where the other does: scores are the mover's."""
    return 1 if game.to_move(s) == 0 else -1


@kernel
def score_of_utility(u, middle, half, wins):
    """Player 0's utility on the scale of scores; with `wins` the least is a loss and the greatest a win."""
    x = (u - middle) / half
    if wins and x >= 1.0:
        return WIN
    if wins and x <= -1.0:
        return -WIN
    return rounded(x)


@kernel
def rounded(x):
    """A utility in halves of the range, as a score."""
    return int(x * RANGE + (0.5 if x >= 0.0 else -0.5))


@kernel
def trouble(desk, status):
    """Let the search end with this status, unless it ends already."""
    if desk[STATUS] == FINE:
        desk[STATUS] = status
    return 0


@kernel
def ended(game, s, ply, desk):
    """The score of an end, for the player to move: the sooner a win, the better."""
    x = (0.0 + game.utility(s, 0) - load_float(desk, MIDDLE)) / load_float(desk, HALF)
    desk[frame(ply) + SOLID] = 1
    score = 0
    if abs(x) < 1.0 or (abs(x) <= 1.0 and desk[WINS] == 0):
        score = rounded(x)
    elif x - x != 0.0:
        trouble(desk, NO_UTILITY)
    elif desk[WINS] != 0:
        score = WIN - ply if x > 0.0 else ply - WIN
    else:
        too_wide(x, desk)
    return score * side_of(game, s)


@kernel
def too_wide(x, desk):
    """Nobody said how large utilities can be, and one is larger than thought, in halves of the range."""
    store_float(desk, BEYOND, abs(x))
    return trouble(desk, OUT_OF_BOUNDS)


@kernel
def out_of_range(x, desk):
    """The score of an estimate outside of the range, where that is known; else there is none."""
    if x - x != 0.0:
        return trouble(desk, NO_ESTIMATE)
    if desk[WINS] == 0:
        return too_wide(x, desk)
    return rounded(min(max(x, -2.0), 2.0))


@kernel
def is_in_check(game, s):
    """1 where the player to move must answer a threat at once, by what the game says, else 0."""
    return 1 if game.in_check is not None and game.in_check(s) else 0


@kernel
def error_at(game, s, part):
    """Where the error of estimates stands for positions that are alike in this part, with this player to move."""
    first = errors_at(game) + (2 * part + (0 if game.to_move(s) == 0 else 1)) * STRUCTURES
    return first + (game.structure(s, part) & (STRUCTURES - 1))


@kernel
def correction(game, s, desk):
    """What searches of positions with the same structure found to be missing in their estimates, for player 0."""
    total = 0
    if game.structure is not None:
        if desk[SWITCHES] & CORRECTIONS:
            for part in range(game.structures):
                total += desk[error_at(game, s, part)]
    return total * TRUST_IN_ERRORS // (1024 * FINE_UNITS)


@kernel
def learn_error(game, s, depth, error, desk):
    """Note by how much a search of this depth found more for player 0 than the estimate said."""
    weight, most = min(16, depth + 1), 3 * game.advantage
    error = min(max(error, -most), most) * FINE_UNITS
    most = game.advantage * 3 // 5 * FINE_UNITS
    for part in range(game.structures):
        at = error_at(game, s, part)
        desk[at] = min(max((desk[at] * (256 - weight) + error * weight) // 256, -most), most)
    return 0


@kernel
def estimate(game, leaf, s, ply, desk):
    """The estimate for the player to move."""
    score = leaf(game, s, ply, desk) + correction(game, s, desk)
    return min(max(score, -LARGEST), LARGEST) * side_of(game, s)


@kernel
def repeats(game, s, ply, desk):
    """Whether this position counts as a draw because it was there before; notes which position that was.

    What came up once on the path that is being searched can come up again: the second time is as good as the last.
    Positions before the search count as often as the rules say.
    """
    key = game.key(s)
    here = desk[PATH] + ply
    desk[KEYS + here] = key
    first = 0
    if game.reversible is not None:
        first = max(0, here - game.reversible(s))
    times = 1
    i = here - 1
    while i >= first:
        if desk[KEYS + i] == key:
            times += 1
            if i > desk[PATH] or times >= game.repetition_count:
                desk[frame(ply) + DEPENDS] = i
                return True
        i -= 1
    return False


@kernel
def draw(game, s, ply, desk):
    """The score of a draw by repetition, for the player to move."""
    desk[frame(ply) + SOLID] = 1
    return desk[DRAW] * side_of(game, s)
