"""Searches that run in one launch of a native machine, each with a tree of its own in one memory."""

from collections.abc import Sequence
from typing import Any

from zermelo.compile import state_words
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.choosing import summary_words
from zermelo.searches.mcts.crew import LANES, desk_words_of, search_block, search_row
from zermelo.searches.mcts.options import Plan, signed


class Batch:
    """Memory for so many searches at once. A GPU has a tree for each of them; on the CPU, where one follows the other,
    they use the same memory."""

    def __init__(self, plan: Plan, on: Any, count: int, capacity: int, keys: Sequence[int] = ()) -> None:
        self.plan, self.machine, self.capacity, self.history = plan, on, capacity, len(keys)
        game, at_once = plan.game, count if on.name == "cuda" else 1
        self.together = on.name == "cuda" and plan.options.playouts > 1
        self.lanes = LANES if self.together else 1
        self.room, self.path, self.size = plan.stack_words, plan.key_words(len(keys)), summary_words(game, plan.width)
        self.spacing = 1 if on.name == "cuda" else 0
        self.forest = on.memory(at_once * capacity)
        self.rooms = on.memory(at_once * self.lanes * self.room)
        self.paths = on.memory(at_once * self.path)
        self.works = on.memory(at_once * at.WORDS)
        self.desks = on.memory(at_once * desk_words_of(game))
        self.states = on.memory(count * state_words(game))
        self.orders = on.memory(2 * count)
        self.out = on.memory(count * self.size)
        self.template, self.bare = on.memory(at.WORDS), on.memory(at.HEAD + plan.width)
        self.keys = on.memory(max(1, len(keys)))
        on.write(self.keys, 0, list(keys))

    def search(self, states: Sequence[Any], seeds: Sequence[int], limits: Sequence[int], fresh: bool) -> list[Any]:
        """The summaries of the trees after so many simulations each; they go on growing unless they are `fresh`."""
        self.order(states, seeds, limits)
        self.launch(len(states), fresh)
        words = self.machine.read(self.out, 0, len(states) * self.size)
        return [words[i * self.size : (i + 1) * self.size] for i in range(len(states))]

    def order(self, states: Sequence[Any], seeds: Sequence[int], limits: Sequence[int]) -> None:
        """Lay out what is to be searched."""
        plan, on = self.plan, self.machine
        self._write_states(states)
        on.write(self.orders, 0, [x for pair in zip(map(signed, seeds), limits, strict=True) for x in pair])
        on.write(self.template, 0, plan.work(True, 0, at.NEVER, 0, self.history))
        on.write(self.bare, 0, plan.bare_tree(self.capacity))

    def launch(self, count: int, fresh: bool) -> None:
        """Search as many of the trees that are laid out."""
        kernel = search_block if self.together else search_row
        self.machine.spread(kernel, count * self.lanes, **self._arguments(int(fresh)))

    def prepare(self) -> None:
        """Compile what is not compiled yet."""
        self.machine.prepare(search_block if self.together else search_row, **self._arguments(1))

    def _arguments(self, fresh: int) -> dict[str, Any]:
        return {
            **self.plan.kernel_arguments(self.machine.name), "fresh": fresh, "spacing": self.spacing,
            "states": self.states, "orders": self.orders, "template": self.template, "bare": self.bare,
            "history": self.keys, "forest": self.forest, "capacity": self.capacity, "rooms": self.rooms,
            "room": self.room, "paths": self.paths, "path": self.path, "works": self.works, "out": self.out,
            "size": self.size, "desks": self.desks, "desk_words": desk_words_of(self.plan.game),
        }  # fmt: skip

    def _write_states(self, states: Sequence[Any]) -> None:
        from zermelo.compile.layout import flat, state_layout

        layout = state_layout(self.plan.game)
        self.machine.write(self.states, 0, [word for s in states for word in flat(layout, s)])


def line_of(summary: list[int]) -> tuple[int, ...]:
    """The line that a summary ends with."""
    start = len(summary) - at.LONGEST_LINE
    return tuple(summary[start : start + summary[start - 1]])


def words_for(plan: Plan, simulations: int, most: int) -> int:
    """The words of a tree that is never full: each simulation opens one node. At most `most`, and what a root needs."""
    block = 1 + plan.game.max_actions * plan.width
    least = at.HEAD + plan.width + block
    return max(least, min(most, least + simulations * block))
