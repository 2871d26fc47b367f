"""One simulation over information sets: a world is drawn, every player goes down a tree of their own, and all learn.

Multiple-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012). Since states that look
the same to the player to move offer the same actions, an action was available whenever its information set was visited,
and the visits of the set are the availability count of all its actions.
"""

import math

from zermelo.compile import (
    Array,
    Block,
    Memory,
    array,
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
)
from zermelo.compile.program import told_as
from zermelo.compile.random import below, stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.running.faults import fault_at, is_player
from zermelo.running.statuses import ENDLESS, FINE, NO_NUMBER, NO_ODDS, NO_PLAYER, OUT_OF_TIME, TOO_MANY, UNEQUAL
from zermelo.searches.mcts.arithmetic import logarithm
from zermelo.searches.playouts import chance_outcome, playout

LONGEST_PATH = 1024
"""Information sets on a path; behind them a simulation goes on as a playout."""
WATCH = 3
"""The clock is read before simulations in whose number these bits are set."""
LOOKED_AT = 256
"""In the first so many simulations, all odds and actions are checked."""
IN_TREE = 1 << 20
"""Random words from this number on are used in the tree, those before it in playouts."""
FOR_WORLD = 1 << 24
"""The random word that picks the world; the next word says whether from those that fit or those conceivable."""
EVERYBODY = -1
"""Stands for a player where all learn from a simulation."""
NO_ACTION = -1
"""Stands for an action where the player did nothing, or where the path leaves the trees."""
SET_WORDS = 3
"""Words that an information set counts for in the memory that is allowed: all of it but `first`."""

# --- what stays: the trees of all players ----------------------------------------------------------------------------


class InformationSet(Block):
    """A node: what the player who moves there cannot tell apart."""

    key: int  # a hash of what that player has seen since the root
    first: int  # the number of its first choice; the others follow
    count: int  # how many choices there are
    visits: int


class Choice(Block):
    """An action of an information set."""

    action: int
    tries: int
    totals: Array[float] = array(lambda game: game.players)  # what everybody got in all tries


class UtilityRange(Block):
    """The range in which the utilities of a player lie."""

    least: float  # known from the game's bounds, or seen
    greatest: float


class Trees(Block):
    """All information sets and how they are found. Their numbers begin with 1; 0 is none."""

    simulations: int  # made so far
    sets: int  # information sets there are
    choices: int  # choices of all of them
    used: int  # words that both take
    room: int  # words that they may take
    full: int  # 1 when there was no room for an information set
    mask: int  # the number of slots less 1; it picks the bits of a key that say where to look first
    slots: Memory  # numbers of information sets, each at or behind the place that its key says
    ranges: Array[UtilityRange] = array(lambda game: game.players)


# --- what simulations work with --------------------------------------------------------------------------------------


class Observer(Block):
    """What one player has of the simulation."""

    key: int  # a hash of all that was seen and done
    sees: int  # a hash of what is seen now
    gain: float  # the utility at the end


class SimulationRun(Block):
    """Limits, the worlds that are drawn from, and the path of the simulation."""

    status: int  # what went wrong, or that it was stopped
    simulations: int  # made in this run
    limit: int  # simulations in all runs together
    deadline: int  # nanoseconds
    deepest: int  # information sets on the longest path
    exploration: float  # the constant of exploration
    longest: int  # moves after which a playout is given up
    seed: int
    worlds: Memory  # states: first those that fit what the player saw, then those that are conceivable to anybody
    odds: Memory  # the cumulative odds of the worlds, for each of the two kinds
    fitting: int  # how many worlds fit
    conceivable: int  # how many are conceivable; 0 where only those that fit are drawn
    doubt: float  # the share of the simulations that begin in a conceivable world
    player: int  # who asks
    learner: int  # who learns from this simulation: a player, or EVERYBODY
    steps: int  # information sets on the path in which somebody learns
    path: Array[int] = array(LONGEST_PATH)  # these information sets
    taken: Array[int] = array(LONGEST_PATH)  # the choices that were taken there
    observers: Array[Observer] = array(lambda game: game.players)
    actions: Array[int] = array(lambda game: game.max_actions)  # of the state that is open


