"""What a simulation does where the tree ends: the game's own playout, a random one, or an estimate."""

from zermelo.bits import u64
from zermelo.compile import as_number, exchange_if, is_finite, kernel, load_float
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.running.statuses import ENDLESS, NO_NUMBER, NO_ODDS, OUT_OF_BOUNDS, OUT_OF_RANGE, TOO_MANY
from zermelo.searches.mcts.blocks import (
    CUT,
    FAR,
    GREATEST,
    HALF,
    HIGHEST,
    LEAST,
    LONGEST,
    LOWEST,
    MARKS_AT,
    MIDDLE,
    ONE,
    PLAYOUTS,
    STATUS,
    SUMS,
    SURE_ENDS,
)
from zermelo.searches.playouts import chance_outcome


@kernel
def room_at(game):
    """Where a thread's room for playouts and actions begins in its memory."""
    return MARKS_AT + game.policy_size


@kernel
def values_at(game):
    """Where the values of the simulation stand, one word a player, behind the room for playouts."""
    return room_at(game) + game.rollout_words


@kernel
def sums_at(game):
    """Where values of several playouts are added up."""
    return values_at(game) + game.players


@kernel
def actions_at(game):
    """Where there is room for actions."""
    return sums_at(game) + game.players


@kernel
def scaled(u, work):
    """A utility in the tree's units."""
    if not is_finite(u):
        work[STATUS] = NO_NUMBER
        return 0
    x = (u - load_float(work, MIDDLE)) / load_float(work, HALF)
    if not -FAR <= x <= FAR:
        work[STATUS] = OUT_OF_RANGE
        return 0
    return int(x * ONE + (0.5 if x >= 0.0 else -0.5))


@kernel
def keep_value(game, player, u, shared, tree, memory, work):
    """Note what a player gets from this simulation, and how far utilities reach."""
    value = scaled(u, work)
    memory[values_at(game) + player] = value
    if work[SURE_ENDS] == 0:
        if shared:
            while value < tree[LEAST]:
                exchange_if(tree, LEAST, tree[LEAST], min(value, tree[LEAST]))
            while value > tree[GREATEST]:
                exchange_if(tree, GREATEST, tree[GREATEST], max(value, tree[GREATEST]))
        else:
            tree[LEAST] = min(value, tree[LEAST])
            tree[GREATEST] = max(value, tree[GREATEST])
    return 0


@kernel
def is_within(u, work):
    """Whether a utility lies between the known ends of the range."""
    return load_float(work, LOWEST) <= u <= load_float(work, HIGHEST)


@kernel
def keep_utilities(game, s, shared, tree, memory, work):
    """Note what everybody gets at the end `s`."""
    for player in range(work[SUMS]):
        value = as_number(game.utility(s, player))
        keep_value(game, player, value, shared, tree, memory, work)
        if work[SURE_ENDS] and is_finite(value) and not is_within(value + 0.0, work):
            work[STATUS] = OUT_OF_BOUNDS
    return 0


@kernel
def keep_draw(game, shared, tree, memory, work):
    """Note a draw by repetition."""
    for player in range(work[SUMS]):
        keep_value(game, player, game.draw_value, shared, tree, memory, work)
    return 0


@kernel
def clear_marks(game, memory):
    """Nobody has played anything."""
    for i in range(game.policy_size):
        memory[MARKS_AT + i] = 0
    return 0


@kernel
def mark(game, s, action, player, memory):
    """Note that a player is the first to play an action, if so."""
    at = MARKS_AT + game.policy_index(s, action)
    if memory[at] == 0:
        memory[at] = player + 1
    return 0


@kernel
def weighted_action(game, s, weight, bits, memory, first, count):
    """An action drawn by its weight; all alike where all weigh nothing."""
    total = 0.0
    for i in range(count):
        total += weight(game, s, memory[first + i])
    if total > 0.0:
        left = uniform(bits) * total
        for i in range(count):
            left -= weight(game, s, memory[first + i])
            if left < 0.0:
                return memory[first + i]
    return memory[first + below(bits, count)]


@kernel
def play_leaf(game, s, weight, estimate, shared, rave, several, buffered, key, tree, memory, work):
    """Play from a leaf as often as wanted, and note what everybody gets on average."""
    play_on(game, s, weight, estimate, shared, rave, several, buffered, key, tree, memory, work)
    if work[PLAYOUTS] > 1:
        values, sums = values_at(game), sums_at(game)
        for player in range(work[SUMS]):
            memory[sums + player] = memory[values + player]
        for i in range(1, work[PLAYOUTS]):
            play_on(game, s, weight, estimate, shared, False, several, buffered, stream(key, i), tree, memory, work)
            for player in range(work[SUMS]):
                memory[sums + player] += memory[values + player]
        for player in range(work[SUMS]):
            memory[values + player] = average(memory[sums + player], work[PLAYOUTS])
    return 0


@kernel
def average(total, n):
    """The mean as an integer, the nearest one below or above."""
    return (2 * total + n) // (2 * n)


@kernel
def play_on(game, s, weight, estimate, shared, rave, several, buffered, key, tree, memory, work):
    """Play a game to its end (or as far as wanted) and note what everybody gets from it.

    With `rave` the actions that were played are marked. Actions that are not `buffered` are counted and picked.
    """
    if game.rollout is not None and weight is None and estimate is None and not several:
        gain = as_number(game.rollout(s, key, memory, room_at(game)))
        if rave:
            for i in range(game.policy_size):
                memory[MARKS_AT + i] = memory[room_at(game) + i]
        return keep_value(game, 0, gain, shared, tree, memory, work)
    if rave:
        clear_marks(game, memory)
    first = actions_at(game)
    moves = 0
    bits = u64(0)
    while not game.is_over(s):
        if estimate is not None and moves >= work[CUT]:
            for player in range(work[SUMS]):
                keep_value(game, player, as_number(estimate(game, s, player)), shared, tree, memory, work)
            return 0
        if moves >= work[LONGEST]:
            work[STATUS] = ENDLESS
            return 0
        count = game.fill(s, memory, first) - first if buffered else game.action_count(s)
        if count <= 0:
            if count < 0:
                work[STATUS] = TOO_MANY
                return 0
            break
        bits = word(key, moves >> 1) if moves & 1 == 0 else bits << 32
        mover = game.to_move(s)
        if game.probability is not None and mover == CHANCE:
            action = chance_outcome(game, s, bits, count, memory, first, buffered)
            if action < 0:
                work[STATUS] = NO_ODDS
                return 0
        elif weight is not None:
            action = weighted_action(game, s, weight, bits, memory, first, count)
        elif buffered:
            action = memory[first + below(bits, count)]
        else:
            action = game.nth_action(s, below(bits, count))
        if rave and mover >= 0:
            mark(game, s, action, mover, memory)
        s = game.result(s, action)
        moves += 1
    return keep_utilities(game, s, shared, tree, memory, work)
