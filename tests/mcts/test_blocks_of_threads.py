"""A GPU played by Python threads: rows run at once and meet at barriers. What comes out is what one thread finds."""

import threading

import pytest

import zermelo
from zermelo import Limit, mcts
from zermelo.compile.machine import PythonMachine
from zermelo.compile.memory import exchange_if, fetch_add, state_words
from zermelo.searches.mcts import batches
from zermelo.searches.mcts import mcts as home
from zermelo.searches.mcts import playouts as leaves

TIC = zermelo.game("tic_tac_toe")
LANES = 4


class Simulator(PythonMachine):
    """A machine that calls itself a GPU: blocks come one after the other, the threads of a block run at once."""

    name = "cuda"

    def spread(self, plain, rows, **arguments):
        names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
        given = {name: arguments[name] for name in names if name != "row"}
        size = LANES if plain is batches.search_block else 1
        failed = []

        def run(row):
            try:
                plain(row=row, **given)
            except BaseException as error:
                failed.append(error)
                self.meeting.abort()

        for first in range(0, rows, size):
            self.meeting = threading.Barrier(size)
            block = [threading.Thread(target=run, args=(row,)) for row in range(first, first + size)]
            for thread in block:
                thread.start()
            for thread in block:
                thread.join()
            if failed:
                raise failed[0]


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    on, lock = Simulator(), threading.Lock()

    def as_one_step(change):
        def step(*given):
            with lock:
                return change(*given)

        return step

    def write_states(self, states):
        for i, s in enumerate(states):
            self.states[i * state_words(self.sampling.game)] = s

    monkeypatch.setattr(batches, "barrier", lambda: on.meeting.wait(20))
    monkeypatch.setattr(batches, "fetch_add", as_one_step(fetch_add))
    monkeypatch.setattr(leaves, "exchange_if", as_one_step(exchange_if))
    monkeypatch.setattr(batches.Batch, "_write_states", write_states)
    monkeypatch.setattr(batches, "LANES", LANES)
    for module in (home, batches):
        monkeypatch.setattr(module, "machine", lambda name: on if name == "cuda" else zermelo.machine(name))


def said(found):
    moves = {a: (m.visits, m.value, m.values, m.interval, m.bound) for a, m in found.moves.items()}
    return found.action, found.line, found.values, found.bound, found.nodes, found.depth, found.seed, moves


@pytest.mark.parametrize("options", [{}, {"solver": True, "c": 1.0}])
@pytest.mark.parametrize("playouts", [1, 2, 9])
def test_a_block_finds_what_one_thread_finds(playouts, options):
    plain, gpu = (
        mcts(TIC, limit=Limit(simulations=60), seed=4, playouts=playouts, device=d, **options)
        for d in ("python", "cuda")
    )
    assert said(plain) == said(gpu)
    assert gpu.device == "cuda"


@pytest.mark.parametrize("name", ["pig", "three_player_tic_tac_toe", "coin_bucket"])
def test_dice_many_players_and_large_utilities(name):
    game = zermelo.game(name)
    limit = Limit(simulations=40)
    plain, gpu = (mcts(game, limit=limit, seed=4, playouts=3, device=d) for d in ("python", "cuda"))
    assert said(plain) == said(gpu)


def test_many_trees_and_waves():
    states = [TIC.initial(), TIC.play(TIC.initial(), 4), TIC.play(TIC.initial(), 0, 3, 1, 4)]
    for playouts in (1, 3):
        plain, gpu, waves = (
            mcts.many(TIC, states * 2, limit=Limit(simulations=3000 // 100), playouts=playouts, device=d, memory=m)
            for d, m in (("python", 4), ("cuda", 4), ("cuda", 1))
        )
        assert list(map(said, plain)) == list(map(said, gpu)) == list(map(said, waves))


def test_a_stream_and_several_trees():
    steps = [x.nodes for x in mcts.stream(TIC, limit=Limit(simulations=60), playouts=2, device="cuda", memory=1)]
    assert steps == [1, 2, 5, 10, 20, 50, 60]
    plain, gpu = (
        mcts(TIC, limit=Limit(simulations=61), playouts=2, trees=3, device=d, memory=1) for d in ("python", "cuda")
    )
    assert (plain.action, plain.moves, plain.nodes) == (gpu.action, gpu.moves, gpu.nodes)
    assert mcts(TIC, limit=Limit(time=0.2), playouts=2, device="cuda", memory=1).nodes > 0
