"""Claim: Connect Four perft on the cpu is at least 100 times as fast as OpenSpiel driven from Python, and at least 200
times as fast as the python machine.

All count the last move without playing it, so that leaves a second can be compared over different depths.
"""

from measure import Finding, fastest, openspiel, openspiel_perft, pin, report

import zermelo

DEPTH, PEER_DEPTH = 9, 6


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("connect_four")
    first = openspiel().load_game("connect_four").new_initial_state()
    leaves, peer_leaves = zermelo.perft(game, DEPTH, device="cpu"), openspiel_perft(first, PEER_DEPTH)
    assert peer_leaves == zermelo.perft(game, PEER_DEPTH, device="cpu"), "the rules differ"
    native, plain, peer = fastest(
        lambda: zermelo.perft(game, DEPTH, device="cpu"),
        lambda: zermelo.perft(game, PEER_DEPTH, device="python"),
        lambda: openspiel_perft(first, PEER_DEPTH),
    )
    speed, plain_speed, peer_speed = leaves / native, peer_leaves / plain, peer_leaves / peer
    growth = {}
    for depth in range(6, 11):
        (seconds,) = fastest(lambda depth=depth: zermelo.perft(game, depth, device="cpu"), repeats=3)
        growth[depth] = {"leaves": zermelo.perft(game, depth, device="cpu"), "seconds": seconds}
    report(
        "Connect Four perft",
        [
            Finding("speed against OpenSpiel from Python", speed / peer_speed, 100),
            Finding("speed against the python machine", speed / plain_speed, 200),
        ],
        {
            "cpu leaves/s": speed,
            "python leaves/s": plain_speed,
            "OpenSpiel leaves/s": peer_speed,
            "cpu depth": DEPTH,
            "peer depth": PEER_DEPTH,
            "cpu by depth": growth,
        },
    )


if __name__ == "__main__":
    main()
