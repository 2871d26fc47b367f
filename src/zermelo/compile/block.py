"""Memory with names (`Block`) and options that are compiled in (`Setup`).

A block declares what a kernel keeps, one field a line with its meaning:

    class Desk(Block):
        nodes: int  # nodes seen so far
        deadline: int  # when to stop, in nanoseconds
        best: float  # the value found last
        frames: Array[Frame] = array(MAX_PLY + 8)  # one for every ply of the path

and kernels write `desk.nodes += 1` and `here = desk.frames[ply]`. In plain Python a block is an ordinary object with
slots. In native code it is one word, its address, and a field lies at a constant distance from it; `Handle` is how
plain Python sees such memory. Single words lie first, then arrays, in the order of their declaration.

An index below zero is the last item in Python and foreign memory in native code: kernels use none.
"""

import inspect
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from zermelo.bits import u64
from zermelo.compile.memory import float_to_word, word_to_float
from zermelo.errors import CompileError

Item = TypeVar("Item")
STATUS = "status"
"""The field in which a kernel is told to turn back, where a block has one."""
LINE = 8
"""Words of a line of the processor's cache."""
TAKEN = {
    "address", "assign", "check", "declared", "kept", "larger", "report", "settle", "shape", "start", "view", "words",
    "zeroed",
}  # fmt: skip
"""Names of what every block has, and one that Numba takes for an array's: no field can be called so."""
SHOWN = 16
"""Items of an array that a report shows."""


class Array(Generic[Item]):
    """The type of a field of many items; its default, `array(...)`, says how many."""

    def __getitem__(self, index: Any) -> Any:
        """The item. Only type checkers see this: no such object is ever made."""
        raise NotImplementedError

    def __setitem__(self, index: Any, value: Any) -> None:
        raise NotImplementedError


class Memory:
    """The type of a field that refers to memory elsewhere: what `machine.memory` gives."""


@dataclass(frozen=True)
class Sized:
    """How many items a field has, and where it may begin."""

    count: int | Callable[..., int]
    plain: int | Callable[..., int] | None
    aligned: bool

    def of(self, game: Any, setup: Any, *, native: bool) -> int:
        """The count for a game and a set-up."""
        count = self.count if native or self.plain is None else self.plain
        if isinstance(count, int):
            return count
        return count(game) if _parameters(count) == 1 else count(game, setup)


@cache
def _parameters(count: Callable[..., int]) -> int:
    return len(inspect.signature(count).parameters)


def array(
    count: int | Callable[..., int], *, plain: int | Callable[..., int] | None = None, aligned: bool = False
) -> Any:
    """Say how many items an array has: a number, or a function of the game, or of the game and the set-up.

    Plain Python begins with `plain` items where that is given: its lists grow (`make_room`). Where it is `aligned`, the
    array begins with a line of the processor's cache.
    """
    return Sized(count, plain, aligned)


@dataclass(frozen=True)
class Field:
    """A field as it is declared: its type, and of an array the type of its items and how many there are."""

    name: str
    kind: Any
    sized: Sized | None

    @cached_property
    def is_block(self) -> bool:
        """Whether it is a block, or an array of blocks."""
        return isinstance(self.kind, type) and issubclass(self.kind, Block)

    def first(self, game: Any, setup: Any) -> Any:
        """The value with which it begins in plain Python."""
        if self.sized is None:
            return self._one(game, setup)
        count = self.sized.of(game, setup, native=False)
        return [self._one(game, setup) for _ in range(count)] if self.is_block else [self._one(game, setup)] * count

    def _one(self, game: Any, setup: Any) -> Any:
        return self.kind(game, setup) if self.is_block else None if self.kind is Memory else self.kind(0)


