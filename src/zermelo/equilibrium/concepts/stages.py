"""Stages: what is left of a subgame when the subgames inside it are replaced by what they are worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from zermelo.equilibrium.forms.extensive import END, NOWHERE, ExtensiveForm, expected
from zermelo.equilibrium.forms.normal import MOST_CELLS, NormalForm, plan_count, plans, shown_count
from zermelo.equilibrium.policies.strategies import Odds, behaviour_odds
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

MOST_QUICK = 2_000
"""The most cells of a stage's table where one equilibrium is sought that could be found without a table."""
Way = tuple[tuple[Any, ...], dict[int, list[Any]]]
"""What every player expects, and the odds at each information set of the whole game that lies in the stage."""


@dataclass(frozen=True)
class Ways:
    """The equilibria of a stage."""

    ways: list[Way]
    complete: bool
    """Whether there are no others."""


class Stage(ExtensiveForm):
    """Part of a tree as a game of its own, cut off where the payoffs are known."""

    def __init__(
        self, whole: ExtensiveForm, root: int, payoffs: Mapping[int, tuple[Any, ...]], odds: Sequence[Any]
    ) -> None:
        self.game, self.players, self.forgets = whole.game, whole.players, ""
        self.parent, self.place, self.mover, self.at, self.odds = [], [], [], [], []
        self.payoffs, self.branches, self.sets = {}, [], []
        self.numbers: list[int] = []
        """The number of each information set in the whole game."""
        stack = [(root, NOWHERE)]
        while stack:
            there, parent = stack.pop()
            node = len(self.parent)
            known = there in payoffs and there != root
            self.parent.append(parent)
            self.place.append(whole.place[there])
            self.odds.append(odds[there])
            self.mover.append(END if known else whole.mover[there])
            self.branches.append(() if known else whole.branches[there])
            self.at.append(NOWHERE if known else self._set(whole, whole.at[there], node))
            if known:
                self.payoffs[node] = payoffs[there]
            else:
                stack += [(child, node) for child in reversed(whole.children[there])]

    def _set(self, whole: ExtensiveForm, number: int, node: int) -> int:
        """The stage's number of an information set of the whole game, to which the node is added."""
        if number == NOWHERE:
            return NOWHERE
        if number not in self.numbers:
            self.numbers.append(number)
            before, place = whole.sets[number].before
            last = (self.numbers.index(before), place) if before in self.numbers else (NOWHERE, 0)
            self.sets.append(replace(whole.sets[number], number=len(self.sets), before=last, nodes=[]))
        here = self.numbers.index(number)
        self.sets[here].nodes.append(node)
        return here


def stage_solutions(stage: Stage, *, every: bool) -> Ways:
    """The equilibria of a stage, or one of them."""
    deciders = sorted({s.player for s in stage.sets})
    if not deciders:
        return Ways([(expected(stage, []), {})], True)
    counts = [plan_count(stage, player, reduced=True) for player in range(stage.players)]
    if not every and deciders == [0, 1] == list(range(stage.players)) and prod(counts) > MOST_QUICK:
        return Ways([_by_sequences(stage)], False)
    if prod(counts) > MOST_CELLS:
        size = " x ".join(map(shown_count, counts))
        raise UnsuitableGame(
            f"{stage.game.name}: a subgame without smaller ones inside has {size} plans, too many for a table; "
            f"use cfr, whose answer need not be subgame-perfect"
        )
    table = NormalForm(stage, [list(plans(stage, player, reduced=True)) for player in range(stage.players)])
    profiles, complete = _profiles(table, deciders, every)
    return Ways([_way(stage, behaviour_odds(table, profile)) for profile in profiles], complete)


def _by_sequences(stage: Stage) -> Way:
    """One equilibrium of a stage of two players, without a table."""
    from zermelo.equilibrium.forms.sequences import from_extensive
    from zermelo.equilibrium.nash.lemke import MOST_ROWS, complementary_plans

    form = from_extensive(stage)
    rows = sum(form.counts) + 2 * sum(len(sets) + 1 for sets in form.sets)
    if rows > MOST_ROWS:
        raise UnsuitableGame(
            f"{stage.game.name}: a subgame without smaller ones inside makes {rows:,} equations, too many; "
            f"use cfr or sequence_form, whose answers need not be subgame-perfect"
        )
    chosen = form.choices(complementary_plans(form))
    return _way(stage, [[chosen[s.player][s.view].get(a, 0) for a in s.actions] for s in stage.sets])


def _way(stage: Stage, odds: Odds) -> Way:
    return expected(stage, odds), dict(zip(stage.numbers, odds, strict=True))


def _profiles(table: NormalForm, deciders: list[int], every: bool) -> tuple[list[list[tuple[Any, ...]]], bool]:
    """Equilibria of a table in which only some players have a choice, and whether these are all."""
    from zermelo.equilibrium.nash.nash import nash, pure_equilibria

    small = _between(table, deciders)
    chosen = [equilibrium.profile for equilibrium in pure_equilibria(small)]
    if not every and chosen:
        return [_spread(table, deciders, chosen[0])], False
    if len(deciders) == 1:
        return [_spread(table, deciders, one) for one in chosen], len(chosen) == 1
    found = nash(small, all=every, exact=True)
    mixed = [equilibrium.profile for equilibrium in found if not equilibrium.is_pure]
    alone = all(len(subset) == 1 for component in found.components for subset in component)
    kept = [*chosen, *mixed] if every else mixed[:1]
    return [_spread(table, deciders, one) for one in kept], every and found.complete and alone


def _between(table: Matrix, deciders: list[int]) -> Matrix:
    """The table of those who have a choice."""
    cells = table.payoffs[tuple(slice(None) if p in deciders else 0 for p in range(table.players))][..., deciders]
    return Matrix((cells[..., 0] if len(deciders) == 1 else cells).tolist())


def _spread(table: Matrix, deciders: list[int], profile: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The profile of all players: those without a choice follow their only plan."""
    return [tuple(profile[deciders.index(p)]) if p in deciders else (1,) for p in range(table.players)]
