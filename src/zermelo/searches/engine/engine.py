"""`zermelo.search` and `zermelo.Engine`: the engine as people call it, its memory and its threads."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Unpack

from zermelo.arguments import as_word, whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.patience import Patience, current
from zermelo.compile.program import STOPPED
from zermelo.compile.reach import game_digest
from zermelo.compile.workers import Job, give
from zermelo.contract import Game
from zermelo.errors import BadParameter, BrokenContract, Busy, Interrupted
from zermelo.result import Analysis, Limit
from zermelo.running.devices import on_best_machine, on_machine
from zermelo.running.nodes import require_sound, utility_at
from zermelo.running.recursion import deep_recursion
from zermelo.running.repetition import history_keys, new_positions
from zermelo.running.statuses import FINE, OUT_OF_BOUNDS, OUT_OF_TIME, error_of
from zermelo.running.suitability import require_no_chance, require_open, require_two_sides
from zermelo.running.thinking import Thinking
from zermelo.running.watching import known_when_interrupted, watched
from zermelo.searches.engine import reports
from zermelo.searches.engine.answers import Answers, Scale
from zermelo.searches.engine.deepening import deepen
from zermelo.searches.engine.desk import LONGEST_HISTORY, NEVER, WORDS_OF_ROOM, Desk
from zermelo.searches.engine.estimates import checked, judgement
from zermelo.searches.engine.scores import MAX_PLY
from zermelo.searches.engine.techniques import SYMMETRY, USE_TABLE, switched_on
from zermelo.searches.engine.transpositions import Table, entry_words
from zermelo.searches.limits import limit_of, taken_from, thinking_time
from zermelo.types import Books, EngineOptions, Evaluate, Techniques

__all__ = ["Engine", "search"]

USUAL_LIMIT = Limit(time=1.0)

WORD_BYTES = 8
MOST_THREADS = 256
LOOK = 0.02
"""Seconds between two looks at what the threads have found."""
PYTHON_ENTRIES = FEW_ENTRIES = 1 << 16
ENTRIES_A_SECOND = 8 << 20
"""The most entries of a table that a thread fills in a second."""
LARGEST_ROOM, PYTHON_ROOM, SPARE = 1 << 25, 1 << 18, 8
"""Words for actions, where a game has very many: a search that runs out of them estimates."""
DEFAULT_TABLE = 64
SHARE_OF_TRIALS, LONGEST_TRIALS = 0.1, 0.25
"""Where a game has no estimate, random games take this share of the time, and at most so many seconds."""
WATCHED_BITS = 1023
"""Native code reads the clock at nodes whose number has none of these bits; plain Python at every node."""


# --- the call --------------------------------------------------------------------------------------------------------


class Search:
    """The best move that can be found in a given time, and the line of play that it expects.

    Techniques are switched off by their names, as in `search(game, null_move=False, reductions=False)`;
    `zermelo.searches.engine.techniques.TECHNIQUES` says what each does.

    >>> from zermelo import game, search
    >>> search(game("tic_tac_toe"), depth=9, device="python").value
    0.0
    """

    @known_when_interrupted()
    def __call__(
        self,
        game: AnyGame,
        state: Any = None,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        book: Books | None = None,
        threads: int = 1,
        table: int | bool = True,
        evaluate: Evaluate | None = None,
        device: str = "auto",
        **techniques: Unpack[Techniques],
    ) -> Analysis:
        """The answer: searched for so much `time` in seconds (one where no limit is given), so many `nodes`, or to a
        `depth`, or found in the book. It takes all of the time, unless the answer is exact before.

        `limit` is a `Limit` in place of time, nodes and depth.
        `history` are the positions before this one, which may not or should not come again; `lines` asks for so many
        best moves; `threads` search at once and share a table of `table` megabytes; `evaluate` replaces the game's own
        estimate. A `book` is anything with `lookup(game, state)`, or several of them: they are asked first. Time counts
        from this call on, but for what goes into compiling, and into plain Python where native code then answers.
        """
        (last,) = self.stream(
            game, state, time=time, nodes=nodes, depth=depth, limit=limit, history=history, lines=lines, book=book,
            every=False, threads=threads, table=table, evaluate=evaluate, device=device, **techniques,
        )  # fmt: skip
        return last

    def stream(
        self,
        game: AnyGame,
        state: Any = None,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        limit: Limit | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        book: Books | None = None,
        every: bool = True,
        **options: Unpack[EngineOptions],
    ) -> Iterator[Analysis]:
        """The answers after depth 1, 2, 3, ...; the last is the best, and without `every` the only one.

        The last depth may be cut off: then what it found so far comes last, with the depth of the answer before.
        """
        game = as_game(game)
        require_fit(game)
        rest: dict[str, Any] = dict(options)
        unknown = taken_from(rest)
        once = limit_of("search", limit, USUAL_LIMIT, time=time, nodes=nodes, depth=depth, **unknown)
        from zermelo.searches.engine.growing import Grower, may_grow  # it is made of engines

        asked: dict[str, Any] = {"history": history, "lines": lines, "every": every}
        device, thinking = rest.pop("device", "auto"), Thinking()
        found = look_up(game, state, book)
        if found is not None:
            answers: Iterator[Analysis] = iter((found,))
        elif once.time is not None and may_grow(game, device):
            answers = Grower(game, once, **rest).stream(state, once, **asked)
        else:
            answers = on_best_machine(game, "search", device, partial(_begun, game, state, once, rest, asked))
        for answer in answers:
            yield replace(answer, compile_seconds=thinking.compile_seconds)

    def __repr__(self) -> str:
        return "zermelo.search(game, state=None, *, time=1.0, nodes=None, depth=None, limit=None, ...)"


search = Search()


def _begun(
    game: Game, state: Any, limit: Limit, options: dict[str, Any], asked: dict[str, Any], device: str
) -> Iterator[Analysis]:
    """The answers of one machine; those of plain Python at once, where patience for it may end."""
    began = now()
    engine = Engine(game, once=limit, **options | {"device": device})
    if current() is None:
        return engine.stream(state, limit, since=began + engine.loading, **asked)
    answers = list(engine.stream(state, limit, patience=current(), **asked))
    if engine.ran_out_of_patience:
        raise Interrupted("the search was stopped")
    return iter(answers)


def look_up(game: Game, state: Any, sources: Any) -> Analysis | None:
    """What the first book or table that knows the position says about it."""
    if sources is None:
        return None
    s = game.initial() if state is None else game.checked_state(state)
    for source in sources if isinstance(sources, tuple | list) else (sources,):
        if not hasattr(source, "lookup"):
            raise BadParameter(f"search: book must be a book (anything with lookup(game, state)), not {source!r}")
        found = source.lookup(game, s)
        if found is not None:
            return found
    return None


# --- the engine ------------------------------------------------------------------------------------------------------


class Task(NamedTuple):
    """What to search, and how far."""

    state: Any
    limit: Limit
    lines: int
    keys: Sequence[int]
    soft: float | None
    among: Sequence[int]
    began: int
    """When, on the clock of `now`."""


class Engine:
    """Searches positions of one game, one after the other, and remembers what it saw.

    `table` is the size of the transposition table in megabytes, `threads` how many search at once. An engine that will
    search but `once`, with this limit, takes no more memory than that can fill, and takes it when it is used.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        threads: int = 1,
        table: int | bool = True,
        evaluate: Evaluate | None = None,
        device: str = "auto",
        once: Limit | None = None,
        **techniques: Unpack[Techniques],
    ) -> None:
        game = as_game(game)
        require_fit(game)
        self.game = game
        self.threads = whole("threads", threads, 1, MOST_THREADS)
        self.techniques = switched_on(techniques, table)
        self.megabytes = DEFAULT_TABLE if isinstance(table, bool) else table
        self.setup = judgement(game, evaluate)
        self.estimate = self.setup.evaluate
        self.scale = Scale(game, self.setup)
        self.knows_nothing = evaluate is None and game.evaluate is None and game.score is None
        """Whether neither the caller nor the game has an estimate."""
        self.once = once
        self.age, self.status = 0, FINE
        self.rules = game_digest(game)
        """The digest of the rules by which the table was filled."""
        self.grant: tuple[int, int] | None = None
        """The times that `allow` gave to the search that is running, or about to."""
        self.door = threading.Lock()
        self.halted = False
        """Whether somebody has stopped it."""
        self.ran_out_of_patience = False
        """Whether the patience with which it was asked ended before its search did."""
        self.loading = 0
        """Nanoseconds that went into compiling, or loading what was compiled before."""
        small = device == "auto" and game._is_small
        self.device = on_machine(game, "python" if small else device, self._opened)

    def _opened(self, device: str) -> str:
        """Set up on this machine; the first call compiles."""
        if device == "cuda":
            raise BadParameter(
                'search runs on the CPU: device="cpu" or "python"; a GPU plays many games at once instead'
            )
        self.machine = machine(device)
        native = device != "python"
        if not native and self.estimate is not None:
            self.setup = replace(self.setup, evaluate=checked(self.estimate))
        self.entries = self._entries() if native else PYTHON_ENTRIES
        self.room = min(WORDS_OF_ROOM * self.game.max_actions, LARGEST_ROOM if native else PYTHON_ROOM)
        self._forget(settled=self.once is None)
        loading = now()
        try:
            self._run(Task(self.game.initial(), Limit(depth=0), 1, (), None, (), loading), 0)
        finally:
            self.loading += now() - loading
        return device

    def _keep_up(self) -> None:
        """Forget everything if the rules have changed since it was found out."""
        rules = game_digest(self.game)
        if rules != self.rules:
            self.rules = rules
            self._forget(settled=self.once is None)

    def new_game(self) -> None:
        """Forget all positions."""
        with self._alone():
            self._forget(settled=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One at a time: threads of two searches would write into the same memory."""
        if not self.door.acquire(blocking=False):
            raise Busy("this engine is searching: stop it and wait for its answer first, or make another Engine")
        try:
            yield
        finally:
            self.door.release()

    def _entries(self) -> int:
        """How many entries the table has in native code."""
        most = self.megabytes * (1 << 20) // (WORD_BYTES * entry_words(self.setup))
        if self.once is not None and self.once.time is not None:
            most = min(most, int(min(self.once.time * self.threads, 3600.0) * ENTRIES_A_SECOND))
        if self.once is not None and self.once.nodes is not None:
            most = min(most, 4 * self.once.nodes)
        return power_of_two(max(most, FEW_ENTRIES))

    def _forget(self, *, settled: bool) -> None:
        """Begin with empty memory. With `settled` all its pages are there at once, else each when it is first used."""
        new, most = self.machine.memory, self.game.max_actions
        self.table = self.machine.block(Table)
        """The table as this class reads it; threads have their own view of the same entries."""
        self.table.entries, self.table.size, self.table.in_use = (
            new(entry_words(self.setup) * self.entries),
            self.entries,
            1,
        )
        self.desks = [self.machine.block(Desk, self.game, self.setup) for _ in range(self.threads)]
        if settled and self.machine.name != "python":
            for memory in (self.table.entries, *self.desks):
                memory.settle()
        for desk in self.desks:
            desk.table.entries, desk.table.size = self.table.entries, self.entries
            desk.stack = new(self.room + SPARE * most)
            desk.found.moves = new(reports.move_words(most))
            self._allow_lines(desk, 1)

    def _allow_lines(self, desk: Any, lines: int) -> None:
        """Make room for so many best lines in the report of a desk."""
        if desk.found.width != lines:
            desk.found.width, desk.found.lines = lines, self.machine.memory(reports.line_words(lines))

    def allow(self, limit: Limit, soft: float | None = None) -> None:
        """Give the search that is running a new limit of time, from now on."""
        # Noted first: a thread that is only about to begin sets its own times and then looks here.
        self.grant = times(now(), limit, soft)
        for desk in self.desks:
            desk.deadline, desk.soft_deadline = self.grant

    def stop(self) -> None:
        """Let the search that is running end at once; what it has found so far is its answer."""
        # Noted first: a thread that is only about to begin looks here.
        self.halted = True
        self._end_threads()

    def _end_threads(self) -> None:
        for desk in self.desks:
            desk.status = STOPPED

    # --- searching -------------------------------------------------------------------------------------------------

    @known_when_interrupted()
    def search(self, state: Any = None, limit: Limit | None = None, **options: Any) -> Analysis:
        """The best move found within the limit, or within `time`, `nodes` or `depth`: see `stream`."""
        (last,) = self.stream(state, limit, every=False, **options)
        return last

    def stream(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        soft: float | None = None,
        among: Sequence[int] = (),
        every: bool = True,
        since: int | None = None,
        patience: Patience | None = None,
    ) -> Iterator[Analysis]:
        """An Analysis after every depth, the last one being the answer.

        Where a limit or `stop` ends the search within a depth, what was found there so far comes last, or the answer
        before if that is nothing, with all nodes and all the time: its `depth` is that of the answer before, since no
        deeper one was searched to its end. After `stop` nothing comes but the last one.

        `history` are the states (or keys) before this one, `lines` asks for so many best moves with their lines, `soft`
        are seconds after which no new depth is begun, `among` are the only first moves to look at.
        Without `every` there is the last answer alone, and no time goes into the others. `since` is when the time began
        to count, on the clock of `zermelo.compile.now`: at once where it is left out. When `patience` ends, the search
        is stopped.
        """
        game = self.game
        began = now() if since is None else since
        limit = limit_of("search", limit, USUAL_LIMIT, time=time, nodes=nodes, depth=depth)
        with self._alone():
            self.halted = self.ran_out_of_patience = False
            s = game.initial() if state is None else game.checked_state(state)
            answers = Answers(self.scale, self.table, self.machine.name, s, began)
            if game.is_terminal(s):
                yield answers.bare(0.0 + utility_at(game, s, 0), None, "exact", self.desks[0].nodes)
                return
            require_sound(game, s)
            self._keep_up()
            keys = history_keys(game, history)[-LONGEST_HISTORY:]
            for action in among:
                game.play(s, action)
            if game.forbids_repetition:
                among = new_positions(game, s, among or [*game.actions(s)], keys)
                if not among:
                    yield answers.bare(0.0 + utility_at(game, s, 0), None, "exact", self.desks[0].nodes)
                    return
            lines = whole("lines", lines, 1, game.max_actions)
            task = Task(s, limit, lines, keys, soft, tuple(among), began)
            try:
                with nullcontext() if patience is None else patience.ends(self._lose_patience):
                    yield from self._answers(task, answers, every)
            finally:
                self.grant = None

    def _lose_patience(self) -> None:
        self.ran_out_of_patience = True
        self.stop()

    def _answers(self, task: Task, answers: Answers, every: bool) -> Iterator[Analysis]:
        """What is found: every depth, or the last one alone."""
        seen, report = 0, self.desks[0].found

        def known() -> Analysis | None:
            return self._answer(answers, report.count - 1) if report.count else None

        with known_when_interrupted(known), watched(self._nodes):
            for index in self._attempt(task):
                seen = index + 1
                if every:
                    yield self._answer(answers, index)
        self._fail()
        found = self.desks[0].found.count
        if found == 0:
            first_moves: Iterable[int] = task.among or self.game.actions(task.state)
            hurries = self.status in (STOPPED, OUT_OF_TIME)
            yield answers.hasty(first_moves, self.estimate, hurries, self.desks[0].nodes)
        last = max(0, found - 1)
        first = seen if every and self.status != STOPPED else last
        for index in range(first if self.status == FINE else min(first, last), found):
            answer = self._answer(answers, index)
            if index == last and self.status != FINE:
                # What was found last may have been found long before the end.
                answer = replace(answer, nodes=self._nodes(), time=answers.spent)
            yield answer

    def _nodes(self) -> int:
        """What all threads have seen so far."""
        return sum(desk.nodes for desk in self.desks)

    def _answer(self, answers: Answers, index: int) -> Analysis:
        """What was found at one depth."""
        report, most = self.desks[0].found, self.game.max_actions
        found = reports.read(report, index, most)
        earlier = None if found.finished or index == 0 else reports.read(report, index - 1, most)
        others = sum(desk.nodes for desk in self.desks[1:])
        return answers.after(found, earlier, not self._is_rounded(), others)

    def _is_rounded(self) -> bool:
        """Whether ends may be worth different amounts that are one number to the search."""
        known = self.game._is_blurred
        return any(desk.rounded for desk in self.desks) if known is None else bool(known)

    def _fail(self) -> None:
        """Raise what went wrong in the search, if anything did: one that was stopped has an answer all the same."""
        game = self.game
        error = None if self.status == STOPPED else error_of(game, self.status)
        if self.status == OUT_OF_BOUNDS:
            error = BrokenContract(f"{game.name}: an end pays what is outside of bounds = {game.bounds!r}; widen them")
        if error is not None:
            self._forget(settled=True)  # what rests on such a thing is no use to anybody
            raise error

    def _attempt(self, task: Task) -> Iterator[int]:
        """Search with all threads; yield the numbers of reports while the first thread writes further ones."""
        self.age = self.age % 255 + 1
        first = self.desks[0]
        self._allow_lines(first, task.lines)
        first.found.count = 0
        done = threading.Event()
        failed: list[BaseException] = []
        for desk in self.desks:
            desk.status = FINE
        if self.halted:
            self._end_threads()

        def work(helper: int) -> None:
            try:
                self._run(task, helper)
            except BaseException as error:
                failed.append(error)
            if helper == 0:
                self.status = first.status
                self._end_threads()
                done.set()

        jobs = [Job(partial(work, i)) for i in range(self.threads)]
        seen = 0
        try:
            for job in jobs:
                give(job)
            while not done.wait(LOOK):
                while seen < first.found.count - 1 and not done.is_set():
                    seen += 1
                    yield seen - 1
        finally:
            self._end_threads()
            for job in jobs:
                job.end(self._end_threads)
        if failed:
            raise failed[0]

    def _run(self, task: Task, helper: int) -> None:
        """Let one thread search."""
        desk = self.desks[helper]
        self._set_limits(desk, task, helper)
        desk.nodes = desk.deepest = desk.root_depth = desk.cut_off = desk.noise = desk.noise_ends = desk.rounded = 0
        desk.techniques, desk.helper = self._techniques_for(task), helper
        desk.lines, desk.room = task.lines if helper == 0 else 1, self.room
        desk.table.age, desk.table.in_use = self.age, int(self.techniques & USE_TABLE != 0)
        desk.low, desk.high, desk.wins = self.scale.low, self.scale.high, int(self.scale.wins)
        desk.draw = self.scale.score_of(self.game.draw_value) if self.game.draws_by_repetition else 0
        desk.past, desk.wanted, desk.found.count = len(task.keys), len(task.among), 0
        for i, key in enumerate(task.keys):
            desk.keys[i] = key
        stack = desk.stack
        for i, action in enumerate(task.among):
            stack[i] = action
        with deep_recursion():
            self.machine.call(deepen, game=self.game, setup=self.setup, s=task.state, desk=desk)

    def _set_limits(self, desk: Any, task: Task, helper: int) -> None:
        """Say how long a thread may search."""
        limit = task.limit
        desk.started = task.began
        desk.deadline, desk.soft_deadline = times(task.began, limit, task.soft)
        if self.grant is not None:
            desk.deadline, desk.soft_deadline = self.grant
        # Threads share what nodes there are; the first takes what cannot be divided.
        nodes = as_word(limit.nodes, NEVER)
        desk.node_limit = max(1, nodes // self.threads + (0 if helper else nodes % self.threads))
        desk.depth_limit = MAX_PLY if limit.depth is None else min(limit.depth, MAX_PLY)
        desk.watch = 0 if self.machine.name == "python" else WATCHED_BITS
        desk.trials = 0
        if self.knows_nothing and helper == 0 and limit.time is not None:
            desk.trials = nanoseconds(min(limit.time * SHARE_OF_TRIALS, LONGEST_TRIALS))

    def _techniques_for(self, task: Task) -> int:
        """The techniques that are on.

        Mirror images are not worth the same where the past tells them apart: where repetition is forbidden, or draws
        and earlier positions are known, or more is asked for than the value of the root.
        """
        game = self.game
        past = game.forbids_repetition or task.keys or task.among or task.lines > 1
        return self.techniques & ~SYMMETRY if game.repetition is not None and past else self.techniques


def require_fit(game: Game) -> None:
    """Refuse games that the engine cannot search."""
    require_open(game, "search")
    require_no_chance(game, "search")
    require_two_sides(game, "search")


def times(start: int, limit: Limit, soft: float | None) -> tuple[int, int]:
    """When a search that begins now has to end, and from when on it begins no new depth."""
    end = NEVER if limit.time is None else start + thinking_time(limit.time)
    return end, NEVER if soft is None else start + nanoseconds(soft)


def power_of_two(n: int) -> int:
    """The largest one up to `n`, and 2 at least."""
    return 1 << max(1, n.bit_length() - 1)
