"""2048 against plain lists and OpenSpiel; exact values of small boards by a program of their own; notation."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.bits import u64
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.twenty48 import DOWN, FIRST_TILE, LEFT, RIGHT, UP, Twenty48

GAME = Twenty48()
GAMES = [GAME, Twenty48(size=3, target=256), Twenty48(size=2, target=32), Twenty48(size=4, target=16)]

Rows = tuple[tuple[int, ...], ...]


def states(game: Twenty48, games: int = 3, seed: int = 0) -> list[Any]:
    """The states of random games."""
    found, random = [], Random(seed)
    for _ in range(games):
        s = game.initial()
        found.append(s)
        while not game.is_terminal(s):
            s = game.result(s, random.choice(list(game.actions(s))))
            found.append(s)
    return found


# --- plain lists ------------------------------------------------------------------------------------------------------


def rows_of(game: Twenty48, s: Any) -> Rows:
    """The numbers on the tiles."""
    return tuple(tuple(map(int, row.split(","))) for row in game.format_state(s).split()[0].split("/"))


def pushed(line: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """A line after its tiles were pushed to its start, and the points for that."""
    tiles, points, out = [tile for tile in line if tile], 0, []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            points += tile
        out.append(tile)
    return tuple(out + [0] * (len(line) - len(out))), points


def turned(rows: Rows) -> Rows:
    """The board by a quarter turn against the clock."""
    return tuple(zip(*rows, strict=True))[::-1]


def slid(rows: Rows, direction: int) -> tuple[Rows, int]:
    """The board after a slide, and the points for it."""
    turns = {LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[direction]
    for _ in range(turns):
        rows = turned(rows)
    lines = [pushed(row) for row in rows]
    rows = tuple(line for line, _ in lines)
    for _ in range(-turns % 4):
        rows = turned(rows)
    return rows, sum(points for _, points in lines)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_play_on_plain_lists(game: Twenty48) -> None:
    for s in states(game, 6):
        rows = rows_of(game, s)
        legal = [] if game.is_terminal(s) else list(game.actions(s))
        if max(map(max, rows)) == game.target:
            assert legal == []
        elif s.coming:
            empty = [n for n, tile in enumerate(tile for row in rows for tile in row) if not tile]
            assert legal == [FIRST_TILE + 2 * cell + four for cell in empty for four in (0, 1)]
            for action in legal:
                odds = (0.1 if action % 2 else 0.9) / len(empty)
                assert game.probability(s, action) == pytest.approx(odds)
                after = [tile for row in rows_of(game, game.result(s, action)) for tile in row]
                assert after[(action - FIRST_TILE) // 2] == (4 if action % 2 else 2)
                assert sum(after) == sum(map(sum, rows)) + (4 if action % 2 else 2)
        else:
            assert legal == [direction for direction in (UP, RIGHT, DOWN, LEFT) if slid(rows, direction)[0] != rows]
            for action in legal:
                after = game.result(s, action)
                assert (rows_of(game, after), after.score - s.score) == slid(rows, action)
                assert after.coming == 1


def test_slides() -> None:
    for before, after, points in (
        ((2, 2, 2, 2), (4, 4, 0, 0), 8),
        ((0, 2, 0, 2), (4, 0, 0, 0), 4),
        ((4, 2, 2, 4), (4, 4, 4, 0), 4),
        ((2, 2, 4, 8), (4, 4, 8, 0), 4),
        ((8, 8, 8, 0), (16, 8, 0, 0), 16),
        ((2, 0, 4, 0), (2, 4, 0, 0), 0),
    ):
        board = u64(sum((tile.bit_length() - 1) << 4 * n for n, tile in enumerate(before) if tile))
        s = GAME.result(GAME.State(board, 100, 0), LEFT)
        assert (rows_of(GAME, s)[0], s.score) == (after, 100 + points)
        assert pushed(before) == (after, points)


def test_random_play_in_openspiel() -> None:
    """OpenSpiel 2.0.2 does not offer slides that only join tiles of which one was joined in the move before."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("2048")
    for seed in range(8):
        random, s, state = Random(seed), GAME.initial(), theirs.new_initial_state()
        while not state.is_terminal():
            assert [list(map(int, line.split())) for line in str(state).splitlines() if line.strip()] == [
                list(row) for row in rows_of(GAME, s)
            ]
            assert (GAME.to_move(s) == zermelo.CHANCE) == state.is_chance_node()
            actions = state.legal_actions()
            offset = FIRST_TILE if state.is_chance_node() else 0
            if state.is_chance_node():
                odds = dict(state.chance_outcomes())
                assert {a: GAME.probability(s, a + offset) for a in actions} == pytest.approx(odds)
            missing = set(GAME.actions(s)) - {action + offset for action in actions}
            assert len(actions) + len(missing) == len(list(GAME.actions(s)))
            assert all(GAME.result(s, action).score > s.score for action in missing)
            action = random.choice(actions)
            s = GAME.result(s, action + offset)
            state.apply_action(action)
        assert GAME.utility(s, 0) == state.returns()[0]


