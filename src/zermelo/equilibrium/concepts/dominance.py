"""Dominance: actions that another one, or a mixture of others, beats whatever everybody else does.

>>> from zermelo import Matrix
>>> dilemma = Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], labels=("silent", "confess"))
>>> found = eliminate(dilemma)
>>> for step in found.steps:
...     print(step.text(dilemma))
round 1: row never plays silent: confess is always better
round 1: column never plays silent: confess is always better
>>> found.surviving
((1,), (1,))

Dominated actions are found by linear programs, and struck out only where fractions prove it; payoffs that are floats
count as the fractions that they stand for. Where an action is not dominated, the same program yields a belief about
the others to which it is a best response (Pearce, 1984).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.arguments import whole
from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import require_game
from zermelo.equilibrium.arithmetic.exact_program import Program
from zermelo.equilibrium.arithmetic.rational import exact_number
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, game_data

CORRELATED = "with three players and more, beliefs may correlate what the others do"


@dataclass(frozen=True)
class Dominated:
    """One action that was ruled out, and what rules it out."""

    round: int
    """From 1 on: in which round of elimination."""
    player: int
    action: int
    by: tuple[Any, ...]
    """The strategy that beats it, as a probability for each action of the whole table."""
    strict: bool
    """Whether that strategy is better against everything; if not, it is never worse, and better against something."""

    @property
    def dominator(self) -> int | None:
        """The action that beats it; None where it takes a mixture."""
        return self.by.index(1) if 1 in self.by else None

    def text(self, table: Matrix) -> str:
        """The step in words."""
        labels = table.labels[self.player]
        parts = [(p, label) for p, label in zip(self.by, labels, strict=True) if p]
        better = " + ".join(label if p == 1 else f"{p} {label}" for p, label in parts)
        how = "always better" if self.strict else "never worse and sometimes better"
        return f"round {self.round}: {table.names[self.player]} never plays {labels[self.action]}: {better} is {how}"

    def to_json(self) -> dict[str, Any]:
        """The step as plain data."""
        return {"round": self.round, "player": self.player, "action": self.action, "by": as_plain(self.by)}


@dataclass(frozen=True, eq=False)
class Elimination:
    """What is left of a table when dominated actions are struck out again and again."""

    surviving: tuple[tuple[int, ...], ...]
    """The places of each player's actions that are left."""
    steps: tuple[Dominated, ...]
    reduced: Matrix = field(repr=False)
    """The table of what is left."""
    table: Matrix = field(repr=False)
    strict: bool
    mixed: bool
    note: str = ""

    @property
    def solves(self) -> bool:
        """Whether one action a player is left."""
        return all(len(own) == 1 for own in self.surviving)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        left = zip(self.table.labels, self.surviving, strict=True)
        return game_data(self.table) | {
            "strict": self.strict,
            "mixed": self.mixed,
            "surviving": [[labels[i] for i in own] for labels, own in left],
            "steps": [step.to_json() | {"text": step.text(self.table)} for step in self.steps],
            "note": self.note,
        }

    def __str__(self) -> str:
        from zermelo.draw.words.concepts import elimination_sheet

        return elimination_sheet(self).text()

    def _repr_html_(self) -> str:
        from zermelo.draw.words.concepts import elimination_sheet

        return elimination_sheet(self).html()


@dataclass(frozen=True, eq=False)
class Rationalizable:
    """The actions that players can have a reason for, when all know that all are rational."""

    actions: tuple[tuple[int, ...], ...]
    beliefs: dict[tuple[int, int], dict[tuple[int, ...], Any]]
    """For each (player, action) a belief that makes it a best response: odds of what the others do, in their order."""
    elimination: Elimination = field(repr=False)
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        reasons = [
            {"player": player, "action": action, "belief": as_plain(list(belief.items()))}
            for (player, action), belief in self.beliefs.items()
        ]
        return self.elimination.to_json() | {"beliefs": reasons, "note": self.note}

    def __str__(self) -> str:
        from zermelo.draw.words.concepts import reasons_sheet

        return reasons_sheet(self).text()

    def _repr_html_(self) -> str:
        from zermelo.draw.words.concepts import reasons_sheet

        return reasons_sheet(self).html()


