"""The native side of bits, memory and tables: what plain Python functions of this package become in machine code.

Everything is registered with Numba once and serves both the CPU and CUDA. This module imports Numba; nothing imports
this module before something is compiled.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from zermelo import bits
from zermelo.compile import hashing, memory
from zermelo.compile.random import GOLDEN

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


class Memory(types.Type):
    """A handle: the address of 64-bit words."""

    def __init__(self) -> None:
        super().__init__("zermelo.memory")


class Thawed(types.Type):
    """A tuple opened for assignment: the address of its items in the frame of the function that thawed it."""

    def __init__(self, items: Any) -> None:
        self.items = items
        super().__init__(f"zermelo.thawed({items})")


u64 = U64()
words = Memory()
NUMBERS = types.Integer | types.Boolean | U64


@register_model(U64)
class _U64Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(Memory)
class _MemoryModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(Thawed)
class _ThawedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


# --- casts ---------------------------------------------------------------------------------------------------------


def _widen(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Any integer as 64 bits, sign kept."""
    if isinstance(kind, U64 | Memory):
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
def _as_float(typingctx: Any, x: Any) -> Any:
    return types.float64(x), lambda c, b, s, a: b.uitofp(a[0], ir.DoubleType())


@overload(int)
def _int_of(x):
    return (lambda x: as_int(x)) if isinstance(x, U64) else None


@overload(float)
def _float_of(x):
    return (lambda x: _as_float(x)) if isinstance(x, U64) else None


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


_arithmetic(operator.add, operator.iadd, lambda b, x, y: b.add(x, y))
_arithmetic(operator.sub, operator.isub, lambda b, x, y: b.sub(x, y))
_arithmetic(operator.mul, operator.imul, lambda b, x, y: b.mul(x, y))
_arithmetic(operator.and_, operator.iand, lambda b, x, y: b.and_(x, y))
_arithmetic(operator.or_, operator.ior, lambda b, x, y: b.or_(x, y))
_arithmetic(operator.xor, operator.ixor, lambda b, x, y: b.xor(x, y))
_arithmetic(operator.floordiv, operator.ifloordiv, lambda b, x, y: b.udiv(x, y))
_arithmetic(operator.mod, operator.imod, lambda b, x, y: b.urem(x, y))
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


def _word_function(result: Any, emit: Any, *, counts: int = 0) -> Any:
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


_DEFINED = ir.Constant(ir.IntType(1), 0)
_ONE, _ZERO, _LAST = ir.Constant(WORD, 1), ir.Constant(WORD, 0), ir.Constant(WORD, 63)


def _rotate(builder: Any, x: Any, count: Any) -> Any:
    left = builder.and_(count, _LAST)
    right = builder.and_(builder.neg(count), _LAST)
    return builder.or_(builder.shl(x, left), builder.lshr(x, right))


popcount = _word_function(types.int64, lambda b, x: b.ctpop(x))
lowest = _word_function(types.int64, lambda b, x: b.cttz(x, _DEFINED))
highest = _word_function(types.int64, lambda b, x: b.sub(_LAST, b.ctlz(x, _DEFINED)))
lowest_bit = _word_function(u64, lambda b, x: b.and_(x, b.neg(x)))
without_lowest = _word_function(u64, lambda b, x: b.and_(x, b.sub(x, _ONE)))
bit = _word_function(u64, lambda b, x: b.shl(_ONE, b.and_(x, _LAST)))
rotate_left = _word_function(u64, _rotate, counts=1)


# --- memory --------------------------------------------------------------------------------------------------------


def _pointer(builder: Any, address: Any, index: Any, kind: Any = WORD) -> Any:
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])


@intrinsic
def words_at(typingctx: Any, address: Any) -> Any:
    """The handle of the words at an address."""
    return words(types.int64), lambda c, b, s, a: a[0]


@infer_global(operator.getitem)
class _Load(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Memory) and isinstance(args[1], types.Integer):
            return signature(types.int64, words, types.int64)
        if isinstance(args[0], Thawed) and isinstance(args[1], types.Integer):
            return signature(args[0].items.dtype, args[0], types.int64)
        return None


