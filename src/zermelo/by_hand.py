"""Games written by hand where a game is wanted: a bare nested list, and a tree or a table as a line of text.

>>> as_game([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
>>> as_table([[1, -1], [-1, 1]]) == read("Matrix([[1, -1], [-1, 1]])")
True
"""

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix
from zermelo.tree import Decision, Lottery, Tree, chance, move

MAKERS: dict[str, Callable[..., Any]] = {"chance": chance, "move": move, "Tree": Tree, "Matrix": Matrix}
"""What may be called in a text; everything else in it is a literal."""
WRITTEN = re.compile(rf"\s*(?:[\[{{(]|(?:{'|'.join(MAKERS)})\s*\()")


class Numbers(Protocol):
    """An array of numbers, such as NumPy's."""

    def tolist(self) -> Any:
        """The same numbers as nested lists."""


AnyGame: TypeAlias = Game | list[Any] | dict[str, Any] | Decision | Lottery | Numbers
"""A game, or one that is written by hand: nested lists and dicts, `move` and `chance`."""


def as_game(given: AnyGame) -> Game:
    """The game itself; what is written by hand is a tree. What can be neither is left as it is, to be refused."""
    given = _listed(given)
    return Tree(given) if isinstance(given, list | dict | Decision | Lottery) else given  # type: ignore[return-value]


def as_table(given: AnyGame) -> Game:
    """The game itself; a list of equal rows of payoffs is a payoff table, any other list a tree."""
    given = _listed(given)
    return Matrix(given) if _is_table(given) else as_game(given)


def _listed(given: Any) -> Any:
    return given.tolist() if not isinstance(given, Game | type) and hasattr(given, "tolist") else given


def _is_table(given: Any) -> bool:
    """Whether it is a list of rows: equally many numbers, or tuples with a payoff for either of two players."""
    if not isinstance(given, list) or not given or not all(isinstance(row, list) and row for row in given):
        return False
    cells = [cell for row in given for cell in row]
    pays_both = all(isinstance(cell, tuple | list) and len(cell) == 2 for cell in cells)
    numbers = [number for cell in cells for number in cell] if pays_both else cells
    return len(set(map(len, given))) == 1 and not any(isinstance(x, list | dict | tuple | str) for x in numbers)


def is_written(text: str) -> bool:
    """Whether a text looks like a game written by hand, and not like a name."""
    return WRITTEN.match(text) is not None


def read(text: str, *, table: bool = False) -> Game:
    """The game in a text: nested lists and dicts, `chance(...)`, `move(...)`, `Tree(...)` or `Matrix(...)`.

    Nothing is executed. With `table`, bare rows are a payoff table.
    """
    try:
        nested = _evaluated(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ZeroDivisionError) as error:
        if isinstance(error, BadParameter):
            raise
        shown = text if len(text) <= 60 else text[:57] + "..."
        wanted = "no tree: write nested lists such as [[3, 12, 8], [2, 4, 6]]"
        if text.lstrip().startswith("Matrix"):
            wanted = "no payoff table: write Matrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])"
        raise BadParameter(f"{shown!r} is {wanted}") from None
    if isinstance(nested, Game):
        return nested
    return as_table(nested) if table else Tree(nested)


def _evaluated(node: ast.expr) -> Any:
    """The value of an expression of literals, fractions and calls of the makers."""
    if isinstance(node, ast.List | ast.Tuple):
        items = [_evaluated(item) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {ast.literal_eval(key): _evaluated(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return Fraction(_evaluated(node.left)) / Fraction(_evaluated(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
        named = {k.arg: _evaluated(k.value) for k in node.keywords if k.arg}
        return MAKERS[node.func.id](*map(_evaluated, node.args), **named)
    return ast.literal_eval(node)
