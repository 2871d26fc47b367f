"""Extensive-form correlated equilibria: the device tells a player what to do when it gets to an information set.

With two players and no chance moves the device is described by the odds of pairs of sequences, of which there are few:
one linear program of polynomial size (von Stengel and Forges, 2008). Otherwise it is a lottery over combinations of
reduced plans, which small games allow.
"""

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.concepts.correlated import Device, Temptation, check_size
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm, extensive_form
from zermelo.equilibrium.forms.forgetting import Plan
from zermelo.equilibrium.forms.normal import plan_count, plans
from zermelo.equilibrium.policies.strategies import actions_to

Sequence = tuple[int, int]
"""A player's last decision, as an information set and a place, which stands for all before it too."""
EMPTY: Sequence = (NOWHERE, 0)


def extensive_device(game: Game) -> Device:
    """The linear program for extensive-form correlated equilibria of a game with perfect recall."""
    form = extensive_form(game)
    form.require_recall('correlated(game, kind="extensive")')
    few = form.players == 2 and CHANCE not in form.mover
    return (_by_sequences if few else _by_plans)(_Ends(form))


class _Ends:
    """The ends of a tree, with what leads to them."""

    def __init__(self, form: ExtensiveForm) -> None:
        self.form = form
        last: list[tuple[Sequence, ...]] = []
        odds: list[Any] = []
        for node, parent in enumerate(form.parent):
            if parent == NOWHERE:
                last.append((EMPTY,) * form.players)
                odds.append(1)
                continue
            mover, own = form.mover[parent], last[parent]
            if mover != CHANCE:
                own = (*own[:mover], (form.at[parent], form.place[node]), *own[mover + 1 :])
            last.append(own)
            odds.append(odds[parent] * form.exact_odds[node])
        self.last = {end: last[end] for end in form.payoffs}
        """Each player's last decision before each end."""
        self.worth = {end: tuple(odds[end] * x for x in payoffs) for end, payoffs in form.exact_payoffs.items()}
        """What each end adds to what the players expect, if they play towards it."""
        self.odds = {end: odds[end] for end in form.payoffs}
        self.behind: dict[Sequence, list[int]] = {}
        """The information sets of a player that come directly after a decision of it."""
        for s in form.sets:
            self.behind.setdefault(s.before, []).append(s.number)
        self.after: dict[Sequence, list[int]] = {}
        """The ends before which a decision is its player's last."""
        for end, own in self.last.items():
            for sequence in own:
                self.after.setdefault(sequence, []).append(end)


Told = Callable[[int, Sequence, int], dict[int, Any]]
"""The odds that a player is told to play a sequence while the others play towards an end, as a sum over variables."""


def _filled(device: Device, ends: _Ends, told: Told) -> Device:
    """The device with its values, its outcomes and the constraints that no disobedience pays."""
    form = ends.form
    for end, last in ends.last.items():
        reached = told(0, last[0], end)
        device.outcomes[actions_to(form, end)] = {i: x * ends.odds[end] for i, x in reached.items()}
        for player in range(form.players):
            _add(device.values[player], reached, ends.worth[end][player])
    for s in form.sets:
        if len(s.actions) > 1:
            for place in range(len(s.actions)):
                device.tempt(_temptation(ends, s.player, (s.number, place), told))
    return device


def _temptation(ends: _Ends, player: int, trigger: Sequence, told: Told) -> Temptation:
    """What a player who was told to play `trigger` earns by obeying, and by anything else it may do from there on."""
    form = ends.form
    obey: dict[int, Any] = {}
    order = [trigger[0]]
    decisions: list[list[tuple[dict[int, Any], list[int]]]] = []
    for number in order:
        choices = []
        for place in range(len(form.sets[number].actions)):
            own, earned = (number, place), dict[int, Any]()
            obeys = _follows(form, own, trigger)
            for end in ends.after.get(own, []):
                _add(earned, told(player, trigger, end), ends.worth[end][player])
                if obeys:
                    _add(obey, told(player, own, end), ends.worth[end][player])
            behind = ends.behind.get(own, [])
            order += behind
            if own != trigger:
                choices.append((earned, behind))
        decisions.append(choices)
    at = {number: i for i, number in enumerate(order)}
    return Temptation(obey, [[(earned, [at[n] for n in behind]) for earned, behind in row] for row in decisions])


