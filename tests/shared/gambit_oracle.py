"""Gambit as an oracle, by its Python interface, which changed from version 16 to 17."""

from fractions import Fraction
from typing import Any

import pytest

from zermelo import CHANCE
from zermelo.equilibrium.extensive import ExtensiveForm


def tables_of(gambit: Any) -> Any:
    """What makes a game of payoff tables."""
    return getattr(gambit, "StrategicGame", gambit.Game).from_arrays


def odds_of(profile: Any, game: Any) -> tuple[tuple[Fraction, ...], ...]:
    """The mixed strategies of all players."""
    return tuple(tuple(Fraction(str(odds)) for _, odds in profile[player]) for player in game.players)


def with_trees() -> Any:
    """Gambit with trees whose nodes can be walked; version 17, still a draft, hides them."""
    gambit = pytest.importorskip("pygambit")
    if not hasattr(gambit.Game, "new_tree"):
        pytest.skip("trees are compared with pygambit 16; this is version 17, whose trees have no nodes to walk")
    return gambit


def tree_of(form: ExtensiveForm) -> tuple[Any, dict[int, Any]]:
    """The same tree in Gambit, without what it pays, and its nodes by our numbers."""
    theirs = with_trees().Game.new_tree(players=[str(p) for p in range(form.players)])
    sets: dict[int, Any] = {}
    nodes = {0: theirs.root}
    for node in range(len(form)):
        if node in form.payoffs:
            continue
        number = form.at[node]
        if form.mover[node] == CHANCE:
            theirs.append_move(nodes[node], theirs.players.chance, list(form.branches[node]))
        elif number in sets:
            theirs.append_infoset(nodes[node], sets[number])
        else:
            theirs.append_move(nodes[node], str(form.mover[node]), list(form.branches[node]))
            sets[number] = nodes[node].infoset
        nodes |= dict(zip(form.children[node], nodes[node].children, strict=True))
    return theirs, nodes
