"""Claim: importing the package takes at most 60 ms and loads no compiler, a small analysis from the command line at
most 0.6 s, and a later process that runs native code at most 1.5 s.

Wall time, the least of several processes.
"""

import importlib.util
import subprocess
import sys
import time

from measure import Finding, pin, report, rounded

RUNS = 9
IMPORT = """
import sys, time
started = time.perf_counter()
import zermelo
package = time.perf_counter() - started
for name in zermelo.__all__:
    getattr(zermelo, name)
print(package, time.perf_counter() - started, "numba" in sys.modules)
"""
NATIVE = """
import zermelo
print(zermelo.alphabeta(zermelo.game("connect_four"), depth=8, device="cpu").nodes)
"""


def run(*arguments: str) -> str:
    """What a new Python process prints."""
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout


def quickest(*arguments: str) -> float:
    """The least wall time of such a process, from start to end."""
    run(*arguments)
    best = float("inf")
    for _ in range(RUNS):
        started = time.perf_counter()
        run(*arguments)
        best = min(best, time.perf_counter() - started)
    return best


def limit(what: str, seconds: float, allowed: float) -> Finding:
    """A finding in time instead of a ratio."""
    shown, shown_wanted = f"{rounded(1000 * seconds)} ms", f"{1000 * allowed:,.0f} ms"
    return Finding(what, seconds / allowed, 1.0, at_most=True, shown=shown, shown_wanted=shown_wanted)


def main() -> None:
    """Measure and print."""
    pin()
    imports = [run("-c", IMPORT).split() for _ in range(RUNS + 1)][1:]
    package = min(float(taken) for taken, _, _ in imports)
    everything = min(float(taken) for _, taken, _ in imports)
    loads_numba = any(loaded == "True" for _, _, loaded in imports)
    findings = [limit("import zermelo", package, 0.06)]
    figures = {
        "import seconds": package,
        "import seconds with every public name": everything,
        "import loads Numba": loads_numba,
        "empty process seconds": quickest("-c", "pass"),
    }
    note = "import zermelo loads Numba, and should not" if loads_numba else ""
    if importlib.util.find_spec("zermelo.cli") is None:
        note = "no command line yet: `zermelo analyse tic_tac_toe` is left out"
    else:
        figures["analyse seconds"] = quickest("-m", "zermelo", "analyse", "tic_tac_toe")
        findings.append(limit("zermelo analyse tic_tac_toe", figures["analyse seconds"], 0.6))
    figures["native seconds"] = quickest("-c", NATIVE)
    findings.append(limit("a later process with native code", figures["native seconds"], 1.5))
    report("Start-up", findings, figures, note)


if __name__ == "__main__":
    main()
