"""The plain methods of the textbook, as people call them: a game in, an Analysis out.

Ties are broken by the first action in the order in which the game yields them (after `order`, where one is given).
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.arguments import player_of
from zermelo.compile import as_number
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.exact import as_value
from zermelo.record import RecordedTree, Recorder
from zermelo.result import Analysis, Move
from zermelo.running.callbacks import evaluation, evaluation_for_players, ordering
from zermelo.running.devices import on_best_machine
from zermelo.running.nodes import mover_at
from zermelo.running.recursion import MAX_PLY
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.plain import rounding
from zermelo.searches.plain.line import (
    best_play,
    best_play_of_all,
    by_alphabeta,
    by_expectiminimax,
    by_minimax,
    by_star,
)
from zermelo.searches.plain.rounding import InFractions
from zermelo.searches.plain.walker import ANYWHERE, Rounding, Walk, checked_depth
from zermelo.searches.plain.when_lost import choose_when_lost

INFINITY = math.inf


def minimax(
    game: Game,
    state: Any = None,
    *,
    depth: int | None = None,
    evaluate: Any = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
    when_lost: str | None = None,
) -> Analysis:
    """The value of a two-player zero-sum game by looking at every line of play.

    >>> from zermelo import Tree
    >>> minimax(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])).value
    3.0
    """
    require_open(game, "minimax")
    require_no_chance(game, "minimax")
    require_two_sides(game, "minimax")
    guess = evaluation(game, evaluate)
    search = _Search("minimax", game, state, depth, history, search=by_minimax, follow=by_alphabeta, evaluate=guess)
    return search.analyse(device, record, when_lost)


def alphabeta(
    game: Game,
    state: Any = None,
    *,
    depth: int | None = None,
    evaluate: Any = None,
    window: tuple[float, float] = (-INFINITY, INFINITY),
    bounds: tuple[float, float] | bool | None = None,
    order: Any = None,
    symmetry: bool = False,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
    when_lost: str | None = None,
) -> Analysis:
    """The minimax value without the branches that cannot change it.

    `bounds` are the least and the greatest utility (True: the game's own): with two outcomes the search stops at the
    first win, and a utility or an estimate that lies outside is refused. `order` sorts the moves (True: the game's own
    `order`), `symmetry` skips mirror images of earlier moves.
    """
    require_open(game, "alphabeta")
    require_no_chance(game, "alphabeta")
    require_two_sides(game, "alphabeta")
    low, high = _window(window)
    least, most = _bounds(game, True, "alphabeta") if game.bounds is not None else ANYWHERE
    bounded = bounds is not None and bounds is not False
    # To the end of the game a window rests on the game's own bounds: what lies outside of it may be nothing at all.
    checked = bounded or (depth is None and (low > -INFINITY or high < INFINITY))
    if bounded:
        least, most = _bounds(game, bounds, "alphabeta")
        low, high = max(low, least), min(high, most)
    if symmetry and game.transform is None:
        raise BadParameter(f"{game.name} defines no transform(s, k): symmetry=True has nothing to work with")
    search = _Search(
        "alphabeta", game, state, depth, history, search=by_alphabeta, alpha=low, beta=high, lower=least, upper=most,
        checked=checked,
        evaluate=evaluation(game, evaluate), order=ordering(game, order), symmetry=bool(symmetry),
    )  # fmt: skip
    return search.analyse(device, record, when_lost)


def expectiminimax(
    game: Game,
    state: Any = None,
    *,
    depth: int | None = None,
    evaluate: Any = None,
    prune: str | None = None,
    bounds: tuple[float, float] | None = None,
    order: Any = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Analysis:
    """The value of a game with dice: best moves of both sides, averages over chance.

    `prune` is None, "star1" or "star2"; pruning needs the bounds of the utilities (the game's own, or `bounds`),
    and refuses a utility or an estimate that lies outside.
    """
    require_open(game, "expectiminimax")
    require_two_sides(game, "expectiminimax")
    if prune not in (None, "star1", "star2"):
        raise BadParameter(f'prune must be None, "star1" or "star2", not {prune!r}')
    fixed: dict[str, Any] = {
        "search": by_expectiminimax,
        "evaluate": evaluation(game, evaluate),
        "order": ordering(game, order),
    }
    if prune is not None:
        least, most = _bounds(game, True if bounds is None else bounds, prune)
        fixed |= {"alpha": -INFINITY, "beta": INFINITY, "lower": least, "upper": most, "probing": prune == "star2"}
        fixed["checked"] = True
        fixed["search"] = by_alphabeta if game.probability is None else by_star
    method = "expectiminimax" if prune is None else f"expectiminimax ({prune})"
    return _Search(method, game, state, depth, history, **fixed).analyse(device, record)


def maxn(game: Game, state: Any = None, **options: Any) -> Analysis:
    """The values for all players when each maximises its own (max^n); any sums, any number of players."""
    return _vector_search("maxn", game, state, **options)


def paranoid(game: Game, state: Any = None, *, player: int | None = None, **options: Any) -> Analysis:
    """The values when everybody else plays against `player` (the one to move, unless named)."""
    return _vector_search("paranoid", game, state, player=player, **options)


def expectimax(game: Game, state: Any = None, *, player: int | None = None, **options: Any) -> Analysis:
    """The values when `player` (the one to move, unless named) does its best and everybody else moves at random."""
    return _vector_search("expectimax", game, state, player=player, **options)


def _vector_search(
    method: str,
    game: Game,
    state: Any,
    *,
    player: int | None = None,
    depth: int | None = None,
    evaluate: Any = None,
    order: Any = None,
    device: str = "auto",
    record: bool = False,
    history: Sequence[Any] = (),
) -> Analysis:
    require_open(game, method)
    s = game.initial() if state is None else game.checked_state(state)
    me = player if player is not None else 0 if game.is_terminal(s) else max(0, mover_at(game, s))
    player_of(game.players, me, game.name)
    search = _VectorSearch(
        method, game, s, depth, history, me=me, style=method,
        evaluate=evaluation_for_players(game, evaluate), order=ordering(game, order),
    )  # fmt: skip
    return search.analyse(device, record)


class _Search:
    """One call of a method: runs the kernel and reads its answer."""

    width = 1
    """Values that a first move has."""
    has_fractions = True
    """Whether it calculates in fractions where the rules do."""

    def __init__(self, method: str, game: Game, state: Any, depth: Any, history: Any, **fixed: Any) -> None:
        self.method, self.game, self.history = method, game, history
        self.state = game.initial() if state is None else game.checked_state(state)
        self.given_depth = depth
        self.depth = checked_depth(depth)
        self.fixed = {
            "alpha": -INFINITY, "beta": INFINITY, "lower": -INFINITY, "upper": INFINITY, "probing": False,
            "order": None, "symmetry": False, "checked": False, "follow": fixed.get("search"), **fixed,
        }  # fmt: skip
        self.prunes = "alpha" in fixed
        self.whole = whole_sum(game) if self.width == 1 else None
        self.within = (self.fixed["lower"], self.fixed["upper"]) if self.fixed["checked"] else ANYWHERE
        self.rounding = Rounding()

    def analyse(self, device: str, record: bool, when_lost: str | None = None) -> Analysis:
        """The answer, from the best machine for it."""
        if when_lost not in (None, "delay", "hope"):
            raise BadParameter(f'when_lost must be None, "delay" or "hope", not {when_lost!r}')
        if record and device not in ("auto", "python"):
            raise BadParameter('record=True keeps every node and runs on the python machine: leave device="auto"')
        started = time.perf_counter()
        if device == "auto" and rounding.is_finer_than_floats(self.game):
            device = "python"

        def search(on: str) -> Analysis:
            return self._search(self.game, on, record, when_lost, started)

        answer = on_best_machine(self.game, self.method, "python" if record else device, search)
        return self._trusted(answer, device in ("auto", "python"), record, when_lost, started)

    def _trusted(
        self, answer: Analysis, on_python: bool, record: bool, when_lost: str | None, started: float
    ) -> Analysis:
        """The answer, made again in fractions where floats may be to blame for it; or else said to be an estimate."""
        native = answer.device != "python"
        seen = self.rounding._replace(finer=self.rounding.finer or self._is_finer())
        if answer.bound == "estimate" or not (seen.averaged or seen.finer):
            return answer
        doubtful = rounding.is_doubtful(seen, native)
        if on_python and self.has_fractions and rounding.is_worth_fractions(seen, answer):
            precise = self._search(InFractions(self.game), "python", record, when_lost, started)
            return precise if doubtful or not rounding.is_alike(answer, precise) else answer
        return rounding.as_estimate(answer) if doubtful else answer

    def _is_finer(self) -> bool:
        edges = (self.fixed[name] for name in ("alpha", "beta", "lower", "upper"))
        return rounding.is_finer_than_floats(self.game) or rounding.any_finer(*edges)

    def _search(self, game: Any, device: str, record: bool, when_lost: str | None, started: float) -> Analysis:
        """The answer of one machine, by the game's own rules or by those that have the same numbers as fractions."""
        s = self.state
        walker = Walk(game, self.history, device, self.width, self.within)
        recorder = Recorder(self.game) if record else None
        values, line = self._run(walker, s, self.depth, record=recorder)
        nodes, cut, self.rounding = walker.searched, walker.cut, walker.rounding
        moves = self._moves(walker)
        action, note = line[0] if line else None, ""
        if when_lost is not None and action is not None:
            chosen = choose_when_lost(walker, s, self.depth, self.fixed["evaluate"], values[0], moves, when_lost)
            if chosen is not None:
                action, note = chosen
                line = (action, *self._after(walker, action))
        return Analysis(
            value=values[0],
            values=values,
            action=action,
            line=line,
            moves=moves,
            bound=self._bound(values[0], cut, self.fixed["alpha"], self.fixed["beta"]),
            nodes=nodes,
            depth=self.given_depth,
            time=time.perf_counter() - started,
            method=self.method,
            device=device,
            game=self.game,
            state=s,
            tree=self._tree(walker, recorder) if recorder is not None else None,
            note=note,
        )

    def _run(self, walker: Walk, s: Any, depth: int, **options: Any) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """All players' values and the best line."""
        value, length = walker.run(best_play, s=s, depth=depth, **self._fixed_for(walker), **options)
        return self._values(walker, (value,)), walker.words(walker.line, length)

    def _fixed_for(self, walker: Walk) -> dict[str, Any]:
        """What the kernel is given, in numbers that the machine knows."""
        if walker.device != "python":
            return self.fixed | {name: float(self.fixed[name]) for name in ("alpha", "beta", "lower", "upper")}
        if isinstance(walker.game, InFractions) and math.isfinite(self.fixed["upper"] - self.fixed["lower"]):
            return self.fixed | rounding.with_slack(self.fixed["lower"], self.fixed["upper"])
        return self.fixed | {name: rounding.as_given(self.fixed[name]) for name in ("lower", "upper")}

    def _values(self, walker: Walk, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """All players' values, as answers show them."""
        values = both_values(found[0], self.whole) if self.width == 1 else found
        return tuple(map(self._shown_by(walker), values))

    def _shown_by(self, walker: Walk) -> Callable[[Any], Any]:
        """How answers show a number: as a float where one holds it, and where floats had a part in it."""
        in_floats = isinstance(walker.game, InFractions) and not (walker.rounding.finer or self._is_finer())
        return float if in_floats else as_value

    def _tree(self, walker: Walk, recorder: Recorder) -> RecordedTree:
        """The tree that was recorded, with numbers as answers show them."""
        tree, shown = recorder.finish(self.method), self._shown_by(walker)
        for node in tree.root.walk():
            node.value = None if node.value is None else shown(node.value)
            node.values = None if node.values is None else tuple(map(shown, node.values))
            node.window = None if node.window is None else (shown(node.window[0]), shown(node.window[1]))
            node.probability = None if node.probability is None else shown(node.probability)
        return tree

    def _moves(self, walker: Walk) -> dict[int, Move]:
        """The first moves with their values, in the order in which they were searched."""
        low, high = self.fixed["alpha"], self.fixed["beta"]
        mover = self.game.to_move(self.state) if walker.root[0] else None
        moves = {}
        for action, (value,) in walker.first_moves():
            bound = self._bound(value, walker.cut, low, high)
            values = self._values(walker, (value,))
            moves[action] = Move(values[0], bound=bound, values=values)
            if mover == 0:
                low = max(low, value)
            elif mover != CHANCE:
                high = min(high, value)
        return moves

    def _after(self, walker: Walk, action: int) -> tuple[int, ...]:
        """Best play after another first move than the best."""
        child = self.game.result(self.state, action)
        if self.depth <= 1 or self.game.is_terminal(child):
            return ()
        return self._run(walker, child, self.depth - 1)[1]

    def _bound(self, value: float, cut: bool, low: float, high: float) -> str:
        """How far a value found in a window can be trusted: beyond an edge it is a bound, if any utility lies there."""
        if self.prunes and self.fixed["lower"] < low and value <= low:
            return "upper"
        if self.prunes and self.fixed["upper"] > high and value >= high:
            return "lower"
        return "estimate" if cut else "exact"


class _VectorSearch(_Search):
    """The same for kernels that give every player a value."""

    @property
    def width(self) -> int:  # type: ignore[override]
        return self.game.players

    @property
    def has_fractions(self) -> bool:  # type: ignore[override]
        return self.method != "expectimax"

    def _run(self, walker: Walk, s: Any, depth: int, **options: Any) -> tuple[tuple[float, ...], tuple[int, ...]]:
        room = (min(depth, MAX_PLY) + 3) * self.game.players
        vectors, more = walker.machine.memory(room), walker.machine.memory(room)
        _, length = walker.run(
            best_play_of_all, s=s, depth=depth, vectors=vectors, more=more, **self.fixed, **options
        )  # fmt: skip
        found = walker.machine.floats(vectors, 0, self.game.players)
        return self._values(walker, found), walker.words(walker.line, length)

    def _moves(self, walker: Walk) -> dict[int, Move]:
        bound = "estimate" if walker.cut else "exact"
        found = {action: self._values(walker, values) for action, values in walker.first_moves()}
        return {action: Move(values[0], bound=bound, values=values) for action, values in found.items()}


def _window(window: Any) -> tuple[float, float]:
    try:
        low, high = map(_edge, window)
    except (TypeError, ValueError):
        raise BadParameter(f"window must be two numbers (alpha, beta), not {window!r}") from None
    if not low < high:
        raise BadParameter(f"window must be two numbers alpha < beta, not {window!r}")
    return low, high


def _bounds(game: Game, bounds: Any, method: str) -> tuple[float, float]:
    if bounds is True:
        if game.bounds is None:
            raise BadParameter(
                f"{method} needs to know the least and the greatest utility of {game.name}: pass bounds=(low, high), "
                "or write bounds = (low, high) in the class"
            )
        bounds = game.bounds
    try:
        low, high = map(_edge, bounds)
    except (TypeError, ValueError):
        raise BadParameter(f"bounds must be two numbers (least, greatest), not {bounds!r}") from None
    if not low <= high:
        raise BadParameter(f"bounds must be two numbers least <= greatest, not {bounds!r}")
    return low, high


def _edge(given: Any) -> Any:
    """One end of a window or of the bounds."""
    edge = as_number(given)
    return edge if math.isinf(edge) else as_value(edge)
