"""Simplex plots: mixed strategies of three actions as points of a triangle, with the way that learning takes there."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.draw.plots.canvas import Canvas, color_of
from zermelo.draw.plots.curves import Learned, play_panel, player_name, stacked, thinned
from zermelo.draw.words.wording import abbreviated
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

SIDE, MARGIN, TOP, FOOT = 300.0, 56.0, 58.0, 66.0
HEIGHT = SIDE * 3**0.5 / 2
CORNERS = ((0.0, 1.0), (1.0, 1.0), (0.5, 0.0))
"""Where the pure strategies lie: the first action left, the second right, the third at the top."""
CLOSE = 1e-9
Line = tuple[tuple[float, ...], ...]
"""A line, given by the two mixed strategies at its ends."""


def simplex_svg(answer: Learned, equilibria: Equilibrium | Iterable[Equilibrium] = (), *, regions: bool = True) -> str:
    """The way of learning as an SVG, a picture for each player or population.

    Players of three actions have a triangle: current play is the thin line, average play the strong one, from a ring to
    a dot; with `regions`, dashed lines part it by what the other player of a two-player game answers best. Players of
    two actions, or of more than three, have lines over time.
    """
    return simplex_canvas(answer, equilibria, regions=regions).svg()


def simplex_latex(
    answer: Learned, equilibria: Equilibrium | Iterable[Equilibrium] = (), *, regions: bool = True
) -> str:
    """The way of learning as a TikZ picture."""
    return simplex_canvas(answer, equilibria, regions=regions).tikz()


def simplex_canvas(
    answer: Learned, equilibria: Equilibrium | Iterable[Equilibrium] = (), *, regions: bool = True
) -> Canvas:
    """The way of learning as a drawing."""
    found = [equilibria] if isinstance(equilibria, Equilibrium) else list(equilibria)
    panels = []
    for player in range(len(answer.trajectory.current)):
        if len(answer.game.labels[player]) == 3:
            panels.append(_triangle(answer, player, found, regions=regions))
        else:
            panels.append(play_panel(answer, player))
    return stacked(panels, title=f"Learning: {answer.game.name}")


def response_regions(matrix: Matrix, player: int) -> list[Line]:
    """Where, among the mixed strategies of a player with three actions, the other is indifferent between two best ones.

    Each is a line between two mixed strategies.

    >>> from zermelo import Matrix
    >>> response_regions(Matrix([[1, 0, 0], [0, 1, 0]]), 1)
    [((0.0, 0.0, 1.0), (0.5, 0.5, 0.0))]
    """
    if matrix.players != 2 or matrix.shape[player] != 3:
        raise UnsuitableGame("best-response regions are drawn for a player of three actions in a game of two players")
    other = 1 - player
    table = matrix.payoffs[..., other].astype(float)
    rows = table.tolist() if other == 0 else table.T.tolist()  # [the other's action, own action]
    lines = []
    for i, j in itertools.combinations(range(len(rows)), 2):
        gap = [a - b for a, b in zip(rows[i], rows[j], strict=True)]
        ends = _crossing(gap)
        if ends is None:
            continue
        for k in range(len(rows)):
            if k not in (i, j) and ends is not None:
                ends = _clipped(ends, [a - b for a, b in zip(rows[i], rows[k], strict=True)])
        if ends is not None:
            lines.append(ends)
    return lines


def _crossing(gap: Sequence[float]) -> Line | None:
    """The line on which the gap is 0 inside the triangle; None where it touches a corner at most, or is 0 all over."""
    ends: list[tuple[float, ...]] = []
    for k in range(3):
        if abs(gap[k]) <= CLOSE:
            ends.append(tuple(float(m == k) for m in range(3)))
    for a, b in itertools.combinations(range(3), 2):
        if gap[a] * gap[b] < -CLOSE * CLOSE and abs(gap[a]) > CLOSE and abs(gap[b]) > CLOSE:
            share = gap[b] / (gap[b] - gap[a])
            ends.append(tuple(share if m == a else 1 - share if m == b else 0.0 for m in range(3)))
    return tuple(ends) if len(ends) == 2 else None


def _clipped(ends: Line, gain: Sequence[float]) -> Line | None:
    """The part of a line where the gain is not below 0."""
    first, last = (sum(g * p for g, p in zip(gain, end, strict=True)) for end in ends)
    if first < -CLOSE and last < -CLOSE:
        return None
    if first >= -CLOSE and last >= -CLOSE:
        return ends
    share = first / (first - last)
    turn = tuple(a + share * (b - a) for a, b in zip(*ends, strict=True))
    cut = (ends[0], turn) if first >= -CLOSE else (turn, ends[1])
    short = max(abs(a - b) for a, b in zip(*cut, strict=True)) <= CLOSE
    return None if short else cut


def simplex_point(strategy: Sequence[float]) -> tuple[float, float]:
    """Where a mixed strategy lies on the panel."""
    x = sum(p * corner[0] for p, corner in zip(strategy, CORNERS, strict=True))
    y = sum(p * corner[1] for p, corner in zip(strategy, CORNERS, strict=True))
    return MARGIN + SIDE * x, TOP + HEIGHT * y


def _triangle(answer: Learned, player: int, equilibria: Sequence[Equilibrium], *, regions: bool) -> Canvas:
    game, way = answer.game, answer.trajectory
    sheet = Canvas(SIDE + 2 * MARGIN, TOP + HEIGHT + FOOT, title=game.name)
    color = color_of(player)
    sheet.text(14, 22, player_name(answer, player), color, anchor="start", bold=True)
    for share in (0.25, 0.5, 0.75):
        for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            ends = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
            for end, rest in zip(ends, (b, c), strict=True):
                end[a], end[rest] = share, 1 - share
            sheet.line([simplex_point(end) for end in ends], "faint", width=0.7)
    sheet.area([simplex_point([float(k == i) for k in range(3)]) for i in range(3)], "line", width=1.2, fill=0.0)
    if regions and game.players == 2:
        for line in response_regions(game, player if len(way.current) > 1 else 0):
            sheet.line([simplex_point(end) for end in line], "soft", width=1.2, dash="5 4")
    _draw_labels(sheet, game.labels[player])
    _draw_ways(sheet, way, player, color)
    for found in equilibria:
        x, y = simplex_point([float(p) for p in found.profile[player]])
        sheet.dot(x, y, "ink", radius=5, hollow=True)
    _draw_key(sheet, color, averaged=bool(way.average), marked=bool(equilibria))
    return sheet


def _draw_labels(sheet: Canvas, labels: Sequence[str]) -> None:
    left, right, top = (simplex_point([float(k == i) for k in range(3)]) for i in range(3))
    sheet.text(left[0], left[1] + 18, abbreviated(labels[0], 16))
    sheet.text(right[0], right[1] + 18, abbreviated(labels[1], 16))
    sheet.text(top[0], top[1] - 10, abbreviated(labels[2], 24))


def _draw_ways(sheet: Canvas, way: Any, player: int, color: str) -> None:
    """Current play thin and average play strong; where there is no average, current play alone."""
    current = [simplex_point(row) for row in thinned(way.current[player].tolist())]
    sheet.line(current, color, width=0.8 if way.average else 1.8, opacity=0.4 if way.average else 1.0)
    strong = (
        [simplex_point(row) for row in thinned(way.average[player].tolist(), early=True)] if way.average else current
    )
    if way.average:
        sheet.line(strong, color, width=2.6)
    sheet.dot(*strong[0], color, radius=4, hollow=True)
    sheet.dot(*strong[-1], color, radius=4.5)


def _draw_key(sheet: Canvas, color: str, *, averaged: bool, marked: bool) -> None:
    x, y = 20.0, TOP + HEIGHT + 48
    entries = [("average", 2.6, 1.0), ("current", 0.8, 0.6)] if averaged else [("shares", 1.8, 1.0)]
    for words, wide, opacity in entries:
        sheet.line([(x, y - 4), (x + 22, y - 4)], color, width=wide, opacity=opacity)
        sheet.text(x + 28, y, words, "soft", anchor="start", size=11)
        x += 84
    for words, hollow in (("start", True), ("end", False)):
        sheet.dot(x + 5, y - 4, color, radius=4, hollow=hollow)
        sheet.text(x + 14, y, words, "soft", anchor="start", size=11)
        x += 56
    if marked:
        sheet.dot(x + 5, y - 4, "ink", radius=5, hollow=True)
        sheet.text(x + 16, y, "equilibrium", "soft", anchor="start", size=11)
