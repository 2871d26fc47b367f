"""Gives the machine of a name (python, cpu, cuda), which runs kernels."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any, Protocol

from zermelo.compile.blame import blamed
from zermelo.compile.block import STATUS, Block, Handle, Rows, maker, shape_of
from zermelo.compile.memory import Blocks, Words, word_to_float
from zermelo.compile.patience import current
from zermelo.compile.workers import on_deep_stack
from zermelo.contract import Game
from zermelo.errors import BadParameter

DEVICES = ("auto", "python", "cpu", "cuda")
SHALLOW = 3_000
"""Recursion up to this limit has room in any thread; beyond it plain Python runs on a large stack too."""


class Machine(Protocol):
    """Runs kernels."""

    name: str

    def memory(self, words: int) -> Any:
        """Memory that kernels on this machine can use."""

    def block(self, kind: Any, game: Any = None, setup: Any = None) -> Any:
        """A block of this kind."""

    def blocks(self, kind: Any, count: int, game: Any = None, setup: Any = None) -> Any:
        """So many blocks side by side. In plain Python there may be fewer at first: they grow (`make_room`)."""

    def call(self, plain: Any, **arguments: Any) -> Any:
        """The kernel's answer for these arguments."""

    def brief(self, plain: Any, **arguments: Any) -> Callable[[], Any]:
        """A kernel with its arguments, ready to be called again and again; nothing can interrupt it while it runs."""

    def prepare(self, plain: Any, **arguments: Any) -> None:
        """Compile what `spread` will run, if it is not there yet."""

    def spread(self, plain: Any, rows: int, **arguments: Any) -> None:
        """Run the kernel for `row` = 0 .. rows - 1, all at once where the machine can; it answers through memory."""

    def write(self, memory: Any, start: int, words: list[Any]) -> None:
        """Put words into a memory, all at once."""

    def read(self, memory: Any, start: int, count: int) -> list[Any]:
        """Words of a memory, all at once."""

    def write_state(self, game: Game, memory: Any, start: int, s: Any) -> None:
        """Put a state into a memory, as kernels load it."""

    def floats(self, memory: Any, start: int, count: int) -> tuple[float, ...]:
        """Floats that a kernel stored."""

    def table(self, memory: Any, rows: int, width: int, integers: tuple[int, ...]) -> list[list[Any]]:
        """Columns of a memory of rows: floats, or integers where said."""

    def column(self, blocks: Any, name: str, item: int = 0) -> list[Any]:
        """A field of all blocks that lie side by side, read at once; of an array the item of this number."""


class PythonMachine:
    """Runs kernels as they are written."""

    name = "python"

    def memory(self, words: int) -> list[Any]:
        return [0] * words

    def block(self, kind: Any, game: Any = None, setup: Any = None) -> Any:
        return kind(game, setup)

    def blocks(self, kind: Any, count: int, game: Any = None, setup: Any = None) -> Blocks:
        return Blocks(maker(kind, game, setup), count)

    def write(self, memory: list[Any], start: int, words: list[Any]) -> None:
        memory[start : start + len(words)] = words

    def read(self, memory: list[Any], start: int, count: int) -> list[Any]:
        return memory[start : start + count]

    def write_state(self, game: Game, memory: Any, start: int, s: Any) -> None:
        memory[start] = s

    def floats(self, memory: Any, start: int, count: int) -> tuple[float, ...]:
        return tuple(memory[start : start + count])

    def call(self, plain: Any, **arguments: Any) -> Any:
        patience, work = current(), interruptible(arguments)
        # Kernels recurse in Python alone; rules that somebody wrote may do so through C functions.
        deep = sys.getrecursionlimit() > SHALLOW and getattr(arguments.get("game"), "is_watched", True)
        with nullcontext() if patience is None or work is None else patience.ends(lambda: stop(work)):
            if deep:
                return on_deep_stack(lambda: self._blaming(plain, arguments))
            return self._blaming(plain, arguments)

    def _blaming(self, plain: Any, arguments: dict[str, Any]) -> Any:
        try:
            answer = plain(**arguments)
            for value in arguments.values():
                if isinstance(value, Block):
                    value.check()
            return answer
        except Exception as error:
            game = next((value for value in arguments.values() if isinstance(value, Game)), None)
            found = blamed(plain, game, error)
            if found is None:
                raise
            raise found from error

    def brief(self, plain: Any, **arguments: Any) -> Callable[[], Any]:
        return lambda: self.call(plain, **arguments)

    def prepare(self, plain: Any, **arguments: Any) -> None:
        return

    def spread(self, plain: Any, rows: int, **arguments: Any) -> None:
        for row in range(rows):
            self._blaming(plain, {"row": row, **arguments})

    def table(self, memory: Any, rows: int, width: int, integers: tuple[int, ...]) -> list[list[Any]]:
        return [memory[column : rows * width : width] for column in range(width)]

    def column(self, blocks: list[Any], name: str, item: int = 0) -> list[Any]:
        values = [getattr(block, name) for block in blocks]
        return [value[item] for value in values] if values and isinstance(values[0], list) else values


