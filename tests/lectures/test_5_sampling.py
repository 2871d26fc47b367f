"""Block 5, sampling: random games, Monte Carlo tree search over them, Go, dice, and policies that guide."""

import io
import math
import re

import pytest

import zermelo
from zermelo import Limit, Policy, expected_values, game, mcts, playouts
from zermelo.protocols.gtp import GtpServer, Settings

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


# --- 5.1 Monte Carlo tree search -------------------------------------------------------------------------------------


def test_5_1_select_expand_simulate_and_back_propagate():
    """UCB1 with C = √2 by hand on two arms that pay 1 and 0: after both were tried, the better one is, and so on."""
    arms = zermelo.Tree([1, 0])
    for simulations in (2, 3, 10, 100):
        found = mcts(arms, limit=Limit(simulations=simulations), seed=1, device="python")
        visits, sums = [0, 0], [0.0, 0.0]
        for n in range(simulations):
            if n < 2:
                arm = n
            else:
                bounds = [sums[i] / visits[i] + math.sqrt(2 * math.log(n) / visits[i]) for i in (0, 1)]
                arm = bounds.index(max(bounds))
            visits[arm] += 1
            sums[arm] += (1.0, 0.0)[arm]
        assert [found.moves[i].visits for i in (0, 1)] == visits
        assert found.action == 0


def test_5_1_tic_tac_toe_rarely_loses_to_perfect_play():
    """At 1,000 iterations a move; benchmarks/mcts_quality.py plays a thousand games."""
    of = game("tic_tac_toe")
    lost = 0
    for number in range(20):
        s, ours = of.initial(), number % 2
        while not of.is_terminal(s):
            if of.to_move(s) == ours:
                action = mcts(of, s, limit=Limit(simulations=1000), seed=number, device="cpu").action
            else:
                action = zermelo.alphabeta(of, s, when_lost="hope").action
            s = of.result(s, action)
        lost += of.utility(s, ours) < 0
    assert lost <= 1


# --- 5.2 Go by UCT ---------------------------------------------------------------------------------------------------


def test_5_2_it_speaks_gtp():
    """More of it in tests/protocols/test_gtp.py; how it does against GNU Go, benchmarks/go_strength.py measures."""
    out = io.StringIO()
    GtpServer(game("go"), Settings(simulations=200), out).serve(
        ["1 play w a1", "2 play b b1", "3 genmove b", "4 showboard"]
    )
    said = out.getvalue().split("\n\n")
    assert said[:2] == ["=1", "=2"]
    assert re.fullmatch(r"=3 [A-HJ][1-9]", said[2])
    assert "White (O) moves" in said[3]


# --- 5.3 dice inside the playouts ------------------------------------------------------------------------------------


def test_5_3_dice_are_thrown_in_the_playouts():
    """Both sides bear their last checkers off, and what is sampled comes near what is computed.

    A whole game against GNU Backgammon is in tests/games/test_backgammon.py.
    """
    of = game("backgammon")
    s = of.parse_state("--A-A----------------a--b-:0:0:1:21")
    exact = zermelo.expectiminimax(of, s)
    found = mcts(of, s, limit=Limit(simulations=20_000), seed=1, device="cpu")
    assert exact.bound == "exact"
    assert found.value == pytest.approx(exact.value, abs=0.05)


# --- 5.4 policies guide selection and rollouts -----------------------------------------------------------------------


def test_5_4_a_prior_guides_selection_and_a_policy_the_rollouts():
    of = game("tic_tac_toe")

    def corner(s, action):
        return 1.0 if action == 8 else 0.01

    plain, led, rolled = (
        mcts(of, limit=Limit(simulations=200), seed=1, device="python", **options)
        for options in ({}, {"prior": corner}, {"rollout": corner})
    )
    assert led.moves[8].visits > 2 * plain.moves[8].visits
    assert rolled.moves != plain.moves
