"""Corners of Python in which native code could mean something else, and does not."""

import functools
from typing import NamedTuple

import pytest

import zermelo
from zermelo import Game, game
from zermelo.bits import u64
from zermelo.compile import hash64, kernel, machine, replace, table, thaw

T = (1, 3, 5, 7)
TABLE = table([10, 20, 30])
SQUARE = table([[1, 2], [3, 4]])
x = 700


@kernel
def changing_items(n):
    """The items of a loop are what they were when it began."""
    for v in (n, n + 1, n + 2):
        n += v
    return n


@kernel
def captured_names(a):
    """A name bound by `match` hides a global one."""
    match a:
        case x if x > 2:
            return x
    return 0


@kernel
def last_constant(b):
    """`and` and `or` give back an operand."""
    return (b and True) * 10 + (1 if (b or False) else 0)


@kernel
def least_integer(a):
    """The least integer of 64 bits."""
    best = -9223372036854775808
    return 1 if a > best else 0


@kernel
def inverted_truth(a, b):
    """`~` of a comparison is that of an integer."""
    return ~(a > b)


@kernel
def from_the_end(a, b):
    """Negative indices count from the end, in lists, tuples and tables."""
    items = thaw(T)
    items[-a] = 50
    total = 0
    for i in range(len(items)):
        total = total * 3 + items[i] * items[i - 1]
    return total + TABLE[-b] + SQUARE[-1, -a] + sum(v for v in replace(T, -b, 99)) + T[-a]


@kernel
def loops_over_lists(a):
    """A loop over a list sees its items as they are when their turn comes, also those that the loop has changed."""
    items = list(T)
    total, following = 0, 1
    for item in items:
        total = total * 7 + item
        if following < len(items):
            items[following] = item + a
            following += 1
    for item in items:
        for other in items:
            total += item * other
    return total + sum(item for item in items if item > a) + (1000 if any(item == a for item in items) else 0)


@kernel
def documented(a):
    """A docstring of
    more than
        one line."""
    assert a > 0, "never natively"
    print(end="")
    return a + 1


@kernel
def boards_by_zero(a):
    """Only the machine knows what this is; it must not kill the process."""
    return int(u64(a) // u64(a - a) + u64(a) % u64(a - a))


@pytest.mark.parametrize(
    ("plain", "arguments"),
    [
        (changing_items, {"n": 3}),
        (captured_names, {"a": 3}),
        (captured_names, {"a": 1}),
        (last_constant, {"b": 2}),
        (last_constant, {"b": 0}),
        (least_integer, {"a": 3}),
        (inverted_truth, {"a": 3, "b": 2}),
        (from_the_end, {"a": 1, "b": 2}),
        (from_the_end, {"a": 2, "b": 1}),
        (loops_over_lists, {"a": 1}),
        (loops_over_lists, {"a": 50}),
        (documented, {"a": 4}),
    ],
)
def test_python_and_cpu(plain, arguments):
    assert machine("cpu").call(plain, **arguments) == machine("python").call(plain, **arguments)


def test_division_of_boards_by_zero_is_survived():
    assert machine("cpu").call(boards_by_zero, a=7) == 0


@pytest.mark.parametrize(("a", "b"), [(5, 1), (1, 4), (-4, 1)])
def test_indices_outside_raise(a, b):
    with pytest.raises(IndexError):
        machine("python").call(from_the_end, a=a, b=b)
    with pytest.raises(zermelo.BrokenContract, match="raised an error"):
        machine("cpu").call(from_the_end, a=a, b=b)


class Growing(Game):
    """Remembers everything that was said, in a tuple that gets longer."""

    class State(NamedTuple):
        said: tuple[int, ...]

    def initial(self):
        return self.State((0,))

    def to_move(self, s):
        return len(s.said) % 2

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, action):
        return self.State((*s.said, action))

    def is_terminal(self, s):
        return len(s.said) == 4

    def utility(self, s, player):
        return sum(s.said) if player == 0 else -sum(s.said)


def test_growing_tuples_stay_in_plain_python():
    game = Growing()
    assert zermelo.minimax(game).value == 4.0
    assert zermelo.minimax(game, game.State((0, 2))).value == 5.0
    assert zermelo.playouts(game, games=3000).device == "python"
    with pytest.raises(zermelo.CompileError):
        zermelo.minimax(game, device="cpu")


def doubled(plain):
    @functools.wraps(plain)
    def twice(*arguments):
        return 2 * plain(*arguments)

    return twice


class Decorated(Growing):
    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(3)

    def to_move(self, s):
        return s.n % 2

    def result(self, s, action):
        return self.State(s.n - 1)

    def is_terminal(self, s):
        return s.n == 0

    @doubled
    def utility(self, s, player):
        return 1 if player == 0 else -1


def test_decorators_are_not_ignored():
    assert zermelo.minimax(Decorated()).value == 2.0
    with pytest.raises(zermelo.CompileError, match="@doubled"):
        zermelo.minimax(Decorated(), device="cpu")


class Halves(Game):
    """A game without progress that is worth 1 in all: a draw is half of it."""

    repetition = "draw"

    def initial(self):
        return 0

    def to_move(self, s):
        return s % 2

    def actions(self, s):
        yield 0
        if s == 3:
            yield 1

    def result(self, s, action):
        return 9 if action == 1 else (s + 1) % 4

    def is_terminal(self, s):
        return s == 9

    def utility(self, s, player):
        return 0.0 if player == 0 else 1.0


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_a_draw_is_shared(device):
    assert zermelo.minimax(Halves(), 0, device=device).values == (0.0, 1.0)
    assert Halves().draw_value == 0.5


def test_numbers_beyond_64_bits_are_refused():
    with pytest.raises(zermelo.BadState, match="64 bits"):
        zermelo.minimax(zermelo.game("halving", n=2**64 + 5), depth=3, device="cpu")


@kernel
def seen_or_whole(game, s):
    """What player 0 sees; where the game hides nothing, everything."""
    if game.view is None:
        return hash64(s)
    return hash64(game.view(s, 0))


def test_what_is_never_reached_is_not_compiled():
    tic = game("tic_tac_toe")
    found = [machine(device).call(seen_or_whole, game=tic, s=tic.initial()) for device in ("python", "cpu")]
    assert found[0] == found[1]
