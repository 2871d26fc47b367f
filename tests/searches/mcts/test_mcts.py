"""Monte Carlo tree search: statistics that add up, moves that are right, machines that agree."""

import math
import re
from typing import NamedTuple

import pytest
from spent import spent

import zermelo
from zermelo import Limit, Mcts, Tree, game, mcts
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.arithmetic import exponential, inverse, inverse_root, logarithm, logarithm_root

TIC = zermelo.game("tic_tac_toe")
FOUR = zermelo.game("connect_four")


def after(game, *actions):
    return game.play(game.initial(), *actions)


def statistics(found):
    return {action: (move.visits, move.value) for action, move in found.moves.items()}


def test_visits_add_up():
    found = mcts(TIC, limit=Limit(simulations=500), seed=1, device="python")
    assert found.nodes == 500
    assert sum(move.visits for move in found.moves.values()) == 500
    assert set(found.moves) == set(range(9))
    assert found.action == max(found.moves, key=lambda a: found.moves[a].visits)
    assert found.method == "mcts"
    assert found.bound == "estimate"
    assert found.depth >= 2
    for move in found.moves.values():
        low, high = move.interval
        assert -1 <= low <= move.value <= high <= 1


def test_the_same_seed_gives_the_same_answer():
    one, same, other = (mcts(TIC, limit=Limit(simulations=300), seed=s, device="python") for s in (4, 4, 5))
    assert statistics(one) == statistics(same) != statistics(other)


@pytest.mark.parametrize("options", [{}, {"solver": True, "c": 0.7}])
def test_the_machines_agree(options):
    plain, native = (mcts(TIC, limit=Limit(simulations=400), seed=2, device=d, **options) for d in ("python", "cpu"))
    assert statistics(plain) == statistics(native)
    assert plain.line == native.line
    assert plain.value == native.value


def test_a_stream_is_the_search_in_steps():
    steps = list(mcts.stream(TIC, limit=Limit(simulations=120), seed=3, device="python"))
    assert [step.nodes for step in steps] == [1, 2, 5, 10, 20, 50, 100, 120]
    assert statistics(steps[-1]) == statistics(mcts(TIC, limit=Limit(simulations=120), seed=3, device="python"))


def test_it_takes_a_win_and_stops_one():
    win = after(TIC, 0, 3, 1, 4)
    assert mcts(TIC, win, limit=Limit(simulations=400), seed=1, device="python").action == 2
    threat = after(TIC, 0, 3, 8, 4)
    assert mcts(TIC, threat, limit=Limit(simulations=400), seed=1, device="python").action == 5


def test_the_solver_proves():
    found = mcts(TIC, after(TIC, 0, 3, 1, 4), limit=Limit(simulations=5000), seed=1, solver=True, device="python")
    assert (found.bound, found.value, found.action) == ("exact", 1.0, 2)
    assert found.nodes < 5000
    drawn = mcts(TIC, after(TIC, 0, 4, 8), limit=Limit(simulations=50_000), seed=1, solver=True, device="cpu")
    assert (drawn.bound, drawn.value) == ("exact", 0.0)
    assert drawn.nodes < 50_000


def test_it_converges_to_the_minimax_move():
    for start in ((4,), (0,), (1,), (0, 4), (0, 8, 2)):
        s = after(TIC, *start)
        exact = zermelo.minimax(TIC, s, device="python") if len(start) > 1 else zermelo.alphabeta(TIC, s)
        found = mcts(TIC, s, limit=Limit(simulations=20_000), seed=1, device="cpu")
        chosen = zermelo.alphabeta(TIC, TIC.result(s, found.action)).value
        assert chosen == exact.value


def test_chance_is_drawn_by_its_odds():
    pig = zermelo.game("pig")
    found = mcts(pig, limit=Limit(simulations=1500), seed=1, device="python")
    assert sum(move.visits for move in found.moves.values()) == 1500
    bucket = zermelo.game("coin_bucket")
    # Row 2.4: -2 by C, against an opponent who plays best.
    found = mcts(bucket, limit=Limit(simulations=4000), seed=1, device="python")
    exact = zermelo.expectiminimax(bucket)
    assert found.action == exact.action
    assert found.value == pytest.approx(exact.value, abs=2.0)


