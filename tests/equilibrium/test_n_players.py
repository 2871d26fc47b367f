"""Equilibria of three players and more: known games, Gambit, and regrets that are what they say."""

from fractions import Fraction

import numpy as np
import pytest
from gambit_oracle import odds_of, tables_of
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, UnsuitableGame, game
from zermelo.equilibrium.concepts.quantal import quantal_response
from zermelo.equilibrium.nash.exclusion import is_excluded
from zermelo.equilibrium.nash.homotopy import System, follow
from zermelo.equilibrium.nash.n_players import equilibria
from zermelo.equilibrium.nash.nash import nash

F = Fraction


def random_table(shape, seed, low=-50, high=50):
    source = np.random.default_rng(seed)
    return Matrix(*(source.integers(low, high, shape) for _ in shape))


def regret(table, profile):
    """The most that a player gains by another action, written down plainly."""
    values = table[tuple(profile)]
    worst = 0
    for player, size in enumerate(table.shape):
        for action in range(size):
            sure = [*profile]
            sure[player] = [type(profile[0][0])(int(i == action)) for i in range(size)]
            worst = max(worst, table[tuple(sure)][player] - values[player])
    return worst


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2, 2, 2), (3, 3)]), st.integers(0, 10**6))
def test_all_are_equilibria_and_their_number_is_odd(shape, seed):
    table = random_table(shape, seed)
    found = equilibria(table, all=True)
    for e in found:
        assert e.regret <= 1e-6
        assert regret(table, e.profile) == pytest.approx(e.regret, abs=1e-9)
        assert e.values == pytest.approx(table[e.profile])
    if found.complete:
        assert len(found) % 2 == 1  # Wilson (1971)


def test_an_even_number_is_not_called_complete():
    """Player 0 is indifferent against the last column: the equilibria hang together, and no path ends at one."""
    table = Matrix([[-26, 41, -1], [-2, 25, -1], [-26, -4, -33]], [[42, -34, 36], [-39, 36, 1], [10, 4, -28]])
    assert len(nash(table, all=True)) == 2
    assert not equilibria(table, all=True).complete


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_two_players_agree_with_vertex_enumeration(seed):
    table = random_table((3, 3), seed)
    ours, known = equilibria(table, all=True, exact=True), nash(table, all=True, exact=True)
    if ours.complete:
        assert {e.profile for e in ours} == {e.profile for e in known}
        assert all(e.regret == 0 for e in ours)


def test_nine_equilibria_of_a_game_of_three():
    """McKelvey and McLennan (1997): the 2x2x2 game with nine regular equilibria, the most that there can be."""
    payoffs = np.zeros((2, 2, 2, 3))
    payoffs[0, 0, 0] = (9, 8, 12)
    payoffs[1, 1, 0] = (9, 8, 2)
    payoffs[0, 1, 1] = (3, 4, 6)
    payoffs[1, 0, 1] = (3, 4, 4)
    found = equilibria(Matrix(payoffs), all=True, exact=True)
    assert len(found) == 9
    assert found.complete
    assert sum(e.is_pure for e in found) == 4
    assert sum(e.regret == 0 for e in found) >= 7


def test_an_irrational_equilibrium_has_a_small_exact_regret():
    """A generic game of three whose only equilibrium is the root of a quadratic."""
    for seed in range(40):
        table = random_table((2, 2, 2), seed)
        found = equilibria(table, all=True, exact=True)
        mixed = [e for e in found if all(0 < p < 1 for odds in e.profile for p in odds)]
        if mixed and mixed[0].regret:
            break
    e = mixed[0]
    assert isinstance(e.regret, Fraction)
    assert 0 < e.regret < F(1, 10**8)
    assert all(sum(odds) == 1 for odds in e.profile)
    assert regret(table, e.profile) == e.regret


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([(2, 2, 2), (3, 3, 3), (4, 3, 2), (2, 2, 2, 2)]), st.integers(0, 10**6))
def test_one_is_an_equilibrium(shape, seed):
    table = random_table(shape, seed)
    (found,) = equilibria(table)
    assert not found.note
    assert regret(table, found.profile) <= 1e-4
    assert found.game is table


