"""Simplex plots, play over time and convergence curves show what was learned, where it was learned."""

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, best_response_dynamics, fictitious_play, game, nash, regret_matching, replicator
from zermelo.draw.plots.canvas import Dot, Stroke
from zermelo.draw.plots.curves import (
    POINTS,
    Axis,
    convergence_latex,
    convergence_svg,
    convergence_text,
    play_canvas,
    thinned,
)
from zermelo.draw.plots.simplex import response_regions, simplex_canvas, simplex_latex, simplex_point, simplex_svg
from zermelo.errors import BadParameter, UnsuitableGame

HANDS = game("rock_paper_scissors")
TABLE = Matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], labels=("rock", "paper", "scissors"))


def test_a_triangle_for_each_player_with_start_end_and_equilibrium():
    learned = regret_matching(TABLE, iterations=200, seed=1)
    sheet = simplex_canvas(learned, nash(TABLE, all=True))
    strong = [m for m in sheet.marks if isinstance(m, Stroke) and m.width == 2.6 and len(m.points) > 2]
    assert len(strong) == 2
    first = strong[0].points
    assert first[0] == pytest.approx(simplex_point((1 / 3, 1 / 3, 1 / 3)))
    assert first[-1] == pytest.approx(simplex_point(learned.average[0]))
    rings = [m for m in sheet.marks if isinstance(m, Dot) and m.color == "ink" and m.radius == 5]
    assert rings[0].at == pytest.approx(simplex_point((1 / 3, 1 / 3, 1 / 3)))
    ElementTree.fromstring(learned._repr_svg_())
    assert simplex_latex(learned).count(r"\begin{tikzpicture}") == 1


def test_corners():
    left, right, top = (simplex_point([k == i for k in range(3)]) for i in range(3))
    assert left[1] == right[1] > top[1]
    assert left[0] < top[0] < right[0]
    sides = [math.dist(left, right), math.dist(right, top), math.dist(top, left)]
    assert sides == pytest.approx([sides[0]] * 3)


def test_two_by_three_has_lines_and_a_triangle():
    matrix = Matrix([[3, 0, 2], [1, 4, 2]], [[1, 2, 0], [2, 1, 1]])
    svg = simplex_svg(fictitious_play(matrix, 100), nash(matrix, all=True))
    assert "average and current play" in svg
    assert "equilibrium" in svg
    assert response_regions(matrix, 1)
    with pytest.raises(UnsuitableGame, match="three actions"):
        response_regions(matrix, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=2, max_size=4))
def test_on_the_lines_two_answers_are_best(rows):
    for line in response_regions(Matrix(rows, rows), 1):
        for share in (0.0, 0.3, 1.0):
            mixed = [a + share * (b - a) for a, b in zip(*line, strict=True)]
            assert sum(mixed) == pytest.approx(1)
            assert min(mixed) >= -1e-9
            earned = sorted(sum(x * p for x, p in zip(row, mixed, strict=True)) for row in rows)
            assert earned[-1] == pytest.approx(earned[-2], abs=1e-6)


def test_populations_and_time():
    shares = replicator(TABLE, (0.5, 0.3, 0.2), populations=1, time=5, steps=50)
    assert "population" in simplex_svg(shares)
    series = [m for m in play_canvas(shares).marks if isinstance(m, Stroke) and m.color.startswith("p")]
    assert [len(m.points) for m in series] == [51] * 3
    assert str(shares).startswith("matrix: values 0\n  population  ")


def test_learning_in_words():
    assert str(regret_matching(TABLE, iterations=50)).splitlines()[-1].endswith("50 iterations")
    pure = Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
    assert str(fictitious_play(pure, 10)).splitlines()[1] == "  row     1/10 0, 9/10 1"
    assert str(best_response_dynamics(pure)) == "matrix: 0, 0 -> 1, 0 -> 1, 1 (stable)"
    assert str(best_response_dynamics(TABLE)).endswith("(goes in circles)")


STEPS = [(1, 1.0), (10, 0.1), (100, 0.01)]


def test_convergence_is_straight_on_logarithms():
    svg = ElementTree.fromstring(convergence_svg({"cfr+": STEPS}))
    line = next(e for e in svg.iter() if e.get("class") == "line-p0")
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, pair.split(","))) for pair in line.get("points").split())
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert y2 > y0
    assert "cfr+" in "".join(svg.itertext())
    assert "exploitability" in convergence_latex(STEPS)


def test_convergence_in_characters():
    text = convergence_text({"slow": STEPS, "fast": [(x, y * y) for x, y in STEPS]}, width=40, height=9)
    lines = text.splitlines()
    assert lines[-2:] == ["+ slow", "x fast"]
    assert lines[8].startswith("0.0001 |")
    assert lines[8].rstrip().endswith("x")
    assert lines[4].rstrip().endswith("+")


def test_what_logarithms_cannot_show_is_left_out():
    assert convergence_text([(0, 1.0), (1, 1.0), (2, 0.0), (3, math.nan), (4, 0.5)])
    with pytest.raises(BadParameter, match="above 0"):
        convergence_svg([(1, 0.0)])
    with pytest.raises(BadParameter, match="width"):
        convergence_text(STEPS, width=3)


def test_scales():
    assert Axis(1, 1000, True).ticks() == [1, 10, 100, 1000]
    assert Axis(1, 1000, True).place(10) == pytest.approx(1 / 3)
    assert Axis(0.0, 1.0, False).ticks() == [0, 0.25, 0.5, 0.75, 1]


@given(st.integers(1, 5000), st.booleans())
def test_thinning_keeps_the_ends(size, early):
    kept = thinned(range(size), early=early)
    assert kept[0] == 0
    assert kept[-1] == size - 1
    assert len(kept) <= POINTS
    assert kept == sorted(set(kept))
