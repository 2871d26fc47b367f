"""A recorded search as a picture: who moves where, what it is worth, what was cut off and why, and the best line."""

from zermelo.draw.theme import player_class, tree_style
from zermelo.draw.trees.box import LABEL_LINE, Box
from zermelo.draw.trees.columns import TICK
from zermelo.draw.trees.fold import fold
from zermelo.draw.trees.legend import Legend
from zermelo.draw.trees.node_shape import NodeShape, pixels, state_lines, tooltip
from zermelo.draw.trees.placement import Placement
from zermelo.draw.words.set_names import set_names
from zermelo.draw.words.wording import escape, needs_payoffs, value_of, window
from zermelo.errors import BadParameter
from zermelo.record import RecordedTree

MARGIN = 22.0
ROOMY = 90
"""Up to so many marks everything is drawn large."""


def tree_svg(
    tree: RecordedTree,
    *,
    collapse: bool = True,
    max_nodes: int = 400,
    max_width: float = 1600.0,
    show_windows: bool | str = "auto",
    show_states: bool = False,
    depth: int | None = None,
) -> str:
    """The tree as one self-contained SVG, for light and dark pages.

    A tree of more than `max_nodes` nodes is folded: whole subtrees off the best line become marks such as +312;
    `collapse=False` draws everything. Small subtrees become columns of indented rows where the picture would be
    wider than `max_width` pixels; what is wider still is scaled. `show_windows="auto"` writes windows under inner
    nodes of small trees. Nothing below `depth` moves is drawn.
    """
    if show_windows not in (True, False, "auto"):
        raise BadParameter(f'tree_svg: show_windows must be True, False or "auto", not {show_windows!r}')
    if max_nodes < 1 or max_width <= 0 or (depth is not None and depth < 0):
        raise BadParameter("tree_svg: max_nodes and max_width must be above 0, and depth at least 0")
    top = fold(tree.root, max_nodes=max_nodes if collapse else None, depth=depth)
    count = sum(1 for _ in top.walk())
    tuples = needs_payoffs(tree)
    if show_windows == "auto":
        show_windows = "inner" if count <= ROOMY else False
    for stacked in (False, True):
        placement = Placement(top, tuples=tuples, compact=count > ROOMY, stacked=stacked)
        _write_below(placement, tree, show_windows, show_states)
        placement.arrange()
        if placement.width + 2 * MARGIN <= max_width:
            break
    return _Picture(tree, placement, tuples).svg(max_width)


def _write_below(placement: Placement, tree: RecordedTree, show_windows: bool | str, show_states: bool) -> None:
    """Put windows (of all nodes, or of inner ones) and states under their nodes."""
    for box in placement.boxes:
        shape = box.shape
        if shape is None or shape.kind == "collapsed":
            continue
        node = shape.branch.node
        if node.window is not None and (show_windows is True or (show_windows == "inner" and node.children)):
            shape.below.append(("window", window(node.window)))
        if show_states:
            shape.below += state_lines(tree, node)


