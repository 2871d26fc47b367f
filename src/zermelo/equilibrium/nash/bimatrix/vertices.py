"""All vertices of a best-response polytope, proven to be all: natively where it is large, else in exact integers."""

import struct
from collections.abc import Iterable
from typing import Any

from zermelo.compile import machine
from zermelo.compile.hashing import mix
from zermelo.equilibrium.nash.bimatrix.certificate import LISTS
from zermelo.equilibrium.nash.bimatrix.exploring import DONE, FULL, LABELS, explore
from zermelo.equilibrium.nash.bimatrix.polytope import Polytope, Vertices, too_large, vertex_bound
from zermelo.equilibrium.nash.bimatrix.tableau import exact_bases

MOST_VERTICES = 4_000_000
MOST_EXACT = 30_000_000
"""The most numbers that are computed in plain Python, a tableau for each vertex."""
MOST_WORDS = 1 << 27
"""The largest ridge table."""
FIRST_ROOM = 1 << 9
LARGE_ROOM = 1 << 18
GROWTH = 4
LARGEST_INTEGER = 1 << 62
LARGEST_FLOAT = 1 << 900
SMALL = 12
"""Polytopes with so few labels are walked in plain Python: that needs no native code."""


def vertices(polytope: Polytope, *, most: int = MOST_VERTICES, native: bool | None = None) -> Vertices:
    """All vertices of a polytope, 0 first; proven to be all.

    >>> sorted(vertices(Polytope([[1, 2], [2, 1]], 0)))
    [3, 5, 10, 12]
    """
    if native is None:
        native = polytope.labels > SMALL
    native = native and max(map(max, polytope.constraints)) < LARGEST_FLOAT
    bases = _native_bases(polytope, most) if native else None
    if bases is None:
        bases = exact_bases(polytope, min(most, MOST_EXACT // (polytope.height * (polytope.width + 2)) + 1))
    return dict(bases)


def _native_bases(polytope: Polytope, most: int) -> Iterable[tuple[int, int]] | None:
    """The bases of the perturbed polytope, found and proven by native code; None where it could not prove them."""
    bound = vertex_bound(polytope.width, polytope.height) + 2
    words = -(-polytope.labels // LABELS)
    most = min(most, MOST_WORDS // (2 * words * polytope.width))
    # Random games have less than half of the vertices that there could be.
    room = min(bound, max(FIRST_ROOM, bound // 2), LARGE_ROOM, most)
    while True:
        search = NativeSearch(polytope, room)
        outcome = search.run()
        if outcome == DONE:
            return search.bases()
        if outcome != FULL:
            return None
        if room >= min(bound, most):
            raise too_large(polytope, most)
        # Each run begins anew: the last one takes all the room that there is, rather than most of it.
        room = GROWTH * room if 2 * GROWTH * room < min(bound, most) else min(bound, most)


class NativeSearch:
    """The memory of one search, and its run."""

    def __init__(self, polytope: Polytope, room: int, *, device: str = "cpu") -> None:
        self.polytope, self.on = polytope, machine(device)
        n, m = polytope.height, polytope.width
        self.words = -(-polytope.labels // LABELS)
        # Every edge has two ends: that many ridges, in a table that stays at most half full.
        size = (room * m).bit_length()
        largest = max(max(row) for row in polytope.constraints)
        scale = 1 << largest.bit_length()
        entries = [x for row in polytope.constraints for x in row]
        block = min(n, m)
        self.work = self.on.memory(LISTS + n + m + 3 * max(n, m) + 1 + 2 * self.words + m)
        self.numbers = self.on.memory(n * (m + 2) + n * (m + 1) + block * (block + 3))
        self.integers = self.on.memory(n * m + block * (block + 1))
        self.ridges = self.on.memory(self.words << size)
        self.found = self.on.memory(2 * self.words * room)
        self.stack = self.on.memory(room)
        large = largest >= LARGEST_INTEGER
        self.on.write(self.work, 0, [0, 0, n, m, self.words, room, size, polytope.shift, 0, 0, int(large)])
        floats: list[Any] = [x / scale for x in entries] + [_perturbation(j) for j in range(n)]
        if device != "python":
            floats = list(struct.unpack(f"<{len(floats)}q", struct.pack(f"<{len(floats)}d", *floats)))
        self.on.write(self.numbers, n * (m + 2), floats)
        if not large:
            self.on.write(self.integers, 0, entries)

    def run(self) -> int:
        """Run the search; how it ended."""
        arguments: dict[str, Any] = {
            "work": self.work, "numbers": self.numbers, "integers": self.integers, "ridges": self.ridges,
            "found": self.found, "stack": self.stack,
        }  # fmt: skip
        if self.polytope.labels <= 24:
            return self.on.brief(explore, **arguments)()
        return self.on.call(explore, **arguments)

    def bases(self) -> Iterable[tuple[int, int]]:
        """The labels and the basis of each vertex found, as sets of bits."""
        words = self.words
        found = self.on.read(self.found, 0, 2 * words * self.work[0])
        if words == 1:
            return zip(found[1::2], found[::2], strict=True)
        sets = [sum(found[start + w] << LABELS * w for w in range(words)) for start in range(0, len(found), words)]
        return zip(sets[1::2], sets[::2], strict=True)


def _perturbation(j: int) -> float:
    """A number between 1/2 and 1 that is unlike any other."""
    return 0.5 + (mix(j + 1) >> 12) / (1 << 53)
