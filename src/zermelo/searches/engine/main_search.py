"""The search itself: principal variation search, and what makes it selective."""

import math

from zermelo import compile as compiled
from zermelo.compile import as_whole, kernel, prefetch
from zermelo.running.faults import are_actions, is_player
from zermelo.running.statuses import NO_ACTION, NO_PLAYER, TOO_MANY
from zermelo.searches.engine.desk import (
    CUT_OFF,
    CUTS,
    DEPENDS,
    FRAME,
    INDEPENDENT,
    INFINITE,
    KILLER,
    MAX_PLY,
    NOBODY,
    PASSED,
    PATH,
    PLAYED,
    QUIET,
    REDUCED,
    ROOM,
    ROOT_DEPTH,
    SECOND_KILLER,
    SOLID,
    STATIC,
    STATUS,
    SURE,
    SWITCHES,
    UNKNOWN,
    WATCH,
    WIN,
    begin_noise,
    enter,
    follow,
    frame,
    trouble,
)
from zermelo.searches.engine.learning import learn_from_estimates, lesson, note_error, refuted_by, reward
from zermelo.searches.engine.ordering import (
    FROM_TABLE,
    KILLING,
    MOST,
    PLACE_BITS,
    PLACES,
    index_of,
    is_noisy_move,
    is_to_be_weighed,
    kind_of_move,
    learned,
    lowered,
    pick,
    place_in,
    rank_all,
    write_places,
)
from zermelo.searches.engine.quiescence import quiet_value
from zermelo.searches.engine.scores import draw, ended, estimate, is_in_check, keeps_turn, repeats
from zermelo.searches.engine.techniques import (
    CHECK_EXTENSIONS,
    GLANCES,
    HISTORY,
    MARGINS,
    NULL_MOVE,
    PATH_VALUES,
    REDUCTIONS,
    SINGULAR_EXTENSIONS,
    SYMMETRY,
    WIN_DISTANCE,
    ZERO_WINDOW,
)
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
    serves,
    settles,
    slot_of,
    store,
    was_on_path,
)
from zermelo.searches.engine.tuning import (
    BAD_PAST,
    ENOUGH,
    ENOUGH_BY_PLY,
    FAR_ABOVE,
    FAR_ABOVE_IMPROVING,
    FAR_BELOW,
    FAR_BELOW_BY_PLY,
    HARDLY,
    LESS,
    LESS_AFTER_CUTS,
    LESS_BEFORE_CUT,
    LESS_BY_LOGARITHMS,
    LESS_NOT_IMPROVING,
    LOSING_CHECK,
    LOSING_NOISE,
    LOSING_QUIET,
    MANY_CUTS,
    MORE_BY_HISTORY,
    MORE_FOR_KILLERS,
    MORE_FOR_LOSING,
    MORE_IN_CHECK,
    MORE_NEAR_PATH,
    MORE_ON_PATH,
    MUCH_REDUCED,
    OUT_OF_REACH,
    OUT_OF_REACH_BY_PLY,
    PASS,
    PASS_BY_PLY,
    PASS_BY_SCORE,
    PLY,
    REACH_BY_HISTORY,
    SHARE_OF_NOISY,
    SHARE_OF_PARENT,
    SINGULAR,
    SINGULAR_DEPTH,
    SINGULAR_TWICE,
    SURPRISE,
    TRUST_ABOVE,
)
from zermelo.searches.plain.walk import without_twins

REDUCTION = compiled.table(
    [[int(LESS + LESS_BY_LOGARITHMS * math.log(d) * math.log(n)) if d * n else 0 for n in range(64)] for d in range(64)]
)
"""By how much a late move is searched less deep, in 1024ths of a ply: by depth and by the number of the move."""
ANY = -1
"""No move is excluded."""
SYMMETRIC_PLIES = 4
"""Mirror images are looked for so far from the root; further on it costs more than it saves."""


