"""Connect Four solved: the exact score of a position and of every move in it, on boards of any size that fits.

A score counts the winner's stones. 0 is a draw; a side that wins with its last stone has 1, with the one before it 2,
and so on; the loser has as much below 0. The last stone of a side is the last that it can play on this board.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.arguments import is_whole
from zermelo.compile import machine
from zermelo.errors import BadParameter, Interrupted, UnsuitableGame
from zermelo.games.connect_four import ConnectFour
from zermelo.games.connect_four.claims import Board
from zermelo.games.connect_four.solver_search import FULL, PAUSED, UNLIMITED, ScoreSearch, clear, move_entries, narrow
from zermelo.plain_data import frame, game_data
from zermelo.running.devices import on_machine

if TYPE_CHECKING:
    from pandas import DataFrame

Watch = Callable[[int, int, int], None]
TABLE = 1024
LARGEST_TABLE = 1 << 20
"""Megabytes that the large table may grow to by default, and the most that a caller may allow."""
FIRST_SIZE, GROWTH = 14, 3
"""Binary logarithms: of the entries that the large table begins with, and of how much it grows."""
QUICK = 20_000
"""Positions that are searched before a thread is started, in which the search can be interrupted."""
PAUSE = 0.25
"""Seconds between two calls of `watch`."""


@dataclass(frozen=True)
class Solved:
    """The score of a position for the side to move, and that of each move.

    0 is a draw, 1 a win with the last stone, 2 one stone earlier; losses are negative. `moves` is empty where they were
    not asked for, and at the end of a game.
    """

    value: int
    moves: dict[int, int]
    nodes: int
    time: float
    device: str
    game: ConnectFour = field(repr=False)
    state: Any = field(repr=False)

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that keep the value."""
        return tuple(action for action, score in self.moves.items() if score == self.value)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; moves go by their names."""
        names = {self.game.format_action(self.state, action): score for action, score in self.moves.items()}
        found = {"value": self.value, "moves": names, "nodes": self.nodes, "seconds": self.time, "device": self.device}
        return game_data(self.game) | {"position": self.game.format_state(self.state)} | found

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each move."""
        return frame(
            ("action", "name", "score"),
            ((a, self.game.format_action(self.state, a), score) for a, score in self.moves.items()),
        )

    @property
    def last_move(self) -> int:
        """The number of the move with which the game ends; moves are counted from the empty board."""
        cells = self.game.rows * self.game.cols
        stones = (self.state.x | self.state.o).bit_count()
        if self.value == 0 or self.game.is_over(self.state):
            return cells if self.value == 0 else stones
        # The winner plays every second move, and has `value` - 1 of them left after the last.
        last = cells + 2 - 2 * abs(self.value)
        return last - (last - stones - (self.value > 0)) % 2

    def __str__(self) -> str:
        """The scores over their columns, the board, and who wins when."""
        scores = {action: f"{score:+d}" if score else "0" for action, score in self.moves.items()}
        lines = [line.split() for line in self.game.text(self.state).splitlines()]
        if scores:
            lines.insert(0, [scores.get(column, "") for column in range(self.game.cols)])
        width = max(len(mark) for line in lines for mark in line)
        board = "\n".join(" ".join(mark.rjust(width) for mark in line).rstrip() for line in lines)
        mover, other = ("X", "O") if self.state.player == 0 else ("O", "X")
        if self.game.is_over(self.state):
            return f"{board}\n{other} has won on move {self.last_move}"
        if self.value == 0:
            return f"{board}\n{mover} to move: a draw" if self.moves else f"{board}\na draw"
        winner = mover if self.value > 0 else other
        return f"{board}\n{mover} to move: {winner} wins on move {self.last_move} ({self.value:+d})"


