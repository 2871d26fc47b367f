"""Estimates that have a name, and say of what they are made: features of a state, weighed or put into a formula.

A game lists them in its class attribute `evaluations`; searches take them by name.

>>> from zermelo import evaluate, game
>>> chess = game("chess")
>>> print(evaluate(chess, chess.parse_state("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1"), "material"))
chess, material: 6 (0.632 as a utility)
pawns       1 x 1
knights     3 x 0
bishops     3 x 0
rooks       5 x 1
queens      9 x 0
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter
from zermelo.plain_data import as_plain, game_data

Feature: TypeAlias = Callable[[Any], Any] | Callable[[Any, Any], Any]
"""What a state has of something, player 0's less player 1's: a function of the state, or of game and state."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """An estimate of states by named features.

    With `weights` it is linear: the sum of each feature times its weight. With `total`, a function of the state or of
    game and state, it is any formula, and the features are shown beside it. A total of `half` is worth half of what
    there is to win; the larger it grows, the nearer it comes to a win. Without `half` a total is a utility itself.
    """

    about: str
    features: Mapping[str, Feature]
    weights: Mapping[str, float] | None = None
    total: Feature | None = None
    half: float | None = None

    def __post_init__(self) -> None:
        if (self.weights is None) == (self.total is None):
            raise BadParameter("an Evaluation has weights for its features, or else a function that is their total")
        if self.weights is not None and (not self.features or set(self.weights) != set(self.features)):
            raise BadParameter("an Evaluation weighs each of its features: weights has the same names as features")
        if self.half is not None and not self.half > 0:
            raise BadParameter(f"an Evaluation's half must be above 0, not {self.half!r}")

    def __call__(self, game: Game, s: Any) -> float:
        """The estimate of a state, as a utility of player 0's."""
        return float(self.estimate(game)(game, s))

    def summed(self) -> Callable[[Any, Any], Any]:
        """The total as `f(game, s)`."""
        if self.total is not None:
            return of_game(self.total)
        assert self.weights is not None
        terms = [(of_game(feature), self.weights[name]) for name, feature in self.features.items()]
        return _sum_of(tuple(terms))

    def estimate(self, game: Game) -> Callable[[Any, Any], Any]:
        """The estimate as `f(game, s)`, on the scale of the game's utilities."""
        low, high = game.bounds or (-1.0, 1.0)
        return self._estimate(0.5 * (low + high), 0.5 * (high - low))

    @lru_cache(maxsize=64)  # noqa: B019 - evaluations are few and stay: code that was compiled for one stays with it
    def _estimate(self, middle: float, reach: float) -> Callable[[Any, Any], Any]:
        total = self.summed()
        return total if self.half is None else _bent(total, middle, reach, float(self.half))


class Estimated(NamedTuple):
    """What an evaluation says of a state, and why."""

    game: Game
    name: str
    value: float
    """The estimate, on the scale of utilities, for player 0."""
    total: float
    """The estimate in the evaluation's own units."""
    features: dict[str, Any]
    weights: dict[str, float] | None

    def __str__(self) -> str:
        head = f"{self.game.name}, {self.name}: {self.total:.4g} ({self.value:.3g} as a utility)"
        wide = max(map(len, self.features), default=0) + 2
        weigh = self.weights or {}
        rows = [
            f"{name:<{wide}}" + (f"{weigh[name]:>4g} x " if name in weigh else "") + f"{value:.4g}"
            for name, value in self.features.items()
        ]
        return "\n".join([head, *rows])

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return game_data(self.game) | as_plain({name: x for name, x in self._asdict().items() if name != "game"})


def evaluate(game: Game, state: Any = None, evaluation: str | None = None) -> Estimated:
    """What one of a game's evaluations says of a state, feature by feature; without a name, the game's own `evaluate`.

    >>> from zermelo import game
    >>> evaluate(game("tic_tac_toe"), evaluation="lines").features
    {'open lines': 0}
    """
    require_game(game, "evaluate")
    s = game.initial() if state is None else game.checked_state(state)
    if evaluation is None:
        if game.evaluate is None:
            raise BadParameter(f"{game.name} defines no evaluate(s); name one of its evaluations: {_listing(game)}")
        parts = dict(game.explain(s)) if game.explain is not None else {}
        one = len(inspect.signature(game.evaluate).parameters) == 1
        value = float(game.evaluate(s) if one else game.evaluate(s, 0))
        return Estimated(game, "own", value, game.score(s) if parts and game.score else value, parts, None)
    found = named_evaluation(game, evaluation)
    if not isinstance(found, Evaluation):
        value = float(of_game(found)(game, s))
        return Estimated(game, evaluation, value, value, {}, None)
    return Estimated(
        game, evaluation, found(game, s), found.summed()(game, s),
        {name: of_game(feature)(game, s) for name, feature in found.features.items()},
        None if found.weights is None else dict(found.weights),
    )  # fmt: skip


def named_evaluation(game: Game, name: str) -> Any:
    """The game's evaluation of this name."""
    known = game.evaluations or {}
    if name not in known:
        raise BadParameter(f"{game.name} has no evaluation {name!r}; it has {_listing(game)}")
    return known[name]


def named_order(game: Game, name: str) -> Any:
    """The game's order of moves of this name."""
    known = game.orders or {}
    if name not in known:
        listed = ", ".join(known) or "none: write orders = {name: function} in the class"
        raise BadParameter(f"{game.name} has no order of moves {name!r}; it has {listed}")
    return known[name]


def _listing(game: Game) -> str:
    return ", ".join(game.evaluations or ()) or "none: write evaluations = {name: Evaluation(...)} in the class"


@lru_cache(maxsize=256)
def of_game(given: Any) -> Callable[[Any, Any], Any]:
    """A function of the state as one of game and state."""
    if len(inspect.signature(given).parameters) == 2:
        return given

    def with_game(game, s):
        return given(s)

    return with_game


# --- what is compiled: closures that kernels call ---------------------------------------------------------------------


def _sum_of(terms: tuple[tuple[Callable[[Any, Any], Any], float], ...]) -> Callable[[Any, Any], Any]:
    """The sum of all features times their weights."""
    *before, (feature, weight) = terms
    if not before:

        def first(game, s):
            return weight * feature(game, s)

        return first
    rest = _sum_of(tuple(before))

    def summed(game, s):
        return rest(game, s) + weight * feature(game, s)

    return summed


def _bent(total: Callable[[Any, Any], Any], middle: float, reach: float, half: float) -> Callable[[Any, Any], Any]:
    """The total on the scale of utilities: growing all the way, and never beyond the least and the greatest."""

    def estimate(game, s):
        x = total(game, s)
        return middle + reach * (x / (half + abs(x)))

    return estimate
