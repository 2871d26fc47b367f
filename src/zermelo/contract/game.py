"""What a game is: one class with the textbook's six functions.

A game is states, players, actions and their results, ends, and what each player gets there. Subclass `Game`, write
`initial`, `to_move`, `actions`, `result`, `is_terminal` and `utility`, and every method of this package works on it.
Chance is a player (`CHANCE`); hidden information is a `view`; everything else is optional, and `hooks` lists it.
"""

import functools
import inspect
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.contract.bounded import with_an_end, within_bounds
from zermelo.contract.hooks import HOOK_NAMES, Hooks, PublicAndPrivate
from zermelo.contract.parameters import fit, listing, parameter_fields
from zermelo.contract.states import PACKAGE, keep_field_types, require_state
from zermelo.errors import BadParameter, BrokenContract, IllegalAction

if TYPE_CHECKING:
    from zermelo.draw.boards.picture import Picture

CHANCE = -1
"""The player who rolls the dice and deals the cards."""
MOST_ACTIONS = 1_000_000
MEMORIES = ("name", "traits", "draw_value", "_kept")
"""Attributes of a game in which this package keeps what it found out about it."""
SIGNATURES = {
    "initial": "initial(self) -> the first state",
    "to_move": "to_move(self, s) -> the player to move: 0, 1, ... or CHANCE",
    "actions": "actions(self, s) -> yields each legal action, an integer >= 0",
    "result": "result(self, s, action) -> the next state",
    "utility": "utility(self, s, player) -> what player gets at the end s",
}


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


