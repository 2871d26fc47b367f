"""What the search over information sets remembers: the trees of all players, and answers read off them."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from zermelo.arguments import as_word
from zermelo.compile import nanoseconds, now, state_words
from zermelo.compile.block import shape_of
from zermelo.compile.memory import float_to_word
from zermelo.compile.patience import Patience
from zermelo.contract import CHANCE, Game
from zermelo.policy import Policy
from zermelo.result import Analysis, Limit, Move
from zermelo.running.statuses import FINE, refuse
from zermelo.running.thinking import Thinking
from zermelo.running.watching import known_when_interrupted
from zermelo.searches.hidden.simulation import (
    SET_WORDS,
    Choice,
    InformationSet,
    Observer,
    SimulationRun,
    Trees,
    choice_words,
    found,
    look,
    look_on,
    simulate,
)
from zermelo.traits import total

CONFIDENCE = 0.05
"""An interval holds the true mean of the simulations but for this probability, by Hoeffding's inequality."""
WORDS_FOR_A_SLOT = 16
MANY = 200_000
"""At most so many states are visited to say how a player plays on each view."""
NEVER = 1 << 62
"""A limit that is never reached."""
LOOK = 0.02
"""Seconds between two looks at whether native code is there."""


@dataclass(frozen=True)
class Starts:
    """Where simulations begin: in states that fit what the player saw and, for a share of them called doubt, in states
    that are conceivable to anybody; each with its odds."""

    fitting: dict[Any, float]
    player: int = 0
    exact: bool = True
    wide: dict[Any, float] = field(default_factory=dict)
    doubt: float = 0.0


class ObserverTrees:
    """The trees of all players, and the worlds from which simulations begin."""

    def __init__(
        self, game: Game, starts: Starts, on: Any, *, c: float, seed: int, longest: int, megabytes: int
    ) -> None:
        self.game, self.machine, self.starts = game, on, starts
        self.seed, self.longest = seed, longest
        self.trees, self.sets, self.choices = _empty(game, on, megabytes)
        self.working = _working(game, on, starts)
        self.working.exploration, self.working.seed, self.working.longest = float(c), seed, longest

    def run(self, simulations: int, end: int) -> None:
        """Simulate until there are so many simulations in all, or time is up."""
        working = self.working
        working.limit, working.deadline = simulations, end
        working.status, working.simulations = FINE, 0
        self.machine.call(
            simulate, game=self.game, run=working, trees=self.trees, sets=self.sets, choices=self.choices
        )  # fmt: skip
        endless = f"a playout had not ended after {self.longest:,} moves; raise longest=, or end it by a rule"
        refuse(self.game, working.status, endless=endless)

    # --- what the trees say ----------------------------------------------------------------------------------------

    @property
    def done(self) -> int:
        """Simulations made."""
        return int(self.trees.simulations)

    @property
    def note(self) -> str:
        """Where simulations began, and whether the trees grow no more."""
        starts = self.starts
        count = f"{len(starts.fitting)} state" + "s" * (len(starts.fitting) != 1)
        note = f"{count} fit what player {starts.player} saw" + ("" if starts.exact else " (a sample)")
        if not self.trees.full:
            return note
        full = f"the trees are full at {self.trees.sets:,} information sets and grow no more; raise memory="
        return f"{note}; {full}"

    def number(self, key: int) -> int:
        """The number of the information set with this key, or 0."""
        return found(key, self.trees, self.sets)

    def choices_of(self, number: int) -> list[Any]:
        """The choices of an information set."""
        first, count = self.sets[number].first, self.sets[number].count
        return [self.choices[i] for i in range(first, first + count)]

    def moves(self, number: int) -> dict[int, Move]:
        """The actions of an information set that were tried, as answers show them."""
        low, high = self.trees.ranges[0].least, self.trees.ranges[0].greatest
        out = {}
        for choice in self.choices_of(number):
            visits = choice.tries
            if visits:
                values = tuple(total / visits + 0.0 for total in choice.totals)
                reach = (high - low) * math.sqrt(math.log(2 / CONFIDENCE) / (2 * visits))
                interval = max(low, values[0] - reach), min(high, values[0] + reach)
                out[choice.action] = Move(values[0], bound="estimate", values=values, visits=visits, interval=interval)
        return out

    def policy(self, player: int) -> Policy:
        """How a player plays on the views that were visited: by the share of the visits. It is found when first asked
        for."""
        return Policy(self.game, VisitedViews(self, player))

    def behaviour(self, player: int) -> dict[Any, dict[int, float]]:
        """The odds of the player's actions on each view."""
        game = self.game
        tries: dict[Any, dict[int, int]] = {}
        known: dict[int, int] = {}
        counted: set[int] = set()
        stack = [(s, _looked(game, s)) for s in self.starts.fitting | self.starts.wide]
        left = MANY
        while stack and left:
            left -= 1
            s, observers = stack.pop()
            if game.is_terminal(s):
                continue
            mover = game.to_move(s)
            if mover != CHANCE:
                key = observers[mover].key
                if key not in known:
                    known[key] = self.number(key)
                if not known[key]:
                    continue
                if mover == player and key not in counted:
                    counted.add(key)
                    here = tries.setdefault(s if game.view is None else game.view(s, player), {})
                    for choice in self.choices_of(known[key]):
                        here[choice.action] = here.get(choice.action, 0) + choice.tries
            stack += [(after, _looked_on(game, after, mover, a, observers)) for a, after in game.successors(s)]
        return {
            view: {action: count / max(1, sum(here.values())) for action, count in here.items()}
            for view, here in tries.items()
        }


