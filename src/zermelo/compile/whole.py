"""Numba as a compiler of whole programs, without the work that it would repeat for every function.

Hardly any time of a first use goes into machine code; it goes into finding types and writing LLVM's language, both in
Python. This module reaches into Numba for that, and is imported only where something is compiled.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import BuiltinFunctionType, CodeType
from typing import Any

from numba import _dynfunc
from numba.core import cgutils, event
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.typed_passes import NopythonRewrites
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import _Intrinsic

from zermelo.compile import failing, places
from zermelo.compile.failing import replaced
from zermelo.compile.signals import look

CALLED = re.compile(r'\bcall\b[^@\n]*@"?([^"(\s]+)"?\(')
"""Names of functions where LLVM's text calls them."""


class Passes(Compiler):
    """The passes that rules and kernels need."""

    def define_pipelines(self) -> list[Any]:
        look()
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        # Of arrays and of items named by strings, of which there are none.
        needless: list[Any] = [NopythonRewrites]
        if not any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts):
            needless.append(InlineClosureLikes)
        made.passes[:] = [each for each in made.passes if each[0] not in needless]
        return [made]


@contextmanager
def whole_program() -> Iterator[Callable[[Any, str, set[str]], tuple[bytes, dict[str, Any]]]]:
    """Compile many functions into one object: nothing becomes machine code, and hardly anything is optimised, before
    all of it is linked together. That takes half the time, and functions may call each other in a circle.

    Yields the function that turns the outermost library into object code, and tells at which places that can fail.
    """
    optimise = JITCodeLibrary._optimize_final_module  # inherited: looked up before it is covered
    find_call, find_return = BaseFunction.get_call_type, TypeInferer.return_types_from_partial
    find_value = BaseContext.resolve_value_type

    def emit(library: Any, entry: str, inlined: set[str]) -> tuple[bytes, dict[str, Any]]:
        library._ensure_finalized()
        text = str(library._final_module)
        calls = Counter(CALLED.findall(text))
        for function in library._final_module.functions:
            # Nobody else can call them: what no function reads need not be passed, and errors that never happen go.
            if not function.is_declaration and function.name != entry:
                function.linkage = "internal"
                # States are many words to pass. LLVM would inline less where functions are large.
                if calls[function.name] == 1 or function.name in inlined:
                    function.add_function_attribute("alwaysinline")
        optimise(library)
        return library._codegen._tm.emit_object(library._final_module), places.places_in(text)

    def uncallable(context: Any, library: Any, description: Any, environment: Any) -> Any:
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

    changes: list[tuple[Any, str, Any]] = [
        (JITCodeLibrary, "_optimize_final_module", lambda library: None),
        (JITCodeLibrary, "_finalize_specific", lambda library: None),
        (JITCPUCodegen, "_add_module", lambda codegen, module: None),
        (JITCPUCodegen, "insert_unresolved_ref", lambda codegen, builder, kind, name:
            cgutils.get_or_insert_function(builder.module, kind, name)),
        (CPUContext, "get_executable", uncallable),
        (BaseFunction, "get_call_type", known_call),
        (BaseContext, "resolve_value_type", known_value),
        (TypeInferer, "return_types_from_partial", known_return),
        # Python calls nothing but the entry, and that without a wrapper.
        (Lower, "create_cpython_wrapper", lambda lower, release_gil=False: None),
        (Lower, "create_cfunc_wrapper", lambda lower: None),
        # Every call of LLVM would be timed for every function that is under way.
        (event, "install_timer", lambda kind, callback: nullcontext()),
    ]  # fmt: skip
    with global_compiler_lock, replaced([*changes, *failing.changes()]):
        yield emit
