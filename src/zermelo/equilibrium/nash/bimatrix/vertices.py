"""All vertices of a best-response polytope, proven to be all: natively where it is large, else in exact integers."""

import random
import struct
from collections.abc import Iterable
from typing import Any

from zermelo.compile import machine
from zermelo.compile.hashing import mix
from zermelo.equilibrium.nash.bimatrix.bimatrix import Polytope, Vertices, too_large, vertex_bound
from zermelo.equilibrium.nash.bimatrix.certificate import Exploration
from zermelo.equilibrium.nash.bimatrix.exploring import DONE, FULL, LABELS, explore
from zermelo.equilibrium.nash.bimatrix.tableau import SEED, Dictionary, Tie

MOST_VERTICES = 4_000_000
MOST_EXACT = 30_000_000
"""The most numbers that are computed in plain Python, a tableau for each vertex."""
MOST_WORDS = 1 << 27
"""The largest ridge table."""
ATTEMPTS = 20
"""Perturbations that are tried one after the other."""
FIRST_ROOM = 1 << 9
LARGE_ROOM = 1 << 18
GROWTH = 4
LARGEST_INTEGER = 1 << 62
LARGEST_FLOAT = 1 << 900
SMALL = 12
"""Polytopes with so few labels are walked in plain Python: that needs no native code."""
BRIEF = 24
"""With so few labels the native walk is over before anybody could want to stop it."""


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


def exact_bases(polytope: Polytope, most: int) -> list[tuple[int, int]]:
    """The labels and the basis of every vertex of the perturbed polytope, as sets of bits; that of 0 first."""
    source = random.Random(SEED)
    for attempt in range(1, ATTEMPTS + 1):
        perturbation = source.sample(range(1, 1000 * 10**attempt * polytope.labels), polytope.height)
        try:
            found = _walk(polytope, Dictionary(polytope, perturbation), most)
            return [(labels, basis) for basis, labels in found.items()]
        except Tie:
            continue
    raise AssertionError("no perturbation breaks all ties")


def _walk(polytope: Polytope, at: Dictionary, most: int) -> dict[int, int]:
    found: dict[int, int] = {}
    ends: dict[int, int] = {}
    """For each ridge with one end known, that end."""
    while True:
        basis = at.basis()
        found[basis] = at.labels()
        if len(found) > most:
            raise too_large(polytope, most)
        column = -1
        for c, label in enumerate(at.free):
            ridge = basis ^ 1 << label
            if ends.pop(ridge, None) is None:
                ends[ridge] = basis
                column = c
        if column < 0:
            if not ends:
                return found
            ridge, end = next(reversed(ends.items()))
            at.go_to(end)
            column = at.free.index((end ^ ridge).bit_length() - 1)
        at.pivot(at.leaving(column), column)


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
        walk = self.walk = self.on.block(Exploration)
        # Every edge has two ends: that many ridges, in a table that stays at most half full.
        walk.table_bits, walk.capacity = (room * m).bit_length(), room
        walk.rows, walk.width, walk.shift, walk.label_words = n, m, polytope.shift, self.words
        block = min(n, m)
        sizes = {
            "basic": n, "free": m, "tableau": n * (m + 2), "constraints": n * m, "perturbation": n, "integers": n * m,
            "block_rows": n, "block_columns": m, "block": block * block, "line": block, "solution": block,
            "push": block, "residues": block * (block + 1), "zero_rows": n, "labels": self.words, "ridge": self.words,
            "places": m, "ridges": self.words << walk.table_bits, "vertices": 2 * self.words * room, "stack": room,
        }  # fmt: skip
        for name, size in sizes.items():
            setattr(walk, name, self.on.memory(size))
        self._write_constraints()

    def _write_constraints(self) -> None:
        """Put the constraints into memory, as integers and scaled to floats below 1."""
        entries = [x for row in self.polytope.constraints for x in row]
        largest = max(entries)
        scale = 1 << largest.bit_length()
        self._write_floats(self.walk.constraints, [x / scale for x in entries])
        self._write_floats(self.walk.perturbation, [_perturbation(j) for j in range(self.polytope.height)])
        self.walk.is_large = int(largest >= LARGEST_INTEGER)
        if not self.walk.is_large:
            self.on.write(self.walk.integers, 0, entries)

    def _write_floats(self, memory: Any, floats: list[Any]) -> None:
        if self.on.name != "python":
            floats = list(struct.unpack(f"<{len(floats)}q", struct.pack(f"<{len(floats)}d", *floats)))
        self.on.write(memory, 0, floats)

    def run(self) -> int:
        """Run the search; how it ended."""
        if self.polytope.labels <= BRIEF:
            return self.on.brief(explore, walk=self.walk)()
        return self.on.call(explore, walk=self.walk)

    def bases(self) -> Iterable[tuple[int, int]]:
        """The labels and the basis of each vertex found, as sets of bits."""
        words = self.words
        found = self.on.read(self.walk.vertices, 0, 2 * words * self.walk.found)
        if words == 1:
            return zip(found[1::2], found[::2], strict=True)
        sets = [sum(found[start + w] << LABELS * w for w in range(words)) for start in range(0, len(found), words)]
        return zip(sets[1::2], sets[::2], strict=True)


def _perturbation(j: int) -> float:
    """A number between 1/2 and 1, another one for each `j`."""
    return 0.5 + (mix(j + 1) >> 12) / (1 << 53)
