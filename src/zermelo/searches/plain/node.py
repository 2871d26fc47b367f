"""What the plain searches share: what is compiled in, what a search keeps, how a node is opened.

The searches are kernels: ordinary functions that are compiled for a game, see `zermelo.compile.program`. Each begins a
node with `arrive`, which finds out whether it is a leaf, and writes its actions down where it is none.
"""

import sys
from dataclasses import dataclass, replace
from typing import Any

from zermelo.compile import (
    Array,
    Block,
    Memory,
    Setup,
    array,
    as_number,
    as_whole,
    inlined,
    is_finer,
    is_float,
    kernel,
    make_room,
    now,
)
from zermelo.running.faults import are_odds, is_player
from zermelo.running.recursion import MAX_PLY
from zermelo.running.repetition import is_drawn, without_repeats
from zermelo.running.statuses import (
    ESTIMATE_OUT_OF_BOUNDS,
    FINE,
    NO_ACTION,
    NO_ACTIONS,
    NO_NUMBER,
    NO_ODDS,
    NO_PLAYER,
    NO_ROOM,
    OUT_OF_BOUNDS,
    OUT_OF_NODES,
    OUT_OF_TIME,
    TOO_DEEP,
    TOO_MANY,
)
from zermelo.searches.limits import NEVER
from zermelo.searches.symmetry import without_twins

LARGEST = sys.float_info.max
ROUNDING = 1e-13
"""Averages of floats are at most so far off, in proportion to the largest."""
UNLIMITED = 1 << 40
"""The depth of a search to the end."""
SMALL_ROOM, LARGEST_ROOM = 1 << 13, 1 << 21
"""Words for the actions on the path: in plain Python to begin with, and at most."""
SPARE = 6
"""Behind the actions on the path there are so many times `max_actions` words more."""


@dataclass(frozen=True)
class WalkSetup(Setup):
    """What is known before a search begins, and compiled in."""

    search: Any = None  # the search without a window, f(game, setup, s, depth, walk); None where the method has one
    windowed: Any = None  # the search in a window, f(game, setup, s, alpha, beta, depth, walk); None: there is none
    evaluate: Any = None  # the estimate at the depth limit, f(game, s); of every player: f(game, s, player)
    order: Any = None  # how promising an action looks, f(game, s, action)
    hard: bool = False  # whether values outside of a node's window are brought to its edge (fail-hard)
    forward: bool = False  # forward pruning: whether only walk.keep actions of a node are looked at, in order of search
    symmetry: bool = False  # whether mirror images of earlier moves are left out
    checked: bool = False  # whether utilities and estimates have to lie in walk.least .. walk.most
    probing: bool = False  # whether chance nodes first look at one move behind each outcome (Star2)
    style: str | None = None  # with a value for every player: "maxn", "paranoid" or "expectimax"
    record: Any = None  # the recorder that is told about every node, in plain Python; or None

    @property
    def quiet(self) -> "WalkSetup":
        """This setup without a recorder."""
        return self if self.record is None else replace(self, record=None)

    def told(self, record: Any) -> "WalkSetup":
        """This setup with a recorder."""
        return replace(self, record=record)


class Walk(Block):
    """What a search keeps on its way through the tree."""

    nodes: int  # nodes seen so far
    pause: int  # at this node it looks at its limits
    stride: int  # so many nodes later it looks at the clock again
    most_nodes: int  # it ends before it sees more nodes
    deadline: int  # when it ends, on the clock of `now`
    status: int  # what went wrong, or that it was stopped
    cut: int  # whether the depth limit cut something off
    searched: int  # nodes before the line was followed
    search_cut: int  # whether the limit cut something off before the line was followed
    depth: int  # the depth at the root: a node's ply is walk.depth - depth
    past: int  # positions before the root, whose keys are known
    top: int  # where in `actions` the next node's actions go
    room: int  # how far up they may go
    mover: int  # who moves in the node that was opened last
    keep: int  # how many actions of a node are looked at, with forward pruning
    me: int  # the player whom paranoid search and expectimax are for
    value: float  # of the leaf that was seen last, for player 0
    known: float  # what a probe found out about the first move of the node that is opened next; NaN: nothing
    alpha: float  # the window at the root
    beta: float
    lower: float  # the bounds of the utilities, where a search relies on them
    upper: float
    middle: float  # the value of a draw
    least: float  # the bounds that utilities and estimates have to keep, where they are checked
    most: float
    wrong: float  # a value outside of these bounds
    finer: int  # whether some number was finer than floats are
    averaged: int  # whether floats were averaged
    close: int  # whether a choice between averages was close
    smallest: float  # the least size of utilities that were averaged, but for 0
    largest: float  # the greatest
    count: int  # first moves that have a value
    first_at: int  # where in `first` their values begin: the search and its line have room of their own
    keys: Memory  # keys of the positions before the root and on the path
    moves: Array[int] = array(lambda game: game.max_actions)  # the first moves, in the order of search
    first: Array[float] = array(lambda game: 2 * game.max_actions * game.players)  # their values
    best: Array[float] = array(lambda game: game.players)  # everybody's value at the root
    values: Array[float] = array(lambda game, setup: path_values(game, setup), plain=0)  # everybody's, for every ply
    line: Array[int] = array(MAX_PLY + 2, plain=0)  # the best play
    actions: Array[int] = array(
        lambda game: LARGEST_ROOM + SPARE * game.max_actions, plain=lambda game: SMALL_ROOM + SPARE * game.max_actions
    )  # of the nodes on the path, one behind the other


