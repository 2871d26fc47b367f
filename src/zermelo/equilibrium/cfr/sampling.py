"""Monte Carlo counterfactual regret minimisation: games are played by the rules, and no tree is kept.

What is known about an information set lies in one table, found by a hash of who moves and what that player sees. One
walk is made for each player in turn, and only that player learns from it (Lanctot, Waugh, Zinkevich and Bowling, 2009):

- external sampling draws what chance and the others do, and tries every action of the player;
- outcome sampling plays one game, in which the player tries any action with some odds;
- chance sampling draws what chance does, and goes through all that players can do then.
"""

from dataclasses import dataclass

from zermelo.bits import u64
from zermelo.compile import Array, Block, Memory, Setup, array, is_finite, kernel, load_float, make_room, store_float
from zermelo.compile.random import stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.equilibrium.forms.flattening import has_odds, set_key
from zermelo.running.faults import is_player
from zermelo.running.statuses import ENDLESS, FINE, NO_ACTIONS, NO_NUMBER, NO_ODDS, NO_PLAYER, TOO_MANY, UNEQUAL
from zermelo.searches.playouts import chance_outcome

KEY, COUNT, STAMP = range(3)
NODE = 3
"""A set in the table: its hash, its number of actions, the last walk in which its odds were taken down; then for each
action its regret, the sum of its odds, its odds in that walk, and the action itself."""
REGRET, SUM, ODDS, ACTION = range(4)
BLOCKS = 4
LOOKED_AT = 1 << 10
"""In the first so many walks, the odds of every chance node are checked."""
SELDOM = 63
"""In later walks, the odds of a chance node are checked where these random bits are all 0."""


@dataclass(frozen=True)
class SampledSetup(Setup):
    """How games are sampled."""

    variant: str  # "external", "outcome" or "chance"


class Samples(Block):
    """What the walks need, and the table in which they keep what they learn."""

    done: int  # iterations made
    status: int  # what went wrong, or that it was stopped
    goal: int  # iterations wanted
    seed: int
    walk: int  # the number of this walk
    key: u64  # the key of its random words
    drawn: int  # how many random words this walk has used
    exploration: float  # the odds with which outcome sampling tries any action
    longest: int  # moves that a game may take
    room: int  # words that there are for actions
    totals: Array[float] = array(lambda game: game.players)  # what each player got in all iterations
    actions: Memory  # those of all states on the way
    table: Memory  # slots, in which a set is found by its hash, then the sets
    mask: int  # the number of slots less 1
    top: int  # words of the table that are used
    capacity: int  # words of the table that there are
    sets: int  # how many there are
    is_full: int  # 1 when there was no room for a set


@kernel
def play_games(game, setup, s, work):
    """Iterations until as many are done as wanted: one walk for each player."""
    while work.done < work.goal and work.status == FINE:
        for player in range(game.players):
            work.walk += 1
            work.drawn = 0
            work.key = stream(work.seed, work.walk)
            if setup.variant == "external":
                value = external(game, s, player, 0, 0, work)
            elif setup.variant == "outcome":
                value = outcome(game, s, player, 0, 1.0, 1.0, 1.0, work)
            else:
                value = everything(game, s, player, 0, 1.0, 1.0, 0, work)
            work.totals[player] += value
        work.done += 1
    return 0


@kernel
def next_bits(work):
    """The next random word of this walk."""
    work.drawn += 1
    return word(work.key, work.drawn)


@kernel
def opened(game, s, ply, top, work):
    """Write the actions of `s` to memory; how many there are, 0 where the game ends, -1 where something is wrong."""
    if game.is_over(s):
        return 0
    if ply >= work.longest or top > work.room:
        work.status = ENDLESS
    if work.status != FINE:
        return -1
    make_room(work.actions, top + 2 * game.max_actions)
    count = game.fill(s, work.actions, top) - top
    if count < 0:
        work.status = TOO_MANY
    elif count == 0 and not game.ends_without_actions:
        work.status = NO_ACTIONS
        return -1
    elif count > 0 and not is_player(game, game.to_move(s)):
        work.status = NO_PLAYER
        return -1
    return count


