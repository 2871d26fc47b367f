"""Random trees whose payoffs are of all scales at once, against an evaluation in fractions written without the package.

An answer that calls itself exact is exact, and its move is one of the best.
"""

import contextlib
import random
from fractions import Fraction

import pytest

import zermelo
from zermelo import Limit, Tree, chance, move

SCALES = (
    lambda r: r.randint(-3, 3),
    lambda r: r.randint(-30, 30) / 10,
    lambda r: r.randint(-3, 3) * 1e-9,
    lambda r: r.randint(-3, 3) * 10**6,
    lambda r: r.randint(-3, 3) * 1e12,
    lambda r: r.choice([-1e300, 1e300]),
    lambda r: r.choice([-1, 1]) * (2**53 + r.randint(0, 3)),
    lambda r: Fraction(r.randint(-9, 9), r.randint(1, 9)),
    lambda r: 1 + Fraction(r.randint(-2, 2), 10**20),
)
ODDS = (
    (1,),
    (0.5, 0.5),
    (0.1, 0.9),
    (Fraction(1, 3), Fraction(2, 3)),
    (0.25, 0.5, 0.25),
    (Fraction(1, 6), Fraction(5, 6)),
)


class Grower:
    """Trees of mixed scales: ("dice", [(odds, node), ...]), (player, [node, ...]), or what the players get."""

    def __init__(self, seed, players, with_dice):
        self.random = random.Random(seed)
        self.players, self.with_dice = players, with_dice
        self.scales = self.random.sample(SCALES, self.random.randint(1, 3))

    def payoff(self):
        count = self.players if self.players > 2 else 1
        gains = tuple(self.random.choice(self.scales)(self.random) for _ in range(count))
        return gains if count > 1 else gains[0]

    def node(self, depth):
        if depth == 0 or (depth < 3 and self.random.random() < 0.3):
            return self.payoff()
        if self.with_dice and self.random.random() < 0.4:
            return "dice", [(p, self.node(depth - 1)) for p in self.random.choice(ODDS)]
        who = self.random.randrange(max(2, self.players))
        return who, [self.node(depth - 1) for _ in range(self.random.randint(1, 3))]


def is_end(node):
    return not (isinstance(node, tuple) and isinstance(node[1], list))


def typed(node):
    if is_end(node):
        return node
    who, below = node
    if who == "dice":
        return chance([(p, typed(child)) for p, child in below])
    return move(who, [typed(child) for child in below])


def worth(node, choose):
    """What everybody gets, in fractions; `choose(player, vectors)` picks one."""
    if is_end(node):
        gains = node if isinstance(node, tuple) else (node, -node)
        return tuple(Fraction(x) for x in gains)
    who, below = node
    if who == "dice":
        pairs = [(Fraction(p), worth(child, choose)) for p, child in below]
        return tuple(sum(p * values[i] for p, values in pairs) for i in range(len(pairs[0][1])))
    return choose(who, [worth(child, choose) for child in below])


def greedy(player, vectors):
    return max(vectors, key=lambda vector: vector[player])


def against(me):
    def choose(player, vectors):
        return (max if player == me else min)(vectors, key=lambda vector: vector[me])

    return choose


def is_in_floats(node):
    """Whether floats hold all payoffs and odds."""
    if is_end(node):
        return all(Fraction(float(x)) == x for x in (node if isinstance(node, tuple) else (node,)))
    if node[0] == "dice":
        return all(Fraction(float(p)) == p and is_in_floats(child) for p, child in node[1])
    return all(map(is_in_floats, node[1]))


def has_dice(node):
    return not is_end(node) and (node[0] == "dice" or any(has_dice(child) for child in node[1]))


def assert_true(found, node, choose):
    """The values are the true ones, and the move is one of the best."""
    averages = is_in_floats(node) and has_dice(node)
    for said, true in zip(found.values, worth(node, choose), strict=True):
        # Averages of floats are floats: those next to the true ones, but for the last digits.
        slack = abs(true) * Fraction(1, 10**9) if averages else 0
        assert abs(Fraction(said) - true) <= slack, (said, true)
    if node[0] == "dice":
        assert found.action is None
    else:
        vectors = [worth(child, choose) for child in node[1]]
        assert vectors[found.action][node[0]] == choose(node[0], vectors)[node[0]]


def assert_honest(found, node, choose, native):
    """What is called exact is true; nothing else but what native code rounds is an estimate."""
    if found.bound == "exact":
        assert_true(found, node, choose)
    else:
        assert (found.bound, native) == ("estimate", True)


def grown(seed, players, with_dice):
    grower = Grower(seed, players, with_dice)
    while is_end(node := grower.node(3)):
        pass
    return node


def examine(seed, device="python"):
    native = device == "cpu"
    node = grown(seed, 2, False)
    for search in (zermelo.minimax, zermelo.alphabeta, zermelo.maxn):
        assert_honest(search(Tree(typed(node)), device=device), node, greedy, native)
    node = grown(seed, 2, True)
    tree = Tree(typed(node))
    for prune in (None, "star1", "star2"):
        assert_honest(zermelo.expectiminimax(tree, prune=prune, device=device), node, greedy, native)
    node = grown(seed, 3, True)
    assert_honest(zermelo.maxn(Tree(typed(node)), device=device), node, greedy, native)
    assert_honest(zermelo.paranoid(Tree(typed(node)), player=1, device=device), node, against(1), native)


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_python_is_exact(first):
    for seed in range(first, first + 50):
        examine(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(300, 10_000, 100))
def test_python_is_exact_on_thousands(first):
    for seed in range(first, first + 100):
        examine(seed)


def proven(seed, players, device):
    """Whether sampling proves the value of a tree; if so it is the true one."""
    node = grown(seed, players, False)
    found = zermelo.mcts(Tree(typed(node)), limit=Limit(simulations=400), solver=True, device=device)
    if found.bound == "exact":
        assert_true(found, node, greedy)
        for action, said in found.moves.items():
            if said.bound == "exact":
                assert Fraction(said.value) == worth(node[1][action], greedy)[0]
    return found.bound == "exact"


@pytest.mark.parametrize("players", [2, 3])
def test_what_sampling_proves_is_true(players):
    count = 0
    for seed in range(60):
        # Where nobody says how large utilities can be, there is a limit.
        with contextlib.suppress(zermelo.BrokenContract):
            count += proven(seed, players, "python")
    assert count > 15


@pytest.mark.slow
def test_native_code_is_honest():
    for seed in range(6):
        proven(seed, 2, "cpu")
    for seed in range(12):
        examine(seed, "cpu")
