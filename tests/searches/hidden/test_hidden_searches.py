"""pimc and ismcts: strategy fusion and who falls for it, nothing peeked at, machines that agree."""

import itertools
import math
import subprocess
import sys
from typing import NamedTuple

import pytest
from forgetful import Forgetful

import zermelo
from zermelo import (
    CHANCE,
    BadParameter,
    BrokenContract,
    EndlessGame,
    Game,
    Limit,
    Policy,
    Seen,
    UnsuitableGame,
    belief,
    expected_values,
    game,
    ismcts,
    pimc,
    sequence_form,
)
from zermelo.compile.random import below
from zermelo.equilibrium.nash.both_sides import best_policies

POKER = game("kuhn_poker")
CARDS = game("higher_takes", hidden=True)
TRAILS = game("trails")
HANDS = game("rock_paper_scissors")
PASS, BET = 0, 1


def dealt(of, *actions):
    return of.play(of.initial(), *actions)


def statistics(found):
    return {action: (move.visits, move.values) for action, move in found.moves.items()}


def named(found):
    return {found.name_of(action): move.value for action, move in found.moves.items()}


def plain(of, *actions, simulations=400, seed=1, **options):
    state = of.play(of.initial(), *actions) if actions else None
    return ismcts(of, state, limit=Limit(simulations=simulations), seed=seed, device="python", **options)


# --- strategy fusion -------------------------------------------------------------------------------------------------


def test_trails_pimc_takes_b_and_is_wrong():
    found = pimc(TRAILS)
    assert named(found) == {"A": 1.0, "B": 3.0}
    assert found.action_name == "B"
    assert (found.method, found.bound) == ("pimc", "estimate")
    exact = sequence_form(TRAILS)
    assert {found.name_of(a): move.value for a, move in exact.moves.items()} == pytest.approx({"A": 1.0, "B": -3.5})


def test_the_line_begins_where_the_player_moves():
    """Chance hides the bus first: names are those of the player's moves, not of chance's."""
    assert pimc(TRAILS, TRAILS.initial()).line_names == ("B",)
    found = ismcts(TRAILS, TRAILS.initial(), limit=Limit(simulations=400), seed=1, device="python")
    assert found.line_names[:1] == ("A",)


def test_trails_ismcts_takes_a():
    found = plain(TRAILS, simulations=2000)
    assert found.action_name == "A"
    assert found.value == pytest.approx(1.0)
    assert found.moves[1].value < 0
    at_the_fork = plain(TRAILS, 0, 1, simulations=2000)
    assert [move.value for move in at_the_fork.moves.values()] == pytest.approx([-3.5, -3.5], abs=1.0)


def test_higher_takes_pimc_sees_no_difference():
    assert named(pimc(CARDS)) == {"♥6": 0.0, "♦6": 0.0, "♣9": 0.0, "♣8": 0.0}
    assert named(pimc(CARDS, method=zermelo.expectiminimax)) == named(pimc(CARDS, method="exact"))


def test_higher_takes_ismcts_leads_a_red_six():
    found = ismcts(CARDS, limit=Limit(simulations=100_000), seed=1, device="cpu")
    values = named(found)
    assert found.action_name in ("♥6", "♦6")
    assert values["♥6"] == pytest.approx(0, abs=0.1)
    assert values["♦6"] == pytest.approx(0, abs=0.1)
    # Clubs are worth -1; what was tried while everybody still learned is counted in.
    assert values["♣9"] < -0.4
    assert values["♣8"] < -0.4


def test_importing_and_sampling_in_plain_python_needs_no_compiler():
    asks = "game('trails'), limit=zermelo.Limit(simulations=50))"
    code = f"import sys, zermelo; from zermelo import game; zermelo.pimc({asks}; zermelo.ismcts({asks}; "
    code += "sys.exit(bool({'numba', 'scipy', 'torch'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_pimc_never_bluffs():
    # Player 1 has the jack, player 0 passed. In every open game a bet is called.
    found = pimc(POKER, dealt(POKER, 1, 0, PASS))
    assert {found.name_of(a): move.values[1] for a, move in found.moves.items()} == {"pass": -1.0, "bet": -2.0}
    bluffs = best_policies(POKER)[1](dealt(POKER, 1, 0, PASS))[BET]
    assert bluffs == pytest.approx(1 / 3)


