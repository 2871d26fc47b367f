"""Chess against python-chess: legal moves, notation, ends of games; and what people see of it."""

import random
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

import zermelo
from zermelo import BadParameter, BadState, IllegalAction, game
from zermelo.bits import bit, each
from zermelo.compile import kernel, machine
from zermelo.games.chess.exchange import WORTH, exchange_wins, kind_on
from zermelo.games.chess.moves import in_check, is_bare, is_mate
from zermelo.games.chess.notation import first_rank, number_of

chess = pytest.importorskip("chess")

CHESS = game("chess")
SHUFFLED = game("chess", variant="chess960")


def both(number=None):
    """A game and python-chess's board, at their first positions."""
    if number is None:
        return CHESS, CHESS.initial(), chess.Board()
    board = chess.Board.from_chess960_pos(number)
    return SHUFFLED, SHUFFLED.parse_state(board.fen()), board


def assert_same_position(of, s, board):
    """Legal moves, their names in both notations, and the position itself."""
    moves = {board.uci(move): move for move in board.legal_moves}
    actions = {of.format_uci(s, action): action for action in of.actions(s)}
    assert actions.keys() == moves.keys(), board.fen()
    for name, action in actions.items():
        written = board.san(moves[name])
        assert of.format_action(s, action) == written, board.fen()
        for text in (written, name, board.lan(moves[name]), written.rstrip("+#") + "!?"):
            assert of.parse_action(s, text) == action, (board.fen(), text)
        assert of.parse_uci(s, name) == action
    assert of.format_state(s) == board.fen()
    assert of.parse_state(board.fen()) == s == of.checked_state(s)
    assert in_check(s) == board.is_check()
    assert is_mate(s) == board.is_checkmate()
    assert is_bare(s) == board.is_insufficient_material()
    return actions, moves


@pytest.mark.parametrize("number", [None, 0, 93, 959, 344])
def test_random_games(number):
    of, s, board = both(number)
    source = random.Random(f"chess {number}")
    for _ in range(60):
        actions, moves = assert_same_position(of, s, board)
        if of.is_terminal(s):
            break
        name = source.choice(sorted(actions))
        s = of.result(s, actions[name])
        board.push(moves[name])


def scattered(source):
    """A random legal position with few or many pieces, where pins, double checks and mates are common."""
    while True:
        board = chess.Board(None)
        squares = source.sample(range(64), source.randrange(4, 16))
        for square, kind in zip(squares, [chess.KING, chess.KING], strict=False):
            board.set_piece_at(square, chess.Piece(kind, square == squares[0]))
        for square in squares[2:]:
            pawns = 8 <= square < 56
            kind = source.choice([*([chess.PAWN] * 3 * pawns), *range(chess.KNIGHT, chess.KING)])
            board.set_piece_at(square, chess.Piece(kind, source.random() < 0.5))
        board.turn = source.random() < 0.5
        if board.is_valid():
            return board


def test_scattered_positions():
    source = random.Random(64)
    for _ in range(150):
        board = scattered(source)
        assert_same_position(CHESS, CHESS.parse_state(board.fen()), board)


CORNERS = [
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",  # a capture in passing that uncovers a check along the rank
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/2KpP3/8/8/8/8 w - d6 0 1",
    "8/8/8/1k6/2Pp4/8/8/4K3 b - c3 0 1",  # the pawn that gives check can be taken in passing
    "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/5r2/8/8/R3K2R w KQkq - 0 1",
    "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "7k/P7/8/8/8/8/p7/7K b - - 0 1",
    "3k4/8/8/8/8/8/Q1Q5/Q3K3 w - - 0 1",
    "7k/2N1N3/1N3N2/8/1N3N2/2N1N3/8/K7 w - - 0 1",
]


@pytest.mark.parametrize("fen", CORNERS)
def test_corners(fen):
    board = chess.Board(fen)
    assert_same_position(CHESS, CHESS.parse_state(fen), board)


SHUFFLED_CORNERS = [
    "4k3/8/8/8/8/8/8/qRK5 w B - 0 1",  # the rook shields its king
    "1k6/8/8/8/8/8/8/2R1K1R1 w GC - 0 1",
    "4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1",
    "4k3/8/8/8/8/8/8/1RR2K1R w HC - 0 1",
    "4k3/8/8/8/8/8/8/5RKR w HF - 0 1",
    "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1",
]


@pytest.mark.parametrize("fen", SHUFFLED_CORNERS)
def test_castling_in_chess960(fen):
    board = chess.Board(fen, chess960=True)
    s = SHUFFLED.parse_state(fen)
    assert_same_position(SHUFFLED, s, board)
    assert SHUFFLED.parse_state(board.fen(shredder=True)) == s


