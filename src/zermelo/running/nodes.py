"""Single nodes as walks in plain Python meet them: who moves, what can be done, with which odds, and what ends pay.

Kernels look for the faults of `zermelo.running.faults` on their own; everybody else looks with these functions.
"""

import itertools
from typing import Any

from zermelo.compile import as_number, as_whole, is_finite, machine
from zermelo.contract import Game
from zermelo.errors import no_actions, too_many_actions
from zermelo.running.faults import are_actions, are_odds, fault_at, is_player
from zermelo.running.statuses import NO_ACTION, NO_NUMBER, NO_ODDS, NO_PLAYER, broken


def require_sound(game: Game, s: Any) -> None:
    """Refuse a state whose mover does not play, or whose actions or odds are invalid."""
    # On the machine an error of the rules is told as such.
    status = machine("python").call(_fault, game=game, s=s)
    if status != 0:
        raise broken(game, status)


def _fault(game: Game, s: Any) -> int:
    if game.is_over(s):
        return 0
    actions = actions_in(game, s)
    return fault_at(game, s, actions, 0, len(actions))


def mover_at(game: Game, s: Any) -> int:
    """Who moves in a state that is not terminal; BrokenContract where that is nobody who plays."""
    mover = as_whole(game.to_move(s))
    if not is_player(game, mover):
        raise broken(game, NO_PLAYER)
    return mover


def actions_in(game: Game, s: Any) -> tuple[int, ...]:
    """The actions that the rules give; BrokenContract where they are too many, or no integers."""
    actions = tuple(itertools.islice(game.actions(s), game.max_actions + 1))
    if len(actions) > game.max_actions:
        raise too_many_actions(game.name, game.max_actions)
    if not are_actions(actions, 0, len(actions)):
        raise broken(game, NO_ACTION)
    return actions


def actions_at(game: Game, s: Any) -> tuple[int, ...]:
    """The actions of a state that is not terminal; BrokenContract where there are none, too many, or no integers."""
    actions = actions_in(game, s)
    if not actions:
        raise no_actions(game.name)
    return actions


def odds_at(game: Game, s: Any, actions: tuple[int, ...]) -> tuple[Any, ...]:
    """The odds of the outcomes of a chance node, exact where they are given so; BrokenContract where they are none."""
    odds = tuple(as_number(game.probability(s, action)) for action in actions)
    if not all(p >= 0 for p in odds) or not are_odds(sum(odds)):
        raise broken(game, NO_ODDS)
    return odds


def outcomes_at(game: Game, s: Any) -> dict[int, float]:
    """The odds of each outcome of a chance node, as floats."""
    actions = actions_at(game, s)
    return {action: float(p) for action, p in zip(actions, odds_at(game, s, actions), strict=True)}


def utility_at(game: Game, s: Any, player: int) -> Any:
    """What a player gets at an end, exact where it is given so; BrokenContract where that is no finite number."""
    value = as_number(game.utility(s, player))
    if not is_finite(value):
        raise broken(game, NO_NUMBER)
    return value


def payoffs_at(game: Game, s: Any) -> tuple[Any, ...]:
    """What every player gets at an end."""
    return tuple(utility_at(game, s, player) for player in range(game.players))
