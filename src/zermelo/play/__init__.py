"""Games between players: people, methods of this package, and programs of others; clocks, matches and ratings."""

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from zermelo.arguments import number, whole
from zermelo.contract import Game, require_game, require_state

if TYPE_CHECKING:
    from zermelo.play.table import Play
    from zermelo.result import Limit
    from zermelo.types import Entry


class PlayRoom(ModuleType):
    """What `zermelo.play` is: the room of all that plays, and the function that begins a game, at once."""

    def __call__(
        self,
        game: Game,
        *,
        opponent: "Entry | None" = None,
        players: "str | Sequence[Entry] | None" = None,
        state: Any = None,
        history: Sequence[Any] = (),
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        limit: "Limit | None" = None,
        seed: int = 0,
        device: str = "auto",
        ask: bool | None = None,
    ) -> "Play":
        """Play the game, you first, against the method that fits it best; return the game that was played.

        `opponent` names who plays against you, as `zermelo.match` knows players ("search:time=0.5", "random", a
        function); `players` names who sits on which seat, "human" for a person. Machines think for `time` seconds a
        move (1), or `depth` moves ahead, or for so many `nodes` or simulations; `limit` is a `Limit` in place of these.
        At a terminal you are asked for moves with `input` until the game ends. In a notebook the game is returned at
        once and takes your moves by call, `.move("e4")`; `ask` says otherwise: True asks, False takes calls.
        """
        from zermelo.play.conversation import converse, in_notebook
        from zermelo.play.course import Course
        from zermelo.play.seats import Seats, seated
        from zermelo.play.table import Play
        from zermelo.searches.limits import limit_of

        require_game(game, "play")
        chosen = limit_of("play", limit, known=("time", "nodes", "depth"), time=time, nodes=nodes, depth=depth)
        whole("play: seed", seed)
        if state is not None:
            require_state(game, state)
        if chosen.time is not None:
            number("play: time", chosen.time, 0, above=True)
        if chosen.depth is not None:
            whole("play: depth", chosen.depth, 1)
        seats = Seats(game, seated(game, players, opponent), limit=chosen, seed=seed, device=device)
        begun = Play(Course(game, state, history), seats)
        if ask is None:
            ask = not in_notebook()
        if not ask:
            return begun.advance()
        try:
            return converse(begun)
        finally:
            begun.close()


sys.modules[__name__].__class__ = PlayRoom
