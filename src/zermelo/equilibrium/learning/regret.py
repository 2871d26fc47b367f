"""Regret matching: play what you regret not having played (Hart and Mas-Colell, 2000).

The regret for an action is how much more it would have earned than actual play, summed over all rounds. The next round
mixes the actions in proportion to their positive regrets. Nobody's average regret stays above zero; so in a zero-sum
game of two the average strategies come to an equilibrium, and in any game average play comes to the coarse correlated
equilibria.

>>> from zermelo import game
>>> hands = game("rock_paper_scissors")
>>> regrets(hands, 0, (0, 1))
(0, 1, 2)
>>> matched((-1, 1, 2))
(Fraction(0, 1), Fraction(1, 3), Fraction(2, 3))
"""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from zermelo.arguments import player_of, whole
from zermelo.by_hand import AnyGame, as_table
from zermelo.contract import require_game
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.equilibrium.learning.trajectory import Trajectory, earnings, gained, kept, trajectory
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix
from zermelo.plain_data import as_plain, game_data

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_OUTCOMES = 10_000
"""The largest table for which the odds of outcomes are kept."""


@dataclass(frozen=True, eq=False)
class RegretMatching:
    """The play of players who learned by regret matching."""

    average: tuple[tuple[float, ...], ...]
    """The average of what each played."""
    current: tuple[tuple[float, ...], ...]
    """What each would play next."""
    regrets: tuple[tuple[float, ...], ...]
    """Each player's regret for each action, summed over all rounds; 0 for players who do not learn."""
    values: tuple[float, ...]
    """What the average strategies earn against each other."""
    regret: float
    """The most that anyone who learns could gain against the average strategies of the others."""
    outcomes: dict[tuple[int, ...], float] = field(repr=False)
    """How often each outcome occurred: nearly a coarse correlated equilibrium if all learn. Empty in large tables."""
    coarse: float
    """The most that anyone who learns would have gained, a round, by one fixed action against all that happened."""
    iterations: int
    sampled: bool
    seed: int | None
    trajectory: Trajectory = field(repr=False)
    game: Matrix = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        document = {
            "average": self.average,
            "current": self.current,
            "regrets": self.regrets,
            "values": self.values,
            "regret": self.regret,
            "coarse": self.coarse,
            "iterations": self.iterations,
            "sampled": self.sampled,
            "seed": self.seed,
            "trajectory": self.trajectory.to_json(),
        }
        return game_data(self.game) | as_plain(document)

    def to_frame(self) -> "DataFrame":
        """The trajectory as a table of pandas: a row for each time, player and action."""
        return self.trajectory.to_frame(self.game)

    def __str__(self) -> str:
        from zermelo.draw.words.learned import learned_text

        return learned_text(self)

    def _repr_svg_(self) -> str:
        from zermelo.draw.plots.simplex import simplex_svg

        return simplex_svg(self)


def regrets(game: AnyGame, player: int, choices: Sequence[int]) -> tuple[Any, ...]:
    """By how much each action of a player would have earned more than what it played, given what all played.

    >>> from zermelo import Matrix
    >>> regrets(Matrix([[3, 0], [5, 1]]), 0, (0, 0))
    (0, 2)
    """
    game = as_table(game)
    require_game(game, "regrets")
    table = normal_form(game)
    legal = len(choices) == table.players and all(0 <= c < n for c, n in zip(choices, table.shape, strict=True))
    if not legal or not 0 <= player < table.players:
        raise BadParameter(f"regrets: {table.name} has {table.players} players, with {table.shape} actions")
    own = table.payoffs[tuple(slice(None) if p == player else c for p, c in enumerate(choices))][:, player].tolist()
    return tuple(x - own[choices[player]] for x in own)


def matched(regrets: Sequence[Any]) -> tuple[Any, ...]:
    """The next strategy: positive regrets, so divided that they sum to 1; uniform where none is positive.

    >>> matched((0, -2)), matched((1.0, 3.0))
    ((Fraction(1, 2), Fraction(1, 2)), (0.25, 0.75))
    """
    positive = [max(r, 0) for r in regrets]
    whole = sum(positive)
    if any(isinstance(r, float) for r in regrets):
        return tuple(r / whole for r in positive) if whole > 0 else (1 / len(positive),) * len(positive)
    return tuple(Fraction(r, whole) if whole else Fraction(1, len(positive)) for r in positive)


def highest(regrets: Sequence[Any]) -> tuple[Any, ...]:
    """The action with the highest summed regret, for certain; where several have it, in equal parts.

    >>> highest((0, -2)), highest((-1.0, 2.0, 2.0))
    ((Fraction(1, 1), Fraction(0, 1)), (0.0, 0.5, 0.5))
    """
    most = max(regrets)
    chosen = [r == most for r in regrets]
    share = Fraction(1, sum(chosen))
    odds = [share if here else Fraction(0) for here in chosen]
    return tuple(map(float, odds)) if any(isinstance(r, float) for r in regrets) else tuple(odds)


RULES = {"matched": matched, "highest": highest}
"""How the next strategy follows from the regrets."""


