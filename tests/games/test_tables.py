"""Payoff tables as games: the tables, what mixed strategies expect, and the games that are nothing but a table."""

import itertools
import math
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.compile import kernel, machine
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games.matching_pennies import MatchingPennies
from zermelo.games.prisoners_dilemma import PrisonersDilemma
from zermelo.games.rock_paper_scissors import RockPaperScissors
from zermelo.matrix import Matrix
from zermelo.traits import total

DILEMMA = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
HALF = Fraction(1, 2)


@kernel
def sweep(game, s, memory, top):
    """A number into which every utility and every view enters."""
    total = 0.0
    for player in range(game.players):
        total = total * 0.9 + game.view(s, player)
    if game.is_over(s):
        for player in range(game.players):
            total = total * 0.7 + game.utility(s, player)
        return total
    end = game.fill(s, memory, top)
    for i in range(top, end):
        total = total * 0.8 + sweep(game, game.result(s, memory[i]), memory, end)
    return total


def cells(game):
    """Each cell's choices and payoffs, read off by playing."""
    for choices in itertools.product(*map(range, game.shape)):
        s = game.play(game.initial(), *choices)
        yield choices, tuple(game.utility(s, p) for p in range(game.players))


@pytest.mark.parametrize(
    "game",
    [
        Matrix([[1, Fraction(1, 3), 2], [-1, 0.5, 7]]),
        Matrix(DILEMMA),
        Matrix([4, 5, 6]),
        Matrix(*[[[[p + i, 2 * i - j * k] for i in range(3)] for j in range(2)] for p, k in ((0, 1), (3, 2), (5, 7))]),
        RockPaperScissors(),
    ],
    ids=["zero sum", "dilemma", "alone", "three players", "rock paper scissors"],
)
def test_both_machines_read_the_same_table(game):
    answers = []
    for device in ("python", "cpu"):
        m = machine(device)
        answers.append(float(m.call(sweep, game=game, s=game.initial(), memory=m.memory(100), top=0)))
    assert answers[1] == pytest.approx(answers[0], abs=1e-12)


def test_ways_to_give_the_same_table():
    numpy = pytest.importorskip("numpy")
    tables = [[3, 0], [5, 1]], [[3, 5], [0, 1]]
    assert Matrix(DILEMMA) == Matrix(*tables) == Matrix(*map(numpy.array, tables)) == Matrix(tables[0], B=tables[1])
    assert hash(Matrix(DILEMMA)) == hash(Matrix(numpy.array(DILEMMA, dtype=float)))
    assert dict(cells(Matrix([[1, 2]]))) == {(0, 0): (1, -1), (0, 1): (2, -2)}
    cube = numpy.arange(36).reshape(2, 3, 2, 3)
    game = Matrix(cube)
    assert game.shape == (2, 3, 2)
    assert game.players == 3
    assert all(tuple(cube[choices]) == payoffs for choices, payoffs in cells(game))
    assert game == Matrix(*(cube[..., p] for p in range(3)))


def test_a_table_knows_its_shape_and_numbers():
    game = Matrix([[1, HALF], [0, 4]], labels=(("up", "down"), ("left", "right")), names=("Ann", "Bob"))
    assert (game.shape, game.players, game.max_actions, game.bounds) == ((2, 2), 2, 2, (0.0, 4.0))
    assert game.labels == (("up", "down"), ("left", "right"))
    assert game.names == ("Ann", "Bob")
    assert game.exact
    assert game.payoffs.shape == (2, 2, 2)
    assert game.payoffs[0, 1, 1] == -HALF
    assert isinstance(game.payoffs[0, 1, 1], Fraction)
    assert not Matrix([[0.5]]).exact
    assert Matrix([[0.5, 1]]).payoffs.dtype == float
    with pytest.raises(ValueError):
        game.payoffs[0, 0, 0] = 9
    assert pickle.loads(pickle.dumps(game)) == game
    assert repr(game) != repr(Matrix([[1, HALF], [0, 5]]))


def test_nobody_sees_the_others_choice():
    game = Matrix([[[(i, j, k) for k in range(2)] for j in range(2)] for i in range(2)])
    s = game.initial()
    for first, second in itertools.product(range(2), repeat=2):
        t = game.play(s, first, second)
        assert game.view(t, 2) == game.view(s, 2)
        assert game.view(t, 0) == first
        assert game.view(t, 1) == second
        assert game.text(t, 2) == game.text(s, 2)
    assert game.traits.simultaneous
    assert game.traits.hidden
    assert not game.traits.chance


def test_text_is_a_readable_table():
    assert str(PrisonersDilemma()).splitlines() == [
        "           cooperate  defect",
        "cooperate  3, 3       0, 5",
        "defect     5, 0       1, 1",
    ]
    game = PrisonersDilemma()
    end = game.play(game.initial(), 0, 1)
    assert game.text(end, 0).splitlines()[3:] == ["first: cooperate", "second: defect", "payoffs 0, 5"]
    assert "player 2: 1" in str(Matrix([[[(0, 0, 0), (1, 1, 1)]]]))


def test_actions_are_named_and_read():
    game = RockPaperScissors()
    s = game.initial()
    assert [game.parse_action(s, t) for t in ("paper", " rock", "2")] == [1, 0, 2]
    with pytest.raises(IllegalAction, match="rock, paper, scissors"):
        game.parse_action(s, "well")
    with pytest.raises(IllegalAction):
        game.parse_action(game.play(s, 0, 0), "rock")
    assert Matrix([[1, 2]], labels=(("1",), ("1", "0"))).parse_action(Matrix.State(1, (0, -1)), "0") == 1