def test_everybody_plays_for_themselves():
    alliance = zermelo.game("alliance")
    exact = zermelo.maxn(alliance)
    found = mcts(alliance, limit=Limit(simulations=4000), seed=1, device="python")
    assert found.action == exact.action
    assert len(found.values) == alliance.players
    assert found.moves[found.action].values == found.values


def test_utilities_of_any_size_are_scaled():
    tree = zermelo.Tree([[3e9, 12e9], [-2e9, 4e9], [14e9, 5e9]])
    found = mcts(tree, limit=Limit(simulations=3000), seed=1, device="python")
    assert found.action == zermelo.minimax(tree).action == 2
    assert found.value == pytest.approx(5e9, rel=0.1)


def test_a_prior_leads_and_a_rollout_policy_weighs():
    def centre(s, action):
        return 50.0 if action == 4 else 1.0

    found = mcts(TIC, limit=Limit(simulations=60), seed=1, prior=centre, c=3.0, device="python")
    assert found.moves[4].visits > 30
    weighed = mcts(TIC, limit=Limit(simulations=200), seed=1, rollout=centre, device="python")
    plain = mcts(TIC, limit=Limit(simulations=200), seed=1, device="python")
    assert statistics(weighed) != statistics(plain)


def test_estimates_can_replace_playouts():
    def pieces(s):
        return 0.25

    found = mcts(TIC, limit=Limit(simulations=50), seed=1, rollout_depth=0, evaluate=pieces, device="python")
    assert found.moves[found.action].value == pytest.approx(0.25, abs=1e-6)


@pytest.mark.parametrize("options", [{"rave": True}, {"urgency": 0.4}, {"widening": (1.0, 0.5)}, {"rave": 50.0}])
def test_options_keep_the_statistics_whole(options):
    found = mcts(TIC, limit=Limit(simulations=400), seed=1, device="python", **options)
    assert sum(move.visits for move in found.moves.values()) == 400
    assert found.action in range(9)


def test_rave_learns_from_later_moves():
    """Where one square wins whenever it is played, moves played later tell so at once."""
    s = after(TIC, 0, 3, 1, 4)
    few = Limit(simulations=12)
    quick = sum(mcts(TIC, s, limit=few, seed=i, rave=True, c=0.2, device="python").action == 2 for i in range(20))
    assert quick >= 15


def test_a_tree_is_kept_from_move_to_move():
    player = Mcts(TIC, seed=1, device="python")
    first = player.search(limit=Limit(simulations=600))
    s = TIC.result(TIC.initial(), first.action)
    reply = max((a for a in TIC.actions(s)), key=lambda a: a)
    s = TIC.result(s, reply)
    before = player.forest[0].nodes[at.ROOT + at.VISITS]
    again = player.search(s, limit=Limit(simulations=100))
    kept = sum(move.visits for move in again.moves.values()) - 100
    assert again.nodes == 100
    assert 0 < kept < before
    fresh = Mcts(TIC, seed=1, reuse=False, device="python")
    fresh.search(limit=Limit(simulations=600))
    assert sum(m.visits for m in fresh.search(s, limit=Limit(simulations=100)).moves.values()) == 100


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tic_tac_toe", {}),
        ("tic_tac_toe", {"rave": True}),
        ("pig", {"solver": True}),
        ("three_player_tic_tac_toe", {}),
        ("three_player_tic_tac_toe", {"solver": True}),
    ],
    ids=str,
)
def test_a_tree_is_recorded(name, options):
    """Visits add up from the leaves to the root, and the first moves are those of the answer."""
    of = zermelo.game(name)
    found = mcts(of, limit=Limit(simulations=300), seed=1, device="python", record=True, **options)
    root = found.tree.root
    assert (root.visits, root.best, root.state) == (300, found.action, found.state)
    assert {node.action: (node.visits, node.values) for node in root.children} == {
        action: (move.visits, move.values) for action, move in found.moves.items()
    }
    for node in root.walk():
        if node.parent is not None:
            assert of.result(node.parent.state, node.action) == node.state
        if node.children:
            # The visit that made the node went no farther; the root was open from the beginning.
            assert sum(child.visits for child in node.children) == node.visits - (node is not root)
        if of.is_terminal(node.state):
            assert (node.kind, node.bound) == ("end", "exact")
            assert node.values == tuple(of.utility(node.state, player) for player in range(of.players))
        elif of.to_move(node.state) == zermelo.CHANCE:
            odds = [of.probability(node.state, child.action) for child in node.children]
            assert [child.probability for child in node.children] == odds


