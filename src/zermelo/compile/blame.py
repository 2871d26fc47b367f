"""Whose code it is that fails: rules that somebody wrote, or this package's own kernels and games.

An error in rules is told in the same words on all machines; in plain Python it is found in the frames of the error.
"""

import inspect
import sysconfig
from pathlib import Path
from types import FrameType
from typing import Any

from zermelo.compile import places
from zermelo.contract import STATE_NAMES, Game, bounded
from zermelo.errors import BrokenContract, ZermeloError

PACKAGE = str(Path(__file__).parent.parent)
LIBRARY = sysconfig.get_path("stdlib")
TAKE_STATES = {
    "actions", "evaluate", "explain", "fill", "fill_noisy", "in_check", "is_noisy", "is_over", "is_terminal", "key",
    "noted_score", "null", "order", "probability", "private", "public", "result", "rollout", "score",
    "table_key", "to_move", "transform", "utility", "view",
}  # fmt: skip
"""Methods whose first parameter is a state, whatever it is called."""


def is_trusted(plain: Any) -> bool:
    """Whether a function is this package's own, or a kernel, and not a rule that somebody wrote."""
    return plain.__code__.co_filename.startswith(PACKAGE) or hasattr(plain, "__zermelo_kernel__")


def state_parameter(method: str, names: list[str]) -> str | None:
    """Which parameter of a rule, its `self` left out, is the state; None where nobody knows."""
    if method in TAKE_STATES and names:
        return names[0]
    return next((name for name in names if name in STATE_NAMES), None)


def blamed(kernel: Any, game: Game | None, error: Exception) -> BrokenContract | None:
    """The error of a game whose rules raised another one in a kernel; None where no rule is to blame."""
    name = kernel.__name__ if game is None else game.name
    frames = [(frame, line) for frame, line in _frames(error) if not _is_library(frame.f_code.co_filename)]
    held = _is_check(frames[-1][0])
    while held and frames and _is_check(frames[-1][0]):
        frames.pop()
    if isinstance(error, ZermeloError) and not held:
        return None
    own = kernel.__code__ if hasattr(kernel, "__zermelo_kernel__") else None
    foreign = [not f.f_code.co_filename.startswith(PACKAGE) and f.f_code is not own for f, _ in frames]
    # Frames of the caller come before those of this package; rules come after them.
    first = next((i for i in range(foreign.index(False), len(frames)) if foreign[i]), None) if False in foreign else 0
    if first is None or not foreign[-1]:
        return None if isinstance(error, ZermeloError) else _stumbled(name, game, error)
    frame, line = frames[-1]
    file = frame.f_code.co_filename
    what = next(iter(str(error).splitlines()), "")
    if isinstance(error, RecursionError):
        what = places.ENDLESS
    elif not held:
        what = f"{type(error).__name__} ({what})" if what else type(error).__name__
    owner = next((value for f, _ in frames[first:] for value in _arguments(f)[:1] if isinstance(value, Game)), None)
    name = name if owner is None else owner.name
    return places.raised(name, file, line, places.line_of(file, line), places.shortened(what), _state(frames[first][0]))


def _stumbled(name: str, game: Game | None, error: Exception) -> BrokenContract | None:
    """The error of a kernel that could not go on with what somebody's rules returned."""
    if game is None or type(game).__module__.startswith(f"{ZermeloError.__module__.partition('.')[0]}."):
        return None
    what = next(iter(str(error).splitlines()), "")
    return BrokenContract(
        f"{name}: the rules return something that cannot be worked with: {type(error).__name__} "
        f"({places.shortened(what)}); zermelo.check names it"
    )


def _is_check(frame: FrameType) -> bool:
    """Whether a frame is a check of rules, and not a rule."""
    return frame.f_code.co_filename == bounded.__file__ or frame.f_code.co_name in ("__new__", "_make", "_replace")


def _is_library(file: str) -> bool:
    return file.startswith(LIBRARY) and "site-packages" not in file


def _frames(error: Exception) -> list[tuple[FrameType, int]]:
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return found


def _arguments(frame: FrameType) -> list[Any]:
    """The arguments of a function, as far as its frame still holds them."""
    values = inspect.getargvalues(frame).locals
    return [values.get(name) for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]]


def _state(frame: FrameType) -> Any:
    """The state that a rule was asked about."""
    code, values = frame.f_code, _arguments(frame)
    names = list(code.co_varnames[: code.co_argcount])
    given = dict(zip(names, values, strict=True))
    name = state_parameter(code.co_name, names[1:] if values and isinstance(values[0], Game) else names)
    return None if name is None else given.get(name)
