"""Gambit's files: every dialect is read, what is written is read back the same, and errors name their place."""

import io
import math
import re
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from gambit_oracle import opened
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, BadNotation, BadParameter, Matrix, Tree, UnknownGame, ZermeloError, chance, game, move
from zermelo.equilibrium.forms.extensive import END, expected, extensive_form
from zermelo.equilibrium.forms.normal import normal_form
from zermelo.notation import gambit, gambit_tree

THIRD = Fraction(1, 3)
POKER = """EFG 2 R "Myerson's card game" { "Player 1" "Player 2" }
"A comment
on two lines, with a \\"quotation\\""

c "ROOT" 1 "(0,1)" { "Red" 0.500000 "Black" 1/2 } 0
p "" 1 1 "red" { "Raise" "Fold" } 0
p "" 2 1 "called" { "Meet" "Pass" } 0
t "" 1 "Outcome 1" { 2.000000 -2.000000 }
t "" 2 "Outcome 2" { 1, -1 }
t "" 2 "Outcome 2" { 1.000000 -1.000000 }
p "" 1 2 "black" { "Raise" "Fold" } 0
p "" 2 1 0
t "" 3 { -2, 2 }
t "" 2
t "" 4 "Outcome 4" { -1 1e0 }
"""


# --- tables ----------------------------------------------------------------------------------------------------------


def test_a_table_by_payoffs():
    table = gambit.read('NFG 1 R "title" { "Ann" "Bob" } { 3 2 }\n1 1 0 2 0 2\n1 1 0 3 2 0')
    assert table.shape == (3, 2)
    assert table.names == ("Ann", "Bob")
    assert table.labels == (("1", "2", "3"), ("1", "2"))
    assert table.payoffs.tolist() == [[[1, 1], [1, 1]], [[0, 2], [0, 3]], [[0, 2], [2, 0]]]


def test_a_table_by_outcomes():
    text = """NFG 1 D "title" { "Ann" "Bob" } { { "up" "down" } { "left" "right" } }
    "a comment"
    { { "first" 1/3, .5 } { "" -2e-1 +3 } }
    1 2 0 1"""
    table = gambit.read(text)
    assert table.labels == (("up", "down"), ("left", "right"))
    half = Fraction(1, 2)
    assert table.payoffs.tolist() == [[[THIRD, half], [0, 0]], [[Fraction(-1, 5), 3], [THIRD, half]]]
    assert table.exact


def test_a_table_of_three_players_and_of_one():
    numbers = " ".join(str(i) for i in range(24))
    table = gambit.read(f'NFG 1 R "" {{ "" "" "" }} {{ 2 2 2 }} {numbers}')
    assert table.names == ("player 1", "player 2", "player 3")
    assert table.payoffs[1, 0, 0].tolist() == [3, 4, 5], "the first player's strategy changes fastest"
    assert table.payoffs[0, 1, 0].tolist() == [6, 7, 8]
    assert table.payoffs[0, 0, 1].tolist() == [12, 13, 14]
    alone = gambit.read('NFG 1 R "" { "me" } { { "a" "b" } } 1 2')
    assert alone.shape == (2,)
    assert alone.payoffs.tolist() == [[1], [2]]


def test_labels_that_are_empty_or_repeated():
    table = gambit.read('NFG 1 R "" { "X" "X" } { { "a" "a" "" " a " } { "" "2" "1" } } ' + "0 " * 24)
    assert table.names == ("X", "X (2)")
    assert table.labels == (("a", "a (2)", "3", "a (3)"), ("1 (2)", "2", "1"))


@pytest.mark.parametrize("name", [n for n in zermelo.games if issubclass(zermelo.games[n], Matrix)])
def test_the_tables_of_the_package_come_back(name):
    table = game(name)
    again = gambit.read(gambit.write(table))
    assert again._content == table._content
    tree = gambit.read(gambit.write(table, form="efg"))
    assert isinstance(tree, Tree)
    assert len(extensive_form(tree).sets) == table.players


# --- trees -----------------------------------------------------------------------------------------------------------


def test_a_tree():
    tree = gambit.read(POKER)
    assert tree.names == ("Player 1", "Player 2")
    start = tree.initial()
    assert tree.to_move(start) == CHANCE
    assert [tree.probability(start, a) for a in tree.actions(start)] == [Fraction(1, 2)] * 2
    red, black = (tree.play(start, a) for a in (0, 1))
    assert tree.information_set(red) == "red"
    assert tree.view(red, 0) != tree.view(black, 0)
    first, second = (tree.play(s, 0) for s in (red, black))
    assert tree.information_set(first) == tree.information_set(second) == "called"
    assert tree.format_action(second, 1) == "Pass"
    assert [tree.utility(tree.play(second, a), 0) for a in (0, 1)] == [-2, 1]
    assert zermelo.sequence_form(tree).value == pytest.approx(1 / 3)


