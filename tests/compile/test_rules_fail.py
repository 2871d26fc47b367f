"""Rules in native code give what Python gives, or fail where Python fails: at the user's line, with the state."""

import math
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo import BrokenContract, Game
from zermelo.bits import u64
from zermelo.compile import machine

LEAST, LARGEST = -(2**63), 2**63 - 1
INTEGERS = (0, 1, -1, 2, 3, -7, 62, 63, 64, 65, 2**31, 2**53 + 1, -(2**62), LARGEST, LEAST)
FLOATS = (0.0, -0.0, 1.0, -1.5, 0.5, 3.0, 710.0, 1e19, 1e308, -1e308, math.inf, math.nan)


def plus(x, y):
    return x + y


def minus(x, y):
    return x - y


def times(x, y):
    return x * y


def whole_quotient(x, y):
    return x // y


def rest(x, y):
    return x % y


def quotient(x, y):
    return x / y


def left(x, y):
    return x << y


def right(x, y):
    return x >> y


def both(x, y):
    q, r = divmod(x, y)
    return q ^ r


def grown(x, y):
    x += y
    x *= 3
    x -= y
    x //= 2
    return x


def opposite(x, y):
    return -x + abs(y)


def by_constants(x, y):
    return x // 7 + x % 8 - (y >> 3) + (y & 7) * (1 << 5) + x // -1


def summed(x, y):
    return sum(v for v in (x, y, x))


def power(x, y):
    return x**y


def of_five(x, y):
    return x**5 - y**2


def bounded_power(x, y):
    return pow(x, y & 7)


def asserted(x, y):
    assert x <= y, "in order"
    return y - x


def raising(x, y):
    if x > y:
        raise ValueError(f"{x} is too much")
    if y == x:
        raise KeyError("equal")
    return 1


def cut(x, y):
    return int(x) + int(y)


def rounded(x, y):
    return round(x) - math.floor(y) + math.ceil(x)


def functions(x, y):
    return math.sqrt(x) + math.log(y)


def exponential(x, y):
    return math.exp(x) + math.cosh(y)


def of_two(x, y):
    return math.hypot(x, y) + math.pow(x, y)


def largest(x, y):
    return max(v for v in (x, y, 5) if v > 60)


def indexed(x, y):
    return (1, 2, 3, 4)[x] + (5, 6)[y]


