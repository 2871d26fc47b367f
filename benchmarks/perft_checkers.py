"""Claim: checkers perft on the cpu is at least 20 times as fast as OpenSpiel driven from Python.

Both count the last move without playing it, so that leaves a second can be compared over different depths. OpenSpiel
plays a jump as several actions of one player; they are joined, and so the last jumps must be played to their end.
"""

from typing import Any

from measure import perft_against_openspiel

DEPTH, PEER_DEPTH = 10, 6
CAPTURE = 1
"""The bit that tells OpenSpiel's jumps from its steps; where there is a jump there are no steps."""


def count(state: Any, depth: int) -> int:
    """Perft by OpenSpiel's states; a turn lasts until the other player is to move."""
    if state.is_terminal():
        return 0
    mover, actions, leaves = state.current_player(), state.legal_actions(), 0
    if depth == 1 and not actions[0] & CAPTURE:
        return len(actions)
    for action in actions:
        after = state.child(action)
        if after.current_player() == mover:
            leaves += count(after, depth)
        else:
            leaves += 1 if depth == 1 else count(after, depth - 1)
    return leaves


if __name__ == "__main__":
    perft_against_openspiel("Checkers perft", "checkers", DEPTH, PEER_DEPTH, 20, count)
