"""Lists of rules in native code: a tuple whose items lie in the frame of the function that opened it.

Rules write `board = list(s.board)`, change items, and make a tuple of it again.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from zermelo.compile.failing import fail_if
from zermelo.compile.unsigned import WORD


class Thawed(types.IterableType):
    """A tuple opened for assignment: the address of its items in the frame of the function that thawed it."""

    def __init__(self, items: Any) -> None:
        self.items = items
        super().__init__(f"zermelo.thawed({items})")

    @property
    def iterator_type(self) -> Any:
        return ThawedItems(self)


class ThawedItems(types.SimpleIteratorType):
    """The items of a thawed tuple, one after the other, as they are when their turn comes."""

    def __init__(self, thawed: Thawed) -> None:
        self.thawed = thawed
        super().__init__(f"zermelo.items({thawed})", thawed.items.dtype)


@register_model(Thawed)
class _ThawedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(ThawedItems)
class _ThawedItemsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("place", types.EphemeralPointer(types.int64)), ("address", types.int64)])


def checked(context: Any, builder: Any, index: Any, count: int) -> Any:
    """An index as Python means it: negative ones count from the end, others outside raise IndexError."""
    size = ir.Constant(WORD, count)
    negative = builder.icmp_signed("<", index, ir.Constant(WORD, 0))
    index = builder.select(negative, builder.add(index, size), index)
    fail_if(context, builder, builder.icmp_unsigned(">=", index, size), "IndexError (index out of range)")
    return index


def pointer(builder: Any, address: Any, index: Any, kind: Any = WORD) -> Any:
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])


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
    if isinstance(thawed, types.BaseTuple):
        return thawed(thawed), lambda c, b, s, a: a[0]
    if not isinstance(thawed, Thawed):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], context.get_value_type(sig.return_type).as_pointer()))

    return thawed.items(thawed), lower


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Thawed) and isinstance(args[1], types.Integer):
            return signature(args[0].items.dtype, args[0], types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], Thawed):
            return signature(types.none, args[0], types.int64, args[0].items.dtype)
        return None


@lower_builtin(operator.getitem, Thawed, types.Integer)
def _load_item(context, builder, sig, args):
    kind = context.get_value_type(sig.return_type)
    place = checked(context, builder, args[1], sig.args[0].items.count)
    return builder.load(pointer(builder, args[0], place, kind))


@lower_builtin(operator.setitem, Thawed, types.Integer, types.Any)
def _store_item(context, builder, sig, args):
    place = checked(context, builder, args[1], sig.args[0].items.count)
    builder.store(args[2], pointer(builder, args[0], place, args[2].type))
    return context.get_dummy_value()


@overload(len)
def _length(x):
    if isinstance(x, Thawed):
        count = x.items.count
        return lambda x: count
    return None


@lower_builtin("getiter", Thawed)
def _begin_items(context, builder, sig, args):
    items = context.make_helper(builder, sig.return_type)
    items.place = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
    items.address = args[0]
    return items._getvalue()


@lower_builtin("iternext", ThawedItems)
@iternext_impl(RefType.UNTRACKED)
def _next_item(context, builder, sig, args, result):
    (kind,) = sig.args
    items = context.make_helper(builder, kind, args[0])
    place = builder.load(items.place)
    there = builder.icmp_signed("<", place, ir.Constant(WORD, kind.thawed.items.count))
    result.set_valid(there)
    with builder.if_then(there):
        item = context.get_value_type(kind.yield_type)
        result.yield_(builder.load(pointer(builder, items.address, place, item)))
        builder.store(builder.add(place, ir.Constant(WORD, 1)), items.place)
