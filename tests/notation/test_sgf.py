"""SGF in and out: the whole grammar, games of Go and Othello, and nothing but BadNotation for what is no SGF."""

import io
import random
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zermelo import BadParameter, IllegalAction, UnsuitableGame, game
from zermelo.notation import BadNotation, sgf
from zermelo.notation.game_record import GameNode, Record
from zermelo.notation.sgf_boards import sgf_board

GAME = r"""
(;FF[4]CA[UTF-8]AP[Some: Editor:1.0]GM[1]SZ[9]KM[6.5]PB[Honinbo Shusaku]PW[Gennan \[Inseki\]]DT[1846-07-25]
RE[B+R]RU[Chinese]XX[unknown][to everybody]C[The ear-reddening game\:
not quite.]
;B[ee]C[Tengen]TE[1];W[gc]BM[2]LB[aa:x\:y]
(;B[cg];W[cc];B[gg])
(;B[gd]C[instead];W[hd](;B[hc])(;B[he]DO[])))
"""
OLD = "(;GaMe[1]VieW[]SiZe[9]Comment[before];Black[ee];White[tt];Black[])"


def only(text, **options):
    (record,) = sgf.read(text, **options)
    return record


def names(record):
    return [record.game.format_action(s, a) for s, a in zip(record.states(), record.actions, strict=False)]


# --- games -----------------------------------------------------------------------------------------------------------


def test_a_game():
    record = only(GAME)
    assert record.errors == []
    assert record.game == game("go", size=9, komi=6.5)
    assert record.start == record.game.initial()
    assert record.headers == {
        "PB": "Honinbo Shusaku", "PW": "Gennan [Inseki]", "DT": "1846-07-25", "RE": "B+R", "RU": "Chinese",
        "XX": "unknown",
    }  # fmt: skip
    assert record.result == "1-0"
    assert names(record) == ["E5", "G7", "C3", "C7", "G3"]
    assert record.comments == {-1: "The ear-reddening game:\nnot quite.", 0: "Tengen"}
    assert record.nags == {0: (1,), 1: (4,)}


def test_variations_are_a_tree():
    main = list(only(GAME).main_line())
    assert [len(node.following) for node in main] == [1, 2, 1, 1, 0]
    other = main[1].following[1]
    assert other.comment == "instead"
    assert [node.nags for node in other.following[0].following] == [[], [6]]


def test_writing_is_the_inverse_of_reading():
    record = only(GAME)
    text = sgf.write_record(record)
    again = only(text)
    assert again.errors == []
    assert (again.game, again.start, again.root) == (record.game, record.start, record.root)
    assert (again.headers, again.result) == (record.headers, record.result)
    assert sgf.write_record(again) == text
    assert text.startswith("(;FF[4]CA[UTF-8]GM[1]SZ[9]AP[zermelo:")
    assert all(len(line) < 80 for line in text.splitlines())


def test_old_files():
    record = only(OLD)
    assert record.errors == []
    assert names(record) == ["E5", "pass", "pass"]
    assert record.comments == {-1: "before"}
    assert record.game.is_over(list(record.states())[-1])


def test_random_games_survive():
    source = random.Random(5)
    for size, komi in ((5, 0.0), (9, 7.5), (13, -3.5)):
        of = game("go", size=size, komi=komi)
        s, actions, comments = of.initial(), [], {}
        while not of.is_over(s) and len(actions) < 60:
            actions.append(source.choice(list(of.actions(s))))
            s = of.result(s, actions[-1])
            if source.random() < 0.3:
                comments[len(actions) - 1] = "".join(
                    source.choices(["a", "]", "\\", ":", "\n", "[", "é", "囲碁", "\\]"], k=9)
                )
        comments = {i: text for i, text in comments.items() if text.strip()}
        record = only(sgf.write({"PB": "one"}, of, None, actions, comments))
        assert record.errors == []
        assert record.actions == tuple(actions)
        assert record.comments == comments
        assert (record.game, record.start) == (of, of.initial())


def test_one_point_is_judged_as_all_of_them():
    source = random.Random(9)
    for size in (2, 3, 5):
        of = game("go", size=size)
        board = sgf_board(of)
        for _ in range(20):
            s = of.initial()
            for _ in range(60):
                legal = list(of.actions(s))
                assert [n for n in range(of.max_actions) if board.is_legal(s, n)] == legal
                if not legal:
                    break
                s = of.result(s, source.choice(legal[:-1] or legal))


