"""Nodes and speed of the searches, in plain Python and as native code.

The node counts are a signature: they change only when a search or a game changes. The exit code is 1 where the machines
count differently.
"""

import argparse
from typing import Any, NamedTuple

from zermelo.cli import search_options as search
from zermelo.cli.shared_arguments import open_game, print_json
from zermelo.contract import Game
from zermelo.errors import CompileError, DeviceError
from zermelo.result import Analysis
from zermelo.searches.methods import usual_method
from zermelo.terminal import Progress, Screen

USUAL = (
    ("tic_tac_toe", "minimax", None),
    ("tic_tac_toe", "alphabeta", None),
    ("connect_four", "alphabeta", 10),
    ("connect_four:rows=4,cols=4", "alphabeta", None),
    ("nim:heaps=(3,4,5)", "alphabeta", None),
    ("halving:n=300", "minimax", 17),
    ("pig", "expectiminimax", 12),
    ("three_player_tic_tac_toe", "maxn", 6),
)
ENOUGH_NODES = 10_000
"""A game that is named is searched to the first depth with this many nodes."""
MACHINES = ("python", "cpu")
REPEATS = 3
"""Native searches are short: the fastest of so many counts."""


class BenchRow(NamedTuple):
    """One search on all machines."""

    game: str
    method: str
    depth: int | None
    answers: dict[str, Analysis]

    @property
    def nodes(self) -> int:
        """The signature."""
        return self.answers["python"].nodes

    @property
    def agrees(self) -> bool:
        """Whether all machines count and value alike."""
        return len({(answer.nodes, answer.value) for answer in self.answers.values()}) == 1

    def speed(self, device: str) -> float | None:
        """Nodes a second."""
        answer = self.answers.get(device)
        return None if answer is None else answer.nodes / max(answer.time, 1e-9)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    parser.add_argument("games", nargs="*", metavar="GAME", help="these games, instead of the usual list")


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    wanted = [(name, "auto", None) for name in options.games] or USUAL
    # All names are read first: a wrong one should not show after a minute.
    opened = [(name, open_game(name), method, depth) for name, method, depth in wanted]
    progress = Progress()
    rows = []
    for name, game, method, depth in opened:
        progress.show(f"{name} ...")
        rows.append(measure(name, game, method, depth))
    progress.clear()
    agree = all(row.agrees for row in rows)
    signature = sum(row.nodes for row in rows)
    if options.json:
        print_json({"rows": [_plain(row) for row in rows], "signature": signature, "agree": agree})
    else:
        columns = ("game", "method", ">depth", ">nodes", ">python nodes/s", ">cpu nodes/s", ">ratio", "")
        Screen().table(columns, [_cells(row) for row in rows])
        print(f"signature {signature}" + ("" if agree else ": the machines disagree"))
    return 0 if agree else 1


def measure(name: str, game: Game, method: str, depth: int | None) -> BenchRow:
    """The same search on every machine that is here."""
    picked = usual_method(game) if method == "auto" else method
    options = argparse.Namespace(method="alphabeta" if picked == "mcts" else picked)  # sampling has no nodes to compare
    if options.method == "sequence_form":
        from zermelo.equilibrium.nash.sequence_form import sequence_form

        return BenchRow(name, options.method, None, {"python": sequence_form(game)})
    run_search = search.make_search(game, game.initial(), [], options)
    answers = {}
    if method == "auto":
        answer = run_search(depth := 1, "python")
        while answer.bound == "estimate" and answer.nodes < ENOUGH_NODES:
            answer = run_search(depth := depth + 1, "python")
        answers["python"] = answer
    else:
        answers["python"] = run_search(depth, "python")
    try:
        run_search(min(depth or 1, 1), "cpu")  # compiles, or loads what was compiled before
        answers["cpu"] = min((run_search(depth, "cpu") for _ in range(REPEATS)), key=lambda answer: answer.time)
    except (CompileError, DeviceError):
        pass
    return BenchRow(name, options.method, depth, answers)


def _plain(row: BenchRow) -> dict[str, Any]:
    machines = {
        device: {"nodes": a.nodes, "value": a.value, "seconds": a.time, "nodes_per_second": row.speed(device)}
        for device, a in row.answers.items()
    }
    return {"game": row.game, "method": row.method, "depth": row.depth, "nodes": row.nodes, "machines": machines}


def _cells(row: BenchRow) -> tuple[str, ...]:
    speeds = [row.speed(device) for device in MACHINES]
    written = ["-" if speed is None else f"{speed:,.0f}" for speed in speeds]
    ratio = f"{speeds[1] / speeds[0]:,.3g} x" if speeds[0] and speeds[1] else "-"
    depth = "end" if row.depth is None else str(row.depth)
    return (row.game, row.method, depth, f"{row.nodes:,}", *written, ratio, "" if row.agrees else "machines disagree")
