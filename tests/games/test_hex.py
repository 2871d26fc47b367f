"""Hex against a board of its own, cell by cell, and OpenSpiel; known values; playouts that fill the board."""

import heapq
import itertools
import re
from functools import cache
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.compile import kernel, machine
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.hex import NOBODY, Hex
from zermelo.games.hex.notation import signs

SIZES = [2, 3, 5, 7, 8, 11, 13, 19]


def states(game: Hex, games: int = 2, seed: int = 0) -> list[Any]:
    """The states of random games."""
    found, random = [], Random(seed)
    for _ in range(games):
        s = game.initial()
        found.append(s)
        while not game.is_terminal(s):
            s = game.result(s, random.choice(list(game.actions(s))))
            found.append(s)
    return found


# --- a plain board ----------------------------------------------------------------------------------------------------


def neighbours(cell: int, size: int) -> list[int]:
    """The cells next to a cell."""
    row, col = divmod(cell, size)
    around = [(row, col - 1), (row, col + 1), (row - 1, col), (row - 1, col + 1), (row + 1, col), (row + 1, col - 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def is_joined(cells: set[int], size: int, player: int) -> bool:
    """Whether the player's two sides are joined by these cells."""

    def height(cell: int) -> int:
        return cell // size if player == 0 else cell % size

    found = {cell for cell in cells if height(cell) == 0}
    waiting = list(found)
    while waiting:
        new = [cell for cell in neighbours(waiting.pop(), size) if cell in cells and cell not in found]
        found.update(new)
        waiting += new
    return any(height(cell) == size - 1 for cell in found)


def cells_of(game: Hex, s: Any) -> tuple[set[int], set[int]]:
    written = "".join(signs(game, s))
    return tuple({cell for cell, sign in enumerate(written) if sign == own} for own in "RB")  # type: ignore[return-value]


@pytest.mark.parametrize("size", SIZES)
def test_random_play_on_a_plain_board(size: int) -> None:
    game, random = Hex(size), Random(size)
    for _ in range(3 if size > 8 else 12):
        s, stones, player = game.initial(), (set[int](), set[int]()), 0
        while True:
            assert cells_of(game, s) == stones
            over = is_joined(stones[1 - player], size, 1 - player)
            assert game.is_terminal(s) == over
            if over:
                assert (s.winner, game.utility(s, s.winner), game.utility(s, 1 - s.winner)) == (1 - player, 1, -1)
                break
            assert game.to_move(s) == player
            legal = [cell for cell in range(size * size) if cell not in stones[0] | stones[1]]
            assert list(game.actions(s)) == legal
            action = random.choice(legal)
            s = game.result(s, action)
            stones[player].add(action)
            player = 1 - player


@pytest.mark.parametrize("size", [3, 5, 11])
def test_random_play_in_openspiel(size: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = Hex(size), pyspiel.load_game(f"hex(board_size={size})")
    for seed in range(10):
        random, s, state = Random(seed), game.initial(), theirs.new_initial_state()
        while not state.is_terminal():
            assert not game.is_terminal(s)
            assert list(game.actions(s)) == state.legal_actions()
            action = random.choice(state.legal_actions())
            s = game.result(s, action)
            state.apply_action(action)
        assert game.is_terminal(s)
        assert [game.utility(s, player) for player in (0, 1)] == state.returns()


def test_every_full_board_has_one_winner() -> None:
    for size in (2, 3):
        game, cells = Hex(size), size * size
        for red in itertools.combinations(range(cells), (cells + 1) // 2):
            blue = set(range(cells)) - set(red)
            assert is_joined(set(red), size, 0) != is_joined(blue, size, 1)
            board = "".join("R" if cell in red else "B" for cell in range(cells))
            rows = "/".join(board[n : n + size] for n in range(0, cells, size))
            mover = "RB"[cells % 2]
            if is_joined(set(red), size, 0) == (mover == "B"):
                assert game.parse_state(f"{rows} {mover}").winner == (0 if is_joined(set(red), size, 0) else 1)


# --- known values -----------------------------------------------------------------------------------------------------


@cache
def red_wins(red: frozenset[int], blue: frozenset[int], size: int) -> bool:
    """Whether Red wins, by trying everything on the plain board."""
    player = len(red) - len(blue)
    if is_joined(set(red), size, 0) or is_joined(set(blue), size, 1):
        return player == 1
    free = [cell for cell in range(size * size) if cell not in red | blue]
    if player == 0:
        return any(red_wins(red | {cell}, blue, size) for cell in free)
    return all(red_wins(red, blue | {cell}, size) for cell in free)


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_player_wins(size: int) -> None:
    found = zermelo.alphabeta(Hex(size), bounds=True, symmetry=True, device="python")
    assert (found.value, found.bound) == (1.0, "exact")
    assert red_wins(frozenset(), frozenset(), size)
    swapped = zermelo.alphabeta(Hex(size, swap=True), bounds=True, device="python")
    assert (swapped.value, swapped.bound) == (-1.0, "exact")


@pytest.mark.slow
def test_the_first_player_wins_on_four_by_four() -> None:
    found = zermelo.search(Hex(4), limit=zermelo.Limit(depth=16, time=60.0), device="cpu")
    assert (found.value, found.bound) == (1.0, "exact")


def test_first_moves_that_win_on_three_by_three() -> None:
    game = Hex(3)
    wins = set()
    for action in range(9):
        value = zermelo.alphabeta(game, game.result(game.initial(), action), bounds=True, device="python").value
        assert value == (1.0 if red_wins(frozenset({action}), frozenset(), 3) else -1.0)
        if value > 0:
            wins.add(game.format_action(game.initial(), action))
    assert wins == {"c1", "a2", "b2", "c2", "a3"}


# --- the swap ---------------------------------------------------------------------------------------------------------


def test_the_swap_takes_the_first_stone_over() -> None:
    game = Hex(5, swap=True)
    first = game.initial()
    assert 25 not in list(game.actions(first))
    s = game.play(first, game.parse_action(first, "d2"))
    assert list(game.actions(s))[-1] == 25
    after = game.play(s, game.parse_action(s, "swap"))
    assert game.format_state(after) == "...../...../...../.B.../..... R"
    assert 25 not in list(game.actions(after))
    assert 25 not in list(game.actions(game.play(s, 0)))
    corner = game.play(first, game.parse_action(first, "c1"), 25)
    assert any(corner.from_left)
    assert 25 not in list(Hex(5).actions(Hex(5).play(Hex(5).initial(), 8)))


# --- symmetry ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 5, 8, 11])
def test_half_a_turn(size: int) -> None:
    game = Hex(size, swap=True)
    for s in states(game):
        turned = game.transform(s, 1)
        assert game.checked_state(turned) == turned
        assert game.transform(turned, 1) == s
        assert cells_of(game, turned) == tuple({size * size - 1 - c for c in cells} for cells in cells_of(game, s))
        if not game.is_terminal(s):
            assert game.evaluate(turned) == game.evaluate(s)


# --- playouts and the estimate ----------------------------------------------------------------------------------------


@kernel
def play_out(game, s, seed, memory):
    """One playout of the game's own."""
    return game.rollout(s, seed, memory, 3)


@kernel
def total_of(game, s, games, memory):
    """The sum of many playouts."""
    total = 0.0
    for seed in range(games):
        total += game.rollout(s, seed, memory, 0)
    return total


@pytest.mark.parametrize("game", [Hex(5), Hex(11, swap=True), Hex(8)], ids=repr)
def test_playouts_fill_the_board(game: Hex) -> None:
    cells = game.size * game.size
    for number, s in enumerate(states(game, 1)[:: 6 if game.size < 11 else 24]):
        marks = {}
        for device in ("python", "cpu"):
            on = machine(device)
            memory = on.memory(game.rollout_words + 3)
            for i in range(game.rollout_words + 3):
                memory[i] = 77
            value = on.call(play_out, game=game, s=s, seed=number, memory=memory)
            marks[device] = (value, [memory[3 + action] for action in range(game.policy_size)])
            assert [memory[i] for i in range(3)] == [77] * 3
        assert marks["python"] == marks["cpu"]
        value, marked = marks["cpu"]
        stones = cells_of(game, s)
        if game.is_terminal(s):
            assert value == game.utility(s, 0)
            assert set(marked) == {0}
            continue
        added = [{cell for cell in range(cells) if marked[cell] == 1 + player} for player in (0, 1)]
        assert not added[0] & added[1]
        assert added[0] | added[1] == set(range(cells)) - stones[0] - stones[1]
        assert 0 <= len(added[s.player]) - len(added[1 - s.player]) <= 1
        red, blue = stones[0] | added[0], stones[1] | added[1]
        assert value == (1.0 if is_joined(red, game.size, 0) else -1.0)
        assert is_joined(red, game.size, 0) != is_joined(blue, game.size, 1)


def test_playouts_are_worth_what_random_games_are() -> None:
    """Filling the board is the same as playing on at random, which stops early."""
    game = Hex(4)
    s = game.parse_state("R.../.B../..../.... R")
    on, games = machine("cpu"), 20_000
    filled = on.call(total_of, game=game, s=s, games=games, memory=on.memory(game.rollout_words)) / games
    played = zermelo.playouts(game, s, games=games, device="cpu")
    assert filled == pytest.approx(played.mean, abs=5 * 1.5 * played.error)
    assert played.error < 0.01


def distance(game: Hex, s: Any, player: int) -> int:
    """How many stones the player's shortest chain lacks: Dijkstra's way."""
    mine, theirs = cells_of(game, s)[player], cells_of(game, s)[1 - player]
    height = (lambda cell: cell // game.size) if player == 0 else (lambda cell: cell % game.size)
    waiting = [(0 if c in mine else 1, c) for c in range(game.size**2) if height(c) == 0 and c not in theirs]
    heapq.heapify(waiting)
    seen = set()
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if height(cell) == game.size - 1:
            return cost
        if cell not in seen:
            seen.add(cell)
            for other in neighbours(cell, game.size):
                if other not in theirs:
                    heapq.heappush(waiting, (cost + (other not in mine), other))
    raise AssertionError("the other side has won")


@pytest.mark.parametrize("size", [3, 7, 11])
def test_the_estimate_knows_the_shortest_chains(size: int) -> None:
    game = Hex(size)
    for s in states(game, 3):
        if not game.is_terminal(s):
            red, blue = distance(game, s, 0), distance(game, s, 1)
            assert game.missing(s.red, s.blue, game.top, game.bottom) == red
            assert game.missing(s.blue, s.red, game.left, game.right) == blue
            lead = blue - red + (0.5 if s.player == 0 else -0.5)
            assert game.evaluate(s) == pytest.approx(lead / (lead * lead + 4) ** 0.5)


def test_the_estimate_beats_random_play() -> None:
    game, wins = Hex(5), 0
    for seed in range(20):
        random, s, ours = Random(seed), game.initial(), seed % 2
        while not game.is_terminal(s):
            if game.to_move(s) == ours:
                s = game.result(s, zermelo.alphabeta(game, s, depth=1, device="python").action)
            else:
                s = game.result(s, random.choice(list(game.actions(s))))
        wins += s.winner == ours
    assert wins >= 19


# --- names and boards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Hex(2), Hex(3, swap=True), Hex(11), Hex(19, swap=True)], ids=repr)
def test_positions_are_read_back(game: Hex) -> None:
    for s in states(game, 3 if game.size < 19 else 1)[:: 1 if game.size < 11 else 9]:
        assert game.parse_state(game.format_state(s)) == s
        picture = game.svg(s)
        ElementTree.fromstring(picture)
        drawn = [int(action) for action in re.findall(r'data-action="(\d+)"', picture)]
        assert drawn == ([] if game.is_terminal(s) else list(game.actions(s)))


def test_the_order_of_play_is_read() -> None:
    game = Hex(5, swap=True)
    assert game.parse_state("d2 swap A1") == game.parse_state("R..../...../...../.B.../..... B")
    with pytest.raises(BadState, match=r"move 3: 'a1' is no empty cell"):
        game.parse_state("a1 b1 a1")
    with pytest.raises(BadState, match=r"move 2: 'e6' is no empty cell"):
        game.parse_state("a1 e6")


def test_text() -> None:
    game = Hex(3)
    assert game.text(game.parse_state("b2 a3 c1")).splitlines() == [
        "   a b c",
        " 1 . . R",
        "  2 . R .",
        "   3 B . .",
        "      Blue moves",
    ]
    assert "Red has won" in game.text(game.parse_state("b1 a1 b2 a2 b3"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no board"),
        ("swap", "no board"),
        (".../.../...", "no board"),
        (".../.../... X", "no board"),
        (".../.../.. R", "no board"),
        (".../.R./... R", "take turns"),
        ("BB./.R./... R", "take turns"),
        ("B../.../... R", "take turns"),
        ("R.B/R.B/R.. R", "take turns"),
        ("RB./RB./R.B R", "Red had won"),
        ("BBB/RR./RR. B", "Blue had won"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        Hex(3).parse_state(text)


def test_impossible_states_are_refused() -> None:
    game = Hex(3)
    s = game.parse_state("b2 a3 c1")
    for wrong in (
        s._replace(winner=0), s._replace(from_top=game.empty), s._replace(player=0), s._replace(red=game.left),
        s._replace(blue=tuple(word << 3 for word in game.top)), s._replace(winner=NOBODY, blue=s.red),
    ):  # fmt: skip
        with pytest.raises(BadState):
            game.checked_state(wrong)
    for size in (1, 0, 20):
        with pytest.raises(BadParameter, match="size must be 2 to 19"):
            Hex(size)
    for word in ("a3", "d1", "swap", "", "a0", "b22"):
        with pytest.raises(IllegalAction, match="no empty cell"):
            game.parse_action(s, word)
    with pytest.raises(IllegalAction, match="the game is over"):
        game.parse_action(game.parse_state("b1 a1 b2 a2 b3"), "c1")
