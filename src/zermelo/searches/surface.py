"""Where a public call becomes a kernel call: arguments are checked, what went wrong is said."""

import gc
import inspect
import math
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from zermelo.compile import as_number, machine
from zermelo.compile.memory import float_to_word
from zermelo.compile.program import STOPPED, parameters_of
from zermelo.contract import STATE_NAMES, Game, require_game
from zermelo.errors import (
    BadParameter,
    BrokenContract,
    EndlessGame,
    Interrupted,
    UnsuitableGame,
    ZermeloError,
    no_actions,
    too_many_actions,
)
from zermelo.exact import as_value, shown
from zermelo.running.faults import fault
from zermelo.searches.plain import walk
from zermelo.traits import survey, total

PLAYER_NAMES = ("player", "who", "mover", "side")
"""How people call whom an estimate is asked for."""
SMALL_ROOM = 1 << 13
"""Words for actions with which a search in plain Python begins; it gets more when it needs more."""


LARGEST = sys.float_info.max
ANYWHERE = (-math.inf, math.inf)


class Rounding(NamedTuple):
    """What rounding may have done to an answer: whether numbers were finer than floats are, whether floats were
    averaged, whether a choice between averages was close, and the least and the greatest size of what was averaged."""

    finer: bool = False
    averaged: bool = False
    close: bool = False
    smallest: Any = LARGEST
    largest: Any = 0.0


class Walk:
    """One search of one game: its machine, its memories, and what it counted."""

    def __init__(
        self,
        game: Game,
        history: Sequence[Any],
        device: str,
        width: int = 1,
        within: tuple[Any, Any] = ANYWHERE,
    ) -> None:
        self.game, self.width, self.device, self.within = game, width, device, within
        self.machine = machine(device)
        native, loops = device != "python", game.repetition is not None
        self.history = history_keys(game, history)
        self.room = walk.LARGEST_ROOM if native else SMALL_ROOM
        self.memory = self._memory()
        self.root = self.machine.memory(1 + game.max_actions * max(width, game.players))
        self.again = self.machine.memory(1 + game.max_actions * max(width, game.players))
        self.line = self.machine.memory(walk.MAX_PLY + 2 if native else 0)
        self.keys = self.machine.memory(len(self.history) + 2 * walk.MAX_PLY + 4 if loops else 1)
        self.searched = 0
        """Nodes of the last search, the line that follows from it left out."""
        self.cut = False
        """Whether a depth limit cut something off in it."""
        self.rounding = Rounding()
        self.wrong: Any = 0.0
        """A number that lies where none should."""

    def _memory(self) -> Any:
        return self.machine.memory(self.room + walk.SPARE * self.game.max_actions)

    def run(self, kernel: Any, **arguments: Any) -> Any:
        """The kernel's answer; raises what its status says."""
        if arguments.get("record") is not None:
            # What was recorded cannot be taken back: there must be room from the start.
            self.room = walk.LARGEST_ROOM
            self.memory = self._memory()
        status, answer = self._try(kernel, **arguments)
        while status == walk.NO_ROOM and self.room < walk.LARGEST_ROOM:
            self.room *= 4
            self.memory = self._memory()
            status, answer = self._try(kernel, **arguments)
        if status in (walk.UTILITY_OUTSIDE, walk.ESTIMATE_OUTSIDE):
            raise self._outside(status)
        fail(self.game, status)
        return answer

    def _try(self, kernel: Any, **arguments: Any) -> tuple[int, Any]:
        work = self.machine.memory(walk.WORK_WORDS)
        work[walk.ROOM] = self.room
        work[walk.PATH] = len(self.history)
        least, most = self.within
        self.machine.write(work, walk.LEAST, [self._word(max(least, -LARGEST)), self._word(min(most, LARGEST))])
        self.machine.write(work, walk.SMALLEST, [self._word(LARGEST), self._word(_reach(self.within))])
        self.root[0] = 0
        if self.game.repetition is not None:
            for i, key in enumerate(self.history):
                self.keys[i] = key
        given = {
            "game": self.game, "memory": self.memory, "top": 0, "ply": 0, "root": self.root, "again": self.again,
            "keys": self.keys, "work": work, "line": self.line, "record": None, **arguments,
        }  # fmt: skip
        with deep_recursion():
            answer = self.machine.call(kernel, **{name: given[name] for name in parameters_of(kernel)})
        self.searched, self.cut = work[walk.SEARCHED], bool(work[walk.SEARCH_CUT])
        smallest, largest = self.machine.floats(work, walk.SMALLEST, 2)
        self.rounding = Rounding(
            bool(work[walk.FINER]), bool(work[walk.AVERAGED]), bool(work[walk.CLOSE]), smallest, largest
        )
        self.wrong = self.machine.floats(work, walk.WRONG, 1)[0]
        return work[walk.STATUS], answer

    def _word(self, value: Any) -> Any:
        return value if self.device == "python" else float_to_word(float(value))

    def _outside(self, status: int) -> ZermeloError:
        """The error of a value that does not lie between the bounds by which the search prunes."""
        name, own = self.game.name, self.within == self.game.bounds
        bounds = f"({shown(self.within[0])}, {shown(self.within[1])})"
        if status == walk.ESTIMATE_OUTSIDE:
            return BadParameter(
                f"{name}: an estimate of {shown(self.wrong)} lies outside the bounds {bounds}, by which branches are "
                "pruned: scale evaluate to the utilities, or pass bounds=(low, high) that hold it"
            )
        kind, remedy = (BrokenContract, "widen bounds in the class") if own else (BadParameter, "pass wider bounds=")
        return kind(
            f"{name}: a utility of {shown(self.wrong)} lies outside the bounds {bounds}, by which branches are pruned: "
            f"{remedy}"
        )

    def first_moves(self) -> list[tuple[int, tuple[float, ...]]]:
        """The first moves, in the order of search, with player 0's value or everybody's."""
        count = self.root[0]
        flat = self.machine.floats(self.root, 1, count * self.width)
        actions = self.words(self.memory, count)
        return [(actions[i], flat[i * self.width : (i + 1) * self.width]) for i in range(count)]

    def words(self, memory: Any, count: int) -> tuple[int, ...]:
        """The first words of a memory."""
        return tuple(memory[i] for i in range(count))


