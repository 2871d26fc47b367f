"""Game trees in Gambit's .efg files: read as a Tree, written from any game."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.forms.extensive import NOWHERE, ExtensiveForm, extensive_form
from zermelo.errors import BadParameter
from zermelo.notation.gambit_words import GambitWords, Word, distinct, quoted, title_and_players, written
from zermelo.tree import DEEPEST, Tree, chance, move

MOST_NODES = 500_000
"""Trees with more nodes are not written."""
Payoffs = tuple[int | Fraction, ...]
Odds = list[int | Fraction]


@dataclass
class Joint:
    """An information set of a player, or the moves and odds of a chance node, to which later nodes may refer."""

    name: str
    labels: list[str]
    odds: Odds = field(default_factory=list)
    count: int = 0


@dataclass
class GambitNode:
    """A node as the file has it."""

    joint: Joint | None
    player: int
    payoffs: Payoffs
    """What the players have gained so far, by the outcomes at this node and above it."""


class GambitTreeReader:
    """Reads the nodes, which stand in the order of a walk: each before those below it."""

    def __init__(self, words: GambitWords) -> None:
        self.words = words
        self.title, self.names = title_and_players(words, "EFG", "2")
        self.joints: dict[tuple[int, int], Joint] = {}
        self.outcomes: dict[int, Payoffs] = {0: (0,) * len(self.names)}
        if words.comes("text"):
            words.take("text", "a comment")

    def tree(self) -> Tree:
        """The whole tree."""
        nodes = self._nodes()
        if not self.words.comes("end"):
            raise self.words.unexpected("the end of the file: all branches are complete")
        named = self._set_names()
        done: list[Any] = []
        for node in reversed(nodes):
            if node.joint is None:
                done.append(node.payoffs)
                continue
            count = len(node.joint.labels)
            below = done[-count:][::-1]
            del done[-count:]
            done.append(self._built(node, node.joint, below, named))
        try:
            return Tree(done[0], names=self.names, title=self.title)
        except BadParameter as error:
            raise self.words.wrong(str(error)) from None

    def _nodes(self) -> list[GambitNode]:
        """The nodes; each has as many nodes below it as it has actions."""
        nodes: list[GambitNode] = []
        open_branches: list[tuple[int, Payoffs]] = [(1, self.outcomes[0])]
        while open_branches:
            missing, gained = open_branches.pop()
            if missing > 1:
                open_branches.append((missing - 1, gained))
            if len(open_branches) > DEEPEST:
                raise self.words.wrong(f"the tree is more than {DEEPEST:,} nodes deep")
            node = self._node(gained)
            nodes.append(node)
            if node.joint is not None:
                open_branches.append((len(node.joint.labels), node.payoffs))
        return nodes

    def _node(self, gained: Payoffs) -> GambitNode:
        words = self.words
        if words.word.text not in ("c", "p", "t"):
            raise words.unexpected("a node: c, p or t")
        kind = words.take("name", "c, p or t").text
        if words.comes("text"):
            words.take("text", "the name of the node")
        player, joint = CHANCE, None
        if kind == "p":
            here = words.word
            player = words.integer("the number of a player") - 1
            if not 0 <= player < len(self.names):
                raise words.wrong(f"expected a player from 1 to {len(self.names)}, not {player + 1}", here)
        if kind != "t":
            joint = self._joint(player)
            joint.count += 1
        here, payoffs = words.word, self._outcome()
        if not any(payoffs):
            return GambitNode(joint, player, gained)
        total = tuple(_plain(a + b) for a, b in zip(gained, payoffs, strict=True))
        try:
            [float(x) for x in total]
        except OverflowError:
            raise words.wrong("the payoffs sum to what is too large for a float", here) from None
        return GambitNode(joint, player, total)

    def _joint(self, player: int) -> Joint:
        """The information set here: defined, or named by its number where it was defined before."""
        words, here = self.words, self.words.word
        number = words.integer("the number of an information set")
        known = self.joints.get((player, number))
        name = words.take("text", "a name").text.strip() if words.comes("text") else ""
        if not words.comes("open"):
            if known is None:
                raise words.unexpected(f"{{ before the actions of information set {number}, which is new")
            return known
        found = self._actions(player, name)
        if known is None:
            self.joints[player, number] = found
            return found
        if (found.labels, found.odds) != (known.labels, known.odds):
            raise words.wrong(f"information set {number} had other actions when it was first met", here)
        return known

    def _actions(self, player: int, name: str) -> Joint:
        words = self.words
        start = words.take("open", "{ before the actions")
        labels: list[str] = []
        odds: Odds = []
        decimals: list[Word] = []
        while not words.comes("close"):
            # The name of a move may be missing: a chance node then lists its odds alone.
            if words.comes("text") or player != CHANCE:
                labels.append(words.take("text", "the name of an action or }").text.strip())
            else:
                labels.append("")
            if player == CHANCE:
                decimals.append(words.word)
                odds.append(words.exact("the odds of an action"))
        words.take("close", "}")
        if not labels:
            raise words.wrong("expected one action at least", start)
        if player == CHANCE:
            odds = self._whole(odds, decimals, start)
        return Joint(name, distinct(labels, [str(i) for i in range(len(labels))]), odds)

    def _whole(self, odds: Odds, as_written: list[Word], start: Word) -> Odds:
        """The odds, which sum to 1; rounded decimals stand for the simplest fractions that they round."""
        if min(odds) < 0:
            raise self.words.wrong("odds cannot be negative", start)
        if sum(odds) == 1:
            return odds
        simple = [_unrounded(value, word.text) for value, word in zip(odds, as_written, strict=True)]
        if sum(simple) != 1:
            raise self.words.wrong(f"expected odds that sum to 1, not to {sum(odds)}", start)
        return simple

    def _outcome(self) -> Payoffs:
        """What the outcome at a node pays."""
        words, here = self.words, self.words.word
        number = words.integer("the number of an outcome")
        if words.comes("text"):
            words.take("text", "the name of an outcome")
        known = self.outcomes.get(number)
        if words.comes("open"):
            words.take("open", "{")
            payoffs = words.payoffs(len(self.names))
            if known is not None and payoffs != known:
                what = "pays nothing" if number == 0 else "paid something else when it was first met"
                raise words.wrong(f"outcome {number} {what}", here)
            self.outcomes[number] = known = payoffs
        if known is None:
            raise words.unexpected(f"{{ before the payoffs of outcome {number}, which is new")
        return known

    def _set_names(self) -> dict[int, str]:
        """How the Tree names each information set; an unnamed set of one node gets no name."""
        known = [(key, joint) for key, joint in self.joints.items() if key[0] != CHANCE]
        own = [(key, joint) for key, joint in known if joint.name or joint.count > 1]
        numbers = [f"{self.names[player]}, set {number}" for (player, number), _ in own]
        names = distinct([joint.name for _, joint in own], numbers)
        return {id(joint): name for (_, joint), name in zip(own, names, strict=True)}

    def _built(self, node: GambitNode, joint: Joint, below: list[Any], named: dict[int, str]) -> Any:
        if node.player == CHANCE:
            return chance(dict(zip(joint.labels, zip(joint.odds, below, strict=True), strict=True)))
        return move(node.player, dict(zip(joint.labels, below, strict=True)), information_set=named.get(id(joint)))


def _plain(value: int | Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _unrounded(value: int | Fraction, text: str) -> int | Fraction:
    """The fraction of least denominator within one unit in the last place of the text; else the value itself."""
    mantissa = text.lower().partition("e")[0]
    places = len(mantissa.partition(".")[2])
    if not places or "e" in text.lower():
        return value
    for denominator in range(1, 1_000):
        near = Fraction(round(value * denominator), denominator)
        if abs(near - value) <= Fraction(1, 10**places):
            return near
    return value


# --- writing ---------------------------------------------------------------------------------------------------------


def write_tree(game: Game, title: str) -> str:
    """The tree of a game as a file; nodes are joined by what the players know."""
    form = extensive_form(game, most=MOST_NODES)
    names = game.names or [f"player {player}" for player in range(game.players)]
    rows = [f"EFG 2 R {quoted(title)} {{ {' '.join(map(quoted, names))} }}", '""', ""]
    return "\n".join([*rows, *_node_lines(game, form)]) + "\n"


def _node_lines(game: Game, form: ExtensiveForm) -> Iterator[str]:
    numbers = {s.number: i for player in range(form.players) for i, s in enumerate(form.sets_of(player), 1)}
    titles = _titles(game, form)
    outcomes: dict[tuple[Any, ...], int] = {}
    throws = 0
    for node in range(len(form)):
        if node in form.payoffs:
            payoffs = tuple(map(written, form.payoffs[node]))
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            yield f't "" {number} "" {{ {", ".join(payoffs)} }}'
        elif form.at[node] == NOWHERE:
            throws += 1
            odds = [written(form.odds[child]) for child in form.children[node]]
            pairs = zip(map(quoted, form.branches[node]), odds, strict=True)
            yield f'c "" {throws} "" {{ {" ".join(f"{label} {p}" for label, p in pairs)} }} 0'
        else:
            at = form.at[node]
            labels = " ".join(map(quoted, form.branches[node]))
            yield f'p "" {form.mover[node] + 1} {numbers[at]} {quoted(titles.get(at, ""))} {{ {labels} }} 0'


def _titles(game: Game, form: ExtensiveForm) -> dict[int, str]:
    """The names of information sets, where the game is a tree that names them."""
    if not isinstance(game, Tree):
        return {}
    titles = {}
    stack = [(0, game.initial())]
    while stack:
        node, s = stack.pop()
        at = form.at[node]
        known = None if at == NOWHERE else game.information_set(s)
        if known is not None:
            titles[at] = str(known)
        stack += [(child, game.result(s, i)) for i, child in enumerate(form.children[node])]
    return titles
