"""Liar's dice: values known from the literature and from OpenSpiel's rules, bids, wild faces and bad parameters."""

from fractions import Fraction

import pytest

import zermelo
from zermelo import CHANCE, BadParameter
from zermelo.equilibrium.forms.extensive import extensive_form
from zermelo.games.liars_dice import LiarsDice

VALUES = {
    # the wild face: the values with 1 die each and 2, 3, ... faces
    False: ["0", "-1/9", "-1/8", "-3/25", "-1/9"],
    "lowest": ["1", "1/3", "0", "0", "-7/327"],
    "highest": ["1/2", "1/9", "1/16", "1/125", "-7/258"],
}
CASES = [(wild, faces, value) for wild, values in VALUES.items() for faces, value in enumerate(values, start=2)]


def value_of(wild, faces):
    return zermelo.sequence_form(LiarsDice(faces=faces, wild=wild)).value


@pytest.mark.parametrize(("wild", "faces", "value"), [case for case in CASES if case[1] <= 4])
def test_known_values(wild, faces, value):
    assert value_of(wild, faces) == pytest.approx(float(Fraction(value)), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("wild", "faces", "value"), [case for case in CASES if case[1] > 4])
def test_known_values_with_more_faces(wild, faces, value):
    assert value_of(wild, faces) == pytest.approx(float(Fraction(value)), abs=1e-9)


@pytest.mark.parametrize("faces", [2, 3])
def test_open_spiel_has_the_highest_face_wild(faces):
    pyspiel = pytest.importorskip("pyspiel")
    game = LiarsDice(faces=faces, wild="highest")
    stack = [(game.initial(), pyspiel.load_game(f"liars_dice(dice_sides={faces})").new_initial_state())]
    sets = set()
    while stack:
        s, other = stack.pop()
        assert game.is_terminal(s) == other.is_terminal()
        if other.is_terminal():
            assert [game.utility(s, 0), game.utility(s, 1)] == other.returns()
            continue
        assert game.to_move(s) == (CHANCE if other.is_chance_node() else other.current_player())
        legal = other.legal_actions()
        # A die shows 1 to n there.
        assert list(game.actions(s)) == ([a - legal[0] for a in legal] if other.is_chance_node() else legal)
        if not other.is_chance_node():
            sets.add((other.current_player(), other.information_state_string()))
        stack += [(game.result(s, own), other.child(a)) for own, a in zip(game.actions(s), legal, strict=True)]
    assert len(sets) == len(extensive_form(game).sets)


def test_dice_are_rolled_at_once():
    game = LiarsDice(dice=2, faces=3)
    s = game.initial()
    odds = {game.format_action(s, a): game.probability(s, a) for a in game.actions(s)}
    assert odds == pytest.approx({"1-1": 1 / 9, "1-2": 2 / 9, "1-3": 2 / 9, "2-2": 1 / 9, "2-3": 2 / 9, "3-3": 1 / 9})


def test_bids_rise():
    game = LiarsDice(dice=1, faces=3)
    s = game.play(game.initial(), 1, 2)
    assert [game.format_action(s, a) for a in game.actions(s)] == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    s = game.play(s, game.parse_action(s, "2x1"))
    assert [game.format_action(s, a) for a in game.actions(s)] == ["2x2", "2x3", "liar"]
    s = game.play(s, game.parse_action(s, "2x3"))
    assert [game.format_action(s, a) for a in game.actions(s)] == ["liar"]
    s = game.play(s, game.parse_action(s, "liar"))
    assert game.text(s, 0) == "2 3 | 2x1 2x3 liar"
    assert [game.utility(s, p) for p in (0, 1)] == [1.0, -1.0]


@pytest.mark.parametrize(
    ("wild", "bid", "is_true"),
    [
        (False, "2x2", False),
        (False, "1x2", True),
        ("lowest", "2x2", True),
        ("lowest", "2x1", False),
        ("highest", "2x2", False),
        ("highest", "2x1", False),
        (True, "2x2", True),
    ],
)
def test_wild_faces(wild, bid, is_true):
    game = LiarsDice(faces=3, wild=wild)
    s = game.play(game.initial(), 0, 1)  # a one and a two
    s = game.play(s, game.parse_action(s, bid))
    s = game.play(s, game.parse_action(s, "liar"))
    assert game.utility(s, 0) == (1.0 if is_true else -1.0)


def test_three_players_pay_only_between_bidder_and_caller():
    game = LiarsDice(players=3, faces=2)
    s = game.play(game.initial(), 0, 0, 0)
    s = game.play(s, game.parse_action(s, "1x2"), game.parse_action(s, "3x1"))
    s = game.play(s, game.parse_action(s, "liar"))
    assert [game.utility(s, p) for p in range(3)] == [0.0, 1.0, -1.0]


def test_the_parameter_has_one_spelling():
    assert LiarsDice(wild=True) == LiarsDice(wild="lowest") == zermelo.game("liars_dice:wild=lowest")


@pytest.mark.parametrize(
    "parameters",
    [{"dice": 0}, {"faces": 0}, {"players": 1}, {"wild": "six"}, {"dice": 6}, {"faces": 32}, {"wild": 1.5}],
)
def test_bad_parameters(parameters):
    with pytest.raises(BadParameter, match="liars_dice"):
        LiarsDice(**parameters)
