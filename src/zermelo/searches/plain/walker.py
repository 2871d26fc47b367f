"""One search of one game: its machine, its memories, and what it counted."""

import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.arguments import is_whole
from zermelo.compile import machine
from zermelo.compile.memory import float_to_word
from zermelo.compile.program import parameters_of
from zermelo.contract import Game
from zermelo.errors import BadParameter, BrokenContract, ZermeloError
from zermelo.exact import shown
from zermelo.running.recursion import MAX_PLY, deep_recursion
from zermelo.running.repetition import history_keys
from zermelo.running.statuses import ESTIMATE_OUT_OF_BOUNDS, NO_ROOM, OUT_OF_BOUNDS, refuse
from zermelo.searches.plain import walk

SMALL_ROOM = 1 << 13
"""Words for actions with which a search in plain Python begins; it gets more when it needs more."""

LARGEST = sys.float_info.max
ANYWHERE = (-math.inf, math.inf)


class Rounding(NamedTuple):
    """What rounding may have done to an answer: whether numbers were finer than floats are, whether floats were
    averaged, whether a choice between averages was close, and the least and the greatest size of what was averaged."""

    finer: bool = False
    averaged: bool = False
    close: bool = False
    smallest: Any = LARGEST
    largest: Any = 0.0


class Walk:
    """One search of one game: its machine, its memories, and what it counted."""

    def __init__(
        self,
        game: Game,
        history: Sequence[Any],
        device: str,
        width: int = 1,
        within: tuple[Any, Any] = ANYWHERE,
    ) -> None:
        self.game, self.width, self.device, self.within = game, width, device, within
        self.machine = machine(device)
        native, loops = device != "python", game.repetition is not None
        self.history = history_keys(game, history)
        self.room = walk.LARGEST_ROOM if native else SMALL_ROOM
        self.memory = self._memory()
        self.root = self.machine.memory(1 + game.max_actions * max(width, game.players))
        self.again = self.machine.memory(1 + game.max_actions * max(width, game.players))
        self.line = self.machine.memory(MAX_PLY + 2 if native else 0)
        self.keys = self.machine.memory(len(self.history) + 2 * MAX_PLY + 4 if loops else 1)
        self.searched = 0
        """Nodes of the last search, the line that follows from it left out."""
        self.cut = False
        """Whether a depth limit cut something off in it."""
        self.rounding = Rounding()
        self.wrong: Any = 0.0
        """A number that lies where none should."""

    def _memory(self) -> Any:
        return self.machine.memory(self.room + walk.SPARE * self.game.max_actions)

    def run(self, kernel: Any, **arguments: Any) -> Any:
        """The kernel's answer; raises what its status says."""
        if arguments.get("record") is not None:
            # What was recorded cannot be taken back: there must be room from the start.
            self.room = walk.LARGEST_ROOM
            self.memory = self._memory()
        status, answer = self._try(kernel, **arguments)
        while status == NO_ROOM and self.room < walk.LARGEST_ROOM:
            self.room *= 4
            self.memory = self._memory()
            status, answer = self._try(kernel, **arguments)
        if status in (OUT_OF_BOUNDS, ESTIMATE_OUT_OF_BOUNDS):
            raise self._outside(status)
        refuse(self.game, status)
        return answer

    def _try(self, kernel: Any, **arguments: Any) -> tuple[int, Any]:
        work = self.machine.memory(walk.WORK_WORDS)
        work[walk.ROOM] = self.room
        work[walk.PATH] = len(self.history)
        least, most = self.within
        self.machine.write(work, walk.LEAST, [self._word(max(least, -LARGEST)), self._word(min(most, LARGEST))])
        self.machine.write(work, walk.SMALLEST, [self._word(LARGEST), self._word(_reach(self.within))])
        self.root[0] = 0
        if self.game.repetition is not None:
            for i, key in enumerate(self.history):
                self.keys[i] = key
        given = {
            "game": self.game, "memory": self.memory, "top": 0, "ply": 0, "root": self.root, "again": self.again,
            "keys": self.keys, "work": work, "line": self.line, "record": None, **arguments,
        }  # fmt: skip
        with deep_recursion():
            answer = self.machine.call(kernel, **{name: given[name] for name in parameters_of(kernel)})
        self.searched, self.cut = work[walk.SEARCHED], bool(work[walk.SEARCH_CUT])
        smallest, largest = self.machine.floats(work, walk.SMALLEST, 2)
        self.rounding = Rounding(
            bool(work[walk.FINER]), bool(work[walk.AVERAGED]), bool(work[walk.CLOSE]), smallest, largest
        )
        self.wrong = self.machine.floats(work, walk.WRONG, 1)[0]
        return work[walk.STATUS], answer

    def _word(self, value: Any) -> Any:
        return value if self.device == "python" else float_to_word(float(value))

    def _outside(self, status: int) -> ZermeloError:
        """The error of a value that does not lie between the bounds by which the search prunes."""
        name, own = self.game.name, self.within == self.game.bounds
        bounds = f"({shown(self.within[0])}, {shown(self.within[1])})"
        if status == ESTIMATE_OUT_OF_BOUNDS:
            return BadParameter(
                f"{name}: an estimate of {shown(self.wrong)} lies outside the bounds {bounds}, by which branches are "
                "pruned: scale evaluate to the utilities, or pass bounds=(low, high) that hold it"
            )
        kind, remedy = (BrokenContract, "widen bounds in the class") if own else (BadParameter, "pass wider bounds=")
        return kind(
            f"{name}: a utility of {shown(self.wrong)} lies outside the bounds {bounds}, by which branches are pruned: "
            f"{remedy}"
        )

    def first_moves(self) -> list[tuple[int, tuple[float, ...]]]:
        """The first moves, in the order of search, with player 0's value or everybody's."""
        count = self.root[0]
        flat = self.machine.floats(self.root, 1, count * self.width)
        actions = self.words(self.memory, count)
        return [(actions[i], flat[i * self.width : (i + 1) * self.width]) for i in range(count)]

    def words(self, memory: Any, count: int) -> tuple[int, ...]:
        """The first words of a memory."""
        return tuple(memory[i] for i in range(count))


def _reach(within: tuple[Any, Any]) -> Any:
    """The greatest size that these bounds allow, where there are any: pruning calculates with them."""
    return max((abs(edge) for edge in within if abs(edge) <= LARGEST), default=0.0)


def checked_depth(depth: Any) -> int:
    """The depth as kernels count it."""
    if depth is None:
        return walk.UNLIMITED
    if not is_whole(depth) or depth < 0:
        raise BadParameter(f"depth must be an integer >= 0 or None, not {depth!r}")
    return depth
