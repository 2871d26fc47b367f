"""Faults of rules that no method may overlook: movers who do not play, and invalid utilities, odds and actions.

Kernels look where such a thing would show first, and turn back with one of the statuses of `statuses`.
"""

from zermelo.compile import as_number, as_whole, kernel
from zermelo.contract import CHANCE
from zermelo.running.statuses import FINE, NO_ACTION, NO_ODDS, NO_PLAYER

ROUNDING = 1e-9
"""The sum of odds may differ from 1 by this much."""


@kernel
def is_player(game, mover):
    """Whether somebody of this number can be on the move; chance can where the game has a `probability`."""
    return (0 if game.probability is None else CHANCE) <= mover < game.players


@kernel
def are_odds(total):
    """Whether odds, none of them negative, have a sum of 1."""
    return -ROUNDING <= total - 1.0 <= ROUNDING


@kernel
def are_actions(memory, start, end):
    """Whether the words from `start` on can be actions: integers, none of them negative."""
    signs = 0
    for i in range(start, end):
        signs |= as_whole(memory[i])
    return signs >= 0


@kernel
def fault_at(game, s, memory, start, end):
    """What is wrong with a state that has been opened, whose actions lie in memory; 0 where nothing is."""
    if start == end:
        return FINE
    mover = as_whole(game.to_move(s))
    if not is_player(game, mover):
        return NO_PLAYER
    if not are_actions(memory, start, end):
        return NO_ACTION
    if game.probability is not None and mover == CHANCE:
        total = as_number(0)
        for i in range(start, end):
            odds = as_number(game.probability(s, memory[i]))
            if not odds >= 0.0:
                return NO_ODDS
            total += odds
        if not are_odds(total):
            return NO_ODDS
    return FINE