class _Picture:
    """Writes a placement as SVG."""

    def __init__(self, tree: RecordedTree, placement: Placement, tuples: bool) -> None:
        self.tree, self.placement, self.tuples = tree, placement, tuples
        self.sets = set_names(tree)
        self.edges: dict[str, list[str]] = {"pruned": [], "": [], "choice": [], "best": []}
        self.marks: list[str] = []
        self.labels: list[str] = []
        self.nodes: list[str] = []

    def svg(self, max_width: float) -> str:
        """The whole picture."""
        for box in self.placement.boxes:
            if box.shape is None:
                self._draw_columns(box)
            else:
                self._draw_node(box, box.shape)
        sets = self.placement.sets.svg(self.placement.floors, self.sets)
        legend = Legend(self.placement, self.tree.game, self.tuples, caption=self._caption())
        inner = max(self.placement.width, min(legend.natural_width, 460.0))
        below = legend.svg(inner)
        wide, high = inner + 2 * MARGIN, self.placement.height + legend.height + 2 * MARGIN
        indent, end = pixels(MARGIN + (inner - self.placement.width) / 2), pixels(MARGIN + self.placement.height)
        scale = min(1.0, max_width / wide)
        title = escape(self._title())
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img" aria-label="{title}" '
                f'viewBox="0 0 {pixels(wide)} {pixels(high)}" width="{pixels(wide * scale)}" '
                f'height="{pixels(high * scale)}">',
                f"<title>{title}</title>",
                f"<style>{tree_style()}</style>",
                f'<rect class="paper" width="{pixels(wide)}" height="{pixels(high)}" rx="8"/>',
                f'<g class="tree" transform="translate({indent} {MARGIN:g})">',
                *(edge for group in self.edges.values() for edge in group),
                *self.marks,
                *sets,
                *self.labels,
                *self.nodes,
                "</g>",
                f'<g class="legend" transform="translate({MARGIN:g} {end})">{below}</g>',
                "</svg>",
            ]
        )

    def _title(self) -> str:
        return f"Game tree: {self._caption()}, {len(self.tree):,} nodes"

    def _caption(self) -> str:
        value = value_of(self.tree.root, self.tuples)
        caption = f"{self.tree.game.name}, {self.tree.method}" + (f", value {value}" if value else "")
        return f"{caption}, wins/visits" if self.tree.root.wins is not None else caption

    def _draw_node(self, box: Box, shape: NodeShape) -> None:
        self.nodes.append(shape.svg(box.x, box.y, tooltip(self.tree, shape.branch, self.tuples, self.sets)))
        edge = box.y - shape.height / 2
        for i, (style, line) in enumerate(reversed(box.label)):
            y = edge - 6 - LABEL_LINE * i
            self.labels.append(f'<text class="{style}" x="{pixels(box.x)}" y="{pixels(y)}">{escape(line)}</text>')
        if box.parent is None:
            return
        top, port = self.placement.tops[box.level], self.placement.port(box.parent)
        end = edge - 1 if not box.label else edge - 2 - LABEL_LINE * len(box.label)
        self._add_edge(box.parent, shape, _curve(box.parent.x, port, box.x, top) + f"V{pixels(end)}")
        if shape.kind == "pruned" and not self.placement.compact:
            self.marks.append(_snip(box.parent.x, port, box.x, top))

    def _draw_columns(self, box: Box) -> None:
        assert box.parent is not None
        for row in box.rows:
            shape, y = row.shape, box.y + row.y
            self.nodes.append(shape.svg(box.x + row.x, y, tooltip(self.tree, shape.branch, self.tuples, self.sets)))
            spine = box.x + row.spine
            end = spine + TICK if row.label else box.x + row.x - shape.width / 2 - 1
            down = f"V{pixels(y)}H{pixels(end)}"
            if row.parent is None:
                curve = _curve(box.parent.x, self.placement.port(box.parent), spine, box.y)
                self._add_edge(box.parent, shape, curve + down)
            else:
                start = f"M{pixels(spine)} {pixels(box.y + row.parent.y + 8)}"
                self._add_path("pruned" if shape.kind == "pruned" else "", start + down)
            if row.label:
                style = "pruned action start" if shape.kind == "pruned" else "action start"
                x = pixels(spine + TICK + 3)
                self.labels.append(f'<text class="{style}" x="{x}" y="{pixels(y + 4)}">{escape(row.label)}</text>')

    def _add_edge(self, parent: Box, shape: NodeShape, line: str) -> None:
        """Add the branch from a box to what it leads to."""
        assert parent.shape is not None
        start = f"M{pixels(parent.x)} {pixels(parent.y + parent.shape.reach + 2)}V{pixels(self.placement.port(parent))}"
        above, branch = parent.shape.branch.node, shape.branch
        chosen = above.best is not None and branch.node.action == above.best and not branch.rest
        if shape.kind == "pruned":
            self._add_path("pruned", start + line)
        elif branch.best:
            self._add_path("best", start + line, player_class(above.player))
        else:
            self._add_path("choice" if chosen else "", start + line)

    def _add_path(self, style: str, line: str, colour: str = "") -> None:
        names = " ".join(name for name in ("edge", style, colour) if name)
        self.edges[style].append(f'<path class="{names}" d="{line}"/>')


def _curve(x0: float, y0: float, x1: float, y1: float) -> str:
    """A branch that leaves straight towards its end and arrives upright."""
    (ax, ay), (bx, by) = _handles(x0, y0, x1, y1)
    return f"C{pixels(ax)} {pixels(ay)} {pixels(bx)} {pixels(by)} {pixels(x1)} {pixels(y1)}"


def _handles(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], tuple[float, float]]:
    return (x0 + 0.45 * (x1 - x0), y0 + 0.3 * (y1 - y0)), (x1, y0 + 0.55 * (y1 - y0))


def _snip(x0: float, y0: float, x1: float, y1: float) -> str:
    """Two strokes across a branch, nearer to its end: it was cut off."""
    a, b = _handles(x0, y0, x1, y1)
    t, u = 0.55, 0.45
    x, y = (
        u**3 * p0 + 3 * u * u * t * pa + 3 * u * t * t * pb + t**3 * p1
        for p0, pa, pb, p1 in zip((x0, y0), a, b, (x1, y1), strict=True)
    )
    along, down = b[0] - a[0], b[1] - a[1]
    length = (along**2 + down**2) ** 0.5 or 1.0
    ux, uy = along / length, down / length
    strokes = []
    for step in (-2.0, 2.0):
        ax, ay = 5.5 * uy + 1.5 * ux, -5.5 * ux + 1.5 * uy
        cx, cy = x + step * ux, y + step * uy
        strokes.append(f"M{pixels(cx - ax)} {pixels(cy - ay)}L{pixels(cx + ax)} {pixels(cy + ay)}")
    return f'<path class="snip" d="{"".join(strokes)}"/>'
