"""Names that may be read before they have a value: Python raises an error there, and native code would go on.

A name that has no value on some path gets a flag, which is tested wherever the name is read.
"""

import ast
from typing import Any

from zermelo.compile.loops import assigned_names


def bind_safely(tree: ast.FunctionDef, assigned: ast.Name) -> None:
    """Let a function fail where it reads a name that has no value; `assigned` takes a value and its flag."""
    parameters = {argument.arg for argument in tree.args.args}
    doubts = Doubts(assigned_names(tree) - parameters)
    doubts.block(tree.body, set())
    if not doubts.found:
        return
    names = {name.id for name in doubts.found.values()}
    flags = Flags(names, doubts.found, assigned)
    tree.body = [*(_flag(name, False) for name in sorted(names)), *flags.block(tree.body)]


class Doubts:
    """Finds the places at which a name is read that some path leaves without a value."""

    def __init__(self, local: set[str]) -> None:
        self.local = local
        self.found: dict[int, ast.Name] = {}

    def block(self, statements: list[ast.stmt], known: set[str]) -> set[str] | None:
        """The names that have values behind these statements; None where nobody gets there."""
        for statement in statements:
            after = self.statement(statement, known)
            if after is None:
                return None
            known = after
        return known

    def statement(self, node: Any, known: set[str]) -> set[str] | None:
        match node:
            case ast.If():
                self.reads(node.test, known)
                return _either(self.block(node.body, set(known)), self.block(node.orelse, set(known)))
            case ast.For() | ast.While():
                self.reads(node.iter if isinstance(node, ast.For) else node.test, known)
                inside = known | (_stored(node.target) if isinstance(node, ast.For) else set())
                self.block(node.body, inside)
                self.block(node.orelse, set(known))
                return set(known)
            case ast.Match():
                self.reads(node.subject, known)
                return self.cases(node, known)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self.reads(node, known)
                return None
        self.reads(node, known)
        return known | _stored(node)

    def cases(self, node: ast.Match, known: set[str]) -> set[str] | None:
        """What is known behind a `match`, of which perhaps no case fits."""
        after: set[str] | None = set(known)
        for case in node.cases:
            inside = known | assigned_names(case.pattern)
            if case.guard is not None:
                self.reads(case.guard, inside)
            after = _either(after, self.block(case.body, inside))
        return after

    def reads(self, node: ast.AST, known: set[str]) -> None:
        """Note what is read without a value. A comprehension has names of its own."""
        known = known.union(*(_stored(c.target) for c in ast.walk(node) if isinstance(c, ast.comprehension)))
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and name.id in self.local - known:
                self.found[id(name)] = name


class Flags(ast.NodeTransformer):
    """Sets the flags where names get values, and asks for them where there are doubts."""

    def __init__(self, names: set[str], doubtful: dict[int, ast.Name], assigned: ast.Name) -> None:
        self.names, self.doubtful, self.assigned = names, doubtful, assigned

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            stored: set[str] = set()
            if isinstance(statement, ast.For | ast.While | ast.If):
                statement.body, statement.orelse = self.block(statement.body), self.block(statement.orelse)
                if isinstance(statement, ast.For):
                    statement.body = [*self._set(_stored(statement.target), statement), *statement.body]
                    statement.iter = self.visit(statement.iter)
                else:
                    statement.test = self.visit(statement.test)
            elif isinstance(statement, ast.Match):
                statement.subject = self.visit(statement.subject)
                for case in statement.cases:
                    case.body = [*self._set(assigned_names(case.pattern), statement), *self.block(case.body)]
            else:
                stored = _stored(statement)
                statement = self.visit(statement)
            out += [statement, *self._set(stored, statement)]
        return out

    def _set(self, stored: set[str], place: ast.stmt) -> list[ast.stmt]:
        return [ast.copy_location(_flag(name, True), place) for name in sorted(stored & self.names)]

    def visit_Name(self, node: ast.Name) -> Any:
        if id(node) not in self.doubtful:
            return node
        flag = ast.Name(f"{node.id}_is_set", ast.Load())
        return ast.copy_location(ast.Call(self.assigned, [node, flag], []), node)


def _flag(name: str, value: bool) -> ast.stmt:
    return ast.Assign([ast.Name(f"{name}_is_set", ast.Store())], ast.Constant(value))


def _stored(node: ast.AST) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}


def _either(left: set[str] | None, right: set[str] | None) -> set[str] | None:
    if left is None or right is None:
        return right if left is None else left
    return left & right
