"""One node as a shape with its writing: what it looks like and how much room it takes."""

from math import cos, pi, sin
from typing import Any

from zermelo.contract import CHANCE
from zermelo.draw.theme import player_class
from zermelo.draw.trees.fold import Branch
from zermelo.draw.words.wording import (
    abbreviated,
    escape,
    number_text,
    odds,
    value_of,
    who_moves,
    width,
    window,
    wins_of,
    worth_of,
)
from zermelo.record import Node, RecordedTree

VALUE, COUNT, SMALL, LINE, BOARD, BOARD_LINE = 13.0, 10.5, 11.0, 13.0, 9.0, 11.0
ROW_HEIGHT = 17.0


class NodeShape:
    """A branch's shape, centred at (0, 0), with what is written in it, beside it and below it."""

    __slots__ = ("below", "beside", "branch", "height", "inside", "kind", "left", "reach", "right", "width")

    def __init__(self, branch: Branch, *, tuples: bool, compact: bool, row: bool = False,
                 roomy: frozenset[int] = frozenset()) -> None:  # fmt: skip
        self.branch = branch
        self.kind = branch.kind
        self.inside = self.beside = ""
        self.below: list[tuple[str, str]] = []
        """Lines under the shape, each with its CSS class."""
        self.width, self.height = _size(self.kind, branch.node.player, compact=compact, row=row)
        self._place_value(tuples, compact, row, roomy)
        self.measure()

    def _place_value(self, tuples: bool, compact: bool, row: bool, roomy: frozenset[int]) -> None:
        branch = self.branch
        value = spread(branch.rest, tuples) if branch.rest else worth_of(branch.node, tuples)
        if self.kind == "collapsed":
            self.inside = f"+{branch.hidden or len(branch.rest):,}"
            self.width = max(26.0, width(self.inside, COUNT) + 10)
        elif self.kind == "end":
            # The box itself stands for the brackets.
            self.inside = value.replace("(", "").replace(")", "") or " "
            self.width = max(24.0 if compact else 28.0, width(self.inside, VALUE) + 12)
            return
        elif branch.node.player in roomy:
            self.inside = value
            return
        if not value:
            return
        if row or (not compact and self.kind != "collapsed"):
            self.beside = value
        else:
            self.below.append(("worth", value))

    def measure(self) -> None:
        """Sum up how far everything reaches from the centre."""
        half = self.width / 2
        self.left = self.right = half + 1
        if self.beside:
            self.right = max(self.right, self._beside_at() + width(self.beside, VALUE))
        self.reach = self.height / 2
        for style, line in self.below:
            wide = len(line) * BOARD * 0.62 if style == "board" else width(line, SMALL)
            self.left, self.right = max(self.left, wide / 2), max(self.right, wide / 2)
            self.reach += BOARD_LINE if style == "board" else LINE
        if self.below and self.below[-1][0] == "board":
            self.reach += 6
        if self._has_dots:
            self.reach += 12

    @property
    def _has_dots(self) -> bool:
        """Whether dots below say that the game would go on; rows have no room for them."""
        return self.kind == "cut" and self.height > ROW_HEIGHT

    def _beside_at(self) -> float:
        """Where writing beside the shape begins: triangles leave room at half their height."""
        triangle = self.kind not in ("end", "pruned", "collapsed") and self.branch.node.player in (0, 1)
        return self.width * (0.42 if triangle else 0.5) + 4

    def svg(self, x: float, y: float, title: str) -> str:
        """The node as an SVG group with its centre at (x, y)."""
        node = self.branch.node
        names = ["node", self.kind, player_class(None if self.branch.rest else node.player)]
        names += ["best"] * self.branch.best + ["rest"] * bool(self.branch.rest)
        place = f"translate({pixels(x)} {pixels(y)})"
        parts = [
            f'<g class="{" ".join(names)}" data-path="{self.branch.path}" transform="{place}">',
            f"<title>{escape(title)}</title>",
            outline(self.kind, node.player, self.width, self.height),
        ]
        if self.inside.strip():
            style, drop = ("count", 3.8) if self.kind == "collapsed" else ("value", 4.6)
            drop += _sinking(self.kind, node.player, self.height)
            parts.append(f'<text class="{style}" y="{pixels(drop)}">{_coloured(self.inside, self.kind)}</text>')
        if self.beside:
            across = pixels(self._beside_at())
            parts.append(f'<text class="value start" x="{across}" y="4.6">{_coloured(self.beside, self.kind)}</text>')
        parts += self._lines_below()
        parts.append("</g>")
        return "".join(parts)

    def _lines_below(self) -> list[str]:
        parts, y = [], self.height / 2
        if self._has_dots:
            parts += [f'<circle class="dot" cy="{pixels(y + 4 + 4 * i)}" r="1.2"/>' for i in range(3)]
            y += 12
        for i, (style, line) in enumerate(self.below):
            y += BOARD_LINE if style == "board" else LINE
            if style == "board" and (i == 0 or self.below[i - 1][0] != "board"):
                y += 3
            written = escape(line).replace(" ", "\u00a0") if style == "board" else escape(line)
            parts.append(f'<text class="{style}" y="{pixels(y - 2)}">{written}</text>')
        return parts


def spread(nodes: list[Node], tuples: bool) -> str:
    """The least and the greatest value of the nodes, for player 0; of wins and visits there is none."""
    values = [node.value for node in nodes if node.value is not None]
    if not values or tuples or nodes[0].wins is not None:
        return ""
    low, high = number_text(min(values)), number_text(max(values))
    return low if low == high else f"{low} … {high}"


