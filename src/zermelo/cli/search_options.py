"""Which method answers, how deep, and for how long: shared by the verbs that search."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from zermelo.cli.shared_arguments import add_device, integer, not_negative, seconds
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.method_players import helps
from zermelo.result import Analysis, Limit
from zermelo.searches.limits import listed, spent_on
from zermelo.searches.methods import BY_NAME, DEPTH, GUESSING, METHODS, names, owners, usual_method

RECORDED_SIMULATIONS = 200
"""Of which a tree is shown, where nothing else is said."""
OPTIONS = ("simulations", *dict.fromkeys(option for method in METHODS for option in method.options))
"""What can be said to some methods and not to others."""
DEEPEST = 1_000_000
MOST_SIMULATIONS = MOST_NODES = 1 << 40
USUAL_SECONDS = 5.0

Search = Callable[[int | None, str], Analysis]
Watch = Callable[[Analysis], None]


def add_search(parser: argparse.ArgumentParser, *, timed: bool = True) -> None:
    """The options of the searches; --time where the verb goes deeper by itself."""
    parser.add_argument("--method", choices=("auto", *names()), default="auto", help="auto: what fits the game")
    parser.add_argument("--depth", type=integer(0, DEEPEST), metavar="N", help="look so many moves ahead")
    if timed:
        about = f"go deeper, or simulate, for so long ({USUAL_SECONDS:g} where nothing else is said)"
        parser.add_argument("--time", type=seconds, metavar="SECONDS", help=about)
        parser.add_argument("--nodes", type=integer(1, MOST_NODES), metavar="N", help="go deeper for so many nodes")
    add_device(parser)
    parser.add_argument("--evaluate", metavar="NAME",
                        help="the estimate at the depth limit; `zermelo evaluate GAME` lists all")  # fmt: skip
    parser.add_argument("--order", type=_order, metavar="NAME",
                        help="one of the game's orders of moves; `own` is its usual one")  # fmt: skip
    parser.add_argument("--keep", type=integer(1, 1_000_000), metavar="N",
                        help="look at the N most promising moves alone: forward pruning (alphabeta)")  # fmt: skip
    parser.add_argument("--prune", choices=("star1", "star2"), help="cut off at chance nodes (expectiminimax)")
    parser.add_argument("--symmetry", action="store_true", help="skip mirror images (alphabeta)")
    parser.add_argument("--bounds", action="store_true", help="stop at the best utility there is (alphabeta)")
    parser.add_argument("--when-lost", choices=("delay", "hope"), help="choose among lost moves (minimax, alphabeta)")
    if timed:
        parser.add_argument("--lines", type=integer(1, 256), metavar="N", help="so many best moves (search)")
        parser.add_argument("--without", type=_names, metavar="NAMES",
                            help="switch techniques off, such as quiescence,null_move (search)")  # fmt: skip
        parser.add_argument("--threads", type=integer(1, 256), metavar="N", help="so many threads (search, mcts)")
    _add_sampling(parser)


def switched_off(names: Sequence[str]) -> dict[str, Any]:
    """The techniques of these names as options of the engine."""
    from zermelo.searches.engine.techniques import check_names

    check_names(names)
    return dict.fromkeys(names, False)


def _order(text: str) -> str | bool:
    """The name of an order of moves; True is the game's own."""
    return True if text == "own" else text


def _names(text: str) -> list[str]:
    """The names in a list with commas."""
    return [name.strip() for name in text.split(",")]


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    """The options of Monte Carlo tree search."""
    parser.add_argument(
        "--simulations", type=integer(1, MOST_SIMULATIONS), metavar="N", help="play so many games (mcts)"
    )
    parser.add_argument("--c", type=not_negative, metavar="X", help="larger explores more (mcts; 1.41)")
    for option, about in (
        ("rave", "let moves played later count as played first (mcts)"),
        ("prior", "let the game's own hints lead (mcts)"),
        ("solver", "carry certain results up the tree (mcts)"),
    ):
        parser.add_argument(f"--{option}", action=argparse.BooleanOptionalAction, help=about)
    parser.add_argument("--seed", type=integer(-(1 << 63), (1 << 63) - 1), metavar="S",
                        help="where randomness begins (mcts; 0)")  # fmt: skip


def chosen_method(game: Game, options: argparse.Namespace) -> str:
    """The method that the options name, or the one that fits the game."""
    return usual_method(game) if options.method == "auto" else options.method


def is_guessing(method: str) -> bool:
    """Whether the method samples what is hidden from the player."""
    return BY_NAME[method].kind == GUESSING


def is_given(options: argparse.Namespace, option: str) -> bool:
    """Whether somebody asked for it."""
    value = getattr(options, option, None)
    return value is not None and value is not False


def make_search(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace, *, record: bool = False
) -> Search:
    """The search that the options ask for, as a function of its depth and its machine."""
    import zermelo

    method = chosen_method(game, options)
    if record and BY_NAME[method].kind != DEPTH:
        # A recorded tree of sampling is had by `sampled`, where somebody asks for it.
        if options.method == method:
            raise BadParameter(f"{method} keeps no tree: use --method alphabeta")
        method = "alphabeta"
    search, given = getattr(zermelo, method), _given(game, history, method, options)
    if record:
        given["record"] = True
    return lambda depth, device: search(game, state, depth=depth, device=device, **given)


