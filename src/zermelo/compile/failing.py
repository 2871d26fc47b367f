"""How native code fails: it returns the number of the place, and leaves the state of the rule behind.

On the CPU every function passes the address of a block on, whose words `places` names; a GPU keeps the number alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import CPUCallConv
from numba.core.lowering import Lower
from numba.extending import intrinsic

from zermelo.compile import places
from zermelo.compile.places import COUNT, DEEPEST, FIRST_ADDRESS, LAST_ADDRESS, WRITTEN

WORD, CODE = ir.IntType(64), ir.IntType(32)
OUTSIDE = "IndexError (memory outside of what the rule may use: out[n] to out[n + max_actions - 1] in fill)"
WRONG_END = "ValueError (it returned no index behind actions that it wrote, at most max_actions of them)"


def is_gpu(context: Any) -> bool:
    """Whether code is written for a GPU."""
    return type(context).__module__.startswith("numba.cuda")


def fail_if(context: Any, builder: Any, condition: Any, what: str) -> None:
    """Return from the function with the number of this place where a condition holds."""
    with builder.if_then(condition, likely=False):
        fail(context, builder, what)


def fail(context: Any, builder: Any, what: str, line: Any = None) -> None:
    """Return from the function with the number of this place."""
    at = line or getattr(builder, "_line", None)
    number = places.number_of(at.filename, at.line, what) if at is not None else 1
    _leave(builder, ir.Constant(CODE, number))


def _leave(builder: Any, number: Any) -> None:
    """Go to the end of the function where the state is noted; where there is none to note, return."""
    state = getattr(builder, "_state", None)
    if state is None:
        builder.ret(number)
        return
    end = getattr(builder, "_end", None)
    if end is None:
        end = builder._end = builder.function.append_basic_block("failed")
        inside = ir.IRBuilder(end)
        numbers = builder._numbers = inside.phi(CODE)
        _note(inside, *state)
        inside.ret(numbers)
    builder._numbers.add_incoming(number, builder.block)
    builder.branch(end)


def block_word(builder: Any, index: int) -> Any:
    """The address of a word of the block."""
    start = builder.bitcast(builder.function.args[1], WORD.as_pointer())
    return builder.gep(start, [ir.Constant(WORD, index)])


def _note(builder: Any, kind: Any, value: Any) -> None:
    words = list(_words(builder, kind, value))
    for i, word in enumerate((ir.Constant(WORD, len(words)), *words)):
        builder.store(word, block_word(builder, COUNT + i))


def _words(builder: Any, kind: Any, value: Any) -> Iterator[Any]:
    if isinstance(kind, types.BaseTuple):
        for i, item in enumerate(kind):
            yield from _words(builder, item, builder.extract_value(value, i))
    elif isinstance(value.type, ir.DoubleType):
        yield builder.bitcast(value, WORD)
    else:
        yield value if value.type == WORD else builder.zext(value, WORD)


@intrinsic
def remember(typingctx: Any, s: Any) -> Any:
    """Keep the state for the error, in case the rule fails."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_gpu(context):
            builder._state = sig.args[0], args[0]
        return ir.Constant(WORD, 0)

    return types.int64(s), lower


@intrinsic
def assigned(typingctx: Any, value: Any, flag: Any) -> Any:
    """The value of a variable; fail where its flag says that it has none."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        unset = builder.not_(args[1])
        fail_if(context, builder, unset, "UnboundLocalError (a name is read here that has no value yet)")
        return args[0]

    return value(value, types.boolean), lower


@intrinsic
def mark_stack(typingctx: Any) -> Any:
    """At the beginning of a program: how deep the stack may grow from here, which the block says in bytes."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_gpu(context):
            place = block_word(builder, DEEPEST)
            builder.store(builder.sub(_stack_pointer(builder), builder.load(place)), place)
        return ir.Constant(WORD, 0)

    return types.int64(), lower


@intrinsic
def guard_stack(typingctx: Any) -> Any:
    """Fail where the stack has no room left, since a rule calls itself without end."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_gpu(context):
            deepest = builder.load(block_word(builder, DEEPEST))
            too_deep = builder.icmp_unsigned("<", _stack_pointer(builder), deepest)
            fail_if(context, builder, too_deep, places.ENDLESS)
        return ir.Constant(WORD, 0)

    return types.int64(), lower


@intrinsic
def guard_memory(typingctx: Any) -> Any:
    """From here on the function uses memory only where it may."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder._guards_memory = not is_gpu(context)
        return ir.Constant(WORD, 0)

    return types.int64(), lower


def guard_address(context: Any, builder: Any, place: Any, *, written: bool) -> None:
    """Fail where a rule uses a word of memory that is not its own."""
    if not getattr(builder, "_guards_memory", False):
        return
    address = builder.ptrtoint(place, WORD)
    first, last = (builder.load(block_word(builder, i)) for i in (FIRST_ADDRESS, LAST_ADDRESS))
    before = builder.icmp_unsigned("<", address, first)
    fail_if(context, builder, builder.or_(before, builder.icmp_unsigned(">=", address, last)), OUTSIDE)
    if written:
        count = block_word(builder, WRITTEN)
        builder.store(builder.add(builder.load(count), ir.Constant(WORD, 1)), count)


