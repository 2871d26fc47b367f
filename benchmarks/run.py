"""Runs every benchmark in a process of its own, writes results.json, prints a table, and writes it where it is shown.

`run.py NAME ...` runs only those that are named; what the others found before stays.
"""

import datetime
import json
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import tables

HERE = Path(__file__).parent
CLAIMS = [
    "perft_chess",
    "perft_checkers",
    "perft_othello",
    "perft_connect_four",
    "rollouts_connect_four",
    "games_random",
    "go_playouts",
    "mcts_speed",
    "mcts_quality",
    "python_game",
    "alphabeta_python",
    "alphabeta_cpp",
    "chess_speed",
    "connect_four_positions",
    "connect_four_empty",
    "nash_all",
    "zero_sum_matrix",
    "leduc_sequence_form",
    "cfr_speed",
    "mccfr_speed",
    "start_up",
    "command_line",
    "first_answer",
]
PACKAGES = ["zermelo", "numba", "llvmlite", "numpy", "open_spiel", "bitbully", "quantecon"]


def run(name: str) -> dict[str, Any]:
    """What one benchmark found, or why it failed."""
    print(f"running {name}", file=sys.stderr)
    done = subprocess.run([sys.executable, str(HERE / f"{name}.py"), "--json"], capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        return {"claim": name, "file": f"{name}.py", "failed": lines[-1], "findings": [], "figures": {}}
    return {"file": f"{name}.py"} | json.loads(done.stdout)


def cpu() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def versions() -> dict[str, str]:
    """What took part."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed" if package != "zermelo" else __import__("zermelo").__version__
    try:
        found["g++"] = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        found["g++"] = "not installed"
    return found


def main() -> int:
    """Run all or those that are named, write the results, print the table and put it into the pages that show it."""
    wanted = sys.argv[1:] or CLAIMS
    unknown = [name for name in wanted if name not in CLAIMS]
    if unknown:
        print(f"there is no benchmark {unknown[0]}; there are {', '.join(CLAIMS)}", file=sys.stderr)
        return 2
    path = HERE / "results.json"
    known = {result["file"]: result for result in json.loads(path.read_text())["results"]} if path.exists() else {}
    known |= {f"{name}.py": run(name) for name in wanted}
    results = [known[f"{name}.py"] for name in CLAIMS if f"{name}.py" in known]
    written = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "cpu": cpu(),
        "versions": versions(),
        "results": results,
    }
    path.write_text(json.dumps(written, indent=2) + "\n")
    print(tables.whole_table(results))
    failed = any("failed" in result for result in results)
    if not failed:
        tables.write()
    return failed


if __name__ == "__main__":
    sys.exit(main())
