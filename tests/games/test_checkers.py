"""Checkers against a board of its own, cell by cell; its notation; what its evaluation says; OpenSpiel's rules."""

from random import Random
from typing import Any

import pytest

import zermelo
from zermelo.errors import BadParameter, BadState, IllegalAction
from zermelo.games.checkers import Checkers, evaluation
from zermelo.games.checkers.moves import LONGEST, captures
from zermelo.notation import pgn

GAME = Checkers()
NINE = "B:W6,7,8,14,15,16,22,23,24:BK1"
"""Nine pieces stand so that a king can capture them in one jump."""


def names(fen: str) -> set[str]:
    """The legal actions of a position, by name."""
    s = GAME.parse_state(fen)
    return {GAME.format_action(s, action) for action in GAME.actions(s)}


def after(fen: str, *moves: str) -> str:
    """The position after these moves."""
    s = GAME.parse_state(fen)
    for move in moves:
        s = GAME.result(s, GAME.parse_action(s, move))
    return GAME.format_state(s)


def positions(games: int = 30) -> list[Any]:
    """The states of random games."""
    found = []
    for seed in range(games):
        random, s = Random(seed), GAME.initial()
        found.append(s)
        while not GAME.is_terminal(s):
            s = GAME.result(s, random.choice(list(GAME.actions(s))))
            found.append(s)
    return found


# --- a plain board ----------------------------------------------------------------------------------------------------


def cell(square: int) -> tuple[int, int]:
    """Row and column of a square; square 1 is the second cell of the first row."""
    row, number = divmod(square - 1, 4)
    return row, 2 * number + 1 - row % 2


SQUARE = {cell(square): square for square in range(1, 33)}


def plain_board(fen: str) -> tuple[str, dict[tuple[int, int], str]]:
    """The side to move, and a letter on each cell that is taken: b, w, or B, W for kings."""
    mover, *sides = fen.split(":")
    board = {}
    for side in sides:
        for piece in side[1:].split(",") if side[0] in "BW" and side[1:] else ():
            letter = side[0] if piece[0] == "K" else side[0].lower()
            board[cell(int(piece.lstrip("K")))] = letter
    return mover.lower(), board


def directions(piece: str) -> list[tuple[int, int]]:
    """Where a piece may go."""
    rows = (1, -1) if piece.isupper() else (1,) if piece == "b" else (-1,)
    return [(row, column) for row in rows for column in (-1, 1)]


def plain_jumps(board: dict[tuple[int, int], str], here: tuple[int, int], piece: str) -> list[list[tuple[int, int]]]:
    """The cells that a piece passes on each way to capture from here; `board` is without the piece."""
    found = []
    for row, column in directions(piece):
        over, to = (here[0] + row, here[1] + column), (here[0] + 2 * row, here[1] + 2 * column)
        if over in board and board[over].lower() != piece.lower() and to in SQUARE and to not in board:
            left = {place: other for place, other in board.items() if place != over}
            found += [[here, *rest] for rest in plain_jumps(left, to, piece) or [[to]]]
    return found


def plain_actions(fen: str) -> set[str]:
    """The names of the legal actions."""
    mover, board = plain_board(fen)
    jumps, steps = set(), set()
    for here, piece in board.items():
        if piece.lower() == mover:
            others = {place: other for place, other in board.items() if place != here}
            for way in plain_jumps(others, here, piece):
                jumps.add("x".join(str(SQUARE[place]) for place in way))
            for row, column in directions(piece):
                to = here[0] + row, here[1] + column
                if to in SQUARE and to not in board:
                    steps.add(f"{SQUARE[here]}-{SQUARE[to]}")
    return jumps or steps


