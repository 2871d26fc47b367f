"""The cuda machine: numba-cuda compiles to PTX, the cache keeps it, the driver loads it.

A launch runs the same kernel once for each row of arguments, a thread a row. Compiling needs no GPU: tests without
one compile every kernel down to PTX.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from zermelo.compile import cache
from zermelo.compile.memory import Words
from zermelo.compile.places import broken
from zermelo.compile.program import Program, notice
from zermelo.compile.reach import tables_of
from zermelo.compile.translate import translated
from zermelo.errors import DeviceError

THREADS = 128
STACK = 32 << 10
"""Bytes of stack for each thread: enough for searches some hundred plies deep."""
HEADER = {"name": str, "kernel": str, "result": str, "tables": list, "places": dict}
"""The fields of an entry's header, which describe its code."""
NO_GPU = 'device="cuda" needs an NVIDIA GPU and the package numba-cuda; use device="cpu"'


def check(answer: Any, doing: str) -> Any:
    """The values of a driver call; DeviceError where it failed."""
    status, *values = answer
    if int(status):
        raise DeviceError(f"cuda: {doing} failed: {status.name}")
    return values[0] if len(values) == 1 else values


def driver() -> Any:
    """NVIDIA's driver interface."""
    try:
        from cuda.bindings import driver as interface
    except ImportError:
        raise DeviceError(NO_GPU) from None
    return interface


class DeviceWords:
    """A block of zeroed 64-bit words in the memory of the GPU."""

    def __init__(self, length: int) -> None:
        cuda = driver()
        self.length = length
        self.address = int(check(cuda.cuMemAlloc(max(8, length * 8)), f"allocating {length * 8} bytes"))
        check(cuda.cuMemsetD8(self.address, 0, max(8, length * 8)), "clearing memory")

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        word = ctypes.c_int64()
        check(driver().cuMemcpyDtoH(ctypes.addressof(word), self.address + 8 * index, 8), "reading")
        return word.value

    def __setitem__(self, index: int, value: int) -> None:
        word = ctypes.c_int64(value)
        check(driver().cuMemcpyHtoD(self.address + 8 * index, ctypes.addressof(word), 8), "writing")

    def fill(self, words: Sequence[int], start: int = 0) -> None:
        """Write words from a place on."""
        here = Words(len(words))
        here.fill(words)
        check(driver().cuMemcpyHtoD(self.address + 8 * start, here.address, len(words) * 8), "writing")

    def part(self, start: int, count: int) -> list[int]:
        """Some of the words."""
        here = Words(count)
        check(driver().cuMemcpyDtoH(here.address, self.address + 8 * start, count * 8), "reading")
        return here.block[:]

    def words(self) -> list[int]:
        """All words."""
        return self.part(0, self.length)

    def __del__(self) -> None:
        try:
            driver().cuMemFree(self.address)
        except Exception:
            return


