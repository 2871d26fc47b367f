"""The cuda machine against the others. Needs a GPU: `make test-gpu`."""

from typing import Any

import pytest
from small_games import Countdown

import zermelo

pytestmark = pytest.mark.gpu

GAMES = [
    ("tic_tac_toe", {}),
    ("connect_four", {}),
    ("connect_four", {"rows": 4, "cols": 5, "line": 3}),
    ("nim", {"heaps": (3, 4, 5)}),
    ("halving", {"n": 20}),
    ("bucket", {}),
    ("coin_bucket", {}),
    ("pig", {"target": 20}),
    ("three_player_tic_tac_toe", {}),
    ("share", {}),
    ("alliance", {}),
    ("kuhn_poker", {}),
    ("rock_paper_scissors", {}),
    ("prisoners_dilemma", {}),
    ("higher_takes", {}),
    ("higher_takes", {"hidden": True}),
    ("trails", {}),
]


class Broken(Countdown):
    """Divides by zero at its end."""

    def utility(self, s, player):
        return float(1 // s.n)


def each_game() -> list[Any]:
    """The games that are compared."""
    return [zermelo.game(name, **parameters) for name, parameters in GAMES]


def test_playouts_agree_game_by_game() -> None:
    """The same seed gives the same sums on all three machines."""
    for game in each_game():
        found = [zermelo.playouts(game, games=700, seed=11, device=d) for d in ("python", "cpu", "cuda")]
        assert found[0].means == found[1].means == found[2].means, game
        assert found[0].moves == found[1].moves == found[2].moves, game


def test_tables_that_are_never_read() -> None:
    """A tree's odds and payoffs are tables; a tree without chance reads no odds."""
    for tree in (zermelo.Tree([[3, 12, 8], [2, 4, 6]]), zermelo.Tree([3, [2, 4]])):
        found = [zermelo.playouts(tree, games=700, seed=11, device=d) for d in ("python", "cpu", "cuda")]
        assert found[0].means == found[1].means == found[2].means


def test_rules_that_fail_say_so() -> None:
    """What stops a rule natively stops it on a GPU."""
    with pytest.raises(zermelo.ZermeloError, match="division by zero"):
        zermelo.playouts(Broken(), games=100, device="cuda")


def test_perft_agrees() -> None:
    """Counts are equal."""
    for game in each_game():
        for depth in (1, 2, 4):
            found = [zermelo.perft(game, depth, device=d) for d in ("python", "cpu", "cuda")]
            assert found[0] == found[1] == found[2], game


def test_searches_agree() -> None:
    """Values, moves and node counts of every search are equal."""
    searches = [
        ("tic_tac_toe", zermelo.minimax, {"depth": 4}),
        ("tic_tac_toe", zermelo.alphabeta, {}),
        ("tic_tac_toe", zermelo.alphabeta, {"symmetry": True, "bounds": True, "depth": 6}),
        ("nim", zermelo.alphabeta, {}),
        ("coin_bucket", zermelo.expectiminimax, {}),
        ("coin_bucket", zermelo.expectiminimax, {"prune": "star1"}),
        ("coin_bucket", zermelo.expectiminimax, {"prune": "star2"}),
        ("pig", zermelo.expectiminimax, {"depth": 5, "prune": "star2"}),
        ("alliance", zermelo.maxn, {}),
        ("three_player_tic_tac_toe", zermelo.paranoid, {"depth": 4}),
        ("bucket", zermelo.expectimax, {}),
    ]
    for name, method, options in searches:
        game = zermelo.game(name)
        found = [method(game, device=d, **options) for d in ("python", "cpu", "cuda")]
        for other in found[1:]:
            assert other.values == found[0].values, (name, method)
            assert dict(other.moves) == dict(found[0].moves), (name, method)
            assert other.nodes == found[0].nodes, (name, method)
            assert other.line == found[0].line, (name, method)


def test_check_includes_the_gpu() -> None:
    """The conformance test compares the GPU too."""
    for game in each_game():
        assert zermelo.check(game).machines == ("python", "cpu", "cuda"), game
