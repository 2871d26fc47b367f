"""Whole arrays on a machine, and routines: kernels that run over their rows one after the other, again and again.

On a GPU a routine becomes one graph, which the driver starts at once: a kernel of few rows takes microseconds there,
less than a call from Python.
"""

import ctypes
from typing import Any

from zermelo.compile.machine import Machine

PORTION = 64
"""Runs between two looks at whether somebody wants to stop."""


def put_array(on: Machine, array: Any) -> Any:
    """A memory of the machine that holds the array: integers, or floats as kernels load them."""
    if on.name == "python":
        return array.tolist()
    memory = on.memory(max(1, array.size))
    refill(on, memory, array)
    return memory


def refill(on: Machine, memory: Any, array: Any) -> None:
    """Put an array into a memory, from its first word on."""
    if on.name == "python":
        memory[: array.size] = array.tolist()
        return
    import numpy as np

    whole = np.ascontiguousarray(array)
    if on.name == "cpu":
        ctypes.memmove(memory.address, whole.ctypes.data, whole.nbytes)
    elif whole.nbytes:
        from zermelo.compile.cuda import check, driver

        check(driver().cuMemcpyHtoD(memory.address, whole.ctypes.data, whole.nbytes), "copying to the GPU")


def take_array(on: Machine, memory: Any, count: int, *, floats: bool = True) -> Any:
    """The first words of a memory as an array of its own."""
    import numpy as np

    kind = np.float64 if floats else np.int64
    if on.name == "python":
        return np.array(memory[:count], dtype=kind)
    out = np.empty(count, dtype=kind)
    if on.name == "cpu":
        ctypes.memmove(out.ctypes.data, memory.address, out.nbytes)
    elif count:
        from zermelo.compile.cuda import check, driver

        check(driver().cuMemcpyDtoH(out.ctypes.data, memory.address, out.nbytes), "copying from the GPU")
    return out


class Routine:
    """Kernels with their rows and arguments, in the order in which they run."""

    def __init__(self, on: Any) -> None:
        self.on = on
        self.steps: list[tuple[Any, int, dict[str, Any]]] = []
        self._graph: Any = None

    def add(self, plain: Any, rows: int, **arguments: Any) -> None:
        """Let a kernel run for `row` = 0 .. rows - 1 after what was added before."""
        if rows > 0:
            self.on.prepare(plain, **arguments)
            self.steps.append((plain, rows, arguments))

    def run(self, times: int = 1) -> None:
        """Run all kernels, so many times."""
        if self._graph is None and times > 0:
            # The first time, each by itself: a GPU loads code when it is first run, which must not happen in a graph.
            self._run_steps()
            times -= 1
            if self.on.name == "cuda":
                self._graph = _Graph(self.on.processor, self.steps)
        if self._graph is not None:
            self._graph.run(times)
            return
        for _ in range(times):
            self._run_steps()

    def _run_steps(self) -> None:
        for plain, rows, arguments in self.steps:
            self.on.spread(plain, rows, **arguments)


class _Graph:
    """The launches of a routine as one graph of the GPU's driver."""

    def __init__(self, processor: Any, steps: list[tuple[Any, int, dict[str, Any]]]) -> None:
        from zermelo.compile.cuda import THREADS, DeviceWords, check, driver
        from zermelo.compile.program import program

        cuda = self.cuda = driver()
        self.check = check
        self.blocks: list[DeviceWords] = []
        self.kept = [arguments for _, _, arguments in steps]
        launches = []
        self.codes: list[Any] = []
        for plain, rows, arguments in steps:
            made, runtime = program(plain, arguments, processor, spread=True)
            block = DeviceWords(made.block_words)
            block.fill(made.write_block(runtime))
            self.blocks.append(block)
            launches.append((made.code.function, block.address, rows))
            self.codes.append(made.code)
        self.stream = check(cuda.cuStreamCreate(0), "making a stream")
        mode = cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        check(cuda.cuStreamBeginCapture(self.stream, mode), "beginning a graph")
        kinds = (ctypes.c_int64, ctypes.c_int64)
        for function, address, rows in launches:
            grid = (rows + THREADS - 1) // THREADS
            given = ((address, rows), kinds)
            answer = cuda.cuLaunchKernel(function, grid, 1, 1, THREADS, 1, 1, 0, self.stream, given, 0)
            check(answer, "launching into a graph")
        graph = check(cuda.cuStreamEndCapture(self.stream), "ending a graph")
        self.graph = check(cuda.cuGraphInstantiate(graph, 0), "making a graph")
        check(cuda.cuGraphDestroy(graph), "making a graph")

    def run(self, times: int) -> None:
        """Start the graph so many times, and wait."""
        left = times
        while left > 0:
            for _ in range(min(left, PORTION)):
                self.check(self.cuda.cuGraphLaunch(self.graph, self.stream), "launching a graph")
            self.check(self.cuda.cuStreamSynchronize(self.stream), "running a graph")
            left -= PORTION
        for code in self.codes:
            code.refuse_faults()

    def __del__(self) -> None:
        try:
            self.cuda.cuGraphExecDestroy(self.graph)
            self.cuda.cuStreamDestroy(self.stream)
        except Exception:
            return
