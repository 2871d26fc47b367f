"""Block 2, search to the end: minimax, alpha-beta, dice, n players, lost positions, loops."""

import random
from itertools import product
from typing import NamedTuple

import pytest
from small_games import Push

import zermelo
from zermelo import CHANCE, EndlessGame, Game, Tree, chance, game, move

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
LOST_HALVING = {1, 4, 6, 10, 14}
SEARCHES = (zermelo.minimax, zermelo.alphabeta)


TOE = game("tic_tac_toe")

# --- 2.1 minimax -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", SEARCHES)
def test_2_1_the_textbook_tree(search):
    found = search(Tree(TEXTBOOK))
    assert (found.value, found.values, found.action, found.line) == (3.0, (3.0, -3.0), 0, (0, 0))
    assert found.bound == "exact"


@pytest.mark.parametrize("search", SEARCHES)
def test_2_1_ii_nim_is_lost(search):
    for device in ("python", "cpu"):
        assert search(game("nim", heaps=(2, 2), misere=True), device=device).value == -1.0


@pytest.mark.parametrize("search", SEARCHES)
def test_2_1_halving(search):
    values = {n: search(game("halving", n=n)).value for n in range(1, 16)}
    assert values[5] == 1.0
    assert {n for n, value in values.items() if value == -1.0} == LOST_HALVING
    assert set(values.values()) == {-1.0, 1.0}


@pytest.mark.parametrize("search", SEARCHES)
def test_2_1_bucket(search):
    found = search(game("bucket"))
    assert (found.value, found.action_name, found.line_names) == (1.0, "B", ("B", "1"))
    assert zermelo.minimax(game("bucket")).moves == {0: -50.0, 1: 1.0, 2: -5.0}


def test_2_1_ties_go_to_the_first_action():
    assert zermelo.minimax(Tree([[1], [1], [1]])).action == 0
    assert zermelo.minimax(Tree([[0], [1], [1]])).action == 1
    assert zermelo.alphabeta(Tree([[0], [1], [1]])).line == (1, 0)
    assert zermelo.minimax(Tree(move(1, [2, 1, 1]))).action == 1


def test_2_1_values_belong_to_player_0_whoever_moves():
    found = zermelo.minimax(game("halving", n=5), game("halving", n=5).State(4, 1))
    assert (found.value, found.values) == (1.0, (1.0, -1.0))


# --- 2.2 alpha-beta --------------------------------------------------------------------------------------------------


def uniform_tree(branching, depth, best_first):
    """A tree whose moves are sorted, best first or worst first, at every node.

    The digits of a leaf count for less the deeper they are chosen, so that no deep choice outweighs a shallow one.
    """

    def grow(left, value, sign):
        if left == 0:
            return value
        digits = range(branching - 1, -1, -1) if best_first else range(branching)
        return [grow(left - 1, value + sign * digit * branching ** (left - 1), -sign) for digit in digits]

    return Tree(grow(depth, 0, 1))


def leaves(found):
    """How many ends a recorded search looked at."""
    return sum(node.kind == "end" for node in found.tree.root.walk())


SIZES = [(2, 1), (2, 2), (2, 3), (2, 6), (2, 7), (3, 3), (3, 4), (3, 5), (4, 3), (4, 4), (5, 2), (5, 3), (7, 2)]


