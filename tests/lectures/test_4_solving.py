"""Block 4, solving: Connect Four (4.3)."""

import pytest

import zermelo
from zermelo import game


def test_4_3_every_move_has_a_number():
    of = game("connect_four")
    found = zermelo.solve(of, of.parse_state("44444222"))
    assert found.value == max(found.moves.values())
    assert sorted(found.moves) == list(range(7))


@pytest.mark.parametrize(
    ("rows", "cols", "winner"),
    [(4, 4, 0), (4, 5, 0), (5, 4, 0), (5, 5, 0), (4, 6, -1), (5, 6, 0), (6, 5, 0), (4, 7, 0)],
)
def test_4_3_small_boards(rows, cols, winner):
    """Who wins, as published: 1 the first player, -1 the second, 0 nobody."""
    value = zermelo.solve(game("connect_four", rows=rows, cols=cols), moves=False).value
    assert (value > 0) - (value < 0) == winner


@pytest.mark.slow
def test_4_3_the_first_player_wins_in_the_centre_on_move_41():
    found = zermelo.solve(game("connect_four"))
    assert list(found.moves.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert found.value == 1, "with the last of 21 stones, which is the move number 41"
