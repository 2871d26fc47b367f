"""Which states fit what a player saw: against Bayes by brute force, and along what was seen where games are large."""

import itertools
import random
from typing import NamedTuple

import pytest
from forgetful import Forgetful

import zermelo
from zermelo import (
    CHANCE,
    BadParameter,
    BadState,
    BrokenContract,
    Game,
    Policy,
    Seen,
    UnsuitableGame,
    belief,
    game,
    opened,
)
from zermelo.bits import u64
from zermelo.compile.random import below, word

POKER = game("kuhn_poker")


class Digits(Game):
    """Chance draws a row of digits that nobody sees. Then each is announced: as odd or even, or (`told`) as it is. At
    the end player 0 guesses their sum, modulo 10."""

    players = 1
    max_actions = 10
    bounds = (0.0, 1.0)
    count: int = 6
    told: bool = False

    class State(NamedTuple):
        drawn: int
        announced: int
        digits: int  # the first drawn is the highest
        guess: int

    class View(NamedTuple):
        announced: int
        heard: int
        guess: int

    def initial(self):
        return self.State(0, 0, 0, -1)

    def to_move(self, s):
        return 0 if s.announced == self.count else CHANCE

    def actions(self, s):
        if s.drawn < self.count or s.announced == self.count:
            yield from range(10)
        else:
            yield 0

    def probability(self, s, action):
        return 0.1 if s.drawn < self.count else 1.0

    def result(self, s, action):
        if s.drawn < self.count:
            return self.State(s.drawn + 1, 0, 10 * s.digits + action, -1)
        if s.announced < self.count:
            return self.State(s.drawn, s.announced + 1, s.digits, -1)
        return self.State(s.drawn, s.announced, s.digits, action)

    def is_terminal(self, s):
        return s.guess >= 0

    def sum(self, digits):
        total = 0
        while digits > 0:
            total += digits % 10
            digits //= 10
        return total % 10

    def utility(self, s, player):
        return 1.0 if s.guess == self.sum(s.digits) else 0.0

    def view(self, s, player):
        heard = 0
        for i in range(s.announced):
            digit = s.digits // 10 ** (self.count - 1 - i) % 10
            heard = 10 * heard + (digit if self.told else digit % 2)
        return self.View(s.announced, heard, s.guess)


class Drawn(Digits):
    """The same, with a way to draw digits that fit."""

    def sample(self, view, player, bits):
        digits = 0
        for i in range(self.count):
            parity = view.heard // 10 ** (self.count - 1 - i) % 10
            digits = 10 * digits + 2 * below(word(bits, i), 5) + parity
        return self.State(self.count, view.announced, digits, view.guess)


def bayes(of, view, player, policies=None):
    """The odds of the states in which a player has a view and moves, by all ways of play."""
    found = {}

    def walk(s, reach):
        if of.is_terminal(s):
            return
        mover = of.to_move(s)
        if mover == player and of.view(s, player) == view:
            found[s] = found.get(s, 0) + reach
        for action in of.actions(s):
            if mover == CHANCE:
                p = of.probability(s, action)
            elif mover == player:
                p = 1.0
            else:
                p = policies[mover](s).get(action, 0.0) if policies else 1 / of.action_count(s)
            if p:
                walk(of.result(s, action), reach * p)

    walk(of.initial(), 1.0)
    whole = sum(found.values())
    return {s: reach / whole for s, reach in found.items()}


def decisions(of):
    """Every way of play to a decision of somebody: its actions and the state."""
    stack = [((), of.initial())]
    while stack:
        actions, s = stack.pop()
        if of.is_terminal(s):
            continue
        if of.to_move(s) != CHANCE:
            yield actions, s
        stack += [((*actions, a), of.result(s, a)) for a in of.actions(s)]


SMALL = [POKER, game("kuhn_poker", players=3), game("rock_paper_scissors"), game("trails")]


@pytest.mark.parametrize("of", SMALL, ids=repr)
def test_beliefs_are_those_of_bayes(of):
    for actions, s in decisions(of):
        player = of.to_move(s)
        wanted = pytest.approx(bayes(of, of.view(s, player), player))
        along = belief(of, Seen.along(of, actions, player=player))
        assert along.exact
        assert along.states == wanted
        assert belief(of, s).states == wanted


