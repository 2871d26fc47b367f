"""Claim: alpha-beta on the cpu takes at most 1.3 times as long as the same algorithm in C++ (g++ -O3 -march=native).

cpp/alphabeta.cpp has the same rules, function by function, the same move order and the same values; the nodes must be
equal. Zermelo's search also watches its limits (nodes, depth, memory, stop) and keeps the values of the first moves.
"""

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Finding, fastest, pin, report
from repeated import alphabeta

import zermelo

HERE = Path(__file__).parent
FLAGS = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
WHOLE_GAME = 9
CONNECT_FOUR = {8: 1000, 9: 200, 10: 100, 11: 10}
"""Searches to each depth."""


def built() -> Any:
    """The C++ program as a loaded library."""
    if shutil.which("g++") is None:
        sys.exit("this benchmark needs a C++ compiler: install g++")
    target = HERE / "build" / "alphabeta.so"
    target.parent.mkdir(exist_ok=True)
    subprocess.run(["g++", *FLAGS, "-o", str(target), str(HERE / "cpp" / "alphabeta.cpp")], check=True)
    return ctypes.CDLL(str(target))


def searcher(function: Any, depth: int, times: int) -> Callable[[], tuple[float, int]]:
    """The C++ search: its value and its nodes."""
    function.restype = ctypes.c_double

    def search() -> tuple[float, int]:
        nodes = ctypes.c_int64(0)
        value = function(depth, times, ctypes.byref(nodes))
        return value, nodes.value

    return search


def compare(library: Any, name: str, depth: int, times: int) -> dict[str, float]:
    """Both sides' time for one game and depth."""
    game, peer = zermelo.game(name), searcher(getattr(library, name), depth, times)

    def search() -> tuple[float, int]:
        return alphabeta(game, "cpu", depth=depth, times=times)

    found, peer_found = search(), peer()
    assert found == peer_found, f"{name}: the searches differ: {found} and {peer_found}"
    seconds, peer_seconds = fastest(search, peer, repeats=7)
    nodes = found[1]
    return {
        "nodes": nodes // times,
        "nanoseconds a node": 1e9 * seconds / nodes,
        "C++ nanoseconds a node": 1e9 * peer_seconds / nodes,
        "ratio": seconds / peer_seconds,
    }


def main() -> None:
    """Measure and print."""
    pin()
    library = built()
    tic_tac_toe = compare(library, "tic_tac_toe", WHOLE_GAME, 600)
    growth = {depth: compare(library, "connect_four", depth, times) for depth, times in CONNECT_FOUR.items()}
    report(
        "Alpha-beta in native code",
        [
            Finding("time of the search against C++, tic-tac-toe", tic_tac_toe["ratio"], 1.3, at_most=True),
            Finding("time of the search against C++, Connect Four to depth 10", growth[10]["ratio"], 1.3, at_most=True),
        ],
        {"tic-tac-toe": tic_tac_toe, "Connect Four by depth": growth},
    )


if __name__ == "__main__":
    main()