@kernel
@told_as("ismcts")
def simulate(game, run, trees, sets, choices):
    """Simulate until a limit is reached; how many simulations were made."""
    while run.status == FINE and trees.simulations < run.limit:
        if run.simulations & WATCH == WATCH and now() >= run.deadline:
            run.status = OUT_OF_TIME
            break
        simulation(game, run, trees, sets, choices)
        trees.simulations += 1
        run.simulations += 1
    return run.simulations


@kernel
def simulation(game, run, trees, sets, choices):
    """One simulation: a world, a path in the trees, a playout, and what everybody learns from its end."""
    key = stream(run.seed, trees.simulations)
    s = world(game, run, trees, key)
    s = descended(game, s, key, run, trees, sets, choices)
    if run.status != FINE:
        return 0
    end, length = playout(game, s, key, run.longest, run.actions, 0, True, trees.simulations < LOOKED_AT)
    if length < 0:
        run.status = length
        return 0
    back_up(game, end, run, trees, sets, choices)
    return 0


@kernel
def world(game, run, trees, key):
    """The state in which a simulation begins, drawn by its odds.

    In worlds that fit what the player saw, the player alone learns: there the others would learn to play as if they
    knew what the player holds. The others learn in worlds drawn from all that some player may think possible.
    """
    first, count, learner = 0, run.fitting, EVERYBODY
    if run.conceivable > 0:
        # The first simulation is the player's own, so that there is an answer from then on.
        if trees.simulations > 0 and uniform(word(key, FOR_WORLD + 1)) < run.doubt:
            first, count = count, run.conceivable
        else:
            learner = run.player
    run.learner = learner
    return load_state(
        game, run.worlds, drawn(uniform(word(key, FOR_WORLD)), run.odds, first, count) * state_words(game)
    )


@kernel
def drawn(share, odds, first, count):
    """The number of the first world, of `count` from `first` on, whose cumulative odds exceed `share`."""
    low, high = first, first + count - 1
    while low < high:
        middle = (low + high) >> 1
        if load_float(odds, middle) > share:
            high = middle
        else:
            low = middle + 1
    return low


# --- the way down ----------------------------------------------------------------------------------------------------


@kernel
def descended(game, s, key, run, trees, sets, choices):
    """The state in which the path from `s` leaves the trees, which grow by one information set at most."""
    look(game, s, run.observers)
    before, moves = trees.sets, 0
    run.steps = 0
    while trees.sets == before and run.steps < LONGEST_PATH and not game.is_over(s):
        count = opened(game, s, moves, run, trees.simulations < LOOKED_AT)
        if count <= 0:
            break
        mover = as_whole(game.to_move(s))
        bits = word(key, IN_TREE + moves)
        if game.probability is not None and mover == CHANCE:
            action = chance_outcome(game, s, bits, count, run.actions, 0, True)
            if action < 0:
                run.status = NO_ODDS
        else:
            action = chosen(game, mover, count, bits, run, trees, sets, choices)
        if action < 0:
            break
        s = game.result(s, action)
        moves += 1
        look_on(game, s, mover, action, run.observers)
    if run.steps > run.deepest:
        run.deepest = run.steps
    return s


@kernel
def opened(game, s, moves, run, looked_at):
    """Write down the actions of `s`, and return how many there are; none where the status says what is wrong."""
    count = game.fill(s, run.actions, 0)
    if count < 0 or moves >= run.longest:
        run.status = TOO_MANY if count < 0 else ENDLESS
        return 0
    if count == 0:
        return 0
    wrong = fault_at(game, s, run.actions, 0, count) if looked_at else FINE
    if wrong == FINE and not is_player(game, as_whole(game.to_move(s))):
        wrong = NO_PLAYER
    if wrong != FINE:
        run.status = wrong
        return 0
    return count


@kernel
def chosen(game, mover, count, bits, run, trees, sets, choices):
    """The action by the mover's own tree; NO_ACTION where the path leaves it."""
    key = run.observers[mover].key
    learns = run.learner in (EVERYBODY, mover)
    number = found(key, trees, sets)
    if number == 0:
        if not learns:
            return NO_ACTION
        number = new_set(game, key, run.actions, count, trees, sets, choices)
        if number == 0:
            return NO_ACTION
    elif not has_actions(number, run.actions, count, sets, choices):
        run.status = UNEQUAL
        return NO_ACTION
    best = best_choice(mover, number, bits, run, trees, sets, choices)
    if learns:
        run.path[run.steps] = number
        run.taken[run.steps] = best
        run.steps += 1
    return choices[best].action


