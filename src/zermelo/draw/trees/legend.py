"""The line below a picture that says what its marks mean."""

from zermelo.contract import CHANCE, Game
from zermelo.draw.theme import player_class
from zermelo.draw.trees.node_shape import outline, pixels
from zermelo.draw.trees.placement import Placement
from zermelo.draw.words.wording import abbreviated, escape, who_moves, width

SIZE, ROW, SPACE = 11.0, 21.0, 18.0


class Legend:
    """What the marks mean that a placement really has."""

    def __init__(self, placement: Placement, game: Game, tuples: bool, *, caption: str) -> None:
        self.caption = abbreviated(caption, 64)
        self.entries = _entries(placement, game, tuples)
        """Each mark as SVG, its width, and what it means."""
        marks = sum(self._wide(mark, text) for _, mark, text in self.entries) - SPACE
        self.natural_width = max(marks, width(self.caption, SIZE))
        self.height = 0.0

    @staticmethod
    def _wide(mark: float, text: str) -> float:
        return mark + 6 + width(text, SIZE) + SPACE

    def svg(self, room: float) -> str:
        """The legend in rows of at most this width; sets its height."""
        parts, x, y = [], 0.0, 34.0
        for svg, mark, text in self.entries:
            wide = self._wide(mark, text)
            if x > 0 and x + wide - SPACE > room:
                x, y = 0.0, y + ROW
            parts.append(f'<g transform="translate({pixels(x + mark / 2)} {pixels(y)})">{svg}</g>')
            parts.append(f'<text class="start" x="{pixels(x + mark + 6)}" y="{pixels(y + 4)}">{escape(text)}</text>')
            x += wide
        parts.append(f'<text class="start" x="0" y="{pixels(y + ROW + 4)}">{escape(self.caption)}</text>')
        self.height = y + ROW + 2
        return "".join(parts)


def _entries(placement: Placement, game: Game, tuples: bool) -> list[tuple[str, float, str]]:
    shapes = [box.shape for box in placement.boxes if box.shape is not None]
    shapes += [row.shape for box in placement.boxes for row in box.rows]
    kinds = {shape.kind for shape in shapes}
    moving = [shape.branch.node for shape in shapes if shape.kind not in ("end", "pruned", "collapsed")]
    movers = {(node.player, node.random_player): node for node in moving if node.player is not None}
    sampled = any(node.visits is not None for node in moving)
    entries = []
    for (player, _), node in sorted(movers.items(), key=lambda item: (item[0][0], item[0][1] or -1)):
        kind = "chance" if player == CHANCE else ("max", "min")[player] if player < 2 else f"player{player}"
        entries.append((_mark(kind, player, 15, 13), 15.0, abbreviated(who_moves(game, node, tuples), 24)))
    for kind, text, wide, high in (
        ("end", "end", 16.0, 12.0),
        ("cut", "leaf" if sampled else "depth limit", 13.0, 13.0),
        ("collapsed", "n nodes folded", 22.0, 13.0),
    ):
        if kind in kinds:
            entries.append((_mark(kind, None, wide, high), wide, text))
    if any(shape.branch.best and shape.branch.depth for shape in shapes):
        mover = player_class(shapes[0].branch.node.player)
        entries.append((f'<path class="key best {mover}" d="M-11 0H11"/>', 22.0, "best line"))
    if "pruned" in kinds:
        strokes = '<path class="key snip" d="M-4 5L0 -5M0 5L4 -5"/>'
        entries.append((f'<path class="key pruned" d="M-12 0H12"/>{strokes}', 24.0, "pruned"))
    if placement.sets.groups:
        mover = player_class(placement.sets.groups[0].player)
        entries.append((f'<path class="key sets {mover}" d="M-12 0H12"/>', 24.0, "information set"))
    return entries


def _mark(kind: str, player: int | None, wide: float, high: float) -> str:
    inside = '<text class="count" y="3.4">+n</text>' if kind == "collapsed" else ""
    return f'<g class="{kind} {player_class(player)}">{outline(kind, player, wide, high)}{inside}</g>'
