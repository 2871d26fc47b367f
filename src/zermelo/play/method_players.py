"""The methods of this package as players."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zermelo.compile.machine import is_native
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.play.clock import FREE, Clock
from zermelo.play.course import Course, Path
from zermelo.result import Analysis, Limit
from zermelo.searches.limits import limit_of, said, taken_from

USUAL_SECONDS = 1.0
"""Seconds for a move of an anytime method that nothing else limits."""
SMALL = 2_000
"""A search of up to this many nodes is cheap enough to search the position a second time."""
FARTHEST_SCORE = 900_000


@dataclass(frozen=True)
class Note:
    """What a player thought of the move that it made: the score is the mover's, in units of the game's `score`
    (centipawns in chess), or of utility where the game has none. `mate` says in how many of its moves, this one
    counted, the mover wins; below zero, in how many of the opponent's it loses."""

    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None


class DepthPlayer:
    """Plays what a search finds best."""

    def __init__(self, game: Game, method: str, *, timed: bool = False, **options: Any) -> None:
        import zermelo

        self.method = method
        self.search: Callable[..., Analysis] = getattr(zermelo, method)
        self.note: Note | None = None
        self.limit = own_limit(method, options)
        self.options = options
        native = is_native(game) is None
        if "device" not in options and native and (timed or self.limit.time is not None):
            options["device"] = "cpu"  # so that nothing is compiled while a clock runs
        refusing_options(method, lambda: self._warm_up(game))

    def _warm_up(self, game: Game) -> None:
        """Refuse an unsuitable game now, not in the middle of a match; and compile what there is to compile."""
        s = game.initial()
        self.search(game, s, depth=0, **(self.options | {"device": "python"}))
        if self.options.get("device", "auto") not in ("auto", "python"):
            self.search(game, s, depth=1, **self.options)

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The best action that it sees."""
        given: dict[str, Any] = dict(self.options)
        if game.repetition is not None:
            given["history"] = known_keys(history)
        limit = together(self.limit, clock.limit())
        answer = self.search(game, state, limit=limit, **given)
        if self.method in ("minimax", "alphabeta") and answer.nodes <= SMALL and answer.depth != 0 and not limit.nodes:
            # In a lost position, where the search was small, the player takes the move that delays the loss longest.
            answer = lasting(game, state, given.get("history", ()), answer, limit)
        self.note = note_of_answer(game, state, answer)
        assert answer.action is not None
        return answer.action


class Searcher:
    """Plays what the engine finds best. It has an engine of its own, and so remembers what nobody else knows.

    One that `grows` does not wait for its native code: until that is there it plays in plain Python.
    """

    def __init__(self, game: Game, *, grows: bool = False, **options: Any) -> None:
        import zermelo
        from zermelo.searches.engine.growing import Grower, may_grow

        self.limit = own_limit("search", options)
        self.note: Note | None = None
        if grows and may_grow(game, options.get("device", "auto")):
            options.pop("device", None)
            self.engine: Any = Grower(game, **options)
        else:
            self.engine = zermelo.Engine(game, **options)

    def begin(self, game: Game, seed: str) -> None:
        """Forget the game before."""
        self.engine.new_game()

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The best action that the engine finds in its time."""
        soft, hard = clock.shares()
        limit = together(self.limit, replace(clock.limit(), time=hard))
        if limit == Limit():
            limit = Limit(time=USUAL_SECONDS)
        soft = None if self.limit.time is not None or soft == hard else soft
        answer = self.engine.search(state, limit, history=known_keys(history), soft=soft)
        self.note = note_of_answer(game, state, answer)
        assert answer.action is not None
        return answer.action

    def close(self) -> None:
        """Stop thinking."""
        self.engine.stop()


class SamplingPlayer:
    """Plays what Monte Carlo tree search came to prefer. It keeps its tree from move to move."""

    def __init__(self, game: Game, *, timed: bool = False, **options: Any) -> None:
        self.limit = own_limit("mcts", options)
        self.note: Note | None = None
        self.options = helps(game) | options
        if (timed or game.rollout is not None) and is_native(game) is None:
            # Nothing is to be compiled while a clock runs, and a game with its own playouts is taken to be large.
            self.options = {"device": "cpu"} | self.options
        self.begin(game, "0")
        self.mind.search(limit=Limit(simulations=1))

    def begin(self, game: Game, seed: str) -> None:
        """Forget the game before. Chance comes from this seed, unless the player has one of its own."""
        import zermelo

        drawn = random.Random(f"mcts {seed}").getrandbits(62)
        self.mind = zermelo.Mcts(game, **({"seed": drawn} | self.options))

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The move that most simulations began with."""
        answer = self.mind.search(state, self.limited(clock), history=known_keys(history) if game.repetition else ())
        self.note = note_of_answer(game, state, answer)
        assert answer.action is not None
        return answer.action

    def limited(self, clock: Clock) -> Limit:
        """The player's own limits; the clock sets those that are left open. Its nodes are simulations here."""
        told = clock.limit()
        found = together(self.limit, Limit(time=told.time, simulations=told.nodes))
        if found == Limit() and told.depth is not None:
            raise BadParameter("mcts knows no depth: give it simulations or a time")
        return Limit(time=USUAL_SECONDS) if found == Limit() else found


