"""Who sits at the table: people, and the players of `zermelo.play.players`."""

import re
from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction, UnsuitableGame, ZermeloError
from zermelo.play.clock import Clock
from zermelo.play.course import Course
from zermelo.play.method_players import EquilibriumPlayer
from zermelo.play.players import Entrant, Random, entrant
from zermelo.result import Limit
from zermelo.searches import methods
from zermelo.searches.limits import UNLIMITED

HUMAN, AUTO = "human", "auto"
USUAL_SECONDS = 1.0


class Seats:
    """The players of one game, in the order of their seats; each is "human" or what `entrant` knows."""

    def __init__(
        self, game: Game, who: Sequence[Any], *, limit: Limit = UNLIMITED, seed: int = 0, device: str = "auto"
    ) -> None:  # fmt: skip
        self.game, self.seed, self.device = game, seed, device
        usual = USUAL_SECONDS if limit == UNLIMITED else None
        self.clock = Clock(move=limit.time or usual, depth=limit.depth, nodes=limit.nodes)
        for one in who:
            if one != HUMAN:
                entrant(one)  # refuses what is no player, before any is made
        seated = [self.best() if one == AUTO else one for one in who]
        self.equilibrium: EquilibriumPlayer | None = None
        self.kinds: list[str] = []
        """What each player is called."""
        self.players: list[Any] = []
        """The machines on their seats; None where a person sits."""
        try:
            for one in seated:
                self.kinds.append(one if isinstance(one, str) else entrant(one).name)
                self.players.append(None if one == HUMAN else self.seat(one))
        except BaseException:
            self.close()
            raise

    def best(self) -> str:
        """The best method that there is for the game."""
        try:
            return methods.usual_method(self.game)
        except UnsuitableGame:
            return "random"

    def seat(self, who: Any) -> Any:
        """A player of this kind."""
        if who == "sequence_form":
            for limit in ("depth", "nodes"):
                if getattr(self.clock, limit) is not None:
                    raise BadParameter(f"{limit} makes no sense here: sequence_form solves the game as a whole")
            self.equilibrium = self.equilibrium or EquilibriumPlayer(self.game)
            player: Any = self.equilibrium
        else:
            player = self.on_device(who).make(self.game, False)
        if hasattr(player, "begin"):
            player.begin(self.game, str(self.seed))
        return player

    def on_device(self, who: Any) -> Entrant:
        """The player, on the machine that was asked for where it does not name one; nobody waits for an engine's native
        code."""
        method = who.partition(":")[0] if isinstance(who, str) else ""
        more = ["grows=True"] * (method in methods.names(methods.ENGINE) and "grows=" not in who)
        if self.device != "auto" and method in methods.names(methods.DEPTH, methods.ENGINE, methods.SAMPLING):
            more += [f"device={self.device}"] * ("device=" not in who)
        return entrant(f"{who}{',' if ':' in who else ':'}{','.join(more)}" if more else who)

    def humans(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    def choose(self, seat: int, course: Course) -> int:
        """The action of the player on this seat."""
        action = self.players[seat](self.game, course.state, course.history(), self.clock)
        if action not in course.legal():
            raise IllegalAction(f"{self.kinds[seat]} played {action!r}, which is not legal here")
        return int(action)

    def hint(self, course: Course) -> str:
        """What the best machine would do for the player to move."""
        game, s = self.game, course.state
        try:
            adviser = self.seat(self.best())
        except ZermeloError as error:
            return str(error)
        if isinstance(adviser, EquilibriumPlayer):
            odds = adviser.odds(game, s)
            return ", ".join(f"{game.format_action(s, a)} {p:.0%}" for a, p in odds.items() if p > 1e-9)
        if isinstance(adviser, Random):
            return "no method here knows this game well enough"
        return game.format_action(s, adviser(game, s, course.history(), self.clock))

    def close(self) -> None:
        """Let programs end."""
        for player in self.players:
            if hasattr(player, "close"):
                player.close()


def seated(game: Game, players: Any = None, opponent: Any = None) -> list[Any]:
    """Who sits where: these players; or a person first, and this opponent on all other seats.

    `players` is a list, or a text with commas between them (with ; where one has commas).
    """
    if players is None:
        if opponent is not None and game.players < 2:
            raise BadParameter(f"{game.name} has one player: there is no seat for an opponent")
        return [HUMAN, *[AUTO if opponent is None else opponent] * (game.players - 1)]
    if opponent is not None:
        raise BadParameter("give players, or an opponent, not both")
    if isinstance(players, str):
        players = [text.strip() for text in re.split(";" if ";" in players else ",", players)]
    if len(players) != game.players:
        raise BadParameter(f"{game.name} has {game.players} players, not {len(players)}: name one for each seat")
    return list(players)