@infer_global(operator.setitem)
class _Store(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Memory) and isinstance(args[2], NUMBERS):
            kind = u64 if isinstance(args[2], U64) else types.int64
            return signature(types.none, words, types.int64, kind)
        if isinstance(args[0], Thawed):
            return signature(types.none, args[0], types.int64, args[0].items.dtype)
        return None


@lower_builtin(operator.getitem, Memory, types.Integer)
def _load(context, builder, sig, args):
    return builder.load(_pointer(builder, args[0], args[1]))


@lower_builtin(operator.setitem, Memory, types.Integer, types.Any)
def _store(context, builder, sig, args):
    builder.store(args[2], _pointer(builder, args[0], args[1]))
    return context.get_dummy_value()


@intrinsic
def load_float(typingctx: Any, m: Any, index: Any) -> Any:
    """A float at a word."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pointer(builder, args[0], args[1], ir.DoubleType()))

    return types.float64(words, types.int64), lower


@intrinsic
def store_float(typingctx: Any, m: Any, index: Any, value: Any) -> Any:
    """Put a float at a word."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(builder, args[0], args[1], ir.DoubleType()))
        return context.get_dummy_value()

    return types.none(words, types.int64, types.float64), lower


@intrinsic
def load_shared(typingctx: Any, m: Any, index: Any) -> Any:
    """A word that another thread may change at any time."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        load = builder.load(_pointer(builder, args[0], args[1]))
        load.volatile = True
        return load

    return types.int64(words, types.int64), lower


@intrinsic
def make_room(typingctx: Any, m: Any, length: Any) -> Any:
    """Nothing: native memory has its full size from the start."""
    return types.int64(m, length), lambda c, b, s, a: _ZERO


# --- tuples --------------------------------------------------------------------------------------------------------


@intrinsic
def replace(typingctx: Any, values: Any, index: Any, value: Any) -> Any:
    """The tuple with one item changed."""
    if not isinstance(values, types.UniTuple):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        slot = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], builder.gep(slot, [ir.Constant(ir.IntType(32), 0), args[1]]))
        return builder.load(slot)

    return values(values, types.int64, values.dtype), lower


@intrinsic
def thaw(typingctx: Any, values: Any) -> Any:
    """The items of a tuple in the frame of the caller, to be changed in place."""
    if not isinstance(values, types.UniTuple):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        slot = cgutils.alloca_once_value(builder, args[0])
        return builder.ptrtoint(slot, WORD)

    return Thawed(values)(values), lower


@intrinsic
def freeze(typingctx: Any, thawed: Any) -> Any:
    """The tuple of a thawed one."""
    if not isinstance(thawed, Thawed):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], context.get_value_type(sig.return_type).as_pointer()))

    return thawed.items(thawed), lower


@lower_builtin(operator.getitem, Thawed, types.Integer)
def _load_item(context, builder, sig, args):
    kind = context.get_value_type(sig.return_type)
    return builder.load(_pointer(builder, args[0], args[1], kind))


@lower_builtin(operator.setitem, Thawed, types.Integer, types.Any)
def _store_item(context, builder, sig, args):
    builder.store(args[2], _pointer(builder, args[0], args[1], args[2].type))
    return context.get_dummy_value()


@overload(len)
def _length(x):
    if isinstance(x, Thawed):
        count = x.items.count
        return lambda x: count
    return None


# --- hashing and results -------------------------------------------------------------------------------------------


def _tuple_source(kind: Any, path: str, leaves: list[str]) -> None:
    if isinstance(kind, types.BaseTuple):
        for i, item in enumerate(kind):
            _tuple_source(item, f"{path}[{i}]", leaves)
    else:
        leaves.append(path)


def _mixed(builder: Any, x: Any) -> Any:
    """As `hashing.mix`."""
    for shift, factor in ((32, hashing.FIRST), (29, hashing.SECOND)):
        x = builder.xor(x, builder.lshr(x, ir.Constant(WORD, shift)))
        x = builder.mul(x, ir.Constant(WORD, factor))
    return builder.xor(x, builder.lshr(x, ir.Constant(WORD, 32)))


_mix = _word_function(u64, _mixed)


def hash64(value):
    """Never called: its overload is."""
    raise NotImplementedError


@overload(hash64)
def _hash64(value):
    leaves: list[str] = []
    _tuple_source(value, "value", leaves)
    terms = [f"mix(as_u64({p}) + as_u64({_signed((i + 1) * hashing.PLACE)}))" for i, p in enumerate(leaves)]
    total = " + ".join(terms) or "as_u64(0)"
    source = f"def hash_of(value): return as_int(mix({total} + as_u64({_signed(len(leaves) * GOLDEN)})))"
    space: dict[str, Any] = {"mix": _mix, "as_u64": as_u64, "as_int": as_int}
    exec(source, space)
    return space["hash_of"]


def _signed(value: int) -> int:
    value &= bits.MASK
    return value - (1 << 64) if value >> 63 else value


def store_result(m, index, value):
    """Never called: its overload is."""
    raise NotImplementedError


@overload(store_result)
def _store_result(m, index, value):
    leaves: list[str] = []
    _tuple_source(value, "value", leaves)
    lines = [
        f"    store_float(m, index + {i}, {path})" if kind == "f" else f"    m[index + {i}] = as_int({path})"
        for i, (path, kind) in enumerate(zip(leaves, result_kinds(value), strict=True))
    ]
    space: dict[str, Any] = {"store_float": store_float, "as_int": as_int}
    exec("def store(m, index, value):\n" + "\n".join(lines or ["    pass"]), space)
    return space["store"]


def result_kinds(kind: Any) -> str:
    """One letter for each word that a value of this type takes: f, i, b or u; where it is none, "" for nothing."""
    if isinstance(kind, types.BaseTuple):
        return "".join(result_kinds(item) for item in kind)
    if isinstance(kind, types.Float):
        return "f"
    if isinstance(kind, types.Boolean):
        return "b"
    return "u" if isinstance(kind, U64) else "i"


# --- tables --------------------------------------------------------------------------------------------------------


def table_symbol(digest: str) -> str:
    """The name of the word that holds a table's address in compiled code."""
    return f"zermelo_table_{digest}"


