"""Equilibria of games of any number of players: pure, mixed over every support, or one at the end of a path.

With three players or more, odds in equilibrium may be irrational: answers are floats with their regret, or, if asked
for, fractions whose regret is computed exactly.
"""

import itertools
import time
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.equilibrium.nash.exclusion import is_excluded
from zermelo.equilibrium.nash.homotopy import System, follow
from zermelo.equilibrium.policies.equilibrium import Equilibria, Equilibrium, behaviour_of
from zermelo.errors import UnsuitableGame
from zermelo.matrix import Matrix

MOST_SUPPORTS = 5_000
MOST_PATHS = 2_000
"""The most paths that are followed for one support."""
PATH_CELLS = 20_000
"""Larger tables are left to regret matching: the logit path needs a table of cells by actions."""
PARTS = 60
"""Bounds over this many parts are tried before a support's equations are solved."""
POSITIVE = 1e-9
DOUBT = 1e-3
"""How far from an equilibrium the end of a doubtful path must be to be ignored."""
FAIR = 1e-9
"""A share of the range of payoffs that rounding may cost."""
SAME = 1e-6
ROUNDS = 5_000
DENOMINATORS = (1_000, 1_000_000, 10**12)
NUMERICAL = "all paths were followed to their ends in floating point: complete as far as rounding can tell, not proven"
Profile = list[Any]


def equilibria(matrix: Game | Any, *, all: bool = False, exact: bool = False, seed: int = 0) -> Equilibria:
    """Equilibria of a payoff table, or of a game by its normal form, for any number of players.

    Without `all`, one: a pure one where there is one, else the end of the path of logit equilibria; in large tables an
    approximation by regret matching; where even the normal form is too large, one found in the tree. The
    regret says how good each is. With `all`, every isolated one: pure ones by enumeration, the others by the homotopy
    of each support's equations. With `exact`, profiles are fractions and their regret is exact.

    >>> pennies = Matrix([[1, -1], [-1, 1]])
    >>> equilibria(pennies, exact=True)[0].profile[0]
    (Fraction(1, 2), Fraction(1, 2))
    """
    game = matrix if isinstance(matrix, Game) else Matrix(matrix)
    require_game(game, "equilibria")
    try:
        table = normal_form(game, reduced=True)
    except UnsuitableGame:
        if all:
            raise
        from zermelo.equilibrium.nash.without_table import in_the_tree

        return Equilibria([in_the_tree(game, exact=exact)], complete=False)
    search = _Search(table, game, exact, seed)
    if all:
        return search.every()
    pure = next(search.pure(), None)
    if pure is not None:
        return Equilibria([search.answer(search.certain(pure), "pure")], complete=False)
    return Equilibria([search.one()], complete=False)