class Solver:
    """Solves positions of one board, and keeps what it found out for the next one.

    >>> from zermelo import game
    >>> solver = Solver(game("connect_four:rows=4,cols=4"), device="python")
    >>> solver.solve().value
    0
    >>> solver.solve(solver.game.parse_state("121212")).moves
    {0: 5, 1: 0, 2: -5, 3: -5}
    """

    def __init__(self, game: ConnectFour, *, table: int = TABLE, device: str = "auto") -> None:
        if type(game) is not ConnectFour:
            raise UnsuitableGame(
                f"{getattr(game, 'name', game)} is not Connect Four, and this solver knows nothing else"
            )
        if not is_whole(table) or not 1 <= table <= LARGEST_TABLE:
            raise BadParameter(f"solve: table must be a number of megabytes from 1 to {LARGEST_TABLE}, not {table!r}")
        if device == "cuda":
            raise BadParameter('solve: Connect Four is solved on one core; use device="cpu" or "python"')
        self.game = game
        self.board = Board(rows=game.rows, cols=game.cols, line=game.line)
        self.board.name = game.name
        self.device = on_machine(self.board, device, lambda on: machine(on).name)
        self.machine = machine(self.device)
        self.largest = min(self.board.bits, (table << 17).bit_length() - 1)
        self.work = self.machine.block(ScoreSearch, self.board)
        self.work.bits = self.smallest = min(FIRST_SIZE, self.largest)
        self._take_table()

    def reset(self) -> None:
        """Forget everything that was found out."""
        self.work.stored = 0
        if self.work.bits > self.smallest:
            self.work.bits = self.smallest
            self._take_table()
        else:
            self.clear()

    def _take_table(self) -> None:
        work, bits = self.work, self.work.bits
        work.table = self.machine.memory((1 << self.board.small) + (1 << bits))
        work.most = 1 << bits if bits < self.largest else UNLIMITED
        self.begin = self.machine.brief(narrow, game=self.board, work=work)
        self.clear = self.machine.brief(clear, table=work.table, words=len(work.table))

    def solve(self, state: Any = None, *, moves: bool = True, watch: Watch | None = None) -> Solved:
        """The score of a position and, unless `moves` is False, of every move.

        `watch(nodes, low, high)` is called about four times a second, from another thread: how many positions were
        searched, and between which scores the one that is being looked for lies.
        """
        started = time.perf_counter()
        s = self.game.initial() if state is None else self.game.checked_state(state)
        self.work.nodes = 0
        with nullcontext() if watch is None else self._watched(watch):
            value, scores = self._scores(s, moves)
        spent = time.perf_counter() - started
        return Solved(value, scores, self.work.nodes, spent, self.device, self.game, s)

    def _scores(self, s: Any, moves: bool) -> tuple[int, dict[int, int]]:
        """The score of a position, and those of its moves if they are wanted."""
        game, scores = self.game, {}
        taken = s.x | s.o
        left = self.board.cells - taken.bit_count()
        if game.is_over(s):
            return -((left + 2) // 2), {}
        value = self._score(s.o if s.player else s.x, taken, left, -left)
        for action in game.actions(s) if moves else ():
            child = game.result(s, action)
            if game.is_over(child):
                scores[action] = (left + 1) // 2
            else:
                mover = child.o if child.player else child.x
                scores[action] = -self._score(mover, child.x | child.o, left - 1, -value)
        return value, scores

    def _score(self, own: int, taken: int, left: int, least: int) -> int:
        """The score of a position in which no side has a line, given that it is `least` or more."""
        work = self.work
        work.own, work.taken = own, taken
        work.low, work.high = max(least, -(left // 2)), max(0, (left - 1) // 2)
        work.status, work.limit = 0, work.nodes + QUICK
        self.begin()
        while work.status != 0:
            if work.status == FULL:
                self._grow()
            elif work.status != PAUSED:
                raise Interrupted("solve: stopped before the score was known")
            work.status, work.limit = 0, UNLIMITED
            self.machine.call(narrow, game=self.board, work=work)
        return int(work.low)

    def _grow(self) -> None:
        """Take a larger table, if there is memory for it, and move everything there."""
        work, size, table = self.work, self.work.bits, self.work.table
        work.bits = min(size + GROWTH, self.largest)
        try:
            self._take_table()
        except (MemoryError, OSError):
            work.bits, work.most = size, UNLIMITED
            return
        self.machine.call(move_entries, game=self.board, table=table, size=size, work=work)

    @contextmanager
    def _watched(self, watch: Watch) -> Iterator[None]:
        done = threading.Event()

        def look() -> None:
            while not done.wait(PAUSE):
                watch(self.work.nodes, self.work.low, self.work.high)

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
