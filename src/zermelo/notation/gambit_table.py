"""Payoff tables in Gambit's .nfg files: read as a Matrix, written from one."""

import itertools
from fractions import Fraction
from math import prod
from typing import Any

from zermelo.matrix import Matrix
from zermelo.notation.gambit_words import GambitWords, distinct, quoted, title_and_players, written

MOST_STRATEGIES = 100_000
Payoffs = tuple[int | Fraction, ...]


def read_table(words: GambitWords) -> Matrix:
    """The table that the words describe, by payoffs or by outcomes."""
    title, names = title_and_players(words, "NFG", "1")
    labels = _strategies(words, len(names))
    if words.comes("text"):
        words.take("text", "a comment")
    shape = [len(own) for own in labels]
    cells = _outcomes(words, shape) if words.comes("open") else _payoffs(words, shape)
    if not words.comes("end"):
        raise words.unexpected("the end of the file")
    tables = [_nested(cells, shape, player) for player in range(len(shape))]
    return Matrix(*tables, labels=labels, names=names, title=title)


def _strategies(words: GambitWords, players: int) -> list[list[str]]:
    """The names of each player's strategies; where only their numbers are told, 1, 2, ..."""
    start = words.take("open", "{ before the strategies")
    labels: list[list[str]] = []
    while not words.comes("close"):
        here = words.word
        if words.comes("open"):
            own = words.texts("names of strategies")
        else:
            count = words.integer("how many strategies a player has")
            if count > MOST_STRATEGIES:
                raise words.wrong(f"{count:,} strategies are too many", here)
            own = [""] * count
        if not own:
            raise words.wrong("expected one strategy at least", here)
        labels.append(distinct(own, [str(i + 1) for i in range(len(own))]))
    words.take("close", "}")
    if len(labels) != players:
        raise words.wrong(f"expected strategies of {players} players, not of {len(labels)}", start)
    return labels


def _payoffs(words: GambitWords, shape: list[int]) -> list[Payoffs]:
    """What the players get, cell by cell; the first player's strategy changes fastest."""
    players, count = len(shape), prod(shape)
    if words.left < players * count:
        raise words.wrong(f"expected {players * count:,} payoffs, {players} for each cell; there are {words.left:,}")
    return [tuple(words.exact("a payoff") for _ in range(players)) for _ in range(count)]


def _outcomes(words: GambitWords, shape: list[int]) -> list[Payoffs]:
    """The payoffs, cell by cell, from a list of outcomes and one outcome's number a cell; outcome 0 pays nothing."""
    known: list[Payoffs] = [(0,) * len(shape)]
    words.take("open", "{ before the outcomes")
    while words.comes("open"):
        words.take("open", "{")
        if words.comes("text"):
            words.take("text", "the name of an outcome")
        known.append(words.payoffs(len(shape)))
    words.take("close", "{ before an outcome, or } after the last")
    count = prod(shape)
    if words.left < count:
        raise words.wrong(f"expected {count:,} numbers of outcomes, one for each cell; there are {words.left:,}")
    cells = []
    for _ in range(count):
        here = words.word
        number = words.integer("the number of an outcome")
        if number >= len(known):
            raise words.wrong(f"there is no outcome {number}; the last one is {len(known) - 1}", here)
        cells.append(known[number])
    return cells


def _nested(cells: list[Payoffs], shape: list[int], player: int, start: int = 0, step: int = 1) -> Any:
    if not shape:
        return cells[start][player]
    return [_nested(cells, shape[1:], player, start + i * step, step * shape[0]) for i in range(shape[0])]


def write_table(table: Matrix, title: str) -> str:
    """The table as a file of payoffs, one line for each choice of all players but the first."""
    names = " ".join(map(quoted, table.names))
    rows = [f"NFG 1 R {quoted(title)} {{ {names} }}", ""]
    strategies = [f"{{ {' '.join(map(quoted, own))} }}" for own in table.labels]
    rows += ["{ " + "\n  ".join(strategies), "}", '""', ""]
    numbers = table.cells.numbers
    for others in itertools.product(*(range(size) for size in reversed(table.shape[1:]))):
        line: list[str] = []
        for first in range(table.shape[0]):
            cell = 0
            for size, choice in zip(table.shape, (first, *reversed(others)), strict=True):
                cell = cell * size + choice
            line += map(written, numbers[cell])
        rows.append(" ".join(line))
    return "\n".join(rows) + "\n"
