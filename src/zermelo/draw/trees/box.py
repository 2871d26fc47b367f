"""What stands at one place of a picture."""

from zermelo.draw.trees.fold import Branch
from zermelo.draw.trees.node_shape import NodeShape
from zermelo.draw.words.wording import abbreviated, odds

ACTION, ODDS, LABEL_LINE = 11.5, 10.5, 14.0
ROW = 21.0
"""The height of a row in a column."""


class Box:
    """What stands at one place of the layout: a node under its label, or columns of small subtrees."""

    __slots__ = ("children", "label", "left", "level", "parent", "right", "rows", "shape", "x", "y")

    def __init__(self, level: int, parent: "Box | None") -> None:
        self.level, self.parent = level, parent
        self.shape: NodeShape | None = None
        self.label: list[tuple[str, str]] = []
        """The lines on the branch above, each with its CSS class."""
        self.rows: list[ColumnRow] = []
        self.children: list[Box] = []
        self.left = self.right = self.x = self.y = 0.0

    @property
    def height(self) -> float:
        """How high the columns are; 0 for a node."""
        return max((row.y + ROW / 2 for row in self.rows), default=0.0)


class ColumnRow:
    """One node of a column, placed from the column's box: its upright line, label and shape."""

    __slots__ = ("label", "parent", "shape", "spine", "x", "y")

    def __init__(self, shape: NodeShape, parent: "ColumnRow | None") -> None:
        self.shape, self.parent = shape, parent
        self.label = " ".join(text for _, text in label_lines(shape.branch, 14))
        self.spine = self.x = self.y = 0.0


def label_lines(branch: Branch, most: int) -> list[tuple[str, str]]:
    """What is written on the branch: the action, and its odds where chance moves."""
    node = branch.node
    if branch.rest:
        return [("action", f"{len(branch.rest):,} more")]
    style = "pruned action" if node.pruned is not None else "action"
    lines = [(style, abbreviated(node.name, most))] if node.name.strip() else []
    return lines + ([("odds", odds(node.probability))] if node.probability is not None else [])
