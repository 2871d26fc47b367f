"""What a state may be: any hashable value in plain Python, a NamedTuple of integers, boards and tuples natively.

`keep_field_types` makes `State(...)` hold its fields to their types, `require_state` refuses what is no state of a
game, and `as_literal` and `from_literal` write a state on one line and read it back.
"""

import inspect
import typing
from typing import Any

from zermelo.bits import u64
from zermelo.contract.bounded import LARGEST, LEAST, board, whole, whole_items
from zermelo.errors import BadState, CompileError

STATE_NAMES = ("s", "state", "position")
"""How people call what a function is asked about."""
PACKAGE = f"{__name__.partition('.')[0]}."


# --- fields ----------------------------------------------------------------------------------------------------------


def keep_field_types(state: Any) -> None:
    """Make `State(...)` hold its fields to their types, as native code does: boards stay `u64`, booleans stay booleans,
    and an integer has 64 bits and is no float."""
    if not hasattr(state, "_fields"):
        return
    kinds = annotations_of(state)
    for kind in kinds.values():
        keep_field_types(kind)
    if "_keeps_types" in state.__dict__:
        return
    strict = not state.__module__.startswith(PACKAGE)
    kept = {name: _kept(state, name, kinds.get(name), strict) for name in state._fields}
    if list(kept.values()) == list(kept):
        return
    defaults = state._field_defaults
    header = ", ".join(f"{n}=_defaults[{n!r}]" if n in defaults else n for n in state._fields)
    # No field of a NamedTuple begins like these.
    space = {"_u64": u64, "_new": tuple.__new__, "_defaults": defaults, "_board": board, "_whole": whole}
    space["_whole_items"] = whole_items
    exec(f"def __new__(_cls, {header}): return _new(_cls, ({', '.join(kept.values())},))", space)
    state.__new__ = space["__new__"]
    state._make = classmethod(_made_of)
    state._keeps_types = True


def _kept(state: Any, name: str, kind: Any, strict: bool) -> str:
    """The expression for a field of this type; this package's own states need no checks."""
    where = f"{state.__qualname__!r}, {name!r}"
    if kind is u64:
        return f"{name} if type({name}) is _u64 else " + (f"_board({where}, {name})" if strict else f"_u64({name})")
    if strict and kind is bool:
        return f"{name} if type({name}) is bool else bool({name})"
    if strict and kind is int:
        return f"{name} if type({name}) is int and {LEAST} <= {name} <= {LARGEST} else _whole({where}, {name})"
    if strict and typing.get_origin(kind) is tuple and set(typing.get_args(kind)) <= {int, ...}:
        return f"_whole_items({where}, {name})"
    return name


def _made_of(state: Any, values: Any) -> Any:
    """The state that `_make` and `_replace` return, checked as `State(...)` checks it."""
    return state(*values)


def annotations_of(kind: Any) -> dict[str, Any]:
    """The annotations of a class, resolved even where they are written as strings."""
    try:
        return typing.get_type_hints(kind)
    except (NameError, TypeError):
        space = {"u64": u64, "int": int, "bool": bool, "tuple": tuple}
        known = {}
        for name, value in inspect.get_annotations(kind).items():
            try:
                known[name] = eval(value, space) if isinstance(value, str) else value
            except (NameError, SyntaxError, TypeError):
                known[name] = Any
        return known


# --- checks ----------------------------------------------------------------------------------------------------------


def require_state(game: Any, s: Any) -> None:
    """Refuse what cannot be a state of the game: another type, something mutable, another shape."""
    kind = getattr(game, "State", None)
    first = game.initial() if kind is None else None
    wanted = kind if isinstance(kind, type) else type(first)
    if not isinstance(s, wanted):
        owner = type(s).__qualname__.rpartition(".")[0]
        of = f" (a state of {owner})" if owner else ""
        raise BadState(f"{game.name} wants a {wanted.__qualname__}, not {_shortened(repr(s))}{of}")
    if not is_hashable(s):
        raise BadState(f"{game.name}: states must be hashable; {_shortened(repr(s))} is not")
    _require_shape(game, s)


def _require_shape(game: Any, s: Any) -> None:
    """Where states have a fixed shape, `s` must have it."""
    from zermelo.compile.layout import flat, state_layout

    try:
        shape = state_layout(game)
    except CompileError:
        return
    try:
        flat(shape, s)
    except (TypeError, ValueError) as error:
        if isinstance(error, ValueError) and _has_open_tuple(game):
            return
        example = _shortened(repr(game.initial()))
        raise BadState(f"{game.name}: {_shortened(repr(s))} has another shape than {example} ({error})") from None


def _has_open_tuple(game: Any) -> bool:
    """Whether the states have tuples whose length the annotations leave open: they may then change in plain Python."""
    kind_of_state = getattr(game, "State", None)
    hints = annotations_of(kind_of_state) if isinstance(kind_of_state, type) else {"": tuple}
    return any(kind is tuple or typing.get_args(kind)[-1:] == (Ellipsis,) for kind in hints.values())


def is_hashable(value: Any) -> bool:
    """Whether the value and all that is in it can be hashed."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


# --- states on one line ----------------------------------------------------------------------------------------------


def as_literal(value: Any) -> Any:
    """Tuples and integers only, so that `ast.literal_eval` reads the repr back."""
    if isinstance(value, tuple):
        return tuple(as_literal(v) for v in value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def from_literal(value: Any, like: Any) -> Any:
    """`value` in the types of `like`."""
    if isinstance(like, tuple):
        if not isinstance(value, tuple) or (hasattr(like, "_fields") and len(value) != len(like)):
            raise ValueError("the shape differs")
        if hasattr(like, "_fields"):
            return type(like)(*(from_literal(v, k) for v, k in zip(value, like, strict=True)))
        kinds = like if len(like) == len(value) else (like[0],) * len(value) if like else value
        return tuple(from_literal(v, k) for v, k in zip(value, kinds, strict=True))
    if isinstance(like, int) and not isinstance(like, bool):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError("not an integer")
        return type(like)(value)
    if type(value) is not type(like):
        raise ValueError("the type differs")
    return value