def test_drawn_tiles_come_up_by_their_odds() -> None:
    s = GAME.parse_state("2,4,8,16/4,8,16,32/2,0,8,2/4,8,0,4 300 1")
    drawn = Counter(GAME.draw(s, u64((i << 64) // 20 + (1 << 40))) for i in range(20))
    assert drawn == {action: round(20 * GAME.probability(s, action)) for action in GAME.actions(s)}


# --- exact values -----------------------------------------------------------------------------------------------------


@cache
def best_score(rows: Rows, coming: int, target: int) -> Fraction:
    """The points still to be had with the best play, by trying everything on plain lists."""
    if max(map(max, rows)) == target:
        return Fraction(0)
    if coming:
        empty = [(r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if not tile]
        total = Fraction(0)
        for r, c in empty:
            for tile, odds in ((2, Fraction(9, 10)), (4, Fraction(1, 10))):
                after = [list(row) for row in rows]
                after[r][c] = tile
                total += odds * best_score(tuple(map(tuple, after)), coming - 1, target) / len(empty)
        return total
    ways = [slid(rows, direction) for direction in range(4)]
    values = [points + best_score(after, 1, target) for after, points in ways if after != rows]
    return max(values, default=Fraction(0))


@pytest.mark.parametrize(("target", "value"), [(8, 17.001044), (16, 47.2547207592)])
def test_the_value_of_the_smallest_board(target: int, value: float) -> None:
    game, empty = Twenty48(size=2, target=target), ((0, 0), (0, 0))
    assert float(best_score(empty, 2, target)) == pytest.approx(value, abs=1e-10)
    found = zermelo.expectimax(game, device="python" if target == 8 else "cpu")
    assert (found.value, found.bound) == (pytest.approx(value, abs=1e-9), "exact")


def test_the_best_move_of_a_state() -> None:
    game = Twenty48(size=2, target=32)
    s = game.parse_state("2,4/4,2 0 0")
    assert game.is_terminal(s)
    s = game.parse_state("8,4/4,0 20 0")
    found = zermelo.expectimax(game, s, depth=5, device="python")
    assert set(found.moves) == set(game.actions(s))


# --- symmetry ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_symmetries(game: Twenty48) -> None:
    cells = range(game.size * game.size)
    assert len({tuple(game.transform_cell(cell, k) for cell in cells) for k in range(8)}) == 8
    for s in states(game, 2):
        for k in range(8):
            other = game.transform(s, k)
            assert game.evaluate(other) == game.evaluate(s)
            if not game.is_terminal(s):
                moved = {game.transform_action(action, k): game.result(s, action) for action in game.actions(s)}
                assert set(moved) == set(game.actions(other))
                assert all(game.result(other, a) == game.transform(after, k) for a, after in moved.items())


# --- names and boards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_positions_are_read_back(game: Twenty48) -> None:
    for s in states(game, 2):
        assert game.parse_state(game.format_state(s)) == s
        assert game.bounds[0] <= game.evaluate(s) <= game.bounds[1]
        picture = game.svg(s)
        ElementTree.fromstring(picture)
        drawn = [int(action) for action in re.findall(r'data-action="(\d+)"', picture)]
        assert drawn == ([] if game.is_terminal(s) or s.coming else list(game.actions(s)))


def test_names() -> None:
    s = GAME.parse_state("2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0 0")
    assert [GAME.format_action(s, action) for action in GAME.actions(s)] == ["right", "down"]
    assert GAME.parse_action(s, "R") == GAME.parse_action(s, " right ") == RIGHT
    for wrong in ("up", "u", "left", "x", "", "2@a1"):
        with pytest.raises(IllegalAction, match="legal: right, down"):
            GAME.parse_action(s, wrong)
    after = GAME.result(s, RIGHT)
    assert GAME.format_action(after, FIRST_TILE + 2 * 6 + 1) == "4@c2"
    assert GAME.parse_action(after, "4@c2") == FIRST_TILE + 13


def test_text() -> None:
    s = GAME.parse_state("2,4,8,16/256,128,64,32/512,1024,0,2/0,0,0,0 16000 0")
    assert GAME.text(s).splitlines() == [
        "     a    b    c    d",
        "1    2    4    8   16",
        "2  256  128   64   32",
        "3  512 1024    .    2",
        "4    .    .    .    .",
        "score 16000",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no board"),
        ("2,2/2,2 0 0", "is no board"),
        ("2,x,0/0,0,0/0,0,0 0 0", "is no board"),
        ("2,2,0/0,0,0/0,0,0 0", "is no board"),
        ("2,3,0/0,0,0/0,0,0 0 0", "power of two"),
        ("2,1,0/0,0,0/0,0,0 0 0", "power of two"),
        ("2,512,0/0,0,0/0,0,0 0 0", "none is larger than the target 256"),
        ("2,0,0/0,0,0/0,0,0 0 0", "does not fit"),
        ("2,2,0/0,0,0/0,0,0 0 2", "does not fit"),
        ("2,4,2/4,2,4/2,4,2 0 1", "does not fit"),
        ("2,8,0/0,0,0/0,0,0 0 0", "brought 8 to 16 points"),
        ("2,8,0/0,0,0/0,0,0 20 0", "brought 8 to 16 points"),
        ("2,8,0/0,0,0/0,0,0 10 0", "brought 8 to 16 points"),
        (f"2,{'9' * 5000},0/0,0,0/0,0,0 10 0", "is no board"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        Twenty48(size=3, target=256).parse_state(text)


def test_senseless_parameters() -> None:
    for size in (1, 5):
        with pytest.raises(BadParameter, match="size must be 2, 3 or 4"):
            Twenty48(size=size)
    for target in (0, 4, 100, 65536):
        with pytest.raises(BadParameter, match="target must be 8"):
            Twenty48(target=target)


def test_the_estimate_helps_the_search() -> None:
    """Looking three plies ahead with the estimate brings more points than random play, by far."""
    game = Twenty48(size=3, target=512)
    total = 0
    for seed in range(6):
        random, s = Random(seed), game.initial()
        while not game.is_terminal(s):
            if s.coming:
                legal = list(game.actions(s))
                s = game.result(s, random.choices(legal, [game.probability(s, action) for action in legal])[0])
            else:
                s = game.result(s, zermelo.expectimax(game, s, depth=3, device="cpu").action)
        total += s.score
    assert total / 6 > 3 * zermelo.playouts(game, games=2_000, device="cpu").mean