def path_values(game: Any, setup: WalkSetup) -> int:
    """Values of the nodes on the longest path, where nodes have several."""
    return 0 if setup.style is None else (MAX_PLY + 3) * game.players


# --- a node ----------------------------------------------------------------------------------------------------------


@inlined
def arrive(game, setup, s, depth, walk):
    """Open the node of `s`: the index behind its last action. At a leaf that is walk.top, and walk.value its value.

    Where something is wrong, the status says so, and there are no actions to look at.
    """
    first = walk.top
    walk.nodes += 1
    if walk.nodes >= walk.pause and is_spent(walk):
        return first
    if game.is_over(s):
        if game.is_watched or game.probability is not None or setup.checked or setup.style is not None:
            keep_utility(game, setup, s, depth, walk)
        else:
            walk.value = 0.0 + game.utility(s, 0)  # not checked: the rules are known to give numbers
        if setup.record is not None:
            setup.record.end(s, walk, depth)
        return first
    if game.repetition is not None and is_drawn(game, s, walk.keys, walk.past + walk.depth - depth):
        keep_draw(game, setup, depth, walk)
        if setup.record is not None:
            setup.record.end(s, walk, depth)
        return first
    mover = as_whole(game.to_move(s)) if game.is_watched else game.to_move(s)
    if setup.record is not None:
        setup.record.enter(s, mover)
    if depth == 0:
        walk.cut = 1
        keep_estimate(game, setup, s, depth, walk)
        if setup.record is not None:
            setup.record.estimated(walk, depth)
        return first
    end = expand(game, setup, s, depth, walk)
    if end == first:
        keep_utility(game, setup, s, depth, walk)
        if setup.record is not None:
            setup.record.ends_here(walk, depth)
        return first
    if game.is_watched and not is_player(game, mover):
        walk.status = NO_PLAYER
        return first
    walk.top, walk.mover = end, mover
    return end


@kernel
def is_spent(walk):
    """Whether a limit ends the search here: the status says which. If not, it says where to look again."""
    if walk.nodes > walk.most_nodes:
        walk.nodes = walk.most_nodes
        walk.status = OUT_OF_NODES
    elif walk.deadline < NEVER and now() >= walk.deadline:
        walk.status = OUT_OF_TIME
    else:
        walk.pause = min(walk.most_nodes + 1, walk.nodes + walk.stride)
    return walk.status != FINE


@kernel
def expand(game, setup, s, depth, walk):
    """Write the actions of `s` down, in the order of search, from walk.top on; the index behind the last of them."""
    top, actions, ply = walk.top, walk.actions, walk.depth - depth
    if ply > MAX_PLY:
        walk.status = TOO_DEEP
        return -1
    if top > walk.room:
        if top > LARGEST_ROOM:
            walk.status = NO_ROOM
            return -1
        walk.room = 4 * top  # only in plain Python: native memory has its full size already
        make_room(actions, walk.room + SPARE * game.max_actions)
    end = game.fill(s, actions, top)
    if end < 0:
        walk.status = TOO_MANY
        return -1
    if end == top and not game.ends_without_actions:
        walk.status = NO_ACTIONS
        return -1
    if game.is_watched and not settled(actions, top, end):
        walk.status = NO_ACTION
        return -1
    if game.repetition is not None:
        here = walk.past + ply
        walk.keys[here] = game.key(s)
        if game.forbids_repetition:
            end = without_repeats(game, s, actions, top, end, walk.keys, here + 1, setup.record)
    if setup.order is not None:
        sort_by(game, s, actions, top, end, setup.order)
    if setup.symmetry and game.repetition is None:
        # With repetition, the past positions count, and these are seldom symmetric: mirror images then differ.
        end = without_twins(game, s, actions, top, end, setup.record)
    if setup.forward and end - top > walk.keep:
        walk.cut = 1
        if setup.record is not None:
            setup.record.pruned_forward(actions, top + walk.keep, end)
        end = top + walk.keep
    return end


