"""Rules ask generators in native code as in Python: whether anybody can move, how many moves there are, which ones."""

import re
from typing import NamedTuple

import pytest

import zermelo
from zermelo import CompileError, Game
from zermelo.running import devices


class Board(Game):
    """Two on a line of 7 squares, each step to a free neighbour; who cannot move loses."""

    max_actions = 14

    class State(NamedTuple):
        mine: int
        other: int
        player: int

    def initial(self):
        return self.State(0b0100010, 0b0001000, 0)

    def to_move(self, s):
        return s.player

    def squares(self, s):
        for at in range(7):
            if s.mine >> at & 1:
                yield at

    def actions(self, s):
        for at in self.squares(s):
            if at < 6 and not (s.mine | s.other) >> at + 1 & 1:
                yield 2 * at + 1

    def result(self, s, action):
        at = action // 2
        return self.State(s.other, s.mine ^ 1 << at ^ 1 << at + 1, 1 - s.player)

    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0


class Any(Board):
    def is_terminal(self, s):
        return not any(self.actions(s))


class Loops(Board):
    def is_terminal(self, s):
        for _ in self.actions(s):
            return False
        return True


class Counts(Board):
    def is_terminal(self, s):
        return len(list(self.actions(s))) == 0

    def evaluate(self, s):
        return sum(1 for a in self.actions(s) if a > 3) + max(a for a in self.squares(s)) * 0.5


class Among(Board):
    def is_terminal(self, s):
        return 1 not in self.actions(s) and not any(action in self.actions(s) for action in range(2, 14))


def pairs(s):
    """Neighbours that are both taken."""
    taken = s.mine | s.other
    for at in range(6):
        if taken >> at & 3 == 3:
            yield at, at + 1


class Pairs(Board):
    def is_terminal(self, s):
        return not any(self.actions(s))

    def evaluate(self, s):
        total = 0
        for left, right in pairs(s):
            if right == 6:
                break
            total += left * right
        else:
            total += 100
        return total


@pytest.mark.parametrize("kind", [Any, Loops, Counts, Among, Pairs], ids=lambda kind: kind.__name__)
def test_both_machines_agree(kind):
    for depth in (None, 2):
        found = [zermelo.minimax(kind(), depth=depth, device=device) for device in ("python", "cpu")]
        assert (found[0].value, found[0].nodes) == (found[1].value, found[1].nodes)
        assert found[0].nodes > 3


class GrowingTuple(Any):
    def evaluate(self, s):
        found = ()
        for at in range(7):
            found = (*found, at)
        return len(found)


class AsksNext(Board):
    def is_terminal(self, s):
        return next(self.actions(s), None) is None


@pytest.mark.parametrize(
    ("kind", "words"), [(GrowingTuple, "a tuple grows .* replace items"), (AsksNext, "define is_over")]
)
def test_what_cannot_be_compiled_names_the_remedy(kind, words, capsys):
    with pytest.raises(CompileError, match=words) as caught:
        zermelo.minimax(kind(), depth=2, device="cpu")
    assert re.search(r"test_loops_over_generators\.py:\d+", str(caught.value))


def test_a_compile_error_is_told_once(monkeypatch, capsys):
    for name in ("GLANCE", "FIRST_GLANCE", "MOMENT"):
        monkeypatch.setattr(devices, name, 1e-9)
    for _ in range(3):
        assert zermelo.playouts(AsksNext(), games=3000).device == "python"
    assert capsys.readouterr().err.count("going on in plain Python") == 1
