"""The sequence form: values that are known, plans of both players, and fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import Matrix, Tree, UnsuitableGame, chance, expected_values, game, move, sequence_form
from zermelo.equilibrium.arithmetic.rational import exact_number
from zermelo.equilibrium.cfr.best_response import nash_conv
from zermelo.equilibrium.forms.extensive import expected, extensive_form
from zermelo.equilibrium.forms.flat import flatten
from zermelo.equilibrium.forms.sequences import best_plan, from_extensive, from_flat
from zermelo.equilibrium.nash import sequence_form as room
from zermelo.equilibrium.nash.both_sides import best_policies
from zermelo.equilibrium.nash.zero_sum import zero_sum

F = Fraction
LEDUC = -0.085606424


def test_leduc_poker():
    poker = game("leduc_poker")
    found = sequence_form(poker)
    assert found.value == pytest.approx(LEDUC, abs=1e-9)
    assert expected_values(poker, [found.policy] * 2)[0] == pytest.approx(LEDUC, abs=1e-9)
    assert nash_conv(poker, found.policy) == pytest.approx(0.0, abs=1e-9)
    assert found.nodes == 9457


def test_leduc_poker_in_fractions():
    poker = game("leduc_poker")
    found = sequence_form(poker, exact=True)
    assert found.value == F(-1454920850547486749701863871533, 16995463438839962469905132501930)
    assert found.values[1] == -found.value
    odds = found.policy(poker.play(poker.initial(), 0, 1))
    assert all(isinstance(p, Fraction) for p in odds.values())
    assert sum(odds.values()) == 1


def test_kuhn_poker_in_fractions():
    poker = game("kuhn_poker")
    found = sequence_form(poker, exact=True)
    assert found.value == F(-1, 18)
    form = extensive_form(poker)
    form.odds = [exact_number(p) for p in form.odds]
    form.payoffs = {end: tuple(map(exact_number, payoffs)) for end, payoffs in form.payoffs.items()}
    own = [list(found.policy.choose[s.player, s.view].values()) for s in form.sets]
    assert expected(form, own)[0] == F(-1, 18)
    # Player 1's equilibrium is unique: bluff with the lowest card, call with the middle one, a third of the time.
    third = {0: F(2, 3), 1: F(1, 3)}
    assert found.policy(poker.play(poker.initial(), 1, 0, 0)) == third
    assert found.policy(poker.play(poker.initial(), 0, 1, 1)) == third


def test_where_rounding_misled_the_program_lemke_is_asked(monkeypatch):
    monkeypatch.setattr(room, "_corner", lambda form, player, plans: None)
    assert sequence_form(game("kuhn_poker"), exact=True).value == F(-1, 18)


def test_both_builders_describe_one_game():
    for of in (game("kuhn_poker"), game("trails"), game("rock_paper_scissors")):
        quick, exact = from_flat(flatten(of, device="python")), from_extensive(extensive_form(of))
        assert quick.counts == exact.counts
        assert len(quick.rows) == len(exact.rows)
        assert room.solve(quick)[0] == pytest.approx(room.solve(exact)[0])


def test_one_program_serves_both_sides():
    pennies = Tree([move(1, row, information_set="unseen") for row in ([3, 0], [1, 2])])
    first, second = best_policies(pennies)
    assert first(pennies.initial()) == pytest.approx({0: 0.25, 1: 0.75})
    assert second(pennies.play(pennies.initial(), 0)) == pytest.approx({0: 0.5, 1: 0.5})


def test_first_moves():
    found = sequence_form(game("trails"), exact=True)
    assert (found.value, found.action) == (1, 0)
    assert found.moves == {0: 1.0, 1: -3.5}


def test_nothing_hidden_is_played_by_a_search():
    nim = game("nim", heaps=(1, 2))
    found = sequence_form(nim)
    assert found.value == zermelo.minimax(nim).value
    s = nim.initial()
    while not nim.is_terminal(s):
        s = nim.result(s, max(found.policy(s), key=found.policy(s).get))
    assert nim.utility(s, 0) == found.value


def test_sums_that_random_play_does_not_see():
    odd = move(1, {"a": 0, "b": 0})
    rare = Tree(chance([(F(1, 10**6), (1, 1)), (1 - F(1, 10**6), (0, 0))]))
    with pytest.raises(UnsuitableGame, match="not a zero-sum game"):
        sequence_form(rare)
    assert sequence_form(Tree(move(0, {"x": odd, "y": odd}))).value == 0


def test_odds_that_do_not_sum_to_one_are_refused():
    third = Tree(chance([(0.3333333, 1), (0.6666667, -1)]))
    assert sequence_form(third, exact=True).value == F(-3333334, 10**7)

    class Loaded(zermelo.games.KuhnPoker):
        """Chance is a little off."""

        def probability(self, s, action):
            return 0.33333 if self.dealt(s) == 0 else 0.5

    for exact in (False, True):
        with pytest.raises(zermelo.errors.BrokenContract, match="sum to 1"):
            sequence_form(Loaded(), exact=exact)


def test_sums_that_are_the_same_but_for_rounding_are_not_exact():
    off = Tree(move(0, {"a": (0.1 + 0.2, -0.3), "b": move(1, {"c": (1, -1), "d": (0, 0)}, information_set="x")}))
    assert sequence_form(off).value == pytest.approx(0.3)
    with pytest.raises(UnsuitableGame, match="rounding"):
        sequence_form(off, exact=True)


def test_forgetting_is_refused():
    inner = [move(0, {"l": 1, "r": -1}, information_set="forgot") for _ in range(2)]
    with pytest.raises(UnsuitableGame, match="forget"):
        sequence_form(Tree(move(0, inner)))
    with pytest.raises(UnsuitableGame, match="forget"):
        sequence_form(Tree(move(0, inner)), exact=True)


def test_best_plan_gathers_from_the_last_sets_on():
    form = from_extensive(extensive_form(game("kuhn_poker")))
    worth = [F(0)] * form.counts[0]
    assert best_plan(form.sets[0], worth)[0] == 0
    worth[-1] = F(1, 2)
    value, chosen = best_plan(form.sets[0], worth)
    assert value == F(1, 2)
    assert chosen[-1] == len(form.sets[0][-1].actions) - 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=2, max_size=4))
def test_tables_have_the_same_value_by_either_program(rows):
    assert sequence_form(Matrix(rows), exact=True).value == zero_sum(rows, exact=True).value


@pytest.mark.parametrize(("faces", "value"), [(2, F(0)), (3, F(-1, 9))])
@pytest.mark.parametrize("wild", [False, "lowest"])
def test_small_liars_dice_in_fractions(faces, value, wild):
    wanted = {2: F(1), 3: F(1, 3)}[faces] if wild else value
    assert sequence_form(game("liars_dice", faces=faces, wild=wild), exact=True).value == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faces", "wild", "value"),
    [(4, False, F(-1, 8)), (5, False, F(-3, 25)), (4, "lowest", F(0)), (5, "lowest", F(0))],
)
def test_liars_dice(faces, wild, value):
    found = sequence_form(game("liars_dice", faces=faces, wild=wild))
    assert found.value == pytest.approx(float(value), abs=1e-9)


def test_what_it_refuses_names_a_method_that_fits():
    with pytest.raises(UnsuitableGame, match=r"use maxn$"):
        sequence_form(game("share"))
    with pytest.raises(UnsuitableGame, match=r"use nash or cfr$"):
        sequence_form(game("kuhn_poker", players=3))
    with pytest.raises(UnsuitableGame, match=r"use lemke, nash or cfr$"):
        sequence_form(game("chicken"))


def test_degenerate_games_are_solved_in_fractions_without_lemke(monkeypatch):
    # The prices of the first program are no corner of player 1's plans here.
    monkeypatch.setattr("zermelo.equilibrium.nash.lemke.complementary_plans", None)
    dice = game("liars_dice", faces=4, wild=True)
    found = sequence_form(dice, exact=True)
    assert found.value == 0
    assert nash_conv(dice, found.policy) < 1e-12


def test_what_is_too_large_for_lemke_is_refused(monkeypatch):
    monkeypatch.setattr(room, "_corner", lambda form, player, plans: None)
    with pytest.raises(UnsuitableGame, match=r"no proof in fractions.* equations, more than 600: use exact=False"):
        sequence_form(game("liars_dice", faces=4), exact=True)