def plain_result(fen: str, name: str) -> dict[tuple[int, int], str]:
    """The board after an action."""
    _, board = plain_board(fen)
    way = [cell(int(square)) for square in name.replace("x", "-").split("-")]
    piece = board.pop(way[0])
    if "x" in name:
        for here, to in zip(way, way[1:], strict=False):
            del board[(here[0] + to[0]) // 2, (here[1] + to[1]) // 2]
    crowned = way[-1][0] == (7 if piece == "b" else 0)
    board[way[-1]] = piece.upper() if crowned else piece
    return board


def test_random_play_on_a_plain_board() -> None:
    longest = 0
    for s in positions(40):
        fen = GAME.format_state(s)
        legal = {GAME.format_action(s, action): action for action in GAME.actions(s)}
        assert set(legal) == plain_actions(fen)
        for name, action in legal.items():
            assert plain_board(GAME.format_state(GAME.result(s, action)))[1] == plain_result(fen, name)
            assert captures(action) == name.count("x")
            longest = max(longest, captures(action))
    assert longest >= 3


def test_random_kings_on_a_plain_board() -> None:
    random, most = Random(5), 0
    for _ in range(400):
        squares = random.sample(range(1, 33), random.randint(2, 20))
        sides: tuple[list[str], list[str]] = ([], [])
        for i, square in enumerate(squares):
            king = random.random() < 0.5 or square <= 4 or square >= 29
            sides[i % 2].append(f"{'K' if king else ''}{square}")
        fen = f"{random.choice('BW')}:W{','.join(sides[0])}:B{','.join(sides[1])}"
        assert names(fen) == plain_actions(fen), fen
        most = max(most, len(names(fen)))
    assert most <= GAME.max_actions


# --- rules ------------------------------------------------------------------------------------------------------------


def test_the_first_position() -> None:
    s = GAME.initial()
    assert GAME.format_state(s) == "B:W" + ",".join(map(str, range(21, 33))) + ":B" + ",".join(map(str, range(1, 13)))
    assert names(GAME.format_state(s)) == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert GAME.to_move(s) == 0
    assert str(GAME.traits) == "2 players, deterministic, perfect information, turns, zero sum"


def test_who_can_capture_must_but_may_choose() -> None:
    assert names("B:W18,19,32:B1,15") == {"15x22", "15x24"}
    assert names("B:W18,25,19,32:B1,15") == {"15x22x29", "15x24"}, "the shorter jump is legal too"
    assert names("B:W18,25,19,32:B1,15").isdisjoint({"15x22"}), "a jump goes on to its end"


def test_a_man_becomes_a_king_and_stops() -> None:
    assert after("B:W32:B27", "27-31") == "W:W32:BK31"
    # The new king could go on over 26, but its turn has ended.
    assert names("B:W26,27:B24") == {"24x31"}
    assert after("B:W26,27:B24", "24x31") == "W:W26:BK31"
    assert names("B:W26,27:BK24") == {"24x31x22"}


def test_a_king_may_come_back_to_where_it_was() -> None:
    round_trip = names("B:W6,7,14,15:BK2")
    assert round_trip == {"2x9x18x11x2", "2x11x18x9x2"}
    assert after("B:W6,7,14,15,32:BK2", "2x9x18x11x2") == "W:W32:BK2"


def test_the_longest_jump() -> None:
    s = GAME.parse_state(NINE)
    assert max(captures(action) for action in GAME.actions(s)) == LONGEST == 9
    assert names(NINE) == plain_actions(NINE)


def test_who_cannot_move_has_lost() -> None:
    for fen, winner in (("W:W:B1", 0), ("B:WK32:B", 1), ("W:W13:B9,6", 0), ("B:W21,25,K30:B17,14,22", None)):
        s = GAME.parse_state(fen)
        assert GAME.is_terminal(s) == (winner is not None), fen
        if winner is not None:
            assert [GAME.utility(s, player) for player in (0, 1)] == [1.0 - 2 * winner, 2.0 * winner - 1]


def test_forty_moves_of_kings_are_a_draw() -> None:
    fen = "B:WK32:BK1"
    s = GAME.parse_state(fen)
    for ply in range(80):
        assert not GAME.is_terminal(s)
        assert GAME.reversible(s) == ply
        s = GAME.result(s, next(iter(GAME.actions(s))))
    assert GAME.is_terminal(s)
    assert [GAME.utility(s, player) for player in (0, 1)] == [0.0, 0.0]
    assert after("B:WK32:B9,K1:H7", "9-13") == "W:WK32:BK1,13", "men begin the count anew"
    assert after("B:WK10,K32:BK6:H7", "6x15") == "W:WK32:BK15", "and so do captures"
    quick = Checkers(draw_after=1)
    assert quick.is_terminal(quick.result(s._replace(quiet=0), next(iter(quick.actions(s)))))
    with pytest.raises(BadParameter, match="draw_after"):
        Checkers(draw_after=0)


def test_a_blockade_wins_on_the_last_of_the_forty_moves_too() -> None:
    s = GAME.parse_state(after("B:WK29:B22,K30:H79", "30-25"))
    assert s.quiet == GAME.draw_after
    assert GAME.is_terminal(s)
    assert [GAME.utility(s, player) for player in (0, 1)] == [1.0, -1.0]


def test_threefold_repetition_is_a_draw() -> None:
    s = GAME.parse_state("B:WK32:BK1,K3")
    moves = ("1-5", "32-28", "5-1", "28-32")
    history = [s]
    for move in (*moves, *moves):
        s = GAME.play(s, GAME.parse_action(s, move))
        history.append(s)
    assert GAME.repetition == ("draw", 3)
    assert [GAME.key(state) for state in history].count(GAME.key(s)) == 3
    assert len(set(history)) == len(history), "how long only kings have moved is part of the state, not of the key"
    assert zermelo.alphabeta(GAME, s, history=history[:-1], depth=3, device="python").value == 0.0


# --- names and boards -------------------------------------------------------------------------------------------------


def test_names_of_actions() -> None:
    s = GAME.parse_state("B:W18,25,19,32:B1,15")
    jump = GAME.parse_action(s, "15x22x29")
    assert GAME.format_action(s, jump) == "15x22x29"
    for short in ("15x29", " 15X29 ", "15:29", "15-29", "15-22-29"):
        assert GAME.parse_action(s, short) == jump
    for wrong in ("15x22", "15-18", "1-5", "15x24x22", "x", "15", "15xx29", "", "no such move", "15x24x29"):
        with pytest.raises(IllegalAction, match="legal: 15x22x29, 15x24"):
            GAME.parse_action(s, wrong)
    with pytest.raises(IllegalAction, match="none, the game is over"):
        GAME.parse_action(GAME.parse_state("W:W:B1"), "1-5")
    first = GAME.initial()
    with pytest.raises(IllegalAction):
        GAME.parse_action(first, "11x15")


def test_short_names_must_be_clear() -> None:
    s = GAME.parse_state("B:W6,7,14,15:BK2")
    with pytest.raises(IllegalAction, match="'2x2' may be several jumps: write 2x"):
        GAME.parse_action(s, "2x2")
    assert GAME.format_action(s, GAME.parse_action(s, "2x9x18x2")) == "2x9x18x11x2"


def test_positions_are_read_back() -> None:
    for s in positions():
        assert GAME.parse_state(GAME.format_state(s)) == s
    first = GAME.initial()
    for fen in ("B:W21-32:B1-12", "b:b1-12:w21-32", " B:W21-32:B1-12:H0:F1 ", "B:W21-32:B1-12."):
        assert GAME.parse_state(fen) == first
    assert GAME.format_state(GAME.parse_state("W:WK1-3,30:BK9:H5")) == "W:WK1,K2,K3,30:BK9:H5"


def test_games_of_draughts_files_are_read() -> None:
    text = """[Event "?"]
[Result "1/2-1/2"]
[GameType "21"]

1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 {a double} 27x11 5. 7x16 20x11 1/2-1/2
"""
    (record,) = pgn.read(text, game=GAME)
    assert record.errors == []
    assert [GAME.format_action(s, a) for s, a in zip(record.states(), record.actions, strict=False)][6:8] == [
        "16x23", "27x18x11",
    ]  # fmt: skip
    (again,) = pgn.read(pgn.write({}, GAME, None, record.actions))
    assert again.actions == record.actions


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "no position"),
        ("B", "no position"),
        ("X:W21:B1", "no position"),
        ("B:W21:W22", "no position"),
        ("B:W21:B1:H", "no position"),
        ("B:W33:B1", "squares 1 to 32"),
        ("B:W0:B1", "squares 1 to 32"),
        ("B:W12-9:B1", "squares 1 to 32"),
        ("B:W21,,22:B1", "squares 1 to 32"),
        ("B:W21,21:B1", "taken already"),
        ("B:W21:B21", "taken already"),
        ("B:W21:B29", "K29"),
        ("W:W4:B9", "K4"),
        ("B:W13-25:B1", "13 pieces"),
        ("W:W21:B", "Black has just moved"),
        ("B:W:B1", "White has just moved"),
        ("B:W21:BK1:H1", "none who could have"),
        ("B:WK21:B1:H2", "none who could have"),
        ("B:WK21:BK1:H81", "drawn after 80"),
    ],
)
def test_impossible_positions_are_refused(fen: str, reason: str) -> None:
    with pytest.raises(BadState, match=reason):
        GAME.parse_state(fen)


