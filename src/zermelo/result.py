"""Answers that carry their evidence: what was found, by which method, within which limits, at what cost."""

from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeAlias

from zermelo.arguments import number, whole
from zermelo.contract import Game
from zermelo.plain_data import as_plain, frame, game_data

if TYPE_CHECKING:
    from pandas import DataFrame

    from zermelo.policy import Policy
    from zermelo.record import RecordedTree


Real: TypeAlias = int | float | Fraction
"""A number of an answer: exact where everything is exact."""


@dataclass(frozen=True)
class Limit:
    """How far a method may go; a field that is None sets no limit."""

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        for name in ("time", "nodes", "depth", "simulations"):
            value = getattr(self, name)
            if value is None:
                continue
            if name == "time":
                number(name, value, 0)
            else:
                whole(name, value, 0)


class Move(float):
    """What one action is worth to player 0: a number, with what is known about it.

    It is calculated with like any float, and compared as the integer or fraction that it is where no float holds it.

    >>> move = Move(0.5, bound="upper")
    >>> move == 0.5, move.bound
    (True, 'upper')
    """

    _number: Any
    bound: str
    values: tuple[Any, ...] | None
    visits: int | None
    interval: tuple[float, float] | None

    def __new__(
        cls,
        value: Any,
        *,
        bound: str = "exact",
        values: tuple[float, ...] | None = None,
        visits: int | None = None,
        interval: tuple[float, float] | None = None,
    ) -> "Move":
        self = super().__new__(cls, value)
        self._number = value.value if isinstance(value, Move) else value
        self.bound, self.values, self.visits, self.interval = bound, values, visits, interval
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any], dict[str, Any]]:
        return (self._number,), {
            "bound": self.bound,
            "values": self.values,
            "visits": self.visits,
            "interval": self.interval,
        }

    @property
    def value(self) -> Real:
        """The number itself."""
        exact: Any = self._number if isinstance(self._number, int | Rational) else None
        return float(self) if exact is None else exact

    def __repr__(self) -> str:
        sign = {"exact": "", "lower": ">=", "upper": "<=", "estimate": "~"}[self.bound]
        return f"{sign}{self.value}" if isinstance(self.value, int | Rational) else f"{sign}{float(self):g}"

    def __eq__(self, other: object) -> bool:
        return bool(self.value == _number(other))

    def __ne__(self, other: object) -> bool:
        return bool(self.value != _number(other))

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < _number(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= _number(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > _number(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= _number(other))

    def __hash__(self) -> int:
        return hash(self.value)


def _number(value: Any) -> Any:
    return value.value if isinstance(value, Move) else value


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a search found out about a state.

    `value` is player 0's; `values` are all players'; `action` is the move to play (None at an end) and `line` the
    play that follows from it; `moves` has every action that was looked at. `bound` says how far the value can be
    trusted: "exact", "lower", "upper", or "estimate" where a depth limit cut something off. `depth` is the depth that
    was asked for, or of iterative deepening the last one that was finished: where time or nodes ran out within the next
    depth, action, line and value are those that were found there.

    `nodes` are the positions that the search looked at, each time that it looked; branches that were cut off lead to
    none, and of sampling the simulations are counted. A recorded `tree` has just these nodes. With a limit of time or
    nodes, those of all depths are counted together, and the tree is that of the last.
    """

    value: float
    values: tuple[float, ...]
    action: int | None
    line: tuple[int, ...]
    moves: dict[int, Move]
    bound: str
    nodes: int
    depth: int | None
    time: float
    method: str
    device: str
    game: Game = field(repr=False)
    state: Any = field(repr=False)
    seed: int | None = None
    tree: "RecordedTree | None" = field(default=None, repr=False)
    policy: "Policy | None" = field(default=None, repr=False)
    """How player 0 plays, or the player whom the search is for, where that is more than one line of play. That of a
    plain search says what the same search does in any state, and lists the states that best play needs."""
    note: str = ""
    score: int | None = None
    """The value in the engine's own units, for player 0 (centipawns in chess), where an engine found it."""
    distance: int | None = None
    """The number of moves to the end where a win or a loss is forced, the last move included."""
    lines: tuple[tuple[int, ...], ...] = ()
    """The best lines of play, each from another first move, as many as were asked for."""
    scores: tuple[int, ...] = ()
    """The score of each of the `lines`."""
    deepest: int = 0
    """The longest line that was looked at, extensions and quiescence included."""
    compile_seconds: float = 0.0
    """Seconds that went into making or loading native code for this answer: they are no part of `time`."""
    decision: Any = field(default=None, repr=False)
    """The state in which the action is taken, where that is not `state`: chance may move first."""

    @property
    def line_names(self) -> tuple[str, ...]:
        """The line as people write it."""
        names, s = [], self._start
        for action in self.line:
            names.append(self.game.format_action(s, action))
            s = self.game.result(s, action)
        return tuple(names)

    @property
    def action_name(self) -> str | None:
        """The action as people write it."""
        return None if self.action is None else self.name_of(self.action)

    def name_of(self, action: int) -> str:
        """A first move as people write it."""
        return self.game.format_action(self._start, action)

    @property
    def _start(self) -> Any:
        """The state in which the line begins."""
        return self.state if self.decision is None else self.decision

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data, for `--json` and the page."""
        from zermelo.policy import in_an_answer

        document = {
            "position": self.game.format_state(self.state),
            "method": self.method,
            "device": self.device,
            **_as_json(self.value),
            "values": [_as_json(value)["value"] for value in self.values],
            "bound": self.bound,
            "action": self.action,
            "action_name": self.action_name,
            "line": list(self.line),
            "line_names": list(self.line_names),
            "moves": {
                self.name_of(a): {"action": a, **_as_json(m.value), "bound": m.bound} | _sampled(m)
                for a, m in self.moves.items()
            },
            "nodes": self.nodes,
            "depth": self.depth,
            "seconds": self.time,
            "compile_seconds": self.compile_seconds,
            "seed": self.seed,
            "note": self.note,
            "score": self.score,
            "distance": self.distance,
            "lines": self.lines,
            "scores": self.scores,
            "deepest": self.deepest,
        }
        policy = in_an_answer(self.policy, self.state, self.nodes)
        return game_data(self.game) | as_plain(document) | policy

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each move that was looked at. Values are player 0's."""
        columns = ("action", "name", "value", "bound", "best", "visits", "low", "high")
        return frame(
            columns,
            (
                (a, self.name_of(a), m.value, m.bound, a == self.action, m.visits, *(m.interval or (None, None)))
                for a, m in self.moves.items()
            ),
        )

    def __str__(self) -> str:
        from zermelo.draw.words.text import analysis_text

        return analysis_text(self)

    def _repr_svg_(self) -> str | None:
        if self.tree is None:
            return None
        from zermelo.draw.trees.drawing import tree_svg

        return tree_svg(self.tree)

    def _repr_html_(self) -> str:
        from zermelo.draw.words.html import analysis_html

        return analysis_html(self)


def _as_json(value: Any) -> dict[str, Any]:
    """A value for JSON; a fraction becomes the nearest float, with the fraction itself as text."""
    return {"value": value} if isinstance(value, int | float) else {"value": float(value), "fraction": str(value)}


def _sampled(move: Move) -> dict[str, Any]:
    """What sampling knows of a move."""
    known = {"visits": move.visits, "interval": move.interval}
    return {name: value for name, value in known.items() if value is not None}
