"""One call of a plain search: which machine answers, what the kernel is given, and what its answer says.

A search gives the value of a state and of its first moves. The line of play is found by searching again after each best
move: that costs a fraction of the first search and leaves the search itself as plain as in the book.

Ties are broken by the first action in the order in which the game yields them (after `order`, where one is given).
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.compile import kernel, make_room
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.exact import as_value
from zermelo.record import RecordedTree, Recorder
from zermelo.result import Analysis, Limit, Move
from zermelo.running.devices import on_best_machine
from zermelo.running.recursion import MAX_PLY
from zermelo.running.repetition import is_drawn
from zermelo.running.statuses import FINE, OUT_OF_TIME
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.limits import NEVER
from zermelo.searches.plain import rounding
from zermelo.searches.plain.best_play import BestMove, BestPlay
from zermelo.searches.plain.budget import Budget, Spent
from zermelo.searches.plain.node import UNLIMITED, WalkSetup
from zermelo.searches.plain.rounding import InFractions, Rounding
from zermelo.searches.plain.run import Run
from zermelo.searches.plain.window import ANYWHERE, INFINITY

ROUNDING, SMALLEST = 2.3e-16, 5e-324
"""A float and its neighbour differ by about this much, in proportion to it; and the least positive float."""


class Call:
    """One call of a method: runs the kernel and reads its answer."""

    has_fractions = True
    """Whether the method calculates in fractions where the rules do."""

    def __init__(
        self, method: str, game: Game, state: Any, limit: Limit, history: Any, setup: WalkSetup, *,
        device: str, record: bool, when_lost: str | None = None,
        window: tuple[Any, Any] | None = None, bounds: tuple[Any, Any] = ANYWHERE, me: int = 0, keep: int = 0,
    ) -> None:  # fmt: skip
        self.method, self.game, self.history, self.setup, self.me = method, game, history, setup, me
        self.limit, self.record, self.when_lost, self.keep = limit, record, when_lost, keep
        if when_lost not in (None, "delay", "hope"):
            raise BadParameter(f'when_lost must be None, "delay" or "hope", not {when_lost!r}')
        if record and device not in ("auto", "python"):
            raise BadParameter('record=True keeps every node and runs on the python machine: leave device="auto"')
        self.state = game.initial() if state is None else game.checked_state(state)
        self.prunes = window is not None
        self.window, self.bounds = window or ANYWHERE, bounds
        self.within = bounds if setup.checked else ANYWHERE
        self.sum = whole_sum(game) if self.width == 1 else None
        self.device = "python" if record or (device == "auto" and rounding.is_finer_than_floats(game)) else device
        self.on_python = device in ("auto", "python")
        self.depth = UNLIMITED
        """How deep the last search went, or was to go."""
        self.rounding, self.is_whole = Rounding(), False
        """What rounding did to its values, and whether no limit of depth cut anything off."""
        self.run: Run | None = None
        self.again: Callable[..., Analysis] | None = None
        """The same search of other states: who calls it says how deep."""
        self.planner = 0
        """For whom the answer has a policy."""

    @property
    def width(self) -> int:
        """How many values a move has."""
        return 1

    def search_to(self, depth: int | None, budget: Budget) -> Analysis:
        """The answer at this depth, from the best machine for it; raises Spent where the budget does not suffice."""
        self.depth = UNLIMITED if depth is None else depth

        def search(on: str) -> Analysis:
            budget.load(on, lambda: self._values_and_line(self._run_on(self.game, on, None), self.state, 0))
            return self._search(self.game, on, budget)

        answer = on_best_machine(self.game, self.method, self.device, search)
        if self.device == "auto" and answer.device != "python":
            self.device = answer.device  # what is deeper takes longer
        return self._trusted(answer, budget)

    def _run_on(self, game: Any, device: str, budget: Budget | None, setup: WalkSetup | None = None) -> Run:
        told = self.setup if setup is None else setup
        return Run(game, told, self.history, device, self.within, budget, self.keep)

    def _trusted(self, answer: Analysis, budget: Budget) -> Analysis:
        """The answer; where rounding may have changed it, one found in fractions, or this one as an estimate."""
        native = answer.device != "python"
        seen = self.rounding._replace(finer=self.rounding.finer or self._is_finer())
        if answer.bound == "estimate" or not (seen.averaged or seen.finer):
            return answer
        doubtful = rounding.is_doubtful(seen, native)
        if self.on_python and self.has_fractions and rounding.is_worth_fractions(seen, answer):
            try:
                precise = self._search(InFractions(self.game), "python", budget)
            except Spent:
                return rounding.as_estimate(answer) if doubtful else answer
            return precise if doubtful or not rounding.is_alike(answer, precise) else answer
        return rounding.as_estimate(answer) if doubtful else answer

    def _is_finer(self) -> bool:
        return rounding.is_finer_than_floats(self.game) or rounding.any_finer(*self.window, *self.bounds)

    def _search(self, game: Any, device: str, budget: Budget) -> Analysis:
        """The answer of one machine, by the game's own rules or by those that have the same numbers as fractions."""
        s = self.state
        recorder = self._recorder() if self.record else None
        setup = self.setup if recorder is None else self.setup.told(recorder)
        self.run = run = self._run_on(game, device, budget, setup)
        values, line = self._values_and_line(run, s, self.depth)
        nodes, cut, self.rounding = run.walk.searched, bool(run.walk.search_cut), run.rounding
        moves = self._moves(run, cut)
        tree = self._tree(run, recorder) if recorder is not None else None
        action, note = line[0] if line else None, ""
        if self.when_lost is not None and action is not None:
            from zermelo.searches.plain.when_lost import choose_when_lost

            chosen = choose_when_lost(run, s, self.depth, values[0], moves, self.when_lost)
            if chosen is not None:
                action, note = chosen
                line = (action, *self._after(run, action))
        self.is_whole = not cut
        bound = self._bound(values[0], cut, *self.window)
        return self._analysis(
            run, values, action, line=line, moves=moves, bound=bound, nodes=nodes, tree=tree, note=note,
            policy=self._policy(action), time=budget.spent, compile_seconds=budget.compile_seconds,
        )  # fmt: skip

    def _analysis(self, run: Run, values: tuple[Any, ...], action: int | None, **more: Any) -> Analysis:
        return Analysis(
            value=values[0], values=values, action=action, depth=None if self.depth == UNLIMITED else self.depth,
            method=self.method, device=run.device, game=self.game, state=self.state, **more,
        )  # fmt: skip

    def _policy(self, action: int | None) -> BestPlay | None:
        """What the same search does in every state; here, what this one has found."""
        if self.again is None:
            return None
        again = partial(self.again, depth=None if self.depth == UNLIMITED else self.depth)
        choose = BestMove(self.game, again, {} if action is None else {self.state: action})
        return BestPlay(self.game, choose, self.state, self.planner, is_whole=self.is_whole)

    def so_far(self, budget: Budget) -> Analysis | None:
        """What is known of a search that was not finished: the best of the first moves that it came to, if any."""
        run = self.run
        if run is None or run.walk.first_at > 0 or run.walk.count == 0:
            return None
        mover, walk = self.game.to_move(self.state), run.walk
        subject, sign = self._wants(mover)
        if mover == CHANCE or sign == 0:
            return None
        for i in range(walk.count):
            walk.moves[i] = walk.actions[i]
        cut = bool(walk.cut)
        moves = self._moves(run, cut)
        best = max(moves, key=lambda action: sign * (moves[action].values or ())[subject])
        bound = "estimate"
        if self.width == 1 and moves[best].bound == "exact":
            bound = "lower" if mover == 0 else "upper"
        return self._analysis(
            run, moves[best].values or (), best, line=(best,), moves=moves, bound=bound, nodes=budget.seen + walk.nodes,
            time=budget.spent, compile_seconds=budget.compile_seconds,
            note=f"not finished: first moves searched so far: {len(moves)}",
        )  # fmt: skip

    def _wants(self, mover: int) -> tuple[int, int]:
        """Whose value the mover looks at, and whether for the most (1) or the least (-1)."""
        return 0, 1 if mover == 0 else -1

    def _values_and_line(self, run: Run, s: Any, depth: int) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        """All players' values and the best line."""
        value, length = run.run(best_play, s, depth, **self._edges(run))
        return self._values(run, (value,)), tuple(run.walk.line[:length])

    def _edges(self, run: Run) -> dict[str, Any]:
        """The window and the bounds, in numbers that the machine knows."""
        (alpha, beta), (lower, upper) = self.window, self.bounds
        if run.device == "python" and isinstance(run.game, InFractions) and math.isfinite(upper - lower):
            lower, upper = rounding.with_slack(lower, upper)
        elif run.device == "python":
            lower, upper = rounding.as_given(lower), rounding.as_given(upper)
        return {"alpha": alpha, "beta": beta, "lower": lower, "upper": upper}

    def _values(self, run: Run, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """All players' values, as answers show them."""
        return tuple(map(self._shown_by(run), both_values(found[0], self.sum)))

    def _shown_by(self, run: Run) -> Callable[[Any], Any]:
        """How answers show a number: as a float where fractions only stood in for floats, else as `as_value` does."""
        in_floats = isinstance(run.game, InFractions) and not (run.rounding.finer or self._is_finer())
        return float if in_floats else as_value

    def _recorder(self) -> Recorder:
        """What is told about every node."""
        return Recorder(self.game)

    def _tree(self, run: Run, recorder: Recorder) -> RecordedTree:
        """The tree that was recorded, with numbers as answers show them."""
        tree, shown = recorder.finish(self.method), self._shown_by(run)
        for node in tree.root.walk():
            node.value = None if node.value is None else shown(node.value)
            node.values = None if node.values is None else tuple(map(shown, node.values))
            node.window = None if node.window is None else (shown(node.window[0]), shown(node.window[1]))
            node.probability = None if node.probability is None else shown(node.probability)
        return tree

    def _moves(self, run: Run, cut: bool) -> dict[int, Move]:
        """The first moves with their values, in the order in which they were searched."""
        low, high = self.window
        mover = self.game.to_move(self.state) if run.walk.count else None
        moves = {}
        for action, (value,) in run.first_moves(1):
            bound = self._bound(value, cut, low, high)
            values = self._values(run, (value,))
            moves[action] = Move(values[0], bound=bound, values=values)
            if mover == 0:
                low = max(low, value)
            elif mover != CHANCE:
                high = min(high, value)
        return moves

    def _after(self, run: Run, action: int) -> tuple[int, ...]:
        """The line of best play after a first move that is not the best one."""
        child = self.game.result(self.state, action)
        if self.depth <= 1 or self.game.is_terminal(child):
            return ()
        return self._values_and_line(run, child, self.depth - 1)[1]

    def _bound(self, value: Any, cut: bool, low: Any, high: Any) -> str:
        """How far a value found in a window can be trusted: beyond an edge it is a bound, if any utility lies there."""
        if self.prunes and self.bounds[0] < low and value <= low:
            return "upper"
        if self.prunes and self.bounds[1] > high and value >= high:
            return "lower"
        return "estimate" if cut else "exact"


class CallForAll(Call):
    """A call of a method whose kernel gives every player a value."""

    @property
    def width(self) -> int:
        return self.game.players

    @property
    def has_fractions(self) -> bool:  # type: ignore[override]
        return self.method != "expectimax"

    def _recorder(self) -> Recorder:
        return Recorder(self.game, only=self.me if self.method == "expectimax" else None)

    def _wants(self, mover: int) -> tuple[int, int]:
        if self.method == "maxn":
            return mover, 1
        other = 0 if self.method == "expectimax" else -1
        return self.me, 1 if mover == self.me else other

    def _values_and_line(self, run: Run, s: Any, depth: int) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        _, length = run.run(best_play_of_all, s, depth, me=self.me)
        return self._values(run, tuple(run.walk.best[:])), tuple(run.walk.line[:length])

    def _values(self, run: Run, found: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(map(self._shown_by(run), found))

    def _moves(self, run: Run, cut: bool) -> dict[int, Move]:
        bound = "estimate" if cut else "exact"
        found = {action: self._values(run, values) for action, values in run.first_moves(self.game.players)}
        return {action: Move(values[0], bound=bound, values=values) for action, values in found.items()}


# --- the search and the line that follows from it, in one run -------------------------------------------------------


@kernel
def best_play(game, setup, s, depth, walk):
    """The value of `s` and the length of the best line, whose actions go to walk.line.

    The first moves go to walk.moves, their values to walk.first. The line is found by the search in a window, where
    there is one: it gives the same values as the search without a window and is faster.
    """
    if setup.search is not None:
        value = setup.search(game, setup, s, depth, walk)
    else:
        value = setup.windowed(game, setup, s, walk.alpha, walk.beta, depth, walk)
    place = best_place(game, s, value, walk)
    action = walk.actions[place] if place >= 0 and walk.status == FINE else -1
    count = begin_line(game, walk)
    past, length, exact, fine = walk.past, 0, walk.alpha < value < walk.beta, walk.status == FINE
    around = abs(value) * ROUNDING + SMALLEST
    while action >= 0:
        take(game, s, action, length, walk)
        s = game.result(s, action)
        length, depth = length + 1, depth - 1
        if ends_line(game, s, depth, length, walk):
            break
        # The value stays the same along the line. Where it is exact, the next move is the first that reaches it.
        low, high = -INFINITY, INFINITY
        if exact:
            low, high = (value - around, value) if game.to_move(s) == 0 else (value, value + around)
        walk.depth, walk.top, walk.count = depth, 0, 0
        if setup.windowed is not None:
            below = setup.windowed(game, setup.quiet, s, low, high, depth, walk)
        else:
            below = setup.search(game, setup.quiet, s, depth, walk)
        place = best_place(game, s, below, walk)
        action = walk.actions[place] if place >= 0 and walk.status == FINE else -1
    walk.past, walk.count = past, count
    if fine and walk.status == OUT_OF_TIME:
        walk.status = FINE  # the value is found, and the line as far as there was time for it
    return value, length


@kernel
def best_play_of_all(game, setup, s, depth, walk):
    """The best action in `s` where every player has a value, and the length of the best line; see `best_play`.

    Everybody's value in `s` goes to walk.best.
    """
    first = setup.search(game, setup, s, depth, walk)
    if walk.status == FINE:
        for player in range(game.players):
            walk.best[player] = walk.values[player]
    count = begin_line(game, walk)
    past, action, length, fine = walk.past, first if walk.status == FINE else -1, 0, walk.status == FINE
    while action >= 0:
        take(game, s, action, length, walk)
        s = game.result(s, action)
        length, depth = length + 1, depth - 1
        if ends_line(game, s, depth, length, walk):
            break
        walk.depth, walk.top = depth, 0
        action = setup.search(game, setup.quiet, s, depth, walk)
    walk.past, walk.count = past, count
    if fine and walk.status == OUT_OF_TIME:
        walk.status = FINE  # as above
    return first, length


@kernel
def begin_line(game, walk):
    """Keep the counts of the search and its first moves, and return how many these are; then the line is searched.

    A limit of nodes is one for the search: the line follows from it.
    """
    walk.searched, walk.search_cut, walk.most_nodes = walk.nodes, walk.cut, NEVER
    for i in range(walk.count):
        walk.moves[i] = walk.actions[i]
    if walk.status == FINE:
        walk.first_at = game.max_actions * game.players
    return walk.count


@kernel
def best_place(game, s, value, walk):
    """The place of the earliest action whose value is that of its state; -1 where there is no choice to make."""
    if walk.count == 0 or game.to_move(s) == CHANCE:
        return -1
    for i in range(walk.count):
        if walk.first[walk.first_at + i] == value:
            return i
    return -1


@kernel
def take(game, s, action, length, walk):
    """Write an action of the line down; the position it leaves belongs to the history from here on."""
    make_room(walk.line, length + 1)
    walk.line[length] = action
    if game.repetition is not None:
        make_room(walk.keys, walk.past + 1)
        walk.keys[walk.past] = game.key(s)
        walk.past += 1
    return 0


@kernel
def ends_line(game, s, depth, length, walk):
    """Whether there is no best move after this one: an end, a chance move, the depth limit."""
    if depth <= 0 or length > MAX_PLY or game.is_over(s):
        return True
    if game.repetition is not None and is_drawn(game, s, walk.keys, walk.past):
        return True
    return game.to_move(s) == CHANCE
