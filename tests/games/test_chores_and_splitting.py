"""Two small games to learn from: chores, in which both want the same, and splitting, in which depth misleads."""

import pytest

import zermelo
from zermelo import BadParameter, evaluate, game


def test_hours_add_up() -> None:
    chores = game("chores", hours=((1, 4), (2, 3), (5, 1)))
    s = chores.play(chores.initial(), 0, 2, 1)
    assert chores.is_terminal(s)
    assert s.spent == (3, 1)
    assert [chores.utility(s, player) for player in (0, 1)] == [-3.0, -3.0]
    assert chores.format_action(chores.initial(), 2) == "shopping"


@pytest.mark.parametrize("hours", [(), ((1, -1),), ((1, 1),) * 9])
def test_impossible_lists_are_refused(hours: tuple) -> None:
    with pytest.raises(BadParameter, match="chores"):
        game("chores", hours=hours)


def test_halves_are_kept_until_one_cell_is_left() -> None:
    row = game("splitting", depth=3, seed=5)
    s = row.play(row.initial(), 1, 0, 1)
    assert row.is_terminal(s)
    assert (s.start, s.size) == (5, 1)
    assert row.utility(s, 0) == -row.utility(s, 1) == (1.0 if row.text(row.initial())[5] == "+" else -1.0)
    wins = row.text(row.initial()).count("+")
    assert evaluate(row, evaluation="share").value == 2 * wins / 8 - 1


def test_both_machines_draw_the_same_cells() -> None:
    row = game("splitting", depth=7, seed=11)
    one, two = (zermelo.minimax(row, depth=5, evaluate="share", device=device) for device in ("python", "cpu"))
    assert (one.value, one.line) == (two.value, two.line)
    with pytest.raises(BadParameter, match="depth must be 1 to 30"):
        game("splitting", depth=0)
