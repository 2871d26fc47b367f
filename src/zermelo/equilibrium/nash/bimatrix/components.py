"""How the extreme equilibria of a degenerate game hang together (Avis, Rosenberg, Savani and von Stengel, 2010).

Extreme equilibria are the edges of a graph between strategies of one player and of the other. Where some strategies of
one go with some of the other all with all, every mixture of the ones with every mixture of the others is an equilibrium
too; if no further strategy can be added, that is a maximal Nash subset. Those that share equilibria form a component.
"""

from collections.abc import Sequence

MOST_SUBSETS = 100_000


def components(pairs: Sequence[tuple[int, int]]) -> list[list[list[int]]] | None:
    """The components, each a list of maximal Nash subsets, each a list of places in `pairs`; None where too many.

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
            subsets.append(sorted(place[u, w] for u in left for w in _bits(shared)))
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


def _bits(whole: int) -> list[int]:
    out = []
    while whole:
        out.append((whole & -whole).bit_length() - 1)
        whole &= whole - 1
    return out
