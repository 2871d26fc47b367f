"""Sequences: a player's plan as the odds of its own sequences of actions (von Stengel, 1996).

With perfect recall each information set is reached by one sequence of its player; each action there makes it one
longer. What a pair of plans is worth is bilinear in the odds of sequences, of which there are no more than actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.contract import Game
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm
from zermelo.equilibrium.forms.flat import Flat
from zermelo.equilibrium.policies.equilibrium import Behaviour
from zermelo.errors import BadParameter

EMPTY = 0
"""The sequence without actions."""
UNREACHED = 1e-12


@dataclass(frozen=True, eq=False)
class OwnSet:
    """An information set as its player knows it: by which own sequence it comes, and which ones leave it."""

    before: int
    first: int
    """The sequence that ends in the first action here; those of the other actions follow."""
    actions: tuple[int, ...]
    view: Any

    @property
    def after(self) -> range:
        """The sequences that end here."""
        return range(self.first, self.first + len(self.actions))


@dataclass(eq=False)
class SequenceForm:
    """A game of two as two sets of sequences and what each pair of them that meets at an end pays, times its odds."""

    game: Game
    nodes: int
    counts: tuple[int, int]
    """How many sequences each player has, the empty one included."""
    sets: tuple[list[OwnSet], list[OwnSet]]
    rows: Any  # [ends] player 0's sequence
    columns: Any  # [ends] player 1's sequence
    payoffs: tuple[Any, Any]  # [ends] each player's payoff times the odds of chance
    odds: Any = ()  # [ends] the odds of chance, where they were kept

    @property
    def first_sets(self) -> list[OwnSet]:
        """The information sets where player 0 decides first."""
        return [own for own in self.sets[0] if own.before == EMPTY]

    def pairs(self, player: int) -> dict[tuple[int, int], Fraction]:
        """What each pair of sequences pays a player, exactly."""
        out: dict[tuple[int, int], Fraction] = {}
        for i, j, payoff in zip(self.rows, self.columns, self.payoffs[player], strict=True):
            if payoff:
                out[i, j] = out.get((i, j), Fraction(0)) + payoff
        return out

    def choices(self, plans: Sequence[Sequence[Any]]) -> list[dict[Any, dict[int, Any]]]:
        """For each player the odds of the actions on each view; uniform where its plan does not reach the view."""
        return [{own.view: local_odds(own, plan) for own in sets} for sets, plan in zip(self.sets, plans, strict=True)]

    def behaviour(self, plans: Sequence[Sequence[Any]]) -> Behaviour:
        """The behaviour strategies of both players under these plans."""
        return Behaviour(
            self.game,
            {(player, view): odds for player, own in enumerate(self.choices(plans)) for view, odds in own.items()},
        )


def local_odds(own: OwnSet, plan: Sequence[Any]) -> dict[int, Any]:
    """The odds of the actions at an information set under a plan."""
    weights = [max(plan[sequence], 0) for sequence in own.after]
    whole = sum(weights)
    if whole <= UNREACHED:
        exact = isinstance(plan[EMPTY], Fraction)
        return dict.fromkeys(own.actions, Fraction(1, len(weights)) if exact else 1 / len(weights))
    return {action: weight / whole for action, weight in zip(own.actions, weights, strict=True)}


def best_plan(sets: Sequence[OwnSet], worth: Sequence[Any]) -> tuple[Any, list[int]]:
    """The most that a player can get when a sequence pays `worth`, and the place that it chooses at each set.

    Sets that come later in play stand later in `sets`: their values are known when the earlier ones are decided.
    """
    total = list(worth)
    chosen = [0] * len(sets)
    for i in range(len(sets) - 1, -1, -1):
        own = sets[i]
        best = max(own.after, key=total.__getitem__)
        chosen[i] = best - own.first
        total[own.before] += total[best]
    return total[EMPTY], chosen


def from_flat(flat: Flat) -> SequenceForm:
    """The sequence form of a flattened game, in floats."""
    import numpy as np

    game, players = flat.game, flat.players
    own_sets: tuple[list[OwnSet], list[OwnSet]] = ([], [])
    shift = [players - 1, players - 1]
    owners, starts, before = flat.player.tolist(), flat.first.tolist(), flat.before.tolist()
    if players == 2:
        mine = owners.count(0)
        shift[1] = starts[mine] - 1 if mine < len(owners) else players - 1
    for number, player in enumerate(owners):
        s = flat.state(number)
        view = s if game.view is None else game.view(s, player)
        above = 0 if before[number] < players else before[number] - shift[player]
        actions = tuple(flat.actions(number))
        own_sets[player].append(OwnSet(above, starts[number] - shift[player], actions, view))

    def places(player: int) -> Any:
        if player >= players:
            return np.zeros(len(flat.ends), dtype=np.int64)
        ends = flat.ends[:, player]
        return np.where(ends < players, 0, ends - shift[player])

    counts = [1 + sum(len(own.actions) for own in sets) for sets in own_sets]
    gains = flat.gains[:, 0], (flat.gains[:, 1] if players == 2 else -flat.gains[:, 0])
    return SequenceForm(
        game, flat.nodes, (counts[0], counts[1]), own_sets, places(0), places(1), gains
    )  # fmt: skip


def from_extensive(form: ExtensiveForm) -> SequenceForm:
    """The sequence form of a game in extensive form, in fractions."""
    form.require_recall("the sequence form")
    if form.players > 2:
        raise BadParameter(f"{form.game.name}: the sequence form here is for two players, not {form.players}")
    own_sets: tuple[list[OwnSet], list[OwnSet]] = ([], [])
    counts = [1, 1]
    first: list[int] = []
    for s in form.sets:
        number, place = s.before
        before = EMPTY if number == NOWHERE else first[number] + place
        first.append(counts[s.player])
        own_sets[s.player].append(OwnSet(before, counts[s.player], s.actions, s.view))
        counts[s.player] += len(s.actions)
    odds, last = _ways(form, first)
    ends = list(form.payoffs)
    pays = form.exact_payoffs
    gains = [[odds[node] * pays[node][player] for node in ends] for player in range(form.players)]
    if form.players == 1:
        gains.append([-x for x in gains[0]])
    rows, columns = ([last[node][player] for node in ends] for player in (0, 1))
    return SequenceForm(
        form.game, len(form), (counts[0], counts[1]), own_sets, rows, columns, (gains[0], gains[1]),
        [odds[node] for node in ends],
    )  # fmt: skip


def _ways(form: ExtensiveForm, first: list[int]) -> tuple[list[Fraction], list[tuple[int, int]]]:
    """The odds of chance on the way to each node, and both players' sequences there."""
    odds: list[Fraction] = []
    last: list[tuple[int, int]] = []
    for node, parent in enumerate(form.parent):
        if parent == NOWHERE:
            odds.append(Fraction(1))
            last.append((EMPTY, EMPTY))
            continue
        decided, mine, theirs = form.at[parent], *last[parent]
        odds.append(odds[parent] * form.exact_odds[node])
        if decided != NOWHERE:
            after = first[decided] + form.place[node]
            mine, theirs = (after, theirs) if form.mover[parent] == 0 else (mine, after)
        last.append((mine, theirs))
    return odds, last


def worth(form: SequenceForm, player: int, plan: Sequence[Any]) -> list[Any]:
    """What each sequence of a player pays when the other follows `plan`, in exact numbers."""
    mine, theirs = (form.rows, form.columns) if player == 0 else (form.columns, form.rows)
    out: list[Any] = [Fraction(0)] * form.counts[player]
    for own, other, payoff in zip(mine, theirs, form.payoffs[player], strict=True):
        if payoff and plan[other]:
            out[own] += payoff * plan[other]
    return out
