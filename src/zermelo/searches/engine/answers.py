"""What an engine found, as people are told it: scores become utilities, and the best lines an `Analysis`."""

from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.compile import nanoseconds, now
from zermelo.contract import Game
from zermelo.result import Analysis, Move
from zermelo.running.nodes import utility_at
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.engine.estimates import Judgement, has_range, range_of
from zermelo.searches.engine.reports import Depth
from zermelo.searches.engine.scores import (
    LARGEST,
    RANGE,
    SHOWN_WIN,
    SURE,
    WIN,
    float_at,
    score_of_utility,
    side_of,
    utility_of,
)
from zermelo.searches.engine.transpositions import EXACT, LOWER, NO_PLACE, UPPER, kind_of, place_of, probe, score_of

COMPLETED = 8
"""At most so many lines are completed from the table: each takes plain Python a good part of a millisecond."""
HASTE = 0.02
"""Seconds for an answer where a search was stopped before it had any."""


class Scale:
    """What the scores of a game stand for."""

    def __init__(self, game: Game, setup: Judgement) -> None:
        self.game, self.setup = game, setup
        self.low, self.high = range_of(game)
        self.wins = has_range(game)

    def value_of(self, score: int, solid: bool = False) -> float:
        """Player 0's score on the scale of utilities; with `solid` it stands for the utility of an end."""
        if abs(score) > SURE:
            return self.high if score > 0 else self.low
        if not self.setup.own_units:
            return float_at(score)
        return utility_of(score, self.low, self.high) if solid else self.game.expected(score)

    def score_of(self, utility: Any) -> int:
        """The score of player 0 for a utility."""
        return int(score_of_utility(self.setup, 0.0 + utility, self.low, self.high, self.wins))

    def shown(self, scores: Sequence[int]) -> tuple[int, ...]:
        """Scores as people read them: wins near a million; where a game has no units of its own, others in proportion
        to the range of utilities, or where that is unknown to the largest of these values."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        as_they_are = self.setup.own_units
        values = [None if abs(score) > SURE or as_they_are else self.value_of(score) for score in scores]
        if not self.wins:
            half = max([half, *(abs(value) for value in values if value is not None)])
        shown = []
        for score, value in zip(scores, values, strict=True):
            if value is not None:
                share = (value / half - middle / half) * RANGE
                shown.append(round(min(max(share, -LARGEST), LARGEST)))
            elif abs(score) > SURE:
                shown.append((SHOWN_WIN - WIN + abs(score)) * (1 if score > 0 else -1))
            else:
                shown.append(score)
        return tuple(shown)


class Answers:
    """The answers of one search, of a position `s` of a game."""

    def __init__(self, scale: Scale, table: Any, device: str, s: Any, began: int) -> None:
        self.game, self.setup, self.scale = scale.game, scale.setup, scale
        self.table, self.device, self.s, self.began = table, device, s, began
        self.side = side_of(self.game, s)

    @property
    def spent(self) -> float:
        """Seconds since the search began."""
        return (now() - self.began) / 1e9

    def after(self, found: Depth, earlier: Depth | None, exact: bool, others: int) -> Analysis:
        """The answer after a depth; where that was not finished, completed from the `earlier` answer.

        `exact` says that different payoffs had different scores in the search; `others` counts nodes of other threads.
        """
        solid, lines, depth = exact and found.solid, self._lines(found), found.depth
        if not found.finished:
            depth, before = (0, []) if earlier is None else (earlier.depth, self._lines(earlier))
            # The lines that the search did not come to are those of the depth before.
            firsts = {line[0] for _, line in lines}
            lines = (lines + [pair for pair in before if pair[1][0] not in firsts])[: max(len(lines), len(before))]
        moves = {
            action: Move(self.scale.value_of(self.side * score), bound=_bound(kind, self.side, solid))
            for action, score, kind in found.moves
        }
        (score, line), scores = lines[0], [score for score, _ in lines]
        value, won, shown = self.scale.value_of(score, solid), abs(score) > SURE, self.scale.shown(scores)
        moves[line[0]] = Move(value, bound="exact" if solid else "estimate")
        return Analysis(
            value=value, values=both_values(value, whole_sum(self.game)), action=line[0], line=line, moves=moves,
            bound="exact" if exact and (solid or won) else "estimate", nodes=found.nodes + others, depth=depth,
            time=found.time, method="search", device=self.device, game=self.game, state=self.s, score=shown[0],
            distance=WIN - abs(score) if won else None, lines=tuple(line for _, line in lines), scores=shown,
            deepest=found.deepest,
        )  # fmt: skip

    def _lines(self, found: Depth) -> list[tuple[int, tuple[int, ...]]]:
        """The lines of a depth with their scores for player 0; the best line for the player to move comes first."""
        pairs = []
        for i, (score, line) in enumerate(found.lines):
            pairs.append((self.side * score, self._completed(line, found.depth) if i < COMPLETED else line))
        # A later line can turn out better than an earlier one, which was searched without knowing it.
        return sorted(pairs, key=lambda pair: -self.side * pair[0])

    def _completed(self, line: Sequence[int], depth: int) -> tuple[int, ...]:
        """The line, continued up to a length of `depth` by the table's moves whose scores are exact or wins."""
        game, s, found = self.game, self.s, list(line)
        seen = set()
        for action in line:
            seen.add(s)
            s = game.result(s, action)
        while len(found) < depth and s not in seen and not game.is_terminal(s):
            seen.add(s)
            data, actions = probe(self.setup, self.table, game.table_key(s)), list(game.actions(s))
            if not self._tells_best(data) or not place_of(data) < min(len(actions), NO_PLACE):
                break
            found.append(actions[place_of(data)])
            s = game.result(s, found[-1])
        return tuple(found)

    def _tells_best(self, data: int) -> bool:
        kind = kind_of(data)
        return bool(kind == EXACT or (kind == LOWER and score_of(self.setup, self.table, data, 0) > SURE))

    def hasty(self, actions: Iterable[int], estimate: Any, hurries: bool, nodes: int) -> Analysis:
        """The answer where not even depth 1 was finished: the move with the best estimate, of those looked at."""
        ended, scores = now(), dict[int, float]()
        for action in actions:
            scores[action] = self._guess(self.game.result(self.s, action), estimate) * self.side
            if hurries and now() - ended > nanoseconds(HASTE):
                break
        best = max(scores, key=lambda action: scores[action])
        value = self.side * scores[best]
        return self.bare(self.scale.value_of(int(value)) if self.setup.own_units else value, best, "estimate", nodes)

    def _guess(self, s: Any, estimate: Any) -> float:
        """What a position is worth to player 0, without search: a score in the game's own units, or else a utility."""
        over = self.game.is_terminal(s)
        if estimate is not None:
            return 0.0 + (utility_at(self.game, s, 0) if over else estimate(self.game, s))
        # Kernels use notes for this, which lie on the desk of a search; here there are none.
        return self.scale.score_of(utility_at(self.game, s, 0)) if over else self.game.score(s)

    def bare(self, value: float, action: int | None, bound: str, nodes: int) -> Analysis:
        """An answer with one move or none, and without values of the others."""
        return Analysis(
            value=value, values=both_values(value, whole_sum(self.game)), action=action,
            line=() if action is None else (action,), moves={}, bound=bound, depth=0, nodes=nodes,
            time=self.spent, method="search", device=self.device, game=self.game, state=self.s,
        )  # fmt: skip


def _bound(kind: int, side: int, solid: bool) -> str:
    """Which bound the score of a first move is for player 0."""
    if kind == EXACT:
        return "exact" if solid else "estimate"
    return "upper" if (kind == UPPER) == (side == 1) else "lower"
