"""What all benchmarks share: one core, CPU time, minima of several runs, one way to say what came out.

A claim is a script that prints one line; with `--json` it prints the same as JSON, for `run.py`.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One ratio and what was wanted of it. `shown` and `shown_wanted` stand for them in print where times say more."""

    what: str
    ratio: float
    wanted: float
    at_most: bool = False
    shown: str = ""
    shown_wanted: str = ""

    @property
    def holds(self) -> bool:
        """Whether the ratio is as wanted."""
        return self.ratio <= self.wanted if self.at_most else self.ratio >= self.wanted

    @property
    def measured_text(self) -> str:
        """The ratio for people."""
        return self.shown or f"{rounded(self.ratio)} x"

    @property
    def wanted_text(self) -> str:
        """What was wanted, for people."""
        return f"{'at most' if self.at_most else 'at least'} {self.shown_wanted or f'{rounded(self.wanted)} x'}"


def rounded(value: float) -> str:
    """The number with three digits or so."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def pin() -> None:
    """Keep this process, and what it starts, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def fastest(*runs: Callable[[], Any], repeats: int = 5) -> list[float]:
    """The least CPU time of each run, in seconds. They take turns, so that a noisy moment hits all of them alike."""
    best = [float("inf")] * len(runs)
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for i, run in enumerate(runs):
                started = time.process_time()
                run()
                best[i] = min(best[i], time.process_time() - started)
    finally:
        gc.enable()
    return best


def openspiel() -> Any:
    """The module pyspiel."""
    try:
        import pyspiel
    except ImportError:
        sys.exit("this benchmark needs OpenSpiel: pip install open_spiel")
    return pyspiel


def openspiel_perft(state: Any, depth: int) -> int:
    """Perft by OpenSpiel's states; the last action is counted, not played."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(openspiel_perft(state.child(action), depth - 1) for action in actions)


def perft_against_openspiel(
    claim: str, name: str, depth: int, peer_depth: int, wanted: float, count: Callable[[Any, int], int]
) -> None:
    """Measure and report the speed of perft on the cpu beside that of `count` on OpenSpiel's states."""
    import zermelo

    pin()
    game = zermelo.game(name)
    first = openspiel().load_game(name).new_initial_state()
    leaves, peer_leaves = zermelo.perft(game, depth, device="cpu"), count(first, peer_depth)
    assert peer_leaves == zermelo.perft(game, peer_depth, device="cpu"), "the rules differ"
    native, peer = fastest(
        lambda: zermelo.perft(game, depth, device="cpu"), lambda: count(first, peer_depth), repeats=3
    )
    speed, peer_speed = leaves / native, peer_leaves / peer
    report(
        claim,
        [Finding("speed against OpenSpiel from Python", speed / peer_speed, wanted)],
        {"cpu leaves/s": speed, "OpenSpiel leaves/s": peer_speed, "cpu depth": depth, "peer depth": peer_depth},
    )


def report(claim: str, findings: list[Finding], figures: dict[str, Any], note: str = "") -> None:
    """Print what was found, on one line; with `--json` everything."""
    if "--json" in sys.argv[1:]:
        found = [asdict(f) | {"holds": f.holds} for f in findings]
        print(json.dumps({"claim": claim, "findings": found, "figures": figures, "note": note}))
        return
    parts = [f"{f.what} {f.measured_text} ({f.wanted_text} wanted)" for f in findings]
    print(f"{claim}: {'; '.join(parts)}{f'; {note}' if note else ''}")


def watching(every: int = 10) -> Callable[[Any], None]:
    """What a match calls after each game: it says how things stand now and then, since matches take long."""
    from zermelo.play.match import FAULTS

    began = time.perf_counter()

    def watch(so_far: Any) -> None:
        games = so_far.games
        if games[-1].end in FAULTS:
            print(f"game {games[-1].number}: {games[-1].reason}", file=sys.stderr, flush=True)
        if len(games) % every == 0:
            faults = sum(record.end in FAULTS for record in games)
            text = f"{len(games)} games, {so_far.score:.1%}, {faults} faults, {time.perf_counter() - began:.0f} s"
            print(text, file=sys.stderr, flush=True)

    return watch
