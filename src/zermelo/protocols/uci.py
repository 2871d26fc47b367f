"""The engine under any chess interface: the server side of UCI.

It speaks about chess by default and about any other game of the package in the same way, with the names of its moves.
What it does not understand it answers with one `info string` that says why, and goes on. Whatever takes time runs in a
thread of its own, so that the next line is read at once.
"""

import contextlib
import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from queue import SimpleQueue
from typing import Any, TextIO

from zermelo import __version__
from zermelo.contract import Game
from zermelo.errors import Interrupted, ZermeloError
from zermelo.play.clock import Clock
from zermelo.protocols.process import spelled
from zermelo.protocols.uci_options import WHOLE, UciOptions
from zermelo.result import Analysis, Limit
from zermelo.searches.engine.engine import Engine, look_up
from zermelo.searches.engine.scores import SHOWN_SURE, SHOWN_WIN
from zermelo.searches.perft import PathCounter

BENCH_DEPTH = 10
TURN = 0.001
"""Seconds between two looks at whether a command has had its turn."""
CLOCK_WORDS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
LONGEST_MESSAGE = 600
WITHOUT_LIMIT = Limit(time=1.0)
"""The limit of a search for which no limit is given."""
RESERVE = 0.2
"""Seconds of a game's time that no move is planned with: on a busy machine an answer may come late."""
HARD_SHARE = 3.0
"""How many times its fair share a move may take where the last depth is not finished."""


def _counts(words: list[str]) -> bool:
    """Whether this command runs long without being a search."""
    return words[:1] in (["perft"], ["bench"]) or words[:2] == ["go", "perft"]


