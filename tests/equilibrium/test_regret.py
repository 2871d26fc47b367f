"""Regret matching as in the lecture: the numbers of the slides, convergence, and what the theory promises."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, game
from zermelo.equilibrium.learning.regret import matched, regret_matching, regrets
from zermelo.errors import BadParameter

HANDS = game("rock_paper_scissors")
SHAPLEY = Matrix([[(0, 0), (2, 1), (1, 2)], [(1, 2), (0, 0), (2, 1)], [(2, 1), (1, 2), (0, 0)]])


def test_numbers_of_the_lecture():
    assert regrets(HANDS, 0, (0, 1)) == (0, 1, 2)
    assert matched((-1, 1, 2)) == (0, Fraction(1, 3), Fraction(2, 3))
    assert matched((0, 1, 2)) == (0, Fraction(1, 3), Fraction(2, 3))
    assert matched((-1, -1, 0)) == (Fraction(1, 3),) * 3
    assert matched((-1.0, 1.0, 3.0)) == (0.0, 0.25, 0.75)
    assert matched((-1.0, 0.0)) == (0.5, 0.5)


def test_first_round_by_hand():
    played = regret_matching(HANDS, iterations=1, against=(0, 1, 0), seed=3)
    choice = [cell[0] for cell in played.outcomes]
    assert played.regrets[0] == tuple(map(float, regrets(HANDS, 0, (*choice, 1))))
    assert played.current[0] == tuple(map(float, matched(regrets(HANDS, 0, (*choice, 1)))))
    assert played.average[0] == (1 / 3,) * 3


@pytest.mark.parametrize("sampled", [True, False])
def test_self_play_comes_to_the_equilibrium(sampled):
    table = Matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])  # rock-scissors counts double: (1/4, 1/2, 1/4)
    played = regret_matching(table, iterations=20_000, sampled=sampled)
    assert played.average[0] == pytest.approx((0.25, 0.5, 0.25), abs=0.03)
    assert played.average[1] == pytest.approx((0.25, 0.5, 0.25), abs=0.03)
    assert played.values[0] == pytest.approx(0, abs=0.02)
    assert played.regret < 0.05
    assert played.coarse < 0.05


def test_too_much_rock_is_answered_by_paper():
    played = regret_matching(HANDS, iterations=5000, against=(0.4, 0.3, 0.3))
    assert played.average[0][1] > 0.9
    assert played.average[1] == pytest.approx((0.4, 0.3, 0.3))
    assert played.regrets[1] == (0, 0, 0)
    assert played.current[0] == (0, 1, 0)
    first = regret_matching(HANDS, iterations=5000, against={0: (0.1, 0.8, 0.1)}, sampled=False)
    assert first.average[1][2] > 0.99
    assert first.regret < 0.01


def test_trajectory_for_the_plots():
    played = regret_matching(HANDS, iterations=50)
    way = played.trajectory
    assert way.times.tolist() == list(range(1, 51))
    assert way.current[0].shape == way.average[1].shape == (50, 3)
    assert np.allclose(way.current[0].cumsum(axis=0) / way.times[:, None], way.average[0])
    assert np.allclose(way.average[0][-1], played.average[0])
    long = regret_matching(HANDS, iterations=5000)
    assert len(long.trajectory) == 2000
    assert long.trajectory.times[[0, -1]].tolist() == [1, 5000]


def test_same_seed_same_answer():
    one, two, other = (regret_matching(HANDS, iterations=200, seed=seed) for seed in (5, 5, 6))
    assert one.average == two.average
    assert one.average != other.average


def test_average_play_of_shapleys_game_is_nearly_coarse_correlated():
    played = regret_matching(SHAPLEY, iterations=5000, sampled=False)
    payoffs = SHAPLEY.payoffs.astype(float)
    joint = np.zeros((3, 3))
    for cell, p in played.outcomes.items():
        joint[cell] = p
    assert joint.sum() == pytest.approx(1)
    gains = [max(payoffs[i, :, 0] @ joint.sum(axis=0) for i in range(3)) - (joint * payoffs[..., 0]).sum(),
             max(payoffs[:, i, 1] @ joint.sum(axis=1) for i in range(3)) - (joint * payoffs[..., 1]).sum()]  # fmt: skip
    assert max(0, *gains) == pytest.approx(played.coarse, abs=1e-9)
    assert played.coarse < 0.05


def test_three_players_and_games_in_extensive_form():
    played = regret_matching(game("odd_man_out"), iterations=500)
    assert len(played.average) == 3
    poker = regret_matching(game("kuhn_poker"), iterations=2000, sampled=False)
    assert poker.values[0] == pytest.approx(-1 / 18, abs=0.02)


def test_plain_data_and_bad_input():
    assert json.dumps(regret_matching(HANDS, iterations=3).to_json())
    with pytest.raises(BadParameter, match="iterations"):
        regret_matching(HANDS, iterations=0)
    with pytest.raises(BadParameter, match="sum to 1"):
        regret_matching(HANDS, against=(0.5, 0.5, 0.5))
    with pytest.raises(BadParameter, match="against="):
        regret_matching(game("odd_man_out"), against=(0.5, 0.5))
    with pytest.raises(BadParameter, match="players are 0 to 1"):
        regret_matching(HANDS, against={2: (1, 0, 0)})
    with pytest.raises(BadParameter, match="regrets"):
        regrets(HANDS, 0, (0, 3))


entries = st.integers(-5, 5)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(entries, min_size=3, max_size=3), min_size=2, max_size=4))
def test_expected_regret_stays_within_blackwells_bound(rows):
    table = Matrix(rows)
    rounds = 400
    played = regret_matching(table, iterations=rounds, sampled=False)
    spread = max(max(row) for row in rows) - min(min(row) for row in rows)
    for own in played.regrets:
        assert max(own) <= spread * (len(own) * rounds) ** 0.5 + 1e-9
