"""The Connect Four solver: against brute force, against another solver's scores, against published values."""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.cli import main
from zermelo.compile.program import STOPPED
from zermelo.games.connect_four import ConnectFour
from zermelo.games.connect_four import solver as connect_four
from zermelo.games.connect_four import solver_search as connect_four_search
from zermelo.games.connect_four.claims import Board, claims, completing
from zermelo.solving import Solved, Solver, solve

SCORES = Path(__file__).with_name("connect_four.txt")


def known_scores() -> list[tuple[str, dict[int, int]]]:
    """Positions of the usual board and the score of every move, as another solver found them."""
    found = []
    for line in SCORES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            position, *scores = line.split()
            found.append((position, {i: int(score) for i, score in enumerate(scores) if score != "."}))
    return found


def random_position(game: ConnectFour, stones: int, chance: random.Random) -> Any:
    """A position with so many stones in which nobody has won, or one with fewer where that ended the game."""
    s = game.initial()
    for _ in range(stones):
        children = [game.result(s, action) for action in game.actions(s)]
        going_on = [child for child in children if not game.is_over(child)]
        if not going_on:
            break
        s = chance.choice(going_on)
    return s


@cache
def brute_force(game: ConnectFour, s: Any) -> int:
    """The score by the definition: every line of play is followed to its end."""
    left = game.rows * game.cols - (s.x | s.o).bit_count()
    if left == 0:
        return 0
    children = [game.result(s, action) for action in game.actions(s)]
    return max((left + 1) // 2 if game.is_over(child) else -brute_force(game, child) for child in children)


BOARDS = [
    (3, 3, 3, 0),
    (4, 3, 3, 2),
    (3, 4, 3, 2),
    (5, 3, 3, 4),
    (2, 5, 2, 0),
    (4, 4, 4, 5),
    (5, 4, 4, 10),
    (3, 6, 4, 9),
]
"""Rows, columns, length of a line, and the stones that are there already, so that brute force takes no longer."""


def positions(rows: int, cols: int, line: int, stones: int, count: int) -> Iterator[tuple[ConnectFour, Any]]:
    """Random positions of a small board."""
    game, chance = ConnectFour(rows=rows, cols=cols, line=line), random.Random(rows * 100 + cols)
    for _ in range(count):
        yield game, random_position(game, chance.randint(stones, rows * cols - 1), chance)


@pytest.mark.parametrize(("rows", "cols", "line", "stones"), BOARDS)
def test_scores_are_those_of_brute_force(rows: int, cols: int, line: int, stones: int) -> None:
    solver = Solver(ConnectFour(rows=rows, cols=cols, line=line), device="python")
    for game, s in positions(rows, cols, line, stones, 40):
        answer = solver.solve(s)
        assert answer.value == brute_force(game, s), game.format_state(s)
        for action, score in answer.moves.items():
            child = game.result(s, action)
            left = rows * cols - (s.x | s.o).bit_count()
            assert score == ((left + 1) // 2 if game.is_over(child) else -brute_force(game, child))
        assert answer.value == max(answer.moves.values())


@pytest.mark.parametrize(("rows", "cols", "line", "stones"), BOARDS)
def test_what_is_said_without_search_is_true(rows: int, cols: int, line: int, stones: int) -> None:
    board = Board(rows=rows, cols=cols, line=line)
    said = 0
    for game, s in positions(rows, cols, line, stones, 400):
        own, rival = (s.x, s.o) if s.player == 0 else (s.o, s.x)
        taken = own | rival
        empty, playable = board.full & ~taken, taken + board.floor & board.full
        mine, theirs = completing(board, own) & empty, completing(board, rival) & empty
        if playable & (mine | theirs):
            continue
        left, score = board.cells - taken.bit_count(), brute_force(game, s)
        for need in range(-2, 4):
            if claims(board, rival, mine, empty, playable, left, True, need):
                assert score >= need, game.format_state(s)
                said += 1
            if claims(board, own, theirs, empty, playable, left, False, need):
                assert -score >= need, game.format_state(s)
                said += 1
    assert said > 50 or line < 4


def test_the_search_agrees_with_alphabeta() -> None:
    game = zermelo.game("connect_four:rows=4,cols=4")
    solver = Solver(game, device="python")
    chance = random.Random(4)
    for _ in range(5):
        s = random_position(game, 6, chance)
        value, sign = zermelo.alphabeta(game, s).value, 1 if s.player == 0 else -1
        score = solver.solve(s, moves=False).value
        assert (score > 0) - (score < 0) == value * sign


@pytest.mark.parametrize("part", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, 4))])
def test_scores_are_those_of_another_solver(part: int) -> None:
    game, known = zermelo.game("connect_four"), known_scores()
    assert len(known) == 1000
    deep = [entry for entry in known if len(entry[0]) >= 14]
    chosen = deep[:150] if part == 0 else known[part - 1 :: 3]
    solver = Solver(game)
    for position, scores in chosen:
        answer = solver.solve(game.parse_state(position))
        assert answer.moves == scores, position
        assert answer.value == max(scores.values()), position


