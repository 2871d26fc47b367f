"""Memory that kernels read and write: one machine word to pass around, never an array object.

On the python machine a memory is a plain list. Native code sees an address; `Words` is the block behind it on the CPU.
`replace`, `thaw` and `freeze` let rules change tuples, which are values everywhere.
"""

import contextlib
import ctypes
import mmap
import struct
from collections.abc import Sequence
from typing import Any, TypeVar

from zermelo.errors import CompileError

Item = TypeVar("Item")
LARGE = 1 << 14
"""Words from which on a block is taken from the system."""
HUGE = 1 << 23
"""Bytes from which on it is asked for in large pages: tables are read at random, and each page would be looked up."""


def _pages(size: int) -> mmap.mmap:
    pages = mmap.mmap(-1, size)
    if size >= HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


class Words:
    """A block of 64-bit words outside Python, zeroed, that native code reads and writes by its address."""

    __slots__ = ("address", "block", "length")

    def __init__(self, length: int) -> None:
        self.length = length
        kind = ctypes.c_int64 * length
        # Large blocks come from the system page by page, as they are touched; ctypes would write zeros into all of it.
        self.block = kind() if length < LARGE else kind.from_buffer(_pages(8 * length))
        self.address = ctypes.addressof(self.block)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        return self.block[index]

    def __setitem__(self, index: int, value: int) -> None:
        self.block[index] = value

    def fill(self, words: Sequence[int]) -> None:
        """Write words from the start on."""
        for i, word in enumerate(words):
            self.block[i] = word

    def words(self) -> list[int]:
        """All words."""
        return self.block[:]


def float_to_word(value: float) -> int:
    """The 64 bits of a float, as a signed integer."""
    return struct.unpack("<q", struct.pack("<d", value))[0]


def word_to_float(word: int) -> float:
    """The float whose 64 bits these are."""
    return struct.unpack("<d", struct.pack("<q", word))[0]


def load_float(memory: Any, index: int) -> float:
    """The float that `store_float` put there."""
    return memory[index]


def store_float(memory: Any, index: int, value: float) -> None:
    """Put a float into a memory."""
    memory[index] = value + 0.0


def state_words(game: Any) -> int:
    """How many words of memory a state of the game takes."""
    from zermelo.compile.layout import state_layout

    try:
        return state_layout(game).size
    except CompileError:
        return 1


def store_state(game: Any, memory: Any, index: int, s: Any) -> None:
    """Put a whole state into a memory, where it takes `state_words(game)` words."""
    memory[index] = s


def load_state(game: Any, memory: Any, index: int) -> Any:
    """The state that `store_state` put there."""
    return memory[index]


def make_room(memory: Any, length: int) -> int:
    """Let a memory of the python machine grow to this length; native memory has its full size from the start."""
    if len(memory) < length:
        memory.extend([0] * (2 * length - len(memory)))
    return 0


def prefetch(memory: Any, index: int) -> int:
    """Let the processor fetch a word that will be read soon; plain Python has nothing to fetch."""
    return 0


def replace(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The tuple with one item changed.

    >>> replace((1, 2, 3), 1, 7)
    (1, 7, 3)
    """
    items = list(values)
    items[index] = value
    return tuple(items)


def thaw(values: Sequence[Item]) -> list[Item]:
    """A copy whose items can be assigned; `freeze` makes it a tuple again."""
    return list(values)


def freeze(items: Sequence[Item]) -> tuple[Item, ...]:
    """The tuple of what `thaw` had opened."""
    return tuple(items)
