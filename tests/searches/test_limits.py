"""Limits: one vocabulary for all methods, directly or as a Limit; what they do to plain searches."""

import os
import pickle
import signal
import threading
import time
from typing import NamedTuple

import pytest

import zermelo
from zermelo import BadParameter, Limit
from zermelo.running.watching import watching
from zermelo.searches.limits import NAMES, limit_of, listed
from zermelo.searches.methods import METHODS

TOE, FOUR = zermelo.game("tic_tac_toe"), zermelo.game("connect_four")
PIG, ALLIANCE = zermelo.game("pig:target=20"), zermelo.game("three_player_tic_tac_toe")
SMALLEST = {"time": 0.05, "nodes": 50, "depth": 2, "simulations": 20}
LIMITED = [method for method in METHODS if method.limits]
PLAIN = [
    (zermelo.minimax, FOUR, {}), (zermelo.alphabeta, FOUR, {}), (zermelo.expectiminimax, PIG, {}),
    (zermelo.expectiminimax, PIG, {"prune": "star2"}), (zermelo.maxn, ALLIANCE, {}), (zermelo.paranoid, ALLIANCE, {}),
    (zermelo.expectimax, PIG, {}),
]  # fmt: skip


def state_for(method):
    """A game that the method fits, and a state in which somebody moves."""
    if method.name in ("pimc", "ismcts"):
        return zermelo.game("trails"), None
    return (PIG, None) if method.name == "expectiminimax" else (TOE, None)


# --- the vocabulary --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", LIMITED, ids=lambda method: method.name)
def test_every_method_takes_its_limits_directly_or_together_and_refuses_the_others(method):
    search, (game, state) = getattr(zermelo, method.name), state_for(method)
    for name in NAMES:
        value = SMALLEST[name]
        if name in method.limits:
            for given in ({name: value}, {"limit": Limit(**{name: value})}):
                assert search(game, state, device="python", **given).action is not None
            with pytest.raises(BadParameter, match=f"give {name}= or limit=, not both"):
                search(game, state, limit=Limit(time=1), **{name: value})
        else:
            words = f"{method.name} is limited by {listed(method.limits)}, not by {name}"
            with pytest.raises(BadParameter, match=words):
                search(game, state, **{name: value})
            with pytest.raises(BadParameter, match=words):
                search(game, state, limit=Limit(**{name: value}))
    with pytest.raises(BadParameter, match="limit must be a Limit, such as"):
        search(game, state, limit=3)


def test_engines_and_trees_that_stay_take_the_same_words():
    engine, player = zermelo.Engine(TOE, device="python"), zermelo.Mcts(TOE, device="python")
    assert engine.search(depth=3).depth == engine.search(limit=Limit(depth=3)).depth == 3
    assert [answer.depth for answer in engine.stream(depth=2)][-1] == 2
    assert player.search(simulations=30).nodes == player.search(limit=Limit(simulations=30)).nodes == 30
    assert len(zermelo.mcts.many(TOE, [TOE.initial()] * 2, simulations=5, device="python")) == 2
    with pytest.raises(BadParameter, match="give depth= or limit="):
        engine.search(limit=Limit(time=1), depth=3)


def test_what_is_said_twice_or_not_at_all():
    assert limit_of("search", None, Limit(time=1)) == Limit(time=1)
    assert limit_of("search", Limit(), Limit(time=1)) == Limit(), "no limit, as somebody said"
    assert limit_of("mcts", Limit(), Limit(simulations=9)) == Limit(simulations=9), (
        "simulations never end by themselves"
    )
    with pytest.raises(BadParameter, match=r"nodes must be an integer >= 0, not 1\.5"):
        zermelo.minimax(TOE, nodes=1.5)
    with pytest.raises(BadParameter, match="time must be a number >= 0, not 'long'"):
        zermelo.search(TOE, time="long")


