"""The plain methods agree with each other on every game that they fit."""

import pytest

import zermelo
from zermelo import expectiminimax, game, maxn, minimax, paranoid, sequence_form

CONTESTS = [
    # Two players, zero sum, no chance, nothing hidden: every method fits. Positions are as `parse_state` reads them.
    ("nim", {"heaps": (2, 2)}, None),
    ("nim", {"heaps": (3, 2, 1)}, None),
    ("nim", {"heaps": (4, 3), "misere": False}, None),
    ("halving", {"n": 9}, None),
    ("halving", {"n": 10}, "(7, 1)"),
    ("bucket", {}, None),
    ("bucket", {}, "(2, -1)"),
    ("connect_four", {"rows": 2, "cols": 3, "line": 2}, None),
    ("connect_four", {"rows": 3, "cols": 3, "line": 3}, "231"),
    ("tic_tac_toe", {}, "XO./.X./..."),
    ("tic_tac_toe", {}, "XOX/.../.O."),
    ("tic_tac_toe", {}, "XXX/OO./..."),
    ("higher_takes", {}, None),
    ("higher_takes", {"four": "diamonds"}, None),
]
DICE = [
    ("coin_bucket", {}, None, None),
    ("coin_bucket", {}, "(1, False, -1)", None),
    ("pig", {"target": 5, "sides": 2}, None, 9),
    ("pig", {"target": 8, "sides": 4}, "((3, 5), 2, 1, False)", 8),
]


def of_case(name, parameters, position):
    of = game(name, **parameters)
    return of, of.initial() if position is None else of.parse_state(position)


def worst_first(s, action):
    return action


@pytest.mark.parametrize("case", CONTESTS, ids=str)
def test_contests(case):
    of, s = of_case(*case)
    plain = minimax(of, s, device="python")
    for search in (zermelo.alphabeta, expectiminimax, maxn, paranoid):
        found = search(of, s, device="python")
        assert (found.value, found.values) == (plain.value, plain.values)
        assert (found.action, found.line) == (plain.action, plain.line)
        assert found.bound == "exact"
        assert found.nodes == plain.nodes if search is not zermelo.alphabeta else found.nodes <= plain.nodes
    if case[0] in ("bucket", "higher_takes"):  # where no position comes up on two ways
        assert sequence_form(of, s).value == pytest.approx(plain.value)


@pytest.mark.parametrize("case", CONTESTS, ids=str)
def test_ways_to_prune(case):
    of, s = of_case(*case)
    plain = minimax(of, s, device="python")
    ways = [{"bounds": True}, {"order": worst_first}, {"order": worst_first, "bounds": True}, {"bounds": (-99, 99)}]
    if of.transform is not None:
        ways += [{"symmetry": True}, {"symmetry": True, "bounds": True, "order": worst_first}]
    for options in ways:
        found = zermelo.alphabeta(of, s, device="python", **options)
        assert (found.value, found.bound) == (plain.value, "exact"), options
        assert found.nodes <= plain.nodes
        if found.action is not None:
            assert plain.moves[found.action] == plain.value, options
        end = of.play(s, *found.line)
        assert of.is_terminal(end)
        assert of.utility(end, 0) == plain.value, options
    for prune in ("star1", "star2"):
        found = expectiminimax(of, s, prune=prune, device="python")
        assert (found.value, found.action) == (plain.value, plain.action)


@pytest.mark.parametrize("case", CONTESTS, ids=str)
def test_narrow_windows(case):
    of, s = of_case(*case)
    true = minimax(of, s, device="python").value
    for low, high in ((-60, -0.5), (-0.5, 0.5), (0.5, 60), (-2, 2)):
        found = zermelo.alphabeta(of, s, window=(low, high), device="python")
        inside = low < found.value < high
        assert found.value == true if inside else true <= found.value if found.value <= low else true >= found.value


@pytest.mark.parametrize("case", DICE, ids=str)
def test_dice(case):
    *which, depth = case
    of, s = of_case(*which)
    plain = expectiminimax(of, s, depth=depth, device="python")
    assert plain.values == (plain.value, -plain.value)
    for search, options in ((maxn, {}), (paranoid, {}), (expectiminimax, {"order": worst_first})):
        found = search(of, s, depth=depth, device="python", **options)
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert found.nodes == plain.nodes
    for prune in ("star1", "star2"):
        found = expectiminimax(of, s, depth=depth, prune=prune, device="python")
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert (found.action, found.bound) == (plain.action, plain.bound)


def test_whoever_moves_values_are_player_0s():
    of = game("tic_tac_toe")
    for s in zermelo.reachable(of, of.parse_state("XO./.X./..."), depth=2):
        plain = minimax(of, s, device="python")
        for search in (zermelo.alphabeta, maxn, paranoid):
            assert search(of, s, device="python").values == plain.values


def test_three_players_see_each_other_alike():
    of = game("alliance")
    for s in zermelo.reachable(of):
        found = maxn(of, s, device="python")
        assert sum(found.values) == pytest.approx(1.0)
        for me in range(3):
            feared = paranoid(of, s, player=me, device="python")
            assert feared.values[me] <= found.values[me] + 1e-12, "the others can do no worse to one than they do"
            hoped = zermelo.expectimax(of, s, player=me, device="python")
            assert hoped.values[me] >= feared.values[me] - 1e-12


def test_expectimax_is_between_the_worst_and_the_best():
    for case in CONTESTS:
        of, s = of_case(*case)
        if not of.is_terminal(s) and of.to_move(s) == 0:
            random = zermelo.expectimax(of, s, device="python").value
            assert minimax(of, s, device="python").value <= random + 1e-12


def test_the_same_question_twice_has_the_same_answer():
    of = game("connect_four", rows=3, cols=3, line=3)
    first, again = (zermelo.alphabeta(of, depth=7, symmetry=True, device="python") for _ in range(2))
    for name in ("value", "values", "action", "line", "moves", "nodes", "bound"):
        assert getattr(first, name) == getattr(again, name)
