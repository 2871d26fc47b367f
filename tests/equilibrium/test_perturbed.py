"""Equilibria that survive slips: textbook games in which others do not."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, Tree, UnsuitableGame, game, move
from zermelo.equilibrium.concepts.perturbed import Tremble, perfect_profiles, quasi_perfect, trembling_hand
from zermelo.equilibrium.nash.lemke import lemke
from zermelo.equilibrium.nash.nash import pure_equilibria

F = Fraction


def selten_horse():
    """Selten (1975): the last player cannot tell who has left the way."""

    def last(left, right):
        return move(2, {"L": left, "R": right}, information_set="last")

    middle = move(1, {"d": last((4, 4, 0), (0, 0, 1)), "c": (1, 1, 1)})
    return Tree(move(0, {"D": last((3, 3, 2), (0, 0, 0)), "C": middle}))


def test_a_weakly_dominated_equilibrium_is_not_perfect():
    weak = Matrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert len(pure_equilibria(weak)) == 2
    for found in (quasi_perfect(weak), trembling_hand(weak)):
        assert found.profile == ((1, 0), (1, 0))
        assert found.regret == 0
    assert len(perfect_profiles(weak)) == 1


def test_myersons_third_strategy_makes_a_bad_equilibrium_perfect():
    """Myerson (1978): with a dominated third strategy (2, 2) is perfect too, though not proper; (3, 3) never is."""
    table = [[1, 0, -9], [0, 0, -7], [-9, -7, -7]]
    found = perfect_profiles(Matrix(table, table))
    assert [tuple(odds.index(1) for odds in e.profile) for e in found] == [(0, 0), (1, 1)]
    assert len(pure_equilibria(Matrix(table, table))) == 3


def test_selten_horse():
    horse = selten_horse()
    (found,) = perfect_profiles(horse)
    s = horse.initial()
    assert found.policy(s)[1] == 1  # C, then c, and R at the last player's set
    assert found.policy(horse.play(s, 1))[1] == 1
    assert found.policy(horse.play(s, 0))[1] == 1
    assert found.values == (1, 1, 1)
    assert trembling_hand(horse).values == (1, 1, 1)
    # (D, c, L) is an equilibrium as well, and not perfect.
    assert (3, 3, 2) in {e.values for e in pure_equilibria(horse)}


def test_threats_that_nobody_would_carry_out():
    """The entrant stays out where a fight is threatened: an equilibrium, but fighting is no best answer to entry."""
    entry = Tree(move(0, {"out": (0, 2), "in": move(1, {"fight": (-1, -1), "yield": (1, 1)})}))
    assert (0, 2) in {e.values for e in pure_equilibria(entry)}
    for found in (quasi_perfect(entry), trembling_hand(entry)):
        assert found.values == (1, 1)
    assert [e.values for e in perfect_profiles(entry)] == [(1, 1)]


def test_quasi_perfect_play_off_the_path():
    """Player 1 plays best after a slip that equilibrium play never makes."""
    inner = move(1, {"a": (0, 3), "b": (0, 1)})
    found = quasi_perfect(Tree(move(0, {"stop": (5, 5), "go": inner})))
    assert found.policy(found.game.play(found.game.initial(), 1)) == {0: 1, 1: 0}
    assert found.note == "quasi-perfect"


def test_the_share_game_is_played_sensibly_everywhere():
    found = quasi_perfect(game("share"))
    s = found.game.initial()
    assert found.policy(found.game.play(s, 1))[0] == 1  # yes to a share
    assert found.policy(found.game.play(s, 2))[0] == 1  # yes to a gift
    assert found.regret == 0


def test_kuhn_poker_does_not_forgive_gifts():
    """Off the path too, the highest card calls and the lowest folds."""
    poker = game("kuhn_poker")
    found = quasi_perfect(poker)
    assert found.values == (F(-1, 18), F(1, 18))
    high, low = poker.play(poker.initial(), 2, 0, 0, 1), poker.play(poker.initial(), 0, 2, 0, 1)
    assert found.policy(high) == {0: 0, 1: 1}
    assert found.policy(low) == {0: 1, 1: 0}


def test_quasi_perfect_takes_back_no_dominated_move():
    """Player 0 may guess a coin for a prize, or hand the guess to a stranger: only the own guess is undominated, and
    once the stranger errs, a sequentially rational player still takes the better branch."""
    table = Matrix([[2, 2], [2, 0]], [[1, 1], [1, 1]])
    assert lemke(table).regret == 0
    assert quasi_perfect(table).profile[0] == (1, 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 3), st.integers(2, 3), st.data())
def test_in_tables_nobody_plays_what_is_weakly_dominated(rows, columns, data):
    numbers = st.lists(st.integers(0, 2), min_size=columns, max_size=columns)
    tables = [data.draw(st.lists(numbers, min_size=rows, max_size=rows)) for _ in range(2)]
    found = quasi_perfect(Matrix(*tables))
    assert found.regret == 0
    own = [tables[0], [list(column) for column in zip(*tables[1])]]
    for strategy, payoffs in zip(found.profile, own):
        for i, p in enumerate(strategy):
            for other in payoffs:
                weakly = all(a >= b for a, b in zip(other, payoffs[i])) and other != payoffs[i]
                assert not (p and weakly)


def test_a_game_without_pure_ones_is_a_limit():
    pennies = Matrix([[1, -1], [-1, 1]])
    assert perfect_profiles(pennies) == []
    assert trembling_hand(pennies).profile == ((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))
    hidden = [move(1, row, information_set="unseen") for row in ([1, -1], [-1, 1])]
    found = trembling_hand(Tree(hidden))
    assert found.values == pytest.approx((0, 0), abs=1e-6)
    assert "trembles" in found.note


def test_slips_are_ordered_by_their_first_powers():
    small, one = Tremble(0, 1), Tremble(1)
    assert small < one
    assert small * small < small
    assert not one + small < one
    assert one + small * -3 < one
    assert not Tremble(0, 0)
    assert (small * 2 + 1).coefficients == (1, 2)


def test_what_is_not_for_it():
    with pytest.raises(UnsuitableGame, match="two players"):
        quasi_perfect(selten_horse())
    with pytest.raises(UnsuitableGame, match="too many"):
        trembling_hand(game("kuhn_poker", players=3))
    with pytest.raises(UnsuitableGame, match="quasi_perfect"):
        perfect_profiles(Tree([[[[i + j + k for i in range(3)] for j in range(4)] for k in range(4)]] * 2))
