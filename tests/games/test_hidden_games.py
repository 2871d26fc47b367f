"""Games with hidden cards, hidden moves and three players: their known values, by plain code of the test's own."""

import itertools
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

from zermelo import cfr, check
from zermelo.compile import hash64, kernel, machine
from zermelo.contract import CHANCE, Game, Traits
from zermelo.errors import BadParameter, BrokenContract, IllegalAction
from zermelo.games.alliance import Alliance
from zermelo.games.higher_takes import NAMES, HigherTakes
from zermelo.games.kuhn_poker import KuhnPoker
from zermelo.games.matching_pennies import MatchingPennies
from zermelo.games.rock_paper_scissors import RockPaperScissors
from zermelo.games.share import Share
from zermelo.games.trails import Trails
from zermelo.traits import infer, total

GAMES = [
    Share(),
    KuhnPoker(),
    KuhnPoker(players=3),
    Trails(),
    Trails(hidden=False),
    Alliance(),
    Alliance(armies=(1, 4, 2), rounds=3),
    HigherTakes(),
    HigherTakes(hidden=True),
]


class SplitPoker(KuhnPoker):
    """Kuhn poker that says what is public and what private."""

    view = None

    class Public(NamedTuple):
        turns: int
        bettor: int
        staked: int

    def public(self, s):
        return self.Public(s.turns, s.bettor, s.staked)

    def private(self, s, player):
        return s.cards[player]


class OpenPoker(SplitPoker):
    view = None


class TornPoker(KuhnPoker):
    """Says a view, and parts of it that do not fit."""

    def public(self, s):
        return s.turns

    def private(self, s, player):
        return s.cards[player]


@kernel
def digest(game, s, depth, memory, top):
    """A number into which the odds, utilities, views and movers of the tree down to a depth enter."""
    mover = 7 if game.is_over(s) else game.to_move(s)
    total = 0.3 * mover
    if game.view is not None:
        for player in range(game.players):
            total = total * 0.9 + (hash64(game.view(s, player)) % 1000)
    if game.is_over(s):
        for player in range(game.players):
            total = total * 0.7 + game.utility(s, player)
        return total
    if depth == 0:
        return total
    end = game.fill(s, memory, top)
    for i in range(top, end):
        value = digest(game, game.result(s, memory[i]), depth - 1, memory, end)
        if game.probability is not None and mover == -1:
            value = value * game.probability(s, memory[i])
        total = total * 0.5 + value
    return total


def states(game):
    """Every state that can be reached, with the (view, action) pairs of each player on one way to it."""
    stack = [(game.initial(), ((),) * game.players)]
    while stack:
        s, history = stack.pop()
        yield s, history
        if game.is_terminal(s):
            continue
        p = game.to_move(s)
        for action in game.actions(s):
            past = history
            if p != CHANCE:
                own = (*history[p], (seen(game, s, p), action))
                past = (*history[:p], own, *history[p + 1 :])
            stack.append((game.result(s, action), past))