def boards(x, y):
    return int((u64(7) << 3) // u64(x)) + int(u64(9) % u64(y))


def shifted_boards(x, y):
    return int(u64(5) << x) + int(u64(1 << 40) >> y)


OF_INTEGERS = (
    plus, minus, times, whole_quotient, rest, quotient, left, right, both, grown, opposite, by_constants, summed,
    bounded_power, of_five, asserted, raising, largest, indexed, boards, shifted_boards,
)  # fmt: skip
OF_FLOATS = (
    plus, minus, times, quotient, whole_quotient, rest, opposite, summed, power, cut, rounded, functions, exponential,
    of_two,
)  # fmt: skip


def fitting(value):
    """Whether native code can hold a number."""
    return isinstance(value, float) or LEAST <= value <= LARGEST


def in_python(plain, x, y):
    """What Python says, or None where it raises an error or needs more than 64 bits on the way."""
    try:
        found = plain(x, y)
    except (ArithmeticError, ValueError, LookupError, AssertionError, MemoryError):
        return None
    return found if not isinstance(found, complex) and fitting(found) else None


def same(here, there):
    """Equal, to the last digit but one: the C library's functions need not round as Python's floats do."""
    if isinstance(here, float) and math.isnan(here):
        return math.isnan(there)
    if isinstance(here, float) and math.isfinite(here):
        return math.isclose(here, there, rel_tol=1e-15)
    return here == there


@pytest.mark.parametrize("plain", OF_INTEGERS, ids=lambda f: f.__name__)
def test_integers(plain):
    compare(plain, INTEGERS)


@pytest.mark.parametrize("plain", OF_FLOATS, ids=lambda f: f.__name__)
def test_floats(plain):
    compare(plain, FLOATS)


def compare(plain, values):
    """Where native code gives a value it is Python's; where Python has one of modest size, native code has it."""
    for x in values:
        for y in values:
            expected = in_python(plain, x, y)
            try:
                found = machine("cpu").call(plain, x=x, y=y)
            except BrokenContract as error:
                found, said = None, str(error)
            if found is not None:
                assert expected is not None, (x, y, found)
                assert same(expected, found), (x, y, expected, found)
            else:
                large = max(abs(v) for v in (x, y)) > 2**50
                assert expected is None or large, (x, y, expected, said)
                assert f"{Path(__file__)}:" in said


# --- games -----------------------------------------------------------------------------------------------------------


class Down(Game):
    """Count down to 0; the rules below go wrong on the way."""

    class State(NamedTuple):
        n: int
        x: int
        wide: tuple[int, int, int]

    def initial(self):
        return self.State(7, 3, (1, 2, 3))

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        yield 1
        if s.n > 1:
            yield 2

    def result(self, s, action):
        return self.State(s.n - action, s.x, s.wide)

    def is_terminal(self, s):
        return s.n <= 0

    def utility(self, s, player):
        return 1.0 if player == 0 else -1.0


class Divides(Down):
    def result(self, s, action):
        return self.State(s.n - action, 12 // (s.n - 3), s.wide)


class Asserts(Down):
    def utility(self, s, player):
        assert s.n > 0, "not at the end"
        return 0.0


class Raises(Down):
    def actions(self, s):
        if s.n == 2:
            raise NotImplementedError(f"for {s.n}")
        yield 1


class Helps(Down):
    def to_move(self, s):
        return beyond(s.wide, s.n) % 2


def beyond(items, n):
    """An item that is there as long as n is large."""
    return items[3 - n]


class Grows(Down):
    def result(self, s, action):
        return self.State(s.n - action, s.x**5, s.wide)


class Estimates(Down):
    def evaluate(self, s):
        return math.log(s.n - 5)


BROKEN = {
    Divides: (zermelo.minimax, {}, "12 // (s.n - 3)", r"State\(n=3, x=\S+, wide=\(1, 2, 3\)\)"),
    Asserts: (zermelo.minimax, {}, "assert s.n > 0", r"State\(n=0, x=3"),
    Raises: (zermelo.alphabeta, {}, "raise NotImplementedError", r"State\(n=2, x=3"),
    Helps: (zermelo.minimax, {}, "return items[3 - n]", r"State\(n=(7|0|-1), x=3"),
    Grows: (zermelo.minimax, {}, "s.x", r"State\("),
    Estimates: (zermelo.minimax, {"depth": 2}, "math.log(s.n - 5)", r"State\(n=(5|4|3), x=3"),
}


@pytest.mark.parametrize("device", ["python", "cpu"])
@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_the_line_and_the_state_are_told(kind, device):
    """The same words on both machines: the user's file and line, what stands there, and the state."""
    method, options, text, state = BROKEN[kind]
    with pytest.raises(BrokenContract) as caught:
        method(kind(), device=device, **options)
    said = str(caught.value)
    assert "\n" not in said
    place = re.search(rf"{re.escape(__file__)}:(\d+)", said)
    assert place is not None, said
    assert text in Path(__file__).read_text().splitlines()[int(place[1]) - 1]
    assert re.search(state, said), said


class Halves(Down):
    def result(self, s, action):
        return self.State(s.n - action, s.x / 2, s.wide)


class TooWide(Down):
    def result(self, s, action):
        return self.State(s.n - action, s.x, (s.wide[0], s.wide[1] * 2**40, s.wide[2]))


@pytest.mark.parametrize("kind", [Halves, TooWide])
def test_fields_hold_their_types_on_both_machines(kind):
    with pytest.raises(BrokenContract, match="field"):
        zermelo.minimax(kind(), device="python")
    with pytest.raises((BrokenContract, zermelo.CompileError), match=r"64 bits|float for a field"):
        zermelo.minimax(kind(), device="cpu")


def test_rows_that_fail_stop_a_spread():
    """Playouts run in rows, on several threads: one that fails is told like any other."""
    with pytest.raises(BrokenContract, match=r"12 // \(s.n - 3\)"):
        zermelo.playouts(Divides(), games=100_000, device="cpu")


class Words(Down):
    def utility(self, s, player):
        return "one"


def test_what_kernels_cannot_work_with_is_told():
    with pytest.raises(BrokenContract, match=r"words.*(finite number|cannot be worked with)"):
        zermelo.minimax(Words(), device="python")
    with pytest.raises(zermelo.CompileError):
        zermelo.minimax(Words(), device="cpu")


class Late(Down):
    def result(self, s, action):
        if s.n > 3:
            last = s.n
        return self.State(s.n - action, last, s.wide)


class OnePath(Down):
    def result(self, s, action):
        for step in range(s.n):
            last = step
        return self.State(s.n - action, last if s.n > 0 else 7, s.wide)


def test_names_without_a_value():
    for device in ("python", "cpu"):
        with pytest.raises(BrokenContract, match=r"UnboundLocalError.*State\(n=3"):
            zermelo.minimax(Late(), device=device)
        assert zermelo.minimax(OnePath(), device=device).nodes == zermelo.minimax(Down(), device=device).nodes
