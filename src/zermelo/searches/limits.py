"""Limits as callers give them: directly, as in `time=2`, or together in a `Limit`. All methods read them here.

>>> limit_of("search", None, Limit(time=1.0), time=2)
Limit(time=2, nodes=None, depth=None, simulations=None)
>>> limit_of("mcts", None, depth=3)
Traceback (most recent call last):
...
zermelo.errors.BadParameter: mcts is limited by time or simulations, not by depth
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from zermelo.compile import nanoseconds
from zermelo.errors import BadParameter
from zermelo.result import Limit
from zermelo.searches.methods import BY_NAME

P = ParamSpec("P")
R = TypeVar("R")
NAMES = tuple(field.name for field in fields(Limit))
"""The vocabulary: time, nodes, depth, simulations."""
UNLIMITED = Limit()
NEVER = 1 << 62
"""A time that does not come, and a count that is not reached."""
ANSWERING, SHARE = 0.004, 0.1
"""Seconds of a limit that are left for giving the answer, and the share of it that they may take."""


def limit_of(
    method: str, limit: Any, usual: Limit = UNLIMITED, *, known: Sequence[str] | None = None, **given: Any
) -> Limit:
    """The limit of a method: what was `given` directly, or `limit`; `usual` where nothing is said.

    What the method does not know is refused; what it knows stands in the table of methods, unless `known` says it.
    """
    known = BY_NAME[method].limits if known is None else known
    given = {name: value for name, value in given.items() if value is not None}
    if limit is not None and given:
        raise BadParameter(f"{method}: give {listed([f'{name}=' for name in given])} or limit=, not both")
    if limit is not None and not isinstance(limit, Limit):
        example = next((name for name in ("depth", "simulations") if name in known), "time")
        raise BadParameter(f"limit must be a Limit, such as Limit({example}=6) or Limit(time=1.0), not {limit!r}")
    chosen: Limit = Limit(**given) if limit is None else limit
    refuse_unknown(method, said(chosen), known)
    if chosen.simulations == 0:
        raise BadParameter(f"{method}: a limit of 0 simulations leaves nothing to answer with; allow at least 1")
    # A search without limits ends with the game; simulations never do.
    return usual if not said(chosen) and (limit is None or "simulations" in known) else chosen


def refuse_unknown(method: str, names: Sequence[str], known: Sequence[str] | None = None) -> None:
    """Refuse limits that a method does not know."""
    known = BY_NAME[method].limits if known is None else known
    wrong = [name for name in names if name not in known]
    if wrong:
        raise BadParameter(f"{method} is limited by {listed(known)}, not by {listed(wrong)}")


def naming_limits(search: Callable[P, R]) -> Callable[P, R]:
    """The search, which answers limits that it does not know by naming those that it knows."""
    taken = inspect.signature(search).parameters
    known, foreign = [name for name in NAMES if name in taken], [name for name in NAMES if name not in taken]

    @wraps(search)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        refuse_unknown(search.__name__, [name for name in foreign if name in kwargs], known)
        return search(*args, **kwargs)

    return checked


def said(limit: Limit) -> list[str]:
    """The limits that it sets."""
    return [name for name in NAMES if getattr(limit, name) is not None]


def taken_from(options: dict[str, Any]) -> dict[str, Any]:
    """The limits among the options of a call, which are taken out of them."""
    return {name: options.pop(name) for name in NAMES if name in options}


def listed(names: Sequence[str]) -> str:
    """The names as in a sentence."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nothing"


def spent_on(limit: Limit) -> str:
    """Which limits ended a search that could have gone deeper."""
    parts = [f"{limit.time:g} s"] if limit.time is not None else []
    parts += [f"{limit.nodes:,} nodes"] if limit.nodes is not None else []
    return f"as deep as {' and '.join(parts)} allow"


def thinking_time(seconds: float) -> int:
    """Nanoseconds for the search itself: a little of the time goes into giving the answer."""
    return nanoseconds(max(0.0, seconds - min(ANSWERING, SHARE * seconds)))