@kernel
def sort_by(game, s, actions, top, end, order):
    """Sort the actions by `order(game, s, action)`, best first; equals keep their order."""
    for i in range(top + 1, end):
        action = actions[i]
        score = order(game, s, action)
        j = i
        while j > top and order(game, s, actions[j - 1]) < score:
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = action


@kernel
def settled(actions, start, end):
    """Convert the actions to integers in place; whether all of them were integers, and none negative."""
    signs = 0
    for i in range(start, end):
        action = as_whole(actions[i])
        actions[i] = action
        signs |= action
    return signs >= 0


@kernel
def keep_first(walk, place, value):
    """Note the value of a first move: a node whose actions begin at 0 is the root."""
    walk.first[walk.first_at + place] = value
    walk.count = place + 1
    return 0


# --- what a leaf is worth --------------------------------------------------------------------------------------------


@kernel
def keep_utility(game, setup, s, depth, walk):
    """Note what player 0 gets at the end `s`; with a style, what everybody gets."""
    if setup.style is None:
        walk.value = utility_of(game, setup, s, 0, walk)
        return 0
    here = place_of(game, depth, walk)
    for player in range(game.players):
        walk.values[here + player] = utility_of(game, setup, s, player, walk)
    return 0


@kernel
def keep_draw(game, setup, depth, walk):
    """Note that the position came up before and is a draw."""
    if setup.style is None:
        walk.value = game.draw_value
        return 0
    here = place_of(game, depth, walk)
    for player in range(game.players):
        walk.values[here + player] = game.draw_value
    return 0


@kernel
def keep_estimate(game, setup, s, depth, walk):
    """Note the estimate of `s`, where the search looks no further."""
    if setup.style is None:
        walk.value = checked_estimate(setup.evaluate(game, s), setup, walk)
        return 0
    here = place_of(game, depth, walk)
    for player in range(game.players):
        walk.values[here + player] = checked_estimate(setup.evaluate(game, s, player), setup, walk)
    return 0


@kernel
def place_of(game, depth, walk):
    """Where in walk.values a node's values begin."""
    here = (walk.depth - depth) * game.players
    make_room(walk.values, here + 2 * game.players)
    return here


# --- what the rules say, looked at before anything is built on it ----------------------------------------------------


@kernel
def utility_of(game, setup, s, player, walk):
    """What `player` gets at the end `s`; where the setup says `checked`, between bounds."""
    given = game.utility(s, player)
    value = as_number(given)
    if not -LARGEST <= value <= LARGEST:
        walk.status = NO_NUMBER
    elif setup.checked and not walk.least <= value <= walk.most:
        walk.status = OUT_OF_BOUNDS
        walk.wrong = value
    if is_finer(given):
        walk.finer = 1
    if game.probability is not None or setup.style == "expectimax":
        size = abs(value)
        if size > walk.largest:
            walk.largest = size
        if 0.0 < size < walk.smallest:
            walk.smallest = size
    return value


@kernel
def checked_estimate(given, setup, walk):
    """What an `evaluate` returned; where the setup says `checked`, between bounds."""
    value = as_number(given)
    if not -LARGEST <= value <= LARGEST:
        walk.status = NO_NUMBER
    elif setup.checked and not walk.least <= value <= walk.most:
        walk.status = ESTIMATE_OUT_OF_BOUNDS
        walk.wrong = value
    return value


@kernel
def odds_of(game, s, action, walk):
    """How likely the outcome of a chance node is."""
    given = game.probability(s, action)
    odds = as_number(given)
    if is_finer(given):
        walk.finer = 1
    if not odds >= 0.0:
        walk.status = NO_ODDS
    return odds


@kernel
def check_odds(total, walk):
    """Stop where the odds of a chance node do not sum to 1, unless something else has ended the search before."""
    if walk.status == FINE and not are_odds(total):
        walk.status = NO_ODDS
    return 0


@kernel
def note_average(average, walk):
    """Note whether floats were averaged."""
    if is_float(average):
        walk.averaged = 1
    return 0


@kernel
def is_close(one, other):
    """Whether rounding may have decided which of two averages is larger."""
    return one != other and abs(one - other) <= ROUNDING * (abs(one) + abs(other))
