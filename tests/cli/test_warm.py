"""`zermelo warm`: native code made before it is asked for, and code that comes with a package."""

import json
import os
import subprocess
import sys
import time

import pytest

import zermelo
from zermelo.compile import cache, processors

PATIENCE = 240
READY = """
import sys
from pathlib import Path
from zermelo.compile import cache
cache.READY = Path(sys.argv[1])
import zermelo
nim = zermelo.game("nim")
print(zermelo.alphabeta(nim, device="cpu").value, zermelo.perft(nim, 3, device="cpu"), "numba" in sys.modules)
"""


def command(folder, *words, **environment):
    """What the command prints, with this folder for compiled code."""
    space = os.environ | {"ZERMELO_CACHE": str(folder)} | environment
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "warm", *words], env=space, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def entries(folder):
    """What is kept there."""
    return {path.name for path in folder.glob("*") if not path.name.startswith(cache.UNFINISHED)}


def test_the_second_time_nothing_is_compiled(tmp_path):
    first = json.loads(command(tmp_path, "halving", "--json"))
    made = entries(tmp_path)
    assert {row["call"] for row in first["calls"]} >= {"alphabeta", "minimax", "mcts", "perft", "playouts"}
    assert not [row for row in first["calls"] if row["error"]]
    assert len(made) >= 5
    assert "calls are ready" in command(tmp_path, "halving")
    assert entries(tmp_path) == made


def test_a_game_that_cannot_be_compiled_is_said(tmp_path):
    game = tmp_path / "words.py"
    game.write_text(
        "from zermelo import Game\n\n\nclass Words(Game):\n"
        "    def initial(self):\n        return 'a'\n"
        "    def to_move(self, s):\n        return len(s) % 2\n"
        "    def actions(self, s):\n        yield from range(2)\n"
        "    def result(self, s, action):\n        return s + 'ab'[action]\n"
        "    def is_terminal(self, s):\n        return len(s) > 3\n"
        "    def utility(self, s, player):\n        return 1.0 if player == 0 else -1.0\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "warm", str(game)], capture_output=True, text=True, timeout=PATIENCE,
        check=False, env=os.environ | {"ZERMELO_CACHE": str(tmp_path / "native")},
    )  # fmt: skip
    assert done.returncode == 1
    assert "NamedTuple" in done.stdout


def test_the_background_is_another_process(tmp_path):
    said = json.loads(command(tmp_path, "halving", "--background", "--json"))
    assert said["background"]
    end = time.monotonic() + PATIENCE
    while not entries(tmp_path):
        assert time.monotonic() < end
        time.sleep(0.1)
    os.kill(said["process"], 9)


@pytest.mark.skipif(not processors.levels(), reason="no level of processors is known here")
def test_code_that_comes_along_needs_no_compiler(tmp_path):
    """Made for a level of processors, it is found without Numba, also by somebody whose Numba has another version."""
    ready, own = tmp_path / "ready", tmp_path / "own"
    command(ready, "nim", "--into", str(ready))
    made = entries(ready)
    assert len(made) >= 3 * len(processors.levels())
    done = subprocess.run(
        [sys.executable, "-c", READY, str(ready)], capture_output=True, text=True, timeout=PATIENCE, check=True,
        env=os.environ | {"ZERMELO_CACHE": str(own)},
    )  # fmt: skip
    assert done.stdout.split() == ["-1.0", "12", "False"]
    assert done.stderr == ""
    assert not own.exists(), "nothing was compiled, and so nothing kept"
    damaged = ready / sorted(made)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert cache._opened(damaged.name, damaged.read_bytes(), {}) is None


def test_a_level_is_for_processors_that_have_it(monkeypatch):
    monkeypatch.setattr(processors, "LEVELS", {key: {"none": ("no-such-feature",)} for key in processors.LEVELS})
    processors._levels_here.cache_clear()
    try:
        assert processors._levels_here() == ()
    finally:
        processors._levels_here.cache_clear()


def test_names_depend_on_what_matters(monkeypatch):
    meaning = "what it means"
    before = processors.name_of(meaning)
    assert processors.name_of("something else") != before
    monkeypatch.setenv("NUMBA_OPT", "1")
    cache._versions.cache_clear()
    try:
        assert processors.name_of(meaning) != before, "settings of Numba are part of the name"
    finally:
        cache._versions.cache_clear()
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v2")
    assert processors.name_of(meaning) == cache.ready_name_of(meaning, processors._place("x86-64-v2"))


def test_only_modules_that_write_code_name_it():
    here = os.path.dirname(cache.__file__)
    names = {name.removesuffix(".py") for name in os.listdir(here) if name.endswith(".py")}
    assert names >= cache.BESIDE, "modules that are gone"
    assert {"native", "rewrite", "specialize", "whole", "shortcuts", "layout"} <= names - cache.BESIDE
    assert zermelo.__version__
