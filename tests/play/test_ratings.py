"""Ratings against published numbers, and against simulated matches whose truth is known."""

import math
import random

import pytest

from zermelo.errors import BadParameter
from zermelo.play.ratings import NORMAL_95, PER_LOGIT, Sprt, bradley_terry, elo_of, estimated_strength, expected_score

FISHTEST = [
    # The log-likelihood ratios that Fishtest's LLR_logistic gives for these counts and hypotheses.
    ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
    ((3, 20, 50, 22, 5), 0, 5, 0.17838022438188125),
    ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
    ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
    ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
    ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ((12, 40, 60, 30, 8), -10, 10, -2.0579732004260216),
    ((30, 40, 50), 0, 20, 1.4333717997704136),
]


def test_the_logistic_curve():
    assert elo_of(0.5) == 0
    assert elo_of(0.75) == pytest.approx(190.848, abs=1e-3)
    assert expected_score(200) == pytest.approx(0.7597, abs=1e-4)
    assert elo_of(1) == math.inf
    assert elo_of(0) == -math.inf
    for elo in (-300, -1, 0, 47, 800):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), FISHTEST)
def test_log_likelihood_ratios(counts, elo0, elo1, llr):
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=1e-9)


def test_bounds_of_wald():
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert Sprt(0, 20).verdict((0, 0, 0, 0, 60)).accepted == "H1"
    assert Sprt(0, 20).verdict((60, 0, 0, 0, 0)).accepted == "H0"
    assert Sprt(0, 20).verdict((0, 0, 0, 0, 0)).accepted is None


def test_tests_as_people_write_them():
    assert Sprt.parse("0,10") == Sprt(0, 10)
    assert Sprt.parse("-5, 0, 0.05, 0.1") == Sprt(-5, 0, 0.05, 0.1)
    for wrong in ("", "5", "a,b", "1,2,3", "10,0", "0,0", "0,10,0,0.1", "nan,1", "0,inf"):
        with pytest.raises(BadParameter):
            Sprt.parse(wrong)


def pair_odds(win, draw):
    """The odds of 0, 1/2, ... 2 points from two independent games."""
    lose = 1 - win - draw
    return [lose**2, 2 * lose * draw, draw**2 + 2 * win * lose, 2 * win * draw, win**2]


@pytest.mark.parametrize(("win", "draw"), [(0.3, 0.4), (0.5, 0.0), (0.1, 0.8), (0.6, 0.3), (0.9, 0.08), (0.02, 0.08)])
def test_intervals_hold_the_truth_as_often_as_they_say(win, draw):
    source = random.Random(1)
    odds, truth = pair_odds(win, draw), elo_of(win + draw / 2)
    for pairs in (20, 200):
        held = 0
        for _ in range(1_000):
            counts = [0] * 5
            for outcome in source.choices(range(5), odds, k=pairs):
                counts[outcome] += 1
            found = estimated_strength(counts)
            held += found.low <= truth <= found.high
        assert 0.925 <= held / 1_000 <= 0.99


def test_intervals_at_the_edges():
    none, won, drawn = estimated_strength([0] * 5), estimated_strength([0, 0, 0, 0, 20]), estimated_strength([0, 20, 0])
    assert (none.elo, none.low, none.high) == (0, -math.inf, math.inf)
    assert won.elo == won.high == math.inf
    assert 200 < won.low < 600
    assert won.los > 0.999
    assert drawn.elo == 0
    assert 10 < drawn.error < 60
    lost = estimated_strength([20, 0, 0, 0, 0])
    assert (lost.elo, lost.high) == (-math.inf, pytest.approx(-won.low))


def test_large_matches_agree_with_the_usual_formula():
    """Score +- 1.96 standard errors, turned into Elo: what rating tools print."""
    counts = (485, 1923, 2942, 1937, 594)
    total = sum(counts)
    mean = sum(i / 4 * c for i, c in enumerate(counts)) / total
    deviation = math.sqrt(sum((i / 4 - mean) ** 2 * c for i, c in enumerate(counts)) / total / total)
    found = estimated_strength(counts)
    assert found.low == pytest.approx(elo_of(mean - NORMAL_95 * deviation), abs=0.02)
    assert found.high == pytest.approx(elo_of(mean + NORMAL_95 * deviation), abs=0.02)
    assert found.los == pytest.approx((1 + math.erf((mean - 0.5) / deviation / math.sqrt(2))) / 2, abs=1e-4)


@pytest.mark.parametrize(("truth", "wanted"), [(0, "H0"), (60, "H1")])
def test_sequential_tests_err_as_rarely_as_they_promise(truth, wanted):
    source, test = random.Random(7), Sprt(0, 60)
    draw = 0.4
    odds = pair_odds(expected_score(truth) - draw / 2, draw)
    wrong = length = 0
    runs = 300
    for _ in range(runs):
        counts = [0] * 5
        verdict = None
        while verdict is None:
            for outcome in source.choices(range(5), odds, k=4):
                counts[outcome] += 1
            verdict = test.verdict(counts).accepted
        wrong += verdict != wanted
        length += sum(counts)
    assert wrong / runs <= 0.08  # 5 % and two standard errors
    assert length / runs < 200


# --- several players -------------------------------------------------------------------------------------------------


def test_the_journals_of_stigler():
    """Citations between four journals, the standard example of the Bradley-Terry model: Agresti, Categorical Data
    Analysis (2002), p. 448; Turner and Firth (2012) give the estimates and standard errors relative to Biometrika."""
    cited = [  # Biometrika, Communications in Statistics, JASA, JRSS-B
        [0, 730, 498, 221],
        [33, 0, 68, 17],
        [320, 813, 0, 142],
        [284, 276, 325, 0],
    ]
    ratings = bradley_terry(cited)
    published = {1: (-2.94907, 0.10255), 2: (-0.47957, 0.06059), 3: (0.26895, 0.07083)}
    for journal, (ability, error) in published.items():
        elo, interval = ratings.difference(journal, 0)
        assert elo / PER_LOGIT == pytest.approx(ability, abs=1e-5)
        assert interval / NORMAL_95 / PER_LOGIT == pytest.approx(error, abs=1e-5)
    assert sum(ratings.elo) == pytest.approx(0, abs=1e-9)
    assert not ratings.imagined


def test_two_players_have_their_elo_difference():
    ratings = bradley_terry([[0, 30], [10, 0]])
    elo, error = ratings.difference(0, 1)
    assert elo == pytest.approx(elo_of(0.75))
    assert error == pytest.approx(NORMAL_95 * PER_LOGIT / math.sqrt(40 * 0.75 * 0.25))


def test_points_come_out_as_expected():
    """At the maximum every player's expected points are its points."""
    points = [[0, 3.5, 9, 2], [6.5, 0, 4, 7], [1, 6, 0, 5.5], [8, 3, 4.5, 0]]
    elo = bradley_terry(points).elo
    for i, row in enumerate(points):
        expected = sum((row[j] + points[j][i]) * expected_score(elo[i] - elo[j]) for j in range(4) if j != i)
        assert expected == pytest.approx(sum(row), abs=1e-8)


def test_whoever_wins_everything_still_has_a_rating():
    ratings = bradley_terry([[0, 10, 10], [0, 0, 5], [0, 5, 0]])
    assert ratings.imagined
    assert math.inf > ratings.elo[0] > ratings.elo[1] == pytest.approx(ratings.elo[2])


def test_ratings_need_games_between_all():
    with pytest.raises(BadParameter, match="chain"):
        bradley_terry([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    with pytest.raises(BadParameter, match="square"):
        bradley_terry([[0, 1]])
