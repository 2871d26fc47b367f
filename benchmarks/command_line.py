"""Claim: what users type is as fast as what the other benchmarks call: a whole command, on the device that it picks by
itself, takes at most half a second of CPU more than the call with device="cpu" where all is compiled.

Code is kept on disk, as it is from the second use on; the figures tell what the very first use costs. Under UCI a count
is timed from `go perft` to its answer.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from measure import Finding, fastest, pin, report

import zermelo
from zermelo import Limit, Mcts
from zermelo.searches.engine.engine import Engine

START = 0.5
"""Seconds of CPU that a command may take for its start: Python, numpy and the code that is kept."""
REPEATS = 3
CASES: dict[str, Callable[[], Any]] = {
    "perft chess 6": lambda: zermelo.perft(zermelo.game("chess"), 6, device="cpu"),
    "perft checkers 10": lambda: zermelo.perft(zermelo.game("checkers"), 10, device="cpu"),
    "perft connect_four 9": lambda: zermelo.perft(zermelo.game("connect_four"), 9, device="cpu"),
    "playouts connect_four --games 2000000": lambda: zermelo.playouts(
        zermelo.game("connect_four"), games=2_000_000, device="cpu"
    ),
    "analyse connect_four --method alphabeta --depth 11": lambda: zermelo.alphabeta(
        zermelo.game("connect_four"), depth=11, device="cpu"
    ),
    "analyse chess --method search --depth 15": lambda: Engine(
        zermelo.game("chess"), device="cpu", once=Limit(depth=15)
    ).search(limit=Limit(depth=15)),
    "analyse connect_four --method mcts --simulations 300000": lambda: Mcts(
        zermelo.game("connect_four"), device="cpu"
    ).search(limit=Limit(simulations=300_000)),
    "solve connect_four --moves '4 4 4 4 4 2'": lambda: zermelo.solve(
        zermelo.game("connect_four"), zermelo.game("connect_four").parse_state("444442"), device="cpu"
    ),
    "cfr leduc_poker --until 0.0005": lambda: zermelo.cfr(zermelo.game("leduc_poker"), until=5e-4, device="cpu"),
}
"""What is typed, and the call that it stands for."""


def typed(command: str, folder: str | None = None) -> float:
    """Seconds of CPU that the whole command takes."""
    words = [sys.executable, "-m", "zermelo", *shlex.split(command), "--json"]
    space = os.environ if folder is None else {**os.environ, "ZERMELO_CACHE": folder}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True, env=space)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"zermelo {command}: {done.stderr.strip().splitlines()[-1]}")
    json.loads(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def under_uci() -> float:
    """Seconds from `go perft 6` to its sum, in an engine that is ready."""
    server = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("isready\n")
    server.stdin.flush()
    while server.stdout.readline() != "readyok\n":
        pass
    began = time.perf_counter()
    server.stdin.write("go perft 6\n")
    server.stdin.flush()
    while not server.stdout.readline().startswith("Nodes searched"):
        pass
    spent = time.perf_counter() - began
    server.communicate("quit\n")
    return spent


def main() -> None:
    """Measure and print."""
    pin()
    findings, figures = [], {}
    for command, call in CASES.items():
        call()
        typed(command)
        own = whole = float("inf")
        for _ in range(REPEATS):
            own = min(own, *fastest(call, repeats=1))
            whole = min(whole, typed(command))
        with tempfile.TemporaryDirectory() as folder:
            first = typed(command, folder)
        shown = f"{whole:.2f} s to {own:.2f} s"
        findings.append(
            Finding(f"zermelo {command}", whole - own, START, at_most=True, shown=shown, shown_wanted=f"{START} s more")
        )
        figures[command] = {"call": own, "whole command": whole, "first use": first}
    call = CASES["perft chess 6"]
    own, counted = min(fastest(call)), min(under_uci() for _ in range(REPEATS))
    shown = f"{counted:.2f} s to {own:.2f} s"
    findings.append(
        Finding("go perft 6 under UCI", counted - own, START, at_most=True, shown=shown, shown_wanted=f"{START} s more")
    )
    figures["go perft 6 under UCI"] = counted
    report("What users type", findings, figures)


if __name__ == "__main__":
    main()
