"""Claim: random positions of Connect Four with 12 to 16 stones are solved no slower than by BitBully without its book.

The median counts. Each position is solved from nothing: the table is emptied before it, outside the time that is taken.
The two solvers take turns, some positions at a time, so that neither cools the processor's caches for the other.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from measure import Finding, pin, report

import zermelo
from zermelo.solving import Solver

POSITIONS = 60
"""Positions for each number of stones."""
STONES = range(12, 17)


def random_position(game: Any, stones: int, chance: random.Random, decided: bool) -> tuple[Any, list[int]]:
    """A position after so many random moves that nobody has won, and the moves.

    Unless positions may be `decided`, the side to move cannot win at once.
    """
    while True:
        s, moves = game.initial(), []
        while len(moves) < stones and not game.is_over(s):
            moves.append(chance.choice(list(game.actions(s))))
            s = game.result(s, moves[-1])
        if game.is_over(s) or (not decided and any(game.is_over(child) for _, child in game.successors(s))):
            continue
        return s, moves


def times(positions: list[Any], reset: Callable[[], Any], solve: Callable[[Any], int]) -> tuple[list[float], list[int]]:
    """The CPU time that each position takes, and its score."""
    spent, scores = [], []
    for position in positions:
        reset()
        started = time.process_time()
        scores.append(solve(position))
        spent.append(time.process_time() - started)
    return spent, scores


def compare(decided: bool) -> tuple[dict[int, list[float]], dict[int, list[float]]]:
    """The times of both solvers, by the number of stones."""
    import bitbully

    game, chance = zermelo.game("connect_four"), random.Random(1)
    solver, peer = Solver(game, device="cpu"), bitbully.BitBully(None)
    solver.solve(game.parse_state("44444"), moves=False)
    native, theirs = {}, {}
    for stones in STONES:
        positions = [random_position(game, stones, chance, decided) for _ in range(POSITIONS)]
        native[stones], scores = times(
            [s for s, _ in positions], solver.reset, lambda s: solver.solve(s, moves=False).value
        )
        boards = [bitbully.Board.from_moves(moves) for _, moves in positions]
        theirs[stones], others = times(boards, peer.reset_transposition_table, peer.mtdf)
        assert scores == others, "the scores differ"
    return native, theirs


def main() -> None:
    """Measure and print."""
    try:
        import bitbully  # noqa: F401
    except ImportError:
        sys.exit("this benchmark needs BitBully: pip install bitbully")
    pin()
    findings, figures = [], {}
    for decided, what in ((False, "no win at once"), (True, "any")):
        native, theirs = compare(decided)
        mine, other = (statistics.median(t for by_stones in x.values() for t in by_stones) for x in (native, theirs))
        findings.append(
            Finding(f"median time against BitBully without its book, {what}", mine / other, 1, at_most=True,
                    shown=f"{mine * 1e3:.2f} ms to {other * 1e3:.2f} ms", shown_wanted="as long")
        )  # fmt: skip
        figures[f"median milliseconds by stones, cpu and BitBully, {what}"] = {
            n: [1e3 * statistics.median(native[n]), 1e3 * statistics.median(theirs[n])] for n in STONES
        }
        figures[f"total seconds, cpu and BitBully, {what}"] = [sum(map(sum, x.values())) for x in (native, theirs)]
    report("Connect Four, random positions of 12 to 16 stones", findings, figures)


if __name__ == "__main__":
    main()
