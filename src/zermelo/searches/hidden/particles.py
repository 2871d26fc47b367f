"""Where too many ways of play fit what a player saw: a sample of them, each with its weight.

Sequential importance sampling with resampling (Gordon, Salmond and Smith, 1993). A particle is a state. Each of its
moves is drawn among those after which the player sees what was seen, and its weight becomes as much smaller as these
were unlikely. Between two sights those with too little weight make place for copies of others.
"""

import random
from typing import Any, NamedTuple

from zermelo.searches.hidden.filtering import Along, Ending
from zermelo.searches.hidden.seen import Seen

LONGEST = 1_000
"""Moves after which a particle that sees nothing new is given up."""
MOST_MOVES = 300_000
"""Moves after which no further random game is begun."""


class Sample(NamedTuple):
    """States that fit, with their weights; the share of all attempts that did; how many were left when there were
    fewest; how many attempts were made; and what the player saw on all ways that fit, if only its end was known."""

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
    """Random games, as far as the player has the view wanted; those in which that never comes do not count."""
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
