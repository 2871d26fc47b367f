"""Kernels on machines: a plain function and its arguments in, the same answer out, whichever machine runs it.

A kernel is an ordinary function. Arguments that are games, functions, truth values, words or None are known before it
runs and are compiled in; numbers, states and memories are passed at run time, laid out in one block of words.
"""

import inspect
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

from zermelo.bits import u64
from zermelo.compile import layout as layouts
from zermelo.compile.aside import Making
from zermelo.compile.block import Handle, Rows, Setup, Shape, parts_of
from zermelo.compile.layout import Layout
from zermelo.compile.memory import float_to_word, word_to_float
from zermelo.compile.reach import digest, function_digest, game_digest
from zermelo.compile.signals import passed_on
from zermelo.compile.tables import Table
from zermelo.contract import Game
from zermelo.errors import BadState, CompileError, ZermeloError

Plain = TypeVar("Plain", bound=Callable[..., Any])
RESULT_WORDS = 16
PACKAGE = __name__.partition(".")[0]
STOP, STOPPED = 1, -1
"""A kernel with an argument called `work` turns back when its word number STOP is not 0; a machine that is interrupted
writes STOPPED there."""


def kernel(plain: Plain) -> Plain:
    """Mark a function as one that runs on every machine. It stays the plain function that it is."""
    plain.__zermelo_kernel__ = True  # type: ignore[attr-defined]
    return plain


def inlined(plain: Plain) -> Plain:
    """Mark a kernel that is small, or called in few places: native code has it in place of each call."""
    plain.is_inlined = True  # type: ignore[attr-defined]
    return plain


def told_as(name: str) -> Callable[[Plain], Plain]:
    """Say what people are told that a kernel is for, while it is compiled: the method that they called."""

    def named(plain: Plain) -> Plain:
        plain.told_as = name  # type: ignore[attr-defined]
        return plain

    return named


class Placed(NamedTuple):
    """An argument that is a block, or blocks side by side: the layout, which code depends on."""

    shape: Shape
    side_by_side: bool


class Program:
    """One kernel for one set of constants and one shape of arguments, compiled for one native machine."""

    def __init__(self, plain: Any, constants: dict[str, Any], kinds: dict[str, Any], machine: Any) -> None:
        self.plain, self.constants, self.machine = plain, constants, machine
        self.spread = "row" in kinds
        self.kinds = [kind for name, kind in kinds.items() if name != "row"]
        self.names = list(kinds)
        self.argument_words = sum(1 if isinstance(kind, str | Placed) else kind.size for kind in self.kinds)
        self.block_words = self.argument_words + RESULT_WORDS
        self.code = machine.load(self)

    @property
    def game(self) -> Game | None:
        """The game that is compiled in."""
        return next((v for v in self.constants.values() if isinstance(v, Game)), None)

    def fingerprint(self) -> str:
        """The hash of everything that this program means."""
        shapes = [kind if isinstance(kind, str) else _shape(kind) for kind in self.kinds]
        return digest(self.machine.name, self.plain, self.constants, self.names, shapes)

    def write_block(self, arguments: Sequence[Any]) -> list[int]:
        """The words of the arguments."""
        words: list[int] = []
        for kind, value in zip(self.kinds, arguments, strict=True):
            if kind == "f":
                words.append(float_to_word(value))
            elif kind == "m" or isinstance(kind, Placed):
                words.append(value.address)
            else:
                shape = layouts.Leaf(kind) if isinstance(kind, str) else kind
                try:
                    shape.flatten(value, words)
                except ValueError as error:
                    raise BadState(f'{error}: native code cannot hold it; device="python" can') from None
        return words

    def entry_source(self) -> str:
        """Source that reads the block, calls the kernel and writes the result behind the arguments."""
        offset = count()
        loads = []
        kinds = iter(self.kinds)
        for name in self.names:
            if name == "row":
                loads.append("row")
                continue
            kind = next(kinds)
            if kind == "f":
                loads.append(f"load_float(m, {next(offset)})")
            elif kind == "m":
                loads.append(f"words_at(m[{next(offset)}])")
            elif isinstance(kind, Placed):
                loads.append(f"{name}_at(m[{next(offset)}])")
            else:
                shape = layouts.Leaf(kind) if isinstance(kind, str) else kind
                loads.append(shape.load("m", map(str, offset)))
        call = f"kernel({', '.join(loads)})"
        return call if self.spread else f"store_result(m, {self.argument_words}, {call})"

    def entry_namespace(self, room: Any) -> dict[str, Any]:
        """What that source names."""
        native = room.intrinsics
        names = ["load_float", "words_at", "store_result", "mark_stack", "as_int", "as_u64"]
        space = {name: getattr(native, name) for name in names}
        for kind in self.kinds:
            if isinstance(kind, Layout):
                space.update({layouts.class_name(k): k for k in layouts.classes(kind)})
        for name, kind in zip((name for name in self.names if name != "row"), self.kinds, strict=True):
            if isinstance(kind, Placed):
                make = native.rows_at if kind.side_by_side else native.block_at
                space[f"{name}_at"] = room.intrinsic(("at", kind), make, kind.shape)
        if self.game is not None:
            room.adopt(self.game)
        space["kernel"] = room.function(self.plain, self.constants, alone=True)
        return space

    def read_result(self, words: Sequence[int], kinds: str) -> Any:
        """The kernel's answer out of its words."""
        values = [
            word_to_float(w) if k == "f" else bool(w) if k == "b" else u64(w) if k == "u" else w
            for w, k in zip(words, kinds, strict=False)
        ]
        return values[0] if len(values) == 1 else tuple(values)


