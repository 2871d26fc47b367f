"""Othello against a board of its own, cell by cell; its notation; known values; what its evaluation says."""

from functools import cache
from random import Random
from typing import Any

import pytest

import zermelo
from zermelo.bits import each, popcount, u64
from zermelo.compile import kernel, machine
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.othello import Othello
from zermelo.games.othello.evaluation import anchored, neighbours

GAME = Othello()
SIZES = [4, 6, 8]
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
"""Nine moves after which White has no disc left."""


def positions(game: Othello, games: int = 20) -> list[Any]:
    """The states of random games."""
    found = []
    for seed in range(games):
        random, s = Random(seed), game.initial()
        found.append(s)
        while not game.is_terminal(s):
            s = game.result(s, random.choice(list(game.actions(s))))
            found.append(s)
    return found


# --- a plain board ----------------------------------------------------------------------------------------------------


def plain_turned(board: dict[int, str], size: int, action: int, mine: str) -> set[int]:
    """The cells that a new disc turns over."""
    found: set[int] = set()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column, line = action // size + down, action % size + right, set()
            while 0 <= row < size and 0 <= column < size and board[row * size + column] not in (mine, "-"):
                line.add(row * size + column)
                row, column = row + down, column + right
            if 0 <= row < size and 0 <= column < size and board[row * size + column] == mine:
                found |= line
    return found


def plain_actions(board: dict[int, str], size: int, mine: str) -> list[int]:
    """Where discs can be placed, or the pass."""

    def places(sign: str) -> list[int]:
        return [n for n in board if board[n] == "-" and plain_turned(board, size, n, sign)]

    return places(mine) or ([size * size] if places("O" if mine == "X" else "X") else [])


def plain_board(game: Othello, s: Any) -> dict[int, str]:
    """The signs by cell."""
    return dict(enumerate(game.format_state(s).split()[0]))


@pytest.mark.parametrize("size", SIZES)
def test_random_play_on_a_plain_board(size: int) -> None:
    game, passes = Othello(size), 0
    for s in positions(game, 12):
        board, mine = plain_board(game, s), "XO"[s.player]
        legal = list(game.actions(s))
        assert legal == plain_actions(board, size, mine)
        assert game.is_terminal(s) == (not legal)
        for action in legal:
            wanted = dict(board)
            if action < size * size:
                wanted |= dict.fromkeys({action} | plain_turned(board, size, action, mine), mine)
            else:
                passes += 1
            after = game.result(s, action)
            assert plain_board(game, after) == wanted
            assert game.to_move(after) == 1 - s.player
    assert passes > 0


@pytest.mark.parametrize("size", SIZES)
def test_random_boards(size: int) -> None:
    """Boards that no play comes to: lines of all lengths in all directions."""
    game, random, cells = Othello(size), Random(size), size * size
    for _ in range(60):
        marks = random.choices("XO-", weights=[3, 5, 2], k=cells)
        black, white = (sum(1 << n for n in range(cells) if marks[n] == sign) for sign in "XO")
        s, board = game.State(black, white, 0), dict(enumerate(marks))
        assert list(game.actions(s)) == plain_actions(board, size, "X")
        for action in game.actions(s):
            if action < cells:
                gained = plain_turned(board, size, action, "X")
                assert set(each(game.result(s, action).black ^ s.black)) == gained | {action}


# --- known values -----------------------------------------------------------------------------------------------------


def test_four_by_four_is_whites_by_eight() -> None:
    game = Othello(size=4)

    @cache
    def lead(s: Any) -> int:
        """Black's discs less White's, if both play for that."""
        below = [lead(game.result(s, action)) for action in game.actions(s)]
        if not below:
            return popcount(s.black) - popcount(s.white)
        return max(below) if s.player == 0 else min(below)

    assert lead(game.initial()) == -8
    found = zermelo.alphabeta(game, bounds=True, symmetry=True, device="cpu")
    assert (found.value, found.bound) == (-1.0, "exact")


@kernel
def games_that_end(game, s, depth, memory, top):
    """The number of games that are over after at most `depth` actions."""
    end = game.fill(s, memory, top)
    if end == top:
        return 1
    if depth == 0:
        return 0
    count = 0
    for i in range(top, end):
        count += games_that_end(game, game.result(s, memory[i]), depth - 1, memory, end)
    return count


def ended(game: Othello, depth: int) -> int:
    on = machine("cpu")
    memory = on.memory(game.max_actions * (depth + 2))
    return on.call(games_that_end, game=game, s=game.initial(), depth=depth, memory=memory, top=0)


