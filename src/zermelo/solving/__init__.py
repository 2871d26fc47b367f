"""`zermelo.solve(game)` asks the game's hook `solver`; that of Connect Four is in `games.connect_four.solver`."""

from typing import Any

from zermelo.compile.patience import current
from zermelo.contract import Game, require_game
from zermelo.errors import UnsuitableGame
from zermelo.games.connect_four.solver import TABLE, Solved, Solver, Watch
from zermelo.running.devices import on_best_machine

__all__ = ["Solved", "Solver", "solve"]


def solve(
    game: Game,
    state: Any = None,
    *,
    moves: bool = True,
    table: int = TABLE,
    device: str = "auto",
    watch: Watch | None = None,
) -> Solved:
    """The exact score of a position for the side to move, and of every move, however far the end is.

    The table of known positions takes as much memory as it needs, up to `table` megabytes. A `Solver` keeps it for
    further positions.

    >>> from zermelo import game
    >>> solve(game("connect_four:rows=4,cols=4"), device="python").moves
    {0: 0, 1: 0, 2: 0, 3: 0}
    """
    require_game(game, "solve")
    if game.solver is None:
        raise UnsuitableGame(
            f"only Connect Four can be solved this way yet, not {game.name}; alphabeta({game.name}) without a depth "
            "searches a game to its end"
        )

    def solved(on: str) -> Solved:
        # What is given up again is not worth watching.
        seen = watch if current() is None else None
        return game.solver(game, table=table, device=on).solve(state, moves=moves, watch=seen)

    return on_best_machine(game, "solve", device, solved)
