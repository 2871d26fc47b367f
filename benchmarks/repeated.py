"""Alpha-beta without the surface around it: only the search, as often as is needed to time it."""

import math
from typing import Any

from zermelo.compile import kernel
from zermelo.running.callbacks import evaluation
from zermelo.searches.plain.alphabeta import alphabeta_value
from zermelo.searches.plain.node import UNLIMITED, WalkSetup
from zermelo.searches.plain.run import Run


@kernel
def search_again(game, setup, s, depth, walk, times):
    """The mean value of `s` over `times` equal searches."""
    total = 0.0
    for _ in range(times):
        walk.count = 0
        total += alphabeta_value(game, setup, s, walk.alpha, walk.beta, depth, walk)
    return total / times


def alphabeta(game: Any, device: str, *, times: int = 1, depth: int = UNLIMITED) -> tuple[float, int]:
    """The value of the first state and the nodes of all searches together."""
    run = Run(game, WalkSetup(windowed=alphabeta_value, evaluate=evaluation(game, None)), (), device)
    value = run.run(search_again, game.initial(), depth, {"times": times}, alpha=-math.inf, beta=math.inf)
    return value, run.walk.nodes