def test_all_games_on_the_small_board() -> None:
    assert ended(Othello(size=4), 30) == 60_060


def test_counts_as_others_publish_them() -> None:
    """Aart Bik's perft counts a game that has ended as if both sides passed on for ever."""
    assert [ended(GAME, depth) for depth in (8, 9)] == [0, 228]
    assert zermelo.perft(GAME, 9) == 3_005_288
    assert zermelo.perft(GAME, 10) + 228 == 24_571_284


def test_the_shortest_game() -> None:
    s = GAME.parse_state(WIPE_OUT)
    assert GAME.is_terminal(s)
    assert (popcount(s.black), popcount(s.white)) == (13, 0)
    assert [GAME.utility(s, player) for player in (0, 1)] == [1.0, -1.0]
    with pytest.raises(BadState, match=r"move 10: .* the game is over"):
        GAME.parse_state(WIPE_OUT + "a1")


def test_equal_numbers_are_a_draw() -> None:
    s = GAME.State(2**64 - 2**32, 2**32 - 1, 0)
    assert GAME.is_terminal(s)
    assert [GAME.utility(s, player) for player in (0, 1)] == [0.0, 0.0]


def test_random_play_in_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("othello")
    for seed in range(60):
        random, s, state = Random(seed), GAME.initial(), theirs.new_initial_state()
        while not state.is_terminal():
            assert list(GAME.actions(s)) == state.legal_actions()
            assert GAME.to_move(s) == state.current_player()
            action = random.choice(state.legal_actions())
            s = GAME.result(s, action)
            state.apply_action(action)
        assert GAME.is_terminal(s)
        assert [GAME.utility(s, player) for player in (0, 1)] == state.returns()


# --- symmetry ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_symmetries(size: int) -> None:
    game = Othello(size)
    assert len({tuple(game.transform_action(n, k) for n in range(size * size)) for k in range(8)}) == 8
    first = game.initial()
    kept = [k for k in range(8) if game.transform(first, k) == first]
    exchanged = [k for k in range(8) if game.transform(first, k) == game.State(first.white, first.black, 0)]
    assert len(kept) == len(exchanged) == 4
    for s in positions(game, 2):
        for k in range(8):
            other = game.transform(s, k)
            assert game.checked_state(other) == other
            assert game.score(other) == game.score(s)
            assert {game.transform_action(a, k) for a in game.actions(s)} == set(game.actions(other))


# --- names and boards -------------------------------------------------------------------------------------------------


def test_names_of_actions() -> None:
    s = GAME.initial()
    assert [GAME.format_action(s, action) for action in GAME.actions(s)] == ["d3", "c4", "f5", "e6"]
    assert GAME.parse_action(s, " D3 ") == 19
    for wrong in ("a1", "d4", "pass", "--", "", "d33", "no such move"):
        with pytest.raises(IllegalAction, match="legal: d3, c4, f5, e6"):
            GAME.parse_action(s, wrong)
    s = GAME.parse_state("---OOOOO-XXXOOOOO-XOXXXOOXXXOXXOOXOOXOXOOXOOXXXOOOXXXXXOOX-X---- X")
    assert [GAME.format_action(s, action) for action in GAME.actions(s)] == ["pass"]
    for written in ("pass", "PASS", "--", "pa", "ps"):
        assert GAME.parse_action(s, written) == 64
    assert GAME.result(s, 64) == s._replace(player=1)


def test_positions_are_read_back() -> None:
    for size in SIZES:
        game = Othello(size)
        for s in positions(game, 6):
            assert game.parse_state(game.format_state(s)) == s
    first = GAME.initial()
    assert GAME.format_state(first) == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"
    rows = "........ ........ ........ ...ox... ...xo... ........ ........ ........ x"
    assert GAME.parse_state(rows) == first
    assert GAME.parse_state("f5 d6 c3") == GAME.parse_state("F5D6C3") != first


def test_passes_are_left_out_of_the_order_of_play() -> None:
    """Random games written without their passes are read back."""
    games_with_passes = 0
    for seed in range(30):
        random, s, cells = Random(seed), GAME.initial(), []
        while not GAME.is_terminal(s):
            action = random.choice(list(GAME.actions(s)))
            games_with_passes += action == 64
            if action != 64:
                cells.append(GAME.format_action(s, action))
            s = GAME.result(s, action)
        read = GAME.parse_state("".join(cells))
        assert (read.black, read.white) == (s.black, s.white)
    assert games_with_passes


