"""What can be shown of a state whose game draws nothing itself: its fields, as numbers, rows and grids.

>>> import zermelo
>>> from typing import NamedTuple
>>> class State(NamedTuple):
...     cells: tuple[tuple[int, ...], ...]
...     player: int
>>> print(fields_text(fields_of(State(((0, 1), (2, 0)), 1))))
cells
  0 1
  2 0
player=1
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from zermelo.bits import u64

LONGEST_ROW = 16
"""A row of more values is folded."""
LEAST_SQUARE = 9
"""So many values in a row may well be a board."""
MOST_CELLS = 1_024
ROWS, COLUMNS, SIDES = ("rows", "height"), ("cols", "columns", "width"), ("size", "side", "n")
"""What games call the parameters that say how large their board is."""


class Field(NamedTuple):
    """A part of a state: a single value, or rows of them."""

    name: str
    value: Any
    rows: tuple[tuple[Any, ...], ...] = ()
    """The values of a tuple or of a board of bits, row by row; empty where the value is a single one."""

    @property
    def is_board(self) -> bool:
        """Whether its cells are the bits of a board."""
        return isinstance(self.value, u64)

    @property
    def is_grid(self) -> bool:
        """Whether it takes several lines."""
        return self.is_board or len(self.rows) > 1


def fields_of(state: Any, game: Any = None) -> tuple[Field, ...]:
    """The fields of a state; the game, where it is known, may say how large its board is: `rows` and `cols`, `size`."""
    return tuple(_fields(state, "", _sizes(game)))


def _fields(value: Any, name: str, sizes: list[tuple[int, int]]) -> Iterator[Field]:
    if hasattr(value, "_asdict"):
        for part, inside in value._asdict().items():
            yield from _fields(inside, f"{name}.{part}" if name else part, sizes)
    elif isinstance(value, u64):
        tall, wide = next((size for size in sizes if value.bit_length() <= size[0] * size[1] <= 64), (8, 8))
        yield Field(name, value, _folded([int(value) >> bit & 1 for bit in range(tall * wide)], wide))
    elif not isinstance(value, tuple) or not value or len(value) > MOST_CELLS:
        yield Field(name, value)
    elif all(isinstance(row, tuple) for row in value):
        yield Field(name, value, value)
    else:
        yield Field(name, value, _folded(value, _width(len(value), sizes)))


def _folded(values: Any, wide: int) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(values[i : i + wide]) for i in range(0, len(values), wide))


def _sizes(game: Any) -> list[tuple[int, int]]:
    """How tall and wide its board may be, by what the game's parameters and constants are called."""
    numbers = {name: getattr(game, name, None) for name in (*ROWS, *COLUMNS, *SIDES)}
    known = {name: n for name, n in numbers.items() if type(n) is int and n > 0}
    named = [(known[rows], known[cols]) for rows in ROWS for cols in COLUMNS if rows in known and cols in known]
    return named + [(known[side], known[side]) for side in SIDES if side in known]


def _width(count: int, sizes: list[tuple[int, int]]) -> int:
    """How many of so many values stand in a row."""
    for tall, wide in sizes:
        if tall * wide == count:
            return wide
    root = math.isqrt(count)
    if root * root == count >= LEAST_SQUARE:
        return root
    return min(count, LONGEST_ROW)


def fields_text(fields: Iterable[Field]) -> str:
    """The fields for a terminal: values side by side, boards and grids below their names."""
    lines: list[str] = []
    together: list[str] = []
    for field in fields:
        if not field.is_grid:
            together.append(f"{field.name}={field.value}" if field.name else str(field.value))
            continue
        if together:
            lines.append(", ".join(together))
            together = []
        lines += [field.name] if field.name else []
        lines += [f"  {row}" for row in _grid_text(field)]
    return "\n".join([*lines, ", ".join(together)] if together or not lines else lines)


def _grid_text(field: Field) -> list[str]:
    if field.is_board:
        return [" ".join("x" if bit else "." for bit in row) for row in field.rows]
    cells = [[cell_text(value) for value in row] for row in field.rows]
    wide = max((len(cell) for row in cells for cell in row), default=1)
    return [" ".join(cell.rjust(wide) for cell in row) for row in cells]


def cell_text(value: Any) -> str:
    """A value in few characters: truth as a number."""
    return str(int(value)) if isinstance(value, int) else str(value)
