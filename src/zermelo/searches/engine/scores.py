"""Scores: integers in which the engine computes, from utilities and estimates and back.

There are two kinds. Where a game estimates in units of its own (`score`) these are the scores, and utilities between
the least and the greatest are laid among them. Everywhere else the score of a number is its place among all floats, so
that payoffs of any scale, and estimates of any other, are told apart as well as floats tell them apart.
"""

from zermelo.compile import as_number, as_whole, is_finer, is_finite, kernel, load_float
from zermelo.compile.memory import float_to_word, word_to_float
from zermelo.running.faults import is_player
from zermelo.running.statuses import NO_ESTIMATE, NO_NUMBER, NO_PLAYER, OUT_OF_BOUNDS
from zermelo.searches.engine.desk import (
    DEPENDS,
    DRAW,
    HIGH,
    KEYS,
    LARGEST,
    LOW,
    PATH,
    ROUNDED,
    SOLID,
    STRUCTURES,
    SWITCHES,
    WIN,
    WINS,
    errors_at,
    frame,
    notes_at,
    trouble,
)
from zermelo.searches.engine.techniques import CORRECTIONS
from zermelo.searches.engine.tuning import TRUST_IN_ERRORS

RANGE = 800_000.0
"""Half of the range between the least and the greatest utility, as a score in a game's own units."""
FINE_UNITS = 256
"""Errors are kept in fractions of a score."""


@kernel
def side_of(game, s):
    """1 where player 0 moves, -1 where the other does: scores are the mover's."""
    return 1 if game.to_move(s) == 0 else -1


@kernel
def ordinal(x):
    """The place of a float among all floats, counted from 0: greater for greater ones, and less than any win."""
    word = float_to_word(abs(x))
    return word if x >= 0.0 else -word


def float_at(place: int) -> float:
    """The float at a place."""
    return word_to_float(place) if place >= 0 else -word_to_float(-place)


@kernel
def laid(x, low, high):
    """A utility between the least and the greatest among scores in the game's own units."""
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    share = (x - middle) / half
    return int(share * RANGE + (0.5 if share >= 0.0 else -0.5))


@kernel
def utility_of(score, low, high):
    """The utility that such a score stands for."""
    return (low + high) / 2.0 + score / RANGE * ((high - low) / 2.0)


@kernel
def keeps_turn(game, after, mover):
    """Whether the player who moved counts as the one to move again; at an end anybody may stand there."""
    return (game.to_move(after) == 0) == (mover == 0)


@kernel
def score_of_utility(leaf, x, low, high, wins):
    """Player 0's utility as a score; with `wins` the least is a loss and the greatest a win."""
    if wins and x >= high:
        return WIN
    if wins and x <= low:
        return -WIN
    return laid(x, low, high) if leaf is None else ordinal(x)


@kernel
def ended(game, leaf, s, ply, desk):
    """The score of an end, for the player to move: the sooner a win, the better."""
    given = as_number(game.utility(s, 0))
    if not is_finite(given):
        return trouble(desk, NO_NUMBER)
    if is_finer(given):
        desk[ROUNDED] = 1
    x, low, high = 0.0 + given, load_float(desk, LOW), load_float(desk, HIGH)
    desk[frame(ply) + SOLID] = 1
    if desk[WINS] != 0 and not low <= x <= high:
        return trouble(desk, OUT_OF_BOUNDS)
    score = score_of_utility(leaf, x, low, high, desk[WINS] != 0)
    if score == WIN:
        score -= ply
    elif score == -WIN:
        score += ply
    elif leaf is None and utility_of(score, low, high) != x:
        # Another end that is worth a little more has the same score.
        desk[frame(ply) + SOLID] = 0
    return score * side_of(game, s)


@kernel
def guessed(of, game, s, desk):
    """An estimate as a score, for player 0."""
    given = as_number(of(game, s))
    return ordinal(0.0 + given) if is_finite(given) else trouble(desk, NO_ESTIMATE)


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
    """The estimate for the player to move: that of `leaf`, or where there is none the game's own."""
    if leaf is not None:
        if not game.ends_without_actions and not is_player(game, as_whole(game.to_move(s))):
            return trouble(desk, NO_PLAYER)
        return leaf(game, s, desk) * side_of(game, s)
    return min(max(own_score(game, s, ply, desk) + correction(game, s, desk), -LARGEST), LARGEST) * side_of(game, s)


@kernel
def own_score(game, s, ply, desk):
    """The game's own estimate, in its own units; with notes of what was found a ply before where it keeps some."""
    if game.noted_score is not None:
        return game.noted_score(s, desk, notes_at(game, ply), notes_at(game, ply - 1))
    return game.score(s)


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
