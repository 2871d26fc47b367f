"""The methods that find a move: one table, read by the public face, the command line, matches and the docs.

A new method is one file and one row here; CONTRIBUTING.md names what else belongs to it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

DEPTH, ENGINE, SAMPLING, GUESSING, WHOLE = "depth", "engine", "sampling", "guessing", "whole"
"""How a method goes about it: so many moves deep, or to the end; deeper and deeper while there is time; by simulations;
by simulations of what may be hidden; the whole game at once."""


class Method(NamedTuple):
    """A row of the table."""

    name: str
    about: str  # what it does, in a line
    fits: str  # what games it is for
    home: str  # the module of its function
    kind: str  # how it goes about it: DEPTH, ENGINE, SAMPLING, GUESSING or WHOLE
    limits: tuple[str, ...]  # what limits it
    options: tuple[str, ...]  # what else can be said from outside of Python
    is_usual: Callable[[Any], bool]  # whether it is what a game is analysed with where nobody names a method


def _is_contest(game: Any) -> bool:
    """Whether at most two play, one of whom gains what the other loses, and nothing is hidden."""
    traits = game.traits
    return not traits.hidden and (traits.players == 1 or (traits.players == 2 and traits.zero_sum))


def _without_dice(game: Any) -> bool:
    return _is_contest(game) and not game.traits.chance


def _has_estimate(game: Any) -> bool:
    return game.traits.players == 2 and game.evaluate is not None


BY_DEPTH, BY_SIMULATIONS = ("time", "nodes", "depth"), ("time", "simulations")
"""What limits a method: `searches.limits` refuses the rest."""
TWO_SIDES = "one player, or two of whom one gains what the other loses"

METHODS = (
    Method(
        "minimax", "every line of play to the end, or so many moves deep", f"{TWO_SIDES}; no dice",
        "searches.plain.minimax", DEPTH, BY_DEPTH, ("evaluate", "when_lost"), lambda game: False,
    ),
    Method(
        "alphabeta", "minimax without the branches that cannot matter", f"{TWO_SIDES}; no dice",
        "searches.plain.alphabeta", DEPTH, BY_DEPTH, ("evaluate", "order", "keep", "symmetry", "bounds", "when_lost"),
        lambda game: _without_dice(game) and game.rollout is None and not _has_estimate(game),
    ),
    # An engine needs an estimate to be better than a search to the end, and time to be compiled.
    Method(
        "search", "the engine: deeper and deeper, with a table, good orders of moves and quiescence",
        f"{TWO_SIDES}; no dice", "searches.engine.engine", ENGINE, BY_DEPTH,
        ("evaluate", "lines", "without", "threads"),
        lambda game: _without_dice(game) and game.rollout is None and _has_estimate(game),
    ),
    # Whoever writes playouts of their own wants them played.
    Method(
        "mcts", "Monte Carlo tree search: simulations, most of them where they promise most",
        "all games in which nothing is hidden", "searches.mcts.mcts", SAMPLING, BY_SIMULATIONS,
        ("threads", "c", "rave", "prior", "solver", "seed"),
        lambda game: _without_dice(game) and game.rollout is not None,
    ),
    Method(
        "expectimax", "one player's best moves when everybody else moves at random",
        "all games in which nothing is hidden", "searches.plain.maxn", DEPTH, BY_DEPTH, ("evaluate", "order"),
        lambda game: False,
    ),
    Method(
        "expectiminimax", "best moves of both sides, averages over chance", f"{TWO_SIDES}; dice",
        "searches.plain.expectiminimax", DEPTH, BY_DEPTH, ("evaluate", "order", "prune"),
        lambda game: _is_contest(game) and game.traits.chance,
    ),
    Method(
        "maxn", "everybody maximises their own", "all games in which nothing is hidden",
        "searches.plain.maxn", DEPTH, BY_DEPTH, ("evaluate", "order"),
        lambda game: not game.traits.hidden and not _is_contest(game),
    ),
    Method(
        "paranoid", "everybody else plays against one", "all games in which nothing is hidden",
        "searches.plain.maxn", DEPTH, BY_DEPTH, ("evaluate", "order"), lambda game: False,
    ),
    Method(
        "sequence_form", "exact play of a whole game with hidden information, by one linear program", TWO_SIDES,
        "equilibrium.nash.sequence_form", WHOLE, (), (), lambda game: game.traits.hidden,
    ),
    Method(
        "pimc", "what is best on average over states that may be the case", "games with hidden information",
        "searches.hidden.pimc", GUESSING, BY_SIMULATIONS, ("seed",), lambda game: False,
    ),
    Method(
        "ismcts", "Monte Carlo tree search over what the player knows", "games with hidden information",
        "searches.hidden.ismcts", GUESSING, BY_SIMULATIONS, ("seed", "c"), lambda game: False,
    ),
)  # fmt: skip
BY_NAME = {method.name: method for method in METHODS}


def names(*kinds: str) -> tuple[str, ...]:
    """The names of the methods of these kinds; of all where none is named."""
    return tuple(method.name for method in METHODS if not kinds or method.kind in kinds)


def usual_method(game: Any) -> str:
    """The method that fits the game best, where nobody names one."""
    from zermelo.errors import UnsuitableGame  # `import zermelo` reads this table, and costs nothing

    traits = game.traits
    if traits.hidden and (traits.players > 2 or (traits.players == 2 and not traits.zero_sum)):
        raise UnsuitableGame(
            f"{game.name} hides information and is no zero-sum game of two: no search here solves it; "
            f"`zermelo playouts` samples it and `zermelo tree` shows it"
        )
    return next(method.name for method in METHODS if method.is_usual(game))


def owners(option: str) -> tuple[str, ...]:
    """The methods for open games that know an option or a limit."""
    return tuple(
        method.name for method in METHODS if method.kind != GUESSING and option in (*method.limits, *method.options)
    )
