"""Block 8, game theory: forms, equilibria, backward induction, mixed play, regret, poker, several players."""

from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

import zermelo
from zermelo import (
    CHANCE,
    Behaviour,
    Matrix,
    Policy,
    Tree,
    best_response,
    cfr,
    expected_values,
    exploitability,
    game,
    move,
    nash,
    regret_matching,
    subgame_perfect,
)
from zermelo.equilibrium.learning.regret import highest, matched, regrets
from zermelo.equilibrium.policies.strategies import plan_names

# --- 8.1 extensive form to normal form -------------------------------------------------------------------------------


def information_sets(of):
    """For each player its information sets in the order of play, each with its actions."""
    found = [{} for _ in range(of.players)]
    stack = [of.initial()]
    while stack:
        s = stack.pop(0)
        if of.is_terminal(s):
            continue
        if of.to_move(s) != CHANCE:
            found[of.to_move(s)].setdefault(known(of, s), list(of.actions(s)))
        stack += [child for _, child in of.successors(s)]
    return found


def known(of, s):
    return s if of.view is None else of.view(s, of.to_move(s))


def normal_form(of):
    """The payoffs of all pairs of strategies: a strategy picks one action in each information set."""
    strategies = [
        [dict(zip(sets, choice, strict=True)) for choice in product(*sets.values())] for sets in information_sets(of)
    ]
    return [[played(of, row, column) for column in strategies[1]] for row in strategies[0]]


def played(of, *strategies):
    """What everybody gets when each follows its strategy, averaged over chance."""

    def value(s):
        if of.is_terminal(s):
            return tuple(of.utility(s, player) for player in range(of.players))
        mover = of.to_move(s)
        if mover != CHANCE:
            return value(of.result(s, strategies[mover][known(of, s)]))
        parts = [[of.probability(s, a) * x for x in value(child)] for a, child in of.successors(s)]
        return tuple(map(sum, zip(*parts, strict=True)))

    return value(of.initial())


def test_8_1_share_has_1_and_3_information_sets_and_3_by_8_strategies():
    of = game("share")
    assert [len(sets) for sets in information_sets(of)] == [1, 3]
    table = normal_form(of)
    assert (len(table), {len(row) for row in table}) == (3, {8})
    # Player 0 on the rows: keep, share, give; player 1's answers to each, yes before no.
    yes_to_all, no_to_all = 0, 7
    assert [row[yes_to_all] for row in table] == [(2.0, 0.0), (1.0, 1.0), (0.0, 2.0)]
    assert [row[no_to_all] for row in table] == [(0.0, 0.0)] * 3
    for row, proposal in enumerate(table):
        for column, payoffs in enumerate(proposal):
            accepts = not column >> (2 - row) & 1
            assert payoffs == ((2.0 - row, float(row)) if accepts else (0.0, 0.0))


def test_8_1_the_normal_form_is_a_game_again():
    table = normal_form(game("share"))
    matrix = Matrix(table)
    assert matrix.shape == (3, 8)
    assert matrix.traits.simultaneous
    assert not matrix.traits.zero_sum
    for row, column in product(range(3), range(8)):
        s = matrix.play(matrix.initial(), row, column)
        assert (matrix.utility(s, 0), matrix.utility(s, 1)) == table[row][column]
        pure = [1.0 if i == row else 0.0 for i in range(3)], [1.0 if i == column else 0.0 for i in range(8)]
        assert matrix[pure] == table[row][column]
    assert [len(sets) for sets in information_sets(matrix)] == [1, 1]


def test_8_1_rock_paper_scissors_has_1_and_1_information_sets_and_3_by_3_strategies():
    of = game("rock_paper_scissors")
    assert [len(sets) for sets in information_sets(of)] == [1, 1]
    assert normal_form(of) == [
        [(0, 0), (-1, 1), (1, -1)],
        [(1, -1), (0, 0), (-1, 1)],
        [(-1, 1), (1, -1), (0, 0)],
    ]
    assert of.payoffs.shape == (3, 3, 2)


