"""`u64` in native code: a type of its own, whose operators are all unsigned, wrap around and mix with plain integers.

Numba's own uint64 turns into int64 or float64 when it meets a Python integer, which no author of a game expects.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

from zermelo.compile import processors

WORD = ir.IntType(64)


class U64(types.Type):
    """`bits.u64` in native code: a word whose operators are all unsigned and wrap around."""

    def __init__(self) -> None:
        super().__init__("zermelo.u64")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        from numba.core.typeconv import Conversion

        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Integer | types.Boolean) else None


u64 = U64()
NUMBERS = types.Integer | types.Boolean | U64


@register_model(U64)
class _U64Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


# --- casts ---------------------------------------------------------------------------------------------------------


def _widen(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Any integer as 64 bits, sign kept."""
    if isinstance(kind, U64):
        return value
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.Boolean):
        return builder.zext(value, WORD)
    if value.type.width < 64:
        return builder.sext(value, WORD) if kind.signed else builder.zext(value, WORD)
    return value


@lower_cast(types.Integer, U64)
@lower_cast(types.Boolean, U64)
@lower_cast(types.IntegerLiteral, U64)
def _cast_to_u64(context, builder, fromty, toty, value):
    if isinstance(fromty, types.IntegerLiteral):
        value = context.cast(builder, value, fromty, fromty.literal_type)
    return _widen(context, builder, fromty, value)


@lower_cast(types.BooleanLiteral, U64)
def _cast_literal(context, builder, fromty, toty, value):
    return ir.Constant(WORD, int(fromty.literal_value))


@lower_cast(U64, types.Boolean)
def _cast_to_bool(context, builder, fromty, toty, value):
    return builder.icmp_unsigned("!=", value, ir.Constant(WORD, 0))


@intrinsic
def as_u64(typingctx: Any, x: Any) -> Any:
    """The word as unsigned."""
    if isinstance(x, NUMBERS):
        return u64(x), lambda c, b, s, a: _widen(c, b, s.args[0], a[0])
    return None


@intrinsic
def as_int(typingctx: Any, x: Any) -> Any:
    """The number as a signed word; a float loses its fraction."""
    if isinstance(x, NUMBERS):
        return types.int64(x), lambda c, b, s, a: _widen(c, b, s.args[0], a[0])
    if isinstance(x, types.Float):
        return types.int64(x), lambda c, b, s, a: b.fptosi(a[0], WORD)
    return None


@intrinsic
def as_float(typingctx: Any, x: Any) -> Any:
    """The number as a float."""
    if isinstance(x, types.Float):
        return types.float64(types.float64), lambda c, b, s, a: a[0]
    if not isinstance(x, NUMBERS):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = _widen(context, builder, sig.args[0], args[0])
        convert = builder.uitofp if isinstance(sig.args[0], U64) else builder.sitofp
        return convert(word, ir.DoubleType())

    return types.float64(x), lower


# --- the operators of u64 -------------------------------------------------------------------------------------------


def _arithmetic(plain: Any, inplace: Any, emit: Any, right: Any = u64) -> None:
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(isinstance(a, U64) for a in args) and all(isinstance(a, NUMBERS) for a in args):
                return signature(u64, u64, right)
            return None

    for op in (plain, inplace):
        infer_global(op)(type(f"U64_{op.__name__}", (Template,), {}))
        lower_builtin(op, U64, type(right))(lambda c, b, s, a: emit(b, a[0], a[1]))


def _shift(name: str) -> Any:
    def emit(builder: Any, value: Any, count: Any) -> Any:
        inside = builder.icmp_unsigned("<", count, ir.Constant(WORD, 64))
        shifted = getattr(builder, name)(value, builder.and_(count, ir.Constant(WORD, 63)))
        return builder.select(inside, shifted, ir.Constant(WORD, 0))

    return emit


def _division(name: str) -> Any:
    """Division by zero gives 0, as it does for signed integers in native code, and never a trap."""

    def emit(builder: Any, x: Any, y: Any) -> Any:
        zero = ir.Constant(WORD, 0)
        by_zero = builder.icmp_unsigned("==", y, zero)
        divided = getattr(builder, name)(x, builder.select(by_zero, ir.Constant(WORD, 1), y))
        return builder.select(by_zero, zero, divided)

    return emit


_arithmetic(operator.add, operator.iadd, lambda b, x, y: b.add(x, y))
_arithmetic(operator.sub, operator.isub, lambda b, x, y: b.sub(x, y))
_arithmetic(operator.mul, operator.imul, lambda b, x, y: b.mul(x, y))
_arithmetic(operator.and_, operator.iand, lambda b, x, y: b.and_(x, y))
_arithmetic(operator.or_, operator.ior, lambda b, x, y: b.or_(x, y))
_arithmetic(operator.xor, operator.ixor, lambda b, x, y: b.xor(x, y))
_arithmetic(operator.floordiv, operator.ifloordiv, _division("udiv"))
_arithmetic(operator.mod, operator.imod, _division("urem"))
_arithmetic(operator.lshift, operator.ilshift, _shift("shl"))
_arithmetic(operator.rshift, operator.irshift, _shift("lshr"))