def eliminate(game: AnyGame, *, strict: bool = True, mixed: bool = True, rounds: int | None = None) -> Elimination:
    """What is left when dominated actions are struck out, round by round, and by what each one was beaten.

    `strict=False` strikes out weakly dominated actions too; `mixed=False` looks for dominating actions only, not for
    mixtures of them; `rounds` stops early. A game in extensive form is put into its normal form.

    >>> from zermelo import Matrix
    >>> table = Matrix([[3, 0], [0, 3], [1, 1]], [[0, 0], [0, 0], [0, 0]])
    >>> eliminate(table).steps[0].by
    (Fraction(1, 2), Fraction(1, 2), Fraction(0, 1))
    >>> eliminate(table, mixed=False).surviving
    ((0, 1, 2), (0, 1))
    """
    game = as_table(game)
    require_game(game, "eliminate")
    table = normal_form(game)
    _check_rounds(rounds)
    left = [list(range(size)) for size in table.shape]
    steps: list[Dominated] = []
    number = 1
    while rounds is None or number <= rounds:
        before = [list(own) for own in left]
        for player in range(table.players):
            lines = _lines(table, player, before)
            for action in before[player]:
                others = {a: lines[a] for a in left[player] if a != action}
                by = _beaten(lines[action], others, strict, mixed)
                if by is not None:
                    left[player].remove(action)
                    whole = tuple(by.get(a, Fraction(0)) for a in range(table.shape[player]))
                    steps.append(Dominated(number, player, action, whole, strict))
        if left == before:
            break
        number += 1
    surviving = tuple(map(tuple, left))
    note = (
        "" if strict else "what weak dominance leaves can depend on the order; here all that is dominated goes at once"
    )
    return Elimination(surviving, tuple(steps), _part(table, surviving), table, strict, mixed, note)


def dominated(game: AnyGame, *, strict: bool = True, mixed: bool = True) -> tuple[Dominated, ...]:
    """Every dominated action of a table, with what beats it: the first round of `eliminate`.

    >>> from zermelo import Matrix
    >>> [(step.player, step.action, step.dominator) for step in dominated(Matrix([[1, 2], [3, 4]]))]
    [(0, 0, 1), (1, 1, 0)]
    """
    game = as_table(game)
    return eliminate(game, strict=strict, mixed=mixed, rounds=1).steps


def rationalizable(game: AnyGame) -> Rationalizable:
    """The actions that survive iterated strict dominance, each with a belief that makes it a best response.

    With two players these are the rationalizable actions. With more, they are so when a player may believe that the
    others' choices are correlated; independent beliefs can rule out more.

    >>> from zermelo import Matrix
    >>> sexes = Matrix([[(2, 1), (0, 0)], [(0, 0), (1, 2)]], labels=("opera", "football"))
    >>> rationalizable(sexes).beliefs[0, 1]
    {(1,): Fraction(1, 1)}
    """
    game = as_table(game)
    gone = eliminate(game)
    beliefs: dict[tuple[int, int], dict[tuple[int, ...], Any]] = {}
    for player, own in enumerate(gone.surviving):
        lines = _lines(gone.table, player, [list(rest) for rest in gone.surviving])
        for action in own:
            beliefs[player, action] = _belief(gone.surviving, player, action, lines)
    return Rationalizable(gone.surviving, beliefs, gone, CORRELATED if gone.table.players > 2 else "")


def _check_rounds(rounds: int | None) -> None:
    if rounds is not None:
        whole("eliminate: rounds", rounds, least=1)


def _lines(table: Matrix, player: int, left: Sequence[Sequence[int]]) -> dict[int, list[Any]]:
    """What each remaining action of a player earns against everything that the others have left."""
    import numpy as np

    part = table.exact_payoffs[..., player][np.ix_(*left)]
    rows = np.moveaxis(part, player, 0).reshape(len(left[player]), -1).tolist()
    return dict(zip(left[player], rows, strict=True))


