"""Claim: a random zero-sum table of 1000x1000 is solved to a duality gap of 1e-4 times the payoff range in under 2 s.

The peer is HiGHS (scipy's linprog), which solves the linear program of the same table exactly, and therefore longer.
With `--small` it is a table of 400x400 for a quick look.
"""

import sys
from typing import Any

from measure import Finding, fastest, pin, report

SECONDS = 2.0
GAP = 1e-4


def by_program(table: Any) -> float:
    """The value of the table by one linear program."""
    import numpy as np
    from scipy.optimize import linprog

    rows, columns = table.shape
    aim = np.append(np.zeros(rows), -1.0)
    holds = np.hstack([-table.T, np.ones((columns, 1))])
    bounds = [(0, None)] * rows + [(None, None)]
    found = linprog(aim, holds, np.zeros(columns), np.append(np.ones(rows), 0.0)[None], [1.0], bounds)
    return -found.fun


def main() -> None:
    """Measure and print."""
    pin()
    # Loaded on one core, numpy's linear algebra starts one thread: two on one core would be in each other's way.
    import numpy as np

    from zermelo.equilibrium.nash.zero_sum import zero_sum

    size = 400 if "--small" in sys.argv[1:] else 1000
    table = np.random.default_rng(1913).random((size, size))
    found = zero_sum(table, gap=GAP)
    x, y = map(np.array, found.profile)
    gap = ((table @ y).max() - (x @ table).min()) / np.ptp(table)
    assert gap <= GAP, f"the gap is {gap}"
    (ours,) = fastest(lambda: zero_sum(table, gap=GAP), repeats=3)
    values: list[float] = []
    (peer,) = fastest(lambda: values.append(by_program(table)), repeats=1)
    assert abs(values[0] - found.value) <= GAP * np.ptp(table), "the values differ"
    report(
        f"Zero-sum table {size}x{size}",
        [
            Finding("CPU time", ours, SECONDS, at_most=True, shown=f"{ours:.2f} s", shown_wanted=f"{SECONDS:g} s"),
            Finding("speed against HiGHS", peer / ours, 4.0),
        ],
        {
            "seconds": ours,
            "HiGHS seconds": peer,
            "duality gap as a share of the range": float(gap),
            "iterations": found.iterations,
            "value": found.value,
            "HiGHS value": values[0],
        },
        note=f"gap {gap:.1e} of the range after {found.iterations} iterations; HiGHS {peer:.1f} s",
    )


if __name__ == "__main__":
    main()
