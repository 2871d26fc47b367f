"""The extensive form: a whole game as a tree of nodes with its information sets.

>>> from zermelo import game
>>> form = extensive_form(game("share"))
>>> [len(form.sets_of(player)) for player in range(2)]
[1, 3]
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

from zermelo.by_hand import AnyGame, as_game
from zermelo.contract import CHANCE, Game, require_game
from zermelo.equilibrium.arithmetic.rational import exact_odds
from zermelo.equilibrium.forms.size import refuse_huge, without_table, without_tree
from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame, unequal_actions
from zermelo.exact import exact_numbers, plain
from zermelo.plain_data import as_plain, game_data
from zermelo.running.nodes import actions_at, mover_at, odds_at, payoffs_at

END = -2
"""The mover at an end."""
NOWHERE = -1
"""No number: the set of a node where nobody decides, the parent of the root, the sequence before the first action."""
MOST_NODES = 5_000_000
SMALL = 100_000
"""Trees of so many nodes are walked to the end even where their normal form is too large: it can then be counted."""


@dataclass(eq=False)
class InformationSet:
    """Nodes that look the same to the player who decides there."""

    number: int
    player: int
    view: Any
    """What the player knows; where nothing is hidden, the state itself."""
    actions: tuple[int, ...]
    labels: tuple[str, ...]
    before: tuple[int, int]
    """The player's last own decision on the way here: its information set and the place of the action there, or
    (NOWHERE, 0) where this is the first."""
    nodes: list[int] = field(default_factory=list, repr=False)


class ExtensiveForm:
    """A game as lists over its nodes, in the order of a walk: a parent stands before its children, a subtree is one
    stretch. Numbers are as the game gives them: fractions stay fractions.
    """

    def __init__(self, game: Game, state: Any = None, *, most: int = MOST_NODES, most_cells: int | None = None) -> None:
        require_game(game, "extensive_form")
        self.game = game
        self.players = game.players
        self.parent: list[int] = []
        self.place: list[int] = []
        """The place of the branch that leads here among the actions of the parent."""
        self.mover: list[int] = []
        """The player who decides, CHANCE or END."""
        self.at: list[int] = []
        """The information set, or NOWHERE."""
        self.odds: list[Any] = []
        """The odds of the branch that leads here where chance decided on it, else 1."""
        self.payoffs: dict[int, tuple[Any, ...]] = {}
        """What every player gets, end by end."""
        self.branches: list[tuple[str, ...]] = []
        """The names of the actions at each node."""
        self.sets: list[InformationSet] = []
        self.forgets = ""
        """Which player forgets what it once knew or did, and where; empty with perfect recall."""
        self.start = game.initial() if state is None else game.checked_state(state)
        self.most_cells = most_cells
        """The most cells of the normal form, where one is wanted: a larger one is refused on the way."""
        self._plans = [1] * self.players
        refuse_huge(game, self.start, most)
        self._walk(self.start, most)

    def __len__(self) -> int:
        return len(self.parent)

    def sets_of(self, player: int) -> list[InformationSet]:
        """The information sets of a player, in the order of the walk."""
        return [s for s in self.sets if s.player == player]

    def to_json(self) -> dict[str, Any]:
        """The form as plain data: its size and its information sets."""
        sets = [
            {"player": s.player, "sees": self.sight(s), "actions": s.labels, "nodes": len(s.nodes)} for s in self.sets
        ]
        form = {"form": "extensive", "nodes": len(self), "ends": len(self.payoffs)}
        return game_data(self.game) | form | {"perfect_recall": self.perfect_recall, "sets": as_plain(sets)}

    def sight(self, s: InformationSet) -> str:
        """What the player sees at an information set, on one line."""
        text = self.game.text(self.way(s.nodes[0])[1], s.player)
        return " / ".join(line.strip() for line in text.splitlines())

    def way(self, node: int) -> tuple[tuple[int, ...], Any]:
        """The actions on the way to a node, and the state there."""
        places = []
        while self.parent[node] != NOWHERE:
            places.append(self.place[node])
            node = self.parent[node]
        s, taken = self.start, []
        for place in reversed(places):
            taken.append(list(self.game.actions(s))[place])
            s = self.game.result(s, taken[-1])
        return tuple(taken), s

    @property
    def perfect_recall(self) -> bool:
        """Whether all players always know what they once knew and did."""
        return not self.forgets

    @property
    def exact(self) -> bool:
        """Whether all odds and payoffs are integers or fractions."""
        numbers = itertools.chain(self.odds, *self.payoffs.values())
        return not any(isinstance(x, float) for x in numbers)

    @cached_property
    def exact_payoffs(self) -> dict[int, tuple[Any, ...]]:
        """What every player gets, end by end, in integers and fractions: what floats stand for."""
        numbers = iter(exact_numbers(itertools.chain.from_iterable(self.payoffs.values())))
        return {node: tuple(itertools.islice(numbers, self.players)) for node in self.payoffs}

    @cached_property
    def exact_odds(self) -> list[Any]:
        """The odds of each branch in integers and fractions, which sum to exactly 1 where chance moves."""
        out = list(self.odds)
        for node, below in enumerate(self.children):
            if self.mover[node] == CHANCE:
                odds = exact_odds([self.odds[child] for child in below])
                if sum(odds) != 1:
                    raise BadParameter(f"{self.game.name}: fractions as odds of chance must sum to exactly 1")
                for child, p in zip(below, odds, strict=True):
                    out[child] = p
        return out

    def require_recall(self, method: str) -> None:
        """Refuse a game in which somebody forgets."""
        if self.forgets:
            raise UnsuitableGame(f"{method} needs perfect recall: {self.forgets}")

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node, in the order of the actions."""
        below: list[list[int]] = [[] for _ in self.parent]
        for node, parent in enumerate(self.parent):
            if parent != NOWHERE:
                below[parent].append(node)
        return below

    def _walk(self, state: Any, most: int) -> None:
        game = self.game
        known: dict[Any, InformationSet] = {}
        first = (NOWHERE, 0)
        # A state, its parent, the place and odds of the branch, and each player's last own decision.
        stack: list[tuple[Any, int, int, Any, tuple[tuple[int, int], ...]]] = [
            (state, NOWHERE, 0, 1, (first,) * self.players)
        ]
        while stack:
            s, parent, place, odds, last = stack.pop()
            node = len(self.parent)
            if node >= most:
                raise EndlessGame(f"{game.name} has more than {most:,} nodes: {without_tree(game)}")
            self.parent.append(parent)
            self.place.append(place)
            self.odds.append(odds)
            if game.is_terminal(s):
                self.mover.append(END)
                self.at.append(NOWHERE)
                self.branches.append(())
                self.payoffs[node] = tuple(map(plain, payoffs_at(game, s)))
                continue
            mover, actions = mover_at(game, s), actions_at(game, s)
            labels = tuple(game.format_action(s, a) for a in actions)
            self.mover.append(mover)
            self.branches.append(labels)
            if mover == CHANCE:
                self.at.append(NOWHERE)
                chances = map(plain, odds_at(game, s, actions))
                below = [(game.result(s, a), node, i, p, last) for i, (a, p) in enumerate(zip(actions, chances))]
            else:
                here = self._information_set(known, s, node, mover, actions, labels, last[mover])
                self.at.append(here.number)
                below = []
                for i, a in enumerate(actions):
                    after = (*last[:mover], (here.number, i), *last[mover + 1 :])
                    below.append((game.result(s, a), node, i, 1, after))
            stack += reversed(below)

    def _information_set(
        self, known: dict[Any, InformationSet], s: Any, node: int, mover: int, actions: tuple[int, ...],
        labels: tuple[str, ...], before: tuple[int, int],
    ) -> InformationSet:  # fmt: skip
        game = self.game
        # Where nothing is hidden a player knows the way that led here: each node is a set of its own.
        view = s if game.view is None else game.view(s, mover)
        key = node if game.view is None else (mover, view)
        here = known.get(key)
        if here is None:
            here = known[key] = InformationSet(len(self.sets), mover, view, actions, labels, before)
            self.sets.append(here)
            # Wherever a set lies in the tree, it adds at least one plan for each of its actions but one.
            self._plans[mover] += len(actions) - 1
            if self.most_cells is not None and node > SMALL and prod(self._plans) > self.most_cells:
                size = " x ".join(f"{count:,}" for count in self._plans)
                raise UnsuitableGame(
                    f"the normal form of {game.name} has more than {size} cells: {without_table(game)}"
                )
        elif here.actions != actions:
            raise unequal_actions(game.name)
        elif here.before != before and not self.forgets:
            what = game.text(s, mover).splitlines()
            self.forgets = f"{game.name}: player {mover} forgets what it did before {' '.join(what[:1])!r}"
        here.nodes.append(node)
        return here