def test_a_game_without_pure_equilibria_is_solved_by_the_path():
    """Three-player matching pennies: 0 wants to match 1, 1 wants to match 2, 2 wants to mismatch 0."""
    payoffs = np.zeros((2, 2, 2, 3), dtype=int)
    for i, j, k in np.ndindex(2, 2, 2):
        payoffs[i, j, k] = (i == j, j == k, k != i)
    (found,) = equilibria(Matrix(payoffs), exact=True)
    assert found.method == "logit path"
    assert found.profile == ((F(1, 2),) * 2,) * 3
    assert found.regret == 0


def test_a_large_table_is_approximated_and_says_so():
    source = np.random.default_rng(0)
    size = 30
    cycle = np.subtract.outer(np.arange(size), np.arange(size)) % size
    first = ((cycle == 1).astype(float) - (cycle == size - 1))[:, :, None] + 0.01 * source.random((size, size, size))
    table = Matrix(first, -first, 0.01 * source.random((size, size, size)))
    (found,) = equilibria(table)
    assert found.method == "regret matching+"
    assert "regret" in found.note
    assert found.regret == pytest.approx(regret(table, found.profile), abs=1e-9)
    assert found.regret < 0.2


def test_games_with_moves():
    (found,) = equilibria(game("kuhn_poker", players=3))
    assert found.method == "logit quantal response"
    assert found.regret < 1e-4
    pure = equilibria(game("share"), exact=True)[0]
    assert pure.is_pure
    assert pure.regret == 0
    assert pure.policy(pure.game.initial())


def test_degenerate_games_are_not_called_complete():
    zero = Matrix(np.zeros((2, 2, 2, 3), dtype=int))
    found = equilibria(zero, all=True)
    assert len(found) >= 8
    assert not found.complete
    assert "degenerate" in found.note


def test_too_many_supports_are_refused():
    with pytest.raises(UnsuitableGame, match="supports, more than"):
        equilibria(random_table((5, 5, 5), 0), all=True)


@pytest.mark.parametrize(
    ("shape", "paths"), [((2, 2, 2), 2), ((3, 3, 3), 10), ((2, 2, 2, 2), 9), ((3, 3, 2), 4), ((4, 4), 1)]
)
def test_as_many_paths_as_solutions(shape, paths):
    """The greatest numbers of mixed equilibria (McKelvey and McLennan, 1997) are met, each path at its own solution."""
    source = np.random.default_rng(1)
    system = System([source.normal(size=shape) for _ in shape], source)
    ends = follow(system, 100)
    assert len(ends.points) == paths
    assert ends.sure.all()
    off, _ = system.target(ends.points)
    assert np.abs(off).max() < 1e-9
    assert follow(system, paths - 1) is None or len(shape) == 2


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_what_is_excluded_has_no_solution(seed):
    table = random_table((2, 2, 2), seed)
    payoffs = table.payoffs.astype(float)
    whole = [[0, 1]] * 3
    mixed = [e for e in equilibria(table, all=True) if all(min(odds) > 0 for odds in e.profile)]
    if is_excluded(payoffs, whole, 200):
        assert not mixed
    assert is_excluded(np.zeros((2, 2, 2, 3)), whole, 200) is False


@pytest.mark.parametrize("seed", range(4))
def test_against_gambit(seed):
    gambit = pytest.importorskip("pygambit")
    table = random_table((2, 2, 2), seed)
    theirs = tables_of(gambit)(*(table.payoffs[..., p].astype(float) for p in range(3)))
    known = gambit.nash.enumpoly_solve(theirs).equilibria
    ours = equilibria(table, all=True)
    for e in known:
        profile = [[float(odds) for odds in own] for own in odds_of(e, theirs)]
        assert any(np.allclose(np.concatenate(profile), np.concatenate(o.profile), atol=1e-5) for o in ours)


def test_completeness_beyond_two_players_is_not_called_proven():
    found = equilibria(game("el_farol"), all=True)
    assert found.complete
    assert "not proven" in found.note
    assert not nash(game("stag_hunt"), all=True).note


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("shape", "seed"), [((3, 3, 3), 104), ((2, 2, 2), 123), ((2, 2, 2), 78), ((4, 3, 2), 91)])
def test_the_path_is_not_left_for_another_one(shape, seed):
    # Steps of these overflow, or fall on a branch that leads back to random play.
    table = random_table(shape, seed)
    (found,) = equilibria(table)
    assert (found.note, found.regret < 1e-4) == ("", True)
    precisions = [point.precision for point in quantal_response(table).points]
    assert min(precisions[1:]) > 0
