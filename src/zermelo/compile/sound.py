"""Arithmetic of rules in native code that fails where Python would, and where Python's integers outgrow 64 bits.

Each function here stands for one operator of Python. On other types than integers and floats it is that operator. What
is known when a rule is compiled, such as a divisor, costs nothing when it runs.
"""

import ast
import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import signature
from numba.extending import intrinsic

from zermelo.compile.failing import fail_if
from zermelo.compile.unsigned import U64, WORD, _widen, u64

FLOAT = ir.DoubleType()
LEAST, ZERO, ONE, LAST = (ir.Constant(WORD, n) for n in (-(1 << 63), 0, 1, 63))
TOO_LARGE = "OverflowError (an integer beyond 64 bits; Python's grow, native ones cannot)"
BY_ZERO = "ZeroDivisionError (division by zero)"
NEGATIVE_SHIFT = "ValueError (negative shift count)"
NO_FLOAT_RESULT = "OverflowError (the result is too large for a float)"
NO_REAL_RESULT = "ValueError (math domain error)"
NO_INTEGER = "OverflowError (a float that is no integer of 64 bits)"
INEXACT = "OverflowError (integers beyond 2**53 cannot be divided exactly; use //)"
NEGATIVE_POWER = "ValueError (a negative power of an integer is a float: write 2.0 ** n)"
SIGNED = "OverflowError (a board and a negative number in one division: integers beyond 64 bits)"
NO_BOARD = "OverflowError (a negative number in a field of u64: write u64(...) where it should wrap around)"
EXACT = 1 << 53
OF_TWO = (math.atan2, math.fmod, math.hypot, math.pow, math.copysign, math.ldexp, math.gcd, math.remainder)


def is_whole(kind: Any) -> bool:
    """Whether native code holds it as a signed integer."""
    return isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.signed)


def known(kind: Any) -> int | None:
    """The value of a literal."""
    return int(kind.literal_value) if isinstance(kind, types.IntegerLiteral) else None


# --- integers --------------------------------------------------------------------------------------------------------


def _with_overflow(name: str) -> Any:
    def emit(context: Any, builder: Any, x: Any, y: Any, literals: Any) -> Any:
        pair = getattr(builder, f"{name}_with_overflow")(x, y)
        fail_if(context, builder, builder.extract_value(pair, 1), TOO_LARGE)
        return builder.extract_value(pair, 0)

    return emit


def _is(builder: Any, x: Any, value: Any) -> Any:
    return builder.icmp_signed("==", x, value)


def _divided(op: Any) -> Any:
    def emit(context: Any, builder: Any, x: Any, y: Any, literals: Any) -> Any:
        divisor = literals[1]
        if divisor is None or divisor == 0:
            fail_if(context, builder, _is(builder, y, ZERO), BY_ZERO)
        if divisor is None or divisor == -1:
            by_minus_one = _is(builder, y, ir.Constant(WORD, -1))
            if op is operator.floordiv:
                fail_if(context, builder, builder.and_(by_minus_one, _is(builder, x, LEAST)), TOO_LARGE)
            else:
                # The rest is 0 either way, and processors trap where the quotient has no room.
                y = builder.select(by_minus_one, ONE, y)
        kind = signature(types.int64, types.int64, types.int64)
        return context.get_function(op, kind)(builder, (x, y))

    return emit


def _unusual(builder: Any, condition: Any, usual: Any, otherwise: Any) -> Any:
    """The usual value, or where a condition holds the one that `otherwise` computes, which may fail."""
    before = builder.block
    with builder.if_then(condition, likely=False):
        other = otherwise()
        after = builder.block
    value = builder.phi(WORD)
    value.add_incoming(usual, before)
    value.add_incoming(other, after)
    return value