def _given(game: Game, history: list[Any], method: str, options: argparse.Namespace) -> dict[str, Any]:
    """What the options say to a search, but for its limits and its machine."""
    check_owners(method, options)
    given = {option: getattr(options, option) for option in BY_NAME[method].options if is_given(options, option)}
    given |= switched_off(given.pop("without", ()))
    return given | ({"history": history} if game.repetition is not None else {})


def check_owners(method: str, options: argparse.Namespace) -> None:
    """Refuse options and limits that the method does not know."""
    for limit in ("depth", "nodes"):
        known = [f"--{name}" for name in BY_NAME[method].limits if hasattr(options, name)]
        if is_given(options, limit) and f"--{limit}" not in known:
            raise BadParameter(f"--{limit} makes no sense here: {method} is limited by {listed(known)}")
    for option in OPTIONS:
        if is_given(options, option) and method not in owners(option):
            written = option.replace("_", "-")
            raise BadParameter(f"--{written} belongs to {' and '.join(owners(option))}, and {method} answers here")


def analyse(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace, *, watch: Watch | None = None
) -> Analysis:
    """The answer to what the options ask; `watch` sees each answer on the way to it."""
    import zermelo

    method = chosen_method(game, options)
    if method == "sequence_form":
        return _sequence_form(game, state, options)
    if method == "mcts":
        return sampled(game, state, history, options, watch)
    if is_guessing(method):
        return _hidden(method, game, state, history, options, watch)
    search, given = getattr(zermelo, method), _given(game, history, method, options)
    given["device"] = options.device
    limited = [name for name in ("time", "nodes") if is_given(options, name)]
    at_once = options.depth is not None or options.method != "auto" or game._is_small
    if BY_NAME[method].kind == DEPTH and not limited and at_once:
        return search(game, state, depth=options.depth, **given)
    usual = None if limited or options.depth is not None else USUAL_SECONDS
    limits = {"time": options.time or usual, "nodes": options.nodes, "depth": options.depth}
    answer = _watched(search.stream(game, state, **limits, **given), watch)
    if usual is not None and answer.note.endswith(spent_on(Limit(time=usual))):
        return replace(answer, note=f"{answer.note}; --time and --depth change it")
    return answer


def _watched(answers: Iterable[Analysis], watch: Watch | None) -> Analysis:
    """The last of the answers; each is watched."""
    for answer in answers:
        if watch is not None:
            watch(answer)
    return answer


def sampled(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace, watch: Watch | None, *,
    record: bool = False,
) -> Analysis:  # fmt: skip
    """What sampling finds, with what helps it in this game unless the options say otherwise."""
    import zermelo

    check_owners("mcts", options)
    if record:
        limit = Limit(simulations=options.simulations or RECORDED_SIMULATIONS)
    else:
        limit = _sampling_limit(options)
    known = ((name, getattr(options, name, None)) for name in BY_NAME["mcts"].options)
    asked = {name: value for name, value in known if value is not None}
    answers = zermelo.mcts.stream(
        game, state, limit=limit, history=history, device=options.device, record=record, **(helps(game) | asked)
    )
    return _watched(answers, watch)


def _sampling_limit(options: argparse.Namespace) -> Limit:
    """How long sampling goes on: as the options say, or some seconds."""
    usual = USUAL_SECONDS if options.simulations is None else None
    return Limit(time=options.time or usual, simulations=options.simulations)


def _hidden(
    method: str, game: Game, state: Any, history: list[Any], options: argparse.Namespace, watch: Watch | None
) -> Analysis:  # fmt: skip
    """What the player to move finds who sees only what that player has seen."""
    import zermelo

    taken = ("simulations", *BY_NAME[method].options)
    refused = [name for name in ("depth", "nodes") if is_given(options, name)]
    refused += [name for name in OPTIONS if is_given(options, name) and name not in taken]
    if refused:
        written = refused[0].replace("_", "-")
        raise BadParameter(f"--{written} makes no sense here: {method} takes --time, --{', --'.join(taken)}")
    limit = _sampling_limit(options)
    asked = {name: getattr(options, name) for name in taken[1:] if getattr(options, name) is not None}
    given = {"limit": limit, "history": history, "device": options.device, **asked}
    if method == "pimc":
        return zermelo.pimc(game, state, **given)
    return _watched(zermelo.ismcts.stream(game, state, **given), watch)


def _sequence_form(game: Game, state: Any, options: argparse.Namespace) -> Analysis:
    from zermelo.equilibrium.nash.sequence_form import sequence_form

    refused = [name for name in (*OPTIONS, "depth", "nodes", "time") if is_given(options, name)]
    refused += ["device"] * (options.device not in ("auto", "python"))
    if refused:
        written = refused[0].replace("_", "-")
        raise BadParameter(f"--{written} makes no sense here: sequence_form solves {game.name} as a whole, in Python")
    answer = sequence_form(game, state)
    if state != game.initial():
        return replace(answer, note="the position is taken as known to both; what is hidden later stays hidden")
    return answer
