"""Games written by hand: bare lists where a game is wanted, and trees and tables as a line of text."""

import json
import re

import numpy as np
import pytest

import zermelo
from zermelo.by_hand import as_game, as_table, read
from zermelo.cli import main
from zermelo.errors import BadParameter

LISTS = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
TIME = re.compile(r", [\d.e-]+ s$", re.MULTILINE)
SEARCHES = ["minimax", "alphabeta", "expectiminimax", "maxn", "paranoid", "search", "sequence_form"]
OF_TABLES = ["nash", "lemke_howson", "support_enumeration", "vertex_enumeration", "pure_equilibria", "normal_form",
             "eliminate", "rationalizable", "security_level", "pareto_front", "correlated", "regret_matching",
             "fictitious_play", "replicator", "best_response_dynamics", "quantal_response"]  # fmt: skip


@pytest.mark.parametrize("method", SEARCHES)
def test_a_bare_list_is_a_tree_to_every_search(method: str) -> None:
    assert getattr(zermelo, method)(LISTS).value == getattr(zermelo, method)(zermelo.Tree(LISTS)).value == 3


def test_dicts_moves_and_chance_are_trees_too() -> None:
    assert zermelo.minimax({"left": [3, 12], "right": [2, 4]}).line_names == ("left", "0")
    assert zermelo.expectiminimax(zermelo.chance([(0.5, 1), (0.5, 3)])).value == 2
    assert zermelo.minimax(zermelo.move(1, [1, 2])).value == 1
    assert zermelo.perft(LISTS, 2) == 9
    assert zermelo.reachable(LISTS).count == 13
    assert abs(zermelo.cfr(LISTS, iterations=200).value - 3) < 0.01
    assert zermelo.mcts(LISTS, seed=1).action_name == "0"
    assert zermelo.minimax(np.array(LISTS)).value == 3


@pytest.mark.parametrize("method", OF_TABLES)
def test_bare_rows_are_a_payoff_table_where_tables_are_asked_for(method: str) -> None:
    rows = [[1, -1], [-1, 1]]
    bare, wrapped = (str(getattr(zermelo, method)(game)) for game in (rows, zermelo.Matrix(rows)))
    assert TIME.sub("", bare) == TIME.sub("", wrapped)


def test_what_is_a_table_and_what_is_a_tree() -> None:
    assert as_table([[(3, 3), (0, 5)], [(5, 0), (1, 1)]]) == zermelo.Matrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    assert as_table(np.array([[1, 2], [3, 4]])) == zermelo.Matrix([[1, 2], [3, 4]])
    for tree in ([1, 2], [[1, 2], [3]], [[[1, 2], [3]], [4]], {"a": 1, "b": [2, 3]}, [[(1, 2, 3), (4, 5, 6)]]):
        assert as_table(tree) == as_game(tree) == zermelo.Tree(tree)
    game = zermelo.game("nim")
    assert as_game(game) is as_table(game) is game


@pytest.mark.parametrize(
    ("given", "hint"),
    [("nim", "zermelo.game"), (zermelo.Tree, "make an instance"), ((1, 2), "zermelo.Tree"), (3, "give a Game")],
)
def test_what_is_no_game_is_told_what_to_write(given: object, hint: str) -> None:
    with pytest.raises(BadParameter, match=hint):
        zermelo.minimax(given)  # type: ignore[arg-type]


def test_texts() -> None:
    assert read(f"Tree({LISTS})") == read(str(LISTS)) == zermelo.Tree(LISTS)
    assert read("Tree({'l': 1, 'r': [2, 3]}, names=('Ann', 'Bob'))").names == ("Ann", "Bob")
    assert read("[[1, -1], [-1, 1]]", table=True) == read("Matrix([[1, -1], [-1, 1]])")


@pytest.mark.parametrize("text", ["Tree(__import__('os'))", "Tree(open('x'))", "[x for x in (1,)]", "Tree([1)"])
def test_texts_are_read_and_never_run(text: str) -> None:
    with pytest.raises(BadParameter, match="is no tree"):
        read(text)


@pytest.mark.parametrize("verb", ["analyse", "tree", "nash", "cfr"])
def test_verbs_take_trees_in_both_spellings(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (f"Tree({LISTS})", f"Tree(tree={LISTS})"):
        assert main([verb, text, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["game"] == "tree"


def test_nash_reads_bare_rows_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nash", "[[1, -1], [-1, 1]]", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "matrix"


def test_booleans_may_be_written_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert zermelo.game("higher_takes:hidden=true").parameters["hidden"] is True
    assert zermelo.game("higher_takes:hidden=false").parameters["hidden"] is False
    assert main(["games", "higher_takes:hidden=true"]) == 0
    assert "hidden" in capsys.readouterr().out
