"""`any`, `all`, `sum`, `min`, `max` and `tuple` of generator expressions, each as a function of its own with a loop."""

import ast
import copy
from typing import Any

from zermelo.compile.calls import Calls
from zermelo.compile.loops import Put, assigned_names, statements
from zermelo.compile.names import MISSING


class Comprehensions(Calls):
    """Writes generator expressions."""

    loop: Any
    """How a loop is written: see `Writer`."""
    reduction: Any
    """What happens before, at and after the items: see `Guarded`."""

    def reduced(self, node: ast.Call, name: str) -> Any:
        """`any(f(x) for x in ...)` as a function of its own with a loop; its free variables are its parameters."""
        comprehension: Any = node.args[0]
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(comprehension)):
            self.refuse(node, f"{name}: := inside a generator expression cannot be compiled; write the loop out")
        inner = assigned_names(comprehension)
        free = sorted(
            {
                n.id
                for n in ast.walk(comprehension)
                if isinstance(n, ast.Name) and n.id not in inner and self.static_name(n.id) is MISSING
            }
        )
        if len(node.args) + len(node.keywords) > 1 and name != "sum":
            self.refuse(node, f"{name} of a generator with further arguments: write the loop out")
        start = self.visit(node.args[1]) if len(node.args) > 1 else ast.Constant(0)
        before = self.locals
        self.locals = self.locals | inner
        body = self._tuple_body(node, comprehension) if name == "tuple" else self._loop_body(name, comprehension, start)
        self.locals = before
        arguments = ast.arguments([], [ast.arg(n) for n in free], None, [], [], None, [])
        made = ast.copy_location(ast.FunctionDef(f"{name}_of", arguments, body, [], None), node)
        module = ast.fix_missing_locations(ast.Module([made], []))
        exec(compile(module, self.file, "exec"), self.space)
        compiled = self.room.jit(self.space.pop(f"{name}_of"))
        call = ast.Call(self.bind(compiled, f"{name}_of"), [ast.Name(n, ast.Load()) for n in free], [])
        return ast.copy_location(call, node)

    def _loop_body(self, name: str, comprehension: Any, start: ast.expr) -> list[ast.stmt]:
        before, body, after = self.reduction(name, self.visit(comprehension.elt), start)
        for clause in reversed(comprehension.generators):
            for condition in reversed(clause.ifs):
                body = [ast.If(self.visit(condition), body, [])]
            loop = self.loop(ast.For(clause.target, clause.iter, body, []), visited=True)
            body = loop if isinstance(loop, list) else [loop]
        return [*before, *body, *after]

    def _tuple_body(self, node: ast.Call, comprehension: Any) -> list[ast.stmt]:
        """`tuple(f(x) for x in t)` of a tuple `t`, or of `enumerate(t)`: `t` with one item after the other replaced."""
        (clause, *more) = comprehension.generators
        source, index = clause.iter, None
        loop = self.static(source.func) if isinstance(source, ast.Call) else None
        if loop is range:
            return self._counted_tuple(node, comprehension)
        if loop is enumerate and isinstance(clause.target, ast.Tuple):
            source, (index, target) = source.args[0], clause.target.elts
        else:
            target = clause.target
        if more or clause.ifs:
            self.refuse(node, "tuple(...) of a generator with a condition has no fixed length: write the items out")
        body = statements(
            "from_ = source_\nmade_ = from_\nfor i_ in range(len(from_)):\n    made_ = put_(made_, i_, element_)\n"
            "return made_",
            source_=self.visit(source),
            put_=self.intrinsic("replace"),
            element_=self.visit(comprehension.elt),
        )
        steps: list[ast.stmt] = [ast.Assign([target], ast.parse("from_[i_]", mode="eval").body)]
        if index is not None:
            steps.append(ast.Assign([index], ast.Name("i_", ast.Load())))
        body[2].body = [*steps, *body[2].body]  # type: ignore[attr-defined]
        return body

    def _counted_tuple(self, node: ast.Call, comprehension: Any) -> list[ast.stmt]:
        """`tuple(f(i) for i in range(n))` with a constant `n`: the items one by one."""
        clause = comprehension.generators[0]
        bounds = [self.static(self.visit(copy.deepcopy(a))) for a in clause.iter.args]
        if len(comprehension.generators) > 1 or clause.ifs or not all(isinstance(b, int) for b in bounds):
            self.refuse(node, "tuple(...) of a range: native code wants a constant length and no condition")
        items = []
        for i in range(*bounds):
            put = Put({clause.target.id: ast.Constant(i)})
            items.append(self.visit(put.visit(copy.deepcopy(comprehension.elt))))
        return [ast.Return(ast.Tuple(items, ast.Load()))]
