"""Every kernel behind the public calls compiles for a GPU, down to PTX. No GPU is needed for that."""

import re

import pytest
from for_gpu import require_compiler

import zermelo
from zermelo import Tree, chance, conformance, game
from zermelo.compile import cuda, kernel, machine, program
from zermelo.compile.memory import Words
from zermelo.running.callbacks import evaluation
from zermelo.searches.plain.node import WalkSetup
from zermelo.searches.plain.run import Run
from zermelo.searches.plain.when_lost import outcome_distance

HOPPER = (9, 0)


class Compiled(Exception):
    """What the compiler made, thrown to where it is looked at instead of being run."""

    def __init__(self, made):
        super().__init__(made.plain.__name__)
        self.header, self.ptx, self.tables = made.code


class Compiler(cuda.Cuda):
    """A machine that stops when it has compiled."""

    def __init__(self):
        super().__init__(HOPPER)

    def memory(self, words):
        return Words(words)

    def load(self, made):
        return self.ptx(made)

    def run(self, made, arguments, rows):
        raise Compiled(made)


@pytest.fixture(autouse=True)
def compiler(monkeypatch):
    require_compiler()
    monkeypatch.setattr(cuda, "Cuda", Compiler)
    monkeypatch.setattr(program, "_programs", {})
    machine.cache_clear()
    yield
    machine.cache_clear()


def compiled(call):
    """The PTX of the kernel that the call would run."""
    with pytest.raises(Compiled) as caught:
        call()
    made = caught.value
    ptx = made.ptx.decode()
    assert re.search(r"^\.target sm_90", ptx, re.MULTILINE)
    assert f".visible .entry {made.header['name']}(" in ptx
    assert set(made.tables) == set(made.header["tables"])
    for table in made.tables:
        assert f"zermelo_table_{table}" in ptx
    unresolved = set(re.findall(r"\.extern \.func[^;]*?(\w+)\s*[(;]", ptx))
    assert unresolved == set(), "every function that is called is there"
    assert not re.search(r"\bfma\.rn\.f64", ptx), "floats come out as on the other machines"
    return made


TREE = Tree([[3, 12, 8], [2, chance([(0.25, [4, 6]), (0.75, 1)])], [14, 5, 2]])
OPEN_TREE = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])

SEARCHES = {
    "minimax connect_four": ("connect_four", zermelo.minimax, {"depth": 4}),
    "minimax tree": (OPEN_TREE, zermelo.minimax, {}),
    "alphabeta connect_four, symmetry": ("connect_four", zermelo.alphabeta, {"depth": 4, "symmetry": True}),
    "alphabeta tic_tac_toe": ("tic_tac_toe", zermelo.alphabeta, {}),
    "expectiminimax coin_bucket": ("coin_bucket", zermelo.expectiminimax, {}),
    "star1 coin_bucket": ("coin_bucket", zermelo.expectiminimax, {"prune": "star1"}),
    "star2 tree": (TREE, zermelo.expectiminimax, {"prune": "star2"}),
    "maxn alliance": ("alliance", zermelo.maxn, {}),
    "paranoid tree": (TREE, zermelo.paranoid, {}),
    "expectimax bucket": ("bucket", zermelo.expectimax, {}),
}


@kernel
def learned_score(game, s):
    """What the network of chess says."""
    return game.score(s)


def of_case(which):
    return game(which) if isinstance(which, str) else which


@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name):
    which, search, options = SEARCHES[name]
    of = of_case(which)
    made = compiled(lambda: search(of, device="cuda", **options))
    assert made.header["result"]


@pytest.mark.parametrize("which", ["connect_four", OPEN_TREE], ids=repr)
def test_distance(which):
    of = of_case(which)
    run = Run(of, WalkSetup(evaluate=evaluation(of, None)), (), "cuda")
    made = compiled(lambda: run.run(outcome_distance, of.initial(), 4, middle=0.0))
    assert made.header["result"] == "fi"


@pytest.mark.parametrize("which", ["connect_four", "coin_bucket", "kuhn_poker", TREE], ids=repr)
def test_playouts(which):
    compiled(lambda: zermelo.playouts(of_case(which), games=1000, device="cuda"))


@pytest.mark.parametrize("which", ["connect_four", "kuhn_poker", TREE], ids=repr)
def test_perft(which):
    made = compiled(lambda: zermelo.perft(of_case(which), 4, device="cuda"))
    assert made.header["result"] == "i"


@pytest.mark.parametrize("which", ["connect_four", "coin_bucket", "kuhn_poker", TREE], ids=repr)
def test_meaning(which):
    of = of_case(which)
    compiled(lambda: conformance._meaning(of, of.initial(), "cuda"))


def test_rows_of_tables():
    chess = game("chess")
    made = compiled(lambda: machine("cuda").call(learned_score, game=chess, s=chess.initial()))
    assert made.header["result"] == "i"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(zermelo.games))
def test_every_game(name):
    of = game(name)
    compiled(lambda: zermelo.playouts(of, games=1000, device="cuda"))
    compiled(lambda: conformance._meaning(of, of.initial(), "cuda"))


def test_without_a_gpu_the_error_says_so(monkeypatch):
    monkeypatch.undo()
    machine.cache_clear()
    try:
        cuda.Cuda()
    except zermelo.DeviceError:
        with pytest.raises(zermelo.DeviceError, match=r'needs an NVIDIA GPU .*; use device="cpu"'):
            zermelo.minimax(game("bucket"), device="cuda")
    else:
        pytest.skip("there is a GPU here")
