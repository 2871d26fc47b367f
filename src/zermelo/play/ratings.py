"""Ratings: what results say about strength, and how far they can be trusted.

Strength is measured in Elo: a player who is D points stronger scores 1 / (1 + 10 ** (-D / 400)) of the points. Games of
a pair share their opening, and so their results do not vary independently; pairs do. Everything here therefore counts
pairs by their points, 0, 1/2, 1, 3/2 or 2 (the pentanomial count), and single games only where there are no pairs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadParameter

PER_LOGIT = 400 / math.log(10)
"""Elo points that one unit of log-odds is worth."""
NORMAL_95 = 1.959963984540054
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""
ALMOST_NEVER = 1e-3
"""A sequential test counts a result that has not come up as seen this often, so that none is taken for impossible."""


def elo_of(score: float) -> float:
    """The Elo difference that goes with this share of the points.

    >>> round(elo_of(0.75), 1)
    190.8
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return PER_LOGIT * math.log(score / (1 - score))


def expected_score(elo: float) -> float:
    """The share of the points that goes with this Elo difference.

    >>> round(expected_score(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Estimate:
    """How strong somebody is: the share of the points, the Elo difference, and its 95 % interval."""

    score: float
    elo: float
    low: float
    high: float
    los: float
    """The likelihood of superiority: how sure it is that the difference is above 0."""

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def estimated_strength(counts: Sequence[int], score: float | None = None) -> Estimate:
    """The strength behind these results, counted from the worst to the best: 3 numbers for games, 5 for pairs.

    The interval is Wilson's, for the number of coin tosses that would leave as much doubt as these results do. Their
    variance is taken with one imaginary result, spread evenly, so that equal results leave some doubt too. Where the
    share of the points is known from more games than these, it is given as `score`.

    >>> found = estimated_strength([1, 5, 20, 9, 5])
    >>> round(found.score, 3), round(found.elo), round(found.low), round(found.high)
    (0.575, 53, 1, 104)
    """
    total = sum(counts)
    if not total:
        return Estimate(0.5, 0.0, -math.inf, math.inf, 0.5)
    if score is None:
        score = sum(i * count for i, count in enumerate(counts)) / ((len(counts) - 1) * total)
    smooth = [count + 1 / len(counts) for count in counts]
    mean, variance = _moments(smooth)
    tosses = mean * (1 - mean) * total / variance
    doubt = NORMAL_95**2 / tosses
    middle = (score + doubt / 2) / (1 + doubt)
    spread = math.sqrt(score * (1 - score) * doubt + doubt * doubt / 4) / (1 + doubt)
    los = (1 + math.erf((score - 0.5) / math.sqrt(2 * variance / total))) / 2
    low = 0.0 if score == 0 else middle - spread
    high = 1.0 if score == 1 else middle + spread
    return Estimate(score, elo_of(score), elo_of(low), elo_of(high), los)


def _moments(counts: Sequence[float]) -> tuple[float, float]:
    """The mean and the variance of the share of points in one result."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(i / last * count for i, count in enumerate(counts)) / total
    return mean, sum((i / last - mean) ** 2 * count for i, count in enumerate(counts)) / total


