"""Gambit as an oracle, by its Python interface, which changed from version 16 to 17."""

from fractions import Fraction
from typing import Any

import pytest

from zermelo import CHANCE
from zermelo.equilibrium.forms.extensive import END, ExtensiveForm


def tables_of(gambit: Any) -> Any:
    """What makes a game of payoff tables."""
    return getattr(gambit, "StrategicGame", gambit.Game).from_arrays


def odds_of(profile: Any, game: Any) -> tuple[tuple[Fraction, ...], ...]:
    """The mixed strategies of all players."""
    return tuple(tuple(Fraction(str(odds)) for _, odds in profile[player]) for player in game.players)


def tree_of(form: ExtensiveForm) -> tuple[Any, dict[int, Any]]:
    """The same tree in Gambit, without what it pays, and its nodes by our numbers."""
    gambit = pytest.importorskip("pygambit")
    players = [str(p) for p in range(form.players)]
    new = getattr(gambit, "ExtensiveGame", None) or gambit.Game.new_tree
    theirs = opened(new(players=players))
    sets: dict[int, Any] = {}
    nodes = {0: theirs.root}
    for node in range(len(form)):
        if node in form.payoffs:
            continue
        here, number, labels = nodes[node], form.at[node], form.branches[node]
        if form.mover[node] == CHANCE:
            odds = [Fraction(form.odds[child]) for child in form.children[node]]
            theirs.roll(here, dict(zip(labels, odds, strict=True)))
        elif number in sets:
            theirs.join(here, sets[number])
        else:
            theirs.move(here, players[form.mover[node]], labels)
            sets[number] = here
        nodes |= dict(zip(form.children[node], theirs.children(here), strict=True))
    return theirs, nodes


def opened(game: Any) -> "LabelledTree | LinkedTree":
    """A tree of Gambit, as its version shows it."""
    return LinkedTree(game) if hasattr(game, "root") else LabelledTree(game)


class LabelledTree:
    """A tree of Gambit 17: nodes are named by the labels of the actions that lead to them."""

    root: Any = ()

    def __init__(self, game: Any) -> None:
        self.game = game
        self.players = list(game.players)

    def _at(self, node: Any) -> Any:
        from pygambit import H

        return H.path(*node)

    def roll(self, node: Any, odds: dict[str, Fraction]) -> None:
        """Let chance move at an end."""
        from pygambit import Rational

        self.game.append_event(self._at(node), {label: Rational(p) for label, p in odds.items()})

    def move(self, node: Any, player: str, labels: Any) -> None:
        """Let a player move at an end, in a new information set."""
        self.game.append_move(self._at(node), player, list(labels))

    def join(self, node: Any, other: Any) -> None:
        """Let an end become a node of the same information set as another node."""
        self.game.append_infoset(self._at(node), self._at(other))

    def children(self, node: Any) -> list[Any]:
        """The nodes that follow."""
        return [(*node, label) for label in self.game.get_actions(self._at(node))]

    def mover(self, node: Any) -> int:
        """The player who moves there, CHANCE or END."""
        label = self.game.get_player(self._at(node))
        return END if label is None else self.players.index(label) if label in self.players else CHANCE

    def odds(self, node: Any) -> list[Fraction]:
        """What chance does there."""
        return [Fraction(str(p)) for p in self.game.get_action_probs(self._at(node)).values()]

    def pays(self, node: Any) -> list[Fraction]:
        """What everybody gets there."""
        label = self.game.get_outcome(self._at(node))
        gains = dict.fromkeys(self.players, 0) if label is None else self.game.get_outcome_payoffs(label)
        return [Fraction(str(gains[player])) for player in self.players]

    def sets(self) -> int:
        """How many information sets there are."""
        return sum(len(self.game.get_infosets(player)) for player in self.players)

    def strategies(self) -> list[int]:
        """How many strategies each player has."""
        return [len(self.game.get_strategies(player)) for player in self.players]

    def subgames(self, nodes: dict[int, Any]) -> set[int]:
        """The nodes at which subgames begin."""
        roots = {history.actions for history in self.game.get_subgame_roots()}
        return {number for number, node in nodes.items() if node in roots}


class LinkedTree:
    """A tree of Gambit 16: nodes are objects that know their neighbours."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.players = list(game.players)
        self.outcomes = list(game.outcomes)
        self.root = game.root

    def roll(self, node: Any, odds: dict[str, Fraction]) -> None:
        """Let chance move at an end."""
        self.game.append_move(node, self.game.players.chance, list(odds))
        self.game.set_chance_probs(node.infoset, list(odds.values()))

    def move(self, node: Any, player: str, labels: Any) -> None:
        """Let a player move at an end, in a new information set."""
        self.game.append_move(node, player, list(labels))

    def join(self, node: Any, other: Any) -> None:
        """Let an end become a node of the same information set as another node."""
        self.game.append_infoset(node, other.infoset)

    def children(self, node: Any) -> list[Any]:
        """The nodes that follow."""
        return list(node.children)

    def mover(self, node: Any) -> int:
        """The player who moves there, CHANCE or END."""
        return END if node.is_terminal else CHANCE if node.player.is_chance else self.players.index(node.player)

    def odds(self, node: Any) -> list[Fraction]:
        """What chance does there."""
        return [Fraction(str(action.prob)) for action in node.infoset.actions]

    def pays(self, node: Any) -> list[Fraction]:
        """What everybody gets there."""
        known = node.outcome in self.outcomes
        return [Fraction(str(node.outcome[player])) if known else Fraction(0) for player in self.players]

    def sets(self) -> int:
        """How many information sets there are."""
        return len(list(self.game.infosets))

    def strategies(self) -> list[int]:
        """How many strategies each player has."""
        return [len(player.strategies) for player in self.players]

    def subgames(self, nodes: dict[int, Any]) -> set[int]:
        """The nodes at which subgames begin."""
        return {number for number, node in nodes.items() if node.is_subgame_root}
