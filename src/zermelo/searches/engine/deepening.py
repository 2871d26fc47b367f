"""Iterative deepening: the root is searched to depth 1, then 2, and so on, each time ordered by what was found before.

The kernel runs until it is stopped or done, and reports what it found after every depth. Where a game says nothing
about how its positions look, random games order the first moves.
"""

from zermelo.compile import as_number, is_finite, kernel, load_float, now, prefetch, store_float
from zermelo.compile.program import told_as
from zermelo.compile.random import stream
from zermelo.running.faults import fault_at
from zermelo.running.statuses import FINE, TOO_MANY
from zermelo.searches.engine import techniques as on
from zermelo.searches.engine.desk import BEFORE, BELOW, HERE, INDEPENDENT, NEXT, NOBODY, follow
from zermelo.searches.engine.estimates import is_in_check
from zermelo.searches.engine.main_search import REDUCTION, child
from zermelo.searches.engine.ordering import (
    PLACE_BITS,
    index_of,
    is_noisy_move,
    kind_of_move,
    rank_all,
    write_places,
)
from zermelo.searches.engine.reports import UNSEEN, write_line, write_slot
from zermelo.searches.engine.scores import INFINITE, LARGEST, MAX_PLY, SURE, UNKNOWN, WIN, keeps_turn, side_of
from zermelo.searches.engine.transpositions import (
    EXACT,
    LOWER,
    NO_PLACE,
    NOTHING,
    UPPER,
    packed,
    place_of,
    probe,
    slot_of,
    store,
)
from zermelo.searches.engine.tuning import LESS_AT_ROOT, WINDOW
from zermelo.searches.playouts import playout
from zermelo.searches.symmetry import without_twins

SOON = 1 << 15
"""Games that are searched to their end within so many nodes need no random games first."""


@kernel
@told_as("search")
def deepen(game, setup, s, desk):
    """Search ever deeper until something stops it."""
    root, techniques = desk.root, desk.techniques
    if not open_root(game, setup, s, desk):
        return 0
    depth = 1 if techniques & on.DEEPENING else desk.depth_limit
    lines = min(desk.lines, root.count)
    last, proof, tried = 0, 0, False
    while depth <= desk.depth_limit and desk.status == FINE:
        if is_left_to_others(depth, desk.helper):
            depth += 1
            continue
        desk.root_depth, desk.deepest, desk.cut_off = depth, 0, 0
        for i in range(root.count):
            root.efforts[i] = 0
        done, solid = 0, True
        for line in range(lines):
            score = line_value(game, setup, s, depth, line, last, desk)
            here = desk.frames[HERE]
            if line == 0:
                last = score
            if here.length > 0:
                write_line(desk, line, score, here.length)
                done = line + 1
            solid = solid and here.solid != 0
            if desk.status != FINE:
                break
        if done > 0:
            write_slot(game, desk, depth, done, solid, desk.status == FINE)
        if desk.status != FINE or solid or is_decided(last, depth):
            break
        if not tried:
            sort_by_effort(root, lines)
        if not setup.own_units and desk.trials > 0 and not tried and desk.nodes >= SOON:
            tried = True
            try_out(game, s, desk)
            if last == 0 and lines == 1:
                sort_by_rank(root, desk.stack, desk.frames[HERE].free)
        if now() >= desk.soft_deadline or (root.count == 1 and desk.soft_deadline < desk.deadline and depth >= 4):
            break
        if desk.cut_off == 0 and techniques & on.PROOF and techniques & on.ALL_INEXACT and depth >= proof:
            # All lines end within this depth: nothing but inexact techniques stands between the value and its proof.
            desk.techniques = techniques & ~on.ALL_INEXACT | on.PROVING
            proof = depth + depth // 2 + 1
        else:
            desk.techniques = techniques
            depth += 1
    return depth


