"""What the utilities of two players sum to, and both players' values by that of one."""

from fractions import Fraction
from typing import Any

from zermelo.contract import Game
from zermelo.exact import as_value
from zermelo.traits import total


def whole_sum(game: Game) -> Any:
    """What the utilities of two players sum to; None where there is only one player."""
    return None if game.players == 1 else total(game) or 0.0


def both_values(value: Any, whole: Any) -> tuple[Any, ...]:
    """All players' values, by player 0's and what they sum to."""
    if whole is None:
        return (value,)
    return value, whole - value + 0.0 if isinstance(value, float) else as_value(Fraction(whole) - value)