def helps(game: Game) -> dict[str, Any]:
    """The options of Monte Carlo tree search that make it stronger in this game: what the game itself knows."""
    found: dict[str, Any] = {}
    if game.rollout is not None and game.probability is None:
        found["rave"] = True
    if game.prior is not None:
        found["prior"] = True
    return found | (game.sampling or {})


def own_limit(method: str, options: dict[str, Any]) -> Limit:
    """The limits among a player's options, which are taken out of them; those that the method does not know are
    refused."""
    return limit_of(method, None, **taken_from(options))


def refusing_options(method: str, call: Callable[[], Any]) -> None:
    """Make a call now, not in the middle of a match, so that unsuitable games and unknown options are refused early."""
    try:
        call()
    except TypeError as error:
        if "keyword argument" not in str(error):
            raise
        raise BadParameter(f"{method} has no such option: {str(error).rpartition('argument ')[2]}") from None


def together(own: Limit, clock: Limit) -> Limit:
    """The player's own limits; the clock sets those that are left open."""
    return replace(clock, **{name: getattr(own, name) for name in said(own)})


def known_keys(history: Sequence[Any]) -> Sequence[Any]:
    """The history for a search: as keys, where they are known."""
    return history.keys if isinstance(history, Path) and len(history.keys) == len(history) else history


def lasting(game: Game, state: Any, history: Sequence[Any], answer: Analysis, limit: Limit) -> Analysis:
    """The answer, with another move where all are lost: the one that delays the loss, if there is time to find it."""
    import zermelo

    left = None if limit.time is None else max(0.0, limit.time - answer.time)
    found = zermelo.minimax(game, state, history=history, depth=answer.depth, time=left, when_lost="delay")
    return found if found.depth == answer.depth else answer


def note_of_answer(game: Game, state: Any, answer: Analysis) -> Note:
    """What the answer says about the move, from the mover's side."""
    mover = game.to_move(state)
    if answer.score is not None:
        score = float(answer.score if mover == 0 else -answer.score)
    else:
        score = in_points(game, float(answer.values[mover]))
    mate = None
    if answer.distance:
        mate = (answer.distance + 1) // 2 if score > 0 else -(answer.distance // 2)
    return Note(score=score, depth=answer.depth, nodes=answer.nodes, mate=mate)


def in_points(game: Game, value: float) -> float:
    """A utility on the scale of the game's `score`, where it has one: the inverse of the game's `expected`."""
    if game.expected is None:
        return value
    high = 1
    while game.expected(high) < value and high < FARTHEST_SCORE:
        high *= 2
    low = -1
    while game.expected(low) > value and low > -FARTHEST_SCORE:
        low *= 2
    while low < high:
        middle = (low + high) // 2
        if game.expected(middle) < value:
            low = middle + 1
        else:
            high = middle
    return float(low)


class Guesser:
    """Plays a game with hidden information by sampling what it cannot see: `pimc` and `ismcts`."""

    def __init__(self, game: Game, method: str, **options: Any) -> None:
        import zermelo

        self.search: Callable[..., Analysis] = getattr(zermelo, method)
        self.limit = own_limit(method, options)
        self.note: Note | None = None
        self.options, self.seed = options, "0"
        if game.view is None:
            raise UnsuitableGame(f"{game.name} hides nothing: {method} is for games that do; use mcts")
        course = Course(game)
        while game.to_move(course.state) == CHANCE:
            course.push(course.rolled(random.Random(0)))
        refusing_options(method, lambda: self.answer(game, course.state, course.history(), Limit(simulations=1)))

    def begin(self, game: Game, seed: str) -> None:
        """Begin a game with this seed."""
        self.seed = seed

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> int:
        """The action that is best, as far as it knows."""
        told = clock.limit()
        limit = together(self.limit, Limit(time=told.time, simulations=told.nodes))
        answer = self.answer(game, state, history, limit)
        self.note = note_of_answer(game, state, answer)
        assert answer.action is not None
        return answer.action

    def answer(self, game: Game, state: Any, history: Sequence[Any], limit: Limit) -> Analysis:
        """What the method finds within the limit, or within its own where there is none."""
        drawn = random.Random(f"{self.seed} {len(history)}").getrandbits(62)
        given = {"seed": drawn} | self.options | ({"limit": limit} if limit != Limit() else {})
        return self.search(game, state, history=tuple(history), **given)


class EquilibriumPlayer:
    """Plays a game with hidden information by the odds of an equilibrium."""

    def __init__(self, game: Game, seed: str = "0") -> None:
        from zermelo.equilibrium.nash.both_sides import best_policies

        self.seed = seed
        self.policies = best_policies(game)

    def begin(self, game: Game, seed: str) -> None:
        """Begin a game with this seed."""
        self.seed = seed

    def __call__(self, game: Game, state: Any, history: Sequence[Any] = (), clock: Clock = FREE) -> int:
        """An action drawn by its odds."""
        return self.policies[game.to_move(state)].action(state, random.Random(f"{self.seed} {len(history)}"))

    def odds(self, game: Game, state: Any) -> dict[int, float]:
        """The odds of each action in this state."""
        return {action: float(p) for action, p in self.policies[game.to_move(state)](state).items()}
