"""What a simulation does where the tree ends: the game's own playout, a random one, or an estimate."""

from zermelo.bits import u64
from zermelo.compile import as_number, exchange_if, is_finite, kernel
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.running.statuses import ENDLESS, NO_NUMBER, NO_ODDS, OUT_OF_BOUNDS, OUT_OF_RANGE, TOO_MANY
from zermelo.searches.mcts.blocks import FAR, ONE
from zermelo.searches.playouts import chance_outcome


@kernel
def play_leaf(game, setup, s, key, numbers, tree, thread):
    """Play from a leaf as often as wanted, and note what everybody gets on average."""
    play_on(game, setup, s, key, numbers, tree, thread)
    if numbers.playouts > 1:
        for player in range(numbers.sums):
            thread.totals[player] = thread.values[player]
        for i in range(1, numbers.playouts):
            play_on(game, setup, s, stream(key, i), numbers, tree, thread)
            for player in range(numbers.sums):
                thread.totals[player] += thread.values[player]
        for player in range(numbers.sums):
            thread.values[player] = average(thread.totals[player], numbers.playouts)
    return 0


@kernel
def average(total, n):
    """The mean as an integer, the nearest one below or above."""
    return (2 * total + n) // (2 * n)


@kernel
def play_on(game, setup, s, key, numbers, tree, thread):
    """Play a game to its end (or as far as wanted) and note what everybody gets from it."""
    if game.rollout is not None and setup.weight is None and setup.estimate is None and not setup.several:
        gain = as_number(game.rollout(s, key, thread.rollout, 0))
        if setup.rave:
            for i in range(game.policy_size):
                thread.marks[i] = thread.rollout[i]
        return keep_value(setup, 0, gain, numbers, tree, thread)
    s, moves = random_moves(game, setup, s, key, numbers, thread)
    if moves < 0:
        thread.status = moves
    elif setup.estimate is not None and moves >= numbers.cut and not game.is_over(s):
        for player in range(numbers.sums):
            keep_value(setup, player, as_number(setup.estimate(game, s, player)), numbers, tree, thread)
    else:
        keep_utilities(game, setup, s, numbers, tree, thread)
    return 0


@kernel
def random_moves(game, setup, s, key, numbers, thread):
    """Play random moves to the end, or to where an estimate takes over: the state there, and how many they were or what
    is wrong with the game.

    Two moves share one random word: the first takes its upper half, the second its lower.
    """
    if setup.rave:
        for i in range(game.policy_size):
            thread.marks[i] = 0
    moves = 0
    bits = u64(0)
    while not game.is_over(s):
        if setup.estimate is not None and moves >= numbers.cut:
            break
        if moves >= numbers.longest:
            return s, ENDLESS
        count = game.fill(s, thread.actions, 0) if setup.buffered else game.action_count(s)
        if count <= 0:
            return s, moves if count == 0 else TOO_MANY
        bits = word(key, moves >> 1) if moves & 1 == 0 else bits << 32
        mover = game.to_move(s)
        if game.probability is not None and mover == CHANCE:
            action = chance_outcome(game, s, bits, count, thread.actions, 0, setup.buffered)
            if action < 0:
                return s, NO_ODDS
        elif setup.weight is not None:
            action = weighted_action(game, setup, s, bits, thread.actions, count)
        elif setup.buffered:
            action = thread.actions[below(bits, count)]
        else:
            action = game.nth_action(s, below(bits, count))
        if setup.rave and mover >= 0:
            mark(game, s, action, mover, thread)
        s = game.result(s, action)
        moves += 1
    return s, moves


@kernel
def mark(game, s, action, player, thread):
    """Note who plays an action, if nobody has played it before."""
    index = game.policy_index(s, action)
    if thread.marks[index] == 0:
        thread.marks[index] = player + 1
    return 0


@kernel
def weighted_action(game, setup, s, bits, actions, count):
    """An action drawn by its weight; all alike where all weigh nothing."""
    total = 0.0
    for i in range(count):
        total += setup.weight(game, s, actions[i])
    if total > 0.0:
        left = uniform(bits) * total
        for i in range(count):
            left -= setup.weight(game, s, actions[i])
            if left < 0.0:
                return actions[i]
    return actions[below(bits, count)]


# --- what everybody gets ---------------------------------------------------------------------------------------------


@kernel
def keep_utilities(game, setup, s, numbers, tree, thread):
    """Note what everybody gets at the end `s`."""
    for player in range(numbers.sums):
        value = as_number(game.utility(s, player))
        keep_value(setup, player, value, numbers, tree, thread)
        if setup.bounded and is_finite(value) and not numbers.lowest <= value + 0.0 <= numbers.highest:
            thread.status = OUT_OF_BOUNDS
    return 0


@kernel
def keep_draw(game, setup, numbers, tree, thread):
    """Note a draw by repetition."""
    for player in range(numbers.sums):
        keep_value(setup, player, game.draw_value, numbers, tree, thread)
    return 0


@kernel
def keep_value(setup, player, u, numbers, tree, thread):
    """Note what a player gets from this simulation, and how far utilities reach."""
    value = scaled(u, numbers, thread)
    thread.values[player] = value
    if not setup.bounded:
        if setup.shared or setup.together:
            while value < tree.least:
                exchange_if(tree, "least", tree.least, min(value, tree.least))
            while value > tree.greatest:
                exchange_if(tree, "greatest", tree.greatest, max(value, tree.greatest))
        else:
            tree.least = min(value, tree.least)
            tree.greatest = max(value, tree.greatest)
    return 0


@kernel
def scaled(u, numbers, thread):
    """A utility in the tree's units."""
    if not is_finite(u):
        thread.status = NO_NUMBER
        return 0
    x = (u - numbers.middle) / numbers.half
    if not -FAR <= x <= FAR:
        thread.status = OUT_OF_RANGE
        return 0
    return int(x * ONE + (0.5 if x >= 0.0 else -0.5))
