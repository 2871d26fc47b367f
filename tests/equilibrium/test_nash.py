"""`nash` and its sisters as users call them, on games whose equilibria are known."""

import random
from fractions import Fraction

import pytest
from hard_games import dual_cyclic_game, many_equilibria

import zermelo
from zermelo import Matrix
from zermelo.equilibrium.nash.nash import (
    lemke_howson,
    nash,
    pure_equilibria,
    support_enumeration,
    vertex_enumeration,
)
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import simplest
from zermelo.policy import expected_values

F = Fraction


def profiles(found):
    return {e.profile for e in found}


def mixed(*strategies):
    return tuple(tuple(F(p) for p in strategy.split()) for strategy in strategies)


# --- known games ------------------------------------------------------------------------------------------------------


def test_share_game():
    found = nash(zermelo.game("share"), all=True, exact=True)
    assert len(found) == 21
    assert found.complete
    assert len(found.components) == 1
    assert len(found.components[0]) == 4
    assert sum(e.is_pure for e in found) == len(pure_equilibria(zermelo.game("share"))) == 9


def test_rock_paper_scissors_has_one_equilibrium():
    (found,) = nash(zermelo.game("rock_paper_scissors"), all=True, exact=True)
    assert found.profile == mixed("1/3 1/3 1/3", "1/3 1/3 1/3")
    assert found.values == (0, 0)
    assert len(pure_equilibria(zermelo.game("rock_paper_scissors"))) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_coordination_has_an_equilibrium_for_every_set_of_actions(n):
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    found = nash(Matrix(unit, unit), all=True, exact=True)
    assert len(found) == 2**n - 1
    assert {e.support[0] for e in found} == {e.support[1] for e in found}
    assert found.complete


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 2), (3, 5), (7, 7)])
def test_where_nothing_matters_every_pair_of_actions_is_extreme(m, n):
    zeros = [[0] * n for _ in range(m)]
    found = nash(Matrix(zeros, zeros), all=True, exact=True)
    assert len(found) == m * n
    assert found.components == ((tuple(range(m * n)),),)
    assert all(e.is_pure for e in found)


def test_equilibria_that_nashpy_issue_82_misses():
    costs = [[0, 0, 6, 0, 0], [0, 0, 3, 2, 1], [4, 3, 0, 0, 1]], [[3, 0, 2, 1, 0], [0, 2, 0, 0, 4], [4, 0, 2, 4, 4]]
    table = Matrix(*([[-x for x in row] for row in cost] for cost in costs))
    assert profiles(nash(table, all=True, exact=True)) == {
        mixed("1 0 0", "0 1 0 0 0"),
        mixed("1 0 0", "0 0 0 0 1"),
        mixed("2/3 1/3 0", "0 1 0 0 0"),
        mixed("1/3 1/2 1/6", "0 4/9 2/9 1/3 0"),
        mixed("0 1/2 1/2", "0 1/2 1/2 0 0"),
        mixed("0 1 0", "3/7 0 4/7 0 0"),
        mixed("0 1 0", "1 0 0 0 0"),
        mixed("0 1 0", "3/8 0 1/4 3/8 0"),
    }


def test_limit_points_that_nashpy_issue_222_misses():
    found = nash(Matrix([[-3, 3], [-3, 5]], [[2, 7], [4, 2]]), all=True, exact=True)
    assert profiles(found) == {mixed("0 1", "1 0"), mixed("2/7 5/7", "1 0")}
    assert found.components == (((0, 1),),)


def test_equilibrium_that_nashpy_issue_231_misses():
    table = Matrix([
        [0, -1, -1, -1, 1, -1], [1, 0, 1, -1, -1, -1], [1, -1, 0, -1, -1, 1],
        [1, 1, 1, 0, -1, -1], [-1, 1, 1, 1, 0, -1], [1, 1, -1, 1, 1, 0],
    ])  # fmt: skip
    (found,) = nash(table, all=True, exact=True)
    assert found.profile == mixed("0 0 1/3 0 1/3 1/3", "0 0 1/3 0 1/3 1/3")


