"""Who sits at the table: people, dice, and machines that search or follow an equilibrium."""

import argparse
import random
from dataclasses import dataclass
from typing import Any, Protocol

import zermelo
from zermelo.cli import search
from zermelo.contract import Game
from zermelo.errors import BadParameter, UnsuitableGame, ZermeloError

USUAL_SECONDS = 1.0
SMALL = 2_000
"""Searches up to this many nodes are cheap enough to ask a second question of the position."""
KINDS = ("human", "random", *search.METHODS)


class Player(Protocol):
    """Somebody who chooses moves."""

    kind: str

    def choose(self, s: Any, history: list[Any], source: random.Random) -> int:
        """The action to take."""


@dataclass
class Human:
    """A person, who is asked."""

    kind: str = "human"

    def choose(self, s: Any, history: list[Any], source: random.Random) -> int:
        """Nobody can answer for a person."""
        raise AssertionError("people are asked on the terminal")


@dataclass
class Random:
    """Plays any legal move, all with the same odds."""

    game: Game
    kind: str = "random"

    def choose(self, s: Any, history: list[Any], source: random.Random) -> int:
        """A random action."""
        return source.choice(list(self.game.actions(s)))


class Searcher:
    """Plays what a search finds best."""

    def __init__(self, game: Game, method: str, options: argparse.Namespace) -> None:
        self.game, self.kind = game, method
        self.options = argparse.Namespace(
            method=method, depth=options.depth, device=options.device, time=options.time or USUAL_SECONDS
        )
        # A method that does not fit is refused now, not in the middle of the game.
        probe = argparse.Namespace(method=method, depth=0, device="python", time=None)
        search.make_search(game, game.initial(), [], probe)(0, "python")

    def choose(self, s: Any, history: list[Any], source: random.Random) -> int:
        """The best action that it sees; of a lost position, if it is small, the one that lasts longest."""
        answer = search.analyse(self.game, s, history, self.options)
        if self.kind in ("minimax", "alphabeta") and answer.nodes <= SMALL:
            answer = zermelo.minimax(self.game, s, history=history, depth=answer.depth, when_lost="delay")
        assert answer.action is not None
        return answer.action


class Equilibrium:
    """Plays a game with hidden information by the odds of an equilibrium."""

    kind = "sequence_form"

    def __init__(self, game: Game) -> None:
        from zermelo.equilibrium.both_sides import best_policies

        self.game = game
        self.policies = best_policies(game)

    def choose(self, s: Any, history: list[Any], source: random.Random) -> int:
        """An action drawn by its odds."""
        return self.policies[self.game.to_move(s)].action(s, source)

    def odds(self, s: Any) -> dict[int, float]:
        """What it would do."""
        return {action: float(p) for action, p in self.policies[self.game.to_move(s)](s).items()}


class Table:
    """The players of one game, in the order of their seats."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        self.game, self.options = game, options
        self.equilibrium: Equilibrium | None = None
        self.players = [self.seat(kind) for kind in seat_kinds(game, options)]

    def seat(self, kind: str) -> Player:
        """A player of this kind; "auto" is the best there is for the game."""
        game = self.game
        if kind == "human":
            return Human()
        if kind == "random":
            return Random(game)
        if kind == "auto":
            try:
                kind = search.pick_method(game)
            except UnsuitableGame:
                return Random(game)
        if kind == "sequence_form":
            if self.options.depth is not None:
                raise BadParameter("--depth makes no sense here: sequence_form solves the game as a whole")
            self.equilibrium = self.equilibrium or Equilibrium(game)
            return self.equilibrium
        return Searcher(game, kind, self.options)

    def humans(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player.kind == "human"]

    def hint(self, s: Any, history: list[Any]) -> str:
        """What the best machine would do for the player to move."""
        game = self.game
        try:
            adviser = self.seat("auto")
        except ZermeloError as error:
            return str(error)
        if isinstance(adviser, Equilibrium):
            odds = adviser.odds(s)
            return ", ".join(f"{game.format_action(s, a)} {p:.0%}" for a, p in odds.items() if p > 1e-9)
        if isinstance(adviser, Random):
            return "no method here knows this game well enough"
        return game.format_action(s, adviser.choose(s, history, random.Random(0)))


def seat_kinds(game: Game, options: argparse.Namespace) -> list[str]:
    """The kind of player on each seat."""
    if options.players is not None:
        if options.first is not None or options.second is not None:
            raise BadParameter("give --players, or --first and --second, not both")
        kinds = [kind.strip() for kind in options.players.split(",")]
        if len(kinds) != game.players:
            raise BadParameter(f"{game.name} has {game.players} players; --players names {len(kinds)}")
    else:
        kinds = [options.first or "human", options.second or "auto", *["auto"] * game.players][: game.players]
        if options.second is not None and game.players < 2:
            raise BadParameter(f"{game.name} has one player: --second has no seat")
    for kind in kinds:
        if kind not in KINDS:
            raise BadParameter(f"{kind!r} is no player; players are {', '.join(KINDS)}")
    return kinds
