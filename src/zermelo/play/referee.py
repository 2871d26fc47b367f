"""The referee: lets two players play one game, keeps their clocks, and says who won and why."""

import operator
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.play.clock import MARGIN, Clocks, Control
from zermelo.play.match_file import GameRecord
from zermelo.play.openings import Opening
from zermelo.play.players import CRASH, ILLEGAL, TIME, PlayerFailed
from zermelo.running.nodes import mover_at, payoffs_at

LONGEST = 1_000


@dataclass(frozen=True)
class Rules:
    """What holds in every game of a match, beside the rules of the game."""

    control: Control = field(default_factory=Control)
    margin: float = MARGIN
    """Seconds that a move may be late."""
    longest: int = LONGEST
    """A game of so many moves, the opening counted, is a draw."""
    draw: tuple[int, float] | None = None
    """A draw once both sides have seen no score beyond `draw[1]` for `draw[0]` moves each."""
    resign: tuple[int, float] | None = None
    """A loss for the side that has seen scores of `-resign[1]` or worse for `resign[0]` moves in a row."""

    def __post_init__(self) -> None:
        if not self.margin >= 0:
            raise BadParameter(f"margin must be seconds >= 0, not {self.margin!r}")
        if self.longest < 1:
            raise BadParameter(f"longest must be at least 1 move, not {self.longest!r}")
        for name in ("draw", "resign"):
            given = getattr(self, name)
            if given is not None and not (len(given) == 2 and given[0] >= 1 and given[1] >= 0):
                raise BadParameter(f"{name} must be moves and a score, such as (8, 10), not {given!r}")

    def __str__(self) -> str:
        parts = [f"clock {self.control}", f"margin {self.margin:g}", f"longest {self.longest}"]
        for name in ("draw", "resign"):
            given = getattr(self, name)
            parts += [f"{name} {given[0]}/{given[1]:g}"] if given is not None else []
        return ", ".join(parts)


class GameLeft(Exception):
    """The game has been left, because the match was interrupted."""


class Ended(Exception):
    """The game has ended: what the first player gets, how it ended and why."""

    def __init__(self, points: float, end: str, reason: str, utilities: tuple[float, ...] = ()) -> None:
        super().__init__(reason)
        self.points, self.end, self.reason, self.utilities = points, end, reason, utilities


