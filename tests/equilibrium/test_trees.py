"""Equilibria of games that are too large for a table of strategies: nash finds one all the same, and says how."""

import random
from fractions import Fraction

import pytest

import zermelo
from zermelo import Tree, UnsuitableGame, chance, game, move, nash
from zermelo.equilibrium.cfr.best_response import exploitability
from zermelo.equilibrium.nash.without_table import NO_TABLE, by_states, in_the_tree

LEDUC = -0.085606424078
"""Known from the literature."""


def signals(general, types=4, messages=4, seed=1):
    """Both players get a type, player 0 says something, player 1 acts; its table has 256 x 65,536 cells."""
    source = random.Random(seed)

    def end():
        mine = source.randint(-9, 9)
        return mine, source.randint(-9, 9) if general else -mine

    deals = []
    for mine in range(types):
        for yours in range(types):
            said = {f"say {m}": move(1, {"a": end(), "b": end()}, information_set=f"{yours} {m}")
                    for m in range(messages)}  # fmt: skip
            deals.append((Fraction(1, types * types), move(0, said, information_set=f"{mine}")))
    return Tree(chance(deals))


def test_leduc_poker_takes_the_sequence_form():
    [found] = nash(game("leduc_poker"))
    assert found.method == "sequence form"
    assert found.value == pytest.approx(LEDUC, abs=1e-9)
    assert found.regret < 1e-9
    assert NO_TABLE in found.note
    assert exploitability(game("leduc_poker"), found) < 1e-9
    [exact] = nash(game("leduc_poker"), exact=True)
    assert exact.regret == 0
    assert isinstance(exact.value, Fraction)
    assert float(exact.value) == pytest.approx(LEDUC, abs=1e-12)


def test_general_sums_take_lemke():
    tree = signals(general=True)
    [found] = nash(tree)
    assert found.method == "Lemke on the sequence form"
    assert found.regret == 0
    assert all(isinstance(x, float) for x in (*found.values, found.regret, *found.gains))
    assert exploitability(tree, found) == pytest.approx(0, abs=1e-12)
    [exact] = nash(tree, exact=True)
    assert exact.values == zermelo.lemke(tree).values
    assert tuple(map(float, exact.values)) == found.values


def test_zero_sums_of_such_a_tree_take_the_linear_program():
    [found] = nash(signals(general=False))
    assert found.method == "sequence form"
    assert found.value == pytest.approx(float(zermelo.lemke(signals(general=False)).value))


def test_games_without_secrets_take_backward_induction_of_any_number_of_players():
    [found] = nash(game("tic_tac_toe"))
    assert (found.method, found.values, found.regret) == ("backward induction", (0, 0), 0)
    s = game("tic_tac_toe").play(game("tic_tac_toe").initial(), 0, 4, 1)
    assert found.policy(s)[2] == 1.0, "the only move that does not lose"


@pytest.mark.parametrize("name", ["share", "nim", "higher_takes", "coin_bucket", "bucket", "halving"])
def test_states_and_tables_agree(name):
    played = game(name)
    found = by_states(played, exact=True)
    assert exploitability(played, found) == 0
    assert found.values == zermelo.subgame_perfect(played, exact=True)[0].values


def test_chance_and_more_players_by_states():
    tree = Tree(chance([(0.25, move(2, {"a": (1, 2, 3), "b": (3, 2, 1)})), (0.75, move(0, [(0, 0, 0), (4, 0, 0)]))]))
    found = by_states(tree, exact=True)
    assert found.values == (Fraction(13, 4), Fraction(1, 2), Fraction(3, 4))
    assert all(isinstance(x, float) for x in by_states(tree, exact=False).values)


def test_loops_are_no_trees():
    class Round(zermelo.Game):
        """Play may come back."""

        def initial(self):
            return 0

        def to_move(self, s):
            return s % 2

        def actions(self, s):
            return (0, 1)

        def result(self, s, action):
            return (s + 1 + action) % 5

        def is_terminal(self, s):
            return False

        def utility(self, s, player):
            return 0

    with pytest.raises(UnsuitableGame, match=r"loops|far more"):
        by_states(Round(), exact=False)


def test_who_forgets_is_left_to_the_table_or_told_what_helps():
    def forgetful(places):
        """Player 0 does not know what it saw before; player 1 guesses what it did."""
        ends = iter(range(10**6))
        seen = [
            move(0, {"l": move(1, [next(ends) % 3, -(next(ends) % 5)], information_set=f"g{i}"), "r": next(ends) % 2},
                 information_set=f"forgot {i % 2}") for i in range(places)
        ]  # fmt: skip
        first = [move(0, {"x": part, "y": i % 4 - 1}, information_set=f"{i}") for i, part in enumerate(seen)]
        return Tree(chance([(Fraction(1, places), part) for part in first]))

    [found] = nash(forgetful(6))
    assert (found.method, found.regret) == ("Lemke-Howson", 0)
    with pytest.raises(UnsuitableGame, match="cfr"):
        nash(forgetful(24))


def test_what_is_asked_for_by_name_is_not_replaced():
    with pytest.raises(UnsuitableGame, match="cells"):
        nash(game("leduc_poker"), method="lemke-howson")
    with pytest.raises(UnsuitableGame, match="cells"):
        nash(game("leduc_poker"), all=True)
    with pytest.raises(UnsuitableGame, match="exact=True has no method"):
        in_the_tree(game("kuhn_poker", players=3), exact=True)


def test_large_trees_of_any_sums_are_solved_subgame_by_subgame():
    dilemma = game("repeated_prisoners_dilemma", rounds=5)
    [found] = nash(dilemma, exact=True)
    assert (found.method, found.values, found.regret) == ("backward induction", (5, 5), 0)
