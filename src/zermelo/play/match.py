"""Matches: games between players in colour-swapped pairs, several at once, kept in a file from which they go on.

result = zermelo.match(game, ["search:depth=4", "search:depth=2"], games=100)
print(result)
"""

import itertools
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from zermelo import files
from zermelo.arguments import whole
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.play.clock import MARGIN, Control
from zermelo.play.match_file import GameRecord, MatchFile
from zermelo.play.openings import USUAL, Openings
from zermelo.play.players import CRASH, ILLEGAL, TIME, Entrant, PlayerFailed, entrants
from zermelo.play.ratings import Sprt
from zermelo.play.referee import LONGEST, GameLeft, Referee, Rules
from zermelo.play.score import MatchResult
from zermelo.types import Players

FAULTS = (CRASH, ILLEGAL, TIME)
"""The ends of a game (see `GameRecord.end`) after which a program is started anew."""
TO_FINISH = 5.0
"""Seconds that games at the same time have to stop when the match is interrupted."""

Watch = Callable[[MatchResult], None]


class ScheduledGame(NamedTuple):
    """A game to be played: its number, who sits first and second, and the number of its opening."""

    number: int
    seats: tuple[int, int]
    opening: int


def match(
    game: Game,
    players: Players,
    *,
    games: int = 100,
    openings: str | FilePath | None = None,
    clock: str | Control | None = None,
    margin: float = MARGIN,
    concurrency: int = 1,
    seed: int = 0,
    sprt: Sprt | tuple[float, float] | None = None,
    longest: int = LONGEST,
    draw: tuple[int, float] | None = None,
    resign: tuple[int, float] | None = None,
    store: str | FilePath | None = None,
    pgn: str | FilePath | None = None,
    sgf: str | FilePath | None = None,
    watch: Watch | None = None,
) -> MatchResult:
    """Play this many games between every two of the players, and return the result.

    Players are texts (see `zermelo.play.players`) or functions `player(game, state, history, clock) -> action`. Two
    games are played from each opening, with sides changed and the same dice or cards. By default openings are two
    random moves, and none in games with chance or hidden information. States are handed over whole: a function that
    plays with hidden cards looks at `game.view(state, player)` alone, if it is fair. A player that crashes, oversteps
    its time or plays an illegal move loses that game, and the match goes on. `sprt` ends the match when the test is
    decided. With `store` the games are kept in that file, and the same call goes on with what is missing; `pgn` and
    `sgf` add them to a file. `watch` is called after each game with the result so far.
    """
    _check_game(game)
    for name, number in (("games", games), ("concurrency", concurrency)):
        whole(f"match: {name}", number, least=1)
    who = entrants(players)
    if len(who) < 2:
        raise BadParameter(f"match: a match needs two players or more, not {len(who)}")
    if sprt is not None and len(who) != 2:
        raise BadParameter("match: a sequential test compares two players")
    control = clock if isinstance(clock, Control) else Control.parse(clock or "none")
    rules = Rules(control, margin, longest, draw, resign)
    test = sprt if sprt is None or isinstance(sprt, Sprt) else Sprt(*sprt)
    if openings is None:
        openings = USUAL if game.probability is None and game.view is None else "none"
    played = RunningMatch(game, who, games, Openings(game, openings, seed), rules, seed, test, watch)
    if sgf:
        from zermelo.notation.sgf_boards import sgf_board

        sgf_board(game)  # refuses a game that SGF cannot hold
    written_to = {kind: FilePath(path) for kind, path in (("pgn", pgn), ("sgf", sgf)) if path}
    for path in written_to.values():
        files.require_writable(path, whole=False)
    return played.run(concurrency, FilePath(store) if store else None, written_to)


def _check_game(game: Game) -> None:
    require_game(game, "match")
    if game.players != 2:
        raise UnsuitableGame(f"{game.name} has {game.players} players and a match is between two")


