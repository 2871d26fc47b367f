"""Claim: random games of Connect Four on the cpu are at least 25 times as fast as OpenSpiel's rollouts in C++.

OpenSpiel's C++ search is told to simulate once: it then does nothing but play `ROLLOUTS` random games from the first
position, all in C++.
"""

from measure import Finding, fastest, openspiel, pin, report

import zermelo

GAMES, ROLLOUTS = 200_000, 20_000


def main() -> None:
    """Measure and print."""
    pin()
    game = zermelo.game("connect_four")
    pyspiel = openspiel()
    peer_game = pyspiel.load_game("connect_four")
    first = peer_game.new_initial_state()

    def rollouts(number: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=number, seed=1)
        bot = pyspiel.MCTSBot(peer_game, evaluator, 2.0, 1, 100, False, 1, False)
        bot.step(first)

    zermelo.playouts(game, games=GAMES, device="cpu")
    native, peer, peer_tenth = fastest(
        lambda: zermelo.playouts(game, games=GAMES, device="cpu"),
        lambda: rollouts(ROLLOUTS),
        lambda: rollouts(ROLLOUTS // 10),
    )
    growth = {}
    for games in (1_000, 10_000, 100_000, 1_000_000):
        (growth[games],) = fastest(lambda n=games: zermelo.playouts(game, games=n, device="cpu"), repeats=3)
    speed, peer_speed = GAMES / native, ROLLOUTS / peer
    report(
        "Connect Four random games",
        [Finding("speed against OpenSpiel's C++ rollouts", speed / peer_speed, 25)],
        {
            "cpu games/s": speed,
            "OpenSpiel games/s": peer_speed,
            "OpenSpiel games/s, a tenth of the games": ROLLOUTS / 10 / peer_tenth,
            "moves a game": zermelo.playouts(game, games=GAMES, device="cpu").moves / GAMES,
            "cpu seconds by games": growth,
        },
    )


if __name__ == "__main__":
    main()
