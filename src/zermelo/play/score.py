"""What came of a match: points, ratings, and how far they can be trusted."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.arguments import whole
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.plain_data import as_plain, frame, game_data
from zermelo.play.match_file import RESULTS, GameRecord
from zermelo.play.ratings import Estimate, Sprt, Verdict, bradley_terry, estimated_strength

if TYPE_CHECKING:
    from pandas import DataFrame

    from zermelo.draw.boards.replay import Replay

NO_FAULT = ("rules", "repetition", "length", "adjudicated", "resigned")


@dataclass(frozen=True)
class PlayerScore:
    """How one player did."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    elo: float
    """The rating, 0 on average over all players."""
    error: float
    """Its 95 % error."""

    @property
    def points(self) -> float:
        """A win counts 1, a draw 1/2."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class MatchResult:
    """What came of a match. Score, Elo and all that goes with them are those of the first player against the others."""

    game: Game = field(repr=False)
    names: tuple[str, ...]
    games: tuple[GameRecord, ...] = field(repr=False)
    score: float
    """The share of the points that the first player won."""
    elo: float
    """How much stronger the first player is, and the 95 % interval of that."""
    interval: tuple[float, float]
    los: float
    """The likelihood of superiority: how sure it is that the first player is stronger."""
    counts: tuple[int, int, int]
    """Games that the first player lost, drew and won."""
    pairs: tuple[int, int, int, int, int]
    """Pairs of games in which it got 0, 1/2, 1, 3/2 and 2 points."""
    sprt: Verdict | None

    @classmethod
    def of(cls, game: Game, names: Sequence[str], games: Sequence[GameRecord], test: Sprt | None) -> "MatchResult":
        """The result of these games."""
        counts, pairs = counted(games)
        found = estimated(counts, pairs)
        return cls(
            game=game,
            names=tuple(names),
            games=tuple(games),
            score=found.score,
            elo=found.elo,
            interval=(found.low, found.high),
            los=found.los,
            counts=counts,
            pairs=pairs,
            sprt=None if test is None else test.verdict(pairs),
        )

    @cached_property
    def standings(self) -> tuple[PlayerScore, ...]:
        """All players, the best first."""
        return tuple(player_scores(self.names, self.games))

    @cached_property
    def gain(self) -> tuple[float, float] | None:
        """What the first player got in a game on average and its 95 % error, where games pay more or less than others.

        A chip won by bluffing counts as one that was won by a better card: in such games this says more than points do.
        """
        seen = [r.utilities[r.seats.index(0)] for r in self.games if r.utilities and 0 in r.seats]
        if len(seen) < 2 or {abs(got) for got in seen} <= {0.0, 1.0}:
            return None
        return statistics.fmean(seen), 1.96 * statistics.stdev(seen) / math.sqrt(len(seen))

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval."""
        return (self.interval[1] - self.interval[0]) / 2

    @property
    def faults(self) -> dict[str, dict[str, int]]:
        """How often each player lost by time, by a crash or by an illegal move."""
        found: dict[str, Counter[str]] = {}
        for record in self.games:
            if record.end not in NO_FAULT:
                loser = self.names[record.seats[0 if record.points == 0 else 1]]
                found.setdefault(loser, Counter())[record.end] += 1
        return {name: dict(count) for name, count in found.items()}

    def pgn(self) -> str:
        """All games in PGN."""
        return "\n".join(record.pgn(self.game, self.names) for record in self.games)

    def replay(self, game: int = 0) -> "Replay":
        """One of the games again, move by move: something that notebooks draw. `game` is its place in `games`."""
        from zermelo.draw.boards.replay import Replay

        record = self.games[whole("replay: game", game, 0, len(self.games) - 1)]
        rules = self.game
        states = [rules.parse_state(record.start) if record.start else rules.initial()]
        for action in record.actions:
            states.append(rules.result(states[-1], action))
        moves = tuple(rules.format_action(s, action) for s, action in zip(states, record.actions))
        first, second = (self.names[seat] for seat in record.seats)
        how = f"{RESULTS[record.points]}, {record.reason or record.end}"
        return Replay(rules, tuple(states), moves, f"games[{game}]: {first} v. {second}, {how}")

    def _repr_html_(self) -> str:
        from zermelo.draw.words.match import match_html

        return match_html(self)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, with the records of all games."""
        document = {
            "players": list(self.names),
            "games": len(self.games),
            "score": self.score,
            "elo": self.elo,
            "error": self.error,
            "interval": list(self.interval),
            "los": self.los,
            "gain": None if self.gain is None else list(self.gain),
            "losses": self.counts[0],
            "draws": self.counts[1],
            "wins": self.counts[2],
            "pairs": list(self.pairs),
            "sprt": None if self.sprt is None else vars(self.sprt),
            "ends": dict(Counter(record.end for record in self.games)),
            "faults": self.faults,
            "standings": [vars(standing) | {"points": standing.points} for standing in self.standings],
        }
        return game_data(self.game) | as_plain(document) | {"records": [record.to_json() for record in self.games]}

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each game. Points are those of the player who moved first."""
        columns = ("game", "first", "second", "points", "end", "moves", "opening", "seconds_first", "seconds_second")
        return frame(
            columns,
            (
                (
                    r.number,
                    *(self.names[seat] for seat in r.seats),
                    r.points,
                    r.end,
                    len(r.actions),
                    r.given,
                    *r.seconds,
                )
                for r in self.games
            ),
        )

    def __str__(self) -> str:
        lost, drawn, won = self.counts
        against = self.names[1] if len(self.names) == 2 else f"{len(self.names) - 1} others"
        lines = [f"{self.names[0]} v. {against}: {sum(self.counts)} games, +{won} ={drawn} -{lost}"]
        lines.append(f"  score  {self.score:.1%}")
        lines.append(f"  Elo    {elo_text(self.elo, self.interval)}; stronger: {self.los:.1%} sure")
        if self.gain is not None:
            lines.append(f"  gain   {self.gain[0]:+.3f} ± {self.gain[1]:.3f} a game")
        if sum(self.pairs):
            lines.append(f"  pairs  {' '.join(map(str, self.pairs))} (of 0, ½, 1, 1½, 2 points)")
        if self.sprt is not None:
            lines.append(f"  SPRT   {sprt_text(self.sprt)}")
        for name, counts in self.faults.items():
            lines.append(f"  {name} lost by " + ", ".join(f"{end} ({n})" for end, n in counts.items()))
        return "\n".join(lines)