# --- what is played, and from where ----------------------------------------------------------------------------------


def test_size_and_komi():
    assert only("(;SZ[13])").game == game("go", size=13)
    assert only("(;SZ[9:9]KM[0])").game == game("go", size=9, komi=0.0)
    assert only("(;SZ[9]KM[ 5,5 ])").game.komi == 5.5
    assert only("(;SZ[9]KM[])").game == game("go", size=9)
    assert only("(;)").game.size == 19


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;SZ[19:9])", "no size of a square board"),
        ("(;SZ[x])", "no size of a square board"),
        ("(;SZ[99])", "size must be"),
        ("(;KM[much])", "is no komi"),
        ("(;GM[3])", r"GM\[3\] is chess that is not read from SGF here, only GM\[1\] \(Go\)"),
        ("(;GM[chess])", "no game that is not read"),
        ("(;SZ[9]AB[zz])", "AB: 'zz' is no point"),
        ("(;SZ[9]AB[cc:aa])", "upper left corner comes first"),
        ("(;SZ[9]AB[aa:bb:cc])", "two corners"),
        ("(;SZ[9]PL[X])", "is no player"),
        ("(;SZ[9]AB[aa]B[bb])", "not both"),
    ],
)
def test_what_cannot_be_played(text, words):
    record = only(text)
    assert len(record.errors) == 1
    assert record.errors[0].startswith("line 1, column 2: ")
    assert record.actions == ()
    with pytest.raises(BadNotation, match=words):
        list(sgf.read(text, strict=True))


def test_handicap():
    record = only("(;SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])")
    assert record.errors == []
    assert record.start.player == 1
    assert sgf_board(record.game).stones(record.start) == ([24, 56], [])
    text = sgf.write_record(record)
    assert "AB[gc][cg]HA[2]PL[W]" in text
    again = only(text)
    assert (again.start, again.actions) == (record.start, record.actions)


def test_stones_in_rectangles_and_in_several_nodes():
    record = only("(;SZ[9]AB[aa:cb][ii]AW[ee];AE[bb]AW[ff]PL[W];W[gg])")
    assert record.errors == []
    black, white = sgf_board(record.game).stones(record.start)
    assert black == [0, 1, 2, 9, 11, 80]
    assert white == [40, 50]
    assert record.start.player == 1
    assert len(record.actions) == 1


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("(;SZ[9]AB[aa])", 1),
        ("(;SZ[9]AB[aa]AW[bb])", 0),
        ("(;SZ[9]AB[aa];B[bb])", 0),
        ("(;SZ[9]AB[aa]PL[B])", 0),
        ("(;SZ[9]AB[aa]PL[White])", 1),
        ("(;SZ[9]AB[aa]PL[2])", 1),
        ("(;SZ[9];W[aa])", 1),
        ("(;SZ[9])", 0),
    ],
)
def test_who_begins(text, player):
    record = only(text)
    assert record.errors == []
    assert record.start.player == player


def test_moves_of_one_side_alone():
    """The other side has passed, then: files leave that out, as for stones of a handicap that were played."""
    assert names(only("(;SZ[9];B[cc];B[gg];B[gc];W[ee])")) == ["C7", "pass", "G3", "pass", "G7", "E5"]
    record = only("(;SZ[9];B[cc];W[];W[dd])")
    assert names(record) == ["C7", "pass"]
    assert record.errors == ["line 1, column 18: the other side is to move, and cannot pass"]


@pytest.mark.parametrize(
    ("text", "played", "words"),
    [
        ("(;SZ[9];B[cc];W[cc];B[dd])", 1, "column 14: White's move C7 is not legal"),
        ("(;SZ[9];B[zz])", 0, "'zz' is no point of a board of size 9"),
        ("(;SZ[9];B[a])", 0, "'a' is no point"),
        ("(;SZ[9];B[cc];W[dd]B[ee])", 1, "one move at most"),
        ("(;SZ[9];B[cc][dd])", 0, "one move at most"),
        ("(;SZ[9];B[];W[];B[cc])", 2, "one move too many: the game is over"),
        ("(;SZ[9];B[cc];AB[dd];W[ee])", 1, "stones are set up in the middle of a game"),
        ("(;SZ[3];B[ba];W[cc];B[ab];W[aa])", 3, "White's move A3 is not legal"),
    ],
)
def test_moves_that_cannot_be_played(text, played, words):
    record = only(text)
    assert len(record.actions) == played
    assert len(record.errors) == 1
    assert words in record.errors[0]


