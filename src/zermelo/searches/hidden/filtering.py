"""Which ways of play fit what a player saw: all of them in small games, a weighted sample where there are too many.

The sample is drawn by sequential importance sampling with resampling, a particle filter (Gordon, Salmond and Smith,
1993). A particle is a state. Each of its moves is drawn among those after which the player sees what was seen, and its
weight is multiplied by the odds of all these moves together. Between two sights, where the weights have become too
unequal, particles of little weight are replaced by copies of others.
"""

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.policy import Policies, Policy
from zermelo.running.nodes import actions_at, mover_at, outcomes_at
from zermelo.searches.hidden.seen import Seen, view_of

LONGEST = 1_000
"""Moves after which a particle that sees nothing new is given up."""
MOST_MOVES = 300_000
"""Moves after which no further random game is begun."""

Step = tuple[Any, int, float, int]
"""A state, the number of the sight that the player has there, the odds of the action that led to it, and the action."""


class Odds:
    """How likely each action of a state is: by chance's odds, by the policy of the mover, or all alike."""

    def __init__(self, game: Game, policy: Policies | None = None) -> None:
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
        """Whether no further moves can fit: the player has to move now, and nothing is seen later."""
        return self.is_present(s, sight)

    def steps(self, s: Any, sight: int) -> list[Step]:
        """The moves from `s` that agree with what the player saw."""
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
        """Never: the same view may come again later in play."""
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


# --- a sample, where there are too many ways of play ----------------------------------------------------------------


class Sample(NamedTuple):
    """States that fit, with their weights; the share of all attempts that did; the least number
    of particles left at any sight; how many attempts were made; and, if only the last view was known, what the player
    saw on the ways that fit."""

    states: list[tuple[Any, float]]
    acceptance: float
    fewest: int
    tried: int
    records: frozenset[Seen] = frozenset()


def sampled(way: Along | Ending, count: int, source: random.Random) -> Sample:
    """About `count` states that fit, or fewer."""
    if isinstance(way, Ending):
        return _attempts(way, count, source)
    first = way.game.initial()
    particles = [(first, 1.0)] * count if way.begins() else []
    acceptance, fewest = 1.0, len(particles)
    for sight in range(way.end + 1):
        if not particles:
            return Sample([], 0.0, 0, count)
        alive = [moved for s, weight in particles if (moved := _moved(way, s, sight, weight, source)) is not None]
        acceptance *= len(alive) / len(particles)
        fewest = min(fewest, len(alive))
        particles = _weighed(alive)
        if sight < way.end and alive and effective(particles) < count / 2:
            particles = _resampled(particles, count, source)
    return Sample(particles, acceptance, fewest, count)


def effective(particles: list[tuple[Any, float]]) -> float:
    """How many particles of equal weight would be worth as much."""
    whole = sum(weight for _, weight in particles)
    return whole * whole / sum(weight * weight for _, weight in particles)


def _moved(way: Along, s: Any, sight: int, weight: float, source: random.Random) -> tuple[Any, float] | None:
    """The particle where the player sees the next thing, or has to move at last; None where it cannot come there."""
    for _ in range(LONGEST):
        if way.is_present(s, sight):
            return s, weight
        steps = way.steps(s, sight)
        odds = [step[2] for step in steps]
        whole = sum(odds)
        if whole <= 0:
            return None
        s, reached, _, _ = source.choices(steps, odds)[0] if len(steps) > 1 else steps[0]
        weight *= whole
        if reached > sight:
            return s, weight
    return None


def _weighed(particles: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
    """The particles with weights that sum to 1."""
    whole = sum(weight for _, weight in particles)
    return [(s, weight / whole) for s, weight in particles]


def _resampled(particles: list[tuple[Any, float]], count: int, source: random.Random) -> list[tuple[Any, float]]:
    """As many particles of equal weight, each copied as often as its weight says."""
    step = 1 / count
    pointer = source.random() * step
    out: list[tuple[Any, float]] = []
    passed = 0.0
    for s, weight in particles:
        passed += weight
        while pointer < passed and len(out) < count:
            out.append((s, step))
            pointer += step
    return out


def _attempts(way: Ending, count: int, source: random.Random) -> Sample:
    """Random games, each as far as the player has the present view; games that never come there are left out."""
    found: list[tuple[Any, float]] = []
    records: set[Seen] = set()
    tried = moves = 0
    while tried < count and moves < MOST_MOVES:
        tried += 1
        states: list[Any] = [way.game.initial()]
        actions: list[int] = []
        while len(actions) < LONGEST and not way.is_present(states[-1], 0):
            steps = way.steps(states[-1], 0)
            if not steps:
                break
            after, _, _, action = source.choices(steps, [step[2] for step in steps])[0]
            states.append(after)
            actions.append(action)
        moves += len(actions)
        if way.is_present(states[-1], 0):
            found.append((states[-1], 1.0))
            records.add(Seen.through(way.game, states, actions, player=way.seen.player))
    return Sample(found, len(found) / tried, len(found), tried, frozenset(records))
