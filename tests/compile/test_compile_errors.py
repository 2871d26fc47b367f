"""What cannot be compiled is said in one line that names the author's own line and a way out."""

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import CompileError, Game
from zermelo.running import devices

ARRAY = np.arange(4)
WORDS = {1: 2}


class Line(Game):
    """Count down from 4."""

    class State(NamedTuple):
        n: int
        pair: tuple[int, int]

    def initial(self):
        return self.State(4, (0, 0))

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        yield 1

    def result(self, s, action):
        return self.State(s.n - action, s.pair)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, player):
        return 0.0


class Arrays(Line):
    def result(self, s, action):
        return self.State(s.n - int(ARRAY[action]), s.pair)


class Dictionaries(Line):
    def result(self, s, action):
        return self.State(s.n - action, (WORDS[1], 0))


class Walrus(Line):
    def result(self, s, action):
        if (left := s.n - action) > 0:
            return self.State(left, s.pair)
        return self.State(0, s.pair)


class Tries(Line):
    def result(self, s, action):
        try:
            return self.State(s.n - action, s.pair)
        except ValueError:
            return s


class Unstable(Line):
    def utility(self, s, player):
        best = 0
        if s.n > 100:
            best = s.pair
        return 0.0 if best == 0 else 1.0


class YieldsValues(Line):
    def actions(self, s):
        got = yield 1
        if got:
            yield 2


class Lambdas(Line):
    def utility(self, s, player):
        double = lambda x: 2 * x  # noqa: E731
        return double(s.n)


class Stars(Line):
    def result(self, s, action):
        return self.State(*(s.n - action, s.pair))


class Unknown(Line):
    def result(self, s, action):
        time.sleep(0)
        return self.State(s.n - action, s.pair)


class Texts(Line):
    class State(NamedTuple):
        n: int
        pair: str

    def initial(self):
        return self.State(4, "ab")


def line_of(name: str) -> range:
    """The lines of a class in this file."""
    lines = Path(__file__).read_text().splitlines()
    first = next(i for i, text in enumerate(lines, 1) if text.startswith(f"class {name}("))
    rest = enumerate([*lines[first:], "class end"], first + 1)
    after = next(i for i, text in rest if re.match(r"(class|def|@)", text))
    return range(first, after)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Arrays(), "zermelo.table"),
        (Dictionaries(), "zermelo.table"),
        (Walrus(), "write `left = s.n - action` on a line before"),
        (Tries(), "try"),
        (Unstable(), "two types"),
        (YieldsValues(), "yield"),
        (Lambdas(), "lambda"),
        (Stars(), "one by one"),
        (Unknown(), "time.sleep is nothing that native code knows"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_one_line_with_the_place(game, words, monkeypatch):
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)
    with pytest.raises(CompileError) as caught:
        zermelo.playouts(game, games=10, device="cpu")
    message = str(caught.value)
    assert "\n" not in message
    assert words in message
    place = re.search(r"test_compile_errors\.py:(\d+)", message)
    assert place is not None, message
    assert int(place.group(1)) in line_of(type(game).__name__)


def test_state_that_is_no_number(monkeypatch):
    with pytest.raises(CompileError, match=r"texts's state.pair is str"):
        zermelo.playouts(Texts(), games=10, device="cpu")


def test_source_that_cannot_be_read():
    space = {"Line": Line}
    exec("class Typed(Line):\n    def utility(self, s, player):\n        return 1.0 if player == 0 else -1.0", space)
    game = space["Typed"]()
    assert zermelo.playouts(game, games=10).mean == 1.0
    with pytest.raises(CompileError, match="cannot be read"):
        zermelo.playouts(game, games=10, device="cpu")


@pytest.fixture
def impatient(monkeypatch):
    """Nothing is quick enough for plain Python."""
    for name in ("GLANCE", "FIRST_GLANCE", "MOMENT"):
        monkeypatch.setattr(devices, name, 1e-9)
    monkeypatch.setattr(devices, "_told", {})


def test_auto_goes_on_in_plain_python(impatient, capsys):
    game = Tries()
    found = zermelo.playouts(game, games=5000)
    assert found.device == "python"
    assert "going on in plain Python" in capsys.readouterr().err
    assert zermelo.playouts(game, games=5000, device="python").mean == found.mean


def test_what_cannot_be_compiled_is_not_tried_again(capsys):
    """Other games of the same class and with the same parameters cannot be either."""
    said = []
    for _ in range(2):
        with pytest.raises(CompileError) as caught:
            zermelo.playouts(Unknown(), games=10, device="cpu")
        said.append(str(caught.value))
        capsys.readouterr()
    assert said[0] == said[1]
    with pytest.raises(CompileError):
        zermelo.playouts(Unknown(), games=10, device="cpu")
    assert "compiling" not in capsys.readouterr().err


ESTIMATES = {
    "alone": lambda s: 0.25,
    "one of two": lambda s: 0.5, "the other": lambda s: 0.75,
}  # fmt: skip


def test_lambdas_in_other_things():
    """One on a line can be read back, whatever stands around it; of two nobody knows which is meant."""
    of, limit = zermelo.game("nim", heaps=(1, 2)), zermelo.Limit(depth=1)
    found = zermelo.search(of, evaluate=ESTIMATES["alone"], device="cpu", limit=limit)
    assert (found.device, found.value) == ("cpu", 0.25)
    for name in ("one of two", "the other"):
        with pytest.raises(CompileError, match="<lambda>: write it as a function of its own"):
            zermelo.search(of, evaluate=ESTIMATES[name], device="cpu", limit=limit)


def test_wrong_device():
    with pytest.raises(zermelo.BadParameter, match="auto, python, cpu, cuda"):
        zermelo.minimax(Line(), device="gpu")


def test_no_gpu_is_said(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    program = "import zermelo; zermelo.playouts(zermelo.game('nim'), games=4, device='cuda')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.strip().splitlines()[-1].startswith("zermelo.errors.DeviceError")
    assert 'device="cpu"' in done.stderr
