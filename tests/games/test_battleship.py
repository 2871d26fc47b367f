"""Battleship: OpenSpiel's tree on a small board, answers to shots, room for ships."""

import pytest

import zermelo
from zermelo import BadParameter
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.games.battleship import Battleship


def test_the_same_tree_as_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    rules = "board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=2"
    theirs = pyspiel.load_game(f"battleship({rules},allow_repeated_shots=false,loss_multiplier=1.0)")
    game = Battleship()
    stack = [(game.initial(), theirs.new_initial_state())]
    nodes, sets = 0, set()
    while stack:
        s, other = stack.pop()
        nodes += 1
        assert game.is_terminal(s) == other.is_terminal()
        if other.is_terminal():
            assert [game.utility(s, p) for p in (0, 1)] == other.returns()
            continue
        assert game.to_move(s) == other.current_player()
        sets.add((other.current_player(), other.information_state_string()))
        pairs = zip(game.actions(s), other.legal_actions(), strict=True)
        stack += [(game.result(s, own), other.child(a)) for own, a in pairs]
    form = extensive_form(game)
    assert (nodes, len(sets)) == (len(form), len(form.sets)) == (3029, 470)
    assert form.perfect_recall


def test_shooting_first_is_an_advantage():
    value = zermelo.sequence_form(Battleship(rows=1, cols=3, ships=(1,), shots=3)).value
    # Each hides in one of three cells and finds the other at the first, second or third shot, all equally likely.
    assert value == pytest.approx(1 / 3)


def test_answers():
    game = Battleship(rows=2, cols=3, ships=(1, 2), shots=4)
    s = game.initial()
    for word in ("a1", "a2-b2", "c2", "b1-c1"):
        s = game.play(s, game.parse_action(s, word))
    for word, answer in (("b1", 1), ("a1", 2), ("c1", 2), ("b1", 0)):
        player = game.to_move(s)
        s = game.play(s, game.parse_action(s, word))
        assert s.answers[player] & 3 == answer
    assert s.sunk == (1, 1)
    assert game.text(s, 0) == "x o .   . x x\n# # .   . . .\nsunk 1 and 1"
    assert game.text(s) == "x o .   . x x\n# # .   . . #\nsunk 1 and 1"


def test_ships_never_lie_on_each_other():
    game = Battleship(rows=2, cols=2, ships=(2, 2), shots=1)
    s = game.play(game.initial(), 0)
    assert [game.format_action(s, a) for a in game.actions(s)] == ["a2-b2"]
    assert Battleship(rows=1, cols=4, ships=(1, 2)), "one cell spoils one half of the board at most"


@pytest.mark.parametrize(
    "parameters",
    [
        {"rows": 0},
        {"rows": 7, "cols": 7},
        {"ships": ()},
        {"ships": (3,)},
        {"ships": (0,)},
        {"shots": 0},
        {"shots": 5},
        {"rows": 1, "cols": 3, "ships": (1, 2)},  # the first ship in the middle leaves no room
        {"rows": 2, "cols": 2, "ships": (2, 2, 1)},
    ],
)
def test_bad_parameters(parameters):
    with pytest.raises(BadParameter, match="battleship"):
        Battleship(**parameters)