class _Search:
    """A table, and what is looked for in it."""

    def __init__(self, table: Matrix, game: Game, exact: bool, seed: int) -> None:
        import numpy as np

        self.table, self.game, self.exact, self.started = table, game, exact, time.perf_counter()
        self.source = np.random.default_rng(seed)
        self.payoffs = table.payoffs.astype(float)
        self.spread = float(np.ptp(self.payoffs)) or 1.0
        self.fractions: Any = table.exact_payoffs if exact else None

    # --- pure ----------------------------------------------------------------------------------------------------

    def pure(self) -> Iterator[tuple[int, ...]]:
        """The cells in which no player gains by another action."""
        import numpy as np

        payoffs = self.fractions if self.exact else self.table.payoffs
        best = np.ones(self.table.shape, dtype=bool)
        for player in range(self.table.players):
            own = payoffs[..., player]
            best &= (own == own.max(axis=player, keepdims=True)).astype(bool)
        yield from (tuple(map(int, cell)) for cell in np.argwhere(best))

    def certain(self, cell: tuple[int, ...]) -> Profile:
        """A pure profile as odds."""
        one, none = (Fraction(1), Fraction(0)) if self.exact else (1.0, 0.0)
        return [[one if i == chosen else none for i in range(size)] for chosen, size in zip(cell, self.table.shape)]

    # --- one -----------------------------------------------------------------------------------------------------

    def one(self) -> Equilibrium:
        """An equilibrium, or what comes near to one."""
        from zermelo.equilibrium.concepts.quantal import quantal_response

        if prod(self.table.shape) > PATH_CELLS:
            return self._approximate()
        path = quantal_response(self.table)
        profile: Profile = [list(odds) for odds in path.points[-1].profile]
        polished = self._polished(profile)
        if polished is not None and self.regret(polished) <= self.regret(profile):
            profile = polished
        return self.answer(profile, "logit path", note=path.note)

    def _polished(self, profile: Profile) -> Profile | None:
        """The profile refined by the equations of its support; None where odds come out negative or not finite."""
        import numpy as np

        support = [[i for i, p in enumerate(odds) if p > 1e-3] for odds in profile]
        system = self._system(support)
        sums = np.zeros((system.players, system.count))
        for j in range(system.players):
            sums[j, system.starts[j] : system.starts[j + 1]] = 1.0
        x = np.concatenate([np.array(odds)[own] for odds, own in zip(profile, support, strict=True)])[None]
        for _ in range(20):
            off, slopes = system.target(x)
            jacobian = np.vstack([slopes[0], sums])
            change = np.linalg.lstsq(jacobian, np.concatenate([off[0], sums @ x[0] - 1.0]), rcond=None)[0]
            x = x - change
            if np.abs(change).max() < 1e-15:
                break
        if not np.isfinite(x).all() or x.min() < 0:
            return None
        return self._spread_out(x[0], support)

    def _approximate(self) -> Equilibrium:
        """The average play of regret matching, which is no equilibrium in general: the regret says how near it is."""
        import numpy as np

        shape, players = self.table.shape, self.table.players
        regrets = [np.zeros(size) for size in shape]
        last = [np.zeros(size) for size in shape]
        sums = [np.zeros(size) for size in shape]
        best, least = None, float("inf")
        current = [np.full(size, 1 / size) for size in shape]
        for t in range(1, ROUNDS + 1):
            for player in range(players):
                kept = np.maximum(regrets[player] + last[player], 0.0)
                total = kept.sum()
                current[player] = kept / total if total > 0 else np.full(shape[player], 1 / shape[player])
                pays = self._pays(current, player)
                last[player] = pays - current[player] @ pays
                regrets[player] = np.maximum(regrets[player] + last[player], 0.0)
                sums[player] += t * t * current[player]
            if t & (t - 1) == 0 or t % 250 == 0:
                for tried in ([s / s.sum() for s in sums], [c.copy() for c in current]):
                    regret = self.regret(tried)
                    if regret < least:
                        best, least = [odds.tolist() for odds in tried], regret
                if least <= FAIR * self.spread:
                    break
        assert best is not None
        note = "regret matching promises no equilibrium beyond two-player zero-sum games: see the regret"
        return self.answer(best, "regret matching+", iterations=t, note=note)

    # --- all -----------------------------------------------------------------------------------------------------

    def every(self) -> Equilibria:
        """Every isolated equilibrium."""
        shape = self.table.shape
        if prod(2**size - 1 for size in shape) > MOST_SUPPORTS:
            raise UnsuitableGame(
                f"{self.game.name} has {prod(2**size - 1 for size in shape):,} supports, more than {MOST_SUPPORTS:,}: "
                "ask for one equilibrium (all=False), or for those of a smaller table"
            )
        found = [self.answer(self.certain(cell), "pure") for cell in self.pure()]
        complete = not any(self._has_ties(e) for e in found)
        for support in self._supports():
            ends = follow(self._system(support), MOST_PATHS)
            if ends is None:
                complete = False
                continue
            for point, sure in zip(ends.points, ends.sure, strict=True):
                profile = self._fair(point, support, POSITIVE if sure else DOUBT)
                if profile is None:
                    continue
                if self.regret(profile) > 10 * FAIR * self.spread:
                    complete = complete and sure
                elif not any(_close(profile, e.profile) for e in found):
                    found.append(self.answer(profile, "support homotopy"))
                    complete = complete and sure and not self._has_ties(found[-1])
        # The number of equilibria is odd, except in degenerate games (Wilson, 1971).
        complete = complete and len(found) % 2 == 1
        note = NUMERICAL if complete else "degenerate: there may be more, and whole sets of equilibria"
        return Equilibria(found, complete=complete, note=note)

    def _supports(self) -> Iterator[list[list[int]]]:
        """The supports, small ones first, over which isolated mixed equilibria are possible."""
        subsets = [
            [list(c) for k in range(1, size + 1) for c in itertools.combinations(range(size), k)]
            for size in self.table.shape
        ]
        every = sorted(itertools.product(*subsets), key=lambda support: sum(map(len, support)))
        for support in every:
            free = [len(own) - 1 for own in support]
            possible = sum(free) > 0 and all(2 * f <= sum(free) for f in free)
            if possible and not is_excluded(self.payoffs, support, PARTS):
                yield list(support)

    def _system(self, support: list[list[int]]) -> System:
        import numpy as np

        return System([self.payoffs[..., p][np.ix_(*support)] for p in range(self.table.players)], self.source)

    def _fair(self, point: Any, support: list[list[int]], doubt: float) -> Profile | None:
        """The profile of a solution whose odds are real and positive within the tolerance `doubt`; else None."""
        import numpy as np

        odds = []
        start = 0
        for own in support:
            part = point[start : start + len(own)]
            start += len(own)
            if not abs(part.sum()) > POSITIVE * np.abs(part).max():
                return None
            part = part / part.sum()
            least = POSITIVE if doubt == POSITIVE else -doubt
            if np.abs(part.imag).max() > max(doubt, 1e-7) or part.real.min() <= least:
                return None
            odds.append(np.maximum(part.real, 0.0))
        return self._spread_out(np.concatenate(odds), support)

    def _spread_out(self, odds: Any, support: list[list[int]]) -> Profile:
        """Odds over the support as odds over all actions."""
        profile: Profile = []
        place = 0
        for own, size in zip(support, self.table.shape, strict=True):
            full = [0.0] * size
            part = odds[place : place + len(own)]
            for i, p in zip(own, part / part.sum(), strict=True):
                full[i] = float(p)
            place += len(own)
            profile.append(full)
        return profile

    # --- answers -------------------------------------------------------------------------------------------------

    def _pays(self, profile: Profile, player: int, payoffs: Any = None) -> Any:
        """What each action of a player pays when the others follow the profile."""
        import numpy as np

        table = (self.payoffs if payoffs is None else payoffs)[..., player]
        for other in range(self.table.players - 1, -1, -1):
            if other != player:
                kind = float if table.dtype != object else object
                table = np.tensordot(table, np.array(profile[other], dtype=kind), axes=(other, 0))
        return table

    def regret(self, profile: Profile) -> float:
        """The most that a player could gain by another action."""
        return max(self._gains(profile, None)[1])

    def _gains(self, profile: Profile, payoffs: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        values, gains = [], []
        for player, odds in enumerate(profile):
            pays = self._pays(profile, player, payoffs).tolist()
            value = sum(p * x for p, x in zip(odds, pays, strict=True))
            values.append(value)
            gains.append(max(*pays, value) - value)
        return tuple(values), tuple(gains)

    def answer(self, profile: Profile, method: str, iterations: int | None = None, note: str = "") -> Equilibrium:
        """The profile as an answer: in fractions where asked for, with its values and regret."""
        if self.exact:
            profile = self._rational(profile)
        values, gains = self._gains(profile, self.fractions)
        return Equilibrium(
            profile=tuple(map(tuple, profile)), values=values, regret=max(gains), method=method, game=self.game,
            policy=behaviour_of(self.table, self.game, profile), gains=gains, iterations=iterations,
            time=time.perf_counter() - self.started, note=note,
        )  # fmt: skip

    def _rational(self, profile: Profile) -> Profile:
        """Fractions near to the odds: simple ones if they are an equilibrium, else close ones."""
        for most in DENOMINATORS:
            tried = [_fractions(odds, most) for odds in profile]
            if max(self._gains(tried, self.fractions)[1]) == 0:
                break
        return tried

    def _has_ties(self, found: Equilibrium) -> bool:
        """Whether an action that is not played pays as much as those that are: then the game is degenerate."""
        profile = [[float(p) for p in odds] for odds in found.profile]
        for player, odds in enumerate(profile):
            pays = self._pays(profile, player)
            if any(p == 0 and x >= pays.max() - FAIR * self.spread for p, x in zip(odds, pays, strict=True)):
                return True
        return False


def _fractions(odds: Any, most: int) -> list[Fraction]:
    """Fractions of denominators up to `most` next to the odds, which sum to exactly 1."""
    near = [Fraction(p).limit_denominator(most) for p in odds]
    return [p / sum(near) for p in near]


def _close(a: Any, b: Any) -> bool:
    return all(abs(p - q) < SAME for mine, other in zip(a, b, strict=True) for p, q in zip(mine, other, strict=True))