@pytest.mark.parametrize(("b", "d"), SIZES)
def test_2_2_perfect_order_leaves_the_least_number_of_leaves(b, d):
    tree = uniform_tree(b, d, best_first=True)
    found = zermelo.alphabeta(tree, record=True)
    assert leaves(found) == b ** -(-d // 2) + b ** (d // 2) - 1
    assert found.value == zermelo.minimax(tree).value


@pytest.mark.parametrize(("b", "d"), SIZES)
def test_2_2_worst_order_prunes_nothing(b, d):
    tree = uniform_tree(b, d, best_first=False)
    found, plain = zermelo.alphabeta(tree, record=True), zermelo.minimax(tree)
    assert leaves(found) == b**d
    assert (found.nodes, found.value) == (plain.nodes, plain.value)
    assert not any(node.pruned for node in found.tree.root.walk())


def test_2_2_sorting_the_worst_order_gives_the_best():
    tree = uniform_tree(3, 4, best_first=False)
    found = zermelo.alphabeta(tree, order=lambda s, action: action, record=True)
    assert leaves(found) == 3**2 + 3**2 - 1
    assert found.value == zermelo.minimax(tree).value


@pytest.mark.parametrize(
    "of",
    [
        Tree(TEXTBOOK),
        Tree([[[5, 6], [7, 4, 5]], [[3]], [[6], [6, 9]], [[5], [9, 8], 6]]),
        game("nim", heaps=(2, 2)),
        game("nim", heaps=(3, 2, 1), misere=False),
        game("halving", n=11),
        game("bucket"),
        game("connect_four", rows=2, cols=3, line=3),
        game("higher_takes"),
    ],
    ids=repr,
)
def test_2_2_same_value_with_no_more_nodes(of):
    plain, pruned = zermelo.minimax(of), zermelo.alphabeta(of)
    assert pruned.value == plain.value
    assert pruned.action == plain.action
    assert pruned.nodes <= plain.nodes
    bounded = zermelo.alphabeta(of, bounds=True)
    assert bounded.value == plain.value
    assert bounded.nodes <= pruned.nodes


def test_2_2_tic_tac_toe_needs_a_thirtieth():
    found = zermelo.alphabeta(game("tic_tac_toe"), device="cpu")
    assert found.value == 0.0
    assert found.nodes < 549_946 / 25


def test_2_2_the_window_is_shown():
    found = zermelo.alphabeta(Tree(TEXTBOOK), record=True)
    root = found.tree.root
    infinity = float("inf")
    assert root.window == (-infinity, infinity)
    assert [child.window for child in root.children] == [(-infinity, infinity), (3.0, infinity), (3.0, infinity)]
    assert [(child.value, child.bound) for child in root.children] == [(3.0, "exact"), (2.0, "upper"), (2.0, "upper")]
    pruned = [node for node in root.walk() if node.pruned]
    assert [node.path for node in pruned] == [(1, 1), (1, 2)]
    assert all("alpha = 3" in node.pruned for node in pruned)
    assert "[3, ∞]" in found.tree.text()
    assert "[3" in found.tree.svg()


def test_2_2_a_window_of_ones_own_is_fail_soft():
    tree = Tree(TEXTBOOK)
    low = zermelo.alphabeta(tree, window=(4, 9))
    assert (low.value, low.bound) == (3.0, "upper")
    early = zermelo.alphabeta(tree, window=(5, 9))
    assert (early.value, early.bound) == (5.0, "upper"), "cut off at the first 5: an upper bound, not the value"
    high = zermelo.alphabeta(tree, window=(-9, 1))
    assert high.bound == "lower"
    assert 1 <= high.value <= 3
    inside = zermelo.alphabeta(tree, window=(0, 4))
    assert (inside.value, inside.bound) == (3.0, "exact")


def test_2_2_cut_offs_by_far_ancestors_are_told():
    # Max has 5 at the root; three levels below, Min can get 4. Max's own reply in between is not known yet.
    tree = Tree([5, [[[4, 99], 6], 7]])
    found = zermelo.alphabeta(tree, record=True)
    assert found.value == 6.0
    (pruned,) = [node for node in found.tree.root.walk() if node.pruned]
    assert pruned.path == (1, 0, 0, 1)
    assert "Max, 3 levels above," in pruned.pruned
    assert "alpha = 5" in pruned.pruned
    near = zermelo.alphabeta(Tree([5, [4, 99]]), record=True)
    (pruned,) = [node for node in near.tree.root.walk() if node.pruned]
    assert "levels above" not in pruned.pruned
    mirrored = zermelo.alphabeta(Tree(move(1, [-5, [[[-4, -99], -6], -7]])), record=True)
    (pruned,) = [node for node in mirrored.tree.root.walk() if node.pruned]
    assert "Min, 3 levels above," in pruned.pruned


def test_2_2_fail_hard_beside_fail_soft_with_the_same_nodes():
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    soft, hard = (zermelo.alphabeta(tree, fail=fail, record=True) for fail in ("soft", "hard"))
    assert [(n.path, n.pruned) for n in soft.tree.root.walk()] == [(n.path, n.pruned) for n in hard.tree.root.walk()]
    assert [float(m) for m in soft.moves.values()] == [3, 2, 2], "what was found below the window"
    assert [float(m) for m in hard.moves.values()] == [3, 3, 3], "the edge of the window"
    assert {m.bound for m in list(hard.moves.values())[1:]} == {"upper"}


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_2_2_fail_hard_finds_the_same(device):
    for of, options in ((game("tic_tac_toe"), {}), (game("halving", n=14), {}), (game("nim", heaps=(3, 2, 1)), {})):
        soft, hard = (zermelo.alphabeta(of, fail=fail, device=device, **options) for fail in ("soft", "hard"))
        assert (soft.value, soft.line, soft.nodes) == (hard.value, hard.line, hard.nodes)
    narrow = zermelo.alphabeta(game("bucket"), window=(2, 20), fail="hard", device=device)
    assert (narrow.value, narrow.bound) == (2, "upper")
    with pytest.raises(zermelo.BadParameter, match='"soft" or "hard"'):
        zermelo.alphabeta(game("bucket"), fail="low")


# --- 2.1 what it costs -----------------------------------------------------------------------------------------------


def test_2_1_breadth_first_minimax_needs_memory_for_the_whole_tree():
    for of, depth in ((game("nim"), None), (game("halving", n=9), None), (game("bucket"), None), (TOE, 4)):
        deep, wide = zermelo.minimax(of, depth=depth), zermelo.breadth_first_minimax(of, depth=depth)
        assert (wide.value, wide.line, wide.nodes, wide.bound) == (deep.value, deep.line, deep.nodes, deep.bound)
        assert f"{wide.nodes:,} nodes were kept at once" in wide.note
    with pytest.raises(zermelo.BadParameter, match="more than 10,000 nodes at once"):
        zermelo.breadth_first_minimax(TOE, most=10_000)


def test_2_1_trees_grow_like_powers_and_states_do_not():
    """O(b^l) time of a search against O(N l) of dynamic programming, measured."""
    nodes = [zermelo.minimax(TOE, depth=depth, device="cpu").nodes for depth in range(10)]
    states = [zermelo.reachable(TOE, depth=depth).count for depth in range(10)]
    assert (nodes[-1], states[-1]) == (549_946, 5_478)
    assert all(few <= many for few, many in zip(states, nodes, strict=True))
    assert nodes[5] / nodes[3] > 6 * 6 / 2 > states[5] / states[3]


def test_2_1_deeper_is_not_always_better():
    """In a row of cells that win by themselves, depth 8 of 10 decides worse than depth 1."""
    right = {1: 0.0, 8: 0.0}
    decided = 0
    for seed in range(200):
        row = game("splitting", depth=10, seed=seed)
        true = zermelo.minimax(row, device="python").moves
        if true[0] == true[1]:
            continue
        decided += 1
        for depth in right:
            seen = zermelo.minimax(row, depth=depth, evaluate="share", device="python").moves
            right[depth] += 0.5 if seen[0] == seen[1] else (seen[0] > seen[1]) == (true[0] > true[1])
    assert decided > 80
    assert right[1] / decided > 0.62 > 0.6 > right[8] / decided


# --- 2.3 two outcomes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "of", [game("nim", heaps=(2, 2)), game("nim", heaps=(3, 3)), game("halving", n=12), game("halving", n=14)], ids=repr
)
def test_2_3_with_two_outcomes_the_first_win_is_enough(of):
    plain, bounded = zermelo.alphabeta(of), zermelo.alphabeta(of, bounds=True)
    assert bounded.value == plain.value
    assert bounded.bound == plain.bound == "exact"
    assert bounded.nodes < plain.nodes
    assert zermelo.alphabeta(of, bounds=(-1, 1)).nodes == bounded.nodes


