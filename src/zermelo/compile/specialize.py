"""Turns a plain Python function into one that Numba can compile, for given compile-time constants.

Rules and kernels are ordinary functions in which some parameters (the game, a switch, another function) are known
before anything runs. Here the source is read, those parameters are filled in, and what is left is plain code on
numbers, tuples and memory handles:

- `game.result(s, a)` and `self.result(s, a)` become calls of a function of (s, a) alone; parameters become constants;
- branches on constants disappear, so that a hook which a game lacks costs nothing;
- `actions`, a generator, becomes `fill`, which writes into memory, or `count` and `nth`, which need no memory;
- `State(...)` casts its fields to their declared types; tables become loads by flat index;
- `any`, `all`, `sum`, `min` and `max` of generator expressions become loops.

Line numbers are kept, so that every error names the author's own line.
"""

import ast
import inspect
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from zermelo.compile import layout as layouts
from zermelo.compile.blame import is_trusted
from zermelo.compile.names import Forward
from zermelo.compile.rewrite import Writer
from zermelo.compile.source import first_parameter
from zermelo.compile.tables import Table
from zermelo.contract import Game
from zermelo.errors import CompileError

WINDOWS = {
    "fill": ("{a}, {b}, most_actions", "fill_end(end, {b}, most_actions)"),
    "fill_noisy": ("{a}, {b}, most_actions", "fill_end(end, {b}, most_actions)"),
    "rollout": ("{b}, {c}, rollout_words", "end"),
    "noted_score": ("{a}, min({b}, {c}), max({b}, {c}) - min({b}, {c}) + notes_words", "end"),
}
"""Methods that use memory: of which of their parameters, from where and how many words; and what they may return."""


