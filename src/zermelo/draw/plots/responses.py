"""Best-response diagrams of 2x2 games: both reaction curves, with the equilibria where they meet.

>>> from zermelo import game
>>> curve = reaction(game("battle_of_the_sexes"), 0)
>>> [(str(p), str(q)) for p, q in curve]
[('0', '0'), ('0', '1/3'), ('1', '1/3'), ('1', '1')]
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from zermelo.draw.plots.canvas import Canvas, Dot
from zermelo.draw.words.payoffs import odds_text
from zermelo.draw.words.wording import abbreviated
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

SIDE, LEFT, TOP, RIGHT, BOTTOM = 300.0, 64.0, 44.0, 30.0, 98.0
EVERYWHERE: tuple[tuple[Any, Any], ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The reaction of a player who is always indifferent: the whole square."""


def reaction(matrix: Matrix, player: int) -> tuple[tuple[Any, Any], ...]:
    """The corners of a player's best responses in a 2x2 game, as odds (p, q) of the players' first actions.

    They are joined by straight lines; `EVERYWHERE`, the corners of the square, where all responses are equally good.
    """
    _require(matrix)
    own = matrix.payoffs[..., player] if player == 0 else matrix.payoffs[..., player].T
    first, second = (_plain(own[0][k] - own[1][k]) for k in (0, 1))
    """How much better the first action is if the other plays its first action, or its second."""
    if first == second == 0:
        return EVERYWHERE
    at_zero, at_one = (_best(second, first), _best(first, second))
    path: list[tuple[Any, Any]] = [(at_zero, 0)]
    if first * second < 0:
        turn = second / (second - first)
        path += [(at_zero, turn), (at_one, turn)]
    elif second == 0:
        path = [(1 - at_zero, 0), (at_zero, 0)]
    path.append((at_one, 1))
    if first == 0:
        path.append((1 - at_one, 1))
    return tuple(path if player == 0 else ((p, q) for q, p in path))


def _best(gain: Any, beside: Any) -> int:
    """The best odds of the first action at one end; where all are equally good, the best odds just beside that end."""
    return int(gain > 0 or (gain == 0 and beside > 0))


def _plain(x: Any) -> Any:
    return Fraction(x) if isinstance(x, int) else x


def responses_svg(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> str:
    """The diagram as one self-contained SVG: player 0's curve and player 1's, and a dot for each equilibrium.

    Sets of equilibria, which `zermelo.nash(matrix, all=True)` lists as components, are drawn as lines or areas.
    """
    return responses_canvas(matrix, equilibria).svg()


def responses_latex(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> str:
    """The diagram as a TikZ picture."""
    return responses_canvas(matrix, equilibria).tikz()


def responses_canvas(matrix: Matrix, equilibria: Equilibrium | Iterable[Equilibrium] = ()) -> Canvas:
    """The diagram as a drawing."""
    _require(matrix)
    found = [equilibria] if isinstance(equilibria, Equilibrium) else equilibria
    sheet = Canvas(LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM, title=f"Best responses: {matrix.name}")
    curves = [reaction(matrix, player) for player in (0, 1)]
    _draw_axes(sheet, matrix, curves)
    for player, curve in enumerate(curves):
        points = [_at(p, q) for p, q in curve]
        if curve == EVERYWHERE:
            sheet.area(points, f"p{player}", fill=0.12)
        else:
            sheet.line(points, f"p{player}", width=(5.0, 2.4)[player])
    for p, q in _sets(found):
        _draw_set(sheet, p, q)
    _draw_key(sheet, matrix)
    return sheet


def _at(p: Any, q: Any) -> tuple[float, float]:
    return LEFT + SIDE * float(p), TOP + SIDE * (1 - float(q))


def _sets(found: Iterable[Equilibrium]) -> list[tuple[tuple[Any, Any], ...]]:
    """The ranges of (p, q) in each set of equilibria whose mixtures are equilibria too; the larger sets first."""
    listed = list(found)
    subsets: Sequence[Sequence[int]] = [(i,) for i in range(len(listed))]
    if isinstance(found, Equilibria) and found.components:
        subsets = [subset for component in found.components for subset in component]
    ranges = []
    for subset in subsets:
        odds = [[listed[i].profile[player][0] for i in subset] for player in (0, 1)]
        ranges.append(tuple((min(own), max(own)) for own in odds))
    return sorted(ranges, key=lambda pair: -sum(high > low for low, high in pair))


def _draw_set(sheet: Canvas, p: tuple[Any, Any], q: tuple[Any, Any]) -> None:
    corners = list(dict.fromkeys([_at(p[0], q[0]), _at(p[1], q[0]), _at(p[1], q[1]), _at(p[0], q[1])]))
    if len(corners) == 4:
        sheet.area(corners, "ink", width=2, fill=0.12)
    elif len(corners) == 2:
        sheet.line(corners, "ink", width=4)
    for x, y in corners:
        sheet.dot(x, y, "ink", radius=5.5 if len(corners) == 1 else 4)


def _draw_axes(sheet: Canvas, matrix: Matrix, curves: Sequence[Sequence[tuple[Any, Any]]]) -> None:
    """The square, with the odds at which a best response changes written on its sides."""
    sheet.area([_at(p, q) for p, q in EVERYWHERE], "line", width=1, fill=0.0)
    across = sorted({0, 1, *(p for p, _ in curves[1])})
    down = sorted({0, 1, *(q for _, q in curves[0])})
    for p in across:
        sheet.line([_at(p, 0), _at(p, 1)], "faint", width=1, dash="2 3")
        x, y = _at(p, 0)
        sheet.text(x, y + 17, odds_text(p), "soft", size=11.5)
    for q in down:
        sheet.line([_at(0, q), _at(1, q)], "faint", width=1, dash="2 3")
        x, y = _at(0, q)
        sheet.text(x - 10, y + 4, odds_text(q), "soft", anchor="end", size=11.5)
    (first, second), (own, other) = matrix.names[:2], (labels[0] for labels in matrix.labels)
    x, y = _at(0.5, 0)
    sheet.text(x, y + 36, abbreviated(f"odds that {first} plays {own}", 48), "p0")
    sheet.text(16, TOP - 18, abbreviated(f"odds that {second} plays {other}", 52), "p1", anchor="start")


def _draw_key(sheet: Canvas, matrix: Matrix) -> None:
    """What the marks mean."""
    x, y = LEFT, TOP + SIDE + 58
    for player, name in enumerate(matrix.names):
        sheet.line([(x, y - 4), (x + 22, y - 4)], f"p{player}", width=(5.0, 2.4)[player])
        sheet.text(x + 28, y, abbreviated(f"best responses of {name}", 44), "soft", anchor="start", size=11)
        y += 17
    if any(isinstance(mark, Dot) for mark in sheet.marks):
        sheet.dot(SIDE, y - 21, "ink", radius=4)
        sheet.text(SIDE + 10, y - 17, "equilibrium", "soft", anchor="start", size=11)


def _require(matrix: Any) -> None:
    if not isinstance(matrix, Matrix) or matrix.shape != (2, 2):
        kind = "x".join(map(str, matrix.shape)) if isinstance(matrix, Matrix) else "no table"
        raise UnsuitableGame(f"best-response diagrams are for 2x2 tables, this is {kind}: draw its payoff table")