def test_2_3_nothing_after_a_win_is_looked_at():
    found = zermelo.alphabeta(Tree([[-1], [1], [-1], [1]]), bounds=True, record=True)
    assert (found.value, found.action) == (1.0, 1)
    assert list(found.moves) == [0, 1]
    after = [child for child in found.tree.root.children if child.pruned]
    assert [child.action for child in after] == [2, 3]
    assert all("nothing better" in child.pruned for child in after)


# --- 2.4 dice --------------------------------------------------------------------------------------------------------


def test_2_4_bucket_against_a_random_opponent():
    for device in ("python", "cpu"):
        found = zermelo.expectimax(game("bucket"), device=device)
        assert (found.value, found.action_name) == (5.0, "C")
        assert dict(found.moves) == {0: 0.0, 1: 2.0, 2: 5.0}


def test_2_4_bucket_with_the_coin():
    for device in ("python", "cpu"):
        found = zermelo.expectiminimax(game("coin_bucket"), device=device)
        assert (found.value, found.action_name) == (-2.0, "C")
        assert dict(found.moves) == {0: -27.5, 1: -24.5, 2: -2.0}


def two_lotteries(small, low, high, great):
    """Left pays mostly `low`, seldom `high`; right pays mostly `small`, seldom `great`."""
    return Tree(
        {
            "left": chance([(0.9, [low]), (0.1, [high])]),
            "right": chance([(0.9, [small]), (0.1, [great])]),
        }
    )


