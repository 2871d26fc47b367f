"""Block 1, what a game is: the formal definition, the map of games, trees typed by hand."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from small_games import Subtraction

import zermelo
from zermelo import CHANCE, BadParameter, IllegalAction, Policy, Tree, chance, expected_values, move


def ways_to(game):
    """For every state of a game without loops, how many lines of play lead to it."""
    ways, level = Counter(), Counter({game.initial(): 1})
    while level:
        ways += level
        below = Counter()
        for s, count in level.items():
            for _, child in [] if game.is_terminal(s) else game.successors(s):
                below[child] += count
        level = below
    return ways


# --- 1.1 -------------------------------------------------------------------------------------------------------------


def test_1_1_tic_tac_toe_has_5478_states():
    found = zermelo.reachable(zermelo.game("tic_tac_toe"))
    assert found.count == len(found) == len(set(found)) == 5478
    assert found.terminal == 958
    assert found.levels == (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)


def test_1_1_tic_tac_toe_has_549946_nodes_and_255168_games():
    game = zermelo.game("tic_tac_toe")
    ways = ways_to(game)
    assert len(ways) == 5478
    assert sum(ways.values()) == 549_946
    assert sum(count for s, count in ways.items() if game.is_terminal(s)) == 255_168
    assert 1 + sum(zermelo.perft(game, depth) for depth in range(1, 10)) == 549_946


def test_1_1_plain_minimax_visits_them_all():
    found = zermelo.minimax(zermelo.game("tic_tac_toe"), device="cpu")
    assert (found.value, found.nodes, found.bound) == (0.0, 549_946, "exact")


def test_1_1_six_functions_are_enough():
    game = Subtraction()
    for n in range(1, 12):
        found = zermelo.minimax(Subtraction(n=n))
        assert found.value == (-1.0 if n % 3 == 0 else 1.0)
        assert found.values == (found.value, -found.value)
        assert found.action == (n % 3 or 1)
    assert zermelo.check(game).ok
    assert zermelo.reachable(game).count == 14
    assert str(game.traits) == "2 players, deterministic, perfect information, turns, zero sum"


def test_1_1_states_of_nim_that_mirror_each_other_are_one():
    game = zermelo.game("nim")
    merged = zermelo.reachable(game, symmetry=True)
    assert (zermelo.reachable(game).count, merged.count) == (14, 9)
    # The lecture counts 12: six ways to fill two heaps without order, with either player to move. These are the states
    # to which play comes whoever begins; where player 0 does, it never comes to three of them.
    begun = [zermelo.reachable(game, game.State((2, 2), player), symmetry=True) for player in (0, 1)]
    met, other = ({(tuple(sorted(s.heaps)), s.player) for s in found} for found in begun)
    assert len(met) == merged.count
    assert len(met | other) == 12
    assert other - met == {((2, 2), 1), ((1, 2), 0), ((1, 1), 1)}
    assert zermelo.reachable(zermelo.game("tic_tac_toe"), symmetry=True).count == 765, "as is published"
    with pytest.raises(zermelo.BadParameter, match="defines no transform"):
        zermelo.reachable(zermelo.game("bucket"), symmetry=True)


def test_1_1_the_definition_itself():
    game = zermelo.game("tic_tac_toe")
    s = game.initial()
    assert game.to_move(s) == 0
    assert list(game.actions(s)) == list(range(9))
    won = game.play(s, 0, 3, 1, 4, 2)
    assert game.is_terminal(won)
    assert (game.utility(won, 0), game.utility(won, 1)) == (1.0, -1.0)
    assert s == game.initial(), "a state is a value: play builds new ones"


def test_1_1_a_policy_maps_states_to_actions():
    game = Subtraction(n=5)
    best = Policy(game, {s: s.left % 3 or 1 for s in zermelo.reachable(game) if not game.is_terminal(s)})
    careless = Policy(game, lambda s: 1)
    assert best(game.initial()) == {2: 1.0}
    assert best.action(game.initial(), random.Random(1)) == 2
    assert expected_values(game, [best, careless]) == (1.0, -1.0)
    assert expected_values(game, [best, Policy.uniform(game)]) == (1.0, -1.0)
    assert expected_values(game, [careless, best]) == (-1.0, 1.0)
    found = Policy.best(game, zermelo.alphabeta)
    assert expected_values(game, [found, found]) == (1.0, -1.0)


def test_1_1_a_policy_may_mix_and_must_be_legal():
    game = Subtraction(n=1)
    assert Policy.uniform(Subtraction(n=2))(Subtraction(n=2).initial()) == {1: 0.5, 2: 0.5}
    assert Policy(Subtraction(n=2), lambda s: {1: 0.25, 2: 0.75})(Subtraction.State(2, 0)) == {1: 0.25, 2: 0.75}
    with pytest.raises(IllegalAction, match="plays 2"):
        Policy(game, lambda s: 2)(game.initial())
    with pytest.raises(BadParameter, match="sum to"):
        Policy(game, lambda s: {1: 0.5})(game.initial())
    with pytest.raises(BadParameter, match="says nothing about"):
        Policy(game, {})(game.initial())
    with pytest.raises(BadParameter, match="2 players"):
        expected_values(game, [Policy.uniform(game)])


def test_1_1_a_policy_maps_information_sets_where_something_is_hidden():
    game = zermelo.game("kuhn_poker")
    strong = Policy(game, lambda view: 1 if view.card == 2 else 0)
    for other in (0, 1):
        s = game.play(game.initial(), 2, other)
        assert strong(s) == {1: 1.0}
    assert expected_values(game, [strong, strong]) == pytest.approx((0.0, 0.0))


def test_1_1_agents_with_the_same_utilities_cooperate():
    """Everybody maximises its own, and the value is the best that one agent who decides for both could reach."""
    for hours in (((1, 4), (2, 3), (5, 1), (3, 3)), ((9, 1), (9, 2), (1, 9)), ((2, 2), (7, 3), (1, 6), (4, 4), (3, 5))):
        chores = zermelo.game("chores", hours=hours)
        ends = [s for s in zermelo.reachable(chores) if chores.is_terminal(s)]
        best = max(chores.utility(s, 0) for s in ends)
        assert zermelo.maxn(chores).values == (best, best)
        assert zermelo.paranoid(chores).values[0] <= best, "nobody is to be feared here"
    with pytest.raises(zermelo.UnsuitableGame, match="not zero sum"):
        zermelo.minimax(zermelo.game("chores"))
    # The first to move leaves the quick chore to the one who is quicker at the rest.
    assert zermelo.maxn(zermelo.game("chores", hours=((1, 2), (3, 1)))).line_names == ("dishes", "laundry")


# --- 1.2 -------------------------------------------------------------------------------------------------------------

MAP = {
    # name: (players, chance, hidden, simultaneous, zero sum)
    "tic_tac_toe": (2, False, False, False, True),
    "connect_four": (2, False, False, False, True),
    "chess": (2, False, False, False, True),
    "checkers": (2, False, False, False, True),
    "othello": (2, False, False, False, True),
    "go": (2, False, False, False, True),
    "hex": (2, False, False, False, True),
    "chinese_checkers": (2, False, False, False, True),
    "nim": (2, False, False, False, True),
    "halving": (2, False, False, False, True),
    "bucket": (2, False, False, False, True),
    "higher_takes": (2, False, False, False, True),
    "share": (2, False, False, False, False),
    "chores": (2, False, False, False, False),
    "splitting": (2, False, False, False, True),
    "three_player_tic_tac_toe": (3, False, False, False, True),
    "chinese_checkers:players=3": (3, False, False, False, True),
    "alliance": (3, False, False, False, True),
    "coin_bucket": (2, True, False, False, True),
    "pig": (2, True, False, False, True),
    "backgammon": (2, True, False, False, True),
    "twenty48": (1, True, False, False, False),
    "trails:hidden=False": (1, True, False, False, False),
    "rock_paper_scissors": (2, False, True, True, True),
    "matching_pennies": (2, False, True, True, True),
    "prisoners_dilemma": (2, False, True, True, False),
    "repeated_prisoners_dilemma": (2, False, True, True, False),
    "battle_of_the_sexes": (2, False, True, True, False),
    "chicken": (2, False, True, True, False),
    "stag_hunt": (2, False, True, True, False),
    "morra": (2, False, True, True, True),
    "blotto": (2, False, True, True, True),
    "odd_man_out": (3, False, True, True, True),
    "el_farol": (3, False, True, True, False),
    "battleship": (2, False, True, True, True),
    "goofspiel": (2, True, True, True, True),
    "goofspiel:order=descending": (2, False, True, True, True),
    "leduc_poker": (2, True, True, False, True),
    "leduc_poker:players=3": (3, True, True, False, True),
    "liars_dice": (2, True, True, False, True),
    "one_card_poker": (2, True, True, False, True),
    "kuhn_poker": (2, True, True, False, True),
    "kuhn_poker:players=3": (3, True, True, False, True),
    "higher_takes:hidden=True": (2, True, True, False, True),
    "trails": (1, True, True, False, False),
}


@pytest.mark.parametrize("name", MAP)
def test_1_2_traits_are_inferred(name):
    traits = zermelo.game(name).traits
    assert (traits.players, traits.chance, traits.hidden, traits.simultaneous, traits.zero_sum) == MAP[name]


def test_1_2_every_game_is_on_the_map():
    assert {name.partition(":")[0] for name in MAP} == set(zermelo.games)


def test_1_2_every_cell_has_a_game():
    traits = [zermelo.game(name).traits for name in MAP]
    assert {(t.chance, t.hidden) for t in traits} == {(c, h) for c in (False, True) for h in (False, True)}
    assert {(t.simultaneous, t.zero_sum) for t in traits if t.players > 1} == {
        (s, z) for s in (False, True) for z in (False, True)
    }
    assert {t.players for t in traits} == {1, 2, 3}
    assert {(t.players > 2, t.hidden) for t in traits if t.players > 1} == {
        (n, h) for n in (False, True) for h in (False, True)
    }
    assert any(t.simultaneous and t.players > 2 for t in traits)


def test_1_2_a_trait_goes_with_its_hook():
    class OpenKuhn(zermelo.games.KuhnPoker):
        view = None

    assert OpenKuhn().traits.hidden is False
    assert OpenKuhn().traits.chance is True
    assert zermelo.opened(zermelo.game("kuhn_poker")).traits.hidden is False
    assert zermelo.game("kuhn_poker").traits.hidden is True


# --- 1.3 -------------------------------------------------------------------------------------------------------------


def test_1_3_nested_lists_and_the_path_of_best_play():
    found = zermelo.minimax(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    assert (found.value, found.action, found.line) == (3.0, 0, (0, 0))
    assert found.line_names == ("0", "0")


def test_1_3_labels():
    tree = Tree({"left": {"up": 3, "down": 12}, "right": {"up": 2, "down": 40}})
    found = zermelo.alphabeta(tree)
    assert found.line == (0, 0)
    assert found.line_names == ("left", "up")
    assert found.action_name == "left"
    assert tree.path(tree.play(tree.initial(), *found.line)) == ("left", "up")
    assert tree.text(tree.play(tree.initial(), *found.line)) == "left > up: Max 3, Min -3"


def test_1_3_chance_nodes_with_odds():
    tree = Tree(
        {
            "bet": chance({"heads": (Fraction(2, 3), [4, 9]), "tails": (Fraction(1, 3), -2)}),
            "stay": 1,
        }
    )
    found = zermelo.expectiminimax(tree)
    assert found.value == pytest.approx(2.0)
    assert found.line_names == ("bet",), "best play is told up to the first throw"
    assert tree.to_move(tree.play(tree.initial(), 0)) == CHANCE
    assert tree.probability(tree.play(tree.initial(), 0), 0) == Fraction(2, 3)


def test_1_3_payoff_tuples_and_named_players():
    tree = Tree(
        move("Ann", {"in": move("Bob", {"fight": (-1, -1), "yield": (2, 1)}), "out": (0, 2)}),
    )
    found = zermelo.maxn(tree)
    assert (found.values, found.line_names) == ((2.0, 1.0), ("in", "yield"))
    assert tree.names == ("Ann", "Bob")


def test_1_3_movers_need_not_alternate():
    tree = Tree(move(0, [move(0, [1, 7]), move(1, [move(1, [9, 8]), 10])]))
    found = zermelo.minimax(tree)
    assert (found.value, found.line) == (8.0, (1, 0, 1))
    assert zermelo.alphabeta(tree).value == 8.0


def test_1_3_information_sets_are_named():
    tree = Tree([move(1, [1, -1], information_set="dark"), move(1, [-1, 1], information_set="dark")])
    left, right = (tree.play(tree.initial(), action) for action in (0, 1))
    assert tree.information_set(left) == tree.information_set(right) == "dark"
    assert tree.view(left, 1) == tree.view(right, 1)
    assert zermelo.sequence_form(tree).value == pytest.approx(0.0)
