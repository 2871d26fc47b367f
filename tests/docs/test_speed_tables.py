"""The tables of speed say what the files of the benchmarks say."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("tables")


def test_pages_show_what_was_measured(tables: ModuleType) -> None:
    for path, text in tables.pages().items():
        assert path.read_text(encoding="utf-8") == text, "the tables are stale: run `python benchmarks/tables.py`"


def test_the_page_has_a_row_for_every_finding_and_the_readme_ten(tables: ModuleType) -> None:
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))["results"]
    whole, short = tables.whole_table(results), tables.short_table(results)
    assert whole.count("\n| ") == sum(len(result["findings"]) for result in results)
    assert short.count("\n| ") == 10
    for line in short.splitlines()[2:12]:
        _, what, measured, wanted = line.strip("| ").split(" | ")
        assert f"| {what} | {measured} | {wanted} |\n" in whole
    missed = sum(not found["holds"] for result in results for found in result["findings"])
    assert f"of which {missed} miss" in tables.counted(results)


def test_a_benchmark_that_failed_says_so(tables: ModuleType) -> None:
    failed = {"claim": "Broken", "file": "broken.py", "failed": "no compiler", "findings": [], "figures": {}}
    assert "| Broken (`broken`) | | failed: no compiler | |" in tables.whole_table([failed])
