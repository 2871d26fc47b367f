"""A payoff table as a game: everybody chooses at once, then each gets what the cell says.

>>> from fractions import Fraction
>>> pennies = Matrix([[1, -1], [-1, 1]], labels=("heads", "tails"))
>>> print(pennies)
       heads  tails
heads  1, -1  -1, 1
tails  -1, 1  1, -1
>>> pennies[(1, 0), (Fraction(1, 4), Fraction(3, 4))]
(Fraction(-1, 2), Fraction(1, 2))

`Matrix(A)` is zero-sum: the row player gets A, the column player loses it. `Matrix(A, B)` has one table for each; with
n players it is `Matrix(A, B, C, ...)`, n tables of n dimensions. One table of n + 1 dimensions, n > 1, whose last axis
is the player, says the same: `Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])`.
"""

import functools
import hashlib
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.compile.memory import replace
from zermelo.contract import Game
from zermelo.contract.parameters import one_line_title
from zermelo.errors import BadParameter
from zermelo.exact import Exact, as_value, exact_numbers, number, sums_to_one
from zermelo.plain_data import as_plain, game_data

UNKNOWN = -1
"""The choice of a player who has not chosen yet."""


class Matrix(Game):
    """A payoff table: all players choose at once, each for a row, a column or a further axis of the table.

    Moves are made one after the other, and nobody sees those of the others: that is what simultaneous means. Integers
    and fractions stay exact in plain Python.
    """

    is_watched = True

    class State(NamedTuple):
        turn: int
        choices: tuple[int, ...]

    def __init__(
        self, A: Any, B: Any = None, *others: Any, labels: Any = None, names: Any = None, title: str = ""  # noqa: N803
    ) -> None:  # fmt: skip
        self._shape, cells = _cells([A] if B is None and not others else [A, B, *others])
        self.cells = Exact(cells)
        """One row for each cell, the last player's choice fastest, with one payoff for each player."""
        self.players = len(self.shape)
        self.max_actions = max(self.shape)
        first = [row[0] for row in cells]
        self.bounds = (as_value(min(first)), as_value(max(first)))
        self._labels = _action_labels(labels, self.shape)
        self._names = _player_names(names, self.players)
        if title:
            self.name = one_line_title(title)
        super().__init__()

    @property
    def shape(self) -> tuple[int, ...]:
        """How many actions each player has."""
        return self._shape

    def initial(self):
        return self.State(0, (UNKNOWN,) * self.players)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.turn < self.players:
            yield from range(self.shape[s.turn])

    def result(self, s, action):
        return self.State(s.turn + 1, replace(s.choices, s.turn, action))

    def is_terminal(self, s):
        return s.turn == self.players

    def utility(self, s, player):
        cell = 0
        for p in range(self.players):
            cell = cell * self.shape[p] + s.choices[p]
        return self.cells[cell, player]

    def view(self, s, player):
        return s.choices[player]

    # --- the table -----------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The names of each player's actions."""
        return self._labels

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self._names

    @property
    def exact(self) -> bool:
        """Whether all payoffs are integers or fractions."""
        return all(not isinstance(x, float) for row in self.cells.numbers for x in row)

    @functools.cached_property
    def _payoffs(self) -> Any:
        import numpy as np

        array = np.array(self.cells.numbers, dtype=object if self.exact else float).reshape(*self.shape, self.players)
        array.setflags(write=False)
        return array

    def to_json(self) -> dict[str, Any]:
        """The table as plain data, a row of payoffs for each cell; fractions are written as "1/3"."""
        cells = [[int(x) if x == int(x) else x for x in cell] for cell in self.cells.numbers]
        table = {"form": "normal", "shape": self.shape, "strategies": self.labels, "payoffs": cells}
        return game_data(self) | as_plain(table)

    @property
    def payoffs(self) -> Any:
        """The table as an array [choice 0, choice 1, ..., player]: of objects where it is exact, else of floats."""
        return self._payoffs

    @functools.cached_property
    def exact_cells(self) -> list[list[Any]]:
        """The payoffs cell by cell in integers and fractions: what floats stand for."""
        numbers = iter(exact_numbers(itertools.chain.from_iterable(self.cells.numbers)))
        return [list(itertools.islice(numbers, self.players)) for _ in self.cells.numbers]

    @property
    def exact_payoffs(self) -> Any:
        """The exact payoffs as an array [choice 0, choice 1, ..., player] of objects."""
        import numpy as np

        return np.array(self.exact_cells, dtype=object).reshape(*self.shape, self.players)

    def __getitem__(self, strategies: Any) -> tuple[Any, ...]:
        """What each player expects when each mixes the own actions with the given probabilities.

        `matrix[sigma, tau]` takes one sequence of probabilities for each player and is exact where all numbers are.
        """
        import numpy as np

        given = strategies if isinstance(strategies, tuple) and self.players > 1 else _alone(strategies)
        if len(given) != self.players:
            raise BadParameter(f"{self.name}: give {self.players} mixed strategies, one a player, not {len(given)}")
        mixed = [self._strategy(player, strategy) for player, strategy in enumerate(given)]
        exact = self.exact and not any(isinstance(p, float) for strategy in mixed for p in strategy)
        expected = self.payoffs if exact else self.payoffs.astype(float)
        for strategy in mixed:
            expected = np.tensordot(np.array(strategy, dtype=object if exact else float), expected, axes=(0, 0))
        return tuple(x if exact else x + 0.0 for x in expected.tolist())

    def _strategy(self, player: int, strategy: Any) -> list[Any]:
        """The probabilities, checked."""
        who = f"{self.name}: the strategy of {self._names[player]}"
        values = strategy.tolist() if hasattr(strategy, "tolist") else strategy
        if not isinstance(values, list | tuple) or len(values) != self.shape[player]:
            raise BadParameter(f"{who} must be {self.shape[player]} probabilities, one for each action, not {values!r}")
        numbers = [number(p, f"{who}: probability {i}") for i, p in enumerate(values)]
        if any(not 0 <= p <= 1 for p in numbers) or not sums_to_one(numbers):
            raise BadParameter(f"{who} must be probabilities between 0 and 1 that sum to 1, not {values!r}")
        return numbers

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s: State, action: int) -> str:
        """The action's label."""
        return self._labels[s.turn][action]

    def parse_action(self, s: State, text: str) -> int:
        """The action of this label, or else of this number."""
        wanted = text.strip()
        if not self.is_terminal(s) and wanted in self._labels[s.turn]:
            return self._labels[s.turn].index(wanted)
        return super().parse_action(s, text)

    def text(self, s: State, player: int | None = None) -> str:
        """The payoff table, then the choices made so far; to a player, the own one alone until all have chosen."""
        over = self.is_terminal(s)
        chosen = [
            f"{name}: {self._labels[p][s.choices[p]]}"
            for p, name in enumerate(self._names)
            if s.choices[p] != UNKNOWN and (player in (None, p) or over)
        ]
        if over:
            chosen.append("payoffs " + ", ".join(str(self.utility(s, p)) for p in range(self.players)))
        return "\n".join([str(self), *chosen])

    def __str__(self) -> str:
        """The table: the first player's actions down, the second's across, a table for each choice of the others."""
        rows, columns = self.shape[0], self.shape[1] if self.players > 1 else 1
        parts = []
        for rest in itertools.product(*map(range, self.shape[2:])):
            head = [f"{self._names[p]}: {self._labels[p][i]}" for p, i in enumerate(rest, start=2)]
            grid = [["", *self._labels[1]]] if self.players > 1 else []
            for i in range(rows):
                choices = [(i, j, *rest)[: self.players] for j in range(columns)]
                grid.append([self._labels[0][i], *(", ".join(map(str, self._cell(c))) for c in choices)])
            parts.append("\n".join([*([", ".join(head)] if head else []), *_aligned(grid)]))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        from zermelo.draw.words.payoffs import table_html

        return table_html(self)

    def _repr_svg_(self) -> str:
        from zermelo.draw.words.payoffs import table_svg

        return table_svg(self)

    def _cell(self, choices: tuple[int, ...]) -> list[Any]:
        index = 0
        for size, choice in zip(self.shape, choices, strict=True):
            index = index * size + choice
        return self.cells.numbers[index]

    @functools.cached_property
    def _content(self) -> tuple[Any, ...]:
        return self.shape, tuple(map(tuple, self.cells.numbers)), self._labels, self._names

    def __repr__(self) -> str:
        if type(self) is not Matrix:
            inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
            return f"{type(self).__name__}({inside})"
        digest = hashlib.sha256(repr(self._content).encode()).hexdigest()[:8]
        return f"Matrix(<{'x'.join(map(str, self.shape))}, {digest}>)"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


