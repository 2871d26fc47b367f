"""EPD: positions with operations, as test suites and perft suites write them."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zermelo import ZermeloError, game
from zermelo.notation import BadNotation, epd

CHESS = game("chess")
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def names(position, opcode):
    s, found = position.state, []
    for action in position.actions(opcode):
        found.append(position.game.format_action(s, action))
        s = position.game.result(s, action) if opcode == "pv" else s
    return found


def test_operations():
    found = epd.parse(f'{SCHOLAR} bm Qxf7# Bxf7+; am Nc3; id "a; b"; c0 "quite" ; hmvc 3; fmvn 4; pv Qxf7; noop;')
    assert names(found, "bm") == ["Qxf7#", "Bxf7+"]
    assert names(found, "am") == ["Nc3"]
    assert names(found, "pv") == ["Qxf7#"]
    assert names(found, "sm") == []
    assert found.id == "a; b"
    assert found.operations["noop"] == ()
    assert (found.state.clock, found.state.turn) == (3, 4)
    assert epd.parse(str(found)).operations == found.operations
    assert epd.parse(str(found)).state == found.state


def test_a_line_of_play():
    found = epd.parse(f"{START} pv e4 e5 Nf3; bm e4 d4;")
    assert names(found, "pv") == ["e4", "e5", "Nf3"]
    assert names(found, "bm") == ["e4", "d4"]


def test_perft_suites():
    found = epd.parse(f"{START} 0 1 ;D1 20 ;D2 400 ;D3 8902")
    assert found.counts == {1: 20, 2: 400, 3: 8902}
    assert found.state == CHESS.initial()
    assert epd.parse(f"{START} D1 20; D2 400;").counts == {1: 20, 2: 400}
    assert epd.parse(START).counts == {}


def test_chess960():
    of = game("chess", variant="chess960")
    found = epd.parse("1k6/8/8/8/8/8/8/2R1K1R1 w GC - 3 9 ;D1 29", game=of)
    assert str(found) == "1k6/8/8/8/8/8/8/2R1K1R1 w KQ - D1 29; hmvc 3; fmvn 9;"


def test_files(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text(f'# mates\n\n{SCHOLAR} bm Qxf7#; id "one";\n{START} id "two";\n', encoding="utf-8")
    assert [position.id for position in epd.read(path)] == ["one", "two"]
    assert len(list(epd.read(f"{START}\n{SCHOLAR}\n"))) == 2
    with path.open(encoding="utf-8") as file:
        assert len(list(epd.read(file))) == 2
    path.write_text(f"{START}\n{SCHOLAR} bm Qxf9;\n", encoding="utf-8")
    with pytest.raises(BadNotation, match=r"line 2: bm: 'Qxf9' is not legal"):
        list(epd.read(path))
    with pytest.raises(BadNotation, match="cannot be read"):
        list(epd.read(Path(tmp_path / "none.epd")))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "no four fields"),
        ("hello", "no four fields"),
        (None, "a line of text"),
        (f'{START} id "open', f"column {len(START) + 5}: a string is never closed"),
        (f"{START} 7up 1;", f"column {len(START) + 2}: '7up' is no opcode"),
        (f'{START} "id";', "no opcode"),
        (f"{START} D1 many;", "D1: wants one number"),
        (f"{START} bm e5;", "bm: 'e5' is not legal"),
        (f"{START} pv e4 e4;", "pv: 'e4' is not legal"),
        (f"{START} hmvc x;", "field 5"),
        ("8/8/8/8/8/8/8/8 w - - id 1;", "king"),
    ],
)
def test_malformed(line, words):
    with pytest.raises(ZermeloError, match=words):
        epd.parse(line)


def test_writing_refuses_bad_opcodes():
    with pytest.raises(BadNotation, match="no opcode"):
        epd.write(CHESS, CHESS.initial(), {"b m": ("e4",)})


@given(st.one_of(st.text(max_size=40), st.text(alphabet='bmidD1 20;"e4cafxyz\\-', max_size=40)))
@example(' id "";')
@example(" ;;;D1 1;;")
def test_nothing_but_our_errors(text):
    for line in (text, f"{START} {text}", f"{START} 0 1 {text}"):
        try:
            found = epd.parse(line)
        except ZermeloError:
            continue
        assert epd.parse(str(found)).state == found.state


@pytest.mark.parametrize("clock", ["hmvc", "fmvn", "hmvc 3 4"])
def test_clocks_want_one_number(clock):
    with pytest.raises(BadNotation, match="wants one number"):
        epd.parse(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {clock}; bm e4;")
