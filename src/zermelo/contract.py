"""What a game is: one class with the textbook's six functions.

A game is states, players, actions and their results, ends, and what each player gets there. Subclass `Game`, write
`initial`, `to_move`, `actions`, `result`, `is_terminal` and `utility`, and every method of this package works on it.
Chance is a player (`CHANCE`); hidden information is a `view`; everything else is optional and listed in the docs.
"""

import ast
import functools
import inspect
import itertools
import re
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.bits import u64
from zermelo.bounded import LARGEST, LEAST, board, whole, whole_items, with_an_end, within_bounds
from zermelo.errors import BadParameter, BadState, BrokenContract, CompileError, IllegalAction
from zermelo.parameters import fit, listing, parameter_fields

MOST_ACTIONS = 1_000_000
STATE_NAMES = ("s", "state", "position")
"""How people call what a function is asked about."""
MEMORIES = ("name", "traits", "draw_value", "_kept")
"""Attributes of a game in which this package keeps what it found out about it."""
CHANCE = -1
"""The player who rolls the dice and deals the cards."""


@dataclass(frozen=True)
class Traits:
    """What kind of game it is, as far as its definition and some random play tell."""

    players: int
    chance: bool
    hidden: bool
    simultaneous: bool
    zero_sum: bool

    def __str__(self) -> str:
        words = [f"{self.players} player" + ("s" if self.players != 1 else "")]
        words.append("chance" if self.chance else "deterministic")
        words.append("hidden information" if self.hidden else "perfect information")
        words.append("simultaneous moves" if self.simultaneous else "turns")
        if self.players > 1:
            words.append("zero sum" if self.zero_sum else "general sum")
        return ", ".join(words)


