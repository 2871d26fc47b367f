"""The main search: principal variation search, and what makes it selective.

A position is searched in the order of this module: what the table knows, what the estimate alone tells, the moves, what
is kept. The caller fills the first fields of the child's `Frame` on the desk; `node_value` fills the rest.
"""

import math

from zermelo import compile as compiled
from zermelo.compile import as_whole, kernel, prefetch
from zermelo.running.faults import are_actions, is_player
from zermelo.running.statuses import FINE, NO_ACTION, NO_PLAYER, TOO_MANY
from zermelo.searches.engine import techniques as on
from zermelo.searches.engine import tuning
from zermelo.searches.engine.desk import (
    ANY,
    BEFORE,
    BELOW,
    HERE,
    INDEPENDENT,
    NEXT,
    NOBODY,
    PASSED,
    begin_noise,
    draw,
    enter,
    follow,
    repeats,
    trouble,
)
from zermelo.searches.engine.estimates import ended, estimate, is_in_check
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
    learn_from_cut,
    learn_from_estimate,
    learn_from_value,
    learned,
    lesson,
    lowered,
    pick,
    place_in,
    rank_all,
    reward,
    write_places,
)
from zermelo.searches.engine.quiescence import quiet_value
from zermelo.searches.engine.scores import INFINITE, MAX_PLY, SURE, UNKNOWN, WIN, keeps_turn
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
    packed,
    place_of,
    probe,
    score_of,
    serves,
    settles,
    slot_of,
    store,
    was_on_path,
)
from zermelo.searches.symmetry import without_twins

REDUCTION = compiled.table(
    [
        [int(tuning.LESS + tuning.LESS_BY_LOGARITHMS * math.log(d) * math.log(n)) if d * n else 0 for n in range(64)]
        for d in range(64)
    ]
)
"""By how much a late move is searched less deep, in 1024ths of a ply: by depth and by the number of the move."""
SYMMETRIC_PLIES = 4
"""Mirror images are looked for so far from the root; further on it costs more than it saves."""


@kernel
def node_value(game, setup, s, alpha, beta, depth, ply, desk):
    """The value of `s` for the player to move, as far as the window tells (fail-soft)."""
    if depth <= 0:
        return value_at_limit(game, setup, s, alpha, beta, ply, desk)
    if not enter(desk, ply):
        return 0
    if game.is_over(s):
        return ended(game, setup, s, ply, desk)
    if game.repetition is not None and repeats(game, s, ply, desk) and game.draws_by_repetition:
        return draw(game, s, ply, desk)
    here, techniques = desk.frames[ply + HERE], desk.techniques
    here.depends = INDEPENDENT
    if ply >= MAX_PLY - 1 or here.top > desk.room:
        desk.cut_off = 1
        return estimate(game, setup, s, ply, desk)
    if techniques & on.WIN_DISTANCE:
        # The best that can still come is a win with the next move; the worst, to have lost already.
        alpha, beta = max(alpha, -WIN + ply), min(beta, WIN - ply - 1)
        if alpha >= beta:
            here.solid = 1
            return alpha

    # Was it searched before?
    value = value_by_table(setup, alpha, beta, depth, ply, desk)
    if value != UNKNOWN:
        return value

    # What does the estimate alone tell?
    depth += judge(game, setup, s, ply, desk)
    if not here.on_path and not here.checked and here.excluded == ANY:
        value = value_by_estimate(game, setup, s, alpha, beta, depth, ply, desk)
        if value != UNKNOWN:
            return value
    if techniques & on.REDUCTIONS and depth >= 4 and place_of(here.known) == NO_PLACE and here.excluded == ANY:
        depth -= 1

    # Which move is best?
    value = write_moves(game, setup, s, depth, ply, desk)
    if value != UNKNOWN:
        return value
    if not setup.own_units and game.repetition is None and depth >= 2 and not here.on_path and here.excluded == ANY:
        value = glance(game, setup, s, beta, depth, ply, desk)
        if value >= beta or desk.status != FINE:
            return value
    after_next = desk.frames[ply + NEXT]
    after_next.killer, after_next.second_killer, after_next.cuts = NOBODY, NOBODY, 0
    value = try_without_hint(game, setup, s, beta, depth, ply, desk)
    if value != UNKNOWN:
        return value
    best = best_of_moves(game, setup, s, alpha, beta, depth, ply, desk)
    if desk.status != FINE:
        return 0
    if here.searched == 0:
        # Nothing but the excluded move, or nothing that the rules do not forbid as a repetition.
        here.depends, here.solid = INDEPENDENT, 0
        return alpha if here.excluded != ANY else ended(game, setup, s, ply, desk)
    if here.depends >= desk.past + ply:
        here.depends = INDEPENDENT
    return best if here.excluded != ANY else kept(game, setup, s, alpha, beta, depth, ply, desk)


