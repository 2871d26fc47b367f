"""Signatures and playthroughs are as committed. `python tests/golden/update.py` rewrites them when that is meant."""

import difflib
import json
import runpy
from pathlib import Path

import pytest

import zermelo

golden = runpy.run_path(str(Path(__file__).with_name("update.py")))
HINT = "if this is meant to be: python tests/golden/update.py"


def committed():
    return json.loads(golden["SIGNATURES"].read_text(encoding="utf-8"))


def name_of(case):
    return " ".join(str(part) for part in case)


@pytest.mark.parametrize("index", range(len(golden["SEARCHES"])), ids=lambda i: name_of(golden["SEARCHES"][i]))
def test_signature(index):
    kept, found = committed()[index], golden["signature"](golden["SEARCHES"][index])
    assert found.pop("value") == pytest.approx(kept.pop("value"), abs=1e-12), HINT
    assert found == kept, HINT


def test_every_signature_is_committed():
    asked = [
        {"game": name, "method": method, "options": {k: v for k, v in options.items() if k != "device"}}
        for name, method, options in golden["SEARCHES"]
    ]
    kept = [{key: row[key] for key in ("game", "method", "options")} for row in committed()]
    assert kept == asked, HINT


@pytest.mark.parametrize("name", golden["PLAYED"])
def test_playthrough(name):
    path = golden["file_of"](name)
    kept, found = path.read_text(encoding="utf-8"), golden["playthrough"](name)
    changes = difflib.unified_diff(kept.splitlines(), found.splitlines(), path.name, "now", lineterm="", n=1)
    assert kept == found, "\n".join([HINT, *changes])


def test_every_game_has_a_playthrough():
    files = {path.name for path in golden["PLAYTHROUGHS"].glob("*.txt")}
    assert files == {golden["file_of"](name).name for name in golden["PLAYED"]}
    assert {f"{name}.txt" for name in zermelo.games} <= files
