"""The plain methods of the textbook, as people call them: a game in, an Analysis out.

Ties are broken by the first action in the order in which the game yields them (after `order`, where one is given).
"""

import math
import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.record import Recorder
from zermelo.result import Analysis, Move
from zermelo.searches import surface, walk
from zermelo.searches.alphabeta import alphabeta_value
from zermelo.searches.expectiminimax import expectiminimax_value, star_value
from zermelo.searches.maxn import players_value
from zermelo.searches.minimax import minimax_value
from zermelo.searches.surface import Walk
from zermelo.searches.when_lost import choose_when_lost

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
    surface.require_open(game, "minimax")
    surface.require_no_chance(game, "minimax")
    surface.require_two_sides(game, "minimax")
    fixed = {"evaluate": surface.evaluation(game, evaluate), "order": None, "symmetry": False}
    return _Search("minimax", minimax_value, game, state, depth, history, fixed).analyse(device, record, when_lost)


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
    first win. `order` sorts the moves (True: the game's own `order`), `symmetry` skips mirror images of earlier moves.
    """
    surface.require_open(game, "alphabeta")
    surface.require_no_chance(game, "alphabeta")
    surface.require_two_sides(game, "alphabeta")
    low, high = _window(window)
    if bounds is not None and bounds is not False:
        least, most = _bounds(game, bounds, "alphabeta")
        low, high = max(low, least), min(high, most)
    if symmetry and game.transform is None:
        raise BadParameter(f"{game.name} defines no transform(s, k): symmetry=True has nothing to work with")
    fixed = {
        "evaluate": surface.evaluation(game, evaluate),
        "order": surface.ordering(game, order),
        "symmetry": bool(symmetry),
        "alpha": low,
        "beta": high,
    }
    search = _Search("alphabeta", alphabeta_value, game, state, depth, history, fixed)
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

    `prune` is None, "star1" or "star2"; pruning needs the bounds of the utilities (the game's own, or `bounds`).
    """
    surface.require_open(game, "expectiminimax")
    surface.require_two_sides(game, "expectiminimax")
    if prune not in (None, "star1", "star2"):
        raise BadParameter(f'prune must be None, "star1" or "star2", not {prune!r}')
    fixed: dict[str, Any] = {
        "evaluate": surface.evaluation(game, evaluate),
        "order": surface.ordering(game, order),
    }
    kernel: Any = expectiminimax_value
    if prune is not None:
        least, most = _bounds(game, True if bounds is None else bounds, prune)
        window = {"alpha": -INFINITY, "beta": INFINITY}
        if game.probability is None:
            kernel = alphabeta_value
            fixed |= {**window, "symmetry": False}
        else:
            kernel = star_value
            fixed |= {**window, "lower": least, "upper": most, "probing": prune == "star2"}
    method = "expectiminimax" if prune is None else f"expectiminimax ({prune})"
    return _Search(method, kernel, game, state, depth, history, fixed).analyse(device, record, None)


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
    surface.require_open(game, method)
    s = game.initial() if state is None else game.checked_state(state)
    me = player if player is not None else 0 if game.is_terminal(s) else max(0, game.to_move(s))
    if isinstance(me, bool) or not isinstance(me, int) or not 0 <= me < game.players:
        raise BadParameter(f"player must be one of 0 .. {game.players - 1}, not {player!r}")
    fixed = {
        "evaluate": surface.evaluation_for_players(game, evaluate),
        "order": surface.ordering(game, order),
        "me": me,
        "style": method,
    }
    return _VectorSearch(method, players_value, game, s, depth, history, fixed).analyse(device, record, None)


class _Search:
    """One call of a method: runs the kernel, reads the first moves off it and follows the best line."""

    width = 1

    def __init__(self, method: str, kernel: Any, game: Game, state: Any, depth: Any, history: Any, fixed: Any) -> None:
        self.method, self.kernel, self.game, self.fixed, self.history = method, kernel, game, fixed, history
        self.state = game.initial() if state is None else game.checked_state(state)
        self.given_depth = depth
        self.depth = surface.checked_depth(depth)

    def analyse(self, device: str, record: bool, when_lost: str | None) -> Analysis:
        """The answer, from the best machine for it."""
        if when_lost not in (None, "delay", "hope"):
            raise BadParameter(f'when_lost must be None, "delay" or "hope", not {when_lost!r}')
        started = time.perf_counter()

        def search(on: str, budget: int) -> Analysis:
            return self._search(on, budget, record, when_lost, started)

        return surface.on_best_machine(self.game, self.method, device, record, search)

    def _search(self, device: str, budget: int, record: bool, when_lost: str | None, started: float) -> Analysis:
        game, s = self.game, self.state
        walker = Walk(game, self.history, device, self.width)
        recorder = Recorder(game) if record else None
        values = self._run(walker, s, self.depth, record=recorder, budget=budget)
        moves, action = self._moves(walker, s, values)
        nodes, cut = walker.nodes, walker.cut
        note = ""
        if when_lost is not None and action is not None:
            lost = choose_when_lost(walker, s, self.depth, self.fixed["evaluate"], values[0], moves, when_lost)
            action, note = lost if lost is not None else (action, note)
        line = self._line(walker, s, action, budget)
        return Analysis(
            value=values[0],
            values=values,
            action=action,
            line=line,
            moves=moves,
            bound=self._bound(values[0], cut),
            nodes=nodes,
            depth=self.given_depth,
            time=time.perf_counter() - started,
            method=self.method,
            device=device,
            game=game,
            state=s,
            tree=recorder.finish(self.method) if recorder is not None else None,
            note=note,
        )

    def _run(self, walker: Walk, s: Any, depth: int, **options: Any) -> tuple[float, ...]:
        walker.root[0] = 0
        value = walker.run(self.kernel, s=s, depth=depth, **self.fixed, **options)
        return surface.both_values(self.game, value)

    def _bound(self, value: float, cut: bool) -> str:
        if "alpha" in self.fixed and value <= self.fixed["alpha"] and self.fixed["alpha"] > self._least():
            return "upper"
        if "beta" in self.fixed and value >= self.fixed["beta"] and self.fixed["beta"] < self._most():
            return "lower"
        return "estimate" if cut else "exact"

    def _least(self) -> float:
        return self.game.bounds[0] if self.game.bounds is not None else -INFINITY

    def _most(self) -> float:
        return self.game.bounds[1] if self.game.bounds is not None else INFINITY

    def _ordered_actions(self, walker: Walk, s: Any) -> list[int]:
        """The first moves in the order in which the kernel took them."""
        game = self.game
        if game.is_terminal(s):
            return []
        memory: list[Any] = [0] * game.max_actions
        work = [0] * walk.WORK_WORDS
        work[walk.PATH] = len(walker.history)
        keys = [*walker.history, *([0] * 4)]
        order, symmetry = self.fixed.get("order"), self.fixed.get("symmetry", False)
        end = walk.expand(game, s, 0, memory, 0, keys, work, order, symmetry, None)
        return memory[: max(0, end)]

    def _moves(self, walker: Walk, s: Any, values: tuple[float, ...]) -> tuple[dict[int, Move], int | None]:
        """The first moves with their values, and the best of them."""
        actions = self._ordered_actions(walker, s)
        found = walker.root_values()
        moves: dict[int, Move] = {}
        mover = self.game.to_move(s) if actions else None
        low, high = self.fixed.get("alpha", -INFINITY), self.fixed.get("beta", INFINITY)
        exact, prunes = "estimate" if walker.cut else "exact", "alpha" in self.fixed
        best = None
        for action, (value,) in zip(actions, found, strict=False):
            bound = exact
            if prunes and value <= low and low > self._least():
                bound = "upper"
            elif prunes and value >= high and high < self._most():
                bound = "lower"
            moves[action] = Move(value, bound=bound, values=surface.both_values(self.game, value))
            if mover == 0:
                low = max(low, value)
            elif mover != CHANCE:
                high = min(high, value)
            if mover != CHANCE and best is None and value == values[0]:
                best = action
        return moves, best

    def _line(self, walker: Walk, s: Any, action: int | None, budget: int) -> tuple[int, ...]:
        """Best play from `s`, up to an end, a chance move or the depth limit: each step is searched again."""
        game, line, depth = self.game, [], self.depth
        before = walker.history
        fixed = self.fixed
        self.fixed = fixed | ({"alpha": -INFINITY, "beta": INFINITY} if "alpha" in fixed else {})
        while action is not None:
            line.append(action)
            walker.history = [*walker.history, game.key(s)] if game.repetition is not None else walker.history
            s, depth = game.result(s, action), depth - 1
            if depth <= 0 or game.is_terminal(s) or game.to_move(s) == CHANCE or len(line) >= walk.MAX_PLY:
                break
            if game.draws_by_repetition and self._is_draw(walker, s):
                break
            self._note_history(walker)
            values = self._run(walker, s, depth, counted=False, budget=budget)
            _, action = self._moves(walker, s, values)
        self.fixed, walker.history = fixed, before
        return tuple(line)

    def _is_draw(self, walker: Walk, s: Any) -> bool:
        return walker.history.count(self.game.key(s)) + 1 >= self.game.repetition_count

    def _note_history(self, walker: Walk) -> None:
        if self.game.repetition is not None:
            for i, key in enumerate(walker.history):
                walker.keys[i] = key


class _VectorSearch(_Search):
    """The same for kernels that give every player a value."""

    @property
    def width(self) -> int:  # type: ignore[override]
        return self.game.players

    def _run(self, walker: Walk, s: Any, depth: int, **options: Any) -> tuple[float, ...]:
        game = self.game
        walker.root[0] = 0
        deepest = min(depth, walk.MAX_PLY) + 2
        vectors = walker.machine.memory((deepest + 1) * game.players)
        self.choice = walker.run(self.kernel, s=s, depth=depth, vectors=vectors, **self.fixed, **options)
        return walker.machine.floats(vectors, 0, game.players)

    def _moves(self, walker: Walk, s: Any, values: tuple[float, ...]) -> tuple[dict[int, Move], int | None]:
        actions = self._ordered_actions(walker, s)
        bound = "estimate" if walker.cut else "exact"
        moves = {
            action: Move(vector[0], bound=bound, values=vector)
            for action, vector in zip(actions, walker.root_values(), strict=False)
        }
        return moves, self.choice if self.choice >= 0 else None


def _window(window: Any) -> tuple[float, float]:
    try:
        low, high = (float(edge) for edge in window)
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
    return _window(bounds)
