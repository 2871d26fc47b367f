"""Time controls, what players see of them, and when flags fall."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import BadParameter
from zermelo.play.clock import FREE, Clock, Clocks, Control
from zermelo.result import Limit


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("0.1", Control(move=0.1)),
        ("2s", Control(move=2)),
        ("60+0.6", Control(base=60, increment=0.6)),
        ("40/60", Control(base=60, moves=40)),
        ("40/60+0.5, depth=8", Control(base=60, increment=0.5, moves=40, depth=8)),
        ("nodes=10000", Control(nodes=10_000)),
        ("0.5,nodes=10,depth=3", Control(move=0.5, nodes=10, depth=3)),
        ("none", Control()),
        ("", Control()),
    ],
)
def test_controls_as_people_write_them(text, control):
    assert Control.parse(text) == control
    assert Control.parse(str(control)) == control
    assert control.timed == (control.move is not None or control.base is not None)


WRONG = ["x", "-1", "0", "0+1", "1+", "/60", "0/60", "40/", "depth=0", "nodes=x", "1,60+1", "inf", "nan", "1e999"]


@pytest.mark.parametrize("text", [*WRONG, "depth", "time=3", "1+-1", "9" * 400])
def test_what_is_no_control(text):
    with pytest.raises(BadParameter, match="clock"):
        Control.parse(text)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(BadParameter):
        Control.parse(text)


def test_a_time_for_each_move():
    clocks = Clocks(Control(move=0.1), margin=0.05)
    assert clocks.of(0) == Clock(move=0.1)
    assert clocks.spend(0, 0.149)
    assert not clocks.spend(0, 0.151)
    assert clocks.spent == [pytest.approx(0.3), 0]


def test_fischers_clock():
    clocks = Clocks(Control(base=10, increment=2), margin=0)
    assert clocks.spend(0, 4)
    assert clocks.of(0) == Clock(remaining=8, opponent=10, increment=2)
    assert clocks.of(1) == Clock(remaining=10, opponent=8, increment=2)
    assert clocks.spend(0, 8)
    assert clocks.of(0).remaining == 2
    assert not clocks.spend(0, 2.001)


def test_the_margin_takes_nothing_from_the_next_move():
    clocks = Clocks(Control(base=1, increment=0.5), margin=0.1)
    assert clocks.spend(1, 1.05)
    assert clocks.of(1).remaining == 0.5


def test_periods():
    clocks = Clocks(Control(base=60, moves=2), margin=0)
    assert clocks.of(0).moves_left == 2
    assert clocks.spend(0, 30)
    assert (clocks.of(0).remaining, clocks.of(0).moves_left) == (30, 1)
    assert clocks.spend(0, 10)
    assert (clocks.of(0).remaining, clocks.of(0).moves_left) == (80, 2)


def test_limits_for_searches():
    assert FREE.limit() == Limit()
    assert Clock(move=0.1, nodes=9, depth=4).limit() == Limit(time=0.1, nodes=9, depth=4)
    assert Clock(remaining=50).limit().time == 2
    assert Clock(remaining=50, moves_left=1).shares()[1] <= 50
    for left in (0.0, 0.001, 0.1, 1.0, 60.0):
        for moves in (None, 1, 2, 40):
            soft, hard = Clock(remaining=left, increment=1.0, moves_left=moves).shares()
            assert 0 < soft <= hard <= max(left, 0.001)