def test_an_error_in_a_variation_ends_it_alone():
    record = only("(;SZ[9];B[cc](;W[cc];B[dd])(;W[ee];B[ff]))")
    assert len(record.errors) == 1
    assert names(record) == ["C7", "E5", "D4"] or len(record.actions) == 3


@pytest.mark.parametrize(
    ("written", "result"),
    [("B+R", "1-0"), ("b+3.5", "1-0"), ("W+T", "0-1"), ("W+", "0-1"), ("0", "1/2-1/2"), ("Draw", "1/2-1/2"),
     ("Void", "*"), ("?", "*"), ("", "*")],
)  # fmt: skip
def test_results(written, result):
    record = only(f"(;SZ[9]RE[{written}])")
    assert record.result == result
    again = only(sgf.write_record(record))
    assert again.result == result
    assert again.headers.get("RE", "") == written


def test_results_follow_from_the_last_state():
    of = game("go", size=3, komi=0.5)
    assert "RE[B+8.5]" in sgf.write({}, of, None, [4, 9, 9])
    assert "RE[W+0.5]" in sgf.write({}, of, None, [9, 9])
    assert "RE" not in sgf.write({}, of, None, [4])
    assert "RE[B+R]" in sgf.write({"RE": "B+R"}, of, None, [4])
    assert "RE[W+]" in sgf.write({"Result": "0-1"}, of, None, [4])
    assert "RE[0]" in sgf.write({"Result": "1/2-1/2", "RE": "B+R"}, of, None, [4])
    assert "RE[0]" in sgf.write({}, game("go", size=3, komi=0.0), None, [9, 9])


def test_headers_of_pgn_are_understood():
    text = sgf.write({"White": "first", "Black": "second", "Event": "Cup", "Round": "?"}, game("go"), None, [])
    record = only(text)
    assert record.headers == {"PB": "first", "PW": "second", "EV": "Cup"}
    with pytest.raises(BadParameter, match="capital letters only"):
        sgf.write({"my header": "x"}, game("go"), None, [])


def test_what_is_not_written():
    of = game("go", size=5)
    with pytest.raises(IllegalAction, match="not legal in go"):
        sgf.write({}, of, None, [3, 3])
    with pytest.raises(IllegalAction, match="not legal in go"):
        sgf.write({}, of, None, [25, 25, 0])
    with pytest.raises(BadParameter, match="at the root only"):
        sgf.write_record(Record({}, of, of.initial(), GameNode(following=[GameNode()])))
    with pytest.raises(BadParameter, match="result"):
        sgf.write({"Result": "2-0"}, of, None, [])
    with pytest.raises(BadParameter, match="unknown game"):
        sgf.write_record(only("(;GM[3])"))
    with pytest.raises(UnsuitableGame, match="not written in SGF"):
        sgf.write({}, game("nim"), None, [])


def test_othello():
    of = game("othello")
    source = random.Random(3)
    s, actions = of.initial(), []
    while not of.is_terminal(s):
        actions.append(source.choice(list(of.actions(s))))
        s = of.result(s, actions[-1])
    text = sgf.write({}, of, None, actions)
    assert ";FF[4]CA[UTF-8]GM[2]SZ[8]" in text
    record = only(text)
    assert record.errors == []
    assert (record.game, record.actions) == (of, tuple(actions))
    middle = list(record.states())[20]
    record = only(sgf.write({}, of, middle, actions[20:30]))
    assert (record.errors, record.start, record.actions) == ([], middle, tuple(actions[20:30]))
    passes = [i for i, action in enumerate(actions) if action == 64]
    without = text.replace("B[]", "").replace("W[]", "")
    assert only(without).actions == tuple(actions) or not passes


