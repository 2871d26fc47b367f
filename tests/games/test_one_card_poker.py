"""One-card poker: Kuhn poker with three cards, Gordon's value with thirteen."""

import pytest

import zermelo
from zermelo import BadParameter
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.games.kuhn_poker import KuhnPoker
from zermelo.games.one_card_poker import OneCardPoker


def test_three_cards_are_kuhn_poker():
    game, kuhn = OneCardPoker(cards=3), KuhnPoker()
    stack = [(game.initial(), kuhn.initial())]
    while stack:
        s, other = stack.pop()
        assert game.is_terminal(s) == kuhn.is_terminal(other)
        if game.is_terminal(s):
            assert [game.utility(s, p) for p in (0, 1)] == [kuhn.utility(other, p) for p in (0, 1)]
            continue
        assert game.to_move(s) == kuhn.to_move(other)
        assert list(game.actions(s)) == list(kuhn.actions(other))
        stack += [(game.result(s, a), kuhn.result(other, a)) for a in game.actions(s)]
    assert zermelo.sequence_form(game).value == pytest.approx(-1 / 18)


def test_thirteen_cards():
    game = OneCardPoker()
    form = extensive_form(game)
    assert [len(form.sets_of(player)) for player in (0, 1)] == [26, 26]
    assert zermelo.sequence_form(game).value == pytest.approx(-0.0641, abs=5e-4)


def test_a_larger_bet():
    game = OneCardPoker(cards=5, bet=3)
    s = game.play(game.initial(), 4, 0, 0, 1, 1)
    assert game.text(s) == "5 1 | check bet call"
    assert [game.utility(s, p) for p in (0, 1)] == [4.0, -4.0]
    s = game.play(game.initial(), 4, 0, 0, 1, 0)
    assert game.text(s, 0) == "5 ? | check bet fold"
    assert [game.utility(s, p) for p in (0, 1)] == [-1.0, 1.0]


@pytest.mark.parametrize("parameters", [{"cards": 1}, {"bet": 0}, {"cards": 1_000_000}])
def test_bad_parameters(parameters):
    with pytest.raises(BadParameter, match="one_card_poker"):
        OneCardPoker(**parameters)
