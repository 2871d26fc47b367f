"""The extensive form: nodes, information sets, perfect recall, and trees that try to break it."""

from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import CHANCE, Game, Matrix, Policy, Tree, chance, expected_values, game, move
from zermelo.equilibrium.forms.extensive import END, NOWHERE, expected, extensive_form, paths
from zermelo.errors import EndlessGame, UnsuitableGame


def test_known_sizes():
    share, poker = extensive_form(game("share")), extensive_form(game("kuhn_poker"))
    assert [len(share.sets_of(p)) for p in (0, 1)] == [1, 3]
    assert len(poker) == 58
    assert [len(poker.sets_of(p)) for p in (0, 1)] == [6, 6]
    assert [len(extensive_form(game("rock_paper_scissors")).sets_of(p)) for p in (0, 1)] == [1, 1]
    assert all(len(s.nodes) == 2 for s in poker.sets)


def test_nodes_are_in_the_order_of_a_walk():
    form = extensive_form(game("kuhn_poker"))
    assert form.parent[0] == NOWHERE
    assert all(form.parent[node] < node for node in range(1, len(form)))
    for node, below in enumerate(form.children):
        assert [form.place[child] for child in below] == list(range(len(below)))
        assert (form.mover[node] == END) == (node in form.payoffs) == (not below)
        assert len(form.branches[node]) == len(below)
        if form.mover[node] == CHANCE:
            assert sum(form.odds[child] for child in below) == pytest.approx(1)
        elif below:
            here = form.sets[form.at[node]]
            assert node in here.nodes
            assert (here.player, here.labels) == (form.mover[node], form.branches[node])


def test_numbers_stay_as_they_were_given():
    form = extensive_form(Tree(chance([(Fraction(1, 3), (1, Fraction(1, 7))), (Fraction(2, 3), (0, 0))])))
    assert form.odds == [1, Fraction(1, 3), Fraction(2, 3)]
    assert expected(form, []) == (Fraction(1, 3), Fraction(1, 21))
    assert form.perfect_recall


def test_from_a_state_on_and_at_an_end():
    nim = game("nim")
    later = nim.play(nim.initial(), next(iter(nim.actions(nim.initial()))))
    assert len(extensive_form(nim, later)) < len(extensive_form(nim))
    over = extensive_form(Tree((3, 4)))
    assert len(over) == 1
    assert expected(over, []) == (3, 4)


@pytest.mark.parametrize(
    ("what", "tree"),
    [
        ("its own move", move(0, [move(0, [(1, 0), (2, 0)], "f"), move(0, [(3, 0), (4, 0)], "f")])),
        ("what it knew", move(1, [move(0, [move(0, [(1, 0), (2, 0)], "late")], "a"),
                                  move(0, [move(0, [(1, 0), (2, 0)], "late")], "b")])),
        ("that it was here", move(0, [(0, 0), move(0, [(4, 0), (1, 0)], "road")], "road")),
        ("whether it moved", move(1, [move(0, [move(0, [(1, 0), (2, 0)], "x")]), move(0, [(1, 0), (2, 0)], "x")])),
    ],
)  # fmt: skip
def test_forgetting_is_found_and_said(what, tree):
    form = extensive_form(Tree(tree))
    assert not form.perfect_recall, what
    assert "player 0 forgets" in form.forgets
    with pytest.raises(UnsuitableGame, match="needs perfect recall"):
        form.require_recall("it")


def test_not_seeing_others_is_not_forgetting():
    form = extensive_form(Tree(move(0, [move(1, [(0, 0), (1, 1)], "k"), move(1, [(2, 2), (3, 3)], "k")])))
    assert form.perfect_recall
    assert form.sets[1].before == (NOWHERE, 0)
    later = extensive_form(Tree(move(0, {"a": move(1, [move(0, [(0, 0), (1, 1)], "s"), move(0, [(0, 0), (1, 1)], "s")]),
                                         "b": (5, 5)})))  # fmt: skip
    assert later.perfect_recall
    assert later.sets[2].before == (0, 0)
    assert len(later.sets[2].nodes) == 2


def test_too_many_nodes_are_refused_in_time():
    with pytest.raises(EndlessGame, match="more than 100 nodes"):
        extensive_form(game("kuhn_poker", players=3), most=100)

    class Endless(Game):
        """A counter that never stops."""

        def initial(self):
            return 0

        def to_move(self, s):
            return s % 2

        def actions(self, s):
            yield 0

        def result(self, s, action):
            return s + 1

        def is_terminal(self, s):
            return False

        def utility(self, s, player):
            return 0

    with pytest.raises(EndlessGame, match="more than 1,000"):
        extensive_form(Endless(), most=1000)


def test_views_that_lie_about_actions_are_refused():
    class Liar(Game):
        """The second mover sees the same in two states that offer different actions."""

        def initial(self):
            return (-1, -1)

        def to_move(self, s):
            return 0 if s[0] < 0 else 1

        def actions(self, s):
            yield from range(2 if s[0] < 0 else s[0] + 1)

        def result(self, s, action):
            return (action, -1) if s[0] < 0 else (s[0], action)

        def is_terminal(self, s):
            return s[1] >= 0

        def utility(self, s, player):
            return 0

        def view(self, s, player):
            return -1

    with pytest.raises(UnsuitableGame, match="different actions"):
        extensive_form(Liar())


def test_a_very_deep_tree():
    chain = (1, 1)
    for turn in range(3000):
        chain = move(turn % 2, {"stop": (0, 0), "go": chain})
    form = extensive_form(Tree(chain))
    assert len(form) == 6001
    assert len(form.sets) == 3000


ROW = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=2)


@settings(max_examples=20, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=3), st.data())
def test_expected_agrees_with_the_table(rows, data):
    table = Matrix(rows)
    form = extensive_form(table)
    odds = []
    for size in table.shape:
        weights = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any))
        odds.append([Fraction(w, sum(weights)) for w in weights])
    assert expected(form, odds) == table[tuple(odds)]
    reach = paths(form, odds)
    assert sum(reach[end] for end in form.payoffs) == 1


def test_expected_agrees_with_playing_it_out():
    poker = game("kuhn_poker")
    form = extensive_form(poker)
    uniform = [[1 / len(s.actions)] * len(s.actions) for s in form.sets]
    assert expected(form, uniform) == pytest.approx(expected_values(poker, [Policy.uniform(poker)] * 2))


@pytest.mark.parametrize("name", ["chess", "connect_four", "backgammon", "goofspiel"])
def test_a_tree_that_is_out_of_reach_is_refused_at_once(name):
    large = game(name, cards=13) if name == "goofspiel" else game(name)
    other = "cfr" if large.view is not None else "mcts"
    with pytest.raises(EndlessGame, match=f"^{name} has far more than 5,000,000 nodes: .*{other}"):
        extensive_form(large)


def test_a_tree_that_is_in_reach_is_never_taken_for_a_huge_one():
    # One way down has 2^60 times the odds of the others: the tree has 121 nodes all the same.
    form = extensive_form(Comb(length=60))
    assert len(form) == 121


class Comb(Game):
    """Go on or stop, so many times."""

    length: int = 60

    class State(NamedTuple):
        done: int
        stopped: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return 0

    def actions(self, s):
        if not self.is_terminal(s):
            yield 0
            yield 1

    def result(self, s, action):
        return self.State(s.done + 1, action)

    def is_terminal(self, s):
        return s.stopped == 1 or s.done == self.length

    def utility(self, s, player):
        return float(s.done)
