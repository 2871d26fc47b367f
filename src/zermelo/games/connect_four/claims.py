"""What can be said about a position of Connect Four without search: kernels on boards of bits.

Count the cells of every column in pairs from the top: each pair has a lower and an upper cell. Whoever answers every
move by one on top of it, the *follower*, gets upper cells, and the other side, the *leader*, gets lower ones. So both
know the cells that they will have, their lots, whatever the leader does. A leader without a line in its lot cannot win,
and a follower with a line in its lot cannot fail to. Nothing here is a guess: what these kernels say holds against
every defence (see docs/theory/connect-four.md).
"""

from zermelo.bits import lowest
from zermelo.compile import kernel
from zermelo.games.connect_four import ConnectFour

SMALL = 16
"""The binary logarithm of the entries in the small table, which fits into the processor's cache."""


class Board(ConnectFour):
    """Connect Four with the constants that its solver is compiled with: boards of bits, as in `ConnectFour.State`."""

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * self.cols

    @property
    def bits(self) -> int:
        """How many bits a board has, with the empty one on top of each column."""
        return (self.rows + 1) * self.cols

    @property
    def small(self) -> int:
        """The binary logarithm of the entries in the small table."""
        return min(SMALL, self.bits)

    @property
    def floor(self) -> int:
        """The lowest cell of each column."""
        return sum(1 << column * (self.rows + 1) for column in range(self.cols))

    @property
    def ceiling(self) -> int:
        """The bit above each column."""
        return self.floor << self.rows

    @property
    def full(self) -> int:
        """All cells."""
        return self.floor * ((1 << self.rows) - 1)

    @property
    def lower(self) -> int:
        """The lower cell of each pair: the row below the top, and every second one below it."""
        return sum(self.floor << row for row in range(self.rows) if (self.rows - row) % 2 == 0)


@kernel
def completing(game, stones):
    """The cells that complete a line of these stones, where the other side may have stones already."""
    found = stones << 1
    for distance in range(2, game.line):
        found &= stones << distance
    for step in (game.rows, game.rows + 1, game.rows + 2):
        if game.line == 4:
            behind, ahead = stones << step & stones << 2 * step, stones >> step & stones >> 2 * step
            found |= behind & (stones << 3 * step | stones >> step) | ahead & (stones << step | stones >> 3 * step)
        else:
            for before in range(game.line):
                run = game.full
                for distance in range(1, before + 1):
                    run &= stones << distance * step
                for distance in range(1, game.line - before):
                    run &= stones >> distance * step
                found |= run
    return found & game.full & ~stones


@kernel
def upward(game, cells):
    """The lowest of these cells in each column, and everything above it."""
    marked = cells | game.ceiling
    return game.full & ~(marked - game.floor & ~marked)


@kernel
def column_of(game, cells):
    """All cells of the first column that has one of these."""
    return (1 << game.rows) - 1 << lowest(cells) // (game.rows + 1) * (game.rows + 1)


@kernel
def claims(game, rival, threats, empty, playable, left, moves, need):
    """Whether a side is sure to score `need` or more by following; `threats` are the cells that complete a line for it.

    Following works where the number of free cells is even when the rival is to move. Otherwise a column must be
    `turned`: one with a threat of the follower on a lower cell. The rival cannot play below that cell, so the column
    ends there, and in it the pairs are counted from the threat down. Two turned columns leave the number even.
    """
    even = left & 1 == moves
    if even and follows(game, rival, threats, empty, playable, need, 0):
        return True
    turning = threats & game.lower & ~playable
    while turning:
        one = column_of(game, turning)
        turning &= ~one
        if not even and follows(game, rival, threats, empty, playable, need, one):
            return True
        others = turning
        while even and others:
            two = column_of(game, others)
            others &= ~two
            if follows(game, rival, threats, empty, playable, need, one | two):
                return True
    return False


@kernel
def follows(game, rival, threats, empty, playable, need, turned):
    """Whether following scores `need` if, in the columns that are `turned`, lower and upper cells change places.

    No column is played beyond a threat of the follower on a cell of its own. A line in the follower's lot is complete
    at the latest when all other columns are: with k cells above its highest free cell it scores (k + 2) // 2 or more.

    Where the lowest free cell is an upper one, it has no partner. If it is the only one, the follower is to move and
    takes it. Others go two by two: when the leader takes one, the follower takes another. Here the leader is given all
    of them, which is more than it can have.
    """
    lead = game.lower ^ turned
    wins = threats & ~lead
    reached = ~upward(game, wins)
    if need > 0:
        height = game.rows + 2 - 2 * need
        if height <= 0:
            return False
        lot = ~lead & ~playable & (reached | wins)
        if height < game.rows:
            lot &= game.floor * ((1 << height) - 1)
        if not game.has_line(game.full & ~rival & (~empty | lot)):
            return False
    single = playable & ~lead & reached
    if single & single - 1 == 0:
        single = 0
    return not game.has_line(rival | empty & lead & reached | single)