def test_outcomes_on_the_way_add_up():
    tree = gambit.read("""EFG 2 R "" { "Ann" "Bob" }
    p 1 1 "" { "a" "b" } 1 "entry" { -1 1/2 }
    p "" 2 1 "" { "c" "d" } 2 "" { 10 20 }
    t 1 t "" 0
    t "" 3 "" { 5 1/2 }""")
    leaves = [tree.play(tree.initial(), *path) for path in ((0, 0), (0, 1), (1,))]
    assert [[tree.utility(s, p) for p in (0, 1)] for s in leaves] == [[8, 21], [9, Fraction(41, 2)], [4, 1]]
    assert tree.view is None, "sets of one node hide nothing"


def test_odds_without_names_and_rounded():
    tree = gambit.read('EFG 2 R "" { "A" } c "" 1 "" { 0.333333 0.333333 "c" 0.333333 } 0 t "" 0 t "" 0 t "" 0')
    start = tree.initial()
    assert [tree.probability(start, a) for a in range(3)] == [THIRD] * 3
    assert [tree.format_action(start, a) for a in range(3)] == ["0", "1", "c"]
    sixths = gambit.read('EFG 2 R "" { "A" } c "" 1 { "a" 0.166666 "b" 0.833333 } 0 t "" 0 t "" 0 ')
    assert sixths.probability(sixths.initial(), 1) == Fraction(5, 6)
    never = gambit.read('EFG 2 R "" { "A" } c "" 1 { "a" 0 "b" 1 } 0 t 1 { 7 } t 2 { 8 }')
    assert [never.format_action(never.initial(), a) for a in never.actions(never.initial())] == ["b"]


def test_sets_and_moves_without_names():
    tree = gambit.read("""EFG 2 R "" { "A" "B" }
    p "" 1 1 "" { "" "" "x" "x" } 0
    p "" 2 7 "" { "l" "r" } 0 t "" 0 t "" 0
    p "" 2 7 0 t "" 0 t "" 0
    p "" 2 8 "B, set 7" { "l" "r" } 0 t "" 0 t "" 0
    p "" 2 9 "B, set 7" { "l" } 0 t "" 0""")
    start = tree.initial()
    assert [tree.format_action(start, a) for a in range(4)] == ["0", "1", "x", "x (2)"]
    sets = [tree.information_set(tree.play(start, a)) for a in range(4)]
    assert sets[0] == sets[1]
    assert len(set(sets)) == 3
    assert None not in sets
    assert tree.information_set(start) is None


def test_an_absent_minded_player():
    tree = gambit.read('EFG 2 R "" { "driver" } p 1 1 "" { "on" "exit" } 0 p 1 1 0 t 1 { 1 } t 2 { 4 } t 0')
    form = extensive_form(tree)
    assert len(form.sets) == 1
    assert not form.perfect_recall


GAMES = ["kuhn_poker", "kuhn_poker:players=3", "share", "battleship", "trails", "liars_dice:faces=3", "higher_takes"]


@pytest.mark.parametrize("name", GAMES)
def test_any_game_can_be_written_as_a_tree(name):
    of = game(name)
    form, again = extensive_form(of), extensive_form(gambit.read(gambit.write(of, form="efg")))
    assert again.mover == form.mover
    assert again.branches == form.branches
    assert [again.payoffs[n] for n in form.payoffs] == list(form.payoffs.values())
    assert [float(p) for p in again.odds] == pytest.approx([float(p) for p in form.odds])
    assert sorted(s.nodes for s in again.sets) == sorted(s.nodes for s in form.sets)
    uniform = [[Fraction(1, len(s.actions))] * len(s.actions) for s in form.sets]
    assert expected(again, [uniform[form.at[s.nodes[0]]] for s in again.sets]) == pytest.approx(expected(form, uniform))


@pytest.mark.parametrize("name", ["kuhn_poker", "share", "battle_of_the_sexes"])
def test_any_small_game_can_be_written_as_a_table(name):
    table = gambit.read(gambit.write(game(name), form="nfg", title='a "title"'))
    assert isinstance(table, Matrix)
    if name == "kuhn_poker":
        assert table.shape == (64, 64)
        assert table.exact


# --- files -----------------------------------------------------------------------------------------------------------


