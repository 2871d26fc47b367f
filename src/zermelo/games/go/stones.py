"""A board in memory on which stones are placed and captured in steps of some nanoseconds: what playouts play on.

Each point has a word, its cell, in a board with a rim around it, so that every point has eight neighbours. From the
lowest bit on, a cell holds

- the colours of the eight neighbours, two bits each: 0 empty, 1 black, 2 white, 3 off the board;
- its own colour;
- for a stone the head of its chain and the next stone of it, which leads around in a circle; the head knows the size;
- who was the first to play there since the board was set up.

A second word belongs to the heads of chains: their liberties. Each stone counts each empty neighbour, so that one
empty point may count several times; the word sums up 1, the point and its square. That is changed by one addition,
tells when nothing is left, and by Cauchy's inequality also when all that is left is the same point: the chain is in
atari just where count times squares is the sum squared. Behind those lie the empty points as bits, by their cells.
"""

from zermelo.bits import bit, popcount, u64
from zermelo.games.go.boards import holds

EMPTY, BLACK, WHITE, RIM = range(4)
NEAR = 0xFFFF
UP, LEFT, RIGHT, DOWN, UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = range(0, 16, 2)
"""Where in a cell the colour of a neighbour is."""
SIDES, CORNERS = 0x55, 0x5500
"""The lower bits of the four neighbours along the lines, and of the four diagonal ones."""
COLOUR, HEAD, NEXT, SIZE, FIRST = 16, 18, 27, 36, 45
"""Where in a cell the rest begins: own colour, head, next stone, size, first player."""
INDEX = 0x1FF
"""Points and sizes have nine bits."""
ONE, SUM, SUM_BITS, SQUARE_BITS = 48, 28, (1 << 20) - 1, (1 << 28) - 1
"""Where in a word of liberties their count and their sum begin."""
COUNT, KO, DRAWS = range(3)
"""Words behind the empty points: how many there are, the point of the ko, the random numbers used."""


def extra_words(game):
    """Where the words behind the empty points begin."""
    return 2 * game.cells + (game.cells + 63) // 64


def colour_at(memory, base, p):
    """The colour of a point."""
    return memory[base + p] >> COLOUR & 3


def head_of(memory, base, p):
    """The head of the chain of a stone."""
    return memory[base + p] >> HEAD & INDEX


def liberty(p):
    """What a point adds to a word of liberties."""
    return (1 << ONE) + (p << SUM) + p * p


def is_atari(word):
    """Whether all liberties are one point."""
    total = word >> SUM & SUM_BITS
    return (word >> ONE) * (word & SQUARE_BITS) == total * total


def last_liberty(word):
    """The liberty of a chain in atari."""
    return (word >> SUM & SUM_BITS) // (word >> ONE)


def set_up(game, s, memory, base):
    """Put the stones of a state on the board."""
    width, empty = game.width, base + 2 * game.cells
    for p in range(game.cells):
        memory[base + p] = RIM << COLOUR
    for i in range(empty, base + extra_words(game)):
        memory[i] = 0
    for row in range(game.size):
        above = (RIM << UP | RIM << UP_LEFT | RIM << UP_RIGHT) if row == 0 else 0
        below = (RIM << DOWN | RIM << DOWN_LEFT | RIM << DOWN_RIGHT) if row == game.size - 1 else 0
        p = (row + 1) * width + 1
        for column in range(game.size):
            memory[base + p + column] = above | below
            toggle(memory, empty, p + column)
        memory[base + p] |= RIM << LEFT | RIM << UP_LEFT | RIM << DOWN_LEFT
        memory[base + p + game.size - 1] |= RIM << RIGHT | RIM << UP_RIGHT | RIM << DOWN_RIGHT
    memory[base + extra_words(game) + COUNT] = game.size * game.size
    memory[base + extra_words(game) + DRAWS] = 0
    for action in range(game.size * game.size):
        if holds(game, s.black, action):
            place(game, memory, base, cell_of(game, action), BLACK)
        elif holds(game, s.white, action):
            place(game, memory, base, cell_of(game, action), WHITE)
    memory[base + extra_words(game) + KO] = cell_of(game, s.ko) if s.ko >= 0 else 0


def cell_of(game, action):
    """The cell of a point: rows have one cell more than points, and one row is above them."""
    return action + action // game.size + game.width + 1


def show(game, memory, base, p, change):
    """Let the eight neighbours of a point see that its colour changed by so much."""
    at, width = base + p, game.width
    memory[at - width] += change << DOWN
    memory[at - 1] += change << RIGHT
    memory[at + 1] += change << LEFT
    memory[at + width] += change << UP
    memory[at - width - 1] += change << DOWN_RIGHT
    memory[at - width + 1] += change << DOWN_LEFT
    memory[at + width - 1] += change << UP_RIGHT
    memory[at + width + 1] += change << UP_LEFT


