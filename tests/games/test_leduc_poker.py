"""Leduc poker: the published size and value, the betting, the pot, and OpenSpiel's tree."""

import pytest

import zermelo
from zermelo import CHANCE, BadParameter, IllegalAction
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.games.leduc_poker import CALL, FOLD, RAISE, LeducPoker

VALUE = -0.085606424


def dealt(game, *cards):
    s = game.initial()
    for card in cards:
        s = game.play(s, game.parse_action(s, card))
    return s


def said(game, s, *words):
    for word in words:
        s = game.play(s, game.parse_action(s, word))
    return s


def test_the_tree_is_the_published_one():
    form = extensive_form(LeducPoker())
    assert len(form) == 9457
    assert len(form.payoffs) == 5520
    assert [len(form.sets_of(player)) for player in (0, 1)] == [468, 468]
    assert form.perfect_recall


def test_the_value():
    assert zermelo.sequence_form(LeducPoker()).value == pytest.approx(VALUE, abs=1e-8)


def test_the_same_tree_as_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    game = LeducPoker()
    stack = [(game.initial(), pyspiel.load_game("leduc_poker").new_initial_state())]
    nodes = 0
    while stack:
        s, other = stack.pop()
        nodes += 1
        assert game.is_terminal(s) == other.is_terminal()
        if other.is_terminal():
            assert [game.utility(s, 0), game.utility(s, 1)] == other.returns()
            continue
        assert game.to_move(s) == (CHANCE if other.is_chance_node() else other.current_player())
        assert list(game.actions(s)) == other.legal_actions()
        stack += [(game.result(s, a), other.child(a)) for a in other.legal_actions()]
    assert nodes == 9457


def test_betting():
    game = LeducPoker()
    s = dealt(game, "Js", "Kh")
    assert list(game.actions(s)) == [CALL, RAISE], "there is nothing to fold to"
    s = said(game, s, "bet", "raise")
    assert list(game.actions(s)) == [FOLD, CALL], "two raises are the most"
    assert s.paid == (3, 5)
    s = said(game, s, "call")
    assert game.to_move(s) == CHANCE
    assert "J♠" not in [game.format_action(s, a) for a in game.actions(s)]
    assert sum(game.probability(s, a) for a in game.actions(s)) == pytest.approx(1)
    s = said(game, s, "Jh", "check", "bet", "call")
    assert s.paid == (9, 9)
    assert game.text(s) == "J♠ K♥ | bet raise call | J♥: check bet call"
    assert (game.utility(s, 0), game.utility(s, 1)) == (9.0, -9.0), "a pair beats a king"


def test_a_fold_shows_nothing_and_ends_the_game():
    game = LeducPoker()
    s = said(game, dealt(game, "Qs", "Qh"), "bet", "fold")
    assert game.is_terminal(s)
    assert (game.utility(s, 0), game.utility(s, 1)) == (1.0, -1.0)
    assert game.text(s, 1) == "? Q♥ | bet fold"
    with pytest.raises(IllegalAction, match="over"):
        game.play(s, CALL)


def test_equal_cards_share():
    game = LeducPoker()
    s = said(game, dealt(game, "Qs", "Qh"), "check", "check", "K♠", "bet", "call")
    assert [game.utility(s, p) for p in (0, 1)] == [0.0, 0.0]


def test_three_players():
    game = LeducPoker(players=3)
    s = dealt(game, "Qs", "Ah", "Ks")
    assert game.to_move(s) == 0
    s = said(game, s, "check", "bet", "call", "fold")
    assert game.to_move(s) == CHANCE
    s = said(game, s, "As")
    assert game.to_move(s) == 1, "player 0 is out"
    s = said(game, s, "bet", "raise", "call")
    assert game.is_terminal(s)
    assert [game.utility(s, p) for p in range(3)] == [-1.0, 12.0, -11.0]
    assert game.text(s, 1) == "? A♥ K♠ | check bet call fold | A♠: bet raise call"


@pytest.mark.parametrize("players", [1, 6, -1])
def test_bad_numbers_of_players(players):
    with pytest.raises(BadParameter, match="2 to 5"):
        LeducPoker(players=players)