class NativeMachine:
    """Compiles kernels and runs them on a processor."""

    def __init__(self, processor: Any) -> None:
        self.processor = processor
        self.name = processor.name

    def memory(self, words: int) -> Any:
        return self.processor.memory(words) if hasattr(self.processor, "memory") else Words(words)

    def block(self, kind: Any, game: Any = None, setup: Any = None) -> Handle:
        shape = shape_of(kind, game, setup)
        return Handle(shape, self.memory(shape.size))

    def blocks(self, kind: Any, count: int, game: Any = None, setup: Any = None) -> Rows:
        shape = shape_of(kind, game, setup)
        return Rows(shape, self.memory(shape.size * count), count)

    def write(self, memory: Any, start: int, words: list[int]) -> None:
        memory.fill(words, start)

    def read(self, memory: Any, start: int, count: int) -> list[int]:
        return memory.part(start, count)

    def write_state(self, game: Game, memory: Any, start: int, s: Any) -> None:
        from zermelo.compile.layout import flat, state_layout

        memory.fill(flat(state_layout(game), s), start)

    def floats(self, memory: Any, start: int, count: int) -> tuple[float, ...]:
        return tuple(word_to_float(memory[start + i]) for i in range(count))

    def call(self, plain: Any, **arguments: Any) -> Any:
        from zermelo.compile.program import program

        made, runtime = program(plain, arguments, self.processor)
        return self.processor.run(made, runtime, 1)

    def brief(self, plain: Any, **arguments: Any) -> Callable[[], Any]:
        from zermelo.compile.program import program

        made, runtime = program(plain, arguments, self.processor)
        if hasattr(self.processor, "brief"):
            return self.processor.brief(made, runtime)
        return lambda: self.processor.run(made, runtime, 1)

    def prepare(self, plain: Any, **arguments: Any) -> None:
        from zermelo.compile.program import program

        program(plain, arguments, self.processor, spread=True)

    def spread(self, plain: Any, rows: int, **arguments: Any) -> None:
        from zermelo.compile.program import program

        made, runtime = program(plain, arguments, self.processor, spread=True)
        self.processor.run(made, runtime, rows)

    def table(self, memory: Any, rows: int, width: int, integers: tuple[int, ...]) -> list[list[Any]]:
        words = memory.words()
        columns: list[list[Any]] = []
        for column in range(width):
            found = words[column : rows * width : width]
            columns.append(list(found) if column in integers else [word_to_float(word) for word in found])
        return columns

    def column(self, blocks: Rows, name: str, item: int = 0) -> list[Any]:
        return blocks.column(name, item)


def interruptible(arguments: dict[str, Any]) -> Any:
    """What tells a kernel to turn back: a block with a `status`, the memory called `work`, or nothing."""
    for value in arguments.values():
        if isinstance(value, Block | Handle) and has_status(value):
            return value
    return arguments.get("work")


def has_status(block: Any) -> bool:
    """Whether a block has a field of that name."""
    return hasattr(block, STATUS) if isinstance(block, Block) else STATUS in block.shape.by_name


def stop(work: Any) -> None:
    """Let the kernel that works with this block or memory turn back."""
    from zermelo.compile.program import STOP, STOPPED

    if isinstance(work, Block | Handle):
        setattr(work, STATUS, STOPPED)
    else:
        work[STOP] = STOPPED


@cache
def machine(device: str) -> Any:
    """The machine of this name."""
    if device == "python":
        return PythonMachine()
    if device == "cpu":
        from zermelo.compile.cpu import Cpu

        return NativeMachine(Cpu())
    if device == "cuda":
        from zermelo.compile.cuda import Cuda

        return NativeMachine(Cuda())
    raise BadParameter(f"device must be one of {', '.join(DEVICES)}, not {device!r}")


def is_native(game: Game) -> str | None:
    """Why the game cannot run natively, or None where nothing speaks against it."""
    from zermelo.compile.layout import state_layout
    from zermelo.errors import CompileError

    try:
        state_layout(game)
    except CompileError as error:
        return str(error)
    return None
