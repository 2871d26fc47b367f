"""Counterfactual regret minimisation by sampled games."""

import math

import pytest

from zermelo import game
from zermelo.equilibrium.cfr.best_response import exploitability
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.policies.equilibrium import Behaviour

KUHN = game("kuhn_poker")
WAYS = ["external", "outcome", "chance"]


@pytest.mark.parametrize("variant", WAYS)
def test_kuhn_poker(variant):
    found = cfr(KUHN, variant=variant, iterations=100_000, seed=3, device="cpu")
    assert found.exploitability < 0.02
    assert found.value == pytest.approx(-1 / 18, abs=0.01)
    assert found.exploitability == pytest.approx(exploitability(KUHN, found.policy), abs=1e-12)
    assert len(found.policy.choose) == len(list(found.policy.choose)) == 12
    assert (found.seed, found.method) == (3, variant)


@pytest.mark.parametrize("variant", WAYS)
def test_plain_python_plays_the_same_games(variant):
    native = cfr(KUHN, variant=variant, iterations=200, seed=7, device="cpu")
    plain = cfr(KUHN, variant=variant, iterations=200, seed=7, device="python")
    assert native.gains == plain.gains
    assert dict(native.policy.choose) == dict(plain.policy.choose)


def test_the_seed_decides():
    one, same, other = (cfr(KUHN, variant="external", iterations=100, seed=s, device="python") for s in (1, 1, 2))
    assert one.gains == same.gains != other.gains


def test_iterations_in_portions_are_the_same_games():
    whole = cfr(KUHN, variant="external", iterations=300, device="python")
    *_, last = cfr.stream(KUHN, variant="external", iterations=300, device="python")
    assert last.answer().gains == whole.gains


def test_three_players():
    found = cfr(game("kuhn_poker", players=3), variant="external", iterations=2_000, device="python")
    assert found.regret < 0.2
    assert "3 players" in found.note


def test_what_never_came_up_is_played_at_random(tmp_path):
    found = cfr(KUHN, variant="outcome", iterations=1, device="python")
    assert len(found.policy.choose) < 12
    deals = [KUHN.play(KUHN.initial(), a, b) for a in range(3) for b in range(3) if a != b]
    assert {0: 0.5, 1: 0.5} in [found.policy(s) for s in deals]
    found.policy.save(tmp_path / "few.npz")
    again = Behaviour.load(tmp_path / "few.npz", KUHN)
    assert [again(s) for s in deals] == [found.policy(s) for s in deals]
    assert exploitability(KUHN, again) == found.exploitability


def test_without_a_tree():
    found = cfr(KUHN, variant="external", iterations=2_000, assess=False, device="python")
    assert math.isnan(found.exploitability)
    assert found.value == pytest.approx(-1 / 18, abs=0.1)
    assert "means of the sampled games" in found.note


def test_a_full_table_is_said():
    dice = game("kuhn_poker", players=4)
    found = cfr(dice, variant="external", iterations=5, memory=1, assess=False, device="python")
    assert found.note.startswith("4 players")
    from zermelo.compile import machine
    from zermelo.equilibrium.cfr.sampler import Sampler

    sampler = Sampler(dice, dice.initial(), "external", machine("python"), seed=1, memory=1, exploration=0.6)
    sampler.work.capacity = sampler.work.top + 50
    sampler.iterate(200)
    assert "the table is full at" in sampler.note
    assert 0 < sampler.work.sets < 10
