"""Reduced plans of players who may come to one information set by several ways of their own, or twice in one play.

A reduced plan chooses an action at each information set that it does not itself keep play from, and leaves the others
open: no two of them reach the same ends. Sets that do not lead to each other are enumerated separately, part by part.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm

ANY = -1
"""A plan's choice at an information set that the plan itself keeps play away from."""
Plan = tuple[int, ...]
"""A place for each of a player's information sets, or ANY."""


@dataclass(frozen=True)
class Part:
    """Information sets of a player that may lead to each other, by their places among all of its own."""

    columns: list[int]
    bits: list[list[int]]
    """For each set and action a bit that says that it is chosen."""
    ways: list[list[int]]
    """For each set the decisions that must be taken to come to one of its nodes, as bits."""

    def plans(self) -> Iterator[Plan]:
        """All choices at these sets, with ANY at a set that the choices themselves keep play from."""
        stack: list[tuple[int, Plan]] = [(0, (ANY,) * len(self.columns))]
        while stack:
            taken, plan = stack.pop()
            k = next((k for k, own in enumerate(self.ways) if plan[k] == ANY and _is_met(own, taken)), ANY)
            if k == ANY:
                yield plan
                continue
            stack += [
                (taken | bit, (*plan[:k], place, *plan[k + 1 :]))
                for place, bit in reversed(list(enumerate(self.bits[k])))
            ]


def _is_met(ways: list[int], taken: int) -> bool:
    return any(way & taken == way for way in ways)


def plans_of_the_forgetful(form: ExtensiveForm, player: int) -> Iterator[Plan]:
    """The reduced plans of a player, with or without perfect recall."""
    parts = _parts(form, player)
    order = [column for part in parts for column in part.columns]
    back = [order.index(column) for column in range(len(order))]
    for several in itertools.product(*(list(part.plans()) for part in parts)):
        chosen = list(itertools.chain.from_iterable(several))
        yield tuple(chosen[i] for i in back)


def count_plans_of_the_forgetful(form: ExtensiveForm, player: int, most: int) -> int:
    """How many reduced plans a player has; at most `most` + 1 are counted in each part."""
    return prod(sum(1 for _ in itertools.islice(part.plans(), most + 1)) for part in _parts(form, player))


def _parts(form: ExtensiveForm, player: int) -> list[Part]:
    """A player's information sets in parts of which none leads to another."""
    own = form.sets_of(player)
    ways = _ways(form, player)
    root = list(range(len(own)))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for i, several in enumerate(ways):
        for way in several:
            for j, _ in way:
                root[max(find(i), find(j))] = min(find(i), find(j))
    members: dict[int, list[int]] = {}
    for i in range(len(own)):
        members.setdefault(find(i), []).append(i)
    return [_part(columns, [len(own[i].actions) for i in columns], [ways[i] for i in columns])
            for columns in members.values()]  # fmt: skip


Way = tuple[tuple[int, int], ...]
"""Decisions as pairs of an information set, by its place among the player's own, and the place of the action."""


def _part(columns: list[int], sizes: list[int], ways: list[Iterable[Way]]) -> Part:
    first = dict(zip(columns, itertools.accumulate(sizes, initial=0)))
    bits = [[1 << first[i] + place for place in range(size)] for i, size in zip(columns, sizes, strict=True)]
    met = [[sum(1 << first[i] + place for i, place in way) for way in several] for several in ways]
    return Part(columns, bits, met)


def _ways(form: ExtensiveForm, player: int) -> list[Iterable[Way]]:
    """For each information set of a player, the own decisions on each way to one of its nodes."""
    column = {s.number: i for i, s in enumerate(form.sets_of(player))}
    decided: list[dict[int, int] | None] = []
    ways: list[dict[Way, None]] = [{} for _ in column]
    for node, parent in enumerate(form.parent):
        before = decided[parent] if parent != NOWHERE else {}
        above = column.get(form.at[parent]) if parent != NOWHERE else None
        if before is not None and above is not None:
            # A plan takes one action whenever play comes to a set: no plan reaches a node behind two of its actions.
            place = form.place[node]
            before = before | {above: place} if before.get(above, place) == place else None
        decided.append(before)
        here = column.get(form.at[node])
        if before is not None and here is not None:
            ways[here][tuple(sorted(before.items()))] = None
    return list(ways)
