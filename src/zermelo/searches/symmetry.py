"""Mirror images: of moves that lead to the same state but for symmetry, one is enough."""

from typing import Any

from zermelo.compile import hash64, kernel
from zermelo.contract import Game
from zermelo.record import MIRROR


def least_image(game: Game, s: Any) -> Any:
    """The least of the states that are `s` but for symmetry: the same for all of them."""
    return min(game.transform(s, k) for k in range(game.symmetry_count))


@kernel
def canonical_key(game, s):
    """A hash that symmetric states share."""
    key = hash64(s)
    for k in range(1, game.symmetry_count):
        key = min(key, hash64(game.transform(s, k)))
    return key


@kernel
def without_twins(game, s, memory, top, end, record):
    """Keep the first of all actions that lead to the same state but for symmetry. Their keys use room behind `end`."""
    kept = top
    keys = end
    for i in range(top, end):
        action = memory[i]
        key = canonical_key(game, game.result(s, action))
        twin = False
        for j in range(keys, keys + kept - top):
            if memory[j] == key:
                twin = True
        if not twin:
            memory[keys + kept - top] = key
            memory[kept] = action
            kept += 1
        elif record is not None:
            record.skip(action, MIRROR)
    return kept