@kernel
def value_at_limit(game, setup, s, alpha, beta, ply, desk):
    """The value at the depth limit, where noisy moves alone are searched on."""
    if game.repetition is not None and repeats(game, s, ply, desk) and game.draws_by_repetition:
        here = desk.frames[ply + HERE]
        earlier = here.depends
        enter(desk, ply)
        here.depends = earlier
        return draw(game, s, ply, desk)
    begin_noise(desk, ply)
    return quiet_value(game, setup, s, alpha, beta, ply, desk)


@kernel
def child(game, setup, after, low, high, depth, ply, desk):
    """The value of the position after a move, for the player who made it."""
    if desk.status != FINE:
        return 0
    desk.frames[ply + BELOW].excluded = ANY
    same = desk.frames[ply + HERE].same
    alpha, beta = (low, high) if same else (-high, -low)
    value = node_value(game, setup, after, alpha, beta, depth, ply + 1, desk)
    return value if same else -value


# --- what the table knows ---------------------------------------------------------------------------------------------


@kernel
def value_by_table(setup, alpha, beta, depth, ply, desk):
    """The value that an earlier search found, where that is deep enough and answers the question; else UNKNOWN.

    What else is known of the position goes into its frame.
    """
    here = desk.frames[ply + HERE]
    known = probe(setup, desk.table, here.key) if here.excluded == ANY else MISSING
    on_path, score = alpha + 1 < beta, 0
    here.on_path, here.near_path = 1 if on_path else 0, 1 if on_path else 0
    if known != MISSING:
        score = score_of(setup, desk.table, known, ply)
        solid = depth_of(known) == FOR_EVER
        here.near_path = 1 if on_path or was_on_path(known) else 0
        if serves(depth_of(known), depth, desk.techniques) and (not on_path or solid):
            if settles(kind_of(known), score, alpha, beta):
                here.solid = 1 if solid else 0
                return score
    here.known, here.known_score = known, score
    return UNKNOWN


# --- what the estimate alone tells -----------------------------------------------------------------------------------


@kernel
def judge(game, setup, s, ply, desk):
    """Write down what the position seems to be worth; by how many plies that makes the search deeper."""
    here, before, techniques = desk.frames[ply + HERE], desk.frames[ply + BEFORE], desk.techniques
    here.static, here.worth, here.improving = UNKNOWN, UNKNOWN, 0
    more = 0
    if game.advantage is not None and techniques & (on.MARGINS | on.NULL_MOVE | on.REDUCTIONS) and not here.checked:
        value = estimate(game, setup, s, ply, desk)
        here.static = value
        if setup.own_units and techniques & on.HISTORY and ply > 0 and here.excluded == ANY:
            learn_from_estimate(game, game.to_move(s), value, ply, desk)
        here.improving = 1 if ply < 2 or value > desk.frames[ply + HERE - 2].static else 0
        if before.reduced >= tuning.MUCH_REDUCED and UNKNOWN < before.static <= -value and here.excluded == ANY:
            # The move before was searched much less deep, and it seems to be none of the bad ones.
            more = 1
        kind, score = kind_of(here.known), here.known_score
        tells = kind == EXACT or (kind == LOWER and score > value) or (kind == UPPER and score < value)
        here.worth = score if tells and abs(score) < SURE else value
    return more