def _left(context: Any, builder: Any, x: Any, y: Any, literals: Any) -> Any:
    count = builder.and_(y, LAST)
    shifted = builder.shl(x, count)
    outside = builder.icmp_unsigned(">", y, LAST)
    lost = builder.or_(outside, builder.icmp_signed("!=", builder.ashr(shifted, count), x))

    def nothing() -> Any:
        """Shift a zero, which may be shifted by any count; fail where another number loses bits."""
        fail_if(context, builder, builder.icmp_signed("<", y, ZERO), NEGATIVE_SHIFT)
        fail_if(context, builder, builder.icmp_signed("!=", x, ZERO), TOO_LARGE)
        return ZERO

    return _unusual(builder, lost, shifted, nothing)


def _right(context: Any, builder: Any, x: Any, y: Any, literals: Any) -> Any:
    def sign() -> Any:
        """Shift by all bits or more: only the sign is left."""
        fail_if(context, builder, builder.icmp_signed("<", y, ZERO), NEGATIVE_SHIFT)
        return builder.ashr(x, LAST)

    outside = builder.icmp_unsigned(">", y, LAST)
    return _unusual(builder, outside, builder.ashr(x, builder.and_(y, LAST)), sign)


_times = _with_overflow("smul")


def _power(context: Any, builder: Any, x: Any, y: Any, literals: Any) -> Any:
    """By squaring, as long as bits are left in the exponent."""
    fail_if(context, builder, builder.icmp_signed("<", y, ZERO), NEGATIVE_POWER)
    before = builder.block
    head, more, odd, even, square, done = (builder.append_basic_block(f"power.{i}") for i in range(6))
    builder.branch(head)
    builder.position_at_end(head)
    made, base, left = (builder.phi(WORD) for _ in range(3))
    builder.cbranch(_is(builder, left, ZERO), done, more)
    builder.position_at_end(more)
    builder.cbranch(builder.trunc(left, ir.IntType(1)), odd, even)
    builder.position_at_end(odd)
    grown = _times(context, builder, made, base, literals)
    after_odd = builder.block
    builder.branch(even)
    builder.position_at_end(even)
    now = builder.phi(WORD)
    now.add_incoming(made, more)
    now.add_incoming(grown, after_odd)
    rest = builder.lshr(left, ONE)
    builder.cbranch(_is(builder, rest, ZERO), head, square)
    builder.position_at_end(square)
    squared = _times(context, builder, base, base, literals)
    after_square = builder.block
    builder.branch(head)
    for phi, first, last_time, next_time in ((made, ONE, now, now), (base, x, base, squared), (left, y, rest, rest)):
        phi.add_incoming(first, before)
        phi.add_incoming(last_time, even)
        phi.add_incoming(next_time, after_square)
    builder.position_at_end(done)
    return made


# --- floats and boards -----------------------------------------------------------------------------------------------


def _is_nan(builder: Any, x: Any) -> Any:
    return builder.fcmp_unordered("uno", x, x)


def _is_infinite(builder: Any, x: Any) -> Any:
    magnitude = builder.and_(builder.bitcast(x, WORD), ir.Constant(WORD, (1 << 63) - 1))
    return builder.icmp_unsigned("==", magnitude, ir.Constant(WORD, 0x7FF << 52))


def _require_finite(context: Any, builder: Any, result: Any, given: list[Any]) -> None:
    """Fail where numbers have a NaN for a result, or finite numbers an infinity: Python raises an error there."""
    wrong, beyond = _is_nan(builder, result), _is_infinite(builder, result)
    for x in given:
        wrong = builder.and_(wrong, builder.not_(_is_nan(builder, x)))
        beyond = builder.and_(beyond, builder.not_(builder.or_(_is_nan(builder, x), _is_infinite(builder, x))))
    fail_if(context, builder, wrong, NO_REAL_RESULT)
    fail_if(context, builder, beyond, NO_FLOAT_RESULT)


def _require_exact(context: Any, builder: Any, x: Any) -> None:
    moved = builder.add(x, ir.Constant(WORD, EXACT))
    fail_if(context, builder, builder.icmp_unsigned(">", moved, ir.Constant(WORD, 2 * EXACT)), INEXACT)


