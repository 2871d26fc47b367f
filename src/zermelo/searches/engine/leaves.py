"""Estimates as the engine asks for them: functions of (game, s, ply, desk) in units of scores."""

from collections.abc import Callable
from functools import lru_cache
from numbers import Real
from typing import Any

from zermelo.compile import load_float
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.searches import surface
from zermelo.searches.engine import desk as words
from zermelo.searches.engine.values import out_of_range, rounded

Leaf = Callable[..., Any]


def leaf_of(game: Game, evaluate: Any) -> tuple[Leaf, Leaf | None]:
    """The estimate for the engine; and the function of (game, s) behind it, where the units are not the game's own."""
    if evaluate is None and game.score is not None:
        return own_score if game.noted_score is None else noted_score, None
    of = surface.evaluation(game, evaluate)
    first = game.initial()
    if not game.is_terminal(first):
        require_number(game, first, of(game, first))
    return scaled(of), of


def own_score(game, s, ply, desk):
    """The game's own estimate, in its own units."""
    return game.score(s)


def noted_score(game, s, ply, desk):
    """The same, with notes of what was found a ply before."""
    return game.noted_score(s, desk, words.notes_at(game, ply), words.notes_at(game, ply - 1))


@lru_cache(maxsize=256)
def scaled(of: Any) -> Leaf:
    """An estimate on the scale of utilities, in units of scores."""

    def leaf(game, s, ply, desk):
        x = (of(game, s) - load_float(desk, words.MIDDLE)) / load_float(desk, words.HALF)
        return rounded(x) if abs(x) <= 1.0 else out_of_range(x, desk)

    return leaf


@lru_cache(maxsize=256)
def checked(of: Leaf) -> Leaf:
    """The same estimate, which plain Python looks at: native code could not have made it anything but a number."""

    def checked_estimate(game, s):
        return require_number(game, s, of(game, s))

    return checked_estimate


def require_number(game: Game, s: Any, value: Any) -> Any:
    """The estimate of a position, where it is one."""
    if not isinstance(value, Real) or not abs(float(value)) < float("inf"):
        raise BadParameter(f"evaluate must return a finite number; for {game.format_state(s)} it returned {value!r}")
    return value