def fail(game: Game, status: int) -> None:
    """Raise what a kernel reported."""
    if status == walk.FINE:
        return
    if status == STOPPED:
        raise Interrupted("the search was stopped")
    if status in (walk.TOO_DEEP, walk.NO_ROOM):
        raise EndlessGame(
            f"{game.name} went deeper than {walk.MAX_PLY:,} moves: give a depth=, or say in the class what a repeated "
            'position means (repetition = "draw" or "forbidden")'
        )
    if status == walk.TOO_MANY:
        raise too_many_actions(game.name, game.max_actions)
    raise fault(game, status) or no_actions(game.name)


@contextmanager
def deep_recursion() -> Any:
    """Plain Python searches recurse as deep as the longest game, and make states by the million, none in cycles.

    The limits belong to the whole process: the first search raises them and the last one sets them back.
    """
    with _searching:
        if not _before:
            _before.extend((sys.getrecursionlimit(), gc.get_threshold()))
            sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * walk.MAX_PLY))
            gc.set_threshold(max(gc.get_threshold()[0], 100_000), *gc.get_threshold()[1:])
        _running.append(None)
    try:
        yield
    finally:
        with _searching:
            _running.pop()
            if not _running:
                sys.setrecursionlimit(_before[0])
                gc.set_threshold(*_before[1])
                _before.clear()


_searching = threading.Lock()
_running: list[None] = []
_before: list[Any] = []


def _reach(within: tuple[Any, Any]) -> Any:
    """The greatest size that these bounds allow, where there are any: pruning calculates with them."""
    return max((abs(edge) for edge in within if abs(edge) <= LARGEST), default=0.0)


def as_word(number: int | None, never: int) -> int:
    """A limit for a kernel: where there is none, or it is beyond all words, one that is never reached."""
    return never if number is None else min(number, never)


def history_keys(game: Game, history: Sequence[Any]) -> list[int]:
    """The keys of the positions that came before, given as states or as keys."""
    if not isinstance(history, Iterable):
        raise BadParameter(f"history must be states or keys in the order of play, not {history!r}")
    kind = type(game.initial()) if history else None
    return [_key(game, item, kind) for item in history]


def _key(game: Game, item: Any, kind: Any) -> int:
    return int(item) if isinstance(item, int) and not issubclass(kind, int) else game.key(game.checked_state(item))


# --- does the method fit the game? -----------------------------------------------------------------------------------


def require_open(game: Game, method: str) -> None:
    """Refuse games with hidden information."""
    require_game(game, method)
    if game.view is not None:
        raise UnsuitableGame(
            f"{game.name} hides information (it defines view) and {method} would let every player see it; "
            f"sequence_form({game.name}) solves it as it is (two players, zero sum), and zermelo.opened({game.name}) "
            "is the same game with all cards on the table"
        )


def require_two_sides(game: Game, method: str, instead: str = "maxn") -> None:
    """Refuse games that are not a contest of at most two."""
    if game.players > 2:
        raise UnsuitableGame(f"{game.name} has {game.players} players and {method} knows two; use maxn or paranoid")
    # Where random play never ends nothing is known about sums, and the author is believed.
    if game.players == 2 and survey(game).sums and total(game) is None:
        raise UnsuitableGame(
            f"{game.name} is not zero sum: what one player gains the other does not lose, and {method} would be wrong; "
            f"use {instead}"
        )


