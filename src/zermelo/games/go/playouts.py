"""Playouts of Go: fast games to the end, in which nobody fills an eye of their own.

With `playouts="uniform"` every other legal point is as likely as the next. With "patterns" a player first answers the
last stone (see `tactics`), and does not throw stones away.

On a GPU uniform playouts go another way, to the same games: see `crowd`.
"""

from zermelo.bits import bit, nth, popcount, u64
from zermelo.compile import is_crowded
from zermelo.compile.random import below, word
from zermelo.games.go import crowd
from zermelo.games.go.boards import size_of
from zermelo.games.go.moves import areas
from zermelo.games.go.stones import (
    BLACK,
    COLOUR,
    COUNT,
    DRAWS,
    EMPTY,
    FIRST,
    KO,
    NEAR,
    SIDES,
    WHITE,
    cell_of,
    colour_at,
    extra_words,
    is_eye,
    is_legal,
    place,
    set_up,
    toggle,
)
from zermelo.games.go.tactics import LIST, MOST, is_blunder, local_answer

REFUSED = LIST + MOST
"""Where points that will not do are written down, behind the other words."""


def play_out(game, s, seed, memory, start):
    """Play to the end, or for `game.longest` moves; player 0's utility. See the hook `rollout` of the contract."""
    if is_crowded():
        if game.playouts == "uniform":
            return crowd.play_out(game, s, seed, memory, start)
    base = start + game.policy_size
    set_up(game, s, memory, base)
    key, extra = u64(seed), base + extra_words(game)
    colour, passes, moves = s.player + 1, s.passes, 0
    last = cell_of(game, s.last) if s.last >= 0 else 0
    while passes < 2 and moves < game.longest:
        p = 0
        if game.playouts == "patterns":
            if last > 0:
                p = local_answer(game, memory, base, key, colour, last)
        if p == 0:
            p = random_point(game, memory, base, key, colour)
        last = p
        if p == 0:
            passes += 1
            memory[extra + KO] = 0
        else:
            passes = 0
            place(game, memory, base, p, colour)
            if memory[base + p] >> FIRST == 0:
                memory[base + p] |= colour << FIRST
        colour = 3 - colour
        moves += 1
    write_first(game, memory, start, base)
    lead = count_points(game, memory, base) - game.komi
    return 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0


def random_point(game, memory, base, key, colour):
    """An empty point for a stone of this colour, each as likely as any other; 0 where there is none.

    Points that will not do are left out of the set until one is found.
    """
    extra, empty = base + extra_words(game), base + 2 * game.cells
    left, draws, refused = memory[extra + COUNT], memory[extra + DRAWS], extra + REFUSED
    found = 0
    while left > 0 and found == 0:
        p = nth_point(memory, empty, below(word(key, draws), left))
        draws += 1
        if may_play(game, memory, base, p, colour):
            found = p
        else:
            left -= 1
            toggle(memory, empty, p)
            memory[refused] = p
            refused += 1
    while refused > extra + REFUSED:
        refused -= 1
        toggle(memory, empty, memory[refused])
    memory[extra + DRAWS] = draws
    return found


def nth_point(memory, at, n):
    """The point that has n others before it in the set of bits that begins here."""
    first = at
    size = popcount(memory[at])
    while n >= size:
        n -= size
        at += 1
        size = popcount(memory[at])
    return (at - first) * 64 + nth(memory[at], n)


def may_play(game, memory, base, p, colour):
    """Whether a playout may place a stone here: that is legal, fills no eye and, with patterns, is not lost at once."""
    near = memory[base + p] & NEAR
    if (near | near >> 1) & SIDES == SIDES:
        if is_eye(near, colour) or not is_legal(game, memory, base, p, colour):
            return False
    if game.playouts == "patterns":
        return not is_blunder(game, memory, base, p, colour)
    return True


def write_first(game, memory, start, base):
    """Write down who was the first to play on each point: 1 + player, or 0."""
    for row in range(game.size):
        p = base + (row + 1) * game.width + 1
        for column in range(game.size):
            memory[start + row * game.size + column] = memory[p + column] >> FIRST
    memory[start + game.size * game.size] = 0


def count_points(game, memory, base):
    """Black's points less White's."""
    total = 0
    for row in range(game.size):
        first = base + (row + 1) * game.width + 1
        for at in range(first, first + game.size):
            cell = memory[at]
            colour = cell >> COLOUR & 3
            if colour == EMPTY:
                if (cell | cell >> 1) & SIDES != SIDES:
                    return count_regions(game, memory, base)
                # A side is black where only the lower bit is set, white where only the upper one is.
                colour = (cell & ~(cell >> 1) & SIDES != 0) + 2 * (cell >> 1 & ~cell & SIDES != 0)
            total += (colour == BLACK) - (colour == WHITE)
    return total


def count_regions(game, memory, base):
    """Black's points less White's where empty points lie side by side: by the rule book."""
    black, white = areas(game, stones_of(game, memory, base, BLACK), stones_of(game, memory, base, WHITE))
    return size_of(game, black) - size_of(game, white)


def stones_of(game, memory, base, colour):
    """The stones of a colour as a set of points."""
    return tuple(word_of(game, memory, base, colour, i) for i in range(game.words))


def word_of(game, memory, base, colour, i):
    """A word of the set of a colour's stones."""
    found = u64(0)
    for row in range(i * game.rows, min(game.size, (i + 1) * game.rows)):
        for column in range(game.size):
            if colour_at(memory, base, (row + 1) * game.width + 1 + column) == colour:
                found |= bit((row - i * game.rows) * game.stride + column)
    return found
