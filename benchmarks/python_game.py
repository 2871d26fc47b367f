"""Claim: a game written in Python plays and is searched at least 500 times as fast as one written in Python for
OpenSpiel.

Both sides know tic-tac-toe as a Python class. Random games: OpenSpiel's are driven by a loop in Python. Alpha-beta:
OpenSpiel's own, in Python, against the search on the cpu machine; both look at the same number of nodes. A whole call
of `zermelo.alphabeta` also finds the best line and lists all first moves; its time is among the figures.
"""

import random
from typing import Any

from measure import Finding, fastest, openspiel, pin, report, rounded
from repeated import alphabeta

import zermelo

GAMES, PEER_GAMES, TIMES = 200_000, 100, 300


def random_games(first: Any, games: int) -> int:
    """Play random games with OpenSpiel's states; their moves."""
    draw, moves = random.Random(1), 0
    for _ in range(games):
        state = first.clone()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            moves += 1
    return moves


def nodes_of(search: Any, peer_game: Any) -> int:
    """How many nodes OpenSpiel's alpha-beta looks at."""
    plain, nodes = search._alpha_beta, 0

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal nodes
        nodes += 1
        return plain(*arguments, **named)

    search._alpha_beta = counted
    try:
        search.alpha_beta_search(peer_game)
    finally:
        search._alpha_beta = plain
    return nodes


def main() -> None:
    """Measure and print."""
    pin()
    pyspiel = openspiel()
    import open_spiel.python.games.tic_tac_toe  # noqa: F401  (registers python_tic_tac_toe)
    from open_spiel.python.algorithms import minimax as peer_search

    game, peer_game = zermelo.game("tic_tac_toe"), pyspiel.load_game("python_tic_tac_toe")
    first = peer_game.new_initial_state()
    moves = zermelo.playouts(game, games=GAMES, device="cpu").moves
    peer_moves = random_games(first, PEER_GAMES)
    nodes, peer_nodes = alphabeta(game, "cpu")[1], nodes_of(peer_search, peer_game)
    assert nodes == peer_nodes, f"the searches differ: {nodes} nodes and {peer_nodes}"
    zermelo.alphabeta(game, device="cpu")
    play, peer_play, search, call, peer = fastest(
        lambda: zermelo.playouts(game, games=GAMES, device="cpu"),
        lambda: random_games(first, PEER_GAMES),
        lambda: alphabeta(game, "cpu", times=TIMES),
        lambda: zermelo.alphabeta(game, device="cpu"),
        lambda: peer_search.alpha_beta_search(peer_game),
    )
    report(
        "A game written in Python (tic-tac-toe)",
        [
            Finding("speed of random games against OpenSpiel's", GAMES / play * peer_play / PEER_GAMES, 500),
            Finding("speed of the alpha-beta search against OpenSpiel's", peer / (search / TIMES), 500),
        ],
        {
            "cpu games/s": GAMES / play,
            "OpenSpiel games/s": PEER_GAMES / peer_play,
            "cpu moves a game": moves / GAMES,
            "OpenSpiel moves a game": peer_moves / PEER_GAMES,
            "nodes": nodes,
            "OpenSpiel nodes": peer_nodes,
            "cpu seconds a search": search / TIMES,
            "cpu seconds a whole call": call,
            "OpenSpiel seconds a search": peer,
            "ratio of whole calls": peer / call,
        },
        note=f"whole calls of alphabeta, with line and moves, {rounded(peer / call)} x",
    )


if __name__ == "__main__":
    main()