class VisitedViews(Mapping[Any, dict[int, float]]):
    """The odds of a player's actions on each view that was visited, found out when they are first asked for."""

    def __init__(self, trees: ObserverTrees, player: int) -> None:
        self.trees, self.player = trees, player

    @cached_property
    def odds(self) -> dict[Any, dict[int, float]]:
        """The odds, view by view."""
        return self.trees.behaviour(self.player)

    def __getitem__(self, view: Any) -> dict[int, float]:
        return self.odds[view]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.odds)

    def __len__(self) -> int:
        return len(self.odds)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the odds, not the trees."""
        return dict, (self.odds,)


def _empty(game: Game, on: Any, megabytes: int) -> tuple[Any, Any, Any]:
    """Trees without information sets, and room for these and for their choices, within so many megabytes."""
    native = on.name != "python"
    trees = on.block(Trees, game)
    slots = 1 << int(math.log2((megabytes << 17) / WORDS_FOR_A_SLOT))
    # There is always room for the root.
    root = SET_WORDS + game.max_actions * choice_words(game)
    trees.room = max((megabytes << 17) - slots - shape_of(Trees, game).size, root)
    trees.slots, trees.mask = on.memory(slots), slots - 1
    for player in range(game.players):
        trees.ranges[player].least, trees.ranges[player].greatest = _range(game, player)
    sets = on.blocks(InformationSet, slots if native else 0, game)
    choices = on.blocks(Choice, trees.room // choice_words(game) if native else 0, game)
    return trees, sets, choices


def _working(game: Game, on: Any, starts: Starts) -> Any:
    """What simulations work with, and the worlds in which they begin."""
    working = on.block(SimulationRun, game)
    states, size = [*starts.fitting, *starts.wide], state_words(game)
    working.worlds, working.odds = on.memory(len(states) * size), on.memory(len(states))
    for i, s in enumerate(states):
        on.write_state(game, working.worlds, i * size, s)
    sums = [*accumulate(starts.fitting.values()), *accumulate(starts.wide.values())]
    on.write(working.odds, 0, sums if on.name == "python" else [float_to_word(p) for p in sums])
    working.fitting, working.conceivable = len(starts.fitting), len(starts.wide)
    working.player, working.doubt = starts.player, float(starts.doubt)
    return working


def _looked(game: Game, s: Any) -> list[Observer]:
    """What everybody has seen at the root."""
    observers = [Observer() for _ in range(game.players)]
    look(game, s, observers)
    return observers


def _looked_on(game: Game, s: Any, mover: int, action: int, before: list[Observer]) -> list[Observer]:
    """What everybody has seen after an action."""
    observers = [Observer() for _ in before]
    for observer, earlier in zip(observers, before, strict=True):
        observer.key, observer.sees = earlier.key, earlier.sees
    look_on(game, s, mover, action, observers)
    return observers


def _range(game: Game, player: int) -> tuple[float, float]:
    """The least and the greatest utility of a player where the game says so; where not, nothing is known yet."""
    if game.bounds is not None and player == 0:
        return float(game.bounds[0]), float(game.bounds[1])
    if game.bounds is not None and game.players == 2 and (whole := total(game)) is not None:
        return float(whole - game.bounds[1]), float(whole - game.bounds[0])
    return math.inf, -math.inf


class Growing(NamedTuple):
    """Trees that grow, and how long: those of another machine may come after them."""

    trees: ObserverTrees
    patience: Patience | None = None


def answers(
    begun: Iterable[Growing], limit: Limit, every: bool, of: dict[str, Any], player: int, root: int, thinking: Thinking
) -> Iterator[Analysis]:
    """Answers while the trees grow, after 1, 2, 5, 10, ... simulations; only the last where not `every`."""
    met: list[ObserverTrees] = []

    def known() -> Analysis | None:
        most = max(met, key=lambda trees: trees.done)
        return _answer(most, of, player, root, thinking) if most.done else None

    with known_when_interrupted(known):
        for trees in _growing(begun, limit, thinking, met, every=every):
            yield _answer(trees, of, player, root, thinking)


def grown(begun: Iterable[Growing], limit: Limit, thinking: Thinking) -> ObserverTrees:
    """The trees that have grown most within the limit."""
    *_, last = _growing(begun, limit, thinking, [], every=False)
    return last


def _growing(
    begun: Iterable[Growing], limit: Limit, thinking: Thinking, met: list[ObserverTrees], *, every: bool
) -> Iterator[ObserverTrees]:
    """The largest trees so far, after 1, 2, 5, 10, ... simulations; only the last where not `every`.

    All trees that grow are added to `met`.
    """
    wanted, most, told = as_word(limit.simulations, NEVER), None, -1
    for trees, patience in begun:
        met.append(trees)
        over = False
        while not over:
            # The time that is spent waiting for a compiler does not count.
            end = NEVER if limit.time is None else thinking.since + nanoseconds(limit.time)
            until = end if patience is None else min(end, now() + nanoseconds(LOOK))
            goal = min(wanted, following(trees.done)) if every else wanted
            trees.run(goal, until)
            over = trees.done >= wanted or now() >= end
            if most is None or trees.done >= most.done:
                most = trees
                if every and trees.done >= goal:
                    told = trees.done
                    yield most
            if patience is not None and patience.is_over:
                break
        if over:
            break
    if most is not None and most.done > told:
        yield most


def _answer(trees: ObserverTrees, of: dict[str, Any], player: int, root: int, thinking: Thinking) -> Analysis:
    moves = trees.moves(trees.number(root))
    best = max(moves, key=lambda a: (moves[a].visits, (moves[a].values or (0.0,))[player]))
    values = moves[best].values
    assert values is not None
    return Analysis(
        value=values[0], values=values, action=best, line=(best,), moves=moves, bound="estimate", nodes=trees.done,
        depth=trees.working.deepest, time=thinking.seconds, compile_seconds=thinking.compile_seconds, method="ismcts",
        device=trees.machine.name, game=trees.game, seed=trees.seed, policy=trees.policy(player), note=trees.note,
        **of,
    )  # fmt: skip


def following(done: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while True:
        for k in (1, 2, 5):
            if k * step > done:
                return k * step
        step *= 10
