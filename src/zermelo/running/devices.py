"""Which machine answers a call: plain Python starts at once, native code runs faster.

With device="auto" a call begins in plain Python. What is not over at a glance goes on natively where the code is there,
compiled before; otherwise plain Python goes on, and after a moment more the code is made aside. When it is there, plain
Python turns back and native code answers, unless the answer has been found by then.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from zermelo.compile.aside import Making
from zermelo.compile.machine import DEVICES, is_native, machine
from zermelo.compile.patience import Patience, UntilMade, patient
from zermelo.compile.program import NotCompiled, kept_code_only
from zermelo.contract import Game
from zermelo.errors import BadParameter, CompileError, DeviceError, Interrupted, ZermeloError

GLANCE = 0.02
"""Seconds in plain Python before native code is looked for."""
FIRST_GLANCE = 0.1
"""These seconds where nothing native has run in this process: loading its libraries takes about as long."""
SHARE = 0.1
"""At most this share of a limit of time goes into such a glance."""
MOMENT = 0.2
"""Seconds in plain Python before anything is compiled: making native code takes seconds."""
WORTH_COMPILING = 1.0
"""Seconds that calls of a method for a game may spend in plain Python, one after the other, before it is compiled."""
MOST_REMEMBERED = 4096


class OutOfPatience(ZermeloError):
    """What was begun in plain Python took longer than it was allowed to."""


def on_best_machine(game: Game, method: str, device: str, run: Callable[[str], Any]) -> Any:
    """The answer of `run(device)` on the machine asked for, or on the one that has it first.

    In plain Python, kernels with an argument called `work` are stopped when that takes too long, and then `run` raises
    Interrupted. What does not run in such kernels looks at `patience.current()`, and raises OutOfPatience.
    """
    require_device(device)
    if device == "auto" and is_native(game) is None:
        return _by_patience(_Call(game, method), run)
    return on_machine(game, device, run)


def _by_patience(call: "_Call", run: Callable[[str], Any]) -> Any:
    """The answer of plain Python where that comes soon, else of native code."""
    if not call.is_slow:
        with suppress(OutOfPatience):
            return call.timed(run, Patience(glance()))
    making = _making.get(call.key)
    if making is None:
        kept = from_kept_code(lambda: run("cpu"))
        if kept.is_there:
            call.note_slow()
            return kept.answer
        if not call.is_slow:
            with suppress(OutOfPatience):
                return call.timed(run, Patience(min(MOMENT, WORTH_COMPILING - call.spent)))
            call.note_slow()
        making = kept.make_aside() if kept.make_aside is not None else None
    if making is not None:
        _remember(_making, call.key, making)
        with suppress(OutOfPatience):
            return call.timed(run, UntilMade(making))
        del _making[call.key]
    return on_machine(call.game, "auto", run)


def glance(allowed: float | None = None) -> float:
    """Seconds in plain Python before native code is asked for that may be kept; no large part of the time allowed."""
    usual = GLANCE if "llvmlite" in sys.modules else FIRST_GLANCE
    return usual if allowed is None else min(usual, SHARE * allowed)


class Kept(NamedTuple):
    """What native code that was compiled before has answered, if it was there."""

    is_there: bool
    answer: Any = None
    make_aside: Callable[[], Making] | None = None
    """Lets a child process make the code; None where that is not possible."""


def from_kept_code(run: Callable[[], Any]) -> Kept:
    """The answer of `run`, if the native code with which it begins is there."""
    try:
        with kept_code_only():
            return Kept(True, run())
    except NotCompiled as missing:
        return Kept(False, make_aside=missing.make_aside)
    except (CompileError, DeviceError):
        return Kept(False)


def on_machine(game: Game, device: str, run: Callable[[str], Any]) -> Any:
    """The answer of `run(device)`; "auto" is the cpu machine, or plain Python where the game cannot be compiled."""
    require_device(device)
    reason = is_native(game) if device != "python" else None
    if device != "auto":
        if reason is not None:
            raise CompileError(reason)
        return run(device)
    if reason is None:
        try:
            return run("cpu")
        except (CompileError, DeviceError) as error:
            tell_once(f"zermelo: {error}; going on in plain Python")
    return run("python")


def machine_for(device: str, *, quick: bool) -> Any:
    """The machine of this name; "auto" is plain Python for what is quick, or where there is no native code."""
    if device != "auto":
        return machine(device)
    try:
        return machine("python" if quick else "cpu")
    except DeviceError:
        return machine("python")


def require_device(device: Any) -> None:
    """Refuse a word that names no device."""
    if device not in DEVICES:
        raise BadParameter(f"device must be one of {', '.join(DEVICES)}, not {device!r}")


def tell_once(message: str) -> None:
    """Say why native code is not to be had; the same reason is not given twice."""
    if message not in _told:
        _remember(_told, message, None)
        print(message, file=sys.stderr)


def was_slow(game: Game, method: str) -> bool:
    """Whether plain Python was too slow for this once."""
    return _Call(game, method).is_slow


def note_slow(game: Game, method: str) -> None:
    """Let calls like this one begin natively from now on."""
    _Call(game, method).note_slow()


class _Call:
    """A method for a game. Instances of a game come and go; those with the same parameters are alike."""

    def __init__(self, game: Game, method: str) -> None:
        self.game = game
        self.key = method, type(game), repr(game)

    @property
    def spent(self) -> float:
        """Seconds that such calls took in plain Python."""
        return _spent.get(self.key, 0.0)

    @property
    def is_slow(self) -> bool:
        """Whether plain Python has been too slow for such a call, or for many of them."""
        return self.spent >= WORTH_COMPILING

    def note_slow(self) -> None:
        """Begin natively the next time."""
        _remember(_spent, self.key, WORTH_COMPILING)

    def timed(self, run: Callable[[str], Any], patience: Patience) -> Any:
        """What plain Python answers before patience ends; OutOfPatience where it does not."""
        began = time.process_time()
        with patient(patience):
            try:
                return run("python")
            except Interrupted:
                if patience.is_over:
                    raise OutOfPatience(f"{self.game.name}: plain Python is too slow for this") from None
                raise
            finally:
                _remember(_spent, self.key, self.spent + time.process_time() - began)


def _remember(what: dict[Any, Any], key: Any, value: Any) -> None:
    if len(what) >= MOST_REMEMBERED:
        what.clear()
    what[key] = value


_making: dict[Any, Making] = {}
_spent: dict[Any, float] = {}
_told: dict[str, None] = {}
