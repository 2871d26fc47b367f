"""Books: Polyglot's format against its published examples and python-chess, and books of any game."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo import ZermeloError, game
from zermelo.games.chess import polyglot
from zermelo.games.chess.polyglot import ENTRY
from zermelo.notation import BadNotation
from zermelo.play import book as books
from zermelo.play.book import Book, PolyglotBook, own_book

CHESS = game("chess")
FOUR = game("connect_four")
TEXT = Path(books.__file__).with_name("books") / "chess.txt"

# The examples on the page that describes the format.
KEYS = [
    ("", 0x463B96181691FC9C),
    ("e2e4", 0x823C9B50FD114196),
    ("e2e4 d7d5", 0x0756B94461C50FB0),
    ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
    ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
    ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
    ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
    ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
    ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
]


def after(moves):
    s = CHESS.initial()
    for move in moves.split():
        s = CHESS.result(s, CHESS.parse_uci(s, move))
    return s


def named(weights, s):
    return {CHESS.format_action(s, action): weight for action, weight in weights.items()}


@pytest.mark.parametrize(("moves", "key"), KEYS)
def test_published_keys(moves, key):
    assert polyglot.key(after(moves)) == key


def test_numbers_and_keys_are_those_of_python_chess():
    theirs = pytest.importorskip("chess.polyglot")
    chess = pytest.importorskip("chess")
    assert list(polyglot.numbers()) == list(theirs.POLYGLOT_RANDOM_ARRAY)
    source = random.Random(5)
    for number in (None, 100, 700):
        of = CHESS if number is None else game("chess", variant="chess960", number=number)
        board = chess.Board() if number is None else chess.Board.from_chess960_pos(number)
        s = of.initial()
        for _ in range(80):
            if board.ep_square is None or board.has_legal_en_passant():
                assert polyglot.key(s) == theirs.zobrist_hash(board)
            assert theirs.zobrist_hash(board) in list(polyglot.keys(s))
            if of.is_terminal(s):
                break
            action = source.choice(list(of.actions(s)))
            board.push_uci(of.format_uci(s, action))
            s = of.result(s, action)


PINNED = [
    ("7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d7d5"),  # both pawns leave the rank of the king
    ("7k/3p2b1/8/4P3/3K4/8/8/8 b - - 0 1", "d7d5"),
    ("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"),
    ("7K/8/8/8/k3p2R/8/3P4/8 w - - 0 1", "d2d4"),
    ("8/8/8/8/4pp2/1k6/3P4/3K1B2 w - - 0 1", "d2d4"),  # legal
    ("k7/8/8/8/4p3/8/3P4/K5B1 w - - 0 1", "d2d4"),  # legal
    ("8/k7/8/8/4p3/8/3P4/K3B3 w - - 0 1", "d2d4"),  # legal
    ("8/8/7k/8/4p3/8/3P4/K1B5 w - - 0 1", "d2d4"),  # a discovered check
]


@pytest.mark.parametrize(("fen", "push"), PINNED)
def test_captures_in_passing_that_are_not_legal(fen, push, tmp_path):
    """Polyglot counts them, the rules do not: a book knows such a position under either key."""
    theirs = pytest.importorskip("chess.polyglot")
    board = theirs.chess.Board(fen)
    board.push_uci(push)
    s = CHESS.parse_state(fen)
    s = CHESS.result(s, CHESS.parse_uci(s, push))
    legal = board.has_legal_en_passant()
    known, key = list(polyglot.keys(s)), theirs.zobrist_hash(board)
    assert known[0] == polyglot.key(s)
    assert known == [key] if legal else key in known[1:]
    path, reply = tmp_path / "book.bin", next(iter(board.legal_moves)).uci()
    path.write_bytes(ENTRY.pack(key, move(reply), 5, 0))
    found = PolyglotBook(path)
    assert found.moves(CHESS, s) == {CHESS.parse_uci(s, reply): 5}
    found.close()


def test_keys_after_a_pawn_has_passed_another():
    """Random positions with few pieces: many pawns are pinned, or a check is uncovered."""
    theirs = pytest.importorskip("chess.polyglot")
    chess, source, counts = theirs.chess, random.Random(11), {True: 0, False: 0}
    while min(counts.values()) < 50:
        board, file = chess.Board(None), source.randrange(8)
        beside = file + source.choice([-1, 1] if 0 < file < 7 else [1 if file == 0 else -1])
        board.set_piece_at(8 + file, chess.Piece.from_symbol("P"))
        board.set_piece_at(24 + beside, chess.Piece.from_symbol("p"))
        free = [square for square in chess.SQUARES if square not in (8 + file, 16 + file, 24 + file, 24 + beside)]
        for symbol, square in zip("KkRQBrb", source.sample(free, 7), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        push = chess.Move(8 + file, 24 + file)
        if not board.is_valid() or not board.is_legal(push):
            continue
        if source.random() < 0.5:
            board, push = board.mirror(), chess.Move(push.from_square ^ 56, push.to_square ^ 56)
        s = CHESS.parse_state(board.fen())
        s = CHESS.result(s, CHESS.parse_uci(s, push.uci()))
        board.push(push)
        known, key = list(polyglot.keys(s)), theirs.zobrist_hash(board)
        assert known == [key] if board.has_legal_en_passant() else key in known[1:]
        counts[board.has_legal_en_passant()] += 1


# --- Polyglot files --------------------------------------------------------------------------------------------------


def written(tmp_path, entries):
    """A book with these entries: moves before, key or not, number of the move, weight."""
    path = tmp_path / "book.bin"
    rows = sorted((polyglot.key(after(moves)), move, weight) for moves, move, weight in entries)
    path.write_bytes(b"".join(ENTRY.pack(key, move, weight, 0) for key, move, weight in rows))
    return PolyglotBook(path)


def move(text):
    """Polyglot's number of a move by its coordinates."""
    squares = [ord(text[i]) - 97 + 8 * (int(text[i + 1]) - 1) for i in (0, 2)]
    return squares[1] | squares[0] << 6 | " nbrq".index(text[4:] or " ") << 12