MIDDLE = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no board"),
        ("X", "no board"),
        (MIDDLE, "no board"),
        (MIDDLE + " Z", "no board"),
        ("-" + MIDDLE + " X", "no board"),
        ("f5d6a1", "move 3"),
        ("f5i9", "no board"),
        ("f5d", "no board"),
        ("-" * 64 + " X", "never empty"),
        ("X" + MIDDLE[1:] + " X", "a1 stands apart"),
        ("X--X" + MIDDLE[4:] + " O", "a1 stands apart"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        GAME.parse_state(text)


def test_impossible_states_are_refused() -> None:
    first = GAME.initial()
    for wrong in (first._replace(player=2), first._replace(player=-1), first._replace(white=first.black)):
        with pytest.raises(BadState):
            GAME.checked_state(wrong)
    small = Othello(size=4)
    with pytest.raises(BadState, match="on the board"):
        small.checked_state(small.initial()._replace(black=u64(1) << 40))
    for size in (0, 2, 3, 5, 10):
        with pytest.raises(BadParameter, match="size must be 4, 6 or 8"):
            Othello(size)


def test_text() -> None:
    game = Othello(size=4)
    assert game.text(game.parse_state("b1")).splitlines() == [
        "  a b c d",
        "1 - X - -",
        "2 - X X -",
        "3 - X O -",
        "4 - - - -",
        "X 4, O 1; O moves",
    ]


# --- the estimate -----------------------------------------------------------------------------------------------------


def test_the_estimate_is_the_sum_of_its_parts_and_fair() -> None:
    for size in SIZES:
        game = Othello(size)
        for s in positions(game, 3):
            parts = game.explain(s)
            assert sum(parts.values()) == game.score(s)
            assert game.evaluate(s) == game.expected(game.score(s))
            exchanged = game.explain(game.State(s.white, s.black, 1 - s.player))
            assert {name: -value for name, value in parts.items()} == exchanged


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_and_edges_on_a_plain_board(size: int) -> None:
    random, cells = Random(1), range(size * size)
    for _ in range(40):
        board = sum(1 << n for n in random.sample(cells, random.randint(0, size * size)))
        own = set(each(u64(board)))
        near = {
            n for n in cells for m in own
            if n != m and abs(n // size - m // size) <= 1 and abs(n % size - m % size) <= 1
        }  # fmt: skip
        assert set(each(neighbours(u64(board), size))) == near
        kept = set()
        for corner, steps in ((0, (1, size)), (size - 1, (-1, size)), (size * (size - 1), (1, -size)),
                              (size * size - 1, (-1, -size))):  # fmt: skip
            for step in steps if corner in own else ():
                line = [corner + step * n for n in range(1, size)]
                while line and line[0] in own:
                    kept.add(line.pop(0))
        assert set(each(anchored(u64(board), size))) == kept - {0, size - 1, size * (size - 1), size * size - 1}


def test_what_the_parts_count() -> None:
    assert list(GAME.explain(GAME.initial())) == [
        "discs", "corners", "x_squares", "c_squares", "stable_edges", "mobility", "frontier", "parity",
    ]  # fmt: skip
    cornered = GAME.explain(GAME.State(u64(0b111), u64(1) << 63 | u64(1) << 54, 0))
    assert cornered["corners"] == 0
    assert cornered["stable_edges"] > 0
    assert GAME.explain(GAME.State(u64(1) << 9, u64(1) << 20, 0))["x_squares"] < 0
    assert GAME.explain(GAME.State(u64(1) << 1, u64(1) << 20, 0))["c_squares"] < 0
    assert [round(GAME.expected(score), 2) for score in (-150, 0, 40, 150, 900_000)] == [-0.71, 0.0, 0.26, 0.71, 1.0]


@pytest.mark.slow
def test_a_search_with_the_estimate_beats_one_that_counts() -> None:
    def most_discs(s: Any) -> float:
        return (popcount(s.black) - popcount(s.white)) / 65

    total = 0.0
    for seed in range(4):
        for ours in (0, 1):
            random, s, ply = Random(seed), GAME.initial(), 0
            while not GAME.is_terminal(s):
                if ply < 6:
                    s = GAME.result(s, random.choice(list(GAME.actions(s))))
                else:
                    evaluate = None if GAME.to_move(s) == ours else most_discs
                    s = GAME.result(s, zermelo.alphabeta(GAME, s, depth=3, evaluate=evaluate, device="cpu").action)
                ply += 1
            total += GAME.utility(s, ours)
    assert total > 3
