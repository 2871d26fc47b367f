"""Rules held to what they promise in plain Python, as native code holds them: actions that end, memory that is theirs,
fields that have their types.
"""

import functools
import inspect
import itertools
import numbers
import operator
from array import array
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.bits import MASK, u64
from zermelo.errors import BrokenContract, too_many_actions

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1


def with_an_end(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`actions` that stops with an error where it has yielded more than `max_actions`."""

    @functools.wraps(plain)
    def actions(self: Any, s: Any) -> Any:
        found = plain(self, s)
        if hasattr(found, "__len__"):
            return found
        if not hasattr(found, "__iter__"):
            raise BrokenContract(f"{self.name}: actions returns {found!r}: yield the actions, or return a list of them")
        each = iter(found)
        return itertools.chain(itertools.islice(each, self.max_actions), _no_more(each, self))

    return actions


def unbounded(game: Any, s: Any) -> Any:
    """The actions as the rules yield them, however many there are."""
    return inspect.unwrap(type(game).actions)(game, s)


def _no_more(each: Iterator[Any], game: Any) -> Iterator[Any]:
    for _ in each:
        raise too_many_actions(game.name, game.max_actions)
    yield from ()


class Window:
    """The part of a memory that a rule may use."""

    __slots__ = ("first", "last", "memory", "rule", "written")

    def __init__(self, memory: Any, first: int, last: int, rule: str) -> None:
        self.memory, self.first, self.last, self.rule = memory, first, last, rule
        self.written = 0

    def _inside(self, index: Any) -> Any:
        if not self.first <= index < self.last:
            raise BrokenContract(
                f"{self.rule} uses out[{index!r}], which is not its own: n = {self.first} here, and out[n] to "
                f"out[n + max_actions - 1] are; raise max_actions where a state has more"
            )
        return index

    def __len__(self) -> int:
        return self.last

    def __getitem__(self, index: int) -> Any:
        return self.memory[self._inside(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self.memory[self._inside(index)] = value
        self.written += 1


def within_bounds(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`fill` that writes to `max_actions` words and returns the index behind those that it wrote."""

    @functools.wraps(plain)
    def fill(self: Any, s: Any, out: Any, n: int) -> Any:
        rule = f"{self.name}: {plain.__name__}"
        window = Window(out, n, n + self.max_actions, rule)
        end = plain(self, s, window, n)
        if end != -1 and not (isinstance(end, int) and n <= end <= n + min(self.max_actions, window.written)):
            raise BrokenContract(
                f"{rule} returned {end!r} and wrote {window.written} actions from n = {n} on: return the index behind "
                f"the last, at most n + max_actions = {n + self.max_actions}"
            )
        return end

    return fill


# --- fields of states ------------------------------------------------------------------------------------------------


def whole(state: str, field: str, value: Any) -> Any:
    """A value for a field that holds an integer."""
    if type(value) is bool or not isinstance(value, numbers.Number):
        return value  # words are something else altogether: `check` names them
    if not hasattr(value, "__index__"):
        kind = type(value).__name__
        raise BrokenContract(f"{state}: the field {field} is {kind} ({value!r}): write // instead of /, or int(...)")
    number = operator.index(value)
    if not LEAST <= number <= LARGEST:
        raise BrokenContract(
            f"{state}: the field {field} does not fit into 64 bits ({_few_digits(number)}): annotate boards as u64, or "
            "use two words"
        )
    return int(number)


def board(state: str, field: str, value: Any) -> u64:
    """A value for a field that holds a board."""
    if hasattr(value, "__index__") and not 0 <= operator.index(value) <= MASK:
        raise BrokenContract(
            f"{state}: the field {field} is a u64 and {_few_digits(operator.index(value))} is none: write u64(...) "
            "where it should wrap around"
        )
    return u64(value)


def whole_items(state: str, field: str, values: Any) -> Any:
    """A tuple for a field that holds integers."""
    if isinstance(values, tuple):
        try:
            array("q", values)
        except (OverflowError, TypeError):
            for i, value in enumerate(values):
                whole(state, f"{field}[{i}]", value)
    return values


def _few_digits(number: int) -> str:
    return str(number) if abs(number) < 1 << 256 else f"{number.bit_length()} bits"
