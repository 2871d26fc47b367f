"""Security levels and the Pareto front: known tables, duality, and the definition."""

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import Matrix, game
from zermelo.equilibrium.concepts.security import pareto_front, security_level
from zermelo.errors import BadParameter


def test_known_levels():
    table = Matrix([[3, -1], [-2, 1]])
    row, column = security_level(table), security_level(table, 1)
    assert (row.pure, row.action, row.value, row.strategy) == (-1, 0, Fraction(1, 7), (Fraction(3, 7), Fraction(4, 7)))
    assert (column.pure, column.value, column.strategy) == (-1, Fraction(-1, 7), (Fraction(2, 7), Fraction(5, 7)))
    assert row.pure_minimax == 1
    assert row.held_by == {(0,): Fraction(2, 7), (1,): Fraction(5, 7)}


def test_three_players_acting_together():
    # Player 2 wants to differ from the others, who can correlate what they do.
    table = game("odd_man_out")
    level = security_level(table, 2)
    assert sum(level.held_by.values()) == 1
    assert all(len(choices) == 2 for choices in level.held_by)
    assert level.pure <= level.value <= level.pure_minimax


def test_floats_games_and_bad_players():
    assert security_level(game("share")).value == 0
    assert isinstance(security_level(Matrix([[0.5, 0.25], [0.125, 1.0]])).value, float)
    for player in (2, -1, True, "row"):
        with pytest.raises(BadParameter, match="players are 0 to 1"):
            security_level(Matrix([[1]]), player)


def test_pareto_front_of_the_dilemma_and_of_chicken():
    front = pareto_front(game("prisoners_dilemma"))
    assert (1, 1) not in [outcome.choices for outcome in front]
    assert len(front) == 3
    zero_sum = pareto_front(Matrix([[1, -1], [-1, 1]]))
    assert len(zero_sum) == 4


def test_lotteries_beat_outcomes():
    table = Matrix([[(4, 0), (0, 4)], [(1, 1), (2, 2)]])
    assert [o.choices for o in pareto_front(table)] == [(0, 0), (0, 1), (1, 1)]
    assert len(pareto_front(table, lotteries=True)) == 3
    worse = Matrix([[(4, 0), (0, 4)], [(1, 2), (0, 0)]])
    assert (1, 0) in [o.choices for o in pareto_front(worse)]
    assert (1, 0) not in [o.choices for o in pareto_front(worse, lotteries=True)]


def test_plain_data():
    assert json.dumps(security_level(game("rock_paper_scissors")).to_json())
    assert json.dumps([outcome.to_json() for outcome in pareto_front(game("share"))])


entries = st.integers(-4, 4)
tables = st.lists(st.lists(st.tuples(entries, entries), min_size=3, max_size=3), min_size=1, max_size=3).map(Matrix)


@settings(max_examples=40, deadline=None)
@given(tables, st.integers(0, 1))
def test_strategies_secure_and_hold(table, player):
    level = security_level(table, player)
    held = tuple(level.held_by.get((i,), 0) for i in range(table.shape[1 - player]))
    for action in range(table.shape[1 - player]):
        pure = tuple(int(i == action) for i in range(table.shape[1 - player]))
        pair = (level.strategy, pure) if player == 0 else (pure, level.strategy)
        assert table[pair][player] >= level.value
    for action in range(table.shape[player]):
        pure = tuple(int(i == action) for i in range(table.shape[player]))
        pair = (pure, held) if player == 0 else (held, pure)
        assert table[pair][player] <= level.value
    assert level.pure <= level.value <= level.pure_minimax


@settings(max_examples=40, deadline=None)
@given(tables)
def test_front_by_the_definition(table):
    cells = list(itertools.product(*map(range, table.shape)))
    pay = {cell: tuple(table.payoffs[cell]) for cell in cells}

    def beats(a, b):
        return pay[a] != pay[b] and all(x >= y for x, y in zip(pay[a], pay[b], strict=True))

    assert [o.choices for o in pareto_front(table)] == [c for c in cells if not any(beats(d, c) for d in cells)]
    assert {o.choices for o in pareto_front(table, lotteries=True)} <= {o.choices for o in pareto_front(table)}