# --- sequential tests ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """Where a sequential test stands: its log-likelihood ratio, between which bounds, and what it has accepted."""

    llr: float
    lower: float
    upper: float
    accepted: str | None
    """What holds: "H0" (elo0, not stronger), "H1" (elo1, stronger), or None while that is open."""


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of "the difference is elo1" against "it is elo0", with these odds of each error."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadParameter(f"sprt: elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadParameter(f"sprt: alpha and beta must lie between 0 and 0.5, not {self.alpha:g}, {self.beta:g}")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """The test that `elo0,elo1` or `elo0,elo1,alpha,beta` names."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise BadParameter(f"sprt: {text!r} is no test; write elo0,elo1 or elo0,elo1,alpha,beta, such as 0,10")
        return cls(*numbers)

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends where the log-likelihood ratio leaves these bounds."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The generalised log-likelihood ratio of the two hypotheses for results counted from worst to best.

        Each hypothesis says what the mean is. The likeliest distribution with that mean stands for it (Van den Bergh).

        >>> round(Sprt(0, 20).llr([3, 20, 50, 22, 5]), 4)
        0.0403
        """
        if not sum(counts):
            return 0.0
        seen = [count or ALMOST_NEVER for count in counts]
        total = sum(seen)
        odds = [count / total for count in seen]
        if0, if1 = (_likeliest(odds, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * math.log(b / a) for count, a, b in zip(seen, if0, if1, strict=True))

    def verdict(self, counts: Sequence[int]) -> Verdict:
        """Where the test stands after these results."""
        llr = self.llr(counts)
        lower, upper = self.bounds
        accepted = "H0" if llr <= lower else "H1" if llr >= upper else None
        return Verdict(llr, lower, upper, accepted)


def _likeliest(odds: Sequence[float], mean: float) -> list[float]:
    """The distribution on 0 .. 1 with this mean that gives what was seen (these odds) the greatest likelihood.

    By Lagrange it is odds / (1 + t (x - mean)) with the t that makes the mean right, found by bisection: the mean falls
    as t grows.
    """
    away = [i / (len(odds) - 1) - mean for i in range(len(odds))]
    low, high = -1 / away[-1], -1 / away[0]
    for _ in range(64):
        t = (low + high) / 2
        if sum(p * x / (1 + t * x) for p, x in zip(odds, away, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [p / (1 + t * x) for p, x in zip(odds, away, strict=True)]


# --- several players -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratings:
    """Elo ratings of several players, 0 on average, with 95 % errors."""

    elo: tuple[float, ...]
    errors: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    imagined: bool
    """Whether a draw was added to each pairing, because somebody won or lost everything."""

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """How much stronger player i is than j, and the 95 % error of that."""
        c = self.covariance
        variance = c[i][i] + c[j][j] - 2 * c[i][j]
        return self.elo[i] - self.elo[j], NORMAL_95 * math.sqrt(max(0.0, variance))


def bradley_terry(points: Sequence[Sequence[float]]) -> Ratings:
    """The likeliest ratings where player i has won `points[i][j]` points of player j, a draw half a point each.

    In the model of Bradley and Terry i beats j with the odds that their Elo difference gives. Errors come from the
    curvature of the likelihood at its maximum. Draws vary less than wins and losses: with many, errors are too large.

    >>> [round(elo) for elo in bradley_terry([[0, 7, 6], [3, 0, 5], [4, 5, 0]]).elo]
    [72, -48, -24]
    """
    import numpy as np

    won = np.array(points, dtype=float)
    if won.ndim != 2 or won.shape[0] != won.shape[1]:
        raise BadParameter("ratings need the points of every player against every other: a square table")
    played = won + won.T
    if not _reaches_all(played > 0):
        raise BadParameter("ratings need a chain of games between any two players")
    imagined = not _reaches_all(won > 0)
    if imagined:
        won = won + 0.5 * (played > 0)
        played = won + won.T
    count = len(won)
    strength = np.zeros(count)
    for _ in range(200):
        expected = played / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - expected).sum(axis=1)
        step = np.linalg.pinv(_curvature(played, expected), hermitian=True) @ slope
        strength = strength + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-12:
            break
    strength -= strength.mean()
    expected = played / (1 + np.exp(strength[None, :] - strength[:, None]))
    covariance = np.linalg.pinv(_curvature(played, expected), hermitian=True) * PER_LOGIT**2
    return Ratings(
        elo=tuple(map(float, strength * PER_LOGIT)),
        errors=tuple(map(float, NORMAL_95 * np.sqrt(np.diag(covariance)))),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        imagined=imagined,
    )


def _curvature(played: Any, expected: Any) -> Any:
    """Minus the second derivatives of the log-likelihood."""
    import numpy as np

    sure = np.where(played > 0, expected * expected.T / np.where(played > 0, played, 1), 0)
    return np.diag(sure.sum(axis=1)) - sure


def _reaches_all(arrows: Any) -> bool:
    """Whether from every player a path of arrows leads to every other."""
    import numpy as np

    reach = np.array(arrows) | np.eye(len(arrows), dtype=bool)
    for _ in range(len(arrows).bit_length()):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return bool(reach.all())
