"""Kernels of the plain searches on a machine: what they are given to work with, and what they counted."""

import math
from collections.abc import Sequence
from typing import Any

from zermelo.compile import machine
from zermelo.errors import BadParameter, BrokenContract, ZermeloError
from zermelo.exact import shown
from zermelo.running.recursion import MAX_PLY, deep_recursion
from zermelo.running.repetition import history_keys
from zermelo.running.statuses import (
    ESTIMATE_OUT_OF_BOUNDS,
    FINE,
    OUT_OF_BOUNDS,
    OUT_OF_NODES,
    OUT_OF_TIME,
    refuse,
)
from zermelo.running.watching import watched
from zermelo.searches.limits import NEVER
from zermelo.searches.plain.budget import Budget, Spent
from zermelo.searches.plain.node import LARGEST, LARGEST_ROOM, SMALL_ROOM, Walk, WalkSetup
from zermelo.searches.plain.rounding import Rounding
from zermelo.searches.plain.window import ANYWHERE

NOTHING = math.nan
STRIDE = 1024
"""Nodes of native code between two looks at the clock; plain Python, where one may take milliseconds, looks at each."""


class Run:
    """Runs of kernels for one game on one machine, and what they counted."""

    def __init__(
        self, game: Any, setup: WalkSetup, history: Sequence[Any], device: str, within: tuple[Any, Any] = ANYWHERE,
        budget: Budget | None = None, keep: int = 0,
    ) -> None:  # fmt: skip
        self.game, self.setup, self.device, self.within = game, setup, device, within
        self.seen, self.nodes, self.deadline = 0, NEVER, NEVER
        if budget is not None:
            self.seen, self.nodes, self.deadline = budget.seen, budget.nodes - budget.seen, budget.deadline
        self.machine = machine(device)
        self.history = history_keys(game, history)
        self.walk: Any = self.machine.block(Walk, game, setup)
        self.walk.keep = keep
        self.walk.room = SMALL_ROOM if device == "python" else LARGEST_ROOM
        loops = game.repetition is not None
        self.walk.keys = self.machine.memory(len(self.history) + 2 * MAX_PLY + 4 if loops else 1)
        if loops:
            for i, key in enumerate(self.history):
                self.walk.keys[i] = key

    def run(self, kernel: Any, s: Any, depth: int, more: dict[str, Any] | None = None, **fields: Any) -> Any:
        """The kernel's answer, with these fields of the walk and `more` arguments; raises what its status says."""
        least, most = self.within
        self.walk.assign(
            nodes=0, status=FINE, cut=0, searched=0, search_cut=0, depth=depth, top=0, past=len(self.history), count=0,
            first_at=0, finer=0, averaged=0, close=0, least=max(least, -LARGEST), most=min(most, LARGEST),
            smallest=LARGEST, largest=_reach(self.within), known=NOTHING, most_nodes=self.nodes, deadline=self.deadline,
            pause=self.nodes + 1 if self.deadline >= NEVER else 1,
            stride=1 if self.device == "python" else STRIDE, **fields,
        )  # fmt: skip
        given = {"game": self.game, "setup": self.setup, "s": s, "depth": depth, "walk": self.walk}
        with deep_recursion(), watched(lambda: self.seen + self.walk.nodes):
            answer = self.machine.call(kernel, **given, **(more or {}))
        status = self.walk.status
        if status in (OUT_OF_TIME, OUT_OF_NODES):
            raise Spent(self.walk.nodes)
        if status in (OUT_OF_BOUNDS, ESTIMATE_OUT_OF_BOUNDS):
            raise self._outside(status)
        refuse(self.game, status)
        return answer

    def _outside(self, status: int) -> ZermeloError:
        """The error of a value that does not lie between the bounds by which the search prunes."""
        name, own, wrong = self.game.name, self.within == self.game.bounds, shown(self.walk.wrong)
        bounds = f"({shown(self.within[0])}, {shown(self.within[1])})"
        if status == ESTIMATE_OUT_OF_BOUNDS:
            return BadParameter(
                f"{name}: an estimate of {wrong} lies outside the bounds {bounds}, by which branches are "
                "pruned: scale evaluate to the utilities, or pass bounds=(low, high) that hold it"
            )
        kind, remedy = (BrokenContract, "widen bounds in the class") if own else (BadParameter, "pass wider bounds=")
        return kind(
            f"{name}: a utility of {wrong} lies outside the bounds {bounds}, by which branches are pruned: {remedy}"
        )

    @property
    def rounding(self) -> Rounding:
        """What rounding may have done to the last answer."""
        walk = self.walk
        return Rounding(bool(walk.finer), bool(walk.averaged), bool(walk.close), walk.smallest, walk.largest)

    def first_moves(self, width: int) -> list[tuple[int, tuple[Any, ...]]]:
        """The first moves, in the order of search, each with `width` values: player 0's or everybody's."""
        count = self.walk.count
        flat, actions = self.walk.first[: count * width], self.walk.moves[:count]
        return [(actions[i], tuple(flat[i * width : (i + 1) * width])) for i in range(count)]


def _reach(within: tuple[Any, Any]) -> Any:
    """The largest absolute value of the finite bounds, 0 where there are none: pruning calculates with them."""
    return max((abs(edge) for edge in within if abs(edge) <= LARGEST), default=0.0)
