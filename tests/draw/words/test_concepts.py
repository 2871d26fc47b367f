"""Correlated equilibria, dominance and security levels in words and for notebooks."""

import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest

from zermelo import Matrix, correlated, eliminate, game, rationalizable, security_level
from zermelo.draw.words.concepts import LISTED

CHICKEN = Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], labels=("swerve", "dare"), title="chicken")


def test_a_device_in_words():
    lines = str(correlated(CHICKEN)).splitlines()
    assert lines[:6] == [
        "chicken: correlated equilibrium, best by welfare",
        "odds  row     column",
        "1/2   swerve  swerve",
        "1/4   swerve  dare",
        "1/4   dare    swerve",
        "values 21/4, 21/4; welfare 21/2",
    ]
    assert lines[6].startswith("slack 0, exact, ")


def test_a_device_of_a_tree_names_the_play():
    lines = str(correlated(game("share"), kind="extensive", objective=(0, 1))).splitlines()
    assert lines[:3] == ["share: extensive-form correlated equilibrium, best by the weights 0, 1", "odds  play",
                         "1     give yes"]  # fmt: skip


def test_what_dominance_leaves():
    assert str(eliminate(game("prisoners_dilemma"))).splitlines() == [
        "prisoners_dilemma: iterated strict dominance, 2 actions struck out",
        "player  left",
        "first   defect",
        "second  defect",
        "round 1: first never plays cooperate: defect is always better",
        "round 1: second never plays cooperate: defect is always better",
    ]
    single = str(eliminate(Matrix([[3, 0], [0, 3], [1, 1]]), strict=False, mixed=False))
    assert single.startswith("matrix: iterated weak dominance by single actions, 0 actions struck out")


def test_beliefs_that_justify_actions():
    lines = str(rationalizable(game("el_farol"))).splitlines()
    assert lines[0] == "el_farol: rationalizable actions"
    assert lines[2].split() == ["player", "0", "stay", "go", "and", "go"]
    assert lines[-1].startswith("with three players")
    assert "(nobody else plays)" in str(rationalizable(Matrix([1, 2])))


def test_what_a_player_can_count_on():
    assert str(security_level(game("stag_hunt"), 1)).splitlines() == [
        "stag_hunt: what second can count on",
        "                                         value  play",
        "secures by one action                    3      hare",
        "secures by a mixture                     3      hare",
        "is held to it by                         3      hare",
        "gets at least, if it knows what they do  3",
    ]
    assert "held" not in str(security_level(Matrix([1, 2])))


ANSWERS = [
    correlated(CHICKEN), correlated(game("share"), kind="extensive"), eliminate(game("prisoners_dilemma")),
    rationalizable(game("stag_hunt")), security_level(game("matching_pennies")),
]  # fmt: skip


@pytest.mark.parametrize("found", ANSWERS, ids=lambda found: type(found).__name__)
def test_notebooks_show_the_same_and_the_table(found):
    html = found._repr_html_()
    page = ElementTree.fromstring(html)
    assert "".join(page.find("div").itertext()) == str(found).splitlines()[0]
    has_table = not (type(found).__name__ == "Correlated" and found.kind == "extensive")
    assert html.count('class="zermelo-payoffs"') == has_table
    cells = ["".join(cell.itertext()) for cell in page.find("table").iter("td")]
    assert cells
    assert all(cell.replace("−", "-") in str(found) for cell in cells)


def test_long_answers_are_cut():
    labels = [f"<{i}>" for i in range(40)]
    wide = Matrix([[Fraction(int(i == j), 3) for j in range(40)] for i in range(40)], labels=labels)
    found = rationalizable(wide)
    lines = str(found).splitlines()
    assert len(lines) == 2 + LISTED + 1
    assert lines[-1] == f"{80 - LISTED} more"
    assert "&lt;0&gt;" in found._repr_html_()
    assert "34 more" in str(eliminate(wide))


@pytest.mark.parametrize("objective", [None, 3, [1, "x"], [1, float("nan")], [1], {"a": 1, "b": 2}])
def test_an_objective_that_is_none_is_refused(objective):
    with pytest.raises(ValueError, match=r"^correlated: ") as refusal:
        correlated(CHICKEN, objective=objective)
    assert "\n" not in str(refusal.value)
