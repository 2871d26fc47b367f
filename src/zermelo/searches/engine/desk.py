"""What one thread of the engine works with: its desk, a block of memory that it alone writes.

A desk holds the limits of the search, a frame for every ply of the path, the keys of the positions before and on the
path, what the search has learned about moves and estimates, and the game's own notes. Nothing is allocated while a
search runs.
"""

from zermelo.compile import Array, Block, Memory, array, kernel, now
from zermelo.contract import Game
from zermelo.running.repetition import NEVER as NOT_BEFORE
from zermelo.running.repetition import last_time
from zermelo.running.statuses import FINE, OUT_OF_NODES, OUT_OF_TIME
from zermelo.searches.engine.reports import Report
from zermelo.searches.engine.scores import MAX_PLY, side_of
from zermelo.searches.engine.transpositions import Table

NEVER = 1 << 62
"""A time, or a number of nodes, that no search comes to."""

LONGEST_NOISE, MOST_NOISE = 32, 1024
"""At the depth limit so many noisy moves in a row are followed at most, and so many nodes looked at: there are games
whose noise never ends."""
WORDS_OF_ROOM = 4 * MAX_PLY + 24
"""Words for actions that a search may need, for each that a position may have: at every ply actions and ranks, and once
more where it is asked whether one of them is the only good one; at the root, and near it, some more."""
LONGEST_HISTORY = 4096
STRUCTURES = 1 << 13
"""How many structures of positions have corrections of their own, for each player and each part of a structure."""
LARGEST_PAIRS = 1024
"""Up to so many kinds of moves, pairs of moves have statistics of their own."""
LINE = 8
"""Words of a cache line."""

INDEPENDENT = 1 << 40
"""The value of `depends` where a value depends on no earlier position."""
NOBODY, PASSED = -1, -2
"""Values of `played` where no move of the game was played."""
ANY = -1
"""The value of `excluded` where no move is left out."""

BEFORE, HERE, BELOW, NEXT = range(4)
"""`desk.frames[ply + HERE]` is the frame of a ply; beside it lie those of the ply before, and of the two below. The ply
before the root has a frame as well, in which no move was played."""


class Frame(Block):
    """What is known about the position at one ply of the path."""

    # Said by the ply before.
    key: int  # the key by which the table knows the position
    checked: int  # 1 where the player to move must answer a threat at once
    cut: int  # 1 where a cut-off is expected here
    excluded: int  # the place of a move that is left out, to see whether it is the only good one; ANY for none
    top: int  # where the actions of this position begin on the stack

    # Found out before any move is searched.
    on_path: int  # 1 where the window is open: the position lies on a principal variation
    near_path: int  # 1 where it lies on one, or once did
    known: int  # what the table says of the position
    known_score: int  # the score that came with it
    static: int  # the estimate; UNKNOWN in check
    worth: int  # the estimate, or what the table says where it contradicts that
    improving: int  # 1 where the estimate is better than two plies before
    end: int  # the index behind the last action, where the ranks of the actions begin
    free: int  # where words are free for the plies below
    hint: int  # the place of the table's move, or NO_PLACE
    more: int  # by how many plies that is searched deeper

    # About the move that is played here.
    played: int  # its kind, NOBODY or PASSED
    quiet: int  # 1 where it is quiet
    same: int  # 1 where the player who made it moves again
    reduced: int  # by how many plies it is searched less deep

    # About the moves so far.
    best: int  # the best value
    chosen: int  # the place of the move with it, if that lies within the window; else NO_PLACE
    searched: int  # how many were searched
    quiets: int  # how many of those were quiet
    killer: int  # a quiet move that refuted a sibling of this position
    second_killer: int  # the one before that
    cuts: int  # how often positions at this ply cut off, since the one two plies before began

    # About the value found here.
    depends: int  # the earliest position of the path on which it depends, or INDEPENDENT
    solid: int  # 1 where it rests on ends of the game alone, so that no deeper search can change it
    length: int  # the length of the principal variation from here


class Line(Block):
    """A principal variation."""

    actions: Array[int] = array(MAX_PLY)  # as many as the frame of its ply says


class Root(Block):
    """The first moves, each known by its place; `order` holds the places in the order in which they are tried."""

    count: int  # how many there are
    order: Array[int] = array(lambda game: game.max_actions)
    actions: Array[int] = array(lambda game: game.max_actions)
    places: Array[int] = array(lambda game: game.max_actions)  # places among all actions: some may not be wanted
    scores: Array[int] = array(lambda game: game.max_actions)
    kinds: Array[int] = array(lambda game: game.max_actions)  # what the scores are, or UNSEEN
    efforts: Array[int] = array(lambda game: game.max_actions)  # nodes spent on them at this depth


