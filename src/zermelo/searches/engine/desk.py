"""What one thread of the engine works with: a block of words that it alone writes, the desk.

First come single words, then a frame for every ply of the path, the principal variations, the keys of the positions
before and on the path, the statistics by which moves are ordered, the errors of estimates, and the game's own notes.
"""

from zermelo.compile import kernel, now
from zermelo.compile.program import STOP
from zermelo.contract import Game
from zermelo.running.statuses import FINE, OUT_OF_NODES, OUT_OF_TIME

# --- single words ----------------------------------------------------------------------------------------------------

(
    NODES, STATUS, NODE_LIMIT, DEADLINE, STARTED, SWITCHES, PATH, DEEPEST, DEPTH_LIMIT, LINES, DRAW, HELPER, AGE, TABLE,
    ROOM, SOFT, LOW, HIGH, WINS, ROOT_DEPTH, WATCH, NOISE, NOISE_ENDS, FOUND, ROUNDED, CUT_OFF, TRIALS,
) = range(27)  # fmt: skip
"""Nodes seen; what went wrong or who stopped; nodes allowed; when to stop (a time); when it began; the techniques that
are on; how many positions came before; deepest ply seen; greatest depth; how many best lines are wanted; the score of a
draw by repetition; number of this thread, 0 for the first; age of this search; entries of the table; words for actions;
the time after which no new depth is begun; the least and the greatest utility, as floats; whether they are known, and
are losses and wins; the depth in work; the clock is read at nodes whose number has none of these bits; the ply from
which on noisy moves alone are played, and the number of the node from which on not even those; the score that stood in
the table with the data found last, where it has a word of its own; whether an end paid what no float can hold; whether
the depth in work cut a line off that was searched to it; nanoseconds for random games, which order the first moves."""
assert STATUS == STOP
WORDS = 32


NEVER = 1 << 62

# --- scores ----------------------------------------------------------------------------------------------------------

WIN = 0x7FF8 << 48
"""The score of a win here and now; one that is n moves away scores n less: wins are hastened, losses delayed."""
SURE = WIN - 10_000
"""Scores beyond this are wins that can be forced. Every float has a score that is smaller (`values.ordinal`)."""
LARGEST = 900_000
"""Estimates in a game's own units lie within this."""
SHOWN_WIN = 1_000_000
SHOWN_SURE = SHOWN_WIN - 10_000
"""What people are shown instead of WIN and SURE, and what the table keeps where scores are in a game's own units."""
INFINITE = WIN + 1

# --- frames: one for every ply ---------------------------------------------------------------------------------------

MAX_PLY = 246
LONGEST_NOISE, MOST_NOISE = 32, 1024
"""At the depth limit so many noisy moves in a row are followed at most, and so many nodes looked at: there are games
whose noise never ends."""
WORDS_OF_ROOM = 4 * MAX_PLY + 24
"""Words for actions that a search may need, for each that a position may have: at every ply actions and ranks, and once
more where it is asked whether one of them is the only good one; at the root, and near it, some more."""
FRAME = 16
KILLER, SECOND_KILLER, PLAYED, STATIC, DEPENDS, SOLID, LENGTH, CUTS, QUIET, REDUCED = range(10)
"""Quiet moves that refuted a sibling; the kind of the move played here, or -1; the estimate here; the earliest position
of the path on which the value just found depends; whether that value rests on ends of the game alone, and no deeper
search can change it; the length of the principal variation from here; how often nodes here cut off, since the one two
plies above began; whether the move played here is quiet; by how many plies it is being searched less deep."""
FRAMES = WORDS + FRAME
VARIATIONS = FRAMES + FRAME * (MAX_PLY + 8)
KEYS = VARIATIONS + MAX_PLY * MAX_PLY
LONGEST_HISTORY = 4096
STATISTICS = KEYS + LONGEST_HISTORY + MAX_PLY + 8
STRUCTURES = 1 << 13
"""How many structures of positions have corrections of their own, for each player and each part of a structure."""
INDEPENDENT = 1 << 40
"""The value of DEPENDS where a value depends on no earlier position."""
UNKNOWN = -INFINITE
"""The value of STATIC for a position in check: no estimate."""
NOBODY, PASSED = -1, -2
"""Values of PLAYED where no move of the game was played."""

LINE = 8
"""Words of a cache line."""
LARGEST_PAIRS = 1024
"""Up to so many kinds of moves, pairs of moves have statistics of their own: a move and its answer, a move and the next
one of the same player."""


def desk_words(game: Game) -> int:
    """How many words a desk takes."""
    return notes_at(game, MAX_PLY + 1)


@kernel
def errors_at(game):
    """Where the errors of estimates begin, behind the statistics."""
    size = game.history_size
    return STATISTICS + 6 * size + (2 * size * size if size <= LARGEST_PAIRS else 0)


@kernel
def notes_at(game, ply):
    """Where the notes of a ply begin, behind the errors; those of the ply before stand before them. All begin with a
    cache line, so that rows in them are not read in two parts."""
    errors = 2 * game.structures * STRUCTURES if game.structure is not None else 0
    line = -(-game.notes_words // LINE) * LINE
    return -(-(errors_at(game) + errors) // LINE) * LINE + (ply + 1) * line


@kernel
def frame(ply):
    """Where the words of a ply begin."""
    return FRAMES + FRAME * ply


@kernel
def trouble(desk, status):
    """Let the search end with this status, unless it ends already."""
    if desk[STATUS] == FINE:
        desk[STATUS] = status
    return 0


@kernel
def enter(desk, ply):
    """Count a node and open its frame; whether the search goes on."""
    desk[NODES] += 1
    if desk[NODES] >= desk[NODE_LIMIT]:
        desk[STATUS] = OUT_OF_NODES if desk[STATUS] == FINE else desk[STATUS]
    elif desk[NODES] & desk[WATCH] == 0 and now() >= desk[DEADLINE]:
        desk[STATUS] = OUT_OF_TIME if desk[STATUS] == FINE else desk[STATUS]
    at = frame(ply)
    desk[at + LENGTH] = 0
    desk[at + DEPENDS] = INDEPENDENT
    desk[at + SOLID] = 0
    if ply > desk[DEEPEST]:
        desk[DEEPEST] = ply
    return desk[STATUS] == FINE


@kernel
def begin_noise(desk, ply):
    """From here on noisy moves alone are played."""
    desk[NOISE] = ply
    desk[NOISE_ENDS] = desk[NODES] + MOST_NOISE
    return 0


@kernel
def is_calmed(desk, ply):
    """Whether even noisy moves are followed no further."""
    return ply >= min(MAX_PLY - 1, desk[NOISE] + LONGEST_NOISE) or desk[NODES] > desk[NOISE_ENDS]


@kernel
def follow(desk, ply, action):
    """The principal variation from `ply` is this action and the variation behind it."""
    length = desk[frame(ply + 1) + LENGTH]
    here, there = VARIATIONS + ply * MAX_PLY, VARIATIONS + (ply + 1) * MAX_PLY
    desk[here] = action
    for i in range(length):
        desk[here + 1 + i] = desk[there + i]
    desk[frame(ply) + LENGTH] = length + 1
    return 0
