"""Read-only data that rules look things up in: attack boards, hand ranks, word lists.

A table behaves like an array in plain Python. In native code it is one block of static memory on the CPU and one copy
in device memory on a GPU, however many rules mention it and however large it is.
"""

import hashlib
from functools import cached_property
from typing import Any

from zermelo.bits import u64
from zermelo.compile.memory import HUGE, pages
from zermelo.errors import BadParameter

LINE = 64
"""Bytes that processors read at once."""
KINDS = {"b": "int", "i": "int", "u": "int", "f": "float"}


class Table:
    """Immutable numbers in one or more dimensions; `table[i]` or `table[i, j]` is one of them."""

    def __init__(self, data: Any) -> None:
        import numpy as np

        try:
            array = np.array(data, order="C")
            if not isinstance(data, np.ndarray) and array.dtype.kind in "fO":
                exact = np.array(data, dtype=object)
                if all(isinstance(value, int) for value in exact.flat):
                    array = exact.astype(np.uint64)
        except (ValueError, OverflowError) as error:
            raise BadParameter(f"table: wants rows of equal length and numbers of 64 bits ({error})") from None
        if array.dtype.kind not in KINDS or array.ndim == 0 or array.size == 0:
            raise BadParameter(f"table: wants integers, floats or booleans in rows, not {array.dtype} {array.shape}")
        if array.dtype == bool:
            array = array.astype(np.int8)
        if array.dtype == np.float16:
            array = array.astype(np.float32)
        array = _laid_out(array)
        array.setflags(write=False)
        self.array = array
        self.shape = array.shape
        self.dtype = str(array.dtype)
        self.digest = hashlib.sha256(f"{self.dtype}{self.shape}".encode() + array.tobytes()).hexdigest()[:20]

    @cached_property
    def _plain(self) -> Any:
        """The numbers as Python's own, which are looked up faster; tables of rows never need them."""
        values = self.array.tolist()
        return _unsigned(values) if self.dtype == "uint64" else values

    def __getitem__(self, index: Any) -> Any:
        value = self._plain
        for i in index if isinstance(index, tuple) else (index,):
            value = value[i]
        return value

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"table({'x'.join(map(str, self.shape))} {self.dtype})"


def _laid_out(array: Any) -> Any:
    """A copy of the numbers where they are read fastest: in large pages, with rows that fit the cache's lines."""
    import numpy as np

    room: Any
    if array.nbytes >= HUGE:
        room, first = pages(array.nbytes)
    else:
        room = np.empty(array.nbytes + LINE, np.uint8)
        first = -room.ctypes.data % LINE
    laid = np.frombuffer(room, array.dtype, array.size, first).reshape(array.shape)
    laid[...] = array
    return laid


def _unsigned(values: Any) -> Any:
    return [_unsigned(v) for v in values] if isinstance(values, list) else u64(values)


def table(data: Any) -> Table:
    """A read-only table of numbers for the rules of a game.

    >>> KNIGHT_STEPS = table([6, 10, 15, 17])
    >>> KNIGHT_STEPS[2]
    15
    """
    return Table(data)