def test_kuhn_poker_exactly_with_a_policy():
    game = zermelo.game("kuhn_poker")
    (found,) = nash(game, exact=True)
    assert found.values == (F(-1, 18), F(1, 18))
    assert found.regret == 0
    (found,) = nash(game)
    assert expected_values(game, [found.policy] * 2)[0] == pytest.approx(-1 / 18)


def test_policies_of_tables_play_the_profile():
    game = zermelo.game("prisoners_dilemma")
    (found,) = nash(game, all=True)
    assert expected_values(game, [found.policy] * 2) == pytest.approx(found.values)
    table = Matrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    for found in nash(table, all=True):
        assert expected_values(table, [found.policy] * 2) == pytest.approx(found.values)


@pytest.mark.parametrize("reduced", [True, False])
def test_policies_of_plans_are_worth_what_the_profile_is(reduced):
    game = zermelo.game("share")
    for found in nash(game, all=True, reduced=reduced):
        assert expected_values(game, [found.policy] * 2) == pytest.approx(found.values)


# --- what comes out ---------------------------------------------------------------------------------------------------


def test_floats_are_read_as_the_simplest_fractions():
    (found,) = nash(Matrix([[0.1, -0.3], [-0.1, 0.2]]), all=True, exact=True)
    assert found.profile == mixed("3/7 4/7", "5/7 2/7")
    assert found.values == (F(-1, 70), F(1, 70))


@pytest.mark.parametrize("x", [0.1, 1 / 3, -22 / 7, 0.5, 1e-9, 123456.789, 5e-324, 1e300, 2.0**-40 / 3])
def test_simplest_fractions_round_to_the_float(x):
    found = simplest(x)
    assert float(found) == x
    assert found.denominator <= Fraction(x).denominator
    assert simplest(-x) == -found


def test_floats_without_a_common_denominator_are_taken_as_they_are():
    source = random.Random(1)
    table = Matrix(*([[source.random() for _ in range(4)] for _ in range(4)] for _ in range(2)))
    found = nash(table, all=True)
    assert found.complete
    assert all(e.regret == 0.0 for e in found)
    assert all(isinstance(p, float) for e in found for strategy in e.profile for p in strategy)


def test_all_methods_agree():
    table = Matrix([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]])
    wanted = {mixed("1 0 0", "1 0"), mixed("4/5 1/5 0", "2/3 1/3"), mixed("0 1/3 2/3", "1/3 2/3")}
    for found in (
        nash(table, all=True, exact=True),
        nash(table, all=True, exact=True, method="supports"),
        nash(table, all=True, exact=True, method="vertices"),
        support_enumeration(table),
        vertex_enumeration(table),
    ):
        assert profiles(found) == wanted
        assert found.complete
    paths = lemke_howson(table)
    assert profiles(paths) <= wanted
    assert not paths.complete
    (one,) = nash(table, exact=True)
    assert one.profile in wanted
    assert one.method == "Lemke-Howson"
    assert nash(table, all=True, method="pure")[0].profile == ((1.0, 0.0, 0.0), (1.0, 0.0))


def test_equilibria_come_pure_first_and_in_the_same_order_every_time():
    table = Matrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    found = nash(table, all=True)
    assert [e.is_pure for e in found] == [True, True, False]
    assert [e.profile for e in found] == [e.profile for e in nash(table, all=True)]


def test_one_player_and_three():
    (alone,) = nash(Matrix([1, 5, 3]), all=True, exact=True)
    assert alone.profile == ((0, 1, 0),)
    tied = nash(Matrix([5, 1, 5]), all=True)
    assert tied.complete
    assert tied.components == (((0, 1),),)
    majority = [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]
    found = pure_equilibria(Matrix(majority, majority, majority))
    assert [e.support for e in found] == [((0,), (0,), (0,)), ((1,), (1,), (1,))]
    (one,) = nash(Matrix(majority, majority, majority), exact=True)
    assert one.regret == 0


# --- bad input --------------------------------------------------------------------------------------------------------


