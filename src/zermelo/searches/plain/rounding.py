"""Detects where rounding may have changed an answer, and searches again in fractions.

Plain Python compares integers, fractions and floats exactly, so that a search that only compares loses nothing there.
Native code knows floats alone; and averages of floats are rounded everywhere.
"""

import math
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.compile import as_number, is_finer, is_float
from zermelo.contract import Game
from zermelo.exact import Exact
from zermelo.result import Analysis, Move

FEW, SOME = 2_000, 50_000
"""A search that averages floats is made again in fractions where it takes at most FEW nodes, or at most SOME nodes and
its answer is doubtful."""
APART = 1e9
"""Averages of floats are doubtful where the largest payoff is more than so many times the least one."""
ALIKE = 1e-9
"""The largest relative difference between floats and fractions at which rounding did not matter."""
SLACK = Fraction(1, 10**6)
"""How far averages may lie beyond the bounds of utilities, in proportion."""
NOTE = 'floats cannot tell these payoffs apart; in integers or fractions, device="python" is exact'


class Rounding(NamedTuple):
    """What rounding may have done to an answer: whether numbers were finer than floats are, whether floats were
    averaged, whether a choice between averages was close, and the least and the greatest size of what was averaged."""

    finer: bool = False
    averaged: bool = False
    close: bool = False
    smallest: Any = sys.float_info.max
    largest: Any = 0.0


def is_finer_than_floats(game: Game) -> bool:
    """Whether the game is a tree or a table with payoffs or odds that no float holds."""
    return any(isinstance(item, Exact) and item.finer for item in vars(game).values())


def is_doubtful(rounding: Rounding, native: bool) -> bool:
    """Whether rounding may have changed the value or the move: then no answer is exact."""
    if rounding.finer and (native or rounding.averaged):
        return True
    return rounding.averaged and (rounding.close or rounding.largest > APART * rounding.smallest)


def is_worth_fractions(rounding: Rounding, answer: Analysis) -> bool:
    """Whether the same search is to be made in fractions."""
    native = answer.device != "python"
    if is_doubtful(rounding, native):
        return answer.nodes <= SOME
    return rounding.averaged and not native and answer.nodes <= FEW


def as_estimate(answer: Analysis) -> Analysis:
    """The answer, no longer called exact or a bound."""
    said = f"{answer.note}; " if answer.note else ""
    known = {a: Move(move.value, bound="estimate", values=move.values) for a, move in answer.moves.items()}
    return replace(answer, bound="estimate", moves=known, note=said + NOTE)


def is_alike(answer: Analysis, precise: Analysis) -> bool:
    """Whether two answers say the same but for the last digits."""
    if answer.action != precise.action or answer.line != precise.line or answer.bound != precise.bound:
        return False
    pairs = [(answer.values, precise.values)]
    for action, move in answer.moves.items():
        other = precise.moves.get(action)
        if other is not None and move.bound == other.bound == "exact":
            pairs.append((move.values or (), other.values or ()))
    return all(math.isclose(x, y, rel_tol=ALIKE) for one, other in pairs for x, y in zip(one, other, strict=True))


def as_given(edge: Any) -> Any:
    """A bound as an integer where it is one: multiplied by odds that are fractions it then stays exact."""
    return int(edge) if math.isfinite(edge) and edge == int(edge) else edge


def with_slack(lower: Any, upper: Any) -> tuple[Fraction, Fraction]:
    """Bounds that averages keep even where, by rounding, their odds do not sum to exactly 1."""
    least, most = Fraction(lower), Fraction(upper)
    slack = (abs(least) + abs(most)) * SLACK
    return least - slack, most + slack


class InFractions:
    """A game whose utilities and odds are fractions, each equal to the game's own number."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.draw_value = _fraction(game.draw_value) if game.repetition is not None else 0
        if game.probability is None:
            self.probability = None  # type: ignore[assignment, method-assign]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def utility(self, s: Any, player: int) -> Any:
        """What `player` gets at the end `s`."""
        return _fraction(self._game.utility(s, player))

    def probability(self, s: Any, action: int) -> Any:
        """How likely the outcome is."""
        return _fraction(self._game.probability(s, action))


def _fraction(given: Any) -> Any:
    value = as_number(given)
    return Fraction(value) if is_float(value) and math.isfinite(value) else value


def any_finer(*numbers: Any) -> bool:
    """Whether floats do not hold all of these numbers."""
    return any(map(is_finer, numbers))
