"""Write the engine's signatures anew: `python tests/searches/engine/update.py`, and say in the commit why they changed.

The nodes of a search to a given depth are the identity of an engine: any change of what it does changes them.
"""

import json
from pathlib import Path
from typing import Any

import zermelo
from zermelo import Engine, Limit

SIGNATURES = Path(__file__).parent / "signatures.json"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SEARCHES: list[tuple[str, dict[str, Any], str | None, int]] = [
    # Game, parameters, position, depth.
    ("tic_tac_toe", {}, None, 9),
    ("nim", {"heaps": (3, 4)}, None, 8),
    ("connect_four", {}, None, 8),
    ("chess", {}, None, 9),
    ("chess", {}, KIWIPETE, 8),
    ("chess", {}, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10),
    ("chess", {}, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10", 8),
]


def signature(case: tuple[str, dict[str, Any], str | None, int], device: str) -> dict[str, Any]:
    """What the engine finds, and how many nodes it takes."""
    name, parameters, position, depth = case
    of = zermelo.game(name, **parameters)
    s = of.initial() if position is None else of.parse_state(position)
    found = Engine(of, device=device, table=4).search(s, Limit(depth=depth))
    return {
        "game": name, "parameters": parameters, "position": of.format_state(s), "depth": depth, "score": found.score,
        "nodes": found.nodes, "action": found.action_name,
    }  # fmt: skip


def main() -> None:
    """Write the file."""
    rows = ",\n".join(json.dumps(signature(case, "cpu" if case[0] == "chess" else "python")) for case in SEARCHES)
    SIGNATURES.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    print(f"{len(SEARCHES)} signatures written")


if __name__ == "__main__":
    main()
