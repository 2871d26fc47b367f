"""Equilibria in words and for notebooks, and trees with the odds of all branches."""

import math

import pytest

from zermelo import (
    Behaviour,
    Equilibria,
    Equilibrium,
    Matrix,
    Policy,
    cfr,
    game,
    nash,
    quantal_response,
    resolve,
    sequence_form,
    subgame_perfect,
)
from zermelo.equilibrium.nash.both_sides import whole_tree


def test_a_list_of_equilibria():
    found = nash(game("battle_of_the_sexes"), all=True, exact=True)
    assert str(found).splitlines() == [
        "battle_of_the_sexes: 3 equilibria, complete, vertex enumeration",
        "   she                    he                     values",
        "0  ballet                 ballet                 2, 1",
        "1  fight                  fight                  1, 2",
        "2  2/3 ballet, 1/3 fight  1/3 ballet, 2/3 fight  2/3, 2/3",
    ]
    html = found._repr_html_()
    assert html.count("<svg") == 1
    assert html.count("<table>") == 2


def test_plans_and_mixtures():
    lines = str(nash(game("share"), all=True, exact=True)).splitlines()
    assert lines[1].split() == ["player", "0", "player", "1", "values"]
    assert lines[2].split() == ["0", "keep", "yes", "yes", "yes", "2,", "0"]
    assert [line for line in lines if "mixtures" in line][1] == "all mixtures of 4, 8 are equilibria too"


def test_one_equilibrium():
    text = str(nash(Matrix([[1, -1], [-1, 1]]), exact=True)[0])
    assert "  row     1/2 0, 1/2 1\n" in text
    assert "regret 0" in text
    assert str(Equilibria([], complete=True)) == "0 equilibria, complete"


def test_play_without_a_table():
    found = cfr(game("kuhn_poker"), iterations=20, device="python")
    text, html = str(found), found._repr_html_()
    assert len([line for line in text.splitlines() if line.startswith("  player")]) == 12
    assert "exploitability" in text
    assert "20 iterations" in text
    assert "information set" in html


def test_large_games_are_only_summed_up():
    uniform = Policy.uniform(game("leduc_poker"))
    large = Equilibrium((), (0.0, 0.0), 1.0, "cfr+", uniform.game, uniform)
    assert str(large).splitlines() == ["leduc_poker: cfr+", "values  0, 0", "regret 1, 0 s"]
    assert "<svg" not in large._repr_html_()
    unassessed = Equilibrium((), (0.0, 0.0), math.nan, "external", uniform.game, uniform)
    assert "regret unknown" in str(unassessed)


def test_branches_off_the_path_have_odds_too():
    (found, *_) = subgame_perfect(game("share"))
    on_path = whole_tree(found.game, found.policy)
    everywhere = whole_tree(found.game, found.policy, off_path=True)
    keep, share, give = on_path.root.children
    assert [node.values for node in (keep, share, give)] == [(2, 0), None, None]
    assert [node.probability for node in share.children] == [None, None]
    keep, share, give = everywhere.root.children
    assert [node.values for node in (keep, share, give)] == [(2, 0), (1, 1), (0, 2)]
    assert [node.probability for node in share.children] == [1, 0]


def test_one_behaviour_serves_all_players():
    kuhn = game("kuhn_poker")
    policy = sequence_form(kuhn).policy
    one, several = whole_tree(kuhn, policy), whole_tree(kuhn, [policy, policy])
    assert one.text() == several.text()
    assert one.root.value == pytest.approx(-1 / 18)


def test_what_a_policy_does_not_say_is_not_drawn():
    share = game("share")
    said = {(0, share.initial()): 0, (1, share.result(share.initial(), 0)): 0}
    tree = whole_tree(share, Behaviour(share, said), off_path=True)
    assert tree.root.values == (2, 0)
    assert [node.value for node in tree.root.children] == [2, None, None]


def test_an_answer_about_a_part_of_the_game_shows_that_part():
    poker = game("kuhn_poker")
    bet = poker.play(poker.initial(), 2, 1, 1)
    found = resolve(poker, bet, Policy.uniform(poker), iterations=50)
    lines = [line for line in str(found).splitlines() if line.startswith("  player")]
    assert len(lines) == 3  # after the bet player 1 holds one of three cards
    assert all(line.startswith("  player 1") and "call" in line for line in lines)
    assert "<svg" in found._repr_html_()


def test_a_path_of_quantal_responses_shows_where_it_ends():
    path = quantal_response(game("stag_hunt"))
    first, *rest = str(path).splitlines()
    assert first.startswith(f"stag_hunt: {len(path)} logit equilibria, precision 0 to ")
    assert "\n".join(rest) == str(path.equilibrium)
    assert len(repr(path)) < 200
    assert path._repr_html_() == path.equilibrium._repr_html_()
