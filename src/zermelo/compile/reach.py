"""What code reaches: everything that a rule's meaning depends on, hashed, and whether it is still as it was.

A digest names what was compiled from rules, or found out about them. A process may change what rules read while it runs
(a constant in a notebook's cell, a method of a class), so what is kept for a game is kept with a `Snapshot` of all that
was reached. Whether it still holds is found out in microseconds, without hashing anything again.
"""

import dis
import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import chain, repeat
from operator import attrgetter, is_
from typing import Any, TypeVar

from zermelo.compile.block import Setup, parts_of
from zermelo.compile.tables import Table
from zermelo.contract import MEMORIES, Game, annotations_of

Found = TypeVar("Found")
FOR_PEOPLE = {"text", "svg", "format_action", "parse_action", "format_state", "parse_state", "validate"}
BITS = "zermelo.bits"
FOUND_OUT = ("traits", "draw_value")
"""Attributes in which games keep what was found out about them."""
ASSIGNING = {dis.opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")}
FILLING = {dis.opmap[name] for name in ("STORE_SUBSCR", "DELETE_SUBSCR")}
ABSENT: Any = object()
"""Stands for a name that means nothing yet."""


class Snapshot:
    """What names, classes, functions and containers held when they were reached."""

    def __init__(self) -> None:
        self.names: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        self.members: list[tuple[Mapping[str, Any], set[str]]] = []
        self.functions: list[types.FunctionType] = []
        self.parts: list[Any] = []  # the code and defaults of each function
        self.cells: list[Any] = []
        self.inside: list[Any] = []  # what each cell holds
        self.games: list[tuple[Game, dict[str, Any]]] = []
        self.containers: list[tuple[Any, tuple[Any, ...]]] = []
        self.arrays: list[tuple[Any, bytes]] = []

    def name(self, space: Mapping[str, Any], name: str) -> None:
        """Note what a name means, also where it means nothing yet."""
        self.names.setdefault(id(space), (space, {}))[1][name] = space.get(name, ABSENT)

    def of_class(self, kind: type) -> None:
        """Note what a class holds."""
        space = vars(kind)
        self.members.append((space, set(space)))
        self.names[id(space)] = space, dict(space)

    def function(self, plain: types.FunctionType) -> None:
        """Note what a function does."""
        self.functions.append(plain)
        self.parts.extend((plain.__code__, plain.__defaults__))
        cells = plain.__closure__ or ()
        self.cells.extend(cells)
        self.inside.extend(cell.cell_contents for cell in cells)

    def leave_out(self, written: set[str], fills: bool) -> None:
        """Forget what rules themselves write, such as a count of calls or results that they keep: rules do not depend
        on it, and native code cannot write it."""
        if fills:
            self.containers = [pair for pair in self.containers if not isinstance(pair[0], dict)]
        for name in written:
            for _, then in self.names.values():
                then.pop(name, None)
            for _, held in self.games:
                held.pop(name, None)
            for _, names in self.members:
                names.add(name)

    def holds(self) -> bool:
        """Whether all is as it was. It is asked before every search, so that the loops are those of the interpreter."""
        return (
            all(all(map(is_, map(s.get, then, repeat(ABSENT)), then.values())) for s, then in self.names.values())
            and all(names.issuperset(space) for space, names in self.members)
            and all(map(is_, chain.from_iterable(map(_parts, self.functions)), self.parts))
            and all(map(is_, map(_inside, self.cells), self.inside))
            and all(all(map(is_, map(vars(now).get, then, repeat(ABSENT)), then.values())) for now, then in self.games)
            and all(_same(_content(now), then) for now, then in self.containers)
            and all(now.tobytes() == then for now, then in self.arrays)
        )


def _same(now: tuple[Any, ...], then: tuple[Any, ...]) -> bool:
    return len(now) == len(then) and all(map(is_, now, then))


_parts = attrgetter("__code__", "__defaults__")
_inside = attrgetter("cell_contents")


def members(game: Game) -> dict[str, Any]:
    """What an instance holds, without what is only remembered there."""
    kind = type(game)
    return {name: value for name, value in vars(game).items() if name not in MEMORIES and not _is_cached(kind, name)}


def _is_cached(kind: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(kind, name, None), cached_property)


def _content(container: Any) -> tuple[Any, ...]:
    return (*container, *container.values()) if isinstance(container, dict) else tuple(container)


def is_known_by_name(value: Any) -> bool:
    """Whether the name alone tells what it is: it comes with Python, or is a function of this room. The versions of
    both are part of every entry's name."""
    module = value.__module__ or ""
    if isinstance(value, types.FunctionType):
        if value.__closure__:
            return False
        if module == BITS or module.startswith(f"{__package__}."):
            return True
    return module != "builtins" and module.partition(".")[0] in sys.stdlib_module_names


class Reach:
    """Hashes a function and everything that it can reach, and notes how it was."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.snapshot = Snapshot()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []
        self.tables: list[Table] = []
        self.written: set[str] = set()
        """Names to which what was reached assigns."""
        self.fills = False
        """Whether it assigns to items, of a dictionary perhaps."""

    def add(self, value: Any) -> None:
        """Mix a value in."""
        if isinstance(value, type | types.FunctionType) and is_known_by_name(value):
            self.note("known", value.__module__, value.__qualname__)
            return
        if isinstance(value, type | Game | types.FunctionType | types.ModuleType | types.CodeType):
            if id(value) in self.seen:
                self.note("again", self.seen[id(value)])
                return
            self.seen[id(value)] = len(self.seen)
            self.kept.append(value)
        if isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, Game):
            self._game(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, Table):
            self.note("table", value.digest)
            self.tables.append(value)
        elif isinstance(value, Setup):
            self.note("setup", type(value).__qualname__)
            for name, part in parts_of(value):
                self.note(name)
                self.add(part)
        elif is_dataclass(value) and not isinstance(value, type):
            self.note("dataclass", type(value).__module__, type(value).__qualname__)
            for part in fields(value):
                self.note(part.name)
                self.add(getattr(value, part.name))
        elif isinstance(value, types.ModuleType):
            self.note("module", value.__name__)
        elif isinstance(value, staticmethod | classmethod):
            self.add(value.__func__)
        elif isinstance(value, property):
            self.add(value.fget)
        elif isinstance(value, tuple | list):
            self.note("items", type(value).__name__, len(value))
            if isinstance(value, list):
                self.snapshot.containers.append((value, _content(value)))
            for item in value:
                self.add(item)
        elif isinstance(value, dict):
            self.note("dict", len(value))
            self.snapshot.containers.append((value, _content(value)))
            for key, item in value.items():
                self.add(key)
                self.add(item)
        elif type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            self.note("array", str(value.dtype), getattr(value, "shape", ()), value.tobytes())
            self.snapshot.arrays.append((value, value.tobytes()))
        elif isinstance(value, int | float | str | bytes | frozenset | type(None)) and not isinstance(value, Enum):
            self.note(type(value).__name__, value if not isinstance(value, frozenset) else sorted(map(repr, value)))
        elif isinstance(value, Enum):
            self.note("enum", type(value).__qualname__, value.name)
            self.add(value.value)
        elif hasattr(value, "__wrapped__"):
            self.add(value.__wrapped__)
        elif isinstance(value, cached_property | partial):
            self.add(value.func)
        elif isinstance(value, set | range | bytearray | complex):
            self.note(type(value).__name__, sorted(map(repr, value)) if isinstance(value, set) else repr(value))
            if isinstance(value, set | bytearray):
                self.snapshot.containers.append((value, _content(value)))
        elif type(value).__module__ in ("builtins", "types", "typing", "_thread"):
            self.note("object", type(value).__qualname__, getattr(value, "__name__", ""))
        else:
            # What it holds is unknown; its repr has to do. If that is an address, every process compiles anew.
            self.note("object", type(value).__qualname__, repr(value))

    def settle(self) -> None:
        """End: everything is reached, and what rules write themselves is left out."""
        self.snapshot.leave_out(self.written, self.fills)

    def note(self, *parts: Any) -> None:
        """Mix plain values in."""
        self.hash.update(repr(parts).encode() + b"\0")

    def _function(self, plain: Any) -> None:
        plain = inspect.unwrap(plain)
        self.snapshot.function(plain)
        self.note("function", plain.__qualname__, inspect.signature(plain).__str__())
        self.add(plain.__code__)
        self.add(plain.__defaults__)
        cells = {
            n: c.cell_contents
            for n, c in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
            if n != "__class__"
        }
        self.add(tuple(cells.items()))
        self._names(plain.__code__, plain.__globals__)

    def _names(self, code: types.CodeType, space: dict[str, Any]) -> None:
        for name in code.co_names:
            self.snapshot.name(space, name)
            if name not in space:
                continue
            value = space[name]
            self.note("name", name)
            self.add(value)
            if isinstance(value, types.ModuleType):
                self._attributes(value, code.co_names, 3)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._names(constant, space)

    def _attributes(self, module: types.ModuleType, names: tuple[str, ...], depth: int) -> None:
        """What a function may reach through a module, and through modules in it."""
        for name in names:
            self.snapshot.name(vars(module), name)
            if hasattr(module, name):
                value = getattr(module, name)
                self.note("attribute", name)
                if isinstance(value, types.ModuleType) and depth:
                    self._attributes(value, names, depth - 1)
                else:
                    self.add(value)

    def _code(self, code: types.CodeType) -> None:
        steps = set(code.co_code[::2])
        self.fills |= bool(FILLING & steps)
        if ASSIGNING & steps:
            self.written.update(step.argval for step in dis.get_instructions(code) if step.opcode in ASSIGNING)
        self.note("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        for constant in code.co_consts:
            self.add(constant)

    def _game(self, game: Game) -> None:
        self.note("game")
        own = members(game)
        self.snapshot.games.append((game, dict(own)))
        self.add(tuple(game.parameters.items()))
        self.add(tuple(sorted(own.items())))
        self.add(type(game))
        # The first state may depend on what was not reached so far. That a game is broken is told elsewhere.
        with suppress(Exception):
            self.add(game.initial())

    def _class(self, kind: type) -> None:
        self.note("class", kind.__name__)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self.note(kind._fields, {k: str(v) for k, v in annotations_of(kind).items()})
            self.add(tuple(kind._field_defaults.items()))  # type: ignore[attr-defined]
            self._members(kind)
        elif issubclass(kind, Game):
            for base in kind.__mro__[: kind.__mro__.index(Game)]:
                for name, value in sorted(self._members(base).items()):
                    if name not in FOR_PEOPLE and name != "_fields":
                        self.note("member", name)
                        self.add(value)
        elif kind.__module__ not in ("builtins", BITS):
            for base in kind.__mro__:
                if base.__module__ == "builtins" or base.__module__ in ("enum", "typing", "abc"):
                    continue
                for name, value in sorted(self._members(base).items()):
                    self.note("member", name)
                    self.add(value)

    def _members(self, kind: type) -> dict[str, Any]:
        self.snapshot.of_class(kind)
        return {name: value for name, value in vars(kind).items() if not name.startswith("__")}


def digest(*values: Any) -> str:
    """The hash of values and of everything that they reach."""
    reach = Reach()
    for value in values:
        reach.add(value)
    return reach.hash.hexdigest()


def tables_of(digests: list[str], *values: Any) -> dict[str, Table] | None:
    """The tables with these digests among all that the values reach; None where one is missing."""
    if not digests:
        return {}
    reach = Reach()
    for value in values:
        reach.add(value)
    known = {table.digest: table for table in reach.tables}
    return {d: known[d] for d in digests} if all(d in known for d in digests) else None


def kept(game: Game, what: str, find: Callable[[], Found]) -> Found:
    """What `find` found out about a game. It is found again once anything that the game's rules read has changed."""
    known = vars(game).get("_kept")
    if known is None or not known[0].holds():
        reach = Reach()
        reach.add(game)
        reach.settle()
        for name in FOUND_OUT:
            vars(game).pop(name, None)
        known = vars(game)["_kept"] = reach.snapshot, {"digest": reach.hash.hexdigest()}
    found: dict[str, Any] = known[1]
    if what not in found:
        found[what] = find()
    return found[what]


def game_digest(game: Game) -> str:
    """The hash of a game and of everything that its rules reach, as it is now."""
    return kept(game, "digest", str)


def function_digest(plain: types.FunctionType) -> str:
    """The hash of a function and of everything that it reaches, as it is now."""
    known = vars(plain).get("_kept")
    # Decorators copy what one function keeps to another one.
    if known is None or known[0] is not plain or not known[1].holds():
        reach = Reach()
        reach.add(plain)
        reach.settle()
        known = vars(plain)["_kept"] = plain, reach.snapshot, reach.hash.hexdigest()
    return known[2]