def test_expected_utilities_are_exact():
    third = Fraction(1, 3)
    game = RockPaperScissors()
    assert game[[third] * 3, (HALF, HALF, 0)] == (0, 0)
    assert game[(0, 1, 0), (HALF, Fraction(1, 4), Fraction(1, 4))] == (Fraction(1, 4), Fraction(-1, 4))
    value = PrisonersDilemma()[(HALF, HALF), (third, 2 * third)]
    assert value == (Fraction(5, 3), Fraction(5, 2))
    assert all(isinstance(x, Fraction) for x in value)
    assert PrisonersDilemma()[(0.5, 0.5), (1, 0)] == (4.0, 1.5)
    assert Matrix([4, 5, 6])[(0, HALF, HALF)] == Matrix([4, 5, 6])[[0, HALF, HALF],] == (Fraction(11, 2),)


probability = st.integers(0, 9)


@given(st.data())
def test_expected_utility_is_the_sum_over_the_cells(data):
    shape = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    number = st.integers(-9, 9) | st.fractions(-3, 3)
    tables = []
    for _ in shape:
        flat = iter(data.draw(st.lists(number, min_size=math.prod(shape), max_size=math.prod(shape))))
        tables.append(nested(shape, flat))
    game = Matrix(*tables) if len(shape) != 2 else Matrix(tables[0], tables[1])
    mixed = []
    for size in shape:
        weights = data.draw(st.lists(probability, min_size=size, max_size=size).filter(any))
        mixed.append(tuple(Fraction(w, sum(weights)) for w in weights))
    expected = [Fraction(0)] * len(shape)
    for choices, payoffs in cells(game):
        odds = math.prod(mixed[p][c] for p, c in enumerate(choices))
        expected = [x + odds * u for x, u in zip(expected, payoffs, strict=True)]
    assert list(game[tuple(mixed)]) == expected


def nested(shape, flat):
    return next(flat) if not shape else [nested(shape[1:], flat) for _ in range(shape[0])]


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        ([[[1, 2], [3]]], {}, "ragged"),
        ([[[1], 2]], {}, "ragged"),
        ([[1, [2]]], {}, "at [1]"),
        ([[]], {}, "nested lists"),
        ([[[]]], {}, "nested lists"),
        ([5], {}, "nested lists"),
        ([None], {}, "nested lists"),
        (["abc"], {}, "nested lists"),
        ([{1: 2}], {}, "nested lists"),
        ([[[1, math.nan]]], {}, "at [0, 1]: the payoff must be finite"),
        ([[[1, math.inf]]], {}, "finite"),
        ([[[1, "2"]]], {}, "must be a number"),
        ([[[1, True]]], {}, "must be a number"),
        ([[[10**400]]], {}, "too large"),
        ([[[1, 2]], [[1], [2]]], {}, "same shape"),
        ([[1, 2], [3, 4]], {}, "need 2 dimensions"),
        ([[[1, 2]], [[1, 2]], [[1, 2]]], {}, "need 3 dimensions"),
        ([[[1, 2]], None, [[1, 2]]], {}, "player 1"),
        ([[[(1, 2, 3)]]], {}, "each cell needs 2"),
        ([[[1, 2]]], {"labels": ("a", "b")}, "different labels"),
        ([[[1, 2], [3, 4]]], {"labels": ("a", "a")}, "different labels"),
        ([[[1, 2], [3, 4]]], {"labels": 5}, "labels"),
        ([[[1, 2], [3, 4]]], {"labels": (("a", "b"),)}, "labels"),
        ([[[1, 2], [3, 4]]], {"labels": ("a", ("b", "c"))}, "labels"),
        ([[[1, 2], [3, 4]]], {"names": ("a",)}, "names"),
        ([[[1, 2], [3, 4]]], {"names": ("a", "a")}, "names"),
    ],
)
def test_bad_tables_are_refused(tables, options, message):
    with pytest.raises(BadParameter) as error:
        Matrix(*tables, **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "strategies",
    [
        ((1, 0),),
        ((1, 0), (2, -1)),
        ((0.5, 0.4), (1, 0)),
        ((1, 0), "ab"),
        ((1, 0), 5),
        ((1, 0, 0), (1, 0)),
        ((1, 0), (1, "a")),
        ((1, 0), (math.nan, 1)),
        ((1, 0), (1, 0), (1, 0)),
        (Fraction(1, 3), Fraction(1, 3)),
        0,
        "ab",
        None,
    ],
)
def test_bad_strategies_are_refused(strategies):
    with pytest.raises(BadParameter):
        MatchingPennies()[strategies]


def test_the_games_that_are_tables():
    assert total(RockPaperScissors()) == 0
    assert total(MatchingPennies()) == 0
    assert total(PrisonersDilemma()) is None
    beats = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
    game = RockPaperScissors()
    for choices, payoffs in cells(game):
        mine, other = (game.labels[0][c] for c in choices)
        won = ((mine, other) in beats) - ((other, mine) in beats)
        assert payoffs == (won, -won)
    table = dict(cells(PrisonersDilemma()))
    assert all(table[1, other][0] > table[0, other][0] for other in (0, 1))
    assert min(table[0, 0]) > max(table[1, 1])
    assert repr(PrisonersDilemma()) == "PrisonersDilemma()"
    assert PrisonersDilemma() == PrisonersDilemma()
    assert MatchingPennies().name == "matching_pennies"
