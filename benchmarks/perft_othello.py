"""Claim: Othello perft on the cpu is at least 20 times as fast as OpenSpiel driven from Python.

Both count the last move without playing it, so that leaves a second can be compared over different depths.
"""

from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo

DEPTH, PEER_DEPTH = 10, 7


def count(state: Any, depth: int) -> int:
    """Perft by OpenSpiel's states."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(count(state.child(action), depth - 1) for action in actions)


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("othello")
    first = openspiel().load_game("othello").new_initial_state()
    leaves, peer_leaves = zermelo.perft(game, DEPTH, device="cpu"), count(first, PEER_DEPTH)
    assert peer_leaves == zermelo.perft(game, PEER_DEPTH, device="cpu"), "the rules differ"
    native, peer = fastest(
        lambda: zermelo.perft(game, DEPTH, device="cpu"), lambda: count(first, PEER_DEPTH), repeats=3
    )
    speed, peer_speed = leaves / native, peer_leaves / peer
    report(
        "Othello perft",
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
