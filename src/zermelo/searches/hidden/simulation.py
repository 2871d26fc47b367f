"""One simulation over information sets: a world is drawn, every player goes down the own tree, and all learn from it.

Multiple-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012). Since states that look
the same to the player to move offer the same actions, an action was available whenever its node was visited, and the
node's visits are the availability count of all its actions.
"""

import math

from zermelo.compile import (
    as_number,
    as_whole,
    hash64,
    is_finite,
    kernel,
    load_float,
    load_state,
    make_room,
    now,
    state_words,
    store_float,
)
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.running.faults import fault_at, is_player
from zermelo.running.statuses import ENDLESS, FINE, NO_NUMBER, NO_ODDS, NO_PLAYER, OUT_OF_TIME, TOO_MANY, UNEQUAL
from zermelo.searches.hidden.layout import (
    ACTION,
    CAPACITY,
    COUNT,
    DEADLINE,
    DEEPEST,
    DOUBT,
    EVERYBODY,
    EXPLORATION,
    FOR_WORLD,
    FULL,
    IN_TREE,
    KEY,
    LIMIT,
    LONGEST,
    LONGEST_PATH,
    MASK,
    NODE,
    NODES,
    NODES_AT,
    PLAYER,
    PLAYERS_AT,
    RANGES,
    ROW,
    ROWS_AT,
    SEED,
    SIMULATIONS,
    STARTED,
    STATUS,
    TOP,
    TRIES,
    VISITS,
    WIDE,
    WORLDS,
)
from zermelo.searches.mcts.arithmetic import logarithm
from zermelo.searches.playouts import chance_outcome, playout

WATCH = 3
"""The clock is read before simulations whose number has these bits."""
NO_ACTION = -1
LOOKED_AT = 256
"""In so many simulations all odds and actions are looked at."""


@kernel
def simulate(game, worlds, odds, tree, memory, work):
    """Simulate until a limit is reached; how many simulations were made."""
    while work[STATUS] == FINE and tree[STARTED] < work[LIMIT]:
        if work[SIMULATIONS] & WATCH == WATCH and now() >= work[DEADLINE]:
            work[STATUS] = OUT_OF_TIME
            break
        simulation(game, worlds, odds, tree, memory, work)
        tree[STARTED] += 1
        work[SIMULATIONS] += 1
    return work[SIMULATIONS]


@kernel
def simulation(game, worlds, odds, tree, memory, work):
    """One simulation, from a world that is drawn by its odds.

    In worlds that fit what the player saw, the player alone learns: there the others would learn to play as if they
    knew what the player holds. They learn in worlds that are drawn from all that anybody may take for the case.
    """
    key = stream(work[SEED], tree[STARTED])
    first_world, count, learner = 0, work[WORLDS], EVERYBODY
    if work[WIDE] > 0:
        # The first simulation is the player's own, so that there is an answer from then on.
        if tree[STARTED] > 0 and uniform(word(key, FOR_WORLD + 1)) < load_float(work, DOUBT):
            first_world, count = count, work[WIDE]
        else:
            learner = work[PLAYER]
    s = load_state(game, worlds, drawn(uniform(word(key, FOR_WORLD)), odds, first_world, count) * state_words(game))
    begin_keys(game, s, memory)
    first = actions_at(game)
    steps, moves = 0, 0
    grown = False
    while not grown and steps < LONGEST_PATH and not game.is_over(s):
        count = game.fill(s, memory, first) - first
        if count < 0 or moves >= work[LONGEST]:
            work[STATUS] = TOO_MANY if count < 0 else ENDLESS
            return 0
        if count == 0:
            break
        wrong = fault_at(game, s, memory, first, first + count) if tree[STARTED] < LOOKED_AT else 0
        mover = as_whole(game.to_move(s))
        if wrong != 0 or not is_player(game, mover):
            work[STATUS] = NO_PLAYER if wrong == 0 else wrong
            return 0
        bits = word(key, IN_TREE + moves)
        if game.probability is not None and mover == CHANCE:
            action = chance_outcome(game, s, bits, count, memory, first, True)
            if action < 0:
                work[STATUS] = NO_ODDS
                return 0
        else:
            node = found(game, memory[PLAYERS_AT + mover], tree)
            learns = learner in (EVERYBODY, mover)
            if node == 0:
                if not learns:
                    break
                node = new_node(game, memory[PLAYERS_AT + mover], count, tree, memory)
                grown = True
                if node == 0:
                    break
            elif not has_actions(game, node, count, tree, memory):
                work[STATUS] = UNEQUAL
                return 0
            row = best_row(game, mover, node, bits, tree, work)
            if learns:
                memory[NODES_AT + steps] = node
                memory[ROWS_AT + steps] = row
                steps += 1
            action = tree[row + ACTION]
        s = game.result(s, action)
        moves += 1
        go_on(game, s, mover, action, memory)
    if steps > work[DEEPEST]:
        work[DEEPEST] = steps
    end, length = playout(game, s, key, work[LONGEST], memory, first, True, tree[STARTED] < LOOKED_AT)
    if length < 0:
        work[STATUS] = length
        return 0
    back_up(game, end, steps, tree, memory, work)
    return 0


@kernel
def drawn(share, odds, first, count):
    """The number of the world at this share of all odds, which are added up, among `count` worlds."""
    low, high = first, first + count - 1
    while low < high:
        middle = (low + high) >> 1
        if load_float(odds, middle) > share:
            high = middle
        else:
            low = middle + 1
    return low


