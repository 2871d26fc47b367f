"""A game typed in by hand: the tree itself, as nested lists.

>>> tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
>>> tree.utility(tree.play(tree.initial(), 0, 1), 0)
12

A list is a decision; the players take turns from player 0 at the root on. A number is what player 0 gets and player 1
loses; a tuple of numbers has one payoff for each player. A dict names its actions. `move` says who decides and what
that player knows; `chance` gives odds.

>>> coin = Tree({"bet": chance({"heads": (0.5, 1), "tails": (0.5, -1)}), "stay": 0})
>>> coin.text(coin.play(coin.initial(), 0, 1))
'bet > tails: Max -1, Min 1'
"""

import functools
import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.compile.tables import table
from zermelo.contract import CHANCE, Game
from zermelo.contract.parameters import one_line_title
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.exact import Exact, as_value, number, plain, short, shown, sums_to_one

SMALL = 4096
"""Plain Python searches a tree of up to so many nodes before native code for it would be ready."""
DEEPEST = 100_000
MOST_NODES = 10_000_000


@dataclass(frozen=True)
class Decision:
    """What `move` returns: a node of a given player."""

    player: int | str
    children: Any
    information_set: Hashable = None

    def __repr__(self) -> str:
        known = "" if self.information_set is None else f", information_set={self.information_set!r}"
        return f"move({self.player!r}, {self.children!r}{known})"


@dataclass(frozen=True)
class Lottery:
    """What `chance` returns: a node where the odds decide."""

    outcomes: Any

    def __repr__(self) -> str:
        return f"chance({self.outcomes!r})"


def move(player: int | str, children: Sequence[Any] | Mapping[str, Any], information_set: Hashable = None) -> Decision:
    """A node where `player`, a number or a name, chooses among `children`, a list or a dict of named actions.

    Nodes of one player that share an `information_set` look the same to that player.
    """
    return Decision(player, children, information_set)


def chance(outcomes: Sequence[tuple[Any, Any]] | Mapping[str, tuple[Any, Any]]) -> Lottery:
    """A node where chance decides: pairs of odds and subtree, in a list or named in a dict.

    The odds sum to 1, as fractions or as floats. Outcomes of odds 0 are left out.
    """
    return Lottery(outcomes)


