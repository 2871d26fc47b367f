"""The curves of a best-response diagram are best responses, and equilibria lie where they meet."""

from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, game, nash
from zermelo.draw.plots.canvas import Dot, Stroke
from zermelo.draw.plots.responses import EVERYWHERE, reaction, responses_canvas, responses_latex, responses_svg
from zermelo.errors import UnsuitableGame

PAYOFFS = st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=2), min_size=2, max_size=2)


def gain(matrix, player, p, q):
    """How much better the player's first action is, given the odds of both first actions."""
    if player == 0:
        first, second = (matrix[own, (q, 1 - q)][0] for own in ((1, 0), (0, 1)))
    else:
        first, second = (matrix[(p, 1 - p), own][1] for own in ((1, 0), (0, 1)))
    return first - second


def on(curve, p, q):
    """Whether a point lies on a curve of lines along the axes."""
    if curve == EVERYWHERE:
        return True
    return any(
        min(a[0], b[0]) <= p <= max(a[0], b[0]) and min(a[1], b[1]) <= q <= max(a[1], b[1])
        for a, b in pairwise(curve)
    )  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(PAYOFFS, PAYOFFS, st.fractions(0, 1, max_denominator=12), st.fractions(0, 1, max_denominator=12))
def test_curves_are_exactly_the_best_responses(a, b, p, q):
    matrix = Matrix(a, b)
    for player, own in ((0, p), (1, q)):
        better = gain(matrix, player, p, q)
        best = better == 0 or (better > 0 and own == 1) or (better < 0 and own == 0)
        assert on(reaction(matrix, player), p, q) == best
        for u, v in reaction(matrix, player):
            u, v = Fraction(u), Fraction(v)
            better = gain(matrix, player, u, v)
            assert better == 0 or (u, v)[player] == (better > 0)


@settings(max_examples=30, deadline=None)
@given(PAYOFFS, PAYOFFS)
def test_equilibria_lie_on_both_curves(a, b):
    matrix = Matrix(a, b)
    found = nash(matrix, all=True, exact=True)
    for one in found:
        p, q = one.profile[0][0], one.profile[1][0]
        assert on(reaction(matrix, 0), p, q)
        assert on(reaction(matrix, 1), p, q)
    ElementTree.fromstring(responses_svg(matrix, found))


def equilibrium_marks(matrix):
    marks = responses_canvas(matrix, nash(matrix, all=True, exact=True)).marks
    dots = [m for m in marks if isinstance(m, Dot) and m.at[0] != 300.0]
    lines = [m for m in marks if isinstance(m, Stroke) and m.color == "ink"]
    return len(dots), [len(line.points) for line in lines]


def test_points_lines_and_areas():
    assert equilibrium_marks(game("battle_of_the_sexes")) == (3, [])
    assert equilibrium_marks(game("matching_pennies")) == (1, [])
    assert equilibrium_marks(Matrix([[1, 1], [0, 2]], [[1, 1], [2, 0]])) == (2, [2])
    assert equilibrium_marks(Matrix([[0, 0], [0, 0]])) == (4, [4])


def test_latex_is_balanced():
    latex = responses_latex(game("battle_of_the_sexes"))
    assert latex.count("{") == latex.count("}")
    used = {word.split("}")[0].split(",")[0].rstrip("]") for word in latex.split("draw=")[1:]}
    assert all(f"\\definecolor{{{color}}}" in latex for color in used)


def test_other_sizes_are_refused():
    with pytest.raises(UnsuitableGame, match="3x3"):
        responses_svg(game("rock_paper_scissors"))
