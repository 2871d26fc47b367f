"""How a state lies in memory: which 64-bit words it is made of, on every machine.

A layout is read off the annotations of a game's State and off its first state, which tells how long its tuples are.
It flattens a state into words, builds it again, and writes the source that does both in native code.
"""

import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.bits import u64
from zermelo.compile.reach import kept
from zermelo.contract import Game, annotations_of, keep_field_types
from zermelo.errors import CompileError

SIGN = 1 << 63
LONGEST_TUPLE = 512


@dataclass(frozen=True)
class Leaf:
    """One word: 'i' a signed integer, 'u' an unsigned one, 'b' a truth value."""

    kind: str
    size: int = 1

    def flatten(self, value: Any, words: list[int]) -> None:
        word = int(value)
        if not -SIGN <= word < 2 * SIGN:
            raise ValueError(f"{word} does not fit into 64 bits")
        words.append(word - (1 << 64) if word >= SIGN else word)

    def build(self, words: Iterator[int]) -> Any:
        word = next(words)
        return u64(word) if self.kind == "u" else bool(word) if self.kind == "b" else word

    def cast(self, expression: str) -> str:
        # Rules of users look at boards themselves, where errors know the line; this package's own wrap around.
        return f"{({'i': 'field_number', 'u': 'as_u64', 'b': 'bool'})[self.kind]}({expression})"

    def load(self, memory: str, words: Iterator[str]) -> str:
        word = f"{memory}[{next(words)}]"
        return word if self.kind == "i" else f"as_u64({word})" if self.kind == "u" else f"({word} != 0)"

    def leaves(self, path: str) -> Iterator[str]:
        yield path

    def lengths(self, path: str) -> Iterator[str]:
        return iter(())


@dataclass(frozen=True)
class Group:
    """A tuple of layouts; `kind` is the NamedTuple class, or None for a plain tuple."""

    kind: Any
    items: tuple[Any, ...]

    @property
    def size(self) -> int:
        return sum(item.size for item in self.items)

    def flatten(self, value: Any, words: list[int]) -> None:
        if len(value) != len(self.items):
            raise ValueError(f"{value!r} has {len(value)} items where {len(self.items)} were expected")
        for item, part in zip(self.items, value, strict=True):
            item.flatten(part, words)

    def build(self, words: Iterator[int]) -> Any:
        parts = [item.build(words) for item in self.items]
        return tuple(parts) if self.kind is None else self.kind(*parts)

    def wrap(self, parts: list[str]) -> str:
        inside = "".join(f"{part}, " for part in parts)
        return f"({inside})" if self.kind is None else f"{class_name(self.kind)}({inside})"

    def cast(self, expression: str) -> str:
        return self.wrap([item.cast(f"{expression}[{i}]") for i, item in enumerate(self.items)])

    def load(self, memory: str, words: Iterator[str]) -> str:
        return self.wrap([item.load(memory, words) for item in self.items])

    def leaves(self, path: str) -> Iterator[str]:
        for i, item in enumerate(self.items):
            yield from item.leaves(f"{path}[{i}]")

    def lengths(self, path: str) -> Iterator[str]:
        """Source that refuses to compile where a tuple is longer or shorter than it lies in memory."""
        yield f"same_length({path}, {len(self.items)})"
        for i, item in enumerate(self.items):
            yield from item.lengths(f"{path}[{i}]")


Layout = Leaf | Group


def class_name(kind: type) -> str:
    """The name under which generated source knows a NamedTuple class."""
    return f"new_{kind.__name__}_{id(kind):x}"


def classes(layout: Layout) -> Iterator[type]:
    """The NamedTuple classes in a layout."""
    if isinstance(layout, Group):
        if layout.kind is not None:
            yield layout.kind
        for item in layout.items:
            yield from classes(item)


def state_layout(game: Game) -> Layout:
    """The layout of the game's states; CompileError says why there is none."""
    return kept(game, "layout", lambda: _state_layout(game))


def _state_layout(game: Game) -> Layout:
    first = game.initial()
    declared = getattr(game, "State", None)
    return _of(type(first) if declared is None else declared, first, f"{game.name}'s state")


def tuple_layout(kind: type) -> Layout:
    """The layout of a NamedTuple class by its annotations alone."""
    return _of(kind, None, kind.__name__)


def _of(hint: Any, example: Any, where: str) -> Layout:
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        keep_field_types(hint)
        if example is not None and not isinstance(example, hint):
            raise CompileError(f"{where} should be a {hint.__name__}; initial() returns {example!r}")
        hints = annotations_of(hint)
        fields = [
            _of(hints.get(name, Any), None if example is None else example[i], f"{where}.{name}")
            for i, name in enumerate(hint._fields)
        ]
        return Group(hint, tuple(fields))
    if hint is u64:
        return Leaf("u")
    if hint is bool:
        return Leaf("b")
    if hint is int:
        return Leaf("i")
    if hint is tuple or typing.get_origin(hint) is tuple:
        return _of_tuple(hint, example, where)
    if example is not None and hint in (Any, object):
        return _of(type(example), example, where)
    raise CompileError(
        f"{where} is {getattr(hint, '__name__', hint)}: native code wants int, bool, u64, tuples of a fixed length and "
        'NamedTuples of those; device="python" runs any hashable state'
    )


def _of_tuple(hint: Any, example: Any, where: str) -> Layout:
    items = typing.get_args(hint)
    if items and items[-1] is not Ellipsis:
        parts = [None] * len(items) if example is None else example
        return Group(None, tuple(_of(k, e, f"{where}[{i}]") for i, (k, e) in enumerate(zip(items, parts, strict=True))))
    if example is None:
        raise CompileError(f"{where}: say how long the tuple is, such as tuple[int, int]")
    if len(example) > LONGEST_TUPLE:
        raise CompileError(f"{where} has {len(example)} items; beyond {LONGEST_TUPLE} use words of bits (zermelo.bits)")
    kinds = [items[0] if items else Any] * len(example)
    return Group(None, tuple(_of(k, e, f"{where}[{i}]") for i, (k, e) in enumerate(zip(kinds, example, strict=True))))


def flat(layout: Layout, value: Any) -> list[int]:
    """The words of a value."""
    words: list[int] = []
    layout.flatten(value, words)
    return words