def test_plain_python_searches_the_same_positions() -> None:
    game, chance = zermelo.game("connect_four"), random.Random(6)
    plain, native = Solver(game, device="python"), Solver(game, device="cpu")
    for stones in (22, 24, 27, 30):
        s = random_position(game, stones, chance)
        one, two = plain.solve(s), native.solve(s)
        assert (one.value, one.moves, one.nodes) == (two.value, two.moves, two.nodes)
        assert (one.device, two.device) == ("python", "cpu")


def test_the_number_of_positions_is_the_signature_of_the_search() -> None:
    game = zermelo.game("connect_four")
    answer = solve(game, game.parse_state("4444455"))
    assert (answer.value, answer.nodes) == (-1, 10_379_064)


@pytest.mark.slow
def test_the_first_player_wins_in_the_centre_on_move_41() -> None:
    answer = solve(zermelo.game("connect_four"))
    assert list(answer.moves.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert (answer.value, answer.best, answer.last_move) == (1, (3,), 41)


# Who wins and on which move the game ends: J. Tromp's table of results (https://tromp.github.io/c4/c4.html), and that
# of C. Steininger for the moves (https://github.com/ChristopheSteininger/c4). 0 is a draw.
PUBLISHED = {
    # height: {width: (winner, last move)}
    4: {4: (0, 16), 5: (0, 20), 6: (2, 24), 7: (0, 28), 8: (2, 32)},
    5: {4: (0, 20), 5: (0, 25), 6: (0, 30), 7: (0, 35), 8: (1, 39)},
    6: {4: (0, 24), 5: (0, 30), 6: (2, 36)},
    7: {4: (0, 28), 5: (0, 35), 6: (1, 41)},
    8: {4: (0, 32), 5: (0, 40)},
    9: {4: (0, 36)},
}
IN_PLAIN_PYTHON = {(4, 4), (4, 5), (5, 4)}


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        pytest.param(rows, cols, marks=[] if (rows, cols) in IN_PLAIN_PYTHON else pytest.mark.slow)
        for rows, sizes in PUBLISHED.items()
        for cols in sizes
    ],
)
def test_other_boards_are_worth_what_is_published(rows: int, cols: int) -> None:
    device = "python" if (rows, cols) in IN_PLAIN_PYTHON else "cpu"
    answer = solve(zermelo.game(f"connect_four:rows={rows},cols={cols}"), moves=False, device=device)
    winner, last = PUBLISHED[rows][cols]
    assert (answer.value > 0) - (answer.value < 0) == {0: 0, 1: 1, 2: -1}[winner]
    assert answer.last_move == last


# --- the table, and being stopped ------------------------------------------------------------------------------------


def test_a_table_that_grows_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zermelo.game("connect_four:rows=5,cols=4")
    large = Solver(game, device="python")
    values = large.solve(moves=False).value, large.solve().moves
    monkeypatch.setattr(connect_four, "FIRST_SIZE", 3)
    monkeypatch.setattr(connect_four_search, "NEAR", 8)
    small = Solver(game, device="python")
    assert small.solve(moves=False).value == values[0]
    assert small.work.bits > 3
    assert small.solve().moves == values[1]


def test_a_table_stays_where_it_is_when_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_four, "FIRST_SIZE", 3)
    monkeypatch.setattr(connect_four_search, "NEAR", 8)
    solver = Solver(zermelo.game("connect_four:rows=5,cols=4"), device="python")

    def no_memory(words: int) -> Any:
        raise MemoryError

    monkeypatch.setattr(type(solver.machine), "memory", lambda machine, words: no_memory(words))
    assert solver.solve(moves=False).value == 0
    assert solver.work.bits == 3


