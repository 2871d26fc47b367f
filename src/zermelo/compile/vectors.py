"""`lanes` in native code: a row of a table as one value in vector registers."""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

from zermelo.compile.unsigned import WORD

HALF, SINGLE = ir.IntType(16), ir.IntType(32)


class Lanes(types.Type):
    """So many 16-bit integers."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"zermelo.lanes({count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.VectorType(HALF, kind.count))


@infer_global(operator.add)
@infer_global(operator.sub)
class _Both(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]:
            return signature(args[0], *args)
        return None


@lower_builtin(operator.add, Lanes, Lanes)
def _add(context, builder, sig, args):
    return builder.add(*args)


@lower_builtin(operator.sub, Lanes, Lanes)
def _subtract(context, builder, sig, args):
    return builder.sub(*args)


def row_getter(rows: Any, address: Any) -> Any:
    """An intrinsic that reads a row of these; `address` writes where the table begins."""
    count = rows.shape[1]

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _row(context, builder, count, address, args[0])

    return intrinsic(lambda typingctx, index: (Lanes(count)(types.int64), lower))


def row_loader(count: int) -> Any:
    """An intrinsic that reads so many numbers from memory."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_in_memory(builder, args[0], args[1], count), align=8)

    return intrinsic(lambda typingctx, m, index: (Lanes(count)(m, types.int64), lower))


@intrinsic
def store_row(typingctx: Any, m: Any, index: Any, values: Any) -> Any:
    """As `lanes.store_row`."""
    if not isinstance(values, Lanes):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _in_memory(builder, args[0], args[1], values.count), align=8)
        return context.get_dummy_value()

    return types.none(m, types.int64, values), lower


SMALL = 181
"""The square of this fits 16 bits: processors multiply such numbers and add neighbours in one instruction."""
FITTING = 8
"""The sum of so many squares times weights fits into 32 bits, since `lanes` bounds each."""


def squares_getter(rows: Any, address: Any) -> Any:
    """An intrinsic that sums cut-off squares by the weights of a row."""
    count = rows.shape[1]
    wide = ir.VectorType(SINGLE, count)
    heaviest = int(abs(rows.astype("int32")).max(initial=1))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values, top, index = args
        weights = builder.sext(_row(context, builder, count, address, index), wide)
        zero = ir.Constant(values.type, None)
        high = _everywhere(builder, builder.trunc(top, HALF), count)
        cut = builder.select(builder.icmp_signed(">", values, zero), values, zero)
        cut = builder.select(builder.icmp_signed("<", cut, high), cut, high)
        # Where `top` is a constant, as it mostly is, one of the two is gone when the code is optimized.
        with builder.if_else(builder.icmp_signed("<=", top, ir.Constant(WORD, SMALL))) as (small, large):
            with small:
                squares = builder.sext(builder.mul(cut, cut), wide)
                fitting = (2**31 - 1) // (SMALL * SMALL * heaviest)
                total = _sum(builder, builder.mul(squares, weights), count, fitting)
                after_small = builder.block
            with large:
                cut = builder.sext(cut, wide)
                other = _sum(builder, builder.mul(builder.mul(cut, cut), weights), count, FITTING)
                after_large = builder.block
        found = builder.phi(WORD)
        found.add_incoming(total, after_small)
        found.add_incoming(other, after_large)
        return found

    def typed(typingctx: Any, values: Any, top: Any, index: Any) -> Any:
        return types.int64(Lanes(count), types.int64, types.int64), lower

    return intrinsic(typed)


def _in_memory(builder: Any, memory: Any, index: Any, count: int) -> Any:
    begin = builder.add(memory, builder.shl(index, ir.Constant(WORD, 3)))
    return builder.inttoptr(begin, ir.VectorType(HALF, count).as_pointer())


def _row(context: Any, builder: Any, count: int, address: Any, index: Any) -> Any:
    begin = builder.add(address(context, builder), builder.mul(index, ir.Constant(WORD, 2 * count)))
    return builder.load(builder.inttoptr(begin, ir.VectorType(HALF, count).as_pointer()), align=2)


def _sum(builder: Any, values: Any, count: int, fitting: int) -> Any:
    """Add all numbers, neighbours first, then halves; LLVM has an instruction for it that compilers for GPUs do not
    know. So many sums fit into 32 bits; then they are widened.
    """
    rest, added = [], 1
    while count > 1:
        added *= 2
        if added > fitting and values.type.element.width < WORD.width:
            values = builder.sext(values, ir.VectorType(WORD, count))
        if count % 2:
            last = builder.extract_element(values, ir.Constant(SINGLE, count - 1))
            rest.append(builder.sext(last, WORD) if last.type.width < WORD.width else last)
        half = count // 2
        apart, step = (1, 2) if added == 2 else (half, 1)
        low, high = (ir.Constant(ir.VectorType(SINGLE, half), [*range(i, i + step * half, step)]) for i in (0, apart))
        values = builder.add(builder.shuffle_vector(values, values, low), builder.shuffle_vector(values, values, high))
        count = half
    total = builder.extract_element(values, ir.Constant(SINGLE, 0))
    total = builder.sext(total, WORD) if total.type.width < WORD.width else total
    for value in rest:
        total = builder.add(total, value)
    return total


def _everywhere(builder: Any, value: Any, count: int) -> Any:
    kind = ir.VectorType(HALF, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(SINGLE, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(SINGLE, count), None))