def test_ismcts_bluffs_where_the_others_may_doubt():
    s = dealt(POKER, 1, 0, PASS)
    found = ismcts(POKER, s, limit=Limit(simulations=200_000), seed=1, device="cpu")
    assert found.moves[BET].values[1] == pytest.approx(-1.0, abs=0.1)
    assert found.moves[BET].visits > 0.1 * found.moves[PASS].visits
    sure = ismcts(POKER, s, limit=Limit(simulations=200_000), seed=1, device="cpu", doubt=0)
    assert sure.moves[BET].values[1] < -1.7
    # With a king it bets, since a jack or queen may take it for a bluff; if they knew, they would not call.
    king = dealt(POKER, 1, 2, PASS)
    found = ismcts(POKER, king, limit=Limit(simulations=200_000), seed=1, device="cpu")
    assert found.action == BET
    assert found.moves[BET].values[1] > found.moves[PASS].values[1] + 0.1


def loss(policies):
    """What two players together lose to those who know how they play, each answering the other in the best way."""
    views = [{POKER.view(s, p) for s in states() if POKER.to_move(s) == p} for p in (0, 1)]
    total = 0.0
    for player in (0, 1):
        best = -math.inf
        for choice in itertools.product((PASS, BET), repeat=len(views[player])):
            answer = Policy(POKER, dict(zip(views[player], choice, strict=True)))
            pair = [answer, policies[1]] if player == 0 else [policies[0], answer]
            best = max(best, expected_values(POKER, pair)[player])
        total += best
    return total


def states():
    stack = [POKER.initial()]
    while stack:
        s = stack.pop()
        if not POKER.is_terminal(s):
            if POKER.to_move(s) != CHANCE:
                yield s
            stack += [after for _, after in POKER.successors(s)]


def test_kuhn_poker_as_a_whole():
    by_pimc = [Policy(POKER, {POKER.view(s, POKER.to_move(s)): pimc(POKER, s).action for s in states()})] * 2
    by_ismcts = ismcts.policies(POKER, limit=Limit(simulations=200_000), seed=1, device="cpu")
    assert loss(best_policies(POKER)) == pytest.approx(0, abs=1e-6)
    assert loss(by_pimc) == pytest.approx(1 / 3)
    assert loss(by_ismcts) < 0.06
    assert expected_values(POKER, by_ismcts)[0] == pytest.approx(-1 / 18, abs=0.03)
    assert by_ismcts[1](dealt(POKER, 1, 0, PASS))[BET] == pytest.approx(1 / 3, abs=0.1)


# --- nothing is peeked at --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [pimc, plain])
def test_shuffling_what_is_hidden_changes_nothing(search):
    def asked(s):
        options = {"limit": Limit(simulations=200), "seed": 5, "device": "python"}
        return statistics((pimc if search is pimc else ismcts)(POKER, s, **options))

    assert asked(dealt(POKER, 1, 0)) == asked(dealt(POKER, 1, 2))
    assert asked(dealt(POKER, 0, 2, PASS)) == asked(dealt(POKER, 1, 2, PASS))
    assert asked(dealt(POKER, 1, 0, PASS, BET)) == asked(Seen.along(POKER, [1, 2, PASS, BET], player=0))


