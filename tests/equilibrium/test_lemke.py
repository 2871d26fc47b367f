"""Lemke's algorithm on the sequence form: every answer is an equilibrium, exactly."""

import itertools
from fractions import Fraction

import pytest
from gambit_oracle import odds_of, tables_of
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, Tree, UnsuitableGame, chance, expected_values, game, move
from zermelo.equilibrium.arithmetic.rational import exact_number
from zermelo.equilibrium.concepts.quantal import gains_of
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.nash.lemke import lemke

F = Fraction


def check(found):
    """An answer in fractions that nobody regrets, by best responses found in the tree too."""
    assert found.regret == 0
    assert all(isinstance(value, Fraction) for value in found.values)
    played = expected_values(found.game, [found.policy] * 2)
    assert played == pytest.approx([float(value) for value in found.values])
    form = extensive_form(found.game)
    form.odds = [exact_number(p) for p in form.odds]
    form.payoffs = {end: tuple(map(exact_number, payoffs)) for end, payoffs in form.payoffs.items()}
    own = [[found.policy.choose[s.player, s.view][a] for a in s.actions] for s in form.sets]
    assert gains_of(form, own) == (found.values, (0, 0))


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "rock_paper_scissors", "share", "prisoners_dilemma", "matching_pennies", "chicken"]
)
def test_games(name):
    check(lemke(game(name)))


def test_values_of_zero_sum_games_are_the_known_ones():
    assert lemke(game("kuhn_poker")).values == (F(-1, 18), F(1, 18))
    assert lemke(Matrix([[3, 0], [1, 2]])).profile == ((F(1, 4), F(3, 4)), (F(1, 2), F(1, 2)))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_random_tables(rows, columns, data):
    numbers = st.lists(st.integers(-3, 3), min_size=rows * columns, max_size=rows * columns)
    first, second = data.draw(numbers), data.draw(numbers)
    shape = [[range(i * columns, (i + 1) * columns)] for i in range(rows)]
    tables = [[[cells[k] for k in row[0]] for row in shape] for cells in (first, second)]
    found = lemke(Matrix(*tables))
    x, y = found.profile
    pays = [[sum(q * e for q, e in zip(y, row)) for row in tables[0]]]
    pays.append([sum(p * row[j] for p, row in zip(x, tables[1])) for j in range(columns)])
    assert found.values == (max(pays[0]), max(pays[1]))
    assert found.regret == 0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=12, max_size=12), st.integers(1, 4))
def test_random_trees_with_chance_and_hidden_moves(payoffs, odds):
    """Player 0 sees the coin, player 1 sees player 0's choice; then player 0 moves again without having seen that."""
    ends = iter(payoffs)
    sides = []
    for coin in range(2):
        branches = {}
        for choice in "ab":
            inner = {
                answer: move(0, {"x": next(ends), "y": next(ends)}, information_set=f"{coin} {choice}")
                if choice == "a"
                else next(ends)
                for answer in "lr"
            }
            branches[choice] = move(1, inner, information_set=choice)
        sides.append(move(0, branches))
    check(lemke(Tree(chance([(F(odds, 5), sides[0]), (1 - F(odds, 5), sides[1])]))))


def test_a_known_game_of_general_sums():
    """Battle of the sexes with an outside option: each equilibrium pays the first at least what stepping out does."""
    inner = [
        move(1, {"B": (3, 1), "S": (0, 0)}, information_set="where"),
        move(1, {"B": (0, 0), "S": (1, 3)}, information_set="where"),
    ]
    found = lemke(Tree(move(0, {"out": (2, 2), "in": move(0, {"B": inner[0], "S": inner[1]})})))
    check(found)
    assert found.values[0] >= 2


def test_a_prior_that_chance_cannot_hide():
    """A beer-quiche game: a strong or weak type sends a signal; the other fights or not."""
    types = []
    for name, p in (("strong", F(9, 10)), ("weak", F(1, 10))):
        likes = "beer" if name == "strong" else "quiche"
        fights = 0 if name == "strong" else 1
        signals = {
            meal: move(
                1,
                {duel: ((meal == likes) + 2 * (duel == "not"), fights if duel == "duel" else 1 - fights)
                 for duel in ("duel", "not")},
                information_set=meal,
            )
            for meal in ("beer", "quiche")
        }  # fmt: skip
        types.append((p, move(0, signals)))
    found = lemke(Tree(chance(types)))
    check(found)
    # In every equilibrium both types send one signal and no duel follows.
    assert found.values[1] == F(9, 10)


def test_no_side_moves_at_all():
    found = lemke(Tree(chance([(F(1, 2), (1, 5)), (F(1, 2), (3, 0))])))
    assert found.values == (2, F(5, 2))
    assert found.regret == 0


def test_what_is_not_for_it():
    with pytest.raises(UnsuitableGame, match="two players"):
        lemke(game("kuhn_poker", players=3))
    with pytest.raises(UnsuitableGame, match="more than 600"):
        lemke(game("leduc_poker"))
    inner = [move(0, {"l": (1, 0), "r": (0, 1)}, information_set="forgot") for _ in range(2)]
    with pytest.raises(UnsuitableGame, match="perfect recall"):
        lemke(Tree(move(0, inner)))


def test_against_gambit():
    gambit = pytest.importorskip("pygambit")
    source = [[(i * 7 + j * 3) % 5 for j in range(3)] for i in range(3)]
    other = [[(i * 2 + j * 5) % 7 for j in range(3)] for i in range(3)]
    theirs = tables_of(gambit)(source, other)
    known = gambit.nash.enummixed_solve(theirs, rational=True).equilibria
    profiles = {tuple(itertools.chain(*odds_of(e, theirs))) for e in known}
    found = lemke(Matrix(source, other))
    assert tuple(itertools.chain(*found.profile)) in profiles
