"""Subgames and subgame-perfect equilibria: play that is rational wherever the game gets to.

>>> from zermelo import game
>>> from zermelo.equilibrium.policies.strategies import plan_names
>>> share = game("share")
>>> for equilibrium in subgame_perfect(share, all=True):
...     print(plan_names(extensive_form(share), equilibrium.policy), equilibrium.values)
('keep', 'yes yes yes') (2.0, 0.0)
('share', 'no yes yes') (1.0, 1.0)
"""

import itertools
import time
from collections import ChainMap
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.arguments import whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.contract import require_game
from zermelo.equilibrium.concepts.stages import Stage, stage_solutions
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm, extensive_form
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium
from zermelo.equilibrium.policies.strategies import Odds, policy_of, small_profile
from zermelo.errors import UnsuitableGame

MOST_FOUND = 10_000
INDIFFERENT = "all in which indifferent players do not mix; where they do, what is best before may change as well"


@dataclass(frozen=True)
class Subgame:
    """A part of a tree that is a game of its own: whoever decides in it knows that play is in it."""

    root: int
    end: int
    """The number after that of its last node: the nodes of a subgame are numbered consecutively."""
    inner: tuple[int, ...] = field(repr=False)
    """The roots of the largest subgames inside."""


def subgames(game: AnyGame | ExtensiveForm) -> list[Subgame]:
    """Every subgame, the whole game first; parts where nobody decides are left out.

    >>> from zermelo import game
    >>> len(subgames(game("share"))), len(subgames(game("kuhn_poker")))
    (4, 1)
    """
    form = game if isinstance(game, ExtensiveForm) else extensive_form(game)
    ends = _ends(form)
    first, last = list(range(len(form))), list(range(len(form)))
    decided = [at != NOWHERE for at in form.at]
    for s in form.sets:
        for node in s.nodes:
            first[node], last[node] = min(s.nodes), max(s.nodes)
    for node in range(len(form) - 1, 0, -1):
        parent = form.parent[node]
        first[parent], last[parent] = min(first[parent], first[node]), max(last[parent], last[node])
        decided[parent] |= decided[node]
    roots = [
        node
        for node in range(len(form))
        if node == 0 or (decided[node] and first[node] >= node and last[node] < ends[node])
    ]
    inner: dict[int, list[int]] = {root: [] for root in roots}
    open_roots: list[int] = []
    for root in roots:
        while open_roots and ends[open_roots[-1]] <= root:
            open_roots.pop()
        if open_roots:
            inner[open_roots[-1]].append(root)
        open_roots.append(root)
    return [Subgame(root, ends[root], tuple(inner[root])) for root in roots]


def subgame_perfect(
    game: AnyGame, *, all: bool = False, exact: bool | None = None, most: int = MOST_FOUND
) -> Equilibria:
    """Subgame-perfect equilibria by backward induction: the smallest subgames first, then those around them.

    Where one player decides, it takes a best action; a subgame where moves are simultaneous or hidden is solved as a
    table. With `all`, one equilibrium for each way to settle ties and each equilibrium of such a table, at most
    `most`; without, one of them. A player who is indifferent could mix as well, and then earlier players may do
    otherwise: where that is possible, `.complete` is false. Numbers are fractions where the game has no floats, or as
    `exact` says. Plans of a table that differ only at sets that they themselves rule out are one.
    Each equilibrium's `gains` are the most that a player could gain in any subgame.
    """
    game = as_game(game)
    started = time.perf_counter()
    require_game(game, "subgame_perfect")
    form = extensive_form(game)
    form.require_recall("subgame_perfect")
    whole("subgame_perfect: most", most, least=1)
    induction = _Induction(form, every=all, most=most, exact=form.exact if exact is None else exact)
    answers = [induction.answer(solution, started) for solution in induction.solve()]
    if not all:
        return Equilibria(answers, complete=induction.complete, note="one; all=True looks for more")
    note = "" if induction.complete else INDIFFERENT
    return Equilibria(answers, complete=induction.complete, note=note)


@dataclass(frozen=True, eq=False)
class _Solution:
    """One way to play a subgame: what it is worth, what is done in it outside of inner subgames, and inside of them."""

    values: tuple[Any, ...]
    choices: dict[int, list[Any]]
    inner: tuple["_Solution", ...] = ()

    def odds(self, form: ExtensiveForm) -> Odds:
        """The odds at each information set."""
        odds: Odds = [[] for _ in form.sets]
        stack = [self]
        while stack:
            part = stack.pop()
            for number, own in part.choices.items():
                odds[number] = own
            stack += part.inner
        return odds