def test_moves(tmp_path):
    found = written(
        tmp_path,
        [
            ("", move("e2e4"), 3),
            ("", move("d2d4"), 7),
            ("", move("d2d4"), 1),
            ("", move("e2e5"), 9),
            ("", move("a2a8q"), 9),
            ("", 0xFFFF, 9),
            ("", move("c2c4"), 0),
            ("e2e4", move("e7e5"), 65535),
        ],
    )
    s = CHESS.initial()
    assert named(found.moves(CHESS, s), s) == {"d4": 8, "e4": 3}, "illegal moves are left out"
    assert len(found) == 8
    s = after("e2e4")
    assert named(found.moves(CHESS, s), s) == {"e5": 65535}
    assert found.moves(CHESS, after("d2d4")) == {}
    assert found.lookup(CHESS, after("d2d4")) is None
    assert found.moves(FOUR, FOUR.initial()) == {}
    found.close()


def test_castling_either_way(tmp_path):
    to_castling = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7"
    s = after(to_castling)
    for text in ("e1h1", "e1g1"):
        assert named(written(tmp_path, [(to_castling, move(text), 1)]).moves(CHESS, s), s) == {"O-O": 1}


def test_promotions(tmp_path):
    s = CHESS.parse_state("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    path = tmp_path / "book.bin"
    entries = [(polyglot.key(s), move(text), 1, 0) for text in ("a7a8q", "a7a8n", "a7a8")]
    path.write_bytes(b"".join(ENTRY.pack(*entry) for entry in entries))
    assert named(PolyglotBook(path).moves(CHESS, s), s) == {"a8=Q+": 1, "a8=N": 1}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "0 bytes are no Polyglot book"),
        (b"x" * 15, "15 bytes"),
        (b"x" * 33, "33 bytes"),
        (ENTRY.pack(9, 1, 1, 0) + ENTRY.pack(3, 1, 1, 0), "not sorted"),
    ],
)
def test_files_that_are_no_books(tmp_path, data, words):
    path = tmp_path / "book.bin"
    path.write_bytes(data)
    with pytest.raises(BadNotation, match=words):
        PolyglotBook(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadNotation, match="no such file"):
        PolyglotBook(tmp_path / "none.bin")
    with pytest.raises(BadNotation, match=r"cannot be read|no Polyglot book"):
        PolyglotBook(tmp_path)


