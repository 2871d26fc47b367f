"""Trees that are out of reach are recognised before they are walked."""

import itertools
from random import Random
from typing import Any

from zermelo.contract import Game
from zermelo.errors import EndlessGame

WALKS, LONGEST = 8, 400
CERTAIN = 10**9
"""In each walk, a tree that is small enough is refused with a probability of at most one in this number."""


def refuse_huge(game: Game, state: Any, most: int) -> None:
    """Raise EndlessGame where the tree below a state has far more than `most` nodes.

    The product of the numbers of actions on a random path estimates how many nodes lie at its depth (Knuth, 1975). In a
    tree of n nodes, at most n are nodes where that product first reaches c. A walk comes to each of these with a
    probability of at most 1/c, so the product reaches c with a probability of at most n/c.
    """
    source, huge = Random(0), most * CERTAIN
    for _ in range(WALKS):
        s, product = state, 1
        for _ in range(LONGEST):
            if game.is_terminal(s):
                break
            actions = list(itertools.islice(game.actions(s), game.max_actions + 1))
            if not actions:
                break
            product *= len(actions)
            if product >= huge:
                raise EndlessGame(f"{game.name} has far more than {most:,} nodes: {without_tree(game)}")
            s = game.result(s, source.choice(actions))


def without_tree(game: Game) -> str:
    """What to do where a tree is too large."""
    if game.view is not None:
        return 'too many for its tree; cfr(game, variant="external") needs none'
    method = "mcts" if game.players > 2 or game.probability is not None else "search or mcts"
    return f"too many for its tree; {method} needs none"


def without_table(game: Game) -> str:
    """What to do where a table of strategies is too large."""
    methods = "sequence_form or cfr" if game.players == 2 else "quantal_response or cfr"
    return f"use {methods}, which need no strategies"
