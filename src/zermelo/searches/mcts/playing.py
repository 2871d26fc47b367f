"""What a simulation does where the tree ends: the game's own playout, a random one, or an estimate."""

from zermelo.bits import u64
from zermelo.compile import kernel, load_float
from zermelo.compile.random import below, uniform, word
from zermelo.contract import CHANCE
from zermelo.searches.mcts.layout import (
    CUT,
    ENDLESS,
    FAR,
    GREATEST,
    HALF,
    LEAST,
    LONGEST,
    MARKS_AT,
    MIDDLE,
    MOVES,
    ONE,
    OUT_OF_RANGE,
    STATUS,
    SUMS,
    SURE_ENDS,
    TOO_MANY,
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
def actions_at(game):
    """Where there is room for actions."""
    return values_at(game) + game.players


@kernel
def scaled(u, work):
    """A utility in the tree's units."""
    x = (u - load_float(work, MIDDLE)) / load_float(work, HALF)
    if x > FAR or x < -FAR:
        work[STATUS] = OUT_OF_RANGE
        return 0
    return int(x * ONE + (0.5 if x >= 0.0 else -0.5))


@kernel
def keep_value(game, player, u, tree, memory, work):
    """Note what a player gets from this simulation, and how far utilities reach."""
    value = scaled(u, work)
    memory[values_at(game) + player] = value
    if work[SURE_ENDS] == 0:
        # Threads may overwrite each other's findings; the next simulations bring them again.
        if value < tree[LEAST]:
            tree[LEAST] = value
        if value > tree[GREATEST]:
            tree[GREATEST] = value
    return 0


@kernel
def keep_utilities(game, s, tree, memory, work):
    """Note what everybody gets at the end `s`."""
    for player in range(work[SUMS]):
        keep_value(game, player, 0.0 + game.utility(s, player), tree, memory, work)
    return 0


@kernel
def keep_draw(game, tree, memory, work):
    """Note a draw by repetition."""
    for player in range(work[SUMS]):
        keep_value(game, player, game.draw_value, tree, memory, work)
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
def play_on(game, s, weight, estimate, key, marks, tree, memory, work):
    """Play a game to its end (or as far as wanted) and note what everybody gets from it.

    With `marks` the actions that were played are marked, as RAVE wants to know them.
    """
    if game.rollout is not None and weight is None and estimate is None and work[SUMS] == 1:
        gain = 0.0 + game.rollout(s, key, memory, room_at(game))
        if marks:
            for i in range(game.policy_size):
                memory[MARKS_AT + i] = memory[room_at(game) + i]
        return keep_value(game, 0, gain, tree, memory, work)
    if marks:
        clear_marks(game, memory)
    first = actions_at(game)
    moves = 0
    bits = u64(0)
    while not game.is_over(s):
        if estimate is not None and moves >= work[CUT]:
            work[MOVES] += moves
            for player in range(work[SUMS]):
                keep_value(game, player, 0.0 + estimate(game, s, player), tree, memory, work)
            return 0
        if moves >= work[LONGEST]:
            work[STATUS] = ENDLESS
            return 0
        count = game.fill(s, memory, first) - first
        if count <= 0:
            if count < 0:
                work[STATUS] = TOO_MANY
                return 0
            break
        bits = word(key, moves >> 1) if moves & 1 == 0 else bits << 32
        mover = game.to_move(s)
        if game.probability is not None and mover == CHANCE:
            action = chance_outcome(game, s, bits, count, memory, first, True)
        elif weight is not None:
            action = weighted_action(game, s, weight, bits, memory, first, count)
        else:
            action = memory[first + below(bits, count)]
        if marks and mover >= 0:
            mark(game, s, action, mover, memory)
        s = game.result(s, action)
        moves += 1
    work[MOVES] += moves
    return keep_utilities(game, s, tree, memory, work)
