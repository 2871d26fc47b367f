"""Strategy grids: every information set is one cell, with the odds that the policy gives."""

from xml.etree import ElementTree

import pytest

from zermelo import Policy, game, sequence_form
from zermelo.draw.plots.grid import grid_html, grid_latex, grid_svg, grid_text, strategy_grids
from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame

KUHN, LEDUC = game("kuhn_poker"), game("leduc_poker")


def test_kuhn_has_two_grids_of_six_cells():
    found = sequence_form(KUHN)
    grids = strategy_grids(found)
    assert [(grid.title, grid.rows, grid.columns) for grid in grids] == [
        ("player 0", ("J", "Q", "K"), ("first", "pass, bet")),
        ("player 1", ("J", "Q", "K"), ("pass", "bet")),
    ]
    s = KUHN.initial()
    for action in (1, 0, 0, 1):  # Q to player 0, J to player 1, pass, bet
        s = KUHN.result(s, action)
    assert grids[0].cells[1, 1] == found.policy(s)
    assert grids[0].names[1, 1] == "call"


def test_leduc_has_a_cell_for_each_information_set():
    grids = strategy_grids(Policy.uniform(LEDUC))
    assert len(grids) == 2 + 2 * 6
    assert sum(len(grid.cells) for grid in grids) == 936
    assert grids[2].title == "player 0, J♠ on the table"
    assert grids[2].rows == ("J♥", "Q♠", "Q♥", "K♠", "K♥")
    assert grids[0].columns == ("first", "check, bet", "bet, raise")


def test_hands_are_named_as_they_are_dealt():
    (first, _) = strategy_grids(Policy.uniform(game("one_card_poker", cards=4)))
    assert first.rows == ("1", "2", "3", "4")


def test_every_form():
    uniform = Policy.uniform(KUHN)
    assert grid_text(uniform).splitlines()[-4:] == [
        "   (bet)  (call)",
        "J  1/2    1/2",
        "Q  1/2    1/2",
        "K  1/2    1/2",
    ]
    assert grid_latex(uniform).count(r"\begin{tabular}{r|cc}") == 2
    root = ElementTree.fromstring(grid_svg(uniform))
    bars = [e for e in root.iter() if e.get("class") in ("fill-nobody", "fill-p0") and e.tag.endswith("polygon")]
    assert len(bars) == 2 * 12 + 2
    assert "pass / fold" in grid_html(uniform)
    assert "13 more grids" in grid_text(Policy.uniform(LEDUC), most=1)


def test_a_later_state():
    s = LEDUC.initial()
    for action in (0, 2, 1, 1, 4):  # J♠, Q♠, check, check, K♠ on the table
        s = LEDUC.result(s, action)
    grids = strategy_grids(Policy.uniform(LEDUC), s)
    assert [grid.columns for grid in grids] == [
        ("first", "check, bet", "bet, raise"),
        ("check", "check, bet, raise", "bet"),
    ]


def test_what_has_no_hands_is_refused():
    with pytest.raises(UnsuitableGame, match="hands"):
        strategy_grids(Policy.uniform(game("rock_paper_scissors")))
    with pytest.raises(BadParameter, match="card, turns"):
        strategy_grids(Policy.uniform(KUHN), hand="cards")
    with pytest.raises(EndlessGame, match="later state"):
        strategy_grids(Policy.uniform(game("one_card_poker", cards=1000)))
