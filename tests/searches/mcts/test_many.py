"""Many searches at once: each is what it would be alone, on every machine."""

import copy

import pytest

import zermelo
from zermelo import Limit, Mcts, mcts
from zermelo.running import devices
from zermelo.searches.mcts import mcts as home

TIC = zermelo.game("tic_tac_toe")
FOUR = zermelo.game("connect_four")
FEW = Limit(simulations=60)


def positions(game, *lines):
    return [game.play(game.initial(), *line) for line in lines]


def said(found):
    moves = {a: (m.visits, m.value, m.values, m.interval, m.bound) for a, m in found.moves.items()}
    return found.action, found.line, found.value, found.values, found.bound, found.nodes, found.depth, found.seed, moves


STARTS = positions(TIC, (), (4,), (0, 3, 1, 4), (0, 4, 8), (0, 3, 1, 4, 2))


@pytest.mark.parametrize("options", [{}, {"solver": True, "c": 0.9, "playouts": 3}])
def test_each_is_what_it_would_be_alone(options):
    alone = [mcts(TIC, s, limit=FEW, seed=5 + i, device="python", **options) for i, s in enumerate(STARTS)]
    plain = mcts.many(TIC, STARTS, limit=FEW, seed=5, device="python", **options)
    native = mcts.many(TIC, STARTS, limit=FEW, seed=5, device="cpu", threads=1, **options)
    assert list(map(said, alone)) == list(map(said, plain)) == list(map(said, native))
    assert native[4].action is None
    assert native[4].value == 1.0


def test_threads_change_nothing():
    states = [FOUR.play(FOUR.initial(), a, b) for a in range(7) for b in range(7)] * 4
    one, three = (mcts.many(FOUR, states, limit=FEW, seed=1, device="cpu", threads=n) for n in (1, 3))
    assert list(map(said, one)) == list(map(said, three))
    assert said(one[140]) == said(mcts(FOUR, states[140], limit=FEW, seed=141, device="cpu"))
    assert len({f.action for f in mcts.many(FOUR, [FOUR.initial()] * 30, limit=FEW, device="cpu")}) > 1


def test_utilities_beyond_the_range_are_searched_again():
    tree = zermelo.Tree([[3e9, 12e9], [-2e9, 4e9], [14e9, 5e9]])
    states = [tree.initial(), tree.result(tree.initial(), 1)]
    alone = [mcts(tree, s, limit=Limit(simulations=300), seed=i, device="python") for i, s in enumerate(states)]
    found = mcts.many(tree, states, limit=Limit(simulations=300), device="cpu")
    assert list(map(said, found)) == list(map(said, alone))
    assert found[0].action == 2


def test_several_playouts_are_averaged():
    one, same, native = (
        mcts(TIC, limit=Limit(simulations=200), seed=3, playouts=4, device=d) for d in ("python", "python", "cpu")
    )
    assert said(one) == said(same) == said(native)
    assert sum(m.visits for m in one.moves.values()) == 200
    assert said(one) != said(mcts(TIC, limit=Limit(simulations=200), seed=3, device="python"))


def test_going_native_is_not_seen(monkeypatch):
    """A search that began in plain Python ends natively with the same answer, its kept tree included."""
    monkeypatch.setattr(devices, "GLANCE", 0.005)
    monkeypatch.setattr(home, "MOMENT", 0.01)
    monkeypatch.setattr(home, "WORTH_COMPILING", 0.0)
    monkeypatch.setattr(devices, "_spent", {})
    player, plain = (Mcts(TIC, seed=2, device=d) for d in ("auto", "python"))
    steps = [(), (4, 0)]
    for s, simulations in zip(positions(TIC, *steps), (30, 1500), strict=True):
        limit = Limit(simulations=simulations)
        before = [list(tree.nodes) for tree in player.forest if player.machine.name == "python"]
        assert said(player.search(s, limit)) == said(plain.search(s, limit)), before
    assert player.machine.name == "cpu"
    assert devices.was_slow(TIC, "mcts")
    stream = [step.nodes for step in mcts.stream(TIC, limit=Limit(simulations=30), seed=1)]
    assert stream == [1, 2, 5, 10, 20, 30]


def test_priors_move_with_the_tree(monkeypatch):
    monkeypatch.setattr(devices, "GLANCE", 0.001)
    monkeypatch.setattr(home, "MOMENT", 0.002)
    monkeypatch.setattr(home, "WORTH_COMPILING", 0.0)
    monkeypatch.setattr(devices, "_spent", {})
    monkeypatch.setenv("ZERMELO_ASIDE", "0")  # native code is waited for, so that it comes in the middle
    auto, plain = (
        mcts(TIC, limit=Limit(simulations=900), seed=2, prior=centre, solver=True, device=d) for d in ("auto", "python")
    )
    assert auto.device == "cpu"
    assert said(auto) == said(plain)


def centre(s, action):
    return 3.0 if action == 4 else 1.0


def test_bad_arguments_are_named():
    with pytest.raises(zermelo.BadParameter, match=r"mcts\.many is limited by simulations, not by time"):
        mcts.many(TIC, STARTS, limit=Limit(time=1.0))
    with pytest.raises(zermelo.BadParameter, match="threads must be"):
        mcts.many(TIC, STARTS, threads=0)
    with pytest.raises(zermelo.BadState):
        mcts.many(TIC, [copy.copy(7)])
    assert mcts.many(TIC, []) == []
