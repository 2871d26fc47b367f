"""Claim: simulations with one playout each, on one core, against OpenSpiel's `MCTSBot` in C++: tic-tac-toe 4 times,
Connect Four and Go 9x9 10 times as many a second. Two threads on one tree make at least 1.7 times those of one.

All begin with the empty board and make the same number of simulations. Playouts are uniformly random, but ours of Go
fill no eyes, and end sooner. Threads are compared by the clock, in a second each, and need two cores that nobody else
uses. Two threads that share a tree begin several simulations at one node, which saves ways down as well.
"""

import os
from typing import Any

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


def by_threads(name: str, parameters: dict[str, Any]) -> dict[int, float]:
    """Simulations a second of one thread and of two on one tree, by the clock."""
    players = {n: Mcts(zermelo.game(name, **parameters), device="cpu", threads=n, memory=1024) for n in (1, 2)}
    best = dict.fromkeys(players, 0.0)
    for _ in range(3):
        for n, player in players.items():
            player.forget()
            found = player.search(limit=Limit(time=1.0))
            best[n] = max(best[n], found.nodes / found.time)
    return best


def main() -> None:
    """Measure and print."""
    findings, figures = [], {}
    if (os.cpu_count() or 1) > 1:
        for name in ("connect_four", "go"):
            threads = by_threads(name, CASES[name][0])
            findings.append(Finding(f"two threads on one tree of {name} against one", threads[2] / threads[1], 1.7))
            figures[f"{name} simulations/s by threads"] = threads
    pin()
    for name in CASES:
        ours, theirs = against_openspiel(name)
        findings.append(Finding(f"{name} against OpenSpiel's C++ MCTSBot", ours / theirs, CASES[name][-1]))
        figures[f"{name} simulations/s, cpu and OpenSpiel"] = [ours, theirs]
    report("Monte Carlo tree search, simulations", findings, figures)


if __name__ == "__main__":
    main()