@pytest.mark.parametrize("first", [[3, 25], [3, 4]])
def test_hex(first):
    of = game("hex", size=5, swap=True)
    source = random.Random(3)
    s, actions = of.play(of.initial(), *first), list(first)
    while not of.is_over(s):
        actions.append(source.choice(list(of.actions(s))))
        s = of.result(s, actions[-1])
    text = sgf.write({}, of, None, actions)
    assert ";FF[4]CA[UTF-8]GM[11]SZ[5]" in text
    assert (";B[d1];W[swap-pieces]" in text) == (first[1] == 25)
    record = only(text)
    assert (record.errors, record.game, record.actions) == ([], of, tuple(actions))
    middle = list(record.states())[8]
    record = only(sgf.write({}, of, middle, actions[8:]))
    assert (record.errors, record.start, record.actions) == ([], middle, tuple(actions[8:]))
    assert only("(;GM[11]SZ[5];B[c3])").game == game("hex", size=5)
    assert "'c9' is no cell of a board of size 5" in only("(;GM[11]SZ[5];B[c9])").errors[0]
    assert "do not fit" in only("(;GM[11]SZ[5]AB[a1][a2])").errors[0]


def test_a_game_of_your_own_choice():
    assert only("(;GM[99]SZ[x];B[aa])", game=game("go", size=5)).actions == (0,)


# --- the grammar -----------------------------------------------------------------------------------------------------


def test_nodes_for_people():
    (root,) = sgf.parse(GAME)
    assert root["AP"] == "Some: Editor:1.0"
    assert root.pairs("AP") == [("Some", " Editor:1.0")]
    assert root.values("XX") == ["unknown", "to everybody"]
    assert root.get("ZZ", "nothing") == "nothing"
    assert "PB" in root
    assert "PX" not in root
    moves = list(root.main_line())
    assert [node.get("B") or node.get("W") for node in moves] == ["", "ee", "gc", "cg", "cc", "gg"]
    assert moves[2].pairs("LB") == [("aa", "x:y")]
    assert (moves[1].line, moves[1].column) == (5, 1)
    assert len(list(root)) == 10
    assert repr(moves[1]) == "SgfNode({'B': ['ee'], 'C': ['Tengen'], 'TE': ['1']}, 1 children)"


def test_trees_are_written_back_as_they_were():
    roots = sgf.parse(GAME + OLD)
    text = "\n".join(map(str, roots))
    again = sgf.parse(text)
    assert again == roots
    assert "XX[unknown][to everybody]" in text
    assert r"LB[aa:x\:y]" in text
    assert "\n".join(map(str, again)) == text
    assert roots[0] != roots[1]
    assert roots[0] != "text"


def test_trees_can_be_built():
    root = sgf.SgfNode()
    root.set("C", "a]b\\c")
    root.set("AB", "aa", "bb")
    root.add({"B": ["dd"]}).add()
    root.add()
    assert str(root) == "(;C[a\\]b\\\\c]AB[aa][bb]\n\n(;B[dd];)\n(;))".replace("\n\n", "\n")
    assert sgf.parse(str(root)) == [root]
    root.set("AB")
    assert "AB" not in root
    with pytest.raises(BadParameter, match="capital letters"):
        root.set("ab", "x")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"a\]b", "a]b"),
        (r"a\\b", r"a\b"),
        (r"a\:b", "a:b"),
        (r"a\nb", "anb"),
        ("a\\\nb", "ab"),
        ("a\\\r\nb", "ab"),
        ("a\\\n\rb", "ab"),
        ("a\nb", "a\nb"),
        ("a\r\nb\rc\n\rd", "a\nb\nc\nd"),
        ("a\tb\vc", "a b c"),
        ("a\\\tb", "a b"),
        ("(;B[aa)", "(;B[aa)"),
        ("", ""),
    ],
)
def test_text(written, text):
    (root,) = sgf.parse(f"(;C[{written}])")
    assert root["C"] == text
    again = sgf.SgfNode()
    again.set("C", text)
    assert sgf.parse(str(again))[0]["C"] == text


