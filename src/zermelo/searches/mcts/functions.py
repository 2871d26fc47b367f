"""Functions that guide simulations, brought by the game or by the caller, as kernels call them."""

import inspect
from functools import lru_cache
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.searches import surface


def prior_of(game: Game, given: Any) -> Any:
    """How promising an action looks, as `f(game, s, action)`; True takes the game's own; None: nobody says."""
    if given is None or given is False:
        return None
    if given is True:
        if game.prior is None:
            raise BadParameter(f"{game.name} defines no prior(s, action); pass prior=your_function, or leave it out")
        return _own_prior
    return _of_action(given, "prior")


def weight_of(given: Any) -> Any:
    """How likely an action is in playouts, as `f(game, s, action)`, or None: all are alike."""
    return None if given is None else _of_action(given, "rollout")


def estimate_of(game: Game, options: Any) -> Any:
    """The estimate that replaces the rest of a playout, as `f(game, s, player)`, or None: playouts go to the end."""
    if options.rollout_depth is None:
        if options.evaluate is not None:
            raise BadParameter("evaluate= replaces the rest of a playout: say after how many moves by rollout_depth=")
        return None
    if options.evaluate is None and game.evaluate is None:
        raise BadParameter(f"{game.name} defines no evaluate(s): rollout_depth= needs evaluate=your_function")
    return surface.evaluation_for_players(game, options.evaluate)


@lru_cache(maxsize=256)
def _of_action(given: Any, name: str) -> Any:
    if not inspect.isfunction(given):
        raise BadParameter(f"{name} must be a function {name}(s, action), not {given!r}")
    return surface.ordering_function(given, name)


def _own_prior(game, s, action):
    return game.prior(s, action)