def test_2_4_equal_order_different_choice():
    first, second = two_lotteries(1, 2, 3, 4), two_lotteries(1, 20, 30, 400)
    left, right = zermelo.expectiminimax(first), zermelo.expectiminimax(second)
    assert left.value == pytest.approx(2.1)
    assert right.value == pytest.approx(40.9)
    assert (left.action_name, right.action_name) == ("left", "right")


def test_2_4_a_linear_change_keeps_the_choice():
    for scale, shift in ((10, 0), (3, -7), (0.5, 100)):
        numbers = [scale * x + shift for x in (1, 2, 3, 4)]
        found = zermelo.expectiminimax(two_lotteries(*numbers))
        assert found.action_name == "left"
        assert found.value == pytest.approx(scale * 2.1 + shift)


def test_2_4_without_chance_any_change_that_keeps_the_order_keeps_the_choice():
    for change in (lambda x: x**3, lambda x: 2.0**x, lambda x: -1 / (x + 1)):
        tree = Tree([[change(x) for x in row] for row in TEXTBOOK])
        assert zermelo.minimax(tree).line == (0, 0)


def test_2_4_the_opponent_of_expectimax_is_named_by_player():
    of = game("bucket")
    found = zermelo.expectimax(of, player=1)
    assert found.value == pytest.approx((-50 + 1 - 5) / 3)
    assert found.values == (found.value, -found.value)


# --- 2.5 pruning at chance nodes -------------------------------------------------------------------------------------


def dice_tree(moves, outcomes, seed, depth=3, replies=lambda numbers: numbers):
    """A tree of bounded payoffs in which chance moves between the players."""
    source = random.Random(seed)

    def grow(left, decides):
        if left == 0:
            return source.randint(-8, 8)
        if not decides:
            return chance([(1 / outcomes, grow(left - 1, True)) for _ in range(outcomes)])
        below = [grow(left - 1, False) for _ in range(moves)]
        return replies(below) if left == 1 else below

    return Tree(grow(depth, True))


@pytest.mark.parametrize("prune", ["star1", "star2"])
@pytest.mark.parametrize(("moves", "outcomes", "depth"), [(4, 4, 3), (3, 2, 5), (4, 4, 4), (2, 4, 5)])
def test_2_5_same_values(prune, moves, outcomes, depth):
    for seed in range(8):
        tree = dice_tree(moves, outcomes, seed, depth)
        plain, pruned = zermelo.expectiminimax(tree), zermelo.expectiminimax(tree, prune=prune)
        assert (pruned.value, pruned.action, pruned.line) == (plain.value, plain.action, plain.line)
        assert pruned.bound == "exact"