class Specializer:
    """Writes and memoizes specialized functions for one native target.

    `jit` turns a Python function into a compiled one that others may call; `native` maps plain functions of this
    package to their native meaning; `crowded` is the target's answer to `is_crowded`. `shared` holds what other
    programs of this process have compiled: the rules of a game are the same in all of them.
    """

    def __init__(
        self,
        jit: Callable[[Any], Any],
        native: dict[Any, Any],
        intrinsics: Any,
        *,
        crowded: bool = False,
        shared: dict[Any, Any] | None = None,
    ) -> None:
        self.compiled: list[Any] = []
        self.own_jit = jit
        self.shared: dict[Any, Any] = {} if shared is None else shared
        self.native = native
        self.intrinsics = intrinsics
        self.crowded = crowded
        self.made: dict[Any, Any] = {}
        self.tables: dict[str, Table] = {}
        self.layouts: dict[Any, Any] = {}
        self.inlined: list[Any] = []

    def jit(self, plain: Any, own: Forward | None = None, alone: bool = False) -> Any:
        """The compiled form of a function that is written; one like it that is compiled already serves as well.

        `own` stands for the function where it calls itself; one that is `alone` is compiled for this program only.
        """
        key = None if alone else _likeness(plain, own)
        made = self.own_jit(plain) if key is None else self.shared.get(key)
        if made is None:
            made = self.shared[key] = self.own_jit(plain)
        self.compiled.append(made)
        return made

    def intrinsic(self, key: Any, make: Callable[..., Any], *arguments: Any) -> Any:
        """What `make` returns for these arguments; it is called once for each."""
        if key not in self.shared:
            self.shared[key] = make(*arguments)
        return self.shared[key]

    def refuse_escapes(self) -> None:
        """A thawed tuple lives in the frame of the function that thawed it and must not leave it."""
        for made in self.compiled:
            for overload in made.overloads.values():
                if "zermelo.thawed" in str(overload.signature.return_type):
                    code = made.py_func.__code__
                    raise CompileError(
                        f"{code.co_filename}:{code.co_firstlineno}: {made.py_func.__name__} returns a list that it "
                        "made: return tuple(...) of it"
                    )

    def function(self, plain: Any, constants: dict[str, Any], mode: str = "call", *, alone: bool = False) -> Any:
        """The compiled form of `plain` with these parameters fixed; it takes the others."""
        key = (plain, tuple(sorted((k, _identity(v)) for k, v in constants.items())), mode)
        if key not in self.made:
            forward = self.made[key] = Forward()
            forward.settle(self.jit(Writer(self, plain, constants, mode, forward).write(), forward, alone))
            if getattr(plain, "is_inlined", False):
                self.inlined.append(self.made[key].target)
        made = self.made[key]
        return made if made.target is None else made.target

    def method(self, game: Game, name: str) -> Any:
        """The compiled form of a method of a game, without its `self`."""
        return self._method(game, type(game), name)

    def _method(self, game: Game, start: type, name: str) -> Any:
        plain = inspect.getattr_static(start, name)
        if name == "is_terminal" and not game._defines("is_terminal"):
            return self.function(_no_way_on, {"game": game})
        if name == "fill" and not game._defines("fill"):
            return self.generator(game, "fill")
        if name == "key" and not game._defines("key"):
            return self.intrinsics.hash64
        if name == "table_key" and not game._defines("table_key"):
            return self._method(game, start, "key") if game.is_known_by_key else self.intrinsics.hash64
        if isinstance(plain, staticmethod):
            return self.function(plain.__func__, {})
        return self.function(plain, {first_parameter(plain): game})

    def bounded(self, game: Game, name: str) -> Any:
        """A method of somebody's game that uses memory, held to the part that it may use; None where it is no such."""
        plain = inspect.getattr_static(type(game), name)
        if name not in WINDOWS or not game._defines(name) or is_trusted(inspect.unwrap(plain)):
            return None
        key = ("bounded", name, _identity(game))
        if key not in self.made:
            code = inspect.unwrap(plain).__code__
            window, end = WINDOWS[name]
            sizes = {
                "most_actions": game.max_actions,
                "rollout_words": game.rollout_words,
                "notes_words": game.notes_words,
            }
            names = ", ".join(list(inspect.signature(plain).parameters)[1:])
            given = dict(zip(("s", "a", "b", "c"), names.split(", "), strict=False))
            source = (
                f"def {name}({names}):\n remember({given['s']})\n open_window({window.format(**given)})\n"
                f" end = method({names})\n end = {end.format(**given)}\n close_window()\n return end"
            )
            tree = ast.parse(source)
            # Whatever goes wrong here does so in the method as a whole.
            place = ast.Pass(lineno=code.co_firstlineno, col_offset=0, end_lineno=code.co_firstlineno, end_col_offset=0)
            for node in ast.walk(tree):
                ast.copy_location(node, place)
            space = {n: getattr(self.intrinsics, n) for n in ("remember", "open_window", "fill_end", "close_window")}
            space |= {"method": self.method(game, name), **sizes}
            exec(compile(tree, code.co_filename, "exec"), space)
            self.made[key] = self.jit(space[name])
        return self.made[key]

    def generator(self, game: Game, mode: str) -> Any:
        """`actions` as `fill(s, out, n)`, as `count(s)` or as `nth(s, k)`."""
        plain = inspect.getattr_static(type(game), "actions")
        return self.function(plain, {first_parameter(plain): game}, mode)

    def layout_of(self, kind: type) -> Any:
        """The layout of a NamedTuple class, or None where its fields are not declared as numbers."""
        if kind not in self.layouts:
            try:
                self.layouts[kind] = layouts.tuple_layout(kind)
            except CompileError:
                self.layouts[kind] = None
        return self.layouts[kind]

    def adopt(self, game: Game) -> Any:
        """Note the layouts of a game's state classes, whose tuples get their lengths from the first state."""
        whole = layouts.state_layout(game)
        self._note(whole)
        return whole

    def _note(self, whole: Any) -> None:
        if isinstance(whole, layouts.Group):
            if whole.kind is not None:
                self.layouts[whole.kind] = whole
            for item in whole.items:
                self._note(item)

    def maker(self, kind: type) -> Any:
        """A compiled constructor of a NamedTuple class that casts every field."""
        key = ("maker", kind)
        if key not in self.made:
            whole = self.layout_of(kind)
            names = list(kind._fields)  # type: ignore[attr-defined]
            space = self.namespace(whole)
            parts = [item.cast(name) for item, name in zip(whole.items, names, strict=True)]
            checks = [line for item, name in zip(whole.items, names, strict=True) for line in item.lengths(name)]
            lines = "".join(f"\n    {line}" for line in [*checks, f"return {whole.wrap(parts)}"])
            source = f"def new_{kind.__name__}({', '.join(names)}):{lines}"
            exec(source, space)
            self.made[key] = self.jit(space[f"new_{kind.__name__}"])
        return self.made[key]

    def state_cast(self, game: Game) -> Any:
        """A compiled function that casts any state of the game to its declared types."""
        whole = self.adopt(game)
        lines = "".join(f"\n    {line}" for line in [*whole.lengths("s"), f"return {whole.cast('s')}"])
        return self._about_states(game, "as_state", f"(s):{lines}")

    def state_loader(self, game: Game) -> Any:
        """`load_state` of the game."""
        whole = self.adopt(game)
        words = (f"index + {i}" for i in range(whole.size))
        return self._about_states(game, "load_state", f"(m, index): return {whole.load('m', words)}")

    def state_storer(self, game: Game) -> Any:
        """`store_state` of the game."""
        whole = self.adopt(game)
        lines = "".join(f"\n    m[index + {i}] = as_int({path})" for i, path in enumerate(whole.leaves("s")))
        return self._about_states(game, "store_state", f"(m, index, s):{lines}")

    def _about_states(self, game: Game, name: str, rest: str) -> Any:
        key = (name, _identity(game))
        if key not in self.made:
            space = self.namespace(self.adopt(game))
            exec(f"def {name}{rest}", space)
            self.made[key] = self.jit(space[name])
        return self.made[key]

    def namespace(self, whole: Any) -> dict[str, Any]:
        """What generated source about a layout may name."""
        names = ("as_int", "as_u64", "field_number", "field_board", "same_length")
        space = {name: getattr(self.intrinsics, name) for name in names}
        space.update({layouts.class_name(kind): kind for kind in layouts.classes(whole)})
        return space


def _no_way_on(game, s):
    return game.is_over(s) or game.action_count(s) == 0


def _likeness(plain: Any, own: Forward | None) -> Any:
    """A key that two generated functions share if they do the same: their code, and what the names in it stand for.
    None where a name stands for a function that is still being written."""
    code, space = plain.__code__, plain.__globals__
    parts: list[Any] = []
    for name in sorted(set(_names(code)) & space.keys()):
        value = space[name]
        if value is own:
            parts.append((name, Forward))
        elif isinstance(value, Forward):
            return None
        else:
            # Tuples of numbers are made anew each time, and 1 is not 1.0 in them; all else is told apart by its
            # address, which nothing else gets while the function that is kept mentions it.
            parts.append((name, repr(value) if type(value) is tuple else id(value)))
    return code, code.co_filename, code.co_linetable, plain.__qualname__, plain.__module__, tuple(parts)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _identity(value: Any) -> Any:
    return (type(value), repr(value)) if isinstance(value, Game) else value