class UciServer:
    """One engine at the other end of a pipe."""

    def __init__(self, game: Game, out: TextIO | None = None) -> None:
        self.game = game
        self.out = out or sys.stdout
        self.options = UciOptions(game)
        self.engine: Engine | None = None
        self.begin()
        self.thread: threading.Thread | None = None
        self.halt: Callable[[], None] = lambda: None
        """Ends what runs in the thread, soon; it may be called again and again."""
        self.searches = False
        """Whether the thread runs a search, not another command."""
        self.released = threading.Event()
        self.clock, self.limit = Clock(), Limit()
        self.speaking = threading.Lock()
        self.stops_heard = self.stops_done = 0
        """How often `stop` was read, and how often its turn has come."""
        self.counts_heard = self.counts_begun = 0
        """How often `perft` or `bench` was read, and begun: `isready` waits for the beginning, but not for the end."""

    def serve(self, lines: Iterable[str]) -> None:
        """Answer commands until `quit` or the end of input.

        While `perft` or `bench` runs, `stop` and `isready` are heard; what else comes is done after it, so that a list
        of commands can be given at once.
        """
        waiting: SimpleQueue[str | None] = SimpleQueue()

        def read() -> None:
            try:
                for line in lines:
                    words = self.understood(line)
                    word = next(iter(words), "")
                    if word == "isready":
                        while not self.counts and self.counts_heard > self.counts_begun:
                            time.sleep(TURN)
                        if self.counts:
                            self.say("readyok")
                            continue
                    self.stops_heard += word == "stop"
                    self.counts_heard += _counts(words)
                    waiting.put(line)
                    if word == "quit":
                        return
            finally:
                waiting.put(None)  # whatever it was that ended the input

        threading.Thread(target=read, daemon=True).start()
        try:
            while (line := waiting.get()) is not None and self.answer(line):
                self.counts_begun += _counts(self.understood(line))
            self.wait_for_count()
        finally:
            self.stop()
            if self.options.book is not None:
                self.options.close()

    def understood(self, line: str) -> list[str]:
        """The line from its first command on: the protocol asks to skip what is unknown."""
        return list(itertools.dropwhile(lambda word: word not in self.commands, line.split()))

    def answer(self, line: str) -> bool:
        """Do what one line says; False where it was `quit`."""
        words = self.understood(line)
        if not words:
            if given := line.split():
                self.tell(f"there is no command {given[0]!r}; {', '.join(self.commands)} are known")
            return True
        if words[0] == "stop":
            self.stops_done += 1
        else:
            self.wait_for_count()
        if words[0] == "quit":
            return False
        try:
            self.commands[words[0]](self, words[1:])
        except ZermeloError as error:
            self.tell(f"{words[0]}: {error}")
        except (ValueError, OverflowError, RecursionError) as error:
            self.tell(f"{words[0]}: cannot be understood ({error})")
        return True

    def say(self, line: str) -> None:
        """One line to the other end."""
        with self.speaking:
            self.out.write(line + "\n")
            self.out.flush()

    def tell(self, message: str) -> None:
        """One line for people."""
        self.say(f"info string {' '.join(message[:LONGEST_MESSAGE].split())}")

    # --- commands --------------------------------------------------------------------------------------------------

    def uci(self, words: list[str]) -> None:
        """Who this is, and what can be set."""
        self.say(f"id name zermelo {__version__}" + ("" if self.game.name == "chess" else f" ({self.game.name})"))
        self.say("id author the zermelo authors")
        for line in self.options.described():
            self.say(line)
        self.say("uciok")

    def isready(self, words: list[str]) -> None:
        """Set everything up, then say so; at once while something runs."""
        if not self.is_running:
            self.ready()
        self.say("readyok")

    def ready(self) -> Engine:
        """The engine with the options as they are now."""
        while self.engine is None:
            try:
                self.engine = Engine(self.game, threads=self.options.threads, table=self.options.hash)
            except (MemoryError, OSError):
                if self.options.hash == 1:
                    raise
                self.tell(f"there is no memory for a table of {self.options.hash} MB; half of it has to do")
                self.options.hash = max(1, self.options.hash // 2)
        return self.engine

    def setoption(self, words: list[str]) -> None:
        """Change an option."""
        self.stop()
        if self.options.set(words):
            self.engine = None
            if self.options.game != self.game:
                self.game = self.options.game
                self.begin()

    def begin(self) -> None:
        """Set up the first position."""
        self.state = self.game.initial()
        self.where, self.moves = ["startpos"], list[str]()
        self.history: list[Any] = []
        """What came before this position: keys, which cost less to look at than states."""

    def ucinewgame(self, words: list[str]) -> None:
        """Forget the last game."""
        self.stop()
        if self.engine is not None:
            self.engine.new_game()

    def position(self, words: list[str]) -> None:
        """Set the position: the first one or another, and moves from there. A bad line changes nothing."""
        self.stop()
        where, moves = (
            (words[: words.index("moves")], words[words.index("moves") + 1 :]) if "moves" in words else (words, [])
        )
        game, played = self.game, len(self.moves)
        history = []
        if where == self.where and moves[:played] == self.moves:
            # The game goes on: what was played before need not be played again.
            s, history = self.state, list(self.history)
        elif where == ["startpos"]:
            s, played = game.initial(), 0
        elif where[:1] == ["fen"]:
            s, played = game.parse_state(" ".join(where[1:])), 0
        else:
            self.tell("position: write startpos or fen, then moves, such as: position startpos moves e2e4")
            return
        for move in moves[played:]:
            history.append(s if isinstance(s, int) else game.key(s))
            s = game.result(s, self.parsed(s, move))
        self.where, self.moves, self.state, self.history = where, moves, s, history

    def go(self, words: list[str]) -> None:
        """Search. Words that cannot be understood are reported and skipped, since the interface waits for an answer."""
        self.stop()
        if "perft" in words:
            self.perft(words[words.index("perft") + 1 :])
            return
        given = self.numbers(words)
        mover = self.game.to_move(self.state)
        own, other = ("wtime", "btime") if mover == 0 else ("btime", "wtime")
        self.clock = Clock(
            move=_seconds(given.get("movetime")), remaining=_seconds(given.get(own)),
            opponent=_seconds(given.get(other)), increment=_seconds(given.get("winc" if mover == 0 else "binc")) or 0.0,
            moves_left=max(0, given.get("movestogo", 0)) or None,
        )  # fmt: skip
        depth, nodes, mate = ((max(1, given[word]) if word in given else None) for word in ("depth", "nodes", "mate"))
        if mate is not None:
            depth = min(depth or 1000, 2 * mate + 1)
        self.limit = Limit(nodes=nodes, depth=depth)
        waits = "infinite" in words or "ponder" in words
        among = self.among(words)
        self.released.clear()
        if not waits:
            self.released.set()
        engine = self.ready()
        engine.grant = None
        self.start(engine.stop, self.search, engine, among, waits)

    def among(self, words: list[str]) -> list[int]:
        """The moves after `searchmoves`."""
        if "searchmoves" not in words:
            return []
        found = []
        for word in words[words.index("searchmoves") + 1 :]:
            if word in CLOCK_WORDS or word in ("infinite", "ponder"):
                break
            try:
                found.append(self.parsed(self.state, word))
            except ZermeloError as error:
                self.tell(f"go: {error}")
        return found

    def numbers(self, words: list[str]) -> dict[str, int]:
        """The numbers that follow the words of clocks and limits."""
        found = {}
        for word, value in zip(words, words[1:], strict=False):
            if word in CLOCK_WORDS:
                try:
                    found[word] = _whole(word, value)
                except ValueError as error:
                    self.tell(f"go: {error}")
        return found

    def start(self, halt: Callable[[], None], work: Callable[..., None], *arguments: Any) -> None:
        """Let something run that `halt` ends."""

        def run() -> None:
            # Where nobody listens any more, there is nobody to tell either.
            with contextlib.suppress(BrokenPipeError):
                work(*arguments)

        self.halt, self.searches = halt, work == self.search
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    @property
    def is_running(self) -> bool:
        """Whether a search, or something else that takes time, is not done yet."""
        return self.thread is not None and self.thread.is_alive()

    @property
    def counts(self) -> bool:
        """Whether something runs that is no search."""
        return self.is_running and not self.searches

    def wait_for_count(self) -> None:
        """Let `perft` or `bench` come to its end, unless a `stop` was heard whose turn has not come yet."""
        while self.thread is not None and self.counts:
            if self.stops_heard > self.stops_done:
                self.halt()
            self.thread.join(0.01)

    def stop(self, words: list[str] | None = None) -> None:
        """End what is running; a search says its best move."""
        self.released.set()
        if self.thread is not None:
            while self.thread.is_alive():
                self.halt()
                self.thread.join(0.01)
            self.thread = None

    def ponderhit(self, words: list[str]) -> None:
        """The move that was expected was played: from now on the clock runs."""
        soft, hard = self.shares()
        if hard is None and self.limit == Limit():
            hard = WITHOUT_LIMIT.time
        if self.engine is not None:
            self.engine.allow(Limit(time=hard), soft)
        self.released.set()

    def perft(self, words: list[str]) -> None:
        """Count the leaves of the tree, move by move."""
        self.stop()
        counter = PathCounter(self.counted())
        counts = counter.divided(_whole("depth", words[0]) if words else 1, self.played_on())
        self.start(counter.stop, self.tell_all, "perft", self.divided(counts))

    def counted(self) -> Game:
        """The game as other programs count its paths: they play on where it is drawn."""
        game = self.game
        return type(game)(**game.parameters | {"plays_on": True}) if "plays_on" in game.parameters else game

    def divided(self, counts: Iterable[tuple[int, int]]) -> Iterator[str]:
        """A line for each first move, then the sum."""
        total = 0
        for action, count in counts:
            yield f"{self.named(self.state, action)}: {count}"
            total += count
        yield ""
        yield f"Nodes searched: {total}"

    def bench(self, words: list[str]) -> None:
        """Search a set of positions to a fixed depth: the sum of their nodes is the engine's signature."""
        from zermelo.protocols.uci_bench import Bench

        self.stop()
        bench = Bench(self.game, _whole("depth", words[0]) if words else BENCH_DEPTH)
        self.start(bench.stop, self.tell_all, "bench", bench.lines())

    def tell_all(self, command: str, lines: Iterable[str]) -> None:
        """Say lines as they come."""
        try:
            for line in lines:
                self.say(line)
        except Interrupted:
            self.tell(f"{command}: stopped before its end")
        except ZermeloError as error:
            self.tell(f"{command}: {error}")

    def show(self, words: list[str]) -> None:
        """The board."""
        for line in self.game.text(self.state).splitlines():
            self.say(line)
        self.say(f"Fen: {self.game.format_state(self.state)}")

    def evaluate(self, words: list[str]) -> None:
        """The estimate of the position, part by part."""
        if self.game.explain is None:
            self.tell(f"{self.game.name} does not explain its estimate")
            return
        parts = self.game.explain(self.state)
        for name, value in parts.items():
            self.say(f"{name:<16}{value:>8}")
        self.say(f"{'total':<16}{sum(parts.values()):>8}")

    commands: "dict[str, Callable[[UciServer, list[str]], None]]" = {
        "uci": uci, "isready": isready, "setoption": setoption, "ucinewgame": ucinewgame, "position": position,
        "go": go, "stop": stop, "ponderhit": ponderhit, "perft": perft, "bench": bench, "d": show, "eval": evaluate,
        "debug": lambda self, words: None, "register": lambda self, words: None, "quit": lambda self, words: None,
    }  # fmt: skip

    # --- searching -------------------------------------------------------------------------------------------------

    def shares(self) -> tuple[float | None, float | None]:
        """After how many seconds no new depth is begun, and after how many the search ends."""
        overhead = self.options.overhead
        if self.clock.move is not None:
            # Of a short time for one move a fiftieth is kept back, however large the overhead may be: the engine itself
            # leaves some milliseconds for its answer.
            return None, max(0.001, self.clock.move - min(overhead, self.clock.move / 50))
        if self.clock.remaining is None:
            return None, None
        fair = replace(self.clock, remaining=max(0.0, self.clock.remaining - RESERVE)).shares()[0] or 0.0
        fair *= min(1.0, self.clock.remaining / (2 * RESERVE))
        most = max(0.001, self.clock.remaining * 0.8 - overhead)
        return min(fair * 0.7, most), min(fair * HARD_SHARE, most)

    def search(self, engine: Engine, among: list[int], waits: bool) -> None:
        """Search and say what is found; runs in a thread of its own."""
        best: Analysis | None = None
        try:
            state = self.played_on()
            best = look_up(self.game, state, self.options.opening_book) if not waits and not among else None
            if best is None:
                soft, hard = (None, None) if waits else self.shares()
                limit = self.options.weakened(Limit(time=hard, nodes=self.limit.nodes, depth=self.limit.depth))
                if limit == Limit() and not waits:
                    limit = WITHOUT_LIMIT
                lines = self.options.lines
                for best in engine.stream(
                    state, limit, history=self.history, lines=lines, soft=soft, among=among
                ):  # fmt: skip
                    self.report(best)
            else:
                self.tell("from the book")
        except ZermeloError as error:
            self.tell(str(error))
        self.released.wait()
        self.say_best(best, among)

    def played_on(self) -> Any:
        """The position, in which play goes on after a draw that nobody has claimed."""
        return self.state if self.game.played_on is None else self.game.played_on(self.state)

    def report(self, found: Analysis) -> None:
        """One `info` line for each line of play."""
        if not found.lines:
            if found.bound == "exact":  # the game is over
                self.say(f"info depth 0 score {'cp' if found.value == 0 else 'mate'} 0")
            return
        milliseconds = int(found.time * 1000)
        speed = int(found.nodes / max(found.time, 1e-4))
        side = 1 if self.game.to_move(self.state) == 0 else -1
        for i, line in enumerate(found.lines, 1):
            value = side * found.scores[i - 1]
            names, s = [], self.state
            for action in line:
                names.append(self.named(s, action))
                s = self.game.result(s, action)
            self.say(
                f"info depth {found.depth} seldepth {found.deepest} multipv {i} score {score_text(value)} "
                f"nodes {found.nodes} nps {speed} time {milliseconds} pv {' '.join(names)}"
            )

    def say_best(self, best: Analysis | None, among: list[int]) -> None:
        """The move to play, and the answer to think about meanwhile."""
        if best is None or best.action is None:
            # While there are legal moves, the interface expects one of them.
            moves = among or (list(self.game.actions(self.state)) if self.game.format_uci is not None else [])
            self.say(f"bestmove {self.named(self.state, moves[0]) if moves else '0000'}")
            return
        action = self.options.chosen(best, among)
        words = f"bestmove {self.named(self.state, action)}"
        if action == best.action and len(best.line) > 1:
            words += f" ponder {self.named(self.game.result(self.state, action), best.line[1])}"
        self.say(words)

    # --- moves -----------------------------------------------------------------------------------------------------

    def named(self, s: Any, action: int) -> str:
        """A move as the protocol writes it: one word."""
        return spelled(self.game, s, action)

    def parsed(self, s: Any, text: str) -> int:
        """The legal move that is meant."""
        game = self.game
        if game.parse_uci is not None:
            return game.parse_uci(s, text)
        if "_" in text:
            names = {self.named(s, action): action for action in game.actions(s)}
            if text in names:
                return names[text]
        return game.parse_action(s, text)


def score_text(score: int) -> str:
    """A score for the player to move: in centipawns, or the number of moves to mate."""
    if abs(score) > SHOWN_SURE:
        moves = (SHOWN_WIN - abs(score) + 1) // 2
        return f"mate {moves if score > 0 else -moves}"
    return f"cp {score}"


def _whole(name: str, value: str) -> int:
    if WHOLE.fullmatch(value) is None:
        raise ValueError(f"{name} wants a whole number, not {value[:40]!r}")
    return int(value)


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else max(0.0, milliseconds / 1000)