# --- what everybody has seen -----------------------------------------------------------------------------------------


@kernel
def sight(game, s, player):
    """A hash of what the player sees."""
    if game.view is None:
        return hash64(s)
    return hash64(game.view(s, player))


@kernel
def first_key(player, view):
    """How a player knows the root: by the present view."""
    return hash64((player, view))


@kernel
def next_key(key, view, action):
    """How a player knows what follows, after an own action or a change of view."""
    return hash64((key, view, action))


@kernel
def begin_keys(game, s, memory):
    """Let everybody look at the root."""
    for player in range(game.players):
        view = sight(game, s, player)
        memory[PLAYERS_AT + player] = first_key(player, view)
        memory[PLAYERS_AT + game.players + player] = view
    return 0


@kernel
def go_on(game, s, mover, action, memory):
    """Let everybody look at the state after an action. Who sees no change does not know that something happened."""
    for player in range(game.players):
        view = sight(game, s, player)
        if player == mover:
            memory[PLAYERS_AT + player] = next_key(memory[PLAYERS_AT + player], view, action)
        elif view != memory[PLAYERS_AT + game.players + player]:
            memory[PLAYERS_AT + player] = next_key(memory[PLAYERS_AT + player], view, NO_ACTION)
        memory[PLAYERS_AT + game.players + player] = view
    return 0


# --- nodes -----------------------------------------------------------------------------------------------------------


@kernel
def gains_at(game):
    """Where the gains of the simulation stand."""
    return PLAYERS_AT + 2 * game.players


@kernel
def actions_at(game):
    """Where there is room for actions."""
    return PLAYERS_AT + 3 * game.players


@kernel
def slots_at(game):
    """Where the slots begin."""
    return RANGES + 2 * game.players


@kernel
def row_words(game):
    """Words of a row."""
    return ROW + game.players


@kernel
def found(game, key, tree):
    """The node of this key, or 0."""
    start, mask = slots_at(game), tree[MASK]
    slot = key & mask
    node = tree[start + slot]
    while node != 0 and tree[node + KEY] != key:
        slot = (slot + 1) & mask
        node = tree[start + slot]
    return node


@kernel
def new_node(game, key, count, tree, memory):
    """A node with a row for each action in memory; 0 where there is no room."""
    node = tree[TOP]
    end = node + NODE + count * row_words(game)
    # A quarter of the slots stays free, so that keys are found soon.
    if end > tree[CAPACITY] or 4 * tree[NODES] >= 3 * tree[MASK]:
        tree[FULL] = 1
        return 0
    make_room(tree, end)
    tree[TOP] = end
    tree[NODES] += 1
    tree[node + KEY] = key
    tree[node + COUNT] = count
    tree[node + VISITS] = 0
    for i in range(count):
        row = node + NODE + i * row_words(game)
        tree[row + ACTION] = memory[actions_at(game) + i]
        tree[row + TRIES] = 0
        for player in range(game.players):
            store_float(tree, row + ROW + player, 0.0)
    start, mask = slots_at(game), tree[MASK]
    slot = key & mask
    while tree[start + slot] != 0:
        slot = (slot + 1) & mask
    tree[start + slot] = node
    return node


@kernel
def has_actions(game, node, count, tree, memory):
    """Whether the actions in memory are those of the node."""
    if tree[node + COUNT] != count:
        return False
    rows, first, width = node + NODE, actions_at(game), row_words(game)
    return all(tree[rows + i * width + ACTION] == memory[first + i] for i in range(count))


@kernel
def best_row(game, mover, node, bits, tree, work):
    """The row with the highest upper bound for the player to move.

    Rows are gone through from a random one on, so that equals are tried in no fixed order.
    """
    count, width = tree[node + COUNT], row_words(game)
    least = load_float(tree, RANGES + 2 * mover)
    span = load_float(tree, RANGES + 2 * mover + 1) - least
    scale = 1.0 / span if span > 0.0 else 0.0
    constant = load_float(work, EXPLORATION)
    log = constant * constant * logarithm(max(tree[node + VISITS], 1))
    start = below(bits, count)
    best, chosen = -1.0, node + NODE
    for k in range(count):
        place = start + k if start + k < count else start + k - count
        row = node + NODE + place * width
        tries = tree[row + TRIES]
        if tries == 0:
            return row
        bound = (load_float(tree, row + ROW + mover) / tries - least) * scale + math.sqrt(log / tries)
        if bound > best:
            best, chosen = bound, row
    return chosen


@kernel
def back_up(game, s, steps, tree, memory, work):
    """Add what everybody gets at the end `s` to every row of the path."""
    gains = gains_at(game)
    for player in range(game.players):
        gain = as_number(game.utility(s, player))
        if not is_finite(gain):
            work[STATUS] = NO_NUMBER
            return 0
        store_float(memory, gains + player, gain)
        if gain < load_float(tree, RANGES + 2 * player):
            store_float(tree, RANGES + 2 * player, gain)
        if gain > load_float(tree, RANGES + 2 * player + 1):
            store_float(tree, RANGES + 2 * player + 1, gain)
    for i in range(steps):
        row = memory[ROWS_AT + i]
        tree[memory[NODES_AT + i] + VISITS] += 1
        tree[row + TRIES] += 1
        for player in range(game.players):
            at = row + ROW + player
            store_float(tree, at, load_float(tree, at) + load_float(memory, gains + player))
    return 0