class Game(Hooks):
    """The base of all games. Parameters are annotated fields with defaults; `Nim(heaps=(3, 4))` sets them.

    `State`, a NamedTuple class inside the game, is what its states are; any other hashable value serves as well in
    plain Python.
    """

    # --- the six functions -------------------------------------------------------------------------------------

    if TYPE_CHECKING:

        def initial(self) -> Any:
            """The first state."""

        def to_move(self, s: Any, /) -> int:
            """Who moves in `s`: 0, 1, ... or CHANCE."""

        def actions(self, s: Any, /) -> Iterable[int]:
            """Each legal action in `s`, an integer >= 0, in a fixed order; written with `yield`."""

        def result(self, s: Any, action: int, /) -> Any:
            """The state after `action`; `s` is left as it is."""

        def is_terminal(self, s: Any, /) -> bool:
            """Whether the game is over."""

        def utility(self, s: Any, player: int, /) -> Any:
            """What `player` gets at the end `s`: a number."""

    # --- what else the class says; each may be a property where it depends on parameters -------------------------

    players: Any = 2
    """The number of players."""
    max_actions: Any = 256
    """No state has more actions than this; native code sizes its buffers by it."""
    repetition: Any = None
    """What a repeated position means: None (the rules have no loops), "draw", ("draw", times) or "forbidden"."""
    bounds: Any = None
    """The least and the greatest utility of player 0, where the author knows them: pruning uses it."""
    utility_sum: Any = None
    """What the utilities of all players always sum to; where it is None, random play finds it out."""
    is_watched: ClassVar[bool] = True
    """Whether kernels check what the rules return; the rules of this package's own games are checked by tests."""

    # --- other forms of the six functions, derived where a game does not write them ----------------------------

    if not TYPE_CHECKING:

        def actions(self, s):
            """The actions in `s`: written by the game, or read off its `fill`."""
            out = [0] * self.max_actions
            return iter(out[: self.fill(s, out, 0)])

        def is_terminal(self, s):
            """Whether the game is over: what `is_over` says, or no action is left."""
            return self.is_over(s) or next(iter(self.actions(s)), None) is None

    def is_over(self, s: Any) -> bool:
        """Whether the game has visibly ended; searches ask this, then generate, and treat no actions as an end.

        In a game that writes `is_terminal` alone, `is_over` is that function.
        """
        return False

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

    @property
    def writes_text(self) -> bool:
        """Whether the game writes its states for people by a `text` of its own."""
        return self._defines("text")

    @property
    def ends_without_actions(self) -> bool:
        """Whether a state without actions is an end (or else a broken contract, since `is_terminal` denied it)."""
        return not self._defines("is_terminal")

    # --- repetition --------------------------------------------------------------------------------------------

    @property
    def draws_by_repetition(self) -> bool:
        """Whether a repeated position is a draw."""
        return self.repetition is not None and not self.forbids_repetition

    @property
    def forbids_repetition(self) -> bool:
        """Whether moves into an earlier position are illegal."""
        return self.repetition == "forbidden"

    @property
    def repetition_count(self) -> int:
        """How often a position must have come up to be a draw."""
        return self.repetition[1] if isinstance(self.repetition, tuple) else 2

    @functools.cached_property
    def draw_value(self) -> float:
        """What everybody gets from a draw by repetition: an equal share of all utilities, 0 in a zero-sum game."""
        from zermelo.traits import total

        return float(total(self) or 0.0) / self.players

    @property
    def is_known_by_key(self) -> bool:
        """Whether states of equal key are one state to a transposition table."""
        return self._defines("key") and not self.forbids_repetition

    # --- what every game has -----------------------------------------------------------------------------------

    @functools.cached_property
    def name(self) -> str:
        """The game's name, in small letters: ConnectFour is connect_four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(self).__name__).lower()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters and their values."""
        own = {k: v for k, v in vars(self).items() if not k.startswith("_") and not hasattr(type(self), k)}
        return {name: getattr(self, name) for name in self._fields if hasattr(self, name)} | own

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is: from what it defines, and from some random play."""
        from zermelo.traits import infer

        return infer(self)

    def play(self, s: Any, *actions: int | str) -> Any:
        """The state after these actions, each of which is checked; text names an action as people write it."""
        for action in actions:
            s = self.result(s, self._legal_action(s, action))
        return s

    def _legal_action(self, s: Any, action: int | str) -> int:
        """The action, or the one that a text names, where it is legal."""
        if self.is_terminal(s):
            raise IllegalAction(f"{action!r} is not legal in {self.name} here; the game is over")
        if isinstance(action, str):
            action = self.parse_action(s, action)
        legal = list(self.actions(s))
        if action not in legal:
            names = [self.format_action(s, a) for a in legal]
            shown = [str(a) if name == str(a) else f"{a} ({name})" for a, name in zip(legal, names, strict=True)]
            raise IllegalAction(f"{action!r} is not legal in {self.name} here; legal: {_beginning(shown)}")
        return action

    def successors(self, s: Any) -> Iterator[tuple[int, Any]]:
        """Each action of `s` with the state that it leads to."""
        for action in self.actions(s):
            yield action, self.result(s, action)

    def show(self, s: Any = None, player: int | None = None) -> "Picture":
        """The state `s`, the first one where none is given, as something that notebooks draw and `print` prints.

        Given a player, it is what that player sees.
        """
        from zermelo.draw.boards.picture import Picture

        if s is not None:
            require_state(self, s)
        return Picture(self, self.initial() if s is None else s, player)

    def _repr_html_(self) -> str | None:
        from zermelo.draw.boards.game import game_html

        return game_html(self)

    def _legal_names(self, s: Any, legal: list[int]) -> str:
        return _beginning([self.format_action(s, a) for a in legal])

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items())
        return f"{type(self).__name__}({inside})"

    def __dir__(self) -> list[str]:
        """What can be called or read: hooks that this game says nothing of are left out."""
        return [name for name in super().__dir__() if name not in HOOK_NAMES or self._answers(name)]

    def _answers(self, hook: str) -> bool:
        """Whether the game itself defines the hook, or the package has a method for games that do not."""
        value = inspect.getattr_static(self, hook)
        return value is not None and (callable(value) or self._defines(hook) or hook in vars(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self._identity() == other._identity()

    def _identity(self) -> tuple[Any, ...]:
        """What makes two games of a class equal: parameters, and whether an instance has no view or no odds."""
        return self.parameters, self.view is None, self.probability is None

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: all but what is found out again when it is asked for."""
        return {name: value for name, value in vars(self).items() if name == "name" or not self._is_found_out(name)}

    def _is_found_out(self, name: str) -> bool:
        kept = inspect.getattr_static(type(self), name, None)
        return name == "_kept" or isinstance(kept, functools.cached_property)

    # --- how a game is made ------------------------------------------------------------------------------------

    _fields: ClassVar[dict[str, Any]] = {}
    _over_is_terminal: ClassVar[bool]
    """Set where the author wrote no `is_over`: it is then `is_terminal` under another name."""
    _is_small = False
    """Whether plain Python is through with the whole game before anything could be compiled."""
    _is_blurred: Any = None
    """Whether some payoffs differ and no float tells them apart; None where that shows at the ends alone."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._fields = {**cls._fields, **parameter_fields(cls)}
        if _author_of(cls, "is_over") is None and _author_of(cls, "is_terminal") is not None:
            cls.is_over = cls.is_terminal  # type: ignore[assignment, method-assign]
            cls._over_is_terminal = True
        opened = "view" in vars(cls) and not {"public", "private"} & vars(cls).keys()
        if cls.view is None and cls.public is not None and cls.private is not None and not opened:
            cls.view = PublicAndPrivate.view
        own = cls.__module__.startswith(PACKAGE)
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
                raise BrokenContract(f"{type(self).__name__} lacks the method {method}; see {SIGNATURES[method]}")
        if not (self._defines("actions") or self._defines("fill")):
            raise BrokenContract(f"{type(self).__name__} lacks the method actions; see {SIGNATURES['actions']}")
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

    def _defines(self, method: str) -> bool:
        return _author_of(type(self), method) is not None


def _beginning(names: list[str]) -> str:
    """The first of the names, and how many more there are."""
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "") or "none"


def _author_of(cls: type, method: str) -> type | None:
    """The class below Game that defines the method itself; None where it is the package's own."""
    for base in cls.__mro__:
        if base is Game:
            return None
        own = base.__dict__.get(method)
        if own is not None and not (method == "is_over" and "_over_is_terminal" in base.__dict__):
            return None if own is inspect.getattr_static(Game, method, None) else base
    return None


def player_name(game: Game, player: int) -> str:
    """What a player is called: by the game's own name, or by number."""
    if player == CHANCE:
        return "chance"
    return str(game.names[player]) if game.names else f"player {player}"


def require_instance(game: Any, method: str) -> None:
    """Refuse what is no game at all."""
    if not isinstance(game, Game):
        hint = "give a Game"
        if isinstance(game, type) and issubclass(game, Game):
            hint = "make an instance of it"
        elif isinstance(game, list | tuple | dict):
            hint = "write zermelo.Tree(...) or zermelo.Matrix(...) around it"
        elif isinstance(game, str):
            hint = "write zermelo.game(...) around it"
        raise BadParameter(f"{method}: {game!r} is no game; {hint}")


def require_game(game: Any, method: str) -> None:
    """Refuse what is no game, and one that nobody plays."""
    require_instance(game, method)
    if not has_players(game):
        raise BrokenContract(f"{game.name}: players is {game.players!r}: write a number >= 1")


def has_players(game: Game) -> bool:
    """Whether the class says how many play."""
    return isinstance(game.players, int) and not isinstance(game.players, bool) and game.players >= 1