@kernel
def best_choice(mover, number, bits, run, trees, sets, choices):
    """The choice with the highest upper bound for the player to move (UCB1).

    Choices are gone through from a random one on, so that equals are tried in no fixed order.
    """
    here = sets[number]
    first, count = here.first, here.count
    least = trees.ranges[mover].least
    span = trees.ranges[mover].greatest - least
    scale = 1.0 / span if span > 0.0 else 0.0
    log = run.exploration * run.exploration * logarithm(max(here.visits, 1))
    start = below(bits, count)
    best, highest = first, -1.0
    for k in range(count):
        place = first + (start + k if start + k < count else start + k - count)
        choice = choices[place]
        tries = choice.tries
        if tries == 0:
            return place
        bound = (choice.totals[mover] / tries - least) * scale + math.sqrt(log / tries)
        if bound > highest:
            best, highest = place, bound
    return best


@kernel
def back_up(game, s, run, trees, sets, choices):
    """Add what everybody gets at the end `s` to every choice on the path."""
    for player in range(game.players):
        gain = as_number(game.utility(s, player))
        if not is_finite(gain):
            run.status = NO_NUMBER
            return 0
        run.observers[player].gain = gain
        known = trees.ranges[player]
        if gain < known.least:
            known.least = gain
        if gain > known.greatest:
            known.greatest = gain
    for i in range(run.steps):
        sets[run.path[i]].visits += 1
        choice = choices[run.taken[i]]
        choice.tries += 1
        for player in range(game.players):
            choice.totals[player] += run.observers[player].gain
    return 0


# --- what everybody has seen -----------------------------------------------------------------------------------------


@kernel
def sight(game, s, player):
    """A hash of what the player sees."""
    if game.view is None:
        return hash64(s)
    return hash64(game.view(s, player))


@kernel
def first_key(player, view):
    """The key of the root for a player: a hash of its present view."""
    return hash64((player, view))


@kernel
def next_key(key, view, action):
    """The key that follows after an own action or a change of view."""
    return hash64((key, view, action))


@kernel
def look(game, s, observers):
    """Let everybody look at the root."""
    for player in range(game.players):
        observer = observers[player]
        observer.sees = sight(game, s, player)
        observer.key = first_key(player, observer.sees)
    return 0


@kernel
def look_on(game, s, mover, action, observers):
    """Let everybody look at the state after an action. Others who see no change keep their keys."""
    for player in range(game.players):
        observer = observers[player]
        view = sight(game, s, player)
        if player == mover:
            observer.key = next_key(observer.key, view, action)
        elif view != observer.sees:
            observer.key = next_key(observer.key, view, NO_ACTION)
        observer.sees = view
    return 0


# --- information sets ------------------------------------------------------------------------------------------------


@kernel
def found(key, trees, sets):
    """The number of the information set with this key, or 0."""
    slot = key & trees.mask
    number = trees.slots[slot]
    while number != 0 and sets[number].key != key:
        slot = (slot + 1) & trees.mask
        number = trees.slots[slot]
    return number


@kernel
def new_set(game, key, actions, count, trees, sets, choices):
    """A new information set with a choice for each of these actions; 0 where there is no room."""
    used = trees.used + SET_WORDS + count * choice_words(game)
    # A quarter of the slots stays free, so that keys are found soon.
    if used > trees.room or 4 * trees.sets >= 3 * trees.mask:
        trees.full = 1
        return 0
    number, first, end = trees.sets + 1, trees.choices, trees.choices + count
    make_room(sets, number + 1)
    make_room(choices, end)
    trees.sets, trees.choices, trees.used = number, end, used
    made = sets[number]
    made.key, made.first, made.count = key, first, count
    for i in range(count):
        choices[first + i].action = actions[i]
    slot = key & trees.mask
    while trees.slots[slot] != 0:
        slot = (slot + 1) & trees.mask
    trees.slots[slot] = number
    return number


@kernel
def choice_words(game):
    """Words of a `Choice`."""
    return 2 + game.players


@kernel
def has_actions(number, actions, count, sets, choices):
    """Whether these actions are those of the information set."""
    first = sets[number].first
    if sets[number].count != count:
        return False
    return all(choices[first + i].action == actions[i] for i in range(count))
