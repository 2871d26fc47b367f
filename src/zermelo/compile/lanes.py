"""Rows of numbers that are worked on at once: what small networks are made of.

A row of a table of 16-bit integers is one value, which is added and subtracted as a whole. In plain Python it is a
numpy array; natively it stands in vector registers, and a sum of thirty rows of a hundred numbers takes a tenth of a
microsecond.
"""

from typing import Any

from zermelo.compile.tables import Table
from zermelo.errors import BadParameter


def row(table: Table, index: int) -> Any:
    """A row of a table of 16-bit integers; rows can be added and subtracted, and no sum may leave 16 bits.

    >>> import numpy as np
    >>> from zermelo.compile import table
    >>> weights = table(np.array([[1, 2, 3], [10, 20, 30]], dtype=np.int16))
    >>> row(weights, 0) + row(weights, 1)
    array([11, 22, 33], dtype=int16)
    """
    require_rows(table)
    return table.array[index]


def squares_by_row(values: Any, top: int, table: Table, index: int) -> int:
    """Clip all numbers to 0 .. `top`, square them, and add them up, each times its weight in a row of the table.

    `top` squared times the largest weight must stay below 2 ** 28. Up to 181, whose square fits 16 bits, it is fastest.

    >>> import numpy as np
    >>> from zermelo.compile import table
    >>> weights = table(np.array([[1, 2, -3], [10, 20, 30]], dtype=np.int16))
    >>> squares_by_row(np.array([5, -4, 100], dtype=np.int16), 10, weights, 0)
    -275
    """
    require_rows(table)
    cut = values.clip(0, top).astype("int64")
    return int((cut * cut * table.array[index]).sum())


def row_words(table: Table) -> int:
    """How many words of memory a row of the table takes."""
    require_rows(table)
    return (table.shape[1] + 3) // 4


def store_row(memory: Any, index: int, values: Any) -> None:
    """Write a row, or a sum of rows, into memory from this word on."""
    memory[index] = values


def load_row(memory: Any, index: int, table: Table) -> Any:
    """What `store_row` wrote: a row as long as those of the table."""
    return memory[index]


def require_rows(table: Table) -> None:
    """Refuse tables that have no rows of 16-bit integers."""
    if table.dtype != "int16" or len(table.shape) != 2:
        raise BadParameter(f"row: wants a table of two dimensions with 16-bit integers (numpy.int16), not {table!r}")
