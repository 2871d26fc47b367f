"""The parameters of games: annotated fields with defaults, values that must fit, and how people write them down."""

import ast
import inspect
import re
import typing
import warnings
from typing import Any

from zermelo.bits import u64
from zermelo.errors import BadParameter

LONGEST_TITLE = 72
BOOLEANS = {"true": True, "false": False}
"""As shells and files of settings write them."""
WORD = re.compile(r"[^\W\d][\w-]*")
OPENING, CLOSING = "([{", ")]}"


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


def parse_parameters(text: str) -> dict[str, Any]:
    """The parameters written in `text`, separated by commas; values are Python's, words need no quotes.

    >>> parse_parameters("heaps=(3, 4), variant=misere")
    {'heaps': (3, 4), 'variant': 'misere'}
    >>> parse_parameters("hidden=true")
    {'hidden': True}
    """
    given: dict[str, Any] = {}
    for part in _parts(text) if text.strip() else ():
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise BadParameter(f"{part.strip()!r} is no parameter: write name=value, separated by commas")
        if name in given:
            raise BadParameter(f"{name} was given twice")
        given[name] = _written_value(name, value.strip())
    return given


def _written_value(name: str, text: str) -> Any:
    if text in BOOLEANS:
        return BOOLEANS[text]
    if WORD.fullmatch(text) and text not in ("True", "False", "None"):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BadParameter(f"{name}: {text!r} is no value: write a number, a word, True, False or (1, 2)") from None


def _parts(text: str) -> list[str]:
    """The parts between the commas that stand outside all brackets and quotes."""
    parts, start, depth, quote = [], 0, 0, ""
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[i - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def listing(names: list[str]) -> str:
    """The names, for a message."""
    return ", ".join(names) if names else "no parameters"


def one_line_title(title: str) -> str:
    r"""What a game is called, as one line of ordinary length.

    >>> one_line_title("  A game\tof chicken ")
    'A game of chicken'
    """
    # Files come from anywhere: what would move the cursor of a terminal does not get there.
    words = "".join(c if c.isprintable() else " " for c in title) if isinstance(title, str) else ""
    words = " ".join(words.split())
    if not words:
        raise BadParameter(f"title must be a word or some, not {title!r}")
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 3] + "..."
