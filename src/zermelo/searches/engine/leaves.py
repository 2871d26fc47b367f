"""Estimates on the scale of utilities, as the engine asks for them: functions of (game, s, desk)."""

from collections.abc import Callable
from functools import lru_cache
from numbers import Real
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.exact import short
from zermelo.running.callbacks import evaluation
from zermelo.searches.engine.scores import guessed
from zermelo.searches.engine.settings import has_range

Leaf = Callable[..., Any]


def leaf_of(game: Game, evaluate: Any) -> tuple[Leaf | None, Leaf | None]:
    """The estimate as the engine asks for it, and the function of (game, s) behind it.

    Neither is there where the game's own units serve: it has some, and says what wins and losses are worth among them.
    """
    if evaluate is None and game.score is not None and has_range(game):
        return None, None
    of = _expected if evaluate is None and game.score is not None else evaluation(game, evaluate)
    first = game.initial()
    if not game.is_terminal(first):
        require_number(game, first, of(game, first))
    return placed(of), of


def _expected(game, s):
    return game.expected(game.score(s))


@lru_cache(maxsize=256)
def placed(of: Any) -> Leaf:
    """An estimate on the scale of utilities, as a score."""

    def leaf(game, s, desk):
        return guessed(of, game, s, desk)

    return leaf


@lru_cache(maxsize=256)
def checked(of: Leaf) -> Leaf:
    """The same estimate, which plain Python looks at: native code could not have made it anything but a number."""

    def checked_estimate(game, s):
        return require_number(game, s, of(game, s))

    return checked_estimate


def require_number(game: Game, s: Any, value: Any) -> Any:
    """The estimate of a position, where it is one."""
    try:
        if isinstance(value, Real) and abs(float(value)) < float("inf"):
            return value
    except OverflowError:
        pass
    raise BadParameter(f"evaluate must return a finite number; for {game.format_state(s)} it returned {short(value)}")
