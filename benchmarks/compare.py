"""Compares the speed of two checkouts: `python benchmarks/compare.py OLD NEW [--only NAME ...] [--rounds N]`.

Every case is one search of a second or so. A round starts one process for each checkout, lets both warm up, and then
asks them in turns for the same search, all on one core; CPU time counts. The answers must be equal: nodes, values,
moves. A case that looks slower than it may be is measured in as many rounds again before it is called slower.

`--compile` compares instead how long each case compiles with an empty cache, in processor time of all processes.
The exit code is 1 if answers differ or something is slower. Only public names of `zermelo` occur here, so that
checkouts may differ in everything else.
"""

import argparse
import gc
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

CPU, PYTHON = {"device": "cpu"}, {"device": "python"}
ALLOWED = {"cpu": 1.02, "python": 1.05}
"""How much longer the new checkout may take."""
TURNS = 3
"""Searches of each process in a round, after the one that warms up."""

Case = Callable[[Any, bool], Callable[[], Any]]
"""Makes a search, given the package and whether the search need only be compiled."""

CASES: dict[str, Case] = {}


def case(prepare: Case) -> Case:
    """Enter a case under the name of its function."""
    CASES[prepare.__name__] = prepare
    return prepare


def device_of(name: str) -> str:
    """The machine on which a case runs, as its name says."""
    return "python" if name.endswith("_python") else "cpu"


def dealt(zermelo: Any, game: Any) -> Any:
    """The first state in which a player moves, after the first cards in order."""
    s = game.initial()
    while game.to_move(s) == zermelo.CHANCE:
        s = game.result(s, next(iter(game.actions(s))))
    return s


def many_times(times: int, search: Callable[[], Any]) -> Callable[[], Any]:
    """A search that is too short alone, as often as it takes to measure it."""

    def repeated() -> Any:
        for _ in range(times):
            found = search()
        return found

    return repeated