class Referee:
    """One game; chance rolls by `dice`."""

    def __init__(
        self, game: Game, players: Sequence[Any], names: Sequence[str], opening: Opening, rules: Rules,
        leave: threading.Event | None = None, dice: str = "",
    ) -> None:  # fmt: skip
        self.game, self.players, self.names, self.rules = game, players, names, rules
        self.opening, self.leave, self.dice = opening, leave, dice
        self.course = opening.course(game)
        self.clocks = Clocks(rules.control, rules.margin)
        self.comments: list[str] = []
        self.timed: list[tuple[float | None, float, float | None]] = [(None, 0.0, None)] * len(opening.actions)
        """For each action the score that its mover saw, the seconds that it took, and those that were left."""
        self.scores: tuple[list[float | None], list[float | None]] = ([], [])

    def play(self, number: int, seats: tuple[int, int], seed: str) -> GameRecord:
        """Play the game to its end."""
        try:
            for side, player in enumerate(self.players):
                self.begin(side, player, f"{seed} {side}")
            while True:
                self.move()
        except Ended as how:
            return self.record(number, seats, how)

    def begin(self, side: int, player: Any, seed: str) -> None:
        """Tell a player that a game begins."""
        begin, ready = getattr(player, "begin", None), getattr(player, "ready", None)
        with self.blaming(side):
            if begin is not None:
                begin(self.game, seed)
            if ready is not None:
                ready(self.game, self.course.state, self.course.history(), self.clocks.of(side))

    def move(self) -> None:
        """One move; Ended is raised where the game is over before or by it."""
        if self.leave is not None and self.leave.is_set():
            raise GameLeft
        course = self.course
        legal = course.moves()
        if not legal:
            raise self.result()
        if len(course) >= self.rules.longest:
            raise Ended(0.5, "length", f"a draw after {self.rules.longest} moves")
        side = mover_at(self.game, course.state)
        if side == CHANCE:
            # A roll depends on the dice and the move's number: games with the same dice roll alike while they go alike.
            course.push(course.rolled(random.Random(f"dice {self.dice} {len(course)}")))
            self.comments.append("")
            self.timed.append((None, 0.0, None))
            return
        clock, history = self.clocks.of(side), course.history()
        started = time.perf_counter()
        with self.blaming(side):
            action = self.players[side](self.game, course.state, history, clock)
        spent = time.perf_counter() - started
        if not self.clocks.spend(side, spent):
            assert clock.allowed is not None
            raise self.loss(side, TIME, f"{self.names[side]} took {spent:.3f} s and had {clock.allowed:.3f} s")
        course.push(self.legal_action(side, action, legal))
        self.note(side, spent)

    def blaming(self, side: int) -> "Blame":
        """A context in which an error makes this side lose."""
        return Blame(self, side)

    def legal_action(self, side: int, action: Any, legal: list[int]) -> int:
        """The action, where it is one that may be taken."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if number not in legal or isinstance(action, bool):
            game, s = self.game, self.course.state
            what = f"{self.names[side]} played {action!r}, which is not legal in {game.format_state(s)}"
            raise self.loss(side, ILLEGAL, what)
        return number

    # --- ends --------------------------------------------------------------------------------------------------------

    def loss(self, side: int, end: str, reason: str) -> Ended:
        """The verdict that this side has lost."""
        return Ended(float(side), end, " ".join(reason.split())[:400])

    def result(self) -> Ended:
        """What the rules say of the end."""
        game, s = self.game, self.course.state
        if self.course.is_repeated() and not game.is_over(s):
            return Ended(0.5, "repetition", "")
        first, second = map(float, payoffs_at(game, s))
        return Ended(1.0 if first > second else 0.0 if first < second else 0.5, "rules", "", (first, second))

    def note(self, side: int, spent: float) -> None:
        """Write down what the player thought of its move, and end a game that is decided."""
        note = getattr(self.players[side], "note", None)
        score = getattr(note, "score", None)
        self.scores[side].append(score)
        self.comments.append(self.comment(side, note, spent))
        self.timed.append((score, round(spent, 6), self.clocks.remaining[side]))
        if self.rules.resign is not None:
            moves, lost = self.rules.resign
            if self.agree(side, moves, lambda seen: seen <= -lost):
                what = f"{self.names[side]} saw scores of {-lost:g} or worse for {moves} moves"
                raise self.loss(side, "adjudicated", what)
        if self.rules.draw is not None:
            moves, level = self.rules.draw
            if all(self.agree(player, moves, lambda seen: abs(seen) <= level) for player in (0, 1)):
                raise Ended(0.5, "adjudicated", f"both saw scores within {level:g} for {moves} moves")

    def agree(self, side: int, moves: int, holds: Any) -> bool:
        """Whether the last `moves` scores of this side are all known and `holds` is true of each."""
        last = self.scores[side][-moves:]
        return len(last) == moves and all(score is not None and holds(score) for score in last)

    def comment(self, side: int, note: Any, spent: float) -> str:
        """What is said about a move in PGN: the score, from the first player's side in chess, depth and time."""
        score, depth, mate = (getattr(note, name, None) for name in ("score", "depth", "mate"))
        said = []
        if score is not None and self.game.format_uci is None:
            said.append(f"{score:+g}")
        elif score is not None:
            first = 1 if side == 0 else -1
            said.append(f"[%eval #{first * mate}]" if mate else f"[%eval {first * score / 100:+.2f}]")
        if depth is not None:
            said.append(f"depth {depth},")
        return " ".join([*said, f"{spent:.3f} s"])

    def record(self, number: int, seats: tuple[int, int], how: Ended) -> GameRecord:
        """The game for the store."""
        course, game = self.course, self.game
        names = [game.format_action(s, a) for s, a in zip(course.states, course.actions, strict=True)]
        return GameRecord(
            number=number,
            seats=seats,
            points=how.points,
            end=how.end,
            reason=how.reason,
            start="" if self.opening.state is None else game.format_state(self.opening.state),
            given=len(self.opening.actions),
            actions=tuple(course.actions),
            moves=(", " if any(" " in name for name in names) else " ").join(names),
            comments=tuple(self.comments),
            seconds=(round(self.clocks.spent[0], 3), round(self.clocks.spent[1], 3)),
            utilities=how.utilities,
            positions=tuple(game.format_state(s) for s in [*course.states, course.state]),
            values=tuple(value for value, _, _ in self.timed),
            times=tuple(spent for _, spent, _ in self.timed),
            clocks=tuple(left for _, _, left in self.timed),
        )


class Blame:
    """Turns what a player raises into the loss of its game. Ctrl-C passes through."""

    def __init__(self, referee: Referee, side: int) -> None:
        self.referee, self.side = referee, side

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, PlayerFailed):
            raise self.referee.loss(self.side, error.kind, str(error)) from None
        if isinstance(error, Exception):
            name = self.referee.names[self.side]
            raise self.referee.loss(self.side, CRASH, f"{name} raised {type(error).__name__}: {error}") from error
