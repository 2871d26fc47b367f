"""Losing anyway: delay the loss, or hope for a mistake.

Against perfect play a lost position is lost whatever one does, and minimax calls all moves equal. Two ways to choose
among them are common: the move that lasts longest ("delay"), and the move after which a random opponent does worst
("hope").
"""

from typing import Any

from zermelo.running.callbacks import evaluation_for_players
from zermelo.running.recursion import MAX_PLY
from zermelo.searches.plain.distance import outcome_distance
from zermelo.searches.plain.maxn import players_value
from zermelo.searches.plain.walker import Walk
from zermelo.traits import total


def choose_when_lost(
    walker: Walk, s: Any, depth: int, evaluate: Any, value: float, moves: dict[int, Any], way: str
) -> tuple[int, str] | None:
    """The move and the reason for it; None where the mover is not losing."""
    game = walker.game
    middle = float(total(game) or 0.0) / 2
    mover = game.to_move(s)
    if mover not in (0, 1) or not (value < middle if mover == 0 else value > middle):
        return None
    equal = _equally_lost(walker, s, depth, evaluate, value, moves)
    lasts, hopes = {}, {}
    for action in equal:
        child = game.result(s, action)
        _, lasts[action] = walker.run(outcome_distance, s=child, middle=middle, depth=depth - 1, evaluate=evaluate)
        vectors = walker.machine.memory((min(depth, MAX_PLY) + 3) * game.players)
        walker.run(
            players_value, s=child, depth=depth - 1, me=mover, style="expectimax", order=None, vectors=vectors,
            evaluate=evaluation_for_players(game, None),
        )  # fmt: skip
        hopes[action] = walker.machine.floats(vectors, mover, 1)[0]
    slow = max(equal, key=lambda a: lasts[a])
    hopeful = max(equal, key=lambda a: hopes[a])
    chosen = slow if way == "delay" else hopeful
    name = game.format_action
    note = (
        f"lost against best play; delay: {name(s, slow)} lasts {lasts[slow] + 1} moves; "
        f"hope: {name(s, hopeful)} is worth {hopes[hopeful]:+.3g} against a random opponent; "
        f"chosen: {name(s, chosen)} ({way})"
    )
    return chosen, note


def _equally_lost(walker: Walk, s: Any, depth: int, evaluate: Any, value: float, moves: dict[int, Any]) -> list[int]:
    """The actions that are worth just the value: a bound found by pruning has to be looked at again."""
    game = walker.game
    middle = float(total(game) or 0.0) / 2
    equal = []
    for action in game.actions(s):
        known = moves.get(action)
        if known is None or known.bound in ("upper", "lower"):
            known, _ = walker.run(
                outcome_distance, s=game.result(s, action), middle=middle, depth=depth - 1, evaluate=evaluate,
            )  # fmt: skip
        if known == value:
            equal.append(action)
    return equal
