"""Which ways of play fit what a player saw: one move at a time, with the odds of each."""

from collections.abc import Mapping
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.policy import Policy
from zermelo.running.nodes import actions_at, mover_at, outcomes_at
from zermelo.searches.hidden.seen import Seen, view_of

Step = tuple[Any, int, float, int]
"""A state, the number of the sight that the player has there, and the odds of the action that led to it, and this."""


class Odds:
    """How likely each action of a state is: by chance's odds, by the policy of the mover, or all alike."""

    def __init__(self, game: Game, policy: Any = None) -> None:
        self.game = game
        if policy is None or isinstance(policy, Policy):
            policy = dict.fromkeys(range(game.players), policy)
        if isinstance(policy, list | tuple) and len(policy) == game.players:
            policy = dict(enumerate(policy))
        if not isinstance(policy, Mapping) or any(not isinstance(p, Policy | None) for p in policy.values()):
            raise BadParameter(f"policy must be a Policy, or one for each of the players, not {policy!r}")
        self.policies: Mapping[int, Policy | None] = policy

    def __call__(self, s: Any) -> dict[int, float]:
        game = self.game
        mover = mover_at(game, s)
        if mover == CHANCE:
            return outcomes_at(game, s)
        policy = self.policies.get(mover)
        if policy is not None:
            return {a: p for a, p in policy(s).items() if p > 0}
        actions = actions_at(game, s)
        return dict.fromkeys(actions, 1 / len(actions))


class Along:
    """Ways of play along all that a player saw."""

    def __init__(self, game: Game, seen: Seen, odds: Odds) -> None:
        self.game, self.seen, self.odds = game, seen, odds
        self.end = len(seen.sights) - 1

    def begins(self) -> bool:
        """Whether the game begins as the player saw it."""
        return view_of(self.game, self.game.initial(), self.seen.player) == self.seen.sights[0].view

    def is_present(self, s: Any, sight: int) -> bool:
        """Whether the player has seen everything, and now has to move."""
        return sight == self.end and not self.game.is_terminal(s) and self.game.to_move(s) == self.seen.player

    def is_final(self, s: Any, sight: int) -> bool:
        """Whether no way from here can fit any more than it does."""
        return self.is_present(s, sight)

    def steps(self, s: Any, sight: int) -> list[Step]:
        """The moves from `s` after which the player sees what was seen."""
        game, player = self.game, self.seen.player
        if game.is_terminal(s):
            return []
        here = self.seen.sights[sight]
        if game.to_move(s) == player:
            return self._own(s, sight)
        out: list[Step] = []
        for action, p in self.odds(s).items():
            after = game.result(s, action)
            view = view_of(game, after, player)
            if view == here.view:
                out.append((after, sight, p, action))
            elif here.action is None and sight < self.end and view == self.seen.sights[sight + 1].view:
                out.append((after, sight + 1, p, action))
        return out

    def _own(self, s: Any, sight: int) -> list[Step]:
        """The player's own move is known, and says nothing about what is hidden."""
        action = self.seen.sights[sight].action
        if action is None or sight == self.end or action not in self.game.actions(s):
            return []
        after = self.game.result(s, action)
        fits = view_of(self.game, after, self.seen.player) == self.seen.sights[sight + 1].view
        return [(after, sight + 1, 1.0, action)] if fits else []


class Ending:
    """Ways of play that end in what a player sees now, where nothing more is known."""

    def __init__(self, game: Game, seen: Seen, odds: Odds) -> None:
        self.game, self.seen, self.odds = game, seen, odds
        self.end = 0

    def begins(self) -> bool:
        """Nothing is known of the beginning."""
        return True

    def is_present(self, s: Any, sight: int) -> bool:
        """Whether the player has this view and has to move."""
        game, player = self.game, self.seen.player
        return not game.is_terminal(s) and game.to_move(s) == player and view_of(game, s, player) == self.seen.last

    def is_final(self, s: Any, sight: int) -> bool:
        """The same view may come again, but for those who remember what they did."""
        return False

    def steps(self, s: Any, sight: int) -> list[Step]:
        """All moves from `s`."""
        if self.game.is_terminal(s):
            return []
        return [(self.game.result(s, action), 0, p, action) for action, p in self.odds(s).items()]


def ways(game: Game, seen: Seen, odds: Odds) -> Along | Ending:
    """The ways of play that fit what was seen."""
    return Along(game, seen, odds) if seen.whole else Ending(game, seen, odds)


def enumerated(way: Along | Ending, most: int) -> dict[Any, float] | None:
    """Every state that fits, with how likely play comes there; None where more than `most` states have to be opened.

    Ways that lead to the same state with the same things seen go on together.
    """
    found: dict[Any, float] = {}
    level: dict[tuple[Any, int], float] = {(way.game.initial(), 0): 1.0} if way.begins() else {}
    opened = 0
    while level:
        following: dict[tuple[Any, int], float] = {}
        for (s, sight), reach in level.items():
            if way.is_present(s, sight):
                found[s] = found.get(s, 0.0) + reach
                if way.is_final(s, sight):
                    continue
            opened += 1
            if opened > most:
                return None
            for after, number, p, _ in way.steps(s, sight):
                place = (after, number)
                following[place] = following.get(place, 0.0) + reach * p
        level = following
    return found


def decisions(game: Game, player: int, odds: Odds, most: int) -> dict[Any, float] | None:
    """Every state in which the player moves, with how likely play comes there; None where that takes too long."""
    found: dict[Any, float] = {}
    level: dict[Any, float] = {game.initial(): 1.0}
    opened = 0
    while level:
        following: dict[Any, float] = {}
        for s, reach in level.items():
            if game.is_terminal(s):
                continue
            if game.to_move(s) == player:
                found[s] = found.get(s, 0.0) + reach
            opened += 1
            if opened > most:
                return None
            for action, p in odds(s).items():
                after = game.result(s, action)
                following[after] = following.get(after, 0.0) + reach * p
        level = following
    return found
