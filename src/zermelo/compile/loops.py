"""Generators and generator expressions as loops.

`actions` is written as a generator. Native code has none, or slow ones, so that its body becomes one of three
functions: `fill` writes the actions to memory, `count` counts them and `nth` returns one of them.
"""

import ast
import copy
from typing import Any

EXTRA = {"fill": ["out_", "n_"], "count": [], "nth": ["k_"]}
"""The parameters that each form of a generator has beside its own."""
NONE = "int(-1)"
"""Stands for no index. It is a call, because Numba gives a literal a type of its own."""


class Put(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, parts: dict[str, ast.expr]) -> None:
        self.parts = parts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.parts.get(node.id, node)


def statements(text: str, **parts: ast.expr) -> list[ast.stmt]:
    """The statements of a template in which some names stand for expressions."""
    return [Put(parts).visit(s) for s in ast.parse(text).body]


def assigned_names(tree: ast.AST) -> set[str]:
    """The names that a function binds: parameters, assignments, loop variables."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            names.add(node.rest)
    return names


class Generator(ast.NodeTransformer):
    """Rewrites the body of a generator, or of a function that returns a list, into `fill`, `count` or `nth`."""

    def __init__(self, writer: Any, mode: str, limit: int) -> None:
        self.writer, self.mode, self.limit = writer, mode, limit
        self.list_name: str | None = None
        self.is_actions = writer.plain.__name__ == "actions"

    def rewrite(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        """The new body."""
        if not any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(tree)):
            self.list_name = self._returned_list(tree)
            self.returns_values = True
        else:
            self.returns_values = False
        start = {
            "fill": f"end_ = n_ + {self.limit}",
            "count": "n_ = 0",
            "nth": "n_ = 0",
        }[self.mode]
        body: list[ast.stmt] = []
        for statement in tree.body:
            made = self.visit(statement)
            body += made if isinstance(made, list) else [made] if made is not None else []
        return [*_at(statements(start), tree), *body, *_at(statements(self._end()), tree)]

    def _end(self) -> str:
        if self.mode != "nth":
            return "return n_"
        return f"return {NONE}" if self.is_actions else "raise IndexError('no more items')"

    def emit(self, value: ast.expr, at: ast.AST) -> list[ast.stmt]:
        """What one yielded action becomes."""
        if self.mode == "fill":
            code = statements(
                f"if n_ == end_:\n    return {NONE}\nout_[n_] = value_\nn_ += 1", value_=self._stored(value)
            )
        elif self.mode == "count":
            # What never ends must not be counted for ever.
            more = f"if n_ > {self.limit}:\n    raise ValueError('more than max_actions = {self.limit} actions')"
            code = statements(f"n_ += 1\n{more}" if self.writer.guarded and self.is_actions else "n_ += 1")
        else:
            made = self._whole(value) if self.is_actions else value
            code = statements("if n_ == k_:\n    return value_\nn_ += 1", value_=made)
        return _at(code, at)

    def _stored(self, value: ast.expr) -> ast.expr:
        return self._whole(value) if self.writer.guarded else value

    def _whole(self, value: ast.expr) -> ast.expr:
        """An action as an integer; of somebody's rules no other number is one."""
        name = self.writer.intrinsic("field_number") if self.writer.guarded else ast.Name("int", ast.Load())
        return ast.Call(name, [value], [])

    def _each(self, of: ast.expr, at: ast.AST) -> list[ast.stmt]:
        """What `yield from of` becomes."""
        if isinstance(of, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            body = self.emit(of.elt, at)
            for clause in reversed(of.generators):
                for condition in reversed(clause.ifs):
                    body = [ast.If(condition, body, [])]
                body = [ast.For(clause.target, clause.iter, body, [])]
            return _at(body, at)
        if isinstance(of, ast.Call):
            inner = self.writer.generator_method(of.func, self.mode) if self.writer.is_method_of_game(of.func) else None
            if inner is not None:
                return _at(self._delegate(of, inner), at)
            if isinstance(of.func, ast.Name) and of.func.id in ("list", "tuple", "iter") and len(of.args) == 1:
                return self._each(of.args[0], at)
        if isinstance(of, ast.List | ast.Tuple):
            return [statement for item in of.elts for statement in self.emit(item, at)]
        self.writer.names += 1
        item = f"item_{self.writer.names}"
        return _at([ast.For(ast.Name(item, ast.Store()), of, self.emit(ast.Name(item, ast.Load()), at), [])], at)

    def _delegate(self, call: ast.Call, inner: ast.Name) -> list[ast.stmt]:
        """`yield from self.other(s)`: another generator of the game takes over."""

        def applied(name: ast.Name, *more: str) -> ast.Call:
            return ast.Call(name, [*call.args, *(ast.parse(m, mode="eval").body for m in more)], call.keywords)

        if self.mode == "fill":
            return statements(f"n_ = call_\nif n_ < 0:\n    return {NONE}", call_=applied(inner, "out_", "n_"))
        if self.mode == "count":
            return statements("n_ += call_", call_=applied(inner))
        count = self.writer.generator_method(call.func, "count")
        return statements(
            "c_ = count_\nif k_ - n_ < c_:\n    return nth_\nn_ += c_",
            count_=applied(count),
            nth_=applied(inner, "k_ - n_"),
        )

    def _returned_list(self, tree: ast.FunctionDef) -> str | None:
        """The name of a list that is started empty, appended to and returned, if that is all that happens to it."""
        returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return)]
        names = {n.id for n in returned if isinstance(n, ast.Name)}
        if len(names) != 1:
            return None
        name = names.pop()
        uses = sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree))
        known = sum(isinstance(r, ast.Name) for r in returned)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and _is_name(node.targets[0], name):
                known += isinstance(node.value, ast.List) and not node.value.elts
            elif _is_append(node, name):
                known += 1
        return name if uses == known else None

    # --- statements ------------------------------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> Any:
        """A condition on one action is a sum, not a branch: which moves are legal is hard to guess for a processor."""
        only = node.body[0] if len(node.body) == 1 and not node.orelse else None
        if self.mode == "fill" and isinstance(only, ast.Expr) and isinstance(only.value, ast.Yield):
            value = only.value.value
            if value is not None and _is_plain(value):
                # It is computed where the condition is false, too, so that it must not fail.
                for part in ast.walk(value):
                    part.unguarded = True  # type: ignore[attr-defined]
                code = statements(
                    "if n_ < end_:\n    out_[n_] = value_\n    n_ += 1 if test_ else 0\n"
                    f"elif again_:\n    return {NONE}",
                    value_=self._stored(value), test_=node.test, again_=copy.deepcopy(node.test),
                )  # fmt: skip
                return _at(code, node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                self.writer.refuse(node, "yield an action: an integer >= 0")
            return self.emit(node.value.value, node)  # type: ignore[arg-type]
        if isinstance(node.value, ast.YieldFrom):
            return self._each(node.value.value, node)
        if self.list_name is not None and _is_append(node.value, self.list_name):
            return self.emit(node.value.args[0], node)  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        if self.list_name is not None and _is_name(node.targets[0], self.list_name):
            return None
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        end = _at(statements(self._end()), node)
        if not self.returns_values or node.value is None or _is_name(node.value, self.list_name):
            return end
        return [*self._each(node.value, node), *end]

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Any:
        return self.writer.refuse(node, "`yield` stands alone on its line; its value cannot be used")

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        return self.visit_Yield(node)


def _at(code: list[Any], place: Any) -> list[Any]:
    """The statements as if they stood at a place of the author's file; those from there stay where they are."""
    for statement in code:
        for node in ast.walk(statement):
            if getattr(node, "lineno", 0) < place.lineno:
                ast.copy_location(node, place)
    return code


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression can be computed at any time: names, numbers, and sums of them."""
    if isinstance(node, ast.BinOp):
        cheap = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.BitOr | ast.BitAnd)
        return cheap and _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, ast.Name | ast.Constant)


def _is_name(node: Any, name: str | None) -> bool:
    return name is not None and isinstance(node, ast.Name) and node.id == name


def _is_append(node: Any, name: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and _is_name(node.func.value, name)
        and len(node.args) == 1
    )


# --- any, all, sum, min and max of a generator expression ------------------------------------------------------------

STEPS: dict[str, Any] = {
    "any": lambda element: statements("if element_:\n    return True", element_=element),
    "all": lambda element: statements("if not element_:\n    return False", element_=element),
    "sum": lambda element: statements("total_ += element_", element_=element),
    "min": lambda element: statements(
        "item_ = element_\nif first_ or item_ < best_:\n    best_ = item_\nfirst_ = False", element_=element
    ),
    "max": lambda element: statements(
        "item_ = element_\nif first_ or item_ > best_:\n    best_ = item_\nfirst_ = False", element_=element
    ),
}
"""What happens with one element."""

FRAMES: dict[str, Any] = {
    "any": lambda start: ([], statements("return False")),
    "all": lambda start: ([], statements("return True")),
    "sum": lambda start: (statements("total_ = start_", start_=start), statements("return total_")),
    "min": lambda start: (statements("first_ = True\nbest_ = 0"), statements("return best_")),
    "max": lambda start: (statements("first_ = True\nbest_ = 0"), statements("return best_")),
}
"""What stands before and after the loop."""