def test_a_recorded_tree_is_drawn():
    found = mcts(TIC, after(TIC, 0, 3, 1, 4), limit=Limit(simulations=60), seed=1, record=True)
    first, *_ = found.tree.text().splitlines()
    assert re.fullmatch(r"▲ [\d.]+/60 ≈ .*", first)
    assert "depth limit" not in found.tree.text() + found.tree.svg()
    assert "/60</text>" in found.tree.svg()
    assert mcts(TIC, limit=Limit(simulations=60)).tree is None


def test_wins_belong_to_whoever_moved_there():
    """As in the textbook's figure: what the root's mover wins below, the other one loses above."""
    root = mcts(TIC, limit=Limit(simulations=100), seed=1, record=True).tree.root
    won = [node.wins for node in root.children]
    assert root.visits == 100 == sum(node.visits for node in root.children)
    assert root.wins == pytest.approx(100 - sum(won))
    assert all(0 <= node.wins <= node.visits for node in root.walk())
    for node in root.children:
        assert node.value == pytest.approx(2 * node.wins / node.visits - 1)  # Max moved here: -1 lost, 0 drawn, 1 won
        for below in node.children:
            assert below.value == pytest.approx(1 - 2 * below.wins / below.visits)


def test_wins_of_other_ranges_and_of_chance():
    tree = mcts(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), limit=Limit(simulations=50), record=True).tree
    assert {node.wins / node.visits for node in tree.root.walk() if node.value == 14} == {0.0}
    dice = mcts(game("pig:target=10"), limit=Limit(simulations=50), record=True).tree
    for node in dice.root.walk():
        assert 0 <= node.wins <= node.visits
    everyone = mcts(game("three_player_tic_tac_toe"), limit=Limit(simulations=50), record=True).tree
    assert all(node.wins is None or node.wins <= node.visits for node in everyone.root.walk())


def test_threads_share_a_tree_or_have_their_own():
    for crew in ({"threads": 2}, {"trees": 2}):
        found = mcts(FOUR, limit=Limit(simulations=20_000), seed=1, device="cpu", **crew)
        assert found.action == 3
        assert sum(move.visits for move in found.moves.values()) == found.nodes >= 20_000


def visits_below(words, node, width):
    """The visits of a node's children, which all were simulations that came through it."""
    first = words[node + at.FIRST]
    return [words[first + i * width + at.VISITS] for i in range(words[first - 1])]


def test_threads_lose_no_simulation_where_they_stay():
    """Only the first visit of a node below the root ends there; and no loss on the way is left over."""
    player = Mcts(FOUR, threads=2, seed=1, device="cpu")
    for simulations in (30_000, 30_017):
        player.search(limit=Limit(simulations=simulations))
    tree, width = player.forest[0].nodes, player.sampling.width
    assert tree[at.ROOT + at.VISITS] == sum(visits_below(tree, at.ROOT, width)) == 60_017
    assert player.forest[0].block.counts.started == 60_017
    queue = [at.ROOT]
    while queue:
        node = queue.pop()
        visits = tree[node + at.VISITS]
        assert abs(tree[node + at.SUM]) <= visits * at.ONE
        if tree[node + at.FIRST] > 0:
            first = tree[node + at.FIRST]
            # Those that came while another thread was making the children ended here too.
            assert visits - sum(visits_below(tree, node, width)) in range(4)
            queue += [first + i * width for i in range(tree[first - 1]) if tree[first + i * width + at.VISITS] > 500]


def test_a_full_tree_says_so():
    found = mcts(FOUR, limit=Limit(simulations=60_000), seed=1, memory=1, device="cpu")
    assert found.nodes == 60_000
    assert "full" in found.note
    assert found.action in range(7)


