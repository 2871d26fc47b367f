"""The normal form, full and reduced: known tables, agreement with the tree, Gambit, and games that are too large."""

from fractions import Fraction

import pytest
from gambit_oracle import tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, Tree, chance, game, move
from zermelo.equilibrium.forms.extensive import expected, extensive_form
from zermelo.equilibrium.forms.forgetting import ANY
from zermelo.equilibrium.forms.normal import normal_form, plan_count, plans
from zermelo.errors import UnsuitableGame


def test_the_share_game_of_the_lecture():
    table = normal_form(game("share"))
    assert table.shape == (3, 8)
    assert table.labels[0] == ("keep", "share", "give")
    assert table.labels[1][0] == "yes yes yes"
    cell = dict(zip(table.labels[1], table.payoffs[1].tolist(), strict=True))
    assert cell["no yes no"] == [1, 1]
    assert cell["yes no yes"] == [0, 0]
    assert normal_form(game("rock_paper_scissors")).shape == (3, 3)


def test_a_table_is_its_own_normal_form():
    table = Matrix([[1, 2], [3, 4]])
    assert normal_form(table) is table
    later = normal_form(table, table.play(table.initial(), 1))
    assert later.shape == (1, 2)
    assert later.payoffs[0, :, 0].tolist() == [3, 4]


def test_reduced_plans_say_star_where_they_do_not_come():
    tree = Tree(move(0, {"out": (1, 1), "in": move(1, {"l": (0, 0), "r": move(0, {"a": (2, 2), "b": (3, 0)})})}))
    full, small = normal_form(tree), normal_form(tree, reduced=True)
    assert full.shape == (4, 2)
    assert small.shape == (3, 2)
    assert small.labels[0] == ("out *", "in a", "in b")
    assert small.plans[0] == [(0, ANY), (1, 0), (1, 1)]


def test_kuhn_poker():
    poker = game("kuhn_poker")
    form = extensive_form(poker)
    assert [plan_count(form, p) for p in (0, 1)] == [64, 64]
    assert [plan_count(form, p, reduced=True) for p in (0, 1)] == [27, 64]
    table = normal_form(poker, reduced=True)
    assert table.shape == (27, 64)
    assert table.payoffs.sum(axis=-1).any() == 0


def test_players_without_a_decision_and_one_player():
    table = normal_form(Tree(chance([(Fraction(1, 2), (1, 2)), (Fraction(1, 2), (3, 4))])))
    assert table.shape == (1, 1)
    assert table.payoffs.tolist() == [[[2, 3]]]
    alone = normal_form(Tree(move(0, [(3,), move(0, [(1,), (5,)])])))
    assert alone.shape == (4,)
    assert alone.players == 1


def test_equal_action_names_get_different_labels():
    tree = Tree(move(0, [move(1, {"x y": (0, 0), "x": (1, 1)}), move(1, {"z": (2, 2), "y z": (3, 3)})]))
    labels = normal_form(tree).labels[1]
    assert len(set(labels)) == 4


def test_three_players():
    table = normal_form(Tree(move(0, [move(1, [(1, 2, 3), move(2, [(4, 5, 6), (7, 8, 9)])]), (0, 0, 0)])))
    assert table.shape == (2, 2, 2)
    assert table.payoffs[0, 1, 1].tolist() == [7, 8, 9]


def test_too_large_a_table_is_refused_before_it_is_built():
    with pytest.raises(UnsuitableGame, match="64 x 64 cells, more than 1,000"):
        normal_form(game("kuhn_poker"), most=1000)
    with pytest.raises(UnsuitableGame, match="quantal_response or cfr"):
        normal_form(game("kuhn_poker", players=3))
    with pytest.raises(UnsuitableGame, match=r"about 10\^\d+ x about 10\^\d+ cells"):
        normal_form(game("nim", heaps=(3, 3, 3)))


def test_who_forgets_has_reduced_plans_too():
    """Player 0 stops, or goes on and then does not know whether it turned left or right before."""
    inner = [move(0, {"a": (i, 0), "b": (0, i)}, information_set="forgot") for i in (1, 2)]
    tree = Tree(move(0, {"stop": (0, 0), "left": inner[0], "right": inner[1]}))
    assert not extensive_form(tree).perfect_recall
    small = normal_form(tree, reduced=True)
    assert normal_form(tree).shape == (6, 1)
    assert small.labels[0] == ("stop *", "left a", "left b", "right a", "right b")
    assert [row[0].tolist() for row in small.payoffs] == [[0, 0], [1, 0], [0, 1], [2, 0], [0, 2]]


def test_who_meets_a_set_again_does_the_same_there():
    driver = move(0, {"exit": (0,), "on": move(0, {"exit": (4,), "on": (1,)}, information_set="road")},
                  information_set="road")  # fmt: skip
    table = normal_form(Tree(driver), reduced=True)
    assert table.labels[0] == ("exit", "on")
    assert table.payoffs[:, 0].tolist() == [0, 1]


