"""The logit path: against its own definition, against Gambit, and to the equilibrium at its end."""

import math

import numpy as np
import pytest
from gambit_oracle import odds_of, tables_of
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import BadParameter, Matrix, Tree, UnsuitableGame, game, move
from zermelo.equilibrium.cfr.best_response import nash_conv
from zermelo.equilibrium.concepts.quantal import gains_of, quantal_response
from zermelo.equilibrium.forms.extensive import extensive_form


def off_the_logit(table, profile, precision):
    """How far a profile is from the odds that its own payoffs call for."""
    payoffs = table.payoffs.astype(float)
    worst = 0.0
    for player in range(table.players):
        pays = payoffs[..., player]
        for other in range(table.players - 1, -1, -1):
            if other != player:
                pays = np.tensordot(pays, np.array(profile[other]), axes=(other, 0))
        weights = np.exp(precision * (pays - pays.max()))
        worst = max(worst, np.abs(weights / weights.sum() - profile[player]).max())
    return worst


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([(2, 2), (3, 2), (2, 2, 2), (3, 3, 2)]), st.integers(0, 10**6))
def test_every_point_is_a_logit_equilibrium(shape, seed):
    source = np.random.default_rng(seed)
    table = Matrix(*(source.integers(-4, 5, shape) for _ in shape))
    path = quantal_response(table, precision=1.5)
    assert path.points[-1].precision == pytest.approx(1.5)
    for precision, profile in path:
        assert off_the_logit(table, profile, precision) < 1e-7
    assert path.points[0].profile == tuple((1 / size,) * size for size in shape)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([(2, 2), (3, 3), (2, 2, 2), (3, 2, 2)]), st.integers(0, 10**6))
def test_the_path_ends_near_an_equilibrium(shape, seed):
    source = np.random.default_rng(seed)
    table = Matrix(*(source.normal(size=shape) for _ in shape))
    path = quantal_response(table)
    found = path.equilibrium
    assert path.note or found.regret <= 1e-6 * np.ptp(table.payoffs)
    assert found.regret == path.points[-1].regret


def test_kuhn_poker_errs_at_every_information_set():
    path = quantal_response(game("kuhn_poker"))
    found = path.equilibrium
    assert found.value == pytest.approx(-1 / 18, abs=1e-5)
    assert nash_conv(found.game, found.policy) == pytest.approx(sum(found.gains), abs=1e-9)
    assert found.regret < 1e-5


def test_three_player_kuhn_poker():
    found = quantal_response(game("kuhn_poker", players=3)).equilibrium
    assert found.regret < 1e-4
    assert sum(found.values) == pytest.approx(0.0)
    assert nash_conv(found.game, found.policy) == pytest.approx(sum(found.gains), abs=1e-9)


def test_the_prisoners_get_less_careful_of_each_other():
    dilemma = game("prisoners_dilemma")
    careless, careful = (quantal_response(dilemma, precision=p).points[-1].profile[0][1] for p in (0.5, 5))
    assert 0.5 < careless < careful < 1
    assert quantal_response(dilemma, precision=0).points[-1].profile[0] == (0.5, 0.5)


def test_a_player_alone_is_a_softmax():
    path = quantal_response(Tree(move(0, {"a": (1,), "b": (2,), "c": (4,)})), precision=0.7)
    weights = [math.exp(0.7 * x) for x in (1, 2, 4)]
    assert path.points[-1].profile[0] == pytest.approx([w / sum(weights) for w in weights])


def test_gains_are_those_of_best_responses():
    form = extensive_form(game("kuhn_poker"))
    uniform = [[1 / len(s.actions)] * len(s.actions) for s in form.sets]
    values, gains = gains_of(form, uniform)
    assert values[0] == pytest.approx(0.125)
    assert sum(gains) == pytest.approx(11 / 12, abs=1e-9)  # OpenSpiel's nash_conv of the uniform policy


@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 2)])
def test_against_gambit(seed, shape):
    gambit = pytest.importorskip("pygambit")
    source = np.random.default_rng(seed)
    tables = [source.integers(0, 10, shape) for _ in shape]
    theirs = tables_of(gambit)(*(t.astype(float) for t in tables))
    for precision in (0.3, 1.0):
        (point,) = gambit.qre.logit_solve_lambda(theirs, lam=[precision])
        ours = quantal_response(Matrix(*tables), precision=precision).points[-1]
        assert point.lam == pytest.approx(ours.precision)
        for known, odds in zip(odds_of(point.profile, theirs), ours.profile, strict=True):
            assert [float(x) for x in known] == pytest.approx(odds, abs=1e-5)


def test_bad_input():
    with pytest.raises(BadParameter, match="at least 0"):
        quantal_response(game("prisoners_dilemma"), precision=-1)
    with pytest.raises(BadParameter, match="between 0 and 1"):
        quantal_response(game("prisoners_dilemma"), regret=0)
    with pytest.raises(BadParameter, match="finite"):
        quantal_response(game("prisoners_dilemma"), precision=float("nan"))
    with pytest.raises(UnsuitableGame, match="nobody decides"):
        quantal_response(Tree((1, 1)))
    with pytest.raises(UnsuitableGame, match="use cfr"):
        quantal_response(game("leduc_poker"))