def test_time_ends_it():
    mcts(FOUR, limit=Limit(simulations=1), device="cpu")
    began = spent()
    found = mcts(FOUR, limit=Limit(time=0.1), seed=1, device="cpu")
    assert found.nodes > 0
    assert spent() - began < 0.5


def test_an_end_needs_no_search():
    over = after(TIC, 0, 3, 1, 4, 2)
    found = mcts(TIC, over)
    assert (found.action, found.value, found.bound) == (None, 1.0, "exact")


class Endless(zermelo.Game):
    """Walk up and down for ever."""

    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        place: int

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(s.place + 1 - 2 * action)

    def is_terminal(self, s):
        return False

    def utility(self, s, player):
        return 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": Limit(depth=3)}, "limited by time or simulations, not by depth"),
        ({"limit": Limit(simulations=0)}, "at least 1"),
        ({"limit": 7}, "must be a Limit"),
        ({"c": -1.0}, "c must be a number >= 0"),
        ({"c": math.nan}, "c must be"),
        ({"widening": 3}, "two numbers"),
        ({"threads": 0}, "threads must be"),
        ({"threads": 1_000_000}, "threads must be an integer from 1 to 256"),
        ({"trees": 1_000_000}, "trees must be an integer from 1 to 256"),
        ({"seed": 1.5}, "seed must be an integer"),
        ({"colour": 1}, "knows no option 'colour'"),
        ({"prior": True}, "defines no prior"),
        ({"prior": 3}, "must be a function"),
        ({"rollout_depth": 2}, "defines no evaluate"),
        ({"evaluate": lambda s: 0.0}, "rollout_depth"),
        ({"device": "gpu"}, "device must be one of"),
        ({"device": "cuda", "threads": 2}, "say playouts="),
        ({"playouts": 0}, "playouts must be"),
        ({"record": True, "trees": 2}, "one tree in this computer's memory can be recorded"),
        ({"record": True, "device": "cuda"}, "one tree in this computer's memory can be recorded"),
        ({"playouts": 2, "rave": True}, "leave out rave or playouts"),
        ({"solver": 1}, "True or False"),
    ],
)
def test_bad_arguments_are_named(options, message):
    with pytest.raises(zermelo.BadParameter, match=message):
        mcts(TIC, **options)


@pytest.mark.parametrize("time", [math.inf, 1e30])
def test_no_time_is_too_long(time):
    assert mcts(TIC, limit=Limit(time=time, simulations=50), device="cpu").nodes == 50


def _no_number(s):
    return math.nan


def _endless(s):
    return math.inf


@pytest.mark.parametrize("device", ["python", "cpu"])
@pytest.mark.parametrize("evaluate", [_no_number, _endless])
def test_estimates_must_be_numbers(evaluate, device):
    with pytest.raises(zermelo.BrokenContract, match="return finite numbers"):
        mcts(TIC, limit=Limit(simulations=50), rollout_depth=0, evaluate=evaluate, device=device)


def test_games_that_do_not_fit_are_refused():
    with pytest.raises(zermelo.UnsuitableGame, match="hides information"):
        mcts(zermelo.game("kuhn_poker"))
    with pytest.raises(zermelo.EndlessGame, match="raise longest="):
        mcts(Endless(), limit=Limit(simulations=3), longest=50, device="python")
    with pytest.raises(zermelo.BadParameter, match="leave rave out"):
        mcts(zermelo.game("pig"), rave=True)


def test_logarithms_are_close_and_grow():
    for n in (1, 2, 3, 100, 4095, 4096, 5000, 123_456, 10**9):
        assert logarithm(n) == pytest.approx(math.log(n), abs=5e-4)
        assert logarithm_root(n) == pytest.approx(math.sqrt(math.log(n)), abs=5e-4)
        assert inverse(n) == 1 / n
        assert inverse_root(n) == pytest.approx(1 / math.sqrt(n), rel=1e-15)
    for x in (0.0, 0.3, 1.0, 2.5, 20.0, 43.0):
        assert exponential(x) == pytest.approx(math.exp(x), rel=1e-12)
