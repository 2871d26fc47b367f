"""Checks in the rules that users write, so that native code fails where Python would.

This package's own kernels and games go without: tests compare them with plain Python, and they have to be fast. What
is known when a rule is compiled is computed here and needs no check.
"""

import ast
import builtins
import copy
import inspect
import math
import operator
from contextlib import suppress
from typing import Any

from zermelo.compile.blame import is_trusted, state_parameter
from zermelo.compile.comprehensions import Comprehensions
from zermelo.compile.loops import FRAMES, STEPS, statements
from zermelo.compile.names import MISSING

COUNTERS = {"n_", "k_", "c_"}
"""Names that stand for places in memory where `actions` is written as a loop."""
LARGEST_EXPONENT = 1100
OPERATORS: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
SOUND = {round} | {f for f in vars(math).values() if callable(f)} - {math.isnan, math.isinf, math.isfinite}


class Guarded(Comprehensions):
    """Writes operators, assertions and errors."""

    def __init__(self, room: Any, plain: Any, constants: dict[str, Any], mode: str, own: Any = None) -> None:
        super().__init__(room, plain, constants, mode)
        self.own = own
        self.guarded = not is_trusted(self.plain)

    def opening(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        """The statements before a rule: they keep the state for errors, and fail where calls nest without end."""
        if not self.guarded:
            return []
        state = state_parameter(self.role, [a.arg for a in tree.args.args])
        calls = [ast.Call(self.intrinsic("guard_memory"), [], [])]
        if state is not None:
            calls.insert(0, ast.Call(self.intrinsic("remember"), [ast.Name(state, ast.Load())], []))
        if self.own is not None and self.own.users:
            calls.append(ast.Call(self.intrinsic("guard_stack"), [], []))
        return [ast.copy_location(ast.Expr(call), tree) for call in calls]

    # --- operators -------------------------------------------------------------------------------------------------

    def arithmetic(self, node: ast.BinOp) -> Any:
        """An operator of a rule; `self` and its parameters are known."""
        if not self.guarded:
            return self.generic_visit(node)
        known = self._worked_out(node)
        if known is not MISSING:
            return ast.copy_location(self.constant(known, node), node)
        bare = getattr(node, "unguarded", False) or any(
            isinstance(side, ast.Name) and side.id in COUNTERS for side in (node.left, node.right)
        )
        left, right = self.visit(node.left), self.visit(node.right)
        if bare or type(node.op) not in self.room.intrinsics.OPERATORS:
            return ast.copy_location(ast.BinOp(left, node.op, right), node)
        return ast.copy_location(self.sound(node.op, left, right), node)

    def sound(self, op: ast.operator, left: Any, right: Any) -> ast.Call:
        """The call that stands for an operator."""
        stands_for = self.bind(self.room.intrinsics.OPERATORS[type(op)], type(op).__name__)
        return ast.Call(stands_for, [left, right], [])

    def _worked_out(self, node: ast.expr) -> Any:
        """The number that an expression is before the program runs, or MISSING."""
        try:
            if isinstance(node, ast.BinOp):
                left, right = self._worked_out(node.left), self._worked_out(node.right)
                if MISSING in (left, right) or type(node.op) not in OPERATORS:
                    return MISSING
                if isinstance(node.op, ast.Pow | ast.LShift) and abs(right) > LARGEST_EXPONENT:
                    return MISSING
                found = OPERATORS[type(node.op)](left, right)
            elif isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
                of = self._worked_out(node.operand)
                found = MISSING if of is MISSING else OPERATORS[type(node.op)](of)
            else:
                found = self.static(node)
        except (ArithmeticError, TypeError, ValueError):
            return MISSING
        return found if isinstance(found, int | float) and not isinstance(found, bool) else MISSING

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`x += y` as `x = x + y`, but for the counters of loops."""
        target = node.target
        counter = isinstance(target, ast.Name) and target.id in COUNTERS
        if not self.guarded or counter or not isinstance(target, ast.Name | ast.Subscript):
            return self.generic_visit(node)
        before = copy.deepcopy(target)
        before.ctx = ast.Load()
        value = ast.copy_location(ast.BinOp(before, node.op, node.value), node)
        return self.visit(ast.copy_location(ast.Assign([target], value), node))

    def opposite(self, node: ast.UnaryOp) -> Any:
        """`-x` of a rule."""
        known = self._worked_out(node)
        if known is not MISSING:
            return ast.copy_location(self.constant(known, node), node)
        return ast.copy_location(ast.Call(self.intrinsic("opposite"), [self.visit(node.operand)], []), node)

    def reduction(self, name: str, element: Any, start: Any) -> tuple[list[ast.stmt], list[ast.stmt], list[ast.stmt]]:
        """The checks before, in and after a loop: a total must not outgrow 64 bits, and a best item needs an item."""
        step, (before, after) = STEPS[name](element), FRAMES[name](start)
        if self.guarded and name == "sum":
            step = [ast.Assign([step[0].target], self.sound(ast.Add(), ast.Name("total_", ast.Load()), element))]
        if self.guarded and name in ("min", "max"):
            after = [*statements(f"if first_:\n    raise ValueError('{name}() of nothing')"), *after]
        return before, step, after

    # --- functions -------------------------------------------------------------------------------------------------

    def builtin_call(self, node: ast.Call, callee: Any) -> Any:
        """A function of Python in a rule, with its checks; None where it needs none."""
        if callee is float and isinstance(word := self.static(node.args[0]) if node.args else None, str):
            with suppress(ValueError):  # float("inf"): a number that has no sign of its own
                return ast.Constant(float(word))
        if not self.guarded or node.keywords or callee not in (int, abs, pow, divmod, *SOUND):
            return None
        given = node.args
        if callee is pow and len(given) == 2:
            return self.visit(ast.copy_location(ast.BinOp(given[0], ast.Pow(), given[1]), node))
        if callee is divmod and len(given) == 2:
            parts = [
                ast.BinOp(copy.deepcopy(given[0]), op, copy.deepcopy(given[1])) for op in (ast.FloorDiv(), ast.Mod())
            ]
            return ast.Tuple([self.visit(ast.copy_location(part, node)) for part in parts], ast.Load())
        if callee is int and len(given) == 1:
            return self._plain_call(node, self.intrinsic("whole_number"))
        if callee is abs and len(given) == 1:
            return self._plain_call(node, self.intrinsic("magnitude"))
        if callee in SOUND:
            made = self.room.intrinsic(("sound", callee), self.room.intrinsics.sound_function, callee)
            return self._plain_call(node, self.bind(made, callee.__name__))
        return None

    # --- errors ----------------------------------------------------------------------------------------------------

    def visit_Assert(self, node: ast.Assert) -> Any:
        if not self.guarded or not __debug__:
            return None
        failed: ast.stmt = ast.Raise(ast.Name("AssertionError", ast.Load()), None)
        wrong = ast.UnaryOp(ast.Not(), node.test)
        return self.visit(ast.fix_missing_locations(ast.copy_location(ast.If(wrong, [failed], []), node)))

    def visit_Raise(self, node: ast.Raise) -> Any:
        """An error of a class that is known, with the words that are."""
        raised = node.exc
        words = raised.args if isinstance(raised, ast.Call) else []
        kind = self.static(raised.func if isinstance(raised, ast.Call) else raised) if raised is not None else None
        if not (inspect.isclass(kind) and issubclass(kind, BaseException)):
            kind, words = RuntimeError, []
        if not all(isinstance(word, ast.Constant) for word in words):
            words = []
        builtin = getattr(builtins, kind.__name__, None) is kind
        name = ast.Name(kind.__name__, ast.Load()) if builtin else self.bind(kind, kind.__name__)
        return ast.copy_location(ast.Raise(ast.copy_location(ast.Call(name, words, []), node), None), node)