@case
def minimax(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    return lambda: zermelo.minimax(game, depth=2 if brief else 10, **CPU)


@case
def minimax_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("tic_tac_toe")
    return lambda: zermelo.minimax(game, **PYTHON)


@case
def alphabeta(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    search = lambda: zermelo.alphabeta(game, depth=2 if brief else 14, **CPU)  # noqa: E731
    return search if brief else many_times(3, search)


@case
def alphabeta_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    return many_times(2, lambda: zermelo.alphabeta(game, depth=10, **PYTHON))


@case
def expectiminimax(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("pig")
    return lambda: zermelo.expectiminimax(game, depth=2 if brief else 19, **CPU)


@case
def expectiminimax_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("pig")
    return lambda: zermelo.expectiminimax(game, depth=13, **PYTHON)


@case
def star(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("backgammon")
    search = lambda: zermelo.expectiminimax(game, depth=3 if brief else 5, prune="star2", **CPU)  # noqa: E731
    return search if brief else many_times(250, search)


@case
def maxn(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("three_player_tic_tac_toe")
    search = lambda: zermelo.maxn(game, depth=2 if brief else 12, **CPU)  # noqa: E731
    return search if brief else many_times(50, search)


@case
def maxn_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("three_player_tic_tac_toe")
    return lambda: zermelo.maxn(game, depth=7, **PYTHON)


@case
def search_chess(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("chess")
    return lambda: zermelo.search(game, limit=zermelo.Limit(depth=1 if brief else 21), **CPU)


@case
def search_othello(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("othello")
    return lambda: zermelo.search(game, limit=zermelo.Limit(depth=1 if brief else 23), **CPU)


@case
def search_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    return lambda: zermelo.search(game, limit=zermelo.Limit(depth=15), **PYTHON)


@case
def mcts_connect_four(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    return lambda: zermelo.mcts(game, limit=zermelo.Limit(simulations=10 if brief else 2_000_000), **CPU)


@case
def mcts_go(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("go", size=9)
    return lambda: zermelo.mcts(game, limit=zermelo.Limit(simulations=10 if brief else 60_000), **CPU)


@case
def mcts_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("tic_tac_toe")
    return lambda: zermelo.mcts(game, limit=zermelo.Limit(simulations=12_000), **PYTHON)


@case
def ismcts(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("liars_dice")
    s = dealt(zermelo, game)
    return lambda: zermelo.ismcts(game, s, limit=zermelo.Limit(simulations=10 if brief else 2_500_000), **CPU)


@case
def ismcts_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("kuhn_poker")
    s = dealt(zermelo, game)
    return lambda: zermelo.ismcts(game, s, limit=zermelo.Limit(simulations=12_000), **PYTHON)


@case
def perft(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("chess")
    search = lambda: zermelo.perft(game, 2 if brief else 6, **CPU)  # noqa: E731
    return search if brief else many_times(3, search)


@case
def perft_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("chess")
    return lambda: zermelo.perft(game, 4, **PYTHON)


@case
def playouts(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("backgammon")
    return lambda: zermelo.playouts(game, games=10 if brief else 150_000, seed=0, **CPU)


@case
def playouts_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    return lambda: zermelo.playouts(game, games=7_000, seed=0, **PYTHON)


@case
def cfr(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("leduc_poker")
    return lambda: zermelo.cfr(game, iterations=2 if brief else 60_000, **CPU)


@case
def cfr_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("kuhn_poker")
    return lambda: zermelo.cfr(game, iterations=30_000, **PYTHON)


@case
def sampled_cfr(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("leduc_poker")
    iterations = 2 if brief else 800_000
    return lambda: zermelo.cfr(game, variant="external", iterations=iterations, **CPU)


@case
def sampled_cfr_python(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("kuhn_poker")
    return lambda: zermelo.cfr(game, variant="external", iterations=8_000, **PYTHON)


@case
def nash(zermelo: Any, brief: bool) -> Any:
    draw, size = random.Random(1), 3 if brief else 15

    def table() -> list[list[int]]:
        return [[draw.randint(-100, 100) for _ in range(size)] for _ in range(size)]

    games = [zermelo.Matrix(table(), table()) for _ in range(1 if brief else 12)]
    return lambda: [list(zermelo.nash(game, all=True, exact=True)) for game in games]


@case
def solve(zermelo: Any, brief: bool) -> Any:
    game = zermelo.game("connect_four")
    s = game.initial()
    for column in (3, 3, 3, 3, 3, 1, *((1, 1, 1, 1, 0, 0, 0, 0, 0) if brief else ())):
        s = game.result(s, column)
    return lambda: zermelo.solve(game, s, **CPU)


FACTS = ("nodes", "value", "values", "action", "line", "moves", "mean", "means", "exploitability", "profile")


def facts(found: Any) -> Any:
    """What must be equal in the answers of both checkouts."""
    if isinstance(found, list):
        return [facts(one) for one in found]
    known = {name: repr(getattr(found, name)) for name in FACTS if hasattr(found, name)}
    return known or repr(found)


def serve(name: str, brief: bool) -> None:
    """What a child does: search once for each line that it reads, and say how long it took and what was found."""
    import zermelo

    began = time.process_time()
    search = CASES[name](zermelo, brief)
    found = search()
    print(json.dumps([time.process_time() - began, facts(found)]), flush=True)
    for _ in sys.stdin:
        gc.collect()
        gc.disable()
        began = time.process_time()
        search()
        took = time.process_time() - began
        gc.enable()
        print(json.dumps(took), flush=True)


@dataclass
class Checkout:
    """One of the two, with a cache of its own."""

    path: Path
    core: int
    times: dict[str, list[float]] = field(default_factory=dict)

    @property
    def cache(self) -> Path:
        """Where its native code is kept from one comparison to the next."""
        key = hashlib.sha256(str(self.path).encode()).hexdigest()[:8]
        return Path(tempfile.gettempdir()) / "zermelo-compare" / f"{self.path.name}-{key}"

    def start(self, name: str, *options: str, cache: Path | None = None) -> subprocess.Popen[str]:
        """A process that answers for one case."""
        kept = self.cache if cache is None else cache
        kept.mkdir(parents=True, exist_ok=True)
        own = {"PYTHONPATH": str(self.path / "src"), "ZERMELO_CACHE": str(kept), "ZERMELO_QUIET": "1"}
        return subprocess.Popen(
            [sys.executable, "-P", __file__, "--child", name, *options], env=os.environ | own, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=lambda: keep_to(self.core),
        )  # fmt: skip


def keep_to(core: int) -> None:
    """Keep this process, and what it starts, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def heard(child: subprocess.Popen[str]) -> Any:
    """The next line of a child."""
    assert child.stdout is not None
    line = child.stdout.readline()
    if not line:
        raise ChildProcessError("a search ended early")
    return json.loads(line)


def asked(child: subprocess.Popen[str]) -> float:
    """Seconds of one more search."""
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()
    return heard(child)


def dismissed(child: subprocess.Popen[str]) -> float:
    """Let a child end; seconds of processor time that it and its own children used."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.close()
    child.stdout.close()
    if not hasattr(os, "wait4"):
        child.wait()
        return 0.0
    _, child.returncode, used = os.wait4(child.pid, 0)
    return used.ru_utime + used.ru_stime


def fill_caches(name: str, sides: list[Checkout]) -> None:
    """Compile what a case needs, so that rounds begin with a cache that has it."""
    for side in sides:
        child = side.start(name, "--brief")
        try:
            heard(child)
        finally:
            dismissed(child)


def one_round(name: str, sides: list[Checkout], turns: int) -> bool:
    """Measure both in turns; whether they found the same."""
    children = [side.start(name) for side in sides]
    try:
        first, second = (heard(child)[1] for child in children)
        for turn in range(turns):
            for i in (0, 1) if turn % 2 == 0 else (1, 0):
                sides[i].times.setdefault(name, []).append(asked(children[i]))
    finally:
        for child in children:
            dismissed(child)
    if first != second:
        print(f"{name}: the answers differ\n  {sides[0].path}: {first}\n  {sides[1].path}: {second}")
    return first == second


def one_compilation(name: str, sides: list[Checkout]) -> None:
    """Measure how long each compiles with an empty cache."""
    for side in sides:
        with tempfile.TemporaryDirectory() as empty:
            child = side.start(name, "--brief", cache=Path(empty))
            try:
                heard(child)
            finally:
                used = dismissed(child)
            side.times.setdefault(name, []).append(used)


def ratios(name: str, sides: list[Checkout]) -> tuple[float, float]:
    """New to old, by the least times and by the medians."""
    old, new = (side.times[name] for side in sides)
    return min(new) / min(old), median(new) / median(old)


def is_measured(name: str, sides: list[Checkout], given: argparse.Namespace, allowed: float) -> bool:
    """Measure one case, twice as long where it seems to be slower; whether both checkouts found the same."""
    if not given.compile:
        fill_caches(name, sides)
    for _ in range(2):
        for _ in range(given.rounds):
            if given.compile:
                one_compilation(name, sides)
            elif not one_round(name, sides, given.turns):
                return False
        if ratios(name, sides)[0] <= allowed:
            break
    return True


def compare(name: str, sides: list[Checkout], given: argparse.Namespace) -> bool:
    """Measure one case and print its line; whether all is well."""
    allowed = ALLOWED["python" if given.compile else device_of(name)]
    try:
        if not is_measured(name, sides, given, allowed):
            return False
    except ChildProcessError as failure:
        print(f"{name:22} {failure}", flush=True)
        return False
    least, middle = ratios(name, sides)
    mark = f"slower (at most {allowed:.2f})" if least > allowed else ""
    old, new = (min(side.times[name]) for side in sides)
    print(f"{name:22} {old:8.3f} s {new:8.3f} s   {least:6.3f} {middle:8.3f}   {mark}".rstrip(), flush=True)
    return least <= allowed


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="OLD NEW")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="cases whose name holds this")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="pairs of processes for each case")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N", help="searches of each process in a round")
    parser.add_argument("--core", type=int, metavar="N", help="the core to run on (the last one)")
    parser.add_argument("--compile", action="store_true", help="compare times to compile with an empty cache")
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("--child", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--brief", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Compare what was asked for."""
    given = arguments()
    if given.child:
        serve(given.child, given.brief)
        return 0
    wanted = [name for name in CASES if not given.only or any(part in name for part in given.only)]
    if given.compile:
        wanted = [name for name in wanted if device_of(name) == "cpu"]
    if given.list:
        print(*wanted, sep="\n")
        return 0
    if len(given.checkouts) != 2 or not wanted or given.rounds < 1 or given.turns < 1:
        print("give two checkouts, rounds and turns from 1, and cases that there are (--list)", file=sys.stderr)
        return 2
    for path in given.checkouts:
        if not (path / "src" / "zermelo").is_dir():
            print(f"{path} is no checkout: it has no src/zermelo", file=sys.stderr)
            return 2
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
    core = max(cores) if given.core is None else given.core
    sides = [Checkout(path.resolve(), core) for path in given.checkouts]
    print(f"{'':22} {'old':>8}   {'new':>8}     {'least':>6} {'median':>8}   new / old")
    fine = [compare(name, sides, given) for name in wanted]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