def test_files_are_games(tmp_path):
    tree, table = tmp_path / "poker.efg", tmp_path / "dilemma.nfg"
    tree.write_bytes(b"\xef\xbb\xbf" + POKER.replace("\n", "\r\n").encode())
    table.write_text(gambit.write(game("prisoners_dilemma")), encoding="utf-8")
    assert game(str(tree)) == gambit.read(tree) == gambit.read(str(tree)) == gambit.read(POKER)
    assert gambit.read(io.BytesIO(POKER.encode("latin-1"))) == gambit.read(io.StringIO(POKER)) == game(str(tree))
    assert (game(str(table)).payoffs == game("prisoners_dilemma").payoffs).all()
    with pytest.raises(BadParameter, match="no parameters"):
        game(f"{table}:rows=3")
    with pytest.raises(BadParameter, match="no parameters"):
        game(str(table), rows=3)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(UnknownGame, match="no such file"):
        game(str(tmp_path / "none.efg"))
    with pytest.raises(BadNotation, match="no such file"):
        gambit.read(tmp_path / "none.nfg")
    for name in ("\0.efg", "x" * 5_000 + ".nfg", str(tmp_path / "folder.efg")):
        (tmp_path / "folder.efg").mkdir(exist_ok=True)
        with pytest.raises(UnknownGame):
            game(name)


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "broken.efg"
    path.write_text('EFG 2 R "" { "A" }\np "" 2 1\n', encoding="utf-8")
    with pytest.raises(BadNotation) as error:
        game(str(path))
    assert str(error.value) == f"{path}, line 2, column 6: expected a player from 1 to 1, not 2"


HEAD = 'EFG 2 R "" { "A" "B" } '
TABLE = 'NFG 1 R "" { "A" "B" } { 2 2 } '
BROKEN = [
    ("", 1, 1, "expected EFG or NFG, not the end of the file"),
    ("XFG", 1, 1, "expected EFG or NFG, not 'XFG'"),
    ("EFG 1 R", 1, 5, "expected version 2 of EFG, not '1'"),
    ("NFG 1 X", 1, 7, "expected R or D"),
    ("NFG 1 R {", 1, 9, "expected the title in quotes, not '{'"),
    ('EFG 2 R "" { }', 1, 12, "one player at least"),
    ('EFG 2 R "" { "A" 3', 1, 18, "expected the players' names in quotes or }, not '3'"),
    ('EFG 2 R "never closed', 1, 9, "never closed"),
    (HEAD, 1, 24, "expected a node: c, p or t, not the end of the file"),
    (HEAD + 'x ""', 1, 24, "expected a node: c, p or t, not 'x'"),
    (HEAD + 't "" x', 1, 29, "expected the number of an outcome, not 'x'"),
    (HEAD + 't "" 1', 1, 30, "which is new"),
    (HEAD + 't "" 1 { 1 }', 1, 35, "expected payoff 2 of 2, not '}'"),
    (HEAD + 't "" 1 { 1 2 3 }', 1, 37, "expected } after 2 payoffs, not '3'"),
    (HEAD + 't "" 1 { 1/0 2 }', 1, 33, "divides by zero"),
    (HEAD + 't "" 1 { 1e999 2 }', 1, 33, "too many digits"),
    (HEAD + 't "" 1 { 1e399 2 }', 1, 33, "too large"),
    (HEAD + 't "" 1 { nan 2 }', 1, 33, "expected payoff 1 of 2, not 'nan'"),
    (HEAD + 't "" 0 { 1 2 }', 1, 29, "outcome 0 pays nothing"),
    (HEAD + 't "" 0 t "" 0', 1, 31, "expected the end of the file"),
    (HEAD + 'p "" 3 1 { "a" } 0', 1, 29, "expected a player from 1 to 2, not 3"),
    (HEAD + 'p "" 1 1 0', 1, 33, "information set 1, which is new"),
    (HEAD + 'p "" 1 1 { } 0', 1, 33, "one action at least"),
    (HEAD + 'p "" 1 1 { "a" }', 1, 40, "expected the number of an outcome"),
    (HEAD + 'p "" 1 1 { "a" } 0\np "" 1 1 { "b" } 0', 2, 8, "had other actions"),
    (HEAD + 'c "" 1 { "a" 1/2 "b" 1/3 } 0', 1, 31, "expected odds that sum to 1, not to 5/6"),
    (HEAD + 'c "" 1 { "a" 3/2 "b" -1/2 } 0', 1, 31, "negative"),
    (HEAD + 'p "" 1 1 { "a" } 0\nt "" 1 { 1 2 }\nt', 3, 1, "expected the end of the file"),
    (HEAD + 'p "" 1 1 { "a" "b" } 0 t 1 { 1 2 }\nt 1 { 1 3 }', 2, 3, "paid something else"),
    (TABLE + "1 2 3", 1, 32, "expected 8 payoffs, 2 for each cell; there are 3"),
    (TABLE + "1 2 3 4 5 6 7 8 9", 1, 48, "expected the end of the file, not '9'"),
    (TABLE + "1 2 3 4 5 6 7 x", 1, 46, "expected a payoff, not 'x'"),
    (TABLE + '{ { "" 1 2 } } 1 1 1 2', 1, 53, "there is no outcome 2"),
    (TABLE + '{ { "" 1 2 } } 1 1 1', 1, 47, "expected 4 numbers of outcomes"),
    ('NFG 1 R "" { "A" "B" } { 2 }', 1, 24, "expected strategies of 2 players, not of 1"),
    ('NFG 1 R "" { "A" "B" } { 2 0 }', 1, 28, "one strategy at least"),
    ('NFG 1 R "" { "A" "B" } { 999999999 999999999 }', 1, 26, "too many"),
    ('NFG 1 R "" { "A" "B" } { 99999 99999 } 1', 1, 40, "expected 19,999,600,002 payoffs"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), BROKEN)
