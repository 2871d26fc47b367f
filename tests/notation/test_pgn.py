"""PGN in and out: tolerant in reading, strict in writing, for chess and for any other game."""

import io
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import BadParameter, IllegalAction, game
from zermelo.notation import BadNotation, pgn
from zermelo.notation.game_record import Evaluation, GameNode, Record, clock_in, clock_text, commands, without_commands

CHESS = game("chess")
OPERA = """\
[Event "Paris"]
[Site "Opera"]
[Date "1858.11.02"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke of Brunswick \\"and\\" Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {A weak move.} ( 3... exd4 4. Nxd4 ( 4. Qxd4 Nc6 {with
tempo} ) 4... Nf6 ) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 $1 Qe7
8. Nc3 c6 9. Bg5 b5?! 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 ; the end is near
13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 {[%eval #2] [%clk 0:01:05.5]} 16. Qb8+! Nxb8 17. Rd8# 1-0
"""


def only(text, **options):
    (record,) = pgn.read(text, **options)
    return record


def names(record):
    return [record.game.format_action(s, a) for s, a in zip(record.states(), record.actions, strict=False)]


def test_a_game():
    record = only(OPERA)
    assert record.errors == []
    assert record.game == CHESS
    assert record.start == CHESS.initial()
    assert record.headers["White"] == "Morphy, Paul"
    assert record.headers["Black"] == 'Duke of Brunswick "and" Count Isouard'
    assert record.result == "1-0"
    assert len(record.actions) == 33
    assert names(record)[-3:] == ["Qb8+", "Nxb8", "Rd8#"]
    assert record.comments == {
        5: "A weak move.", 23: "the end is near", 29: "[%eval #2] [%clk 0:01:05.5]",
    }  # fmt: skip
    assert record.nags == {12: (1,), 17: (6,), 18: (1,), 30: (1,)}
    assert record.evaluations == {29: Evaluation(mate=2)}
    assert record.clocks == {29: 65.5}
    *_, last = record.states()
    assert CHESS.is_terminal(last)


def test_variations_are_a_tree():
    record = only(OPERA)
    main = list(record.main_line())
    before = main[4]
    assert [len(node.following) for node in main[:7]] == [1, 1, 1, 1, 2, 1, 1]
    other = before.following[1]
    s = list(record.states())[5]
    assert CHESS.format_action(s, other.action) == "exd4"
    assert len(other.following) == 2, "a variation of the variation"
    assert other.following[1].following[0].comment == "with tempo"


def test_writing_is_the_inverse_of_reading():
    record = only(OPERA)
    text = str(record)
    assert all(len(line) < 80 for line in text.splitlines())
    again = only(text)
    assert again.root == record.root
    assert again.headers == record.headers
    assert str(again) == text
    assert text.startswith('[Event "Paris"]\n[Site "Opera"]\n[Date "1858.11.02"]\n[Round "?"]\n[White ')
    assert "(3... exd4 4. Nxd4 (4. Qxd4 Nc6 {with tempo}) 4... Nf6) 4. dxe5" in " ".join(text.split())


def test_python_chess_reads_what_we_write_and_the_other_way_round():
    chess_pgn = pytest.importorskip("chess.pgn")
    record = only(OPERA)
    theirs = chess_pgn.read_game(io.StringIO(str(record)))
    assert theirs.errors == []
    assert [move.uci() for move in theirs.mainline_moves()] == [
        CHESS.format_uci(s, a) for s, a in zip(record.states(), record.actions, strict=False)
    ]
    assert len(theirs.mainline_moves().__iter__().__next__().uci()) == 4
    again = only(str(theirs))
    assert again.root == record.root
    ends = [node for node in theirs.mainline() if node.eval() is not None]
    assert ends[0].eval().white().mate() == 2
    assert ends[0].clock() == 65.5


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 (2... e6 {x}) 3. exd5) 2... d6) (1... e6 $6) 2. Nf3 {y} Nc6 *",
        "{before} 1. e4 {a} ({b} 1. d4 {c} d5 $1 $10) ({d} 1. c4) 1... e5 1-0",
        "1.e4{a}e5{b}2.Nf3$1Nc6$1000 1/2-1/2",
        "% escaped\n1. e4\n% escaped\ne5 (1... c5\n% e6)\n) 2. Nf3 *",
        '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 30"]\n\n30. a8=Q+ (30. a8=R+ Kg7) Kh7 *',
        '\ufeff[White "é"]\n[Black "b"]\n\n1. e4 0-1',
        "1... e4 1... e5 2.. Nf3 ... Nc6 3 . Bb5 *",
        "1. e4 e5\r\n2. Nf3\tNc6\n\n",
    ],
)
def test_python_chess_reads_the_same(text):
    chess_pgn = pytest.importorskip("chess.pgn")
    record, theirs = only(text, strict=True), chess_pgn.read_game(io.StringIO(text))
    assert theirs.errors == []
    assert only(str(theirs)).root == record.root
    assert record.result == theirs.headers["Result"]
    assert record.headers.items() <= dict(theirs.headers).items()


