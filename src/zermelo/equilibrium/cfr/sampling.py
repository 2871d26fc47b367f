"""Monte Carlo counterfactual regret minimisation: games are played by the rules, and no tree is kept.

What is known about an information set lies in one table, found by a hash of who moves and what that player sees. One
walk is made for each player in turn, and only that player learns from it (Lanctot, Waugh, Zinkevich and Bowling, 2009):

- external sampling draws what chance and the others do, and tries every action of the player;
- outcome sampling plays one game, in which the player tries any action with some odds;
- chance sampling draws what chance does, and goes through all that players can do then.
"""

from zermelo.compile import is_finite, kernel, load_float, make_room, store_float
from zermelo.compile.program import STOP
from zermelo.compile.random import stream, uniform, word
from zermelo.contract import CHANCE
from zermelo.equilibrium.forms.flattening import has_odds, set_key
from zermelo.running.faults import is_player
from zermelo.running.statuses import ENDLESS, FINE, NO_ACTIONS, NO_NUMBER, NO_ODDS, NO_PLAYER, TOO_MANY, UNEQUAL
from zermelo.searches.playouts import chance_outcome

TOP, CAPACITY, MASK, NODES, FULL = range(5)
SLOTS_AT = 8
"""Words of the table's head: words used, words there are, the number of slots less 1, sets known, 1 when there was no
room for a set; then the slots, then the sets."""

KEY, COUNT, STAMP = range(3)
NODE = 3
"""A set: its hash, its number of actions, the last walk in which its odds were taken down; then for each action its
regret, the sum of its odds, its odds in this walk, and which it is."""
REGRET, SUM, ODDS, ACTION = range(4)
BLOCKS = 4

DONE, STATUS, GOAL, SEED, DRAWN, EXPLORATION, LONGEST, WALK, ROOM = range(9)
"""Words of `work`: iterations made, what went wrong, iterations wanted, the seed, random words used in this walk, the
odds with which outcome sampling tries any action (a float), the longest game, the number of the walk, and words for the
actions on the way."""
assert STATUS == STOP
WORK_WORDS = 16
LOOKED_AT = 1 << 10
"""In so many walks the odds of every chance node are looked at."""
SELDOM = 63
"""Random bits that are all 0 in the later walks in which they are, too."""


@kernel
def play_games(game, s, walk, table, memory, totals, work):
    """Iterations until as many are done as wanted: one walk for each player."""
    while work[DONE] < work[GOAL] and work[STATUS] == FINE:
        for player in range(game.players):
            work[WALK] += 1
            work[DRAWN] = 0
            key = stream(work[SEED], work[WALK])
            value = walk(game, s, player, key, table, memory, work)
            store_float(totals, player, load_float(totals, player) + value)
        work[DONE] += 1
    return 0


@kernel
def by_external(game, s, player, key, table, memory, work):
    """One walk of external sampling."""
    return external(game, s, player, 0, key, table, memory, 0, work)


@kernel
def by_outcome(game, s, player, key, table, memory, work):
    """One walk of outcome sampling."""
    return outcome(game, s, player, 0, 1.0, 1.0, 1.0, key, table, memory, 0, work)


@kernel
def by_chance(game, s, player, key, table, memory, work):
    """One walk of chance sampling."""
    return everything(game, s, player, 0, 1.0, 1.0, key, table, memory, 0, work)


@kernel
def next_bits(key, work):
    """The next random word of this walk."""
    work[DRAWN] += 1
    return word(key, work[DRAWN])


@kernel
def opened(game, s, ply, memory, top, work):
    """Write the actions of `s` to memory; how many there are, or -1 where something is wrong."""
    if ply >= work[LONGEST] or top > work[ROOM]:
        work[STATUS] = ENDLESS
    if work[STATUS] != FINE:
        return -1
    make_room(memory, top + 2 * game.max_actions)
    count = game.fill(s, memory, top) - top
    if count < 0:
        work[STATUS] = TOO_MANY
    elif count == 0 and not game.ends_without_actions:
        work[STATUS] = NO_ACTIONS
        return -1
    return count


@kernel
def paid(game, s, player, work):
    """What the end `s` pays a player."""
    value = 0.0 + game.utility(s, player)
    if not is_finite(value):
        work[STATUS] = NO_NUMBER
    return value


@kernel
def drawn(game, s, bits, count, memory, top, work):
    """An outcome of chance, drawn by its odds; these are looked at in early walks, and now and then in later ones."""
    if game.draw is None and (work[WALK] <= LOOKED_AT or bits & SELDOM == 0):
        if not has_odds(game, s, memory, top, top + count):
            work[STATUS] = NO_ODDS
    return chance_outcome(game, s, bits, count, memory, top, True)


