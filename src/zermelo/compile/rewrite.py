"""Writes the native form of one function: the syntax tree of the plain one with everything known filled in.

See `specialize` for what is done and why. This is the top of the tree walker: whole functions, branches and loops.
"""

import ast
import copy
from typing import Any

from zermelo import bits
from zermelo.compile.binding import bind_safely
from zermelo.compile.guarded import Guarded
from zermelo.compile.loops import EXTRA, Generator, assigned_names
from zermelo.compile.names import MISSING

STATE_MAKERS = {"initial", "result", "transform", "null", "sample"}
LONGEST_UNROLLED = 1200
"""Loops over tuples are written out up to this many nodes of the syntax tree."""


class Writer(Guarded):
    """Writes one specialized function."""

    def write(self) -> Any:
        tree = self.tree
        tree.decorator_list, tree.returns = [], None
        self._refuse_unusual_parameters(tree)
        tree.args.args = [a for a in tree.args.args if a.arg not in self.constants]
        tree.args.defaults = []
        tree.args.kwonlyargs, tree.args.kw_defaults = [], []
        for argument in tree.args.args:
            argument.annotation = None
        if tree.body and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
            tree.body = tree.body[1:] or [ast.Pass()]
        if self.mode != "call":
            self._make_generator(tree)
        elif any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(tree)):
            self.refuse(
                tree,
                f"{tree.name} is a generator, over which native code only loops: with for, any, all, sum, min, max, in "
                "or len(list(...)); to end a game where nobody can move, define is_over",
            )
        tree.body = self._block([*self._reassigned(tree), *tree.body])
        if self.guarded:
            bind_safely(tree, self.intrinsic("assigned"))
        tree.body = [*self.opening(tree), *tree.body]
        tree.name = f"{tree.name}_{self.mode}" if self.mode != "call" else tree.name
        module = ast.fix_missing_locations(ast.Module([tree], []))
        exec(compile(module, self.file, "exec"), self.space)
        made = self.space[tree.name]
        made.__qualname__ = self.plain.__qualname__
        return made

    def _reassigned(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        """Parameters that are known but assigned to: they start with their value and are variables from there on."""
        written = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        starts: list[ast.stmt] = []
        for name in sorted(written & self.constants.keys()):
            value = self.constant(self.constants.pop(name), tree)
            starts.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), tree))
        return starts

    def _refuse_unusual_parameters(self, tree: ast.FunctionDef) -> None:
        if tree.args.vararg or tree.args.kwarg:
            self.refuse(tree, f"{tree.name}: *args and **kwargs cannot be compiled; name the parameters")
        tree.args.args += tree.args.kwonlyargs

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            if made is None:
                continue
            out += made if isinstance(made, list) else [made]
            if isinstance(out[-1], ast.Return | ast.Raise | ast.Break | ast.Continue):
                # What follows is never reached, and may ask for a hook that this game does not have.
                break
        return out or [ast.Pass()]

    def _make_generator(self, tree: ast.FunctionDef) -> None:
        limit = self.game.max_actions if self.game is not None else 0
        tree.body = Generator(self, self.mode, limit).rewrite(tree)
        tree.args.args += [ast.arg(name) for name in EXTRA[self.mode]]
        self.locals |= assigned_names(tree)

    # --- folding ---------------------------------------------------------------------------------------------------

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        name = ast.unparse(node.target)
        self.refuse(node, f"`:=` cannot be compiled; write `{name} = {ast.unparse(node.value)}` on a line before")

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn) and self.counted(node.comparators[0]):
            return self._among_items(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.IsNot):
            left, right = self.static(node.left), self.static(node.comparators[0])
            if right is None and left is not MISSING:
                return ast.Constant((left is None) == isinstance(node.ops[0], ast.Is))
        node = self.generic_visit(node)  # type: ignore[assignment]
        parts = [node.left, *node.comparators]
        if all(isinstance(p, ast.Constant) for p in parts):
            return ast.Constant(bool(eval(compile(ast.Expression(ast.fix_missing_locations(node)), "", "eval"))))
        return node

    def _among_items(self, node: ast.Compare) -> Any:
        """`a in self.actions(s)` as `any(item == a for item in self.actions(s))`."""
        same = ast.Compare(ast.Name("item_", ast.Load()), [ast.Eq()], [node.left])
        each = ast.comprehension(ast.Name("item_", ast.Store()), node.comparators[0], [], 0)
        call = ast.Call(ast.Name("any", ast.Load()), [ast.GeneratorExp(same, [each])], [])
        found = self.reduced(ast.fix_missing_locations(ast.copy_location(call, node)), "any")
        return found if isinstance(node.ops[0], ast.In) else ast.copy_location(ast.UnaryOp(ast.Not(), found), node)

    def visit_BinOp(self, node: ast.BinOp | ast.Tuple) -> Any:
        replaced = _replaced_item(node)
        if replaced is not None:
            return ast.copy_location(ast.Call(self.intrinsic("replace"), [self.visit(p) for p in replaced], []), node)
        return self.arithmetic(node) if isinstance(node, ast.BinOp) else self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self.visit_BinOp(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
            return ast.copy_location(self.constant(-node.operand.value, node), node)
        if self.guarded and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Compare | ast.BoolOp):
            return self.opposite(node)
        truth = isinstance(node.operand, ast.Compare | ast.BoolOp)
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        if truth and not isinstance(node.op, ast.Not):
            node.operand = ast.Call(self.intrinsic("as_int"), [node.operand], [])
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        decides = isinstance(node.op, ast.Or)
        kept: list[Any] = []
        for value in node.values:
            made = self.visit(value)
            if isinstance(made, ast.Constant) and isinstance(made.value, bool | type(None)):
                if bool(made.value) == decides:
                    kept.append(made)
                    break
                if value is not node.values[-1] or not kept:
                    continue
            kept.append(made)
        if not kept:
            return ast.copy_location(ast.Constant(not decides), node)
        if len(kept) == 1:
            return kept[0]
        return ast.copy_location(ast.BoolOp(node.op, kept), node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return ast.copy_location(ast.IfExp(test, self.visit(node.body), self.visit(node.orelse)), node)

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            taken = node.body if test.value else node.orelse
            return self._block(taken) if taken else None
        orelse = self._block(node.orelse) if node.orelse else []
        return ast.copy_location(ast.If(test, self._block(node.body), orelse), node)

    def visit_While(self, node: ast.While) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant) and not test.value:
            return self._block(node.orelse) if node.orelse else None
        orelse = self._block(node.orelse) if node.orelse else []
        return ast.copy_location(ast.While(test, self._block(node.body), orelse), node)

    # --- loops -----------------------------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        return self.loop(node)

    def loop(self, node: ast.For, visited: bool = False) -> Any:
        items = self._few_items(node)
        if items is not None:
            return self._unrolled(node, items, visited)
        count = self.counted(node.iter)
        if count is not None:
            return self._loop_over_generator(node, count, visited)
        body = node.body if visited else self._block(node.body)
        orelse = self._block(node.orelse) if node.orelse else []
        if isinstance(node.iter, ast.Call) and self.static(node.iter.func) is bits.each:
            return self._loop_over_bits(node, body, orelse)
        return ast.copy_location(ast.For(node.target, self.visit(node.iter), body, orelse), node)

    def _loop_over_generator(self, node: ast.For, count: ast.Call, visited: bool) -> list[ast.stmt]:
        """`for a in self.actions(s)`: the actions are counted, and each is asked for by its number."""
        call = node.iter
        assert isinstance(call, ast.Call)
        self.names += 1
        place, before = f"place_{self.names}", []
        for i, argument in enumerate(count.args):
            if not isinstance(argument, ast.Name | ast.Constant):
                name = f"given_{self.names}_{i}"
                before.append(ast.Assign([ast.Name(name, ast.Store())], argument))
                count.args[i] = ast.Name(name, ast.Load())
        nth: Any = self.generator_method(call.func, "nth")
        item = ast.Call(nth, [*copy.deepcopy(count.args), ast.Name(place, ast.Load())], count.keywords)
        body = [ast.Assign([node.target], item), *(node.body if visited else self._block(node.body))]
        numbers = ast.Call(ast.Name("range", ast.Load()), [count], [])
        orelse = self._block(node.orelse) if node.orelse else []
        loop = ast.For(ast.Name(place, ast.Store()), numbers, body, orelse)
        return [ast.copy_location(statement, node) for statement in (*before, loop)]

    def _few_items(self, node: ast.For) -> list[Any] | None:
        """The items of a loop over a short tuple that is known now: written out it runs faster than as a loop."""
        if node.orelse or _leaves_loop(node.body):
            return None
        if isinstance(node.iter, ast.Tuple | ast.List):
            if any(isinstance(item, ast.Starred) for item in node.iter.elts):
                return None
            items = [self.visit(copy.deepcopy(item)) for item in node.iter.elts]
        else:
            known = self.static(node.iter)
            if not isinstance(known, tuple | list) or hasattr(known, "_fields"):
                return None
            items = [self.constant(item, node) for item in known]
        size = sum(1 for statement in node.body for _ in ast.walk(statement))
        return items if len(items) * size <= LONGEST_UNROLLED else None

    def _unrolled(self, node: ast.For, items: list[Any], visited: bool) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        if not all(isinstance(item, ast.Constant | ast.Name) for item in items) or isinstance(
            node.iter, ast.Tuple | ast.List
        ):
            items = [self._kept(item, node, out) for item in items]
        for item in items:
            body = copy.deepcopy(node.body)
            out.append(ast.copy_location(ast.Assign([copy.deepcopy(node.target)], item), node))
            out += body if visited else self._block(body)
        return out

    def _kept(self, item: Any, node: ast.For, out: list[ast.stmt]) -> Any:
        """An item of a loop as it is before the loop begins: the body may change what it is made of."""
        if isinstance(item, ast.Constant):
            return item
        self.names += 1
        name = f"each_{self.names}"
        out.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], item), node))
        return ast.Name(name, ast.Load())

    def _loop_over_bits(self, node: ast.For, body: list[ast.stmt], orelse: list[ast.stmt]) -> Any:
        """`for i in each(x)`: take the lowest bit off until none is left."""
        self.names += 1
        rest = f"bits_{self.names}"
        of = self.visit(node.iter.args[0])  # type: ignore[attr-defined]
        start = ast.Assign([ast.Name(rest, ast.Store())], ast.Call(self.intrinsic("as_u64"), [of], []))
        lowest = ast.Call(self.intrinsic("lowest"), [ast.Name(rest, ast.Load())], [])
        others = ast.Call(self.intrinsic("without_lowest"), [ast.Name(rest, ast.Load())], [])
        step: list[ast.stmt] = [
            ast.Assign([node.target], lowest),
            ast.Assign([ast.Name(rest, ast.Store())], others),
        ]
        test = ast.Compare(ast.Name(rest, ast.Load()), [ast.NotEq()], [self.unsigned(0)])
        loop = ast.While(test, [*step, *body], orelse)
        return [ast.copy_location(start, node), ast.copy_location(loop, node)]

    # --- other statements ------------------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:
        target, value = node.targets[0], node.value
        if any(isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) for part in ast.walk(target)):
            return self._fields_assigned(node)
        if isinstance(value, ast.Tuple) and any(
            isinstance(item, ast.Starred) and ast.unparse(item.value) == ast.unparse(target) for item in value.elts
        ):
            # Numba stumbles over a tuple that grows this way before it can say so.
            node.value = _joined(value)
        return self.generic_visit(node)

    def _fields_assigned(self, node: ast.Assign) -> Any:
        """`block.name = value`, and several such at once: all values are there before the first is written."""
        target, value = node.targets[0], node.value
        if len(node.targets) == 1 and isinstance(target, ast.Attribute):
            return self._field_put(target, self.visit(value), node)
        if len(node.targets) > 1 or not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
            return self.refuse(node, "fields of blocks are assigned one by one, or as many values to as many names")
        out: list[ast.stmt] = []
        found = []
        for item in value.elts:
            self.names += 1
            found.append(f"value_{self.names}")
            out.append(ast.copy_location(ast.Assign([ast.Name(found[-1], ast.Store())], self.visit(item)), node))
        for part, name in zip(target.elts, found, strict=True):
            read = ast.Name(name, ast.Load())
            if isinstance(part, ast.Attribute):
                out.append(self._field_put(part, read, node))
            else:
                out.append(ast.copy_location(ast.Assign([self.visit(part)], read), node))
        return out

    def _field_put(self, target: ast.Attribute, value: Any, node: ast.AST) -> ast.stmt:
        """The statement that writes a field of a block: a call, so that the type of the value is looked at."""
        put = self.room.intrinsic(("put", target.attr), self.room.intrinsics.setter, target.attr)
        call = ast.Call(self.bind(put, f"put_{target.attr}"), [self.visit(target.value), value], [])
        return ast.copy_location(ast.Expr(call), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target = node.target
        if not isinstance(target, ast.Attribute):
            return super().visit_AugAssign(node)
        if any(isinstance(part, ast.Call) for part in ast.walk(target)):
            self.refuse(node, "name the block first: a call in front of the field would run twice")
        read = ast.Attribute(copy.deepcopy(target.value), target.attr, ast.Load())
        whole = ast.copy_location(ast.BinOp(ast.copy_location(read, node), node.op, node.value), node)
        return self._field_put(target, self.visit(whole), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        if isinstance(node.value, ast.Call) and self.static(node.value.func) is print:
            return None  # native code prints nothing
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        value = self.visit(node.value)
        if self.mode == "call" and self.game is not None and self.role in STATE_MAKERS:
            value = ast.Call(self.bind(self.room.state_cast(self.game), "as_state"), [value], [])
        return ast.copy_location(ast.Return(value), node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> Any:
        return self.refuse(node, "imports belong to the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        return self.visit_Import(node)

    def visit_Try(self, node: ast.Try) -> Any:
        return self.refuse(node, "try has no place in rules that run natively: test the condition first")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self.refuse(node, f"move {node.name} out of the method: a function inside cannot be compiled")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.refuse(node, "write the lambda as a function at module level")


def _replaced_item(node: ast.AST) -> list[ast.expr] | None:
    """`t[:i] + (x,) + t[i + 1:]` and `(*t[:i], x, *t[i + 1:])` as [t, i, x]: one item of a tuple replaced."""
    match node:
        case ast.BinOp(left=ast.BinOp(left=head, op=ast.Add(), right=ast.Tuple(elts=[item])), op=ast.Add(), right=tail):
            pass
        case ast.Tuple(elts=[ast.Starred(value=head), item, ast.Starred(value=tail)]):
            pass
        case _:
            return None
    match head, tail:
        case (
            ast.Subscript(value=before, slice=ast.Slice(lower=None, upper=ast.expr() as index, step=None)),
            ast.Subscript(value=after, slice=ast.Slice(lower=ast.expr() as following, upper=None, step=None)),
        ):
            expected = ast.dump(ast.BinOp(index, ast.Add(), ast.Constant(1)))
            if ast.dump(before) == ast.dump(after) and ast.dump(following) == expected:
                return [before, index, item]
    return None


def _joined(node: ast.Tuple) -> ast.expr:
    """`(*t, x)` as `t + (x,)`."""
    parts: list[ast.expr] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            parts.append(item.value)
        elif parts and isinstance(parts[-1], ast.Tuple) and parts[-1].elts[-1] in node.elts:
            parts[-1].elts.append(item)
        else:
            parts.append(ast.Tuple([item], ast.Load()))
    whole = parts[0]
    for part in parts[1:]:
        whole = ast.BinOp(whole, ast.Add(), part)
    return ast.fix_missing_locations(ast.copy_location(whole, node))


def _leaves_loop(body: list[ast.stmt]) -> bool:
    """Whether a `break` or `continue` belongs to the loop with this body."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Continue):
            return True
        if isinstance(statement, ast.For | ast.While):
            if _leaves_loop(statement.orelse):
                return True
            continue
        inner = [part for name in ("body", "orelse", "finalbody") for part in getattr(statement, name, [])]
        if _leaves_loop([part for part in inner if isinstance(part, ast.stmt)]):
            return True
    return False
