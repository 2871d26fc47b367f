"""Blocks in native code: one word, the address; a field lies at a constant distance. Numba infers which block it is."""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import errors
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import intrinsic, models, register_model

from zermelo.compile.block import STATUS, Place, Shape
from zermelo.compile.unsigned import U64, WORD, u64

NUMBERS = {"int": types.int64, "float": types.float64, "u64": u64}
WORDS: list[Any] = []
"""The type of memory, as soon as it is known."""


class BlockType(types.Type):
    """The address of a block of this shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        super().__init__(f"zermelo.block({shape.name}, {id(shape):x})")

    @property
    def key(self) -> Any:
        return id(self.shape)


class RowType(types.Type):
    """The address of floats or of blocks that lie side by side."""

    def __init__(self, inner: Shape | None) -> None:
        self.inner = inner
        self.item: Any = types.float64 if inner is None else BlockType(inner)
        super().__init__(f"zermelo.row({self.item})")


@register_model(BlockType)
@register_model(RowType)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


def kind_of(place: Place, words: Any) -> Any:
    """The type of a field."""
    if place.count is not None:
        return words if place.inner is None and place.kind != "float" else RowType(place.inner)
    if place.inner is not None:
        return BlockType(place.inner)
    return words if place.kind == "Memory" else NUMBERS[place.kind]


def _cell(builder: Any, address: Any, place: Place) -> Any:
    """The place in memory of a single word."""
    kind = ir.DoubleType() if place.kind == "float" else WORD
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [ir.Constant(WORD, place.offset)])


def _further(builder: Any, address: Any, words: Any) -> Any:
    """An address so many words further on."""
    return builder.add(address, builder.mul(words, ir.Constant(WORD, 8)))


def register(words: Any) -> None:
    """Tell Numba about blocks; `words` is the type of memory."""
    WORDS.append(words)

    @infer_getattr
    class Fields(AttributeTemplate):
        key = BlockType

        def generic_resolve(self, block: Any, name: str) -> Any:
            place = block.shape.by_name.get(name)
            return None if place is None else kind_of(place, words)


@lower_getattr_generic(BlockType)
def _read(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    place = kind.shape.by_name[name]
    if place.count is not None or place.inner is not None:
        return builder.add(value, ir.Constant(WORD, 8 * place.offset))
    cell = _cell(builder, value, place)
    if name == STATUS and not type(context).__module__.startswith("numba.cuda"):
        # Whoever stops a kernel writes here while it runs: each read looks again. Nobody does so on a GPU.
        return builder.load_atomic(cell, "monotonic", 8)
    return builder.load(cell)


def _place_in(block: Any, name: str, is_memory: bool = False) -> Place:
    """The single word of this name that somebody writes to: a number, or where memory lies."""
    place = block.shape.by_name.get(name) if isinstance(block, BlockType) else None
    if place is None or place.count is not None or place.inner is not None or (place.kind == "Memory") != is_memory:
        raise errors.TypingError(f"{block} has no field {name} that can be assigned")
    return place


def setter(name: str) -> Any:
    """The intrinsic behind `block.name = value`."""

    @intrinsic
    def put(typingctx: Any, block: Any, value: Any) -> Any:
        place = _place_in(block, name, value in WORDS)
        kind = NUMBERS.get(place.kind, value)
        if place.kind == "int":
            if isinstance(value, types.Float):
                raise errors.TypingError(f"{name} is an int, and this is a float: write int(...)")
            kind = u64 if isinstance(value, U64) else kind

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            builder.store(args[1], _cell(builder, args[0], place))
            return context.get_dummy_value()

        return types.none(block, kind), lower

    return put


def adder(name: str) -> Any:
    """The intrinsic behind `fetch_add(block, "name", value)`: one step, as threads need it."""

    @intrinsic
    def fetch_add(typingctx: Any, block: Any, value: Any) -> Any:
        place = _place_in(block, name)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.atomic_rmw("add", _cell(builder, args[0], place), args[1], "monotonic")

        return types.int64(block, types.int64), lower

    return fetch_add


def exchanger(name: str) -> Any:
    """The intrinsic behind `exchange_if(block, "name", expected, value)`: one step."""

    @intrinsic
    def exchange_if(typingctx: Any, block: Any, expected: Any, value: Any) -> Any:
        place = _place_in(block, name)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            cell = _cell(builder, args[0], place)
            return builder.extract_value(builder.cmpxchg(cell, args[1], args[2], "seq_cst", "monotonic"), 1)

        return types.boolean(block, types.int64, types.int64), lower

    return exchange_if


def block_at(shape: Shape) -> Any:
    """The intrinsic that makes a block of an address."""
    kind = BlockType(shape)
    return intrinsic(lambda typingctx, address: (kind(types.int64), lambda c, b, s, a: a[0]))


def rows_at(shape: Shape) -> Any:
    """The intrinsic that makes blocks side by side of an address."""
    kind = RowType(shape)
    return intrinsic(lambda typingctx, address: (kind(types.int64), lambda c, b, s, a: a[0]))


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return signature(args[0].item, args[0], types.int64)
        return None


@infer_global(operator.setitem)
class _PutItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], RowType) and args[0].inner is None and isinstance(args[2], types.Number):
            return signature(types.none, args[0], types.int64, types.float64)
        return None


def _float_cell(builder: Any, args: Any) -> Any:
    return builder.gep(builder.inttoptr(args[0], ir.DoubleType().as_pointer()), [args[1]])


@lower_builtin(operator.getitem, RowType, types.Integer)
def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    inner = sig.args[0].inner
    if inner is None:
        return builder.load(_float_cell(builder, args))
    return _further(builder, args[0], builder.mul(args[1], ir.Constant(WORD, inner.size)))


@lower_builtin(operator.setitem, RowType, types.Integer, types.Any)
def _put_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _float_cell(builder, args))
    return context.get_dummy_value()
