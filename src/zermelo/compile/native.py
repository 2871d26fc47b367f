"""The native side of memory, tuples, hashing and tables: what plain functions of this package are in machine code.

Everything is registered with Numba once and serves both the CPU and CUDA. This module and `unsigned` import Numba;
nothing imports them before something is compiled.
"""

import operator
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from zermelo import bits
from zermelo.compile import clock, failing, given, given_native, hashing, lanes, memory, native_block, sound, vectors
from zermelo.compile.failing import guard_address
from zermelo.compile.native_lists import checked, freeze, pointer, thaw
from zermelo.compile.random import GOLDEN
from zermelo.compile.unsigned import (
    NUMBERS,
    U64,
    WORD,
    as_float,
    as_int,
    as_u64,
    bit,
    highest,
    lowest,
    lowest_bit,
    nth,
    popcount,
    rotate_left,
    u64,
    without_lowest,
    word_function,
)


class Memory(types.Type):
    """A handle: the address of 64-bit words."""

    def __init__(self) -> None:
        super().__init__("zermelo.memory")


words = Memory()


@register_model(Memory)
class _MemoryModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


# --- memory --------------------------------------------------------------------------------------------------------


@intrinsic
def checked_index(typingctx: Any, index: Any, size: Any) -> Any:
    """An index into a dimension of a table."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value
    return types.int64(types.int64, size), lambda c, b, s, a: checked(c, b, a[0], count)


@intrinsic
def same_length(typingctx: Any, values: Any, count: Any) -> Any:
    """Refuse to compile a tuple that is longer or shorter than its field; it does nothing at run time."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    if isinstance(values, types.BaseTuple) and len(values) != count.literal_value:
        raise errors.TypingError(f"native tuples have a fixed length, not {len(values)} for {count.literal_value}")
    return types.int64(values, count), lambda c, b, s, a: ir.Constant(WORD, 0)


@intrinsic
def words_at(typingctx: Any, address: Any) -> Any:
    """The handle of the words at an address."""
    return words(types.int64), lambda c, b, s, a: a[0]


@infer_global(operator.getitem)
class _Load(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Memory) and isinstance(args[1], types.Integer):
            return signature(types.int64, words, types.int64)
        return None


@infer_global(operator.setitem)
class _Store(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Memory) and isinstance(args[2], NUMBERS):
            kind = u64 if isinstance(args[2], U64) else types.int64
            return signature(types.none, words, types.int64, kind)
        return None


def _inside(context: Any, builder: Any, args: Any, kind: Any = WORD, *, written: bool = False) -> Any:
    """The place of a word, where a rule may read or write it."""
    place = pointer(builder, args[0], args[1], kind)
    guard_address(context, builder, place, written=written)
    return place


@lower_builtin(operator.getitem, Memory, types.Integer)
def _load(context, builder, sig, args):
    return builder.load(_inside(context, builder, args))


@lower_builtin(operator.setitem, Memory, types.Integer, types.Any)
def _store(context, builder, sig, args):
    builder.store(args[2], _inside(context, builder, args, written=True))
    return context.get_dummy_value()


@intrinsic
def load_float(typingctx: Any, m: Any, index: Any) -> Any:
    """A float at a word."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_inside(context, builder, args, ir.DoubleType()))

    return types.float64(words, types.int64), lower


@intrinsic
def store_float(typingctx: Any, m: Any, index: Any, value: Any) -> Any:
    """Put a float at a word."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _inside(context, builder, args, ir.DoubleType(), written=True))
        return context.get_dummy_value()

    return types.none(words, types.int64, types.float64), lower


@intrinsic
def float_to_word(typingctx: Any, value: Any) -> Any:
    """The 64 bits of a float."""
    return types.int64(types.float64), lambda c, b, s, a: b.bitcast(a[0], WORD)


@intrinsic
def make_room(typingctx: Any, m: Any, length: Any) -> Any:
    """It does nothing: native memory has its full size from the start."""
    return types.int64(m, length), lambda c, b, s, a: ir.Constant(WORD, 0)


@intrinsic
def prefetch(typingctx: Any, m: Any, index: Any) -> Any:
    """As `memory.prefetch`: on the CPU one instruction; a GPU hides the wait by itself."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not type(context).__module__.startswith("numba.cuda"):
            word = ir.IntType(32)
            place = builder.bitcast(pointer(builder, args[0], args[1]), ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
            call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # These numbers say: to be read, kept in all caches, data and not code.
            builder.call(call, [place, ir.Constant(word, 0), ir.Constant(word, 3), ir.Constant(word, 1)])
        return ir.Constant(WORD, 0)

    return types.int64(m, types.int64), lower


@intrinsic
def part(typingctx: Any, m: Any, start: Any) -> Any:
    """As `memory.part`: an address further on."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.add(args[0], builder.mul(args[1], ir.Constant(WORD, 8)))

    return words(words, types.int64), lower