def _follows(form: ExtensiveForm, sequence: Sequence, earlier: Sequence) -> bool:
    """Whether a sequence is another one or continues it."""
    while sequence not in (EMPTY, earlier):
        sequence = form.sets[sequence[0]].before
    return sequence == earlier


def _by_sequences(ends: _Ends) -> Device:
    """Lotteries as odds of pairs of sequences of two players."""
    form = ends.form
    pairs = _relevant(ends)
    check_size(form.game, len(pairs) * 4)
    device = Device(form.game, "extensive", len(pairs), form.exact)
    device.program.equals({pairs[EMPTY, EMPTY]: 1}, 1)
    for s in form.sets:
        # With each sequence of the other player, the odds of the actions here sum to the odds of getting here.
        for other in {pair[1 - s.player] for pair in pairs}:
            after = [_pair(s.player, (s.number, place), other) for place in range(len(s.actions))]
            if after[0] in pairs:
                row = {pairs[pair]: 1 for pair in after} | {pairs[_pair(s.player, s.before, other)]: -1}
                device.program.equals(row, 0)

    def told(player: int, sequence: Sequence, end: int) -> dict[int, Any]:
        return {pairs[_pair(player, sequence, ends.last[end][1 - player])]: 1}

    return _filled(device, ends, told)


def _relevant(ends: _Ends) -> dict[tuple[Sequence, Sequence], int]:
    """The pairs of sequences that matter, numbered: one is empty, or both players' last decisions lie on one path."""
    form = ends.form
    own: list[list[Sequence]] = [[EMPTY], [EMPTY]]
    for s in form.sets:
        own[s.player] += [(s.number, place) for place in range(len(s.actions))]
    joined: set[tuple[int, int]] = set()
    for node in range(len(form)):
        if form.at[node] == NOWHERE:
            continue
        above = form.parent[node]
        while above != NOWHERE:
            if form.mover[above] != form.mover[node]:
                one, two = form.at[node], form.at[above]
                joined.add((one, two) if form.mover[node] == 0 else (two, one))
            above = form.parent[above]
    pairs = [(first, EMPTY) for first in own[0]] + [(EMPTY, second) for second in own[1][1:]]
    pairs += [(a, b) for a in own[0][1:] for b in own[1][1:] if (a[0], b[0]) in joined]
    return {pair: i for i, pair in enumerate(pairs)}


def _pair(player: int, own: Sequence, other: Sequence) -> tuple[Sequence, Sequence]:
    return (own, other) if player == 0 else (other, own)


def _by_plans(ends: _Ends) -> Device:
    """Lotteries over combinations of reduced plans."""
    form = ends.form
    counts = [plan_count(form, player, reduced=True) for player in range(form.players)]
    cells = prod(counts)
    check_size(form.game, cells * (len(ends.last) + 1) * form.players)
    device = Device(form.game, "extensive", cells, form.exact)
    device.program.equals(dict.fromkeys(range(cells), 1), 1)
    own = [list(plans(form, player, reduced=True)) for player in range(form.players)]
    columns = [{s.number: i for i, s in enumerate(form.sets_of(player))} for player in range(form.players)]

    def plays(player: int, plan: Plan, sequence: Sequence) -> bool:
        """Whether a plan plays a sequence; reduced plans say nothing where they do not get to."""
        return sequence == EMPTY or plan[columns[player][sequence[0]]] == sequence[1]

    @cache
    def players_of(player: int, sequence: Sequence) -> list[int]:
        return [i for i, plan in enumerate(own[player]) if plays(player, plan, sequence)]

    def told(player: int, sequence: Sequence, end: int) -> dict[int, Any]:
        places = [0]
        for p in range(form.players):
            wanted = players_of(p, sequence if p == player else ends.last[end][p])
            places = [place * counts[p] + i for place in places for i in wanted]
        return dict.fromkeys(places, 1)

    return _filled(device, ends, told)


def _add(total: dict[int, Any], row: dict[int, Any], times: Any) -> None:
    if times:
        for i, x in row.items():
            total[i] = total.get(i, 0) + x * times
