"""Numba as a compiler of whole programs, without the work that it would repeat for every function.

Hardly any time of a first use goes into machine code; it goes into finding types and writing LLVM's language, both in
Python. This module reaches into Numba for that, and is imported only where something is compiled.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from zermelo.compile import failing, places
from zermelo.compile.failing import replaced
from zermelo.compile.shortcuts import CHANGES, linked
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

    def emit(library: Any, entry: str, inlined: set[str]) -> tuple[bytes, dict[str, Any]]:
        module = linked(library)
        text = str(module)
        calls = Counter(CALLED.findall(text))
        for function in module.functions:
            # Nobody else can call them: what no function reads need not be passed, and errors that never happen go.
            if not function.is_declaration and function.name != entry:
                function.linkage = "internal"
                # States are many words to pass. LLVM would inline less where functions are large.
                if calls[function.name] == 1 or function.name in inlined:
                    function.add_function_attribute("alwaysinline")
        library._optimize_final_module()
        return library._codegen._tm.emit_object(module), places.places_in(text)

    with global_compiler_lock, replaced([*CHANGES, *failing.changes()]):
        yield emit