@kernel
def tree_value(game, leaf, s, key, alpha, beta, depth, ply, checked, excluded, cut, memory, top, desk, shared):
    """The value of `s` for the player to move, as far as the window tells (fail-soft).

    The table knows `s` by its `key`. `checked` is 1 where that player is in check, `excluded` is the place of a move
    that is left out (to see whether it is the only good one), `cut` 1 where the parent expects a cut-off here.
    """
    if depth <= 0:
        if game.repetition is not None and repeats(game, s, ply, desk) and game.draws_by_repetition:
            earlier = desk[frame(ply) + DEPENDS]
            enter(desk, ply)
            desk[frame(ply) + DEPENDS] = earlier
            return draw(game, s, ply, desk)
        begin_noise(desk, ply)
        return quiet_value(game, leaf, s, key, alpha, beta, checked, ply, memory, top, desk, shared)
    if not enter(desk, ply):
        return 0
    if game.is_over(s):
        return ended(game, leaf, s, ply, desk)
    if game.repetition is not None and repeats(game, s, ply, desk) and game.draws_by_repetition:
        return draw(game, s, ply, desk)
    at = frame(ply)
    desk[at + DEPENDS] = INDEPENDENT
    if ply >= MAX_PLY - 1 or top > desk[ROOM]:
        desk[CUT_OFF] = 1
        return estimate(game, leaf, s, ply, desk)
    switches = desk[SWITCHES]
    if switches & WIN_DISTANCE:
        # The best that can still come is a win with the next move; the worst, to have lost already.
        alpha, beta = max(alpha, -WIN + ply), min(beta, WIN - ply - 1)
        if alpha >= beta:
            desk[at + SOLID] = 1
            return alpha
    on_path = alpha + 1 < beta
    mover = game.to_move(s)

    # Was it searched before?
    known = probe(leaf, shared, desk, key) if excluded == ANY else MISSING
    hint, known_score, known_depth, known_kind = NO_PLACE, 0, -1, NOTHING
    near_path = on_path
    if known != MISSING:
        near_path = near_path or was_on_path(known)
        hint, known_score = place_of(known), score_of(leaf, known, ply, desk)
        known_depth, known_kind = depth_of(known), kind_of(known)
        if (
            serves(known_depth, depth, switches)
            and (not on_path or known_depth == FOR_EVER)
            and settles(known_kind, known_score, alpha, beta)
        ):
            desk[at + SOLID] = 1 if known_depth == FOR_EVER else 0
            return known_score

    # What does the estimate alone tell?
    here, improving = UNKNOWN, False
    desk[at + STATIC] = UNKNOWN
    if game.advantage is not None and switches & (MARGINS | NULL_MOVE | REDUCTIONS) and not checked:
        here = estimate(game, leaf, s, ply, desk)
        desk[at + STATIC] = here
        if leaf is None and switches & HISTORY and ply > 0 and excluded == ANY:
            learn_from_estimates(game, mover, here, ply, desk)
        improving = ply < 2 or here > desk[at - 2 * FRAME + STATIC]
        said = desk[at - FRAME + STATIC]
        if desk[at - FRAME + REDUCED] >= MUCH_REDUCED and UNKNOWN < said <= -here and excluded == ANY:
            # The move before was searched much less deep, and it seems to be none of the bad ones.
            depth += 1
        tells = known_kind == EXACT or (known_kind == LOWER and known_score > here)
        if (tells or (known_kind == UPPER and known_score < here)) and abs(known_score) < SURE:
            here = known_score
    if not on_path and not checked and excluded == ANY:
        if game.advantage is not None and leaf is None and switches & MARGINS and abs(beta) < SURE:
            above = FAR_ABOVE * depth - (FAR_ABOVE_IMPROVING if improving else 0)
            if depth <= 8 and here - game.advantage * above // 100 >= beta:
                return beta + ((here - beta) * TRUST_ABOVE >> 10)
            if depth <= 3 and here + game.advantage * (FAR_BELOW + FAR_BELOW_BY_PLY * depth) // 100 < alpha:
                begin_noise(desk, ply)
                value = quiet_value(game, leaf, s, key, alpha, alpha + 1, checked, ply, memory, top, desk, shared)
                if value <= alpha or desk[STATUS] != 0:
                    desk[at + SOLID] = 0
                    return value
        if game.null is not None and switches & NULL_MOVE and depth >= 3 and (here >= beta or here == UNKNOWN):
            value = value_of_pass(game, leaf, s, beta, depth, ply, here, cut, memory, top, desk, shared)
            if value >= beta or desk[STATUS] != 0:
                desk[at + DEPENDS] = desk[at + FRAME + DEPENDS]
                return beta if value > SURE else value
    if switches & REDUCTIONS and depth >= 4 and hint == NO_PLACE and excluded == ANY:
        depth -= 1

    end = game.fill(s, memory, top)
    if end < 0:
        desk[STATUS] = TOO_MANY
        return 0
    if end == top:
        return ended(game, leaf, s, ply, desk)
    if game.is_watched and not is_player(game, as_whole(mover)):
        return trouble(desk, NO_PLAYER)
    if game.is_watched and (leaf is not None or depth >= 3 or desk[WATCH] == 0) and not are_actions(memory, top, end):
        # Where a game has a score of its own, nodes are many: those near the horizon are looked at a depth later.
        return trouble(desk, NO_ACTION)
    shortened = False
    if game.symmetry_count > 1:
        shortened = ply <= SYMMETRIC_PLIES and switches & SYMMETRY != 0
        if shortened:
            end = without_twins(game, s, memory, top, end, None)
    if leaf is not None and game.repetition is None and depth >= 2 and not on_path and excluded == ANY:
        value = glance(game, leaf, s, mover, beta, depth, ply, memory, top, end, desk, shared)
        if value >= beta or desk[STATUS] != 0:
            return value
    ranks, last = end, end + end - top
    free = last
    if shortened:
        # The table counts places among all actions: those of what is left stand behind the ranks.
        free = write_places(game, s, memory, top, end, last)
        hint = index_of(memory, last, free, hint)
    if hint >= end - top:
        hint = NO_PLACE
    desk[at + 2 * FRAME + KILLER] = NOBODY
    desk[at + 2 * FRAME + SECOND_KILLER] = NOBODY
    desk[at + 2 * FRAME + CUTS] = 0
    best, chosen, low = -INFINITE, NO_PLACE, alpha
    depends, solid, ranked, late = INDEPENDENT, True, False, False
    searched, quiets = 0, 0
    i = ranks - 1
    while i < last - 1:
        i += 1
        # The table's move often settles everything: the others are ranked when it has not.
        if i == ranks and hint != NO_PLACE:
            place = hint
            memory[i] = FROM_TABLE << PLACE_BITS | PLACES - hint
        else:
            if i == (ranks if hint == NO_PLACE else ranks + 1) and not ranked:
                rank_all(game, s, memory, top, end, mover, hint, ply, desk)
                ranked = True
                if hint != NO_PLACE:
                    pick(memory, ranks, last)
            # Of those that are left out anyway nobody asks which is the best.
            place = place_in(memory[i]) if late else pick(memory, i, last)
        if place == excluded:
            continue
        action = memory[top + place]
        noisy = is_noisy_move(game, s, action)
        if noisy and game.exchange is not None and is_to_be_weighed(memory[i]) and not game.exchange(s, action, 0):
            # It looked good by what it takes, but loses more: its turn comes last.
            memory[i] = lowered(memory[i])
            i -= 1
            continue
        prunes = game.advantage is not None and leaf is None and switches & MARGINS and best > -SURE and not checked
        late = late or (prunes and is_late(depth, quiets, improving))
        if late and not noisy:
            solid = False
            continue
        kind = kind_of_move(game, s, action)
        past = 0 if noisy else learned(game, mover, kind, ply, desk)
        after = game.result(s, action)
        check = is_in_check(game, after)
        if prunes and is_hopeless(game, s, action, noisy, check, past, here, low, depth, searched):
            solid = False
            continue
        if game.forbids_repetition and repeats(game, after, ply + 1, desk):
            depends = min(depends, desk[at + FRAME + DEPENDS])
            continue
        known_as = game.table_key(after)
        prefetch(shared, slot_of(leaf, known_as, desk))
        more = 0
        if place == hint and switches & SINGULAR_EXTENSIONS and depth >= SINGULAR_DEPTH and excluded == ANY:
            if known_kind >= LOWER and known_depth >= depth - 3 and abs(known_score) < SURE:
                aim = known_score - depth
                if game.advantage is not None and leaf is None:
                    aim = known_score - depth * SINGULAR * game.advantage // 6400
                value = tree_value(
                    game, leaf, s, key, aim - 1, aim, (depth - 1) // 2, ply, checked, place, cut, memory, free, desk,
                    shared,
                )  # fmt: skip
                if desk[STATUS] != 0:
                    return 0
                if value < aim and ply < 2 * desk[ROOT_DEPTH]:
                    more = 1
                    if game.advantage is not None and leaf is None and not on_path and ply < desk[ROOT_DEPTH]:
                        more = 2 if value < aim - game.advantage * SINGULAR_TWICE // 100 else 1
                elif aim >= beta:
                    desk[at + SOLID] = 0
                    return aim if leaf is None else beta
                elif known_score >= beta:
                    more = -1
        if check and switches & CHECK_EXTENSIONS and ply < 2 * desk[ROOT_DEPTH]:
            if game.exchange is None or game.exchange(s, action, 0):
                more = 1
        desk[at + PLAYED] = kind
        desk[at + QUIET] = 0 if noisy else 1
        same = keeps_turn(game, after, mover)
        ahead = depth - 1 + more
        full, value = True, 0
        if searched > 0 and switches & ZERO_WINDOW:
            # Others need only be shown to be no better: with a window of nothing, late ones less deep. Those that
            # surprise are searched again.
            less = 0
            if switches & REDUCTIONS and depth >= 3 and searched > (2 if on_path else 1):
                less = reduction(depth, searched, noisy, memory[i] >> PLACE_BITS, past)
                less += (0 if improving else LESS_NOT_IMPROVING) + (LESS_BEFORE_CUT if cut else 0)
                less += LESS_AFTER_CUTS if desk[at + FRAME + CUTS] > MANY_CUTS else 0
                less -= (MORE_ON_PATH if on_path else 0) + (MORE_NEAR_PATH if near_path else 0)
                less -= MORE_IN_CHECK if check or checked else 0
                less = min(max(less >> 10, 0), ahead - 1)
            desk[at + REDUCED] = less
            value = child(
                game, leaf, after, known_as, same, low, low + 1, ahead - less, ply, check, 1, memory, free, desk, shared
            )  # fmt: skip
            desk[at + REDUCED] = 0
            if value > low and less > 0:
                if game.advantage is not None and leaf is None:
                    if ahead > 1 and value < best + game.advantage * HARDLY // 100:
                        ahead -= 1
                    elif less > 1 and best > -SURE and ply < 2 * desk[ROOT_DEPTH]:
                        ahead += 1 if value > best + game.advantage * SURPRISE // 100 else 0
                value = child(
                    game, leaf, after, known_as, same, low, low + 1, ahead, ply, check, 1 - cut, memory, free, desk,
                    shared,
                )  # fmt: skip
            full = low < value < beta and on_path
        if full:
            expects_cut = 0 if on_path else 1 - cut
            value = child(
                game, leaf, after, known_as, same, low, beta, ahead, ply, check, expects_cut, memory, free, desk, shared
            )  # fmt: skip
        if desk[STATUS] != 0:
            return 0
        searched += 1
        if not noisy:
            quiets += 1
        firm = desk[at + FRAME + SOLID] != 0
        depends, solid = min(depends, desk[at + FRAME + DEPENDS]), solid and firm
        if value > best:
            best = value
            if value > low:
                low, chosen = value, place
                follow(desk, ply, action)
                if value >= beta:
                    desk[at + CUTS] += 1
                    # The one move proves the bound, whatever the others rest on.
                    depends, solid = desk[at + FRAME + DEPENDS], firm
                    refuted_by(game, s, action, noisy, mover, ply, depth, memory, ranks, i, top, desk)
                    break
    if searched == 0:
        # Nothing but the excluded move, or nothing that the rules do not forbid as a repetition.
        return alpha if excluded != ANY else ended(game, leaf, s, ply, desk)
    if game.advantage is not None and leaf is None and switches & MARGINS and not on_path and excluded == ANY:
        # How far above the window a value lies is the less certain the less deep it was searched.
        if -SURE < beta <= best < SURE:
            best = (best * depth + beta) // (depth + 1)
    if depends >= desk[PATH] + ply:
        depends = INDEPENDENT
    desk[at + DEPENDS] = depends
    desk[at + SOLID] = 1 if solid else 0
    if game.structure is not None and game.advantage is not None and leaf is None and excluded == ANY:
        note_error(game, s, best, alpha, beta, depth, checked, chosen, top, ply, memory, desk)
    if excluded == ANY:
        kind = LOWER if best >= beta else EXACT if best > alpha else UPPER
        if kind == UPPER and ply > 0 and desk[at - FRAME + QUIET] and desk[at - FRAME + PLAYED] >= 0:
            # The move before has no good answer.
            bonus = lesson(depth) * SHARE_OF_PARENT >> 10
            reward(game, 1 - mover, desk[at - FRAME + PLAYED], ply - 1, bonus, desk)
        if switches & PATH_VALUES and (depends != INDEPENDENT or game.forbids_repetition):
            # Where repetition is forbidden, what is legal further on depends on all that came before.
            kind = NOTHING
        depth = FOR_EVER if solid and kind != NOTHING else depth
        if shortened and chosen != NO_PLACE:
            chosen = memory[last + chosen]
        store(leaf, shared, desk, key, best, chosen, near_path, depth, kind, ply)
    return best


