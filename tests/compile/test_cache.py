"""Compiled code is kept under a name that changes with everything it was made from."""

import hashlib
import importlib.util
import json
import os
import stat
import subprocess
import sys
import textwrap
import time

import pytest

import zermelo
from zermelo.compile import cache
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


FIELDS = {"name": str, "tables": list}
ENTRY = {"name": "here", "tables": ["one", "two"]}


def sealed(name, text):
    """An entry of this name with a good seal, whatever is in it."""
    return hashlib.sha256(name.encode() + b"\n" + text).hexdigest().encode() + b"\n" + text


@pytest.fixture
def native(tmp_path, monkeypatch):
    """The folder of the cache, with one entry."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "above" / "native"))
    cache.save("good", ENTRY, b"code")
    assert cache.load("good", FIELDS) == (ENTRY, b"code")
    return tmp_path / "above" / "native"


def test_only_the_owner_has_access(native):
    assert [stat.S_IMODE(place.stat().st_mode) for place in (native.parent, native)] == [0o700, 0o700]
    assert stat.S_IMODE((native / "good").stat().st_mode) == 0o600
    assert [place.name for place in native.iterdir()] == ["good"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n" * 5,
        b"[" * 200_000,
        b"{" * 200_000 + b"\ncode",
        b'{"name": ' * 200_000,
        b"7\ncode",
        b"[]\ncode",
        b"{}\ncode",
        b'{"name": "here"}\ncode',
        b'{"name": 7, "tables": []}\ncode',
        b'{"name": "here", "tables": [[]]}\ncode',
        b'{"name": "here", "tables": {}}\ncode',
        b'{"name": "here", "tables": [], "more": 1}\ncode',
        b"\xff\xfe\ncode",
    ],
)
def test_a_header_that_makes_no_sense_is_a_miss(native, text):
    for whole in (text, sealed("bad", text)):
        (native / "bad").write_bytes(whole)
        assert cache.load("bad", FIELDS) is None


def test_an_entry_under_the_name_of_another_is_a_miss(native):
    (native / "other").write_bytes((native / "good").read_bytes())
    assert cache.load("other", FIELDS) is None


def test_what_is_no_file_is_a_miss(native):
    os.mkfifo(native / "fifo")
    (native / "folder").mkdir()
    (native / "link").symlink_to("good")
    for name in ("fifo", "folder", "link", "missing"):
        assert cache.load(name, FIELDS) is None
        cache.save(name, ENTRY, b"code")
    assert cache.load("fifo", FIELDS) == cache.load("link", FIELDS) == (ENTRY, b"code")
    assert {place.name for place in native.iterdir()} == {"fifo", "folder", "link", "good", "missing"}


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_not_used(native, capsys, mode):
    native.chmod(mode)
    for _ in range(2):
        assert cache.load("good", FIELDS) is None
        cache.save("more", ENTRY, b"code")
    assert [place.name for place in native.iterdir()] == ["good"]
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"{str(native)!r} is not used: others may write to it" in err


def test_a_file_that_others_may_write_to_is_not_used(native, capsys):
    (native / "good").chmod(0o660)
    for _ in range(2):
        assert cache.load("good", FIELDS) is None
    assert f"{str(native / 'good')!r} is not used: others may write to it" in capsys.readouterr().err
    cache.save("good", ENTRY, b"code")
    assert cache.load("good", FIELDS) is not None
    assert stat.S_IMODE((native / "good").stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_what_belongs_to_another_is_not_used(native, capsys, monkeypatch):
    os.chown(native / "good", 12345, -1)
    assert cache.load("good", FIELDS) is None
    assert f"{str(native / 'good')!r} is not used: it belongs to another user" in capsys.readouterr().err
    os.chown(native / "good", 0, -1)
    assert cache.load("good", FIELDS) is not None
    os.chown(native, 12345, -1)
    assert cache.load("good", FIELDS) is None
    os.chown(native, 0, -1)
    link = native.parent / "link"
    link.symlink_to(native)
    monkeypatch.setenv("ZERMELO_CACHE", str(link))
    assert cache.load("good", FIELDS) is not None
    os.lchown(link, 12345, -1)
    assert cache.load("good", FIELDS) is None
    assert f"{str(link)!r} is not used: it belongs to another user" in capsys.readouterr().err


def test_what_was_left_unfinished_is_cleaned(native):
    for name, age in ((".new-old", 7200), (".new-young", 60)):
        (native / name).write_bytes(b"half")
        os.utime(native / name, (time.time() - age,) * 2)
    ran = "from zermelo.compile import cache; cache.save('more', {}, b'code')"
    subprocess.run([sys.executable, "-c", ran], check=True)
    assert {place.name for place in native.iterdir()} == {".new-young", "good", "more"}


def test_code_without_its_function_is_compiled_again(folder):
    mean(load(folder)())
    (entry,) = (folder / "native").iterdir()
    head, code = entry.read_bytes().split(b"\n", 2)[1:]
    program = f"import zermelo, sys; sys.path.insert(0, {str(folder)!r}); import count; " + (
        "print(zermelo.playouts(count.Count(), games=1, device='cpu').mean)"
    )
    other = json.dumps(json.loads(head) | {"name": "other"}).encode()
    entry.write_bytes(sealed(entry.name, other + b"\n" + code))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
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


ALL_DIGESTS = """
import zermelo
from zermelo.compile.reach import game_digest
for name in zermelo.games:
    print(name, game_digest(zermelo.game(name)))
"""


def test_all_processes_know_a_game_by_one_digest():
    """Code of a game whose digest held an address would be compiled anew by every process."""
    runs = [
        subprocess.run([sys.executable, "-c", ALL_DIGESTS], capture_output=True, text=True, timeout=300, check=True)
        for _ in range(2)
    ]
    first, second = (dict(line.split() for line in run.stdout.splitlines()) for run in runs)
    assert len(first) > 30
    assert [name for name in first if first[name] != second[name]] == []
