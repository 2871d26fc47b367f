"""Where everything stands in a picture: every box of the tree with its place, before anything is drawn."""

from zermelo.draw.trees.box import ACTION, LABEL_LINE, ODDS, Box, label_lines
from zermelo.draw.trees.columns import Columns
from zermelo.draw.trees.fold import Branch
from zermelo.draw.trees.information_sets import InformationSets
from zermelo.draw.trees.node_shape import NodeShape, movers_with_room
from zermelo.draw.trees.spacing import tidy
from zermelo.draw.words.wording import width

LEAST_GAP, MOST_GAP = 38.0, 130.0
"""The least and the greatest gap between two levels; the gap is larger where branches spread further."""


class Placement:
    """All boxes, parents first, with the size of the picture and the top of each level."""

    def __init__(self, top: Branch, *, tuples: bool, compact: bool, stacked: bool) -> None:
        self.compact = compact
        self.boxes: list[Box] = []
        self.tops: list[float] = []
        """The y where the labels of each level begin."""
        self.floors: list[float] = []
        """The y where the nodes of each level end."""
        self.labels: list[float] = []
        self.halves: list[float] = []
        self.deep: list[float] = []
        """`labels`, `halves`, `deep`: what each level needs above its shapes, for their upper halves, and in all."""
        self.width = self.height = 0.0
        self._collect(top, tuples, stacked)

    def _collect(self, top: Branch, tuples: bool, stacked: bool) -> None:
        room = movers_with_room(top, tuples, self.compact)
        columns = Columns(top, tuples=tuples)
        stack: list[tuple[list[Branch], Box | None]] = [([top], None)]
        while stack:
            branches, parent = stack.pop()
            box = Box(branches[0].depth, parent)
            self.boxes.append(box)
            if parent is not None:
                parent.children.append(box)
            if len(branches) > 1:
                columns.fill(box, branches)
                continue
            branch = branches[0]
            box.shape = NodeShape(branch, tuples=tuples, compact=self.compact, roomy=room)
            box.label = label_lines(branch, 14 if self.compact else 20)
            groups = columns.groups(branch.children) if stacked else ([child] for child in branch.children)
            stack.extend((group, box) for group in reversed(list(groups)))

    def measure(self) -> None:
        """Sum up how far each box reaches to both sides."""
        for box in self.boxes:
            if box.shape is None:
                box.left = 2 - box.rows[0].spine
                box.right = max(row.x + row.shape.right for row in box.rows)
                continue
            box.shape.measure()
            over = max((width(line, ODDS if style == "odds" else ACTION) for style, line in box.label), default=0) / 2
            box.left, box.right = max(box.shape.left, over), max(box.shape.right, over)

    def arrange(self) -> None:
        """Give every box its place."""
        self.measure()
        self._measure_levels()
        index = {box: i for i, box in enumerate(self.boxes)}
        children = [[index[child] for child in box.children] for box in self.boxes]
        tall = {i: self._levels_of(box) for i, box in enumerate(self.boxes) if box.rows}
        sides = [box.left for box in self.boxes], [box.right for box in self.boxes]
        places = tidy(children, *sides, gap=7.0 if self.compact else 14.0, tall=tall)
        for box, x in zip(self.boxes, places, strict=True):
            box.x = x
            self.width = max(self.width, x + box.right)
        self.sets = InformationSets(self.boxes)
        self._set_levels()

    def _measure_levels(self) -> None:
        """Sum up what each level needs."""
        count = max(box.level for box in self.boxes) + 1
        self.labels, self.halves, self.deep = [0.0] * count, [0.0] * count, [0.0] * count
        nodes = [(box, box.shape) for box in self.boxes if box.shape is not None]
        for box, shape in nodes:
            above = len(box.label) * LABEL_LINE + 3 * bool(box.label)
            self.labels[box.level] = max(self.labels[box.level], above)
            self.halves[box.level] = max(self.halves[box.level], shape.height / 2)
        for box, shape in nodes:
            reach = self.labels[box.level] + self.halves[box.level] + shape.reach
            self.deep[box.level] = max(self.deep[box.level], reach)

    def _levels_of(self, box: Box) -> int:
        """How many levels a box of columns spans with the least gaps; larger gaps only make it fewer."""
        left, level = box.height, box.level
        while left > 0 and level < len(self.deep):
            left -= self.deep[level] + LEAST_GAP
            level += 1
        return max(1, level - box.level)

    def _set_levels(self) -> None:
        fans = [0.0] * len(self.deep)
        for box in self.boxes:
            if box.children:
                fans[box.level] = max(fans[box.level], box.children[-1].x - box.children[0].x)
        y = 0.0
        for level, deep in enumerate(self.deep):
            self.tops.append(y)
            self.floors.append(y + deep)
            y += deep + self.sets.room(level) + min(max(0.12 * fans[level], LEAST_GAP), MOST_GAP)
        for box in self.boxes:
            top = self.tops[box.level]
            box.y = top if box.rows else top + self.labels[box.level] + self.halves[box.level]
            self.height = max(self.height, top + box.height, self.floors[box.level] + self.sets.room(box.level))

    def port(self, box: Box) -> float:
        """The y at which branches from the box begin to spread: under its writing and all lines of its level."""
        assert box.shape is not None
        room = self.sets.room(box.level)
        return self.floors[box.level] + room if room else box.y + box.shape.reach + 2
