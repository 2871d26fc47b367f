"""Lines of play that the table cuts short are read on from the table."""

from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.searches.engine.desk import SURE
from zermelo.searches.engine.transpositions import EXACT, LOWER, NO_PLACE, kind_of, place_of, score_of


def completed(game: Game, s: Any, line: Sequence[int], table: Any, entries: int, depth: int) -> tuple[int, ...]:
    """The line, and behind it the moves that the table holds for exact or for wins, up to a length of `depth`."""
    found = list(line)
    seen = set()
    for action in line:
        seen.add(s)
        s = game.result(s, action)
    while len(found) < depth and s not in seen and not game.is_terminal(s):
        seen.add(s)
        data = _entry(table, entries, game.table_key(s))
        actions = list(game.actions(s))
        if data is None or not _tells_best(data) or not place_of(data) < min(len(actions), NO_PLACE):
            break
        found.append(actions[place_of(data)])
        s = game.result(s, found[-1])
    return tuple(found)


def _tells_best(data: int) -> bool:
    return kind_of(data) == EXACT or (kind_of(data) == LOWER and score_of(data, 0) > SURE)


def _entry(table: Any, entries: int, key: int) -> int | None:
    at = (key & (entries - 1) & -2) * 2
    for i in range(2):
        data = table[at + 2 * i + 1]
        if table[at + 2 * i] ^ data == key and data != 0:
            return data
    return None
