"""zermelo: write a game once, in plain Python; every method of the field works on it, at native speed.

>>> import zermelo
>>> zermelo.minimax(zermelo.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])).value
3.0
"""

from importlib import import_module
from typing import Any

from zermelo.searches.methods import METHODS

__version__ = "0.1.0"

_HOMES = {
    "contract": "Game CHANCE Traits",
    "errors": "ZermeloError UnknownGame BadParameter BadState IllegalAction BrokenContract UnsuitableGame EndlessGame "
    "BadNotation CompileError DeviceError Interrupted Busy MissingPackage",
    "result": "Limit Analysis Move",
    "record": "RecordedTree",
    "tree": "Tree move chance",
    "matrix": "Matrix",
    "policy": "Policy expected_values opened",
    "catalogue": "game",
    "conformance": "check Report",
    "compile": "kernel table replace thaw freeze hash64 machine",
    "bits": "u64",
    "searches.engine.engine": "Engine",
    "searches.mcts.mcts": "Mcts",
    "searches.hidden.seen": "Seen Sight",
    "searches.hidden.belief": "belief Belief",
    "searches.playouts": "playouts Playouts",
    "searches.plain.breadth_first": "breadth_first_minimax",
    "running.evaluations": "Evaluation evaluate",
    "searches.perft": "perft perft_divide reachable Reachable",
    "solving": "solve Solver Solved",
    "equilibrium.policies.equilibrium": "Equilibrium Equilibria Behaviour",
    "equilibrium.forms.extensive": "extensive_form ExtensiveForm",
    "equilibrium.forms.normal": "normal_form NormalForm",
    "equilibrium.nash.nash": "nash lemke_howson support_enumeration vertex_enumeration pure_equilibria",
    "equilibrium.nash.zero_sum": "zero_sum",
    "equilibrium.nash.lemke": "lemke",
    "equilibrium.concepts.quantal": "quantal_response",
    "equilibrium.concepts.perturbed": "quasi_perfect trembling_hand",
    "equilibrium.concepts.dominance": "eliminate dominated rationalizable",
    "equilibrium.concepts.subgames": "subgames subgame_perfect",
    "equilibrium.concepts.correlated": "correlated",
    "equilibrium.concepts.security": "security_level pareto_front",
    "equilibrium.learning.regret": "regret_matching",
    "equilibrium.learning.dynamics": "replicator fictitious_play best_response_dynamics",
    "equilibrium.cfr.cfr": "cfr",
    "equilibrium.cfr.resolving": "resolve",
    "equilibrium.cfr.best_response": "best_response exploitability nash_conv",
    "play.match": "match",
    "play.table": "Play",
    "play.score": "MatchResult",
    "play.ratings": "Sprt",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_HOME |= {method.name: method.home for method in METHODS}

_ROOMS = ("bits", "games", "play")

__all__ = ["__version__", *_ROOMS, *_HOME]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for, so that importing the package costs nothing."""
    if name in _HOME:
        value = getattr(import_module(f"zermelo.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    if name in _ROOMS:
        return import_module(f"zermelo.{name}")
    raise AttributeError(f"module 'zermelo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
