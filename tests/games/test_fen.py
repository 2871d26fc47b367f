"""FEN: what is malformed is refused in one line that names the field; nothing else ever comes out."""

import contextlib
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zermelo import BadState, IllegalAction, ZermeloError, game

CHESS = game("chess")
SHUFFLED = game("chess", variant="chess960")
FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BOARD = FIRST.partition(" ")[0]


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", ["0 fields", "6"]),
        ("hello", ["1 fields"]),
        (FIRST + " 7", ["7 fields"]),
        (f"{BOARD} w KQkq", ["3 fields"]),
        (f"{BOARD}/8 w KQkq - 0 1", ["field 1 (pieces)", "9 ranks"]),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["field 1", "rank 7 has 7 squares"]),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["rank 7 has 9 squares"]),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", ["rank 1", "'X' is no piece"]),
        ("rnbqkbnr/pppppppp/8/8/8/44/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["rank 3 has two numbers"]),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["rank 6", "'9'"]),
        (f"{BOARD} x KQkq - 0 1", ["field 2 (player to move)", "w or b"]),
        (f"{BOARD} w KQxq - 0 1", ["field 3 (castling)", "'KQxq'"]),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", ["field 3", "no white rook"]),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", ["field 3", "white king is not on its first rank"]),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", ["e-file", "chess960"]),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", ["chess960"]),
        (f"{BOARD} w KQkq e 0 1", ["field 4 (capture in passing)"]),
        (f"{BOARD} w KQkq e3 0 1", ["field 4", "rank 6"]),
        (f"{BOARD} w KQkq e6 0 1", ["field 4", "no pawn stands on e5"]),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1", ["9 pawns"]),
        ("rnbqkbnr/pppppppp/8/8/4P3/4N3/PPPP1PPP/R1BQKBNR b KQkq e3 0 1", ["field 4", "must be empty"]),
        ("4k3/8/8/8/3pP3/5n2/8/4K3 b - e3 0 1", ["could be taken"]),
        ("4k3/8/5N2/8/3pP3/8/8/4K3 b - e3 0 1", ["field 4", "did not move last"]),
        (f"{BOARD} w KQkq - x 1", ["field 5 (half-move clock)"]),
        (f"{BOARD} w KQkq - -1 1", ["field 5"]),
        (f"{BOARD} w KQkq - 0 1.5", ["field 6 (number of the move)"]),
        (f"{BOARD} w KQkq - 0 ٣", ["field 6"]),
        (f"{BOARD} w KQkq - 0 {'9' * 5000}", ["field 6"]),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", ["black has no king"]),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", ["white has 2 kings"]),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", ["a pawn cannot stand on a1"]),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", ["a pawn cannot stand on h8"]),
        ("4k3/8/8/8/8/7P/PPPPPPPP/4K3 w - - 0 1", ["white has 9 pawns"]),
        ("4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1", ["1 pieces beyond the first set", "0 pawns"]),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", ["black king on e8 could be taken", "white's move"]),
        ("4k3/4K3/8/8/8/8/8/8 w - - 0 1", ["could be taken"]),
        ("k7/8/8/3n4/1q5b/8/8/r3K3 w - - 0 1", ["more than two"]),
        (None, ["FEN"]),
    ],
)
def test_malformed(fen, words):
    with pytest.raises(BadState) as caught:
        CHESS.parse_state(fen)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    for word in words:
        assert word in message, message


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"  {BOARD}   w  KQkq  - ", FIRST),
        (f"{BOARD} w KQkq -", FIRST),
        (f"{BOARD} w kqKQ - 0 0", FIRST),
        (f"{BOARD} w HAha - 0 1", FIRST),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("7k/8/8/8/3pP3/8/8/K7 b - e3 0 1", "7k/8/8/8/3pP3/8/8/K7 b - e3 0 1"),
        ("4k3/8/8/NNNNNNNN/8/8/8/1N2K1N1 b - - 0 1", "4k3/8/8/NNNNNNNN/8/8/8/1N2K1N1 b - - 0 1"),
    ],
)  # fmt: skip
def test_tolerated(written, meant):
    assert CHESS.format_state(CHESS.parse_state(written)) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("4k3/8/8/8/8/8/8/1R1RK2R w KQ - 0 1", "4k3/8/8/8/8/8/8/1R1RK2R w KQ - 0 1"),
        ("4k3/8/8/8/8/8/8/1R1RK2R w HD - 0 1", "4k3/8/8/8/8/8/8/1R1RK2R w KD - 0 1"),
        ("4k3/8/8/8/8/8/8/1R1RK2R w HB - 0 1", "4k3/8/8/8/8/8/8/1R1RK2R w KQ - 0 1"),
        ("r2k1rr1/8/8/8/8/8/8/4K3 b fa - 0 1", "r2k1rr1/8/8/8/8/8/8/4K3 b fq - 0 1"),
    ],
)
def test_castling_with_inner_rooks(written, meant):
    assert SHUFFLED.format_state(SHUFFLED.parse_state(written)) == meant
    with pytest.raises(BadState, match="only one rook on each side"):
        SHUFFLED.parse_state("4k3/8/8/8/8/8/8/1R1RK2R w DB - 0 1")


LETTERS = st.text(alphabet="rnbqkpRNBQKP12345678/ w-KQkqah36 0", max_size=90)


@given(st.one_of(st.text(max_size=60), LETTERS))
@example(f"{BOARD} w KQkq - 0 1" + "\0")
@example("8" * 5000)
@example("///////  w - - 0 1")
def test_nothing_but_our_errors(text):
    for of in (CHESS, SHUFFLED):
        try:
            s = of.parse_state(text)
        except ZermeloError:
            continue
        assert of.parse_state(of.format_state(s)) == s


@given(st.integers(0, len(FIRST) - 1), st.characters(), st.randoms(use_true_random=False))
def test_one_wrong_letter(place, letter, source):
    s = CHESS.initial()
    for _ in range(source.randrange(40)):
        if CHESS.is_terminal(s):
            break
        s = CHESS.result(s, source.choice(list(CHESS.actions(s))))
    text = CHESS.format_state(s)
    try:
        found = CHESS.parse_state(text[:place] + letter + text[place + 1 :])
    except BadState:
        return
    assert CHESS.checked_state(found) == found
    for action in CHESS.actions(found):
        CHESS.parse_state(CHESS.format_state(CHESS.result(found, action)))


@given(st.one_of(st.text(max_size=12), st.text(alphabet="NBRQKabcdefgh12345678xO0-=+#!?.ep", max_size=9)))
@example("O" * 3000)
@example("a8=")
def test_moves_are_legal_or_refused(text):
    source = random.Random(len(text))
    s = CHESS.initial()
    for _ in range(source.randrange(30)):
        s = CHESS.result(s, source.choice(list(CHESS.actions(s))))
        if CHESS.is_terminal(s):
            return
    for read in (CHESS.parse_action, CHESS.parse_uci, SHUFFLED.parse_uci):
        with contextlib.suppress(IllegalAction):
            assert read(s, text) in list(CHESS.actions(s))
