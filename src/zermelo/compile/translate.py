"""Numba's errors in the words of the author: their own line, and what to write instead."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.compile.names import DOT
from zermelo.errors import CompileError, ZermeloError

HINTS = (
    (
        r"field_number\(float",
        "a float for a field or an action, which are integers: write // instead of /, or int(...)",
    ),
    (
        r"unify \S*Tuple.* and \S*Tuple",
        "a tuple grows or shrinks here, and native tuples keep their length: start with the full one and replace items",
    ),
    (r"native tuples have a fixed length", "native tuples have a fixed length, that of the first state: pad them"),
    (
        r"setitem.*(UniTuple|NamedTuple|NamedUniTuple|Tuple)",
        "tuples can't be assigned to: build a new State, or use zermelo.replace, or thaw and freeze",
    ),
    (r"built-in function setitem", "only memories and thawed tuples can be assigned to"),
    (
        r"[Cc]an(not|'t) unify",
        "a variable or a return value has two types here: keep it int, float or u64 throughout",
    ),
    (r"has no attribute|Unknown attribute", "this field or method does not exist in native code"),
    (r"getitem.*Tuple\(|Tuple index out of range", "tuples that mix types can only be indexed by constants"),
    (r"NameError|name '.*' is not defined", "a name is used before it is assigned"),
    (r"unicode_type|reflected list|Dict|Set\(", "rules run natively on integers, floats, u64 and tuples alone"),
    (r"none|NoneType|Optional", "some path returns nothing: end every path with a return"),
    (r"recursion", "a function that calls itself needs one return that does not"),
)


@contextmanager
def translated(program: Any) -> Iterator[None]:
    """Turn whatever a compiler raises inside into a CompileError of one line."""
    try:
        yield
    except ZermeloError:
        raise
    except Exception as error:
        if os.environ.get("ZERMELO_DEBUG"):
            raise
        raise CompileError(explain(program, error)) from None


def explain(program: Any, error: Exception) -> str:
    """One line: where, what, and what to write instead."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    unknown = re.search(r"Untyped global name '(\S+)_\d+'", text)
    own = str(Path(__file__).parent.parent)
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    outside = [p for p in places if not p[0].startswith("<") and not os.path.abspath(p[0]).startswith(own)]
    inside = [p for p in places if not p[0].startswith("<") and os.path.abspath(p[0]).startswith(own)]
    where = (outside or inside or [("", "")])[-1]
    place = f"{where[0]}:{where[1]}: " if where[0] else ""
    hint = next((hint for pattern, hint in HINTS if re.search(pattern, text)), _first_line(text))
    asked = re.search(r"<intrinsic (the \w+ \w+)>", text)
    if asked is not None:
        hint = f"{asked[1]} is not defined for these types"
    if unknown is not None:
        hint = f"{unknown[1].replace(DOT, '.')} is nothing that native code knows"
    game = program.game.name if program.game is not None else program.plain.__name__
    return f'{place}{game} cannot run natively: {hint} (device="python" runs it as it is; ZERMELO_DEBUG=1 shows all)'


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and "Failed in" not in line]
    return lines[0][:200] if lines else "the compiler gave no reason"