def extensive_form(game: AnyGame, state: Any = None, *, most: int = MOST_NODES) -> ExtensiveForm:
    """The whole tree of a game below `state`, with its information sets; EndlessGame where it has too many nodes.

    >>> from zermelo import game
    >>> form = extensive_form(game("kuhn_poker"))
    >>> len(form), len(form.sets), form.perfect_recall
    (58, 12, True)
    """
    game = as_game(game)
    return ExtensiveForm(game, state, most=most)


def paths(form: ExtensiveForm, own: Sequence[Sequence[Any]]) -> list[Any]:
    """The odds that play reaches each node, when the places of each information set are chosen with the odds `own`."""
    reach: list[Any] = []
    for node, parent in enumerate(form.parent):
        if parent == NOWHERE:
            reach.append(1)
            continue
        decided = form.at[parent]
        step = form.odds[node] if decided == NOWHERE else own[decided][form.place[node]]
        reach.append(reach[parent] * step)
    return reach


def expected(form: ExtensiveForm, own: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """What every player expects when the places of each information set are chosen with the odds `own`."""
    reach = paths(form, own)
    totals: list[Any] = [0] * form.players
    for node, payoffs in form.payoffs.items():
        if reach[node]:
            for player, payoff in enumerate(payoffs):
                totals[player] += reach[node] * payoff
    return tuple(totals)
