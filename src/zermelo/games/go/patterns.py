"""Shapes: what the eight neighbours of a point say about a stone there.

Points and their neighbours look the same in a mirror, so that there are some eleven hundred shapes, those at the edge
and in the corner included. How often each was played where it could have been was learned from games that the program
played against itself (see `weights`): every shape has a level, and four levels more mean twice the weight.
"""

from collections.abc import Iterator
from itertools import product

from zermelo.compile import table
from zermelo.games.go.weights import LEVELS

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
"""How levels are written."""
ORDINARY = 32
"""The level of weight 1."""
SHAPES = 1 << 16
"""Two bits for each of the eight neighbours: 0 empty, 1 the player's own, 2 the other's, 3 off the board."""
MIRRORED, TURNED = (0, 2, 1, 3, 5, 4, 7, 6), (1, 0, 3, 2, 4, 6, 5, 7)
"""Where the neighbours go when left and right, or rows and columns, are exchanged."""
EDGES = ((0, 4, 5), (1, 4, 6), (2, 5, 7), (3, 6, 7))
"""The neighbours that are off the board at an edge."""


def views(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The shape in all eight positions."""
    for _ in range(4):
        for change in (MIRRORED, TURNED):
            shape = tuple(shape[n] for n in change)
            yield shape


def code(shape: tuple[int, ...]) -> int:
    """The shape as a number."""
    return sum(colour << 2 * n for n, colour in enumerate(shape))


def all_shapes() -> Iterator[tuple[int, ...]]:
    """One shape of each kind, in the order of levels."""
    known: set[tuple[int, ...]] = set()
    for edges in ((), EDGES[:1], EDGES[:2]):
        outside = {n for edge in edges for n in edge}
        for shape in product(*((3,) if n in outside else (0, 1, 2) for n in range(8))):
            if shape not in known:
                known.update(views(shape))
                yield shape


def levels_by_code(levels: str) -> list[int]:
    """The level of each shape, by its number."""
    found = [ORDINARY] * SHAPES
    for shape, letter in zip(all_shapes(), levels, strict=True):
        for view in views(shape):
            found[code(view)] = LETTERS.index(letter)
    return found


LOCAL = 20
"""The odds of a shape of weight 1 beside the last stone, when playouts choose between those and the rest."""

LEVEL = table(levels_by_code(LEVELS))
WEIGHT = table([2.0 ** ((level - ORDINARY) / 4) for level in range(len(LETTERS))])
ODDS = table([round(LOCAL * 2.0 ** ((level - ORDINARY) / 4)) for level in range(len(LETTERS))])
