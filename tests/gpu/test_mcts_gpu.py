"""Monte Carlo tree search on a GPU against the CPU. Needs a GPU: `make test-gpu`."""

from typing import Any

import pytest

import zermelo
from zermelo import Limit, mcts

pytestmark = pytest.mark.gpu

ALONE = [
    ("tic_tac_toe", {}, {}),
    ("connect_four", {}, {}),
    ("pig", {"target": 20}, {}),
    ("three_player_tic_tac_toe", {}, {}),
    ("go", {"size": 9, "playouts": "uniform"}, {}),
]
TOGETHER = [("tic_tac_toe", {"solver": True, "c": 1.0}), ("connect_four", {})]


def said(found: Any) -> Any:
    """All that an answer says, but for the time."""
    moves = {a: (m.visits, m.value, m.values, m.interval, m.bound) for a, m in found.moves.items()}
    return found.action, found.line, found.values, found.bound, found.nodes, found.depth, found.note, found.seed, moves


def some_states(game: Any, count: int) -> list[Any]:
    """The first state, and states some moves on."""
    states = [game.initial()]
    while len(states) < count:
        actions = list(game.actions(states[-1]))
        following = game.result(states[-1], actions[7 * len(states) % len(actions)])
        states.append(game.initial() if game.is_terminal(following) else following)
    return states


def test_many_trees_are_the_same_on_the_gpu() -> None:
    """Thread by thread, visit by visit."""
    for name, parameters, options in ALONE:
        game = zermelo.game(name, **parameters)
        states, limit = some_states(game, 150), Limit(simulations=120)
        cpu, gpu = (mcts.many(game, states, limit=limit, seed=3, device=d, **options) for d in ("cpu", "cuda"))
        assert list(map(said, cpu)) == list(map(said, gpu)), name
        assert {found.device for found in gpu if found.moves} == {"cuda"}, name


def test_waves_change_nothing() -> None:
    """Trees that do not fit at once are searched later."""
    game = zermelo.game("connect_four")
    states = some_states(game, 300)
    small, large = (
        mcts.many(game, states, limit=Limit(simulations=120), seed=1, device="cuda", memory=m) for m in (4, 400)
    )
    assert list(map(said, small)) == list(map(said, large))


def test_a_block_searches_one_tree() -> None:
    """All threads play from the leaf; the sums are those of one thread."""
    for name, options in TOGETHER:
        game = zermelo.game(name)
        limit = Limit(simulations=400)
        for playouts in (2, 64, 300):
            cpu, gpu = (
                mcts(game, limit=limit, seed=2, playouts=playouts, device=d, **options) for d in ("cpu", "cuda")
            )
            assert said(cpu) == said(gpu), (name, playouts)
        states = some_states(game, 20)
        cpu, gpu = (
            mcts.many(game, states, limit=Limit(simulations=50), playouts=40, device=d, **options)
            for d in ("cpu", "cuda")
        )
        assert list(map(said, cpu)) == list(map(said, gpu)), name


def test_several_blocks_search_several_trees() -> None:
    """Their visits add up to those on the CPU."""
    game = zermelo.game("connect_four")
    cpu, gpu = (
        mcts(game, limit=Limit(simulations=2000), seed=2, playouts=64, trees=4, device=d) for d in ("cpu", "cuda")
    )
    assert cpu.moves == gpu.moves
    assert (cpu.action, cpu.nodes) == (gpu.action, gpu.nodes) == (3, 2000)


def test_limits_are_kept() -> None:
    """A stream comes in steps, and time ends a search."""
    game = zermelo.game("connect_four")
    steps = list(mcts.stream(game, limit=Limit(simulations=120), seed=3, playouts=64, device="cuda"))
    assert [step.nodes for step in steps] == [1, 2, 5, 10, 20, 50, 100, 120]
    timed = mcts(game, limit=Limit(time=0.5), playouts=64, device="cuda")
    assert timed.nodes > 100
    assert timed.time < 1.0