@kernel
def node_of(game, s, mover, count, table, memory, top, work):
    """The set that the player to move is in, made where it is new; 0 where there is no room for it."""
    key = set_key(game, s, mover)
    slot = SLOTS_AT + (key & table[MASK])
    node = table[slot]
    while node != 0:
        if table[node + KEY] == key:
            if table[node + COUNT] != count:
                work[STATUS] = UNEQUAL
                return 0
            return node
        slot = SLOTS_AT + (slot - SLOTS_AT + 1 & table[MASK])
        node = table[slot]
    node = table[TOP]
    end = node + NODE + BLOCKS * count
    # A quarter of the slots stays free, so that keys are found soon.
    if end > table[CAPACITY] or 4 * table[NODES] >= 3 * table[MASK]:
        table[FULL] = 1
        return 0
    make_room(table, end)
    table[TOP] = end
    table[NODES] += 1
    table[node + KEY], table[node + COUNT], table[node + STAMP] = key, count, 0
    for i in range(node + NODE, node + NODE + ACTION * count):
        store_float(table, i, 0.0)
    for i in range(count):
        table[node + NODE + ACTION * count + i] = memory[top + i]
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
def external(game, s, player, ply, key, table, memory, top, work):
    """What `s` is worth to the player, who tries everything; the others play by their odds."""
    if game.is_over(s):
        return paid(game, s, player, work)
    count = opened(game, s, ply, memory, top, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    if not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    if game.probability is not None and mover == CHANCE:
        action = drawn(game, s, next_bits(key, work), count, memory, top, work)
        return external(game, game.result(s, action), player, ply + 1, key, table, memory, top, work)
    node = node_of(game, s, mover, count, table, memory, top, work)
    start = node + NODE
    whole = positive(table, start, count) if node != 0 else 0.0
    if mover != player:
        chosen = picked(table, start, count, whole, next_bits(key, work))
        # One of the other players sums up its odds, so that each does so once in every iteration.
        if node != 0 and mover == (player + 1) % game.players:
            add_odds(table, start, count, whole, 1.0)
        below = game.result(s, memory[top + chosen])
        return external(game, below, player, ply + 1, key, table, memory, top, work)
    value = 0.0
    for i in range(count):
        below = game.result(s, memory[top + i])
        worth = external(game, below, player, ply + 1, key, table, memory, top + 2 * count, work)
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
def outcome(game, s, player, ply, mine, theirs, sampled, key, table, memory, top, work):
    """An estimate of what `s` is worth to the player, from one game.

    `mine` and `theirs` are the odds with which the player and the others play to this state, `sampled` those with
    which this walk came here; what chance did counts in neither.
    """
    if game.is_over(s):
        return paid(game, s, player, work)
    count = opened(game, s, ply, memory, top, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    if not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    bits = next_bits(key, work)
    if game.probability is not None and mover == CHANCE:
        below = game.result(s, drawn(game, s, bits, count, memory, top, work))
        return outcome(game, below, player, ply + 1, mine, theirs, sampled, key, table, memory, top, work)
    node = node_of(game, s, mover, count, table, memory, top, work)
    start = node + NODE
    whole = positive(table, start, count) if node != 0 else 0.0
    tries = load_float(work, EXPLORATION) if mover == player else 0.0
    if tries > 0.0 and uniform(bits << 32) < tries:
        chosen = picked(table, start, count, 0.0, bits)
    else:
        chosen = picked(table, start, count, whole, bits)
    odds = odds_at(table, start, chosen, count, whole) if node != 0 else 1.0 / count
    here = tries / count + (1.0 - tries) * odds
    below = game.result(s, memory[top + chosen])
    if mover != player:
        worth = outcome(
            game, below, player, ply + 1, mine, theirs * odds, sampled * here, key, table, memory, top, work
        )  # fmt: skip
        return worth * odds / here
    worth = outcome(game, below, player, ply + 1, mine * odds, theirs, sampled * here, key, table, memory, top, work)
    value = worth * odds / here
    if node != 0:
        add_odds(table, start, count, whole, mine / sampled)
        scale = theirs / sampled
        for i in range(count):
            extra = worth / here - value if i == chosen else -value
            store_float(table, start + i, load_float(table, start + i) + scale * extra)
    return value


@kernel
def everything(game, s, player, ply, mine, theirs, key, table, memory, top, work):
    """What `s` is worth to the player after what chance does in this walk; `mine` and `theirs` as in `outcome`."""
    if game.is_over(s):
        return paid(game, s, player, work)
    count = opened(game, s, ply, memory, top, work)
    if count <= 0:
        return paid(game, s, player, work) if count == 0 else 0.0
    mover = game.to_move(s)
    if not is_player(game, mover):
        work[STATUS] = NO_PLAYER
        return 0.0
    if game.probability is not None and mover == CHANCE:
        below = game.result(s, drawn(game, s, next_bits(key, work), count, memory, top, work))
        return everything(game, below, player, ply + 1, mine, theirs, key, table, memory, top, work)
    node = node_of(game, s, mover, count, table, memory, top, work)
    if node != 0:
        take_odds(table, node, count, work)
    start, value = node + NODE, 0.0
    for i in range(count):
        odds = load_float(table, start + ODDS * count + i) if node != 0 else 1.0 / count
        own, other = (mine * odds, theirs) if mover == player else (mine, theirs * odds)
        worth = 0.0
        if own > 0.0 or other > 0.0:
            below = game.result(s, memory[top + i])
            worth = everything(game, below, player, ply + 1, own, other, key, table, memory, top + 2 * count, work)
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
def take_odds(table, node, count, work):
    """Take down the odds by which a set is played, once in a walk: it may be met again while its regrets change."""
    if table[node + STAMP] != work[WALK]:
        table[node + STAMP] = work[WALK]
        start = node + NODE
        whole = positive(table, start, count)
        for i in range(count):
            store_float(table, start + ODDS * count + i, odds_at(table, start, i, count, whole))
    return 0
