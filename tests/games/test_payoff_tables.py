"""The games that are payoff tables: their equilibria, where the literature gives them, and bad parameters."""

from fractions import Fraction
from itertools import product

import pytest

import zermelo
from zermelo import BadParameter, game


def gains(table, profile):
    """What each player would gain by the best other action, exactly."""
    values = table[profile]
    found = []
    for player, size in enumerate(table.shape):
        pure = [tuple(int(i == k) for i in range(size)) for k in range(size)]
        best = max(table[(*profile[:player], one, *profile[player + 1 :])][player] for one in pure)
        found.append(best - values[player])
    return found


THIRD = Fraction(1, 3)
EQUILIBRIA = [
    ("battle_of_the_sexes", ((2 * THIRD, THIRD), (THIRD, 2 * THIRD)), (2 * THIRD, 2 * THIRD)),
    ("battle_of_the_sexes", ((1, 0), (1, 0)), (2, 1)),
    ("chicken", ((Fraction(9, 10), Fraction(1, 10)),) * 2, (Fraction(-1, 10),) * 2),
    ("chicken", ((1, 0), (0, 1)), (-1, 1)),
    ("stag_hunt", ((Fraction(3, 4), Fraction(1, 4)),) * 2, (3, 3)),
    ("stag_hunt", ((1, 0), (1, 0)), (4, 4)),
    ("stag_hunt", ((0, 1), (0, 1)), (3, 3)),
    ("morra", ((0, Fraction(7, 12), Fraction(5, 12), 0),) * 2, (0, 0)),
    ("morra:guess=False", ((Fraction(7, 12), Fraction(5, 12)),) * 2, (Fraction(-1, 12), Fraction(1, 12))),
    ("odd_man_out", ((Fraction(1, 2),) * 2,) * 3, (0, 0, 0)),
    ("odd_man_out", ((1, 0),) * 3, (0, 0, 0)),
    ("el_farol", ((0, 1), (0, 1), (1, 0)), (1, 1, 0)),
]


@pytest.mark.parametrize(("name", "profile", "values"), EQUILIBRIA)
def test_equilibria(name, profile, values):
    table = game(name)
    assert table[profile] == values
    assert gains(table, profile) == [0] * table.players


def test_what_is_no_equilibrium():
    assert gains(game("chicken"), ((0, 1), (0, 1))) == [9, 9]
    assert gains(game("odd_man_out"), ((1, 0), (1, 0), (0, 1))) == [0, 0, 2]


def test_el_farol_by_chance():
    table = game("el_farol")
    often = 0.5**0.5
    assert table[((1 - often, often),) * 3] == pytest.approx((0, 0, 0))
    assert gains(table, ((1 - often, often),) * 3) == pytest.approx([0, 0, 0])
    assert game("el_farol", guests=5, seats=0).shape == (2,) * 5


@pytest.mark.parametrize("fingers", [2, 3, 4])
def test_morra_is_fair(fingers):
    table = game("morra", fingers=fingers)
    cells = table.payoffs[..., 0]
    assert (cells == -cells.T).all()
    assert table.shape == (fingers**2,) * 2
    assert zermelo.sequence_form(table).value == pytest.approx(0, abs=1e-9)


def test_blotto_against_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    table = game("blotto", coins=4)
    theirs = pyspiel.load_game("blotto(coins=4,fields=3)")
    assert table.shape == (theirs.num_distinct_actions(),) * 2 == (15, 15)
    names = {}
    for action in range(15):
        s = theirs.new_initial_state()
        s.apply_actions([action, 0])
        names[action] = str(s).split("P0 action: [")[1].split("]")[0].replace(",", "-")
    rows = {action: table.labels[0].index(names[action]) for action in names}
    for a, b in product(names, repeat=2):
        s = theirs.new_initial_state()
        s.apply_actions([a, b])
        assert table.payoffs[rows[a], rows[b], 0] == s.returns()[0]


def test_blotto():
    assert repr(game("blotto", coins=(3, 2), fields=2)) == "Blotto(coins=(3, 2), fields=2, count='most')"
    table = game("blotto:coins=(3, 2),fields=2,count=fields")
    assert table.shape == (4, 3)
    assert table.labels[0] == ("0-3", "1-2", "2-1", "3-0")
    assert table.payoffs[1, 2].tolist() == [0, 0], "one field each"
    assert table.payoffs[1, 1].tolist() == [1, -1], "one field, and the other one even"
    assert game("blotto") == game("blotto:coins=5") != table


@pytest.mark.parametrize(
    "name",
    [
        "blotto:coins=-1",
        "blotto:coins=(1, 2, 3)",
        "blotto:coins=word",
        "blotto:coins=True,fields=0",
        "blotto:fields=0",
        "blotto:count=all",
        "blotto:coins=50,fields=5",
        "morra:fingers=1",
        "morra:fingers=11",
        "morra:guess=1",
        "el_farol:guests=0",
        "el_farol:guests=11",
        "el_farol:seats=4",
        "chicken:size=3",
    ],
)
def test_bad_parameters(name):
    with pytest.raises(BadParameter):
        game(name)
