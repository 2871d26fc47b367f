"""The rooms behind `nash`: polytopes and their vertices, proofs, paths, components."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hard_games import dual_cyclic_game, long_paths, many_equilibria
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix
from zermelo.equilibrium.nash.bimatrix.bimatrix import Bimatrix, Polytope, solution, vertex_bound
from zermelo.equilibrium.nash.bimatrix.certificate import SURE, UNSURE, certify
from zermelo.equilibrium.nash.bimatrix.enumeration import components
from zermelo.equilibrium.nash.bimatrix.exploring import DONE, LOST, pivot, start_over
from zermelo.equilibrium.nash.bimatrix.vertices import NativeSearch, exact_bases, vertices
from zermelo.equilibrium.nash.nash import lemke_howson, nash, support_enumeration, vertex_enumeration
from zermelo.errors import UnsuitableGame


def random_polytope(width, height, largest, seed, shift=0):
    source = random.Random(seed)
    return Polytope([[source.randint(1, largest) for _ in range(width)] for _ in range(height)], shift)


small_numbers = st.integers(-2, 2)


@st.composite
def tables(draw, largest=4, numbers=small_numbers):
    m, n = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    table = st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=m, max_size=m)
    return Matrix(draw(table), draw(table))


def profiles(found):
    return {e.profile for e in found}


# --- vertices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("largest", [2, 3, 9, 1000, 10**17, 10**40])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 5), (5, 1), (3, 4), (5, 5), (6, 4)])
def test_native_vertices_are_those_of_exact_integers(width, height, largest):
    for seed in range(3):
        polytope = random_polytope(width, height, largest, seed, shift=seed % 2 * height)
        assert vertices(polytope, native=True).keys() == vertices(polytope, native=False).keys()


def test_native_vertices_of_more_labels_than_a_word_has():
    polytope = random_polytope(2, 70, 1000, 1)
    assert vertices(polytope, native=True).keys() == vertices(polytope, native=False).keys()


def test_search_runs_in_plain_python_too():
    polytope = random_polytope(4, 4, 3, 5)
    search = NativeSearch(polytope, 100, device="python")
    assert search.run() == DONE
    assert dict(search.bases()).keys() == vertices(polytope, native=False).keys()


def test_only_vertices_are_certified():
    polytope = random_polytope(3, 3, 20, 2)
    known = {basis for _, basis in exact_bases(polytope, 1000)}
    outcomes = set()
    for row in range(3):
        for column in range(3):
            search = NativeSearch(polytope, 10, device="python")
            start_over(search.walk)
            pivot(search.walk, row, column)
            basis = sum(1 << search.walk.free[c] for c in range(3))
            outcome, _ = certify(search.walk)
            assert (outcome == SURE) == (basis in known)
            outcomes.add(outcome)
    assert outcomes == {SURE, UNSURE}


def test_nearly_zero_is_not_taken_for_zero():
    # Where x = (0, 1 / large), the second row is almost tight, but not quite: no float can tell.
    large = 10**25
    polytope = Polytope([[large, large + 1], [large, large]], 0)
    assert vertices(polytope, native=True).keys() == vertices(polytope, native=False).keys() == {3, 5, 14}


def test_vertex_count_is_at_most_mcmullens_and_reached_by_cyclic_polytopes():
    first, _ = Bimatrix(dual_cyclic_game(6, lambda k: k), Matrix([[0]])).polytopes
    assert len(vertices(first, native=False)) == vertex_bound(6, 6) == 112
    assert len(vertices(random_polytope(6, 6, 50, 3))) <= 112


def test_too_many_vertices_are_refused():
    table = Matrix([[(7 * i * i + 3 * i * j + j) % 23 for j in range(9)] for i in range(9)])
    with pytest.raises(UnsuitableGame, match=r"more than 50 vertices.*lemke_howson"):
        nash(table, all=True, most=50)
    with pytest.raises(UnsuitableGame, match="more than 50 vertices"):
        vertices(random_polytope(6, 6, 50, 3), most=50, native=False)


def test_solution_is_exact_or_none():
    assert solution([[0, 1], [1, 0]]) == ([1, 1], 1) or solution([[0, 1], [1, 0]]) == ([-1, -1], -1)
    assert solution([[1, 2], [2, 4]]) is None
    large = [[10**30, 3], [7, 10**30]]
    x, whole = solution(large)
    assert all(sum(a * b for a, b in zip(row, x, strict=True)) == whole for row in large)


# --- equilibria -------------------------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(tables())
def test_vertices_and_supports_agree_and_everything_found_is_an_equilibrium(table):
    found = vertex_enumeration(table)
    assert found.complete
    assert len(profiles(found)) == len(found) > 0
    assert profiles(found) == profiles(support_enumeration(table))
    for e in found:
        assert e.regret == 0
        assert table[e.profile] == e.values
        for player in range(2):
            for i in range(table.shape[player]):
                pure = [Fraction(k == i) for k in range(table.shape[player])]
                mixed = (pure, e.profile[1]) if player == 0 else (e.profile[0], pure)
                assert table[mixed][player] <= e.values[player]


@settings(max_examples=40, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_mixtures_within_a_maximal_subset_are_equilibria(table, source):
    found = vertex_enumeration(table)
    listed = {k for component in found.components for subset in component for k in subset}
    assert listed == set(range(len(found)))
    for component in found.components:
        for subset in component:
            mixed = []
            for player in range(2):
                weights = [source.randint(1, 9) for _ in subset]
                pool = [found[k].profile[player] for k in subset]
                mixed.append(
                    [Fraction(sum(w * x for w, x in zip(weights, column, strict=True)), sum(weights))
                     for column in zip(*pool, strict=True)]
                )  # fmt: skip
            values = table[tuple(mixed)]
            for player in range(2):
                for i in range(table.shape[player]):
                    pure = [Fraction(k == i) for k in range(table.shape[player])]
                    other = (pure, mixed[1]) if player == 0 else (mixed[0], pure)
                    assert table[other][player] <= values[player]


def test_components_are_maximal_and_apart():
    assert components([(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (3, 2)]) == [[[0, 1, 2, 3]], [[4, 5]]]
    assert components([(0, 0), (0, 1), (1, 1), (1, 2)]) == [[[0, 1], [1, 2], [2, 3]]]


@pytest.mark.parametrize("seed", range(6))
def test_nondegenerate_games_have_an_odd_number(seed):
    source = random.Random(seed)
    table = Matrix(*([[source.randint(0, 10**9) for _ in range(5)] for _ in range(5)] for _ in range(2)))
    found = nash(table, all=True)
    assert len(found) % 2 == 1
    assert found.complete
    assert len(found.components) == len(found)


# --- games built to be hard -------------------------------------------------------------------------------------------


def test_the_six_by_six_game_with_75_equilibria():
    table = dual_cyclic_game(6, many_equilibria)
    found = nash(table, all=True, exact=True)
    assert len(found) == 75
    assert found.complete
    assert all(e.regret == 0 for e in found)
    assert len(found.components) == 75


def test_native_code_finds_all_75_too():
    first, second = Bimatrix(dual_cyclic_game(6, many_equilibria), Matrix([[0]])).polytopes
    sets = [set(vertices(polytope, native=True)) for polytope in (first, second)]
    assert sum(4095 ^ v in sets[1] for v in sets[0]) == 75 + 1


def test_the_eight_by_eight_game_with_383_equilibria_needs_exact_integers():
    table = dual_cyclic_game(8, many_equilibria)
    first, _ = Bimatrix(table, table).polytopes
    assert NativeSearch(first, 1000).run() == LOST
    found = nash(table, all=True)
    assert len(found) == 383
    assert found.complete


def test_lemke_howson_paths_grow_as_published():
    lengths = []
    for d in (2, 4, 6, 8):
        table = dual_cyclic_game(d, lambda k, d=d: long_paths(k, d))
        steps = [lemke_howson(table, label)[0].iterations for label in range(2 * d)]
        lengths.append((max(steps), min(steps)))
        assert len(lemke_howson(table)) == 1
    assert [longest for longest, _ in lengths] == [4, 20, 88, 376]
    assert all(3 * a < b for (a, _), (b, _) in pairwise(lengths))
    assert [shortest for _, shortest in lengths] == [4, 8, 16, 40]


@settings(max_examples=60, deadline=None)
@given(tables())
def test_lemke_howson_ends_at_an_equilibrium_from_every_label(table):
    every = profiles(vertex_enumeration(table))
    for label in range(sum(table.shape)):
        (found,) = lemke_howson(table, label)
        assert found.regret == 0
        assert found.profile in every


def test_lemke_howson_by_floats_in_a_large_game_is_verified():
    source = random.Random(3)
    table = Matrix(*([[source.randint(0, 9) for _ in range(30)] for _ in range(25)] for _ in range(2)))
    (found,) = lemke_howson(table, 3)
    assert found.regret == 0
    assert sum(found.profile[0]) == sum(found.profile[1]) == 1
    assert table[found.profile] == found.values