@intrinsic
def open_window(typingctx: Any, memory: Any, first: Any, size: Any) -> Any:
    """Let rules use so many words of a memory from a place on, and no others."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_gpu(context):
            start = builder.add(args[0], builder.shl(args[1], ir.Constant(WORD, 3)))
            end = builder.add(start, builder.shl(args[2], ir.Constant(WORD, 3)))
            for index, word in ((FIRST_ADDRESS, start), (LAST_ADDRESS, end), (WRITTEN, ir.Constant(WORD, 0))):
                builder.store(word, block_word(builder, index))
        return ir.Constant(WORD, 0)

    return types.int64(memory, types.int64, types.int64), lower


@intrinsic
def fill_end(typingctx: Any, end: Any, start: Any, size: Any) -> Any:
    """What a `fill` returned; fail where that is neither -1 nor an index behind actions that it wrote."""
    if not isinstance(end, types.Integer):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        end, start, size = args
        count = builder.sub(end, start)
        too_many = builder.icmp_unsigned(">", count, size)
        if not is_gpu(context):
            too_many = builder.or_(
                too_many, builder.icmp_unsigned(">", count, builder.load(block_word(builder, WRITTEN)))
            )
        none = builder.icmp_signed("==", end, ir.Constant(WORD, -1))
        fail_if(context, builder, builder.and_(too_many, builder.not_(none)), WRONG_END)
        return end

    return types.int64(types.int64, types.int64, types.int64), lower


@intrinsic
def close_window(typingctx: Any) -> Any:
    """Let memory be used freely again: by kernels, which know how large it is."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_gpu(context):
            for index, word in ((FIRST_ADDRESS, 0), (LAST_ADDRESS, -1)):
                builder.store(ir.Constant(WORD, word), block_word(builder, index))
        return ir.Constant(WORD, 0)

    return types.int64(), lower


def _stack_pointer(builder: Any) -> Any:
    kind = ir.FunctionType(ir.IntType(8).as_pointer(), [CODE])
    frame = cgutils.get_or_insert_function(builder.module, kind, "llvm.frameaddress.p0")
    return builder.ptrtoint(builder.call(frame, [ir.Constant(CODE, 0)]), WORD)


# --- Numba's own errors go the same way ------------------------------------------------------------------------------


def _pass_on(convention: Any, builder: Any, status: Any) -> None:
    _leave(builder, status.code)


def _raise(
    convention: Any, builder: Any, kind: Any, arguments: Any = None, loc: Any = None, func_name: Any = None
) -> None:
    fail(convention.context, builder, _described(kind, arguments), loc)


def _raise_dynamic(
    convention: Any, builder: Any, kind: Any, arguments: Any, types_: Any, loc: Any = None, func_name: Any = None
) -> None:
    fail(convention.context, builder, _described(kind, None), loc)


def _described(kind: Any, arguments: Any) -> str:
    name = getattr(kind, "__name__", str(kind))
    shown = ", ".join(str(a) for a in arguments or ())
    if "got None" in shown:
        shown = "None is no number in native code"
    return f"{name} ({shown})" if shown else name


def _call(convention: Any, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None) -> Any:
    """A call that passes the address of the block on."""
    retty = convention.get_return_type(resty).pointee
    slot = cgutils.alloca_once(builder, retty)
    builder.store(cgutils.get_null_value(retty), slot)
    block = builder.function.args[1]
    given = convention._get_arg_packer(argtys).as_arguments(builder, args)
    code = builder.call(callee, [slot, block, *given], attrs=tuple(attrs or ()))
    status = convention._get_return_status(builder, code, builder.load(block))
    return status, convention.context.get_returned_value(builder, resty, builder.load(slot))


def changes(lower: Any = Lower, convention: Any = CPUCallConv) -> list[tuple[Any, str, Any]]:
    """What of Numba is replaced while it compiles: the owner, the name and the new meaning."""
    lowered = lower.lower_inst

    def lower_inst(self: Any, inst: Any) -> Any:
        self.builder._line = inst.loc
        return lowered(self, inst)

    made: list[tuple[Any, str, Any]] = [
        (lower, "lower_inst", lower_inst),
        (convention, "return_user_exc", _raise),
        (convention, "return_status_propagate", _pass_on),
    ]
    if convention is CPUCallConv:
        made += [(convention, "call_function", _call), (convention, "return_dynamic_user_exc", _raise_dynamic)]
    return made


@contextmanager
def replaced(made: list[tuple[Any, str, Any]]) -> Iterator[None]:
    """Attributes with another meaning for a while."""
    before = [(owner, name, vars(owner)[name]) for owner, name, _ in made if name in vars(owner)]
    for owner, name, change in made:
        setattr(owner, name, change)
    try:
        yield
    finally:
        for owner, name, _ in made:
            delattr(owner, name)
        for owner, name, old in before:
            setattr(owner, name, old)
