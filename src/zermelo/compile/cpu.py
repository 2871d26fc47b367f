"""The cpu machine: Numba compiles, the cache keeps the object code, llvmlite loads it.

Numba itself is only imported when something has to be compiled; code from the cache starts without it.
"""

import ctypes
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache as once
from functools import partial
from typing import Any

from zermelo.compile import aside, cache, processors
from zermelo.compile.layout import state_layout
from zermelo.compile.machine import interruptible
from zermelo.compile.machine import stop as end
from zermelo.compile.memory import Words
from zermelo.compile.places import COUNT, STATE, broken
from zermelo.compile.program import NotCompiled, Program, compiling, may_compile, notice
from zermelo.compile.reach import tables_of
from zermelo.compile.translate import translated
from zermelo.compile.workers import STACK, on_large_stack
from zermelo.errors import CompileError, DeviceError

Entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3)
HEADER = {"name": str, "kernel": str, "result": str, "tables": list, "numba": bool, "places": dict}
"""The fields of an entry's header, which describe its code."""
KEPT = 1000
"""Compiled functions that are kept for further programs: some hundred a large game, a few hundred kilobytes each."""
OWN_STACK, SPARE_STACK = 1 << 18, 1 << 23
"""Bytes of stack that native code may use in the caller's own thread, and those that it must leave in a large one."""
PATIENCE = 0.05
"""Seconds of work between two looks at whether somebody wants to stop."""


class Code:
    """Loaded machine code: call it with the address of a block."""

    def __init__(self, header: dict[str, Any], code: bytes, tables: dict[str, Any], game: Any = None) -> None:
        self.result = header["result"]
        self.places, self.game = header["places"], game
        self.block_words = STATE + (0 if game is None else state_layout(game).size)
        self.engine = _load_object(header, code, tables)
        self.tables = tables
        address = self.engine.get_function_address(header["name"])
        if not address:
            raise RuntimeError(f"the code holds no {header['name']}")
        self.entry = Entry(address)
        self.name = header["kernel"]

    def __call__(self, address: int, first: int, last: int, stack: int = OWN_STACK) -> None:
        answer, block = ctypes.c_int64(), (ctypes.c_int64 * self.block_words)(stack, 0, -1)
        number = self.entry(ctypes.addressof(answer), ctypes.addressof(block), address, first, last)
        if number:
            words = block[STATE : STATE + block[COUNT]] if block[COUNT] <= self.block_words - STATE else []
            raise broken(self.name, self.game, self.places.get(str(number)), words)