class Code:
    """A loaded module: launch it over rows."""

    def __init__(self, header: dict[str, Any], ptx: bytes, tables: dict[str, Any], game: Any = None) -> None:
        cuda = driver()
        self.result, self.places, self.game = header["result"], header["places"], game
        self.kernel = header["kernel"]
        self.module = check(cuda.cuModuleLoadData(ptx + b"\0"), "loading the code")
        self.function = check(cuda.cuModuleGetFunction(self.module, header["name"].encode()), "finding the code")
        fault = f"{header['name']}__errcode__".encode()
        self.fault, _ = check(cuda.cuModuleGetGlobal(self.module, fault), "finding the word for errors")
        self.tables: list[DeviceWords] = []
        for digest, table in tables.items():
            self._place(digest, table)

    def _place(self, digest: str, table: Any) -> None:
        cuda = driver()
        copy = DeviceWords((table.array.nbytes + 7) // 8)
        check(cuda.cuMemcpyHtoD(copy.address, table.array.ctypes.data, table.array.nbytes), "copying a table")
        holder, _ = check(cuda.cuModuleGetGlobal(self.module, f"zermelo_table_{digest}".encode()), "placing a table")
        word = ctypes.c_int64(copy.address)
        check(cuda.cuMemcpyHtoD(holder, ctypes.addressof(word), 8), "placing a table")
        self.tables.append(copy)

    def launch(self, block: int, rows: int) -> None:
        """Run the kernel for every row and wait."""
        cuda = driver()
        kinds = (ctypes.c_int64, ctypes.c_int64)
        grid = (rows + THREADS - 1) // THREADS
        check(
            cuda.cuLaunchKernel(self.function, grid, 1, 1, THREADS, 1, 1, 0, 0, ((block, rows), kinds), 0),
            "launching",
        )
        check(cuda.cuCtxSynchronize(), "running")
        self.refuse_faults()

    def refuse_faults(self) -> None:
        """Raise the error of the first row that failed since this was last asked, if any did."""
        word = ctypes.c_int32()
        check(driver().cuMemcpyDtoH(ctypes.addressof(word), self.fault, 4), "reading the word for errors")
        if word.value:
            number = str(word.value)
            word.value = 0
            check(driver().cuMemcpyHtoD(self.fault, ctypes.addressof(word), 4), "clearing the word for errors")
            raise broken(self.kernel, self.game, self.places.get(number), [])


class Cuda:
    """The machine of the first GPU."""

    name = "cuda"

    def __init__(self, capability: tuple[int, int] | None = None) -> None:
        self.capability = capability if capability is not None else self._start()

    def _start(self) -> tuple[int, int]:
        cuda = driver()
        try:
            check(cuda.cuInit(0), "starting")
            if not check(cuda.cuDeviceGetCount(), "counting GPUs"):
                raise DeviceError(NO_GPU)
        except (DeviceError, RuntimeError):
            raise DeviceError(NO_GPU) from None
        device = check(cuda.cuDeviceGet(0), "opening the GPU")
        context = check(cuda.cuDevicePrimaryCtxRetain(device), "opening the GPU")
        check(cuda.cuCtxSetCurrent(context), "opening the GPU")
        check(cuda.cuCtxSetLimit(cuda.CUlimit.CU_LIMIT_STACK_SIZE, STACK), "setting the stack")
        kind = cuda.CUdevice_attribute
        major = check(
            cuda.cuDeviceGetAttribute(kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "asking the GPU"
        )
        minor = check(
            cuda.cuDeviceGetAttribute(kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "asking the GPU"
        )
        return int(major), int(minor)

    def signature(self) -> str:
        """The kind of GPU, which the code depends on."""
        from importlib.metadata import version

        return f"cuda {self.capability} {version('numba-cuda')}"

    def memory(self, words: int) -> DeviceWords:
        """Memory on the GPU."""
        return DeviceWords(words)

    def load(self, program: Program) -> Code:
        """The program's code: from the cache, or compiled now."""
        header, ptx, tables = self.ptx(program)
        return Code(header, ptx, tables, program.game)

    def ptx(self, program: Program) -> tuple[dict[str, Any], bytes, dict[str, Any]]:
        """The program as PTX; needs no GPU."""
        name = cache.name_of(program.fingerprint(), self.signature())
        known = cache.load(name, HEADER)
        if known is not None:
            tables = tables_of(known[0]["tables"], program.plain, *program.constants.values())
            if tables is not None:
                return known[0], known[1], tables
        notice(program, "cuda")
        with translated(program):
            header, ptx, tables = self._compile(program)
        cache.save(name, header, ptx)
        return header, ptx, tables

    def _compile(self, program: Program) -> tuple[dict[str, Any], bytes, dict[str, Any]]:
        import numpy as np

        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack  # numba-cuda 0.30 still asks for it
        from numba import cuda, types

        from zermelo.compile import native, places
        from zermelo.compile.specialize import Specializer

        room = Specializer(lambda plain: cuda.jit(device=True)(plain), native.PRIMITIVES, native, crowded=True)
        space = program.entry_namespace(room)
        space["grid"] = cuda.grid
        source = (
            "def entry(block, rows):\n"
            "    row = grid(1)\n"
            "    if row < rows:\n"
            "        m = words_at(block)\n"
            f"        {program.entry_source()}\n"
        )
        exec(source, space)
        kind = types.void(types.int64, types.int64)
        with compiling_for(self.capability):
            library = exact_library(space["entry"], kind, self.capability)
        room.refuse_escapes()
        (ptx,) = library.get_asm_strs(cc=self.capability)
        name = re.search(r"\.visible \.entry (\w+)", ptx)
        if name is None:
            raise DeviceError("cuda: the compiled code has no entry")
        made = next(iter(space["kernel"].overloads.values()))
        # What is never read is not in the code, and there is nowhere to place it.
        tables = {digest: table for digest, table in room.tables.items() if f"zermelo_table_{digest}" in ptx}
        header = {
            "name": name.group(1),
            "kernel": program.plain.__name__,
            "result": native.result_kinds(made.signature.return_type),
            "tables": sorted(tables),
            "places": places.places_in(ptx),
        }
        return header, ptx.encode(), tables

    def run(self, program: Program, arguments: list[Any], rows: int) -> Any:
        """The kernel's answer."""
        cuda = driver()
        words = program.write_block(arguments)
        block, there = Words(program.block_words), DeviceWords(program.block_words)
        block.fill(words)
        check(cuda.cuMemcpyHtoD(there.address, block.address, program.block_words * 8), "copying to the GPU")
        program.code.launch(there.address, rows)
        if program.spread:
            return None
        check(cuda.cuMemcpyDtoH(block.address, there.address, program.block_words * 8), "copying from the GPU")
        start = program.argument_words
        return program.read_result(block.block[start : start + len(program.code.result)], program.code.result)


@contextmanager
def compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """Two gaps of numba-cuda filled: it asks the present GPU what to compile for, and functions that call each other
    in a circle lack the declaration by which the linker finds them."""
    from numba.cuda import cgutils, dispatcher
    from numba.cuda.codegen import JITCUDACodegen
    from numba.cuda.core.callconv import CUDACallConv
    from numba.cuda.lowering import CUDALower

    from zermelo.compile import failing

    def declare(codegen: Any, builder: Any, kind: Any, name: str) -> Any:
        return cgutils.get_or_insert_function(builder.module, kind, name)

    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    JITCUDACodegen.insert_unresolved_ref = declare
    try:
        with failing.replaced(failing.changes(CUDALower, CUDACallConv)):
            yield
    finally:
        dispatcher.get_current_device = asked


def exact_library(plain: Any, signature: Any, capability: tuple[int, int]) -> Any:
    """A kernel compiled without fused multiply-add, so that floats come out as on the other machines."""
    from numba.cuda.compiler import compile_cuda, kernel_fixup

    made = compile_cuda(
        plain,
        signature.return_type,
        signature.args,
        debug=False,
        lineinfo=False,
        fastmath=False,
        nvvm_options={"fastmath": False, "opt": 3, "fma": False},
        cc=capability,
        abi="numba",
        abi_info={},
    )
    library = made.library
    library._entry_name = made.fndesc.llvm_func_name
    # Numba calls it debugging: the number of the first row's error is kept in a word of the module.
    kernel_fixup(library.get_function(made.fndesc.llvm_func_name), True)
    return library