@pytest.mark.parametrize(
    "fields",
    [
        {"black": 1 << 8},
        {"black": -1},
        {"white": 1 << 40},
        {"kings": 1 << 15},
        {"player": 2},
        {"quiet": -1},
        {"white": GAME.initial().black},
    ],
)
def test_impossible_states_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(BadState):
        GAME.checked_state(GAME.initial()._replace(**fields))


def test_text() -> None:
    assert GAME.text(GAME.parse_state("W:W21,K5:B1,K31:H2")).splitlines() == [
        "  b   .   .   .  1-4",
        "W   .   .   .    5-8",
        "  .   .   .   .  9-12",
        ".   .   .   .   13-16",
        "  .   .   .   . 17-20",
        "w   .   .   .   21-24",
        "  .   .   .   . 25-28",
        ".   .   B   .   29-32",
        "White moves, 2 moves by kings alone",
    ]


# --- the estimate -----------------------------------------------------------------------------------------------------


def turned(s: Any) -> Any:
    """The position with the board turned round and the colours exchanged."""
    sides = []
    for board in (s.white, s.black):
        squares = [33 - int(name.lstrip("K")) for name in fen_squares(board)]
        sides.append(evaluation.squares(*squares))
    kings = evaluation.squares(*(33 - int(name) for name in fen_squares(s.kings)))
    return GAME.State(sides[0], sides[1], kings, 1 - s.player, s.quiet)


