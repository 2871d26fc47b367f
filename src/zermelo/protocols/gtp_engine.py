"""How the GTP engine finds its moves: when it passes, when it gives up, how long it thinks."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from zermelo.compile.machine import is_native
from zermelo.contract import Game
from zermelo.errors import IllegalAction
from zermelo.play.clock import LEAST, USUAL_MOVES
from zermelo.play.method_players import USUAL_SECONDS, helps
from zermelo.protocols.gtp_analysis import by_visits, winning_chance
from zermelo.protocols.gtp_board import GtpBoard
from zermelo.protocols.gtp_clock import GtpClock
from zermelo.result import Analysis, Limit

SLICE = 0.025
"""Seconds between two answers of a search that is watched, and between two looks at whether it is to end."""


class Mind(Protocol):
    """A search method: `zermelo.Mcts`, or any other that continues its last search if it is asked the same again."""

    def search(self, state: Any, limit: Limit, *, history: Sequence[Any] = ()) -> Analysis:
        """The answer within the limit."""


@dataclass(frozen=True)
class Settings:
    """How the engine thinks, and when it gives up."""

    simulations: int | None = None
    """For each move; None where time alone limits it."""
    seconds: float | None = None
    threads: int = 1
    seed: int = 0
    resign: float = 0.05
    """The chance to win below which it resigns; 0 is never."""


def mcts(game: Game, settings: Settings) -> Mind:
    """Monte Carlo tree search with all that helps it in this game."""
    import zermelo

    device = "cpu" if is_native(game) is None else "python"
    return zermelo.Mcts(game, threads=settings.threads, seed=settings.seed, device=device, **helps(game))


class Thinker:
    """Thinks about positions; what it knows of one helps with the next."""

    def __init__(self, settings: Settings, make: Callable[[Game, Settings], Mind] = mcts) -> None:
        self.settings, self._make = settings, make
        self._game: Game | None = None
        self._mind: Mind | None = None
        self._ready: Game | None = None
        self.thought: Analysis | None = None
        """What the last search found."""

    def mind(self, game: Game) -> Mind:
        """What thinks about this game."""
        if self._mind is None or self._game != game:
            self._game, self._mind = game, self._make(game, self.settings)
        return self._mind

    def forget(self) -> None:
        """Begin anew, so that the same questions get the same answers."""
        self._mind = None

    def search(self, board: GtpBoard, s: Any, limit: Limit) -> Analysis:
        """The answer of a search."""
        self.get_ready(board.game)
        return self.mind(board.game).search(s, limit, history=board.history())

    def stream(self, board: GtpBoard, s: Any, limit: Limit) -> Iterator[Analysis]:
        """The answers while it searches, ever better and in short steps, until the limit or the caller ends it."""
        self.get_ready(board.game)
        mind, history = self.mind(board.game), board.history()
        end = math.inf if limit.time is None else time.monotonic() + limit.time
        wanted = math.inf if limit.simulations is None else limit.simulations
        done = 0
        while True:
            left = None if limit.simulations is None else limit.simulations - done
            step = Limit(time=max(LEAST, min(SLICE, end - time.monotonic())), simulations=left)
            found = mind.search(s, step, history=history)
            done += found.nodes
            yield replace(found, nodes=done)
            if done >= wanted or time.monotonic() >= end or found.bound == "exact":
                return

    def get_ready(self, game: Game) -> None:
        """Compile what there is to compile, before any clock runs."""
        if self._ready != game:
            self._make(game, self.settings).search(game.initial(), Limit(simulations=1))
            self._ready = game

    def limit(self, board: GtpBoard, player: int, clock: GtpClock) -> Limit:
        """How far to think about the next move: as the clock allows, and no farther than the settings say."""
        size = board.game.parameters.get("size", 0)
        share = clock.share(player, max(USUAL_MOVES, size * size // 4 - len(board.steps) // 2))
        times = [seconds for seconds in (share, self.settings.seconds) if seconds is not None]
        if not times and self.settings.simulations is None:
            times = [USUAL_SECONDS]
        return Limit(time=min(times, default=None), simulations=self.settings.simulations)

    def choose(
        self,
        board: GtpBoard,
        player: int,
        limit: Limit,
        *,
        watch: Callable[[Analysis], None] | None = None,
        may_resign: bool = True,
        cleans_up: bool = False,
    ) -> int | None:
        """The action to take; None where the game is given up. `watch` sees what is found on the way."""
        s = board.turned(player)
        if board.is_over(s):
            raise IllegalAction("the game is over")
        if not cleans_up and wins_by_passing(board, s, player):
            self.thought = None
            return board.skip
        if watch is None:
            found = self.search(board, s, limit)
        else:
            for found in self.stream(board, s, limit):
                watch(found)
        assert found.action is not None
        self.thought = found
        if may_resign and winning_chance(board.game, float(found.moves[found.action]), player) < self.settings.resign:
            return None
        wanted = [action for action, _ in by_visits(found)] or [found.action]
        if cleans_up:
            wanted = [action for action in wanted if action != board.skip]
        return next((action for action in wanted if board.is_legal(s, action)), board.skip)


def wins_by_passing(board: GtpBoard, s: Any, player: int) -> bool:
    """Whether the other side has passed, and another pass ends the game with a win."""
    if board.skip is None or not board.passed(player):
        return False
    return board.game.utility(board.game.result(s, board.skip), player) > 0