@kernel
def value_by_estimate(game, setup, s, alpha, beta, depth, ply, desk):
    """A value outside of the window, where the estimate or a pass gives one; else UNKNOWN."""
    here, techniques = desk.frames[ply + HERE], desk.techniques
    worth = here.worth
    if setup.has_margins and techniques & on.MARGINS and abs(beta) < SURE:
        above = tuning.FAR_ABOVE * depth - (tuning.FAR_ABOVE_IMPROVING if here.improving else 0)
        if depth <= 8 and worth - game.advantage * above // 100 >= beta:
            return beta + ((worth - beta) * tuning.TRUST_ABOVE >> 10)
        below = tuning.FAR_BELOW + tuning.FAR_BELOW_BY_PLY * depth
        if depth <= 3 and worth + game.advantage * below // 100 < alpha:
            begin_noise(desk, ply)
            value = quiet_value(game, setup, s, alpha, alpha + 1, ply, desk)
            if value <= alpha or desk.status != FINE:
                here.solid = 0
                return value
    if game.null is not None and techniques & on.NULL_MOVE and depth >= 3 and (worth >= beta or worth == UNKNOWN):
        value = value_of_pass(game, setup, s, beta, depth, ply, desk)
        if value >= beta or desk.status != FINE:
            here.depends = desk.frames[ply + BELOW].depends
            return beta if value > SURE else value
    return UNKNOWN