class _Declared(type):
    """Reads the fields of a block and gives them slots."""

    declared: tuple[Field, ...]
    larger: tuple[Field, ...]
    """The fields that are no numbers."""

    def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        hints = inspect.get_annotations(super().__new__(meta, name, bases, dict(space)), eval_str=True)
        declared = tuple(_declared(name, field, hint, space.pop(field, None)) for field, hint in hints.items())
        inherited = tuple(field for base in bases for field in getattr(base, "declared", ()))
        slots = tuple(field.name for field in declared)
        every = inherited + declared
        numbers = [field for field in every if field.sized is None and not field.is_block and field.kind is not Memory]
        space["zeroed"] = _zeroed(numbers)
        space["larger"] = tuple(field for field in every if field not in numbers)
        return super().__new__(meta, name, bases, {**space, "__slots__": slots, "declared": every})


def _zeroed(numbers: list[Field]) -> Any:
    """The method with which fields that are numbers begin, written out: there may be thousands of blocks to make."""
    lines = [f"    self.{field.name} = {'zero' if field.kind is u64 else repr(field.kind(0))}\n" for field in numbers]
    space: dict[str, Any] = {"zero": u64(0)}
    exec(f"def zeroed(self):\n    pass\n{''.join(lines)}", space)
    return space["zeroed"]


def _declared(owner: str, name: str, hint: Any, default: Any) -> Field:
    if name in TAKEN:
        raise TypeError(f"{owner}.{name}: every block has a {name} already; give the field another name")
    is_array = getattr(hint, "__origin__", None) is Array
    kind = hint.__args__[0] if is_array else hint
    known = kind in (int, float, u64, Memory) or (isinstance(kind, type) and issubclass(kind, Block))
    if not known or is_array != isinstance(default, Sized) or (is_array and kind is Memory):
        raise TypeError(
            f"{owner}.{name}: a field of a block is int, float, u64, Memory or a block, or Array[...] = array(count)"
        )
    return Field(name, kind, default)


class Block(metaclass=_Declared):
    """Words with names; see the head of this module."""

    if TYPE_CHECKING:
        declared: ClassVar[tuple[Field, ...]]
        zeroed: ClassVar[Callable[[Any], None]]
        larger: ClassVar[tuple[Field, ...]]

    def __init__(self, game: Any = None, setup: Any = None) -> None:
        self.zeroed()
        for field in self.larger:
            setattr(self, field.name, field.first(game, setup))

    def assign(self, **values: Any) -> None:
        """Write many fields at once."""
        for name, value in values.items():
            setattr(self, name, value)

    def check(self) -> None:
        """Refuse what native code would refuse: a float in a field of integers."""
        for field in self.declared:
            if field.kind is int and field.sized is None and isinstance(getattr(self, field.name), float):
                raise TypeError(f"{type(self).__name__}.{field.name} is an int, not {getattr(self, field.name)!r}")

    def report(self) -> dict[str, Any]:
        """All names and values, for whoever looks for a mistake."""
        return _report(self, [field.name for field in self.declared])


def maker(kind: type[Block], game: Any = None, setup: Any = None) -> Callable[[], Any]:
    """A function that makes blocks of this kind in plain Python, several times as fast as one after the other."""
    nested = [field for field in kind.declared if field.is_block]
    begun = [(field.name, field.first(game, setup)) for field in kind.declared if not field.is_block]
    words = [(name, value) for name, value in begun if not isinstance(value, list)]
    arrays = [(name, value) for name, value in begun if isinstance(value, list)]

    def make() -> Any:
        block = kind.__new__(kind)
        for name, value in words:
            setattr(block, name, value)
        for name, value in arrays:
            setattr(block, name, value[:])
        for field in nested:
            setattr(block, field.name, field.first(game, setup))
        return block

    return make


