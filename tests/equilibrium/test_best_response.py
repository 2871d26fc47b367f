"""Best responses against hand-made values, exhaustive search and OpenSpiel."""

import itertools
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import BadParameter, Matrix, Policy, Tree, chance, expected_values, game, lemke, move, normal_form
from zermelo.equilibrium.cfr.best_response import best_response, exploitability, gains, nash_conv
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.policies import strategies
from zermelo.games.leduc_poker import LeducPoker

KUHN = game("kuhn_poker")


def test_a_best_response_gets_what_it_says():
    for player in range(2):
        others = Policy.uniform(KUHN)
        value, policy = best_response(KUHN, others, player)
        both = [others, others]
        both[player] = policy
        assert expected_values(KUHN, both)[player] == pytest.approx(value)


@given(st.lists(st.floats(0.01, 0.99), min_size=6, max_size=6), st.integers(0, 1))
@settings(max_examples=10, deadline=None)
def test_no_pure_strategy_does_better(odds, player):
    """All 64 pure strategies of a player of Kuhn poker against a random one of the other."""
    uniform = Policy.uniform(KUHN)
    own = list(best_response(KUHN, uniform, player).policy.choose)
    other = [view for _, view in best_response(KUHN, uniform, 1 - player).policy.choose]
    mixed = Policy(KUHN, {view: {0: p, 1: 1 - p} for view, p in zip(other, odds, strict=True)})
    best = -99.0
    for places in itertools.product((0, 1), repeat=len(own)):
        pure = Policy(KUHN, {view: place for (_, view), place in zip(own, places, strict=True)})
        pair = [pure, mixed] if player == 0 else [mixed, pure]
        best = max(best, expected_values(KUHN, pair)[player])
    policies = [None, mixed] if player == 0 else [mixed, None]
    assert best_response(KUHN, policies, player).value == pytest.approx(best)


def test_known_values():
    hands = game("rock_paper_scissors")
    rock = Policy(hands, lambda view: 0)
    value, policy = best_response(hands, rock, 1)
    assert value == 1.0
    assert policy(hands.play(hands.initial(), 0)) == {0: 0.0, 1: 1.0, 2: 0.0}
    assert gains(hands, [rock, Policy.uniform(hands)]) == (0.0, 1.0)
    assert nash_conv(KUHN, Policy.uniform(KUHN)) == pytest.approx(11 / 12)
    assert exploitability(KUHN, Policy.uniform(KUHN)) == pytest.approx(11 / 24)
    dilemma = game("prisoners_dilemma")
    assert nash_conv(dilemma, Policy(dilemma, lambda view: 1)) == 0.0


def test_general_sums_and_three_players():
    three = game("kuhn_poker", players=3)
    uniform = Policy.uniform(three)
    for player in range(3):
        value, policy = best_response(three, uniform, player)
        all_three = [uniform] * 3
        all_three[player] = policy
        assert expected_values(three, all_three)[player] == pytest.approx(value)
    chicken = Matrix([[(0, 0), (-1, 1)], [(1, -1), (-10, -10)]])
    swerve = Policy(chicken, lambda view: 0)
    assert best_response(chicken, swerve, 0).value == 1.0


def random_tree(source, players, depth):
    """A tree in which anybody may move at any time, chance too, and which may end before some have moved."""
    if depth == 0 or source.random() < 0.3:
        return tuple(source.randint(-5, 5) for _ in range(players))
    below = [random_tree(source, players, depth - 1) for _ in range(source.randint(2, 3))]
    if source.random() < 0.2:
        return chance([(Fraction(1, len(below)), child) for child in below])
    return move(source.randrange(players), below)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(25))
def test_the_best_of_all_plans(players, seed):
    source = random.Random(seed)
    of = Tree(random_tree(source, players, 4))
    if of.players != players or of.is_terminal(of.initial()):
        return
    table = normal_form(of, reduced=True)
    uniform = Policy.uniform(of)
    profile = strategies.mixed(table, [uniform] * players)
    for player in range(players):
        others, best = [*profile], -math.inf
        for i in range(table.shape[player]):
            others[player] = [int(k == i) for k in range(table.shape[player])]
            best = max(best, float(table[tuple(others)][player]))
        assert best_response(of, uniform, player, device="python").value == pytest.approx(best)
    assert exploitability(of, uniform) >= 0


def test_a_game_that_ends_before_the_other_moves():
    """The end belongs to the other's empty sequence, which comes before all sequences of the first."""
    where = {"B": move(1, {"B": (3, 1), "S": (0, 0)}, "where"), "S": move(1, {"B": (0, 0), "S": (1, 3)}, "where")}
    of = Tree(move(0, {"out": (2, 2), "in": move(0, where)}))
    found = lemke(of)
    assert (found.values, found.regret) == ((2, 2), 0)
    assert nash_conv(of, found.policy) == 0
    stay = Tree({"out": 2, "in": move(1, {"a": 5, "b": -1})})
    assert cfr(stay, iterations=200).value == pytest.approx(2, abs=1e-3)


def test_bad_policies():
    with pytest.raises(BadParameter, match="player 1 has none"):
        nash_conv(KUHN, [Policy.uniform(KUHN)])
    with pytest.raises(BadParameter, match="players are 0 to 1"):
        best_response(KUHN, Policy.uniform(KUHN), 2)
    with pytest.raises(BadParameter, match="says nothing about"):
        nash_conv(KUHN, Policy(KUHN, {}))


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


def told(pyspiel, ours, theirs, policy):
    """The policy as OpenSpiel keeps it; both games are walked side by side."""
    table = {}

    def walk(s, state):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            table[state.information_state_string()] = list(policy(s).items())
        for action in state.legal_actions():
            walk(ours.result(s, action), state.child(action))

    walk(ours.initial(), theirs.new_initial_state())
    return pyspiel.TabularPolicy(table)


@pytest.mark.parametrize(("ours", "name"), [(KUHN, "kuhn_poker"), (LeducPoker(), "leduc_poker")])
def test_openspiel_agrees(ours, name):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(name)
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    found = cfr(ours, iterations=20, variant="cfr+")
    wanted = pyspiel.nash_conv(theirs, solver.average_policy())
    assert sum(found.gains) == pytest.approx(wanted, rel=1e-8), "as good after as many iterations"
    assert pyspiel.nash_conv(theirs, told(pyspiel, ours, theirs, found.policy)) == pytest.approx(wanted, rel=1e-8)
    assert nash_conv(ours, Policy.uniform(ours)) == pytest.approx(
        pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    )


@pytest.mark.parametrize("play", [3, None, "uniform", [1, 2]])
def test_what_is_no_policy_is_refused(play):
    with pytest.raises(BadParameter, match="give a policy for all, or one for each player"):
        exploitability(game("kuhn_poker"), play)


def test_a_policy_of_another_game_is_refused():
    with pytest.raises(BadParameter, match="is one of leduc_poker, not of kuhn_poker"):
        exploitability(game("kuhn_poker"), Policy.uniform(game("leduc_poker")))
