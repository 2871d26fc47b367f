"""Compiled code on disk, each piece named by a hash of everything that it was made from.

One file holds one entry: a line of JSON and the machine code. There is no index to go stale: a change to a rule, a
helper, a base class, a constant or a table changes the name. Files are written aside and renamed, so that readers
never see half of one; whatever cannot be read back is compiled again.
"""

import hashlib
import inspect
import json
import os
import sys
import tempfile
import types
from enum import Enum
from functools import cache, cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from zermelo.compile.table import Table
from zermelo.contract import MEMORIES, Game, annotations_of

FOR_PEOPLE = {"text", "svg", "format_action", "parse_action", "format_state", "parse_state", "validate"}


def folder() -> Path:
    """Where compiled code is kept: $ZERMELO_CACHE, or the user's cache folder."""
    own = os.environ.get("ZERMELO_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo" / "native"


def load(name: str) -> tuple[dict[str, Any], bytes] | None:
    """The entry of this name, or None where there is none that can be trusted."""
    try:
        head, _, code = (folder() / name).read_bytes().partition(b"\n")
        header = json.loads(head)
    except (OSError, ValueError):
        return None
    if not isinstance(header, dict) or header.pop("digest", None) != _seal(header, code):
        return None
    return header, code


def save(name: str, header: dict[str, Any], code: bytes) -> None:
    """Keep an entry; a folder that cannot be written to is no error."""
    header = {**header, "digest": _seal(header, code)}
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=folder(), prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(header).encode() + b"\n" + code)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, folder() / name)
    except OSError:
        return


def _seal(header: dict[str, Any], code: bytes) -> str:
    return hashlib.sha256(json.dumps(header).encode() + code).hexdigest()


@cache
def toolchain() -> str:
    """Everything besides the program that machine code depends on."""
    own = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        own.update(path.read_bytes())
    own.update((Path(__file__).parent.parent / "bits.py").read_bytes())
    return f"{own.hexdigest()} {sys.version} {version('numba')} {version('llvmlite')} {version('numpy')}"


class Reach:
    """Hashes a function and everything that it can reach."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []
        self.tables: list[Table] = []

    def add(self, value: Any) -> None:
        """Mix a value in."""
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
        elif isinstance(value, types.ModuleType):
            self.note("module", value.__name__)
        elif isinstance(value, staticmethod | classmethod):
            self.add(value.__func__)
        elif isinstance(value, property):
            self.add(value.fget)
        elif isinstance(value, tuple | list):
            self.note("items", type(value).__name__, len(value))
            for item in value:
                self.add(item)
        elif isinstance(value, dict):
            self.note("dict", len(value))
            for key, item in value.items():
                self.add(key)
                self.add(item)
        elif type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            self.note("array", str(value.dtype), getattr(value, "shape", ()), value.tobytes())
        elif isinstance(value, int | float | str | bytes | frozenset | type(None)) and not isinstance(value, Enum):
            self.note(type(value).__name__, value if not isinstance(value, frozenset) else sorted(map(repr, value)))
        elif isinstance(value, Enum):
            self.note("enum", type(value).__qualname__, value.name)
            self.add(value.value)
        elif hasattr(value, "__wrapped__"):
            self.add(value.__wrapped__)
        elif isinstance(value, cached_property | partial):
            self.add(value.func)
        elif type(value).__module__ in ("builtins", "types", "typing", "_thread"):
            self.note("object", type(value).__qualname__, getattr(value, "__name__", ""))
        else:
            # Nobody knows what it holds. Where its repr tells no more than its address, every process compiles anew.
            self.note("object", type(value).__qualname__, repr(value))

    def note(self, *parts: Any) -> None:
        """Mix plain values in."""
        self.hash.update(repr(parts).encode() + b"\0")

    def _function(self, plain: Any) -> None:
        plain = inspect.unwrap(plain)
        self.note("function", plain.__qualname__, inspect.signature(plain).__str__())
        self.add(plain.__code__)
        self.add(plain.__defaults__)
        cells = {
            n: c.cell_contents
            for n, c in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
            if n != "__class__"
        }
        self.add(cells)
        self._names(plain.__code__, plain.__globals__)

    def _names(self, code: types.CodeType, space: dict[str, Any]) -> None:
        for name in code.co_names:
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
            if hasattr(module, name):
                value = getattr(module, name)
                self.note("attribute", name)
                if isinstance(value, types.ModuleType) and depth:
                    self._attributes(value, names, depth - 1)
                else:
                    self.add(value)

    def _code(self, code: types.CodeType) -> None:
        self.note("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        for constant in code.co_consts:
            self.add(constant)

    def _game(self, game: Game) -> None:
        self.note("game")
        self.add(game.parameters)
        self.add({name: value for name, value in sorted(vars(game).items()) if name not in MEMORIES})
        self.add(type(game))
        self.add(game.initial())

    def _class(self, kind: type) -> None:
        self.note("class", kind.__name__)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self.note(kind._fields, {k: str(v) for k, v in annotations_of(kind).items()})
            self.add(kind._field_defaults)  # type: ignore[attr-defined]
        elif issubclass(kind, Game):
            for base in kind.__mro__[: kind.__mro__.index(Game)]:
                for name, value in sorted(vars(base).items(), key=lambda pair: pair[0]):
                    if not name.startswith("__") and name not in FOR_PEOPLE and name != "_fields":
                        self.note("member", name)
                        self.add(value)
        elif kind.__module__ not in ("builtins", "zermelo.bits"):
            for base in kind.__mro__:
                if base.__module__ == "builtins" or base.__module__ in ("enum", "typing", "abc"):
                    continue
                for name, value in sorted(vars(base).items(), key=lambda pair: pair[0]):
                    if not name.startswith("__"):
                        self.note("member", name)
                        self.add(value)


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
