"""Replicator dynamics, fictitious play and best-response dynamics, against their theory and other programs."""

import json

import numpy as np
import pytest

from zermelo import Matrix, game
from zermelo.equilibrium.learning.dynamics import best_response_dynamics, fictitious_play, replicator
from zermelo.errors import BadParameter, UnsuitableGame

HANDS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def test_hawks_and_doves_reach_the_mixture():
    hawk_dove = Matrix([[-1, 4], [0, 2]], [[-1, 0], [4, 2]])
    found = replicator(hawk_dove, (0.05, 0.95), populations=1)
    assert found.final[0] == pytest.approx((2 / 3, 1 / 3), abs=1e-6)
    assert found.values == pytest.approx((2 / 3,), abs=1e-6)
    both = replicator(hawk_dove, ((0.6, 0.4), (0.7, 0.3)))
    assert both.final[0] == pytest.approx((0, 1), abs=1e-6)
    assert both.final[1] == pytest.approx((1, 0), abs=1e-6)


def test_rock_paper_scissors_goes_round():
    found = replicator(Matrix(HANDS), (0.5, 0.25, 0.25), populations=1, time=50, steps=500)
    products = found.trajectory.current[0].prod(axis=1)
    assert np.allclose(products, products[0], rtol=1e-6), "the product of the shares is a constant of the motion"
    assert len(found.trajectory) == 501


def test_what_is_absent_stays_absent_and_shares_stay_shares():
    found = replicator(Matrix(HANDS), ((0, 0.5, 0.5), (1, 0, 0)), time=20, steps=20)
    first, second = found.trajectory.current
    assert (first[:, 0] == 0).all()
    assert (second[:, 0] == 1).all()
    assert np.allclose(first.sum(axis=1), 1)
    assert first[-1][1] == pytest.approx(1, abs=1e-6)


def test_agrees_with_nashpy():
    nashpy = pytest.importorskip("nashpy")
    a, b = np.array([[3.0, 0.0], [1.0, 2.0]]), np.array([[2.0, 1.0], [0.0, 3.0]])
    times = np.linspace(0, 5, 51)
    x, y = nashpy.Game(a, b).asymmetric_replicator_dynamics(
        x0=np.array([0.4, 0.6]), y0=np.array([0.3, 0.7]), timepoints=times
    )
    ours = replicator(Matrix(a, b), ((0.4, 0.6), (0.3, 0.7)), time=5, steps=50).trajectory.current
    assert np.allclose(ours[0], x, atol=1e-5)
    assert np.allclose(ours[1], y, atol=1e-5)
    c = np.array(HANDS) + 1.0
    one = nashpy.Game(c, c.T).replicator_dynamics(y0=np.array([0.2, 0.5, 0.3]), timepoints=times)
    ours = replicator(Matrix(c, c.T), (0.2, 0.5, 0.3), time=5, steps=50, populations=1).trajectory.current
    assert np.allclose(ours[0], one, atol=1e-5)


def test_three_populations():
    found = replicator(game("odd_man_out"), ((0.6, 0.4), (0.7, 0.3), (0.8, 0.2)), time=50, steps=10)
    assert len(found.final) == 3
    assert all(sum(share) == pytest.approx(1) for share in found.final)


def test_replicator_refuses():
    with pytest.raises(UnsuitableGame, match="square"):
        replicator(Matrix([[1, 2, 3], [4, 5, 6]]), populations=1)
    with pytest.raises(BadParameter, match="populations"):
        replicator(Matrix(HANDS), populations=3)
    with pytest.raises(BadParameter, match="sum to 1"):
        replicator(Matrix(HANDS), (0.5, 0.5, 0.5), populations=1)
    with pytest.raises(BadParameter, match="2 populations"):
        replicator(Matrix(HANDS), ((1, 0, 0),))
    with pytest.raises(BadParameter, match="time"):
        replicator(Matrix(HANDS), time=float("nan"))
    with pytest.raises(BadParameter, match="steps"):
        replicator(Matrix(HANDS), steps=0)


