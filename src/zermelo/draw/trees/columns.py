"""Small subtrees as columns of indented rows, which take far less width than a tree does."""

from collections.abc import Iterator
from itertools import groupby

from zermelo.draw.trees.box import ACTION, ROW, Box, ColumnRow
from zermelo.draw.trees.fold import Branch
from zermelo.draw.trees.node_shape import NodeShape
from zermelo.draw.words.wording import width

INDENT, TICK, BETWEEN = 17.0, 9.0, 16.0
WORTHWHILE = 4
"""How many rows at least make a column."""


class Columns:
    """Which branches go into columns, and how."""

    def __init__(self, top: Branch, *, tuples: bool) -> None:
        self.tuples = tuples
        branches = list(top.walk())
        self.rows = max(12, round((2.6 * len(branches)) ** 0.5))
        """How many rows a column has at most: so that a picture is about twice as wide as it is high."""
        self.sizes = self._fitting_sizes(branches)

    def _fitting_sizes(self, branches: list[Branch]) -> dict[Branch, int]:
        """How many rows each subtree needs, for those that may become rows.

        The best line stays a tree, and so does what dashed lines must reach.
        """
        seen: dict[object, int] = {}
        for branch in branches:
            key = branch.node.information_set
            seen[key] = seen.get(key, 0) + 1
        sizes: dict[Branch, int] = {}
        for branch in reversed(branches):
            key = branch.node.information_set
            joined = key is not None and seen[key] > 1
            inside = all(child in sizes for child in branch.children)
            size = 1 + sum(sizes.get(child, 0) for child in branch.children)
            if inside and size <= self.rows and not joined and not (branch.best and branch.children):
                sizes[branch] = size
        return sizes

    def groups(self, branches: list[Branch]) -> Iterator[list[Branch]]:
        """Siblings grouped by place: each alone, or a run of small subtrees together."""
        for small, run in groupby(branches, key=self.sizes.__contains__):
            together = list(run)
            if small and len(together) > 1 and sum(self.sizes[branch] for branch in together) >= WORTHWHILE:
                yield together
            else:
                yield from ([branch] for branch in together)

    def fill(self, box: Box, branches: list[Branch]) -> None:
        """Put the subtrees into the box, side by side where one column would be too high."""
        total = sum(self.sizes[branch] for branch in branches)
        fair = total / -(-total // self.rows)
        left, used = 0.0, 0
        column: list[Branch] = []
        ends = []
        for branch in branches:
            if column and used + self.sizes[branch] / 2 > fair:
                ends.append(self._add_column(box, column, left))
                left, used, column = ends[-1] + BETWEEN, 0, []
            column.append(branch)
            used += self.sizes[branch]
        ends.append(self._add_column(box, column, left))
        # One column hangs straight down from its parent; several are centred below it.
        middle = ends[-1] / 2 if len(ends) > 1 else 0.0
        for row in box.rows:
            row.x -= middle
            row.spine -= middle

    def _add_column(self, box: Box, branches: list[Branch], left: float) -> float:
        """Add the rows of one column that starts at `left`; where it ends."""
        right, y = left, 8 + ROW / 2
        families = [self._family(branches, None, left)]
        while families:
            family = families[-1]
            row = next(family, None)
            if row is None:
                families.pop()
                continue
            row.y = y
            y += ROW
            box.rows.append(row)
            right = max(right, row.x + row.shape.right)
            families.append(self._family(row.shape.branch.children, row, row.spine + INDENT))
        return right

    def _family(self, branches: list[Branch], parent: ColumnRow | None, spine: float) -> Iterator[ColumnRow]:
        """The rows of siblings, with their shapes below each other; only the mark for the rest stands by itself."""
        rows = [ColumnRow(NodeShape(branch, tuples=self.tuples, compact=True, row=True), parent) for branch in branches]
        aligned = [row for row in rows if not row.shape.branch.rest]
        writing = max((width(row.label, ACTION) for row in aligned), default=0.0)
        reach = max((row.shape.left for row in aligned), default=0.0)
        for row in rows:
            alone = bool(row.shape.branch.rest)
            wide, left = (width(row.label, ACTION), row.shape.left) if alone else (writing, reach)
            row.spine = spine
            row.x = spine + TICK + (wide + 8 if wide else 2) + left
        return iter(rows)
