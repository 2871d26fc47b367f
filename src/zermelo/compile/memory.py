"""Memory that kernels read and write: one machine word to pass around, never an array object.

On the python machine a memory is a plain list. Native code sees an address; `Words` is the block behind it on the CPU.
`replace`, `thaw` and `freeze` let rules change tuples, which are values everywhere.
"""

import contextlib
import ctypes
import mmap
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from zermelo.errors import CompileError

Item = TypeVar("Item")
LARGE = 1 << 14
"""Words from which on a block is taken from the system."""
HUGE = 1 << 21
"""Bytes from which on large pages are asked for: tables are read at random, and small pages cost many look-ups."""


def pages(size: int) -> tuple[mmap.mmap, int]:
    """Zeroed memory of the system, and the place in it from which on it is used."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size), 0
    # Shared memory, which Python would take, is never given in large pages; nor is what does not fill one whole.
    whole = size if size < HUGE else -(-size // HUGE) * HUGE + HUGE
    found = mmap.mmap(-1, whole, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size < HUGE:
        return found, 0
    with contextlib.suppress(OSError):
        found.madvise(mmap.MADV_HUGEPAGE)
    return found, -ctypes.addressof(ctypes.c_char.from_buffer(found)) % HUGE


class Words:
    """A block of 64-bit words outside Python, zeroed, that native code reads and writes by its address."""

    __slots__ = ("address", "block", "length")

    def __init__(self, length: int) -> None:
        self.length = length
        kind = ctypes.c_int64 * length
        # Large blocks come from the system page by page, as they are touched; ctypes would write zeros into all of it.
        self.block = kind() if length < LARGE else kind.from_buffer(*pages(8 * length))
        self.address = ctypes.addressof(self.block)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        return self.block[index]

    def __setitem__(self, index: int, value: int) -> None:
        self.block[index] = value

    def fill(self, words: Sequence[int], start: int = 0) -> None:
        """Write words from a place on."""
        self.block[start : start + len(words)] = [*words]

    def settle(self) -> None:
        """Take all pages now, so that nothing waits for them later."""
        ctypes.memset(self.address, 0, 8 * self.length)

    def part(self, start: int, count: int) -> list[int]:
        """Some of the words."""
        return self.block[start : start + count]

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


class Blocks(list[Any]):
    """Blocks side by side in plain Python."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any], count: int) -> None:
        super().__init__(make() for _ in range(count))
        self.make = make


def make_room(memory: Any, length: int) -> int:
    """Let a memory of the python machine, or blocks side by side, grow to this length; native memory has its full size
    from the start."""
    if len(memory) < length:
        if isinstance(memory, Blocks):
            memory.extend([memory.make() for _ in range(length - len(memory))])
        else:
            memory.extend([0] * (2 * length - len(memory)))
    return 0


def prefetch(memory: Any, index: int) -> int:
    """Let the processor fetch a word that will be read soon; plain Python has nothing to fetch."""
    return 0


class Part:
    """The words of a list from some place on, as a memory of their own."""

    __slots__ = ("start", "whole")

    def __init__(self, whole: Any, start: int) -> None:
        self.whole, self.start = whole, start

    def __len__(self) -> int:
        return len(self.whole) - self.start

    def __getitem__(self, index: int) -> Any:
        return self.whole[self.start + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self.whole[self.start + index] = value


def part(memory: Any, start: int) -> Any:
    """The memory that begins at a word of another."""
    return Part(memory, start)


def fetch_add(memory: Any, index: int | str, value: int) -> int:
    """Add to a word, or to the field of a block that is named, and return what it was before; threads that do so at
    once all count."""
    if isinstance(index, str):
        found: int = getattr(memory, index)
        setattr(memory, index, found + value)
        return found
    before: int = memory[index]
    memory[index] = before + value
    return before


def exchange_if(memory: Any, index: int | str, expected: int, value: int) -> bool:
    """Set a word, or the field of a block that is named, if it is as expected, and say whether it was; of threads that
    do so at once one succeeds."""
    if isinstance(index, str):
        if getattr(memory, index) != expected:
            return False
        setattr(memory, index, value)
        return True
    if memory[index] != expected:
        return False
    memory[index] = value
    return True


def barrier() -> int:
    """Wait until all threads of a block are here, on a GPU; elsewhere a row runs alone and waits for nobody."""
    return 0


def is_crowded() -> bool:
    """Whether thousands of threads share a cache, so that a small state is worth more than few steps: on a GPU.

    Known when a kernel is compiled: what stands behind it costs the other machines nothing.
    """
    return False


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