def test_cfr_ends_in_time():
    kuhn = zermelo.game("kuhn_poker")
    began = time.process_time()
    found = zermelo.cfr(kuhn, time=0.2, device="python")
    assert found.iterations > 10
    assert time.process_time() - began < 2
    assert zermelo.cfr(kuhn, iterations=5, limit=Limit(time=60), device="python").iterations == 5
    assert [step.iteration for step in zermelo.cfr.stream(kuhn, time=0.0, device="python")] == [1]
    with pytest.raises(BadParameter, match="cfr is limited by time, not by nodes"):
        zermelo.cfr(kuhn, nodes=5)


# --- plain searches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("search", "game", "options"), PLAIN)
def test_nodes_are_kept_to_and_the_deepest_finished_search_answers(search, game, options):
    found = search(game, nodes=3000, device="python", **options)
    assert found.nodes <= 3000
    assert found.bound == "estimate"
    assert "as deep as 3,000 nodes allow" in found.note
    alone = search(game, depth=found.depth, device="python", **options)
    assert (found.value, found.values, found.line, found.moves) == (alone.value, alone.values, alone.line, alone.moves)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_nodes_give_the_same_answer_on_all_machines(device):
    found = zermelo.alphabeta(FOUR, nodes=5000, device=device)
    assert (found.depth, found.nodes) == (6, 5000)
    assert zermelo.alphabeta(TOE, nodes=10**9, device=device).bound == "exact"


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_time_is_kept_to(device):
    zermelo.alphabeta(FOUR, nodes=10, device=device)  # compiled
    began = time.perf_counter()
    found = zermelo.alphabeta(FOUR, time=0.3, device=device)
    spent = time.perf_counter() - began
    assert found.time <= spent
    assert spent > 0.25
    assert found.depth >= 4
    assert found.note == "as deep as 0.3 s allow"
    assert "allow" not in zermelo.alphabeta(TOE, time=60, device=device).note, "exact answers come at once"


def test_depth_and_nodes_together():
    found = zermelo.alphabeta(FOUR, depth=3, nodes=10**6, device="python")
    assert (found.depth, found.note) == (3, "")
    assert found.nodes == sum(zermelo.alphabeta(FOUR, depth=d, device="python").nodes for d in (1, 2, 3))
    assert zermelo.alphabeta(FOUR, depth=0, nodes=9, device="python").depth == 0


@pytest.mark.parametrize(("search", "game", "options"), PLAIN)
@pytest.mark.parametrize("limits", [{"time": 0}, *({"nodes": count} for count in (0, 1, 2, 3, 5))])
def test_there_is_a_move_however_little_may_be_looked_at(search, game, options, limits):
    found = search(game, device="python", **limits, **options)
    assert found.action in game.actions(game.initial())
    assert found.nodes <= max(1, limits.get("nodes", 1))
    assert found.bound == "estimate"


def test_first_moves_that_were_searched_are_known():
    found = zermelo.minimax(zermelo.Tree([[3, 12], [2, 4], [14, 5]]), nodes=6, depth=2, device="python")
    assert (found.depth, found.value) == (1, 0.0)
    bucket = zermelo.game("bucket")
    worst = zermelo.minimax(bucket, nodes=3, device="python")
    assert worst.depth == 1
    assert "first moves searched so far: 2" in worst.note


def test_windows_do_not_end_the_deepening():
    """At depth 1 the estimate lies below the window; only what ends there is known."""
    found = zermelo.alphabeta(TOE, window=(0.5, 2), nodes=10**6, device="python")
    assert (found.bound, found.value <= 0.5) == ("upper", True)
    assert found.depth > 1


def test_a_stream_of_deeper_and_deeper_answers():
    answers = list(zermelo.minimax.stream(TOE, depth=4, device="python"))
    assert [answer.depth for answer in answers] == [1, 2, 3, 4]
    assert [answer.nodes for answer in answers] == [10, 92, 678, 4288], "all that was seen so far"
    *_, last = zermelo.alphabeta.stream(zermelo.game("nim"))
    assert last.bound == "exact"
    *_, last = zermelo.alphabeta.stream(FOUR, nodes=100, device="python")
    assert last.nodes == 100


