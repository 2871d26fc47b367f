"""Compiled code is kept under a name that changes with everything it was made from."""

import importlib.util
import subprocess
import sys
import textwrap

import pytest

import zermelo
from zermelo.compile.reach import digest

GAME = """
from typing import NamedTuple
from zermelo import Game, table
from zermelo.compile import kernel

STEP = {step}
TABLE = table([{entry}, 1])

@kernel
def helper(x):
    return x + {helper}

class Base(Game):
    def bonus(self, s):
        return {bonus}

class Count(Base):
    start: int = 3

    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(self.start)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 1

    def result(self, s, action):
        return self.State(s.n - 1)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, player):
        value = STEP + TABLE[0] + helper(1) + self.bonus(s)
        return value if player == 0 else -value
"""
PLAIN = {"step": 10, "entry": 100, "helper": 1000, "bonus": 10000}


def load(folder, **changes):
    path = folder / "count.py"
    path.write_text(GAME.format(**(PLAIN | changes)))
    name = f"count_{len(list(folder.iterdir()))}_{abs(hash(str(changes)))}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    importlib.invalidate_caches()
    __import__("linecache").clearcache()
    return module.Count


def mean(game):
    return zermelo.playouts(game, games=1, device="cpu").mean


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "native"))
    return tmp_path


@pytest.mark.parametrize("part", ["step", "entry", "helper", "bonus"])
def test_an_edit_anywhere_is_noticed(folder, part):
    assert mean(load(folder)()) == 11111 + 0
    changed = PLAIN[part] + 1
    assert mean(load(folder, **{part: changed})()) == 11112


def test_parameters_are_part_of_the_name(folder):
    kind = load(folder)
    first = zermelo.playouts(kind(start=3), games=1, device="cpu")
    second = zermelo.playouts(kind(start=5), games=1, device="cpu")
    assert (first.moves, second.moves) == (3, 5)


def test_broken_and_foreign_entries_are_compiled_again(folder):
    game = load(folder)()
    mean(game)
    (entry,) = (folder / "native").iterdir()
    good = entry.read_bytes()
    program = (
        "import zermelo, sys\nsys.path.insert(0, {0!r})\nimport count\n"
        "print(zermelo.playouts(count.Count(), games=1, device='cpu').mean)"
    )
    for bad in (b"", b"{}\n", good[: len(good) // 2], b"\0" * 100, good.replace(b'"result"', b'"resu1t"', 1)):
        for found in (folder / "native").iterdir():
            found.write_bytes(bad)
        done = subprocess.run(
            [sys.executable, "-c", program.format(str(folder))], capture_output=True, text=True, check=False
        )
        assert done.stdout.strip() == "11111.0", done.stderr


def test_second_process_needs_no_numba(folder):
    load(folder)
    program = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(folder)!r})
        import zermelo, count
        print(zermelo.playouts(count.Count(), games=1, device="cpu").mean, "numba" in sys.modules)
        """
    )
    answers = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(2)
    ]
    assert answers[0].stdout.split() == ["11111.0", "True"]
    assert answers[1].stdout.split() == ["11111.0", "False"]
    assert "compiling" in answers[0].stderr
    assert "compiling" not in answers[1].stderr


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("ZERMELO_CACHE", str(blocked / "below"))
    assert mean(load(tmp_path)()) == 11111


def test_digest_is_stable_and_sees_inside():
    def one(x):
        return x + 1

    def two(x):
        return x + 2

    assert digest(one) == digest(one)
    assert digest(one) != digest(two)
    assert digest((1, 2)) != digest((1, 3))
    assert digest(1) != digest(1.0)