@intrinsic
def fetch_add(typingctx: Any, m: Any, index: Any, value: Any) -> Any:
    """As `memory.fetch_add`, in one step."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _inside(context, builder, args, written=True), args[2], "monotonic")

    return types.int64(words, types.int64, types.int64), lower


@intrinsic
def exchange_if(typingctx: Any, m: Any, index: Any, expected: Any, value: Any) -> Any:
    """As `memory.exchange_if`, in one step."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _inside(context, builder, args, written=True)
        return builder.extract_value(builder.cmpxchg(place, args[2], args[3], "seq_cst", "monotonic"), 1)

    return types.boolean(words, types.int64, types.int64, types.int64), lower


@intrinsic
def barrier(typingctx: Any) -> Any:
    """As `memory.barrier`: one instruction of a GPU."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if type(context).__module__.startswith("numba.cuda"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.nvvm.barrier0"), [])
        return ir.Constant(WORD, 0)

    return types.int64(), lower


# --- tuples --------------------------------------------------------------------------------------------------------


@intrinsic
def replace(typingctx: Any, values: Any, index: Any, value: Any) -> Any:
    """The tuple with one item changed."""
    if not isinstance(values, types.UniTuple):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        slot = cgutils.alloca_once_value(builder, args[0])
        place = checked(context, builder, args[1], sig.args[0].count)
        builder.store(args[2], builder.gep(slot, [ir.Constant(ir.IntType(32), 0), place]))
        return builder.load(slot)

    return values(values, types.int64, values.dtype), lower


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


_mix = word_function(u64, _mixed)


def hash64(value):
    """Stands for its overload in native code; plain Python never calls it."""


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
    """Stands for its overload in native code; plain Python never calls it."""


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


# --- time ----------------------------------------------------------------------------------------------------------

MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)


@intrinsic
def now(typingctx: Any) -> Any:
    """As `clock.now`: one call of the C library; a GPU has a timer of its own."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if type(context).__module__.startswith("numba.cuda"):
            timer = ir.InlineAsm(ir.FunctionType(WORD, []), "mov.u64 $0, %globaltimer;", "=l", side_effect=True)
            return builder.call(timer, [])
        pair = cgutils.alloca_once(builder, ir.ArrayType(WORD, 2))
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), pair.type])
        read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(read, [ir.Constant(ir.IntType(32), MONOTONIC), pair])
        seconds, rest = (builder.load(cgutils.gep_inbounds(builder, pair, 0, i)) for i in range(2))
        return builder.add(builder.mul(seconds, ir.Constant(WORD, 1_000_000_000)), rest)

    return types.int64(), lower


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
        value = builder.load(pointer(builder, _table_address(context, builder, symbol), args[0], cell))
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


def row_getter(kind: Any, table: Any) -> Any:
    """The intrinsic that stands for `lanes.row` or `lanes.squares_by_row` of one table."""
    return ROWS[kind](table.array, lambda c, b: _table_address(c, b, table_symbol(table.digest)))


row_loader = vectors.row_loader

ROWS: dict[Any, Any] = {lanes.row: vectors.row_getter, lanes.squares_by_row: vectors.squares_getter}

# Memory with names: see `block`.
native_block.register(words)
setter, adder, exchanger = native_block.setter, native_block.adder, native_block.exchanger
block_at, rows_at = native_block.block_at, native_block.rows_at

# What rules that somebody wrote call beside what they say: see `guarded`.
OPERATORS, sound_function = sound.OPERATORS, sound.sound_function
opposite, magnitude = sound.opposite, sound.magnitude
whole_number, field_number, field_board = sound.whole_number, sound.field_number, sound.field_board
remember, guard_memory, guard_stack = failing.remember, failing.guard_memory, failing.guard_stack
open_window, close_window, fill_end = failing.open_window, failing.close_window, failing.fill_end
mark_stack, assigned = failing.mark_stack, failing.assigned

PRIMITIVES: dict[Any, Any] = {
    int: as_int,
    float: as_float,
    bits.u64: as_u64,
    bits.popcount: popcount,
    bits.lowest: lowest,
    bits.nth: nth,
    bits.highest: highest,
    bits.lowest_bit: lowest_bit,
    bits.without_lowest: without_lowest,
    bits.bit: bit,
    bits.rotate_left: rotate_left,
    memory.load_float: load_float,
    memory.store_float: store_float,
    given.as_number: as_float,
    given.as_whole: given_native.as_whole,
    given.divided: given_native.divided,
    given.is_finer: given_native.is_finer,
    given.is_finite: given_native.is_finite,
    given.is_float: given_native.is_float,
    given.store_number: store_float,
    memory.float_to_word: float_to_word,
    memory.make_room: make_room,
    memory.prefetch: prefetch,
    memory.part: part,
    memory.fetch_add: fetch_add,
    memory.exchange_if: exchange_if,
    memory.barrier: barrier,
    lanes.store_row: vectors.store_row,
    memory.replace: replace,
    memory.thaw: thaw,
    memory.freeze: freeze,
    hashing.hash64: hash64,
    clock.now: now,
}
"""What each plain function is in native code."""