def test_what_was_found_is_used_again() -> None:
    game = zermelo.game("connect_four")
    solver, s = Solver(game), game.parse_state("44444533")
    first, again = solver.solve(s, moves=False), solver.solve(s, moves=False)
    assert again.nodes < first.nodes // 10
    solver.reset()
    assert solver.solve(s, moves=False).nodes == first.nodes


def test_a_solver_tells_how_far_it_is_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_four, "PAUSE", 0.01)
    solver = Solver(zermelo.game("connect_four"))
    seen = []

    def watch(nodes: int, low: int, high: int) -> None:
        seen.append((nodes, low, high))
        if nodes > 100_000:
            solver.work.status = STOPPED

    with pytest.raises(zermelo.Interrupted, match="stopped"):
        solver.solve(watch=watch)
    assert seen[-1][0] > 100_000
    assert seen[-1][1] <= 1 <= seen[-1][2]
    game = solver.game
    assert solver.solve(game.parse_state("4455"), moves=False).value == 18
    assert solver.work.nodes > 0


# --- the surface -----------------------------------------------------------------------------------------------------


def test_an_answer_in_words() -> None:
    game = zermelo.game("connect_four:rows=4,cols=4")
    answer = solve(game, game.parse_state("1213"), device="python")
    assert isinstance(answer, Solved)
    assert str(answer).splitlines()[-1] == "X to move: a draw"
    won = solve(game, game.parse_state("121212"), device="python")
    assert won.value == 5
    assert won.moves[0] == 5
    assert won.best == (0,)
    assert str(won) == "\n".join(
        ["+5  0 -5 -5", " .  .  .  .", " X  O  .  .", " X  O  .  .", " X  O  .  .", " 1  2  3  4",
         "X to move: X wins on move 7 (+5)"]
    )  # fmt: skip
    lost = solve(game, game.parse_state("1213141"), device="python")
    assert str(lost).splitlines()[-1] == "X has won on move 7"
    assert (lost.value, lost.moves, lost.last_move) == (-5, {}, 7)
    full = solve(game, game.parse_state("OXOX/OXOX/XOXO/XOXO"), device="python")
    assert (full.value, full.moves) == (0, {})
    assert str(full).splitlines()[-1] == "a draw"


def test_bad_arguments() -> None:
    game = zermelo.game("connect_four")
    with pytest.raises(zermelo.UnsuitableGame, match="alphabeta"):
        solve(zermelo.game("nim"))
    with pytest.raises(zermelo.UnsuitableGame, match="Connect Four"):
        Solver(Board())
    for table in (0, -1, True, 1.5, 1 << 30):
        with pytest.raises(zermelo.BadParameter, match="megabytes"):
            solve(game, table=table)  # type: ignore[arg-type]
    with pytest.raises(zermelo.BadParameter, match="one core"):
        solve(game, device="cuda")
    with pytest.raises(zermelo.BadState):
        solve(game, game.State(2, 0, 1))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "connect_four", "--position", "4455", "--json"]) == 0
    scores = {"1": -4, "2": -3, "3": 18, "4": 2, "5": 2, "6": 18, "7": -3}
    printed = json.loads(capsys.readouterr().out)
    assert (printed["game"], printed["value"], printed["moves"]) == ("connect_four", 18, scores)
    assert main(["solve", "connect_four:rows=4,cols=4", "--moves", "1 2 1 2 1 2", "--device", "python"]) == 0
    assert "X to move: X wins on move 7 (+5)\n" in capsys.readouterr().out
    full = "OOOXXXO/XXXOOOX/OOOXXXO/XXXOOOX/OOOXXXO/XXX..OX"
    assert main(["solve", "connect_four", "--position", full]) == 2
    assert main(["solve", "connect_four", "--position", "121212121"]) == 2
    assert main(["solve", "kuhn_poker"]) == 2
    assert main(["solve", "connect_four", "--table", "0"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4
    assert main(["solve", "connect_four:rows=5,cols=4", "--position", "11", "--value", "--device", "python"]) == 0
    assert "a draw" in capsys.readouterr().out
