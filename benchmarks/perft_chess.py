"""Claim: chess perft, the last move counted and not played, is at least 0.9 times as fast as Stockfish's."""

import os
import resource
import subprocess
import sys

from measure import Finding, fastest, pin, report

import zermelo

CASES = {
    "first position, depth 6": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    "Kiwipete, depth 5": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
}
REPEATS = 3


def stockfish(commands: str) -> float:
    """The CPU time of one run, in seconds."""
    program = next((p for p in ("/usr/games/stockfish", "/usr/bin/stockfish") if os.path.exists(p)), None)
    if program is None:
        sys.exit("this benchmark needs Stockfish: apt-get install stockfish")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program], input=commands, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stockfish.said = done.stdout  # type: ignore[attr-defined]
    return after.ru_utime - before.ru_utime


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("chess")
    findings, figures = [], {}
    for name, (fen, depth, leaves) in CASES.items():
        state = game.parse_state(fen)
        assert zermelo.perft(game, depth, state, device="cpu") == leaves
        own = peer = start = float("inf")
        for _ in range(REPEATS):
            own = min(own, *fastest(lambda: zermelo.perft(game, depth, state, device="cpu"), repeats=1))  # noqa: B023
            # Stockfish reads its network when it starts: what that takes is taken off.
            start = min(start, stockfish("quit\n"))
            peer = min(peer, stockfish(f"position fen {fen}\ngo perft {depth}\nquit\n"))
            assert f"Nodes searched: {leaves}" in stockfish.said  # type: ignore[attr-defined]
        findings.append(Finding(f"speed against Stockfish, {name}", (peer - start) / own, 0.9))
        figures |= {f"leaves/s, {name}": leaves / own, f"Stockfish leaves/s, {name}": leaves / (peer - start)}
    report("Chess perft", findings, figures)


if __name__ == "__main__":
    main()