def test_random_games_survive():
    source = random.Random(7)
    for number in (None, 518, 12, 700):
        of = CHESS if number is None else game("chess", variant="chess960", number=number)
        s, actions, comments = of.initial(), [], {}
        while not of.is_terminal(s) and len(actions) < 80:
            actions.append(source.choice(list(of.actions(s))))
            s = of.result(s, actions[-1])
            if source.random() < 0.3:
                comments[len(actions) - 1] = " ".join(source.choices(["good", "bad", "[%eval +0.25]", "100 %"], k=9))
        record = only(pgn.write({"White": "one"}, of, None, actions, comments))
        assert record.errors == []
        assert record.actions == tuple(actions)
        assert record.comments == comments
        assert record.game == of
        assert record.start == of.initial()


def test_a_game_from_another_position():
    s = CHESS.parse_state("7k/5Q2/6K1/8/8/8/8/8 b - - 12 40")
    text = pgn.write({}, CHESS, s, [])
    assert '[FEN "7k/5Q2/6K1/8/8/8/8/8 b - - 12 40"]\n[SetUp "1"]' in text
    assert text.endswith("\n\n1/2-1/2\n")
    assert only(text).start == s
    s = CHESS.parse_state("k7/8/K7/8/8/8/8/7R b - - 0 9")
    assert pgn.write({}, CHESS, s, [CHESS.parse_action(s, "Kb8")]).endswith("\n\n9... Kb8 *\n")


@pytest.mark.parametrize("name", [*zermelo.games, "connect_four:rows=4,cols=5,line=3", "nim:heaps=(3, 4, 5)"])
def test_other_games(name):
    of, source = game(name), random.Random(3)
    s, actions = of.initial(), []
    while not of.is_terminal(s) and len(actions) < 60:
        actions.append(source.choice(list(of.actions(s))))
        s = of.result(s, actions[-1])
    text = pgn.write({"White": "first"}, of, None, actions, {0: "begun"})
    record = only(text)
    assert record.errors == []
    assert record.game == of
    assert record.actions == tuple(actions)
    assert record.comments == {0: "begun"}
    assert all(len(line) < 80 for line in text.splitlines())
    assert str(record) == text


class Odd(zermelo.games.Nim):
    """Moves with names that PGN would take for something else."""

    NAMES = ("1-0", "a b", "4.", '"', "{x}", "$3", "*", "e4!", "(", "\\", "%", ";", "[x]", "...", "")

    def format_action(self, s, action):
        return self.NAMES[list(self.actions(s)).index(action) % len(self.NAMES)]


def test_names_that_need_quotation_marks():
    of = Odd(heaps=(9, 6))
    s, actions = of.initial(), []
    for index in (14, 3, 5, 1, 0, 0):
        actions.append(list(of.actions(s))[index % of.action_count(s)])
        s = of.result(s, actions[-1])
    for action in of.actions(of.initial()):
        text = pgn.write({}, of, None, [action])
        assert only(text, game=of).actions == (action,), text
    text = pgn.write({}, of, None, actions)
    assert only(text, game=of).actions == tuple(actions)


