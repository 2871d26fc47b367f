"""Where everything stands: a tree is one block of words, and so is what a thread works with.

The children of a node lie side by side, each a row of words. Values are kept as integers, so that sums do not depend on
the order in which threads add to them: a utility is moved and scaled so that the least is -1 and the greatest 1, and
counted in units of 1 / ONE.
"""

from zermelo.compile.program import STOP

ONE = 1 << 30
"""A value of 1 in the tree's sums."""
FAR = 64
"""Values beyond so many times the range of utilities that was thought mean that the range was thought too small."""

# --- the head of a tree ----------------------------------------------------------------------------------------------

TOP, CAPACITY, STARTED, FULL, DEPTH, TROUBLE, FINER = range(7)
"""Words used, words there are, simulations begun, 1 when there was no room for a node's children; in a summary also the
longest path, and the status with which the search ended; 1 where a certain utility was finer than floats are."""
LEAST, GREATEST = 8, 9
"""The least and the greatest value seen (or known). All threads read them all the time: they stand in another line of
the processor's cache than what is written all the time."""
HEAD = 16
ROOT = HEAD
"""The first node."""

# --- a node ----------------------------------------------------------------------------------------------------------

VISITS, SUM, ACTION, FIRST = range(4)
"""Simulations that came through; the sum of their values for player 0; the action that leads here; where the first
child stands. In the word before the first child stands how many there are."""
NODE = 4
"""Words of the plainest node: two of them fit into one line of the processor's cache."""
PRIOR, PROVEN = 4, 5
"""Where a prior leads or a solver proves: how promising the action looked, as a float; whether the value is known for
certain."""
LARGE_NODE = 6
"""Behind these words lie, where wanted: three words of RAVE, the sums of the other players, and what each player gets
for certain: in the tree's units, and then as a float, which is the utility itself."""
RAVE_INDEX, RAVE_VISITS, RAVE_SUM = range(3)
UNOPENED, CLAIMED, ENDED = 0, -1, -2
"""Values of FIRST: no children yet; a thread is about to make them; the game is over here."""

# --- what a thread works with ----------------------------------------------------------------------------------------

(
    SIMULATIONS, STATUS, LIMIT, DEADLINE, SEED, WIDTH, SUMS, RAVE_AT, OTHERS_AT, EXACT_AT, FLAGS, EXPLORATION, URGENCY,
    BIAS, WIDENING, GROWTH, MIDDLE, HALF, LONGEST, CUT, PATH, SURE_ENDS, PLAYOUTS, DEEPEST, NUMBER, NUMBERS_END, ROOM,
    ROOM_END, STAYING, BASE, DUE, STAY_SUM, LOWEST, HIGHEST,
) = range(34)  # fmt: skip
"""Simulations of this thread; what went wrong or who stopped; simulations allowed in all; when to stop (a time); the
seed; words of a node; how many sums it keeps; where RAVE's words, the other players' sums and the certain values lie in
a node (0: nowhere); switches; then floats: the constant of exploration, the value of what was not tried yet, the bias
that RAVE may have, the constants of progressive widening, the middle of the range of utilities and half its width; the
longest playout, and after how many moves it is cut off and estimated; how many positions came before; whether the ends
of the range are known; the playouts of a leaf; and the longest path in the tree. Where threads share a tree: the next
number of a simulation and the end of those that are this thread's; words of the tree that are its own; whether it stays
at a node, how deep that is, how many simulations are still due there, and the sum of their values. Last, as floats, the
ends of the range where they are known."""
assert STATUS == STOP
WORDS = 34


HAS_URGENCY, HAS_WIDENING = 1, 2
"""Bits of FLAGS."""

NEVER = 1 << 62
NO_CUT = 1 << 40

LONGEST_LINE = 64
"""Moves of the line that an answer shows."""

# --- a thread's stack ------------------------------------------------------------------------------------------------

LONGEST_PATH = 1024
"""Trees are no deeper; below, simulations go on as playouts."""
NODES_AT, MOVERS_AT, LOSSES_AT, MARKS_AT = 0, LONGEST_PATH, 2 * LONGEST_PATH, 3 * LONGEST_PATH
"""Where the nodes of the path, their movers, what was taken from the nodes' values on the way down, and the marks of
played actions begin; behind the marks there is room for a playout and for actions."""
