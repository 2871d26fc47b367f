"""Where the nodes of a tree go: parents centred above their children, nothing overlapping, no wider than needed.

Subtrees are packed as rigid pieces by their outlines, as Reingold and Tilford (1981) do. Children are packed once
from the left and once from the right and stand in the middle of the two, so that a tree and its mirror image look
alike. The time is linear and nothing recurses.
"""

from itertools import islice

COUSINS = 1.7
"""How much wider the gap is between nodes of different parents."""


class _Outline:
    """How far a subtree reaches to both sides on each level, the deepest first, so that a parent is appended."""

    __slots__ = ("lefts", "rights", "shift")

    def __init__(self, left: float, right: float, levels: int) -> None:
        self.lefts, self.rights = [-left] * levels, [right] * levels
        self.shift = 0.0
        """The offset to add to all numbers, so that moving a subtree takes constant time."""

    def top(self, height: int) -> tuple[list[float], list[float]]:
        """Both sides of the highest levels, top first."""
        shift = self.shift
        lefts = [x + shift for x in self.lefts[: -height - 1 : -1]]
        return lefts, [x + shift for x in self.rights[: -height - 1 : -1]]


def tidy(
    children: list[list[int]], left: list[float], right: list[float], *, gap: float, tall: dict[int, int]
) -> list[float]:
    """The x of every node of a tree whose nodes are numbered parents first and reach so far to both sides.

    Leaves in `tall` take up so many levels instead of one. The leftmost reach is at 0.

    >>> tidy([[1, 2], [], []], [5, 5, 5], [5, 5, 5], gap=2, tall={})
    [11.0, 5.0, 17.0]
    """
    offsets = [0.0] * len(children)
    outlines: dict[int, _Outline] = {}
    for i in range(len(children) - 1, -1, -1):
        if not children[i]:
            outlines[i] = _Outline(left[i], right[i], tall.get(i, 1))
            continue
        parts = [outlines.pop(child) for child in children[i]]
        places, outline = _join(parts, gap)
        for child, place in zip(children[i], places, strict=True):
            offsets[child] = place
        outline.lefts.append(-left[i] - outline.shift)
        outline.rights.append(right[i] - outline.shift)
        outlines[i] = outline
    whole = outlines[0]
    x = [0.0] * len(children)
    x[0] = -min(whole.lefts) - whole.shift
    for i, below in enumerate(children):
        for child in below:
            x[child] = x[i] + offsets[child]
    return x


def _join(parts: list[_Outline], gap: float) -> tuple[list[float], _Outline]:
    """Where siblings stand relative to their parent, and the outline of all of them together."""
    if len(parts) == 1:
        return [0.0], parts[0]
    tallest = max(parts, key=lambda part: len(part.lefts))
    # Below the second tallest subtree only one subtree has levels, so they need no comparison.
    shared = sorted(len(part.lefts) for part in parts)[-2]
    tops = [part.top(shared) for part in parts]
    packed = _pack(tops, gap)
    mirrored = [([-x for x in rights], [-x for x in lefts]) for lefts, rights in reversed(tops)]
    from_right = [packed[-1] - place for place in reversed(_pack(mirrored, gap))]
    places = [(a + b) / 2 for a, b in zip(packed, from_right, strict=True)]
    middle = (places[0] + places[-1]) / 2
    if len(parts) % 2 and abs(places[len(parts) // 2] - middle) < gap:
        middle = places[len(parts) // 2]  # a straight branch to the middle child is worth being off by so little
    places = [place - middle for place in places]

    lefts, rights = [0.0] * shared, [0.0] * shared
    for place, (own, _) in zip(reversed(places), reversed(tops), strict=True):
        lefts[: len(own)] = [place + x for x in own]
    for place, (_, own) in zip(places, tops, strict=True):
        rights[: len(own)] = [place + x for x in own]
    tallest.shift += places[parts.index(tallest)]
    tallest.lefts[-shared:] = [x - tallest.shift for x in reversed(lefts)]
    tallest.rights[-shared:] = [x - tallest.shift for x in reversed(rights)]
    return places, tallest


def _pack(tops: list[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """The least places from left to right at which no level of a subtree comes too close to those before it."""
    places: list[float] = []
    front: list[float] = []
    for lefts, rights in tops:
        place = 0.0
        if places:
            place = front[0] - lefts[0] + gap
            room = gap * COUSINS
            for own, edge in zip(islice(lefts, 1, None), islice(front, 1, None), strict=False):
                place = max(place, edge - own + room)
        places.append(place)
        front[: len(rights)] = [place + x for x in rights]
    return places