def test_fictitious_play_closes_in_on_the_value():
    table = Matrix([[3, -1], [-2, 1]])  # value 1/7
    found = fictitious_play(table, 4000)
    assert found.lower <= 1 / 7 <= found.upper
    assert found.upper - found.lower < 0.05
    assert found.average[0] == pytest.approx((3 / 7, 4 / 7), abs=0.03)
    assert found.bounds.shape == (len(found.trajectory), 2)
    assert (found.bounds[:, 0] <= 1 / 7 + 1e-12).all()
    assert (found.bounds[:, 1] >= 1 / 7 - 1e-12).all()
    closer = fictitious_play(table, 4000, alternate=True)
    assert closer.lower <= 1 / 7 <= closer.upper


def test_fictitious_play_by_hand():
    # Matching pennies from heads, heads: the column player moves off first, then play follows it round.
    found = fictitious_play(Matrix([[1, -1], [-1, 1]]), 4)
    played = [part.argmax(axis=1).tolist() for part in found.trajectory.current]
    assert played == [[0, 0, 0, 1], [0, 1, 1, 1]]
    assert found.average == ((0.75, 0.25), (0.25, 0.75))
    assert np.allclose(found.trajectory.average[0][:, 0], [1, 1, 1, 0.75])


def test_fictitious_play_agrees_with_nashpy_where_nothing_ties():
    nashpy = pytest.importorskip("nashpy")
    a, b = np.array([[0.31, 1.2], [1.17, 0.05]]), np.array([[0.93, 0.2], [0.11, 1.37]])
    np.random.seed(0)
    history = list(nashpy.Game(a, b).fictitious_play(iterations=300))
    start = [int(np.argmax(counts)) for counts in history[1]]
    ours = fictitious_play(Matrix(a, b), 300, start=start)
    assert np.allclose(ours.average[0], np.array(history[300][0]) / 300)
    assert np.allclose(ours.average[1], np.array(history[300][1]) / 300)


def test_shapleys_game_does_not_converge():
    shapley = Matrix([[(0, 0), (1, 0), (0, 1)], [(0, 1), (0, 0), (1, 0)], [(1, 0), (0, 1), (0, 0)]])
    found = fictitious_play(shapley, 5000, start=(0, 1))
    assert found.regret > 0.05
    assert found.to_json()["lower"] is None
    runs = (found.trajectory.current[0].argmax(axis=1)[1:] != found.trajectory.current[0].argmax(axis=1)[:-1]).sum()
    assert runs < 40, "the runs of one action grow longer and longer"


def test_ties_are_drawn_with_a_seed():
    flat = Matrix([[0, 0], [0, 0]])
    assert fictitious_play(flat, 50).average[0] == (1.0, 0.0)
    one, two = fictitious_play(flat, 50, seed=1), fictitious_play(flat, 50, seed=1)
    assert 0.2 < one.average[0][0] < 0.8
    assert one.average == two.average


def test_best_responses_end_or_go_round():
    dilemma = best_response_dynamics(game("prisoners_dilemma"))
    assert dilemma.stable
    assert dilemma.path[-1] == (1, 1)
    pennies = best_response_dynamics(Matrix([[1, -1], [-1, 1]]))
    assert not pennies.stable
    assert set(pennies.cycle) == {(0, 0), (0, 1), (1, 1), (1, 0)}
    assert len(pennies.cycle) == 4
    coordination = Matrix([[(2, 2), (0, 0)], [(0, 0), (1, 1)]])
    assert best_response_dynamics(coordination, (1, 1)).path == ((1, 1),)
    assert best_response_dynamics(Matrix([1, 3, 2])).path == ((0,), (1,))
    with pytest.raises(BadParameter, match="start"):
        best_response_dynamics(coordination, (0, 2))


def test_plain_data():
    table = Matrix(HANDS)
    for found in (replicator(table, steps=3), fictitious_play(table, 3), best_response_dynamics(table)):
        assert json.dumps(found.to_json())
