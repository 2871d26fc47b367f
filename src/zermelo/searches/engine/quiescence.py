"""Quiescence: at the depth limit noisy moves are searched on, so that estimates are asked of quiet positions only."""

from zermelo.compile import kernel, prefetch
from zermelo.running.faults import are_actions
from zermelo.running.statuses import FINE, NO_ACTION, TOO_MANY
from zermelo.searches.engine.desk import (
    BELOW,
    HERE,
    INDEPENDENT,
    NOBODY,
    draw,
    enter,
    follow,
    is_calmed,
    repeats,
    trouble,
)
from zermelo.searches.engine.estimates import ended, estimate, is_in_check
from zermelo.searches.engine.ordering import is_noisy_move, pick, rank_all
from zermelo.searches.engine.scores import INFINITE, SHOWN_WIN, SURE, keeps_turn
from zermelo.searches.engine.techniques import MARGINS, PATH_VALUES, QUIESCENCE, SELECTIVE
from zermelo.searches.engine.transpositions import (
    EXACT,
    FOR_EVER,
    LOWER,
    NO_PLACE,
    NOTHING,
    UPPER,
    depth_of,
    kind_of,
    packed,
    place_of,
    probe,
    score_of,
    settles,
    slot_of,
    store,
    was_on_path,
)
from zermelo.searches.engine.tuning import QUIET_MARGIN


@kernel
def quiet_value(game, setup, s, alpha, beta, ply, desk):
    """The value of `s` for the player to move when only noisy moves are played; in check, all moves are."""
    if not enter(desk, ply):
        return 0
    if game.is_over(s):
        return ended(game, setup, s, ply, desk)
    here, stack = desk.frames[ply + HERE], desk.stack
    if desk.cut_off == 0 and ply >= desk.root_depth:
        # Some ends show only where it is asked for actions.
        if game.fill(s, stack, here.top) == here.top:
            return ended(game, setup, s, ply, desk)
        desk.cut_off = 1
    if (game.is_noisy is None and game.fill_noisy is None) or desk.techniques & QUIESCENCE == 0:
        return estimate(game, setup, s, ply, desk)
    if is_calmed(desk, ply) or here.top > desk.room:
        return estimate(game, setup, s, ply, desk)

    # Was it searched before?
    known = probe(setup, desk.table, here.key)
    known_score = score_of(setup, desk.table, known, ply)
    if alpha + 1 == beta and settles(kind_of(known), known_score, alpha, beta):
        here.solid = 1 if depth_of(known) == FOR_EVER else 0
        return known_score

    # Nobody has to capture: the value is at least the estimate, unless a check must be answered.
    best = -INFINITE
    if here.checked:
        end = game.fill(s, stack, here.top)
    else:
        best = estimate(game, setup, s, ply, desk)
        if desk.techniques & SELECTIVE:
            best = better_informed(best, kind_of(known), known_score)
        if best >= beta:
            return best
        end = fill_noisy_moves(game, s, stack, here.top)
    if end < 0:
        desk.status = TOO_MANY
        return 0
    if here.checked and end == here.top:
        return ended(game, setup, s, ply, desk)
    if game.is_watched and (not setup.own_units or desk.watch == 0) and not are_actions(stack, here.top, end):
        return trouble(desk, NO_ACTION)

    here.end, here.best, here.chosen = end, best, NO_PLACE
    rank_all(game, s, place_of(known) if here.checked else NO_PLACE, ply, desk)
    best = best_noise(game, setup, s, alpha, beta, ply, desk)
    if desk.status != FINE:
        return 0
    if game.forbids_repetition and here.checked and here.searched == 0:
        # Nothing that the rules do not forbid as a repetition.
        here.depends = INDEPENDENT
        return ended(game, setup, s, ply, desk)
    return kept_quiet(game, setup, best, alpha, beta, known, ply, desk)


