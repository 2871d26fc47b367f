"""How numbers, bounds, windows, odds and names are written, and how wide they come out."""

import math
import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from html import escape as escape_html
from typing import Any, NamedTuple

from zermelo.contract import Game
from zermelo.record import Node, RecordedTree


class Script(NamedTuple):
    """The characters that a medium has."""

    minus: str
    infinity: str
    signs: dict[str, str]
    """What stands before a value, by its bound."""


_SIGNS = {"exact": "", "lower": "≥ ", "upper": "≤ ", "estimate": "≈ "}
PRINT = Script("−", "∞", _SIGNS)
TERMINAL = Script("-", "∞", _SIGNS)
ASCII = Script("-", "inf", {"exact": "", "lower": ">= ", "upper": "<= ", "estimate": "~ "})

_ILLEGAL_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("ijltfrI.,:;|!'`()[]{}/\\ -")
_WIDE = frozenset("mwMW@%&—…+−<>=≤≥≈∞")


def number_text(x: Any, script: Script = PRINT) -> str:
    """The number in few characters: 3, 0.0856, 1/3, ∞; an integer that no float holds keeps its digits."""
    whole = isinstance(x, int) and x != _nearest(x)
    written = str(x) if whole or (isinstance(x, Fraction) and x.denominator <= 1000) else _decimal(float(x))
    return written.replace("-", script.minus).replace("inf", script.infinity)


def _nearest(x: int) -> float:
    return float(x) if abs(x) < 1 << 1023 else math.inf


def _decimal(x: float) -> str:
    if not math.isfinite(x):
        return str(x)
    if abs(x) < 1e7 and abs(x - round(x)) < 1e-9:
        return str(round(x))
    if 1000 <= abs(x) < 1e7:
        return f"{x:.0f}"
    return f"{x:.3g}"


def bounded(value: Any, bound: str, script: Script = PRINT) -> str:
    """The value behind the sign of its bound: 3, ≥ 3, ≤ 3, ≈ 3."""
    return script.signs[bound] + number_text(value, script)


def payoffs(values: Iterable[Any], script: Script = PRINT) -> str:
    """The players' values, in order: 1, 2, 6."""
    return ", ".join(number_text(v, script) for v in values)


def window(ends: tuple[float, float], script: Script = PRINT) -> str:
    """The window as [α, β]."""
    return f"[{payoffs(ends, script)}]"


def odds(p: Any) -> str:
    """The odds as a simple fraction where they are one: 1/6; otherwise 0.137."""
    simple = Fraction(p).limit_denominator(100)
    return str(simple) if abs(simple - p) < 1e-9 else f"{float(p):.3g}"


def needs_payoffs(tree: RecordedTree) -> bool:
    """Whether player 0's value does not determine the others': more than two players, or sums other than zero."""
    known = (node.values for node in tree.root.walk() if node.values is not None)
    return any(len(v) > 2 or (len(v) == 2 and abs(v[0] + v[1]) > 1e-9) for v in known)


def value_of(node: Node, tuples: bool, script: Script = PRINT) -> str:
    """What the search said the node is worth; empty where it said nothing."""
    if tuples and node.values is not None:
        sign = script.signs[node.bound]
        return f"{sign}({payoffs(node.values, script)})"
    return "" if node.value is None else bounded(node.value, node.bound, script)


def who_moves(game: Game, node: Node, tuples: bool) -> str:
    """Who moves at a node: a player, chance, or a player who is taken for a die."""
    assert node.player is not None
    if node.random_player is not None:
        return f"{mover_name(game, node.random_player, tuples)} at random"
    return mover_name(game, node.player, tuples)


def worth_of(node: Node, tuples: bool, script: Script = PRINT) -> str:
    """What is written in a node: of simulations the wins out of all, 37/100, else its value."""
    return wins_of(node) or value_of(node, tuples, script)


def wins_of(node: Node) -> str:
    """The simulations that were won, out of all that came through; empty where there were none."""
    if node.wins is None or node.visits is None:
        return ""
    return f"{node.wins:,.1f}".removesuffix(".0") + f"/{node.visits:,}"


def mover_name(game: Game, player: int, tuples: bool) -> str:
    """Who moves: what the game calls the player, or Max and Min where one wins what the other loses, or chance."""
    if player < 0:
        return "chance"
    rivals = ("Max", "Min")
    own = game.names
    if isinstance(own, tuple) and player < len(own) and not (tuples and own == rivals):
        return str(own[player])
    return f"player {player}" if tuples or player > 1 else rivals[player]


def abbreviated(text: str, most: int) -> str:
    """The text on one line, at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def escape(text: str) -> str:
    """The text for XML and HTML, quotes and forbidden characters too."""
    return escape_html(_ILLEGAL_IN_XML.sub("\ufffd", text))


def width(text: str, size: float) -> float:
    """About how wide the text is in the usual sans-serif fonts, rather too wide than too narrow."""
    return size * sum(map(_em, text))


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.38
    if character in _WIDE:
        return 0.86
    if character < "\u0100":
        return 0.7 if character.isupper() else 0.61
    return 1.1 if unicodedata.east_asian_width(character) in "WF" else 0.8
