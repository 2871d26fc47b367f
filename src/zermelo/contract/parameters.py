"""The parameters of games: annotated fields with defaults, and values that must fit their annotation."""

import inspect
import typing
from typing import Any

from zermelo.bits import u64
from zermelo.errors import BadParameter

LONGEST_TITLE = 72


def parameter_fields(cls: type) -> dict[str, Any]:
    """The parameters that a class declares itself, with their annotations."""
    hints = inspect.get_annotations(cls)
    fields = {}
    for name, hint in hints.items():
        text = hint if isinstance(hint, str) else repr(hint)
        if not name.startswith("_") and "ClassVar" not in text:
            fields[name] = hint
    return fields


def fit(game: str, name: str, value: Any, kind: Any) -> Any:
    """The value as its annotation wants it; lists become tuples, everything else must fit."""
    if isinstance(kind, str):
        try:
            kind = eval(kind, {"u64": u64})
        except (NameError, SyntaxError, TypeError):
            return value
    origin = typing.get_origin(kind)
    if kind is tuple or origin is tuple:
        if not isinstance(value, list | tuple):
            raise BadParameter(f"{game}: {name} must be a tuple such as (3, 4), not {value!r}")
        items = typing.get_args(kind)
        if items and items[-1] is not Ellipsis and len(items) != len(value):
            raise BadParameter(f"{game}: {name} must have {len(items)} items, not {len(value)}")
        inner = [items[0]] * len(value) if items and items[-1] is Ellipsis else list(items) or [Any] * len(value)
        return tuple(fit(game, f"{name}[{i}]", v, k) for i, (v, k) in enumerate(zip(value, inner, strict=True)))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, bool):
        raise BadParameter(f"{game}: {name} must be an integer, not {value!r}")
    if isinstance(kind, type) and not isinstance(value, kind):
        words = {int: "an integer", float: "a number", bool: "True or False", str: "a word"}
        raise BadParameter(f"{game}: {name} must be {words.get(kind, kind.__name__)}, not {value!r}")
    return value


def listing(names: list[str]) -> str:
    """The names, for a message."""
    return ", ".join(names) if names else "no parameters"


def one_line(title: str) -> str:
    r"""What a game is called, as one line of ordinary length.

    >>> one_line("  A game\tof chicken ")
    'A game of chicken'
    """
    # Files come from anywhere: what would move the cursor of a terminal does not get there.
    words = "".join(c if c.isprintable() else " " for c in title) if isinstance(title, str) else ""
    words = " ".join(words.split())
    if not words:
        raise BadParameter(f"title must be a word or some, not {title!r}")
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 3] + "..."
