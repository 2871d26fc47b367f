"""A search over information sets: its memory, its limits, and answers read off the trees."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from zermelo.arguments import as_word
from zermelo.compile import nanoseconds, now, state_words
from zermelo.compile.memory import float_to_word
from zermelo.compile.program import STOPPED
from zermelo.contract import CHANCE, Game
from zermelo.errors import EndlessGame, Interrupted, too_many_actions, unequal_actions
from zermelo.policy import Policy
from zermelo.result import Analysis, Limit, Move
from zermelo.running.statuses import ENDLESS, TOO_MANY, UNEQUAL, fault
from zermelo.searches.hidden import layout as at
from zermelo.searches.hidden import simulation as kernels
from zermelo.traits import total

CONFIDENCE = 0.05
"""An interval holds the true mean of the simulations but for this probability, by Hoeffding's inequality."""
WORDS_FOR_A_SLOT = 16
MANY = 200_000
"""So many states are gone through to say how a player plays on each view."""


@dataclass(frozen=True)
class Starts:
    """Where simulations begin: in states that fit what the player saw and, for a share of them called doubt, in states
    that are conceivable to anybody; each with its odds."""

    fitting: dict[Any, float]
    player: int = 0
    exact: bool = True
    wide: dict[Any, float] = field(default_factory=dict)
    doubt: float = 0.0


class Forest:
    """The trees of all players, and the worlds from which simulations begin."""

    def __init__(
        self, game: Game, starts: Starts, on: Any, *, c: float, seed: int, longest: int, megabytes: int
    ) -> None:
        self.game, self.machine, self.seed, self.starts = game, on, seed, starts
        self.c, self.longest = float(c), longest
        self.deepest = 0
        native = on.name != "python"
        size = state_words(game)
        states = [*starts.fitting, *starts.wide]
        self.worlds, self.odds = on.memory(len(states) * size), on.memory(len(states))
        for i, s in enumerate(states):
            on.write_state(game, self.worlds, i * size, s)
        sums = [*accumulate(starts.fitting.values()), *accumulate(starts.wide.values())]
        on.write(self.odds, 0, [self._word(p) for p in sums])
        start = kernels.slots_at(game)
        slots = 1 << int(math.log2((megabytes << 17) / WORDS_FOR_A_SLOT))
        # There is always room for the root.
        least = start + slots + at.NODE + game.max_actions * kernels.row_words(game)
        capacity = max(megabytes << 17, least)
        self.words = on.memory(capacity if native else start + slots)
        head = [0] * start
        head[at.TOP], head[at.CAPACITY], head[at.MASK] = start + slots, capacity, slots - 1
        head[at.RANGES :] = [self._word(edge) for player in range(game.players) for edge in _range(game, player)]
        on.write(self.words, 0, head)
        self.memory = on.memory(kernels.actions_at(game) + game.max_actions)

    def _word(self, value: float) -> Any:
        return value if self.machine.name == "python" else float_to_word(value)

    def run(self, simulations: int, end: int) -> None:
        """Simulate until there are so many simulations in all, or time is up."""
        work = self.machine.memory(at.WORDS)
        words: list[Any] = [0] * at.WORDS
        words[at.LIMIT], words[at.DEADLINE], words[at.SEED] = simulations, end, self.seed
        words[at.WORLDS], words[at.WIDE] = len(self.starts.fitting), len(self.starts.wide)
        words[at.PLAYER], words[at.LONGEST] = self.starts.player, self.longest
        words[at.EXPLORATION], words[at.DOUBT] = self._word(self.c), self._word(self.starts.doubt)
        self.machine.write(work, 0, words)
        self.machine.call(
            kernels.simulate, game=self.game, worlds=self.worlds, odds=self.odds, tree=self.words, memory=self.memory,
            work=work,
        )  # fmt: skip
        self.deepest = max(self.deepest, work[at.DEEPEST])
        self._refuse(work[at.STATUS])

    def _refuse(self, status: int) -> None:
        game = self.game
        if status == ENDLESS:
            raise EndlessGame(
                f"{game.name}: a playout had not ended after {self.longest:,} moves; raise longest=, or end it by a "
                "rule"
            )
        if status == TOO_MANY:
            raise too_many_actions(game.name, game.max_actions)
        if status == UNEQUAL:
            raise unequal_actions(game.name)
        if status == STOPPED:
            raise Interrupted("the search was stopped")
        if (error := fault(game, status)) is not None:
            raise error

    # --- what the trees say ----------------------------------------------------------------------------------------

    @property
    def done(self) -> int:
        """Simulations made."""
        return self.words[at.STARTED]

    @property
    def note(self) -> str:
        """Where simulations began, and whether the trees grow no more."""
        starts = self.starts
        count = f"{len(starts.fitting)} state" + "s" * (len(starts.fitting) != 1)
        note = f"{count} fit what player {starts.player} saw" + ("" if starts.exact else " (a sample)")
        if not self.words[at.FULL]:
            return note
        full = f"the trees are full at {self.words[at.NODES]:,} information sets and grow no more; raise memory="
        return f"{note}; {full}"

    def node(self, key: int) -> int:
        """The node of a key, or 0."""
        return kernels.found(self.game, key, self.words)

    def rows(self, node: int) -> list[tuple[int, int, tuple[float, ...]]]:
        """The actions of a node, each with its visits and what everybody got in all of them."""
        width, players = kernels.row_words(self.game), self.game.players
        places = [node + at.NODE + i * width for i in range(self.words[node + at.COUNT])]
        return [
            (self.words[row + at.ACTION], self.words[row + at.TRIES],
             self.machine.floats(self.words, row + at.ROW, players)) for row in places
        ]  # fmt: skip

    def range(self, player: int) -> tuple[float, float]:
        """The least and the greatest utility of a player, known or seen."""
        low, high = self.machine.floats(self.words, at.RANGES + 2 * player, 2)
        return low, high

    def moves(self, node: int) -> dict[int, Move]:
        """The actions of a node that were tried, as answers show them."""
        low, high = self.range(0)
        out = {}
        for action, visits, totals in self.rows(node):
            if visits:
                values = tuple(sum_of / visits + 0.0 for sum_of in totals)
                reach = (high - low) * math.sqrt(math.log(2 / CONFIDENCE) / (2 * visits))
                interval = max(low, values[0] - reach), min(high, values[0] + reach)
                out[action] = Move(values[0], bound="estimate", values=values, visits=visits, interval=interval)
        return out

    def policy(self, player: int) -> Policy:
        """How a player plays on the views that were visited: by the share of the visits. It is found when first asked
        for."""
        known: dict[Any, dict[int, float]] = {}

        def choose(view: Any) -> dict[int, float]:
            if not known:
                known.update(self._behaviour(player))
            return known[view]

        return Policy(self.game, choose)

    def _behaviour(self, player: int) -> dict[Any, dict[int, float]]:
        """The odds of the player's actions on each view."""
        game = self.game
        visits: dict[Any, dict[int, int]] = {}
        counted: set[int] = set()
        stack = [(s, *_looked(game, s)) for s in self.starts.fitting | self.starts.wide]
        left = MANY
        while stack and left:
            left -= 1
            s, keys, views = stack.pop()
            if game.is_terminal(s):
                continue
            mover = game.to_move(s)
            node = self.node(keys[mover]) if mover != CHANCE else 0
            if mover != CHANCE and not node:
                continue
            if mover == player and node not in counted:
                counted.add(node)
                here = visits.setdefault(s if game.view is None else game.view(s, player), {})
                for action, tries, _ in self.rows(node):
                    here[action] = here.get(action, 0) + tries
            stack += [(after, *_seen_on(game, after, mover, a, keys, views)) for a, after in game.successors(s)]
        return {
            view: {action: tries / max(1, sum(here.values())) for action, tries in here.items()}
            for view, here in visits.items()
        }


