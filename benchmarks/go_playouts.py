"""Claim: random games of Go on 9 x 9, one core: 10 times as many as OpenSpiel plays in C++, or 40,000 a second.

Ours are the game's own playouts, uniform: nobody fills an eye of their own, as usual in sampling. OpenSpiel's C++
search is told to simulate once: it then does nothing but play random games from the position, all in C++; its players
fill eyes, and pass as readily as they move, and games end after 162 moves at the latest. The patterned playouts, which
`zermelo.mcts` plays by default, are measured too.
"""

from collections.abc import Callable
from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo
from zermelo.compile import kernel, machine

GAMES, PEER_GAMES = 20_000, 300


@kernel
def rollouts(game, s, games, memory):
    """The sum of so many of the game's own playouts."""
    total = 0.0
    for seed in range(games):
        total += game.rollout(s, seed, memory, 0)
    return total


def ours(playouts: str) -> Callable[[], Any]:
    """The game's own playouts from the empty board."""
    game, on = zermelo.game("go", playouts=playouts), machine("cpu")
    memory = on.memory(game.rollout_words)
    return on.brief(rollouts, game=game, s=game.initial(), games=GAMES, memory=memory)


def theirs() -> Callable[[], Any]:
    """Random games of OpenSpiel's."""
    pyspiel = openspiel()
    game = pyspiel.load_game("go", {"board_size": 9, "komi": 7.5})
    state = game.new_initial_state()

    def play() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=PEER_GAMES, seed=1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).step(state)

    return play


def main() -> None:
    """Measure and print."""
    pin()
    uniform, patterns, peer = fastest(ours("uniform"), ours("patterns"), theirs(), repeats=3)
    speed, peer_speed = GAMES / uniform, PEER_GAMES / peer
    report(
        "Go 9 x 9, random games",
        [
            Finding("uniform playouts against OpenSpiel's C++", speed / peer_speed, 10),
            Finding("patterned playouts", GAMES / patterns / peer_speed, 3),
        ],
        {
            "uniform games/s": speed,
            "patterned games/s": GAMES / patterns,
            "OpenSpiel games/s": peer_speed,
        },
    )


if __name__ == "__main__":
    main()