def _cells(tables: list[Any]) -> tuple[tuple[int, ...], list[list[Any]]]:
    """The shape of the table and, cell by cell, what each player gets there."""
    read = [_read(t, "matrix" if len(tables) == 1 else f"matrix of player {i}") for i, t in enumerate(tables)]
    shape = read[0][0]
    if len(read) == 1:
        values = read[0][1]
        if len(shape) == 1:
            return shape, [[x] for x in values]
        if len(shape) == 2:
            return shape, [[x, 0 - x] for x in values]
        players = len(shape) - 1
        if shape[-1] != players:
            raise BadParameter(f"matrix: {_by(shape)} is for {players} players: each cell needs {players} payoffs")
        return shape[:-1], [values[i : i + players] for i in range(0, len(values), players)]
    for other, _ in read[1:]:
        if other != shape:
            raise BadParameter(f"matrix: the tables must have the same shape, not {_by(shape)} and {_by(other)}")
    if len(shape) != len(read):
        raise BadParameter(f"matrix: {len(read)} tables are for {len(read)} players and need {len(read)} dimensions, "
                           f"not {len(shape)}")  # fmt: skip
    return shape, [list(row) for row in zip(*(values for _, values in read), strict=True)]


def _read(data: Any, what: str) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of nested lists and their numbers in one row."""
    level = [data.tolist() if hasattr(data, "tolist") else data]
    shape: list[int] = []
    while isinstance(level[0], list | tuple) or hasattr(level[0], "__len__"):
        lengths = {len(x) if isinstance(x, list | tuple) else -1 for x in level}
        if len(lengths) > 1 or min(lengths) < 1 or len(shape) > 16:
            fault = "is ragged: make its rows equally long" if len(lengths) > 1 else "needs numbers in nested lists"
            raise BadParameter(f"{what}: the table {fault}")
        shape.append(len(level[0]))
        level = [item.tolist() if hasattr(item, "tolist") else item for row in level for item in row]
    if not shape:
        raise BadParameter(f"{what}: payoffs come in nested lists or arrays such as [[3, 0], [5, 1]], not {data!r}")
    return tuple(shape), [number(x, f"{what}, at {_index(shape, i)}: the payoff") for i, x in enumerate(level)]


def _index(shape: Sequence[int], flat: int) -> str:
    places = []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        places.append(str(place))
    return "[" + ", ".join(reversed(places)) + "]"


def _action_labels(labels: Any, shape: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    if labels is None:
        return tuple(tuple(map(str, range(size))) for size in shape)
    wanted = "labels must be one name for each action, for all players alike or player by player"
    if not isinstance(labels, list | tuple) or not labels:
        raise BadParameter(f"matrix: {wanted}, not {labels!r}")
    rows = [labels] * len(shape) if all(isinstance(label, str) for label in labels) else labels
    if len(rows) != len(shape) or not all(isinstance(row, list | tuple) for row in rows):
        raise BadParameter(f"matrix: {wanted}, not {labels!r}")
    for row, size in zip(rows, shape, strict=True):
        if len(row) != size or len(set(map(str, row))) < size or not all(str(label).strip() for label in row):
            raise BadParameter(f"matrix: {size} actions need {size} different labels, not {row!r}")
    return tuple(tuple(str(label).strip() for label in row) for row in rows)


def _player_names(names: Any, players: int) -> tuple[str, ...]:
    if names is None:
        return ("row", "column") if players == 2 else tuple(f"player {i}" for i in range(players))
    if not isinstance(names, list | tuple) or len(names) != players or len(set(map(str, names))) < players:
        raise BadParameter(f"matrix: names must be {players} different names, one for each player, not {names!r}")
    return tuple(map(str, names))


def _alone(strategy: Any) -> tuple[Any, ...]:
    """The one strategy of a one-player table, given as it is or in a tuple."""
    if isinstance(strategy, tuple) and len(strategy) == 1 and isinstance(strategy[0], list | tuple):
        return strategy
    return (strategy,)


def _aligned(grid: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return ["  ".join(f"{text:<{w}}" for text, w in zip(row, widths, strict=True)).rstrip() for row in grid]


def _by(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape))