@kernel
def kept_quiet(game, setup, best, alpha, beta, known, ply, desk):
    """The value of a position whose noisy moves were searched, kept in the table."""
    here = desk.frames[ply + HERE]
    if here.depends >= desk.past + ply:
        here.depends = INDEPENDENT
    kind = LOWER if best >= beta else EXACT if best > alpha else UPPER
    if desk.techniques & PATH_VALUES and (here.depends != INDEPENDENT or game.forbids_repetition):
        kind = NOTHING
    # Places among the noisy moves alone mean nothing to a search of all moves.
    place = here.chosen if here.checked else NO_PLACE
    depth = FOR_EVER if here.solid and kind != NOTHING else 0
    on_path = alpha + 1 < beta or was_on_path(known)
    store(setup, desk.table, here.key, best, ply, packed(place, on_path, depth, kind))
    return best


@kernel
def best_noise(game, setup, s, alpha, beta, ply, desk):
    """The value of the best of the ranked moves, or the frame's `best` where none is better."""
    here, below, stack = desk.frames[ply + HERE], desk.frames[ply + BELOW], desk.stack
    best, mover, end = here.best, game.to_move(s), here.end
    low, last, depends, solid = max(alpha, best), end + end - here.top, INDEPENDENT, here.checked != 0
    here.played, here.searched = NOBODY, 0
    # What an exchange must win to matter at all, with some to spare for what the estimate may gain.
    needed = 0
    if setup.has_margins and desk.techniques & MARGINS and not here.checked:
        needed = max(0, min(alpha, SHOWN_WIN) - best - game.advantage * QUIET_MARGIN // 100)
    for i in range(end, last):
        place = pick(stack, i, last)
        action = stack[here.top + place]
        if (not here.checked or best > -SURE) and not worth_a_look(game, s, action, needed):
            solid = False
            continue
        after = game.result(s, action)
        below.key, below.top = game.table_key(after), last
        prefetch(desk.table.entries, slot_of(setup, desk.table, below.key))
        again = is_repeated(game, after, ply + 1, desk)
        if again and game.forbids_repetition:
            depends = min(depends, below.depends)
            continue
        below.checked = is_in_check(game, after)
        same = keeps_turn(game, after, mover)
        if again:
            below.length = 0
            value = draw(game, after, ply + 1, desk) * (1 if same else -1)
        elif same:
            value = quiet_value(game, setup, after, low, beta, ply + 1, desk)
        else:
            value = -quiet_value(game, setup, after, -beta, -low, ply + 1, desk)
        if desk.status != FINE:
            return 0
        depends, solid = min(depends, below.depends), solid and below.solid != 0
        here.searched += 1
        if value > best:
            best = value
            if value > low:
                low, here.chosen = value, place
                follow(desk, ply, action)
                if value >= beta:
                    depends, solid = below.depends, below.solid != 0
                    break
    here.depends, here.solid = depends, 1 if solid else 0
    return best


@kernel
def fill_noisy_moves(game, s, stack, top):
    """Write the noisy actions of `s`; the index after the last."""
    if game.fill_noisy is not None:
        return game.fill_noisy(s, stack, top)
    end = game.fill(s, stack, top)
    kept = top
    for i in range(top, end):
        if is_noisy_move(game, s, stack[i]):
            stack[kept] = stack[i]
            kept += 1
    return kept if end >= 0 else end


@kernel
def is_repeated(game, after, ply, desk):
    """Whether a position was there before, on the path or before the search began."""
    if game.repetition is None:
        return False
    if game.reversible is None or game.reversible(after) > 0:
        return repeats(game, after, ply, desk)
    # No earlier position can equal this one, so its key is not computed; no position has the key 0.
    desk.keys[desk.past + ply] = 0
    return False


@kernel
def better_informed(here, kind, score):
    """The estimate, or what an earlier search proved of the position where that contradicts it."""
    contradicts = (kind == LOWER and score > here) or (kind == UPPER and score < here)
    return score if contradicts and abs(score) < SURE else here


@kernel
def worth_a_look(game, s, action, needed):
    """Whether a noisy move may win what is needed."""
    if game.exchange is not None:
        return game.exchange(s, action, needed)
    return game.order is None or game.order(s, action) >= 0
