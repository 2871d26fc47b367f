"""Writes what was measured into the README and the docs: `python benchmarks/tables.py`, which `run.py` does by itself.

The page has every row, the README some. Both are made of
results.json, gpu.json and chess_strength.json alone; tests hold them to these.
"""

import json
import sys
from pathlib import Path
from typing import Any

from measure import Finding, rounded

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
PAGE = HERE.parent / "docs" / "reference" / "speed.md"
SHOWN = [
    ("perft_chess.py", "speed against Stockfish, first position, depth 6"),
    ("perft_connect_four.py", "speed against OpenSpiel from Python"),
    ("games_random.py", "backgammon against OpenSpiel's C++"),
    ("mcts_speed.py", "go against OpenSpiel's C++ MCTSBot"),
    ("python_game.py", "speed of the alpha-beta search against OpenSpiel's"),
    ("alphabeta_cpp.py", "time of the search against C++, Connect Four to depth 10"),
    ("connect_four_empty.py", "time against BitBully without its book"),
    ("nash_all.py", "time at 12 x 12 against QuantEcon's"),
    ("cfr_speed.py", "leduc_poker against OpenSpiel's C++ CFRPlusSolver"),
    ("start_up.py", "a later process with native code"),
]
"""The ten rows of the README: one of each kind, by the file and what it says."""
HEAD = ["| benchmark | what | measured | wanted |", "|---|---|---|---|"]


def findings(result: dict[str, Any]) -> list[Finding]:
    """What one benchmark found."""
    return [Finding(**{k: v for k, v in found.items() if k != "holds"}) for found in result["findings"]]


def row(claim: str, found: Finding) -> str:
    """One line of a table."""
    return f"| {claim} | {found.what} | {found.measured_text} | {found.wanted_text} |"


def whole_table(results: list[dict[str, Any]]) -> str:
    """All findings as Markdown, and what benchmarks say beside them."""
    rows = [*HEAD]
    for result in results:
        claim = f"{result['claim']} (`{result['file'].removesuffix('.py')}`)"
        if "failed" in result:
            rows.append(f"| {claim} | | failed: {result['failed']} | |")
        rows += [row(claim, found) for found in findings(result)]
    notes = [f"- {result['claim']}: {result['note']}." for result in results if result.get("note")]
    return "\n".join([*rows, *(["", *notes] if notes else [])]) + "\n"


def short_table(results: list[dict[str, Any]]) -> str:
    """The rows that the README shows."""
    by_file = {result["file"]: result for result in results}
    rows = [*HEAD]
    for file, what in SHOWN:
        result = by_file[file]
        (found,) = [found for found in findings(result) if found.what == what]
        rows.append(row(f"[{result['claim']}](benchmarks/{file})", found))
    return "\n".join(rows) + "\n"


def counted(results: list[dict[str, Any]]) -> str:
    """How many rows there are, and how many miss what was wanted."""
    every = [found for result in results for found in findings(result)]
    missed = sum(not found.holds for found in every)
    link = PAGE.relative_to(README.parent).as_posix()
    misses = f"{missed or 'none'} miss{'es' if missed == 1 else ''}"
    return f"[All {len(every)} rows]({link}), of which {misses} what was wanted."


def head(written: dict[str, Any]) -> str:
    """Where and when it was measured."""
    part = written["versions"]
    return (
        f"{written['cpu']}, {written['date']}: Python {part['python']}, Numba {part['numba']}, "
        f"OpenSpiel {part['open_spiel']}, g++ {part['g++']}."
    )


def gpu_table(measured: dict[str, Any]) -> str:
    """What a GPU does a second, and how often that is what one core does."""
    rows = ["| what | a second | against one core |", "|---|---|---|"]

    def add(what: str, unit: str, speed: float, ratio: float) -> None:
        size, letter = next(pair for pair in ((1e9, " G"), (1e6, " M"), (1, "")) if speed >= pair[0])
        rows.append(f"| {what} | {rounded(speed / size)}{letter} {unit} | {rounded(ratio)} x |")

    for name, found in measured["playouts"].items():
        add(f"random games of {name}", "moves", found["moves_per_second"], found["ratio"])
    for name, found in measured["sampling"].items():
        for unit in ("games", "simulations"):
            if isinstance(found, dict) and f"one_core_{unit}_per_second" in found:
                add(name, unit, found[f"{unit}_per_second"], found["ratio"])
    tree = measured["cfr"]["large tree"]
    add(f"CFR+ over {tree['nodes']:,} nodes", "iterations", tree["iterations_per_second"], tree["ratio"])
    return f"{measured['device'].split(',')[0]}, {measured['date']}.\n\n" + "\n".join(rows) + "\n"


def strength_table(matches: dict[str, Any]) -> str:
    """How the engine scored against other programs."""
    rows = ["| against | games | score | Elo, 95 % | played |", "|---|---|---|---|---|"]
    for name, match in matches.items():
        low, high = match["interval"]
        elo = f"{match['elo']:+.0f} ({low:+.0f} to {high:+.0f})"
        rows.append(f"| {name} | {match['games']} | {100 * match['score']:.1f} % | {elo} | {match['date']} |")
    return "\n".join(rows) + "\n"


def put(page: str, name: str, text: str) -> str:
    """The page with a text between the markers of this name."""
    before, begin, rest = page.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise ValueError(f"the page has no markers <!-- {name} --> and <!-- /{name} -->")
    return before + begin + text + end + after


def pages() -> dict[Path, str]:
    """What the pages say when their tables are right."""
    written, on_gpu, matches = (
        json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")) for name in ("results", "gpu", "chess_strength")
    )
    readme, page = (path.read_text(encoding="utf-8") for path in (README, PAGE))
    results, where = written["results"], head(written)
    page = put(page, "benchmarks", f"{where}\n\n{whole_table(results)}")
    page = put(page, "gpu", gpu_table(on_gpu))
    return {
        README: put(readme, "benchmarks", f"{short_table(results)}\n{where} {counted(results)}\n"),
        PAGE: put(page, "strength", strength_table(matches)),
    }


def write() -> None:
    """Write the tables."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(HERE.parent)}: written", file=sys.stderr)


if __name__ == "__main__":
    write()
