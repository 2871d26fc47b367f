"""The normal form: every plan that a player can make for a whole game, and what each combination of plans pays.

>>> from zermelo import game
>>> table = normal_form(game("share"))
>>> table.shape
(3, 8)
>>> table.labels[1][:3]
('yes yes yes', 'yes yes no', 'yes no yes')
"""

import itertools
from collections.abc import Iterator
from math import prod
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.extensive import NOWHERE, ExtensiveForm
from zermelo.equilibrium.size import without_table
from zermelo.errors import UnsuitableGame
from zermelo.exact import common_fractions
from zermelo.matrix import Matrix

ANY = -1
"""A plan's choice at an information set that the plan itself keeps play away from."""
MOST_CELLS = 1_000_000
Plan = tuple[int, ...]
"""A place for each of a player's information sets, or ANY."""


class NormalForm(Matrix):
    """The payoff table of a game in extensive form, with the plan behind each row and column."""

    def __init__(self, form: ExtensiveForm, plans: list[list[Plan]]) -> None:
        self.form = form
        self.plans = plans
        tables = _payoffs(form, plans)
        labels = [[_label(form, player, plan) for plan in own] for player, own in enumerate(plans)]
        names = getattr(form.game, "names", None)
        shaped = [_nested(table, [len(own) for own in plans]) for table in tables]
        super().__init__(*shaped, labels=_distinct(labels), names=names, title=form.game.name)


def normal_form(game: Game, state: Any = None, *, reduced: bool = False, most: int = MOST_CELLS) -> Matrix:
    """A finite game as a payoff table, with one row for each plan of player 0, one column for each of player 1, ...

    A plan says what to do at each information set. With `reduced`, plans that differ only where they themselves keep
    play from are one, and say `*` there. A table is its own normal form.
    """
    if isinstance(game, Matrix) and state is None:
        return game
    form = ExtensiveForm(game, state, most_cells=most)
    counts = [plan_count(form, player, reduced=reduced) for player in range(form.players)]
    if prod(counts) > most:
        size = " x ".join(map(shown_count, counts))
        fewer = prod(plan_count(form, player, reduced=True) for player in range(form.players))
        raise UnsuitableGame(
            f"the normal form of {game.name} has {size} cells, more than {most:,}: {without_table(game)}"
            + (f", or normal_form(game, reduced=True), which has {fewer:,}" if fewer <= most else "")
        )
    return NormalForm(form, [list(plans(form, player, reduced=reduced)) for player in range(form.players)])


def plan_count(form: ExtensiveForm, player: int, *, reduced: bool = False) -> int:
    """How many plans a player has."""
    own = form.sets_of(player)
    if not reduced or not form.perfect_recall:
        return prod(len(s.actions) for s in own)
    # Later decisions have higher numbers: when an earlier one is counted, what lies behind its actions is known.
    after: dict[tuple[int, int], int] = {}
    for s in reversed(own):
        ways = sum(after.get((s.number, place), 1) for place in range(len(s.actions)))
        after[s.before] = after.get(s.before, 1) * ways
    return after.get((NOWHERE, 0), 1)


def shown_count(count: int) -> str:
    """The number in digits, or its order where there would be too many."""
    return f"{count:,}" if count < 10**12 else f"about 10^{int(count.bit_length() * 0.30103)}"


def plans(form: ExtensiveForm, player: int, *, reduced: bool = False) -> Iterator[Plan]:
    """Every plan of a player, the choice at the last information set fastest."""
    own = form.sets_of(player)
    if not reduced or not form.perfect_recall:
        yield from itertools.product(*(range(len(s.actions)) for s in own))
        return
    column = {s.number: i for i, s in enumerate(own)}
    plan = [ANY] * len(own)
    i = 0
    while i >= 0:
        for later in range(i, len(own)):
            number, place = own[later].before
            plan[later] = 0 if number == NOWHERE or plan[column[number]] == place else ANY
        yield tuple(plan)
        i = len(own) - 1
        while i >= 0 and plan[i] in (ANY, len(own[i].actions) - 1):
            i -= 1
        if i >= 0:
            plan[i] += 1
            i += 1


def plan_labels(form: ExtensiveForm, *, reduced: bool = False) -> list[list[str]]:
    """What the plans of each player are called."""
    players = range(form.players)
    return _distinct([[_label(form, p, plan) for plan in plans(form, p, reduced=reduced)] for p in players])


def _payoffs(form: ExtensiveForm, own: list[list[Plan]]) -> list[list[Any]]:
    """For each player its payoffs, cell by cell, the last player's plan fastest."""
    columns = [{s.number: i for i, s in enumerate(form.sets_of(player))} for player in range(form.players)]
    chances, payoffs_at = _numbers(form)
    tables: list[list[Any]] = [[] for _ in range(form.players)]
    for cell in itertools.product(*own):
        totals: list[Any] = [0] * form.players
        stack: list[tuple[int, Any]] = [(0, 1)]
        while stack:
            node, odds = stack.pop()
            if node in payoffs_at:
                for player, payoff in enumerate(payoffs_at[node]):
                    totals[player] += odds * payoff
                continue
            mover, below = form.mover[node], form.children[node]
            if form.at[node] == NOWHERE:
                stack += [(child, odds * chances[child]) for child in below]
            else:
                stack.append((below[cell[mover][columns[mover][form.at[node]]]], odds))
        for player, total in enumerate(totals):
            tables[player].append(total)
    return tables


def _numbers(form: ExtensiveForm) -> tuple[list[Any], dict[int, tuple[Any, ...]]]:
    """The odds and payoffs of a form; where some are floats, as the fractions that they stand for, if those fit.

    They fit if they have a common denominator of ordinary size and odds sum to 1: then payoffs are added exactly.
    """
    given = [*form.odds, *(x for payoffs in form.payoffs.values() for x in payoffs)]
    exact = common_fractions(given) if any(isinstance(x, float) for x in given) else None
    if exact is None:
        return form.odds, form.payoffs
    chances = exact[: len(form)]
    for node, below in enumerate(form.children):
        if form.mover[node] == CHANCE and sum(chances[child] for child in below) != 1:
            return form.odds, form.payoffs
    rest = iter(exact[len(form) :])
    return chances, {node: tuple(itertools.islice(rest, form.players)) for node in form.payoffs}


def _label(form: ExtensiveForm, player: int, plan: Plan) -> str:
    words = ["*" if place == ANY else s.labels[place] for s, place in zip(form.sets_of(player), plan, strict=True)]
    return " ".join(words) or "-"


def _distinct(labels: list[list[str]]) -> list[list[str]]:
    """Labels that no two plans of a player share: where actions have equal names, numbered."""
    return [own if len(set(own)) == len(own) else [f"{label} ({i})" for i, label in enumerate(own)] for own in labels]


def _nested(cells: list[Any], shape: list[int]) -> Any:
    if len(shape) == 1:
        return cells
    step = len(cells) // shape[0]
    return [_nested(cells[i : i + step], shape[1:]) for i in range(0, len(cells), step)]
