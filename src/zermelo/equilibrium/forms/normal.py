"""The normal form: every plan that a player can make for a whole game, and what each combination of plans pays.

>>> from zermelo import game
>>> table = normal_form(game("share"))
>>> table.shape
(3, 8)
>>> table.labels[1][:3]
('yes yes yes', 'yes yes no', 'yes no yes')
"""

import itertools
import operator
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any

from zermelo.by_hand import AnyGame, as_table
from zermelo.equilibrium.forms.extensive import END, NOWHERE, ExtensiveForm
from zermelo.equilibrium.forms.forgetting import ANY, Plan, count_plans_of_the_forgetful, plans_of_the_forgetful
from zermelo.equilibrium.forms.size import without_table
from zermelo.errors import UnsuitableGame
from zermelo.exact import LARGEST_DENOMINATOR, common_fractions
from zermelo.matrix import Matrix

MOST_CELLS = 1_000_000
LARGEST_WORD = 1 << 62


class NormalForm(Matrix):
    """The payoff table of a game in extensive form, with the plan behind each row and column."""

    def __init__(self, form: ExtensiveForm, plans: list[list[Plan]]) -> None:
        self.form = form
        self.plans = plans
        self._scaled, self._scale = _payoffs(form, plans)
        labels = [[_label(form, player, plan) for plan in own] for player, own in enumerate(plans)]
        names = form.game.names or None
        rounded = not form.exact and (
            self._scale > LARGEST_DENOMINATOR or common_fractions(itertools.chain(*form.payoffs.values())) is None
        )
        shown = [_divided(table, self._scale, rounded) for table in self._scaled]
        super().__init__(*shown, labels=_distinct(labels), names=names, title=form.game.name)

    @cached_property
    def exact_cells(self) -> list[list[Any]]:
        """The payoffs cell by cell in integers and fractions, of which the table may show floats."""
        cells = [_divided(table, self._scale, False).ravel().tolist() for table in self._scaled]
        return [list(cell) for cell in zip(*cells, strict=True)]


def normal_form(game: AnyGame, state: Any = None, *, reduced: bool = False, most: int = MOST_CELLS) -> Matrix:
    """A finite game as a payoff table, with one row for each plan of player 0, one column for each of player 1, ...

    A plan says what to do at each information set. With `reduced`, plans that differ only at sets that they
    themselves keep play from are one plan, with `*` there. A table is its own normal form.
    """
    game = as_table(game)
    if isinstance(game, Matrix) and state is None:
        return game
    form = ExtensiveForm(game, state, most_cells=most)
    counts = [plan_count(form, player, reduced=reduced, most=most) for player in range(form.players)]
    if prod(counts) > most:
        size = " x ".join(map(shown_count, counts))
        fewer = prod(plan_count(form, player, reduced=True, most=most) for player in range(form.players))
        raise UnsuitableGame(
            f"the normal form of {game.name} has {size} cells, more than {most:,}: {without_table(game)}"
            + (f", or normal_form(game, reduced=True), which has {fewer:,}" if fewer <= most else "")
        )
    return NormalForm(form, [list(plans(form, player, reduced=reduced)) for player in range(form.players)])


def plan_count(form: ExtensiveForm, player: int, *, reduced: bool = False, most: int = MOST_CELLS) -> int:
    """How many plans a player has; without perfect recall, counting reduced plans may stop above `most`."""
    own = form.sets_of(player)
    if not reduced:
        return prod(len(s.actions) for s in own)
    if not form.perfect_recall:
        return count_plans_of_the_forgetful(form, player, most)
    # Later decisions have higher numbers: when an earlier one is counted, what lies behind its actions is known.
    after: dict[tuple[int, int], int] = {}
    for s in reversed(own):
        ways = sum(after.get((s.number, place), 1) for place in range(len(s.actions)))
        after[s.before] = after.get(s.before, 1) * ways
    return after.get((NOWHERE, 0), 1)


def shown_count(count: int) -> str:
    """The number in digits, or its order of magnitude where it has too many digits."""
    return f"{count:,}" if count < 10**12 else f"about 10^{int(count.bit_length() * 0.30103)}"


def plans(form: ExtensiveForm, player: int, *, reduced: bool = False) -> Iterator[Plan]:
    """Every plan of a player; the choice at the last information set changes fastest."""
    own = form.sets_of(player)
    if not reduced:
        yield from itertools.product(*(range(len(s.actions)) for s in own))
        return
    if not form.perfect_recall:
        yield from plans_of_the_forgetful(form, player)
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


