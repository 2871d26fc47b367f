"""Perfect-information Monte Carlo: every state that may be the case is solved as if it were open, and they vote."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.arguments import whole
from zermelo.compile import machine
from zermelo.contract import CHANCE, Game, require_game
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.policy import Policies, opened
from zermelo.result import Analysis, Limit, Move
from zermelo.running.devices import on_best_machine
from zermelo.running.nodes import payoffs_at, require_sound
from zermelo.running.recursion import deep_recursion
from zermelo.running.suitability import require_no_repetition
from zermelo.running.thinking import Thinking
from zermelo.running.watching import known_when_interrupted
from zermelo.searches.hidden.belief import PARTICLES, Belief, belief_of
from zermelo.searches.hidden.seen import Seen, seen_by
from zermelo.searches.limits import limit_of, naming_limits

WORLDS = 100
SMALL = 20_000
"""Open games with up to so many states are solved exactly with method="auto"."""
USUAL_SIMULATIONS = 100_000
"""The simulations of all worlds together, where no limit is given."""
CERTAIN = 1.96
"""An interval of so many standard errors to each side holds the mean with 95 %."""
DEEPEST = 2_000
"""Moves after which an open game is taken for endless."""
METHODS = ("auto", "exact", "mcts")


@dataclass(frozen=True)
class World:
    """What one open state says: everybody's values after each action, how often each was looked at, and the nodes and
    the machine that this took."""

    weight: float
    values: dict[int, tuple[float, ...]]
    visits: dict[int, int]
    nodes: int
    device: str = "python"


@naming_limits
@known_when_interrupted()
def pimc(
    game: Game,
    state: Any = None,
    *,
    player: int | None = None,
    history: Sequence[Any] = (),
    time: float | None = None,
    simulations: int | None = None,
    limit: Limit | None = None,
    worlds: int = WORLDS,
    method: str | Callable[..., Analysis] = "auto",
    policy: Policies | None = None,
    particles: int = PARTICLES,
    seed: int = 0,
    device: str = "auto",
) -> Analysis:
    """The move that is best on average over the states that fit what the player saw, each played with open cards.

    It is quick and often good, and wrong where a move is only good for those who see what is hidden: in each open
    state a player knows it, and so do all others (strategy fusion). `ismcts` does not make that mistake.

    `state` is a whole state, of which only the player's view is used, or a `Seen`; `history`, `policy` and `particles`
    are those of `belief`. Of more than `worlds` states, so many are drawn. `method` is "exact", "mcts", or a function
    such as `zermelo.expectiminimax` that is called for the state after each action; "auto" is exact in small games. It
    is limited by `simulations`, which all worlds share, by `time` in seconds, or by a `Limit` in place of these.

    >>> from zermelo import game
    >>> trails = game("trails")
    >>> answer = pimc(trails)
    >>> {trails.format_action(answer.decision, a): move.value for a, move in answer.moves.items()}
    {'A': 1.0, 'B': 3.0}
    """
    require_game(game, "pimc")
    require_no_repetition(game, "and pimc makes up states that have no past")
    limit = limit_of(
        "pimc", limit, Limit(simulations=USUAL_SIMULATIONS), time=time, simulations=simulations
    )  # fmt: skip
    whole("pimc: worlds", worlds, least=1)
    if not callable(method) and method not in METHODS:
        raise BadParameter(f"pimc: method must be one of {', '.join(METHODS)}, or a search, not {method!r}")
    thinking = Thinking()
    seen = seen_by(game, state, player, history, "pimc")
    known = belief_of(game, seen, policy=policy, particles=particles, seed=seed)
    drawn = _worlds(known, worlds, seed)
    solved, how = _solved(opened(game), drawn, method, limit, seed, device, thinking)
    return _analysis(game, state, known, solved, how, seed, thinking)


def _worlds(known: Belief, most: int, seed: int) -> list[tuple[Any, float]]:
    """All states of a belief, or so many drawn by their odds; with the weight of each."""
    if len(known.states) <= most:
        return list(known.states.items())
    counts: dict[Any, int] = {}
    for s in known.draw(most, random.Random(seed)):
        counts[s] = counts.get(s, 0) + 1
    return [(s, n / most) for s, n in counts.items()]


def _solved(
    game: Game, worlds: list[tuple[Any, float]], method: Any, limit: Limit, seed: int, device: str, thinking: Thinking
) -> tuple[list[World], str]:
    """Every world, as far as there is time for them; and how they were solved."""
    if callable(method):
        name = getattr(method, "__name__", "a search")
        return _in_time(worlds, limit, thinking, lambda s, w, i: _by_search(game, s, w, method)), name
    if method in ("auto", "exact"):
        values = OpenValues(game, SMALL if method == "auto" else 10 * SMALL)
        try:
            return _in_time(worlds, limit, thinking, lambda s, w, i: _by_values(game, s, w, values)), "exact"
        except TooLarge:
            if method == "exact":
                raise UnsuitableGame(
                    f'{game.name} is too large to be solved in each world: use method="mcts"'
                ) from None

    def sampled(on: str) -> list[World]:
        return _in_time(worlds, limit, thinking, _by_mcts(game, len(worlds), limit, seed, on, thinking))

    if limit.time is not None:
        return sampled(device), "mcts"  # the trees themselves go from machine to machine
    return on_best_machine(game, "pimc", device, sampled), "mcts"


def _in_time(
    worlds: list[tuple[Any, float]], limit: Limit, thinking: Thinking, solve: Callable[..., World]
) -> list[World]:
    out: list[World] = []
    for i, (s, weight) in enumerate(worlds):
        if out and limit.time is not None and thinking.seconds >= limit.time:
            break
        out.append(solve(s, weight, i))
    return out


def _by_values(game: Game, s: Any, weight: float, values: "OpenValues") -> World:
    before = len(values.known)
    found = {action: values(after) for action, after in game.successors(s)}
    return World(weight, found, dict.fromkeys(found, 1), 1 + len(values.known) - before)


def _by_search(game: Game, s: Any, weight: float, search: Callable[..., Analysis]) -> World:
    found = {}
    nodes, device = 1, "python"
    for action, after in game.successors(s):
        if game.is_terminal(after):
            found[action] = tuple(float(game.utility(after, p)) for p in range(game.players))
            nodes += 1
        else:
            answer = search(game, after)
            found[action], device = answer.values, answer.device
            nodes += answer.nodes
    return World(weight, found, dict.fromkeys(found, 1), nodes, device)


def _by_mcts(game: Game, count: int, limit: Limit, seed: int, device: str, thinking: Thinking) -> Callable[..., World]:
    """Solves worlds by equal shares of the simulations, or of the time."""
    from zermelo.searches.mcts.mcts import mcts

    # Every action needs a simulation: an action that no world has tried has no value.
    whole = limit.simulations

    def solve(s: Any, weight: float, i: int) -> World:
        share = None if whole is None else max(game.max_actions, whole * (i + 1) // count - whole * i // count)
        left = None if limit.time is None else max(0.0, limit.time - thinking.seconds) / (count - i)
        answer = mcts(game, s, limit=Limit(simulations=share, time=left), seed=seed + i, device=device)
        values = {a: move.values or () for a, move in answer.moves.items()}
        visits = {a: move.visits or 0 for a, move in answer.moves.items()}
        return World(weight, values, visits, answer.nodes, answer.device)

    return solve


# --- the vote --------------------------------------------------------------------------------------------------------


def _analysis(
    game: Game, state: Any, known: Belief, worlds: list[World], how: str, seed: int, thinking: Thinking
) -> Analysis:
    sure = known.exact and len(worlds) == len(known.states) and how != "mcts"
    first = next(iter(known.states))
    tried = {action for world in worlds for action in world.values}
    moves = {action: _vote(action, worlds, sure) for action in game.actions(first) if action in tried}
    best = max(moves, key=lambda a: moves[a].values[known.player])  # type: ignore[index]
    values = moves[best].values
    assert values is not None
    many = f"{len(worlds)} world" + "s" * (len(worlds) != 1)
    kind = "all that fit" if known.exact and len(worlds) == len(known.states) else "drawn"
    return Analysis(
        value=values[0], values=values, action=best, line=(best,), moves=moves, bound="estimate",
        nodes=sum(world.nodes for world in worlds), depth=None, time=thinking.seconds,
        compile_seconds=thinking.compile_seconds, method="pimc", device=worlds[-1].device, game=game,
        state=first if state is None or isinstance(state, Seen) else state, seed=seed,
        note=f"{many} ({kind}), each solved with open cards ({how})", decision=first,
    )  # fmt: skip


def _vote(action: int, worlds: list[World], sure: bool) -> Move:
    """The weighted mean of all worlds, and how far it may be off because worlds were drawn."""
    with_it = [world for world in worlds if action in world.values]
    whole = sum(world.weight for world in with_it)
    count = len(with_it[0].values[action])
    means = tuple(sum(w.weight * w.values[action][p] for w in with_it) / whole + 0.0 for p in range(count))
    if sure:
        reach = 0.0
    else:
        spread = sum(w.weight * (w.values[action][0] - means[0]) ** 2 for w in with_it) / whole
        worth = whole * whole / sum(w.weight * w.weight for w in with_it)
        reach = CERTAIN * math.sqrt(spread / worth)
    return Move(
        means[0], bound="estimate", values=means, visits=sum(world.visits[action] for world in with_it),
        interval=(means[0] - reach, means[0] + reach),
    )  # fmt: skip


# --- open games, solved to the end ----------------------------------------------------------------------------------


class TooLarge(Exception):
    """More states than allowed, or a game that does not end."""


class OpenValues:
    """The values of open states, each found once. Everybody maximises their own; of equal actions the first is taken.

    For two players of a zero-sum game that is minimax, with chance expectiminimax, and for more max^n.
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self.known: dict[Any, tuple[float, ...]] = {}
        self._opening: set[Any] = set()

    def __call__(self, s: Any) -> tuple[float, ...]:
        """What everybody gets from `s` on; TooLarge where that cannot be said."""
        with deep_recursion():
            return machine("python").call(self._value, s=s, ply=0)

    def _value(self, s: Any, ply: int) -> tuple[float, ...]:
        known = self.known.get(s)
        if known is not None:
            return known
        if len(self.known) >= self.most or ply > DEEPEST or s in self._opening:
            raise TooLarge
        self._opening.add(s)
        self.known[s] = found = self._found(s, ply)
        self._opening.discard(s)
        return found

    def _found(self, s: Any, ply: int) -> tuple[float, ...]:
        game = self.game
        if game.is_terminal(s):
            return tuple(map(float, payoffs_at(game, s)))
        require_sound(game, s)
        mover = game.to_move(s)
        if mover != CHANCE:
            return max((self._value(after, ply + 1) for _, after in game.successors(s)), key=lambda v: v[mover])
        totals = [0.0] * game.players
        for action, after in game.successors(s):
            odds = float(game.probability(s, action))
            for player, value in enumerate(self._value(after, ply + 1)):
                totals[player] += odds * value
        return tuple(totals)
