"""The native side of `given`: integers and floats, whose types are known before anything runs."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compile.given import NOBODY
from zermelo.compile.unsigned import NUMBERS, U64, WORD, _widen

DOUBLE = ir.DoubleType()


@intrinsic
def as_whole(typingctx: Any, x: Any) -> Any:
    """As `given.as_whole`."""
    if isinstance(x, NUMBERS):
        return types.int64(x), lambda c, b, s, a: _widen(c, b, s.args[0], a[0])
    if not isinstance(x, types.Float):
        return None
    return types.int64(x), lambda c, b, s, a: ir.Constant(WORD, NOBODY)


@intrinsic
def is_finer(typingctx: Any, x: Any) -> Any:
    """As `given.is_finer`: whether no float holds the integer."""
    if isinstance(x, types.Float):
        return types.boolean(x), lambda c, b, s, a: ir.Constant(ir.IntType(1), 0)
    if not isinstance(x, NUMBERS):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = word = _widen(context, builder, sig.args[0], args[0])
        if not isinstance(sig.args[0], U64):
            negative = builder.icmp_signed("<", word, ir.Constant(WORD, 0))
            size = builder.select(negative, builder.neg(word), word)
        # From its first bit to its last a float has room for 53 of the 64.
        zero = ir.Constant(ir.IntType(1), 0)
        around = builder.add(builder.ctlz(size, zero), builder.cttz(size, zero))
        return builder.icmp_unsigned("<", around, ir.Constant(WORD, 64 - 53))

    return types.boolean(x), lower


@intrinsic
def divided(typingctx: Any, x: Any, y: Any) -> Any:
    """As `given.divided`."""
    if isinstance(x, types.Float) and isinstance(y, types.Float):
        return types.float64(types.float64, types.float64), lambda c, b, s, a: b.fdiv(a[0], a[1])
    return None


@intrinsic
def is_finite(typingctx: Any, x: Any) -> Any:
    """As `given.is_finite`: all integers are."""
    if isinstance(x, NUMBERS):
        return types.boolean(x), lambda c, b, s, a: ir.Constant(ir.IntType(1), 1)
    if not isinstance(x, types.Float):
        return None
    return types.boolean(x), lambda c, b, s, a: b.fcmp_ordered("==", b.fsub(a[0], a[0]), ir.Constant(DOUBLE, 0.0))


@intrinsic
def is_float(typingctx: Any, x: Any) -> Any:
    """As `given.is_float`."""
    return types.boolean(x), lambda c, b, s, a: ir.Constant(ir.IntType(1), int(isinstance(s.args[0], types.Float)))