class RunningMatch:
    """A match while it goes on."""

    def __init__(
        self, game: Game, who: list[Entrant], games: int, openings: Openings, rules: Rules, seed: int,
        test: Sprt | None, watch: Watch | None,
    ) -> None:  # fmt: skip
        self.game, self.who, self.games, self.openings = game, who, games, openings
        self.rules, self.seed, self.test, self.watch = rules, seed, test, watch
        self.names = tuple(one.name for one in who)
        self.records: dict[int, GameRecord] = {}
        self.stop = threading.Event()
        """`stop` is set when no further game is to begin, `leave` when running games are to be left as well."""
        self.leave = threading.Event()
        self.tasks: queue.SimpleQueue[ScheduledGame] = queue.SimpleQueue()
        self.written_to: dict[str, FilePath] = {}
        """The files to which games are added, by notation: pgn or sgf."""
        self.store: MatchFile | None = None

    def schedule(self) -> list[ScheduledGame]:
        """All games: one opening after the other, each pair of players plays it twice."""
        pairings = list(itertools.combinations(range(len(self.who)), 2))
        tasks = []
        for opening in range((self.games + 1) // 2):
            for pairing, (a, b) in enumerate(pairings):
                for again, seats in enumerate(((a, b), (b, a))):
                    if 2 * opening + again < self.games:
                        tasks.append(ScheduledGame(2 * (opening * len(pairings) + pairing) + again, seats, opening))
        return tasks

    def about(self) -> dict[str, Any]:
        """What identifies this match; the number of games may change."""
        return {
            "game": repr(self.game),
            "players": [one.text or one.name for one in self.who],
            "names": list(self.names),
            "openings": self.openings.signature,
            "rules": str(self.rules),
            "seed": self.seed,
        }

    def result(self) -> MatchResult:
        """The result so far."""
        games = tuple(record for _, record in sorted(self.records.items()))
        return MatchResult.of(self.game, self.names, games, self.test)

    def run(self, concurrency: int, store: FilePath | None, written_to: dict[str, FilePath]) -> MatchResult:
        """Play what has not been played yet."""
        tasks = self.schedule()
        self.written_to = written_to
        if store is not None:
            self.store = MatchFile(store, self.about())
            numbers = {task.number for task in tasks}
            self.records = {n: record for n, record in self.store.records.items() if n in numbers}
        missing = [task for task in tasks if task.number not in self.records]
        for task in missing:
            self.openings[task.opening]  # random openings are drawn here, in order, whichever worker plays them
        workers: list[MatchWorker] = []
        try:
            if missing and not self.decided():
                workers = [MatchWorker(self) for _ in range(min(concurrency, len(missing)))]
                workers[0].seat_all()
                self.play(missing, workers)
            return self.result()
        finally:
            for worker in workers:
                worker.close()
            if self.store is not None:
                self.store.close()

    def play(self, missing: list[ScheduledGame], workers: list["MatchWorker"]) -> None:
        """Play these games, one for each worker at a time. One alone needs no thread: Ctrl-C reaches its player."""
        if len(workers) == 1:
            for task in missing:
                self.add(workers[0].play(task))
                if self.decided():
                    return
            return
        for task in missing:
            self.tasks.put(task)
        done: queue.SimpleQueue[GameRecord | BaseException | None] = queue.SimpleQueue()
        threads = [threading.Thread(target=worker.work, args=(done,), daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        busy = len(threads)
        try:
            while busy:
                found = done.get()
                if found is None:
                    busy -= 1
                elif isinstance(found, BaseException):
                    raise found
                else:
                    self.add(found)
                    if self.decided():
                        self.stop.set()
        except BaseException:
            self.stop.set()
            self.leave.set()
            for worker in workers:
                worker.close()
            for thread in threads:
                thread.join(TO_FINISH)
            raise

    def add(self, record: GameRecord) -> None:
        """Keep a game that has been played."""
        self.records[record.number] = record
        if self.store is not None:
            self.store.add(record)
        for kind, path in self.written_to.items():
            # A game that a crash has cut off must not take the next with it.
            files.append(path, self.written(kind, record) + "\n", apart="\n\n")
        if self.watch is not None:
            self.watch(self.result())

    def written(self, kind: str, record: GameRecord) -> str:
        """A game in this notation."""
        control = str(self.rules.control)
        if kind == "sgf":
            return record.sgf(self.game, self.names, {"DT": time.strftime("%Y-%m-%d"), "OT": control})
        return record.pgn(self.game, self.names, {"Date": time.strftime("%Y.%m.%d"), "TimeControl": control})

    def decided(self) -> bool:
        """Whether a sequential test needs no more games."""
        if self.test is None:
            return False
        sprt = self.result().sprt
        return sprt is not None and sprt.accepted is not None


class MatchWorker:
    """Where one game at a time is played, with players of its own."""

    def __init__(self, match: RunningMatch) -> None:
        self.match = match
        self.players: dict[int, Any] = {}

    def seat_all(self) -> None:
        """Make all players now: what does not fit or does not start is an error before the first game."""
        for place in range(len(self.match.who)):
            self.seat(place)

    def seat(self, place: int) -> Any:
        """The player of this place in the match."""
        if self.match.leave.is_set():
            raise GameLeft
        if place not in self.players:
            self.players[place] = self.match.who[place].make(self.match.game, self.match.rules.control.timed)
        return self.players[place]

    def work(self, done: "queue.SimpleQueue[GameRecord | BaseException | None]") -> None:
        """Play games until there are no more."""
        try:
            while not self.match.stop.is_set():
                done.put(self.play(self.match.tasks.get_nowait()))
        except (queue.Empty, GameLeft):
            pass
        except BaseException as error:
            done.put(error)
        done.put(None)

    def play(self, task: ScheduledGame) -> GameRecord:
        """One game."""
        match = self.match
        names = [match.names[place] for place in task.seats]
        players = [self.seated(place) for place in task.seats]
        opening, dice = match.openings[task.opening], f"{match.seed} {task.opening}"
        referee = Referee(match.game, players, names, opening, match.rules, match.leave, dice)
        record = referee.play(task.number, task.seats, f"{match.seed} {task.number}")
        if record.end in FAULTS:
            self.leave(task.seats[0 if record.points == 0 else 1])
        return record

    def seated(self, place: int) -> Any:
        """The player of this place; a player that can no longer be made loses its game."""
        try:
            return self.seat(place)
        except BadParameter as error:
            return Absent(str(error))

    def leave(self, place: int) -> None:
        """Let a player go; another one is made for the next game."""
        close = getattr(self.players.pop(place, None), "close", None)
        if close is not None:
            close()

    def close(self) -> None:
        """Let all players go."""
        for place in list(self.players):
            self.leave(place)


@dataclass
class Absent:
    """A player that does not start."""

    reason: str

    def __call__(self, game: Game, state: Any, history: Sequence[Any], clock: Any) -> int:
        """No move, but the reason."""
        raise PlayerFailed(CRASH, self.reason)