@kernel
def paid(game, s, player, work):
    """What the end `s` pays a player."""
    value = 0.0 + game.utility(s, player)
    if not is_finite(value):
        work.status = NO_NUMBER
    return value


@kernel
def drawn(game, s, bits, count, top, work):
    """An outcome of chance, drawn by its odds; these are checked in early walks, and now and then in later ones."""
    if game.draw is None and (work.walk <= LOOKED_AT or bits & SELDOM == 0):
        if not has_odds(game, s, work.actions, top, top + count):
            work.status = NO_ODDS
    return chance_outcome(game, s, bits, count, work.actions, top, True)


@kernel
def node_of(game, s, mover, count, top, work):
    """The place in the table of the set of the player to move, added if it is new; 0 where there is no room."""
    key, table = set_key(game, s, mover), work.table
    slot = key & work.mask
    node = table[slot]
    while node != 0:
        if table[node + KEY] == key:
            if table[node + COUNT] != count:
                work.status = UNEQUAL
                return 0
            return node
        slot = slot + 1 & work.mask
        node = table[slot]
    node = work.top
    end = node + NODE + BLOCKS * count
    # A quarter of the slots stays free, so that keys are found soon.
    if end > work.capacity or 4 * work.sets >= 3 * work.mask:
        work.is_full = 1
        return 0
    make_room(table, end)
    work.top = end
    work.sets += 1
    table[node + KEY], table[node + COUNT], table[node + STAMP] = key, count, 0
    for i in range(node + NODE, node + NODE + ACTION * count):
        store_float(table, i, 0.0)
    for i in range(count):
        table[node + NODE + ACTION * count + i] = work.actions[top + i]
    table[slot] = node
    return node


@kernel
def positive(table, start, count):
    """The sum of the positive regrets."""
    whole = 0.0
    for i in range(start, start + count):
        regret = load_float(table, i)
        if regret > 0.0:
            whole += regret
    return whole


@kernel
def odds_at(table, start, i, count, whole):
    """The odds of an action by its regret; all alike where nothing is regretted."""
    if whole <= 0.0:
        return 1.0 / count
    regret = load_float(table, start + i)
    return regret / whole if regret > 0.0 else 0.0


@kernel
def picked(table, start, count, whole, bits):
    """The place of an action drawn by its odds."""
    if whole <= 0.0:
        return int(((bits >> 32) * count) >> 32)
    left = uniform(bits) * whole
    last = 0
    for i in range(count):
        regret = load_float(table, start + i)
        if regret > 0.0:
            last = i
            left -= regret
            if left < 0.0:
                return i
    return last