def test_losing_moves_are_chosen_within_the_limits():
    lost = zermelo.game("nim:heaps=(2,2)")
    plain = zermelo.minimax(lost, when_lost="delay", device="python")
    assert zermelo.minimax(lost, when_lost="delay", time=20, device="python").action == plain.action


def test_records_and_fractions_come_with_limits_too():
    found = zermelo.minimax(TOE, nodes=200, record=True)
    assert len(found.tree) == zermelo.minimax(TOE, depth=found.depth).nodes
    coins = zermelo.game("coin_bucket")
    assert zermelo.expectiminimax(coins, nodes=10**6).value == zermelo.expectiminimax(coins).value


def test_searches_are_functions():
    assert zermelo.minimax.__name__ == "minimax"
    assert pickle.loads(pickle.dumps(zermelo.minimax)) is zermelo.minimax
    with pytest.raises(TypeError, match="dept"):
        zermelo.minimax(TOE, dept=3)


# --- progress and interrupts -----------------------------------------------------------------------------------------


class Slow(zermelo.Game):
    """A line of 1,000 moves with two ways each: nobody sees its end."""

    class State(NamedTuple):
        n: int

    bounds = (-1.0, 1.0)
    max_actions = 2

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        yield from range(2)

    def result(self, s, action):
        return self.State(s.n + 1)

    def is_terminal(self, s):
        return s.n >= 1000

    def utility(self, s, player):
        return 0.0


def interrupted(search, after=0.4):
    """The KeyboardInterrupt with which the search ends."""
    threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        search()
    return caught.value


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_an_interrupt_carries_what_is_known(device):
    zermelo.alphabeta(FOUR, nodes=10, device=device)  # nothing is compiled when the interrupt comes
    zermelo.search(FOUR, depth=1, device=device)
    zermelo.mcts(FOUR, simulations=1, device=device)
    deepened = interrupted(lambda: zermelo.alphabeta(FOUR, time=100, device=device)).answer
    assert deepened.depth >= 4
    assert deepened.bound == "estimate"
    engine = interrupted(lambda: zermelo.search(FOUR, time=100, device=device), 1.0).answer
    assert engine.action is not None
    sampled = interrupted(lambda: zermelo.mcts(FOUR, time=100, device=device), 1.0)
    assert sampled.answer.nodes > 1
    assert "answer" in sampled.__notes__[0]


def test_a_search_without_limits_has_an_answer_when_it_is_interrupted():
    slow = Slow()
    zermelo.alphabeta(slow, depth=1, device="python")
    stopped = interrupted(lambda: zermelo.alphabeta(slow, device="python")).answer
    assert stopped.action in (0, 1)
    assert "not even the first move was searched to its end" in stopped.note
    few = interrupted(lambda: zermelo.minimax(TOE, device="python"), 0.6).answer
    assert few.bound == "lower"
    assert "first moves searched so far" in few.note


def test_an_interrupt_that_comes_too_early_says_that_nothing_is_known(monkeypatch):
    def refuse(*given):
        raise KeyboardInterrupt

    for module in ("plain.minimax", "engine.engine"):
        monkeypatch.setattr(f"zermelo.searches.{module}.require_open", refuse)
    for search in (zermelo.minimax, zermelo.search):
        with pytest.raises(KeyboardInterrupt) as caught:
            search(TOE)
        assert caught.value.answer is None


def test_nodes_can_be_watched():
    seen = []
    with watching(seen.append):
        zermelo.alphabeta(FOUR, time=0.7, device="python")
        zermelo.search(FOUR, time=0.7, device="python")
    assert len(seen) > 2
    assert max(seen) > 0
    count = len(seen)
    time.sleep(0.3)
    assert len(seen) == count
