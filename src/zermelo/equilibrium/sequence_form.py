"""The sequence form: exact play of two-player zero-sum games with hidden information by one linear program.

A player's plan is described by the odds of its sequences of actions instead of by whole strategies, of which there are
exponentially many (von Stengel, 1996; Koller, Megiddo and von Stengel, 1996).
"""

import time
from collections.abc import Sequence
from typing import Any

from zermelo.contract import CHANCE, Game, require_game
from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame
from zermelo.policy import Policy
from zermelo.result import Analysis, Move
from zermelo.traits import total

MANY = 2_000_000
ROUNDING = 1e-9
EMPTY = 0


class Sequences:
    """The sequences and information sets of one player."""

    def __init__(self) -> None:
        self.parents: list[int] = [-1]
        """For each sequence its information set; the empty sequence has none."""
        self.sets: dict[Any, tuple[int, int, list[int]]] = {}
        """For each information set: its number, the sequence that leads to it, its actions."""
        self.children: dict[tuple[int, int], int] = {}
        """(information set, action) -> sequence."""

    def at(self, view: Any, before: int, actions: list[int], game: Game) -> int:
        """The number of an information set; new ones get a sequence for each action."""
        if view not in self.sets:
            number = len(self.sets)
            self.sets[view] = (number, before, actions)
            for action in actions:
                self.children[number, action] = len(self.parents)
                self.parents.append(number)
        number, known, same = self.sets[view]
        if known != before:
            raise UnsuitableGame(f"{game.name}: a player forgets what it did; the sequence form needs perfect recall")
        if same != actions:
            raise UnsuitableGame(f"{game.name}: equal views offer different actions; zermelo.check shows it")
        return number


class Rows:
    """A sparse matrix while it is written."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.entries: list[float] = []

    def put(self, row: int, column: int, entry: float) -> None:
        """Add an entry."""
        self.rows.append(row)
        self.columns.append(column)
        self.entries.append(entry)

    def matrix(self, height: int) -> Any:
        """The matrix, with this many rows."""
        from scipy.sparse import coo_array

        return coo_array((self.entries, (self.rows, self.columns)), shape=(height, self.width)).tocsr()


class Form:
    """A whole game as two sets of sequences and the payoffs of pairs of them."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.players = [Sequences() for _ in range(max(2, game.players))]
        self.payoffs: dict[tuple[int, int], float] = {}
        self.nodes = 0
        self.decision: Any = None
        """A state in which player 0 moves first."""
        self._walk(state)

    def _walk(self, state: Any) -> None:
        game = self.game
        stack: list[tuple[Any, int, int, float]] = [(state, EMPTY, EMPTY, 1.0)]
        while stack:
            s, mine, theirs, odds = stack.pop()
            self.nodes += 1
            if self.nodes > MANY:
                raise EndlessGame(f"{game.name} has more than {MANY:,} nodes: too large for the sequence form")
            if game.is_terminal(s):
                pair = (mine, theirs)
                self.payoffs[pair] = self.payoffs.get(pair, 0.0) + odds * float(game.utility(s, 0))
                continue
            mover, actions = game.to_move(s), list(game.actions(s))
            if mover == CHANCE:
                stack += [(game.result(s, a), mine, theirs, odds * float(game.probability(s, a))) for a in actions]
                continue
            # Where nothing is hidden a player knows the way that led here: each node is a set of its own.
            view = self.nodes if game.view is None else game.view(s, mover)
            before = mine if mover == 0 else theirs
            number = self.players[mover].at(view, before, actions, game)
            if mover == 0 and mine == EMPTY and self.decision is None:
                self.decision = s
            for a in reversed(actions):
                after = self.players[mover].children[number, a]
                pair = (after, theirs) if mover == 0 else (mine, after)
                stack.append((game.result(s, a), *pair, odds))

    def solve(self, forced: int | None = None) -> tuple[float, list[float]]:
        """The value for player 0 and its plan: the odds of each of its sequences; one of them may be forced."""
        from scipy.optimize import linprog

        mine, theirs = self.players[0], self.players[1]
        n, m = len(mine.parents), len(theirs.sets) + 1
        # Variables: the plan x of player 0, then what player 1 can hold it to at the root (0) and at each of its sets.
        holds = Rows(n + m)
        for (i, j), payoff in self.payoffs.items():
            holds.put(j, i, -payoff)
        for j, number in enumerate(theirs.parents):
            holds.put(j, n + number + 1, 1.0)
        for number, before, _ in theirs.sets.values():
            holds.put(before, n + number + 1, -1.0)
        plans = Rows(n + m)
        plans.put(0, EMPTY, 1.0)
        right = [1.0]
        for number, before, actions in mine.sets.values():
            for a in actions:
                plans.put(len(right), mine.children[number, a], 1.0)
            plans.put(len(right), before, -1.0)
            right.append(0.0)
        aim = [0.0] * (n + m)
        aim[n] = -1.0
        bounds: list[Any] = [(0.0, 1.0)] * n + [(None, None)] * m
        if forced is not None:
            bounds[forced] = (1.0, 1.0)
        upper = holds.matrix(len(theirs.parents))
        found = linprog(aim, upper, [0.0] * len(theirs.parents), plans.matrix(len(right)), right, bounds)
        if not found.success:
            raise BadParameter(f"{self.game.name}: the linear program has no solution ({found.message})")
        return float(-found.fun + 0.0), [float(x) for x in found.x[:n]]

    def behaviour(self, plan: Sequence[float]) -> dict[Any, dict[int, float]]:
        """Player 0's odds at each of its information sets."""
        out = {}
        for view, (number, before, actions) in self.players[0].sets.items():
            reach = plan[before]
            odds = [max(0.0, plan[self.players[0].children[number, a]]) for a in actions]
            whole = sum(odds)
            known = reach > 1e-12 and whole > 0
            out[view] = {a: p / whole if known else 1 / len(actions) for a, p in zip(actions, odds, strict=True)}
        return out


def sequence_form(game: Game, state: Any = None) -> Analysis:
    """The value of a zero-sum game of at most two players in which something is hidden, and player 0's first moves.

    Where player 0 has one first information set, `moves` holds the value of each action there if it must be played.

    >>> from zermelo import game
    >>> round(sequence_form(game("kuhn_poker")).value * 18, 6)
    -1.0
    """
    require_game(game, "sequence_form")
    if game.players > 2 or (game.players == 2 and total(game) is None):
        raise UnsuitableGame(f"{game.name} is not a zero-sum game of two: sequence_form cannot solve it; use maxn")
    started = time.perf_counter()
    s = game.initial() if state is None else game.checked_state(state)
    form = Form(game, s)
    value, plan = form.solve()
    first = [known for known in form.players[0].sets.values() if known[1] == EMPTY]
    moves: dict[int, Move] = {}
    if len(first) == 1:
        number, _, actions = first[0]
        moves = {a: Move(form.solve(form.players[0].children[number, a])[0]) for a in actions}
    policy = Policy(game, form.behaviour(plan))
    chosen = next((a for a, worth in moves.items() if worth >= value - ROUNDING), None)
    here = game.to_move(s) == 0 if not game.is_terminal(s) else False
    whole = total(game) or 0.0
    return Analysis(
        value=value,
        values=(value,) if game.players == 1 else (value, whole - value + 0.0),
        action=chosen,
        line=(chosen,) if chosen is not None and here else (),
        moves=moves,
        bound="exact",
        nodes=form.nodes,
        depth=None,
        time=time.perf_counter() - started,
        method="sequence form",
        device="python",
        game=game,
        state=s,
        policy=policy,
        decision=form.decision,
    )