def test_8_1_a_tree_with_an_information_set_is_the_same_table():
    table = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    tree = Tree([move(1, row, information_set="unseen") for row in table])
    assert normal_form(tree) == normal_form(game("rock_paper_scissors")) == normal_form(Matrix(table))
    assert zermelo.sequence_form(tree).value == pytest.approx(0.0)


def test_8_1_without_the_set_the_second_player_has_27_strategies():
    table = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    seen = normal_form(Tree(table))
    assert (len(seen), {len(row) for row in seen}) == (3, {27})
    assert zermelo.minimax(Tree(table)).value == -1.0, "who is seen loses"


def test_8_1_kuhn_poker_has_64_by_64_strategies_and_no_pure_one_is_best():
    of = game("kuhn_poker")
    assert [len(sets) for sets in information_sets(of)] == [6, 6]
    table = normal_form(of)
    assert (len(table), len(table[0])) == (64, 64)
    # Pure strategies cannot promise what mixed ones can: player 0 has -1/18 by mixing.
    best_pure = max(min(cell[0] for cell in row) for row in table)
    assert best_pure < zermelo.sequence_form(of).value < min(max(row[j][0] for row in table) for j in range(64))


def test_8_1_mixing_strategies_is_mixing_rows():
    of = game("share")
    table = Matrix(normal_form(of))
    thirds, eighths = [1 / 3] * 3, [1 / 8] * 8
    uniform = expected_values(of, [Policy.uniform(of)] * 2)
    assert table[thirds, eighths] == pytest.approx(uniform)


def test_8_1_prisoners_dilemma_is_a_table_of_two_by_two():
    of = game("prisoners_dilemma")
    table = normal_form(of)
    cooperate, defect = 0, 1
    assert (len(table), len(table[0])) == (2, 2)
    for other in (cooperate, defect):
        assert table[defect][other][0] > table[cooperate][other][0]
        assert table[other][defect][1] > table[other][cooperate][1]
    assert all(x < y for x, y in zip(table[defect][defect], table[cooperate][cooperate], strict=True))


@pytest.mark.parametrize("name", ["share", "rock_paper_scissors", "prisoners_dilemma", "kuhn_poker"])
def test_8_1_the_package_makes_the_same_tables_and_sets(name):
    of = game(name)
    table, form = zermelo.normal_form(of), zermelo.extensive_form(of)
    by_hand = normal_form(of)
    assert table.shape == (len(by_hand), len(by_hand[0]))
    assert [len(form.sets_of(player)) for player in (0, 1)] == [len(sets) for sets in information_sets(of)]
    assert form.perfect_recall
    # Kuhn poker's sets are met in another order in a walk of the tree, so its rows stand in another order, too.
    made = [[tuple(map(float, table.payoffs[i, j])) for j in range(table.shape[1])] for i in range(table.shape[0])]
    assert sorted(round(cell[0], 9) for row in made for cell in row) == pytest.approx(
        sorted(cell[0] for row in by_hand for cell in row)
    )
    if name != "kuhn_poker":
        assert made == [[tuple(map(float, cell)) for cell in row] for row in by_hand]


def test_8_1_two_trees_with_the_same_normal_form_one_of_perfect_information_and_one_not():
    seen = Tree({"out": (2, 2), "in": move(1, {"yield": (3, 1), "fight": (0, 0)})})
    unseen = Tree({
        "out": move(1, {"yield": (2, 2), "fight": (2, 2)}, information_set="dark"),
        "in": move(1, {"yield": (3, 1), "fight": (0, 0)}, information_set="dark"),
    })  # fmt: skip
    assert not seen.traits.hidden
    assert unseen.traits.hidden
    one, two = zermelo.normal_form(seen), zermelo.normal_form(unseen)
    assert one.payoffs.tolist() == two.payoffs.tolist() == [[[2, 2], [2, 2]], [[3, 1], [0, 0]]]
    equilibria = [{tuple(map(tuple, e.profile)) for e in zermelo.pure_equilibria(g)} for g in (seen, unseen)]
    assert equilibria[0] == equilibria[1] == {((1, 0), (0, 1)), ((0, 1), (1, 0))}
    # The table cannot tell them apart; the tree can: a threat to fight is empty only where the entry is seen.
    assert len(zermelo.subgame_perfect(seen, all=True)) == 1
    assert len(zermelo.subgames(unseen)) == 1 < len(zermelo.subgames(seen))