def page_words(game: Game) -> int:
    """How long a page of the game's notes is: whole cache lines, so that rows in it are not read in two parts."""
    return -(-game.notes_words // LINE) * LINE


def pair_words(game: Game) -> int:
    """Words for the statistics of pairs of moves."""
    return 2 * game.history_size**2 if game.history_size <= LARGEST_PAIRS else 0


def error_words(game: Game) -> int:
    """Words for the errors of estimates."""
    return 2 * game.structures * STRUCTURES if game.structure is not None else 0


class Desk(Block):
    """All that a thread reads and writes while it searches, but for the entries of the table."""

    # What it is asked to do.
    techniques: int  # the bits of those that are on
    started: int  # when the search began
    deadline: int  # when it has to end
    soft_deadline: int  # the time after which no new depth is begun
    node_limit: int  # how many nodes are allowed
    depth_limit: int  # the greatest depth
    lines: int  # how many best lines are wanted
    helper: int  # the number of this thread, 0 for the first
    wanted: int  # how many actions, at the bottom of the stack, are the only first moves to look at; 0 for all
    past: int  # how many positions came before the first one
    trials: int  # nanoseconds for random games, which order the first moves
    watch: int  # the clock is read at nodes whose number has none of these bits
    room: int  # words of the stack for actions
    draw: int  # the score of a draw by repetition
    low: float  # the least utility
    high: float  # the greatest
    wins: int  # 1 where these two are known, and are a loss and a win

    # How it goes.
    status: int  # what went wrong, or who stopped the search
    nodes: int  # nodes seen
    deepest: int  # the deepest ply seen in this depth
    root_depth: int  # the depth in work
    cut_off: int  # 1 where that depth cut a line off
    noise: int  # the ply from which on noisy moves alone are played
    noise_ends: int  # the number of the node from which on not even those are
    rounded: int  # 1 where an end paid what no float can hold

    stack: Memory  # actions and ranks of all plies
    table: Table  # the transposition table
    found: Report  # what was found after every depth
    root: Root  # the first moves
    frames: Array[Frame] = array(MAX_PLY + 9)
    variations: Array[Line] = array(MAX_PLY)  # the principal variation from every ply
    keys: Array[int] = array(LONGEST_HISTORY + MAX_PLY + 8)  # of positions before the search, then of those on the path

    # What it has learned.
    quiet_history: Array[int] = array(lambda game: 2 * game.history_size)  # how good quiet moves were, by player
    noisy_history: Array[int] = array(lambda game: 2 * game.history_size)  # how good noisy moves were, by player
    refutations: Array[int] = array(lambda game: 2 * game.history_size)  # the best answer, by player who gives it
    pairs: Array[int] = array(pair_words)  # how good answers were, then how good ways to go on
    errors: Array[int] = array(error_words)  # how far estimates were off, by structure
    notes: Array[int] = array(lambda game: (MAX_PLY + 2) * page_words(game), aligned=True)  # the game's, page by ply


@kernel
def trouble(desk, status):
    """Let the search end with this status, unless it ends already."""
    if desk.status == FINE:
        desk.status = status
    return 0


@kernel
def enter(desk, ply):
    """Count a node and open its frame; whether the search goes on."""
    desk.nodes += 1
    if desk.nodes >= desk.node_limit:
        trouble(desk, OUT_OF_NODES)
    elif desk.nodes & desk.watch == 0 and now() >= desk.deadline:
        trouble(desk, OUT_OF_TIME)
    here = desk.frames[ply + HERE]
    here.length = 0
    here.depends = INDEPENDENT
    here.solid = 0
    if ply > desk.deepest:
        desk.deepest = ply
    return desk.status == FINE


@kernel
def begin_noise(desk, ply):
    """From here on noisy moves alone are played."""
    desk.noise = ply
    desk.noise_ends = desk.nodes + MOST_NOISE
    return 0


@kernel
def is_calmed(desk, ply):
    """Whether even noisy moves are followed no further."""
    return ply >= min(MAX_PLY - 1, desk.noise + LONGEST_NOISE) or desk.nodes > desk.noise_ends


@kernel
def follow(desk, ply, action):
    """The principal variation from `ply` is this action and the variation behind it."""
    length = desk.frames[ply + BELOW].length
    here, below = desk.variations[ply].actions, desk.variations[ply + 1].actions
    here[0] = action
    for i in range(length):
        here[1 + i] = below[i]
    desk.frames[ply + HERE].length = length + 1
    return 0


@kernel
def repeats(game, s, ply, desk):
    """Whether this position counts as a draw because it was there before; notes which position that was.

    What came up once on the path that is being searched can come up again: the second time is as good as the last.
    Positions before the search count as often as the rules say.
    """
    place = desk.past + ply
    desk.keys[place] = game.key(s)
    first = 0
    if game.reversible is not None:
        first = max(0, place - game.reversible(s))
    earlier = last_time(game, desk.keys, first, place, desk.past + 1)
    if earlier == NOT_BEFORE:
        return False
    desk.frames[ply + HERE].depends = earlier
    return True


@kernel
def draw(game, s, ply, desk):
    """The score of a draw by repetition, for the player to move."""
    desk.frames[ply + HERE].solid = 1
    return desk.draw * side_of(game, s)
