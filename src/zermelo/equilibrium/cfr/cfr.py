"""`zermelo.cfr`: counterfactual regret minimisation as people call it."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Unpack

from zermelo.arguments import is_number, whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import machine
from zermelo.contract import Game, require_game
from zermelo.equilibrium.cfr.assessment import Judge, Responses
from zermelo.equilibrium.cfr.full_tree import FullTree
from zermelo.equilibrium.cfr.incidence import Form, form_of
from zermelo.equilibrium.cfr.sampler import Sampler
from zermelo.equilibrium.cfr.variants import SAMPLED, variant_of
from zermelo.equilibrium.forms.flat import MEGABYTES, Flat, flatten
from zermelo.equilibrium.policies.equilibrium import Behaviour, Equilibrium
from zermelo.equilibrium.policies.hashed_strategy import Strategy, odds_in, strategy_of
from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame
from zermelo.matrix import Matrix
from zermelo.result import Limit
from zermelo.running.devices import machine_for, on_machine, require_device
from zermelo.running.suitability import require_no_repetition
from zermelo.running.thinking import Thinking
from zermelo.searches.limits import limit_of, taken_from
from zermelo.traits import total
from zermelo.types import CfrOptions

ITERATIONS, SAMPLED_ITERATIONS = 1_000, 100_000
"""The iterations made by default: over the whole tree, and with sampling."""
MOST = 1 << 40
QUICK = 200_000
"""With device="auto", at most so many ends times iterations are worked through in plain Python."""
ASSESSED_MEGABYTES = 1024
"""Trees up to this size are flattened to assess what sampling found."""
TABLE_MEGABYTES = 1024
"""The default size of the table of sampling."""
SPACING = 8
"""Between two assessments of the answer, the number of iterations grows by one part in so many."""
EXPLORATION = 0.6
OPTIONS = (
    "iterations, until, time, limit, variant, seed, device, state, roots, memory, assess, simultaneous, alpha, beta, "
    "gamma, exploration"
)


class _Pair(NamedTuple):
    iteration: int
    exploitability: float


class Progress(_Pair):
    """The iterations made and the exploitability of the average play after them; `answer()` is that play."""

    answer: Callable[[], Equilibrium]

    def __new__(cls, iteration: int, exploitability: float, answer: Callable[[], Equilibrium]) -> "Progress":
        self = super().__new__(cls, iteration, exploitability)
        self.answer = answer
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the answer itself, not the regrets that it is made of."""
        return _step, (*self, self.answer())


def _step(iteration: int, exploitability: float, answer: Equilibrium) -> Progress:
    """What was pickled of a step."""
    return Progress(iteration, exploitability, lambda: answer)


class Cfr:
    """How to play so that best responses gain little: the average of play that learns from its regrets.

    >>> from zermelo import game
    >>> from zermelo.equilibrium.cfr.cfr import cfr
    >>> found = cfr(game("kuhn_poker"), iterations=200)
    >>> round(found.value, 3), found.exploitability < 1e-3
    (-0.056, True)
    """

    def __call__(
        self, game: AnyGame, *, iterations: int | None = None, until: float | None = None, time: float | None = None,
        limit: Limit | None = None, **options: Unpack[CfrOptions],
    ) -> Equilibrium:  # fmt: skip
        """The answer after so many iterations (1,000; 100,000 where games are sampled), or when the mean gain of best
        responses is at most `until`, or after so much `time` in seconds: the first of them that is reached. The clock
        begins after the first iteration, before which code may have to be compiled.

        `variant` is one of "cfr", "cfr+", "linear", "discounted" (with `alpha`, `beta` and `gamma`) and "predictive",
        which go through the whole tree, or "external", "outcome" (with `exploration`) and "chance", which sample games
        by `seed`, need no tree and keep a table. `memory` are the megabytes that tree or table may take. Players take
        turns at learning unless `simultaneous`. `state` is the root, the first state where none is given; `roots` are
        several, with their odds. With `assess=False` the answer of sampling comes without its exploitability.
        """
        rest: dict[str, Any] = dict(options)
        bound = limit_of("cfr", limit, known=("time",), time=time, **taken_from(rest))
        (last,) = _run(game, iterations, until, bound.time, every=False, **rest)
        return last.answer()

    def stream(
        self, game: AnyGame, *, iterations: int | None = None, until: float | None = None, time: float | None = None,
        limit: Limit | None = None, **options: Unpack[CfrOptions],
    ) -> Iterator[Progress]:  # fmt: skip
        """(iteration, exploitability) again and again, each with the `answer()` so far; see `cfr` for the options.

        >>> from zermelo import game
        >>> [step.iteration for step in cfr.stream(game("matching_pennies"), iterations=10)]
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        """
        rest: dict[str, Any] = dict(options)
        bound = limit_of("cfr", limit, known=("time",), time=time, **taken_from(rest))
        yield from _run(game, iterations, until, bound.time, every=True, **rest)

    def __repr__(self) -> str:
        return (
            'zermelo.cfr(game, *, iterations=1000, until=None, time=None, variant="cfr+", seed=0, device="auto", ...)'
        )