def require_no_chance(game: Game, method: str) -> None:
    """Refuse games with dice."""
    if game.probability is not None:
        raise UnsuitableGame(f"{game.name} has chance moves (it defines probability); use expectiminimax, not {method}")


def whole_sum(game: Game) -> Any:
    """What the utilities of two players sum to; None where there is but one."""
    return None if game.players == 1 else total(game) or 0.0


def both_values(value: Any, whole: Any) -> tuple[Any, ...]:
    """All players' values, by player 0's and what they sum to."""
    if whole is None:
        return (value,)
    return value, whole - value + 0.0 if isinstance(value, float) else as_value(Fraction(whole) - value)


def checked_depth(depth: Any) -> int:
    """The depth as kernels count it."""
    if depth is None:
        return walk.UNLIMITED
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise BadParameter(f"depth must be an integer >= 0 or None, not {depth!r}")
    return depth


# --- functions that the caller brings --------------------------------------------------------------------------------


def evaluation(game: Game, given: Any) -> Any:
    """The estimate at the depth limit, as `f(game, s)`: the caller's, the game's own, or nothing known."""
    if given is None and game.evaluate is not None:
        return _own_evaluation if len(inspect.signature(game.evaluate).parameters) == 1 else _own_evaluation_of_first
    if given is None:
        return _nothing_known
    if is_for_players(given):
        return _of_first(given)
    return _with_game(given, 1, "evaluate", "evaluate(s)")


def is_for_players(given: Any) -> bool:
    """Whether a function of two is one of state and player, and not of game and state: its parameters tell by name."""
    if not inspect.isfunction(given):
        return False
    names = [p.name for p in inspect.signature(given).parameters.values() if p.default is inspect.Parameter.empty]
    return len(names) == 2 and (names[0] in STATE_NAMES or names[1] in PLAYER_NAMES)


def evaluation_for_players(game: Game, given: Any) -> Any:
    """The same for every player, as `f(game, s, player)`."""
    if given is not None:
        if inspect.isfunction(given) and len(inspect.signature(given).parameters) == 1:
            if game.players > 2:
                raise BadParameter(
                    f"{game.name} has {game.players} players: evaluate must be a function of (s, player)"
                )
            return _two_sided(_with_game(given, 1, "evaluate", "evaluate(s)"))
        return _with_game(given, 2, "evaluate", "evaluate(s, player)")
    if game.evaluate is None:
        return _nothing_known_for_players
    if len(inspect.signature(game.evaluate).parameters) == 2:
        return _own_evaluation_for_players
    return _two_sided(_own_evaluation) if game.players <= 2 else _nothing_known_for_players


def ordering(game: Game, given: Any) -> Any:
    """How moves are sorted, as `f(game, s, action)`, or None."""
    if given is None or given is False:
        return None
    if given is True:
        if game.order is None:
            raise BadParameter(f"{game.name} defines no order(s, action); pass order=your_function, or leave it out")
        return _own_order
    return ordering_function(given, "order")


def ordering_function(given: Any, name: str) -> Any:
    """A function of state and action, as `f(game, s, action)`."""
    return _with_game(given, 2, name, f"{name}(s, action)")


@lru_cache(maxsize=256)
def _with_game(given: Any, own: int, name: str, wanted: str) -> Any:
    if not inspect.isfunction(given):
        raise BadParameter(f"{name} must be a function {wanted}, not {given!r}")
    required = [p for p in inspect.signature(given).parameters.values() if p.default is inspect.Parameter.empty]
    count = len(required)
    if count == own + 1:
        return given
    if count != own:
        raise BadParameter(f"{name} must be a function {wanted}, or one that takes the game first; it takes {count}")
    if own == 1:

        def with_game(game, s):
            return given(s)

        return with_game

    def with_game_and_action(game, s, action):
        return given(s, action)

    return with_game_and_action


@lru_cache(maxsize=256)
def _of_first(of: Any) -> Any:
    def for_first(game, s):
        return of(s, 0)

    return for_first


@lru_cache(maxsize=256)
def _two_sided(of: Any) -> Any:
    def for_player(game, s, player):
        value = as_number(of(game, s))
        return value if player == 0 else 0.0 - value

    return for_player


def _own_evaluation(game, s):
    return game.evaluate(s)


def _own_evaluation_of_first(game, s):
    return game.evaluate(s, 0)


def _own_evaluation_for_players(game, s, player):
    return game.evaluate(s, player)


def _nothing_known(game, s):
    return 0.0


def _nothing_known_for_players(game, s, player):
    return 0.0


def _own_order(game, s, action):
    return game.order(s, action)
