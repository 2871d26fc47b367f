"""Information sets: the dashed lines between different nodes that look the same to their mover."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from zermelo.draw.theme import player_class
from zermelo.draw.trees.box import Box
from zermelo.draw.trees.node_shape import pixels
from zermelo.draw.words.wording import escape, width

SIZE = 11.0
LANE, LANES = 9.0, 12
"""The distance of lines that pass each other, and how many lie side by side at most."""


class DrawnSet:
    """The drawn nodes of one information set, from left to right."""

    __slots__ = ("boxes", "lane", "player", "straight")

    def __init__(self, player: int | None, boxes: list[Box], order: dict[Box, int]) -> None:
        self.player, self.boxes = player, sorted(boxes, key=order.__getitem__)
        self.straight = all(order[b] - order[a] == 1 for a, b in pairwise(self.boxes))
        """Whether no other node stands between its nodes."""
        self.lane = 0

    @property
    def level(self) -> int | None:
        """The level on which all its nodes are; None where they are on several."""
        return self.boxes[0].level if self.boxes[0].level == self.boxes[-1].level else None


class InformationSets:
    """All sets of two nodes and more.

    Neighbours are joined directly. Where others stand between, the set gets a lane below its level, with a dot under
    each of its nodes.
    """

    def __init__(self, boxes: list[Box]) -> None:
        found: dict[object, list[Box]] = {}
        for box in boxes:
            if box.shape is not None and not box.shape.branch.rest:
                key = box.shape.branch.node.information_set
                if key is not None:
                    found.setdefault(key, []).append(box)
        order = {box: i for i, box in enumerate(sorted(boxes, key=lambda box: (box.level, box.x)))} if found else {}
        shared = [members for members in found.values() if len(members) > 1]
        self.groups = [DrawnSet(_mover(members[0]), members, order) for members in shared]
        self.lanes: dict[int, int] = {}
        self._assign_lanes()

    def _assign_lanes(self) -> None:
        """Give sets that overlap on a level lanes of their own."""
        ends: dict[int, list[float]] = {}
        for group in sorted(self.groups, key=lambda group: group.boxes[0].x):
            if group.straight or group.level is None:
                continue
            taken = ends.setdefault(group.level, [])
            first, last = group.boxes[0].x, group.boxes[-1].x
            free = [i for i, end in enumerate(taken) if end < first]
            group.lane = free[0] if free else len(taken) % LANES
            taken[group.lane : group.lane + 1] = [last]
            self.lanes[group.level] = len(taken)

    def room(self, level: int) -> float:
        """How much height the lanes of a level take."""
        return 8 + LANE * self.lanes[level] if level in self.lanes else 0.0

    def svg(self, floors: list[float], names: dict[Any, str]) -> list[str]:
        """The lines, given where the nodes of each level end, with the sets' names where there is room."""
        lines = [line for group in self.groups for line in _lines(group, floors)]
        return lines + [name for group in self.groups for name in _name(group, names)]


def _mover(box: Box) -> int | None:
    return box.shape.branch.node.player if box.shape is not None else None


def _foot(box: Box) -> float:
    return box.y + box.shape.reach if box.shape is not None else box.y


def _lines(group: DrawnSet, floors: list[float]) -> list[str]:
    colour = player_class(group.player)
    if group.level is None or group.straight:
        joins = [_direct(a, b) for a, b in pairwise(group.boxes)]
        return [f'<path class="information-set {colour}" d="{join}"/>' for join in joins]
    y = floors[group.level] + LANE * (group.lane + 1)
    first, last = group.boxes[0].x, group.boxes[-1].x
    dots = "".join(f'<circle class="dot" cx="{pixels(box.x)}" cy="{pixels(y)}" r="3.2"/>' for box in group.boxes)
    # Branches run down through the lane; a node without any needs a line to its dot.
    stems = [f"M{pixels(box.x)} {pixels(_foot(box))}V{pixels(y)}" for box in group.boxes if not box.children]
    line = f"M{pixels(first)} {pixels(y)}H{pixels(last)}" + "".join(stems)
    lane = f'<path class="information-set {colour}" d="{line}"/>'
    return [lane, f'<g class="{colour}">{dots}</g>']


def _name(group: DrawnSet, names: dict[Any, str]) -> Iterator[str]:
    """The name of a set above the line between two of its nodes that are neighbours, where it fits there."""
    if group.level is None or not group.straight:
        return
    for a, b in pairwise(group.boxes):
        if a.shape is None or b.shape is None:
            continue
        name = names.get(a.shape.branch.node.information_set, "")
        left, right = a.x + a.shape.right, b.x - b.shape.left
        if name and width(name, SIZE) <= right - left:
            middle = pixels((left + right) / 2)
            yield f'<text class="window" x="{middle}" y="{pixels(a.y - 5)}">{escape(name)}</text>'
            return


def _direct(a: Box, b: Box) -> str:
    """A straight line between neighbours; a curve between nodes of different levels."""
    assert a.shape is not None
    assert b.shape is not None
    if a.level == b.level:
        return f"M{pixels(a.x + a.shape.right + 4)} {pixels(a.y)}H{pixels(b.x - b.shape.left - 4)}"
    y0, y1 = a.y + a.shape.height / 2, b.y - b.shape.height / 2
    middle = pixels((y0 + y1) / 2)
    return f"M{pixels(a.x)} {pixels(y0)}C{pixels(a.x)} {middle} {pixels(b.x)} {middle} {pixels(b.x)} {pixels(y1)}"
