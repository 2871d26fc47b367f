"""Lines of play that the table cuts short are read on from the table."""

from collections.abc import Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.searches.engine.desk import FOUND, SURE
from zermelo.searches.engine.transpositions import EXACT, LOWER, NO_PLACE, entry_words, kind_of, place_of, score_of


def completed(
    game: Game, leaf: Any, s: Any, line: Sequence[int], table: Any, entries: int, depth: int
) -> tuple[int, ...]:
    """The line, and behind it the moves that the table holds for exact or for wins, up to a length of `depth`."""
    found = list(line)
    seen = set()
    for action in line:
        seen.add(s)
        s = game.result(s, action)
    while len(found) < depth and s not in seen and not game.is_terminal(s):
        seen.add(s)
        entry = _entry(leaf, table, entries, game.table_key(s))
        actions = list(game.actions(s))
        if entry is None or not _tells_best(leaf, *entry) or not place_of(entry[0]) < min(len(actions), NO_PLACE):
            break
        found.append(actions[place_of(entry[0])])
        s = game.result(s, found[-1])
    return tuple(found)


def _tells_best(leaf: Any, data: int, score: int) -> bool:
    return kind_of(data) == EXACT or (kind_of(data) == LOWER and score_of(leaf, data, 0, {FOUND: score}) > SURE)


def _entry(leaf: Any, table: Any, entries: int, key: int) -> tuple[int, int] | None:
    """The data about a position, and its score where that has a word of its own."""
    width = entry_words(leaf)
    at = (key & (entries - 1) & -2) * width
    for first in (at, at + width):
        data, score = table[first + 1], 0 if leaf is None else table[first + 2]
        if table[first] ^ data ^ score == key and data != 0:
            return data, score
    return None