def elo_text(elo: float, interval: tuple[float, float]) -> str:
    """The difference and its interval."""
    low, high = interval
    if math.isinf(low) and math.isinf(high):
        return "unknown"
    if math.isinf(elo):
        return f"at least {low:+.0f} (95 %)" if elo > 0 else f"at most {high:+.0f} (95 %)"
    return f"{elo:+.0f} ± {(high - low) / 2:.0f} (95 %: {low:+.0f} to {high:+.0f})"


def sprt_text(sprt: Verdict) -> str:
    """Where a sequential test stands."""
    what = {"H0": "H0 accepted: not stronger", "H1": "H1 accepted: stronger", None: "open"}[sprt.accepted]
    return f"LLR {sprt.llr:+.2f} in [{sprt.lower:+.2f}, {sprt.upper:+.2f}], {what}"


def counted(games: Sequence[GameRecord]) -> tuple[tuple[int, int, int], tuple[int, int, int, int, int]]:
    """How many of the first player's games, and of its pairs of games, brought it each number of points."""
    singles, pairs = [0] * 3, [0] * 5
    halves: dict[int, float] = {}
    for record in games:
        if 0 not in record.seats:
            continue
        points = record.points_of(0)
        singles[round(2 * points)] += 1
        twin = record.number // 2
        if twin in halves:
            pairs[round(2 * (halves.pop(twin) + points))] += 1
        else:
            halves[twin] = points
    return (singles[0], singles[1], singles[2]), (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4])


def estimated(counts: Sequence[int], pairs: Sequence[int]) -> Estimate:
    """The strength: the score from all games, its interval from pairs, or from games where at most half are paired."""
    if 4 * sum(pairs) <= sum(counts):
        return estimated_strength(counts)
    return estimated_strength(pairs, (counts[2] + counts[1] / 2) / sum(counts))


def player_scores(names: Sequence[str], games: Sequence[GameRecord]) -> list[PlayerScore]:
    """How all players did, the best first."""
    count = len(names)
    points = [[0.0] * count for _ in range(count)]
    ends = [[0, 0, 0] for _ in range(count)]
    for record in games:
        for seat in (0, 1):
            player, other = record.seats[seat], record.seats[1 - seat]
            got = record.points_of(player)
            points[player][other] += got
            ends[player][round(2 * got)] += 1
    try:
        ratings = bradley_terry(points)
        elo, errors = ratings.elo, ratings.errors
    except BadParameter:  # not everybody has played yet
        elo, errors = (0.0,) * count, (math.inf,) * count
    found = [
        PlayerScore(name, sum(ends[i]), ends[i][2], ends[i][1], ends[i][0], elo[i], errors[i])
        for i, name in enumerate(names)
    ]
    return sorted(found, key=lambda standing: (-standing.elo, -standing.points))
