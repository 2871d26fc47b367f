"""Goofspiel: OpenSpiel's trees, ties, hidden bids, and fair values."""

import pytest

import zermelo
from zermelo import CHANCE, BadParameter
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.games.goofspiel import Goofspiel

SAME = [
    ("num_cards=3,imp_info=True,points_order=random", {"cards": 3, "hidden": True}),
    ("num_cards=4,imp_info=True,points_order=descending", {"hidden": True, "order": "descending"}),
    (
        "num_cards=3,imp_info=True,points_order=ascending,players=3",
        {"cards": 3, "hidden": True, "order": "ascending", "players": 3},
    ),
]


@pytest.mark.parametrize(("text", "parameters"), SAME)
def test_the_same_tree_as_open_spiel(text, parameters):
    pyspiel = pytest.importorskip("pyspiel")
    game = Goofspiel(**parameters)
    theirs = pyspiel.convert_to_turn_based(pyspiel.load_game(f"goofspiel({text})"))
    stack = [(game.initial(), theirs.new_initial_state())]
    sets = set()
    while stack:
        s, other = stack.pop()
        assert game.is_terminal(s) == other.is_terminal()
        if other.is_terminal():
            assert [game.utility(s, p) for p in range(game.players)] == pytest.approx(other.returns())
            continue
        assert game.to_move(s) == (CHANCE if other.is_chance_node() else other.current_player())
        if not other.is_chance_node():
            sets.add((other.current_player(), other.information_state_string()))
        # Cards are counted from 0 there.
        assert [a - 1 for a in game.actions(s)] == other.legal_actions()
        stack += [(game.result(s, a), other.child(a - 1)) for a in game.actions(s)]
    assert len(sets) == len(extensive_form(game).sets)


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
def test_two_equal_players_are_worth_nothing(order, hidden):
    game = Goofspiel(cards=3, order=order, hidden=hidden)
    assert extensive_form(game).perfect_recall
    assert zermelo.sequence_form(game).value == pytest.approx(0.0, abs=1e-9)


def played(game, *bids):
    s = game.initial()
    for card in bids:
        s = game.play(s, card)
    return s


@pytest.mark.parametrize(("ties", "points"), [("discard", (1, 2)), ("split", (2.5, 3.5)), ("carry", (1, 5))])
def test_ties(ties, points):
    game = Goofspiel(cards=3, order="descending", ties=ties, payoff="points")
    s = played(game, 3, 3, 1, 2)  # a tie for the 3; the 2 to player 1; the 1 to player 0, with the last cards
    assert game.is_terminal(s)
    assert s.points == tuple(12 * own for own in points)
    assert game.utility(s, 0) == points[0] - points[1]


def test_what_is_seen():
    opened, closed = (Goofspiel(cards=3, order="descending", hidden=hidden) for hidden in (False, True))
    first = [played(game, 3, 2) for game in (opened, closed)]
    assert opened.text(first[0], 1) == "prizes: 3 2\nplayer 0: 3\nplayer 1: 2\npoints: 3, 0"
    assert closed.text(first[1], 1) == "prizes: 3 2\nplayer 0: ?\nplayer 1: 2\npoints: 3, 0"
    assert opened.view(opened.play(first[0], 1), 1) == opened.view(opened.play(first[0], 2), 1)


@pytest.mark.parametrize(
    "parameters",
    [{"cards": 1}, {"cards": 16}, {"players": 1}, {"players": 5}, {"order": "none"}, {"ties": "x"}, {"payoff": "x"}],
)
def test_bad_parameters(parameters):
    with pytest.raises(BadParameter, match="goofspiel"):
        Goofspiel(**parameters)
