"""Block 3, playing in real time: symmetric moves pruned safely (3.6), and the depth limit that all searches take."""

import pytest

import zermelo
from zermelo import BadParameter, game


def test_3_6_three_first_moves_instead_of_nine():
    of = game("tic_tac_toe")
    for device in ("python", "cpu"):
        plain = zermelo.alphabeta(of, depth=4, device=device)
        pruned = zermelo.alphabeta(of, depth=4, symmetry=True, device=device)
        assert list(plain.moves) == list(range(9))
        assert list(pruned.moves) == [0, 1, 4], "a corner, an edge, the centre"
        assert pruned.value == plain.value
        assert pruned.nodes < plain.nodes


def test_3_6_same_value_to_the_end():
    of = game("tic_tac_toe")
    plain, pruned = (zermelo.alphabeta(of, symmetry=symmetry, device="cpu") for symmetry in (False, True))
    assert (pruned.value, pruned.bound) == (plain.value, plain.bound) == (0.0, "exact")
    assert pruned.nodes < plain.nodes / 4
    assert list(pruned.moves) == [0, 1, 4]


def test_3_6_the_pruned_twins_are_shown():
    found = zermelo.alphabeta(game("tic_tac_toe"), depth=1, symmetry=True, record=True)
    pruned = [node for node in found.tree.root.children if node.pruned]
    assert [node.action for node in pruned] == [2, 3, 5, 6, 7, 8]
    assert all("mirror image" in node.pruned for node in pruned)


def test_3_6_a_position_without_symmetry_keeps_its_moves():
    of = game("tic_tac_toe")
    s = of.parse_state("XO./.../...")
    found = zermelo.alphabeta(of, s, symmetry=True)
    assert list(found.moves) == [2, 3, 4, 5, 6, 7, 8]
    mirrored = zermelo.alphabeta(of, of.parse_state("OXX/.O./..."), symmetry=True)
    assert mirrored.value == zermelo.alphabeta(of, of.parse_state("OXX/.O./...")).value


@pytest.mark.parametrize("heaps", [(2, 2), (3, 3), (2, 1, 2), (1, 2, 3)])
def test_3_6_equal_heaps_of_nim(heaps):
    of = game("nim", heaps=heaps)
    plain, pruned = (zermelo.alphabeta(of, symmetry=symmetry) for symmetry in (False, True))
    assert pruned.value == plain.value == zermelo.minimax(of).value
    assert pruned.nodes <= plain.nodes


def test_3_6_connect_four_has_one_mirror():
    of = game("connect_four")
    found = zermelo.alphabeta(of, depth=5, symmetry=True)
    assert list(found.moves) == [0, 1, 2, 3]
    assert found.value == zermelo.alphabeta(of, depth=5).value


def test_3_6_needs_a_symmetry():
    with pytest.raises(BadParameter, match="halving defines no transform"):
        zermelo.alphabeta(game("halving"), symmetry=True)


# --- the cut-off test: depth and evaluate ----------------------------------------------------------------------------


def lines_open(s):
    """For each line that X can still fill one, less those of O."""
    score = 0.0
    for line in (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
        if not s.o & line:
            score += 1.0
        if not s.x & line:
            score -= 1.0
    return score / 8


def mean_of_lines(game, s):
    """The same, in the form that takes the game first."""
    return lines_open(s)


def test_3_6_depth_and_evaluation():
    of = game("tic_tac_toe")
    for device in ("python", "cpu"):
        found = zermelo.minimax(of, depth=1, evaluate=lines_open, device=device)
        assert (found.value, found.action_name, found.bound) == (0.5, "b2", "estimate")
        assert found.moves == {0: 3 / 8, 1: 2 / 8, 2: 3 / 8, 3: 2 / 8, 4: 4 / 8, 5: 2 / 8, 6: 3 / 8, 7: 2 / 8, 8: 3 / 8}
        assert all(move.bound == "estimate" for move in found.moves.values())
        assert (found.nodes, found.depth, found.line) == (10, 1, (4,))


def test_3_6_alphabeta_evaluates_as_minimax_does():
    of = game("tic_tac_toe")
    for depth in (1, 2, 3):
        plain = zermelo.minimax(of, depth=depth, evaluate=lines_open)
        pruned = zermelo.alphabeta(of, depth=depth, evaluate=mean_of_lines)
        assert (pruned.value, pruned.action) == (plain.value, plain.action)
        assert pruned.nodes <= plain.nodes


def test_3_6_the_game_may_bring_its_own_evaluation():
    of = game("pig", target=20)
    s = of.State((4, 0), 3, 0, False)
    assert zermelo.expectiminimax(of, s, depth=0).value == of.evaluate(s) == (4 + 3) / 20
    assert zermelo.expectiminimax(of, s, depth=0, evaluate=lambda s: 0.25).value == 0.25


class Hopeful(zermelo.games.Bucket):
    """Everybody thinks well of the bucket that was picked."""

    def evaluate(self, s, player):
        return 2.0 + s.bucket + 10.0 * player


def test_3_6_an_evaluation_may_ask_for_the_player():
    assert zermelo.minimax(Hopeful(), depth=1).moves == {0: 2.0, 1: 3.0, 2: 4.0}
    assert zermelo.alphabeta(Hopeful(), depth=1).value == 4.0
    assert zermelo.maxn(Hopeful(), depth=1).values == (4.0, 14.0)


def test_3_6_without_an_evaluation_nothing_is_known():
    found = zermelo.alphabeta(game("connect_four"), depth=2)
    assert (found.value, found.bound) == (0.0, "estimate")


def test_3_6_what_ends_within_the_depth_is_exact():
    of = game("tic_tac_toe")
    s = of.parse_state("XX./OO./...")
    found = zermelo.alphabeta(of, s, depth=1, evaluate=lambda s: -0.5)
    assert (found.value, found.action_name) == (1.0, "c1")
    whole = zermelo.minimax(of, s, depth=9)
    assert (whole.value, whole.bound) == (1.0, "exact"), "a limit that cut nothing off leaves an exact value"