@pytest.mark.parametrize(("moves", "outcomes"), [(4, 4), (8, 4), (8, 8)])
def test_2_5_fewer_nodes(moves, outcomes):
    # Star2 looks at one reply behind each outcome first. Where that is the best one it saves most of the rest.
    for seed in range(6):
        tree = dice_tree(moves, outcomes, seed, replies=sorted)
        plain, star1, star2 = (zermelo.expectiminimax(tree, prune=prune) for prune in (None, "star1", "star2"))
        assert plain.value == star1.value == star2.value
        assert star2.nodes < star1.nodes < plain.nodes


def test_2_5_without_order_star1_still_saves():
    for seed in range(12):
        tree = dice_tree(8, 4, seed)
        assert zermelo.expectiminimax(tree, prune="star1").nodes < zermelo.expectiminimax(tree).nodes


def test_2_5_coin_bucket():
    for prune in ("star1", "star2"):
        found = zermelo.expectiminimax(game("coin_bucket"), prune=prune)
        assert (found.value, found.action_name) == (-2.0, "C")


@pytest.mark.parametrize(("target", "depth", "device"), [(10, 7, "cpu"), (20, 6, "python"), (6, 8, "python")])
def test_2_5_pig(target, depth, device):
    of = game("pig", target=target)
    plain = zermelo.expectiminimax(of, depth=depth, device=device)
    for prune in ("star1", "star2"):
        found = zermelo.expectiminimax(of, depth=depth, prune=prune, device=device)
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert found.bound == plain.bound == "estimate"


def test_2_5_pig_is_pruned_a_little():
    # Nobody has more than two moves in this game, so that there is little to save.
    of = game("pig", target=10)
    plain = zermelo.expectiminimax(of, depth=9, device="cpu")
    for prune in ("star1", "star2"):
        pruned = zermelo.expectiminimax(of, depth=9, prune=prune, device="cpu")
        assert pruned.value == pytest.approx(plain.value, abs=1e-12)
        assert pruned.nodes < plain.nodes


def test_2_5_the_recording_says_why():
    tree = Tree([[5], chance([(0.5, [0]), (0.5, [8])]), chance([(0.5, [1]), (0.5, [9])])])
    found = zermelo.expectiminimax(tree, prune="star1", bounds=(0, 9), record=True)
    pruned = [node for node in found.tree.root.walk() if node.pruned]
    assert [node.path for node in pruned] == [(1, 1), (2, 1)]
    assert all("average" in node.pruned for node in pruned)


class EndsByChance(Game):
    """Player 0 takes 0, or a coin for 1/2 or 1; the game is over with the coin, while `to_move` names player 1."""

    max_actions = 2
    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        choice: int
        coin: int

    def initial(self):
        return self.State(-1, -1)

    def to_move(self, s):
        if s.choice < 0:
            return 0
        return CHANCE if s.coin < 0 else 1

    def actions(self, s):
        yield 0
        yield 1

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        return self.State(action, -1) if s.choice < 0 else self.State(s.choice, action)

    def is_terminal(self, s):
        return s.coin >= 0

    def utility(self, s, player):
        value = 0.0 if s.choice == 0 else 0.5 + 0.5 * s.coin
        return value if player == 0 else -value


@pytest.mark.parametrize("prune", [None, "star1", "star2"])
def test_2_5_ends_below_chance_belong_to_nobody(prune):
    for device in ("python", "cpu"):
        found = zermelo.expectiminimax(EndsByChance(), prune=prune, device=device)
        assert (found.value, found.action) == (0.75, 1)


# --- 2.6 n players ---------------------------------------------------------------------------------------------------