# --- tolerance -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.e4 e5 2.Nf3 *", "e4 e5 Nf3"),
        ("e4 e5 Nf3", "e4 e5 Nf3"),
        ("1 e4 e5 2 Nf3", "e4 e5 Nf3"),
        ("1. e2e4 e7-e5 2. Ng1-f3", "e4 e5 Nf3"),
        ("1. e4 ... e5 2. Nf3!! Nc6?? 3. Bb5 = a6 +-", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ("1... e4 1... e5", "e4 e5"),
        ("\ufeff1. e4 {open} e5 {two\nlines} ; rest\n2. Nf3", "e4 e5 Nf3"),
        ("% escaped 1. d4\n1. e4", "e4"),
        ("1. e4 e5 2. f4 exf4 3. Nf3 g5 4. h4 g4 5. Ne5 Nf6 1/2-1/2", "e4 e5 f4 exf4 Nf3 g5 h4 g4 Ne5 Nf6"),
        ("1. f3 e5 2. g4 Qh4 0-1", "f3 e5 g4 Qh4#"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6", "e4 d5 e5 f5 exf6 Nxf6"),
        ('[Event "x"] [White "y"] 1. e4 e5 1-0', "e4 e5"),
        ('[Event "x"]\n[White "the "big" one"] 1. e4 e5 1–0', "e4 e5"),
        ('[Event "a] [b"]{c}[White "d \\"e\\" ]"]1. e4 ; [Event "f"]\ne5', "e4 e5"),
        ("1. e4$1 e5 $14$1000 2. Nf3 ⩲", "e4 e5 Nf3"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7 # 1-0", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"),
        ("1. e4 {a ; b} e5 ; {c ( d\n% e5 )\n2. Nf3 {e\n% f} *", "e4 e5 Nf3"),
        ("1. e4 e5 (1... c5 0-1) 2. Nf3 (2. f4 exf4 (2... d5 {(} *)) *", "e4 e5 Nf3"),
    ],
)
def test_tolerated(text, moves):
    record = only(text)
    assert record.errors == []
    assert " ".join(names(record)) == moves


def test_several_games():
    text = f'{OPERA}\n{OPERA}\n1. d4 d5 1/2-1/2 1. c4 *\n\n{{a comment}}\n[Event "x"]\n\n'
    records = list(pgn.read(text))
    assert [len(record.actions) for record in records] == [33, 33, 2, 1, 0]
    assert [record.result for record in records] == ["1-0", "1-0", "1/2-1/2", "*", "*"]
    assert records[-1].headers == {"Event": "x"}


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ('[Event "a"]\n1. e4 e5 1-0\n[Event "b"]\n1. d4 d5 0-1\n', ["a: e4 e5 1-0", "b: d4 d5 0-1"]),
        ('[Event "a"] 1. e4 e5 1-0 [Event "b"] 1. d4 d5 0-1', ["a: e4 e5 1-0", "b: d4 d5 0-1"]),
        ('[Event "a"]\n\n1. e4 e5\n\n[Event "b"]\n[Result "0-1"]\n\n1. d4\n', ["a: e4 e5 *", "b: d4 0-1"]),
        ('[Event "a"]\n\n1. e4 *\n\n\ufeff[Event "b"]\n\n1. d4 *', ["a: e4 *", "b: d4 *"]),
        ('[Event "a"]\n\n[Event "b"]\n\n1. d4 *', ["a: *", "b: d4 *"]),
        ('[Event "a"]\n\n[White "c"]\n\n1. d4 *', ["a: d4 *"]),
        ("1. e4 e5 1-0 1. d4 d5 1/2-1/2", ["?: e4 e5 1-0", "?: d4 d5 1/2-1/2"]),
    ],
)
def test_where_games_begin_and_end(text, games):
    records = list(pgn.read(text, strict=True))
    assert [f"{r.headers.get('Event', '?')}: {' '.join([*names(r), r.result])}" for r in records] == games


def test_glyphs_beyond_the_standard():
    record = only("1. e4 $255 $1000 $1000 e5 $123456789 *")
    assert record.nags == {0: (255, 1000), 1: (123456789,)}
    assert only(str(record)).root == record.root


def test_games_are_read_one_at_a_time():
    def lines():
        yield from OPERA.splitlines(keepends=True)
        yield "\n"
        raise AssertionError("read too far")

    assert len(next(pgn.read(lines())).actions) == 33


