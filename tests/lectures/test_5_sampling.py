"""Block 5, sampling: the random games under every Monte Carlo method (the playouts of row 5.1)."""

import pytest

import zermelo
from zermelo import Policy, expected_values, game, playouts

GAMES = {
    "nim": {"heaps": (2, 2)},
    "halving": {"n": 12},
    "bucket": {},
    "coin_bucket": {},
    "share": {},
    "alliance": {},
    "kuhn_poker": {},
    "prisoners_dilemma": {},
    "higher_takes": {"hidden": True},
    "trails": {},
}


@pytest.mark.parametrize("name", GAMES)
def test_5_1_the_mean_is_near_the_value_of_uniform_play(name):
    of = game(name, **GAMES[name])
    exact = expected_values(of, [Policy.uniform(of)] * of.players)
    found = playouts(of, games=2_000, seed=5, device="python")
    assert found.mean == found.means[0]
    assert abs(found.mean - exact[0]) <= 4 * found.error + 1e-9
    assert found.games == 2_000


def test_5_1_many_games_come_near():
    of = game("nim", heaps=(2, 2))
    exact = expected_values(of, [Policy.uniform(of)] * 2)
    errors = []
    for games in (100, 10_000, 1_000_000):
        found = playouts(of, games=games, seed=1, device="cpu")
        assert abs(found.mean - exact[0]) < 4 * found.error
        errors.append(found.error)
    assert errors[0] / errors[1] == pytest.approx(10, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(10, rel=0.05)


def test_5_1_tic_tac_toe():
    # X wins 131,184 and O 77,904 of the 255,168 games, but random players reach the short ones more often.
    of = game("tic_tac_toe")
    found = playouts(of, games=400_000, seed=3, device="cpu")
    assert found.mean == pytest.approx(uniform_value(of), abs=4 * found.error)
    assert 7.3 < found.moves / found.games < 7.9


def uniform_value(of):
    """Player 0's mean in random play, state by state instead of line by line."""
    known = {}

    def value(s):
        if s not in known:
            over = of.is_terminal(s)
            below = [] if over else [value(child) for _, child in of.successors(s)]
            known[s] = of.utility(s, 0) if over else sum(below) / len(below)
        return known[s]

    return value(of.initial())


@pytest.mark.parametrize("name", ["nim", "coin_bucket", "kuhn_poker", "alliance"])
def test_5_1_machines_play_the_same_games(name):
    of = game(name, **GAMES[name])
    for games, seed in ((1, 0), (63, 1), (64, 2), (65, 3), (1000, -4), (1000, 1 << 70)):
        plain, native = (playouts(of, games=games, seed=seed, device=device) for device in ("python", "cpu"))
        assert (native.mean, native.means, native.error, native.moves) == (
            plain.mean, plain.means, plain.error, plain.moves,
        )  # fmt: skip
        assert (plain.device, native.device) == ("python", "cpu")


def test_5_1_same_seed_same_games_other_seed_others():
    of = game("tic_tac_toe")
    first, again, other = (playouts(of, games=200, seed=seed) for seed in (7, 7, 8))
    assert (first.mean, first.moves, first.seed) == (again.mean, again.moves, 7)
    assert (first.mean, first.moves) != (other.mean, other.moves)


def test_5_1_more_games_of_a_seed_begin_with_the_same_ones():
    of = game("tic_tac_toe")
    sums = [round(playouts(of, games=games, seed=9).mean * games) for games in (10, 11, 12)]
    assert abs(sums[1] - sums[0]) <= 1
    assert abs(sums[2] - sums[1]) <= 1


def test_5_1_from_any_state():
    of = game("tic_tac_toe")
    s = of.parse_state("XX./OO./...")
    exact = expected_values(of, [Policy.uniform(of)] * 2, s)
    found = playouts(of, s, games=4_000, seed=2, device="python")
    assert abs(found.mean - exact[0]) < 4 * found.error
    over = of.parse_state("XXX/OO./...")
    assert playouts(of, over, games=10).means == (1.0, -1.0)
    assert playouts(of, over, games=10).moves == 0


def test_5_1_chance_follows_its_odds():
    of = zermelo.Tree(zermelo.chance([(0.1, 10), (0.2, 0), (0.7, -1)]))
    found = playouts(of, games=20_000, seed=4, device="python")
    assert found.mean == pytest.approx(0.3, abs=4 * found.error)


def test_5_1_pig_is_played_to_its_end():
    of = game("pig", target=30)
    plain, native = (playouts(of, games=300, seed=6, device=device) for device in ("python", "cpu"))
    assert plain.means == native.means
    assert plain.means[0] == -plain.means[1]
    assert plain.moves / plain.games > 20