# --- 8.2 Nash equilibria ---------------------------------------------------------------------------------------------


def by_name(table, equilibrium):
    """What everybody plays in a pure equilibrium."""
    return tuple(labels[own.index(1)] for labels, own in zip(table.labels, equilibrium.profile, strict=True))


def is_equilibrium(table, profile):
    """Whether no other action earns more, exactly."""
    values = table[tuple(profile)]
    for player, own in enumerate(profile):
        for action in range(len(own)):
            pure = [Fraction(int(i == action)) for i in range(len(own))]
            changed = tuple(pure if p == player else strategy for p, strategy in enumerate(profile))
            if table[changed][player] > values[player]:
                return False
    return True


def test_8_2_share_has_nine_pure_equilibria():
    of = game("share")
    table = zermelo.normal_form(of)
    found = {by_name(table, one) for one in nash(of, all=True, exact=True, method="pure")}
    assert found == {
        ("keep", "yes yes yes"), ("keep", "yes yes no"), ("keep", "yes no yes"), ("keep", "yes no no"),
        ("keep", "no no yes"), ("keep", "no no no"), ("share", "no yes yes"), ("share", "no yes no"),
        ("give", "no no yes"),
    }  # fmt: skip


def test_8_2_share_has_21_extreme_equilibria_in_4_sets_of_1_component():
    of = game("share")
    found = nash(of, all=True, exact=True)
    assert (len(found), found.complete) == (21, True)
    assert sum(one.is_pure for one in found) == 9
    (component,) = found.components
    assert len(component) == 4
    table = Matrix([[[Fraction(x) for x in cell] for cell in row] for row in zermelo.normal_form(of).payoffs.tolist()])
    assert all(is_equilibrium(table, one.profile) for one in found)
    # Mixtures within a set are equilibria too: the one in the middle of each.
    for subset in component:
        middle = []
        for player in (0, 1):
            strategies = list(dict.fromkeys(found[i].profile[player] for i in subset))
            middle.append([sum(column) / len(strategies) for column in zip(*strategies, strict=True)])
        assert is_equilibrium(table, middle)


def test_8_2_rock_paper_scissors_has_one_equilibrium_and_no_pure_one():
    of = game("rock_paper_scissors")
    assert len(nash(of, all=True, method="pure")) == 0
    (only,) = found = nash(of, all=True, exact=True)
    assert found.complete
    assert only.profile == ((Fraction(1, 3),) * 3,) * 2
    assert (only.values, only.regret) == ((0, 0), 0)


def test_8_2_the_prisoners_equilibrium_is_worse_for_both():
    of = game("prisoners_dilemma")
    (only,) = found = nash(of, all=True, exact=True)
    assert found.complete
    assert by_name(of, only) == ("defect", "defect")
    assert any(all(x > y for x, y in zip(cell, only.values, strict=True)) for row in of.payoffs for cell in row)
    assert (1, 1) not in [outcome.payoffs for outcome in zermelo.pareto_front(of)]


@pytest.mark.parametrize(
    "of",
    [Matrix([[0, 0], [0, 0]]), Matrix([[1, 2, 3], [4, 5, 6]], [[6, 5, 4], [1, 2, 3]]), game("odd_man_out"),
     game("battle_of_the_sexes"), game("blotto", coins=3), game("kuhn_poker"), Tree([[3, 12, 8], [2, 4, 6]])],
    ids=lambda of: of.name,
)  # fmt: skip
def test_8_2_every_finite_game_has_one(of):
    (one,) = nash(of, exact=True)
    assert one.regret == 0


# --- 8.3 backward induction ------------------------------------------------------------------------------------------


def test_8_3_share_has_two_pure_subgame_perfect_equilibria():
    of = game("share")
    form = zermelo.extensive_form(of)
    found = {plan_names(form, one.policy): one.values for one in subgame_perfect(of, all=True) if one.is_pure}
    assert found == {("keep", "yes yes yes"): (2, 0), ("share", "no yes yes"): (1, 1)}