def test_higher_takes_shows_the_four_when_min_follows_or_not():
    of = game("higher_takes", hidden=True)
    hearts, diamonds = (of.play(of.initial(), four) for four in (4, 8))
    assert belief(of).states == belief(of, hearts).states == {hearts: 0.5, diamonds: 0.5}
    s = of.play(hearts, 0, 4)
    assert belief(of, s).states == {s: 1.0}
    rich = random.Random(1)
    for _ in range(20):
        s, before = of.initial(), []
        while of.to_move(s) != 0 or rich.random() < 0.7:
            before.append(s)
            s = of.result(s, rich.choice(list(of.actions(s))))
            if of.is_terminal(s):
                break
        if not of.is_terminal(s):
            known = belief(of, s, history=before)
            assert known.states == pytest.approx(bayes(of, of.view(s, 0), 0))
            assert s in known.states


def test_policies_weigh_what_others_did():
    policies = [
        Policy(POKER, lambda view: {0: 0.25, 1: 0.75} if view.card == 2 else {0: 1.0}),
        Policy.uniform(POKER),
    ]
    s = POKER.play(POKER.initial(), 2, 0, 1)  # the king bets; player 1 has the jack
    assert {world.cards[0]: odds for world, odds in belief(POKER, s, policy=policies).states.items()} == {2: 1.0}
    s = POKER.play(POKER.initial(), 2, 0, 0)
    for policy in (policies, dict(enumerate(policies)), {0: policies[0]}):
        found = {world.cards[0]: odds for world, odds in belief(POKER, s, policy=policy).states.items()}
        assert found == pytest.approx({1: 0.8, 2: 0.2})
    wanted = bayes(POKER, POKER.view(s, 1), 1, policies)
    assert belief(POKER, s, policy=policies).states == pytest.approx(wanted)


def test_what_a_player_saw_is_all_that_counts():
    for actions, s in decisions(POKER):
        player = POKER.to_move(s)
        for other in {0, 1, 2} - set(s.cards):
            twin = s._replace(cards=tuple(c if p == player else other for p, c in enumerate(s.cards)))
            assert belief(POKER, s) == belief(POKER, twin)
            same = [a if i == player else other for i, a in enumerate(actions[:2])]
            assert Seen.along(POKER, actions, player=player) == Seen.along(POKER, [*same, *actions[2:]], player=player)


def test_views_that_forget_are_remembered_where_they_were_recorded():
    of = Forgetful()
    s = of.play(of.initial(), 1, 0)
    assert len(belief(of, s).states) == 2
    before = [of.initial(), of.play(of.initial(), 1)]
    assert belief(of, s, history=before).states == {s: 1.0}
    assert belief(of, Seen.along(of, [1, 0], player=0)).states == {s: 1.0}
    assert belief(of, Seen(0, (zermelo.Sight(20),), whole=False)).states == belief(of, s).states


def test_large_games_are_sampled_along_what_was_seen():
    of = Digits()
    actions = [1, 2, 3, 4, 5, 6] + [0] * 6
    known = belief(of, Seen.along(of, actions, player=0), seed=3)
    assert not known.exact
    assert sum(known.states.values()) == pytest.approx(1)
    assert 0 < known.acceptance < 0.1
    for s in known.states:
        assert [int(d) % 2 for d in f"{s.digits:06}"] == [1, 0, 1, 0, 1, 0]
    again, other = (belief(of, Seen.along(of, actions, player=0), seed=seed) for seed in (3, 4))
    assert list(known.states.items()) == list(again.states.items()) != list(other.states.items())


def test_what_was_seen_before_is_found_out():
    of = Digits(count=8)
    actions = [1, 2, 3, 4, 5, 6, 7, 8] + [0] * 8
    known = belief(of, of.play(of.initial(), *actions), seed=3)
    assert known.seen == Seen.along(of, actions, player=0)
    assert all(of.view(s, 0) == known.seen.last for s in known.states)