@given(
    st.lists(st.tuples(st.sampled_from([k for _, k in KEYS] + [0, 1 << 63]), st.integers(0, 65535), st.integers(0, 9)))
)
def test_any_entries(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("books") / "book.bin"
    path.write_bytes(b"".join(ENTRY.pack(*row, 0) for row in sorted(rows)))
    try:
        found = PolyglotBook(path)
    except BadNotation:
        assert not rows
        return
    for moves, _ in KEYS:
        s = after(moves)
        assert set(found.moves(CHESS, s)) <= set(CHESS.actions(s))
    found.close()


@given(st.binary(max_size=200))
def test_any_bytes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("books") / "book.bin"
    path.write_bytes(data)
    try:
        found = PolyglotBook(path)
    except ZermeloError:
        return
    found.moves(CHESS, CHESS.initial())
    found.close()


# --- books from games and lines --------------------------------------------------------------------------------------


def test_from_pgn():
    text = '1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. d4 1/2-1/2\n\n1. c4 Zz *\n\n[Variant "nim"]\n\n1. 1 *\n'
    found = Book.from_pgn(text)
    s = CHESS.initial()
    assert named(found.moves(CHESS, s), s) == {"e4": 2, "d4": 1, "c4": 1}
    assert named(found.moves(CHESS, after("e2e4")), after("e2e4")) == {"c5": 2}, "what only lost is not played"
    assert len(Book.from_pgn([text, text], max_ply=1)) == 1
    assert found.moves(FOUR, FOUR.initial()) == {}


def test_from_pgn_of_another_game(tmp_path):
    path = tmp_path / "four.pgn"
    path.write_text("1. 4 4 2. 4 *\n\n1. 4 3 *\n", encoding="utf-8")
    found = Book.from_pgn(path, game=FOUR)
    s = FOUR.play(FOUR.initial(), 3)
    assert found.moves(FOUR, s) == {3: 1, 2: 1}
    assert found.moves(game("connect_four", rows=5), s) == {}
    with pytest.raises(BadNotation, match="of chess, not of connect_four"):
        found.save_polyglot(tmp_path / "four.bin")


def test_from_text():
    found = Book.from_text(FOUR, "# middle first\nMiddle: 1. 4 4 2. 4\n4 3 # the side\n\n")
    assert found.moves(FOUR, FOUR.initial()) == {3: 2}
    assert len(found) == 3
    with pytest.raises(BadNotation, match="line 2: '8' is no free column"):
        Book.from_text(FOUR, "4\n4 8\n")
    mate = Book.from_text(CHESS, "fool: 1. f3 e5 2. g4 Qh4# # mate")
    assert named(mate.moves(CHESS, after("f2f3 e7e5 g2g4")), after("f2f3 e7e5 g2g4")) == {"Qh4#": 1}


def test_lookup_answers_like_a_search():
    found = Book.from_text(CHESS, "1. e4 e5\n1. e4 c5\n1. d4")
    answer = found.lookup(CHESS, CHESS.initial())
    assert answer.method == "book"
    assert answer.action_name == "e4"
    assert answer.line_names == ("e4",)
    assert {answer.name_of(a): m.visits for a, m in answer.moves.items()} == {"e4": 2, "d4": 1}
    assert (answer.value, answer.values, answer.bound, answer.nodes) == (0.0, (0.0, 0.0), "estimate", 0)
    assert "book" in str(answer)
    assert answer.to_json()["moves"]["e4"]["visits"] == 2
    assert found.lookup(CHESS, after("e2e4 e7e5")) is None


def test_a_seed_draws_by_weight():
    found = Book.from_text(CHESS, "1. e4\n1. e4\n1. e4\n1. d4")
    s = CHESS.initial()
    drawn = [found.lookup(CHESS, s, seed=seed).action_name for seed in range(400)]
    assert drawn == [found.lookup(CHESS, s, seed=seed).action_name for seed in range(400)]
    assert 250 < drawn.count("e4") < 350


def test_heavy_weights_are_scaled(tmp_path):
    found = Book(CHESS)
    s = CHESS.initial()
    for name, weight in (("e4", 1_000_000), ("d4", 500_000), ("a3", 1)):
        found.add(s, CHESS.parse_action(s, name), weight)
    assert found.save_polyglot(tmp_path / "heavy.bin") == 3
    assert named(PolyglotBook(tmp_path / "heavy.bin").moves(CHESS, s), s) == {"e4": 65535, "d4": 32767, "a3": 1}


# --- our own ---------------------------------------------------------------------------------------------------------


def test_our_own_book(tmp_path):
    source = Book.from_text(CHESS, TEXT.read_text(encoding="utf-8"))
    count = source.save_polyglot(tmp_path / "again.bin")
    made = TEXT.with_suffix(".bin")
    assert made.read_bytes() == (tmp_path / "again.bin").read_bytes(), "make it anew: see the head of chess.txt"
    own = own_book()
    assert len(own) == count > 700
    for s, _ in source.positions.values():
        assert own.moves(CHESS, s) == source.moves(CHESS, s)
    s = CHESS.initial()
    assert named(own.moves(CHESS, s), s).keys() == {"e4", "d4", "c4", "Nf3"}
    assert own_book("nim") is None
    assert zermelo.games.Chess().parse_action(s, own.lookup(CHESS, s).action_name) == own.lookup(CHESS, s).action
