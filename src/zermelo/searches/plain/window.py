"""The window that a search is given, and the bounds of utilities by which it prunes."""

import math
from typing import Any

from zermelo.compile import as_number
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.exact import as_value

INFINITY = math.inf
ANYWHERE = (-INFINITY, INFINITY)


def window_of(window: Any) -> tuple[float, float]:
    """The window that the caller gives: two numbers alpha < beta."""
    try:
        low, high = map(_edge, window)
    except (TypeError, ValueError):
        raise BadParameter(f"window must be two numbers (alpha, beta), not {window!r}") from None
    if not low < high:
        raise BadParameter(f"window must be two numbers alpha < beta, not {window!r}")
    return low, high


def bounds_of(game: Game, bounds: Any, method: str) -> tuple[float, float]:
    """The least and the greatest utility: the caller's, or where that says True the game's own."""
    if bounds is True:
        if game.bounds is None:
            raise BadParameter(
                f"{method} needs to know the least and the greatest utility of {game.name}: pass bounds=(low, high), "
                "or write bounds = (low, high) in the class"
            )
        bounds = game.bounds
    try:
        low, high = map(_edge, bounds)
    except (TypeError, ValueError):
        raise BadParameter(f"bounds must be two numbers (least, greatest), not {bounds!r}") from None
    if not low <= high:
        raise BadParameter(f"bounds must be two numbers least <= greatest, not {bounds!r}")
    return low, high


def _edge(given: Any) -> Any:
    """One end of a window or of the bounds."""
    edge = as_number(given)
    return edge if math.isinf(edge) else as_value(edge)