def regret_matching(
    game: AnyGame,
    *,
    iterations: int = 10_000,
    seed: int | None = 0,
    sampled: bool = True,
    choose: str = "matched",
    against: Sequence[Any] | Mapping[int, Sequence[Any]] | None = None,
) -> RegretMatching:
    """The play of players who learn by regret matching, round after round: current and average play on the way.

    Each round everybody draws an action and regrets the others; with `sampled=False` nothing is drawn, and regrets are
    those of whole mixed strategies. `choose="highest"` plays the action with the highest summed regret instead of
    mixing (that is fictitious play: the best response to what the others did so far). `against` fixes the strategy of
    player 1, or of several players by number: they do not learn.

    >>> from zermelo import game
    >>> much_rock = (0.5, 0.25, 0.25)
    >>> played = regret_matching(game("rock_paper_scissors"), against=much_rock)
    >>> max(played.average[0]) == played.average[0][1] > 0.95
    True
    """
    game = as_table(game)
    require_game(game, "regret_matching")
    table = normal_form(game)
    number = whole("regret_matching: iterations", iterations, least=1)
    if choose not in RULES:
        raise BadParameter(f'regret_matching: choose must be "matched" or "highest", not {choose!r}')
    learners = _Learners(table, _fixed(table, against), kept(number), RULES[choose])
    if sampled:
        learners.play(number, random.Random(seed))
    else:
        learners.expect(number)
    return learners.answer(number, sampled, seed if sampled else None)


class _Learners:
    """The players, with their regrets and what they have played so far."""

    def __init__(
        self, table: Matrix, fixed: dict[int, list[float]], keep: list[int], choose: Callable[..., tuple[Any, ...]]
    ) -> None:
        import numpy as np

        self.choose = choose
        self.table, self.fixed, self.keep = table, fixed, set(keep)
        self.payoffs = table.payoffs.astype(float)
        self.learning = [p for p in range(table.players) if p not in fixed]
        self.regrets = [[0.0] * size for size in table.shape]
        self.mixed = [list(fixed.get(p, [1 / size] * size)) for p, size in enumerate(table.shape)]
        self.total = [[0.0] * size for size in table.shape]
        self.joint = np.zeros(table.shape if prod(table.shape) <= MOST_OUTCOMES else ())
        self.noted: tuple[list[int], list[Any], list[Any]] = ([], [], [])

    def play(self, iterations: int, source: random.Random) -> None:
        """Rounds of drawn actions."""
        places = [range(size) for size in self.table.shape]
        others = [[o for o in range(self.table.players) if o != p] for p in range(self.table.players)]
        earned = [self._columns(p, others[p]) for p in range(self.table.players)]
        for iteration in range(1, iterations + 1):
            self._note(iteration)
            choices = [source.choices(own, odds)[0] for own, odds in zip(places, self.mixed, strict=True)]
            if self.joint.ndim:
                self.joint[tuple(choices)] += 1
            for player in self.learning:
                column = earned[player][tuple([choices[o] for o in others[player]])]
                got = column[choices[player]]
                self.regrets[player] = [r + x - got for r, x in zip(self.regrets[player], column, strict=True)]
                self.mixed[player] = list(self.choose(self.regrets[player]))

    def expect(self, iterations: int) -> None:
        """Rounds of mixed strategies."""
        import numpy as np

        for iteration in range(1, iterations + 1):
            self._note(iteration)
            mixed = [np.array(own) for own in self.mixed]
            if self.joint.ndim:
                cells = mixed[0]
                for own in mixed[1:]:
                    cells = np.multiply.outer(cells, own)
                self.joint += cells
            for player in self.learning:
                column = earnings(self.payoffs, mixed, player)
                gains = (column - mixed[player] @ column).tolist()
                self.regrets[player] = [r + x for r, x in zip(self.regrets[player], gains, strict=True)]
                self.mixed[player] = list(self.choose(self.regrets[player]))

    def answer(self, iterations: int, sampled: bool, seed: int | None) -> RegretMatching:
        """The result of all rounds."""
        import numpy as np

        average = [np.array(own) / iterations for own in self.total]
        values, _ = gained(self.payoffs, average)
        each = [earnings(self.payoffs, average, p).max() - values[p] for p in self.learning]
        cells = np.ndenumerate(self.joint) if self.joint.ndim else ()
        return RegretMatching(
            average=tuple(tuple(map(float, own)) for own in average),
            current=tuple(map(tuple, self.mixed)),
            regrets=tuple(map(tuple, self.regrets)),
            values=values,
            regret=float(max(0.0, *each)) if each else 0.0,
            outcomes={cell: float(n) / iterations for cell, n in cells if n},
            coarse=max([0.0, *(max(self.regrets[p]) / iterations for p in self.learning)]),
            iterations=iterations,
            sampled=sampled,
            seed=seed,
            trajectory=trajectory(*self.noted),
            game=self.table,
        )

    def _note(self, iteration: int) -> None:
        """Add what is played now to the average; keep both for the plots."""
        for player, own in enumerate(self.mixed):
            self.total[player] = [x + p for x, p in zip(self.total[player], own, strict=True)]
        if iteration in self.keep:
            times, current, average = self.noted
            times.append(iteration)
            current.append([list(own) for own in self.mixed])
            average.append([[x / iteration for x in own] for own in self.total])

    def _columns(self, player: int, others: list[int]) -> dict[tuple[int, ...], list[float]]:
        """What each action earns against each combination of the others' actions."""
        import numpy as np

        own = np.moveaxis(self.payoffs[..., player], player, -1)
        return {cell: own[cell].tolist() for cell in itertools.product(*(range(self.table.shape[o]) for o in others))}


def _fixed(table: Matrix, against: Any) -> dict[int, list[float]]:
    if against is None:
        return {}
    if not isinstance(against, Mapping):
        if table.players != 2:
            raise BadParameter("regret_matching: say who plays a fixed strategy: against={player: strategy}")
        against = {1: against}
    for player in against:
        player_of(table.players, player, "regret_matching")
    return {p: [float(x) for x in table._strategy(p, strategy)] for p, strategy in against.items()}