def test_8_3_the_repeated_dilemma_is_defected_to_the_end():
    of = game("repeated_prisoners_dilemma", rounds=3)
    (one,) = subgame_perfect(of, all=True)
    assert one.values == (3, 3)
    assert set(plan_names(zermelo.extensive_form(of), one.policy)[0].split()) == {"defect"}


# --- 8.4 mixed play, best responses ----------------------------------------------------------------------------------


def test_8_4_paper_exploits_too_much_rock():
    of = game("rock_paper_scissors")
    rock, paper = 0, 1
    rocky = Policy(of, lambda view: {0: 0.5, 1: 0.25, 2: 0.25})
    value, answer = best_response(of, {1: rocky}, 0)
    assert answer(of.initial())[paper] == 1
    assert value == pytest.approx(0.25)
    assert of[(0, 1, 0), (0.5, 0.25, 0.25)] == (0.25, -0.25)
    assert exploitability(of, [rocky, Policy.uniform(of)]) == pytest.approx(0.125)
    assert exploitability(of, Policy.uniform(of)) == 0
    assert exploitability(of, Policy(of, lambda view: rock)) == 1


def test_8_4_expected_utilities_are_exact():
    of = game("battle_of_the_sexes")
    assert of[(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))] == (Fraction(2, 3), Fraction(2, 3))
    assert of[(1, 0), (Fraction(1, 3), Fraction(2, 3))] == (Fraction(2, 3), Fraction(1, 3))


# --- 8.5 regret matching ---------------------------------------------------------------------------------------------


def test_8_5_regrets_after_rock_against_paper():
    of = game("rock_paper_scissors")
    rock, paper = 0, 1
    assert regrets(of, 0, (rock, paper)) == (0, 1, 2)


def test_8_5_regrets_become_the_next_strategy():
    assert matched((0, 1, 2)) == (0, Fraction(1, 3), Fraction(2, 3))
    assert matched((-1, 1, 2)) == (0, Fraction(1, 3), Fraction(2, 3))
    assert matched((-1, -1, 0)) == (Fraction(1, 3),) * 3


def test_8_5_the_average_converges_and_the_current_play_does_not():
    of = game("rock_paper_scissors")
    played = regret_matching(of, iterations=10_000, seed=1)
    way = played.trajectory
    assert played.regret < 0.03
    assert played.average[0] == pytest.approx((1 / 3,) * 3, abs=0.03)
    for player in (0, 1):
        assert way.average[player][-1] == pytest.approx(played.average[player])
        late = len(way) // 2
        assert way.average[player][late:].std(axis=0).max() < 0.02 < way.current[player][late:].std(axis=0).max()
    assert way.current[0].shape == way.average[0].shape == (len(way.times), 3)


def test_8_5_the_highest_summed_regret_instead():
    assert highest((-1, 1, 2)) == (0, 0, 1)
    assert highest((0, 3, 3)) == (0, Fraction(1, 2), Fraction(1, 2))
    hands = game("rock_paper_scissors")
    found = zermelo.regret_matching(hands, iterations=5_000, seed=2, choose="highest")
    for strategy, total in zip(found.current, found.regrets, strict=True):
        assert strategy == highest(total), "always one action, or ties"
    assert all(abs(p - 1 / 3) < 0.05 for own in found.average for p in own)
    exploited = zermelo.regret_matching(hands, against=(0.5, 0.25, 0.25), choose="highest")
    assert exploited.average[0][1] > 0.9
    with pytest.raises(zermelo.BadParameter, match='"matched" or "highest"'):
        zermelo.regret_matching(hands, choose="best")


def test_8_5_regret_learns_paper_against_too_much_rock():
    played = regret_matching(game("rock_paper_scissors"), iterations=5_000, seed=2, against=(0.5, 0.25, 0.25))
    rock, paper, scissors = played.average[0]
    assert paper > 0.9 > rock + scissors
    assert played.regret < 0.02


# --- 8.6 counterfactual regret minimisation --------------------------------------------------------------------------