def test_broken_texts(text, line, column, message):
    with pytest.raises(BadNotation) as error:
        gambit.read(text)
    assert str(error.value).startswith(f"line {line}, column {column}: "), str(error.value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_cannot_be_written(monkeypatch):
    monkeypatch.setattr(gambit_tree, "MOST_NODES", 1_000)
    with pytest.raises(BadParameter, match="nfg or efg"):
        gambit.write(game("share"), form="xml")
    with pytest.raises(BadParameter, match="is no game"):
        gambit.write("share")
    with pytest.raises(ZermeloError, match="too many"):
        gambit.write(game("pig"))


# --- properties ------------------------------------------------------------------------------------------------------

labels = st.text(st.sampled_from('ab"\\{}, é1'), min_size=1, max_size=5).map(str.strip).filter(bool)
numbers = st.integers(-99, 99) | st.fractions(-9, 9, max_denominator=50)


@st.composite
def tables(draw):
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    names = draw(st.lists(labels, min_size=len(shape), max_size=len(shape), unique=True))
    own = [draw(st.lists(labels, min_size=n, max_size=n, unique=True)) for n in shape]
    cells = draw(st.lists(numbers, min_size=math.prod(shape) * len(shape), max_size=math.prod(shape) * len(shape)))

    def nested(start, sizes):
        if not sizes:
            return cells[start]
        step = math.prod(sizes[1:])
        return [nested(start + i * step, sizes[1:]) for i in range(sizes[0])]

    size = math.prod(shape)
    return Matrix(*(nested(p * size, shape) for p in range(len(shape))), labels=own, names=names)


@settings(max_examples=80, deadline=None)
@given(tables())
def test_tables_come_back(table):
    assert gambit.read(gambit.write(table)) == table


@st.composite
def subtrees(draw, depth, players, sets):
    kind = draw(st.sampled_from(["leaf", "list", "dict", "chance", "set"])) if depth else "leaf"
    if kind == "leaf":
        return tuple(draw(st.lists(numbers, min_size=players, max_size=players)))
    count = draw(st.integers(1, 3))
    below = [draw(subtrees(depth - 1, players, sets)) for _ in range(count)]
    names = draw(st.lists(labels, min_size=count, max_size=count, unique=True))
    player = draw(st.integers(0, players - 1))
    if kind == "chance":
        return chance({n: (Fraction(1, count), child) for n, child in zip(names, below, strict=True)})
    if kind == "set":
        name = f"{draw(labels)} {player} {count}"
        names = sets.setdefault(name, names)
        return move(player, dict(zip(names, below, strict=True)), information_set=name)
    return move(player, below if kind == "list" else dict(zip(names, below, strict=True)))


@st.composite
def trees(draw):
    players = draw(st.integers(1, 3))
    names = draw(st.none() | st.lists(labels, min_size=players, max_size=players, unique=True))
    return Tree(draw(subtrees(4, players, {})), names=names)


@settings(max_examples=80, deadline=None)
@given(trees())
def test_trees_come_back(tree):
    text = gambit.write(tree)
    assert gambit.read(text) == tree
    assert gambit.write(gambit.read(text)) == text


WORDS = [
    "EFG",
    "NFG",
    "2",
    "1",
    "R",
    '""',
    '"a"',
    "{",
    "}",
    "c",
    "p",
    "t",
    "0",
    "1/2",
    "0.5",
    ",",
    "1e9",
    "-1",
    '"',
    "é",
]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([*WORDS, "\\", "\n"]), max_size=30), st.sampled_from(["", HEAD, TABLE, POKER, POKER[:200]])
)
def test_any_text_gives_a_game_or_an_error_of_ours(words, start):
    assert_read_or_refused(start + " ".join(words))


