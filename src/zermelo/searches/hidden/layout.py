"""Where everything stands in the search over information sets: one block of words for all players' trees.

A node is an information set of the player who moves there, known by a hash of what that player has seen since the root.
It holds a row for each action; rows hold their visits and what everybody got in them, as floats.
"""

from zermelo.compile.program import STOP

# --- the head --------------------------------------------------------------------------------------------------------

TOP, CAPACITY, STARTED, FULL, MASK, NODES = range(6)
"""Words used, words there are, simulations made, 1 when there was no room for a node, the number of slots less 1, and
how many nodes there are."""
RANGES = 8
"""From here on, for each player, the least and the greatest utility, known or seen; behind them the slots, in which a
node is found by its key."""

# --- a node, and a row of it -----------------------------------------------------------------------------------------

KEY, COUNT, VISITS = range(3)
NODE = 3
ACTION, TRIES = range(2)
ROW = 2
"""Words of a row before what everybody got."""

# --- what a search works with ----------------------------------------------------------------------------------------

(
    SIMULATIONS, STATUS, LIMIT, DEADLINE, SEED, WORLDS, EXPLORATION, LONGEST, DEEPEST, PLAYER, WIDE, DOUBT,
) = range(12)  # fmt: skip
"""Simulations of this call; what went wrong; simulations allowed in all; when to stop; the seed; how many worlds fit
what the player saw; the constant of exploration, a float; the longest playout; the longest path in the tree; the player
who asks; how many worlds are conceivable to anybody, and the share of the simulations that begin in one of these, a
float."""
assert STATUS == STOP
WORDS = 16


NEVER = 1 << 62

# --- the stack -------------------------------------------------------------------------------------------------------

LONGEST_PATH = 1024
NODES_AT, ROWS_AT, PLAYERS_AT = 0, LONGEST_PATH, 2 * LONGEST_PATH
"""The nodes of the path and the rows taken there; then for each player a key, the hash of the last view, and a gain;
then room for actions."""
IN_TREE = 1 << 20
"""Random words from this one on are used in the tree, those before in playouts."""
FOR_WORLD = 1 << 24
"""The random word that picks the world; the next one picks whose."""
EVERYBODY = -1
"""Instead of a player: all learn from a simulation."""
