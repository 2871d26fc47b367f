"""Alpha-beta without the surface around it: only the search, as often as is needed to time it."""

import math
from typing import Any

from zermelo.compile import kernel
from zermelo.running.callbacks import evaluation
from zermelo.searches.plain import walk
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.walker import Walk


@kernel
def search_again(game, s, alpha, beta, depth, times, ply, evaluate, memory, top, root, keys, work):
    """The mean value of `s` over `times` equal searches."""
    total = 0.0
    for _ in range(times):
        total += alphabeta_value(
            game, s, alpha, beta, depth, ply, evaluate, None, False, False, memory, top, root, keys, work, None
        )  # fmt: skip
    work[walk.SEARCHED] = work[walk.NODES]
    return total / times


def alphabeta(game: Any, device: str, *, times: int = 1, depth: int = walk.UNLIMITED) -> tuple[float, int]:
    """The value of the first state and the nodes of all searches together."""
    walker = Walk(game, (), device)
    value = walker.run(
        search_again, s=game.initial(), alpha=-math.inf, beta=math.inf, depth=depth, times=times,
        evaluate=evaluation(game, None),
    )  # fmt: skip
    return value, walker.searched
