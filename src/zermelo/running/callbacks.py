"""Functions that the caller or the game brings, as kernels take them.

`evaluate(s)`, `order(s, action)`, `prior(s, action)` and `rollout(s, action)` may be written with the game as their
first argument; kernels always call them so. A function is wrapped once, so that code that was compiled for it stays.
"""

import inspect
from functools import lru_cache
from typing import Any

from zermelo.compile import as_number
from zermelo.contract import STATE_NAMES, Game
from zermelo.errors import BadParameter
from zermelo.running.evaluations import Evaluation, named_evaluation, named_order, of_game

PLAYER_NAMES = ("player", "who", "mover", "side")
"""Names that people give to the parameter of the player."""


def evaluation(game: Game, given: Any) -> Any:
    """The estimate at the depth limit, as `f(game, s)`: the caller's, the game's own, or nothing known.

    A text names one of the game's `evaluations`.
    """
    given = _called(game, given)
    if given is None and game.evaluate is not None:
        return _own_evaluation if len(inspect.signature(game.evaluate).parameters) == 1 else _own_evaluation_of_first
    if given is None:
        return _nothing_known
    if is_for_players(given):
        return _of_first(given)
    return _with_game(given, 1, "evaluate", "evaluate(s)")


def _called(game: Game, given: Any) -> Any:
    """What the caller gave; where that is a name or an `Evaluation`, the function that it stands for."""
    if isinstance(given, str):
        given = named_evaluation(game, given)
        if not isinstance(given, Evaluation) and not is_for_players(given):
            return of_game(given)
    return given.estimate(game) if isinstance(given, Evaluation) else given


def is_for_players(given: Any) -> bool:
    """Whether a function of two is one of state and player, and not of game and state: its parameters tell by name."""
    if not inspect.isfunction(given):
        return False
    names = [p.name for p in inspect.signature(given).parameters.values() if p.default is inspect.Parameter.empty]
    return len(names) == 2 and (names[0] in STATE_NAMES or names[1] in PLAYER_NAMES)


def evaluation_for_players(game: Game, given: Any) -> Any:
    """The estimate at the depth limit for every player, as `f(game, s, player)`."""
    is_named = isinstance(given, str | Evaluation)
    given = _called(game, given)
    if given is not None:
        if is_named and not is_for_players(given):
            if game.players > 2:
                raise BadParameter(f"{game.name} has {game.players} players: an evaluation by name is for two")
            return _two_sided(given)
        if inspect.isfunction(given) and len(inspect.signature(given).parameters) == 1:
            if game.players > 2:
                raise BadParameter(
                    f"{game.name} has {game.players} players: evaluate must be a function of (s, player)"
                )
            return _two_sided(_with_game(given, 1, "evaluate", "evaluate(s)"))
        return _with_game(given, 2, "evaluate", "evaluate(s, player)")
    if game.evaluate is None:
        return _nothing_known_for_players
    if len(inspect.signature(game.evaluate).parameters) == 2:
        return _own_evaluation_for_players
    return _two_sided(_own_evaluation) if game.players <= 2 else _nothing_known_for_players


def ordering(game: Game, given: Any) -> Any:
    """How moves are sorted, as `f(game, s, action)`, or None."""
    if given is None or given is False:
        return None
    if given is True:
        if game.order is None:
            raise BadParameter(f"{game.name} defines no order(s, action); pass order=your_function, or leave it out")
        return _own_order
    if isinstance(given, str):
        given = named_order(game, given)
    return ordering_function(given, "order")


def ordering_function(given: Any, name: str) -> Any:
    """A function of state and action, as `f(game, s, action)`."""
    return _with_game(given, 2, name, f"{name}(s, action)")


def prior(game: Game, given: Any) -> Any:
    """How promising an action looks, as `f(game, s, action)`; True takes the game's own, None knows nothing."""
    if given is None or given is False:
        return None
    if given is True:
        if game.prior is None:
            raise BadParameter(f"{game.name} defines no prior(s, action); pass prior=your_function, or leave it out")
        return _own_prior
    return ordering_function(given, "prior")


def rollout(given: Any) -> Any:
    """How likely an action is in playouts, as `f(game, s, action)`, or None where all are equally likely."""
    return None if given is None else ordering_function(given, "rollout")


@lru_cache(maxsize=256)
def _with_game(given: Any, own: int, name: str, wanted: str) -> Any:
    if not inspect.isfunction(given):
        raise BadParameter(f"{name} must be a function {wanted}, not {given!r}")
    required = [p for p in inspect.signature(given).parameters.values() if p.default is inspect.Parameter.empty]
    count = len(required)
    if count == own + 1:
        return given
    if count != own:
        raise BadParameter(f"{name} must be a function {wanted}, or one that takes the game first; it takes {count}")
    if own == 1:

        def with_game(game, s):
            return given(s)

        return with_game

    def with_game_and_action(game, s, action):
        return given(s, action)

    return with_game_and_action


@lru_cache(maxsize=256)
def _of_first(of: Any) -> Any:
    def for_first(game, s):
        return of(s, 0)

    return for_first


@lru_cache(maxsize=256)
def _two_sided(of: Any) -> Any:
    def for_player(game, s, player):
        value = as_number(of(game, s))
        return value if player == 0 else 0.0 - value

    return for_player


def _own_evaluation(game, s):
    return game.evaluate(s)


def _own_evaluation_of_first(game, s):
    return game.evaluate(s, 0)


def _own_evaluation_for_players(game, s, player):
    return game.evaluate(s, player)


def _nothing_known(game, s):
    return 0.0


def _nothing_known_for_players(game, s, player):
    return 0.0


def _own_order(game, s, action):
    return game.order(s, action)


def _own_prior(game, s, action):
    return game.prior(s, action)
