"""What one program has compiled serves the next ones, as long as it means the same."""

import sys

import pytest
from for_gpu import require_compiler
from small_games import Countdown

import zermelo
from zermelo.compile import cuda, kernel, machine
from zermelo.compile import program as programs

BONUS = 10


@kernel
def bonus(n):
    return BONUS + n


@kernel
def triangle(n):
    """A function that calls itself."""
    return 0 if n == 0 else n + triangle(n - 1)


class Steps(Countdown):
    def utility(self, s, player):
        value = bonus(s.n) + triangle(self.start)
        return float(value if player == 0 else -value)


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """The functions that this process keeps; none at first."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(programs, "_programs", {})
    kept = machine("cpu").processor.shared
    kept.clear()
    return kept


def named(shared, name):
    return [made for made in shared.values() if hasattr(made, "py_func") and made.py_func.__qualname__ == name]


def test_a_rule_is_compiled_once_for_two_methods(shared):
    assert zermelo.playouts(Steps(), games=1, device="cpu").mean == 16
    (first,) = named(shared, "Countdown.result")
    (recursive,) = named(shared, "triangle")
    assert zermelo.minimax(Steps(), device="cpu").value == 16
    assert named(shared, "Countdown.result") == [first]
    assert named(shared, "triangle") == [recursive]
    assert len(first.overloads) == 1


def test_a_changed_constant_or_parameter_is_another_function(shared, monkeypatch):
    assert zermelo.playouts(Steps(), games=1, device="cpu").mean == 16
    monkeypatch.setattr(sys.modules[__name__], "BONUS", 20)
    assert zermelo.playouts(Steps(), games=1, device="cpu").mean == 26
    assert zermelo.playouts(Steps(start=4), games=1, device="cpu").mean == 30
    assert len(named(shared, "bonus")) == 2
    assert len(named(shared, "Steps.utility")) == 3


def test_nothing_is_kept_of_a_program_that_fails(shared):
    class Broken(Steps):
        def utility(self, s, player):
            return "nothing"

    assert zermelo.playouts(Steps(), games=1, device="cpu").mean == 16
    with pytest.raises(zermelo.CompileError):
        zermelo.playouts(Broken(), games=1, device="cpu")
    assert not shared
    assert zermelo.minimax(Steps(), device="cpu").value == 16


@kernel
def one_step(game, s):
    return game.result(s, 1).n


def test_compiling_for_a_gpu_in_between_changes_nothing(shared):
    class Other(Steps):
        def result(self, s, action):
            return self.State(s.n - int(action))

    class Compiler(cuda.Cuda):
        def load(self, made):
            return self.ptx(made)

    require_compiler()
    assert zermelo.playouts(Steps(), games=1, device="cpu").mean == 16
    _, ptx, _ = programs.program(one_step, {"game": Other(), "s": Other().initial()}, Compiler((9, 0)))[0].code
    assert b".visible .entry" in ptx
    assert machine("cpu").call(one_step, game=Other(), s=Other().initial()) == 2
