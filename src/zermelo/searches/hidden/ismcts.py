"""`zermelo.ismcts`: Monte Carlo tree search over information sets."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from zermelo.arguments import as_word, is_whole, limit_of, number
from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.patience import current
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter
from zermelo.policy import Policies, Policy
from zermelo.result import Analysis, Limit
from zermelo.running.devices import on_best_machine, on_machine
from zermelo.running.suitability import require_no_repetition
from zermelo.searches.hidden.belief import PARTICLES, Belief, belief_of, conceivable
from zermelo.searches.hidden.observer_trees import NEVER, ObserverTrees, Starts, answers
from zermelo.searches.hidden.seen import Seen, seen_by
from zermelo.searches.hidden.simulation import first_key, sight
from zermelo.types import ObserverOptions

USUAL_SIMULATIONS = 10_000
EXPLORATION = 0.7
DOUBT = 0.5
LONGEST = 10_000
MEGABYTES = 256


@dataclass(frozen=True)
class IsmctsOptions:
    """How simulations are made."""

    c: float = EXPLORATION
    doubt: float = DOUBT
    longest: int = LONGEST
    memory: int = MEGABYTES
    device: str = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.c, bool) or not isinstance(self.c, int | float) or not 0 <= self.c < math.inf:
            raise BadParameter(f"ismcts: c must be a number >= 0, not {self.c!r}")
        number("ismcts: doubt", self.doubt, 0, 1, below=True)
        for name, least in (("longest", 1), ("memory", 1), ("seed", -(1 << 63))):
            value = getattr(self, name)
            if not is_whole(value) or not least <= value < 1 << 63:
                wanted = "an integer of 64 bits" if name == "seed" else f"an integer >= {least}"
                raise BadParameter(f"ismcts: {name} must be {wanted}, not {value!r}")
        if self.device not in ("auto", "python", "cpu"):
            raise BadParameter(f"ismcts: device must be one of auto, python, cpu, not {self.device!r}")


class Ismcts:
    """The best move by Monte Carlo tree search over information sets.

    >>> from zermelo import game, ismcts, Limit
    >>> trails = game("trails")
    >>> answer = ismcts(trails, limit=Limit(simulations=500), seed=1)
    >>> trails.format_action(answer.decision, answer.action)
    'A'
    """

    def __call__(
        self,
        game: Game,
        state: Any = None,
        *,
        player: int | None = None,
        history: Sequence[Any] = (),
        limit: Limit | None = None,
        policy: Policies | None = None,
        particles: int = PARTICLES,
        **options: Unpack[ObserverOptions],
    ) -> Analysis:
        """The answer after `limit` (10,000 simulations where none is given).

        Each simulation draws one of the states that fit what the player saw. Then each player goes down its own tree,
        whose nodes are what it can tell apart, by UCB1 with the constant `c`; nobody sees what is hidden from them.
        In the share `doubt` of the simulations the state is drawn from all that the others may think of, so that they
        do not learn to play as if they knew what the player holds; 0 leaves that out, and so do games too large for it.
        `state` is a whole state, of which only the player's view is used, or a `Seen`; `history`, `policy` and
        `particles` are those of `belief`. `seed` makes it repeatable; `memory` are megabytes for the trees; `longest`
        is the number of moves after which a playout is given up with an error. The answer's `policy` is how the player
        goes on, by the shares of the visits.
        """
        given = self._given(game, dict(options), limit)
        *_, last = self._answers(game, state, player, history, policy, particles, *given, every=False)
        return last

    def stream(
        self,
        game: Game,
        state: Any = None,
        *,
        player: int | None = None,
        history: Sequence[Any] = (),
        limit: Limit | None = None,
        policy: Policies | None = None,
        particles: int = PARTICLES,
        **options: Unpack[ObserverOptions],
    ) -> Iterator[Analysis]:
        """The answers after 1, 2, 5, 10, 20, ... simulations; the last is the one of the whole limit."""
        given = self._given(game, dict(options), limit)
        yield from self._answers(game, state, player, history, policy, particles, *given, every=True)

    def policies(self, game: Game, *, limit: Limit | None = None, **options: Unpack[ObserverOptions]) -> list[Policy]:
        """How each player plays, by simulations of whole games: on every view, the shares of the visits."""
        chosen, bounds = self._given(game, dict(options), limit)
        starts = Starts({game.initial(): 1.0})
        trees = _begun(game, starts, chosen, bounds, every=False)
        end = NEVER if bounds.time is None else now() + nanoseconds(bounds.time)
        trees.run(as_word(bounds.simulations, NEVER), end)
        return [trees.policy(player) for player in range(game.players)]

    def _given(self, game: Game, options: dict[str, Any], limit: Any) -> tuple[IsmctsOptions, Limit]:
        require_game(game, "ismcts")
        require_no_repetition(game, "and ismcts makes up states that have no past")
        known = IsmctsOptions.__dataclass_fields__
        unknown = sorted(options.keys() - known.keys())
        if unknown:
            raise BadParameter(f"ismcts knows no option {unknown[0]!r}; it knows {', '.join(known)}")
        return IsmctsOptions(**options), limit_of(limit, "ismcts", Limit(simulations=USUAL_SIMULATIONS))

    def _answers(
        self, game: Game, state: Any, player: int | None, history: Sequence[Any], policy: Policies | None,
        particles: int, options: IsmctsOptions, limit: Limit, *, every: bool,
    ) -> Iterator[Analysis]:  # fmt: skip
        began = time.perf_counter()
        seen = seen_by(game, state, player, history, "ismcts")
        known = belief_of(game, seen, policy=policy, particles=particles, seed=options.seed)
        first = next(iter(known.states))
        root = first_key(seen.player, sight(game, first, seen.player))
        of = {"state": first if state is None or isinstance(state, Seen) else state, "decision": first}
        starts = _starts(game, known, policy, options.doubt)
        if limit.time is not None:
            limit = replace(limit, time=max(0.0, limit.time - (time.perf_counter() - began)))
        trees = _begun(game, starts, options, limit, every=every)
        yield from answers(trees, limit, every, of, seen.player, root, began)

    def __repr__(self) -> str:
        return "zermelo.ismcts(game, state=None, *, player=None, limit=Limit(simulations=10000), c=0.7, seed=0, ...)"


def _starts(game: Game, known: Belief, policy: Policies | None, doubt: float) -> Starts:
    """Where simulations begin: in states that fit and, where others are conceivable and can be enumerated, in these."""
    wide = conceivable(game, known, policy) if doubt > 0 and known.exact else None
    if wide is None or len(wide) == len(known.states):
        return Starts(known.states, known.player, known.exact)
    return Starts(known.states, known.player, known.exact, wide, doubt)


def _trees(game: Game, starts: Starts, device: str, options: IsmctsOptions) -> ObserverTrees:
    return ObserverTrees(
        game, starts, machine(device), c=options.c, seed=options.seed, longest=options.longest,
        megabytes=options.memory,
    )  # fmt: skip


def _ready(trees: ObserverTrees) -> ObserverTrees:
    """The trees, with their kernels compiled: what cannot be compiled shows here."""
    trees.run(0, NEVER)
    return trees


def _begun(game: Game, starts: Starts, options: IsmctsOptions, limit: Limit, *, every: bool) -> ObserverTrees:
    """The trees on their machine; without `every` they may be grown already."""
    if limit.time is not None:
        return on_machine(game, options.device, lambda on: _ready(_trees(game, starts, on, options)))
    wanted = as_word(limit.simulations, NEVER)

    def begin(on: str) -> ObserverTrees:
        trees = _trees(game, starts, on, options)
        if current() is None:
            return _ready(trees)
        trees.run(wanted, NEVER)
        return _trees(game, starts, on, options) if every else trees

    return on_best_machine(game, "ismcts", options.device, begin)


ismcts = Ismcts()
