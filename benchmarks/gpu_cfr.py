"""CFR+ on a GPU against one core of its computer: Liar's dice with one die of nine faces each, 42 million nodes.

First the tests of tests/gpu/test_cfr_gpu.py, then the figures, which go to gpu.json (or to the file that is named)
under "cfr"; what else stands there stays. Both machines work on the same arrays and must come to the same regrets.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from gpu_report import tested, write_report

import zermelo
from zermelo.compile import machine
from zermelo.compile.routine import take_array
from zermelo.equilibrium.cfr.full_tree import Solver
from zermelo.equilibrium.cfr.incidence import Form, form_of
from zermelo.equilibrium.cfr.variants import VARIANTS
from zermelo.equilibrium.forms.flat import flatten

TARGET = 100
FACES = 9
BANDWIDTH = 4.8e12
"""Bytes a second of the memory of an H200."""
COMPARED, ON_CORE, ON_GPU = 3, 5, 300
"""Iterations after which both are compared, and those that are timed."""


def bytes_moved(form: Form) -> int:
    """What an iteration must read and write at least, if every word is moved once for each kernel that needs it."""
    flat = form.flat
    sequences, sets, entries = flat.sequences, flat.sets, len(form.entries)
    meeting = entries + 3 * sequences  # entries; where they begin, the others' plan, the gain
    following = sequences + 2 * sets + 2 * sets  # where sets begin that follow, which, what they are worth, the gain
    settling = 2 * sets + sequences * (1 + 2 + 2 + 2 + 1)  # first, worth; gain, odds, regrets, sums, plan
    spreading = 3 * sets + 2 * sequences  # first, before, the plan there; odds, plan
    return 8 * (meeting + following + settling + spreading)


def timed(solver: Solver, iterations: int) -> float:
    """Seconds an iteration."""
    started = time.perf_counter()
    solver.iterate(iterations)
    return (time.perf_counter() - started) / iterations


def large_tree() -> dict[str, Any]:
    """Iterations over a large tree."""
    game = zermelo.game("liars_dice", faces=FACES)
    started = time.perf_counter()
    flat = flatten(game, device="cpu")
    walked = time.perf_counter() - started
    form = form_of(flat)
    ordered = time.perf_counter() - started - walked
    print(f"{flat.nodes:,} nodes walked in {walked:.1f} s, put in order in {ordered:.1f} s", flush=True)
    core, gpu = (Solver(form, VARIANTS["cfr+"], machine(device)) for device in ("cpu", "cuda"))
    for solver in (core, gpu):
        solver.iterate(COMPARED)
    same = {
        name: bool(np.array_equal(*(take_array(s.on, getattr(s.known, name), flat.sequences) for s in (core, gpu))))
        for name in ("regrets", "sums")
    }
    assert all(same.values()), f"the machines disagree: {same}"
    print(f"both agree after {COMPARED} iterations", flush=True)
    on_core = min(timed(core, ON_CORE) for _ in range(2))
    on_gpu = min(timed(gpu, ON_GPU) for _ in range(3))
    ratio, moved = on_core / on_gpu, bytes_moved(form)
    share = moved / on_gpu / BANDWIDTH
    steps = len(gpu.routine.steps) if gpu.routine is not None else 0
    print(
        f"CFR+ on {flat.nodes:,} nodes: {1 / on_gpu:,.0f} iterations/s, {ratio:.0f} times one core "
        f"({1 / on_core:.1f}/s); {moved / 1e6:,.0f} MB an iteration, {100 * share:.0f} % of the bandwidth",
        flush=True,
    )
    started = time.perf_counter()
    found = gpu.assess()
    assessed = time.perf_counter() - started
    return {
        "game": repr(game), "nodes": flat.nodes, "ends": len(flat.ends), "information_sets": flat.sets,
        "iterations_per_second": 1 / on_gpu, "one_core_iterations_per_second": 1 / on_core, "ratio": ratio,
        "target": TARGET, "bytes_an_iteration": moved, "share_of_bandwidth": share, "launches_an_iteration": steps,
        "seconds_to_flatten": walked + ordered, "iterations": gpu.iterations, "value": found.values[0],
        "exploitability": sum(found.gains) / 2, "seconds_to_assess": assessed,
    }  # fmt: skip


def by_kernel() -> dict[str, Any]:
    """Where the time goes: seconds of each kernel in an iteration, each launched alone."""
    solver = Solver(
        form_of(flatten(zermelo.game("liars_dice", faces=FACES - 1), device="cpu")), VARIANTS["cfr+"], machine("cuda")
    )
    solver.iterate(3)
    assert solver.routine is not None
    spent: dict[str, float] = {}
    for plain, rows, arguments in solver.routine.steps:
        if plain.__name__ == "count_row":
            continue
        started = time.perf_counter()
        solver.on.spread(plain, rows, **arguments)
        spent[plain.__name__] = spent.get(plain.__name__, 0.0) + time.perf_counter() - started
    whole = min(timed(solver, 100) for _ in range(2))
    print(f"{FACES - 1} faces: {1e6 * whole:.0f} us an iteration; alone:", spent, flush=True)
    return {"seconds_an_iteration": whole, "seconds_of_kernels_launched_alone": spent}


if __name__ == "__main__":
    parts: dict[str, Callable[[], Any]] = {
        "tests": lambda: tested("test_cfr_gpu.py"),
        "large tree": large_tree,
        "by kernel": by_kernel,
    }
    write_report("cfr", parts)
