"""One real answer of every kind that the package gives, by name: what leaves Python as data is tested on all of them.

A public function whose answers are of another kind needs a row here; `tests/running/test_answers_as_data.py` says so.
"""

from collections.abc import Callable
from typing import Any

import zermelo
from zermelo import Limit, Policy

POKER = zermelo.game("kuhn_poker")
DEALT = POKER.play(POKER.initial(), 0, 1)
TOE = zermelo.game("tic_tac_toe")
DILEMMA = zermelo.game("prisoners_dilemma")
PENNIES = zermelo.game("matching_pennies")
SHARE = zermelo.game("share")
FOUR = zermelo.game("connect_four:rows=4,cols=4")
NIM = zermelo.game("nim", heaps=(1, 2))
FEW = Limit(simulations=50)


def played() -> Any:
    """A short match."""
    return zermelo.match(NIM, ["alphabeta:depth=2", "random"], games=4, openings="none", seed=1)


def learned(**options: Any) -> Any:
    """Kuhn poker by regrets."""
    return zermelo.cfr(POKER, iterations=30, **options)


ANSWERS: dict[str, Callable[[], Any]] = {
    "minimax": lambda: zermelo.minimax(NIM, record=True),
    "alphabeta": lambda: zermelo.alphabeta(TOE, depth=2, device="cpu"),
    "expectiminimax": lambda: zermelo.expectiminimax(zermelo.game("pig"), depth=2, device="python"),
    "maxn": lambda: zermelo.maxn(zermelo.game("alliance")),
    "search": lambda: zermelo.search(NIM, limit=Limit(depth=3)),
    "mcts": lambda: zermelo.mcts(TOE, limit=FEW, record=True),
    "pimc": lambda: zermelo.pimc(POKER, DEALT, worlds=5),
    "ismcts": lambda: zermelo.ismcts(POKER, DEALT, limit=FEW),
    "sequence form": lambda: zermelo.sequence_form(POKER),
    "sequence form, nothing hidden": lambda: zermelo.sequence_form(NIM),
    "exact numbers": lambda: zermelo.minimax(zermelo.Tree([[2**53, 2**53 + 1], [2**53 + 1, 2**53 + 2]])),
    "move": lambda: next(iter(zermelo.minimax(NIM).moves.values())),
    "recorded tree": lambda: zermelo.alphabeta(NIM, record=True).tree,
    "belief": lambda: zermelo.belief(POKER, DEALT),
    "seen": lambda: zermelo.Seen.along(POKER, [0, 2, 0], player=0),
    "sight": lambda: zermelo.Seen.along(POKER, [0, 2, 0], player=0).sights[1],
    "cfr": learned,
    "cfr by sampling": lambda: learned(variant="external"),
    "cfr of a table": lambda: zermelo.cfr(PENNIES, iterations=30),
    "step of cfr": lambda: next(zermelo.cfr.stream(POKER, iterations=1)),
    "resolve": lambda: zermelo.resolve(POKER, DEALT, Policy.uniform(POKER), iterations=30),
    "nash": lambda: zermelo.nash(DILEMMA)[0],
    "nash, all": lambda: zermelo.nash(zermelo.game("chicken"), all=True),
    "nash of a tree": lambda: zermelo.nash(SHARE),
    "zero-sum": lambda: zermelo.zero_sum(PENNIES, exact=True),
    "lemke": lambda: zermelo.lemke(SHARE),
    "quasi-perfect": lambda: zermelo.quasi_perfect(SHARE),
    "trembling hand": lambda: zermelo.trembling_hand(SHARE),
    "subgame-perfect": lambda: zermelo.subgame_perfect(SHARE, all=True),
    "quantal responses": lambda: zermelo.quantal_response(DILEMMA),
    "quantal response": lambda: zermelo.quantal_response(DILEMMA).points[1],
    "subgame": lambda: zermelo.subgames(SHARE)[0],
    "elimination": lambda: zermelo.eliminate(DILEMMA),
    "dominated": lambda: zermelo.dominated(DILEMMA)[0],
    "rationalizable": lambda: zermelo.rationalizable(DILEMMA),
    "correlated": lambda: zermelo.correlated(DILEMMA),
    "correlated in a tree": lambda: zermelo.correlated(SHARE, kind="extensive"),
    "security": lambda: zermelo.security_level(PENNIES),
    "efficient": lambda: zermelo.pareto_front(DILEMMA)[0],
    "regret matching": lambda: zermelo.regret_matching(PENNIES, iterations=20),
    "replicator": lambda: zermelo.replicator(DILEMMA, steps=20),
    "fictitious play": lambda: zermelo.fictitious_play(PENNIES, iterations=20),
    "fictitious play, general sum": lambda: zermelo.fictitious_play(DILEMMA, iterations=20),
    "best responses": lambda: zermelo.best_response_dynamics(PENNIES),
    "evaluation": lambda: zermelo.evaluate(TOE, evaluation="lines"),
    "breadth-first minimax": lambda: zermelo.breadth_first_minimax(NIM),
    "best response": lambda: zermelo.best_response(POKER, Policy.uniform(POKER), 0),
    "behaviour": lambda: learned().policy,
    "policy": lambda: Policy.uniform(POKER),
    "policy of a search": lambda: Policy.best(NIM, zermelo.minimax),
    "best play": lambda: zermelo.minimax(NIM).policy,
    "best play by a function": lambda: zermelo.alphabeta(NIM, depth=2, evaluate=lambda s: 0.5).policy,
    "policy by views": lambda: zermelo.ismcts(POKER, DEALT, limit=FEW).policy,
    "normal form": lambda: zermelo.normal_form(SHARE, reduced=True),
    "extensive form": lambda: zermelo.extensive_form(SHARE),
    "match": played,
    "record of a game": lambda: played().games[0],
    "playouts": lambda: zermelo.playouts(POKER, games=20),
    "perft": lambda: zermelo.perft(TOE, 3),
    "divided perft": lambda: zermelo.perft_divide(TOE, 3),
    "reachable": lambda: zermelo.reachable(NIM),
    "report": lambda: zermelo.check(NIM, games=2, machines=False),
    "solved": lambda: zermelo.solve(FOUR, FOUR.parse_state("1212"), device="python"),
    "traits": lambda: POKER.traits,
    "limit": lambda: Limit(time=1.0),
    "test": lambda: zermelo.Sprt(0, 10),
    "game": lambda: POKER,
    "tree": lambda: zermelo.Tree([[3, 12], [2, 4]], title="by hand"),
    "table": lambda: zermelo.Matrix([[3, 0], [5, 1]], [[3, 5], [0, 1]]),
    "opened game": lambda: zermelo.opened(POKER),
}
