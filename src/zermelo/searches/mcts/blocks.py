"""The memory of a search: the numbers that it goes by, trees and their nodes, and what one thread works with.

Values are kept as integers, so that sums do not depend on the order in which threads add to them: a utility is moved
and scaled so that the least is -1 and the greatest 1, and counted in units of 1 / ONE.
"""

from typing import Any, NamedTuple

from zermelo.bits import u64
from zermelo.compile import Array, Block, Memory, array, state_words
from zermelo.compile.block import LINE

ONE = 1 << 30
"""A value of 1 in the tree's sums."""
FAR = 64
"""A value beyond so many times the assumed range of utilities means that the range was assumed too small."""
NEVER = 1 << 62
"""A number of simulations, or a time, that is not reached."""
HEAD = 16
"""Words of a tree's memory that are reserved for what is known of the whole tree."""
LONGEST_PATH = 1024
"""Trees are no deeper; below, simulations go on as playouts."""
LONGEST_LINE = 64
"""Moves of the line that an answer shows."""


# --- nodes -----------------------------------------------------------------------------------------------------------
#
# A node is a row of words, as many as the options ask for. The children of a node lie side by side, in the order in
# which they are looked at; the word before the first of them says how many there are.

ROOT = 0
"""Where the first node stands."""
VISITS, SUM, ACTION, FIRST = range(4)
"""Simulations that came through; the sum of their values for player 0; the action that leads here; where the first
child stands, or one of UNOPENED, CLAIMED and ENDED. Two such nodes fit into one line of the processor's cache."""
PRIOR, PROVEN = 4, 5
"""Where a prior leads or a solver proves: how promising the action looked, as a float; whether the value is known for
certain."""
RAVE_INDEX, RAVE_VISITS, RAVE_SUM = range(3)
"""The words of RAVE: the number of the action among all actions of the game, and its visits and sum where it was played
later."""
UNOPENED, CLAIMED, ENDED = 0, -1, -2
"""Values of FIRST: no children yet; a thread is about to make them; the game is over here."""


class NodeLayout(NamedTuple):
    """How many words a node has, and where in it the words stand that only some searches keep."""

    width: int
    rave_at: int
    """The words of RAVE."""
    others_at: int
    """The sums of the players after the first."""
    exact_at: int
    """What each player gets for certain: in the tree's units, and then as floats, the utilities themselves."""


def node_layout(game: Any, setup: Any) -> NodeLayout:
    """The layout of the nodes of a search."""
    sums = game.players if setup.several else 1
    rave = PROVEN + 1 if setup.prior is not None or setup.solver else FIRST + 1
    others = rave + (3 if setup.rave else 0)
    exact = others + sums - 1
    return NodeLayout(exact + (2 * sums if setup.solver else 0), rave, others, exact)


# --- blocks ----------------------------------------------------------------------------------------------------------


class Numbers(Block):
    """The numbers that a search goes by. Nothing changes them while it runs."""

    width: int  # words of a node
    rave_at: int  # where in a node RAVE's words stand
    others_at: int  # where in a node the sums of the players after the first stand
    exact_at: int  # where in a node stands what each player gets for certain
    sums: int  # players whose values are summed up
    before: int  # positions that came before the root
    playouts: int  # playouts from each leaf
    longest: int  # moves after which a playout is given up
    cut: int  # moves after which a playout is cut off and estimated
    exploration: float  # the constant of UCB1 and PUCT
    urgency: float  # the value of what was not tried yet, as a share of the range
    bias: float  # the bias that RAVE may have
    widening: float  # the constant of progressive widening
    growth: float  # the power of progressive widening
    middle: float  # the middle of the range of utilities
    half: float  # half the width of that range
    lowest: float  # the least utility, where it is known
    highest: float  # the greatest utility, where it is known


class Counts(Block):
    """What all threads on a tree write all the time."""

    top: int  # words of nodes that are used
    started: int  # simulations begun
    behind: Array[int] = array(LINE)  # nothing: no line of the processor's cache holds these words and others


class SearchTree(Block):
    """A tree of simulations. Threads may share it."""

    nodes: Memory  # all nodes, see above
    capacity: int  # words of nodes that there is room for
    least: int  # the least value seen, or known
    greatest: int  # the greatest value seen, or known
    full: int  # 1 when there was no room for a node's children
    finer: int  # 1 where a certain utility was finer than floats are
    before: Array[int] = array(LINE)  # nothing: what is written all the time stands apart
    counts: Counts


class ThreadMemory(Block):
    """What one thread works with."""

    status: int  # what went wrong, or who stopped
    simulations: int  # simulations of this thread
    limit: int  # simulations that the tree may have
    deadline: int  # when to stop, in nanoseconds
    seed: int  # where the random numbers of its tree begin
    deepest: int  # the longest path in the tree
    keys: Memory  # the keys of positions: those before the root, then those of the path

    number: int  # where threads share a tree: the number of this thread's next simulation
    numbers_end: int  # the end of the numbers that are this thread's
    room: int  # where the words of the tree begin that are this thread's
    room_end: int  # where they end
    stays: int  # whether it stays at a node
    base: int  # how deep that node is
    due: int  # simulations to be made from there
    stay_sum: int  # the sum of the values of those that were made

    doing: int  # where a block of threads plays from one leaf: what is to be done
    key: u64  # the key of the simulation
    ply: int  # how deep the leaf is
    leaf: Array[int] = array(state_words)  # the state there

    path: Array[int] = array(LONGEST_PATH)  # the nodes of the path
    movers: Array[int] = array(LONGEST_PATH)  # who moves at them
    losses: Array[int] = array(LONGEST_PATH)  # what was taken from their values on the way down
    marks: Array[int] = array(lambda game: game.policy_size)  # who was the first to play an action, and 1
    rollout: Array[int] = array(lambda game: game.rollout_words)  # for the game's own playouts
    values: Array[int] = array(lambda game: game.players)  # what everybody gets from the simulation
    totals: Array[int] = array(lambda game: game.players)  # where the values of several playouts are added up
    actions: Array[int] = array(lambda game: 2 * game.max_actions)  # the actions of a state


class Summary(Block):
    """What answers need from a tree."""

    status: int  # with which status the search ended
    deepest: int  # the longest path
    capacity: int  # words of nodes that there was room for
    full: int  # as in the tree
    finer: int
    least: int
    greatest: int
    length: int  # moves of the line
    line: Array[int] = array(LONGEST_LINE)  # the move to play, and the most visited way on
    nodes: Array[int] = array(lambda game, setup: summary_words(game, setup))  # the root, and its children


def summary_words(game: Any, setup: Any) -> int:
    """The words of a root and its children."""
    return node_layout(game, setup).width * (1 + game.max_actions) + 1
