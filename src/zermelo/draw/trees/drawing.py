"""A recorded search as a picture: who moves where, what it is worth, what was cut off and why, and the best line."""

from zermelo.draw.theme import player_class, tree_style
from zermelo.draw.trees.box import LABEL_LINE, Box
from zermelo.draw.trees.columns import TICK
from zermelo.draw.trees.fold import fold
from zermelo.draw.trees.legend import Legend
from zermelo.draw.trees.node_shape import Glyph, short, state_lines, tooltip
from zermelo.draw.trees.placement import Plan
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
        plan = Plan(top, tuples=tuples, compact=count > ROOMY, stacked=stacked)
        _write_below(plan, tree, show_windows, show_states)
        plan.arrange()
        if plan.width + 2 * MARGIN <= max_width:
            break
    return _Picture(tree, plan, tuples).svg(max_width)


def _write_below(plan: Plan, tree: RecordedTree, show_windows: bool | str, show_states: bool) -> None:
    """Put windows (of all nodes, or of inner ones) and states under their nodes."""
    for box in plan.boxes:
        glyph = box.glyph
        if glyph is None or glyph.kind == "collapsed":
            continue
        node = glyph.branch.node
        if node.window is not None and (show_windows is True or (show_windows == "inner" and node.children)):
            glyph.below.append(("window", window(node.window)))
        if show_states:
            glyph.below += state_lines(tree, node)


class _Picture:
    """Writes a plan as SVG."""

    def __init__(self, tree: RecordedTree, plan: Plan, tuples: bool) -> None:
        self.tree, self.plan, self.tuples = tree, plan, tuples
        self.edges: dict[str, list[str]] = {"pruned": [], "": [], "choice": [], "best": []}
        self.marks: list[str] = []
        self.labels: list[str] = []
        self.nodes: list[str] = []

    def svg(self, max_width: float) -> str:
        """The whole picture."""
        for box in self.plan.boxes:
            if box.glyph is None:
                self._draw_columns(box)
            else:
                self._draw_node(box, box.glyph)
        sets = self.plan.sets.svg(self.plan.floors)
        legend = Legend(self.plan, self.tree.game, self.tuples, caption=self._caption())
        inner = max(self.plan.width, min(legend.natural_width, 460.0))
        below = legend.svg(inner)
        wide, high = inner + 2 * MARGIN, self.plan.height + legend.height + 2 * MARGIN
        scale = min(1.0, max_width / wide)
        title = escape(self._title())
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img" aria-label="{title}" '
                f'viewBox="0 0 {short(wide)} {short(high)}" width="{short(wide * scale)}" '
                f'height="{short(high * scale)}">',
                f"<title>{title}</title>",
                f"<style>{tree_style()}</style>",
                f'<rect class="paper" width="{short(wide)}" height="{short(high)}" rx="8"/>',
                f'<g class="tree" transform="translate({short(MARGIN + (inner - self.plan.width) / 2)} {MARGIN:g})">',
                *(edge for group in self.edges.values() for edge in group),
                *self.marks,
                *sets,
                *self.labels,
                *self.nodes,
                "</g>",
                f'<g class="legend" transform="translate({MARGIN:g} {short(MARGIN + self.plan.height)})">{below}</g>',
                "</svg>",
            ]
        )

    def _title(self) -> str:
        return f"Game tree: {self._caption()}, {len(self.tree):,} nodes"

    def _caption(self) -> str:
        value = value_of(self.tree.root, self.tuples)
        return f"{self.tree.game.name}, {self.tree.method}" + (f", value {value}" if value else "")

    def _draw_node(self, box: Box, glyph: Glyph) -> None:
        self.nodes.append(glyph.svg(box.x, box.y, tooltip(self.tree, glyph.branch, self.tuples)))
        edge = box.y - glyph.height / 2
        for i, (style, line) in enumerate(reversed(box.label)):
            y = edge - 6 - LABEL_LINE * i
            self.labels.append(f'<text class="{style}" x="{short(box.x)}" y="{short(y)}">{escape(line)}</text>')
        if box.parent is None:
            return
        top, port = self.plan.tops[box.level], self.plan.port(box.parent)
        end = edge - 1 if not box.label else edge - 2 - LABEL_LINE * len(box.label)
        self._add_edge(box.parent, glyph, _curve(box.parent.x, port, box.x, top) + f"V{short(end)}")
        if glyph.kind == "pruned" and not self.plan.compact:
            self.marks.append(_snip(box.parent.x, port, box.x, top))

    def _draw_columns(self, box: Box) -> None:
        assert box.parent is not None
        for row in box.rows:
            glyph, y = row.glyph, box.y + row.y
            self.nodes.append(glyph.svg(box.x + row.x, y, tooltip(self.tree, glyph.branch, self.tuples)))
            spine = box.x + row.spine
            end = spine + TICK if row.label else box.x + row.x - glyph.width / 2 - 1
            down = f"V{short(y)}H{short(end)}"
            if row.parent is None:
                curve = _curve(box.parent.x, self.plan.port(box.parent), spine, box.y)
                self._add_edge(box.parent, glyph, curve + down)
            else:
                start = f"M{short(spine)} {short(box.y + row.parent.y + 8)}"
                self._add_path("pruned" if glyph.kind == "pruned" else "", start + down)
            if row.label:
                style = "pruned action start" if glyph.kind == "pruned" else "action start"
                x = short(spine + TICK + 3)
                self.labels.append(f'<text class="{style}" x="{x}" y="{short(y + 4)}">{escape(row.label)}</text>')

    def _add_edge(self, parent: Box, glyph: Glyph, line: str) -> None:
        """Add the branch from a box to what it leads to."""
        assert parent.glyph is not None
        start = f"M{short(parent.x)} {short(parent.y + parent.glyph.reach + 2)}V{short(self.plan.port(parent))}"
        above, branch = parent.glyph.branch.node, glyph.branch
        chosen = above.best is not None and branch.node.action == above.best and not branch.rest
        if glyph.kind == "pruned":
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
    return f"C{short(ax)} {short(ay)} {short(bx)} {short(by)} {short(x1)} {short(y1)}"


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
        strokes.append(f"M{short(cx - ax)} {short(cy - ay)}L{short(cx + ax)} {short(cy + ay)}")
    return f'<path class="snip" d="{"".join(strokes)}"/>'