def _guard_divisor(context: Any, builder: Any, sig: Any, args: Any, literals: Any) -> None:
    """Divisors of floats and boards, and of integers whose quotient is a float."""
    y, kind = args[1], sig.args[1]
    zero = (
        builder.fcmp_ordered("==", y, ir.Constant(y.type, 0.0))
        if isinstance(kind, types.Float)
        else builder.icmp_unsigned("==", y, ir.Constant(y.type, 0))
    )
    if not literals[1]:
        fail_if(context, builder, zero, BY_ZERO)
    for given, value, literal in zip(sig.args, args, literals, strict=True):
        if any(isinstance(a, U64) for a in sig.args):
            continue
        if isinstance(given, types.Integer) and literal is None and sig.return_type == types.float64:
            _require_exact(context, builder, value)


def _guard_shift(context: Any, builder: Any, sig: Any, args: Any, literals: Any) -> None:
    if literals[1] is None:
        fail_if(context, builder, builder.icmp_signed("<", args[1], ZERO), NEGATIVE_SHIFT)


# --- what the operators of Python become -----------------------------------------------------------------------------


def _operator(op: Any, whole: Any, guard: Any = None) -> Any:
    """An intrinsic of two arguments that stands for an operator."""

    def typed(typingctx: Any, x: Any, y: Any) -> Any:
        literals = (known(x), known(y))
        if whole is not None and is_whole(x) and is_whole(y):
            kind = signature(types.int64, types.int64, types.int64)
            return kind, lambda c, b, s, a: whole(c, b, a[0], a[1], literals)
        found = typingctx.resolve_function_type(op, (x, y), {})
        if found is None:
            return None
        kind = signature(found.return_type, *found.args)
        signed = [is_whole(a) and k is None for a, k in zip((x, y), literals, strict=True)]
        boards = isinstance(x, U64) or isinstance(y, U64)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if guard is not None and (isinstance(kind.args[1], types.Float | types.Integer | U64)):
                if boards and guard is _guard_divisor:
                    for i in range(2):
                        if signed[i]:
                            fail_if(context, builder, builder.icmp_signed("<", args[i], ZERO), SIGNED)
                if not boards or guard is _guard_divisor or signed[1]:
                    guard(context, builder, kind, args, literals)
            return context.get_function(op, kind)(builder, args)

        return kind, lower

    typed.__name__ = f"the operator {op.__name__}"
    return intrinsic(typed)


def _to_the_power(typingctx: Any, x: Any, y: Any) -> Any:
    """Powers: of integers as integers, all others as the C library gives them to Python."""
    exponent = known(y)
    if is_whole(x) and is_whole(y) and (exponent is None or exponent >= 0):
        kind = signature(types.int64, types.int64, types.int64)
        return kind, lambda c, b, s, a: _power(c, b, a[0], a[1], (None, exponent))
    if not all(is_whole(a) or isinstance(a, types.Float) for a in (x, y)):
        return None
    kind = signature(types.float64, types.float64, types.float64)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        nothing = ir.Constant(FLOAT, 0.0)
        zero = builder.and_(
            builder.fcmp_ordered("==", args[0], nothing), builder.fcmp_ordered("<", args[1], nothing)
        )  # fmt: skip
        fail_if(context, builder, zero, "ZeroDivisionError (0.0 cannot be raised to a negative power)")
        result = context.get_function(operator.pow, kind)(builder, args)
        _require_finite(context, builder, result, list(args))
        return result

    return kind, lower


def _unary(op: Any) -> Any:
    """`-x` and `abs(x)`: the least integer has no opposite."""

    def typed(typingctx: Any, x: Any) -> Any:
        found = typingctx.resolve_function_type(op, (types.int64 if is_whole(x) else x,), {})
        if found is None:
            return None
        kind = signature(found.return_type, *found.args)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if is_whole(kind.args[0]):
                fail_if(context, builder, _is(builder, args[0], LEAST), TOO_LARGE)
            return context.get_function(op, kind)(builder, args)

        return kind, lower

    typed.__name__ = f"the operator {op.__name__}"
    return intrinsic(typed)