def assert_read_or_refused(text):
    try:
        found = gambit.read(text)
    except BadNotation as error:
        found = error
    assert isinstance(found, Matrix | Tree) or re.match(r"line \d+, column \d+: .+", str(found))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_changed_letter_gives_a_game_or_an_error_of_ours(data):
    at = data.draw(st.integers(0, len(POKER) - 1))
    letter = data.draw(st.sampled_from('"{}01. ,\\pct/e-\n') | st.characters())
    assert_read_or_refused(POKER[:at] + letter + POKER[at + data.draw(st.integers(0, 2)) :])


# --- Gambit itself ---------------------------------------------------------------------------------------------------


def catalogue():
    """The games that Gambit ships."""
    pygambit = pytest.importorskip("pygambit")
    return sorted(path for path in Path(pygambit.__file__).parent.rglob("*.[en]fg"))


def theirs(text, form):
    pygambit = pytest.importorskip("pygambit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (pygambit.read_efg if form == "efg" else pygambit.read_nfg)(io.StringIO(text))


def test_the_catalogue_of_gambit():
    for path in catalogue():
        text, found = path.read_text(encoding="utf-8"), gambit.read(path)
        assert gambit.read(gambit.write(found)) == found
        if path.suffix == ".efg":
            assert_same_tree(found, theirs(text, "efg"))
            assert_same_tree(found, theirs(gambit.write(found), "efg"))
        else:
            assert_same_table(found, theirs(text, "nfg"))
            assert_same_table(found, theirs(gambit.write(found), "nfg"))


def assert_same_tree(tree, other):
    form, known = extensive_form(tree), opened(other)
    assert len(form.sets) == known.sets()
    assert form.perfect_recall == other.is_perfect_recall
    stack = [(0, known.root, [0] * form.players)]
    while stack:
        node, here, gained = stack.pop()
        assert known.mover(here) == form.mover[node]
        gained = [sum(pair) for pair in zip(gained, known.pays(here), strict=True)]
        if form.mover[node] == END:
            assert list(form.payoffs[node]) == gained
        if form.mover[node] == CHANCE:
            assert [form.odds[child] for child in form.children[node]] == known.odds(here)
        # As many branches at every node, ends included: as many nodes.
        stack += [(a, b, gained) for a, b in zip(form.children[node], known.children(here), strict=True)]


def assert_same_table(table, other):
    theirs = other.to_arrays(dtype=Fraction)
    assert len(theirs) == table.players
    for player, payoffs in enumerate(theirs):
        assert table.payoffs[..., player].tolist() == payoffs.tolist()


@pytest.mark.parametrize("name", ["kuhn_poker", "share", "odd_man_out"])
def test_gambit_reads_what_is_written(name):
    of = game(name)
    tree = gambit.read(gambit.write(of, form="efg"))
    assert_same_tree(tree, theirs(gambit.write(of, form="efg"), "efg"))
    assert_same_table(gambit.read(gambit.write(of, form="nfg")), theirs(gambit.write(of, form="nfg"), "nfg"))


@pytest.mark.parametrize("form", ["nfg", "efg"])
def test_a_game_is_called_by_the_title_of_its_file(form):
    text = gambit.write(game("stag_hunt"), form=form, title='Hares and "stags"')
    found = gambit.read(text)
    assert found.name == 'Hares and "stags"'
    assert found == gambit.read(text.replace(" and ", " or "))  # the title is no part of the game
    assert gambit.read(gambit.write(found)).name == found.name
    assert zermelo.nash(found)[0].to_json()["game"] == found.name
    assert gambit.read(gambit.write(game("stag_hunt"), form=form, title="")).name in ("matrix", "tree")


def test_a_title_is_one_line_that_a_terminal_can_show():
    found = gambit.read('NFG 1 R "  two\n lines\x1b[2J" { "a" "b" } { 1 1 } 1 2')
    assert found.name == "two lines [2J"
    assert len(gambit.read(f'NFG 1 R "{"long " * 99}" {{ "a" "b" }} {{ 1 1 }} 1 2').name) == 72


def test_the_table_of_a_game_is_called_like_the_game():
    assert normal_form(game("share")).name == "share"
    assert zermelo.correlated(game("share")).to_json()["game"] == "share"