def choices(table: NormalForm, profile: Sequence[Sequence[Any]]) -> dict[Any, dict[int, Any]]:
    """For each player and view the odds of actions: behaviour equivalent to mixing plans with the odds in `profile`.

    At information sets that a player's own strategy never reaches, all actions have the same odds.
    """
    choose: dict[Any, Any] = {}
    for player, odds in enumerate(profile):
        own = table.form.sets_of(player)
        place = {s.number: i for i, s in enumerate(own)}
        used = [(plan, q) for plan, q in zip(table.plans[player], odds, strict=True) if q]
        for i, s in enumerate(own):
            weights: list[Any] = [0] * len(s.actions)
            for plan, q in used:
                if plan[i] != ANY and _reaches(table, plan, place, s.before):
                    weights[plan[i]] += q
            total = sum(weights)
            one = Fraction(1, len(s.actions)) if isinstance(sum(odds), Fraction) else 1 / len(s.actions)
            choose[player, s.view] = {a: w / total if total else one for a, w in zip(s.actions, weights, strict=True)}
    return choose


def _reaches(table: NormalForm, plan: Sequence[int], place: dict[int, int], before: tuple[int, int]) -> bool:
    """Whether a plan takes all own decisions that lead to an information set."""
    while before[0] in place:
        if plan[place[before[0]]] != before[1]:
            return False
        before = table.form.sets[before[0]].before
    return True


def _payoffs(form: ExtensiveForm, own: list[list[Plan]]) -> tuple[list[Any], int]:
    """For each player its payoffs as integers [plan of player 0, plan of player 1, ...], and what they are divided by.

    An end is met by all combinations of the plans that lead to it, and adds its payoffs there.
    """
    import numpy as np

    pays, scale = _worths(form)
    largest = sum(abs(x) for payoffs in pays.values() for x in payoffs)
    kind: Any = np.int64 if largest < LARGEST_WORD else object
    columns = [{s.number: i for i, s in enumerate(form.sets_of(player))} for player in range(form.players)]
    choices = [np.array(several, dtype=np.int32).reshape(len(several), -1) for several in own]
    tables = [np.zeros([len(several) for several in own], dtype=kind) for _ in range(form.players)]
    stack = [(0, tuple(np.arange(len(several)) for several in own))]
    while stack:
        node, fit = stack.pop()
        if form.mover[node] == END:
            for table, payoff in zip(tables, pays[node], strict=True):
                table[np.ix_(*fit)] += payoff
            continue
        mover, below = form.mover[node], form.children[node]
        if form.at[node] == NOWHERE:
            stack += [(child, fit) for child in below]
            continue
        taken = choices[mover][fit[mover], columns[mover][form.at[node]]]
        for child in below:
            left = fit[mover][taken == form.place[child]]
            if len(left):
                stack.append((child, (*fit[:mover], left, *fit[mover + 1 :])))
    return tables, scale


def _worths(form: ExtensiveForm) -> tuple[dict[int, list[int]], int]:
    """What each end pays, times the odds of chance, as integers, and what they are divided by."""
    odds: list[Any] = []
    for node, parent in enumerate(form.parent):
        odds.append(1 if parent == NOWHERE else odds[parent] * form.exact_odds[node])
    worths = {end: [odds[end] * x for x in payoffs] for end, payoffs in form.exact_payoffs.items()}
    scale = lcm(*(x.denominator for own in worths.values() for x in own))
    return {end: [x.numerator * (scale // x.denominator) for x in own] for end, own in worths.items()}, scale


def _divided(table: Any, scale: int, rounded: bool) -> Any:
    """Integers divided by a scale: integers and fractions, or the floats next to them."""
    import numpy as np

    if scale == 1:
        return table
    divide: Any = operator.truediv if rounded else Fraction
    flat = [divide(x, scale) for x in table.ravel().tolist()]
    return np.array(flat, dtype=float if rounded else object).reshape(table.shape)


def _label(form: ExtensiveForm, player: int, plan: Plan) -> str:
    words = ["*" if place == ANY else s.labels[place] for s, place in zip(form.sets_of(player), plan, strict=True)]
    return " ".join(words) or "-"


def _distinct(labels: list[list[str]]) -> list[list[str]]:
    """Labels that no two plans of a player share: where actions have equal names, numbered."""
    return [own if len(set(own)) == len(own) else [f"{label} ({i})" for i, label in enumerate(own)] for own in labels]