@kernel
def external(game, s, player, ply, top, work):
    """What `s` is worth to the player, who tries everything; the others play by their odds."""
    count = opened(game, s, ply, top, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    if game.probability is not None and mover == CHANCE:
        action = drawn(game, s, next_bits(work), count, top, work)
        return external(game, game.result(s, action), player, ply + 1, top, work)
    node = node_of(game, s, mover, count, top, work)
    table, memory = work.table, work.actions
    start = node + NODE
    whole = positive(table, start, count) if node != 0 else 0.0
    if mover != player:
        chosen = picked(table, start, count, whole, next_bits(work))
        # One of the other players sums up its odds, so that each does so once in every iteration.
        if node != 0 and mover == (player + 1) % game.players:
            add_odds(table, start, count, whole, 1.0)
        below = game.result(s, memory[top + chosen])
        return external(game, below, player, ply + 1, top, work)
    value = 0.0
    for i in range(count):
        below = game.result(s, memory[top + i])
        worth = external(game, below, player, ply + 1, top + 2 * count, work)
        store_float(memory, top + count + i, worth)
        value += worth * (odds_at(table, start, i, count, whole) if node != 0 else 1.0 / count)
    if node != 0:
        if game.players == 1:
            add_odds(table, start, count, whole, 1.0)
        for i in range(count):
            extra = load_float(memory, top + count + i) - value
            store_float(table, start + i, load_float(table, start + i) + extra)
    return value


@kernel
def add_odds(table, start, count, whole, weight):
    """Sum up the odds by which a set is played."""
    if whole > 0.0:
        scale = weight / whole
        for i in range(count):
            regret = load_float(table, start + i)
            if regret > 0.0:
                place = start + SUM * count + i
                store_float(table, place, load_float(table, place) + regret * scale)
    else:
        share = weight / count
        for i in range(start + SUM * count, start + SUM * count + count):
            store_float(table, i, load_float(table, i) + share)
    return 0


@kernel
def outcome(game, s, player, ply, mine, theirs, sampled, work):
    """An estimate of what `s` is worth to the player, from one game.

    `mine` and `theirs` are the odds with which the player and the others play to this state, `sampled` those with
    which this walk came here; what chance did counts in neither.
    """
    count = opened(game, s, ply, 0, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    bits = next_bits(work)
    if game.probability is not None and mover == CHANCE:
        below = game.result(s, drawn(game, s, bits, count, 0, work))
        return outcome(game, below, player, ply + 1, mine, theirs, sampled, work)
    table, node = work.table, node_of(game, s, mover, count, 0, work)
    start = node + NODE
    whole = positive(table, start, count) if node != 0 else 0.0
    tries = work.exploration if mover == player else 0.0
    if tries > 0.0 and uniform(bits << 32) < tries:
        chosen = picked(table, start, count, 0.0, bits)
    else:
        chosen = picked(table, start, count, whole, bits)
    odds = odds_at(table, start, chosen, count, whole) if node != 0 else 1.0 / count
    here = tries / count + (1.0 - tries) * odds
    below = game.result(s, work.actions[chosen])
    if mover != player:
        worth = outcome(game, below, player, ply + 1, mine, theirs * odds, sampled * here, work)
        return worth * odds / here
    worth = outcome(game, below, player, ply + 1, mine * odds, theirs, sampled * here, work)
    value = worth * odds / here
    if node != 0:
        add_odds(table, start, count, whole, mine / sampled)
        scale = theirs / sampled
        for i in range(count):
            extra = worth / here - value if i == chosen else -value
            store_float(table, start + i, load_float(table, start + i) + scale * extra)
    return value


@kernel
def everything(game, s, player, ply, mine, theirs, top, work):
    """What `s` is worth to the player, given what chance does in this walk; `mine` and `theirs` as in `outcome`."""
    count = opened(game, s, ply, top, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    if game.probability is not None and mover == CHANCE:
        below = game.result(s, drawn(game, s, next_bits(work), count, top, work))
        return everything(game, below, player, ply + 1, mine, theirs, top, work)
    node = node_of(game, s, mover, count, top, work)
    table, memory = work.table, work.actions
    if node != 0:
        take_odds(node, count, work)
    start, value = node + NODE, 0.0
    for i in range(count):
        odds = load_float(table, start + ODDS * count + i) if node != 0 else 1.0 / count
        own, other = (mine * odds, theirs) if mover == player else (mine, theirs * odds)
        worth = 0.0
        if own > 0.0 or other > 0.0:
            below = game.result(s, memory[top + i])
            worth = everything(game, below, player, ply + 1, own, other, top + 2 * count, work)
        store_float(memory, top + count + i, worth)
        value += odds * worth
    if mover == player and node != 0:
        for i in range(start, start + count):
            extra = load_float(memory, top + count + i - start) - value
            store_float(table, i, load_float(table, i) + theirs * extra)
            place = i + SUM * count
            store_float(table, place, load_float(table, place) + mine * load_float(table, i + ODDS * count))
    return value


@kernel
def take_odds(node, count, work):
    """Take down the odds by which a set is played, once in a walk: it may be met again while its regrets change."""
    table = work.table
    if table[node + STAMP] != work.walk:
        table[node + STAMP] = work.walk
        start = node + NODE
        whole = positive(table, start, count)
        for i in range(count):
            store_float(table, start + ODDS * count + i, odds_at(table, start, i, count, whole))
    return 0
