"""Payoffs, odds and windows of every type: kept as they are in plain Python, and never called exact where rounded."""

import json
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import BrokenContract, Game, Tree, chance
from zermelo.compile import is_finer, kernel, machine
from zermelo.result import Move

LARGE = 2**53
CLOSE = Tree([[LARGE, LARGE + 1], [LARGE + 1, LARGE + 2]])


@pytest.mark.parametrize("device", ["auto", "python"])
@pytest.mark.parametrize("search", [zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn])
def test_large_integers_are_told_apart(search, device):
    found = search(CLOSE, device=device)
    assert (found.value, found.action, found.bound) == (LARGE + 1, 1, "exact") or search is zermelo.maxn
    assert type(found.value) is int
    assert found.values[1] == -found.value
    assert found.moves[1] > found.moves[0]


def test_fractions_are_told_apart():
    slightly = 1 + Fraction(1, 10**20)
    found = zermelo.minimax(Tree([Fraction(1), slightly]))
    assert (found.value, found.action, found.bound) == (slightly, 1, "exact")
    assert found.moves == {0: 1, 1: slightly}
    written = json.loads(json.dumps(found.to_json()))
    assert (written["value"], written["fraction"]) == (1.0, str(slightly))
    assert written["moves"]["1"]["fraction"] == str(slightly)
    assert "fraction" not in written["moves"]["0"]
    assert "<table" in found._repr_html_()


def test_native_code_says_that_it_rounds():
    for search in (zermelo.minimax, zermelo.alphabeta):
        found = search(CLOSE, device="cpu")
        assert found.bound == "estimate"
        assert {move.bound for move in found.moves.values()} == {"estimate"}
        assert 'device="python"' in found.note


def test_what_floats_hold_is_a_float():
    found = zermelo.minimax(Tree([[3, Fraction(7, 2)], [Fraction(1, 2), 1]]))
    assert (type(found.value), found.value) == (float, 3.0)
    assert type(zermelo.minimax(Tree([[2**60, 2**61]])).value) is float


def test_odds_that_are_fractions():
    third = Fraction(1, 3)
    tree = Tree([chance([(third, 1), (2 * third, 0)]), chance([(third, 0), (2 * third, third)])])
    for prune in (None, "star1", "star2"):
        found = zermelo.expectiminimax(tree, prune=prune)
        assert (found.value, found.action, found.bound) == (third, 0, "exact")
        assert zermelo.expectiminimax(tree, prune=prune, device="cpu").bound == "estimate"


def test_averages_of_floats_of_all_sizes():
    def far(middle):
        return chance([(0.25, 1e300), (0.5, middle), (0.25, -1e300)])

    tree = Tree([far(3), far(4)])
    for prune in (None, "star1", "star2"):
        found = zermelo.expectiminimax(tree, prune=prune)
        assert (found.value, found.action, found.bound) == (2.0, 1, "exact")
        assert zermelo.expectiminimax(tree, prune=prune, device="cpu").bound == "estimate"


def test_windows_and_bounds_are_exact():
    window = (LARGE, LARGE + 2)
    found = zermelo.alphabeta(CLOSE, window=window, device="python")
    assert (found.value, found.bound) == (LARGE + 1, "exact")
    found = zermelo.alphabeta(CLOSE, window=(LARGE + 1, LARGE + 2), device="python")
    assert found.bound == "upper"
    assert zermelo.alphabeta(CLOSE, bounds=window, device="python").value == LARGE + 1


def test_text_keeps_all_digits():
    assert str(LARGE + 1) in str(zermelo.minimax(CLOSE))


def test_moves_are_compared_as_what_they_are():
    one, other = Move(LARGE + 1), Move(LARGE)
    assert one > other
    assert one != other
    assert one == LARGE + 1
    assert hash(one) == hash(LARGE + 1)
    assert repr(one) == str(LARGE + 1)
    assert pickle.loads(pickle.dumps(one)) == one
    assert isinstance(one, float)


LARGEST = 2**63 - 1
WHOLE = [0, 1, -1, LARGE, -LARGE, LARGE + 2, 3 * 2**60, -(2**63), 2**62, 10**18]
FINER = [LARGE + 1, -LARGE - 1, 2**54 + 2 - 1, LARGEST, -LARGEST, 2**62 + 1, 10**18 + 1]


@kernel
def some_are_finer(memory, count):
    """How many integers in memory no float holds."""
    found = 0
    for i in range(count):
        if is_finer(memory[i]):
            found += 1
    return found


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_integers_that_no_float_holds(device):
    on = machine(device)
    memory = on.memory(16)
    for numbers, count in ((WHOLE, 0), (FINER, len(FINER))):
        on.write(memory, 0, numbers)
        assert on.call(some_are_finer, memory=memory, count=len(numbers)) == count


# --- what utilities may be -------------------------------------------------------------------------------------------


class Pays(Game):
    """One move, and then what the class says."""

    class State(NamedTuple):
        taken: int = -1

    pays = (0, 1)

    def initial(self):
        return self.State()

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield from range(2)

    def result(self, s, action):
        return self.State(action)

    def is_terminal(self, s):
        return s.taken >= 0

    def utility(self, s, player):
        gain = self.pays[s.taken]
        return gain if player == 0 or gain is None or isinstance(gain, str | tuple) else 0 - gain


def paying(*gains):
    return type("Pays", (Pays,), {"pays": gains})()


@pytest.mark.parametrize(
    ("gains", "value"),
    [
        ((False, True), 1.0),
        ((Decimal("0.1"), Decimal("0.3")), Fraction(3, 10)),
        ((Decimal("0.25"), 0.125), 0.25),
        ((np.float64(0.5), np.int64(2)), 2.0),
        ((np.float32(0.5), np.array(0.25)), 0.5),
        ((Fraction(1, 3), 0.25), Fraction(1, 3)),
        ((0.1, Decimal("0.1")), 0.1),
    ],
)
def test_numbers_of_all_types(gains, value):
    found = zermelo.minimax(paying(*gains), device="python")
    assert (found.value, found.bound) == (value, "exact")
    assert json.dumps(found.to_json())


@pytest.mark.parametrize("gain", [None, "1", 1j, float("nan"), float("inf"), Decimal("NaN"), 10**400, (1, 2)])
@pytest.mark.parametrize("search", [zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn])
def test_what_is_no_number_is_refused(search, gain):
    with pytest.raises(BrokenContract, match="no finite number") as caught:
        search(paying(gain, gain), device="python")
    assert "\n" not in str(caught.value)
