"""What leaves Python: answers as plain data, which is what `to_json()` returns and `--json` prints, and as tables.

>>> from fractions import Fraction
>>> as_plain({"odds": (Fraction(1, 2), 0.5), "most": float("inf"), 3: None})
{'odds': ['1/2', 0.5], 'most': 'inf', '3': None}
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.contract import Game
from zermelo.errors import MissingPackage

if TYPE_CHECKING:
    from pandas import DataFrame

PARAMETER = bool | int | float | str | tuple


def as_plain(value: Any) -> Any:
    """The value in what JSON knows: lists, objects, words and numbers without infinity. Fractions become words."""
    if isinstance(value, dict):
        return {str(k): as_plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(v) for v in value]
    if isinstance(value, bool | str | type(None)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    return str(value)


def game_data(game: Game) -> dict[str, Any]:
    """The game as plain data, with which documents begin: its name and its parameters."""
    # The tables of a tree or a matrix are no parameters that anybody gave.
    given = {name: as_plain(value) for name, value in game.parameters.items() if isinstance(value, PARAMETER)}
    return {"game": game.name, "parameters": given}


def frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> "DataFrame":
    """A table of pandas. Fractions become floats, with which tables are drawn and summed."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise MissingPackage(
            "to_frame needs pandas, which is not installed: pip install 'zermelo[data]'; to_json() does without"
        ) from None
    return DataFrame([[_cell(value) for value in row] for row in rows], columns=list(columns))


def _cell(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value