def test_bad_input_is_refused():
    table = Matrix([[1, 2], [3, 4]])
    with pytest.raises(BadParameter, match="method must be one of"):
        nash(table, method="guessing")
    for label in (4, -1, True, "0"):
        with pytest.raises(BadParameter, match="label must be an integer from 0 to 3"):
            lemke_howson(table, label)
    three = Matrix([[[0, 1]]], [[[0, 1]]], [[[0, 1]]])
    for method in (lemke_howson, support_enumeration, vertex_enumeration):
        with pytest.raises(UnsuitableGame, match="needs two players"):
            method(three)
    with pytest.raises(UnsuitableGame, match="needs two players"):
        nash(three, method="vertices")
    for what in ("nim", 4, None):
        with pytest.raises(BadParameter, match="is no game"):
            nash(what)


def test_too_many_supports_are_refused_before_work():
    table = Matrix([[i * j % 7 for j in range(30)] for i in range(30)])
    with pytest.raises(UnsuitableGame, match=r"pairs of supports.*vertex_enumeration"):
        support_enumeration(table)


def test_too_large_games_are_told_what_fits():
    wide = [[(i * j) % 11 for j in range(1500)] for i in range(400)]
    with pytest.raises(UnsuitableGame, match=r"zero-sum game of 400 x 1500 is too large.*zero_sum"):
        nash(Matrix(wide))
    with pytest.raises(UnsuitableGame, match="a game of 400 x 1500 is too large"):
        nash(Matrix(wide, wide))


def test_strategies_that_others_always_beat_do_not_keep_all_equilibria_from_being_found():
    hard = dual_cyclic_game(6, many_equilibria)
    payoffs = hard.payoffs
    low = payoffs.min() - 1
    # Places among others that are strictly worse, down to the last, which only mixtures beat.
    rows, columns = [2, 3, 5, 11, 13, 15], [0, 1, 4, 9, 16, 18]
    first, second = ([[low - i + j for j in range(19)] for i in range(17)] for _ in range(2))
    second = [[low + i - j for j in range(19)] for i in range(17)]
    for i, row in enumerate(rows):
        for j in range(19):
            first[row][j] = payoffs[i, columns.index(j), 0] if j in columns else low + 99
    for j, column in enumerate(columns):
        for i in range(17):
            second[i][column] = payoffs[rows.index(i), j, 1] if i in rows else low + 99
    plain = nash(hard, all=True, exact=True)
    found = nash(Matrix(first, second), all=True, exact=True)
    assert len(found) == len(plain) == 75
    assert found.complete
    assert "struck out" in found.note
    assert all(one.regret == 0 for one in found)
    for one, small in zip(found, plain, strict=True):
        assert [one.profile[0][i] for i in rows] == list(small.profile[0])
        assert [one.profile[1][j] for j in columns] == list(small.profile[1])
        assert one.values == small.values


@pytest.mark.slow
def test_all_equilibria_of_kuhn_poker():
    poker = zermelo.game("kuhn_poker")
    found = nash(poker, all=True, exact=True)
    assert (len(found), found.complete, found.components) == (24, True, ((tuple(range(24)),),))
    assert {one.values for one in found} == {(Fraction(-1, 18), Fraction(1, 18))}
    # Kuhn's family: player 0 bets the jack with odds a from 0 to 1/3 and the king with 3a; player 1 has no choice.
    bluffs = set()
    for one in found:
        jack, king = (one.policy(poker.play(poker.initial(), card, (card + 1) % 3))[1] for card in (0, 2))
        assert king == 3 * jack
        bluffs.add(jack)
        assert one.policy(poker.play(poker.initial(), 1, 0, 0))[1] == Fraction(1, 3)
    assert (min(bluffs), max(bluffs)) == (0, Fraction(1, 3))


@pytest.mark.parametrize("most", [0, -1, "x", True, 1.5])
def test_a_bound_that_is_none_is_refused(most):
    with pytest.raises(zermelo.BadParameter, match="most must be an integer >= 1"):
        nash(Matrix([[1, 0], [0, 1]]), all=True, most=most)