@kernel
def child(game, leaf, after, key, same, low, high, depth, ply, check, cut, memory, top, desk, shared):
    """The value of the position after a move, for the player who made it."""
    if desk[STATUS] != 0:
        return 0
    alpha, beta = (low, high) if same else (-high, -low)
    value = tree_value(game, leaf, after, key, alpha, beta, depth, ply + 1, check, ANY, cut, memory, top, desk, shared)
    return value if same else -value


@kernel
def glance(game, leaf, s, mover, beta, depth, ply, memory, top, end, desk, shared):
    """A value of `beta` or more where some move ends the game with one, or leads to where the table knows one.

    Else less. To look at all of them costs a fraction of the search of the first.
    """
    at = frame(ply)
    for i in range(top, end if desk[SWITCHES] & GLANCES else top):
        after = game.result(s, memory[i])
        same = keeps_turn(game, after, mover)
        value, firm = -INFINITE, False
        if game.is_over(after):
            value = ended(game, leaf, after, ply + 1, desk)
            value = value if same else -value
            firm = desk[at + FRAME + SOLID] != 0
        elif depth >= 6:
            known = probe(leaf, shared, desk, game.table_key(after))
            if known != MISSING and serves(depth_of(known), depth - 1, desk[SWITCHES]):
                bound = kind_of(known)
                if bound == EXACT or bound == (LOWER if same else UPPER):
                    value = score_of(leaf, known, ply + 1, desk)
                    value = value if same else -value
                    firm = depth_of(known) == FOR_EVER
        if value >= beta:
            desk[at + SOLID] = 1 if firm else 0
            return value
    return -INFINITE


