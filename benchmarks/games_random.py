"""Claim: random games on the cpu against OpenSpiel's in C++: backgammon 50 times, Hex 4 times, 2048 20 times as many.

Hex's own playout, which fills the board and looks once who has won, plays 40 times as many.

OpenSpiel's C++ search is told to simulate once: it then does nothing but play random games from the position, all in
C++. It does not take 2048, whose points are paid on the way: there two lines of Python ask its C++ for each game.
"""

from collections.abc import Callable
from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo
from zermelo.compile import kernel, machine

OPENING = {"backgammon": [0], "hex": []}
"""Outcomes of the dice after which OpenSpiel's search can begin."""
GAMES = {"backgammon": (20_000, 200), "hex": (20_000, 4_000), "twenty48": (20_000, 500)}
"""Ours, and OpenSpiel's."""
ROLLOUTS = 200_000


@kernel
def rollouts(game, s, games, memory):
    """The sum of so many of the game's own playouts."""
    total = 0.0
    for seed in range(games):
        total += game.rollout(s, seed, memory, 0)
    return total


def by_rollouts(name: str, games: int) -> Callable[[], Any]:
    """Random games of OpenSpiel's from its search."""
    pyspiel = openspiel()
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for action in OPENING[name]:
        state.apply_action(action)

    def play() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).step(state)

    return play


def by_bots(name: str, games: int) -> Callable[[], Any]:
    """Random games of OpenSpiel's for one player."""
    pyspiel = openspiel()
    game, bots = pyspiel.load_game(name), [pyspiel.make_uniform_random_bot(0, 1)]

    def play() -> None:
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return play


def main() -> None:
    """Measure and print."""
    pin()
    peers = {name: by_rollouts(name, GAMES[name][1]) for name in OPENING}
    peers["twenty48"] = by_bots("2048", GAMES["twenty48"][1])
    speeds: dict[str, float] = {}
    for name, (games, peer_games) in GAMES.items():
        game = zermelo.game(name)
        zermelo.playouts(game, games=games, device="cpu")
        ours, theirs = fastest(
            lambda g=game, n=games: zermelo.playouts(g, games=n, device="cpu"), peers[name], repeats=3
        )
        speeds[name], speeds[f"{name}, OpenSpiel"] = games / ours, peer_games / theirs
    board, on = zermelo.game("hex"), machine("cpu")
    memory = on.memory(board.rollout_words)
    once = on.brief(rollouts, game=board, s=board.initial(), games=ROLLOUTS, memory=memory)
    speeds["hex, own playouts"] = ROLLOUTS / fastest(once, repeats=3)[0]
    report(
        "Random games",
        [
            Finding("backgammon against OpenSpiel's C++", speeds["backgammon"] / speeds["backgammon, OpenSpiel"], 50),
            Finding("Hex 11 x 11", speeds["hex"] / speeds["hex, OpenSpiel"], 4),
            Finding("Hex 11 x 11, own playouts", speeds["hex, own playouts"] / speeds["hex, OpenSpiel"], 40),
            Finding("2048", speeds["twenty48"] / speeds["twenty48, OpenSpiel"], 20),
        ],
        {f"{name}, games/s": speed for name, speed in speeds.items()},
    )


if __name__ == "__main__":
    main()
