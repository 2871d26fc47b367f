"""Exact numbers: results of calculations as the fractions that they stand for, and linear equations solved in integers.

Payoffs are not read here: `zermelo.exact.exact_numbers` reads them, and keeps payoffs that differ apart.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from zermelo.exact import simplest, simplest_between

NEAR = Fraction(1, 10**12)
SMALL_DENOMINATOR = 10_000
"""A float within NEAR of such a fraction stands for it: 1 - 1 / 3 is meant as 2/3."""
RIGHT = -1
"""The place of the right-hand side in a row."""


def exact_number(x: Any) -> Fraction:
    """The number as a fraction: a float as one of small denominator within 1e-12, or the simplest that rounds to it.

    It is for odds and other numbers that come out of a calculation, where 1e-12 is rounding.

    >>> exact_number(1 - 1 / 3), exact_number(0.3333333), exact_number(7)
    (Fraction(2, 3), Fraction(3333333, 10000000), Fraction(7, 1))
    """
    given = Fraction(x)
    if not isinstance(x, float) or given.denominator == 1:
        return given
    near = NEAR * min(Fraction(1), abs(given))
    small = simplest_between(given - near, given + near)
    return small if small.denominator <= SMALL_DENOMINATOR else simplest(x)


def exact_odds(odds: Sequence[Any]) -> list[Any]:
    """Odds that sum to 1 but for rounding, as numbers that sum to exactly 1; odds without floats as they are.

    Floats are the simplest fractions that round to them, or else small ones next to them (1 - 1 / 3 is meant as 2/3),
    if those sum to 1; and if not, the binary fractions that they are, as parts of their sum.

    >>> exact_odds([1 / 3, 1 - 1 / 3]), exact_odds([0.1, 0.2, 0.7])
    ([Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)])
    """
    if not any(isinstance(p, float) for p in odds):
        return list(odds)
    for read in (simplest, exact_number):
        found = [read(p) for p in odds]
        if sum(found) == 1:
            return found
    whole = sum(map(Fraction, odds))
    return [Fraction(p) / whole for p in odds]


def unique_solution(rows: Sequence[Mapping[int, Any]], right: Sequence[Any], count: int) -> list[Fraction] | None:
    """The only solution of sparse linear equations in `count` unknowns; None where there is none, or more than one.

    There may be more equations than unknowns. Each step takes the shortest equation left, which keeps rows sparse.

    >>> unique_solution([{0: 1, 1: 1}, {0: 1, 1: -1}, {0: 2}], [1, 0, 1], 2)
    [Fraction(1, 2), Fraction(1, 2)]
    >>> unique_solution([{0: 1, 1: 1}], [1], 2) is None
    True
    """
    left = [_integers(row, entry) for row, entry in zip(rows, right, strict=True)]
    users: list[set[int]] = [set() for _ in range(count)]
    for i, row in enumerate(left):
        for column in row:
            if column != RIGHT:
                users[column].add(i)
    order: list[tuple[int, dict[int, int]]] = []
    waiting = set(range(len(left)))
    while waiting:
        chosen = min(waiting, key=lambda i: len(left[i]))
        waiting.remove(chosen)
        row = left[chosen]
        columns = [column for column in row if column != RIGHT]
        if not columns:
            if row:
                return None
            continue
        pivot = min(columns, key=lambda column: (len(users[column]), column))
        for column in columns:
            users[column].discard(chosen)
        for i in list(users[pivot]):
            _subtract(left[i], row, pivot, users, i)
        order.append((pivot, row))
    return _substituted(order, count) if len(order) == count else None


def _integers(row: Mapping[int, Any], right: Any) -> dict[int, int]:
    """An equation over integers without a common divisor."""
    entries = {column: Fraction(x) for column, x in row.items() if x}
    if right:
        entries[RIGHT] = Fraction(right)
    scale = lcm(*(x.denominator for x in entries.values()))
    return _reduced({column: int(x * scale) for column, x in entries.items()})


def _reduced(row: dict[int, int]) -> dict[int, int]:
    divisor = gcd(*row.values())
    return {column: x // divisor for column, x in row.items()} if divisor > 1 else row


def _subtract(row: dict[int, int], by: dict[int, int], pivot: int, users: list[set[int]], number: int) -> None:
    """Take out of an equation, in place, the unknown `pivot` by means of another equation."""
    mine, theirs = row[pivot], by[pivot]
    divisor = gcd(mine, theirs)
    mine, theirs = mine // divisor, theirs // divisor
    for column in row:
        row[column] *= theirs
    for column, x in by.items():
        entry = row.get(column, 0) - mine * x
        if entry:
            if column not in row and column != RIGHT:
                users[column].add(number)
            row[column] = entry
        else:
            row.pop(column, None)
            if column != RIGHT:
                users[column].discard(number)
    divisor = gcd(*row.values())
    if divisor > 1:
        for column in row:
            row[column] //= divisor


def _substituted(order: list[tuple[int, dict[int, int]]], count: int) -> list[Fraction]:
    solution = [Fraction(0)] * count
    for pivot, row in reversed(order):
        known = sum((x * solution[c] for c, x in row.items() if c not in (RIGHT, pivot)), Fraction(0))
        solution[pivot] = (row.get(RIGHT, 0) - known) / row[pivot]
    return solution
