"""Hundreds of broken games: none ends the process, and native code answers as plain Python does, or both refuse."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import broken_games
import pytest

PROGRAM = Path(broken_games.__file__)
SAMPLED = (
    "quotient by zero", "shift too far", "product too large", "root of a negative", "assertion", "index beyond",
    "recursion", "a name too late", "far too large", "wild", "actions without end", "a float by _replace", "exact",
)  # fmt: skip


def faults(numbers: Sequence[int], folder: Path) -> list[str]:
    """What is wrong with these games; children that die are told and replaced."""
    left, wrong, known = list(numbers), [], broken_games.cases()
    environment = {**os.environ, "ZERMELO_QUIET": "1", "ZERMELO_CACHE": str(folder / "native")}
    while left:
        done = subprocess.run(
            [sys.executable, str(PROGRAM), str(folder), *map(str, left)],
            capture_output=True, text=True, check=False, env=environment, timeout=60 + 30 * len(left),
        )  # fmt: skip
        current = None
        for line in done.stdout.splitlines():
            told = json.loads(line)
            if "begins" in told:
                current = told["begins"]
                continue
            left.remove(told["number"])
            current = None
            found = broken_games.fault(told["python"], told["cpu"])
            if found is not None:
                wrong.append(f"{known[told['number']]}: {found}")
        if current is not None:
            wrong.append(f"{known[current]}: the process ended with {done.returncode}: {done.stderr[-300:]}")
            left.remove(current)
        elif left:
            wrong.append(f"the process ended with {done.returncode} before the first game: {done.stderr[-300:]}")
            break
    return wrong


def test_there_are_enough_of_them():
    known = broken_games.cases()
    assert len(known) >= 500
    assert len({broken_games.source(case) for case in known}) == len(known)


def test_a_sample(tmp_path):
    """One game of each of some classes, shown deep in it."""
    known = broken_games.cases()
    numbers = []
    for i, defect in enumerate(SAMPLED):
        fitting = [c for c in known if (c.defect, c.when) == (defect, "deep") and c.method not in ("search", "mcts")]
        numbers.append(fitting[i % len(fitting)].number)
    assert faults(numbers, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all(part, tmp_path):
    assert faults(range(part, len(broken_games.cases()), 20), tmp_path) == []
