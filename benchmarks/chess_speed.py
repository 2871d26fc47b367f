"""Claim: the chess engine searches at least a million nodes a second on one core."""

import time

from measure import Finding, pin, report

import zermelo
from zermelo import Engine, Limit
from zermelo.protocols.uci_bench import CHESS

DEPTH = 14


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("chess")
    engine = Engine(game, table=64)
    nodes, seconds = 0, 0.0
    for fen in CHESS:
        state = game.parse_state(fen)
        engine.search(state, Limit(depth=1))
        started = time.process_time()
        found = engine.search(state, Limit(depth=DEPTH))
        seconds += time.process_time() - started
        nodes += found.nodes
    speed = nodes / seconds
    shown = f"{speed / 1e6:.2f} M nodes/s"
    finding = Finding("nodes a second", speed / 1e6, 1.0, shown=shown, shown_wanted="1 M nodes/s")
    report("Chess search", [finding], {"nodes": nodes, "seconds": seconds, "nodes/s": speed})


if __name__ == "__main__":
    main()
