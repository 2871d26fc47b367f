"""Losing anyway: delay the loss, or hope for a mistake.

Against perfect play a lost position is lost whatever one does, and minimax calls all moves equal. Two ways to choose
among them are common: the move that lasts longest ("delay"), and the move after which a random opponent does worst
("hope").
"""

from typing import Any

from zermelo.compile import kernel
from zermelo.running.callbacks import evaluation_for_players
from zermelo.running.statuses import FINE
from zermelo.searches.plain.maxn import players_value
from zermelo.searches.plain.node import WalkSetup, arrive
from zermelo.searches.plain.run import Run
from zermelo.traits import total


def choose_when_lost(
    run: Run, s: Any, depth: int, value: Any, moves: dict[int, Any], way: str
) -> tuple[int, str] | None:
    """The move and the reason for it; None where the mover is not losing."""
    game = run.game
    middle = float(total(game) or 0.0) / 2
    mover = game.to_move(s)
    if mover not in (0, 1) or not (value < middle if mover == 0 else value > middle):
        return None
    count = _Counting(run, depth, middle)
    equal = [action for action in game.actions(s) if count.worth(s, action, moves.get(action)) == value]
    lasts = {action: count.moves_after(s, action) for action in equal}
    hopes = _hopes(run, s, depth, mover, equal)
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


class _Counting:
    """Minimax that also counts moves, for the positions after a lost one."""

    def __init__(self, run: Run, depth: int, middle: float) -> None:
        setup = WalkSetup(evaluate=run.setup.evaluate)
        self.run = Run(run.game, setup, run.history, run.device, run.within)
        self.depth, self.middle = depth, middle

    def worth(self, s: Any, action: int, known: Any) -> Any:
        """The value after an action; where only a bound is known, by pruning, the action is searched again."""
        return self._after(s, action)[0] if known is None or known.bound in ("upper", "lower") else known

    def moves_after(self, s: Any, action: int) -> int:
        """The number of moves to the end."""
        moves: int = self._after(s, action)[1]
        return moves

    def _after(self, s: Any, action: int) -> tuple[Any, int]:
        child = self.run.game.result(s, action)
        found: tuple[Any, int] = self.run.run(outcome_distance, child, self.depth - 1, middle=self.middle)
        return found


def _hopes(run: Run, s: Any, depth: int, mover: int, actions: list[int]) -> dict[int, Any]:
    """What each action is worth to the mover against a random opponent."""
    setup = WalkSetup(evaluate=evaluation_for_players(run.game, None), style="expectimax")
    against_chance = Run(run.game, setup, run.history, run.device, run.within)
    hopes = {}
    for action in actions:
        against_chance.run(players_value, run.game.result(s, action), depth - 1, me=mover)
        hopes[action] = against_chance.walk.values[mover]
    return hopes


@kernel
def outcome_distance(game, setup, s, depth, walk):
    """The value of `s` for player 0 and the number of moves to the end, when the winner hurries and the loser delays.

    Whoever stands below walk.middle, the value of a draw, loses.
    """
    top = walk.top
    end = arrive(game, setup, s, depth, walk)
    if end == top:
        return walk.value, 0
    mover, best, moves = walk.mover, 0.0, -1
    for i in range(top, end):
        value, length = outcome_distance(game, setup, game.result(s, walk.actions[i]), depth - 1, walk)
        if walk.status != FINE:
            return 0.0, 0
        better = value > best if mover == 0 else value < best
        if value == best:
            ahead = value > walk.middle if mover == 0 else value < walk.middle
            behind = value < walk.middle if mover == 0 else value > walk.middle
            better = (ahead and length + 1 < moves) or (behind and length + 1 > moves)
        if i == top or better:
            best, moves = value, length + 1
    walk.top = top
    return best, moves
