"""Iterative deepening: the root is searched to depth 1, then 2, and so on, each time ordered by what was found before.

The kernel runs until it is stopped or done, and writes what it found after every depth into the memory `report`,
from which others read while it goes on.
"""

from zermelo.compile import kernel, now, prefetch
from zermelo.running.faults import fault_at
from zermelo.running.statuses import TOO_MANY
from zermelo.searches.engine.desk import (
    CUT_OFF,
    CUTS,
    DEADLINE,
    DEEPEST,
    DEPENDS,
    DEPTH_LIMIT,
    FRAME,
    HELPER,
    INDEPENDENT,
    INFINITE,
    KEYS,
    LARGEST,
    LENGTH,
    LINES,
    MAX_PLY,
    NODES,
    PATH,
    PLAYED,
    QUIET,
    ROOT_DEPTH,
    SOFT,
    SOLID,
    STARTED,
    STATIC,
    STATUS,
    SURE,
    SWITCHES,
    TRIALS,
    UNKNOWN,
    VARIATIONS,
    WIN,
    follow,
    frame,
)
from zermelo.searches.engine.main_search import REDUCTION, child
from zermelo.searches.engine.ordering import PLACE_BITS, index_of, is_noisy_move, kind_of_move, rank_all, write_places
from zermelo.searches.engine.scores import is_in_check, keeps_turn
from zermelo.searches.engine.techniques import (
    ALL_INEXACT,
    ASPIRATION,
    DEEPENING,
    PATH_VALUES,
    PROOF,
    PROVING,
    REDUCTIONS,
    SYMMETRY,
    ZERO_WINDOW,
)
from zermelo.searches.engine.transpositions import (
    EXACT,
    LOWER,
    MISSING,
    NO_PLACE,
    NOTHING,
    UPPER,
    place_of,
    probe,
    slot_of,
    store,
)
from zermelo.searches.engine.trials import try_out
from zermelo.searches.engine.tuning import (
    LESS_AT_ROOT,
    WINDOW,
)
from zermelo.searches.plain.walk import without_twins

# --- what stands in a report -----------------------------------------------------------------------------------------

REPORTS, SLOT_WORDS = range(2)
"""Words of `report`: how many slots are complete, and how long each is. Slots follow from word 8 on."""
REPORT_HEAD = 8
SLOTS = MAX_PLY + 24
"""One for each depth, and some for proofs."""
SLOT_DEPTH, SLOT_DEEPEST, SLOT_NODES, SLOT_TIME, SLOT_LINES, SLOT_MOVES, SLOT_SOLID, SLOT_FINISHED = range(8)
SLOT_HEAD = 8
LINE_SCORE, LINE_LENGTH = range(2)
LINE_HEAD = 2
LINE_WORDS = LINE_HEAD + MAX_PLY
ROOT_WORDS = 3
"""A root move takes three words: the action, its score, and what the score is."""


def slot_words(lines: int, most: int) -> int:
    """How long a slot is for so many lines and root moves."""
    return SLOT_HEAD + lines * LINE_WORDS + most * ROOT_WORDS


SOON = 1 << 15
"""Games that are searched to their end within so many nodes need no random games first."""

# --- the root moves: five words each, behind the actions themselves ---------------------------------------------------

ORDER, SCORE, KIND, EFFORT, PLACE = range(5)
"""The place of the move that is tried at this turn; and for the move at this place: its score, what that is, the nodes
spent on it, and its place among all actions, of which only some may be wanted."""
UNSEEN = -1
"""KIND of a move not searched yet."""


