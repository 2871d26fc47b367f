"""Correlated equilibria: a device draws an outcome and tells each player its part; nobody gains by not obeying.

>>> from zermelo import Matrix
>>> chicken = Matrix([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], labels=("swerve", "dare"))
>>> found = correlated(chicken)
>>> found.welfare, found.outcomes
(Fraction(21, 2), {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)})

In a correlated equilibrium (Aumann, 1974) a player hears its own action before it decides whether to obey. In a coarse
one it decides before it hears anything. In an extensive-form one (von Stengel and Forges, 2008) the device is at work
throughout the game: a player hears what to do when it gets to an information set, and nothing more once it disobeyed.
"""

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import Game, require_game
from zermelo.equilibrium.arithmetic.exact_program import Program
from zermelo.equilibrium.arithmetic.rational import exact_number
from zermelo.equilibrium.forms.normal import NormalForm, normal_form, shown_count
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import number
from zermelo.plain_data import as_plain, game_data

KINDS = ("correlated", "coarse", "extensive")
MOST_ENTRIES = 4_000_000
"""The most numbers of a linear program that is tried."""
IMPOSSIBLE = 1e-12


@dataclass(frozen=True, eq=False)
class Correlated:
    """A lottery over outcomes which everybody is content to follow."""

    outcomes: dict[tuple[int, ...], Any]
    """The odds of each outcome: in a table the actions of all players, in a tree the actions on the way to an end."""
    values: tuple[Any, ...]
    slack: Any
    """The least by which obeying earns more than the best disobedience: at least 0, but for rounding where inexact."""
    kind: str
    objective: Any
    game: Game = field(repr=False)
    exact: bool = True
    time: float = 0.0

    @property
    def welfare(self) -> Any:
        """The sum of the payoffs that all players expect."""
        return sum(self.values)

    @property
    def names(self) -> dict[tuple[str, ...], Any]:
        """The odds of each outcome, actions by name."""
        named: dict[tuple[str, ...], Any] = {}
        for actions, p in self.outcomes.items():
            s, words = self.game.initial(), []
            for action in actions:
                words.append(self.game.format_action(s, action))
                s = self.game.result(s, action)
            named[tuple(words)] = p
        return named

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; fractions are written as "1/3"."""
        document = {
            "kind": self.kind,
            "objective": self.objective,
            "outcomes": [{"actions": names, "odds": p} for names, p in self.names.items()],
            "values": self.values,
            "slack": self.slack,
            "exact": self.exact,
            "seconds": self.time,
        }
        return game_data(self.game) | as_plain(document)

    def __str__(self) -> str:
        from zermelo.draw.words.concepts import device_sheet

        return device_sheet(self).text()

    def _repr_html_(self) -> str:
        from zermelo.draw.words.concepts import device_sheet

        return device_sheet(self, for_print=True).html()


def correlated(
    game: AnyGame, *, kind: str = "correlated", objective: str | Sequence[Any] = "welfare", exact: bool | None = None
) -> Correlated:
    """The correlated equilibrium that is best by the objective, found by linear programming.

    `kind` is "correlated", "coarse" or, for games in extensive form, "extensive"; the first two put such games into
    their reduced normal form. The objective is "welfare" (the sum of what all expect), "min" (what the worst off
    expects), "player 0", "player 1" and so on, or one weight a player. Numbers are fractions where the game has no
    floats, or as `exact` says.

    >>> from zermelo import game
    >>> correlated(game("share"), objective="min").values
    (1.0, 1.0)
    """
    game = as_table(game)
    require_game(game, "correlated")
    if kind not in KINDS:
        raise BadParameter(f"correlated: kind must be one of {', '.join(KINDS)}, not {kind!r}")
    started = time.perf_counter()
    if kind == "extensive":
        from zermelo.equilibrium.concepts.extensive_correlated import extensive_device

        return extensive_device(game).best(objective, exact, started)
    return _table_device(game, kind).best(objective, exact, started)


class Device:
    """A linear program over lotteries: its variables say what the device does."""

    def __init__(self, game: Game, kind: str, variables: int, exact: bool) -> None:
        self.game = game
        self.kind = kind
        self.exact = exact
        """Whether the game has no floats."""
        self.program = Program(variables)
        self.values: list[dict[int, Any]] = [{} for _ in range(game.players)]
        """What each player expects, as a sum over variables."""
        self.outcomes: dict[tuple[int, ...], dict[int, Any]] = {}
        """The odds of each outcome, as a sum over variables."""
        self.temptations: list[Temptation] = []

    def tempt(self, temptation: "Temptation") -> None:
        """Require that this disobedience does not pay."""
        self.temptations.append(temptation)
        temptation.forbid(self.program)

    def best(self, objective: str | Sequence[Any], exact: bool | None, started: float) -> Correlated:
        """The best lottery."""
        program = self.program
        aim: dict[int, Any] = {}
        if isinstance(objective, str) and objective == "min":
            lowest = program.add_free()
            for row in self.values:
                program.at_most({lowest: 1} | {i: -x for i, x in row.items()})
            aim[lowest] = 1
        else:
            for weight, row in zip(_weights(objective, len(self.values)), self.values, strict=True):
                for i, x in row.items():
                    aim[i] = aim.get(i, 0) + weight * x
        found = program.maximise(aim)
        proven = found.exact and (self.exact if exact is None else exact)
        values = [_sum(row, found.variables) for row in self.values]
        slack = min((t.slack(found.variables) for t in self.temptations), default=Fraction(0))
        outcomes = {way: _sum(row, found.variables) for way, row in self.outcomes.items()}
        shown = float if not proven else Fraction
        return Correlated(
            outcomes={way: shown(p) for way, p in outcomes.items() if p > (0 if found.exact else IMPOSSIBLE)},
            values=tuple(shown(v) for v in values),
            slack=shown(slack),
            kind=self.kind,
            objective=objective if isinstance(objective, str) else tuple(objective),
            game=self.game,
            exact=proven,
            time=time.perf_counter() - started,
        )


@dataclass(frozen=True)
class Temptation:
    """One way to disobey: what obeying earns, and a tree of decisions by which disobedience earns its maximum."""

    obey: dict[int, Any]
    """What obeying earns, as a sum over variables."""
    decisions: list[list[tuple[dict[int, Any], list[int]]]]
    """For each later decision, the first one first, its choices: what each earns, and the decisions that follow it."""

    def forbid(self, program: Program) -> None:
        """Require that disobedience earns no more than obeying."""
        if len(self.decisions) == 1:
            for earned, _ in self.decisions[0]:
                program.at_most(_difference(earned, self.obey))
            return
        worth = [program.add_free() for _ in self.decisions]
        for here, choices in zip(worth, self.decisions, strict=True):
            for earned, behind in choices:
                program.at_most(earned | {here: -1} | {worth[i]: 1 for i in behind})
        program.at_most(_difference({worth[0]: 1}, self.obey))

    def slack(self, variables: list[Any]) -> Any:
        """How much more obeying earns than the best disobedience."""
        best: dict[int, Any] = {}
        for i in range(len(self.decisions) - 1, -1, -1):
            choices = self.decisions[i]
            best[i] = max(_sum(earned, variables) + sum(best[later] for later in behind) for earned, behind in choices)
        return _sum(self.obey, variables) - best[0]


def _table_device(game: Game, kind: str) -> Device:
    """Lotteries over the cells of a table."""
    table = normal_form(game, reduced=True)
    cells = prod(table.shape)
    check_size(game, cells * sum(size if kind == "correlated" else size + 1 for size in table.shape))
    payoffs = table.exact_cells
    given = table.form if isinstance(table, NormalForm) else table
    device = Device(table, kind, cells, given.exact)
    device.program.equals(dict.fromkeys(range(cells), 1), 1)
    device.values = [{i: row[p] for i, row in enumerate(payoffs) if row[p]} for p in range(table.players)]
    device.outcomes = {cell: {i: 1} for i, cell in enumerate(itertools.product(*map(range, table.shape)))}
    for player, size in enumerate(table.shape):
        step = prod(table.shape[player + 1 :])
        own = [i // step % size for i in range(cells)]
        for other in range(size):
            # What the player gains in each cell if it changes to the action `other`.
            gain = {i: payoffs[i + (other - own[i]) * step][player] - payoffs[i][player] for i in range(cells)}
            gain = {i: x for i, x in gain.items() if x}
            if kind == "coarse":
                device.tempt(Temptation({}, [[(gain, [])]]))
                continue
            for told in range(size):
                if told != other:
                    device.tempt(Temptation({}, [[({i: x for i, x in gain.items() if own[i] == told}, [])]]))
    return device


def check_size(game: Game, entries: int) -> None:
    """Refuse a linear program that is too large."""
    if entries > MOST_ENTRIES:
        raise UnsuitableGame(
            f"{game.name}: the linear program would have {shown_count(entries)} numbers, more than {MOST_ENTRIES:,}; "
            f"regret_matching and cfr come near coarse correlated equilibria without one"
        )


def _sum(row: dict[int, Any], variables: list[Any]) -> Any:
    return sum(x * variables[i] for i, x in row.items())


def _difference(row: dict[int, Any], other: dict[int, Any]) -> dict[int, Any]:
    return {i: x for i in row.keys() | other.keys() if (x := row.get(i, 0) - other.get(i, 0))}


def _weights(objective: str | Sequence[Any], players: int) -> list[Any]:
    if isinstance(objective, str) and objective == "welfare":
        return [1] * players
    names = [f"player {p}" for p in range(players)]
    if isinstance(objective, str):
        if objective not in names:
            wanted = ", ".join(["welfare", "min", *names])
            raise BadParameter(f"correlated: the objective must be {wanted}, or {players} weights, not {objective!r}")
        return [int(name == objective) for name in names]
    given = objective.tolist() if hasattr(objective, "tolist") else objective
    if not isinstance(given, list | tuple):
        raise BadParameter(f"correlated: the objective must be a word or {players} weights, not {objective!r}")
    if len(given) != players:
        raise BadParameter(f"correlated: give {players} weights, one a player, not {len(given)}")
    return [exact_number(number(w, f"correlated: the weight of player {p}")) for p, w in enumerate(given)]
