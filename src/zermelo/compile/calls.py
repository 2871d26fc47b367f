"""Calls: of a game's methods, of other functions, of constructors; arguments that are known move into the callee."""

import ast
import builtins
import inspect
import types
from typing import Any

from zermelo import bits
from zermelo.compile import lanes, memory
from zermelo.compile.block import Setup
from zermelo.compile.names import MISSING, Names, text
from zermelo.compile.source import first_parameter, place_of
from zermelo.compile.tables import Table
from zermelo.contract import Game, is_hashable


class Calls(Names):
    """Writes calls."""

    reduced: Any
    """How a reduction of a generator expression is written: see `Comprehensions`."""
    guarded: bool
    """Whether this is a rule that somebody wrote."""
    builtin_call: Any
    """How functions of Python are written that can fail: see `Guarded`."""

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            made = self._method_call(node, node.func)
            if made is not None:
                return ast.copy_location(made, node)
        callee = self.static(node.func)
        if callee is MISSING:
            return self.generic_visit(node)
        if callee is None:
            self.refuse(node, f"{text(node.func)} is not defined by this game")
        if callee in (hasattr, getattr, isinstance) and (folded := self._fold_query(node, callee)) is not None:
            return folded
        if callee is len and (made := self._length_of_generator(node)) is not None:
            return made
        if callee is len and node.args and isinstance(known := self.static(node.args[0]), Table | tuple | list):
            return ast.Constant(len(known))
        if callee in (any, all, sum, min, max, tuple, list) and node.args:
            made = self._of_items(node, callee)
            if made is not None:
                return made
        if is_hashable(callee) and (made := self.builtin_call(node, callee)) is not None:
            return made
        if callee in (memory.fetch_add, memory.exchange_if) and isinstance(named := self.static(node.args[1]), str):
            return self._step_on_field(node, callee, named)
        if is_hashable(callee) and callee in self.room.native:
            return self._plain_call(node, self.bind(self.room.native[callee], "native"))
        if callee in (memory.load_state, memory.store_state, memory.state_words):
            return self._state_call(node, callee)
        if callee is memory.is_crowded:
            return ast.Constant(self.room.crowded)
        if callee in (lanes.row, lanes.squares_by_row):
            return self._row_call(node, callee)
        if callee in (lanes.load_row, lanes.row_words):
            return self._row_in_memory(node, callee)
        if isinstance(callee, type) and issubclass(callee, tuple) and hasattr(callee, "_fields"):
            return self._construct(node, callee)
        if isinstance(callee, types.MethodType) and isinstance(callee.__self__, Game):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else callee.__name__
            return self._game_call(node, callee.__self__, type(callee.__self__), name)
        if isinstance(callee, types.FunctionType):
            return self._function_call(node, callee)
        if isinstance(node.func, ast.Name) and getattr(builtins, node.func.id, MISSING) is callee:
            return self._plain_call(node, node.func)
        return self.generic_visit(node)

    def _length_of_generator(self, node: ast.Call) -> ast.Call | None:
        """`len(list(self.actions(s)))`."""
        inner = node.args[0] if len(node.args) == 1 else None
        if not isinstance(inner, ast.Call) or self.static(inner.func) not in (list, tuple) or len(inner.args) != 1:
            return None
        return self.counted(inner.args[0])

    def _of_items(self, node: ast.Call, callee: Any) -> Any:
        """What is asked of all items at once, of a tuple or of a generator expression; None where it is neither."""
        first = node.args[0]
        if isinstance(first, ast.GeneratorExp | ast.ListComp):
            if callee is list:
                self.refuse(node, "native code has no lists: write a tuple(...), or yield the items")
            return self.reduced(node, callee.__name__)
        if callee is list:
            return self._plain_call(node, self.intrinsic("thaw"))
        if callee is tuple:
            return self._plain_call(node, self.intrinsic("freeze"))
        if callee in (min, max) and len(node.args) > 1:
            return None
        return self.reduced(_over_items(node), callee.__name__)

    def _state_call(self, node: ast.Call, callee: Any) -> Any:
        """Whole states in memory: the game says how they lie there."""
        game = self.static(node.args[0]) if node.args else MISSING
        if not isinstance(game, Game):
            self.refuse(node, f"{callee.__name__}: the first argument is the game")
        if callee is memory.state_words:
            return ast.Constant(self.room.adopt(game).size)
        made = self.room.state_loader(game) if callee is memory.load_state else self.room.state_storer(game)
        return ast.Call(self.bind(made, callee.__name__), [self._passed(a) for a in node.args[1:]], [])

    def _step_on_field(self, node: ast.Call, callee: Any, name: str) -> ast.Call:
        """One atomic step on a field of a block, which is named."""
        make = self.room.intrinsics.adder if callee is memory.fetch_add else self.room.intrinsics.exchanger
        made = self.room.intrinsic((callee.__name__, name), make, name)
        block, _, *values = node.args
        return ast.Call(self.bind(made, f"{callee.__name__}_{name}"), [self._passed(a) for a in (block, *values)], [])

    def _row_in_memory(self, node: ast.Call, callee: Any) -> Any:
        """A row that lies in memory: the table tells how long it is."""
        *place, whole = self._ordered(node, list(inspect.signature(callee).parameters.values()), callee.__name__)
        table = self._row_table(node, whole, callee)
        if callee is lanes.row_words:
            return ast.Constant(lanes.row_words(table))
        count = table.shape[1]
        made = self.room.intrinsic(("load_row", count), self.room.intrinsics.row_loader, count)
        return ast.Call(self.bind(made, "load_row"), [self._passed(part) for part in place], [])

    def _row_table(self, node: ast.Call, whole: ast.expr, callee: Any) -> Table:
        table = self.static(whole)
        if not isinstance(table, Table):
            self.refuse(node, f"{callee.__name__}: the table must be known by name")
        lanes.require_rows(table)
        return table

    def _row_call(self, node: ast.Call, callee: Any) -> Any:
        """A row of a table that is known before anything runs."""
        given = self._ordered(node, list(inspect.signature(callee).parameters.values()), callee.__name__)
        *before, whole, index = given
        table = self._row_table(node, whole, callee)
        self.room.tables[table.digest] = table
        key = (callee.__name__, table.digest)
        made = self.room.intrinsic(key, self.room.intrinsics.row_getter, callee, table)
        at = ast.Call(self.intrinsic("as_int"), [self.visit(index)], [])
        inside = ast.Call(self.intrinsic("checked_index"), [at, ast.Constant(table.shape[0])], [])
        return ast.Call(self.bind(made, callee.__name__), [*map(self._passed, before), inside], [])

    def _method_call(self, node: ast.Call, func: ast.Attribute) -> Any:
        if self.game is not None and self._is_super(func.value):
            return self._game_call(node, self.game, self._base_with(func), func.attr)
        if func.attr == "_replace":
            return self._replace_fields(node, func)
        if func.attr == "count" and len(node.args) == 1 and self.static(func) is MISSING:
            return self.reduced(_count_items(node, func), "sum")
        if func.attr == "bit_count" and not node.args:
            return ast.Call(self.bind(self.room.intrinsics.popcount, "popcount"), [self.visit(func.value)], [])
        owner_value = self.static(func.value)
        if isinstance(owner_value, Game) and func.attr in ("action_count", "nth_action"):
            mode = "count" if func.attr == "action_count" else "nth"
            made = self.room.generator(owner_value, mode)
            return self._plain_call(node, self.bind(made, mode))
        return None

    def _game_call(self, node: ast.Call, game: Game, start: type, name: str) -> Any:
        plain = inspect.getattr_static(start, name)
        if start is type(game):
            made = (None if self.guarded else self.room.bounded(game, name)) or self.room.method(game, name)
        else:
            made = self.room.function(plain, {first_parameter(plain): game})
        parameters = list(inspect.signature(plain).parameters.values())
        if not isinstance(plain, staticmethod):
            parameters = parameters[1:]
        arguments = self._ordered(node, parameters, name)
        return ast.Call(self.bind(made, name), [self._passed(a) for a in arguments], [])

    def _passed(self, argument: ast.expr) -> Any:
        """An argument at run time. Numba types a literal apart from other integers, which breaks recursion."""
        made = self.visit(argument)
        if isinstance(made, ast.Constant) and isinstance(made.value, int) and not isinstance(made.value, bool):
            return ast.Call(self.intrinsic("as_int"), [made], [])
        return made

    def _function_call(self, node: ast.Call, callee: Any) -> Any:
        """A call of another function: arguments that are constants by name move into it, the others stay."""
        parameters = list(inspect.signature(callee).parameters.values())
        arguments = self._ordered(node, parameters, callee.__name__)
        constants, runtime = {}, []
        for parameter, argument in zip(parameters, arguments, strict=True):
            known = self.static(argument)
            if known is not MISSING and self._moves_in(known):
                constants[parameter.name] = known
            else:
                runtime.append(self._passed(argument))
        made = self.room.function(callee, constants)
        return ast.copy_location(ast.Call(self.bind(made, callee.__name__), runtime, []), node)

    def _moves_in(self, known: Any) -> bool:
        kinds = Game | Setup | Table | types.FunctionType | types.ModuleType | bool | str | type
        return known is None or isinstance(known, kinds)

    def _ordered(self, node: ast.Call, parameters: list[inspect.Parameter], name: str) -> list[ast.expr]:
        """The arguments in the order of the parameters, keywords and defaults filled in."""
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            self.refuse(node, f"{name}: pass the arguments one by one, not with * or **")
        given = dict(zip((p.name for p in parameters), node.args, strict=False))
        given.update({k.arg: k.value for k in node.keywords if k.arg is not None})
        out = []
        for parameter in parameters:
            if parameter.name in given:
                out.append(given[parameter.name])
            elif parameter.default is not inspect.Parameter.empty:
                out.append(ast.copy_location(self.constant(parameter.default, node), node))
            else:
                self.refuse(node, f"{name} needs {parameter.name}")
        if len(node.args) + len(node.keywords) > len(parameters):
            self.refuse(node, f"{name} takes {len(parameters)} arguments")
        return out

    def _plain_call(self, node: ast.Call, func: ast.expr) -> Any:
        arguments = [self.visit(a) for a in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.copy_location(ast.Call(func, arguments, keywords), node)

    def _construct(self, node: ast.Call, kind: Any) -> Any:
        if self.game is not None and _is_state_class(kind, self.game):
            self.room.adopt(self.game)
        if self.room.layout_of(kind) is None:
            return self._plain_call(node, self.bind(kind, kind.__name__))
        parameters = [
            inspect.Parameter(
                n,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=kind._field_defaults.get(n, inspect.Parameter.empty),
            )
            for n in kind._fields
        ]
        arguments = [self.visit(a) for a in self._ordered(node, parameters, kind.__name__)]
        if self.guarded:
            # Here, where errors know the line.
            casts = [getattr(item, "kind", None) for item in self.room.layout_of(kind).items]
            fields = {"i": "field_number", "u": "field_board"}
            arguments = [
                ast.copy_location(ast.Call(self.intrinsic(fields[cast]), [argument], []), node)
                if cast in ("i", "u")
                else argument
                for cast, argument in zip(casts, arguments, strict=True)
            ]
        return ast.Call(self.bind(self.room.maker(kind), kind.__name__), arguments, [])

    def _replace_fields(self, node: ast.Call, func: ast.Attribute) -> Any:
        """`s._replace(a=1)` of a game's state: the constructor with the other fields read off `s`."""
        kind = None
        wanted = {k.arg for k in node.keywords}
        candidates = [k for k in self._known_tuples() if wanted <= set(k._fields)]
        if len(candidates) == 1:
            kind = candidates[0]
        if kind is None or not isinstance(func.value, ast.Name):
            self.refuse(node, "_replace: build a new State(...) instead, with every field")
        given = {k.arg: k.value for k in node.keywords}
        arguments: list[Any] = []
        for name in kind._fields:  # type: ignore[union-attr]
            arguments.append(given[name] if name in given else ast.Attribute(func.value, name, ast.Load()))
        return self._construct(ast.copy_location(ast.Call(func.value, arguments, []), node), kind)

    def _known_tuples(self) -> list[Any]:
        if self.game is not None:
            self.room.adopt(self.game)
        return [kind for kind, whole in self.room.layouts.items() if whole is not None]

    def _fold_query(self, node: ast.Call, callee: Any) -> Any:
        values = [self.static(a) for a in node.args]
        if MISSING in values or not values or not isinstance(values[0], Game | types.ModuleType | type):
            return None
        if callee is getattr:
            return self.constant(getattr(*values), node)
        if callee is hasattr:
            return ast.Constant(getattr(values[0], str(values[1]), None) is not None)
        return ast.Constant(isinstance(*values))

    def generator_method(self, func: ast.expr, mode: str) -> ast.Name | None:
        """The compiled form of `self.other`, where that is a generator method of the game, or of such a function."""
        plain, game = self._called(func)
        if plain is None or not inspect.isgeneratorfunction(inspect.unwrap(plain)):
            return None
        known = {} if game is None else {first_parameter(plain): game}
        return self.bind(self.room.function(plain, known, mode), mode)

    def is_method_of_game(self, func: ast.expr) -> bool:
        """Whether a method of the game is called, and not a function."""
        return self._called(func)[1] is not None

    def _called(self, func: ast.expr) -> tuple[Any, Game | None]:
        """The function that an expression calls, and the game whose method it is."""
        if isinstance(func, ast.Attribute) and self._is_super(func.value):
            return getattr(self._base_with(func), func.attr), self.game
        known = self.static(func)
        if isinstance(known, types.MethodType) and isinstance(known.__self__, Game):
            return known.__func__, known.__self__
        # Loops over bits are written out: see `Writer`.
        return (known, None) if isinstance(known, types.FunctionType) and known is not bits.each else (None, None)

    def counted(self, node: ast.expr) -> ast.Call | None:
        """How many items the call of a generator yields; None where it is no such call."""
        made = self.generator_method(node.func, "count") if isinstance(node, ast.Call) else None
        return None if made is None else self._plain_call(node, made)  # type: ignore[arg-type]

    def _is_super(self, node: ast.expr) -> bool:
        return self.game is not None and isinstance(node, ast.Call) and self.static(node.func) is super

    def _base_with(self, func: ast.Attribute) -> type:
        """The class above the one of this method that has the method asked for by `super()`."""
        line = type(self.game).__mro__
        owner, _ = place_of(type(self.game), self.plain)
        for base in line[line.index(owner) + 1 :]:
            if func.attr in base.__dict__:
                return base
        return self.refuse(func, f"no class above {owner.__name__} has {func.attr}")


def _over_items(node: ast.Call) -> ast.Call:
    """`any(t)` as `any(item for item in t)`."""
    each = ast.comprehension(ast.Name("item", ast.Store()), node.args[0], [], 0)
    items = ast.GeneratorExp(ast.Name("item", ast.Load()), [each])
    return ast.copy_location(ast.Call(node.func, [ast.copy_location(items, node), *node.args[1:]], node.keywords), node)


def _count_items(node: ast.Call, func: ast.Attribute) -> ast.Call:
    """`t.count(x)` as `sum(1 for item in t if item == x)`."""
    same = ast.Compare(ast.Name("item", ast.Load()), [ast.Eq()], [node.args[0]])
    each = ast.comprehension(ast.Name("item", ast.Store()), func.value, [same], 0)
    items = ast.copy_location(ast.GeneratorExp(ast.Constant(1), [each]), node)
    return ast.copy_location(ast.Call(ast.Name("sum", ast.Load()), [items], []), node)


def _is_state_class(kind: type, game: Game) -> bool:
    return kind is getattr(game, "State", None)