cfr = Cfr()


class _Whole:
    """Regrets of a whole tree."""

    def __init__(self, flat: Flat, solver: FullTree) -> None:
        self.flat, self.solver = flat, solver
        self.seed, self.note = None, ""

    def assess(self) -> tuple[Strategy, Responses | None]:
        """The average strategies as they are now, and what they pay."""
        odds = self.solver.average()
        return strategy_of(self.flat, odds), self.solver.assess(odds)


class _Sampled:
    """Regrets of sampled games, and the tree by which they are assessed, where it is small enough."""

    def __init__(self, solver: Sampler, form: Form | None) -> None:
        self.solver, self.seed = solver, solver.seed
        self.judge = None if form is None else Judge(form, solver.on)

    def assess(self) -> tuple[Strategy, Responses | None]:
        """The average strategies as they are now, and what they pay where the tree is known."""
        found = self.solver.strategy()
        if self.judge is None:
            return found, None
        return found, self.judge.judge(odds_in(self.judge.form.flat, found)[0])

    @property
    def note(self) -> str:
        """Whether the table is full."""
        return self.solver.note


def _run(
    game: AnyGame, iterations: int | None, until: float | None, seconds: float | None, *, every: bool,
    variant: str = "cfr+", seed: int = 0, device: str = "auto", state: Any = None,
    roots: Mapping[Any, float] | None = None, memory: int | None = None, assess: bool = True, **options: Any,
) -> Iterator[Progress]:  # fmt: skip
    """Answers while it goes on; only the last where not `every`."""
    game = as_game(game)
    require_game(game, "cfr")
    _check(iterations, until, seed, device, memory)
    thinking = Thinking()
    sampled = variant in SAMPLED
    goal = iterations
    if goal is None:
        goal = MOST if until is not None or seconds is not None else SAMPLED_ITERATIONS if sampled else ITERATIONS
    if state is not None and roots is not None:
        raise BadParameter("cfr: give a state or roots, not both")
    starts = roots if roots is not None else None if state is None else {game.checked_state(state): 1.0}
    run = _begun(
        game, variant, starts, seed=seed, device=device, memory=memory, assess=assess, goal=goal, until=until,
        **options,
    )  # fmt: skip
    solver, clock = run.solver, _Clock(seconds)
    looks = every or until is not None
    while True:
        step = max(1, solver.iterations // SPACING) if looks or seconds is not None else goal
        clock.iterate(solver, min(step, goal - solver.iterations))
        over = solver.iterations >= goal or clock.is_over
        if not looks and not over:
            continue
        strategy, found = run.assess()
        worth = math.nan if found is None else sum(found.gains) / len(found.gains)
        over = over or (until is not None and worth <= until)
        if every or over:
            yield _progress(game, run, variant, strategy, found, until, thinking)
        if over:
            return


class _Clock:
    """How long iterations may go on; with None, for ever. It begins to run after the first of them."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = math.inf if seconds is None else seconds
        self.end = math.inf
        self.made, self.spent = 0, 0.0

    def iterate(self, solver: Any, count: int) -> None:
        """Make so many iterations, or fewer where there would be no time for them."""
        if self.spent > 0:
            # Half of what fits, again and again: what else the computer does may slow it down.
            left = (self.end - time.perf_counter()) * self.made / self.spent / 2
            count = max(1, int(min(count, left)))
        started = time.perf_counter()
        solver.iterate(count)
        if self.end == math.inf:
            self.end = time.perf_counter() + self.seconds
        else:
            self.made, self.spent = self.made + count, self.spent + time.perf_counter() - started

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return time.perf_counter() >= self.end


def _check(iterations: Any, until: Any, seed: Any, device: Any, memory: Any) -> None:
    """Refuse arguments that make no sense."""
    for name, value in (("iterations", iterations), ("memory", memory)):
        if value is not None:
            whole(f"cfr: {name}", value, least=1)
    if until is not None and not (is_number(until) and until > 0):
        raise BadParameter(f"cfr: until must be an exploitability > 0, not {until!r}")
    whole("cfr: seed", seed)
    require_device(device)


def _begun(
    game: Game, variant: str, starts: Mapping[Any, float] | None, *, seed: int, device: str, memory: int | None,
    assess: bool, goal: int, until: float | None, simultaneous: bool = False, alpha: float | None = None,
    beta: float | None = None, gamma: float | None = None, exploration: float = EXPLORATION, **unknown: Any,
) -> Any:  # fmt: skip
    """Regrets before the first iteration."""
    if unknown:
        raise BadParameter(f"cfr: there is no option {next(iter(unknown))!r}; it takes {OPTIONS}")
    if variant in SAMPLED:
        if not isinstance(exploration, int | float) or not 0 <= exploration <= 1:
            raise BadParameter(f"cfr: exploration must lie between 0 and 1, not {exploration!r}")
        if starts is not None and len(starts) > 1:
            raise BadParameter(
                f'cfr: variant="{variant}" samples from one state; variants of the whole tree take roots'
            )
        if simultaneous or any(x is not None for x in (alpha, beta, gamma)):
            raise BadParameter(f'cfr: variant="{variant}" has no simultaneous, alpha, beta or gamma')
        return _sampled(game, variant, starts, seed, device, memory, assess, until, float(exploration))
    kind = variant_of(variant, alpha, beta, gamma)
    flat = flatten(game, starts, device=device, memory=memory or MEGABYTES)
    on = machine_for(device, quick=until is None and goal * len(flat.ends) <= QUICK)
    return _Whole(flat, FullTree(form_of(flat), kind, on, simultaneous=simultaneous))


def _sampled(
    game: Game, variant: str, starts: Mapping[Any, float] | None, seed: int, device: str, memory: int | None,
    assess: bool, until: float | None, exploration: float,
) -> _Sampled:  # fmt: skip
    """The table of a sampling variant, and the tree to assess it by."""
    if device == "cuda":
        raise BadParameter(f'cfr: variant="{variant}" walks the rules on one core: device="cpu"')
    require_no_repetition(game)
    form = None
    if assess:
        try:
            form = form_of(flatten(game, starts, device=device, memory=ASSESSED_MEGABYTES))
        except EndlessGame as error:
            if until is not None:
                raise UnsuitableGame(f"until= needs the whole tree: {error}; give iterations=") from None
        except UnsuitableGame:
            # A player forgets: sampling goes on, and guarantees nothing.
            if until is not None:
                raise
    root = game.initial() if starts is None else next(iter(starts))

    def begin(on: str) -> Sampler:
        sampler = Sampler(
            game, root, variant, machine(on), seed=seed, memory=memory or TABLE_MEGABYTES, exploration=exploration
        )
        sampler.iterate(0)
        return sampler

    return _Sampled(on_machine(game, device, begin), form)


def _progress(
    game: Game,
    run: Any,
    variant: str,
    strategy: Strategy,
    found: Responses | None,
    until: float | None,
    thinking: Thinking,
) -> Progress:
    """What is known now, with the answer that can be made of it later."""
    iterations, spent, full = run.solver.iterations, thinking.seconds, run.note
    means = run.solver.means if found is None else found.values
    worth = math.nan if found is None else sum(found.gains) / len(found.gains)

    def answer() -> Equilibrium:
        policy = Behaviour(game, strategy)
        notes = [full, _promise(game)]
        if found is None:
            notes.append("the tree was not gone through: values are means of the sampled games, exploitability unknown")
        elif until is not None and worth > until:
            notes.append(f"stopped before exploitability {until:g} was reached")
        return Equilibrium(
            profile=_profile(game, policy) if isinstance(game, Matrix) else (),
            values=means,
            regret=math.nan if found is None else max(found.gains),
            method=variant,
            game=game,
            policy=policy,
            gains=() if found is None else found.gains,
            iterations=iterations,
            seed=run.seed,
            time=spent,
            compile_seconds=thinking.compile_seconds,
            note="; ".join(note for note in notes if note),
        )

    return Progress(iterations, worth, answer)


def _promise(game: Game) -> str:
    """What the method promises, where that is less than an equilibrium."""
    if game.players == 1 or (game.players == 2 and total(game) is not None):
        return ""
    kind = f"{game.players} players" if game.players > 2 else "general sum"
    return (
        f"{kind}: play without regret comes to a coarse correlated equilibrium, not always to a Nash equilibrium; "
        "gains say how far each player is from a best response"
    )


def _profile(game: Matrix, policy: Behaviour) -> tuple[tuple[float, ...], ...]:
    """The mixed strategies in a payoff table."""
    s, mixed = game.initial(), []
    while not game.is_terminal(s):
        mixed.append(tuple(policy(s).values()))
        s = game.result(s, 0)
    return tuple(mixed)
