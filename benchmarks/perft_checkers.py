"""Claim: checkers perft on the cpu is at least 20 times as fast as OpenSpiel driven from Python.

Both count the last move without playing it, so that leaves a second can be compared over different depths. OpenSpiel
plays a jump as several actions of one player; they are joined, and so the last jumps must be played to their end.
"""

from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo

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


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("checkers")
    first = openspiel().load_game("checkers").new_initial_state()
    leaves, peer_leaves = zermelo.perft(game, DEPTH, device="cpu"), count(first, PEER_DEPTH)
    assert peer_leaves == zermelo.perft(game, PEER_DEPTH, device="cpu"), "the rules differ"
    native, peer = fastest(
        lambda: zermelo.perft(game, DEPTH, device="cpu"), lambda: count(first, PEER_DEPTH), repeats=3
    )
    speed, peer_speed = leaves / native, peer_leaves / peer
    report(
        "Checkers perft",
        [Finding("speed against OpenSpiel from Python", speed / peer_speed, 20)],
        {
            "cpu leaves/s": speed,
            "OpenSpiel leaves/s": peer_speed,
            "cpu depth": DEPTH,
            "peer depth": PEER_DEPTH,
        },
    )


if __name__ == "__main__":
    main()
