"""Counting: the paths of a given length (perft) and the states that can be reached."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.arguments import whole
from zermelo.by_hand import AnyGame, as_game
from zermelo.compile import Block, as_whole, kernel, machine, make_room
from zermelo.compile.program import STOPPED, told_as
from zermelo.contract import Game, require_game
from zermelo.errors import BadParameter
from zermelo.plain_data import frame, game_data
from zermelo.running.devices import on_best_machine
from zermelo.running.nodes import require_sound
from zermelo.running.statuses import FINE, NO_ACTION, TOO_MANY, refuse
from zermelo.searches.symmetry import least_image

if TYPE_CHECKING:
    from pandas import DataFrame

DEEPEST = 1_000
"""Actions of the longest paths that are counted."""


class Counting(Block):
    """A count that is under way."""

    status: int  # what went wrong, or that it was stopped


@kernel
@told_as("perft")
def perft_count(game, s, depth, memory, top, counting):
    """The number of paths of just `depth` actions from `s`; the last action is counted, not played.

    `memory` holds the actions of all states on the path; those of `s` begin at `top`.
    """
    if counting.status != FINE or game.is_over(s):
        return 0
    if depth == 1 and not game.writes_fill:
        count = game.action_count(s)
        if count > game.max_actions:
            counting.status = TOO_MANY
        return count
    make_room(memory, top + game.max_actions)
    end = game.fill(s, memory, top)
    if end < 0:
        counting.status = TOO_MANY
        return 0
    if depth == 1:
        return end - top
    paths = 0
    for i in range(top, end):
        action = as_whole(memory[i])
        if action < 0:
            counting.status = NO_ACTION
            return 0
        paths += perft_count(game, game.result(s, action), depth - 1, memory, end, counting)
    return paths


class PathCounter:
    """Counts the paths of one game.

    Another thread may call `stop`. The count that is running then raises Interrupted, and so does every later count.
    """

    def __init__(self, game: Game, device: str = "auto") -> None:
        require_game(game, "perft")
        self.game, self.device = game, device
        self.stopped = False
        self.counting: Any = None

    def stop(self) -> None:
        """End the count that is running, and those that follow."""
        self.stopped = True
        if self.counting is not None:
            self.counting.status = STOPPED

    def paths(self, depth: int, state: Any = None) -> int:
        """The number of paths of just `depth` actions."""
        whole("perft: depth", depth, 0, DEEPEST)
        game = self.game
        s = game.initial() if state is None else game.checked_state(state)
        if depth == 0:
            return 1
        require_sound(game, s)

        def count(on: str) -> int:
            chosen = machine(on)
            memory = chosen.memory((depth + 1) * game.max_actions if on != "python" else 0)
            self.counting = counting = chosen.block(Counting)
            # Another thread can reach `counting` from here on. A stop that came before has to be looked up.
            if self.stopped:
                counting.status = STOPPED
            paths = chosen.call(perft_count, game=game, s=s, depth=depth, memory=memory, top=0, counting=counting)
            refuse(game, counting.status)
            return paths

        return on_best_machine(game, "perft", self.device, count)

    def divided(self, depth: int, state: Any = None) -> Iterator[tuple[int, int]]:
        """Each first action with the number of paths that begin with it, as soon as it is counted."""
        whole("perft: depth", depth, 1, DEEPEST)
        s = self.game.initial() if state is None else self.game.checked_state(state)
        children = [] if self.game.is_terminal(s) else self.game.successors(s)
        return ((action, self.paths(depth - 1, child)) for action, child in children)


def perft(game: AnyGame, depth: int, state: Any = None, *, device: str = "auto") -> int:
    """The number of ways to play just `depth` actions; games that end earlier do not count.

    >>> from zermelo import game
    >>> perft(game("tic_tac_toe"), 4, device="python")
    3024
    """
    return PathCounter(as_game(game), device).paths(depth, state)


class Divided(dict[int, int]):
    """The number of paths that begin with each first action."""

    def __init__(self, counts: Iterable[tuple[int, int]], *, game: Game, state: Any, depth: int) -> None:
        super().__init__(counts)
        self.game, self.state, self.depth = game, state, depth

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Divided, list(self.items()), game=self.game, state=self.state, depth=self.depth), ()

    @property
    def names(self) -> dict[str, int]:
        """The same by the names of the actions."""
        return {self.game.format_action(self.state, action): paths for action, paths in self.items()}

    def to_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        position = {"position": self.game.format_state(self.state), "depth": self.depth}
        return game_data(self.game) | position | {"paths": sum(self.values()), "divide": self.names}

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each first action."""
        return frame(("action", "name", "paths"), zip(self, self.names, self.values(), strict=True))


def perft_divide(game: AnyGame, depth: int, state: Any = None, *, device: str = "auto") -> Divided:
    """The perft of each first action, which finds a wrong rule faster than the total does.

    >>> from zermelo import game
    >>> perft_divide(game("nim"), 2, device="python").names["2 from heap 1"]
    2
    """
    game = as_game(game)
    counts = PathCounter(game, device).divided(depth, state)
    return Divided(counts, game=game, state=game.initial() if state is None else state, depth=depth)


@dataclass(frozen=True)
class Reachable:
    """The states that play can reach, level by level; iterating yields them in that order."""

    states: tuple[Any, ...] = field(repr=False)
    terminal: int
    levels: tuple[int, ...]
    """New states after 0, 1, 2, ... actions."""

    @property
    def count(self) -> int:
        """How many states there are."""
        return len(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.states)


def reachable(
    game: AnyGame, state: Any = None, *, limit: int = 2_000_000, depth: int | None = None, symmetry: bool = False
) -> Reachable:
    """Every state that play can reach from `state`, each once, ends included.

    With `symmetry`, of states that are mirror images of each other only the first that is met.

    >>> from zermelo import game
    >>> reachable(game("tic_tac_toe")).count, reachable(game("nim"), symmetry=True).count
    (5478, 9)
    """
    game = as_game(game)
    require_game(game, "reachable")
    if symmetry and game.transform is None:
        raise BadParameter(f"{game.name} defines no transform(s, k): symmetry=True has nothing to work with")
    s = game.initial() if state is None else game.checked_state(state)
    seen = {least_image(game, s) if symmetry else s: s}
    level, levels, terminal = [s], [1], 0
    while level and (depth is None or len(levels) <= depth):
        following = []
        for here in level:
            if game.is_terminal(here):
                terminal += 1
                continue
            for _, child in game.successors(here):
                known_by = least_image(game, child) if symmetry else child
                if known_by not in seen:
                    seen[known_by] = child
                    following.append(child)
            if len(seen) > limit:
                raise BadParameter(f"{game.name} has more than {limit:,} states; raise limit=, or give a depth=")
        if following:
            levels.append(len(following))
        level = following
    terminal += sum(game.is_terminal(here) for here in level)
    return Reachable(tuple(seen.values()), terminal, tuple(levels))