def test_hidden_moves_stay_hidden():
    answers = [statistics(plain(HANDS, hand)) for hand in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert {action: move.value for action, move in pimc(HANDS, dealt(HANDS, 0)).moves.items()} == {0: 0, 1: 0, 2: 0}


def test_with_and_without_the_history():
    s = dealt(CARDS, 4, 0, 4)
    before = [CARDS.initial(), dealt(CARDS, 4), dealt(CARDS, 4, 0)]
    options = {"limit": Limit(simulations=100), "seed": 2, "device": "python"}
    assert statistics(ismcts(CARDS, s, **options)) == statistics(ismcts(CARDS, s, history=before, **options))


def test_what_was_seen_is_remembered_in_the_tree():
    of = Forgetful()
    looking = plain(of, 1, simulations=500)
    assert looking.value > 0.9
    s = dealt(of, 1, 0)
    assert plain(of, 1, 0, simulations=500).value < 0.7
    reminded = ismcts(of, s, history=[of.initial(), dealt(of, 1)], limit=Limit(simulations=500), device="python")
    assert (reminded.action, reminded.value > 0.9) == (1, True)


# --- statistics ------------------------------------------------------------------------------------------------------


def test_seeds_and_sums():
    one, same, other = (plain(CARDS, simulations=300, seed=seed) for seed in (4, 4, 5))
    assert statistics(one) == statistics(same) != statistics(other)
    assert one.nodes == sum(move.visits for move in one.moves.values()) == 300
    assert one.action == max(one.moves, key=lambda a: one.moves[a].visits)
    for move in one.moves.values():
        low, high = move.interval
        assert -4 <= low <= move.value <= high <= 4
        assert sum(move.values) == pytest.approx(0)
    assert one.note == "2 states fit what player 0 saw"


@pytest.mark.parametrize(
    ("of", "actions"), [(CARDS, ()), (POKER, (0, 2, PASS)), (game("kuhn_poker", players=3), (0, 2, 3))]
)
def test_the_machines_agree(of, actions):
    s = dealt(of, *actions) if actions else None
    one, other = (ismcts(of, s, limit=Limit(simulations=300), seed=7, device=d) for d in ("python", "cpu"))
    assert statistics(one) == statistics(other)
    assert (one.depth, one.action, one.value) == (other.depth, other.action, other.value)
    assert other.device == "cpu"


def test_a_stream_is_the_search_in_steps():
    s = dealt(POKER, 0, 2, PASS)
    options = {"limit": Limit(simulations=120), "seed": 3, "device": "python"}
    steps = list(ismcts.stream(POKER, s, **options))
    assert [step.nodes for step in steps] == [1, 2, 5, 10, 20, 50, 100, 120]
    assert statistics(steps[-1]) == statistics(ismcts(POKER, s, **options))


def test_time_is_a_limit_too():
    found = ismcts(POKER, dealt(POKER, 0, 2), limit=Limit(time=0.05), device="python")
    assert found.nodes > 0
    assert found.time < 5
    assert ismcts(POKER, dealt(POKER, 0, 2), limit=Limit(time=math.inf, simulations=9), device="python").nodes == 9
    assert pimc(POKER, dealt(POKER, 0, 2), limit=Limit(time=0.0)).action == PASS
    assert pimc(POKER, dealt(POKER, 0, 2), limit=Limit(time=0.05), method="mcts", device="python").time < 5
    sampled = pimc(POKER, dealt(POKER, 0, 2), limit=Limit(simulations=500), method="mcts", device="python")
    assert sampled.action == PASS


def test_three_players_each_for_themselves():
    three = game("kuhn_poker", players=3)
    s = dealt(three, 3, 0, 1, BET, PASS)  # player 2 may call the bet of the highest card, which it cannot see
    for found in (plain(three, 3, 0, 1, BET, PASS), pimc(three, s)):
        assert len(found.values) == 3
        assert sum(found.values) == pytest.approx(0)
        assert set(found.moves) == {PASS, BET}
    best = plain(three, 0, 1, 3, BET, PASS, simulations=1000)
    assert (best.action, best.values[2]) == (BET, pytest.approx(3.0, abs=0.2))


def test_general_sums():
    dilemma = game("prisoners_dilemma")
    assert plain(dilemma, simulations=1000).action == sorted(dilemma.actions(dilemma.initial()))[-1]
    found = plain(dilemma, 0, simulations=1000)
    assert sum(found.values) != 0


def test_open_games_are_searched_as_they_are():
    tic = game("tic_tac_toe")
    assert plain(tic, 0, 3, 1, 4).action == 2
    assert pimc(tic, dealt(tic, 0, 3, 1, 4)).action == 2


def test_dice_that_fall_later():
    coin = zermelo.Tree({"stay": 0.5, "bet": zermelo.chance({"heads": (0.5, 3), "tails": (0.5, -1)})})
    assert named(pimc(coin)) == {"stay": 0.5, "bet": 1.0}
    found = plain(coin, simulations=1000)
    assert found.action_name == "bet"
    assert found.value == pytest.approx(1.0, abs=0.2)
    dark = zermelo.move(1, {"up": 1, "down": -1}, information_set="dark")
    other = zermelo.move(1, {"up": -3, "down": 1}, information_set="dark")
    hidden = zermelo.Tree({"left": zermelo.chance([(0.5, dark), (0.5, other)]), "right": -0.9})
    # In the dark Min gets 1 by "up"; a Min who sees how the coin fell would get 2.
    assert named(pimc(hidden)) == {"left": -2.0, "right": -0.9}
    found = plain(hidden, simulations=3000)
    assert found.action_name == "right"
    assert found.moves[0].value == pytest.approx(-1.0, abs=0.4)


def test_the_policy_of_an_answer():
    found = plain(POKER, 2, 1, simulations=1000)
    after_a_bet = dealt(POKER, 2, 1, PASS, BET)
    assert found.policy(after_a_bet)[BET] > 0.9
    with pytest.raises(BadParameter, match="says nothing"):
        found.policy(dealt(POKER, 0, 1, PASS, BET)._replace(cards=(7, 1)))


def test_beliefs_come_from_policies():
    # In an equilibrium a bet is a king three times in four: with a queen, calling and folding are worth the same.
    policies = best_policies(POKER)
    s = dealt(POKER, 0, 1, PASS, BET)._replace(cards=(1, 0))
    kings = {world.cards[1]: odds for world, odds in belief(POKER, s, policy=policies).states.items()}
    assert kings == pytest.approx({2: 0.75, 0: 0.25})
    found = pimc(POKER, s, policy=policies)
    assert [move.value for move in found.moves.values()] == pytest.approx([-1.0, -1.0])


# --- large games -----------------------------------------------------------------------------------------------------


class Race(Game):
    """Each of two players has a secret number from 1 to 6, drawn one after the other. In turn they add one or two to
    a heap; who takes it to `goal` loses the own secret number, and the other wins it."""

    max_actions = 6
    bounds = (-6.0, 6.0)
    goal: int = 60

    class State(NamedTuple):
        secrets: tuple[int, int]
        heap: int
        player: int

    class View(NamedTuple):
        secret: int
        heap: int
        player: int

    def initial(self):
        return self.State((0, 0), 0, CHANCE)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        if s.player == CHANCE:
            yield from range(1, 7)
        else:
            yield 1
            yield 2

    def probability(self, s, action):
        return 1 / 6

    def result(self, s, action):
        if s.player == CHANCE:
            both = (action, 0) if s.secrets[0] == 0 else (s.secrets[0], action)
            return self.State(both, 0, CHANCE if s.secrets[0] == 0 else 0)
        return self.State(s.secrets, s.heap + action, 1 - s.player)

    def is_terminal(self, s):
        return s.heap >= self.goal

    def utility(self, s, player):
        price = float(s.secrets[1 - s.player])
        return price if player == s.player else -price

    def view(self, s, player):
        return self.View(s.secrets[player], s.heap, s.player)


def test_worlds_are_drawn_and_sampled_by_mcts():
    of = Race()
    s = dealt(of, 3, 5)
    found = pimc(of, s, worlds=4, method="mcts", limit=Limit(simulations=400), device="python", seed=1)
    assert "worlds (drawn)" in found.note
    assert found.nodes == sum(move.visits for move in found.moves.values()) == 400
    for move in found.moves.values():
        assert move.interval[0] <= move.value <= move.interval[1]
    again = pimc(of, s, worlds=4, method="mcts", limit=Limit(simulations=400), device="python", seed=1)
    assert statistics(found) == statistics(again)
    assert "6 worlds (all that fit)" in pimc(of, s).note


def test_worlds_too_large_to_be_solved_are_sampled(monkeypatch):
    from zermelo.searches.hidden import pimc as room

    monkeypatch.setattr(room, "SMALL", 20)
    found = pimc(Race(), dealt(Race(), 3, 5), limit=Limit(simulations=300), device="python")
    assert "(mcts)" in found.note
    with pytest.raises(UnsuitableGame, match="too large"):
        pimc(Race(goal=600), dealt(Race(goal=600), 3, 5), method="exact")


def test_states_may_be_a_sample():
    of = Race(goal=30)
    s = dealt(of, 3, 5)
    found = ismcts(of, s, limit=Limit(simulations=100), particles=50, device="python")
    assert found.note == "6 states fit what player 0 saw"

    class Secretive(Race):
        """It draws the other's secret itself."""

        def sample(self, view, player, bits):
            mine, other = view.secret, 1 + below(bits, 6)
            return self.State((mine, other) if player == 0 else (other, mine), view.heap, view.player)

    found = ismcts(Secretive(goal=30), s, limit=Limit(simulations=100), particles=50, device="python")
    assert found.note == "6 states fit what player 0 saw (a sample)"


def test_trees_that_are_full_grow_no_more(monkeypatch):
    from zermelo.searches.hidden import observer_trees

    monkeypatch.setattr(observer_trees, "WORDS_FOR_A_SLOT", 1 << 14)
    of = Race(goal=30)
    found = ismcts(of, dealt(of, 3, 5), limit=Limit(simulations=300), memory=1, device="python")
    assert "grow no more" in found.note
    assert found.nodes == 300


# --- bad input -------------------------------------------------------------------------------------------------------


class Endless(Forgetful):
    """Nobody ever calls it."""

    def result(self, s, action):
        return self.State(action, 1, 0) if s.stage == 0 else s

    def is_terminal(self, s):
        return False


class Telling(Forgetful):
    """Only heads may be called: the actions give the coin away."""

    def actions(self, s):
        if s.stage < 2:
            yield from super().actions(s)
        else:
            yield s.coin


class Blind(Telling):
    def view(self, s, player):
        return 10 * s.stage


class Crowded(Forgetful):
    def actions(self, s):
        yield from range(2 if s.stage == 0 else 3)


def test_broken_games_are_named():
    limit = Limit(simulations=50)
    with pytest.raises(EndlessGame, match="had not ended after 100 moves"):
        ismcts(Endless(), dealt(Endless(), 0), limit=limit, longest=100, device="python")
    with pytest.raises(UnsuitableGame, match="equal views offer different actions"):
        ismcts(Blind(), dealt(Blind(), 0, 0), limit=limit, device="python")
    with pytest.raises(BrokenContract, match="max_actions = 2"):
        ismcts(Crowded(), dealt(Crowded(), 0), limit=limit, device="python")


def test_bad_arguments():
    s = dealt(POKER, 0, 2)
    for search in (pimc, ismcts):
        for limit in (3, Limit(simulations=0), Limit(nodes=5), Limit(depth=2)):
            with pytest.raises(BadParameter):
                search(POKER, s, limit=limit)
        with pytest.raises(BadParameter):
            search("kuhn_poker")
        with pytest.raises(BadParameter, match="does not move"):
            search(POKER, s, player=1)
    for options in ({"worlds": 0}, {"method": "magic"}, {"device": "gpu", "method": "mcts"}):
        with pytest.raises(BadParameter):
            pimc(POKER, s, **options)
    wrong = {"c": -1, "doubt": 1, "longest": 0, "memory": 0, "seed": 1.5, "device": "cuda", "threads": 2}
    for name, value in wrong.items():
        with pytest.raises(BadParameter):
            ismcts(POKER, s, **{name: value})
    assert "ismcts" in repr(ismcts)
