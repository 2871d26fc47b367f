"""OpenSpiel as an oracle from outside: the same rules, values and equilibria."""

import random

import pytest

import zermelo
from zermelo import game
from zermelo.equilibrium.nash.both_sides import best_policies

pyspiel = pytest.importorskip("pyspiel")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")

PAIRS = [
    ("tic_tac_toe", {}, "tic_tac_toe"),
    ("connect_four", {}, "connect_four"),
    ("kuhn_poker", {}, "kuhn_poker"),
    ("kuhn_poker", {"players": 3}, "kuhn_poker(players=3)"),
]


def both(name, parameters, theirs):
    return game(name, **parameters), pyspiel.load_game(theirs)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[2])
def test_the_same_rules_in_random_play(pair):
    ours, theirs = both(*pair)
    source = random.Random(8)
    for _ in range(30):
        s, state = ours.initial(), theirs.new_initial_state()
        while not state.is_terminal():
            assert not ours.is_terminal(s)
            legal = list(ours.actions(s))
            assert legal == state.legal_actions()
            assert ours.to_move(s) == state.current_player()
            if state.is_chance_node():
                odds = [ours.probability(s, action) for action in legal]
                assert odds == pytest.approx([p for _, p in state.chance_outcomes()])
            action = source.choice(legal)
            s = ours.play(s, action)
            state.apply_action(action)
        assert ours.is_terminal(s)
        assert [ours.utility(s, player) for player in range(ours.players)] == state.returns()


def test_tic_tac_toe_positions():
    ours, theirs = both("tic_tac_toe", {}, "tic_tac_toe")
    source = random.Random(4)
    for moves in (2, 3, 4, 4, 5, 5, 6, 7):
        s, state = ours.initial(), theirs.new_initial_state()
        for _ in range(moves):
            if not state.is_terminal():
                action = source.choice(state.legal_actions())
                s = ours.play(s, action)
                state.apply_action(action)
        value, _ = minimax.alpha_beta_search(theirs, state, maximizing_player_id=0)
        for search in (zermelo.alphabeta, zermelo.minimax):
            assert search(ours, s, device="python").value == value


def paths(state, depth):
    """How many ways there are to play just so many actions."""
    if depth == 0:
        return 1
    return 0 if state.is_terminal() else sum(paths(state.child(action), depth - 1) for action in state.legal_actions())


def test_connect_four_counts():
    ours, theirs = both("connect_four", {}, "connect_four")
    assert zermelo.perft(ours, 5) == paths(theirs.new_initial_state(), 5)
    source = random.Random(2)
    for moves in (8, 14, 20, 26):
        s, state = ours.initial(), theirs.new_initial_state()
        for _ in range(moves):
            if not state.is_terminal():
                action = source.choice(state.legal_actions())
                s = ours.play(s, action)
                state.apply_action(action)
        assert zermelo.perft(ours, 4, s) == paths(state, 4)


@pytest.mark.parametrize("heaps", [(2, 2), (1, 2, 3), (3, 1), (4,), (2, 3, 1)])
@pytest.mark.parametrize("misere", [False, True])
def test_nim(heaps, misere):
    theirs = pyspiel.load_game("nim", {"pile_sizes": ";".join(map(str, heaps)), "is_misere": misere})
    value, _ = minimax.alpha_beta_search(theirs, maximizing_player_id=0)
    ours = game("nim", heaps=heaps, misere=misere)
    assert zermelo.alphabeta(ours, device="python").value == value
    assert zermelo.perft(ours, 3) == paths(theirs.new_initial_state(), 3)


def test_kuhn_poker_equilibrium():
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    scores = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    policies = pytest.importorskip("open_spiel.python.policy")
    ours, theirs = both("kuhn_poker", {}, "kuhn_poker")
    best = best_policies(ours)

    class Ours(policies.Policy):
        """Our equilibrium, asked through their states: cards and actions have the same numbers in both."""

        def __init__(self):
            super().__init__(theirs, [0, 1])

        def action_probabilities(self, state, player_id=None):
            s = ours.play(ours.initial(), *state.history())
            return best[ours.to_move(s)](s)

    value = zermelo.sequence_form(ours).value
    score = scores.policy_value(theirs.new_initial_state(), [Ours(), Ours()])
    assert score[0] == pytest.approx(value) == pytest.approx(-1 / 18)
    assert exploitability.nash_conv(theirs, Ours()) == pytest.approx(0.0, abs=1e-9)
