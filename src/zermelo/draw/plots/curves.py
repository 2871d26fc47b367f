"""Curves: how fast a method comes near to an equilibrium, and how play changes while players learn.

>>> steps = [(1, 0.5), (10, 0.05), (100, 0.005)]
>>> print(convergence_text({"cfr+": steps}, width=30, height=5))
     1 |+
   0.1 |
       |          +
  0.01 |                     +
 0.001 |
       -----------------------
        1         10         100
+ cfr+
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from zermelo.draw.plots.canvas import PLAYERS, Canvas
from zermelo.draw.words.wording import abbreviated, width
from zermelo.errors import BadParameter

WIDE, HIGH, LEFT, TOP, BOTTOM = 460.0, 260.0, 62.0, 34.0, 50.0
POINTS = 600
"""The most points of a line that are drawn."""
MARKS = "+xo#@*%&"

Steps = Iterable[tuple[float, float]]


class Series(NamedTuple):
    """One line of a chart."""

    name: str
    points: list[tuple[float, float]]
    color: str
    width: float = 2.0
    opacity: float = 1.0


class Axis(NamedTuple):
    """A scale from low to high, even in numbers or in their logarithms."""

    low: float
    high: float
    log: bool

    def place(self, x: float) -> float:
        """Where a number lies: 0 at the low end, 1 at the high end."""
        low, high, at = (math.log10(v) if self.log else v for v in (self.low, self.high, x))
        return (at - low) / (high - low)

    def ticks(self) -> list[float]:
        """Round numbers on the scale, about five."""
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, math.ceil((last - first) / 7))
            return [10.0**power for power in range(first, last + 1, step)]
        return [self.low + k * (self.high - self.low) / 4 for k in range(5)]


class Learned(Protocol):
    """What learning came to: `regret_matching`, `fictitious_play` and `replicator` answer so."""

    @property
    def trajectory(self) -> Any: ...
    @property
    def game(self) -> Any: ...


def decades(values: Iterable[float]) -> Axis:
    """The logarithmic scale from the power of ten below all values to the one above them."""
    known = list(values)
    low, high = math.floor(math.log10(min(known)) + 1e-9), math.ceil(math.log10(max(known)) - 1e-9)
    return Axis(10.0**low, 10.0 ** max(high, low + 1), True)


def chart(title: str, series: Sequence[Series], across: Axis, up: Axis, *, below: str, beside: str = "") -> Canvas:
    """Lines over two scales, each named at its end."""
    names = max((width(one.name, 11.5) for one in series), default=0.0)
    sheet = Canvas(LEFT + WIDE + 14 + names, TOP + HIGH + BOTTOM, title=title)

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + WIDE * across.place(x), TOP + HIGH * (1 - up.place(y))

    for y in up.ticks():
        sheet.line([at(across.low, y), at(across.high, y)], "faint", width=1)
        sheet.text(LEFT - 8, at(across.low, y)[1] + 4, f"{y:.4g}", "soft", anchor="end", size=11.5)
    for x in across.ticks():
        sheet.line([at(x, up.low), at(x, up.high)], "faint", width=1)
        sheet.text(at(x, up.low)[0], TOP + HIGH + 18, _tick(x), "soft", size=11.5)
    sheet.text(LEFT + WIDE / 2, TOP + HIGH + 38, below, "soft")
    sheet.text(12, 20, beside or title, "ink", anchor="start")
    for one in series:
        sheet.line([at(x, y) for x, y in one.points], one.color, width=one.width, opacity=one.opacity)
    named = sorted(((at(*one.points[-1])[1], i) for i, one in enumerate(series) if one.points and one.name))
    before = -math.inf
    for y, i in named:
        before = max(y + 4, before + 15)
        sheet.text(LEFT + WIDE + 8, before, series[i].name, series[i].color, anchor="start", size=11.5)
    return sheet


def _tick(x: float) -> str:
    return f"{x:,.0f}" if x == round(x) and x < 1e7 else f"{x:g}"


def thinned(points: Sequence[Any], *, early: bool = False) -> list[Any]:
    """At most POINTS of the points, the first and the last always: evenly spread, or denser where it is `early`."""
    last = len(points) - 1
    if last < POINTS:
        return list(points)
    if early:
        return [points[k] for k in sorted({round((last + 1) ** (i / (POINTS - 1))) - 1 for i in range(POINTS)})]
    return [points[i * last // (POINTS - 1)] for i in range(POINTS)]


# --- convergence -----------------------------------------------------------------------------------------------------


def convergence_svg(runs: Mapping[str, Steps] | Steps, *, measure: str = "exploitability") -> str:
    """Exploitability against iterations as an SVG, both scales logarithmic: one line, or one for each name.

    A run is what `zermelo.cfr.stream` yields: pairs of an iteration and how far the answer then was from best play.
    """
    return convergence_canvas(runs, measure=measure).svg()


def convergence_latex(runs: Mapping[str, Steps] | Steps, *, measure: str = "exploitability") -> str:
    """Exploitability against iterations as a TikZ picture."""
    return convergence_canvas(runs, measure=measure).tikz()


def convergence_canvas(runs: Mapping[str, Steps] | Steps, *, measure: str = "exploitability") -> Canvas:
    """Exploitability against iterations as a drawing."""
    known = _runs(runs)
    across, up = _scales(known)
    series = [
        Series(abbreviated(name, 24), thinned(row, early=True), f"p{i % PLAYERS}")
        for i, (name, row) in enumerate(known.items())
    ]
    return chart(f"{measure} by iterations", series, across, up, below="iterations", beside=measure)


def convergence_text(runs: Mapping[str, Steps] | Steps, *, width: int = 72, height: int = 18) -> str:
    """Exploitability against iterations in characters, for terminals; each run has its own mark."""
    if width < 20 or height < 4:
        raise BadParameter("convergence_text: needs a width of 20 and a height of 4 at least")
    known = _runs(runs)
    across, up = _scales(known)
    grid = [[" "] * (width - 8) for _ in range(height)]
    for i, row in enumerate(known.values()):
        for x, y in row:
            column = round(across.place(x) * (width - 9))
            grid[height - 1 - round(up.place(y) * (height - 1))][column] = MARKS[i % len(MARKS)]
    labels = {height - 1 - round(up.place(y) * (height - 1)): f"{y:g}" for y in up.ticks()}
    lines = [f"{labels.get(k, ''):>6} |{''.join(row)}".rstrip() for k, row in enumerate(grid)]
    foot = [" "] * (width + 8)
    for x in across.ticks():
        start = 8 + round(across.place(x) * (width - 9))
        foot[start : start + len(_tick(x))] = _tick(x)
    lines += [" " * 7 + "-" * (width - 7), "".join(foot).rstrip()]
    return "\n".join([*lines, *(f"{MARKS[i % len(MARKS)]} {name}" for i, name in enumerate(known) if name)])


def _runs(runs: Mapping[str, Steps] | Steps) -> dict[str, list[tuple[float, float]]]:
    """The points of each run that logarithms can show; BadParameter where there are none."""
    named = runs if isinstance(runs, Mapping) else {"": runs}
    known = {}
    for name, steps in named.items():
        points = [(float(x), float(y)) for x, y in steps]
        known[str(name)] = [(x, y) for x, y in points if 0 < x < math.inf and 0 < y < math.inf]
    if not any(known.values()):
        raise BadParameter("convergence: no step has a finite exploitability above 0 that could be drawn")
    return {name: row for name, row in known.items() if row}


def _scales(known: Mapping[str, list[tuple[float, float]]]) -> tuple[Axis, Axis]:
    points = [point for row in known.values() for point in row]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    return Axis(first, max(last, 2 * first), True), decades(y for _, y in points)


# --- play over time --------------------------------------------------------------------------------------------------


def play_svg(answer: Learned) -> str:
    """How often each action is played, over time, as an SVG: current play thin, average play strong."""
    return play_canvas(answer).svg()


def play_latex(answer: Learned) -> str:
    """How often each action is played, over time, as a TikZ picture."""
    return play_canvas(answer).tikz()


def play_canvas(answer: Learned) -> Canvas:
    """How often each action is played, over time, as a drawing: one chart for each player."""
    return stacked([play_panel(answer, p) for p in range(len(answer.trajectory.current))], title="Play over time")


def play_panel(answer: Learned, player: int) -> Canvas:
    """How one player's play changes, a line for each action."""
    way, labels = answer.trajectory, answer.game.labels[player]
    times = way.times.tolist()
    iterated = bool(way.average)
    places = thinned(range(len(times)), early=iterated)
    series = []
    for i, label in enumerate(labels):
        color = f"p{i % PLAYERS}"
        now = [(times[k], float(way.current[player][k][i])) for k in places]
        if iterated:
            mean = [(times[k], float(way.average[player][k][i])) for k in places]
            series += [Series("", now, color, 0.8, 0.4), Series(abbreviated(label, 20), mean, color, 2.4)]
        else:
            series.append(Series(abbreviated(label, 20), now, color))
    across = Axis(times[0], max(times[-1], times[0] + 1), iterated)
    below = "iterations" if iterated else "time"
    what = "average and current play (thin)" if iterated else "shares"
    name = player_name(answer, player)
    return chart(f"{name}: {what}", series, across, Axis(0.0, 1.0, False), below=below)


def player_name(answer: Learned, player: int) -> str:
    """Who learns: a player, or the one population that meets itself."""
    alone = len(answer.trajectory.current) == 1 < answer.game.players
    return "population" if alone else str(answer.game.names[player])


def stacked(panels: Sequence[Canvas], *, title: str, room: float = 1200.0) -> Canvas:
    """Drawings side by side, in rows of at most this width."""
    x = y = high = wide = 0.0
    places = []
    for panel in panels:
        if x > 0 and x + panel.width > room:
            x, y, high = 0.0, y + high, 0.0
        places.append((x, y))
        x, high = x + panel.width, max(high, panel.height)
        wide = max(wide, x)
    sheet = Canvas(wide, y + high, title=title)
    for panel, (a, b) in zip(panels, places, strict=True):
        sheet.put(panel, a, b)
    return sheet
