"""What a player sees at a glance after the other's move: chains in atari, good shapes beside it, blunders."""

from zermelo.bits import popcount
from zermelo.compile.random import below, word
from zermelo.games.go.patterns import LEVEL, ODDS
from zermelo.games.go.stones import (
    BLACK,
    COLOUR,
    DOWN,
    DRAWS,
    EMPTY,
    INDEX,
    LEFT,
    NEAR,
    NEXT,
    RIGHT,
    SIDES,
    UP,
    extra_words,
    head_of,
    is_atari,
    is_eye,
    is_legal,
    last_liberty,
    liberty,
    open_sides,
)

LIST, MOST = 3, 40
"""Where candidates are written down, and how many at most."""
ELSEWHERE = 100


def random_bits(game, memory, base, key):
    """The next random word of a playout."""
    at = base + extra_words(game) + DRAWS
    memory[at] += 1
    return word(key, memory[at] - 1)


def local_answer(game, memory, base, key, colour, last):
    """A point near the last stone that asks for a stone; 0 where none does."""
    found = urgent(game, memory, base, last, colour)
    candidates = base + extra_words(game) + LIST
    if found > 0:
        p = memory[candidates + below(random_bits(game, memory, base, key), found)]
        if is_legal(game, memory, base, p, colour):
            return p
    return shape(game, memory, base, key, colour, last)


def urgent(game, memory, base, last, colour):
    """Write down the points that take the last stone, or save a chain that it attacks; how many there are."""
    n = 0
    candidates, libs = base + extra_words(game) + LIST, base + game.cells
    word = memory[libs + head_of(memory, base, last)]
    if is_atari(word):
        memory[candidates] = last_liberty(word)
        n = 1
    near = memory[base + last]
    for q, side in ((last - game.width, UP), (last - 1, LEFT), (last + 1, RIGHT), (last + game.width, DOWN)):
        if near >> side & 3 == colour:
            head = head_of(memory, base, q)
            if is_atari(memory[libs + head]):
                n = rescue(game, memory, base, head, colour, n)
    return n


def rescue(game, memory, base, head, colour, n):
    """Write down what saves a chain in atari: to take a neighbour of its, or to run."""
    candidates, libs = base + extra_words(game) + LIST, base + game.cells
    p = head
    while True:
        cell = memory[base + p]
        for q, side in ((p - game.width, UP), (p - 1, LEFT), (p + 1, RIGHT), (p + game.width, DOWN)):
            if cell >> side & 3 == 3 - colour:
                word = memory[libs + head_of(memory, base, q)]
                if is_atari(word) and n < MOST:
                    memory[candidates + n] = last_liberty(word)
                    n += 1
        p = cell >> NEXT & INDEX
        if p == head:
            break
    out = last_liberty(memory[libs + head])
    if n < MOST and not is_atari(liberties_after(game, memory, base, out, colour)):
        memory[candidates + n] = out
        n += 1
    return n


def liberties_after(game, memory, base, p, colour):
    """The liberties of the chain that a stone would make; of points that it captures, only those beside it count."""
    libs = base + game.cells
    near = memory[base + p]
    word = open_sides(game, near, p)
    a, b, c = 0, 0, 0
    for q, side in ((p - game.width, UP), (p - 1, LEFT), (p + 1, RIGHT), (p + game.width, DOWN)):
        there = near >> side & 3
        if there == colour:
            head = head_of(memory, base, q)
            word -= liberty(p)
            if head != a and head != b and head != c:
                word += memory[libs + head]
                a, b, c = head, a, b
        elif there == 3 - colour:
            if is_atari(memory[libs + head_of(memory, base, q)]):
                word += liberty(q)
    return word


def is_blunder(game, memory, base, p, colour):
    """Whether a stone would leave its chain in atari."""
    near = memory[base + p]
    sides = (near | near >> 1) & SIDES
    if popcount(sides) <= 2:
        return False
    return is_atari(liberties_after(game, memory, base, p, colour))


def seen_by(near, colour):
    """The colours around a point as Black would see them, if Black had this colour."""
    return near & NEAR if colour == BLACK else (near & 0x5555) << 1 | near >> 1 & 0x5555


def shape(game, memory, base, key, colour, last):
    """A point beside the last stone, drawn by the worth of its shape; 0 stands for all points elsewhere."""
    candidates = base + extra_words(game) + LIST
    width = game.width
    total = 0
    for k, q in (
        (0, last - width - 1), (1, last - width), (2, last - width + 1), (3, last - 1),
        (4, last + 1), (5, last + width - 1), (6, last + width), (7, last + width + 1),
    ):  # fmt: skip
        cell = memory[base + q]
        if cell >> COLOUR & 3 == EMPTY:
            total += ODDS[LEVEL[seen_by(cell, colour)]]
        memory[candidates + k] = total
    if total == 0:
        return 0
    drawn = below(random_bits(game, memory, base, key), total + ELSEWHERE)
    if drawn >= total:
        return 0
    p = 0
    for k, q in (
        (0, last - width - 1), (1, last - width), (2, last - width + 1), (3, last - 1),
        (4, last + 1), (5, last + width - 1), (6, last + width), (7, last + width + 1),
    ):  # fmt: skip
        if p == 0 and drawn < memory[candidates + k]:
            p = q
    if is_eye(memory[base + p] & NEAR, colour) or not is_legal(game, memory, base, p, colour):
        return 0
    return 0 if is_blunder(game, memory, base, p, colour) else p
