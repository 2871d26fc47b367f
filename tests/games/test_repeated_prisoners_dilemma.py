"""The repeated prisoner's dilemma: what is seen, what is paid, and how large it grows."""

import pytest

import zermelo
from zermelo import BadParameter
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.games.repeated_prisoners_dilemma import COOPERATE, DEFECT, RepeatedPrisonersDilemma


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_size(rounds):
    form = extensive_form(RepeatedPrisonersDilemma(rounds=rounds))
    # A set for each course of the rounds before.
    assert [len(form.sets_of(player)) for player in (0, 1)] == [(4**rounds - 1) // 3] * 2
    assert len(form.payoffs) == 4**rounds
    assert form.perfect_recall


def test_one_round_is_the_prisoners_dilemma():
    once = normal_form(RepeatedPrisonersDilemma(rounds=1))
    assert (once.payoffs == zermelo.game("prisoners_dilemma").payoffs).all()


def test_payoffs_and_text():
    game = RepeatedPrisonersDilemma(rounds=2)
    s = game.play(game.initial(), COOPERATE, DEFECT, DEFECT)
    assert game.text(s, 0) == "CD D; sums 0, 5"
    assert game.text(s, 1) == "CD ?; sums 0, 5"
    assert game.view(s, 1) == game.view(game.play(game.initial(), COOPERATE, DEFECT, COOPERATE), 1)
    assert game.view(s, 0) != game.view(game.play(game.initial(), COOPERATE, DEFECT, COOPERATE), 0)
    s = game.play(s, DEFECT)
    assert game.is_terminal(s)
    assert [game.utility(s, p) for p in (0, 1)] == [1.0, 6.0]
    assert game.text(s, 1) == "CD DD; sums 1, 6"


@pytest.mark.parametrize("rounds", [0, 61])
def test_bad_parameters(rounds):
    with pytest.raises(BadParameter, match="1 to 60 rounds"):
        RepeatedPrisonersDilemma(rounds=rounds)
