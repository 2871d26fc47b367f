"""Reports: what a search has found after every depth. A thread writes them, and others read while it goes on."""

from typing import Any, NamedTuple

from zermelo.compile import Array, Block, Memory, array, kernel, now
from zermelo.searches.engine.scores import MAX_PLY

SLOTS = MAX_PLY + 24
"""Slots of a report: one for each depth, and some for proofs."""
LINE_SCORE, LINE_LENGTH, LINE_HEAD = range(3)
LINE_WORDS = LINE_HEAD + MAX_PLY
"""A line takes a word for its score, one for its length, and its actions."""
MOVE_WORDS = 3
"""A first move takes three words: the action, its score, and the kind of score."""
UNSEEN = -1
"""The kind of score of a first move that was not searched yet."""


class Slot(Block):
    """What was found at one depth."""

    depth: int
    deepest: int  # the deepest ply that was looked at
    nodes: int  # seen since the search began
    time: int  # nanoseconds since then
    lines: int  # how many best lines were found
    moves: int  # how many first moves there are
    solid: int  # 1 where the values rest on ends of the game alone
    finished: int  # 1 where the depth was searched to its end


class Report(Block):
    """What was found after every depth: lines and first moves lie apart, since their number is not known before."""

    count: int  # how many slots are complete
    width: int  # how many lines a slot may have
    lines: Memory
    moves: Memory
    slots: Array[Slot] = array(SLOTS)


def line_words(lines: int) -> int:
    """Words for all lines of a report, so many a slot."""
    return SLOTS * lines * LINE_WORDS


def move_words(most: int) -> int:
    """Words for all first moves of a report, so many a slot at most."""
    return SLOTS * most * MOVE_WORDS


# --- writing ---------------------------------------------------------------------------------------------------------


@kernel
def write_line(desk, line, score, length):
    """Write the principal variation from the root into the slot that comes next."""
    report, found = desk.found, desk.variations[0].actions
    at = (min(report.count, SLOTS - 1) * report.width + line) * LINE_WORDS
    lines = report.lines
    lines[at + LINE_SCORE], lines[at + LINE_LENGTH] = score, length
    for i in range(length):
        lines[at + LINE_HEAD + i] = found[i]
    return 0


@kernel
def write_slot(game, desk, depth, lines, solid, finished):
    """Complete a slot: from now on others may read it. A depth that was not finished has what was found so far."""
    report, root = desk.found, desk.root
    number = min(report.count, SLOTS - 1)
    slot, moves = report.slots[number], report.moves
    slot.depth, slot.deepest, slot.nodes, slot.time = depth, desk.deepest, desk.nodes, now() - desk.started
    slot.lines, slot.moves = lines, root.count
    slot.solid = 1 if solid and finished else 0
    slot.finished = 1 if finished else 0
    for i in range(root.count):
        place, at = root.order[i], (number * game.max_actions + i) * MOVE_WORDS
        moves[at], moves[at + 1], moves[at + 2] = root.actions[place], root.scores[place], root.kinds[place]
    report.count += 1
    return 0


# --- reading ---------------------------------------------------------------------------------------------------------


class Depth(NamedTuple):
    """A slot as plain Python reads it. Scores are those of the player to move."""

    depth: int
    deepest: int
    nodes: int
    time: float
    solid: bool
    finished: bool
    lines: list[tuple[int, tuple[int, ...]]]
    """Scores and actions."""
    moves: list[tuple[int, int, int]]
    """The first moves that were searched: action, score and kind of score."""


def read(report: Any, number: int, most: int) -> Depth:
    """What stands in a slot of a game with at most so many actions."""
    slot = report.slots[number]
    lines = []
    for at in range(number * report.width * LINE_WORDS, (number * report.width + slot.lines) * LINE_WORDS, LINE_WORDS):
        first = at + LINE_HEAD
        length = report.lines[at + LINE_LENGTH]
        lines.append((report.lines[at + LINE_SCORE], tuple(report.lines[first + i] for i in range(length))))
    moves = []
    for i in range(slot.moves):
        at = (number * most + i) * MOVE_WORDS
        action, score, kind = (report.moves[at + k] for k in range(MOVE_WORDS))
        if kind != UNSEEN:
            moves.append((action, score, kind))
    return Depth(
        slot.depth, slot.deepest, slot.nodes, slot.time / 1e9, bool(slot.solid), bool(slot.finished), lines, moves
    )