def _looked(game: Game, s: Any) -> tuple[list[int], list[int]]:
    """Everybody's key and last view at the root."""
    views = [kernels.sight(game, s, player) for player in range(game.players)]
    return [kernels.first_key(player, view) for player, view in enumerate(views)], views


def _seen_on(
    game: Game, s: Any, mover: int, action: int, keys: list[int], views: list[int]
) -> tuple[list[int], list[int]]:
    """Everybody's key and last view after an action."""
    memory = [0] * at.PLAYERS_AT + keys + views
    kernels.go_on(game, s, mover, action, memory)
    known = memory[at.PLAYERS_AT :]
    return known[: game.players], known[game.players :]


def _range(game: Game, player: int) -> tuple[float, float]:
    """The least and the greatest utility of a player where the game says so; where not, nothing is known yet."""
    if game.bounds is not None and player == 0:
        return float(game.bounds[0]), float(game.bounds[1])
    if game.bounds is not None and game.players == 2 and (whole := total(game)) is not None:
        return float(whole - game.bounds[1]), float(whole - game.bounds[0])
    return math.inf, -math.inf


def answers(
    forest: Forest, limit: Limit, every: bool, of: dict[str, Any], player: int, root: int, began: float
) -> Iterator[Analysis]:
    """Answers while the trees grow, after 1, 2, 5, 10, ... simulations; only the last where not `every`.

    What had to be compiled is ready: it takes no part of the time.
    """
    wanted = as_word(limit.simulations, at.NEVER)
    end = at.NEVER
    if limit.time is not None:
        end = now() + nanoseconds(limit.time)
    while True:
        forest.run(min(wanted, following(forest.done)) if every else wanted, end)
        over = forest.done >= wanted or now() >= end
        if every or over:
            yield _answer(forest, of, player, root, began)
        if over:
            return


def _answer(forest: Forest, of: dict[str, Any], player: int, root: int, began: float) -> Analysis:
    moves = forest.moves(forest.node(root))
    best = max(moves, key=lambda a: (moves[a].visits, (moves[a].values or (0.0,))[player]))
    values = moves[best].values
    assert values is not None
    return Analysis(
        value=values[0], values=values, action=best, line=(best,), moves=moves, bound="estimate", nodes=forest.done,
        depth=forest.deepest, time=time.perf_counter() - began, method="ismcts", device=forest.machine.name,
        game=forest.game, seed=forest.seed, policy=forest.policy(player), note=forest.note, **of,
    )  # fmt: skip


def following(done: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while True:
        for k in (1, 2, 5):
            if k * step > done:
                return k * step
        step *= 10
