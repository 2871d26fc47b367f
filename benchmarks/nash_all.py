"""Claim: all equilibria of random integer games, proven complete, take no longer than QuantEcon's vertex enumeration.

Both get the same games, with payoffs from 0 to 99, and run on one core after their compilation. QuantEcon works in
floats and returns what it finds. Here every vertex is proven, every equilibrium verified in exact arithmetic and the
list proven to be complete; many of these games are degenerate, and there QuantEcon misses some.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import random
import sys
from typing import Any

from measure import Finding, fastest, pin, report

from zermelo import Matrix
from zermelo.equilibrium.nash.nash import nash

SIZES = {8: 12, 10: 8, 12: 5, 15: 3}
"""Games of each size."""
LARGEST = 99


def random_payoffs(size: int, seed: int) -> list[list[list[int]]]:
    """The payoffs of both players."""
    source = random.Random(1000 * size + seed)
    return [[[source.randint(0, LARGEST) for _ in range(size)] for _ in range(size)] for _ in range(2)]


def verified(table: Matrix, found: Any) -> int:
    """How many equilibria there are, each held against its table in fractions."""
    for e in found:
        assert e.regret == 0, "not an equilibrium"
        assert table[e.profile] == e.values, "wrong values"
        for player in range(2):
            for i in range(table.shape[player]):
                pure = [int(k == i) for k in range(table.shape[player])]
                other = (pure, e.profile[1]) if player == 0 else (e.profile[0], pure)
                assert table[other][player] <= e.values[player], "not a best response"
    return len(found)


def main() -> None:
    """Measure and print."""
    pin()
    try:
        import numpy as np
        import quantecon.game_theory as theory
    except ImportError:
        sys.exit("this benchmark needs QuantEcon: pip install quantecon")
    findings, figures = [], {}
    for size, count in SIZES.items():
        payoffs = [random_payoffs(size, seed) for seed in range(count)]
        ours = [Matrix(a, b) for a, b in payoffs]
        theirs = [
            theory.NormalFormGame((theory.Player(np.array(a)), theory.Player(np.array(b).T.copy()))) for a, b in payoffs
        ]
        own = sum(verified(table, nash(table, all=True, exact=True)) for table in ours)
        assert all(nash(table, all=True).complete for table in ours), "not proven"
        peer = sum(len(theory.vertex_enumeration(game)) for game in theirs)
        mine, other = fastest(
            lambda tables=ours: [nash(table, all=True) for table in tables],
            lambda games=theirs: [theory.vertex_enumeration(game) for game in games],
            repeats=5 if size < 15 else 2,
        )
        findings.append(Finding(f"time at {size} x {size} against QuantEcon's", mine / other, 1.0, at_most=True))
        figures |= {
            f"ms a game at {size}": 1e3 * mine / count,
            f"QuantEcon ms a game at {size}": 1e3 * other / count,
            f"equilibria at {size}": own,
            f"QuantEcon equilibria at {size}": peer,
        }
    found = ", ".join(
        f"{figures[f'equilibria at {size}']} and {figures[f'QuantEcon equilibria at {size}']} at {size}"
        for size in SIZES
    )
    report("All equilibria of random games", findings, figures, note=f"equilibria found by zermelo and by it: {found}")


if __name__ == "__main__":
    main()