@st.composite
def forgetful_trees(draw):
    """Trees of two players with chance, whose information sets join nodes anyhow: nobody need remember anything."""
    names = st.sampled_from("xyz")

    def grow(left):
        if left == 0 or draw(st.integers(0, 4)) == 0:
            return (draw(st.integers(-2, 2)), draw(st.integers(-2, 2)))
        if draw(st.integers(0, 4)) == 0:
            return chance([(Fraction(1, 3), grow(left - 1)), (Fraction(2, 3), grow(left - 1))])
        below = {"l": grow(left - 1), "r": grow(left - 1)}
        mover = draw(st.integers(0, 1))
        return move(mover, below, information_set=f"{draw(names)} of {mover}")

    return Tree(move(0, {"l": grow(3), "r": grow(3)}, information_set="x of 0"))


@settings(max_examples=60, deadline=None)
@given(forgetful_trees())
def test_reduced_plans_are_the_full_ones_without_their_doubles(tree):
    full, small = normal_form(tree), normal_form(tree, reduced=True)
    form = small.form
    for player in range(2):
        met = [ends_met(form, player, plan) for plan in full.plans[player]]
        fewer = [ends_met(form, player, plan) for plan in small.plans[player]]
        assert sorted(set(met)) == sorted(fewer), "each way to meet ends once"
        assert len(set(fewer)) == len(fewer) == plan_count(form, player, reduced=True)
    rows = [full.plans[0].index(tuple(max(place, 0) for place in plan)) for plan in small.plans[0]]
    columns = [full.plans[1].index(tuple(max(place, 0) for place in plan)) for plan in small.plans[1]]
    assert full.payoffs[rows][:, columns].tolist() == small.payoffs.tolist()


def ends_met(form, player, plan):
    """The ends that a plan leads to, whatever the other and chance do."""
    column = {s.number: i for i, s in enumerate(form.sets_of(player))}
    met = []
    for end in form.payoffs:
        node = end
        while node and (form.mover[form.parent[node]] != player
                        or plan[column[form.at[form.parent[node]]]] == form.place[node]):  # fmt: skip
            node = form.parent[node]
        if not node:
            met.append(end)
    return tuple(met)


def test_long_chains_have_few_reduced_plans():
    chain = (1, 1)
    for turn in range(2000):
        chain = move(turn % 2, {"stop": (0, 0), "go": chain})
    form = extensive_form(Tree(chain))
    assert plan_count(form, 0, reduced=True) == 1001
    assert sum(1 for _ in plans(form, 0, reduced=True)) == 1001


@st.composite
def small_trees(draw):
    """Trees of two players with perfect recall, hidden moves and chance."""
    depth = draw(st.integers(1, 3))
    visible = [draw(st.booleans()) for _ in range(depth + 1)]

    def grow(left, seen):
        if left == 0:
            return (draw(st.integers(-3, 3)), draw(st.integers(-3, 3)))
        mover = draw(st.integers(0, 1)) if left == depth else (depth - left) % 2
        below = {}
        for label in "lr":
            after = [(*own, (left, label)) if p == mover or visible[left] else own for p, own in enumerate(seen)]
            below[label] = grow(left - 1, after)
        return move(mover, below, information_set=(mover, left, *seen[mover]))

    first, second = grow(depth, [("x",), ("x",)]), grow(depth, [("y",), ("y",)])
    return Tree(chance([(Fraction(1, 4), first), (Fraction(3, 4), second)]))


@settings(max_examples=25, deadline=None)
@given(small_trees())
def test_cells_are_what_the_tree_pays(tree):
    form = extensive_form(tree)
    if any(plan_count(form, p, reduced=True) > 40 for p in (0, 1)):
        return
    table = normal_form(tree, reduced=True)
    for i, one in enumerate(table.plans[0]):
        for j, two in enumerate(table.plans[1]):
            odds = [[] for _ in form.sets]
            for player, plan in ((0, one), (1, two)):
                for s, place in zip(form.sets_of(player), plan, strict=True):
                    odds[s.number] = [int(k == max(place, 0)) for k in range(len(s.actions))]
            assert tuple(table.payoffs[i, j]) == expected(form, odds)


@settings(max_examples=15, deadline=None)
@given(small_trees())
def test_reduced_plans_are_as_many_as_gambits(tree):
    form = extensive_form(tree)
    theirs, _ = tree_of(form)
    assert theirs.strategies() == [plan_count(form, p, reduced=True) for p in (0, 1)]


@pytest.mark.parametrize("reduced", [False, True])
def test_a_table_that_is_out_of_reach_is_refused_before_the_tree_is_walked(reduced):
    with pytest.raises(UnsuitableGame, match=r"tic_tac_toe has more than [\d,]+ x [\d,]+ cells: use sequence_form"):
        normal_form(game("tic_tac_toe"), reduced=reduced)


def test_the_reduced_form_is_offered_where_it_fits():
    with pytest.raises(UnsuitableGame, match=r"or normal_form\(game, reduced=True\), which has 1,728$"):
        normal_form(game("kuhn_poker"), most=2000)
    with pytest.raises(UnsuitableGame, match=r"which need no strategies$"):
        normal_form(game("leduc_poker"))