class Cpu:
    """The machine of this computer's processor."""

    name = "cpu"

    def __init__(self) -> None:
        try:
            import llvmlite.binding  # noqa: F401
        except ImportError:
            raise DeviceError('device="cpu" needs Numba: pip install numba, or use device="python"') from None
        self.shared: dict[Any, Any] = {}

    def load(self, program: Program) -> Code:
        """The program's code: from the cache, or compiled now."""
        meaning = program.fingerprint()
        name = processors.name_of(meaning)
        made = aside.under_way(name)
        if made is not None and made.is_done and made.error:
            raise CompileError(made.error)
        found = made.found if made is not None and made.is_made else cache.load(name, HEADER)
        kept = _loaded(program, found or processors.ready(meaning, HEADER))
        if kept is not None:
            return kept
        if not may_compile():
            make = partial(self._made_aside, program, name) if aside.is_possible() else None
            raise NotCompiled(f"{program.plain.__name__} is not compiled", make)
        code = None if made is None else _loaded(program, made.wait())
        if code is None:
            notice(program, "cpu")
            found = self._made(program)
            cache.save(name, *found)
            code = Code(*found, _tables(program, found), program.game)
        return code

    def _made_aside(self, program: Program, name: str) -> aside.Making:
        """A child process that makes the program's code."""
        if aside.under_way(name) is None:
            notice(program, "in the background")
        with compiling:  # a child of this thread alone must not wait for what another thread holds
            return aside.make(name, lambda: self._kept_or_made(program, name))

    def _kept_or_made(self, program: Program, name: str) -> cache.Entry:
        """The program's code, which another process may be making just now."""
        with cache.alone(name):
            found = cache.load(name, HEADER)
            if found is None:
                found = self._made(program)
                cache.save(name, *found)
        return found

    def _made(self, program: Program) -> cache.Entry:
        """The program's code, compiled now."""
        try:
            with translated(program), without_garbage():
                return self._compile(program)
        except BaseException:
            # Functions that are half compiled must not serve other programs.
            self.shared.clear()
            raise

    def _compile(self, program: Program) -> cache.Entry:
        from numba import njit, types

        from zermelo.compile import native
        from zermelo.compile.specialize import Specializer
        from zermelo.compile.whole import Passes, whole_program

        if len(self.shared) > KEPT:
            self.shared.clear()
        options = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        options["pipeline_class"] = Passes
        room = Specializer(lambda plain: njit(**options)(plain), native.PRIMITIVES, native, shared=self.shared)
        space = program.entry_namespace(room)
        loop = "for row in range(first, last):\n        " if program.spread else ""
        body = f"    m = words_at(block)\n    mark_stack()\n    {loop}{program.entry_source()}\n    return 0\n"
        exec(f"def entry(block, first, last):\n{body}", space)
        entry = njit(**options)(space["entry"])
        with whole_program() as emit:
            entry.compile((types.int64,) * 3)
            made = entry.overloads[(types.int64,) * 3]
            inlined = {one.fndesc.mangled_name for each in room.inlined for one in each.overloads.values()}
            code, where = emit(made.library, made.fndesc.mangled_name, inlined)
        room.refuse_escapes()
        _refuse_unlinked(made.library._final_module)
        returned = space["kernel"].overloads
        result = native.result_kinds(next(iter(returned.values())).signature.return_type)
        header = {
            "name": made.fndesc.mangled_name,
            "kernel": program.plain.__name__,
            "result": result,
            "tables": sorted(room.tables),
            "places": where,
            "numba": _needs_numba(made.library._final_module),
        }
        return header, code

    def run(self, program: Program, arguments: list[Any], rows: int) -> Any:
        """The kernel's answer."""
        words = program.write_block(arguments)
        block = Words(program.block_words)
        block.fill(words)
        stop, names = threading.Event(), [name for name in program.names if name != "row"]

        def interrupt() -> None:
            stop.set()
            work = interruptible(dict(zip(names, arguments, strict=True)))
            if work is not None:
                end(work)

        on_large_stack(lambda: in_portions(program.code, block, rows, stop), interrupt)
        return None if program.spread else answer_in(program, block)

    def brief(self, program: Program, arguments: list[Any]) -> Callable[[], Any]:
        """The kernel as a function without arguments that runs in the caller's own thread. It starts in microseconds;
        it must not recurse deeply, and Ctrl-C waits for it."""
        block = Words(program.block_words)
        block.fill(program.write_block(arguments))

        def run(kept: list[Any] = arguments) -> Any:
            program.code(block.address, 0, 1)
            return answer_in(program, block)

        return run


def _loaded(program: Program, made: cache.Entry | None) -> Code | None:
    """Code ready to run; None where there is none, or it is not what its header says."""
    if made is None:
        return None
    with suppress(RuntimeError):
        return Code(*made, _tables(program, made), program.game)
    return None


def _tables(program: Program, made: cache.Entry) -> dict[str, Any]:
    """The tables that code reads."""
    tables = tables_of(made[0]["tables"], program.plain, *program.constants.values())
    if tables is None:
        raise RuntimeError("the code reads tables that the program does not")
    return tables


@contextmanager
def without_garbage() -> Iterator[None]:
    """Let nobody look for garbage: a compiler makes a million objects that stay."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def answer_in(program: Program, block: Words) -> Any:
    """What the kernel has written behind its arguments."""
    start = program.argument_words
    return program.read_result(block.block[start : start + len(program.code.result)], program.code.result)


def in_portions(code: Code, block: Words, rows: int, stop: threading.Event) -> None:
    """Run all rows, as many at a time as pass quickly."""
    first, portion = 0, 1
    while first < rows and not stop.is_set():
        last = min(rows, first + portion)
        started = time.monotonic()
        code(block.address, first, last, STACK - SPARE_STACK)
        first = last
        portion = portion * 2 if time.monotonic() - started < PATIENCE else max(1, portion // 2)


def _register_tables(tables: dict[str, Any]) -> None:
    import llvmlite.binding as llvm

    for digest, table in tables.items():
        llvm.add_symbol(f"zermelo_table_{digest}", table.array.ctypes.data)


def _load_object(header: dict[str, Any], code: bytes, tables: dict[str, Any]) -> Any:
    import llvmlite.binding as llvm

    if header["numba"]:
        from numba.core.registry import cpu_target
        from numba.core.runtime import rtsys

        rtsys.initialize(cpu_target.target_context)
    _start_llvm()
    _register_tables(tables)
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@once
def _start_llvm() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _refuse_unlinked(module: Any) -> None:
    """A function that is declared but not there would be called at address 0."""
    missing = [f.name for f in module.functions if f.is_declaration and f.name.startswith("_ZN")]
    if missing:
        raise CompileError("a function calls itself with arguments of changing types: keep them int, float or u64")


def _needs_numba(module: Any) -> bool:
    """Whether the code calls Numba's run-time library (lists, exceptions with messages)."""
    missing = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    return any(name.startswith(("NRT", "numba", "Py", "_Py")) for name in missing)