@kernel
def value_of_pass(game, setup, s, beta, depth, ply, desk):
    """What the player to move has even after a pass, searched less deep; below `beta` where a pass tells nothing."""
    here, below = desk.frames[ply + HERE], desk.frames[ply + BELOW]
    passed = game.null(s)
    if desk.frames[ply + BEFORE].played == PASSED or abs(beta) >= SURE or game.to_move(passed) == game.to_move(s):
        return beta - 1
    less = (tuning.PASS + tuning.PASS_BY_PLY * depth) // tuning.PLY
    if setup.has_margins:
        less += min(3, (here.worth - beta) * 100 // (tuning.PASS_BY_SCORE * game.advantage))
    here.played = PASSED
    below.key, below.checked, below.cut, below.excluded = game.table_key(passed), 0, 1 - here.cut, ANY
    below.top = here.top
    return -node_value(game, setup, passed, -beta, -beta + 1, depth - less, ply + 1, desk)


# --- the moves -------------------------------------------------------------------------------------------------------


@kernel
def write_moves(game, setup, s, depth, ply, desk):
    """Write the actions; UNKNOWN, or the value of the position where there are none or something is wrong."""
    here, stack = desk.frames[ply + HERE], desk.stack
    top = here.top
    end = game.fill(s, stack, top)
    if end < 0:
        desk.status = TOO_MANY
        return 0
    if end == top:
        return ended(game, setup, s, ply, desk)
    if game.is_watched and not is_player(game, as_whole(game.to_move(s))):
        return trouble(desk, NO_PLAYER)
    if game.is_watched and (not setup.own_units or depth >= 3 or desk.watch == 0) and not are_actions(stack, top, end):
        # Where a game has a score of its own, nodes are many: those near the horizon are looked at a depth later.
        return trouble(desk, NO_ACTION)
    hint, shortened = place_of(here.known), False
    if game.symmetry_count > 1:
        shortened = is_shortened(ply, desk)
        if shortened:
            end = without_twins(game, s, stack, top, end, None)
    last = end + end - top
    here.end, here.free = end, last
    if shortened:
        # The table counts places among all actions: those of what is left stand behind the ranks.
        here.free = write_places(game, s, stack, top, end, last)
        hint = index_of(stack, last, here.free, hint)
    here.hint = hint if hint < end - top else NO_PLACE
    return UNKNOWN


@kernel
def is_shortened(ply, desk):
    """Whether of actions that are mirror images the first alone is searched."""
    return ply <= SYMMETRIC_PLIES and desk.techniques & on.SYMMETRY != 0


@kernel
def glance(game, setup, s, beta, depth, ply, desk):
    """A value of `beta` or more where some move ends the game with it, or the table knows it of the position after it.

    Otherwise a lower value. Looking at all moves costs a fraction of searching the first one.
    """
    here, below, mover = desk.frames[ply + HERE], desk.frames[ply + BELOW], game.to_move(s)
    for i in range(here.top, here.end if desk.techniques & on.GLANCES else here.top):
        after = game.result(s, desk.stack[i])
        same = keeps_turn(game, after, mover)
        value, firm = -INFINITE, False
        if game.is_over(after):
            value = ended(game, setup, after, ply + 1, desk)
            value = value if same else -value
            firm = below.solid != 0
        elif depth >= 6:
            known = probe(setup, desk.table, game.table_key(after))
            if known != MISSING and serves(depth_of(known), depth - 1, desk.techniques):
                bound = kind_of(known)
                if bound == EXACT or bound == (LOWER if same else UPPER):
                    value = score_of(setup, desk.table, known, ply + 1)
                    value = value if same else -value
                    firm = depth_of(known) == FOR_EVER
        if value >= beta:
            here.solid = 1 if firm else 0
            return value
    return -INFINITE


@kernel
def try_without_hint(game, setup, s, beta, depth, ply, desk):
    """See whether the table's move is the only good one, and write down by how many plies it is searched deeper.

    Returns a value where another move reaches `beta` as well, else UNKNOWN.
    """
    here = desk.frames[ply + HERE]
    here.more = 0
    known, score = here.known, here.known_score
    if here.hint == NO_PLACE or depth < tuning.SINGULAR_DEPTH or desk.techniques & on.SINGULAR_EXTENSIONS == 0:
        return UNKNOWN
    if kind_of(known) < LOWER or depth_of(known) < depth - 3 or abs(score) >= SURE:
        return UNKNOWN
    if game.forbids_repetition and repeats(game, game.result(s, desk.stack[here.top + here.hint]), ply + 1, desk):
        return UNKNOWN
    aim = score - depth
    if setup.has_margins:
        aim = score - depth * tuning.SINGULAR * game.advantage // 6400
    value = value_without(game, setup, s, aim, depth, ply, desk)
    if desk.status != FINE:
        return 0
    if value < aim and ply < 2 * desk.root_depth:
        here.more = 1
        if setup.has_margins and not here.on_path and ply < desk.root_depth:
            here.more = 2 if value < aim - game.advantage * tuning.SINGULAR_TWICE // 100 else 1
    elif aim >= beta:
        here.solid = 0
        return aim if setup.own_units else beta
    elif score >= beta:
        here.more = -1
    return UNKNOWN


@kernel
def value_without(game, setup, s, aim, depth, ply, desk):
    """The value, against `aim`, of all moves but the table's, searched half as deep; they use the frame meanwhile."""
    here = desk.frames[ply + HERE]
    top, end, free, hint = here.top, here.end, here.free, here.hint
    on_path, near_path, worth, improving = here.on_path, here.near_path, here.worth, here.improving
    here.excluded, here.top = hint, free
    value = node_value(game, setup, s, aim - 1, aim, (depth - 1) // 2, ply, desk)
    here.excluded, here.top, here.end, here.free, here.hint = ANY, top, end, free, hint
    here.on_path, here.near_path, here.worth, here.improving = on_path, near_path, worth, improving
    return value


@kernel
def best_of_moves(game, setup, s, alpha, beta, depth, ply, desk):
    """Search one move after the other; the best value."""
    here, below, stack = desk.frames[ply + HERE], desk.frames[ply + BELOW], desk.stack
    mover, low, last = game.to_move(s), alpha, here.end + here.end - here.top
    depends, solid, late = INDEPENDENT, True, False
    here.best, here.chosen, here.searched, here.quiets = -INFINITE, NO_PLACE, 0, 0
    for i in range(here.end, last):
        place = next_place(game, s, i, late, ply, desk)
        if place == here.excluded:
            continue
        action = stack[here.top + place]
        noisy = is_noisy_move(game, s, action)
        prunes = setup.has_margins and desk.techniques & on.MARGINS and here.best > -SURE and not here.checked
        late = late or (prunes and is_late(depth, here.quiets, here.improving))
        if late and not noisy:
            solid = False
            continue
        here.quiet, kind = 0 if noisy else 1, kind_of_move(game, s, action)
        past = 0 if noisy else learned(game, mover, kind, ply, desk)
        after = game.result(s, action)
        below.checked = is_in_check(game, after)
        if prunes and is_hopeless(game, s, action, past, low, depth, here, below.checked):
            solid = False
            continue
        if game.forbids_repetition and repeats(game, after, ply + 1, desk):
            depends = min(depends, below.depends)
            continue
        below.key, below.top = game.table_key(after), here.free
        prefetch(desk.table.entries, slot_of(setup, desk.table, below.key))
        more = here.more if place == here.hint else 0
        if below.checked and desk.techniques & on.CHECK_EXTENSIONS and ply < 2 * desk.root_depth:
            if game.exchange is None or game.exchange(s, action, 0):
                more = 1
        here.played, here.same = kind, keeps_turn(game, after, mover)
        here.reduced = reduction(depth, depth - 1 + more, stack[i] >> PLACE_BITS, past, ply, desk)
        value = value_of_move(game, setup, after, low, beta, depth - 1 + more, ply, desk)
        if desk.status != FINE:
            return 0
        here.searched += 1
        here.quiets += here.quiet
        firm = below.solid != 0
        depends, solid = min(depends, below.depends), solid and firm
        if value > here.best:
            here.best = value
            if value > low:
                low, here.chosen = value, place
                follow(desk, ply, action)
                if value >= beta:
                    here.cuts += 1
                    # This move alone proves the bound, whatever the values of the others depend on.
                    depends, solid = below.depends, firm
                    learn_from_cut(game, s, action, i, depth, ply, desk)
                    break
    here.depends, here.solid = depends, 1 if solid else 0
    return here.best


@kernel
def next_place(game, s, i, late, ply, desk):
    """The place of the move that is tried next, whose rank stands at `i` then."""
    here, stack = desk.frames[ply + HERE], desk.stack
    first, last = here.end, here.end + here.end - here.top
    if here.hint == NO_PLACE:
        if i == first:
            rank_all(game, s, NO_PLACE, ply, desk)
    elif i == first:
        # The table's move often cuts off: the others are ranked only when it has not.
        stack[i] = FROM_TABLE << PLACE_BITS | PLACES - here.hint
        return here.hint
    elif i == first + 1:
        rank_all(game, s, here.hint, ply, desk)
        pick(stack, first, last)
    while True:
        # Late moves are left out anyway, whichever of them ranks highest.
        place = place_in(stack[i]) if late else pick(stack, i, last)
        if game.exchange is None or place == here.excluded or not is_to_be_weighed(stack[i]):
            return place
        action = stack[here.top + place]
        if not is_noisy_move(game, s, action) or game.exchange(s, action, 0):
            return place
        # It looked good by what it takes, but loses more: its turn comes last.
        stack[i] = lowered(stack[i])


@kernel
def value_of_move(game, setup, after, low, beta, depth, ply, desk):
    """The value of a move: the first one with an open window.

    Others need only be shown to be no better: with a zero window, late ones less deep. Those that surprise are
    searched again.
    """
    here, below = desk.frames[ply + HERE], desk.frames[ply + BELOW]
    full, value, less = True, 0, here.reduced
    if here.searched > 0 and desk.techniques & on.ZERO_WINDOW:
        below.cut = 1
        value = child(game, setup, after, low, low + 1, depth - less, ply, desk)
        here.reduced = 0
        if value > low and less > 0:
            if setup.has_margins:
                depth += surprise(game, value, depth, less, ply, desk)
            below.cut = 1 - here.cut
            value = child(game, setup, after, low, low + 1, depth, ply, desk)
        full = low < value < beta and here.on_path != 0
    if full:
        below.cut = 0 if here.on_path else 1 - here.cut
        value = child(game, setup, after, low, beta, depth, ply, desk)
    return value


@kernel
def surprise(game, value, depth, less, ply, desk):
    """By how many plies a reduced move that turned out well is searched deeper the second time (-1: less deep)."""
    best = desk.frames[ply + HERE].best
    if depth > 1 and value < best + game.advantage * tuning.HARDLY // 100:
        return -1
    if less > 1 and best > -SURE and ply < 2 * desk.root_depth:
        return 1 if value > best + game.advantage * tuning.SURPRISE // 100 else 0
    return 0


@kernel
def is_late(depth, quiets, improving):
    """Whether enough quiet moves were searched near the depth limit."""
    enough = tuning.ENOUGH + tuning.ENOUGH_BY_PLY * depth * depth
    return depth <= 8 and quiets > enough // (tuning.PLY if improving else 2 * tuning.PLY)


@kernel
def is_hopeless(game, s, action, past, low, depth, here, check):
    """Whether a move is left out near the depth limit: it loses too much, was bad in the past, or is out of reach."""
    if check:
        return game.exchange is not None and depth <= 4 and not may_lose(game, s, action, tuning.LOSING_CHECK * depth)
    if not here.quiet:
        return game.exchange is not None and depth <= 7 and not may_lose(game, s, action, tuning.LOSING_NOISE * depth)
    ahead = max(0, depth - (REDUCTION[min(depth, 63), min(here.searched, 63)] >> 10))
    reach = game.advantage * (tuning.OUT_OF_REACH + tuning.OUT_OF_REACH_BY_PLY * ahead) // 100
    reach += past * tuning.REACH_BY_HISTORY // 1024
    if ahead <= 7 and here.worth + reach <= low:
        return True
    if ahead <= 3 and past < -tuning.BAD_PAST * (ahead + 1):
        return True
    most = tuning.LOSING_QUIET * ahead * ahead
    return game.exchange is not None and depth <= 8 and not may_lose(game, s, action, most)


@kernel
def may_lose(game, s, action, most):
    """Whether the captures that an action begins lose no more than so many hundredths of an advantage."""
    return game.exchange(s, action, -game.advantage * most // 100)


@kernel
def reduction(depth, ahead, rank, past, ply, desk):
    """By how many plies a late move is searched less deep."""
    here, below, techniques = desk.frames[ply + HERE], desk.frames[ply + BELOW], desk.techniques
    searched = here.searched
    if depth < 3 or searched <= (2 if here.on_path else 1) or techniques & on.ZERO_WINDOW == 0:
        return 0
    if techniques & on.REDUCTIONS == 0:
        return 0
    less = reduction_of_move(depth, searched, here.quiet, rank, past)
    less += (0 if here.improving else tuning.LESS_NOT_IMPROVING) + (tuning.LESS_BEFORE_CUT if here.cut else 0)
    less += tuning.LESS_AFTER_CUTS if below.cuts > tuning.MANY_CUTS else 0
    less -= (tuning.MORE_ON_PATH if here.on_path else 0) + (tuning.MORE_NEAR_PATH if here.near_path else 0)
    less -= tuning.MORE_IN_CHECK if below.checked or here.checked else 0
    return min(max(less >> 10, 0), ahead - 1)


@kernel
def reduction_of_move(depth, searched, quiet, rank, past):
    """The reduction in 1024ths of a ply, by what is known of the move alone."""
    less = REDUCTION[min(depth, 63), min(searched, 63)]
    if not quiet:
        return less * tuning.SHARE_OF_NOISY >> 10 if rank >= 0 else less - tuning.MORE_FOR_LOSING
    if rank >= KILLING:
        less -= tuning.MORE_FOR_KILLERS
    return less - past * tuning.MORE_BY_HISTORY // (MOST // 2)


# --- what is kept ----------------------------------------------------------------------------------------------------


@kernel
def kept(game, setup, s, alpha, beta, depth, ply, desk):
    """The value of a position whose moves were searched, kept in the table and learned from."""
    here, best, techniques = desk.frames[ply + HERE], desk.frames[ply + HERE].best, desk.techniques
    if setup.has_margins and techniques & on.MARGINS and not here.on_path and -SURE < beta <= best < SURE:
        # How far above the window a value lies is the less certain the less deep it was searched.
        best = (best * depth + beta) // (depth + 1)
    if game.structure is not None and setup.has_margins:
        learn_from_value(game, s, best, alpha, beta, depth, ply, desk)
    kind, before = LOWER if best >= beta else EXACT if best > alpha else UPPER, desk.frames[ply + BEFORE]
    if kind == UPPER and ply > 0 and before.quiet and before.played >= 0:
        # The move before has no good answer.
        bonus = lesson(depth) * tuning.SHARE_OF_PARENT >> 10
        reward(game, 1 - game.to_move(s), before.played, ply - 1, bonus, desk)
    if techniques & on.PATH_VALUES and (here.depends != INDEPENDENT or game.forbids_repetition):
        # Where repetition is forbidden, what is legal further on depends on all that came before.
        kind = NOTHING
    if here.solid and kind != NOTHING:
        depth = FOR_EVER
    chosen = here.chosen
    if game.symmetry_count > 1 and is_shortened(ply, desk) and chosen != NO_PLACE:
        chosen = desk.stack[here.end + here.end - here.top + chosen]
    store(setup, desk.table, here.key, best, ply, packed(chosen, here.near_path, depth, kind))
    return best