THREE = [[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]


def test_2_6_everyone_maximises_its_own():
    for device in ("python", "cpu"):
        found = zermelo.maxn(Tree(THREE), device=device)
        assert (found.values, found.line) == ((1.0, 2.0, 6.0), (0, 0, 0))
        assert {action: move.values for action, move in found.moves.items()} == {0: (1, 2, 6), 1: (1, 5, 2)}


def test_2_6_paranoid_fears_everyone():
    found = zermelo.paranoid(Tree(THREE))
    # Left, the others can hold player 0 to 1; right, to 1 too: the first is taken.
    assert (found.value, found.action) == (1.0, 0)
    tree = Tree([[[(3, 9, 9), (0, 0, 0)]], [[(2, 0, 0)]]])
    assert zermelo.maxn(tree).action == 0
    assert zermelo.paranoid(tree).action == 1
    feared = zermelo.paranoid(tree, player=1)
    assert (feared.values[1], feared.action) == (0.0, 0)


def test_2_6_two_weak_players_ally_by_their_own_interest():
    of = game("alliance")
    found = zermelo.maxn(of)
    assert of.initial().armies == (2, 3, 5)
    assert found.line_names[:2] == ("attack 2", "attack 2")
    assert found.values == (0.5, 0.5, 0.0)
    attacked = zermelo.maxn(of, of.play(of.initial(), 1))
    assert attacked.values[0] < found.values[0]
    assert attacked.values[1] < found.values[1]
    betrayed = zermelo.maxn(of, of.play(of.initial(), 2, 0))
    assert betrayed.values[1] < found.values[1]


def test_2_6_the_alliance_ends_when_the_strong_one_is_beaten():
    of = game("alliance")
    s = of.play(of.initial(), 2, 2)
    assert s.armies[2] == 0
    assert zermelo.maxn(of, s).line_names == ("attack 1", "attack 0")


def test_2_6_an_alliance_in_a_tree_typed_by_hand():
    # The strong player 2 gets 9 unless both others spend their turn on it; each of them would rather have 3 than 1.
    tree = Tree(
        {
            "join": {
                "join": {"fight": (3, 3, 1), "flee": (3, 3, 2)},
                "refuse": {"fight": (0, 1, 8), "flee": (1, 1, 7)},
            },
            "refuse": {
                "join": {"fight": (1, 0, 8), "flee": (1, 1, 7)},
                "refuse": {"fight": (1, 1, 9), "flee": (2, 2, 5)},
            },
        }
    )
    found = zermelo.maxn(tree)
    assert (found.line_names, found.values) == (("join", "join", "flee"), (3.0, 3.0, 2.0))
    assert zermelo.paranoid(tree).values[0] < 3


def test_2_6_maxn_takes_general_sums_of_two():
    found = zermelo.maxn(game("share"))
    assert (found.values, found.line_names) == ((2.0, 0.0), ("keep", "yes"))


# --- 2.7 losing anyway -----------------------------------------------------------------------------------------------


def test_2_7_both_choices_are_offered_and_explained():
    of = game("nim", heaps=(2, 2))
    for search, way, device in product(SEARCHES, ("delay", "hope"), ("python", "cpu")):
        found = search(of, when_lost=way, device=device)
        assert (found.value, found.bound) == (-1.0, "exact")
        assert found.action_name == "1 from heap 1"
        assert "lost against best play" in found.note
        assert "delay: 1 from heap 1 lasts 3 moves" in found.note
        assert "hope: 1 from heap 1 is worth +0.333 against a random opponent" in found.note
        assert f"chosen: 1 from heap 1 ({way})" in found.note


def reply_values(of, s):
    """For each move from `s`, how long the loser lasts and what the mover gets from an opponent who moves at random."""

    def best(t):
        if of.is_terminal(t):
            return of.utility(t, 0), 0
        pairs = [best(u) for _, u in of.successors(t)]
        value = (max if of.to_move(t) == 0 else min)(v for v, _ in pairs)
        wins = value == (1.0 if of.to_move(t) == 0 else -1.0)
        return value, 1 + (min if wins else max)(n for v, n in pairs if v == value)

    def against_random(t, me):
        if of.is_terminal(t):
            return of.utility(t, me)
        values = [against_random(u, me) for _, u in of.successors(t)]
        return max(values) if of.to_move(t) == me else sum(values) / len(values)

    me = of.to_move(s)
    return {action: (1 + best(t)[1], against_random(t, me)) for action, t in of.successors(s)}


@pytest.mark.parametrize(
    "of", [game("nim", heaps=(2, 2)), game("nim", heaps=(1, 2, 3)), game("halving", n=14)], ids=repr
)
@pytest.mark.parametrize("search", SEARCHES)
def test_2_7_delay_lasts_longest_and_hope_hopes_best(search, of):
    s = of.initial()
    replies = reply_values(of, s)
    delay, hope = (search(of, when_lost=way) for way in ("delay", "hope"))
    assert delay.value == -1.0
    longest, best = max(n for n, _ in replies.values()), max(v for _, v in replies.values())
    assert replies[delay.action][0] == longest
    assert replies[hope.action][1] == pytest.approx(best)
    assert f"lasts {longest} moves" in delay.note
    assert f"is worth {best:+.3g} against a random opponent" in hope.note


def test_2_7_the_two_ways_can_differ():
    # One loses in three moves to a unique reply, the other in five whatever the winner does.
    tree = Tree(
        {
            "trap": {"right": -1, "wrong": 1, "silly": 1},
            "long": {"only": {"on": {"only": {"on": -1}}}},
        }
    )
    delay, hope = (zermelo.alphabeta(tree, when_lost=way) for way in ("delay", "hope"))
    assert (delay.value, hope.value) == (-1.0, -1.0)
    assert (delay.action_name, hope.action_name) == ("long", "trap")
    for found in (delay, hope):
        assert "delay: long lasts 5 moves" in found.note
        assert "hope: trap is worth +0.333" in found.note


def test_2_7_who_is_not_losing_is_left_alone():
    for way in ("delay", "hope"):
        found = zermelo.minimax(game("halving", n=5), when_lost=way)
        assert (found.value, found.note) == (1.0, "")
    lost_for_one = zermelo.minimax(game("halving", n=5), game("halving", n=5).State(4, 1), when_lost="delay")
    assert (lost_for_one.value, "lost against best play" in lost_for_one.note) == (1.0, True)


# --- 2.8 loops -------------------------------------------------------------------------------------------------------


class Corridor(Push):
    """A token in a corridor of five cells; players take turns to move it left or right. Player 0 wins at the right end,
    player 1 at the left end: each can always undo what the other did."""

    max_actions = 2
    bounds = (-1.0, 1.0)

    def initial(self):
        return self.State(2, 0)

    def is_terminal(self, s):
        return s.place == 0 or s.place == 4

    def utility(self, s, player):
        return 1.0 if (s.place == 4) == (player == 0) else -1.0


class DrawnCorridor(Corridor):
    """A position that comes up again is a draw."""

    repetition = "draw"


class ThirdTimeCorridor(Corridor):
    """A position that comes up for the third time is a draw."""

    repetition = ("draw", 3)


class NoWayBackCorridor(Corridor):
    """No position may come up again; who cannot move gets what `utility` says of the spot."""

    repetition = "forbidden"


class Carousel(Game):
    """Round and round, without an end."""

    max_actions = 1

    class State(NamedTuple):
        place: int

    def initial(self):
        return self.State(0)

    def to_move(self, s):
        return s.place % 2

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return self.State((s.place + 1) % 6)

    def is_terminal(self, s):
        return False

    def utility(self, s, player):
        return 0.0


REMEDY = r'depth=.*repetition = "draw" or "forbidden"'
TWO_SIDED = (zermelo.minimax, zermelo.alphabeta, zermelo.expectiminimax, zermelo.maxn, zermelo.paranoid)


@pytest.mark.parametrize("search", TWO_SIDED)
def test_2_8_a_repeated_position_is_a_draw(search):
    found = search(DrawnCorridor(), device="python")
    assert (found.value, found.bound) == (0.0, "exact")
    assert found.moves == {0: -1.0, 1: 0.0}, "left loses at once; right is undone"
    won = search(DrawnCorridor(), DrawnCorridor.State(3, 0), device="python")
    assert (won.value, won.action, won.line) == (1.0, 1, (1,))


@pytest.mark.parametrize("search", SEARCHES)
def test_2_8_draws_on_native_code_too(search):
    for cell, player in product((1, 2, 3), (0, 1)):
        s = DrawnCorridor.State(cell, player)
        plain, native = (search(DrawnCorridor(), s, device=device) for device in ("python", "cpu"))
        assert (native.value, native.moves, native.line, native.nodes) == (
            plain.value, plain.moves, plain.line, plain.nodes,
        )  # fmt: skip


def test_2_8_three_times_is_a_longer_search():
    once, twice = (zermelo.minimax(kind(), device="python") for kind in (DrawnCorridor, ThirdTimeCorridor))
    assert once.value == twice.value == 0.0
    assert once.nodes < twice.nodes


def test_2_8_the_history_counts():
    of = ThirdTimeCorridor()
    s = of.initial()
    after = of.play(s, 0, 1)
    assert after == s
    fresh = zermelo.minimax(of, s, device="python")
    known = zermelo.minimax(of, s, history=[s, of.result(s, 0)], device="python")
    assert known.value == 0.0
    assert known.nodes < fresh.nodes
    twice_before = zermelo.minimax(of, s, history=[s, s], device="python")
    assert (twice_before.value, twice_before.nodes) == (0.0, 1)
    assert zermelo.minimax(of, s, history=[of.key(s), of.key(s)], device="python").nodes == 1


def test_2_8_forbidden_repetition():
    for device in ("python", "cpu"):
        found = zermelo.minimax(NoWayBackCorridor(), device=device)
        # Right, right wins; the reply left leads back to (2, player 0), which has been there.
        assert (found.value, found.action) == (1.0, 1)
        assert found.line_names == ("1", "1")
    recorded = zermelo.minimax(NoWayBackCorridor(), record=True)
    assert any("repeats an earlier position" in (node.pruned or "") for node in recorded.tree.root.walk())


@pytest.mark.parametrize("search", [*TWO_SIDED, zermelo.expectimax])
def test_2_8_endless_games_are_named_with_their_remedy(search):
    for of in (Corridor(), Carousel()):
        with pytest.raises(EndlessGame, match=REMEDY):
            search(of, device="python")
        assert search(of, depth=4, device="python").bound == "estimate"


@pytest.mark.parametrize("search", SEARCHES)
def test_2_8_endless_on_native_code_too(search):
    with pytest.raises(EndlessGame, match=REMEDY):
        search(Corridor(), device="cpu")


def test_2_8_endless_playouts():
    with pytest.raises(EndlessGame, match="100 moves; raise longest="):
        zermelo.playouts(Carousel(), games=1, longest=100)


class RestlessDice(Corridor):
    """As the corridor, but a coin moves the token after each player has decided to stay or to be bold."""

    repetition = "draw"

    class State(NamedTuple):
        place: int
        player: int
        bold: int

    def initial(self):
        return self.State(2, 0, -1)

    def to_move(self, s):
        return s.player if s.bold < 0 else CHANCE

    def probability(self, s, action):
        return (0.25 if action == 0 else 0.75) if s.bold == s.player else 0.5

    def result(self, s, action):
        if s.bold < 0:
            return self.State(s.place, s.player, action)
        return self.State(s.place + (1 if action else -1), 1 - s.player, -1)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_2_8_loops_with_dice(device):
    of = RestlessDice()
    for cell in (1, 2, 3):
        s = of.State(cell, 0, -1)
        plain, *pruned = (
            zermelo.expectiminimax(of, s, prune=prune, device=device) for prune in (None, "star1", "star2")
        )
        assert [found.value for found in pruned] == [plain.value] * 2
