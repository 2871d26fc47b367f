"""`zermelo.ismcts`: Monte Carlo tree search over information sets."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Unpack

from zermelo.arguments import as_word, is_whole, number
from zermelo.compile import machine
from zermelo.compile.machine import is_native
from zermelo.compile.patience import Patience, UntilMade, current
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter
from zermelo.policy import Policies, Policy
from zermelo.result import Analysis, Limit
from zermelo.running.devices import from_kept_code, glance, on_best_machine, on_machine
from zermelo.running.suitability import require_no_repetition
from zermelo.running.thinking import Thinking
from zermelo.running.watching import known_when_interrupted
from zermelo.searches.hidden.belief import PARTICLES, Belief, belief_of, conceivable
from zermelo.searches.hidden.observer_trees import NEVER, Growing, ObserverTrees, Starts, answers, grown
from zermelo.searches.hidden.seen import Seen, seen_by
from zermelo.searches.hidden.simulation import first_key, sight
from zermelo.searches.limits import limit_of, taken_from
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

    >>> from zermelo import game, ismcts
    >>> trails = game("trails")
    >>> answer = ismcts(trails, simulations=500, seed=1)
    >>> trails.format_action(answer.decision, answer.action)
    'A'
    """

    @known_when_interrupted()
    def __call__(
        self,
        game: Game,
        state: Any = None,
        *,
        player: int | None = None,
        history: Sequence[Any] = (),
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
        policy: Policies | None = None,
        particles: int = PARTICLES,
        **options: Unpack[ObserverOptions],
    ) -> Analysis:
        """The answer after so many `simulations` (10,000 where no limit is given), or so much `time` in seconds, or
        what a `Limit` says in place of these.

        Each simulation draws one of the states that fit what the player saw. Then each player goes down its own tree,
        whose nodes are what it can tell apart, by UCB1 with the constant `c`; nobody sees what is hidden from them.
        In the share `doubt` of the simulations the state is drawn from all that the others may think of, so that they
        do not learn to play as if they knew what the player holds; 0 leaves that out, and so do games too large for it.
        `state` is a whole state, of which only the player's view is used, or a `Seen`; `history`, `policy` and
        `particles` are those of `belief`. `seed` makes it repeatable; `memory` are megabytes for the trees; `longest`
        is the number of moves after which a playout is given up with an error. The answer's `policy` is how the player
        goes on, by the shares of the visits.
        """
        given = self._given(game, dict(options), limit, time=time, simulations=simulations)
        *_, last = self._answers(game, state, player, history, policy, particles, *given, every=False)
        return last

    def stream(
        self,
        game: Game,
        state: Any = None,
        *,
        player: int | None = None,
        history: Sequence[Any] = (),
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
        policy: Policies | None = None,
        particles: int = PARTICLES,
        **options: Unpack[ObserverOptions],
    ) -> Iterator[Analysis]:
        """The answers after 1, 2, 5, 10, 20, ... simulations; the last is the one of the whole limit."""
        given = self._given(game, dict(options), limit, time=time, simulations=simulations)
        yield from self._answers(game, state, player, history, policy, particles, *given, every=True)

    def policies(
        self,
        game: Game,
        *,
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
        **options: Unpack[ObserverOptions],
    ) -> list[Policy]:
        """How each player plays, by simulations of whole games: on every view, the shares of the visits."""
        chosen, bounds = self._given(game, dict(options), limit, time=time, simulations=simulations)
        starts, thinking = Starts({game.initial(): 1.0}), Thinking()
        trees = grown(_begun(game, starts, chosen, bounds, thinking, every=False), bounds, thinking)
        return [trees.policy(player) for player in range(game.players)]

    def _given(self, game: Game, options: dict[str, Any], limit: Any, **limits: Any) -> tuple[IsmctsOptions, Limit]:
        require_game(game, "ismcts")
        require_no_repetition(game, "and ismcts makes up states that have no past")
        bound = limit_of(
            "ismcts", limit, Limit(simulations=USUAL_SIMULATIONS), **limits, **taken_from(options)
        )  # fmt: skip
        known = IsmctsOptions.__dataclass_fields__
        unknown = sorted(options.keys() - known.keys())
        if unknown:
            raise BadParameter(f"ismcts knows no option {unknown[0]!r}; it knows {', '.join(known)}")
        return IsmctsOptions(**options), bound

    def _answers(
        self, game: Game, state: Any, player: int | None, history: Sequence[Any], policy: Policies | None,
        particles: int, options: IsmctsOptions, limit: Limit, *, every: bool,
    ) -> Iterator[Analysis]:  # fmt: skip
        thinking = Thinking()
        seen = seen_by(game, state, player, history, "ismcts")
        known = belief_of(game, seen, policy=policy, particles=particles, seed=options.seed)
        first = next(iter(known.states))
        root = first_key(seen.player, sight(game, first, seen.player))
        of = {"state": first if state is None or isinstance(state, Seen) else state, "decision": first}
        starts = _starts(game, known, policy, options.doubt)
        begun = _begun(game, starts, options, limit, thinking, every=every)
        yield from answers(begun, limit, every, of, seen.player, root, thinking)

    def __repr__(self) -> str:
        return "zermelo.ismcts(game, state=None, *, player=None, simulations=10000, time=None, limit=None, ...)"


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


def _begun(
    game: Game, starts: Starts, options: IsmctsOptions, limit: Limit, thinking: Thinking, *, every: bool
) -> Iterator[Growing]:  # fmt: skip
    """The trees on their machine; without `every` they may be grown already. Under a limit of time those of plain
    Python come first, until native code is there."""
    if limit.time is None:
        wanted = as_word(limit.simulations, NEVER)

        def begin(on: str) -> ObserverTrees:
            trees = _trees(game, starts, on, options)
            if current() is None:
                return _ready(trees)
            trees.run(wanted, NEVER)
            return _trees(game, starts, on, options) if every else trees

        yield Growing(on_best_machine(game, "ismcts", options.device, begin))
        return

    def native() -> ObserverTrees:
        return _ready(_trees(game, starts, "cpu", options))

    if options.device != "auto" or is_native(game) is not None:
        yield Growing(on_machine(game, options.device, lambda on: _ready(_trees(game, starts, on, options))))
        return
    plain = _trees(game, starts, "python", options)
    yield Growing(plain, Patience(glance(limit.time), monotonic))
    kept = from_kept_code(native)
    if not kept.is_there and kept.make_aside is not None:
        yield Growing(plain, UntilMade(kept.make_aside()))
    yield Growing(kept.answer or on_machine(game, "auto", lambda on: native() if on == "cpu" else plain))


ismcts = Ismcts()
