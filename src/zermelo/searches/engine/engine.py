"""One engine for one game: its table, its threads, and the stream of what they find."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from zermelo.arguments import as_word, limit_of, whole
from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.memory import float_to_word
from zermelo.compile.patience import current
from zermelo.compile.program import STOPPED
from zermelo.compile.reach import game_digest
from zermelo.compile.workers import Job, give
from zermelo.contract import Game
from zermelo.errors import BadParameter, BrokenContract, Busy, ZermeloError, too_many_actions
from zermelo.result import Analysis, Limit, Move
from zermelo.running.devices import on_machine
from zermelo.running.nodes import require_sound, utility_at
from zermelo.running.recursion import deep_recursion
from zermelo.running.repetition import history_keys
from zermelo.running.statuses import FINE, NO_ESTIMATE, OUT_OF_BOUNDS, OUT_OF_TIME, TOO_MANY, fault
from zermelo.running.sums import both_values, whole_sum
from zermelo.searches.engine import deepening as slots
from zermelo.searches.engine import desk as words
from zermelo.searches.engine.deepening import deepen
from zermelo.searches.engine.leaves import checked, leaf_of, placed
from zermelo.searches.engine.scores import RANGE, float_at, score_of_utility, utility_of
from zermelo.searches.engine.settings import has_range, power_of_two, range_of, require_fit, switched_on, times
from zermelo.searches.engine.techniques import SYMMETRY
from zermelo.searches.engine.transpositions import EXACT, UPPER, entry_words
from zermelo.searches.engine.variation import completed

WORD_BYTES = 8
MOST_THREADS = 256
LOOK = 0.02
"""Seconds between two looks at what the threads have found."""
HASTE = 0.02
"""Seconds for an answer where a search was stopped before it had any."""
COMPLETED = 8
"""Lines that are read on from the table; there plain Python takes a good part of a millisecond for each."""
PYTHON_ENTRIES = FEW_ENTRIES = 1 << 16
ENTRIES_A_SECOND = 8 << 20
"""What a thread fills at most of a table."""
LARGEST_ROOM, PYTHON_ROOM, SPARE = 1 << 25, 1 << 18, 8
"""Words for actions, where a game has very many: who runs out of them estimates."""
DEFAULT_TABLE = 64
SHARE_OF_TRIALS, LONGEST_TRIALS = 0.1, 0.25
"""This share of the time, and no more seconds, goes into random games where a game has no estimate."""


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
        game: Game,
        *,
        threads: int = 1,
        table: int | bool = True,
        evaluate: Any = None,
        device: str = "auto",
        once: Limit | None = None,
        **techniques: bool,
    ) -> None:
        require_fit(game)
        self.game = game
        self.threads = whole("threads", threads, 1, MOST_THREADS)
        self.switches = switched_on(techniques, table)
        self.megabytes = DEFAULT_TABLE if isinstance(table, bool) else table
        self.leaf, self.estimate = leaf_of(game, evaluate)
        self.own_units = self.leaf is None
        self.low, self.high = range_of(game)
        self.wins = has_range(game)
        self.knows_nothing = evaluate is None and game.evaluate is None and game.score is None
        """Whether nobody says what a position looks like before its end."""
        self.once = once
        self.age, self.status = 0, FINE
        self.rules = game_digest(game)
        """The digest of the rules by which the table was filled."""
        self.grant: tuple[int, int] | None = None
        """The times that `allow` gave to the search that is running, or about to."""
        self.door = threading.Lock()
        self.halted = False
        """Whether somebody has stopped it."""
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
            self.leaf = placed(checked(self.estimate))
        self.entries = self._entries() if native else PYTHON_ENTRIES
        self.room = min(words.WORDS_OF_ROOM * self.game.max_actions, LARGEST_ROOM if native else PYTHON_ROOM)
        self._forget(settled=self.once is None)
        loading = now()
        try:
            self._run(Task(self.game.initial(), Limit(depth=0), 1, (), None, (), loading), 0)
        finally:
            self.loading += now() - loading
        return device

    def _keep_up(self) -> None:
        """What was found out by rules that have changed since is no use any more."""
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
        most = self.megabytes * (1 << 20) // (WORD_BYTES * entry_words(self.leaf))
        if self.once is not None and self.once.time is not None:
            most = min(most, int(min(self.once.time * self.threads, 3600.0) * ENTRIES_A_SECOND))
        if self.once is not None and self.once.nodes is not None:
            most = min(most, 4 * self.once.nodes)
        return power_of_two(max(most, FEW_ENTRIES))

    def _forget(self, *, settled: bool) -> None:
        """Begin with empty memory. `settled`, it has all its pages; else it waits for them when they are first used."""
        self.table = self.machine.memory(entry_words(self.leaf) * self.entries)
        make = self.machine.memory
        self.desks = [make(words.desk_words(self.game)) for _ in range(self.threads)]
        if settled and self.machine.name != "python":
            for block in (self.table, *self.desks):
                block.settle()
        self.memories = [make(self.room + SPARE * self.game.max_actions) for _ in range(self.threads)]
        self.reports = [self._report(1) for _ in range(self.threads)]

    def _report(self, lines: int) -> Any:
        size = slots.slot_words(lines, self.game.max_actions)
        memory = self.machine.memory(slots.REPORT_HEAD + slots.SLOTS * size)
        memory[slots.SLOT_WORDS] = size
        return memory

    def allow(self, limit: Limit, soft: float | None = None) -> None:
        """Give the search that is running a new limit of time, from now on."""
        # Noted first: a thread that is only about to begin sets its own times and then looks here.
        self.grant = times(now(), limit, soft)
        for desk in self.desks:
            desk[words.DEADLINE], desk[words.SOFT] = self.grant

    def stop(self) -> None:
        """Let the search that is running end at once; what it has found so far is its answer."""
        # Noted first: a thread that is only about to begin looks here.
        self.halted = True
        self._end_threads()

    def _end_threads(self) -> None:
        for desk in self.desks:
            desk[words.STATUS] = STOPPED

    # --- searching -------------------------------------------------------------------------------------------------

    def search(self, state: Any = None, limit: Limit | None = None, **options: Any) -> Analysis:
        """The best move found within the limit."""
        (last,) = self.stream(state, limit, every=False, **options)
        return last

    def stream(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        history: Sequence[Any] = (),
        lines: int = 1,
        soft: float | None = None,
        among: Sequence[int] = (),
        every: bool = True,
        since: int | None = None,
    ) -> Iterator[Analysis]:
        """An Analysis after every depth, the last one being the answer.

        Where a limit or `stop` ends the search within a depth, what was found there so far comes last, if that is
        anything: its `depth` is that of the answer before, since no deeper one was searched to its end. After `stop`
        nothing comes but the last one.

        `history` are the states (or keys) before this one, `lines` asks for so many best moves with their lines, `soft`
        are seconds after which no new depth is begun, `among` are the only first moves to look at.
        Without `every` there is the last answer alone, and no time goes into the others. `since` is when the time began
        to count, on the clock of `zermelo.compile.now`: at once where it is left out.
        """
        game = self.game
        began = now() if since is None else since
        with self._alone():
            self.halted = False
            if (patience := current()) is not None and patience.left == 0.0:
                # Who called for an end before there was anything to end would not be heard.
                self.halted = True
            s = game.initial() if state is None else game.checked_state(state)
            if game.is_terminal(s):
                yield self._bare(s, 0.0 + utility_at(game, s, 0), None, "exact", began)
                return
            limit = limit_of(limit, "search", Limit(time=1.0))
            require_sound(game, s)
            self._keep_up()
            keys = history_keys(game, history)[-words.LONGEST_HISTORY :]
            for action in among:
                game.play(s, action)
            if game.forbids_repetition:
                among = _new_positions(game, s, among or [*game.actions(s)], keys)
                if not among:
                    yield self._bare(s, 0.0 + utility_at(game, s, 0), None, "exact", began)
                    return
            lines = whole("lines", lines, 1, game.max_actions)
            task = Task(s, limit, lines, keys, soft, tuple(among), began)
            try:
                yield from self._answers(task, every)
            finally:
                self.grant = None

    def _answers(self, task: Task, every: bool) -> Iterator[Analysis]:
        """What is found: every depth, or the last one alone."""
        seen = 0
        for index in self._attempt(task):
            seen = index + 1
            if every:
                yield self._analysis(task, index)
        self._fail()
        found = self.reports[0][slots.REPORTS]
        if found == 0:
            yield self._hasty(task)
        for index in range(seen if every and self.status != STOPPED else max(0, found - 1), found):
            yield self._analysis(task, index)

    def _fail(self) -> None:
        """Raise what went wrong in the search, if anything did."""
        game = self.game
        error: ZermeloError | None = fault(game, self.status)
        if self.status == NO_ESTIMATE:
            error = BadParameter("evaluate must return finite numbers; in some position it returned nan or an infinity")
        elif self.status == OUT_OF_BOUNDS:
            error = BrokenContract(f"{game.name}: an end pays what is outside of bounds = {game.bounds!r}; widen them")
        elif self.status == TOO_MANY:
            error = too_many_actions(game.name, game.max_actions)
        if error is not None:
            self._forget(settled=True)  # what rests on such a thing is no use to anybody
            raise error

    def _attempt(self, task: Task) -> Iterator[int]:
        """Search with all threads; yield the numbers of reports while the first thread writes further ones."""
        self.age = self.age % 255 + 1
        if self.reports[0][slots.SLOT_WORDS] != slots.slot_words(task.lines, self.game.max_actions):
            self.reports[0] = self._report(task.lines)
        self.reports[0][slots.REPORTS] = 0
        done = threading.Event()
        failed: list[BaseException] = []
        for desk in self.desks:
            desk[words.STATUS] = FINE
        if self.halted:
            self._end_threads()

        def work(helper: int) -> None:
            try:
                self._run(task, helper)
            except BaseException as error:
                failed.append(error)
            if helper == 0:
                self.status = self.desks[0][words.STATUS]
                self._end_threads()
                done.set()

        jobs = [Job(partial(work, i)) for i in range(self.threads)]
        seen = 0
        try:
            for job in jobs:
                give(job)
            while not done.wait(LOOK):
                while seen < self.reports[0][slots.REPORTS] - 1 and not done.is_set():
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
        desk, report, limit = self.desks[helper], self.reports[helper], task.limit
        for word in range(words.WORDS):
            if word != words.STATUS:
                desk[word] = 0
        native = self.machine.name != "python"
        desk[words.STARTED] = task.began
        desk[words.DEADLINE], desk[words.SOFT] = times(task.began, limit, task.soft)
        if self.grant is not None:
            desk[words.DEADLINE], desk[words.SOFT] = self.grant
        # Threads share what nodes there are; the first takes what cannot be divided.
        nodes = as_word(limit.nodes, words.NEVER)
        desk[words.NODE_LIMIT] = max(1, nodes // self.threads + (0 if helper else nodes % self.threads))
        desk[words.DEPTH_LIMIT] = words.MAX_PLY if limit.depth is None else min(limit.depth, words.MAX_PLY)
        desk[words.SWITCHES], desk[words.HELPER] = self._switches_for(task), helper
        desk[words.LINES] = task.lines if helper == 0 else 1
        desk[words.AGE], desk[words.TABLE], desk[words.ROOM] = self.age, self.entries, self.room
        desk[words.LOW] = float_to_word(self.low) if native else self.low
        desk[words.HIGH] = float_to_word(self.high) if native else self.high
        desk[words.WINS], desk[words.WATCH] = int(self.wins), 1023 if native else 0
        if self.game.draws_by_repetition:
            desk[words.DRAW] = self._score_of(self.game.draw_value)
        if self.knows_nothing and helper == 0 and limit.time is not None:
            desk[words.TRIALS] = nanoseconds(min(limit.time * SHARE_OF_TRIALS, LONGEST_TRIALS))
        desk[words.PATH] = len(task.keys)
        for i, key in enumerate(task.keys):
            desk[words.KEYS + i] = key
        report[slots.REPORTS] = 0
        memory = self.memories[helper]
        for i, action in enumerate(task.among):
            memory[i] = action
        with deep_recursion():
            self.machine.call(
                deepen, game=self.game, leaf=self.leaf, s=task.state, memory=memory, top=len(task.among), desk=desk,
                shared=self.table, report=report,
            )  # fmt: skip

    def _switches_for(self, task: Task) -> int:
        """The techniques that are on.

        Mirror images are not worth the same where the past tells them apart: where repetition is forbidden, or draws
        and earlier positions are known, or more is asked for than the value of the root.
        """
        game = self.game
        past = game.forbids_repetition or task.keys or task.among or task.lines > 1
        return self.switches & ~SYMMETRY if game.repetition is not None and past else self.switches

    # --- answers ---------------------------------------------------------------------------------------------------

    def _analysis(self, task: Task, index: int) -> Analysis:
        report, game, s = self.reports[0], self.game, task.state
        at = slots.REPORT_HEAD + index * report[slots.SLOT_WORDS]
        side = 1 if game.to_move(s) == 0 else -1
        exact = not self._is_rounded()
        solid = exact and bool(report[at + slots.SLOT_SOLID])
        depth, found = report[at + slots.SLOT_DEPTH], self._lines(task, at)
        if not report[at + slots.SLOT_FINISHED]:
            depth, earlier = 0, []
            if index > 0:
                before = at - report[slots.SLOT_WORDS]
                depth, earlier = report[before + slots.SLOT_DEPTH], self._lines(task, before)
            # The lines that the search did not come to are those of the depth before.
            firsts = {line[0] for _, line in found}
            found = (found + [pair for pair in earlier if pair[1][0] not in firsts])[: max(len(found), len(earlier))]
        scores, lines = [score for score, _ in found], [line for _, line in found]
        moves = {}
        root = at + slots.SLOT_HEAD + task.lines * slots.LINE_WORDS
        for i in range(report[at + slots.SLOT_MOVES]):
            action, score, kind = (report[root + slots.ROOT_WORDS * i + k] for k in range(3))
            if kind != slots.UNSEEN:
                moves[action] = Move(self.value_of(side * score), bound=_bound(kind, side, solid))
        value, shown = self.value_of(scores[0], solid), self._shown(scores)
        moves[lines[0][0]] = Move(value, bound="exact" if solid else "estimate")
        won = abs(scores[0]) > words.SURE
        nodes = report[at + slots.SLOT_NODES]
        nodes += sum(self.desks[i][words.NODES] for i in range(1, self.threads))
        return Analysis(
            value=value, values=both_values(value, whole_sum(game)),
            action=lines[0][0], line=lines[0], moves=moves,
            bound="exact" if exact and (solid or won) else "estimate", nodes=nodes, depth=depth,
            time=report[at + slots.SLOT_TIME] / 1e9, method="search", device=self.machine.name, game=game, state=s,
            score=shown[0], distance=words.WIN - abs(scores[0]) if won else None, lines=tuple(lines),
            scores=shown, deepest=report[at + slots.SLOT_DEEPEST],
        )  # fmt: skip

    def _lines(self, task: Task, at: int) -> list[tuple[int, tuple[int, ...]]]:
        """The lines of a slot with their scores for player 0, the best for the one to move first."""
        report, game, s = self.reports[0], self.game, task.state
        side = 1 if game.to_move(s) == 0 else -1
        pairs = []
        for i in range(report[at + slots.SLOT_LINES]):
            line = at + slots.SLOT_HEAD + i * slots.LINE_WORDS
            first = line + slots.LINE_HEAD
            found = tuple(report[first + k] for k in range(report[line + slots.LINE_LENGTH]))
            if i < COMPLETED:
                found = completed(game, self.leaf, s, found, self.table, self.entries, report[at + slots.SLOT_DEPTH])
            pairs.append((side * report[line + slots.LINE_SCORE], found))
        # A later line can turn out better than an earlier one, which was searched without knowing it.
        return sorted(pairs, key=lambda pair: -side * pair[0])

    def value_of(self, score: int, solid: bool = False) -> float:
        """A score of player 0 on the scale of utilities; `solid`, it stands for what some end pays."""
        if abs(score) > words.SURE:
            return self.high if score > 0 else self.low
        if not self.own_units:
            return float_at(score)
        return utility_of(score, self.low, self.high) if solid else self.game.expected(score)

    def _is_rounded(self) -> bool:
        """Whether ends may be worth different amounts that are one number to the search."""
        known = self.game._is_blurred
        return any(desk[words.ROUNDED] for desk in self.desks) if known is None else bool(known)

    def _score_of(self, utility: Any) -> int:
        return score_of_utility(self.leaf, 0.0 + utility, self.low, self.high, self.wins)

    def _shown(self, scores: Sequence[int]) -> tuple[int, ...]:
        """Scores as people read them: wins near a million; where a game has no units of its own, others in proportion
        to the range of utilities, or to the largest of these where nobody knows it."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        values = [None if abs(score) > words.SURE or self.own_units else self.value_of(score) for score in scores]
        if not self.wins:
            half = max([half, *(abs(value) for value in values if value is not None)])
        shown = []
        for score, value in zip(scores, values, strict=True):
            if value is not None:
                share = (value / half - middle / half) * RANGE
                shown.append(round(min(max(share, -words.LARGEST), words.LARGEST)))
            elif abs(score) > words.SURE:
                shown.append((words.SHOWN_WIN - words.WIN + abs(score)) * (1 if score > 0 else -1))
            else:
                shown.append(score)
        return tuple(shown)

    def _hasty(self, task: Task) -> Analysis:
        """Not even depth 1 was finished: the move after which the estimate is best, of those that there is time for."""
        game, s = self.game, task.state
        side = 1 if game.to_move(s) == 0 else -1
        ended, scores = now(), dict[int, float]()
        for action in task.among or game.actions(s):
            scores[action] = self._guess(game.result(s, action)) * side
            if self.status in (STOPPED, OUT_OF_TIME) and now() - ended > nanoseconds(HASTE):
                break
        best = max(scores, key=lambda action: scores[action])
        value = side * scores[best]
        return self._bare(s, self.value_of(int(value)) if self.own_units else value, best, "estimate", task.began)

    def _guess(self, s: Any) -> float:
        """What a position is worth to player 0, without any search: a score, or a utility where units are not own."""
        over = self.game.is_terminal(s)
        if self.estimate is not None:
            return 0.0 + (utility_at(self.game, s, 0) if over else self.estimate(self.game, s))
        if over:
            return self._score_of(utility_at(self.game, s, 0))
        # Not by the leaf: its notes lie on the desk of a search.
        return self.game.score(s)

    def _bare(self, s: Any, value: float, action: int | None, bound: str, began: int) -> Analysis:
        return Analysis(
            value=value, values=both_values(value, whole_sum(self.game)), action=action,
            line=() if action is None else (action,), moves={}, bound=bound, depth=0,
            nodes=self.desks[0][words.NODES], time=(now() - began) / 1e9, method="search",
            device=self.machine.name, game=self.game, state=s,
        )  # fmt: skip


def _bound(kind: int, side: int, solid: bool) -> str:
    """What the score of a root move is for player 0."""
    if kind == EXACT:
        return "exact" if solid else "estimate"
    return "upper" if (kind == UPPER) == (side == 1) else "lower"


def _new_positions(game: Game, s: Any, actions: Sequence[int], keys: Sequence[int]) -> list[int]:
    """Those actions that lead to no earlier position."""
    seen = {*keys, game.key(s)}
    return [action for action in actions if game.key(game.result(s, action)) not in seen]
