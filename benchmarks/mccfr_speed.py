"""Claim: iterations of Monte Carlo CFR, on one core, against OpenSpiel's solvers in C++, by external and by outcome
sampling: 8 times as many a second on Kuhn poker, Leduc poker and Liar's dice (one die of six faces each).

An iteration is one walk for each player in both. How far the averages can be exploited after as many iterations is
among the figures: games are drawn differently, so that they are alike but not equal.
"""

from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo
from zermelo.compile import machine
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.cfr.sampler import Sampler

CASES = {
    "kuhn_poker": ({}, "kuhn_poker", 200_000, 20_000),
    "leduc_poker": ({}, "leduc_poker", 50_000, 5_000),
    "liars_dice": ({"wild": "highest"}, "liars_dice", 30_000, 3_000),
}
"""Parameters, OpenSpiel's name, iterations of ours and of theirs in a run."""
WANTED = 8
COMPARED = 20_000
EXPLORATION = 0.6


def peer_of(pyspiel: Any, game: Any, variant: str) -> Any:
    """OpenSpiel's solver."""
    if variant == "external":
        return pyspiel.ExternalSamplingMCCFRSolver(game)
    return pyspiel.OutcomeSamplingMCCFRSolver(game, EXPLORATION)


def speeds(name: str, variant: str) -> tuple[float, float]:
    """Iterations a second, ours and OpenSpiel's."""
    parameters, peer_name, count, peer_count = CASES[name]
    game = zermelo.game(name, **parameters)
    sampler = Sampler(
        game, game.initial(), variant, machine("cpu"), seed=1, memory=256, exploration=EXPLORATION
    )  # fmt: skip
    pyspiel = openspiel()
    peer = peer_of(pyspiel, pyspiel.load_game(peer_name), variant)
    sampler.iterate(1000)

    def theirs() -> None:
        for _ in range(peer_count):
            peer.run_iteration()

    ours_time, peer_time = fastest(lambda: sampler.iterate(count), theirs, repeats=5)
    return count / ours_time, peer_count / peer_time


def exploited(name: str, variant: str) -> tuple[float, float]:
    """How far the averages can be exploited after as many iterations, ours and OpenSpiel's."""
    parameters, peer_name, _, _ = CASES[name]
    found = cfr(zermelo.game(name, **parameters), variant=variant, iterations=COMPARED, device="cpu")
    pyspiel = openspiel()
    game = pyspiel.load_game(peer_name)
    peer = peer_of(pyspiel, game, variant)
    for _ in range(COMPARED):
        peer.run_iteration()
    return found.exploitability, pyspiel.nash_conv(game, peer.average_policy(), True) / 2


def main() -> None:
    """Measure and print."""
    pin()
    findings, figures = [], {}
    for variant in ("external", "outcome"):
        for name in CASES:
            ours, theirs = speeds(name, variant)
            findings.append(Finding(f"{name}, {variant} sampling, against OpenSpiel's C++", ours / theirs, WANTED))
            figures[f"{name} {variant} iterations/s, cpu and OpenSpiel"] = [ours, theirs]
        for name in ("kuhn_poker", "leduc_poker"):
            figures[f"{name} {variant} exploitability after {COMPARED:,}, cpu and OpenSpiel"] = exploited(name, variant)
    report("Monte Carlo CFR", findings, figures)


if __name__ == "__main__":
    main()
