"""The sequence form: exact play of two-player zero-sum games with hidden information by one linear program.

A player's plan is described by the odds of its sequences of actions instead of by whole strategies, of which there are
exponentially many (von Stengel, 1996; Koller, Megiddo and von Stengel, 1996).
"""

import time
from collections.abc import Sequence
from typing import Any

from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame
from zermelo.contract import CHANCE, Game
from zermelo.policy import Policy
from zermelo.result import Analysis, Move
from zermelo.traits import total

MANY = 2_000_000
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
            raise UnsuitableGame(f"{game.name}: a player forgets what it did (imperfect recall); the sequence form needs it")
        if same != actions:
            raise UnsuitableGame(f"{game.name}: states with the same view offer different actions; zermelo.check shows it")
        return number


class Form:
    """A whole game as two sets of sequences and the payoffs of pairs of them."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.players = [Sequences() for _ in range(max(2, game.players))]
        self.payoffs: dict[tuple[int, int], float] = {}
        self.nodes = 0
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
            view = s if game.view is None else game.view(s, mover)
            before = mine if mover == 0 else theirs
            number = self.players[mover].at(view, before, actions, game)
            for a in reversed(actions):
                after = self.players[mover].children[number, a]
                pair = (after, theirs) if mover == 0 else (mine, after)
                stack.append((game.result(s, a), *pair, odds))

    def solve(self, forced: int | None = None) -> tuple[float, list[float]]:
        """The value for player 0 and its plan: the odds of each of its sequences; one of them may be forced."""
        from scipy.optimize import linprog
        from scipy.sparse import coo_array

        mine, theirs = self.players[0], self.players[1]
        n, m = len(mine.parents), len(theirs.sets) + 1
        # Variables: the plan x of player 0, then what player 1 can hold it to at the root (0) and at each of its sets.
        rows, columns, entries = [], [], []
        for (i, j), payoff in self.payoffs.items():
            rows.append(j), columns.append(i), entries.append(-payoff)
        for j in range(len(theirs.parents)):
            rows.append(j), columns.append(n + theirs.parents[j] + 1), entries.append(1.0)
        for number, before, _ in theirs.sets.values():
            rows.append(before), columns.append(n + number + 1), entries.append(-1.0)
        holds = coo_array((entries, (rows, columns)), shape=(len(theirs.parents), n + m)).tocsr()
        rows, columns, entries, right = [0], [EMPTY], [1.0], [1.0]
        for number, before, actions in mine.sets.values():
            row = len(right)
            for a in actions:
                rows.append(row), columns.append(mine.children[number, a]), entries.append(1.0)
            rows.append(row), columns.append(before), entries.append(-1.0)
            right.append(0.0)
        plans = coo_array((entries, (rows, columns)), shape=(len(right), n + m)).tocsr()
        aim = [0.0] * (n + m)
        aim[n] = -1.0
        bounds: list[Any] = [(0.0, 1.0)] * n + [(None, None)] * m
        if forced is not None:
            bounds[forced] = (1.0, 1.0)
        found = linprog(aim, A_ub=holds, b_ub=[0.0] * holds.shape[0], A_eq=plans, b_eq=right, bounds=bounds)
        if not found.success:
            raise BadParameter(f"{self.game.name}: the linear program has no solution ({found.message})")
        return -found.fun + 0.0, list(found.x[:n])

    def behaviour(self, plan: Sequence[float]) -> dict[Any, dict[int, float]]:
        """Player 0's odds at each of its information sets."""
        out = {}
        for view, (number, before, actions) in self.players[0].sets.items():
            reach = plan[before]
            odds = [max(0.0, plan[self.players[0].children[number, a]]) for a in actions]
            whole = sum(odds)
            out[view] = {
                a: p / whole if reach > 1e-12 and whole > 0 else 1 / len(actions) for a, p in zip(actions, odds, strict=True)
            }
        return out


def sequence_form(game: Game, state: Any = None) -> Analysis:
    """The value of a zero-sum game of at most two players in which something is hidden, and player 0's best first moves.

    Where player 0 has one first information set, `moves` holds the value of each action there if it must be played.

    >>> from zermelo import game
    >>> round(sequence_form(game("kuhn_poker")).value * 18, 6)
    -1.0
    """
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
    chosen = max(moves, key=lambda a: (round(moves[a], 9), -list(moves).index(a))) if moves else None
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
    )
