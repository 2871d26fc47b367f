"""Claim: a first answer does not wait for a compiler.

Whole commands, as users type them, with an empty cache and a full one: a game of one's own answers within its limit of
time; where nothing but native code will do, it is there after 1.5 s of CPU (alpha-beta) or 4 s (the engine); games of
the package whose code is ready answer natively after half a second of CPU. With --busy N so many processes keep the
cores busy meanwhile.

usage: python benchmarks/first_answer.py [--busy N] [--json]
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from measure import Finding, report

OWN = str(Path(__file__).parent / "games" / "small_breakthrough.py")
LIMIT = 2.0
LATE = 0.5
"""Seconds of wall time that a command may take beside its limit."""
SEARCHES = ("search", "mcts", "alphabeta")
READY = {
    "analyse tic_tac_toe --device cpu": 0.0,
    "analyse connect_four --method search --time 1": 1.0,
    "analyse chess --time 1": 1.0,
    "analyse go --time 1": 1.0,
    "perft chess 4 --device cpu": 0.0,
    "cfr leduc_poker --iterations 10 --device cpu": 0.0,
}
"""Commands about games of the package, and the seconds that they think."""


class Taken(NamedTuple):
    """What a command took and said."""

    wall: float
    cpu: float
    answer: dict[str, object]


def typed(command: str, folder: str) -> Taken:
    """Run a command with this cache; what a child that outlives it takes is not counted."""
    words = [sys.executable, "-m", "zermelo", *command.split(), "--json"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"ZERMELO_CACHE": folder}, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, cpu, json.loads(done.stdout))


def settled(folder: str) -> None:
    """Wait until no child writes into the cache any more."""
    while any(path.name.startswith(".new-") for path in Path(folder).glob(".*")):
        time.sleep(0.05)


def main() -> None:
    """Measure and print."""
    words = sys.argv[1:]
    busy = int(words[words.index("--busy") + 1]) if "--busy" in words else 0
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    findings: list[Finding] = []
    figures: dict[str, object] = {"busy processes": busy}
    try:
        for method in SEARCHES:
            with tempfile.TemporaryDirectory() as folder:
                command = f"analyse {OWN} --method {method} --time {LIMIT:g}"
                cold = typed(command, folder)
                settled(folder)
                warm = typed(command, folder)
                figures[method] = {
                    when: {"wall": t.wall, "cpu": t.cpu, **{k: t.answer[k] for k in ("seconds", "depth", "device")}}
                    for when, t in (("cold", cold), ("warm", warm))
                }
                findings.append(_at_most(f"{method} --time {LIMIT:g}, cold, wall time", cold.wall, LIMIT + LATE))
        for method, wanted in (("alphabeta", 1.5), ("search", 4.0)):
            with tempfile.TemporaryDirectory() as folder:
                took = typed(f"analyse {OWN} --method {method} --depth 3 --device cpu", folder)
                findings.append(_at_most(f"{method} --device cpu, cold, CPU", took.cpu, wanted))
        with tempfile.TemporaryDirectory() as folder:
            findings.append(_at_most("check, cold, CPU", typed(f"check {OWN}", folder).cpu, 3.5))
        with tempfile.TemporaryDirectory() as folder:
            for command, thinking in READY.items():
                typed(command, folder)
                settled(folder)
                took = typed(command, folder)
                findings.append(_at_most(f"{command}, ready, CPU beside thinking", took.cpu - thinking, 0.5))
    finally:
        for other in others:
            other.kill()
    report("What a first answer takes", findings, figures)
    if "--json" not in words:
        print(json.dumps(figures, indent=1))


def _at_most(what: str, seconds: float, wanted: float) -> Finding:
    shown = f"{max(0.0, seconds):.2f} s"
    return Finding(what, max(0.0, seconds), wanted, True, shown, f"{wanted:g} s")


if __name__ == "__main__":
    main()
