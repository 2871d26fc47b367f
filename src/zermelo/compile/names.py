"""What names stand for before the program runs: games, parameters, constants, functions, tables.

`Names` is the lowest layer of the tree walker: it fills in what is known. `Calls` stands on it, then `Comprehensions`,
then `Writer`.
"""

import ast
import builtins
import inspect
import types
from typing import Any

from zermelo import bits
from zermelo.compile.block import Setup
from zermelo.compile.loops import assigned_names
from zermelo.compile.source import copied, first_parameter, place_of, source_tree
from zermelo.compile.tables import Table
from zermelo.contract import Game, is_hashable
from zermelo.errors import CompileError

MISSING = object()
DOT = "\N{MIDDLE DOT}"
"""Stands for a dot in names of what a rule mentions, so that errors can say what its author wrote."""


class Forward:
    """Stands for a compiled function while it is still being written, so that functions may call themselves."""

    def __init__(self) -> None:
        self.target: Any = None
        self.users: list[tuple[dict[str, Any], str]] = []

    def settle(self, target: Any) -> None:
        """Put the finished function into every namespace that mentions it."""
        self.target = target
        for space, name in self.users:
            space[name] = target


class Names(ast.NodeTransformer):
    """Fills in what is known, for one function that is being written."""

    def __init__(self, room: Any, plain: Any, constants: dict[str, Any], mode: str) -> None:
        self.room, self.mode = room, mode
        self.plain = inspect.unwrap(plain)
        self.constants = dict(constants)
        self.tree = copied(source_tree(self.plain))
        self.file = self.plain.__code__.co_filename
        self.closure = inspect.getclosurevars(self.plain) if self.plain.__closure__ else None
        self.space: dict[str, Any] = {"__builtins__": builtins, "__name__": self.plain.__module__}
        self.names = 0
        self.locals = assigned_names(self.tree)
        self.game = next((v for v in constants.values() if isinstance(v, Game)), None)
        is_method = self.game is not None and first_parameter(self.plain) in constants
        self.role = place_of(type(self.game), self.plain)[1] if is_method else ""
        """The name of a method in its class; functions have none."""

    def refuse(self, node: ast.AST, message: str) -> Any:
        raise CompileError(f"{self.file}:{getattr(node, 'lineno', 0)}: {message}")

    def static(self, node: ast.AST) -> Any:
        """What an expression is before the program runs, or MISSING."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            return self.static_name(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = self.static(node.value)
            if isinstance(owner, types.ModuleType | type | Game | Setup):
                return getattr(owner, node.attr, MISSING)
        return MISSING

    def static_name(self, name: str) -> Any:
        if name in self.constants:
            return self.constants[name]
        if name in self.locals:
            return MISSING
        if self.closure is not None:
            for scope in (self.closure.nonlocals,):
                if name in scope:
                    return scope[name]
        if name in self.plain.__globals__:
            return self.plain.__globals__[name]
        return getattr(builtins, name, MISSING)

    def bind(self, value: Any, hint: str) -> ast.Name:
        """A name for a value in the new function's globals."""
        for name, known in self.space.items():
            if known is value and name.startswith(f"{hint}_"):
                return ast.Name(name, ast.Load())
        self.names += 1
        name = f"{hint}_{self.names}"
        self.space[name] = value
        if isinstance(value, Forward):
            value.users.append((self.space, name))
        return ast.Name(name, ast.Load())

    def intrinsic(self, name: str) -> ast.Name:
        return self.bind(getattr(self.room.intrinsics, name), name)

    def constant(self, value: Any, node: ast.AST) -> Any:
        """The expression for a value that is known now."""
        if isinstance(value, bits.u64):
            return self.unsigned(int(value))
        if value is None or isinstance(value, bool | float | str):
            return ast.Constant(value)
        if isinstance(value, int):
            value = int(value)
            return ast.Constant(value) if -(1 << 63) <= value < 1 << 63 else self._large(value, node)
        if isinstance(value, tuple | list):
            if hasattr(value, "_fields"):
                maker = self.bind(self.room.maker(type(value)), type(value).__name__)
                return ast.Call(maker, [self.constant(v, node) for v in value], [])
            if all(isinstance(v, int) and not isinstance(v, bits.u64) for v in value) and len(value) > 1:
                return self.bind(tuple(int(v) for v in value), "tuple")
            return ast.Tuple([self.constant(v, node) for v in value], ast.Load())
        if type(value).__module__ == "numpy":
            if getattr(value, "ndim", 0):
                self.refuse(node, f"{text(node)} is an array: declare it with zermelo.table(...), for every machine")
            return self.constant(value.item(), node)
        if isinstance(value, dict | set | frozenset):
            self.refuse(node, f"{text(node)} is a {type(value).__name__}: use zermelo.table(...) or a tuple")
        return self.bind(value, text(node).replace(".", DOT) if text(node).replace(".", "").isidentifier() else "value")

    def unsigned(self, value: int) -> ast.Call:
        signed = value - (1 << 64) if value >> 63 else value
        return ast.Call(self.bind(self.room.intrinsics.as_u64, "as_u64"), [ast.Constant(signed)], [])

    def _large(self, value: int, node: ast.AST) -> ast.Call:
        if not 0 <= value < 1 << 64:
            self.refuse(node, f"{value} does not fit into 64 bits")
        return self.unsigned(value)

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self.constant(node.value, node) if isinstance(node.value, int | float) else node

    def visit_Name(self, node: ast.Name) -> Any:
        return self._known(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.ctx, ast.Load) and self.static(node) is not MISSING:
            return self._known(node)
        owner = self.static(node.value)
        if isinstance(owner, Game):
            self.refuse(node, f"{owner.name} has no {node.attr}")
        if isinstance(owner, Setup):
            self.refuse(node, f"{type(owner).__name__} has no {node.attr}")
        return self.generic_visit(node)

    def _known(self, node: Any) -> Any:
        value = self.static(node)
        if value is MISSING:
            return node
        if isinstance(node, ast.Name) and getattr(builtins, node.id, MISSING) is value:
            return node
        if isinstance(value, Game):
            self.refuse(node, f"{text(node)}: a game can only be asked for its methods and parameters, or passed on")
        if isinstance(value, Table):
            return self.refuse(node, f"{text(node)}: a table can only be indexed or passed on as a parameter")
        if is_hashable(value) and value in self.room.native:
            return self.bind(self.room.native[value], "native")
        if isinstance(value, types.FunctionType):
            return self.bind(self.room.function(value, {}), value.__name__)
        if isinstance(value, types.ModuleType):
            return self.bind(value, "module")
        return ast.copy_location(self.constant(value, node), node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value = self.static(node.value)
        if isinstance(value, Table):
            return self._table_load(node, value)
        if isinstance(value, tuple | list) and isinstance(node.ctx, ast.Load):
            index = self.static(self.visit(copied(node.slice)))
            if isinstance(index, int) and -len(value) <= index < len(value):
                return ast.copy_location(self.constant(value[index], node), node)
        return self.generic_visit(node)

    def _table_load(self, node: ast.Subscript, table: Table) -> Any:
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(indices) != len(table.shape):
            self.refuse(node, f"{text(node)}: this table has {len(table.shape)} dimensions; give as many indices")
        flat: Any = None
        for size, index in zip(table.shape, indices, strict=True):
            whole = ast.Call(self.intrinsic("as_int"), [self.visit(index)], [])
            inside = ast.Call(self.intrinsic("checked_index"), [whole, ast.Constant(size)], [])
            flat = (
                inside
                if flat is None
                else ast.BinOp(ast.BinOp(flat, ast.Mult(), ast.Constant(size)), ast.Add(), inside)
            )
        self.room.tables[table.digest] = table
        getter = self.room.intrinsic(("table", table.digest), self.room.intrinsics.table_getter, table)
        return ast.Call(self.bind(getter, "table"), [flat], [])


def text(node: ast.AST) -> str:
    return ast.unparse(node)