@lru_cache(maxsize=1024)
def parameters_of(plain: Any) -> tuple[str, ...]:
    """The names of a function's parameters."""
    return tuple(inspect.signature(plain).parameters)


class NotCompiled(ZermeloError):
    """Code that is neither loaded nor in the cache was asked for where nothing may be compiled.

    `make_aside` lets a child process make it; None where that is not possible.
    """

    def __init__(self, message: str, make_aside: Callable[[], Making] | None = None) -> None:
        super().__init__(message)
        self.make_aside = make_aside


@contextmanager
def kept_code_only() -> Iterator[None]:
    """Raise NotCompiled if the first program that is asked for is neither loaded nor in the cache. If it is, the call
    has begun, and whatever else it needs is compiled as usual."""
    _own.only_kept = True
    try:
        yield
    finally:
        _own.only_kept = False


def may_compile() -> bool:
    """Whether code that is not in the cache may be compiled now."""
    return not getattr(_own, "only_kept", False)


def seconds_compiling() -> float:
    """Seconds that this thread has waited for native code to be made or loaded."""
    return getattr(_own, "compiling", 0.0)


@contextmanager
def counted() -> Iterator[None]:
    """Count what passes inside as time for which a compiler was waited."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _own.compiling = seconds_compiling() + time.perf_counter() - began


_own = threading.local()
_programs: dict[Any, Program] = {}
_refused: dict[Any, str] = {}
"""Why programs could not be compiled: they are not tried again."""
compiling = threading.RLock()
"""Held while something is compiled."""


def program(plain: Any, arguments: dict[str, Any], machine: Any, spread: bool = False) -> tuple[Program, list[Any]]:
    """The compiled kernel for these arguments, and those that are passed when it runs.

    With `spread` its parameter `row` is not passed: it counts the runs.
    """
    constants: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    runtime = []
    game = next((v for v in arguments.values() if isinstance(v, Game)), None)
    for name in parameters_of(plain):
        if spread and name == "row":
            kinds[name] = "i"
            continue
        value = arguments[name]
        if _is_constant(value):
            constants[name] = value
            continue
        runtime.append(value)
        kinds[name] = _kind_of(value, game, name)
    key = (plain, machine.name, _key(constants), tuple(kinds.items()))
    if key not in _programs:
        with counted(), compiling:
            # Threads that want the same program wait for the first, which makes it.
            if key in _refused:
                raise CompileError(_refused[key])
            if key not in _programs:
                try:
                    with passed_on():
                        _programs[key] = Program(plain, constants, kinds, machine)
                except CompileError as error:
                    _refused[key] = str(error)
                    raise
    _own.only_kept = False
    return _programs[key], runtime


def _key(constants: dict[str, Any]) -> Any:
    return tuple((name, _identity(value)) for name, value in constants.items())


def _identity(value: Any) -> Any:
    """What a constant means now; code of this package, closures apart, means the same all the time."""
    if isinstance(value, Game):
        return id(type(value)), game_digest(value)
    if isinstance(value, Setup):
        return type(value), tuple((name, _identity(part)) for name, part in parts_of(value))
    if inspect.isfunction(value) and (value.__closure__ or not value.__module__.startswith(f"{PACKAGE}.")):
        return value, function_digest(value)
    return value


def _is_constant(value: Any) -> bool:
    return value is None or isinstance(value, bool | str | Game | Setup | Table) or inspect.isfunction(value)


def _kind_of(value: Any, game: Game | None, name: str) -> Any:
    if isinstance(value, u64):
        return "u"
    if isinstance(value, float):
        return "f"
    if isinstance(value, Handle | Rows):
        return Placed(value.shape, isinstance(value, Rows))
    if hasattr(value, "address"):
        return "m"
    if name in ("s", "state") and game is not None:
        return layouts.state_layout(game)
    if isinstance(value, int):
        return "i"
    raise CompileError(f"{name}={value!r} cannot be passed to native code")


def _shape(whole: Any) -> str:
    if isinstance(whole, Placed):
        return repr(whole)
    if isinstance(whole, layouts.Leaf):
        return whole.kind
    return f"({''.join(_shape(item) for item in whole.items)})"


def notice(program: Program, where: str) -> None:
    """Say that something is being compiled: it takes seconds, once."""
    if os.environ.get("ZERMELO_QUIET"):
        return
    for_game = f" for {program.game.name}" if program.game is not None else ""
    setup = program.constants.get("setup")
    inner = getattr(setup, "search", None) or getattr(setup, "windowed", None) or program.plain
    name = getattr(setup, "style", None) or getattr(inner, "told_as", inner.__name__.removesuffix("_value"))
    print(f"zermelo: compiling {name}{for_game} ({where}, once; kept for later)", file=sys.stderr)