@kernel
def deepen(game, leaf, s, memory, top, desk, shared, report):
    """Search ever deeper until something stops it."""
    count = open_root(game, leaf, s, memory, top, desk, shared)
    if count <= 0:
        return 0
    base = top + count
    free = base + 5 * count
    first = 1 if desk[SWITCHES] & DEEPENING else desk[DEPTH_LIMIT]
    depth = first
    lines = min(desk[LINES], count)
    last_score = 0
    switches, proof = desk[SWITCHES], 0
    tried = False
    while depth <= desk[DEPTH_LIMIT] and desk[STATUS] == 0:
        # Helpers skip some depths, so that threads do not all do the same.
        if desk[HELPER] > 0 and depth > 2 and (depth + desk[HELPER]) % (2 + desk[HELPER] // 2) == 0:
            depth += 1
            continue
        desk[ROOT_DEPTH] = depth
        desk[DEEPEST], desk[CUT_OFF] = 0, 0
        slot = REPORT_HEAD + min(report[REPORTS], SLOTS - 1) * report[SLOT_WORDS]
        for i in range(count):
            memory[base + count * EFFORT + i] = 0
        done = 0
        solid = True
        for line in range(lines):
            score = line_value(game, leaf, s, depth, line, last_score, memory, top, count, free, desk, shared)
            if line == 0:
                last_score = score
            if desk[frame(0) + LENGTH] > 0:
                write_line(desk, report, slot, line, score)
                done = line + 1
            solid = solid and desk[frame(0) + SOLID] != 0
            if desk[STATUS] != 0:
                break
        if done > 0:
            write_slot(desk, report, slot, memory, top, count, depth, done, solid, desk[STATUS] == 0)
        if desk[STATUS] != 0:
            break
        if solid or is_decided(desk, report, slot, depth):
            break
        if not tried:
            sort_root(memory, base, count, lines)
        if leaf is not None and desk[TRIALS] > 0 and not tried and desk[NODES] >= SOON:
            tried = True
            try_out(game, s, memory, top, count, free, free + count, desk)
            if last_score == 0 and lines == 1:
                sort_by(memory, base, count, free)
        if now() >= desk[SOFT] or (count == 1 and desk[SOFT] < desk[DEADLINE] and depth >= 4):
            break
        if desk[CUT_OFF] == 0 and switches & PROOF and switches & ALL_INEXACT and depth >= proof:
            # All lines end within this depth: nothing but inexact techniques stands between the value and its proof.
            desk[SWITCHES] = switches & ~ALL_INEXACT | PROVING
            proof = depth + depth // 2 + 1
        else:
            desk[SWITCHES] = switches
            depth += 1
    return depth


@kernel
def open_root(game, leaf, s, memory, top, desk, shared):
    """Write the root moves and their first order; how many there are. Actions before `top` are the only ones wanted."""
    end = game.fill(s, memory, top)
    if end < 0:
        desk[STATUS] = TOO_MANY
        return 0
    wrong = fault_at(game, s, memory, top, end)
    if wrong != 0:
        desk[STATUS] = wrong
        return 0
    if top > 0:
        kept = top
        for i in range(top, end):
            for k in range(top):
                if memory[k] == memory[i]:
                    memory[kept] = memory[i]
                    kept += 1
                    break
        end = kept
    if game.symmetry_count > 1 and desk[SWITCHES] & SYMMETRY:
        end = without_twins(game, s, memory, top, end, None)
    if game.repetition is not None:
        desk[KEYS + desk[PATH]] = game.key(s)
    count = end - top
    desk[frame(0) - FRAME + PLAYED] = -1
    desk[frame(0) + STATIC] = UNKNOWN
    mover = game.to_move(s)
    known = probe(leaf, shared, desk, game.table_key(s))
    hint = place_of(known) if known != MISSING else NO_PLACE
    base = end
    places = base + count * PLACE
    hint = index_of(memory, places, write_places(game, s, memory, top, end, places), hint)
    rank_all(game, s, memory, top, end, mover, hint, 0, desk)
    for place in range(count):
        memory[base + count * SCORE + place] = memory[base + place] >> PLACE_BITS
        memory[base + count * KIND + place] = UNSEEN
    for place in range(count):
        value = memory[base + count * SCORE + place]
        i = place
        while i > 0 and memory[base + count * SCORE + memory[base + i - 1]] < value:
            memory[base + i] = memory[base + i - 1]
            i -= 1
        memory[base + i] = place
    return count


@kernel
def line_value(game, leaf, s, depth, line, last, memory, top, count, free, desk, shared):
    """The value of the best root move that no earlier line has, with a window around what it was before."""
    low, high = -INFINITE, INFINITE
    width = 12
    if leaf is not None:
        width = 1
    elif game.advantage is not None:
        width = max(8, game.advantage * WINDOW // 100)
    if desk[SWITCHES] & ASPIRATION and depth >= 5 and abs(last) < SURE and line == 0:
        low, high = last - width, last + width
    less = 0
    while True:
        value = root_value(game, leaf, s, low, high, max(1, depth - less), line, memory, top, count, free, desk, shared)
        if desk[STATUS] != 0:
            return value
        if value <= low and low > -INFINITE:
            if leaf is None:
                high = low + (high - low) // 2
            elif high < INFINITE:
                high = low + 1
            low = value - width if leaf is None and width < LARGEST // 8 else -INFINITE
            less = 0
        elif value >= high and high < INFINITE:
            high = value + width if leaf is None and width < LARGEST // 8 else INFINITE
            if desk[SWITCHES] & REDUCTIONS and less < 3:
                less += 1
        else:
            return value
        width *= 2


@kernel
def root_value(game, leaf, s, alpha, beta, depth, line, memory, top, count, free, desk, shared):
    """The value of the root, for the player to move, over the moves that no earlier line has."""
    base = top + count
    mover = game.to_move(s)
    switches = desk[SWITCHES]
    best, chosen, low = -INFINITE, NO_PLACE, alpha
    at = frame(0)
    desk[at + LENGTH] = 0
    desk[at + FRAME + CUTS] = 0
    desk[at + 2 * FRAME + CUTS] = 0
    depends, solid = INDEPENDENT, True
    searched = 0
    for i in range(line, count):
        place = memory[base + i]
        action = memory[top + place]
        before = desk[NODES]
        noisy = is_noisy_move(game, s, action)
        after = game.result(s, action)
        key = game.table_key(after)
        prefetch(shared, slot_of(leaf, key, desk))
        check = is_in_check(game, after)
        desk[at + PLAYED] = kind_of_move(game, s, action)
        desk[at + QUIET] = 0 if noisy else 1
        same = keeps_turn(game, after, mover)
        full, value = True, 0
        if searched > 0 and switches & ZERO_WINDOW:
            less = 0
            if switches & REDUCTIONS and depth >= 3 and searched > 2 and not noisy and not check:
                less = min(max((REDUCTION[min(depth, 63), min(searched, 63)] * LESS_AT_ROOT >> 20) - 1, 0), depth - 2)
            value = child(
                game, leaf, after, key, same, low, low + 1, depth - 1 - less, 0, check, 1, memory, free, desk, shared
            )  # fmt: skip
            if value > low and less > 0:
                value = child(
                    game, leaf, after, key, same, low, low + 1, depth - 1, 0, check, 1, memory, free, desk, shared
                )  # fmt: skip
            full = low < value < beta
        if full:
            value = child(game, leaf, after, key, same, low, beta, depth - 1, 0, check, 0, memory, free, desk, shared)
        if desk[STATUS] != 0:
            break
        searched += 1
        firm = desk[at + FRAME + SOLID] != 0
        memory[base + count * EFFORT + place] += desk[NODES] - before
        memory[base + count * SCORE + place] = value
        memory[base + count * KIND + place] = UPPER if value <= low else LOWER if value >= beta else EXACT
        depends, solid = min(depends, desk[at + FRAME + DEPENDS]), solid and firm
        best = max(best, value)
        if value > low:
            low, chosen = value, place
            follow(desk, 0, action)
            if value >= beta:
                depends, solid = desk[at + FRAME + DEPENDS], firm
                break
    desk[at + SOLID] = 1 if solid and searched > 0 else 0
    if chosen != NO_PLACE:
        bring_forward(memory, base, line, chosen)
        if line == 0 and desk[STATUS] == 0:
            kind = LOWER if best >= beta else EXACT
            if switches & PATH_VALUES and (depends < desk[PATH] or game.forbids_repetition):
                kind = NOTHING
            if top > 0:
                # The best of some moves says nothing about the position.
                kind = NOTHING
            store(
                leaf, shared, desk, game.table_key(s), best, memory[base + count * PLACE + chosen], True, depth, kind, 0
            )
    return best if desk[STATUS] == 0 or chosen == NO_PLACE else low


@kernel
def bring_forward(memory, base, line, place):
    """Let this move be tried first, and the others keep their order."""
    i = line
    while memory[base + i] != place:
        i += 1
    while i > line:
        memory[base + i] = memory[base + i - 1]
        i -= 1
    memory[base + line] = place
    return 0


@kernel
def sort_root(memory, base, count, lines):
    """The best moves first, then those that took the most work to refute."""
    for i in range(lines + 1, count):
        place = memory[base + i]
        effort = memory[base + count * EFFORT + place]
        j = i
        while j > lines and memory[base + count * EFFORT + memory[base + j - 1]] < effort:
            memory[base + j] = memory[base + j - 1]
            j -= 1
        memory[base + j] = place
    return 0


@kernel
def sort_by(memory, base, count, ranks):
    """The moves with the highest ranks first."""
    for i in range(1, count):
        place = memory[base + i]
        j = i
        while j > 0 and memory[ranks + memory[base + j - 1]] < memory[ranks + place]:
            memory[base + j] = memory[base + j - 1]
            j -= 1
        memory[base + j] = place
    return 0


@kernel
def is_decided(desk, report, slot, depth):
    """Whether a win or a loss is known that no deeper search can make shorter or longer."""
    score = report[slot + SLOT_HEAD + LINE_SCORE]
    return abs(score) > SURE and depth >= 2 * (WIN - abs(score)) + 4


@kernel
def write_line(desk, report, slot, line, score):
    """Write one principal variation into a slot."""
    at = slot + SLOT_HEAD + line * LINE_WORDS
    length = desk[frame(0) + LENGTH]
    report[at + LINE_SCORE] = score
    report[at + LINE_LENGTH] = length
    for i in range(length):
        report[at + LINE_HEAD + i] = desk[VARIATIONS + i]
    return 0


@kernel
def write_slot(desk, report, slot, memory, top, count, depth, lines, solid, finished):
    """Complete a slot: from now on others may read it. A depth that was not finished has what was found so far."""
    report[slot + SLOT_DEPTH] = depth
    report[slot + SLOT_DEEPEST] = desk[DEEPEST]
    report[slot + SLOT_NODES] = desk[NODES]
    report[slot + SLOT_TIME] = now() - desk[STARTED]
    report[slot + SLOT_LINES] = lines
    report[slot + SLOT_MOVES] = count
    report[slot + SLOT_SOLID] = 1 if solid and finished else 0
    report[slot + SLOT_FINISHED] = 1 if finished else 0
    base = top + count
    at = slot + SLOT_HEAD + desk[LINES] * LINE_WORDS
    for i in range(count):
        place = memory[base + i]
        report[at + ROOT_WORDS * i] = memory[top + place]
        report[at + ROOT_WORDS * i + 1] = memory[base + count * SCORE + place]
        report[at + ROOT_WORDS * i + 2] = memory[base + count * KIND + place]
    report[REPORTS] += 1
    return 0
