"""Sampling on a GPU against one core of its computer: random games, and thousands of tree searches at once.

First the tests of tests/gpu/test_mcts_gpu.py, then the figures, which go to gpu.json (or to the file that is named)
under "sampling"; what else stands there stays.
"""

import time
from collections.abc import Callable
from typing import Any

from gpu_report import tested, write_report

import zermelo
from zermelo import Limit, Mcts, mcts
from zermelo.bits import u64
from zermelo.compile import kernel, load_float, machine, store_float
from zermelo.compile.random import stream
from zermelo.searches.mcts.batches import Batch, capacity_for
from zermelo.searches.mcts.options import Sampling

TARGET = 200
"""Random games of Go 9x9 on one H200, as a multiple of one core."""
GAMES = {
    "tic_tac_toe": ("tic_tac_toe", {}, 1 << 16, 500),
    "connect_four": ("connect_four", {}, 1 << 16, 500),
    "go 9x9": ("go", {"size": 9, "playouts": "uniform"}, 1 << 14, 500),
}
"""Trees on the GPU, and simulations of each."""
MEMORY = 64 << 10
"""Megabytes for all trees."""


@kernel
def rollouts(game, row, s, seed, games, memory, room, spacing, out):
    """The sum of the results of the game's own playouts number `row * games` and on."""
    total = 0.0
    for i in range(games):
        total += game.rollout(s, stream(seed, row * games + i), memory, row * spacing * room)
    store_float(out, row, load_float(out, row) + total)


def rollout_speed(game: Any, on: Any, rows: int, games: int) -> tuple[float, float]:
    """Playouts a second, and the sum of their results."""
    spacing = 1 if on.name == "cuda" else 0
    out = on.memory(rows)
    arguments = {
        "game": game, "s": game.initial(), "seed": u64(1), "games": games, "room": game.rollout_words, "out": out,
        "memory": on.memory(game.rollout_words * max(1, rows * spacing)), "spacing": spacing,
    }  # fmt: skip
    on.prepare(rollouts, **arguments)
    started = time.perf_counter()
    on.spread(rollouts, rows, **arguments)
    spent = time.perf_counter() - started
    return rows * games / spent, sum(on.floats(out, 0, min(rows, 256)))


def go_playouts() -> dict[str, Any]:
    """Random games of Go 9x9 by the game's own playouts."""
    game = zermelo.game("go", size=9, playouts="uniform")
    cpu, gpu = machine("cpu"), machine("cuda")
    assert rollout_speed(game, cpu, 256, 4)[1] == rollout_speed(game, gpu, 256, 4)[1], "the machines disagree"
    core = max(rollout_speed(game, cpu, 1024, 64)[0] for _ in range(3))
    by_rows = {}
    for power in range(14, 21):
        rows, games = 1 << power, max(4, 1 << 20 - power)
        by_rows[str(rows)] = max(rollout_speed(game, gpu, rows, games)[0] for _ in range(2))
    best = max(by_rows.values())
    print(f"go 9x9 playouts: {best:,.0f}/s, {best / core:.0f} times one core ({core:,.0f}/s)", flush=True)
    return {
        "games_per_second": best, "one_core_games_per_second": core, "ratio": best / core, "target": TARGET,
        "games_per_second_by_threads": by_rows,
    }  # fmt: skip


def connect_four_playouts() -> dict[str, Any]:
    """Random games of Connect Four."""
    game = zermelo.game("connect_four")
    zermelo.playouts(game, games=1 << 16, device="cuda")
    zermelo.playouts(game, games=64, device="cpu")
    games = 1 << 26
    best = max(games / zermelo.playouts(game, games=games, seed=i, device="cuda").time for i in range(2))
    core = max((1 << 18) / zermelo.playouts(game, games=1 << 18, seed=i, device="cpu").time for i in range(2))
    print(f"connect_four playouts: {best:,.0f}/s, {best / core:.0f} times one core ({core:,.0f}/s)", flush=True)
    return {"games_per_second": best, "one_core_games_per_second": core, "ratio": best / core}


def search_speed(game: Any, device: str, trees: int, simulations: int, repeats: int) -> float:
    """Simulations a second of so many searches at once."""
    sampling, on = Sampling(game, 1, False, {}), machine(device)
    batch = Batch(sampling, on, trees, capacity_for(sampling, simulations, (MEMORY << 17) // trees))
    batch.prepare()
    batch.order([game.initial()] * trees, range(trees), [simulations] * trees)
    spent = []
    for _ in range(repeats):
        started = time.perf_counter()
        batch.launch(trees, True)
        spent.append(time.perf_counter() - started)
    return trees * simulations / min(spent)


def many_searches(label: str) -> dict[str, Any]:
    """Thousands of independent searches in one launch."""
    name, parameters, trees, simulations = GAMES[label]
    game = zermelo.game(name, **parameters)
    core = search_speed(game, "cpu", 64, simulations, 3)
    by_trees = {str(n): search_speed(game, "cuda", n, simulations, 2) for n in (trees >> 4, trees >> 2, trees)}
    best = max(by_trees.values())
    started = time.perf_counter()
    found = mcts.many(game, [game.initial()] * (1 << 12), limit=Limit(simulations=simulations), device="cuda")
    whole = sum(answer.nodes for answer in found) / (time.perf_counter() - started)
    print(f"{label} searches: {best:,.0f} simulations/s, {best / core:.0f} times one core ({core:,.0f}/s)", flush=True)
    return {
        "simulations_per_second": best, "one_core_simulations_per_second": core, "ratio": best / core,
        "simulations_each": simulations, "simulations_per_second_by_trees": by_trees,
        "simulations_per_second_of_4096_answers": whole,
    }  # fmt: skip


def one_tree() -> dict[str, Any]:
    """One search whose leaves are played by all threads of a block, and one of many such trees."""
    game = zermelo.game("connect_four")
    figures = {}
    for playouts, trees in ((128, 1), (1024, 1), (128, 128)):
        limit = Limit(simulations=2000 * trees)
        found = mcts(game, limit=limit, playouts=playouts, trees=trees, device="cuda", memory=4096)
        figures[f"{trees} trees, {playouts} playouts a leaf"] = {
            "simulations_per_second": found.nodes / found.time,
            "playouts_per_second": playouts * found.nodes / found.time,
            "action": found.action,
        }
        print(f"{trees} trees, {playouts} playouts a leaf: {found.nodes / found.time:,.0f} simulations/s", flush=True)
    return figures


def threads_on_one_tree() -> dict[str, float]:
    """Simulations a second of Connect Four by the clock, with more and more threads of the CPU on one tree."""
    speeds = {}
    for threads in (1, 2, 4, 8):
        player = Mcts(zermelo.game("connect_four"), device="cpu", threads=threads, memory=1024)
        player.search(limit=Limit(simulations=1000))
        best = float("inf")
        for _ in range(5):
            player.forget()
            best = min(best, player.search(limit=Limit(simulations=400_000)).time)
        speeds[str(threads)] = 400_000 / best
    print("threads on one tree:", {n: f"{speed / speeds['1']:.2f} x" for n, speed in speeds.items()}, flush=True)
    return speeds


if __name__ == "__main__":
    parts: dict[str, Callable[[], Any]] = {
        "tests": lambda: tested("test_mcts_gpu.py"),
        "go 9x9 playouts": go_playouts,
        "connect_four playouts": connect_four_playouts,
        **{f"{label} searches": lambda label=label: many_searches(label) for label in GAMES},
        "leaf-parallel connect_four": one_tree,
        "connect_four simulations/s by threads on one tree of the CPU": threads_on_one_tree,
    }
    write_report("sampling", parts)
