"""Who sits at the table: people, and the players of `zermelo.play`."""

import argparse
import re
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter, IllegalAction, UnsuitableGame, ZermeloError
from zermelo.play.clock import Clock
from zermelo.play.course import Course
from zermelo.play.method_players import EquilibriumPlayer
from zermelo.play.players import Random, entrant
from zermelo.searches import methods

HUMAN = "human"
USUAL_SECONDS = 1.0


class Seats:
    """The players of one game, in the order of their seats."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        self.game, self.options = game, options
        usual = USUAL_SECONDS if options.depth is None and options.nodes is None else None
        self.clock = Clock(move=options.time or usual, depth=options.depth, nodes=options.nodes)
        self.kinds = [self.kind(text) for text in seat_texts(game, options)]
        self.equilibrium: EquilibriumPlayer | None = None
        self.players: list[Any] = []
        try:
            for kind in self.kinds:
                self.players.append(None if kind == HUMAN else self.seat(kind))
        except BaseException:
            self.close()
            raise

    def kind(self, text: str) -> str:
        """What is written for the seat; for "auto" the best there is for the game."""
        if text != "auto":
            return text
        try:
            return methods.usual_method(self.game)
        except UnsuitableGame:
            return "random"

    def seat(self, kind: str) -> Any:
        """A player of this kind."""
        if kind == "sequence_form":
            for limit in ("depth", "nodes"):
                if getattr(self.options, limit) is not None:
                    raise BadParameter(f"--{limit} makes no sense here: sequence_form solves the game as a whole")
            self.equilibrium = self.equilibrium or EquilibriumPlayer(self.game)
            player: Any = self.equilibrium
        else:
            player = entrant(self.on_device(kind)).make(self.game, False)
        if hasattr(player, "begin"):
            player.begin(self.game, str(self.options.seed))
        return player

    def on_device(self, kind: str) -> str:
        """The text of the player, with the machine that --device names."""
        device = self.options.device
        if (
            device == "auto"
            or kind.partition(":")[0] not in methods.names(methods.DEPTH, methods.ENGINE, methods.SAMPLING)
            or "device=" in kind
        ):
            return kind
        return f"{kind}{',' if ':' in kind else ':'}device={device}"

    def humans(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, kind in enumerate(self.kinds) if kind == HUMAN]

    def choose(self, seat: int, course: Course) -> int:
        """The action of the player on this seat."""
        action = self.players[seat](self.game, course.state, course.history(), self.clock)
        if action not in course.legal():
            raise IllegalAction(f"{self.kinds[seat]} played {action!r}, which is not legal here")
        return action

    def hint(self, course: Course) -> str:
        """What the best machine would do for the player to move."""
        game, s = self.game, course.state
        try:
            adviser = self.seat(self.kind("auto"))
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


def seat_texts(game: Game, options: argparse.Namespace) -> list[str]:
    """What is written for each seat."""
    if options.players is not None:
        if options.first is not None or options.second is not None:
            raise BadParameter("give --players, or --first and --second, not both")
        texts = [text.strip() for text in re.split(";" if ";" in options.players else ",", options.players)]
        if len(texts) != game.players:
            raise BadParameter(f"{game.name} has {game.players} players; --players names {len(texts)}")
    else:
        texts = [options.first or HUMAN, options.second or "auto", *["auto"] * game.players][: game.players]
        if options.second is not None and game.players < 2:
            raise BadParameter(f"{game.name} has one player: --second has no seat")
    for text in texts:
        if text != HUMAN:
            entrant(text)
    return texts
