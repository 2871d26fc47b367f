"""Places at which native code can fail: each has a number, which the code returns, and words for it.

The numbers are hashes, so that functions which several programs share need not be compiled anew; every program keeps
the places of its own code with it.
"""

import hashlib
import inspect
import linecache
import re
from collections.abc import Sequence
from typing import Any

from zermelo.compile.layout import state_layout
from zermelo.contract import Game
from zermelo.errors import BrokenContract, CompileError

FIRST_NUMBER, NUMBERS = 100, (1 << 31) - 200
"""Numba returns small numbers itself."""
LONGEST_STATE = 300
DEEPEST, FIRST_ADDRESS, LAST_ADDRESS, WRITTEN, COUNT, STATE = range(6)
"""Words of the block that native code passes along: the address below which the stack must not grow; the first address
of the part of memory that a rule may use, and the address behind it; how often it has written there; of the state in
which it failed, the number of words, then the words."""
ENDLESS = "RecursionError (it calls itself without end)"

Place = tuple[str, int, str, str]
"""The file, the line, what stands there, and what went wrong."""

_places: dict[int, Place] = {}


def number_of(file: str, line: int, what: str) -> int:
    """The number of a place."""
    place = (file, line, line_of(file, line), what)
    number = FIRST_NUMBER + int.from_bytes(hashlib.sha256(repr(place).encode()).digest()[:8], "little") % NUMBERS
    _places[number] = place
    return number


def line_of(file: str, line: int) -> str:
    """What stands at a line of a file."""
    return linecache.getline(file, line).strip()


def places_in(text: str) -> dict[str, Place]:
    """Those places whose numbers stand in the text of a program."""
    return {number: _places[int(number)] for number in set(re.findall(r"\b\d{3,10}\b", text)) if int(number) in _places}


def broken(name: str, game: Game | None, place: Sequence[Any] | None, words: Sequence[int]) -> BrokenContract:
    """The error of native code that failed at a place, with the state whose words it left behind."""
    if place is None:
        return BrokenContract(f'{name}: the rules raised an error in native code; device="python" shows it')
    file, line, text, what = place
    s = None if game is None or not words else _state(game, words)
    return raised(name if game is None else game.name, *_found(game, file, line, text), text, what, s)


def raised(name: str, file: str, line: int, text: str, what: str, s: Any) -> BrokenContract:
    """The sentence that is the same on all machines."""
    shown = "" if s is None else f", at the state {shortened(repr(s))}"
    return BrokenContract(f"{name}: the rules raised an error at {file}:{line}: {what} in `{text}`{shown}")


def shortened(text: str) -> str:
    """The text, or its beginning where it is long."""
    return text if len(text) <= LONGEST_STATE else text[: LONGEST_STATE - 3] + "..."


def _state(game: Game, words: Sequence[int]) -> Any:
    try:
        layout = state_layout(game)
    except CompileError:
        return None
    return layout.build(iter(words)) if len(words) == layout.size else None


def _found(game: Game | None, file: str, line: int, text: str) -> tuple[str, int]:
    """Where a line stands today: code from the cache was perhaps compiled before it moved."""
    if line_of(file, line) == text:
        return file, line
    kinds = [] if game is None else type(game).__mro__
    for other in (file, *(_file_of(kind) for kind in kinds)):
        same = [i for i, known in enumerate(linecache.getlines(other), 1) if known.strip() == text]
        if same:
            return other, min(same, key=lambda i: abs(i - line))
    return file, line


def _file_of(kind: type) -> str:
    try:
        return inspect.getfile(kind)
    except (OSError, TypeError):
        return ""