def seen(game, s, player):
    return s if game.view is None else game.view(s, player)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_both_machines_play_the_same_game(game):
    answers = []
    for device in ("python", "cpu"):
        m = machine(device)
        answers.append(m.call(digest, game=game, s=game.initial(), depth=5, memory=m.memory(1_000), top=0))
    assert answers[1] == pytest.approx(answers[0], rel=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_rules_hold_in_every_state(game):
    sets = {}
    for s, history in itertools.islice(states(game), 20_000):
        assert game.parse_state(game.format_state(s)) == s
        if game.is_terminal(s):
            assert game.bounds[0] <= game.utility(s, 0) <= game.bounds[1]
            continue
        actions = list(game.actions(s))
        assert 0 < len(actions) <= game.max_actions
        assert [game.parse_action(s, game.format_action(s, a)) for a in actions] == actions
        assert all(game.text(s, p) for p in range(game.players))
        p = game.to_move(s)
        if p == CHANCE:
            assert sum(game.probability(s, a) for a in actions) == pytest.approx(1, abs=1e-12)
        else:
            known = sets.setdefault((p, seen(game, s, p)), (actions, history[p], game.text(s, p)))
            assert known == (actions, history[p], game.text(s, p))  # same actions, perfect recall, no leak
            assert game.svg is None or game.svg(s, p).startswith("<svg")
    views = {(p, view) for p, view in sets}
    assert len(views) == len(sets)


def information_sets(game):
    found = {(game.to_move(s), seen(game, s, game.to_move(s))) for s, _ in states(game)
             if not game.is_terminal(s) and game.to_move(s) != CHANCE}  # fmt: skip
    return [sum(p == player for p, _ in found) for player in range(game.players)]


def test_numbers_of_information_sets():
    assert information_sets(Share()) == [1, 3]
    assert information_sets(RockPaperScissors()) == information_sets(MatchingPennies()) == [1, 1]
    assert information_sets(KuhnPoker()) == [6, 6]
    assert information_sets(KuhnPoker(players=3)) == [16, 16, 16]
    assert information_sets(Trails()) == [2]
    assert information_sets(Trails(hidden=False)) == [4]


def test_share():
    game = Share()
    ends = {}
    for offer, answer in itertools.product(range(3), range(2)):
        s = game.play(game.initial(), offer, answer)
        words = game.format_action(game.initial(), offer), game.format_action(game.play(game.initial(), offer), answer)
        ends[words] = game.utility(s, 0), game.utility(s, 1)
    assert ends == {
        ("keep", "yes"): (2, 0),
        ("share", "yes"): (1, 1),
        ("give", "yes"): (0, 2),
        ("keep", "no"): (0, 0),
        ("share", "no"): (0, 0),
        ("give", "no"): (0, 0),
    }
    assert not game.traits.hidden
    assert not game.traits.zero_sum


def zero_sum_value(game):
    """Player 0's value, by the linear program of the sequence form (Koller, Megiddo and von Stengel, 1996)."""
    sequences, sets, payoffs = [{(): 0}, {(): 0}], [{}, {}], {}

    def walk(s, last, odds):
        if game.is_terminal(s):
            cell = sequences[0][last[0]], sequences[1][last[1]]
            payoffs[cell] = payoffs.get(cell, 0.0) + odds * game.utility(s, 0)
            return
        p = game.to_move(s)
        for action in game.actions(s):
            after = game.result(s, action)
            if p == CHANCE:
                walk(after, last, odds * game.probability(s, action))
                continue
            step = (seen(game, s, p), action)
            sequences[p].setdefault(step, len(sequences[p]))
            assert sets[p].setdefault(step[0], (last[p], []))[0] == last[p]
            if action not in sets[p][step[0]][1]:
                sets[p][step[0]][1].append(action)
            walk(after, (step, last[1]) if p == 0 else (last[0], step), odds)

    walk(game.initial(), ((), ()), 1.0)
    matrix = np.zeros((len(sequences[0]), len(sequences[1])))
    for cell, value in payoffs.items():
        matrix[cell] = value
    flow = []
    for p in (0, 1):
        rows = np.zeros((len(sets[p]) + 1, len(sequences[p])))
        rows[0, 0] = 1
        for i, (view, (parent, actions)) in enumerate(sets[p].items(), start=1):
            rows[i, sequences[p][parent]] = -1
            rows[i, [sequences[p][view, a] for a in actions]] = 1
        flow.append(rows)
    n, k = len(sequences[0]), len(flow[1])
    answer = linprog(
        np.concatenate([np.zeros(n), [-1], np.zeros(k - 1)]),
        A_ub=np.hstack([-matrix.T, flow[1].T]),
        b_ub=np.zeros(len(sequences[1])),
        A_eq=np.hstack([flow[0], np.zeros((len(flow[0]), k))]),
        b_eq=np.eye(len(flow[0]))[0],
        bounds=[(0, None)] * n + [(None, None)] * k,
        method="highs",
    )
    return -answer.fun


def test_kuhn_poker_is_worth_minus_one_eighteenth():
    assert zero_sum_value(KuhnPoker()) == pytest.approx(-1 / 18, abs=1e-9)
    assert zero_sum_value(RockPaperScissors()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_poker_agrees_with_open_spiel(players):
    pyspiel = pytest.importorskip("pyspiel")
    game = KuhnPoker(players=players)
    ends = 0

    def compare(s, other):
        nonlocal ends
        assert game.is_terminal(s) == other.is_terminal()
        if other.is_terminal():
            ends += 1
            assert [game.utility(s, p) for p in range(players)] == list(other.returns())
            return
        assert list(game.actions(s)) == other.legal_actions()
        assert game.to_move(s) == (CHANCE if other.is_chance_node() else other.current_player())
        for action in game.actions(s):
            compare(game.result(s, action), other.child(action))

    compare(game.initial(), pyspiel.load_game("kuhn_poker", {"players": players}).new_initial_state())
    assert ends > 0


def test_kuhn_poker_in_words():
    game = KuhnPoker()
    s = game.play(game.initial(), 2, 0, 0, 1)
    assert game.text(s) == "K J | pass bet"
    assert game.text(s, 1) == "? J | pass bet"
    assert game.parse_action(s, "call") == 1
    assert game.format_action(s, 0) == "fold"
    assert game.text(game.play(s, 0), 0) == "K ? | pass bet fold"
    assert game.text(game.play(s, 1), 1) == "K J | pass bet call"
    for players in (1, 11, True, "two"):
        with pytest.raises(BadParameter):
            KuhnPoker(players=players)


class Led(HigherTakes):
    """Higher takes with the first lead given."""

    first: int = 0

    def actions(self, s):
        if s.player == 0 and s.turns == 0:
            yield self.first
        else:
            yield from super().actions(s)


def open_value(game, s):
    if game.is_terminal(s):
        return game.utility(s, 0)
    values = [open_value(game, game.result(s, a)) for a in game.actions(s)]
    return max(values) if game.to_move(s) == 0 else min(values)


@pytest.mark.parametrize("four", ["hearts", "diamonds"])
def test_higher_takes_open_is_even_whatever_is_led(four):
    game = HigherTakes(four=four)
    assert str(game.traits) == "2 players, deterministic, perfect information, turns, zero sum"
    s = game.initial()
    assert {game.format_action(s, a): open_value(game, game.result(s, a)) for a in game.actions(s)} == {
        "♥6": 0,
        "♦6": 0,
        "♣9": 0,
        "♣8": 0,
    }


def test_higher_takes_hidden_makes_club_leads_lose():
    values = {name: zero_sum_value(Led(hidden=True, first=card)) for card, name in enumerate(NAMES[:4])}
    assert values == pytest.approx({"♥6": 0, "♦6": 0, "♣9": -1, "♣8": -1}, abs=1e-9)
    assert zero_sum_value(HigherTakes(hidden=True)) == pytest.approx(0, abs=1e-9)


def test_higher_takes_by_pure_strategies_too():
    """The best that Max can do without mixing, card by card: what is not seen must be played alike."""
    for card, expected in enumerate([0, 0, -1, -1]):
        game = Led(hidden=True, first=card)
        starts = [(game.result(game.initial(), a), Fraction(1, 2)) for a in game.actions(game.initial())]
        assert best_pure(game, starts) == expected


def best_pure(game, possible):
    """What Max can be sure of, given the states that may be the case and the weight of each."""
    total, groups = Fraction(0), {}
    for s, weight in possible:
        if game.is_terminal(s):
            total += weight * int(game.utility(s, 0))
        elif game.to_move(s) == 0:
            groups.setdefault(game.view(s, 0), []).append((s, weight))
        else:
            groups.setdefault("Min", []).append((s, weight))
    replies = groups.pop("Min", [])
    for group in groups.values():
        actions = list(game.actions(group[0][0]))
        total += max(best_pure(game, [(game.result(s, a), w) for s, w in group]) for a in actions)
    if replies:
        choices = itertools.product(*(list(game.actions(s)) for s, _ in replies))
        total += min(
            best_pure(game, [(game.result(s, a), w) for (s, w), a in zip(replies, choice, strict=True)])
            for choice in choices
        )
    return total


def test_higher_takes_shows_max_no_more_than_was_played():
    game = HigherTakes(hidden=True)
    hearts, diamonds = (game.play(game.initial(), four) for four in (4, 8))
    assert game.view(hearts, 0) == game.view(diamonds, 0)
    assert game.view(hearts, 1) != game.view(diamonds, 1)
    assert game.text(hearts, 0) == game.text(diamonds, 0)
    assert game.svg(hearts, 0) == game.svg(diamonds, 0)
    # A red six is led: whoever has no heart shows it by not following.
    assert game.view(game.play(hearts, 0, 4), 0) != game.view(game.play(diamonds, 0, 5), 0)
    with pytest.raises(IllegalAction):
        game.play(hearts, 0, 5)
    assert game.parse_action(hearts, "c9") == game.parse_action(hearts, "♣9") == 2
    with pytest.raises(BadParameter):
        HigherTakes(four="clubs")


def test_trails_are_better_not_averaged():
    game = Trails()
    cases = [game.result(game.initial(), way) for way in game.actions(game.initial())]
    by_a = sum(Fraction(1, 2) * int(game.utility(game.result(s, 0), 0)) for s in cases)
    at_fork = [[game.utility(game.play(s, 1, way), 0) for way in (0, 1)] for s in cases]
    unseen = max(sum(Fraction(1, 2) * int(values[way]) for values in at_fork) for way in (0, 1))
    averaged = sum(Fraction(1, 2) * int(max(values)) for values in at_fork)
    assert (by_a, unseen, averaged) == (1, Fraction(-7, 2), 3)
    assert game.view(cases[0], 0) == game.view(cases[1], 0)
    assert str(game.traits) == "1 player, chance, hidden information, turns"
    assert not Trails(hidden=False).traits.hidden
    assert Trails(bus=-20).bounds == (-20.0, 3.0)
    assert game.text(cases[0], 0) == game.text(cases[1], 0) != Trails(hidden=False).text(cases[0], 0)


def best_lines(game, s):
    """All results of max^n, whichever way ties are broken, as (shares, line)."""
    if game.is_terminal(s):
        armies = s.armies
        return {(tuple(Fraction(a, sum(armies)) for a in armies), ())}
    p = game.to_move(s)
    options = {a: best_lines(game, game.result(s, a)) for a in game.actions(s)}
    kept = set()
    for action, results in options.items():
        others = [min(shares[p] for shares, _ in r) for a, r in options.items() if a != action]
        kept |= {(shares, (action, *line)) for shares, line in results if all(shares[p] >= o for o in others)}
    return kept


def test_the_weak_ally_against_the_strong():
    game = Alliance()
    half = Fraction(1, 2)
    assert best_lines(game, game.initial()) == {((half, half, 0), (2, 2, 1, 0))}
    against_one = best_lines(game, game.play(game.initial(), 1))
    against_zero = best_lines(game, game.play(game.initial(), 2, 0))
    assert {shares[0] for shares, _ in against_one} == {0}
    assert {shares[1] for shares, _ in against_zero} == {0}
    once = Alliance(rounds=1)
    assert best_lines(once, once.initial()) == {((Fraction(2, 5), Fraction(3, 5), 0), (2, 2))}
    assert game.traits == Traits(players=3, chance=False, hidden=False, simultaneous=False, zero_sum=True)
    assert total(game) == pytest.approx(1)
    for parameters in ({"armies": (0, 1, 2)}, {"rounds": 0}, {"armies": (1, 2)}, {"armies": 5}, {"rounds": 10**9}):
        with pytest.raises(BadParameter):
            Alliance(**parameters)


class Counter(Game):
    """Count to `end`; the rules break as the field says."""

    end: int = 3
    fault: str = ""

    class State(NamedTuple):
        n: int

    def initial(self):
        if self.fault == "initial":
            raise RuntimeError("broken")
        return self.State(0)

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        if self.fault == "nothing":
            return
        step = 1
        while step < 3 or self.fault == "for ever":
            yield step
            step += 1

    def result(self, s, action):
        return self.State(s.n + (0 if self.fault == "loop" else action))

    def is_terminal(self, s):
        return s.n >= self.end

    def utility(self, s, player):
        if self.fault == "utility":
            return "a lot"
        return [1.0, float(s.n) if self.fault == "uneven" else 2.0][player]

    def view(self, s, player):
        return [][1] if self.fault == "view" else s.n


def test_traits_of_sound_and_broken_games():
    assert infer(Counter()) == Traits(2, False, True, False, True)
    assert total(Counter()) == 3.0
    assert not infer(Counter(fault="uneven")).zero_sum
    assert total(Counter(fault="uneven")) is None
    for fault in ("initial", "nothing", "utility", "view", "loop"):
        assert infer(Counter(fault=fault)) == Traits(2, False, True, False, False)
        assert total(Counter(fault=fault)) is None
    assert infer(Counter(fault="for ever")).players == 2
    assert not infer(Counter(end=5_000)).zero_sum


def test_traits_see_simultaneous_moves():
    assert RockPaperScissors().traits.simultaneous
    assert not KuhnPoker().traits.simultaneous
    assert not HigherTakes(hidden=True).traits.simultaneous
    assert KuhnPoker().traits == Traits(players=2, chance=True, hidden=True, simultaneous=False, zero_sum=True)


def test_a_view_is_derived_from_what_is_public_and_what_is_private():
    plain, split = KuhnPoker(), SplitPoker()
    check(split)
    for device in ("python", "cpu"):
        found, wanted = (cfr(game, iterations=50, device=device) for game in (split, plain))
        assert found.exploitability == wanted.exploitability
        assert found.values == wanted.values


def test_a_subclass_without_view_is_open_again():
    assert OpenPoker().view is None
    assert SplitPoker().view is not None


def test_check_finds_parts_that_do_not_fit_the_view():
    with pytest.raises(BrokenContract, match=r"public\(s\) and private\(s, 0\) tell other states apart than view"):
        check(TornPoker())
