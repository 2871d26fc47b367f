"""Claim: simulations with one playout each, on one core, against OpenSpiel's `MCTSBot` in C++: tic-tac-toe 4 times,
Connect Four and Go 9x9 10 times as many a second. Two threads on one tree make at least 1.7 times those of one.

All begin with the empty board and make the same number of simulations. Playouts are uniformly random, but ours of Go
fill no eyes, and end sooner. Threads wait for nobody, and are compared by processor time, as if each had a core for
itself; what the clock said stands in the figures.
"""

import os
import time

from measure import Finding, fastest, openspiel, pin, report

import zermelo
from zermelo import Limit, Mcts

CASES = {
    "tic_tac_toe": ({}, "tic_tac_toe", 30_000, 20, 4),
    "connect_four": ({}, "connect_four", 30_000, 5, 10),
    "go": ({"size": 9, "playouts": "uniform"}, "go(board_size=9,komi=7.5)", 3_000, 5, 10),
}
"""Parameters, OpenSpiel's name, simulations, repeats, and how many times as fast."""
EXPLORATION = 2.0
SHARED = 200_000
"""Simulations of threads that share a tree."""


def search(player: Mcts, simulations: int) -> None:
    """Search the empty board from nothing."""
    player.forget()
    player.search(limit=Limit(simulations=simulations))


def against_openspiel(name: str) -> tuple[float, float]:
    """Simulations a second, ours and OpenSpiel's."""
    parameters, peer_name, simulations, repeats, _ = CASES[name]
    player = Mcts(zermelo.game(name, **parameters), device="cpu", c=EXPLORATION, memory=512)
    pyspiel = openspiel()
    game = pyspiel.load_game(peer_name)
    first = game.new_initial_state()

    def peer() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 1000, False, 1, False).step(first)

    search(player, simulations)
    ours, theirs = fastest(lambda: search(player, simulations), peer, repeats=repeats)
    return simulations / ours, simulations / theirs


def by_threads() -> dict[int, tuple[float, float]]:
    """Simulations a second of one thread and of two on one tree of Connect Four, by processor time and by the clock."""
    players = {n: Mcts(zermelo.game("connect_four"), device="cpu", threads=n, memory=1024) for n in (1, 2)}
    best = dict.fromkeys(players, (float("inf"), float("inf")))
    for player in players.values():
        search(player, SHARED)
    for _ in range(20):
        for n, player in players.items():
            player.forget()
            started, clock = time.process_time(), time.perf_counter()
            player.search(limit=Limit(simulations=SHARED))
            best[n] = (
                min(best[n][0], (time.process_time() - started) / n),
                min(best[n][1], time.perf_counter() - clock),
            )
    return {n: (SHARED / own, SHARED / clock) for n, (own, clock) in best.items()}


def main() -> None:
    """Measure and print."""
    threads = by_threads() if (os.cpu_count() or 1) > 1 else {}
    pin()
    findings, figures = [], {}
    for name in CASES:
        ours, theirs = against_openspiel(name)
        findings.append(Finding(f"{name} against OpenSpiel's C++ MCTSBot", ours / theirs, CASES[name][-1]))
        figures[f"{name} simulations/s, cpu and OpenSpiel"] = [ours, theirs]
    if threads:
        gain = threads[2][0] / threads[1][0]
        findings.append(Finding("two threads on one tree against one, by processor time", gain, 1.7))
        figures["connect_four simulations/s by threads, of processor time and by the clock"] = threads
    report("Monte Carlo tree search, simulations", findings, figures)


if __name__ == "__main__":
    main()