class Game:
    """The base of all games. Parameters are annotated fields with defaults; `Nim(heaps=(3, 4))` sets them."""

    players: ClassVar[int] = 2
    max_actions: ClassVar[int] = 256
    """No state has more actions than this; native code sizes its buffers by it."""
    repetition: ClassVar[Any] = None
    """What a repeated position means: None (the rules have no loops), "draw", ("draw", times) or "forbidden"."""
    bounds: ClassVar[tuple[float, float] | None] = None
    """The least and the greatest utility of player 0, where the author knows them: pruning uses it."""
    utility_sum: ClassVar[float | None] = None
    """What the utilities of all players always sum to, where the author says so; otherwise some games are played."""
    sampling: ClassVar[dict[str, Any] | None] = None
    """The options of Monte Carlo tree search with which it plays this game best."""
    symmetry_count: ClassVar[int] = 1
    rollout_words: Any = 0
    """Words of memory that `rollout` needs."""
    notes_words: Any = 0
    """Words of memory for the notes of `noted_score`."""
    advantage: ClassVar[int | None] = None
    """A small but clear advantage in units of `score` (a pawn in chess): forward pruning by margins uses it."""

    # Hooks that a game may define; None means that it does not. The docs page "The contract" lists them all.
    probability: Any = None
    draw: Any = None
    view: Any = None
    public: Any = None
    private: Any = None
    sample: Any = None
    fill_noisy: Any = None
    null: Any = None
    in_check: Any = None
    order: Any = None
    is_noisy: Any = None
    exchange: Any = None
    reversible: Any = None
    played_on: Any = None
    structure: Any = None
    structures: int = 1
    evaluate: Any = None
    score: Any = None
    noted_score: Any = None
    expected: Any = None
    explain: Any = None
    features: Any = None
    planes: Any = None
    transform: Any = None
    transform_action: Any = None
    subspace: Any = None
    size: Any = None
    index: Any = None
    state_at: Any = None
    is_valid: Any = None
    predecessors: Any = None
    rollout: Any = None
    prior: Any = None
    solver: Any = None
    """solver(game, table=, device=): solves positions exactly, however far the end is; `zermelo.solve` calls it."""
    svg: Any = None

    _fields: ClassVar[dict[str, Any]] = {}
    _over_is_terminal: ClassVar[bool]
    """Set where `is_over` is not the author's: it is `is_terminal` under its other name."""
    is_watched: ClassVar[bool] = True
    """Whether kernels look at what its rules return: at those of this package's own games tests have looked."""
    _is_small = False
    """Whether plain Python is through with the whole game before anything could be compiled."""
    _is_blurred: Any = None
    """Whether some payoffs differ and no float tells them apart; None where that shows at the ends alone."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._fields = {**cls._fields, **parameter_fields(cls)}
        if _author_of(cls, "is_over") is None and _author_of(cls, "is_terminal") is not None:
            cls.is_over = cls.is_terminal  # type: ignore[method-assign]
            cls._over_is_terminal = True
        opened = "view" in vars(cls) and not {"public", "private"} & vars(cls).keys()
        if cls.view is None and cls.public is not None and cls.private is not None and not opened:
            cls.view = _PublicAndPrivate.view
        own = cls.__module__.startswith(f"{__package__}.")
        if "is_watched" not in vars(cls):
            cls.is_watched = not own
        if not own:
            for name, bound in (("actions", with_an_end), ("fill", within_bounds), ("fill_noisy", within_bounds)):
                if inspect.isfunction(cls.__dict__.get(name)):
                    setattr(cls, name, bound(cls.__dict__[name]))
        state = cls.__dict__.get("State")
        if state is not None:
            keep_field_types(state)

    def __init__(self, *values: Any, **parameters: Any) -> None:
        names = list(self._fields)
        if len(values) > len(names):
            raise BadParameter(f"{self.name} takes {listing(names)}, not {len(values)} values")
        given = dict(zip(names, values, strict=False))
        for name, value in parameters.items():
            if name not in self._fields:
                raise BadParameter(f"{self.name} has no parameter {name!r}; it takes {listing(names)}")
            if name in given:
                raise BadParameter(f"{self.name}: {name} was given twice")
            given[name] = value
        for name, kind in self._fields.items():
            if name in given:
                setattr(self, name, fit(self.name, name, given[name], kind))
            elif not hasattr(self, name):
                raise BadParameter(f"{self.name} needs a value for {name}")
        for method in ("initial", "to_move", "result", "utility"):
            if not hasattr(self, method):
                raise BrokenContract(f"{type(self).__name__} lacks the method {method}; see {_SIGNATURES[method]}")
        if not (self._defines("actions") or self._defines("fill")):
            raise BrokenContract(f"{type(self).__name__} lacks the method actions; see {_SIGNATURES['actions']}")
        self.validate()
        self._check_class_fields()

    def _check_class_fields(self) -> None:
        most, again = self.max_actions, self.repetition
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_ACTIONS:
            raise BrokenContract(f"{type(self).__name__}: max_actions must be 1 .. {MOST_ACTIONS:,}, not {most!r}")
        match again:
            case None | "draw" | "forbidden":
                return
            case ("draw", int() as times) if times >= 2:
                return
        raise BrokenContract(
            f'{type(self).__name__}: repetition must be None, "draw", ("draw", 3) or "forbidden", not {again!r}'
        )

    def validate(self) -> None:
        """Raise BadParameter where parameters make no sense together. Games override this."""

    if TYPE_CHECKING:

        def initial(self) -> Any:
            """The first state."""

        def to_move(self, s: Any) -> int:
            """Who moves in `s`: 0, 1, ... or CHANCE."""

        def result(self, s: Any, action: int) -> Any:
            """The state after `action`."""

        def utility(self, s: Any, player: int) -> Any:
            """What `player` gets at the end `s`."""

    # --- the six functions -------------------------------------------------------------------------------------
    # A subclass writes initial(self), to_move(self, s), actions(self, s), result(self, s, action),
    # is_terminal(self, s) and utility(self, s, player). Those below are derived where it does not.

    def actions(self, s: Any) -> Iterator[int]:
        """The actions in `s`: written by the game, or read off its `fill`."""
        out = [0] * self.max_actions
        return iter(out[: self.fill(s, out, 0)])

    def fill(self, s: Any, out: Any, n: int) -> int:
        """Write the actions to `out[n]`, `out[n + 1]`, ... and return the index after the last; -1: too many."""
        actions = [*self.actions(s)]
        count = len(actions)
        if count > self.max_actions:
            return -1
        out[n : n + count] = actions
        return n + count

    def action_count(self, s: Any) -> int:
        """How many actions there are."""
        return sum(1 for _ in self.actions(s))

    def nth_action(self, s: Any, k: int) -> int:
        """Action number `k` of `s`, counted from 0."""
        return next(itertools.islice(self.actions(s), k, None))

    @property
    def writes_fill(self) -> bool:
        """Whether the game generates its actions by a `fill` of its own."""
        return self._defines("fill")

    def is_terminal(self, s: Any) -> bool:
        """Whether the game is over: what `is_over` says, or no action is left."""
        return self.is_over(s) or next(iter(self.actions(s)), None) is None

    def is_over(self, s: Any) -> bool:
        """Whether the game has visibly ended; searches ask this, then generate, and treat no actions as an end.

        A game that writes `is_terminal` alone has nothing to generate first: both are then the same.
        """
        return False

    @property
    def draws_by_repetition(self) -> bool:
        """Whether a repeated position is a draw."""
        return self.repetition is not None and not self.forbids_repetition

    @functools.cached_property
    def draw_value(self) -> float:
        """What everybody gets from a draw by repetition: an equal share of what there is, 0 in a zero-sum game."""
        from zermelo.traits import total

        return float(total(self) or 0.0) / self.players

    @property
    def forbids_repetition(self) -> bool:
        """Whether moves into an earlier position are illegal."""
        return self.repetition == "forbidden"

    @property
    def repetition_count(self) -> int:
        """How often a position must have come up to be a draw."""
        return self.repetition[1] if isinstance(self.repetition, tuple) else 2

    @property
    def ends_without_actions(self) -> bool:
        """Whether a state without actions is an end (or else a broken contract, since `is_terminal` denied it)."""
        return not self._defines("is_terminal")

    # --- people ------------------------------------------------------------------------------------------------

    def key(self, s: Any) -> int:
        """What counts as the same position: a 64-bit hash of the whole state."""
        from zermelo.compile.hashing import hash64

        return hash64(s)

    def table_key(self, s: Any) -> int:
        """What a transposition table knows a state by.

        Positions of equal key are the same to play on from, but where repetition is forbidden: there the key is what
        must not come again (in Go the stones alone, whoever is to move).
        """
        return self.key(s) if self.is_known_by_key else Game.key(self, s)

    @property
    def is_known_by_key(self) -> bool:
        """Whether states of equal key are one state to a transposition table."""
        return self._defines("key") and not self.forbids_repetition

    @property
    def policy_size(self) -> int:
        """How many entries a table of actions needs."""
        return self.max_actions

    def policy_index(self, s: Any, action: int) -> int:
        """The action's entry in a table of `policy_size`."""
        return action

    @property
    def history_size(self) -> int:
        """How many kinds of actions an engine keeps statistics of."""
        return self.policy_size

    def history_index(self, s: Any, action: int) -> int:
        """The kind of this action, below `history_size`; the fewer kinds there are, the faster an engine learns."""
        return self.policy_index(s, action)

    def format_action(self, s: Any, action: int) -> str:
        """The action as people write it."""
        return str(action)

    def parse_action(self, s: Any, text: str) -> int:
        """The legal action that `text` names; IllegalAction where none does."""
        text = text.strip()
        legal = list(self.actions(s))
        names = {self.format_action(s, action): action for action in legal}
        if text in names:
            return names[text]
        if text.isdecimal() and int(text) in legal and not any(name.isdecimal() for name in names):
            return int(text)
        raise IllegalAction(f"{text!r} is not legal here; legal: {self._legal_names(s, legal)}")

    def format_state(self, s: Any) -> str:
        """The state on one line, as `parse_state` reads it."""
        return repr(_plain(s))

    def parse_state(self, text: str) -> Any:
        """The state that `format_state` wrote."""
        try:
            return self.checked_state(_rebuild(ast.literal_eval(text.strip()), self.initial()))
        except (BrokenContract, ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            if isinstance(error, BadState):
                raise
            example = self.format_state(self.initial())
            raise BadState(f"{text!r} is no state of {self.name}; the first one is written {example}") from None

    def text(self, s: Any, player: int | None = None) -> str:
        """The state for a terminal; given a player, only what that player may see."""
        if player is not None and self.view is not None:
            seen = self.view(s, player)
            return ", ".join(f"{k}={v}" for k, v in seen._asdict().items()) if hasattr(seen, "_asdict") else str(seen)
        return ", ".join(f"{k}={v}" for k, v in s._asdict().items()) if hasattr(s, "_asdict") else str(s)

    # --- what the package asks of a game -----------------------------------------------------------------------

    @functools.cached_property
    def name(self) -> str:
        """The game's name, in small letters: ConnectFour is connect_four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(self).__name__).lower()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters and their values."""
        own = {k: v for k, v in vars(self).items() if not k.startswith("_") and not hasattr(type(self), k)}
        return {name: getattr(self, name) for name in self._fields if hasattr(self, name)} | own

    def play(self, s: Any, *actions: int) -> Any:
        """The state after these actions, each of which is checked."""
        for action in actions:
            legal = [] if self.is_terminal(s) else list(self.actions(s))
            if action not in legal:
                where = "the game is over" if not legal else f"legal: {self._legal_names(s, legal)}"
                raise IllegalAction(f"{action!r} is not legal in {self.name} here; {where}")
            s = self.result(s, action)
        return s

    def checked_state(self, s: Any) -> Any:
        """`s` itself where it can be a state of this game; BadState where it cannot."""
        kind = getattr(self, "State", None)
        first = self.initial() if kind is None else None
        wanted = kind if isinstance(kind, type) else type(first)
        if not isinstance(s, wanted):
            owner = type(s).__qualname__.rpartition(".")[0]
            of = f" (a state of {owner})" if owner else ""
            raise BadState(f"{self.name} wants a {wanted.__qualname__}, not {_shortened(repr(s))}{of}")
        if not is_hashable(s):
            raise BadState(f"{self.name}: states must be hashable; {_shortened(repr(s))} is not")
        self._check_shape(s)
        return s

    def _check_shape(self, s: Any) -> None:
        """Where states have a fixed shape, `s` must have it."""
        from zermelo.compile.layout import flat, state_layout

        try:
            shape = state_layout(self)
        except CompileError:
            return
        try:
            flat(shape, s)
        except (TypeError, ValueError) as error:
            if isinstance(error, ValueError) and _has_open_tuple(self):
                return
            example = _shortened(repr(self.initial()))
            raise BadState(f"{self.name}: {_shortened(repr(s))} has another shape than {example} ({error})") from None

    def successors(self, s: Any) -> Iterator[tuple[int, Any]]:
        """Each action of `s` with the state that it leads to."""
        for action in self.actions(s):
            yield action, self.result(s, action)

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is: from what it defines, and from some random play."""
        from zermelo.traits import infer

        return infer(self)

    def _defines(self, method: str) -> bool:
        return _author_of(type(self), method) is not None

    def _legal_names(self, s: Any, legal: list[int]) -> str:
        names = [self.format_action(s, a) for a in legal]
        return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "") or "none"

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items())
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self._identity() == other._identity()

    def _identity(self) -> tuple[Any, ...]:
        """What makes two games of a class the same: parameters, and which of its traits an instance has laid down."""
        return self.parameters, self.view is None, self.probability is None

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))


_SIGNATURES = {
    "initial": "initial(self) -> the first state",
    "to_move": "to_move(self, s) -> the player to move: 0, 1, ... or CHANCE",
    "actions": "actions(self, s) -> yields each legal action, an integer >= 0",
    "result": "result(self, s, action) -> the next state",
    "utility": "utility(self, s, player) -> what player gets at the end s",
}


def keep_field_types(state: Any) -> None:
    """Make `State(...)` hold its fields to their types, as native code does: boards stay `u64`, truth stays truth, and
    an integer has 64 bits and is no float."""
    if not hasattr(state, "_fields"):
        return
    kinds = annotations_of(state)
    for kind in kinds.values():
        keep_field_types(kind)
    if "_keeps_types" in state.__dict__:
        return
    strict = not state.__module__.startswith(f"{__package__}.")
    kept = {name: _kept(state, name, kinds.get(name), strict) for name in state._fields}
    if list(kept.values()) == list(kept):
        return
    defaults = state._field_defaults
    header = ", ".join(f"{n}=_defaults[{n!r}]" if n in defaults else n for n in state._fields)
    # No field of a NamedTuple begins like these.
    space = {"_u64": u64, "_new": tuple.__new__, "_defaults": defaults, "_board": board, "_whole": whole}
    space["_whole_items"] = whole_items
    exec(f"def __new__(_cls, {header}): return _new(_cls, ({', '.join(kept.values())},))", space)
    state.__new__ = space["__new__"]
    state._make = classmethod(_made_of)
    state._keeps_types = True


def _kept(state: Any, name: str, kind: Any, strict: bool) -> str:
    """The expression for a field of this type; this package's own states need no checks."""
    where = f"{state.__qualname__!r}, {name!r}"
    if kind is u64:
        return f"{name} if type({name}) is _u64 else " + (f"_board({where}, {name})" if strict else f"_u64({name})")
    if strict and kind is bool:
        return f"{name} if type({name}) is bool else bool({name})"
    if strict and kind is int:
        return f"{name} if type({name}) is int and {LEAST} <= {name} <= {LARGEST} else _whole({where}, {name})"
    if strict and typing.get_origin(kind) is tuple and set(typing.get_args(kind)) <= {int, ...}:
        return f"_whole_items({where}, {name})"
    return name


def _made_of(state: Any, values: Any) -> Any:
    """What `_make` and `_replace` give: the same checks."""
    return state(*values)


def annotations_of(kind: Any) -> dict[str, Any]:
    """The annotations of a class, resolved even where they are written as strings."""
    try:
        return typing.get_type_hints(kind)
    except (NameError, TypeError):
        space = {"u64": u64, "int": int, "bool": bool, "tuple": tuple}
        known = {}
        for name, value in inspect.get_annotations(kind).items():
            try:
                known[name] = eval(value, space) if isinstance(value, str) else value
            except (NameError, SyntaxError, TypeError):
                known[name] = Any
        return known


class _PublicAndPrivate:
    """The view of games that say what everybody has seen and what is a player's own."""

    public: Any
    private: Any

    def view(self, s, player):
        return self.public(s), self.private(s, player)


def _author_of(cls: type, method: str) -> type | None:
    """The class below Game that defines the method itself; None where it is the package's own."""
    for base in cls.__mro__:
        if base is Game:
            return None
        own = base.__dict__.get(method)
        if own is not None and not (method == "is_over" and "_over_is_terminal" in base.__dict__):
            return None if own is Game.__dict__.get(method) else base
    return None


def require_instance(game: Any, method: str) -> None:
    """Refuse what is no game at all."""
    if not isinstance(game, Game):
        hint = "make an instance of it" if isinstance(game, type) and issubclass(game, Game) else "give a Game"
        raise BadParameter(f"{method}: {game!r} is no game; {hint}")


def require_game(game: Any, method: str) -> None:
    """Refuse what is no game, and one that nobody plays."""
    require_instance(game, method)
    if not has_players(game):
        raise BrokenContract(f"{game.name}: players is {game.players!r}: write a number >= 1")


def has_players(game: Game) -> bool:
    """Whether the class says how many play."""
    return isinstance(game.players, int) and not isinstance(game.players, bool) and game.players >= 1


def _has_open_tuple(game: Game) -> bool:
    """Whether the states have tuples whose length the annotations leave open: they may then change in plain Python."""
    kind_of_state = getattr(game, "State", None)
    hints = annotations_of(kind_of_state) if isinstance(kind_of_state, type) else {"": tuple}
    return any(kind is tuple or typing.get_args(kind)[-1:] == (Ellipsis,) for kind in hints.values())


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def is_hashable(value: Any) -> bool:
    """Whether the value and all that is in it can be hashed."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _plain(value: Any) -> Any:
    """Tuples and integers only, so that `ast.literal_eval` reads the repr back."""
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _rebuild(value: Any, like: Any) -> Any:
    """`value` in the types of `like`."""
    if isinstance(like, tuple):
        if not isinstance(value, tuple) or (hasattr(like, "_fields") and len(value) != len(like)):
            raise ValueError("the shape differs")
        if hasattr(like, "_fields"):
            return type(like)(*(_rebuild(v, k) for v, k in zip(value, like, strict=True)))
        kinds = like if len(like) == len(value) else (like[0],) * len(value) if like else value
        return tuple(_rebuild(v, k) for v, k in zip(value, kinds, strict=True))
    if isinstance(like, int) and not isinstance(like, bool):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError("not an integer")
        return type(like)(value)
    if type(value) is not type(like):
        raise ValueError("the type differs")
    return value
