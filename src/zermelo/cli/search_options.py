"""Which method answers, how deep, and for how long: shared by the verbs that search."""

import argparse
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zermelo.cli.shared_arguments import add_device, integer, not_negative, seconds
from zermelo.compile.machine import is_native
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.play.method_players import helps
from zermelo.result import Analysis, Limit
from zermelo.searches.methods import BY_NAME, DEPTH, GUESSING, METHODS, names, owners, usual_method

RECORDED_SIMULATIONS = 200
"""Of which a tree is shown, where nothing else is said."""
OPTIONS = ("simulations", *dict.fromkeys(option for method in METHODS for option in method.options))
"""What can be said to some methods and not to others."""
DEEPEST = 1_000_000
MOST_SIMULATIONS = 1 << 40
USUAL_SECONDS = 5.0

Search = Callable[[int | None, str], Analysis]
Watch = Callable[[Analysis], None]


def add_search(parser: argparse.ArgumentParser, *, timed: bool = True) -> None:
    """The options of the searches; --time where the verb goes deeper by itself."""
    parser.add_argument("--method", choices=("auto", *names()), default="auto", help="auto: what fits the game")
    parser.add_argument("--depth", type=integer(0, DEEPEST), metavar="N", help="look so many moves ahead")
    if timed:
        about = f"without a depth: go deeper for so long (auto: {USUAL_SECONDS:g})"
        parser.add_argument("--time", type=seconds, metavar="SECONDS", help=about)
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
    check_owners(method, options)
    given: dict[str, Any] = {
        option: getattr(options, option) for option in BY_NAME[method].options if is_given(options, option)
    }
    if game.repetition is not None:
        given["history"] = history
    if record:
        given["record"] = True
    search = getattr(zermelo, method)
    if method == "search":
        given |= switched_off(given.pop("without", ()))
        return lambda depth, device: search(game, state, limit=Limit(depth=depth), device=device, **given)
    return lambda depth, device: search(game, state, depth=depth, device=device, **given)


def check_owners(method: str, options: argparse.Namespace) -> None:
    """Refuse options that the method does not know."""
    for option in OPTIONS:
        if is_given(options, option) and method not in owners(option):
            written = option.replace("_", "-")
            raise BadParameter(f"--{written} belongs to {' and '.join(owners(option))}, and {method} answers here")


def analyse(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace, *, watch: Watch | None = None
) -> Analysis:
    """The answer to what the options ask; `watch` sees each answer on the way to it."""
    method = chosen_method(game, options)
    if method == "sequence_form":
        return _sequence_form(game, state, options)
    if method == "mcts":
        return sampled(game, state, history, options, watch)
    if is_guessing(method):
        return _hidden(method, game, state, history, options, watch)
    search = make_search(game, state, history, options)
    if method == "search":
        return _engine(game, state, history, options, watch)
    if options.depth is not None or (options.method != "auto" and options.time is None) or game._is_small:
        return search(options.depth, options.device)
    device = options.device
    if device == "auto" and is_native(game) is not None:
        device = "python"
    return deepen(search, device, seconds=options.time or USUAL_SECONDS, watch=watch)


def _engine(
    game: Game, state: Any, history: list[Any], options: argparse.Namespace, watch: Watch | None
) -> Analysis:  # fmt: skip
    """What the engine finds: it has a clock of its own."""
    import zermelo

    usual = USUAL_SECONDS if options.depth is None else None
    limit = Limit(time=options.time or usual, depth=options.depth)
    answers = zermelo.search.stream(
        game, state, limit=limit, history=history, lines=options.lines or 1, threads=options.threads or 1,
        device=options.device, evaluate=options.evaluate, **switched_off(options.without or ()),
    )  # fmt: skip
    return _watched(answers, watch)


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
    if options.depth is not None:
        limits = "--simulations" if record else "--simulations or --time"
        raise BadParameter(f"--depth makes no sense here: mcts is limited by {limits}")
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
    refused = ["depth"] * (options.depth is not None)
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

    refused = [name for name in OPTIONS if is_given(options, name)]
    refused += ["depth"] * (options.depth is not None) + ["device"] * (options.device not in ("auto", "python"))
    if refused:
        written = refused[0].replace("_", "-")
        raise BadParameter(f"--{written} makes no sense here: sequence_form solves {game.name} as a whole, in Python")
    answer = sequence_form(game, state)
    if state != game.initial():
        return replace(answer, note="the position is taken as known to both; what is hidden later stays hidden")
    return answer


def deepen(search: Search, device: str, *, seconds: float, watch: Watch | None = None) -> Analysis:
    """The deepest answer that there was time for: depth 1, 2, 3, ... until one is exact.

    Its nodes and its time are its own; the note has those of all depths together. A depth is not begun after half of
    the time, and left behind when all of it has passed. Machine "auto" goes native when plain Python gets slow; the
    time for compiling is not counted, and there the clock begins.
    """
    started = counted_from = time.perf_counter()
    answer = search(1, device)
    nodes, depth = answer.nodes, 1
    while True:
        if watch is not None:
            watch(answer)
        spent = time.perf_counter() - counted_from
        if answer.bound == "exact" or spent > seconds / 2:
            break
        depth += 1
        if device == "auto":
            deeper: Analysis | None = search(depth, device)
            assert deeper is not None
            if deeper.device != "python":
                device, counted_from = deeper.device, time.perf_counter() - spent
        else:
            deeper = within(seconds - spent, partial(search, depth, device))
        if deeper is None:
            break
        answer = deeper
        nodes += answer.nodes
    way = f"as deep as {seconds:g} s allow; --time and --depth change it" if answer.bound != "exact" else ""
    whole = f"with the shallower searches {nodes:,} nodes, {time.perf_counter() - started:.2g} s" if depth > 1 else ""
    return replace(answer, note="; ".join(part for part in (answer.note, way, whole) if part))


def within(seconds: float, work: Callable[[], Analysis]) -> Analysis | None:
    """What `work` returns, or None where it takes longer: it is then left running behind, until the process ends."""
    done: list[Analysis] = []
    failed: list[BaseException] = []

    def guarded() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    return done[0] if done else None
