"""All equilibria of a two-player table: pairs of vertices that have all labels between them."""

import time
from collections.abc import Sequence

from zermelo.equilibrium.nash.bimatrix.bimatrix import Bimatrix, Vertices
from zermelo.equilibrium.nash.bimatrix.vertices import MOST_VERTICES, vertices
from zermelo.equilibrium.policies.equilibrium import Equilibria

MOST_SUBSETS = 100_000
"""Beyond so many maximal Nash subsets they are not listed."""
WORD = 60
"""Labels that numpy takes at once."""
FEW = 20
"""Up to so many vertices are compared with all others one by one."""


def all_equilibria(game: Bimatrix, *, exact: bool, most: int = MOST_VERTICES) -> Equilibria:
    """All extreme equilibria, by vertex enumeration, and the components that they span; proven to be all."""
    started = time.perf_counter()
    first, second = game.polytopes
    found = vertices(first, most=most), vertices(second, most=most)
    return listed(game, *found, method="vertex enumeration", exact=exact, started=started)


def listed(
    game: Bimatrix, first: Vertices, second: Vertices, *, method: str, exact: bool, started: float
) -> Equilibria:
    """The equilibria among all vertices of the two polytopes, each verified exactly, the pure ones first."""
    own, other = game.polytopes
    pairs = complementary(first, second, own.labels)
    points = {v: own.point(first[v]) for v, _ in pairs}, {w: other.point(second[w]) for _, w in pairs}
    used = [{v: [i for i, p in enumerate(x) if p] for v, x in known.items()} for known in points]

    def order(pair: tuple[int, int]) -> tuple[object, ...]:
        (v, w), (x, y) = pair, (points[0][pair[0]], points[1][pair[1]])
        return len(used[0][v]) + len(used[1][w]), used[0][v], used[1][w], -x[0] / sum(x), -y[0] / sum(y), v, w

    pairs.sort(key=order)
    elapsed = time.perf_counter() - started
    found = [game.equilibrium(points[0][v], points[1][w], method=method, exact=exact, time=elapsed) for v, w in pairs]
    numbers = [{v: k for k, v in enumerate(known)} for known in points]
    spanned = components([(numbers[0][v], numbers[1][w]) for v, w in pairs])
    note = "" if spanned is not None else "too many maximal Nash subsets to list"
    return Equilibria(found, complete=all(e.regret == 0 for e in found), components=spanned or (), note=note)


def complementary(first: Vertices, second: Vertices, labels: int) -> list[tuple[int, int]]:
    """All pairs of vertices that have all labels between them, but for the pair of zeros.

    Where neither has more labels than its basis, one lookup finds the partner; for the rest, sets are intersected.
    """
    every = (1 << labels) - 1
    pairs = {(v, every ^ v) for v in first if every ^ v in second}
    for near, far, turned in ((first, second, False), (second, first, True)):
        crowded = [v for v, basis in near.items() if v != basis]
        if not crowded:
            continue
        others = list(far)
        holders = _holders(others, labels) if len(crowded) > FEW else None
        for v in crowded:
            wanted = every ^ v
            fit = _having(wanted, holders, others) if holders else [w for w in others if w & wanted == wanted]
            pairs.update([(w, v) for w in fit] if turned else [(v, w) for w in fit])
    pairs.discard((next(iter(first)), next(iter(second))))
    return list(pairs)


def _having(wanted: int, holders: Sequence[int], among: Sequence[int]) -> list[int]:
    """The vertices that have all wanted labels."""
    shared = (1 << len(among)) - 1
    while wanted and shared:
        shared &= holders[(wanted & -wanted).bit_length() - 1]
        wanted &= wanted - 1
    out = []
    while shared:
        out.append(among[(shared & -shared).bit_length() - 1])
        shared &= shared - 1
    return out


def _holders(among: Sequence[int], labels: int) -> list[int]:
    """For each label the vertices that have it, as a set of bits."""
    import numpy as np

    out = []
    for start in range(0, labels, WORD):
        words = np.array([v >> start & (1 << WORD) - 1 for v in among], dtype=np.int64)
        for label in range(min(WORD, labels - start)):
            bits = np.packbits((words >> label & 1).astype(np.uint8), bitorder="little")
            out.append(int.from_bytes(bits.tobytes(), "little"))
    return out


# --- components ------------------------------------------------------------------------------------------------------


def components(pairs: Sequence[tuple[int, int]]) -> list[list[list[int]]] | None:
    """The components, each a list of maximal Nash subsets, each a list of places in `pairs`; None where too many.

    Extreme equilibria are the edges of a graph between strategies of one player and of the other. Where each of
    some strategies of one is joined to each of some of the other, every mixture of the former with every mixture of the
    latter is an equilibrium too; if no further strategy can be added, that is a maximal Nash subset. Those that share
    equilibria form a component (Avis, Rosenberg, Savani and von Stengel, 2010).

    >>> components([(0, 0), (0, 1), (1, 1), (2, 2)])
    [[[0, 1], [1, 2]], [[3]]]
    """
    place = {pair: k for k, pair in enumerate(pairs)}
    partners: dict[int, int] = {}
    """For each strategy of the first player those of the second that it goes with, as a set of bits."""
    for u, w in pairs:
        partners[u] = partners.get(u, 0) | 1 << w
    out, count = [], 0
    for group in _connected(partners):
        subsets = []
        for shared in _closed([partners[u] for u in group], MOST_SUBSETS - count):
            left = [u for u in group if partners[u] & shared == shared]
            subsets.append(sorted(place[u, w] for u in left for w in _places(shared)))
        count += len(subsets)
        if count >= MOST_SUBSETS:
            return None
        out.append(sorted(subsets))
    return sorted(out)


def _connected(partners: dict[int, int]) -> list[list[int]]:
    """The strategies of the first player in groups that share partners, directly or through others."""
    groups: list[tuple[int, list[int]]] = []
    for u, own in partners.items():
        reached, members, others = own, [u], []
        for with_whom, group in groups:
            if with_whom & own:
                reached |= with_whom
                members += group
            else:
                others.append((with_whom, group))
        groups = [*others, (reached, members)]
    return [sorted(members) for _, members in groups]


def _closed(sets: Sequence[int], most: int) -> set[int]:
    """All intersections of some of the sets that are not empty."""
    known: set[int] = set()
    for own in sets:
        known |= {own} | {own & other for other in known if own & other}
        if len(known) > most:
            return known
    return known


def _places(whole: int) -> list[int]:
    out = []
    while whole:
        out.append((whole & -whole).bit_length() - 1)
        whole &= whole - 1
    return out
