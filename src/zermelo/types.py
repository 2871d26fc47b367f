"""What callers pass to the methods, as types: functions that estimate, order and weigh, books, and players of a match.

>>> from zermelo.types import Evaluate
>>> import zermelo
>>> stones: Evaluate = lambda s: 1.0 if s.heaps.count(0) % 2 else -1.0
>>> zermelo.minimax(zermelo.game("nim"), depth=2, evaluate=stones).value
1.0
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, TypeAlias, TypedDict

from zermelo.contract import Game
from zermelo.result import Analysis

State: TypeAlias = Any
"""A state of the game at hand: what its `initial` and `result` return, most often its `Game.State`."""
Action: TypeAlias = int
"""An action, by the game's own numbering."""
Player: TypeAlias = int
"""0, 1, ..."""
Number: TypeAlias = SupportsFloat
"""An integer, a float or a fraction."""

Evaluate: TypeAlias = (
    str | Callable[[State], Number] | Callable[[Any, Any], Number] | Callable[[Any, State, Player], Number]
)
"""What a state is worth at the depth limit: `evaluate(s)` is player 0's estimate, `evaluate(s, player)` anybody's. Each
may take the game first; of two parameters the names tell `(s, player)` from `(game, s)`. A text names one of the game's
`evaluations`."""
Order: TypeAlias = str | Callable[[State, Action], Number] | Callable[[Any, State, Action], Number]
"""How early an action is searched: `order(s, action)`, larger is earlier. It may take the game first. A text names one
of the game's `orders`."""
Prior: TypeAlias = Callable[[State, Action], Number] | Callable[[Any, State, Action], Number]
"""How promising an action looks before any search: `prior(s, action)`, a weight >= 0. It may take the game first."""
Rollout: TypeAlias = Callable[[State, Action], Number] | Callable[[Any, State, Action], Number]
"""How likely an action is in playouts: `rollout(s, action)`, a weight >= 0. It may take the game first."""


class Book(Protocol):
    """What knows some positions without a search: a book of openings, a table of endings."""

    def lookup(self, game: Game, state: State, /) -> Analysis | None:
        """The book's answer for the state; None where it knows nothing."""


Books: TypeAlias = Book | Sequence[Book]
"""One book, or several that are asked one after the other."""
Entry: TypeAlias = str | Callable[[Any, State, Sequence[State], Any], Action]
"""Who plays in a match: a text such as "search:depth=4" (`zermelo.play.players`), or a function
`player(game, state, history, clock)` that returns an action."""
Players: TypeAlias = Sequence[Entry]
"""Who take part in a match."""


class Techniques(TypedDict, total=False):
    """The techniques of the engine that `search` switches off; `table` has an argument of its own."""

    deepening: bool
    zero_window: bool
    aspiration: bool
    captures_first: bool
    killers: bool
    history_moves: bool
    counter_moves: bool
    quiescence: bool
    check_extensions: bool
    singular_extensions: bool
    reductions: bool
    null_move: bool
    margins: bool
    win_distance: bool
    symmetry: bool
    path_values: bool
    corrections: bool
    glances: bool
    proof: bool


class EngineOptions(Techniques, total=False):
    """What an engine is made with; see `zermelo.search`."""

    threads: int
    table: int | bool
    evaluate: Evaluate | None
    device: str


class SamplingOptions(TypedDict, total=False):
    """How simulations are made; see `zermelo.mcts`."""

    c: float
    prior: Prior | bool | None
    rollout: Rollout | None
    evaluate: Evaluate | None
    rollout_depth: int | None
    rave: bool | float
    urgency: float | None
    widening: tuple[float, float] | None
    solver: bool
    playouts: int
    longest: int


class MonteCarloOptions(SamplingOptions, total=False):
    """What a player by Monte Carlo tree search is made with; see `zermelo.mcts`."""

    threads: int
    trees: int
    memory: int
    reuse: bool
    seed: int
    device: str
    record: bool


class ObserverOptions(TypedDict, total=False):
    """How simulations over information sets are made; see `zermelo.ismcts`."""

    c: float
    doubt: float
    longest: int
    memory: int
    device: str
    seed: int


class RegretOptions(TypedDict, total=False):
    """How regrets are counted; see `zermelo.cfr`."""

    variant: str
    seed: int
    device: str
    memory: int | None
    assess: bool
    simultaneous: bool
    alpha: float | None
    beta: float | None
    gamma: float | None
    exploration: float


class CfrOptions(RegretOptions, total=False):
    """The same, and where play begins."""

    state: State
    roots: Mapping[Any, float] | None


class ResolveOptions(RegretOptions, total=False):
    """The same, and how long regrets are counted; see `zermelo.resolve`."""

    iterations: int | None
    until: float | None
