"""Block 7, chance, hidden cards, hidden moves: information sets, 'higher takes', the trails (7.1 to 7.3)."""

import re
from fractions import Fraction

import pytest

import zermelo
from zermelo import CHANCE, Policy, UnsuitableGame, expected_values, game, opened, sequence_form
from zermelo.equilibrium.nash.both_sides import best_policies, whole_tree

# --- 7.1 information sets --------------------------------------------------------------------------------------------


def joined(of):
    """The information sets of a recorded tree: for each player, the sizes of its sets."""
    sets = {}
    for node in whole_tree(of, None).root.walk():
        if node.information_set is not None:
            sets.setdefault(node.information_set, []).append(node)
    for nodes in sets.values():
        actions = [[child.action for child in node.children] for node in nodes]
        assert actions.count(actions[0]) == len(actions), "nodes of one set have the same actions"
        assert len({node.player for node in nodes}) == 1
    return [sorted(len(nodes) for (owner, _), nodes in sets.items() if owner == p) for p in range(of.players)]


def drawn_sets(of):
    """The number of strokes that join nodes in the picture."""
    return len(re.findall(r'class="information-set ', whole_tree(of, None).svg()))


def test_7_1_rock_paper_scissors():
    of = game("rock_paper_scissors")
    assert joined(of) == [[1], [3]]
    assert len(whole_tree(of, None)) == 1 + 3 + 9
    assert drawn_sets(of) == 2, "three nodes in a row are joined by two strokes"
    labels = [child.name for child in whole_tree(of, None).root.children]
    assert labels == ["rock", "paper", "scissors"]


def test_7_1_kuhn_poker():
    of = game("kuhn_poker")
    # Each player has 3 cards and 2 situations with each: 6 sets, of one node for each card that the other may have.
    assert joined(of) == [[2] * 6, [2] * 6]
    tree = whole_tree(of, None)
    assert len(tree) == 1 + 3 + 6 + 6 * (2 + 4 + 2)
    assert sum(node.kind == "chance" for node in tree.root.walk()) == 4
    assert drawn_sets(of) == 12


def test_7_1_three_at_kuhn_poker():
    sizes = joined(game("kuhn_poker", players=3))
    assert [len(sets) for sets in sizes] == [4 * 4] * 3
    assert {size for sets in sizes for size in sets} == {6}


def test_7_1_battleship():
    of = game("battleship", rows=1, cols=2, ships=(1,), shots=1)
    # Nobody sees where the other's ship lies: two nodes look alike but for the first.
    assert joined(of) == [[1, 2, 2], [2, 2, 2]]
    assert drawn_sets(of) == 5
    form = zermelo.extensive_form(game("battleship"))
    assert form.perfect_recall
    assert max(len(s.nodes) for s in form.sets) > 1


def test_7_1_open_games_have_none():
    assert not any(node.information_set for node in whole_tree(game("bucket"), None).root.walk())
    assert joined(opened(game("kuhn_poker"))) == [[], []]


def test_7_1_a_tree_typed_by_hand():
    dark = {"up": 1, "down": -1}, {"up": -1, "down": 1}
    of = zermelo.Tree([zermelo.move(1, branch, information_set="dark") for branch in dark])
    assert joined(of) == [[1], [2]]
    assert drawn_sets(of) == 1


def test_7_1_searches_that_see_everything_refuse_hidden_information():
    for method in (zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn):
        with pytest.raises(UnsuitableGame, match=r"hides information .*opened\(kuhn_poker\)"):
            method(game("kuhn_poker"))


def test_7_1_equilibrium_play_in_words():
    of = game("rock_paper_scissors")
    found = best_policies(of)[0].situations()
    assert [situation.player for situation in found] == [0, 1]
    for situation in found:
        assert list(situation.named) == ["rock", "paper", "scissors"]
        assert list(situation.odds.values()) == pytest.approx([1 / 3] * 3)