def pixels(x: float) -> str:
    """A length in pixels, to a tenth of a pixel."""
    return f"{x:.1f}".removesuffix(".0").replace("-0.0", "0")


def _size(kind: str, player: int | None, *, compact: bool, row: bool = False) -> tuple[float, float]:
    if kind == "pruned":
        return (11.0, 11.0) if row else (13.0, 13.0) if compact else (15.0, 15.0)
    if kind == "collapsed":
        return 26.0, 15.0 if row else 18.0
    if kind == "end":
        return 28.0, ROW_HEIGHT if row else 20.0 if compact else 24.0
    scale = 0.4 if row else 0.72 if compact else 1.0
    if player is None or player == CHANCE or player > 1:
        return 40 * scale, 40 * scale
    return 46 * scale, 40 * scale


def movers_with_room(top: Branch, tuples: bool, compact: bool) -> frozenset[int]:
    """The players whose shapes hold the values of all their nodes; elsewhere values stand beside or below."""
    movers, crowded = set(), set()
    for branch in top.walk():
        node = branch.node
        if node.player is None or branch.folded:
            continue
        movers.add(node.player)
        room = _size(branch.kind, node.player, compact=compact)[0] * (0.57 if node.player in (0, 1) else 0.72)
        if width(worth_of(node, tuples), VALUE) > room:
            crowded.add(node.player)
    return frozenset(movers - crowded)


def _sinking(kind: str, player: int | None, height: float) -> float:
    """How far below its centre a shape has room for its value."""
    return 0.0 if kind in ("end", "collapsed") or player not in (0, 1) else (0.19, -0.17)[player] * height


def outline(kind: str, player: int | None, wide: float, high: float) -> str:
    """The shape alone, centred at (0, 0)."""
    a, b = pixels(wide / 2), pixels(high / 2)
    if kind in ("end", "pruned", "collapsed"):
        corner = {"end": 5, "pruned": 3, "collapsed": pixels(high / 2)}[kind]
        box = f'x="-{a}" y="-{b}" width="{pixels(wide)}" height="{pixels(high)}" rx="{corner}"'
        behind = f'<path class="behind" d="M{pixels(5 - wide / 2)} -{pixels(high / 2 + 3)}H{pixels(wide / 2 - 5)}"/>'
        return (behind if kind == "collapsed" else "") + f'<rect class="shape" {box}/>'
    if player is None or player == CHANCE:
        return f'<circle class="shape" r="{b}"/>'
    if player == 0:
        return f'<path class="shape" d="M0 -{b}L{a} {b}H-{a}Z"/>'
    if player == 1:
        return f'<path class="shape" d="M0 {b}L{a} -{b}H-{a}Z"/>'
    sides = min(player + 2, 8)
    corners = [(sin(2 * pi * i / sides) * wide / 2, -cos(2 * pi * i / sides) * high / 2) for i in range(sides)]
    return f'<path class="shape" d="M{"L".join(f"{pixels(x)} {pixels(y)}" for x, y in corners)}Z"/>'


def _coloured(value: str, kind: str) -> str:
    """The value with each payoff of several in its player's colour."""
    if "," not in value or kind == "collapsed":
        return escape(value)
    head, opened, tail = value.rpartition("(")
    shares = tail.removesuffix(")").split(", ")
    spans = [f'<tspan class="{player_class(i)}">{escape(share)}</tspan>' for i, share in enumerate(shares)]
    return escape(head + opened) + ", ".join(spans) + (")" if opened else "")


def tooltip(tree: RecordedTree, branch: Branch, tuples: bool, sets: dict[Any, str]) -> str:
    """What is told about a branch when the mouse rests on it."""
    node, lines = branch.node, []
    if branch.rest:
        value = spread(branch.rest, tuples)
        lines.append(f"{len(branch.rest):,} more branches, {branch.hidden:,} nodes, not drawn")
        return "\n".join(lines + [f"values: {value}"] * bool(value))
    if node.name:
        lines.append(f"{node.name}" + (f" (odds {odds(node.probability)})" if node.probability is not None else ""))
    state = tree.game.text(node.state)
    lines.append(state if len(state) <= 600 else state[:599] + "…")
    if node.pruned is not None:
        lines.append(f"pruned: {node.pruned}")
    elif node.player is None:
        lines.append("end")
    else:
        limit = ", depth limit" if node.kind == "cut" and node.visits is None else ""
        lines.append(f"{who_moves(tree.game, node, tuples)} to move{limit}")
    if node.information_set in sets:
        lines.append(f"information set: {sets[node.information_set]}")
    if node.value is not None:
        lines.append(f"value: {value_of(node, tuples)}")
    if node.wins is not None:
        lines.append(f"won by whoever moved here: {wins_of(node)}")
    elif node.visits is not None:
        lines.append(f"visits: {node.visits:,}")
    if node.window is not None:
        lines.append(f"window: {window(node.window)}")
    if branch.folded:
        lines.append(f"{branch.hidden:,} nodes, not drawn")
    return "\n".join(lines)


def state_lines(tree: RecordedTree, node: Node) -> list[tuple[str, str]]:
    """The state in a few short lines, for under its node."""
    lines = tree.game.text(node.state).splitlines()
    if len(lines) <= 1:
        return [("note", abbreviated(" ".join(lines), 26))]
    lines = [line if len(line) <= 30 else line[:29] + "…" for line in lines[:12]]
    longest = max(map(len, lines))
    return [("board", line.ljust(longest)) for line in lines]