class _Induction:
    """Backward induction over subgames, in exact numbers."""

    def __init__(self, form: ExtensiveForm, *, every: bool, most: int, exact: bool) -> None:
        self.form = form
        self.every = every
        self.most = most
        self.parts = subgames(form)
        self.payoffs = {node: tuple(map(_whole, row)) for node, row in form.exact_payoffs.items()}
        self.odds = list(map(_whole, form.exact_odds))
        self.exact = exact
        """Whether answers have no floats."""
        self.complete = True
        """Whether the solutions are all that there are."""

    def solve(self) -> list[_Solution]:
        """The solutions of the whole game."""
        solved: dict[int, list[_Solution]] = {}
        for part in reversed(self.parts):
            found: list[_Solution] = []
            for inner in itertools.product(*(solved[root] for root in part.inner)):
                found += self._played(part, inner)
                if len(found) > self.most:
                    raise UnsuitableGame(
                        f"{self.form.game.name} has more than {self.most:,} subgame-perfect equilibria: "
                        f"ask for one (all=False) or give a larger most"
                    )
            solved[part.root] = found if self.every else found[:1]
            for root in part.inner:
                del solved[root]
        return solved[0]

    def answer(self, solution: _Solution, started: float) -> Equilibrium:
        """A solution with its evidence."""
        form, odds = self.form, solution.odds(self.form)
        gains = tuple(self._gain(odds, player) for player in range(form.players))
        policy = policy_of(form, odds)
        return Equilibrium(
            profile=small_profile(form, odds),
            values=tuple(map(self._shown, solution.values)),
            regret=self._shown(max(gains)),
            method="backward induction",
            game=form.game,
            policy=policy,
            gains=tuple(map(self._shown, gains)),
            time=time.perf_counter() - started,
            note="" if policy else "play differs by the way to a state, which no policy of states can say",
        )

    def _shown(self, x: Any) -> Any:
        return Fraction(x) if self.exact else float(x)

    def _played(self, part: Subgame, inner: tuple[_Solution, ...]) -> Iterator[_Solution]:
        """The ways to play a subgame when the subgames inside it are played as `inner` says."""
        form, known = self.form, {root: s.values for root, s in zip(part.inner, inner, strict=True)}
        below, number = form.children[part.root], form.at[part.root]
        if number == NOWHERE or not all(c in known or c in self.payoffs for c in below):
            stage = Stage(form, part.root, ChainMap(known, self.payoffs), self.odds)
            found = stage_solutions(stage, every=self.every)
            self.complete &= found.complete
            for values, choices in found.ways:
                yield _Solution(values, choices, inner)
            return
        worth = [known[c] if c in known else self.payoffs[c] for c in below]
        mover = form.mover[part.root]
        top = max(values[mover] for values in worth)
        best = [place for place, values in enumerate(worth) if values[mover] == top]
        self.complete &= len(best) == 1
        for place in best if self.every else best[:1]:
            yield _Solution(worth[place], {number: [int(i == place) for i in range(len(worth))]}, inner)

    def _gain(self, odds: Odds, player: int) -> Any:
        """The most that a player could gain in any subgame while the others play by `odds`."""
        form, roots = self.form, {part.root for part in self.parts}
        value: list[Any] = [self.payoffs[n][player] if n in self.payoffs else 0 for n in range(len(form))]
        others: list[Any] = []
        for node, parent in enumerate(form.parent):
            own = parent != NOWHERE and form.mover[parent] == player
            others.append(1 if node in roots else others[parent] * (1 if own else self._step(odds, node)))
        for node in range(len(form) - 1, 0, -1):
            value[form.parent[node]] += self._step(odds, node) * value[node]
        best: dict[int, Any] = {}
        # A player's later information sets have higher numbers than its earlier ones: they are solved first.
        for s in reversed(form.sets_of(player)):
            below = [form.children[node] for node in s.nodes]
            for child in itertools.chain(*below):
                self._settle(best, odds, child, player)
            worth = [
                sum(others[node] * best[row[i]] for node, row in zip(s.nodes, below, strict=True))
                for i in range(len(s.actions))
            ]
            choice = worth.index(max(worth))
            best |= {node: best[row[choice]] for node, row in zip(s.nodes, below, strict=True)}
        self._settle(best, odds, 0, player)
        return max((best[root] - value[root] for root in roots), default=0)

    def _settle(self, best: dict[int, Any], odds: Odds, node: int, player: int) -> None:
        """Enter in `best` what a node and those below it are worth, down to nodes that it has already."""
        order, stack = [], [node]
        while stack:
            here = stack.pop()
            if here not in best:
                order.append(here)
                stack += self.form.children[here]
        for here in reversed(order):
            below = self.form.children[here]
            if below:
                best[here] = sum(self._step(odds, child) * best[child] for child in below)
            else:
                best[here] = self.payoffs[here][player]

    def _step(self, odds: Odds, node: int) -> Any:
        at = self.form.at[self.form.parent[node]]
        return self.odds[node] if at == NOWHERE else odds[at][self.form.place[node]]


def _whole(x: Any) -> Any:
    """The number itself, whole ones as integers: they are much quicker."""
    return x.numerator if x.denominator == 1 else x


def _ends(form: ExtensiveForm) -> list[int]:
    """For each node the number after that of the last node of its subtree."""
    ends = [node + 1 for node in range(len(form))]
    for node in range(len(form) - 1, 0, -1):
        ends[form.parent[node]] = max(ends[form.parent[node]], ends[node])
    return ends
