"""Where games begin."""

import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.play.openings import Opening, Openings


@pytest.fixture
def toe():
    return zermelo.game("tic_tac_toe")


def test_random_openings_come_from_the_seed_and_differ(toe):
    one, same, other = (Openings(toe, "random:2", seed) for seed in (1, 1, 2))
    first = [one[i] for i in range(30)]
    assert first == [same[i] for i in range(30)]
    assert first != [other[i] for i in range(30)]
    assert len({opening.course(toe).state for opening in first}) == 30
    assert all(len(opening.actions) == 2 for opening in first)


def test_openings_repeat_when_there_are_no_more(toe):
    few = Openings(toe, "random:1", 0)
    found = [few[i].actions for i in range(12)]
    assert len(set(found[:9])) == 9
    assert set(found[9:]) <= set(found)


def test_no_opening(toe):
    for text in ("none", "random:0"):
        assert Openings(toe, text, 0)[5] == Opening(None)


def test_openings_leave_something_to_play(toe):
    assert not Openings(toe, "random:8", 0)[0].course(toe).is_over()
    with pytest.raises(BadParameter, match="nothing of tic_tac_toe is left"):
        Openings(toe, "random:9", 0)[0]


def test_moves_in_a_file(toe, tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# four openings\na1 b2\n\nc3, a1\nb2\n   \na1 b1 c1\n")
    book = Openings(toe, str(path), 3)
    lengths = [len(book[i].actions) for i in range(8)]
    assert sorted(lengths[:4]) == [1, 2, 2, 3]
    assert lengths[:4] == lengths[4:]
    path.write_text("a1 b2\nb2 b2\n")
    with pytest.raises(BadParameter, match=r"openings\.txt, line 2: 'b2' is not legal"):
        Openings(toe, str(path), 0)
    path.write_text("a1 a2 b1 b2 c1\n")
    with pytest.raises(BadParameter, match="the game is over there"):
        Openings(toe, str(path), 0)
    path.write_text("# nothing\n")
    with pytest.raises(BadParameter, match="holds none"):
        Openings(toe, str(path), 0)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadParameter, match="it is no text"):
        Openings(toe, str(path), 0)
    with pytest.raises(BadParameter, match="No such file"):
        Openings(toe, str(tmp_path / "none.txt"), 0)


POSITIONS = """\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id "open game";
rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -
"""


def test_positions_of_chess(tmp_path):
    chess = zermelo.game("chess")
    path = tmp_path / "book.epd"
    path.write_text(POSITIONS)
    book = Openings(chess, str(path), 0)
    states = [book[i].course(chess).state for i in range(3)]
    assert sorted(chess.to_move(s) for s in states) == [0, 1, 1]
    assert any(" w KQkq - 0 2" in chess.format_state(s) for s in states)
    path.write_text("rnbqkbnr/pppppppp/8/8 w KQkq -\n")
    with pytest.raises(BadParameter, match=r"book\.epd, line 1"):
        Openings(chess, str(path), 0)


def test_games_of_chess(tmp_path):
    chess = zermelo.game("chess")
    path = tmp_path / "book.pgn"
    path.write_text('[Event "1"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "2"]\n\n1. d4 d5 *\n')
    book = Openings(chess, str(path), 0)
    assert sorted(len(book[i].actions) for i in range(2)) == [2, 3]
    path.write_text("1. e4 e4 *\n")
    with pytest.raises(BadParameter, match=r"book\.pgn, game 1: line 1"):
        Openings(chess, str(path), 0)


def test_games_of_go(tmp_path):
    go = zermelo.game("go:size=5")
    path = tmp_path / "book.sgf"
    path.write_bytes("(;GM[1]SZ[5]CA[latin1]C[schön];B[cc];W[cb])(;SZ[5]AB[aa][bb];W[cc])".encode("latin-1"))
    book = Openings(go, str(path), 0)
    assert sorted(len(book[i].actions) for i in range(2)) == [1, 2]
    for text, words in (
        ("(;SZ[5];B[cc];W[cc])", r"book\.sgf, game 1: line 1, column 14"),
        ("(;SZ[5];B[cc", r"book\.sgf: line 1"),
        ("", r"book\.sgf: line 1"),
    ):
        path.write_text(text)
        with pytest.raises(BadParameter, match=words):
            Openings(go, str(path), 0)
    path.write_text("(;B[cc])")
    with pytest.raises(BadParameter, match="tic_tac_toe is not written in SGF"):
        Openings(zermelo.game("tic_tac_toe"), str(path), 0)


def test_signatures_tell_files_apart(toe, tmp_path):
    path = tmp_path / "openings.txt"
    seen = set()
    for text in ("a1\n", "a1\nb2\n"):
        path.write_text(text)
        seen.add(Openings(toe, str(path), 0).signature)
    assert len(seen) == 2
    assert Openings(toe, "random:3", 0).signature == "random:3"


@pytest.mark.parametrize("text", ["random:-1", "random:", "random:many"])
def test_random_openings_want_a_number(text):
    with pytest.raises(BadParameter, match="says no number of random moves"):
        Openings(zermelo.game("tic_tac_toe"), text, 0)