def test_particles_weigh_as_bayes_does():
    of = Digits(count=3)
    seen = Seen.along(of, [1, 2, 3, 0, 0, 0], player=0)
    exact = belief(of, seen)
    assert exact.exact
    assert len(exact.states) == 125
    from zermelo.searches.hidden.filtering import Odds, sampled, ways

    sample = sampled(ways(of, seen, Odds(of)), 20_000, random.Random(1))
    assert sample.acceptance == pytest.approx(1 / 8, abs=0.01)
    shares = [0.0] * 10
    for s, weight in sample.states:
        shares[s.digits // 100] += weight
    assert shares == pytest.approx([0, 0.2] * 5, abs=0.03)


def test_particles_take_the_odds_of_others_into_account():
    from zermelo.searches.hidden.filtering import Odds, sampled, ways

    honest = Policy(POKER, lambda view: {0: 0.25, 1: 0.75} if view.card == 2 else {0: 0.5, 1: 0.5})
    seen = Seen.along(POKER, [2, 0, 1], player=1)
    sample = sampled(ways(POKER, seen, Odds(POKER, honest)), 20_000, random.Random(1))
    kings = sum(weight for s, weight in sample.states if s.cards[0] == 2)
    assert kings == pytest.approx(0.6, abs=0.02)


def test_too_few_fit():
    of = Digits(told=True)
    seen = Seen.along(of, [1, 2, 3, 4, 5, 6] + [0] * 6, player=0)
    with pytest.raises(UnsuitableGame, match=r"acceptance rate .*sample\(view, player, bits\)"):
        belief(of, seen, particles=100)
    with pytest.raises(UnsuitableGame, match="history="):
        belief(of, of.play(of.initial(), *[1, 2, 3, 4, 5, 6] + [0] * 6), particles=20)


def test_the_games_own_sample_is_used():
    of = Drawn()
    s = of.play(of.initial(), *[1, 2, 3, 4, 5, 6] + [0] * 6)
    known = belief(of, s, particles=500, seed=1)
    assert not known.exact
    assert len(known.states) > 400
    assert all(of.view(world, 0) == of.view(s, 0) for world in known.states)
    assert type(of.sample(of.view(s, 0), 0, u64(1))) is of.State

    class Wrong(Drawn):
        def sample(self, view, player, bits):
            return self.State(self.count, view.announced, 0, view.guess)

    with pytest.raises(BrokenContract, match="sees something else"):
        belief(Wrong(), s)


def test_open_games_leave_no_doubt():
    tic = game("tic_tac_toe")
    s = tic.play(tic.initial(), 4)
    assert belief(tic, s).states == {s: 1.0}
    dealt = POKER.play(POKER.initial(), 0, 2)
    assert belief(opened(POKER), dealt).states == {dealt: 1.0}


def test_bad_input():
    dealt = POKER.play(POKER.initial(), 0, 2)
    for wrong in (2, -1, True, "me"):
        with pytest.raises(BadParameter):
            belief(POKER, dealt, player=wrong)
    with pytest.raises(BadParameter, match="player 1 does not move"):
        belief(POKER, dealt, player=1)
    with pytest.raises(BadParameter, match="over"):
        belief(POKER, POKER.play(dealt, 0, 0))
    with pytest.raises(BadParameter, match="begin with the first state"):
        belief(POKER, dealt, history=[dealt])
    with pytest.raises(BadParameter, match="no move leads"):
        belief(POKER, dealt, history=[POKER.initial()])
    with pytest.raises(BadParameter, match="it is player 0 who saw this"):
        belief(POKER, Seen.along(POKER, [0, 2], player=0), player=1)
    with pytest.raises(BadParameter, match="holds no view"):
        belief(POKER, Seen(0, ()))
    with pytest.raises(BadState, match="no way of play"):
        belief(POKER)
    with pytest.raises(BadState, match="no way of play"):
        belief(POKER, Seen(0, (zermelo.Sight(7),)))
    for options in ({"particles": 0}, {"particles": 1.5}, {"seed": "x"}, {"policy": "bold"}, {"policy": [None]}):
        with pytest.raises(BadParameter):
            belief(POKER, dealt, **options)

    class Looped(Forgetful):
        repetition = "draw"

    for method in (belief, zermelo.pimc, zermelo.ismcts):
        with pytest.raises(UnsuitableGame, match="repeated positions"):
            method(Looped())


def test_histories_as_matches_keep_them():
    from zermelo.play.course import Course

    course = Course(POKER)
    for action in (1, 2, 0, 1):
        course.push(action)
    known = belief(POKER, course.state, history=course.history())
    assert known.seen == Seen.along(POKER, [1, 2, 0, 1], player=0)
    assert {world.cards for world in known.states} == {(1, 0), (1, 2)}


def test_conceivable_states_are_common_knowledge():
    from zermelo.searches.hidden.belief import conceivable

    s = POKER.play(POKER.initial(), 0, 2, 0)
    wide = conceivable(POKER, belief(POKER, s))
    assert {world.cards for world in wide} == set(itertools.permutations(range(3), 2))
    assert list(wide.values()) == pytest.approx([1 / 6] * 6)
    cards = game("higher_takes", hidden=True)
    assert len(conceivable(cards, belief(cards))) == 2
