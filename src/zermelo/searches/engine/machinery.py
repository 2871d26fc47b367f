"""One engine for one game: its table, its threads, and the stream of what they find."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from zermelo.compile import machine, nanoseconds, now
from zermelo.compile.memory import float_to_word, word_to_float
from zermelo.compile.program import STOPPED
from zermelo.compile.workers import Job, give
from zermelo.contract import Game
from zermelo.errors import BadParameter, BrokenContract, Busy, too_many_actions
from zermelo.result import Analysis, Limit, Move
from zermelo.searches import surface
from zermelo.searches.devices import on_machine
from zermelo.searches.engine import deepening as slots
from zermelo.searches.engine import desk as words
from zermelo.searches.engine.deepening import deepen
from zermelo.searches.engine.leaves import checked, leaf_of, scaled
from zermelo.searches.engine.settings import power_of_two, range_of, require_fit, switched_on, times, whole, wide_enough
from zermelo.searches.engine.switches import SYMMETRY
from zermelo.searches.engine.transpositions import EXACT, UPPER
from zermelo.searches.engine.values import RANGE, score_of_utility
from zermelo.searches.engine.variation import completed

ENTRY_BYTES = 16
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
        self.threads = whole("threads", threads, MOST_THREADS)
        self.switches = switched_on(techniques, table)
        self.megabytes = DEFAULT_TABLE if isinstance(table, bool) else table
        self.leaf, self.estimate = leaf_of(game, evaluate)
        self.own_units = self.estimate is None
        self.middle, self.half, self.wins = range_of(game)
        self.once = once
        self.age, self.status = 0, words.FINE
        self.grant: tuple[int, int] | None = None
        """The times that `allow` gave to the search that is running, or about to."""
        self.door = threading.Lock()
        self.halted = False
        """Whether somebody has stopped it."""
        self.spent = 0
        """Nodes that it has seen on scales that turned out too small."""
        self.loading = 0
        """Nanoseconds that went into compiling, or loading what was compiled before."""
        self.device = on_machine(game, device, self._opened)

    def _opened(self, device: str) -> str:
        """Set up on this machine; the first call compiles."""
        if device == "cuda":
            raise BadParameter(
                'search runs on the CPU: device="cpu" or "python"; a GPU plays many games at once instead'
            )
        self.machine = machine(device)
        native = device != "python"
        if not native and self.estimate is not None:
            self.leaf = scaled(checked(self.estimate))
        self.entries = self._entries() if native else PYTHON_ENTRIES
        self.room = min(words.WORDS_OF_ROOM * self.game.max_actions, LARGEST_ROOM if native else PYTHON_ROOM)
        self._forget(settled=self.once is None)
        loading = now()
        try:
            self._run(Task(self.game.initial(), Limit(depth=0), 1, (), None, (), loading), 0)
        finally:
            self.loading += now() - loading
        return device

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
        most = self.megabytes * (1 << 20) // ENTRY_BYTES
        if self.once is not None and self.once.time is not None:
            most = min(most, int(min(self.once.time * self.threads, 3600.0) * ENTRIES_A_SECOND))
        if self.once is not None and self.once.nodes is not None:
            most = min(most, 4 * self.once.nodes)
        return power_of_two(max(most, FEW_ENTRIES))

    def _forget(self, *, settled: bool) -> None:
        """Begin with empty memory. `settled`, it has all its pages; else it waits for them when they are first used."""
        self.table = self.machine.memory(2 * self.entries)
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
        # Noted first: where the search begins again with a larger scale, it looks here.
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

        Where a game does not say its bounds, and a utility or an estimate is larger than thought, the search begins
        again with a larger scale, within the same limits; depths that were shown are then not shown again.
        """
        game = self.game
        began = now() if since is None else since
        with self._alone():
            self.halted, self.spent = False, 0
            s = game.initial() if state is None else game.checked_state(state)
            if game.is_terminal(s):
                yield self._bare(s, 0.0 + game.utility(s, 0), None, "exact", began)
                return
            if not isinstance(limit, Limit | None):
                raise BadParameter(f"limit must be a Limit, such as Limit(time=1.0) or Limit(depth=6), not {limit!r}")
            if limit is not None and limit.simulations is not None:
                raise BadParameter("search makes no simulations: limit it by time, nodes or depth")
            keys = surface.history_keys(game, history)[-words.LONGEST_HISTORY :]
            for action in among:
                game.play(s, action)
            if game.forbids_repetition:
                among = _new_positions(game, s, among or [*game.actions(s)], keys)
                if not among:
                    yield self._bare(s, 0.0 + game.utility(s, 0), None, "exact", began)
                    return
            lines = whole("lines", lines, game.max_actions)
            task = Task(s, limit or Limit(time=1.0), lines, keys, soft, tuple(among), began)
            try:
                yield from self._answers(task, every)
            finally:
                self.grant = None

    def _answers(self, task: Task, every: bool) -> Iterator[Analysis]:
        """What is found on one scale, or on several, each larger than the one before: no depth is shown twice."""
        kept: Analysis | None = None
        shown, new = 0, False
        while True:
            seen = 0
            for index in self._attempt(task):
                seen = index + 1
                if every and self._depth(index) > shown:
                    shown = self._depth(index)
                    yield self._analysis(task, index)
            found = self.reports[0][slots.REPORTS]
            if self.status != words.OUT_OF_BOUNDS or self.halted:
                break
            # Nobody said how large utilities can be, and one was larger than thought. What was found before stands.
            if found > 0 and (kept is None or self._depth(found - 1) > (kept.depth or 0)):
                kept, new = self._analysis(task, found - 1), not every or seen < found
            self.spent += sum(desk[words.NODES] for desk in self.desks)
            self.half = wide_enough(self.half, self.half * self._beyond())
            self._forget(settled=False)
        self._fail()
        if found > 0 and (kept is None or self._depth(found - 1) > (kept.depth or 0)):
            first = seen if every and self.status != STOPPED else found - 1
            for index in range(first, found):
                if self._depth(index) > shown:
                    yield self._analysis(task, index)
        elif kept is None:
            yield self._hasty(task)
        elif new:
            nodes = self.spent + sum(desk[words.NODES] for desk in self.desks)
            yield replace(kept, nodes=nodes, time=(now() - task.began) / 1e9)

    def _depth(self, index: int) -> int:
        """The depth of a report, whether it was finished or not."""
        report = self.reports[0]
        return report[slots.REPORT_HEAD + index * report[slots.SLOT_WORDS] + slots.SLOT_DEPTH]

    def _beyond(self) -> float:
        """How large the utility was that did not fit, in halves of the range."""
        word = self.desks[0][words.BEYOND]
        return word if self.machine.name == "python" else word_to_float(word)

    def _fail(self) -> None:
        """Raise what went wrong in the search, if anything did."""
        if self.status in (words.NO_ESTIMATE, words.NO_UTILITY):
            self._forget(settled=True)  # what rests on such a number is no use to anybody
        if self.status == words.NO_ESTIMATE:
            raise BadParameter("evaluate must return finite numbers; in some position it returned nan or an infinity")
        if self.status == words.NO_UTILITY:
            raise BrokenContract(f"{self.game.name}: at some end utility is no finite number; zermelo.check shows it")
        if self.status == words.TOO_MANY:
            raise too_many_actions(self.game.name, self.game.max_actions)

    def _attempt(self, task: Task) -> Iterator[int]:
        """Search with all threads; yield the numbers of reports while the first thread writes further ones."""
        self.age = self.age % 255 + 1
        if self.reports[0][slots.SLOT_WORDS] != slots.slot_words(task.lines, self.game.max_actions):
            self.reports[0] = self._report(task.lines)
        self.reports[0][slots.REPORTS] = 0
        done = threading.Event()
        failed: list[BaseException] = []
        for desk in self.desks:
            desk[words.STATUS] = words.FINE
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
        nodes = max(0, surface.as_word(limit.nodes, words.NEVER) - self.spent)
        desk[words.NODE_LIMIT] = max(1, nodes // self.threads + (0 if helper else nodes % self.threads))
        desk[words.DEPTH_LIMIT] = words.MAX_PLY if limit.depth is None else min(limit.depth, words.MAX_PLY)
        desk[words.SWITCHES], desk[words.HELPER] = self._switches_for(task), helper
        desk[words.LINES] = task.lines if helper == 0 else 1
        desk[words.AGE], desk[words.TABLE], desk[words.ROOM] = self.age, self.entries, self.room
        desk[words.MIDDLE] = float_to_word(self.middle) if native else self.middle
        desk[words.HALF] = float_to_word(self.half) if native else self.half
        desk[words.WINS], desk[words.WATCH] = int(self.wins), 1023 if native else 0
        if self.game.draws_by_repetition:
            desk[words.DRAW] = score_of_utility(self.game.draw_value, self.middle, self.half, self.wins)
        desk[words.PATH] = len(task.keys)
        for i, key in enumerate(task.keys):
            desk[words.KEYS + i] = key
        report[slots.REPORTS] = 0
        memory = self.memories[helper]
        for i, action in enumerate(task.among):
            memory[i] = action
        with surface.deep_recursion():
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
        solid = bool(report[at + slots.SLOT_SOLID])
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
        value = self._value(s, lines[0], scores[0], solid)
        moves[lines[0][0]] = Move(value, bound="exact" if solid else "estimate")
        won = abs(scores[0]) > words.SURE
        nodes = self.spent + report[at + slots.SLOT_NODES]
        nodes += sum(self.desks[i][words.NODES] for i in range(1, self.threads))
        return Analysis(
            value=value, values=surface.both_values(game, value), action=lines[0][0], line=lines[0], moves=moves,
            bound="exact" if solid or won else "estimate", nodes=nodes, depth=depth,
            time=report[at + slots.SLOT_TIME] / 1e9, method="search", device=self.machine.name, game=game, state=s,
            score=scores[0], distance=words.WIN - abs(scores[0]) if won else None, lines=tuple(lines),
            scores=tuple(scores), deepest=report[at + slots.SLOT_DEEPEST],
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
                found = completed(game, s, found, self.table, self.entries, report[at + slots.SLOT_DEPTH])
            pairs.append((side * report[line + slots.LINE_SCORE], found))
        # A later line can turn out better than an earlier one, which was searched without knowing it.
        return sorted(pairs, key=lambda pair: -side * pair[0])

    def value_of(self, score: int) -> float:
        """A score of player 0 on the scale of utilities."""
        if abs(score) > words.SURE:
            return self.middle + (self.half if score > 0 else -self.half)
        if self.own_units:
            return self.game.expected(score)
        return self.middle + score / RANGE * self.half

    def _value(self, s: Any, line: Sequence[int], score: int, solid: bool) -> float:
        """The value of the best line: what its end pays where it reaches one, else what the score says."""
        if not solid or abs(score) > words.SURE:
            return self.value_of(score)
        value = self.middle + score / RANGE * self.half
        for action in line:
            s = self.game.result(s, action)
        # Utilities are more precise than scores, where the line ends in the one that was meant.
        end = 0.0 + self.game.utility(s, 0) if self.game.is_terminal(s) else value
        return end if abs(end - value) <= 1e-5 * self.half else value

    def _hasty(self, task: Task) -> Analysis:
        """Not even depth 1 was finished: the move after which the estimate is best, of those that there is time for."""
        game, s = self.game, task.state
        side = 1 if game.to_move(s) == 0 else -1
        ended, scores = now(), dict[int, float]()
        for action in task.among or game.actions(s):
            scores[action] = self._guess(game.result(s, action)) * side
            if self.status in (STOPPED, words.OUT_OF_TIME) and now() - ended > nanoseconds(HASTE):
                break
        best = max(scores, key=lambda action: scores[action])
        value = side * scores[best]
        return self._bare(s, self.value_of(int(value)) if self.own_units else value, best, "estimate", task.began)

    def _guess(self, s: Any) -> float:
        """What a position is worth to player 0, without any search: a score, or a utility where units are not own."""
        over = self.game.is_terminal(s)
        if self.estimate is not None:
            return 0.0 + self.game.utility(s, 0) if over else 0.0 + self.estimate(self.game, s)
        if over:
            return score_of_utility(0.0 + self.game.utility(s, 0), self.middle, self.half, self.wins)
        # Not by the leaf: its notes lie on the desk of a search.
        return self.game.score(s)

    def _bare(self, s: Any, value: float, action: int | None, bound: str, began: int) -> Analysis:
        return Analysis(
            value=value, values=surface.both_values(self.game, value), action=action,
            line=() if action is None else (action,), moves={}, bound=bound, depth=0,
            nodes=self.spent + self.desks[0][words.NODES], time=(now() - began) / 1e9, method="search",
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
