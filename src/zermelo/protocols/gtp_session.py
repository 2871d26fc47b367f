"""What the commands of GTP work on: the game on the board, the clocks, and what thinks about them."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from zermelo.contract import Game
from zermelo.errors import UnsuitableGame
from zermelo.games.go import Go
from zermelo.protocols.gtp_analysis import explained
from zermelo.protocols.gtp_board import GtpBoard
from zermelo.protocols.gtp_clock import GtpClock
from zermelo.protocols.gtp_engine import Mind, Settings, Thinker
from zermelo.result import Analysis


class GtpSession:
    """The games that a controller plays, one after the other."""

    commands: Mapping[str, Any] = {}
    """The commands that the controller may give, by name."""

    def __init__(self, game: Game, settings: Settings, make: Callable[[Game, Settings], Mind]) -> None:
        if game.players != 2 or game.probability is not None or game.view is not None:
            raise UnsuitableGame(f"{game.name} is no board game of two players, which GTP is for; try `zermelo play`")
        self.board, self.clock, self.thinker = GtpBoard(game), GtpClock(), Thinker(settings, make)
        self.explanation = ""
        """What the last search thought of its moves."""

    @property
    def game(self) -> Game:
        """What is played."""
        return self.board.game

    def get_ready(self) -> None:
        """Compile before the clock runs, where there is one."""
        if self.clock.sides is not None:
            self.thinker.get_ready(self.game)

    # --- moves -------------------------------------------------------------------------------------------------------

    def choose(self, player: int, watch: Callable[[Analysis], None] | None = None, **how: bool) -> str:
        """Find a move for a player, and play it; its name, or `resign`."""
        began = time.monotonic()
        limit = self.thinker.limit(self.board, player, self.clock)
        action = self.thinker.choose(self.board, player, limit, watch=watch, **how)
        named = self.named(player, action)
        if action is not None:
            self.board.play(player, action)
        self.clock.spend(player, time.monotonic() - began)
        return named

    def suggest(self, player: int) -> str:
        """Find a move for a player without a clock and without what is known so far, and do not play it."""
        self.thinker.forget()
        limit = self.thinker.limit(self.board, player, GtpClock())
        return self.named(player, self.thinker.choose(self.board, player, limit, may_resign=False))

    def clean_up(self, player: int) -> str:
        """Find a move and play it, but do not pass as long as there are dead stones to be captured."""
        mine = self.board.stones()[player]
        if all(n in mine for n in self.dead_stones()):
            assert self.board.skip is not None
            self.board.play(player, self.board.skip)
            return "pass"
        return self.choose(player, may_resign=False, cleans_up=True)

    def named(self, player: int, action: int | None) -> str:
        """The name of a move that was found; what was thought of it is kept."""
        s, thought = self.board.turned(player), self.thinker.thought
        self.explanation = ""
        if thought is not None:
            self.explanation = explained(thought, player, lambda move: self.board.named(s, move))
        return "resign" if action is None else self.board.named(s, action)

    # --- dead stones -------------------------------------------------------------------------------------------------

    def chains(self) -> dict[str, list[list[int]]]:
        """The chains on the board: alive, in seki or dead."""
        if not isinstance(self.game, Go):
            raise UnsuitableGame(f"stones of {self.game.name} are neither alive nor dead")
        return self.game.final_status(self.board.state, self.thinker.settings.seed)

    def dead_stones(self) -> set[int]:
        """The points of all dead stones."""
        return {n for chain in self.chains()["dead"] for n in chain}