def test_7_1_kuhn_poker_is_worth_minus_an_eighteenth():
    of = game("kuhn_poker")
    found = sequence_form(of)
    assert found.value == pytest.approx(float(Fraction(-1, 18)))
    assert found.values[1] == pytest.approx(float(Fraction(1, 18)))
    assert expected_values(of, best_policies(of))[0] == pytest.approx(-1 / 18)


# --- 7.2 higher takes ------------------------------------------------------------------------------------------------

LEADS = ["♥6", "♦6", "♣9", "♣8"]


def named(found):
    """The values of the first moves by the names of the cards."""
    return {found.game.format_action(found.state, action): round(float(v), 6) for action, v in found.moves.items()}


@pytest.mark.parametrize("four", ["hearts", "diamonds"])
@pytest.mark.parametrize("search", [zermelo.minimax, sequence_form])
def test_7_2_open_every_lead_gives_two_tricks_each(four, search):
    found = search(game("higher_takes", four=four))
    assert found.value == pytest.approx(0.0)
    assert named(found) == dict.fromkeys(LEADS, 0.0)


def test_7_2_hidden_a_club_expects_one_less():
    of = game("higher_takes", hidden=True)
    found = sequence_form(of)
    s = of.play(of.initial(), next(iter(of.actions(of.initial()))))
    values = {of.format_action(s, action): round(float(value), 6) for action, value in found.moves.items()}
    assert values == {"♥6": 0.0, "♦6": 0.0, "♣9": -1.0, "♣8": -1.0}
    assert found.value == pytest.approx(0.0)


def test_7_2_averaging_over_open_games_sees_no_difference():
    of = game("higher_takes", hidden=True)
    first = of.initial()
    average = dict.fromkeys(LEADS, 0.0)
    for four in of.actions(first):
        seen = zermelo.minimax(game("higher_takes"), game("higher_takes").State(*of.result(first, four)))
        for lead, value in named(seen).items():
            average[lead] += of.probability(first, four) * value
    assert average == dict.fromkeys(LEADS, 0.0)
    assert zermelo.expectiminimax(opened(of)).value == 0.0


def test_7_2_the_loss_is_real():
    # Max leads ♣9 and plays its best from there on: against the best Min it expects one trick less than it loses.
    of = game("higher_takes", hidden=True)

    class LeadsNine(zermelo.games.HigherTakes):
        """Max must lead ♣9."""

        def may_play(self, s, card):
            return card == 2 if s.turns == 0 else super().may_play(s, card)

    assert sequence_form(LeadsNine(hidden=True)).value == pytest.approx(-1.0)
    assert expected_values(of, best_policies(of))[0] == pytest.approx(0.0)


# --- 7.3 the trails --------------------------------------------------------------------------------------------------


def test_7_3_take_a():
    of = game("trails")
    found = sequence_form(of)
    s = of.play(of.initial(), 0)
    assert of.format_action(s, found.action) == "A"
    assert found.value == pytest.approx(1.0)
    assert {of.format_action(s, a): float(v) for a, v in found.moves.items()} == pytest.approx({"A": 1.0, "B": -3.5})


def test_7_3_averaging_open_games_says_b():
    of = game("trails")
    average = {"A": 0.0, "B": 0.0}
    for way in of.actions(of.initial()):
        s = of.result(of.initial(), way)
        seen = zermelo.expectimax(opened(of), s)
        for action, value in seen.moves.items():
            average[of.format_action(s, action)] += of.probability(of.initial(), way) * value
    assert average == {"A": 1.0, "B": 3.0}
    assert zermelo.expectiminimax(opened(of)).value == 3.0


def test_7_3_the_traveller_who_believes_the_average_is_run_over_half_the_time():
    of = game("trails")
    believer = Policy(of, lambda place: 1)
    assert expected_values(of, [believer]) == (0.5 * 3.0 + 0.5 * -10.0,)
    assert of.to_move(of.initial()) == CHANCE
