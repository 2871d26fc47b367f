"""Equilibrium play by counterfactual regret minimisation: all learn from what they regret, and the average counts.

It stops after --iterations, after --time, or when best responses gain --until or less on average; an interrupt stops it
too, and the answer so far is printed. Variants that go through the whole tree: cfr, cfr+, linear, discounted,
predictive. Those that sample games and need no tree: external, outcome, chance.
"""

import argparse
import math
import sys
import time
from typing import Any

from zermelo import files
from zermelo.cli import FINE
from zermelo.cli.shared_arguments import (
    Parser,
    add_device,
    add_game,
    add_seed,
    decimal,
    integer,
    open_game,
    print_json,
    seconds,
)
from zermelo.cli.strategies import listed_play, mixture_sum, numbers_text, print_play
from zermelo.contract import Game
from zermelo.equilibrium.cfr.cfr import Progress as Step
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.cfr.variants import SAMPLED, VARIANTS
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import BadParameter
from zermelo.matrix import Matrix
from zermelo.terminal import Progress

MOST_ITERATIONS = 1 << 40
BAR = 24
"""How many characters wide the bar is."""


def arguments(parser: Parser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    parser.add_argument("--variant", choices=(*VARIANTS, *SAMPLED), default="cfr+", help="how regrets count (cfr+)")
    gain = decimal(0, 1e9, "number above 0", above=True)
    parser.add_argument("--until", type=gain, metavar="X", help="stop at this exploitability")
    count = integer(1, MOST_ITERATIONS)
    parser.add_argument("--iterations", type=count, metavar="N", help="stop here (1,000; 100,000 of sampled games)")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="stop after so long")
    add_seed(parser)
    add_device(parser)
    parser.add_argument(
        "--memory", type=integer(1, 1 << 20), metavar="MB", help="for the tree, or for the table of sampling"
    )
    parser.add_argument("--no-assess", action="store_true", help="do not measure what sampling found by the whole tree")
    parser.add_file("--save", "write the policy; zermelo.Behaviour.load reads it")


def run(options: argparse.Namespace) -> int:
    """Print how to play."""
    game = open_game(options.game)
    if options.save is not None:
        files.require_writable(options.save)
    last, curve, interrupt = _learned(game, options)
    interrupted = interrupt is not None
    found = last.answer()
    failure = None if options.save is None else _save(found, options.save)
    if options.json:
        steps = [{"iteration": iteration, "exploitability": gain} for iteration, gain in curve]
        of_the_run = {"interrupted": interrupted, "curve": steps, "saved": None if failure else options.save}
        print_json(found.to_json() | of_the_run)
    else:
        _print(game, found, interrupted)
        if not isinstance(game, Matrix):
            print_play(listed_play(found))
        if options.save is not None and failure is None:
            print(f"{options.save}: the policy")
    if failure is not None:
        raise failure
    if interrupt is not None:
        sys.stdout.flush()
        raise interrupt
    return FINE


def _learned(
    game: Game, options: argparse.Namespace
) -> tuple[Step, list[tuple[int, float]], KeyboardInterrupt | None]:  # fmt: skip
    """The last step, the exploitability on the way to it, and what stopped it, if something did."""
    shown = Progress()
    curve: list[tuple[int, float]] = []
    last: Step | None = None
    started = time.perf_counter()
    given = {"memory": options.memory} if options.memory is not None else {}
    if options.no_assess:
        given["assess"] = False
    try:
        for last in cfr.stream(
            game, iterations=options.iterations, until=options.until, time=options.time, variant=options.variant,
            seed=options.seed, device=options.device, **given,
        ):  # fmt: skip
            curve.append((last.iteration, last.exploitability))
            shown.show(_so_far(last, curve, options, time.perf_counter() - started))
    except KeyboardInterrupt as interrupt:
        if last is None:
            raise
        return last, curve, interrupt
    finally:
        shown.clear()
    assert last is not None
    return last, curve, None


def _so_far(step: Step, curve: list[tuple[int, float]], options: argparse.Namespace, spent: float) -> str:
    """A bar, and what is known."""
    share = 0.0
    if options.iterations is not None:
        share = step.iteration / options.iterations
    if options.time is not None:
        share = max(share, spent / options.time)
    if options.until is not None and 0 < step.exploitability < curve[0][1]:
        # Exploitability falls by powers: half of the digits are half of the way.
        whole_way = math.log(curve[0][1] / options.until) if curve[0][1] > options.until else 0.0
        share = max(share, math.log(curve[0][1] / step.exploitability) / whole_way if whole_way else 1.0)
    full = round(BAR * min(1.0, share))
    gain = "unknown" if math.isnan(step.exploitability) else f"{step.exploitability:.3g}"
    return f"[{'#' * full}{'.' * (BAR - full)}] iteration {step.iteration:,}, exploitability {gain}, {spent:.0f} s"


def _print(game: Game, found: Equilibrium, interrupted: bool) -> None:
    """What was found, in some lines."""
    stopped = ", interrupted" if interrupted else ""
    print(f"{game.name}: {found.method}, {found.iterations:,} iterations, {found.time:.3g} s{stopped}")
    print(f"values          {numbers_text(found.values)}")
    if found.gains:
        each = ", ".join(f"{gain:.3g}" for gain in found.gains)
        print(f"exploitability  {found.exploitability:.3g} (best responses gain {each})")
    if isinstance(game, Matrix):
        for name, strategy, labels in zip(game.names, found.profile, game.labels, strict=True):
            print(f"  {name}: {mixture_sum(strategy, labels)}")
    if found.note:
        print(f"({found.note})")


def _save(found: Equilibrium, path: str) -> BadParameter | None:
    """Write the policy; why that failed, which is told when what was learned has been printed."""
    policy: Any = found.policy
    try:
        policy.save(path)
    except BadParameter as error:
        return error
    return None
