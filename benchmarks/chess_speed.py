"""Claim: the chess engine searches at least a million nodes a second on one core."""

from measure import Finding, fastest, pin, report

import zermelo
from zermelo import Engine, Limit
from zermelo.protocols.uci_bench import CHESS

DEPTH = 14


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("chess")
    engine = Engine(game, table=64)
    states = [game.parse_state(fen) for fen in CHESS]
    counted = []

    def search_all() -> None:
        engine.new_game()
        counted.append(sum(engine.search(state, Limit(depth=DEPTH)).nodes for state in states))

    (seconds,) = fastest(search_all)
    nodes = counted[0]
    assert set(counted) == {nodes}, counted
    speed = nodes / seconds
    shown = f"{speed / 1e6:.2f} M nodes/s"
    finding = Finding("nodes a second", speed / 1e6, 1.0, shown=shown, shown_wanted="1 M nodes/s")
    report("Chess search", [finding], {"nodes": nodes, "seconds": seconds, "nodes/s": speed})


if __name__ == "__main__":
    main()
