"""The kernels of many searches compile for a GPU, down to PTX. No GPU is needed for that."""

import re

import pytest
from for_gpu import require_compiler

import zermelo
from zermelo import Limit, mcts
from zermelo.compile import cuda, machine, program
from zermelo.compile.memory import Words


class Compiled(Exception):
    """What the compiler made, thrown to where it is looked at instead of being run."""


class Compiler(cuda.Cuda):
    """A machine that stops when it has compiled."""

    def __init__(self):
        super().__init__((9, 0))

    def memory(self, words):
        return Words(words)

    def load(self, made):
        raise Compiled(made.plain.__name__, self.ptx(made)[1].decode())


@pytest.fixture(autouse=True)
def compiler(monkeypatch):
    require_compiler()
    monkeypatch.setattr(cuda, "Cuda", Compiler)
    monkeypatch.setattr(program, "_programs", {})
    machine.cache_clear()
    yield
    machine.cache_clear()


def compiled(call):
    """The name of the kernel that the call would run, and its PTX."""
    with pytest.raises(Compiled) as caught:
        call()
    name, ptx = caught.value.args
    assert not re.findall(r"\.extern \.func[^;]*?(\w+)\s*[(;]", ptx), "every function that is called is there"
    assert not re.search(r"\bfma\.rn\.f64", ptx), "floats come out as on the other machines"
    return name, ptx


FEW = Limit(simulations=10)


def test_a_thread_searches_a_tree():
    four = zermelo.game("connect_four")
    name, ptx = compiled(lambda: mcts.many(four, [four.initial()], limit=FEW, device="cuda"))
    assert name == "search_row"
    assert "bar.sync" not in ptx


def test_a_block_searches_a_tree():
    tic = zermelo.game("tic_tac_toe")
    name, ptx = compiled(lambda: mcts(tic, limit=FEW, device="cuda", playouts=64, solver=True))
    assert name == "search_block"
    assert len(re.findall(r"bar\.sync|barrier\.sync", ptx)) == 2, "twice in every simulation"


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"playouts": 128}, {"rave": True}])
def test_go(options):
    go = zermelo.game("go", playouts="uniform")
    compiled(lambda: mcts.many(go, [go.initial()], limit=FEW, device="cuda", **options))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pig", "three_player_tic_tac_toe"])
def test_other_games(name):
    game = zermelo.game(name)
    compiled(lambda: mcts.many(game, [game.initial()], limit=FEW, device="cuda"))