@pytest.mark.parametrize(
    ("text", "errors", "moves"),
    [
        ("1. e4 e9 2. d4", ["line 1, column 7: 'e9' is not legal here"], 1),
        ("\n1. e4\n   e5 Ke3", ["line 3, column 7: 'Ke3' is not legal here"], 2),
        ("1. e4 (1. e5 e6) e5 2. Nf3", ["line 1, column 11: 'e5' is not legal"], 3),
        ("1. e4 (1. e5 (1. d4 (1. c4)) e6) e5 (1... Zz) 2. Nf3", ["column 11", "column 43"], 3),
        ("(1. e4) 1. d4", ["line 1, column 1: a variation needs a move"], 1),
        ("1. e4) e5", ["column 6: no variation is open"], 2),
        ("1. e4 (1. d4 d5", ["line 1, column 7: the variation is never closed"], 1),
        ("1. e4 {never", ["line 1, column 7: the comment is never closed"], 1),
        ("1. e4 } e5", ["column 7: '}' means nothing here"], 2),
        ('[Event "x]\n\n1. e4', ["line 1, column 1: a tag is written"], 1),
        ('[FEN "nonsense"]\n\n1. e4', ["line 1, column 1: chess: 'nonsense' has 1 fields"], 0),
        ('[Variant "no such game"]\n\n1. e4', ["line 1, column 1: no game is called"], 0),
        ('[Variant "evil.py"]\n\n1. e4', ["line 1, column 1: 'evil.py': a game in a file"], 0),
        ('[Variant "nim"]\n[FEN "x"]\n\n1. e4', ["line 2, column 1"], 0),
        ('[Variant "connect_four:rows=0"]\n\n1. 1', ["line 1, column 1: connect_four: rows"], 0),
        ('[Variant "connect_four"]\n\n1. 1 2 2. 1 2 3. 1 2 4. 1 2', ["line 3, column 27: '2' is one move too many"], 7),
        ("1. e4 " + "(1. d4 " * 200, ["more than 100 deep", "never closed"], 1),
        ("1. e4 -- 2. d4 d5", ["line 1, column 7: '--' is a null move"], 1),
        ("1. e4 e5\n2. Nf3 Z0 3. d4", ["line 2, column 8: 'Z0' is a null move"], 3),
        ("1. e4 0000 2. d4", ["line 1, column 7: '0000' is a null move"], 1),
        ("1. e4 (1. e3 {a} -- {b} 2. Qh5 (2. Qf3 g6) g6) e5 (1... -- 2. d4) 2. Nf3", ["column 18", "column 57"], 3),
        ("1. e4 $abc e5 $ 2. Nf3 $1234567890", ["'$abc' is no glyph", "'$' is no", "'$1234567890' is no"], 3),
        ("[Event 'x']\n[White-Elo \"2\"]\n1. e4", ["line 1, column 1: a tag is", "line 2, column 1: a tag is"], 1),
        ('[Event "x] 1. e4 e5', ["line 1, column 1: a tag is written"], 2),
    ],
)
def test_errors_name_the_place(text, errors, moves):
    first, second = pgn.read(f'{text}\n\n[Event "next"]\n\n1. d4 d5 *\n')
    assert len(first.errors) == len(errors), first.errors
    for error, words in zip(first.errors, errors, strict=True):
        assert words in error, first.errors
        assert "\n" not in error
    assert len(first.actions) == moves
    assert names(second) == ["d4", "d5"], "the next game is read"
    with pytest.raises(BadNotation, match=r"line|variation"):
        list(pgn.read(text, strict=True))


def test_what_goes_on_behind_a_result_is_no_game_of_its_own():
    first, rest, last = pgn.read("1. e4 e5 1-0 2. Nf3 Nc6 (2... d6) 1/2-1/2 1. d4 *")
    assert (names(first), first.result, first.errors) == (["e4", "e5"], "1-0", [])
    assert rest.actions == ()
    assert rest.errors == ["line 1, column 14: 2. goes on behind the result of a game, which ends it"]
    assert (names(last), last.errors) == (["d4"], [])


def test_a_record_of_an_unknown_game_cannot_be_written():
    record = only('[Variant "no such game"]\n\n1. e4')
    with pytest.raises(BadParameter, match="unknown game"):
        str(record)