def ending(of, s, seen):
    """How a game has ended, if it has."""
    if not list(of.actions(s)):
        return "checkmate" if of.utility(s, 0) else "stalemate"
    if is_bare(s):
        return "insufficient material"
    if of.is_over(s):
        return "fifty moves"
    return "repetition" if seen[of.key(s)] >= 3 else ""


def ending_of(board):
    """The same, by python-chess."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_fifty_moves():
        return "fifty moves"
    return "repetition" if board.is_repetition(3) else ""


STARTS = [
    "4k3/8/8/8/8/8/PP6/4K2R w K - 0 1",
    "8/8/8/3k4/8/8/4q3/7K b - - 90 60",
    "8/8/8/8/8/6k1/5q2/7K b - - 0 1",
    "k7/8/1K6/8/8/8/8/1R6 w - - 0 1",
    "8/8/2bk4/8/8/3KN3/8/8 w - - 80 1",
    "kb6/8/8/8/8/8/8/KB6 w - - 0 1",
    "k7/p1p5/P1P5/8/8/p1p5/P1P5/K7 w - - 0 1",
    chess.STARTING_FEN,
]


def test_games_end_as_they_should():
    source, found = random.Random(50), Counter()
    for start in STARTS:
        for _ in range(4):
            board, s, seen = chess.Board(start), CHESS.parse_state(start), Counter()
            seen[CHESS.key(s)] += 1
            for _ in range(150):
                how = ending(CHESS, s, seen)
                assert how == ending_of(board), board.fen()
                assert CHESS.is_terminal(s) == (how not in ("", "repetition"))
                if how:
                    found[how] += 1
                    break
                action = source.choice(list(CHESS.actions(s)))
                board.push_uci(CHESS.format_uci(s, action))
                s = CHESS.result(s, action)
                seen[CHESS.key(s)] += 1
    assert {"checkmate", "stalemate", "insufficient material", "fifty moves", "repetition"} <= found.keys()


def test_who_wins():
    mate = CHESS.parse_state("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert CHESS.is_terminal(mate)
    assert (CHESS.utility(mate, 0), CHESS.utility(mate, 1)) == (-1.0, 1.0)
    late = mate._replace(clock=100)
    assert CHESS.is_terminal(late)
    assert CHESS.utility(late, 1) == 1.0, "mate counts even on the last move before the draw"


def test_repetition_is_seen_by_the_searches():
    s = CHESS.parse_state("7k/8/8/8/8/8/q7/7K w - - 0 1")
    twice = [CHESS.key(state) for _, state in CHESS.successors(s)] * 2
    assert zermelo.minimax(CHESS, s, depth=1, history=twice).value == 0.0


# --- exchanges -------------------------------------------------------------------------------------------------------


def attackers(pieces, square, white):
    """The squares from which a side attacks a square, in a dictionary of pieces."""
    file, rank = square % 8, square // 8
    for across, up in ((x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) if x or y):
        steps = 1 if max(abs(across), abs(up)) == 2 else 8
        if steps == 1 and abs(across) + abs(up) != 3:
            continue
        for i in range(1, steps + 1):
            f, r = file + i * across, rank + i * up
            if not (0 <= f < 8 and 0 <= r < 8):
                break
            kind, colour = pieces.get(8 * r + f, (None, None))
            if kind is None:
                continue
            if colour == white:
                straight = across == 0 or up == 0
                near = i == 1
                pawn = near and not straight and up == (-1 if white else 1)
                if steps == 1:
                    attacks = kind == 1
                else:
                    attacks = (
                        kind == 4 or kind == (3 if straight else 2) or (near and kind == 5) or (pawn and kind == 0)
                    )
                if attacks:
                    yield 8 * r + f
            break


def won(pieces, square, white):
    """What a side wins by taking on a square, always with its least valuable piece, and stopping when it likes."""
    able = sorted(attackers(pieces, square, white), key=lambda start: pieces[start][0])
    if not able:
        return 0
    start = able[0]
    kind, _ = pieces[start]
    after = {**pieces, square: (kind, white)}
    del after[start]
    if kind == 5 and any(attackers(after, square, not white)):
        return 0
    return max(0, WORTH[pieces[square][0]] - won(after, square, not white))


def gain(s, action):
    """What a move wins in the exchange that it begins."""
    start, end, promotion = action & 63, action >> 6 & 63, action >> 12
    pieces = {square: (kind_on(s, square), bool(s.white & bit(square))) for square in each(s.white | s.black)}
    kind, white = pieces.pop(start)
    if end in pieces and pieces[end][1] == white:
        return 0
    taken = WORTH[pieces[end][0]] if end in pieces else 0
    if kind == 0 and end == s.passant:
        taken = WORTH[0]
        del pieces[end - 8 if white else end + 8]
    if promotion:
        kind, taken = promotion, taken + WORTH[promotion] - WORTH[0]
    pieces[end] = (kind, white)
    return taken - won(pieces, end, not white)


def test_exchanges():
    source, looked = random.Random(9), 0
    for _ in range(120):
        s = CHESS.parse_state(scattered(source).fen())
        for action in CHESS.actions(s):
            worth = gain(s, action)
            for least in (-100, 0, 1, 100, worth, worth + 1):
                assert exchange_wins(s, action, least) == (worth >= least), (
                    CHESS.format_state(s),
                    action,
                    worth,
                    least,
                )
                looked += 1
    assert looked > 5_000


# --- first positions -------------------------------------------------------------------------------------------------


def test_first_positions():
    for number in range(960):
        rank = first_rank(number)
        assert rank == chess.Board.from_chess960_pos(number).fen().partition("/")[0]
        assert number_of(rank) == number
    assert CHESS.format_state(CHESS.initial()) == chess.STARTING_FEN
    of = game("chess", variant="chess960", number=0)
    assert of.format_state(of.initial()) == chess.Board.from_chess960_pos(0).fen()
    assert game("chess:variant=chess960,number=7").number == 7


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"variant": "atomic"}, "standard or chess960"),
        ({"variant": "chess960", "number": 960}, "0 .. 959"),
        ({"variant": "chess960", "number": -1}, "0 .. 959"),
        ({"number": 5}, "chess960"),
    ],
)
def test_variants_that_there_are_not(parameters, words):
    with pytest.raises(BadParameter, match=words):
        game("chess", **parameters)


# --- playing on ------------------------------------------------------------------------------------------------------


def test_only_mate_stalemate_and_what_a_fen_can_count_end_a_game_that_plays_on():
    of = game("chess", plays_on=True)
    bare, idle = "8/8/4k3/8/8/3B4/K7/8 w - - 0 1", "4k3/8/8/8/8/8/p6N/K7 w - - 100 80"
    for fen in (bare, idle, "7k/8/6Q1/8/8/8/8/K7 b - - 120 99"):
        s, board = of.parse_state(fen), chess.Board(fen)
        assert CHESS.is_terminal(s)
        assert of.is_terminal(s) == (not any(board.legal_moves))
        assert {of.format_uci(s, action) for action in of.actions(s)} == {board.uci(move) for move in board.legal_moves}
    assert of.is_terminal(of.parse_state("4k3/8/8/8/8/8/p6N/K7 w - - 999 999"))
    mated = of.parse_state("7k/6Q1/6K1/8/8/8/8/8 b - - 120 99")
    assert of.is_terminal(mated)
    assert of.utility(mated, 0) == 1.0


# --- moves as people type them ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "name", "typed"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "O-O 0-0 o-o O-O! e1g1 e1h1 0-0+ OO 00"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "O–O Ke1-g1 Ke1g1! Kg1 Ke1h1 1.O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "O-O-O 0-0-0 e8c8 e8a8 Ke8-c8 kc8 1...0-0-0"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", "O-O-O+ 0-0-0 O-O-O#!? Ke1-c1+ Kc1"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q+", "a8=Q a8Q a8=q a7a8q a7a8Q a7-a8=Q a8(Q) a8/Q a8=Q#"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a8=N a8N a7a8n"),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", "exd6 ed6 e5d6 e5xd6 exd6e.p. exd6ep e:d6 e5−d6 ♙e5xd6"),
        ("k7/8/3p4/8/4N3/8/8/K7 w - - 0 1", "Nxd6", "Nxd6 Nd6 Ne4xd6 Ne4-d6 Ne4d6 e4xd6 ♘d6 ♞xd6 N:d6 12.Nxd6†"),
        ("k7/8/8/8/8/N3N3/8/K7 w - - 0 1", "Nac4", "Nac4 Na3c4 Na3-c4 a3c4 Nac4?! nac4"),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1", "Qh4e1 h4e1 Qh4-e1"),
    ],
)
def test_ways_to_write_a_move(fen, name, typed):
    s = CHESS.parse_state(fen)
    action = CHESS.parse_action(s, name)
    assert CHESS.format_action(s, action) == name
    for text in typed.split():
        assert CHESS.parse_action(s, text) == action, text
    assert CHESS.parse_action(s, f"  {name} ") == action


@pytest.mark.parametrize(
    ("fen", "name", "text"),
    [
        (chess.STARTING_FEN, "e4", "e2 e4"),
        (chess.STARTING_FEN, "e4", "1. e4 !?"),
        (chess.STARTING_FEN, "Nf3", "1 . ... g1 - f3"),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", "exd6 e.p."),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", "e5xd6 e. p. +"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q+", "a8 = Q +"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q+", "a7-a8 = Q"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=R+", "a8 (R)"),
    ],
)
def test_spaces_within_a_move(fen, name, text):
    s = CHESS.parse_state(fen)
    assert CHESS.parse_action(s, text) == CHESS.parse_action(s, name)


def test_a_king_that_can_walk_does_not_castle():
    s = SHUFFLED.parse_state("4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    walk, castle = SHUFFLED.parse_action(s, "Kg1"), SHUFFLED.parse_action(s, "O-O")
    assert walk != castle
    assert SHUFFLED.parse_action(s, "Kf1-g1") == walk
    assert SHUFFLED.parse_action(s, "Kf1h1") == castle


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (chess.STARTING_FEN, "e5", ["'e5' is not legal here", "legal: ", "and 8 more"]),
        (chess.STARTING_FEN, "", ["'' is not legal here"]),
        (chess.STARTING_FEN, "O-O", ["not legal"]),
        (chess.STARTING_FEN, "0000", ["not legal"]),
        (chess.STARTING_FEN, "x" * 10_000, ["not legal"]),
        (chess.STARTING_FEN, "e2e4q", ["not legal"]),
        ("k7/8/8/8/8/N3N3/8/K7 w - - 0 1", "Nc4", ["ambiguous", "Nac4 or Nec4"]),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", ["ambiguous", "a8=Q+", "a8=N"]),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", ["ambiguous"]),
        ("k7/8/1QK5/8/8/8/8/8 b - - 0 1", "Ka7", ["legal: none"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kh1", ["not legal"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "Ke1-g1", ["not legal", "legal: Kd1, Kf1"]),
        ("k7/8/8/8/8/N3N3/8/K7 w - - 0 1", "Nb3-c4", ["not legal"]),
        ("k7/8/8/8/8/N3N3/8/K7 w - - 0 1", "Na3 c4", ["not legal"]),
        ("k7/8/8/8/8/N3N3/8/K7 w - - 0 1", "1.", ["not legal"]),
    ],
)
def test_moves_that_cannot_be_meant(fen, text, words):
    s = CHESS.parse_state(fen)
    with pytest.raises(IllegalAction) as caught:
        CHESS.parse_action(s, text)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert len(str(caught.value)) < 300


def test_coordinates():
    s = CHESS.parse_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castling = CHESS.parse_uci(s, "e1g1")
    assert CHESS.parse_uci(s, "e1h1") == castling == 4 | 7 << 6
    assert CHESS.format_uci(s, castling) == "e1g1"
    assert SHUFFLED.format_uci(s, castling) == "e1h1"
    for text in ("e1", "Kf1", "", None, "e9e1", "e1g1q"):
        with pytest.raises(IllegalAction):
            CHESS.parse_uci(s, text)
    with pytest.raises(IllegalAction):
        CHESS.format_action(s, 0)
    with pytest.raises(IllegalAction):
        CHESS.parse_action(s, None)


# --- positions that cannot be ----------------------------------------------------------------------------------------

FIRST = CHESS.initial()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"player": 2}, "0 or 1"),
        ({"pawns": FIRST.pawns | bit(0)}, "a1 holds two pieces"),
        ({"white": FIRST.white | bit(20)}, "white or black"),
        ({"black": FIRST.black | bit(8)}, "white or black"),
        ({"castling": bit(1)}, "castling with the rook on b1"),
        ({"castling": bit(30)}, "castling with the rook on g4"),
        ({"passant": 20}, "passant is 20"),
        ({"passant": 40}, "no pawn stands on a5"),
        ({"passant": -2}, "passant is -2"),
        ({"passant": 400}, "passant"),
        ({"clock": -1}, "half-move clock"),
        ({"clock": 10_000}, "half-move clock"),
        ({"turn": 0}, "number of the move"),
    ],
)
def test_states_that_cannot_be(changes, words):
    with pytest.raises(BadState, match=words):
        CHESS.checked_state(FIRST._replace(**changes))


def test_a_passing_capture_must_be_possible():
    s = CHESS.play(FIRST, CHESS.parse_action(FIRST, "e4"))
    assert s.passant == -1, "no black pawn stands beside it"
    with pytest.raises(BadState, match="no pawn can legally capture in passing on e3"):
        CHESS.checked_state(s._replace(passant=20))


def test_searches_refuse_impossible_positions():
    with pytest.raises(BadState, match="king"):
        zermelo.perft(CHESS, 1, FIRST._replace(kings=FIRST.kings & 255, black=FIRST.black & ~bit(60)))


# --- pictures --------------------------------------------------------------------------------------------------------


def test_text():
    lines = CHESS.text(FIRST).split("\n")
    assert lines[0] == "8 r n b q k b n r"
    assert lines[-2:] == ["1 R N B Q K B N R", "  a b c d e f g h"]
    turned = CHESS.text(FIRST, 1).split("\n")
    assert turned[0] == "1 R N B K Q B N R"
    assert turned[-1] == "  h g f e d c b a"
    assert "♔" in CHESS.text(FIRST, unicode=True)


def test_svg():
    picture = ET.fromstring(CHESS.svg(FIRST))
    squares = [element for element in picture.iter() if "data-square" in element.attrib]
    assert len(squares) == 64
    assert squares[0].get("data-square") == "a8"
    moves = {e.get("data-square"): e.get("data-moves") for e in squares if "data-moves" in e.attrib}
    assert moves["e2"] == "e2e3:1292 e2e4:1804"
    written = [move.split(":") for text in moves.values() for move in text.split()]
    assert {int(action) for _, action in written} == set(CHESS.actions(FIRST))
    assert ET.fromstring(CHESS.svg(FIRST, 1)).find(".//*[@data-square]").get("data-square") == "h1"
    check = CHESS.parse_state("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert "fill-opacity" in CHESS.svg(check)
    assert "data-moves" not in CHESS.svg(check)


def test_conformance():
    report = zermelo.check(CHESS, games=1, seed=3)
    assert report.machines[:2] == ("python", "cpu")
    assert zermelo.check(game("chess", variant="chess960", number=100), games=1, machines=False).ok


# --- the estimate ----------------------------------------------------------------------------------------------------

PLAIN = game("chess", learned=False)


@kernel
def estimate_of(game, s):
    """What the game says of a position."""
    return game.score(s)


def positions(count):
    """Positions of random games, with their mirror images: colours exchanged, the board turned."""
    source = random.Random("estimates")
    board = chess.Board()
    for _ in range(count):
        if board.is_game_over():
            board = chess.Board()
        board.push(source.choice(list(board.legal_moves)))
        yield CHESS.parse_state(board.fen()), CHESS.parse_state(board.mirror().fen())


@pytest.mark.parametrize("of", [CHESS, PLAIN], ids=["network", "features"])
def test_estimates_are_the_same_on_both_machines_and_for_both_colours(of):
    cpu = machine("cpu")
    for s, mirrored in positions(150):
        assert abs(of.score(s) + of.score(mirrored)) <= 1  # fractions are rounded down, for White
        assert cpu.call(estimate_of, game=of, s=s) == of.score(s)


@kernel
def noted_estimate(game, s, memory, here, before):
    """The same, from notes."""
    return game.noted_score(s, memory, here, before)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_notes_change_nothing_about_the_score(device):
    """Whatever the notes are of: the position a move before, another one, or none at all."""
    source, on, words = random.Random("notes"), machine(device), CHESS.notes_words
    memory = on.memory(4 * words)
    few = ["8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"]
    along = [CHESS.parse_state(fen) for fen in few] + [s for s, _ in positions(300)]
    for s in along:
        here, before = source.sample(range(3), 2) if source.random() < 0.2 else (1, 0)
        arguments = {"game": CHESS, "s": s, "memory": memory, "here": here * words}
        assert on.call(noted_estimate, **arguments, before=before * words) == CHESS.score(s)
        after = CHESS.result(s, next(iter(CHESS.actions(s))))
        arguments |= {"s": after, "here": 3 * words, "before": here * words}
        assert on.call(noted_estimate, **arguments) == CHESS.score(after)


def test_the_network_knows_what_pieces_are_worth():
    worth = {}
    for piece in "PNBRQ":
        board = chess.Board()
        board.remove_piece_at(board.pieces(chess.Piece.from_symbol(piece).piece_type, chess.BLACK).pop())
        worth[piece] = CHESS.score(CHESS.parse_state(board.fen()))
    assert 50 < worth["P"] < worth["N"] < worth["R"] < worth["Q"]
    assert worth["P"] < worth["B"] < worth["R"]
    assert abs(CHESS.score(CHESS.initial())) < 60


def test_explanations_sum_up_to_the_score():
    for s, _ in positions(40):
        parts = CHESS.explain(s)
        assert sum(parts.values()) == CHESS.score(s)
        assert PLAIN.explain(s) == {name: value for name, value in parts.items() if name != "network"}