def require_word(context: Any, builder: Any, x: Any) -> None:
    """A float that Python could turn into an integer of 64 bits."""
    above = builder.fcmp_ordered(">=", x, ir.Constant(x.type, -(2.0**63)))
    below = builder.fcmp_ordered("<", x, ir.Constant(x.type, 2.0**63))
    fail_if(context, builder, builder.not_(builder.and_(above, below)), NO_INTEGER)


@intrinsic
def whole_number(typingctx: Any, x: Any) -> Any:
    """`int(x)`: the fraction goes."""
    if isinstance(x, types.Float):

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            require_word(context, builder, args[0])
            return builder.fptosi(args[0], WORD)

        return types.int64(x), lower
    return _one_word(x)


@intrinsic
def field_number(typingctx: Any, x: Any) -> Any:
    """A value for a field of integers, which no float is."""
    return None if isinstance(x, types.Float) else _one_word(x)


@intrinsic
def field_board(typingctx: Any, x: Any) -> Any:
    """A value for a field of boards, which no negative number is."""
    if isinstance(x, U64 | types.Boolean):
        return u64(x), lambda c, b, s, a: _widen(c, b, s.args[0], a[0])
    if not isinstance(x, types.Integer):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = _widen(context, builder, sig.args[0], args[0])
        fail_if(context, builder, builder.icmp_signed("<", word, ZERO), NO_BOARD)
        return word

    return u64(x), lower


def _one_word(x: Any) -> Any:
    if isinstance(x, U64):

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            fail_if(context, builder, builder.icmp_signed("<", args[0], ZERO), TOO_LARGE)
            return args[0]

        return types.int64(x), lower
    if isinstance(x, types.Integer | types.Boolean):
        return types.int64(x), lambda c, b, s, a: _widen(c, b, s.args[0], a[0])
    return None


def sound_function(plain: Any) -> Any:
    """The intrinsic that stands for a function of `math`, or for `round`."""

    def typed(typingctx: Any, *given: Any) -> Any:
        found = typingctx.resolve_function_type(plain, given, {})
        if found is None:
            return None
        kind = signature(found.return_type, *found.args)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            floats = [a for a, k in zip(args, kind.args, strict=True) if isinstance(k, types.Float)]
            if is_whole(kind.return_type) and not isinstance(kind.return_type, types.Boolean):
                for x in floats:
                    require_word(context, builder, x)
            result = context.get_function(plain, kind)(builder, args)
            if isinstance(kind.return_type, types.Float):
                _require_finite(context, builder, result, floats)
            return result

        return kind, lower

    def of_one(typingctx: Any, x: Any) -> Any:
        return typed(typingctx, x)

    def of_two(typingctx: Any, x: Any, y: Any) -> Any:
        return typed(typingctx, x, y)

    taken = of_two if plain in OF_TWO else of_one
    taken.__name__ = f"the function {plain.__name__}"
    return intrinsic(taken)


OPERATORS: dict[Any, Any] = {
    ast.Add: _operator(operator.add, _with_overflow("sadd")),
    ast.Sub: _operator(operator.sub, _with_overflow("ssub")),
    ast.Mult: _operator(operator.mul, _times),
    ast.FloorDiv: _operator(operator.floordiv, _divided(operator.floordiv), _guard_divisor),
    ast.Mod: _operator(operator.mod, _divided(operator.mod), _guard_divisor),
    ast.Div: _operator(operator.truediv, None, _guard_divisor),
    ast.LShift: _operator(operator.lshift, _left, _guard_shift),
    ast.RShift: _operator(operator.rshift, _right, _guard_shift),
    ast.Pow: intrinsic(_to_the_power),
}
opposite, magnitude = _unary(operator.neg), _unary(abs)
