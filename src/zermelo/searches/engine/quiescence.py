"""Quiescence: at the depth limit noisy moves are searched on, so that estimates are asked of quiet positions only."""

from zermelo.compile import kernel, prefetch
from zermelo.running.faults import are_actions
from zermelo.running.statuses import NO_ACTION, TOO_MANY
from zermelo.searches.engine.desk import (
    CUT_OFF,
    DEPENDS,
    FRAME,
    INDEPENDENT,
    INFINITE,
    KEYS,
    LENGTH,
    NOBODY,
    PATH,
    PLAYED,
    ROOM,
    ROOT_DEPTH,
    SHOWN_WIN,
    SOLID,
    STATUS,
    SURE,
    SWITCHES,
    WATCH,
    enter,
    follow,
    frame,
    is_calmed,
    trouble,
)
from zermelo.searches.engine.ordering import is_noisy_move, pick, rank_all
from zermelo.searches.engine.scores import draw, ended, estimate, is_in_check, keeps_turn, repeats
from zermelo.searches.engine.techniques import MARGINS, PATH_VALUES, QUIESCENCE, SELECTIVE
from zermelo.searches.engine.transpositions import (
    EXACT,
    FOR_EVER,
    LOWER,
    MISSING,
    NO_PLACE,
    NOTHING,
    UPPER,
    depth_of,
    kind_of,
    place_of,
    probe,
    score_of,
    settles,
    slot_of,
    store,
    was_on_path,
)
from zermelo.searches.engine.tuning import (
    QUIET_MARGIN,
)


@kernel
def fill_noisy_moves(game, s, memory, top):
    """Write the noisy actions of `s`; the index after the last."""
    if game.fill_noisy is not None:
        return game.fill_noisy(s, memory, top)
    end = game.fill(s, memory, top)
    kept = top
    for i in range(top, end):
        if is_noisy_move(game, s, memory[i]):
            memory[kept] = memory[i]
            kept += 1
    return kept if end >= 0 else end


@kernel
def quiet_value(game, leaf, s, key, alpha, beta, checked, ply, memory, top, desk, shared):
    """The value of `s` for the player to move when only noisy moves are played; in check, all moves are."""
    if not enter(desk, ply):
        return 0
    if game.is_over(s):
        return ended(game, leaf, s, ply, desk)
    at = frame(ply)
    if desk[CUT_OFF] == 0 and ply >= desk[ROOT_DEPTH]:
        # Some ends show only where it is asked for actions.
        if game.fill(s, memory, top) == top:
            return ended(game, leaf, s, ply, desk)
        desk[CUT_OFF] = 1
    has_noise = game.is_noisy is not None or game.fill_noisy is not None
    if not has_noise or desk[SWITCHES] & QUIESCENCE == 0:
        return estimate(game, leaf, s, ply, desk)
    if is_calmed(desk, ply) or top > desk[ROOM]:
        return estimate(game, leaf, s, ply, desk)
    known = probe(leaf, shared, desk, key)
    known_score = score_of(leaf, known, ply, desk) if known != MISSING else 0
    if known != MISSING and alpha + 1 == beta:
        if settles(kind_of(known), known_score, alpha, beta):
            desk[at + SOLID] = 1 if depth_of(known) == FOR_EVER else 0
            return known_score
    best = -INFINITE
    if checked:
        end = game.fill(s, memory, top)
    else:
        best = estimate(game, leaf, s, ply, desk)
        if known != MISSING and desk[SWITCHES] & SELECTIVE:
            best = better_informed(best, kind_of(known), known_score)
        if best >= beta:
            return best
        end = fill_noisy_moves(game, s, memory, top)
    if end < 0:
        desk[STATUS] = TOO_MANY
        return 0
    if checked and end == top:
        return ended(game, leaf, s, ply, desk)
    if game.is_watched and (leaf is not None or desk[WATCH] == 0) and not are_actions(memory, top, end):
        return trouble(desk, NO_ACTION)
    low = max(alpha, best)
    mover = game.to_move(s)
    ranks, last = end, end + end - top
    rank_all(game, s, memory, top, end, mover, place_of(known) if checked and known != MISSING else NO_PLACE, ply, desk)
    chosen, searched = NO_PLACE, 0
    desk[at + PLAYED] = NOBODY
    depends, solid = INDEPENDENT, checked != 0
    # What an exchange must win to matter at all, with some to spare for what the estimate may gain.
    needed = 0
    if game.advantage is not None and leaf is None and desk[SWITCHES] & MARGINS and not checked:
        needed = max(0, min(alpha, SHOWN_WIN) - best - game.advantage * QUIET_MARGIN // 100)
    for i in range(ranks, last):
        place = pick(memory, i, last)
        action = memory[top + place]
        if (not checked or best > -SURE) and not worth_a_look(game, s, action, needed):
            solid = False
            continue
        after = game.result(s, action)
        known_as = game.table_key(after)
        prefetch(shared, slot_of(leaf, known_as, desk))
        again = False
        if game.repetition is not None:
            if game.reversible is None or game.reversible(after) > 0:
                again = repeats(game, after, ply + 1, desk)
            else:
                # Nothing before can be the same; its key is not worth its time, and no position has this one.
                desk[KEYS + desk[PATH] + ply + 1] = 0
        if again and game.forbids_repetition:
            depends = min(depends, desk[at + FRAME + DEPENDS])
            continue
        check = is_in_check(game, after)
        same = keeps_turn(game, after, mover)
        if again:
            desk[at + FRAME + LENGTH] = 0
            value = draw(game, after, ply + 1, desk) * (1 if same else -1)
        elif same:
            value = quiet_value(game, leaf, after, known_as, low, beta, check, ply + 1, memory, last, desk, shared)
        else:
            value = -quiet_value(game, leaf, after, known_as, -beta, -low, check, ply + 1, memory, last, desk, shared)
        if desk[STATUS] != 0:
            return 0
        firm = desk[at + FRAME + SOLID] != 0
        depends, solid = min(depends, desk[at + FRAME + DEPENDS]), solid and firm
        searched += 1
        if value > best:
            best = value
            if value > low:
                low, chosen = value, place
                follow(desk, ply, action)
                if value >= beta:
                    depends, solid = desk[at + FRAME + DEPENDS], firm
                    break
    if game.forbids_repetition and checked and searched == 0:
        # Nothing that the rules do not forbid as a repetition.
        return ended(game, leaf, s, ply, desk)
    if depends >= desk[PATH] + ply:
        depends = INDEPENDENT
    desk[at + DEPENDS] = depends
    desk[at + SOLID] = 1 if solid else 0
    kind = LOWER if best >= beta else EXACT if best > alpha else UPPER
    if desk[SWITCHES] & PATH_VALUES and (depends != INDEPENDENT or game.forbids_repetition):
        kind = NOTHING
    # Places among the noisy moves alone mean nothing to a search of all moves.
    on_path = alpha + 1 < beta or (known != MISSING and was_on_path(known))
    place = chosen if checked else NO_PLACE
    depth = FOR_EVER if solid and kind != NOTHING else 0
    store(leaf, shared, desk, key, best, place, on_path, depth, kind, ply)
    return best


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