def place(game, memory, base, p, colour):
    """Place a stone where that is legal: join it to its chains, take what it takes, and note the ko."""
    extra = base + extra_words(game)
    cell = memory[base + p]
    memory[extra + COUNT] -= 1
    toggle(memory, base + 2 * game.cells, p)
    near = cell & NEAR
    memory[base + p] = near | colour << COLOUR | p << HEAD | p << NEXT | 1 << SIZE | cell >> FIRST << FIRST
    show(game, memory, base, p, colour)
    mine = open_sides(game, near, p)
    memory[base + game.cells + p] = mine
    head, taken = p, 0
    for q, side in ((p - game.width, UP), (p - 1, LEFT), (p + 1, RIGHT), (p + game.width, DOWN)):
        there = near >> side & 3
        if there == colour:
            other = head_of(memory, base, q)
            memory[base + game.cells + other] -= liberty(p)
            if other != head:
                head = merge(game, memory, base, head, other)
        elif there == 3 - colour:
            other = head_of(memory, base, q)
            left = memory[base + game.cells + other] - liberty(p)
            memory[base + game.cells + other] = left
            if left == 0:
                taken = other if taken == 0 and memory[base + other] >> NEXT & INDEX == other else -1
                capture(game, memory, base, other, colour)
    alone = head == p and memory[base + p] >> SIZE & INDEX == 1
    memory[extra + KO] = taken if taken > 0 and alone and memory[base + game.cells + p] == liberty(taken) else 0


def open_sides(game, near, p):
    """The liberties of a stone alone."""
    sides = near | near >> 1
    word = 0
    if sides >> UP & 1 == 0:
        word += liberty(p - game.width)
    if sides >> LEFT & 1 == 0:
        word += liberty(p - 1)
    if sides >> RIGHT & 1 == 0:
        word += liberty(p + 1)
    if sides >> DOWN & 1 == 0:
        word += liberty(p + game.width)
    return word


def toggle(memory, at, p):
    """Put a point into the set of bits that begins here, or take it out."""
    memory[at + (p >> 6)] = u64(memory[at + (p >> 6)]) ^ bit(p)


def merge(game, memory, base, one, other):
    """Make two chains one; its head, which is that of the larger."""
    large, small = memory[base + one], memory[base + other]
    if large >> SIZE & INDEX < small >> SIZE & INDEX:
        one, other = other, one
        large, small = small, large
    q = other
    while True:
        cell = memory[base + q]
        memory[base + q] = cell & ~(INDEX << HEAD) | one << HEAD
        q = cell >> NEXT & INDEX
        if q == other:
            break
    # The circles become one when the heads exchange what comes next.
    memory[base + other] ^= (large ^ small) & INDEX << NEXT
    memory[base + one] = (large ^ (large ^ small) & INDEX << NEXT) + (small & INDEX << SIZE)
    memory[base + game.cells + one] += memory[base + game.cells + other]
    return one


def capture(game, memory, base, head, colour):
    """Take a chain off the board; its neighbours of the other colour gain liberties."""
    extra, width = base + extra_words(game), game.width
    p = head
    while True:
        cell = memory[base + p]
        memory[base + p] = cell & NEAR | cell >> FIRST << FIRST
        memory[extra + COUNT] += 1
        toggle(memory, base + 2 * game.cells, p)
        show(game, memory, base, p, colour - 3)
        for q, side in ((p - width, UP), (p - 1, LEFT), (p + 1, RIGHT), (p + width, DOWN)):
            if cell >> side & 3 == colour:
                memory[base + game.cells + head_of(memory, base, q)] += liberty(p)
        p = cell >> NEXT & INDEX
        if p == head:
            break


def is_eye(near, colour):
    """Whether an empty point is an eye of this colour: enclosed, and its corners held as far as that takes."""
    own, other = (near, near >> 1) if colour == BLACK else (near >> 1, near)
    if own & SIDES != SIDES:
        return False
    return popcount(other & ~own & CORNERS) + (own & other & CORNERS != 0) < 2


def is_legal(game, memory, base, p, colour):
    """Whether a stone may be placed on an empty point, as far as the ko and its own liberties go."""
    near = memory[base + p] & NEAR
    if (near | near >> 1) & SIDES != SIDES:
        return True
    if p == memory[base + extra_words(game) + KO]:
        return False
    width = game.width
    for q, side in ((p - width, UP), (p - 1, LEFT), (p + 1, RIGHT), (p + width, DOWN)):
        there = near >> side & 3
        if there != RIM and (there == colour) != is_atari(memory[base + game.cells + head_of(memory, base, q)]):
            return True
    return False