def table_getter(table: Any) -> Any:
    """An intrinsic that reads one number of a table by its flat index."""
    dtype, symbol = table.dtype, table_symbol(table.digest)
    width = table.array.dtype.itemsize * 8
    cell = ir.FloatType() if dtype == "float32" else ir.DoubleType() if dtype == "float64" else ir.IntType(width)
    result = types.float64 if dtype.startswith("float") else u64 if dtype == "uint64" else types.int64

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = builder.load(_pointer(builder, _table_address(context, builder, symbol), args[0], cell))
        if dtype == "float32":
            return builder.fpext(value, ir.DoubleType())
        if width < 64:
            return builder.zext(value, WORD) if dtype.startswith("u") else builder.sext(value, WORD)
        return value

    return intrinsic(lambda typingctx, index: (result(types.int64), lower))


def _table_address(context: Any, builder: Any, symbol: str) -> Any:
    """On the CPU the symbol is the table itself; a GPU module has a word that the loader fills with the address."""
    module = builder.module
    on_gpu = type(context).__module__.startswith("numba.cuda")
    holder = module.globals.get(symbol)
    if holder is None:
        holder = ir.GlobalVariable(module, WORD, symbol, addrspace=1 if on_gpu else 0)
        if on_gpu:
            holder.linkage = "weak"
            holder.initializer = ir.Constant(WORD, 0)
    return builder.load(holder) if on_gpu else builder.ptrtoint(holder, WORD)


PRIMITIVES: dict[Any, Any] = {
    bits.u64: as_u64,
    bits.popcount: popcount,
    bits.lowest: lowest,
    bits.highest: highest,
    bits.lowest_bit: lowest_bit,
    bits.without_lowest: without_lowest,
    bits.bit: bit,
    bits.rotate_left: rotate_left,
    memory.load_float: load_float,
    memory.store_float: store_float,
    memory.load_shared: load_shared,
    memory.make_room: make_room,
    memory.replace: replace,
    memory.thaw: thaw,
    memory.freeze: freeze,
    hashing.hash64: hash64,
}
"""What each plain function is in native code."""