class Tree(Game):
    """A game given by its whole tree: lists, dicts, `move` and `chance` nodes, with payoffs at the leaves."""

    is_watched = True

    class State(NamedTuple):
        node: int

    def __init__(self, tree: Any, *, names: Sequence[str] | None = None, title: str = "") -> None:
        nodes = _Nodes(tree)
        if title:
            self.name = one_line_title(title)
        self.players = nodes.count_players()
        self._names = nodes.name_players(self.players, names)
        movers = nodes.movers(self.players, self._names)
        rows = nodes.payoff_rows()
        self.children = table(nodes.first)
        """The first child of each node; at a leaf, its row among the payoffs."""
        self.branches = table(nodes.branches)
        self.movers = table(movers)
        self.payoffs = Exact(rows)
        self.max_actions = max(1, max(nodes.branches))
        first = [row[0] for row in rows]
        self.bounds = (as_value(min(first)), as_value(max(first)))
        if CHANCE in nodes.who:
            self.odds = Exact(nodes.odds)
        else:
            self.probability = None  # type: ignore[assignment, method-assign]
        if nodes.joins(movers):
            self.views = table(nodes.views(movers, self.players))
        else:
            self.view = None  # type: ignore[assignment, method-assign]
        self._parents, self._labels, self._sets = nodes.parents, nodes.labels, nodes.sets
        self._shown = shown(tree) if len(nodes.first) <= 64 else ""
        super().__init__()

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return self.movers[s.node]

    def actions(self, s):
        yield from range(self.branches[s.node])

    def result(self, s, action):
        return self.State(self.children[s.node] + action)

    def is_terminal(self, s):
        return self.branches[s.node] == 0

    def utility(self, s, player):
        return self.payoffs[self.children[s.node], player]

    def probability(self, s, action):
        return self.odds[self.children[s.node] + action]

    def view(self, s, player):
        return self.views[s.node, player]

    # --- people ------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self._names

    def information_set(self, s: State) -> Hashable:
        """The name of the mover's information set at this node; None where none was given."""
        return self._sets.get(s.node)

    def format_action(self, s: State, action: int) -> str:
        """The action's label, or its number where it has none."""
        return self._labels[self.children[s.node] + action] or str(action)

    def parse_action(self, s: State, text: str) -> int:
        """The action of this label, or else of this number."""
        labels = [self.format_action(s, action) for action in self.actions(s)]
        wanted = text.strip()
        if wanted in labels:
            return labels.index(wanted)
        if wanted in map(str, range(len(labels))):
            return int(wanted)
        raise IllegalAction(f"{text!r} is not legal here; legal: {self._legal_names(s, list(self.actions(s)))}")

    def path(self, s: State) -> tuple[str, ...]:
        """The labels of the actions that lead to the node."""
        return tuple(label for _, label in self._steps(s))

    def text(self, s: State, player: int | None = None) -> str:
        """The path of labels to the node, then who moves or what everyone gets.

        In a tree with information sets a player sees only the own actions and the name of the current set.
        """
        over = self.is_terminal(s)
        hidden = player is not None and self.view is not None
        steps = [label for at, label in self._steps(s) if not hidden or self.movers[at] == player]
        here = " > ".join(steps) or ("start" if not hidden else "no move of yours yet")
        if hidden and not over:
            own = self.to_move(s) == player
            known = self.information_set(s)
            return f"{here}: you move" + ("" if known is None else f" in {known}") if own else here
        if over:
            return f"{here}: " + ", ".join(f"{n} {self.utility(s, p)}" for p, n in enumerate(self._names))
        mover = self.to_move(s)
        return f"{here}: " + ("chance moves" if mover == CHANCE else f"{self._names[mover]} moves")

    def _steps(self, s: State) -> list[tuple[int, str]]:
        """Each node above this one with the label of the action taken there, from the root on."""
        steps, node = [], s.node
        while node:
            above = self._parents[node]
            steps.append((above, self.format_action(self.State(above), node - self.children[above])))
            node = above
        return steps[::-1]

    def checked_state(self, s: Any) -> Any:
        """`s` itself where it is a node of this tree."""
        s = super().checked_state(s)
        if isinstance(s.node, bool) or not isinstance(s.node, int) or not 0 <= s.node < len(self.branches):
            raise BadState(f"node {s.node!r} is not in this tree, whose nodes are 0 to {len(self.branches) - 1}")
        return s

    @functools.cached_property
    def _is_small(self) -> bool:  # type: ignore[override]
        return len(self.branches) <= SMALL

    @functools.cached_property
    def _is_blurred(self) -> bool:
        return self.payoffs.is_blurred

    @functools.cached_property
    def _content(self) -> tuple[Any, ...]:
        odds = () if self.probability is None else tuple(self.odds.numbers)
        shape = tuple(self.branches.array.tolist()), tuple(self.movers.array.tolist())
        payoffs = tuple(map(tuple, self.payoffs.numbers))
        return (*shape, payoffs, odds, tuple(self._labels), tuple(self._sets.items()), self._names)

    @functools.cached_property
    def _digest(self) -> str:
        return hashlib.sha256(repr(self._content).encode()).hexdigest()[:8]

    def __repr__(self) -> str:
        if type(self) is not Tree:
            return f"{type(self).__name__}()"
        inside = self._shown if 0 < len(self._shown) <= 100 else f"<{len(self.branches)} nodes, {self._digest}>"
        usual = self._names == _usual_names(self.players)
        return f"Tree({inside})" if usual else f"Tree({inside}, names={self._names!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