def fen_squares(board: int) -> list[str]:
    return [str(square) for square in range(1, 33) if board & evaluation.squares(square)]


def test_the_estimate_is_the_sum_of_its_parts_and_fair() -> None:
    for s in positions(12):
        parts = GAME.explain(s)
        assert sum(parts.values()) == GAME.score(s)
        assert GAME.evaluate(s) == GAME.expected(GAME.score(s))
        assert {name: -value for name, value in parts.items()} == GAME.explain(turned(s))
        assert abs(GAME.score(s)) < 900_000


def test_what_the_parts_count() -> None:
    def part(name: str, fen: str) -> int:
        return GAME.explain(GAME.parse_state(fen))[name]

    assert list(GAME.explain(GAME.initial())) == [
        "men", "kings", "back_row", "centre", "edges", "advancement", "runaways", "mobility", "trapped", "the_move",
    ]  # fmt: skip
    assert part("men", "B:W21,22:B1,2,3") > 0 > part("men", "B:W21,22,23,24:B1,2,3")
    assert part("kings", "B:W21:BK3") > 0
    assert part("runaways", "B:WK32:B21") > 0 == part("runaways", "B:WK30:B21")
    assert part("trapped", "B:WK29:B1,21") > 0, "the king could only go where it is captured"
    assert part("the_move", "B:W32:B1") == -part("the_move", "W:W32:B1") != 0
    ahead = GAME.parse_state("B:W21,22:B1,2,3")
    assert 0 < GAME.evaluate(ahead) < 1
    assert GAME.expected(0) == 0
    assert [round(GAME.expected(score), 2) for score in (-185, 50, 185, 900_000)] == [-0.71, 0.26, 0.71, 1.0]


@pytest.mark.slow
def test_a_search_with_the_estimate_beats_one_that_counts() -> None:
    def material(s: Any) -> float:
        return evaluation.difference(s.black, s.white) / 13

    total = 0.0
    for seed in range(6):
        for ours in (0, 1):
            random, s = Random(seed), GAME.initial()
            for ply in range(120):
                if GAME.is_terminal(s):
                    break
                if ply < 6:
                    s = GAME.result(s, random.choice(list(GAME.actions(s))))
                else:
                    evaluate = None if GAME.to_move(s) == ours else material
                    s = GAME.result(s, zermelo.alphabeta(GAME, s, depth=4, evaluate=evaluate, device="cpu").action)
            result = GAME.utility(s, 0) if GAME.is_terminal(s) else 0.0
            total += result if ours == 0 else -result
    assert total > 0


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def coordinate(square: int) -> str:
    """OpenSpiel's name of a square: its first player sits at the bottom, so that the board is turned."""
    row, column = cell(square)
    return f"{'abcdefgh'[7 - column]}{row + 1}"


def test_random_play_in_openspiel() -> None:
    """The same legal jumps and steps, and the same winners.

    OpenSpiel plays a jump as several actions of one player. It knows no repetition, and it calls a game a draw when
    nothing was captured in forty plies, be it that men have moved: such games are followed to that point.
    """
    pyspiel = pytest.importorskip("pyspiel")
    theirs, decided = pyspiel.load_game("checkers"), 0
    for seed in range(60):
        random, s, state = Random(seed), GAME.initial(), theirs.new_initial_state()
        calm = 0
        while not state.is_terminal():
            legal = list(GAME.actions(s))
            paths = {action: GAME.format_action(s, action).replace("x", "-").split("-") for action in legal}
            firsts = {coordinate(int(path[0])) + coordinate(int(path[1])) for path in paths.values()}
            assert firsts == {state.action_to_string(action) for action in state.legal_actions()}
            action = random.choice(legal)
            for here, to in zip(paths[action], paths[action][1:], strict=False):
                assert state.current_player() == s.player
                step = coordinate(int(here)) + coordinate(int(to))
                state.apply_action(state.string_to_action(step))
            calm = 0 if captures(action) else calm + 1
            s = GAME.result(s, action)
            assert state.is_terminal() or state.current_player() == s.player
        if GAME.is_terminal(s):
            decided += 1
            assert state.returns() == [GAME.utility(s, 0), GAME.utility(s, 1)]
        else:
            assert state.returns() == [0.0, 0.0]
            assert calm == 40
    assert decided > 40
