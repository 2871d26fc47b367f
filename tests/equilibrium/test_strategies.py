"""Pure, mixed and behaviour strategies become each other and reach everything with the same odds."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, Policy, Tree, game, move
from zermelo.equilibrium.forms.extensive import expected, extensive_form
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.equilibrium.policies.equilibrium import Behaviour
from zermelo.equilibrium.policies.strategies import (
    actions_to,
    behaviour,
    mixed,
    odds_of,
    plan_names,
    policy_of,
    pure,
    realisation,
    realisation_equivalent,
    small_profile,
)
from zermelo.errors import BadParameter, UnsuitableGame

TWICE = Tree(
    move(0, {"out": (1, 1), "in": move(1, {"l": (0, 0), "r": move(0, {"a": (2, 2), "b": (3, 0)})})})
)  # player 0 may decide twice
FORGETFUL = Tree(move(0, [move(0, [(1, 0), (2, 0)], "f"), move(0, [(3, 0), (4, 0)], "f")]))
ABSENT = Tree(move(0, {"exit": (0, 0), "on": move(0, {"exit": (4, 0), "on": (1, 0)}, "road")}, "road"))


def random_mixture(draw, count):
    weights = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any))
    return tuple(Fraction(w, sum(weights)) for w in weights)


def test_pure_strategies_by_label_and_number():
    table = normal_form(game("share"))
    assert pure(table, "share", "yes no yes") == pure(table, 1, 2)
    with pytest.raises(BadParameter, match="no choice of"):
        pure(table, "take", 0)
    with pytest.raises(BadParameter, match="2 choices"):
        pure(table, 0)
    with pytest.raises(BadParameter, match="no choice"):
        pure(table, 0, 8)


def test_kuhns_theorem_by_hand():
    table = normal_form(TWICE)
    assert table.labels[0] == ("out a", "out b", "in a", "in b")
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    policy = behaviour(table, ((half, 0, quarter, quarter), (0, 1)))
    form = table.form
    assert odds_of(form, policy) == [[half, half], [0, 1], [half, half]]
    # Where a plan keeps play from its second decision, that decision says nothing about behaviour there.
    skewed = behaviour(table, ((half, 0, 0, half), (0, 1)))
    assert odds_of(form, skewed)[2] == [0, 1]
    never = behaviour(table, ((half, half, 0, 0), (0, 1)))
    assert odds_of(form, never) == [[1, 0], [0, 1], [half, half]]


def test_reduced_plans():
    table = normal_form(TWICE, reduced=True)
    assert table.labels[0] == ("out *", "in a", "in b")
    policy = behaviour(table, pure(table, "out *", "r"))
    assert plan_names(table.form, policy) == ("out (1/2 a + 1/2 b)", "r")
    assert mixed(table, policy) == ((1, 0, 0), (0, 1))


def test_plans_that_differ_where_they_do_not_come_are_equivalent():
    assert realisation_equivalent(TWICE, 0, {(0, 0): 1}, {(0, 1): 1})
    assert not realisation_equivalent(TWICE, 0, {(1, 0): 1}, {(1, 1): 1})
    form = extensive_form(TWICE)
    plan = realisation(form, 0, {(1, 0): Fraction(1, 3), (0, 1): Fraction(2, 3)})
    assert plan == {(0, 0): Fraction(2, 3), (0, 1): Fraction(1, 3), (2, 0): Fraction(1, 3), (2, 1): 0}
    with pytest.raises(BadParameter, match="2 choices"):
        realisation(form, 0, {(1,): 1})
    with pytest.raises(BadParameter, match="no place"):
        realisation(form, 0, {(1, 7): 1})


def test_who_forgets_cannot_behave_as_it_mixes():
    table = normal_form(FORGETFUL)
    assert plan_names(table.form, behaviour(table, pure(table, 3, 0))) == ("1 1", "-")
    with pytest.raises(UnsuitableGame, match="perfect recall"):
        behaviour(table, ((Fraction(1, 2), 0, 0, Fraction(1, 2)), (1,)))
    with pytest.raises(UnsuitableGame, match="twice"):
        mixed(normal_form(ABSENT), Policy.uniform(ABSENT))
    assert mixed(table, Policy.uniform(FORGETFUL))[0] == (0.25,) * 4


def test_bad_profiles():
    table = normal_form(TWICE)
    with pytest.raises(BadParameter, match="2 mixed strategies"):
        behaviour(table, ((1, 0, 0, 0),))
    with pytest.raises(BadParameter, match="sum to 1"):
        behaviour(table, ((1, 1, 0, 0), (1, 0)))
    with pytest.raises(BadParameter, match="1 policies"):
        odds_of(table.form, [Policy.uniform(TWICE)])


def test_ways_and_policies():
    form = extensive_form(game("kuhn_poker"))
    end = max(form.payoffs)
    actions = actions_to(form, end)
    poker = game("kuhn_poker")
    assert poker.is_terminal(poker.play(poker.initial(), *actions))
    uniform = odds_of(form, Policy.uniform(poker))
    again = policy_of(form, uniform)
    assert isinstance(again, Behaviour)
    assert odds_of(form, again) == uniform
    assert small_profile(form, uniform, most=10) == ()
    # Two ways to one state of a game that hides nothing: a policy of states cannot tell them apart.
    nim = extensive_form(game("nim"))
    odds = [[1.0, *[0.0] * (len(s.actions) - 1)] for s in nim.sets]
    assert policy_of(nim, odds) is not None
    twins = [s for s in nim.sets if s.view.heaps == (1, 1)]
    assert len(twins) > 1
    odds[twins[0].number] = [0.0, 1.0]
    assert policy_of(nim, odds) is None


@pytest.mark.parametrize("name", ["share", "kuhn_poker", "rock_paper_scissors"])
@pytest.mark.parametrize("reduced", [False, True])
def test_mixtures_and_behaviour_expect_the_same(name, reduced):
    played = game(name)
    form = extensive_form(played)
    from zermelo.equilibrium.forms.normal import NormalForm, plans

    table = NormalForm(form, [list(plans(form, p, reduced=reduced)) for p in range(2)])
    profile = [tuple(Fraction(1 + i % 3, sum(1 + j % 3 for j in range(n))) for i in range(n)) for n in table.shape]
    policy = behaviour(table, profile)
    assert tuple(map(float, expected(form, odds_of(form, policy)))) == pytest.approx(
        tuple(map(float, table[tuple(profile)])), abs=1e-12
    )
    back = mixed(table, policy)
    assert [sum(own) for own in back] == [1, 1]
    for player in range(2):
        plans_of = dict(zip(table.plans[player], profile[player], strict=True))
        assert realisation_equivalent(form, player, policy, plans_of)
        assert realisation_equivalent(form, player, policy, dict(zip(table.plans[player], back[player], strict=True)))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_there_and_back(data):
    table = normal_form(TWICE)
    profile = tuple(random_mixture(data.draw, size) for size in table.shape)
    policy = behaviour(table, profile)
    assert table[mixed(table, policy)] == table[profile] == expected(table.form, odds_of(table.form, policy))


def test_tables_are_their_own_normal_form():
    table = Matrix([[1, 2], [3, 4]])
    assert pure(table, 0, 1) == ((1, 0), (0, 1))