def _report(block: Any, names: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in names:
        value = getattr(block, name)
        if isinstance(value, Block | Handle):
            found[name] = value.report()
        elif isinstance(value, list | Span | Rows):
            items = [value[i] for i in range(min(SHOWN, len(value)))]
            found[name] = [item.report() if isinstance(item, Block | Handle) else item for item in items]
        else:
            found[name] = value
    return found


# --- native memory ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a field of a native block lies: how many words behind its beginning, and what it is."""

    name: str
    offset: int
    kind: str
    """"int", "float", "u64", "Memory" or "block"."""
    inner: "Shape | None"
    count: int | None
    """How many items there are; None where it is no array."""


class Shape:
    """The layout of a block for one game and one set-up. Equal layouts are one object."""

    def __init__(self, name: str, places: tuple[Place, ...], size: int) -> None:
        self.name, self.places, self.size = name, places, size
        self.by_name = {place.name: place for place in places}

    def __repr__(self) -> str:
        return f"Shape({self.name!r}, {self.places!r}, {self.size})"


_shapes: dict[Any, Shape] = {}


def shape_of(kind: type[Block], game: Any, setup: Any = None) -> Shape:
    """The layout of a block."""
    sizes = tuple(
        (
            shape_of(field.kind, game, setup) if field.is_block else None,
            None if field.sized is None else field.sized.of(game, setup, native=True),
        )
        for field in kind.larger
    )
    key = kind, sizes
    if key not in _shapes:
        _shapes[key] = _laid_out(kind, dict(zip(kind.larger, sizes, strict=True)))
    return _shapes[key]


def _laid_out(kind: type[Block], sizes: dict[Field, tuple[Shape | None, int | None]]) -> Shape:
    """The layout of a block whose larger fields have these sizes: single words first, then arrays and blocks."""
    places, at, aligned = [], 0, False
    for field in sorted(kind.declared, key=lambda field: field.sized is not None or field.is_block):
        inner, count = sizes.get(field, (None, None))
        if field.sized is not None and field.sized.aligned:
            at, aligned = -(-at // LINE) * LINE, True
        name = "block" if inner is not None else field.kind.__name__
        places.append(Place(field.name, at, name, inner, count))
        at += (1 if inner is None else inner.size) * (1 if count is None else count)
    size = -(-at // LINE) * LINE if aligned else at
    return Shape(f"{kind.__module__}.{kind.__qualname__}", tuple(places), size)


class Handle:
    """A block of native memory as plain Python sees it: the same fields, read and written where they lie."""

    __slots__ = ("__dict__", "shape", "start", "words")

    def __init__(self, shape: Shape, words: Any, start: int = 0, kept: dict[int, Any] | None = None) -> None:
        vars(self)["kept"] = {} if kept is None else kept
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "start", start)

    @property
    def address(self) -> int:
        """Where it begins."""
        return int(self.words.address) + 8 * self.start

    def __getattr__(self, name: str) -> Any:
        place = self.shape.by_name.get(name)
        if place is None:
            raise AttributeError(f"{self.shape.name} has no field {name}")
        at = self.start + place.offset
        if place.count is not None:
            if place.inner is not None:
                return Rows(place.inner, self.words, place.count, at, self.kept)
            return Span(self.words, at, place.count, place.kind)
        if place.inner is not None:
            return Handle(place.inner, self.words, at, self.kept)
        if place.kind == "Memory":
            return self.kept.get(at)
        return _value(self.words[at], place.kind)

    def __setattr__(self, name: str, value: Any) -> None:
        place = self.shape.by_name.get(name)
        if place is None or place.count is not None or place.inner is not None:
            raise AttributeError(f"{self.shape.name} has no field {name} that can be assigned")
        if place.kind == "Memory":
            # So that it lives as long as the outermost block, which refers to it.
            self.kept[self.start + place.offset] = value
            value = value.address
        elif place.kind == "int" and isinstance(value, float):
            raise TypeError(f"{self.shape.name}.{name} is an int, not {value!r}")
        self.words[self.start + place.offset] = _word(value, place.kind)

    def assign(self, **values: Any) -> None:
        """Write many fields at once."""
        by_name, words, start = self.shape.by_name, self.words, self.start
        for name, value in values.items():
            place = by_name.get(name)
            if place is None or place.kind not in ("int", "float") or place.count is not None:
                setattr(self, name, value)
            elif place.kind == "float":
                words[start + place.offset] = float_to_word(value)
            elif isinstance(value, float):
                raise TypeError(f"{self.shape.name}.{name} is an int, not {value!r}")
            else:
                words[start + place.offset] = value

    def settle(self) -> None:
        """Take all pages now, so that nothing waits for them later."""
        self.words.settle()

    def report(self) -> dict[str, Any]:
        """All names and values, for whoever looks for a mistake."""
        return _report(self, [place.name for place in self.shape.places])


class Span:
    """An array of numbers in native memory."""

    __slots__ = ("count", "kind", "start", "words")

    def __init__(self, words: Any, start: int, count: int, kind: str) -> None:
        self.words, self.start, self.count, self.kind = words, start, count, kind

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            first, last, _ = index.indices(self.count)
            words = self.words.part(self.start + first, max(0, last - first))
            return words if self.kind == "int" else [_value(word, self.kind) for word in words]
        return _value(self.words[self._at(index)], self.kind)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            first, last, _ = index.indices(self.count)
            words = [_word(item, self.kind) for item in value]
            if len(words) != last - first:
                raise ValueError(f"{len(words)} items do not fit into {last - first} places")
            self.words.fill(words, self.start + first)
        else:
            self.words[self._at(index)] = _word(value, self.kind)

    def _at(self, index: int) -> int:
        if not -self.count <= index < self.count:
            raise IndexError(f"{index} is no index into {self.count} items")
        return self.start + index % self.count


class Rows:
    """Blocks side by side in native memory."""

    __slots__ = ("count", "kept", "shape", "start", "words")

    def __init__(
        self, shape: Shape, words: Any, count: int, start: int = 0, kept: dict[int, Any] | None = None
    ) -> None:
        self.shape, self.words, self.count, self.start = shape, words, count, start
        self.kept = {} if kept is None else kept

    @property
    def address(self) -> int:
        """Where the first one begins."""
        return int(self.words.address) + 8 * self.start

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Handle:
        if not -self.count <= index < self.count:
            raise IndexError(f"{index} is no index into {self.count} blocks")
        return Handle(self.shape, self.words, self.start + index % self.count * self.shape.size, self.kept)

    def column(self, name: str, item: int = 0) -> list[Any]:
        """A field of all blocks, read at once; of an array the item of this number."""
        place = require_field(self.shape, name)
        first, size = self.start + place.offset + item, self.shape.size
        words = self.words.part(first, (self.count - 1) * size + 1)[::size] if self.count else []
        if place.kind == "float":
            return list(struct.unpack(f"<{len(words)}d", struct.pack(f"<{len(words)}q", *words)))
        return [_value(word, place.kind) for word in words] if place.kind == "u64" else words


def _value(word: int, kind: str) -> Any:
    return word_to_float(word) if kind == "float" else u64(word) if kind == "u64" else word


def _word(value: Any, kind: str) -> int:
    if kind == "float":
        return float_to_word(float(value))
    word = int(value)
    return word - (1 << 64) if word >> 63 == 1 else word


# --- set-ups ---------------------------------------------------------------------------------------------------------


class Setup:
    """The base of frozen dataclasses whose fields are compiled in, as a game is: functions, truth values, words, None.

    Branches on them cost nothing in native code. A number would have everything compiled anew for each of its values:
    numbers are arguments, or stand in a block.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                raise TypeError(f"{type(self).__name__}.{field.name}: a number belongs into a block, not into a set-up")


def parts_of(setup: Setup) -> list[tuple[str, Any]]:
    """The fields of a set-up and their values."""
    return [(field.name, getattr(setup, field.name)) for field in fields(setup)]  # type: ignore[arg-type]


def require_field(shape: Shape, name: str) -> Place:
    """The place of a field; CompileError where there is none."""
    if name not in shape.by_name:
        raise CompileError(f"{shape.name} has no field {name}")
    return shape.by_name[name]
