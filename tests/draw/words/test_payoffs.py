"""Payoff tables say the same in text, SVG, HTML and LaTeX: payoffs, best responses, equilibria."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, game, nash, normal_form
from zermelo.draw.words.latex import escape_latex, number_latex
from zermelo.draw.words.payoffs import (
    COLUMNS,
    ROWS,
    Marked,
    mixture_text,
    odds_text,
    table_html,
    table_latex,
    table_svg,
    table_text,
)
from zermelo.errors import BadParameter

BATTLE = Matrix([[2, 0], [0, 1]], [[1, 0], [0, 2]], labels=("ballet", "fight"), names=("she", "he"))


def test_every_form_marks_the_same_cells():
    found = nash(BATTLE, all=True, exact=True)
    text, latex, html, svg = (f(BATTLE, found) for f in (table_text, table_latex, table_html, table_svg))
    assert re.findall(r"\[[^ ].*?\]", text) == ["[2*, 1*]", "[1*, 2*]"]
    assert re.findall(r"\\fbox\{(.*?)\} ", latex) == [
        r"$\underline{2}, \underline{1}$",
        r"$\underline{1}, \underline{2}$",
    ]
    assert re.findall(r"<u>(.*?)</u>", html) == ["2", "1", "1", "2"]
    assert html.count('class="equilibrium"') == 2
    boxes = [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == "line-ink fill-ink"]
    assert len(boxes) == 2
    for form in (text, html, svg):
        assert "mixed equilibrium: she 2/3 ballet, 1/3 fight; he 1/3 ballet, 2/3 fight; values 2/3, 2/3" in form


def test_share_has_nine_boxes_and_twelve_mixtures():
    share = normal_form(game("share"))
    marked = Marked(share, nash(share, all=True, exact=True))
    assert sum(cell.equilibrium for row in marked.pages[0].cells for cell in row) == len(marked.pure) == 9
    assert len(marked.mixed) == 12


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=3), min_size=1, max_size=4
    )
)
def test_best_responses_are_best(rows):
    matrix = Matrix(rows)
    cells = Marked(matrix).pages[0].cells
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            assert cell.values == rows[i][j]
            assert cell.best[0] == (rows[i][j][0] == max(line[j][0] for line in rows))
            assert cell.best[1] == (rows[i][j][1] == max(other[1] for other in rows[i]))


def test_one_and_three_players():
    assert table_text(Matrix([3, 5, 4])).splitlines()[2] == "1         5*"
    three = game("odd_man_out")
    text, svg = table_text(three), table_svg(three)
    assert text.count("player 2: ") == 2
    assert "player 2: heads" in svg
    assert "player 2: tails" in svg
    assert table_latex(three).count(r"\begin{tabular}") == 2


def test_large_tables_are_cut_and_say_so():
    size = 300
    large = Matrix([[(i * j) % 7 for j in range(size)] for i in range(size)])
    page = Marked(large).pages[0]
    assert (len(page.rows), len(page.columns)) == (ROWS, COLUMNS)
    assert f"not shown: {size - ROWS} more rows, {size - COLUMNS} more columns" in table_text(large)


def test_labels_cannot_break_out():
    nasty = Matrix([[1, 2], [3, 4]], labels=[["<b>&", "50% {of} $x_1$ \\"], ["a", "b"]])
    ElementTree.fromstring(table_svg(nasty))
    assert "<b>" not in table_html(nasty)
    assert r"50\% \{of\} \$x\_1\$ \textbackslash{}" in table_latex(nasty)
    assert escape_latex("J♥") == r"J$\heartsuit$"


def test_numbers_in_words():
    assert mixture_text(("a", "b"), (1, 0)) == "a"
    assert mixture_text("abcdefgh", [Fraction(1, 8)] * 8).endswith("1/8 f, 2 more")
    assert [odds_text(p) for p in (0, 0.5, 1 / 3, 0.33, 1e-6, 1 - 1e-6)] == [
        "0",
        "1/2",
        "1/3",
        "0.33",
        "<0.001",
        ">0.999",
    ]
    assert [number_latex(x) for x in (Fraction(-1, 3), -2, 0.25)] == [r"-\frac{1}{3}", "-2", "0.25"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(BadParameter, match="normal_form"):
        table_text(game("share"))
    with pytest.raises(BadParameter, match="another game"):
        table_text(BATTLE, nash(game("rock_paper_scissors")))


def test_a_table_shows_itself():
    assert "<table>" in BATTLE._repr_html_()
    ElementTree.fromstring(BATTLE._repr_svg_())


def test_latex_has_powers_of_ten_and_all_digits_of_integers():
    assert number_latex(1e-9) == "10^{-9}"
    assert number_latex(-2.5e-7) == r"-2.5 \cdot 10^{-7}"
    assert number_latex(12_345_678) == "12345678"
    assert r"3 \cdot 10^{20}" in table_latex(Matrix([[1e-9, 3e20]]))


def test_every_latex_table_stands_by_itself():
    # A heading that follows a table in the same paragraph would be set beside it.
    latex = table_latex(game("el_farol"), nash(game("el_farol"), all=True))
    paragraphs = latex.split("\n\n")
    assert [p.count(r"\begin{tabular}") for p in paragraphs[:3]] == [1, 1, 0]
    assert all(p.startswith(r"\noindent") for p in paragraphs)
    assert paragraphs[1].splitlines()[1] == r"player 2: go\\"
