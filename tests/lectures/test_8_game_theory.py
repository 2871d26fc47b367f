"""Block 8, game theory: trees and tables as games (the extensive and the normal forms of row 8.1)."""

from itertools import product

import pytest

import zermelo
from zermelo import CHANCE, Matrix, Policy, Tree, expected_values, game, move


def information_sets(of):
    """For each player its information sets in the order of play, each with its actions."""
    found = [{} for _ in range(of.players)]
    stack = [of.initial()]
    while stack:
        s = stack.pop(0)
        if of.is_terminal(s):
            continue
        if of.to_move(s) != CHANCE:
            found[of.to_move(s)].setdefault(known(of, s), list(of.actions(s)))
        stack += [child for _, child in of.successors(s)]
    return found


def known(of, s):
    return s if of.view is None else of.view(s, of.to_move(s))


def normal_form(of):
    """The payoffs of all pairs of strategies: a strategy picks one action in each information set."""
    strategies = [
        [dict(zip(sets, choice, strict=True)) for choice in product(*sets.values())] for sets in information_sets(of)
    ]
    return [[played(of, row, column) for column in strategies[1]] for row in strategies[0]]


def played(of, *strategies):
    """What everybody gets when each follows its strategy, averaged over chance."""

    def value(s):
        if of.is_terminal(s):
            return tuple(of.utility(s, player) for player in range(of.players))
        mover = of.to_move(s)
        if mover != CHANCE:
            return value(of.result(s, strategies[mover][known(of, s)]))
        parts = [[of.probability(s, a) * x for x in value(child)] for a, child in of.successors(s)]
        return tuple(map(sum, zip(*parts, strict=True)))

    return value(of.initial())


def test_8_1_share_has_1_and_3_information_sets_and_3_by_8_strategies():
    of = game("share")
    assert [len(sets) for sets in information_sets(of)] == [1, 3]
    table = normal_form(of)
    assert (len(table), {len(row) for row in table}) == (3, {8})
    # Player 0 on the rows: keep, share, give; player 1's answers to each, yes before no.
    yes_to_all, no_to_all = 0, 7
    assert [row[yes_to_all] for row in table] == [(2.0, 0.0), (1.0, 1.0), (0.0, 2.0)]
    assert [row[no_to_all] for row in table] == [(0.0, 0.0)] * 3
    for row, proposal in enumerate(table):
        for column, payoffs in enumerate(proposal):
            accepts = not column >> (2 - row) & 1
            assert payoffs == ((2.0 - row, float(row)) if accepts else (0.0, 0.0))


def test_8_1_the_normal_form_is_a_game_again():
    table = normal_form(game("share"))
    matrix = Matrix(table)
    assert matrix.shape == (3, 8)
    assert matrix.traits.simultaneous
    assert not matrix.traits.zero_sum
    for row, column in product(range(3), range(8)):
        s = matrix.play(matrix.initial(), row, column)
        assert (matrix.utility(s, 0), matrix.utility(s, 1)) == table[row][column]
        pure = [1.0 if i == row else 0.0 for i in range(3)], [1.0 if i == column else 0.0 for i in range(8)]
        assert matrix[pure] == table[row][column]
    assert [len(sets) for sets in information_sets(matrix)] == [1, 1]


def test_8_1_rock_paper_scissors_has_1_and_1_information_sets_and_3_by_3_strategies():
    of = game("rock_paper_scissors")
    assert [len(sets) for sets in information_sets(of)] == [1, 1]
    assert normal_form(of) == [
        [(0, 0), (-1, 1), (1, -1)],
        [(1, -1), (0, 0), (-1, 1)],
        [(-1, 1), (1, -1), (0, 0)],
    ]
    assert of.payoffs.shape == (3, 3, 2)


def test_8_1_a_tree_with_an_information_set_is_the_same_table():
    table = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    tree = Tree([move(1, row, information_set="unseen") for row in table])
    assert normal_form(tree) == normal_form(game("rock_paper_scissors")) == normal_form(Matrix(table))
    assert zermelo.sequence_form(tree).value == pytest.approx(0.0)


def test_8_1_without_the_set_the_second_player_has_27_strategies():
    table = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    seen = normal_form(Tree(table))
    assert (len(seen), {len(row) for row in seen}) == (3, {27})
    assert zermelo.minimax(Tree(table)).value == -1.0, "who is seen loses"


def test_8_1_kuhn_poker_has_64_by_64_strategies_and_no_pure_one_is_best():
    of = game("kuhn_poker")
    assert [len(sets) for sets in information_sets(of)] == [6, 6]
    table = normal_form(of)
    assert (len(table), len(table[0])) == (64, 64)
    # Pure strategies cannot promise what mixed ones can: player 0 has -1/18 by mixing.
    best_pure = max(min(cell[0] for cell in row) for row in table)
    assert best_pure < zermelo.sequence_form(of).value < min(max(row[j][0] for row in table) for j in range(64))


def test_8_1_mixing_strategies_is_mixing_rows():
    of = game("share")
    table = Matrix(normal_form(of))
    thirds, eighths = [1 / 3] * 3, [1 / 8] * 8
    uniform = expected_values(of, [Policy.uniform(of)] * 2)
    assert table[thirds, eighths] == pytest.approx(uniform)


def test_8_1_prisoners_dilemma_is_a_table_of_two_by_two():
    of = game("prisoners_dilemma")
    table = normal_form(of)
    cooperate, defect = 0, 1
    assert (len(table), len(table[0])) == (2, 2)
    for other in (cooperate, defect):
        assert table[defect][other][0] > table[cooperate][other][0]
        assert table[other][defect][1] > table[other][cooperate][1]
    assert all(x < y for x, y in zip(table[defect][defect], table[cooperate][cooperate], strict=True))
