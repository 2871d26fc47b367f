"""Positions that came up before, and what the rules make of them: a draw, or a move that nobody may make.

`keys` holds the keys of positions: first the `before` of the history, then those on the path that is searched. Two
policies stand side by side. Exact methods count as the rules do (`is_drawn`). Engines and simulations take the second
time on their path for the draw that the next one would be (`last_time`): what came up once can come up again.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.compile import kernel
from zermelo.contract import Game
from zermelo.errors import BadParameter

NEVER = -1
"""The place of what did not come up before."""


@kernel
def occurrences(keys, count, key):
    """How often a key stands among the first `count`."""
    found = 0
    for i in range(count):
        if keys[i] == key:
            found += 1
    return found


@kernel
def is_drawn(game, s, keys, count):
    """Whether the rules call this position a draw, because it stands among the first `count` often enough."""
    return game.draws_by_repetition and occurrences(keys, count, game.key(s)) + 1 >= game.repetition_count


@kernel
def last_time(game, keys, first, here, settled):
    """Where the position of place `here` stood before, if that makes it as good as a draw; NEVER where it does not.

    From place `settled` on once is enough; before it the position counts as often as the rules say. Nothing before
    `first` can be the same position.
    """
    key, times = keys[here], 1
    i = here - 1
    while i >= first:
        if keys[i] == key:
            times += 1
            if i >= settled or times >= game.repetition_count:
                return i
        i -= 1
    return NEVER


@kernel
def without_repeats(game, s, memory, top, end, keys, count, record):
    """Keep the actions that lead to no position that came up before, where the rules forbid such moves."""
    kept = top
    for i in range(top, end):
        if occurrences(keys, count, game.key(game.result(s, memory[i]))) == 0:
            memory[kept] = memory[i]
            kept += 1
        elif record is not None:
            record.skip(memory[i], "repeats an earlier position")
    return kept


# --- in plain Python -------------------------------------------------------------------------------------------------


def is_drawn_after(game: Game, s: Any, keys: Sequence[int]) -> bool:
    """Whether the rules call `s` a draw after positions with these keys."""
    return game.draws_by_repetition and keys.count(game.key(s)) + 1 >= game.repetition_count


def new_positions(game: Game, s: Any, actions: Sequence[int], keys: Iterable[int]) -> list[int]:
    """The actions that lead to no earlier position, nor stay at this one."""
    seen = {*keys, game.key(s)}
    return [action for action in actions if game.key(game.result(s, action)) not in seen]


def history_keys(game: Game, history: Sequence[Any]) -> list[int]:
    """The keys of the positions that came before, given as states or as keys."""
    if not isinstance(history, Iterable):
        raise BadParameter(f"history must be states or keys in the order of play, not {history!r}")
    kind = type(game.initial()) if history else None
    return [_key(game, item, kind) for item in history]


def _key(game: Game, item: Any, kind: Any) -> int:
    return int(item) if isinstance(item, int) and not issubclass(kind, int) else game.key(game.checked_state(item))