def kuhn_policy(of, bluff):
    """Kuhn's family: player 0 bets the jack with odds `bluff` and the king three times as often."""
    third = Fraction(1, 3)
    jack, queen, king = range(3)
    bets = {
        (0, jack, False): bluff, (0, queen, False): 0, (0, king, False): 3 * bluff,
        (0, jack, True): 0, (0, queen, True): bluff + third, (0, king, True): 1,
        (1, jack, False): third, (1, queen, False): 0, (1, king, False): 1,
        (1, jack, True): 0, (1, queen, True): third, (1, king, True): 1,
    }  # fmt: skip
    chosen = {}
    for s in zermelo.extensive_form(of).sets:
        odds = bets[s.player, s.view.card, s.view.bettor >= 0]
        chosen[s.player, s.view] = {0: 1 - odds, 1: odds}
    return Behaviour(of, chosen)


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 7), Fraction(1, 3)])
def test_8_6_the_known_family_of_equilibria_of_kuhn_poker(bluff):
    of = game("kuhn_poker")
    policy = kuhn_policy(of, bluff)
    assert exploitability(of, policy) == pytest.approx(0, abs=1e-12)
    assert expected_values(of, [policy, policy])[0] == pytest.approx(-1 / 18)


def test_8_6_cfr_comes_to_the_family():
    of = game("kuhn_poker")
    found = cfr(of, iterations=2_000, device="python")
    assert found.value == pytest.approx(-1 / 18, abs=1e-4)
    assert found.exploitability < 1e-3
    deal = [of.play(of.initial(), *cards) for cards in ((0, 1), (1, 0), (2, 0))]
    jack, queen, king = (found.policy(s)[1] for s in deal)
    assert 0 <= jack <= 1 / 3 + 0.02
    assert queen == pytest.approx(0, abs=0.02)
    assert king == pytest.approx(3 * jack, abs=0.05)
    bluffs = found.policy(of.play(of.initial(), 1, 0, 0))[1]
    assert bluffs == pytest.approx(1 / 3, abs=0.02)


def test_8_6_kuhn_poker_is_worth_exactly_minus_an_eighteenth():
    of = game("kuhn_poker")
    assert zermelo.sequence_form(of, exact=True).value == Fraction(-1, 18)
    assert zermelo.lemke(of).values == (Fraction(-1, 18), Fraction(1, 18))


def test_8_6_leduc_poker():
    of = game("leduc_poker")
    assert zermelo.sequence_form(of).value == pytest.approx(-0.085606424, abs=1e-9)
    found = cfr(of, until=2e-3)
    assert found.exploitability <= 2e-3
    # Each player can be held to the value but for what a best response gains.
    assert abs(found.value + 0.085606424) <= max(found.gains)


# --- 8.8 several players, simultaneous moves, general sums -----------------------------------------------------------


def test_8_8_three_at_the_bar():
    of = game("el_farol")
    found = nash(of, all=True)
    assert all(one.regret < 1e-9 for one in found)
    assert sum(one.is_pure for one in found) == 3
    mixed = [one for one in found if min(map(min, one.profile)) > 0]
    (symmetric,) = mixed
    for strategy in symmetric.profile:
        assert strategy[1] == pytest.approx(1 / sqrt(2)), "the odds to go are irrational"


def test_8_8_three_at_odd_man_out():
    found = nash(game("odd_man_out"), all=True)
    profiles = {tuple(tuple(round(p, 6) for p in own) for own in one.profile) for one in found}
    assert {((1, 0),) * 3, ((0, 1),) * 3, ((0.5, 0.5),) * 3} <= profiles
    assert all(one.regret < 1e-9 and len(one.gains) == 3 for one in found)


def test_8_8_three_at_kuhn_poker_with_their_regret():
    of = game("kuhn_poker", players=3)
    found = cfr(of, iterations=100, device="python")
    assert len(found.values) == len(found.gains) == 3
    assert 0 < max(found.gains) == found.regret < 0.01
    assert sum(found.values) == pytest.approx(0)
    assert "3 players" in found.note


def test_8_8_a_device_does_better_than_equilibria_without_one():
    chicken = Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], labels=("swerve", "dare"))
    device = zermelo.correlated(chicken)
    assert device.welfare == Fraction(21, 2)
    assert device.slack >= 0
    assert device.welfare > max(sum(one.values) for one in nash(chicken, all=True, exact=True))