class _Nodes:
    """The nodes of a tree, one entry each, parents before children and the children of one node in a row."""

    def __init__(self, tree: Any) -> None:
        self.first: list[int] = []
        self.branches: list[int] = []
        self.who: list[Any] = []  # a number, a name, CHANCE, or None for whoever's turn it is
        self.parents: list[int] = []
        self.labels: list[str | None] = []
        self.odds: list[Any] = []
        self.sets: dict[int, Hashable] = {}
        self.leaves: dict[int, Any] = {}
        self._names: list[str] = []
        self._add(0, None, 1)
        stack = [(0, 0, tree)]
        while stack:
            node, depth, what = stack.pop()
            if depth > DEEPEST or len(self.first) > MOST_NODES:
                raise BadParameter("tree: too large; does a list contain itself?")
            below = self._open(node, what.tolist() if hasattr(what, "tolist") else what)
            start = self.first[node]
            stack += [(start + i, depth + 1, child) for i, child in enumerate(below)][::-1]

    def _add(self, parent: int, label: str | None, odds: Any) -> None:
        self.first.append(0)
        self.branches.append(0)
        self.who.append(None)
        self.parents.append(parent)
        self.labels.append(label)
        self.odds.append(odds)

    def place(self, node: int) -> str:
        """Where a node is: the last few labels on the way to it."""
        labels: list[str] = []
        while node and len(labels) <= 8:
            above = self.parents[node]
            labels.append(self.labels[node] or str(node - self.first[above]))
            node = above
        if node:
            labels[-1] = "..."
        return " > ".join(labels[::-1]) or "the root"

    def fail(self, node: int, message: str) -> BadParameter:
        return BadParameter(f"tree, at {self.place(node)}: {message}")

    def _open(self, node: int, what: Any) -> list[Any]:
        """Note what a node is, and return its subtrees."""
        if isinstance(what, Lottery):
            self.who[node] = CHANCE
            return self._grow(node, what.outcomes, self._odds(node, what.outcomes))
        if isinstance(what, Decision):
            self._decide(node, what)
            return self._grow(node, what.children, None)
        if isinstance(what, list | dict):
            return self._grow(node, what, None)
        self.leaves[node] = self._payoff(node, what)
        return []

    def _decide(self, node: int, what: Decision) -> None:
        player = plain(what.player)
        if isinstance(player, bool) or not isinstance(player, int | str) or player in (CHANCE, ""):
            raise self.fail(node, f"a player is a number from 0 on or a name, not {short(player)}")
        if isinstance(player, str) and player not in self._names:
            self._names.append(player)
        self.who[node] = player
        if what.information_set is None:
            return
        try:
            hash(what.information_set)
        except TypeError:
            name = short(what.information_set)
            raise self.fail(node, f"an information set needs a hashable name, not {name}") from None
        self.sets[node] = what.information_set

    def _grow(self, node: int, children: Any, odds: list[Any] | None) -> list[Any]:
        """Add the children of a node; those of odds 0 are left out."""
        if not isinstance(children, list | tuple | dict) or not children:
            raise self.fail(node, "a node needs a list or a dict with at least one subtree")
        labels = self._action_labels(node, children) if isinstance(children, dict) else [None] * len(children)
        below = list(children.values()) if isinstance(children, dict) else list(children)
        chosen = list(range(len(below)))
        if odds is not None:
            below = [pair[1] for pair in below]
            chosen = [i for i in chosen if odds[i] != 0]
        self.first[node], self.branches[node] = len(self.first), len(chosen)
        for place, i in enumerate(chosen):
            # A player given by its number needs no name.
            self._add(node, None if labels[i] == str(place) else labels[i], 1 if odds is None else odds[i])
        return [below[i] for i in chosen]

    def _action_labels(self, node: int, children: dict[Any, Any]) -> list[str]:
        labels = [str(key).strip() for key in children]
        if "" in labels:
            raise self.fail(node, "an action needs a name of at least one letter")
        if len(set(labels)) < len(labels):
            raise self.fail(node, f"two actions have the same name: {', '.join(labels)}")
        return labels

    def _odds(self, node: int, outcomes: Any) -> list[Any]:
        pairs = list(outcomes.values()) if isinstance(outcomes, dict) else outcomes
        if not isinstance(pairs, list | tuple):
            return []
        for pair in pairs:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise self.fail(node, f"chance wants pairs (odds, subtree), not {short(pair)}")
        odds = [number(pair[0], f"tree, at {self.place(node)}: odds") for pair in pairs]
        if any(not 0 <= p <= 1 for p in odds):
            raise self.fail(node, f"odds lie between 0 and 1, not {', '.join(map(str, odds))}")
        if odds and not sums_to_one(odds):
            raise self.fail(node, f"the odds sum to {sum(odds)}, not to 1")
        return odds

    def _payoff(self, node: int, what: Any) -> Any:
        if isinstance(what, tuple):
            if not what:
                raise self.fail(node, "a tuple of payoffs has one number for each player, not none")
            return tuple(number(x, f"tree, at {self.place(node)}: payoff {i}") for i, x in enumerate(what))
        if isinstance(what, bool) or not isinstance(what, int | float | Fraction):
            wanted = "a number, a tuple of numbers or a list of subtrees"
            raise self.fail(node, f"{short(what)} is no payoff: write {wanted}")
        return number(what, f"tree, at {self.place(node)}: the payoff")

    # --- what follows from the whole -----------------------------------------------------------------------------

    def count_players(self) -> int:
        """How many players the leaves pay: two where they are numbers."""
        counts = {node: len(x) if isinstance(x, tuple) else 0 for node, x in self.leaves.items()}
        first, wanted = next(iter(counts.items()))
        for node, count in counts.items():
            if count != wanted:
                here, there = (f"{n} payoffs" if n else "one number" for n in (count, wanted))
                raise self.fail(node, f"{here}, but {there} at {self.place(first)}: all leaves must agree")
        return wanted or 2

    def name_players(self, players: int, names: Sequence[str] | None) -> tuple[str, ...]:
        """The players' names: those given, or those in the tree in the order in which they appear."""
        if names is not None:
            given = tuple(names) if isinstance(names, list | tuple) else ()
            if len(given) != players or len(set(given)) < players or not all(isinstance(n, str) and n for n in given):
                raise BadParameter(f"tree: names must be {players} different names, one for each player, not {names!r}")
            return given
        usual = _usual_names(players)
        if set(self._names) <= set(usual):
            return usual
        if len(self._names) > players:
            raise BadParameter(f"tree: {', '.join(self._names)} move, but the leaves pay only {players} players")
        unnamed = [node for node, who in enumerate(self.who)
                   if who != CHANCE and not isinstance(who, str) and node not in self.leaves]  # fmt: skip
        if unnamed:
            raise self.fail(unnamed[0], "some players have names, this one has none: add names=(...) to Tree, in order")
        return (*self._names, *(f"player {i}" for i in range(len(self._names), players)))

    def movers(self, players: int, names: tuple[str, ...]) -> list[int]:
        """Who moves at each node; at a leaf, 0. At a list it is the player after the one who moved last above."""
        movers: list[int] = []
        last: list[int] = []
        for node, who in enumerate(self.who):
            before = last[self.parents[node]] if node else -1
            mover = 0 if node in self.leaves else (before + 1) % players if who is None else who
            if isinstance(mover, str):
                if mover not in names:
                    raise self.fail(node, f"{mover!r} is none of the players {', '.join(names)}")
                mover = names.index(mover)
            if not CHANCE <= mover < players:
                raise self.fail(node, f"player {mover} moves, but the leaves pay players 0 to {players - 1}")
            movers.append(mover)
            last.append(before if mover == CHANCE or node in self.leaves else mover)
        return movers

    def payoff_rows(self) -> list[list[Any]]:
        """What each player gets at each leaf; notes at each leaf the number of its row."""
        rows: list[list[Any]] = []
        for node, payoff in self.leaves.items():
            self.first[node] = len(rows)
            rows.append(list(payoff) if isinstance(payoff, tuple) else [payoff, 0 - payoff])
        return rows

    def views(self, movers: list[int], players: int) -> list[list[int]]:
        """What each player knows at each node: the information set where it moves, elsewhere its own last move."""
        numbers: dict[Any, int] = {"nothing yet": 0}
        rows: list[list[int]] = []
        for node, above in enumerate(self.parents):
            row = list(rows[above]) if node else [0] * players
            if node and movers[above] != CHANCE:
                own = (rows[above][movers[above]], node - self.first[above])
                row[movers[above]] = numbers.setdefault(("after", own), len(numbers))
            if movers[node] != CHANCE and node not in self.leaves:
                known = ("set", self.sets[node]) if node in self.sets else ("node", node)
                row[movers[node]] = numbers.setdefault(known, len(numbers))
            rows.append(row)
        return rows

    def joins(self, movers: list[int]) -> bool:
        """Whether some information set has more than one node: if not, the players see everything."""
        known: dict[Hashable, int] = {}
        for node, name in self.sets.items():
            other = known.setdefault(name, node)
            if movers[node] != movers[other]:
                raise self.fail(node, f"information set {name!r} belongs to another player at {self.place(other)}")
            if list(self._labels_below(node)) != list(self._labels_below(other)):
                raise self.fail(node, f"information set {name!r} has other actions at {self.place(other)}; "
                                      "its nodes need the same labels in the same order")  # fmt: skip
        return len(known) < len(self.sets)

    def _labels_below(self, node: int) -> Iterator[str]:
        for action in range(self.branches[node]):
            yield self.labels[self.first[node] + action] or str(action)


def _usual_names(players: int) -> tuple[str, ...]:
    return ("Max", "Min") if players == 2 else tuple(f"player {i}" for i in range(players))