def test_what_stands_around_games_is_skipped():
    roots = sgf.parse("From: me\n(hello) [x] \n( ; B [aa] [bb]\n\n;\tW\n[cc] ) and ) (;C[second]) ) end")
    assert [root.properties for root in roots] == [{"B": ["aa", "bb"]}, {"C": ["second"]}]
    assert roots[0].children[0]["W"] == "cc"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "line 1, column 1: there is no game here: SGF begins with (;"),
        ("hello\n()", "line 1, column 1: there is no game here: SGF begins with (;"),
        ("(;", "line 1, column 1: the game tree that begins here is never closed"),
        ("(;B[aa]\n(;W[bb]\n", "line 2, column 1: the game tree that begins here is never closed"),
        ("(;B[aa]\r\n;C[b\\]", "line 2, column 3: the value that begins here is never closed"),
        ("(;B;)", "line 1, column 4: the property B has no value: write B[...]"),
        ("(;B\n)", "line 2, column 1: the property B has no value: write B[...]"),
        ("(;[aa])", "line 1, column 3: the value has no property: write NAME[value]"),
        ("(;b[aa])", "line 1, column 3: 'b' is no name of a property: it has no capital letter"),
        ("(;B[aa]?)", "line 1, column 8: '?' means nothing here"),
        ("(;B[aa](W[bb]))", "line 1, column 9: a variation begins with a node: write (;"),
        ("(;B[aa]())", "line 1, column 9: a variation begins with a node: write (;"),
        ("(;B[aa](;W[bb]);B[cc])", "line 1, column 16: behind a variation there can be another one or the end of the "
         "tree, but no node"),
        ("(;B[aa](;W[bb])C[x])", "line 1, column 16: behind a variation there can be another one or the end of the "
         "tree, but no node"),
    ],
)  # fmt: skip
def test_what_is_no_sgf(text, error):
    with pytest.raises(BadNotation) as raised:
        sgf.parse(text)
    assert str(raised.value) == error


def test_deep_and_long_trees():
    deep = "(;C[x]" * 5000 + ")" * 5000
    (root,) = sgf.parse(deep)
    assert len(list(root)) == 5000
    assert sgf.parse(str(root)) == [root]
    (root,) = sgf.parse("(" + ";B[]" * 5000 + ")")
    assert len(list(root.main_line())) == 5000
    assert len(only(deep).errors) == 0


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "charset", "text"),
    [
        ("utf-8", "UTF-8", "本因坊 é"),
        ("latin-1", "ISO-8859-1", "café"),
        ("shift-jis", "Shift_JIS", "表ソ本因坊"),
        ("gb18030", "GB18030", "围棋"),
        ("big5", "Big5", "功許蓋"),
        ("euc-kr", "EUC-KR", "바둑"),
        ("utf-8", "", "本因坊"),
        ("latin-1", "", "café"),
        ("utf-8-sig", "", "本因坊"),
        ("utf-16", "", "本因坊"),
        ("utf-16", "UTF-16", "本因坊"),
    ],
)
def test_character_sets(encoding, charset, text, tmp_path):
    named = f"CA[{charset}]" if charset else ""
    data = f"(;GM[1]{named}PB[{text}])".encode(encoding)
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    for source in (data, path, str(path), io.BytesIO(data)):
        (root,) = sgf.parse(source)
        assert root["PB"] == text
        assert root["CA"] == "UTF-8"
    assert sgf.parse(str(root).encode())[0]["PB"] == text


def test_another_character_set_than_the_file_says():
    data = "(;CA[UTF-8]PB[café])".encode("latin-1")
    with pytest.raises(BadNotation, match=r"line 1, column 18: byte 0xe9 is no UTF-8; give encoding="):
        sgf.parse(data)
    assert sgf.parse(data, encoding="latin-1")[0]["PB"] == "café"
    for bad in ("klingon", "rot13", "hex", "utf-16", "unicode_escape", "idna", "undefined", "utf-7"):
        with pytest.raises(BadNotation, match="line 2, column 1: there is no character set"):
            sgf.parse(f"(;\nCA[{bad}])".encode())
        with pytest.raises(BadNotation, match="line 1, column 1: there is no character set"):
            sgf.parse(b"(;)", encoding=bad)


def test_sources(tmp_path):
    assert only(io.StringIO("(;SZ[9];B[aa])")).actions == (0,)
    assert only("\ufeff(;SZ[9];B[aa])").actions == (0,)
    with pytest.raises(BadNotation, match="there is no such file"):
        sgf.parse("missing.sgf")
    with pytest.raises(BadNotation, match="cannot be read"):
        sgf.parse(tmp_path)
    with pytest.raises(BadNotation, match="cannot be read"):
        sgf.parse("\0.sgf")