def _comparison(op: Any, sign: str) -> None:
    """Unsigned against unsigned; against a signed number the true order counts, so that u64(2**63) > -1."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(isinstance(a, U64) for a in args) and all(isinstance(a, NUMBERS) for a in args):
                return signature(types.boolean, *(u64 if isinstance(a, U64) else types.int64 for a in args))
            return None

    def mixed(builder: Any, x: Any, y: Any, signed: Any, when_negative: bool) -> Any:
        negative = builder.icmp_signed("<", signed, ir.Constant(WORD, 0))
        return builder.select(negative, ir.Constant(ir.IntType(1), when_negative), builder.icmp_unsigned(sign, x, y))

    infer_global(op)(type(f"U64_{op.__name__}", (Template,), {}))
    lower_builtin(op, U64, U64)(lambda c, b, s, a: b.icmp_unsigned(sign, a[0], a[1]))
    lower_builtin(op, U64, types.Integer)(lambda c, b, s, a: mixed(b, a[0], a[1], a[1], op(1, 0)))
    lower_builtin(op, types.Integer, U64)(lambda c, b, s, a: mixed(b, a[0], a[1], a[0], op(0, 1)))


for _op, _sign in zip(
    (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    ("==", "!=", "<", "<=", ">", ">="),
    strict=True,
):
    _comparison(_op, _sign)


def _unary(op: Any, result: Any, emit: Any) -> None:
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, u64) if len(args) == 1 and isinstance(args[0], U64) else None

    infer_global(op)(type(f"U64_{op.__name__}", (Template,), {}))
    lower_builtin(op, U64)(lambda c, b, s, a: emit(b, a[0]))


_unary(operator.invert, u64, lambda b, x: b.not_(x))
_unary(operator.neg, u64, lambda b, x: b.neg(x))
_unary(operator.pos, u64, lambda b, x: x)
_unary(operator.not_, types.boolean, lambda b, x: b.icmp_unsigned("==", x, ir.Constant(WORD, 0)))
_unary(operator.truth, types.boolean, lambda b, x: b.icmp_unsigned("!=", x, ir.Constant(WORD, 0)))
_unary(bool, types.boolean, lambda b, x: b.icmp_unsigned("!=", x, ir.Constant(WORD, 0)))


# --- bits ----------------------------------------------------------------------------------------------------------


def word_function(result: Any, emit: Any, *, counts: int = 0) -> Any:
    """An intrinsic on one word and `counts` further integers."""

    def typed(x: Any, *more: Any) -> Any:
        if not all(isinstance(a, NUMBERS) for a in (x, *more)):
            return None

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            wide = [_widen(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True)]
            return emit(builder, *wide)

        return result(x, *more), lower

    if counts:
        return intrinsic(lambda typingctx, x, count: typed(x, count))
    return intrinsic(lambda typingctx, x: typed(x))


HALF = ir.IntType(32)
_DEFINED = ir.Constant(ir.IntType(1), 0)
_HALF_WAY = ir.Constant(WORD, 32)
_ONE, _ZERO, _LAST = ir.Constant(WORD, 1), ir.Constant(WORD, 0), ir.Constant(WORD, 63)


def _rotate(builder: Any, x: Any, count: Any) -> Any:
    left = builder.and_(count, _LAST)
    right = builder.and_(builder.neg(count), _LAST)
    return builder.or_(builder.shl(x, left), builder.lshr(x, right))


def _nth(builder: Any, x: Any, n: Any) -> Any:
    n = builder.and_(n, _LAST)
    if _spreads_bits(builder.module.triple):
        # One instruction spreads the bits of a word over the set bits of another.
        kind = ir.FunctionType(WORD, [WORD, WORD])
        spread = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.cttz(builder.call(spread, [builder.shl(_ONE, n), x]), _DEFINED)
    enough = builder.icmp_unsigned("<", n, builder.ctpop(x))
    # The lower or the upper half, then the half of that, and so on; from the first half on in words of 32 bits.
    place, left, rest = _half(0), builder.trunc(n, HALF), builder.trunc(x, HALF)
    for half in (32, 16, 8, 4, 2, 1):
        kept = rest if half == 32 else builder.and_(rest, _half((1 << half) - 1))
        low = builder.ctpop(kept)
        above = builder.icmp_unsigned(">=", left, low)
        left = builder.select(above, builder.sub(left, low), left)
        place = builder.select(above, builder.or_(place, _half(half)), place)
        upper = builder.trunc(builder.lshr(x, _HALF_WAY), HALF) if half == 32 else builder.lshr(rest, _half(half))
        rest = builder.select(above, upper, rest)
    return builder.select(enough, builder.zext(place, WORD), ir.Constant(WORD, 64))


def _half(count: int) -> Any:
    return ir.Constant(HALF, count)


def _spreads_bits(triple: str) -> bool:
    return triple.startswith("x86_64") and processors.has("bmi2")


popcount = word_function(types.int64, lambda b, x: b.ctpop(x))
lowest = word_function(types.int64, lambda b, x: b.cttz(x, _DEFINED))
nth = word_function(types.int64, _nth, counts=1)
highest = word_function(types.int64, lambda b, x: b.sub(_LAST, b.ctlz(x, _DEFINED)))
lowest_bit = word_function(u64, lambda b, x: b.and_(x, b.neg(x)))
without_lowest = word_function(u64, lambda b, x: b.and_(x, b.sub(x, _ONE)))
bit = word_function(u64, lambda b, x: b.shl(_ONE, b.and_(x, _LAST)))
rotate_left = word_function(u64, _rotate, counts=1)
