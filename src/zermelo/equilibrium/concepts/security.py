"""What a player can secure on its own, and which outcomes nobody can improve on for all.

>>> from zermelo import Matrix
>>> pennies = Matrix([[1, -1], [-1, 1]])
>>> level = security_level(pennies)
>>> level.pure, level.value, level.strategy
(-1, Fraction(0, 1), (Fraction(1, 2), Fraction(1, 2)))
"""

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.arguments import player_of
from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import require_game
from zermelo.equilibrium.arithmetic.exact_program import Program
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, game_data


@dataclass(frozen=True, eq=False)
class Security:
    """What a player gets for certain, whatever the others do, and what the others can hold it down to."""

    player: int
    pure: Any
    """The most that one action secures."""
    action: int
    """The action that secures it."""
    value: Any
    """The most that a mixed strategy secures on average: the maximin value."""
    strategy: tuple[Any, ...]
    """The mixed strategy that secures it."""
    pure_minimax: Any
    """The least to which the others can hold the player if it answers what they do: never below `value`."""
    held_by: dict[tuple[int, ...], Any]
    """A mixture of what the others do, together, that holds the player down to `value`."""
    table: Matrix = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        document = {
            "player": self.player,
            "pure": self.pure,
            "action": self.table.labels[self.player][self.action],
            "value": self.value,
            "strategy": self.strategy,
            "pure_minimax": self.pure_minimax,
            "held_by": list(self.held_by.items()),
        }
        return game_data(self.table) | as_plain(document)

    def __str__(self) -> str:
        from zermelo.draw.words.concepts import security_sheet

        return security_sheet(self).text()

    def _repr_html_(self) -> str:
        from zermelo.draw.words.concepts import security_sheet

        return security_sheet(self, for_print=True).html()


@dataclass(frozen=True)
class Efficient:
    """An outcome that cannot be improved for one player without harm to another."""

    choices: tuple[int, ...]
    payoffs: tuple[Any, ...]
    labels: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {"choices": as_plain(self.labels), "payoffs": as_plain(self.payoffs)}


def security_level(game: AnyGame, player: int = 0) -> Security:
    """What a player can secure by one action and by a mixed strategy, and what the others can hold it down to.

    The others may act together. In mixed strategies both values are equal with two players (von Neumann, 1928), and
    with more if the others can correlate their actions. Numbers are fractions, or floats where the table has any.

    >>> from zermelo import Matrix
    >>> chicken = Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]])
    >>> level = security_level(chicken, 1)
    >>> level.pure, level.action, level.value, level.pure_minimax
    (2, 0, Fraction(2, 1), 2)
    """
    game = as_table(game)
    require_game(game, "security_level")
    table = normal_form(game)
    player_of(table.players, player, "security_level")
    rows, profiles = _against(table, player)
    worst = [min(row) for row in rows]
    action = worst.index(max(worst))
    gain = len(rows)
    program = Program(gain + 1, free=[gain])
    exact_rows = _rows(table.exact_payoffs, player)
    unit = Fraction(max(abs(x) for row in exact_rows for x in row) or 1)
    for column in range(len(profiles)):
        program.at_most({gain: 1} | {i: -row[column] / unit for i, row in enumerate(exact_rows)})
    program.equals(dict.fromkeys(range(gain), 1), 1)
    found = program.maximise({gain: 1})
    shown = Fraction if found.exact and table.exact else float
    return Security(
        player=player,
        pure=worst[action],
        action=action,
        value=shown(found.value * unit),
        strategy=tuple(shown(p) for p in found.variables[:gain]),
        pure_minimax=min(max(row[column] for row in rows) for column in range(len(profiles))),
        held_by={profile: shown(p) for profile, p in zip(profiles, found.prices, strict=True) if p > 0},
        table=table,
    )


def pareto_front(game: AnyGame, *, lotteries: bool = False) -> list[Efficient]:
    """The outcomes of a table that no other outcome beats: as good for all and better for some.

    With `lotteries`, outcomes that a lottery over several others beats are left out too.

    >>> from zermelo import Matrix
    >>> dilemma = Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
    >>> [outcome.payoffs for outcome in pareto_front(dilemma)]
    [(3, 3), (0, 5), (5, 0)]
    """
    game = as_table(game)
    require_game(game, "pareto_front")
    table = normal_form(game)
    cells = list(itertools.product(*map(range, table.shape)))
    payoffs = [tuple(row) for row in table.cells.numbers]
    exact = dict(zip(payoffs, map(tuple, table.exact_cells), strict=True))
    best: list[tuple[Fraction, ...]] = []
    for row in sorted(set(exact.values()), reverse=True):
        # A row that beats this one comes before it in this order; if beaten itself, then by a row that beats both.
        if not any(all(x >= y for x, y in zip(other, row, strict=True)) for other in best):
            best.append(row)
    if lotteries:
        best = [row for row in best if not _beaten(row, best)]
    kept = set(best)
    return [
        Efficient(cell, row, tuple(labels[i] for labels, i in zip(table.labels, cell, strict=True)))
        for cell, row in zip(cells, payoffs, strict=True)
        if exact[row] in kept
    ]


def _beaten(row: tuple[Fraction, ...], best: list[tuple[Fraction, ...]]) -> bool:
    """Whether a lottery over these outcomes is as good for all and better for some."""
    program = Program(len(best))
    program.equals(dict.fromkeys(range(len(best)), 1), 1)
    unit = Fraction(max(abs(x - y) for other in best for x, y in zip(other, row, strict=True)) or 1)
    gains = [[(x - y) / unit for x, y in zip(other, row, strict=True)] for other in best]
    for player in range(len(row)):
        program.at_most({i: -gain[player] for i, gain in enumerate(gains)})
    return program.maximise({i: sum(gain) for i, gain in enumerate(gains)}).value > 0


def _against(table: Matrix, player: int) -> tuple[list[list[Any]], list[tuple[int, ...]]]:
    """What each action of a player earns against each combination of the others' actions, and these combinations."""
    others = (range(size) for p, size in enumerate(table.shape) if p != player)
    return _rows(table.payoffs, player), list(itertools.product(*others))


def _rows(payoffs: Any, player: int) -> list[list[Any]]:
    """What each action of a player earns, one row for each."""
    import numpy as np

    own = np.moveaxis(payoffs[..., player], player, 0)
    return own.reshape(len(own), -1).tolist()