def test_files(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes('[White "Müller"]\n\n1. e4 *\n'.encode("latin-1"))
    for source in (path, str(path)):
        assert only(source).headers == {"White": "Müller"}
    with path.open("rb") as file:
        assert only(file).headers == {"White": "Müller"}
    with pytest.raises(BadNotation, match="no such file"):
        list(pgn.read(tmp_path / "none.pgn"))
    with pytest.raises(BadNotation, match="cannot be read"):
        list(pgn.read(tmp_path))


# --- strictness ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end, tmp_path):
    text = end.join(['[White "One"]', "", "; a comment to the end of its line", "1. e4 e5 *", ""])
    file = tmp_path / "games.pgn"
    file.write_bytes(text.encode())
    for record in (*pgn.read(text), *pgn.read(file)):
        assert (record.headers["White"], len(record.actions), record.errors) == ("One", 2, [])


def test_tags():
    text = pgn.write({"Zeta": 'a "b" \\ c', "Alpha": "x\ny", "Round": "3", "Result": "1-0"}, CHESS, None, [])
    assert text.splitlines()[3] == '[Round "3"]'
    assert text.splitlines()[6:9] == ['[Result "1-0"]', '[Alpha "x y"]', '[Zeta "a \\"b\\" \\\\ c"]']
    assert only(text).headers["Zeta"] == 'a "b" \\ c'
    with pytest.raises(BadParameter, match="name of a tag"):
        pgn.write({"bad name": "x"}, CHESS, None, [])
    with pytest.raises(BadParameter, match="result"):
        pgn.write({"Result": "2-0"}, CHESS, None, [])


def test_illegal_moves_are_not_written():
    with pytest.raises(IllegalAction, match="not legal in chess"):
        pgn.write({}, CHESS, None, [0])
    four = game("connect_four")
    with pytest.raises(IllegalAction, match="not legal in connect_four"):
        pgn.write({}, four, None, [0, 1, 0, 1, 0, 1, 0, 1])
    with pytest.raises(BadParameter, match="at the root only"):
        str(Record({}, CHESS, CHESS.initial(), GameNode(following=[GameNode()])))


def test_results_follow_from_the_last_state():
    four = game("connect_four")
    assert "1-0" in pgn.write({}, four, None, [0, 1, 0, 1, 0, 1, 0])
    assert pgn.write({}, four, None, [0, 1]).endswith(" *\n")
    s, moves = CHESS.initial(), []
    for name in ("f3", "e5", "g4", "Qh4#"):
        moves.append(CHESS.parse_action(s, name))
        s = CHESS.result(s, moves[-1])
    assert pgn.write({}, CHESS, None, moves).endswith("1. f3 e5 2. g4 Qh4# 0-1\n")


def test_comments_stay_comments():
    text = pgn.write({}, CHESS, None, [], {-1: 'a {b} c } [Event "x"]\n\n[%eval +1.00] % d'})
    record = only(text)
    assert record.errors == []
    assert record.comments == {-1: 'a {b) c ) [Event "x"] [%eval +1.00] % d'}


def test_commands():
    assert commands("[%clk 0:01:00] well [%eval 0.5]") == {"clk": "0:01:00", "eval": "0.5"}
    assert without_commands(" [%clk 0:01:00]  well  played [%eval 0.5]") == "well played"
    assert [clock_in(f"[%clk {clock_text(t)}]") for t in (0, 59.9, 3600, 86_399.5)] == [0, 59.9, 3600, 86_399.5]
    assert clock_in("no clock") is None
    assert clock_in("[%clk soon]") is None
    for text, value in (("#-5", Evaluation(mate=-5)), ("+0.34", Evaluation(0.34)), ("-12", Evaluation(-12.0))):
        assert only(f"1. e4 {{[%eval {text}]}}").evaluations == {0: value}
    assert only("1. e4 {[%eval great]}").evaluations == {}


# --- anything at all -------------------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(
        ["e4", "e5", "Nf3", "1.", "2...", "(", ")", "{", "}", "x", ";", "\n", "[", "]", '"', "[Event", '[FEN "8/8"]',
         '[Variant "nim"]', '[Event "a"]', "$1", "$", "!", "1-0", "*", "%", "\\", "0-0", "--", "\0", "é", "{[%eval 1]}"]
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=80), WORDS.map(" ".join), WORDS.map("\n".join)))
@example("{" * 500)
@example("(" * 3000)
@example('[A "' + "x" * 5000)
@example("9" * 5000 + ".")
@example("$" + "9" * 5000)
def test_reading_never_fails(text):
    for record in pgn.read(text):
        for error in record.errors:
            assert "\n" not in error
        if record.game is not None and record.start is not None:
            again = only(str(record))
            assert again.errors == []
            assert again.root == record.root
            assert (again.start, again.result) == (record.start, record.result)