@kernel
def value_of_pass(game, leaf, s, beta, depth, ply, here, cut, memory, top, desk, shared):
    """What the player to move has even after a pass, searched less deep; below `beta` where a pass tells nothing."""
    at = frame(ply)
    passed = game.null(s)
    if desk[at - FRAME + PLAYED] == PASSED or abs(beta) >= SURE or game.to_move(passed) == game.to_move(s):
        return beta - 1
    less = (PASS + PASS_BY_PLY * depth) // PLY
    if game.advantage is not None and leaf is None:
        less += min(3, (here - beta) * 100 // (PASS_BY_SCORE * game.advantage))
    desk[at + PLAYED] = PASSED
    return -tree_value(
        game, leaf, passed, game.table_key(passed), -beta, -beta + 1, depth - less, ply + 1, 0, ANY, 1 - cut, memory,
        top, desk, shared,
    )  # fmt: skip


@kernel
def is_late(depth, quiets, improving):
    """Whether enough quiet moves were searched near the depth limit."""
    return depth <= 8 and quiets > (ENOUGH + ENOUGH_BY_PLY * depth * depth) // (PLY if improving else 2 * PLY)


@kernel
def is_hopeless(game, s, action, noisy, check, past, here, low, depth, searched):
    """Whether a move is left out near the depth limit: it loses too much, was bad in the past, or is out of reach."""
    if check:
        return game.exchange is not None and depth <= 4 and not may_lose(game, s, action, LOSING_CHECK * depth)
    if noisy:
        return game.exchange is not None and depth <= 7 and not may_lose(game, s, action, LOSING_NOISE * depth)
    ahead = max(0, depth - (REDUCTION[min(depth, 63), min(searched, 63)] >> 10))
    reach = game.advantage * (OUT_OF_REACH + OUT_OF_REACH_BY_PLY * ahead) // 100 + past * REACH_BY_HISTORY // 1024
    if ahead <= 7 and here + reach <= low:
        return True
    if ahead <= 3 and past < -BAD_PAST * (ahead + 1):
        return True
    return game.exchange is not None and depth <= 8 and not may_lose(game, s, action, LOSING_QUIET * ahead * ahead)


@kernel
def may_lose(game, s, action, most):
    """Whether the captures that an action begins lose no more than so many hundredths of an advantage."""
    return game.exchange(s, action, -game.advantage * most // 100)


@kernel
def reduction(depth, searched, noisy, rank, past):
    """By how much a late move is searched less deep, in 1024ths of a ply, by what is known of the move alone."""
    less = REDUCTION[min(depth, 63), min(searched, 63)]
    if noisy:
        return less * SHARE_OF_NOISY >> 10 if rank >= 0 else less - MORE_FOR_LOSING
    if rank >= KILLING:
        less -= MORE_FOR_KILLERS
    return less - past * MORE_BY_HISTORY // (MOST // 2)
