"""Claim: the empty board of Connect Four is solved on one core, without a book, in at most half the time of BitBully.

Both find the score of the empty board, from nothing. BitBully is C++, called through its Python package; its book is
left out. It takes minutes.
"""

import sys
import time

from measure import Finding, pin, report

import zermelo
from zermelo.solving import Solver


def main() -> None:
    """Measure and print."""
    try:
        import bitbully
    except ImportError:
        sys.exit("this benchmark needs BitBully: pip install bitbully")
    pin()
    game = zermelo.game("connect_four")
    solver = Solver(game, device="cpu")
    solver.solve(game.parse_state("44444"), moves=False)
    solver.reset()
    started = time.process_time()
    answer = solver.solve(moves=False)
    native = time.process_time() - started
    solver.reset()
    started = time.process_time()
    moves = solver.solve().moves
    native_moves = time.process_time() - started
    peer = bitbully.BitBully(None)
    started = time.process_time()
    value = peer.mtdf(bitbully.Board())
    theirs = time.process_time() - started
    assert answer.value == value == max(moves.values()) == 1, "the scores differ"
    report(
        "Connect Four, the empty board",
        [Finding("time against BitBully without its book", native / theirs, 0.5, at_most=True,
                 shown=f"{native:.1f} s to {theirs:.0f} s", shown_wanted="half")],
        {
            "cpu seconds": native,
            "cpu seconds, all seven moves": native_moves,
            "BitBully seconds": theirs,
            "cpu positions": answer.nodes,
            "BitBully positions": peer.get_node_counter(),
        },
    )  # fmt: skip


if __name__ == "__main__":
    main()
