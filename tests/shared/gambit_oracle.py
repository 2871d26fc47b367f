"""Gambit as an oracle, by its Python interface, which changed from version 16 to 17."""

from fractions import Fraction
from typing import Any

import pytest


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
