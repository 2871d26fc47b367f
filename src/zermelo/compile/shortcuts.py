"""Shorter ways through Numba, to the same code.

Numba repeats much for every function and every value: it asks what a state holds that would have to be counted, links a
function again into each of its callers, tells listeners that nobody added. What these functions replace is told above
each. They are in force while this room compiles, and not for anybody else's use of Numba.
"""

from collections.abc import Callable
from contextlib import nullcontext
from types import BuiltinFunctionType
from typing import Any

from llvmlite import binding
from numba import _dynfunc
from numba.core import cgutils, errors, event, ir
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.runtime.context import NRTContext
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext, Context
from numba.extending import _Intrinsic

find_call, find_return = BaseFunction.get_call_type, TypeInferer.return_types_from_partial
find_value = BaseContext.resolve_value_type
count_references = NRTContext._call_incref_decref
"""As they were before they were replaced."""


def uncallable(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """What Python would call a compiled function by: it calls the entry alone, and that in a way of its own."""
    return _dynfunc.make_function(description.lookup_module(), "native", "", 1, environment, (library,))


def known_call(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """What a built-in function or operator gives for these types, found once."""
    if kws:
        return find_call(function, context, args, kws)
    known = vars(function).setdefault("_known_calls", {})
    key = id(context), args
    if key not in known:
        found = find_call(function, context, args, kws)
        known[key] = found, function.get_impl_key(found)
    found, implementation = known[key]
    # Compiling for a GPU may have put its own there.
    function._impl_keys[found.args] = implementation
    return found


def known_return(inference: Any) -> Any:
    """The type that a function returns to itself, found once and not at each of its calls."""
    known = vars(inference).get("_known_return")
    if known is None:
        known = inference._known_return = find_return(inference)
    return known


def known_value(context: Any, value: Any) -> Any:
    """The type of a value; functions are looked up at once and not after all else has failed."""
    known = context._lookup_global(value) if isinstance(value, BuiltinFunctionType | _Intrinsic) else None
    return find_value(context, value) if known is None else known


def variables_in(inst: Any, value: Any) -> list[Any]:
    """The variables in a part of an instruction: what else it holds is passed over without a call."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in PLAIN:
        return []
    if isinstance(value, ir.Inst):
        return value.list_vars()
    if isinstance(value, list | tuple | dict):
        items = value.values() if isinstance(value, dict) else value
        return [variable for item in items if type(item) not in PLAIN for variable in variables_in(inst, item)]
    return []


PLAIN = {ir.Loc, str, int, float, bool, type(None), BuiltinFunctionType}


def counted_references(nrt: Any, builder: Any, kind: Any, value: Any, name: str) -> None:
    """Count references to what a value of this type holds, if types of this kind hold any."""
    holds = _holds_references.get(kind)
    if holds is None:
        holds = _holds_references[kind] = bool(nrt.get_meminfos(builder, kind, value))
    if holds:
        count_references(nrt, builder, kind, value, name)


_holds_references: dict[Any, bool] = {}


def not_linked(library: Any) -> None:
    """Leave a library's functions by themselves: all are linked once, when the program is whole."""
    library._raise_if_finalized()
    library._finalized = True


def add_ir_module(library: Any, written: Any) -> None:
    """Take in the functions of a module; that what was written makes sense is looked at once, when all is linked."""
    module = binding.parse_assembly(cgutils.normalize_ir_text(str(written)))
    module.name = written.name
    library.add_llvm_module(module)


def linked(library: Any) -> Any:
    """The module of a library with all that its functions call."""
    module, seen, waiting = library._final_module, {library}, list(library._linking_libraries)
    while waiting:
        other = waiting.pop()
        if other not in seen:
            seen.add(other)
            module.link_in(other._final_module, preserve=True)
            waiting.extend(other._linking_libraries)
    module.verify()
    return module


colours = getattr(errors, "HighlightColorScheme", None)


def registries_without_numpy(context: Any) -> None:
    """Get ready what rules use. There are no arrays in them, and importing all that Numba knows of arrays takes as long
    as compiling a small game."""
    from numba.core import optional
    from numba.core.runtime import rtsys
    from numba.cpython import builtins, iterators, mathimpl, numbers, printimpl, rangeobj, slicing, tupleobj

    assert all((builtins, iterators, numbers, optional, rangeobj, slicing, tupleobj))  # importing them is enough
    rtsys.initialize(context)
    # What somebody else's functions have asked for is there, and new intrinsics may have been put into it.
    for registry in (mathimpl.registry, printimpl.registry, *context._registries):
        context.install_registry(registry)


def declarations_without_numpy(context: Any) -> None:
    """As `registries_without_numpy`, of types."""
    from numba.core.typing import mathdecl

    for registry in (mathdecl.registry, *context._registries):
        context.install_registry(registry)


CHANGES: list[tuple[Any, str, Callable[..., Any]]] = [
    (JITCodeLibrary, "finalize", not_linked),
    (JITCodeLibrary, "add_ir_module", add_ir_module),
    (JITCPUCodegen, "insert_unresolved_ref", lambda codegen, builder, kind, name:
        cgutils.get_or_insert_function(builder.module, kind, name)),
    (CPUContext, "get_executable", uncallable),
    (CPUContext, "load_additional_registries", registries_without_numpy),
    (Context, "load_additional_registries", declarations_without_numpy),
    (BaseFunction, "get_call_type", known_call),
    (BaseContext, "resolve_value_type", known_value),
    (TypeInferer, "return_types_from_partial", known_return),
    (ir.Inst, "_rec_list_vars", variables_in),
    (NRTContext, "_call_incref_decref", counted_references),
    # Python calls nothing but the entry, and that without a wrapper.
    (Lower, "create_cpython_wrapper", lambda lower, release_gil=False: None),
    (Lower, "create_cfunc_wrapper", lambda lower: None),
    # Nobody listens.
    (event, "install_timer", lambda kind, callback: nullcontext()),
    (event, "trigger_event", lambda kind, data=None: nullcontext()),
    (event, "start_event", lambda kind, data=None: None),
    (event, "end_event", lambda kind, data=None, exc_details=None: None),
    # Errors are told in the author's words, without colours.
    *([(colours, "_markup", lambda scheme, message, color=None, style=None: message)] if colours else []),
]  # fmt: skip
