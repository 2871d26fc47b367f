"""All equilibria beside those of other programs, where these are right."""

import random

import pytest
from gambit_oracle import odds_of, tables_of

from zermelo import Matrix
from zermelo.equilibrium.nash.nash import nash


def random_tables(m, n, largest, seed):
    source = random.Random(seed)
    return [[[source.randint(-largest, largest) for _ in range(n)] for _ in range(m)] for _ in range(2)]


@pytest.mark.parametrize("largest", [1, 3, 50])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 3), (3, 5), (5, 4), (6, 6), (8, 8)])
def test_gambit_finds_the_same_extreme_equilibria(m, n, largest):
    gambit = pytest.importorskip("pygambit")
    for seed in range(2 if m < 8 else 1):
        a, b = random_tables(m, n, largest, seed)
        game = tables_of(gambit)(*([[gambit.Rational(x) for x in row] for row in t] for t in (a, b)))
        peer = set()
        for profile in gambit.nash.enummixed_solve(game, rational=True).equilibria:
            peer.add(odds_of(profile, game))
        found = nash(Matrix(a, b), all=True, exact=True)
        assert {e.profile for e in found} == peer


@pytest.mark.parametrize("seed", range(3))
def test_quantecon_finds_a_subset(seed):
    theory = pytest.importorskip("quantecon.game_theory")
    import numpy as np

    a, b = random_tables(7, 7, 100, seed)
    peer = theory.vertex_enumeration(theory.NormalFormGame((theory.Player(a), theory.Player(np.array(b).T.copy()))))
    ours = [np.concatenate(e.profile) for e in nash(Matrix(a, b), all=True)]
    assert len(peer) <= len(ours)
    for x, y in peer:
        assert any(np.allclose(np.concatenate([x, y]), known) for known in ours)


@pytest.mark.parametrize("seed", range(3))
def test_nashpy_finds_a_subset(seed):
    nashpy = pytest.importorskip("nashpy")
    import numpy as np

    a, b = random_tables(4, 4, 100, seed)
    ours = [np.concatenate(e.profile) for e in nash(Matrix(a, b), all=True)]
    for x, y in nashpy.Game(np.array(a), np.array(b)).vertex_enumeration():
        assert any(np.allclose(np.concatenate([x, y]), known) for known in ours)
