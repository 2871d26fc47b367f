"""Claim: tic-tac-toe with 1,000 simulations a move loses at most 1 % of 1,000 games against the perfect player, with
10,000 none; Connect Four with 100,000 keeps the value of at least 90 % of 500 random positions of 8 to 24 plies.

The perfect player draws among all moves that keep the value; the two take turns to begin. Tic-tac-toe is played with
RAVE and c = 0.7, chosen among fourteen settings that were tried on games with other seeds; what plain UCB1 with
c = sqrt(2) loses is in the note. A move keeps the value of a position if a won one stays won and a drawn one
drawn, by the exact solver; there the search is plain.
"""

import random
from functools import cache
from typing import Any

from connect_four_positions import random_position
from measure import Finding, report

import zermelo
from zermelo import Limit, mcts
from zermelo.solving import Solver

GAMES = 1_000
POSITIONS, PLIES, SIMULATIONS = 500, range(8, 25), 100_000
GUIDED: dict[str, Any] = {"rave": True, "c": 0.7}
TIC = zermelo.game("tic_tac_toe")


@cache
def value(s: Any) -> float:
    """Player 0's exact value of a position of tic-tac-toe."""
    if TIC.is_terminal(s):
        return TIC.utility(s, 0)
    return (max if TIC.to_move(s) == 0 else min)(value(TIC.result(s, a)) for a in TIC.actions(s))


def losses(simulations: int, options: dict[str, Any]) -> int:
    """How many of the games against the perfect player are lost. All games are played side by side."""
    chance = random.Random(1)
    states = [TIC.initial()] * GAMES
    for ply in range(9):
        turns = [i for i in range(GAMES) if not TIC.is_terminal(states[i])]
        ours = [i for i in turns if (i + ply) % 2 == 0]
        roots = [states[i] for i in ours]
        limit = Limit(simulations=simulations)
        found = mcts.many(TIC, roots, limit=limit, seed=GAMES * ply, device="cpu", threads=1, **options)
        chosen = {i: answer.action for i, answer in zip(ours, found, strict=True)}
        for i in turns:
            if i not in chosen:
                children = {a: value(TIC.result(states[i], a)) for a in TIC.actions(states[i])}
                chosen[i] = chance.choice([a for a, v in children.items() if v == value(states[i])])
            states[i] = TIC.result(states[i], chosen[i])
    return sum(TIC.utility(s, i % 2) < 0 for i, s in enumerate(states))


def kept_values() -> tuple[float, float, dict[str, float]]:
    """The share of positions of Connect Four whose value is kept, of those where a move can lose it, and by plies."""
    game, chance = zermelo.game("connect_four"), random.Random(1)
    solver = Solver(game, device="cpu")
    plies = [PLIES[i % len(PLIES)] for i in range(POSITIONS)]
    states = [random_position(game, n, chance, True)[0] for n in plies]
    found = mcts.many(game, states, limit=Limit(simulations=SIMULATIONS), seed=1, device="cpu", threads=1)
    kept, hard = [], []
    for s, answer in zip(states, found, strict=True):
        scores = solver.solve(s).moves
        kept.append(sign(scores[answer.action]) == sign(max(scores.values())))
        if sign(min(scores.values())) != sign(max(scores.values())):
            hard.append(kept[-1])
    by_plies = {n: [k for k, p in zip(kept, plies, strict=True) if p == n] for n in PLIES}
    return sum(kept) / len(kept), sum(hard) / len(hard), {str(n): sum(k) / len(k) for n, k in by_plies.items()}


def sign(score: int) -> int:
    """Won, drawn or lost."""
    return (score > 0) - (score < 0)


def main() -> None:
    """Play and print."""
    lost, plain = ({n: losses(n, options) for n in (1_000, 10_000)} for options in (GUIDED, {}))
    share, hard, by_plies = kept_values()
    report(
        "Monte Carlo tree search, quality",
        [
            *(
                Finding(
                    f"tic-tac-toe by RAVE, {n:,} simulations a move, games lost to the perfect player",
                    lost[n] / GAMES, most, at_most=True,
                    shown=f"{lost[n]} of {GAMES:,}", shown_wanted=f"{most * GAMES:.0f}",
                )
                for n, most in ((1_000, 0.01), (10_000, 0.0))
            ),
            Finding(
                f"Connect Four, {SIMULATIONS:,} simulations, values kept in {POSITIONS} positions", share, 0.9,
                shown=f"{100 * share:.1f} %", shown_wanted="90 %",
            ),
        ],
        {
            "lost": lost, "lost by plain UCB1": plain, "Connect Four, share of values kept by plies": by_plies,
            "Connect Four, share of values kept where a move can lose it": hard,
        },
        note=f"plain UCB1 loses {plain[1_000]} games of tic-tac-toe by 1,000 simulations, {plain[10_000]} by 10,000",
    )  # fmt: skip


if __name__ == "__main__":
    main()