def test_gnugo_reads_what_we_write_and_the_other_way_round(tmp_path, need):
    program = need("/usr/games/gnugo")
    of = game("go", size=9, komi=5.5)
    source = random.Random(11)
    board = sgf_board(of)
    s = board.with_stones([20, 24, 56], [40], 1)
    actions = []
    start = s
    while len(actions) < 40:
        actions.append(source.choice(list(of.actions(s))[:-1]))
        s = of.result(s, actions[-1])
    path, other = tmp_path / "ours.sgf", tmp_path / "theirs.sgf"
    path.write_text(sgf.write({"PB": "one"}, of, start, actions))
    said = subprocess.run(
        [program, "--mode", "gtp"], text=True, capture_output=True, timeout=60, check=True,
        input=f"loadsgf {path}\nlist_stones black\nlist_stones white\nget_komi\nprintsgf {other}\nquit\n",
    ).stdout.split("\n\n")  # fmt: skip
    for stones, answer in zip(board.stones(s), said[1:3], strict=True):
        assert sorted(answer.removeprefix("= ").split()) == sorted(of.format_action(s, n) for n in stones)
    assert float(said[3].removeprefix("= ")) == 5.5
    again = only(other)
    assert again.errors == []
    assert board.stones(again.start) == board.stones(s)


# --- anything at all -------------------------------------------------------------------------------------------------


def test_errors_are_one_line_whatever_they_quote():
    (record,) = sgf.read("(;GM[1\n\0 x])")
    (error,) = record.errors
    assert "\n" not in error
    assert error.startswith("line 1, column 2: GM[1 ")


PIECES = st.lists(
    st.sampled_from(
        ["(", ")", ";", "(;", "[", "]", "\\", ":", "B", "W", "AB", "AW", "AE", "PL", "SZ", "GM", "KM", "CA", "RE", "C",
         "HA", "Black", "b", "[aa]", "[bb:cc]", "[]", "[tt]", "[9]", "[19:9]", "[0.5]", "[UTF-8]", "[shift-jis]",
         "[utf-16]", "[zz]", "\n", "\r", "\t", " ", "é", "\0", ";B[aa]", ";W[bb]", ";B[]", "(;SZ[5]", "[99999999999]",
         "[1e9]", "[nan]", "[١]"]
    ),
    max_size=25,
)  # fmt: skip


def check(source):
    """Whatever it is, it is read or refused; and what is read is written, and read again, as the same."""
    refusal = ""
    try:
        roots = sgf.parse(source)
    except BadNotation as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith("line ")
        assert "\n" not in refusal
        return
    assert sgf.parse("\n".join(map(str, roots))) == roots
    for record in sgf.read("\n".join(map(str, roots))):
        assert all(error.startswith("line ") and "\n" not in error for error in record.errors)
        if record.start is not None:
            again = only(sgf.write_record(record))
            assert again.errors == []
            assert (again.start, again.actions, again.game) == (record.start, record.actions, record.game)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.text(max_size=60), PIECES.map("".join), PIECES.map(lambda pieces: "(;SZ[5]" + "".join(pieces) + ")"))
)
@example("(;" * 3000)
@example("(;C[" + "\\" * 5001)
@example("(;" + "[" * 5000)
@example("(" + " " * 5000 + "(" + ";")
@example("(;KM[1e999])")
@example("(;SZ[5]AB[aa:ee])")
def test_any_text(text):
    check(text)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=60), PIECES.map(lambda pieces: "".join(pieces).encode("utf-8", "replace"))))
def test_any_bytes(data):
    check(data)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files(data):
    """A good file with some bytes changed, cut out or put in."""
    damaged = bytearray(data.draw(st.sampled_from([GAME, OLD, GAME + OLD])).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        match data.draw(st.sampled_from(["change", "cut", "put"])):
            case "change":
                damaged[at] = data.draw(st.integers(0, 255))
            case "cut":
                del damaged[at : at + data.draw(st.integers(1, 9))]
            case _:
                damaged[at:at] = data.draw(st.binary(max_size=5))
        if not damaged:
            break
    check(bytes(damaged))
