"""Claim: alpha-beta over the whole of tic-tac-toe on the python machine takes at most 1.5 times as long as OpenSpiel's.

OpenSpiel's search is Python on rules in C++; here search and rules are both Python. The nodes are the same. A whole
call of `zermelo.alphabeta` also finds the best line and lists all first moves; its time is among the figures.
"""

from measure import Finding, fastest, openspiel, pin, report, rounded
from python_game import nodes_of
from repeated import alphabeta

import zermelo


def main() -> None:
    """Measure and print."""
    pin()
    pyspiel = openspiel()
    from open_spiel.python.algorithms import minimax as peer_search

    game, peer_game = zermelo.game("tic_tac_toe"), pyspiel.load_game("tic_tac_toe")
    value, nodes = alphabeta(game, "python")
    peer_value, peer_nodes = peer_search.alpha_beta_search(peer_game)[0], nodes_of(peer_search, peer_game)
    assert (value, nodes) == (peer_value, peer_nodes), f"the searches differ: {nodes} nodes and {peer_nodes}"
    search, call, peer = fastest(
        lambda: alphabeta(game, "python"),
        lambda: zermelo.alphabeta(game, device="python"),
        lambda: peer_search.alpha_beta_search(peer_game),
        repeats=15,
    )
    report(
        "Alpha-beta in plain Python (tic-tac-toe)",
        [Finding("time of the search against OpenSpiel's", search / peer, 1.5, at_most=True)],
        {
            "nodes": nodes,
            "OpenSpiel nodes": peer_nodes,
            "seconds a search": search,
            "seconds a whole call": call,
            "OpenSpiel seconds a search": peer,
            "microseconds a node": 1e6 * search / nodes,
            "OpenSpiel microseconds a node": 1e6 * peer / peer_nodes,
            "ratio of whole calls": call / peer,
        },
        note=f"whole calls of alphabeta, with line and moves, {rounded(call / peer)} x",
    )


if __name__ == "__main__":
    main()