def _beaten(line: list[Any], others: dict[int, list[Any]], strict: bool, mixed: bool) -> dict[int, Fraction] | None:
    """The strategy that dominates an action, by the odds of other actions; None where none does."""
    for a, other in others.items():
        pairs = list(zip(other, line, strict=True))
        if all(x > y for x, y in pairs) if strict else all(x >= y for x, y in pairs) and other != line:
            return {a: Fraction(1)}
    # A best response to some choices of the others is not strictly dominated; as the only one, not weakly either.
    rivals = [max((other[i] for other in others.values()), default=x - 1) for i, x in enumerate(line)]
    if len(others) < 2 or not mixed or any(x >= y if strict else x > y for x, y in zip(line, rivals, strict=True)):
        return None
    odds = _strictly(line, others)[0] if strict else _weakly(line, others)
    return odds if odds is not None and _dominates(odds, line, others, strict) else None


def _strictly(line: list[Any], others: dict[int, list[Any]]) -> tuple[dict[int, Fraction] | None, list[Fraction]]:
    """A mixture that is better everywhere, or else a belief to which the action is a best response."""
    actions = list(others)
    gain = len(actions)
    program = Program(gain + 1, free=[gain])
    # Payoffs in units of the largest difference: rounding in floating point then means the same in every game.
    unit = _unit(line, others)
    for i, x in enumerate(line):
        program.at_most({gain: 1} | {n: (x - others[a][i]) / unit for n, a in enumerate(actions)})
    program.equals(dict.fromkeys(range(gain), 1), 1)
    found = program.maximise({gain: 1})
    if found.value <= 0:
        return None, found.prices
    return _normalised(dict(zip(actions, found.variables, strict=False))), []


def _unit(line: list[Any], others: dict[int, list[Any]]) -> Fraction:
    """The largest difference between an action's payoffs and those of others."""
    return Fraction(max(abs(x - y) for other in others.values() for x, y in zip(other, line, strict=True)) or 1)


def _weakly(line: list[Any], others: dict[int, list[Any]]) -> dict[int, Fraction] | None:
    """A mixture that is nowhere worse and better somewhere, or None."""
    actions = list(others)
    unit = _unit(line, others)
    # The last variable is the action itself: a mixture of it with others beats it exactly if the others do.
    program = Program(len(actions) + 1)
    for i, x in enumerate(line):
        program.at_most({n: (x - others[a][i]) / unit for n, a in enumerate(actions)})
    program.equals(dict.fromkeys(range(len(actions) + 1), 1), 1)
    aim = {n: sum(y - x for x, y in zip(line, others[a], strict=True)) / unit for n, a in enumerate(actions)}
    found = program.maximise(aim)
    return None if found.value <= 0 else _normalised(dict(zip(actions, found.variables, strict=False)))


def _normalised(weights: dict[int, Any]) -> dict[int, Fraction] | None:
    """Weights as odds in fractions; what rounding made negative is left out."""
    kept = {a: exact_number(x) for a, x in weights.items() if x > 0}
    whole = sum(kept.values())
    return {a: x / whole for a, x in kept.items()} if whole else None


def _dominates(odds: dict[int, Fraction], line: list[Any], others: dict[int, list[Any]], strict: bool) -> bool:
    """Whether a mixture beats an action, exactly: the program may have been too large to be solved in fractions."""
    gains = [sum(p * others[a][i] for a, p in odds.items()) - x for i, x in enumerate(line)]
    return min(gains) > 0 if strict else min(gains) >= 0 and max(gains) > 0


def _belief(
    left: Sequence[Sequence[int]], player: int, action: int, lines: dict[int, list[Any]]
) -> dict[tuple[int, ...], Any]:
    """Odds of what the others do that make an action a best response."""
    import itertools

    profiles = list(itertools.product(*(own for p, own in enumerate(left) if p != player)))
    line, others = lines[action], {a: other for a, other in lines.items() if a != action}
    for i, x in enumerate(line):
        if all(x >= other[i] for other in others.values()):
            return {profiles[i]: Fraction(1)}
    _, prices = _strictly(line, others)
    return {profile: p for profile, p in zip(profiles, prices, strict=True) if p}


def _part(table: Matrix, left: Sequence[Sequence[int]]) -> Matrix:
    """The table of some of the actions."""
    import numpy as np

    cells = table.payoffs[np.ix_(*left)]
    labels = [[own[i] for i in places] for own, places in zip(table.labels, left, strict=True)]
    alone = table.players == 1
    return Matrix((cells[..., 0] if alone else cells).tolist(), labels=labels, names=table.names)