@kernel
def is_left_to_others(depth, helper):
    """Whether a helper skips this depth, so that threads do not all do the same."""
    return helper > 0 and depth > 2 and (depth + helper) % (2 + helper // 2) == 0


@kernel
def is_decided(score, depth):
    """Whether a win or a loss is known that no deeper search can make shorter or longer."""
    return abs(score) > SURE and depth >= 2 * (WIN - abs(score)) + 4


# --- the first moves -------------------------------------------------------------------------------------------------


@kernel
def open_root(game, setup, s, desk):
    """Write the first moves in their first order; whether there are any."""
    root, here, before, stack = desk.root, desk.frames[HERE], desk.frames[BEFORE], desk.stack
    top = desk.wanted
    end = game.fill(s, stack, top)
    if end < 0:
        desk.status = TOO_MANY
        return False
    wrong = fault_at(game, s, stack, top, end)
    if wrong != FINE:
        desk.status = wrong
        return False
    if top > 0:
        end = those_wanted(stack, top, end)
    if game.symmetry_count > 1 and desk.techniques & on.SYMMETRY:
        end = without_twins(game, s, stack, top, end, None)
    if game.repetition is not None:
        desk.keys[desk.past] = game.key(s)
    root.count = end - top
    here.top, here.end, here.free = top, end, end
    before.played, here.static = NOBODY, UNKNOWN
    hint = place_of(probe(setup, desk.table, game.table_key(s)))
    hint = index_of(stack, end, write_places(game, s, stack, top, end, end), hint)
    for place in range(root.count):
        root.places[place] = stack[end + place]
    rank_all(game, s, hint, 0, desk)
    for place in range(root.count):
        root.order[place], root.actions[place], root.kinds[place] = place, stack[top + place], UNSEEN
        root.scores[place] = stack[end + place] >> PLACE_BITS
    sort_by_rank(root, root.scores, 0)
    return root.count > 0


@kernel
def those_wanted(stack, top, end):
    """Of the actions from `top` on, keep those that also stand below `top`; the index after the last."""
    kept = top
    for i in range(top, end):
        for k in range(top):
            if stack[k] == stack[i]:
                stack[kept] = stack[i]
                kept += 1
                break
    return kept


@kernel
def line_value(game, setup, s, depth, line, last, desk):
    """The value of the best first move that begins no earlier line, with a window around its value a depth before."""
    low, high = -INFINITE, INFINITE
    width = 12
    if not setup.own_units:
        width = 1
    elif game.advantage is not None:
        width = max(8, game.advantage * WINDOW // 100)
    if desk.techniques & on.ASPIRATION and depth >= 5 and abs(last) < SURE and line == 0:
        low, high = last - width, last + width
    less = 0
    while True:
        value = root_value(game, setup, s, low, high, max(1, depth - less), line, desk)
        if desk.status != FINE:
            return value
        if value <= low and low > -INFINITE:
            if setup.own_units:
                high = low + (high - low) // 2
            elif high < INFINITE:
                high = low + 1
            low = value - width if setup.own_units and width < LARGEST // 8 else -INFINITE
            less = 0
        elif value >= high and high < INFINITE:
            high = value + width if setup.own_units and width < LARGEST // 8 else INFINITE
            if desk.techniques & on.REDUCTIONS and less < 3:
                less += 1
        else:
            return value
        width *= 2


@kernel
def root_value(game, setup, s, alpha, beta, depth, line, desk):
    """The value of the root, for the player to move, over the moves that no earlier line has."""
    root, here, below, mover = desk.root, desk.frames[HERE], desk.frames[BELOW], game.to_move(s)
    best, chosen, low = -INFINITE, NO_PLACE, alpha
    depends, solid, searched = INDEPENDENT, True, 0
    here.length, below.cuts, desk.frames[NEXT].cuts = 0, 0, 0
    for i in range(line, root.count):
        place, before = root.order[i], desk.nodes
        action = root.actions[place]
        here.quiet, here.played = 0 if is_noisy_move(game, s, action) else 1, kind_of_move(game, s, action)
        after = game.result(s, action)
        here.same = keeps_turn(game, after, mover)
        below.key, below.checked, below.top = game.table_key(after), is_in_check(game, after), here.free
        prefetch(desk.table.entries, slot_of(setup, desk.table, below.key))
        value = value_of_root_move(game, setup, after, low, beta, depth, searched, desk)
        if desk.status != FINE:
            break
        searched += 1
        firm = below.solid != 0
        root.efforts[place] += desk.nodes - before
        root.scores[place] = value
        root.kinds[place] = UPPER if value <= low else LOWER if value >= beta else EXACT
        depends, solid = min(depends, below.depends), solid and firm
        best = max(best, value)
        if value > low:
            low, chosen = value, place
            follow(desk, 0, action)
            if value >= beta:
                depends, solid = below.depends, firm
                break
    here.solid = 1 if solid and searched > 0 else 0
    if chosen == NO_PLACE:
        return best
    bring_forward(root, line, chosen)
    if desk.status != FINE:
        return low
    if line == 0:
        kind = LOWER if best >= beta else EXACT
        if desk.techniques & on.PATH_VALUES and (depends < desk.past or game.forbids_repetition):
            kind = NOTHING
        if desk.wanted > 0:
            # The best of some moves says nothing about the position.
            kind = NOTHING
        found = packed(root.places[chosen], True, depth, kind)
        store(setup, desk.table, game.table_key(s), best, 0, found)
    return best


@kernel
def value_of_root_move(game, setup, after, low, beta, depth, searched, desk):
    """The value of a first move: the first one gets an open window, others get it only if they seem to be better."""
    here, below = desk.frames[HERE], desk.frames[BELOW]
    full, value = True, 0
    if searched > 0 and desk.techniques & on.ZERO_WINDOW:
        less = 0
        if desk.techniques & on.REDUCTIONS and depth >= 3 and searched > 2 and here.quiet and not below.checked:
            less = min(max((REDUCTION[min(depth, 63), min(searched, 63)] * LESS_AT_ROOT >> 20) - 1, 0), depth - 2)
        below.cut = 1
        value = child(game, setup, after, low, low + 1, depth - 1 - less, 0, desk)
        if value > low and less > 0:
            value = child(game, setup, after, low, low + 1, depth - 1, 0, desk)
        full = low < value < beta
    if full:
        below.cut = 0
        value = child(game, setup, after, low, beta, depth - 1, 0, desk)
    return value


# --- the order of the first moves ------------------------------------------------------------------------------------


@kernel
def bring_forward(root, line, place):
    """Let this move be tried first, and the others keep their order."""
    order, i = root.order, line
    while order[i] != place:
        i += 1
    while i > line:
        order[i] = order[i - 1]
        i -= 1
    order[line] = place
    return 0


@kernel
def sort_by_effort(root, lines):
    """The best moves first, then those that took the most work to refute."""
    order, efforts = root.order, root.efforts
    for i in range(lines + 1, root.count):
        place = order[i]
        j = i
        while j > lines and efforts[order[j - 1]] < efforts[place]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = place
    return 0


@kernel
def sort_by_rank(root, ranks, first):
    """The moves with the highest ranks first; `ranks` holds them by place, from `first` on."""
    order = root.order
    for i in range(1, root.count):
        place = order[i]
        j = i
        while j > 0 and ranks[first + order[j - 1]] < ranks[first + place]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = place
    return 0


# --- random games ----------------------------------------------------------------------------------------------------


@kernel
def try_out(game, s, desk):
    """Write on the stack for each first move how many others it seems better than, judged by random games after it.

    All get equally many games; then the worse half is left out, and the rest share as much time again, until one is
    left.
    """
    here, count, stack = desk.frames[HERE], desk.root.count, desk.stack
    top, ranks, games, sums, free = here.top, here.free, here.free + count, here.free + 2 * count, here.free + 3 * count
    for i in range(count):
        stack[ranks + i] = count
        stack[games + i] = 0
        store_float(stack, sums + i, 0.0)
    stages, half = 1, 2
    while half < count:
        stages, half = stages + 1, 2 * half
    began, left, stage, played = now(), count, 1, 0
    while left > 1:
        while played == 0 or now() < began + desk.trials * stage // stages:
            for i in range(count):
                if stack[ranks + i] == count:
                    play_once(game, s, stack, top + i, games + i, sums + i, free, played)
            played += 1
        keep = (left + 1) // 2
        while left > keep:
            left -= 1
            worst = worst_of(game, s, stack, count, ranks, games, sums)
            stack[ranks + worst] = count - 1 - left
        stage += 1
    return 0


@kernel
def play_once(game, s, stack, at, games, total, free, number):
    """Play one random game after a move, and note what it pays player 0."""
    end, moves = playout(game, game.result(s, stack[at]), stream(0, number), MAX_PLY, stack, free, True, True)
    stack[games] += 1
    if moves >= 0:
        gain = as_number(game.utility(end, 0))
        if is_finite(gain):
            store_float(stack, total, load_float(stack, total) + gain)
    return 0


@kernel
def worst_of(game, s, stack, count, ranks, games, sums):
    """The move with the worst mean for the player to move, of those that are not left out."""
    worst, least = -1, 0.0
    for i in range(count):
        if stack[ranks + i] == count:
            mean = side_of(game, s) * load_float(stack, sums + i) / stack[games + i]
            if worst < 0 or mean < least:
                worst, least = i, mean
    return worst
