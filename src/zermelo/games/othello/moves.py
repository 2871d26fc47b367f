"""Where discs may be placed in Othello, and what they turn over: boards of bits, whole lines at once.

Cell n is bit n, counted from a1 in the upper left corner, row by row. A line of the opponent's discs is followed in
all places of the board at once: one step, another, then two at a time along pairs of such discs (a parallel prefix,
as Kogge and Stone add numbers). Six discs are as many as can lie between two others on eight cells.
"""

from zermelo.bits import u64


def full_board(size):
    """All cells of the board."""
    return (u64(1) << size * size) - 1


def first_column(size):
    """The cells of column a: one bit in every row."""
    return full_board(size) // ((1 << size) - 1)


def inner_columns(size):
    """All cells but those of the first and the last column: lines that are not upright run through these."""
    return first_column(size) * ((1 << size - 1) - 2)


def run_on(start, through, step):
    """The cells of `through` that lie in one line from `start` on, towards higher cells."""
    run = through & start << step
    run |= through & run << step
    pairs = through & through << step
    run |= pairs & run << 2 * step
    return run | pairs & run << 2 * step


def run_back(start, through, step):
    """The cells of `through` that lie in one line from `start` on, towards lower cells."""
    run = through & start >> step
    run |= through & run >> step
    pairs = through & through >> step
    run |= pairs & run >> 2 * step
    return run | pairs & run >> 2 * step


def placements(mine, theirs, size):
    """The empty cells on which a disc of mine turns over at least one of theirs."""
    inner = theirs & inner_columns(size)
    cells = run_on(mine, inner, 1) << 1 | run_back(mine, inner, 1) >> 1
    cells |= run_on(mine, theirs, size) << size | run_back(mine, theirs, size) >> size
    cells |= run_on(mine, inner, size - 1) << size - 1 | run_back(mine, inner, size - 1) >> size - 1
    cells |= run_on(mine, inner, size + 1) << size + 1 | run_back(mine, inner, size + 1) >> size + 1
    return cells & ~(mine | theirs) & full_board(size)


def turned_on(disc, mine, through, step):
    """The discs towards higher cells that a new disc turns over: those up to the next of mine."""
    if disc << step & through == 0:
        return u64(0)
    run = run_on(disc, through, step)
    return run if run << step & mine else u64(0)


def turned_back(disc, mine, through, step):
    """The discs towards lower cells that a new disc turns over: those up to the next of mine."""
    if disc >> step & through == 0:
        return u64(0)
    run = run_back(disc, through, step)
    return run if run >> step & mine else u64(0)


def turned_over(disc, mine, theirs, size):
    """All discs that a new disc turns over."""
    inner = theirs & inner_columns(size)
    discs = turned_on(disc, mine, inner, 1) | turned_back(disc, mine, inner, 1)
    discs |= turned_on(disc, mine, theirs, size) | turned_back(disc, mine, theirs, size)
    discs |= turned_on(disc, mine, inner, size - 1) | turned_back(disc, mine, inner, size - 1)
    return discs | turned_on(disc, mine, inner, size + 1) | turned_back(disc, mine, inner, size + 1)


def turned(board, k, size):
    """The board under symmetry k: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 rows and columns."""
    row, column = (1 << size) - 1, int(first_column(size))
    if k & 1:
        mirrored = 0
        for n in range(size):
            mirrored |= (board >> n & column) << size - 1 - n
        board = mirrored
    if k & 2:
        mirrored = 0
        for n in range(size):
            mirrored |= (board >> n * size & row) << (size - 1 - n) * size
        board = mirrored
    if k & 4:
        mirrored = 0
        for n in range(size * size):
            mirrored |= (board >> n & 1) << n % size * size + n // size
        board = mirrored
    return board
