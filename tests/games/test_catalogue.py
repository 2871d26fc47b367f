"""Finding games by name, by file and with parameters; whatever is written, only the package's own errors come out."""

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zermelo import games
from zermelo.catalogue import game
from zermelo.contract import Game, Traits
from zermelo.contract.parameters import parse_parameters
from zermelo.errors import BadParameter, UnknownGame, ZermeloError
from zermelo.games.higher_takes import HigherTakes
from zermelo.games.kuhn_poker import KuhnPoker

OWN = ["alliance", "higher_takes", "kuhn_poker", "matching_pennies", "prisoners_dilemma", "rock_paper_scissors"]
OWN += ["share", "trails"]

COUNT = '''
from typing import NamedTuple
from zermelo.contract import Game

class Count(Game):
    """Count down from `start` by one or two."""
    start: int = 5

    class State(NamedTuple):
        left: int
        player: int

    def initial(self):
        return self.State(self.start, 0)
    def to_move(self, s):
        return s.player
    def actions(self, s):
        yield 1
        if s.left > 1:
            yield 2
    def result(self, s, action):
        return self.State(s.left - action, 1 - s.player)
    def is_terminal(self, s):
        return s.left == 0
    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0
'''


@pytest.fixture
def write(tmp_path):
    def writer(text, name="mygame.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return writer


def test_names():
    assert set(OWN) <= set(games)
    assert len(games) == len(list(games))
    assert list(games) == sorted(games)
    assert "kuhn_poker" in games
    assert "KuhnPoker" in games
    assert "poker" not in games
    assert 5 not in games
    assert games["kuhn_poker"] is games.KuhnPoker is games.kuhn_poker.KuhnPoker is KuhnPoker
    assert "kuhn_poker" in dir(games)
    for spelled in ("kuhn_poker", "kuhn-poker", "KuhnPoker", "Kuhn Poker", " KUHN_POKER "):
        assert game(spelled) == KuhnPoker()
    assert isinstance(games, games.GamesPackage)
    assert repr(games).startswith(f"<{len(games)} games: ")


def test_table_and_listing():
    rows = games.table()
    assert [name for name, _, _ in rows] == list(games)
    assert all(isinstance(traits, Traits) and about.endswith(".") for _, traits, about in rows)
    listing = str(games)
    assert all(name in listing for name in games)
    assert "hidden information" in listing


def test_unknown_names_come_with_suggestions():
    with pytest.raises(UnknownGame, match="kuhn_poker"):
        game("khun_poker")
    with pytest.raises(UnknownGame, match="lists them all"):
        game("xyzzy")
    with pytest.raises(AttributeError):
        _ = games.xyzzy
    for name in ("", "  ", 5, None, "x" * 10_000, ":rows=5", b"nim"):
        with pytest.raises(UnknownGame):
            game(name)


def test_parameters_in_the_name():
    assert game("higher_takes:hidden=True") == game("higher_takes", hidden=True) == HigherTakes(hidden=True)
    assert game("HigherTakes: hidden = True , four=diamonds").four == "diamonds"
    assert game("higher_takes:four='diamonds'", hidden=True).parameters == {"hidden": True, "four": "diamonds"}
    assert game("alliance:armies=(1, 2, 4),rounds=1").armies == (1, 2, 4)
    assert game("alliance:armies=[1,2,4]").armies == (1, 2, 4)


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker:",
        "kuhn_poker:3",
        "kuhn_poker:players",
        "kuhn_poker:players=",
        "kuhn_poker:players=3,",
        "kuhn_poker:players=3,players=3",
        "kuhn_poker:players=three",
        "kuhn_poker:players=1+1",
        "kuhn_poker:players=__import__('os')",
        "kuhn_poker:seats=3",
        "kuhn_poker:players=(3",
        "kuhn_poker:players=" + "9" * 5_000,
        "kuhn_poker:players=" + "(" * 500,
        "kuhn_poker:players=\0",
        "rock_paper_scissors:best_of=3",
        "alliance:armies=(1,2)",
        "alliance:armies=nim",
        "trails:gold=much",
    ],
)
def test_bad_parameters(name):
    with pytest.raises(BadParameter) as error:
        game(name)
    assert "\n" not in str(error.value)


def test_parameters_given_twice():
    with pytest.raises(BadParameter, match="players was given twice"):
        game("kuhn_poker:players=3", players=2)


def test_splitting():
    assert parse_parameters("a=(1, [2, 3]), b={'x': 'y,z'}, c=word-two, d=\"it's, so\", e=-1.5,f=None") == {
        "a": (1, [2, 3]),
        "b": {"x": "y,z"},
        "c": "word-two",
        "d": "it's, so",
        "e": -1.5,
        "f": None,
    }
    assert parse_parameters("") == parse_parameters("  ") == {}


def test_files(write):
    path = write(COUNT)
    found = game(path)
    assert found.name == "count"
    assert found.start == 5
    assert found.traits.zero_sum
    assert game(f"{path}:Count").start == 5
    assert game(f"{path}:Count:start=7") == game(f"{path}:start=7") == game(path, start=7)
    assert type(game(path)) is type(found)
    assert sys.modules[type(found).__module__].Count is type(found)
    with pytest.raises(UnknownGame, match="it has Count"):
        game(f"{path}:Other")
    with pytest.raises(BadParameter, match="no parameter 'size'"):
        game(f"{path}:size=3")


def test_a_file_that_changes_is_loaded_again(write):
    path = write(COUNT)
    before = game(path)
    write(COUNT.replace("start: int = 5", "start: int = 6"))
    assert game(path).start == 6
    assert before.start == 5


def test_a_file_may_import_its_neighbours(write):
    write("LENGTH = 9\n", "neighbour_of_count.py")
    path = write("from neighbour_of_count import LENGTH\n" + COUNT.replace("int = 5", "int = LENGTH"))
    before = list(sys.path)
    assert game(path).start == 9
    assert sys.path == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class Broken(\n", "mygame.py:1: "),
        ("x = 1\nif x\n    pass\n", "mygame.py:2: "),
        ("x = 1\n\nraise RuntimeError('of no use')\n", "mygame.py:3: loading it raised RuntimeError: of no use"),
        ("def f():\n    return 1 / 0\nf()\n", "mygame.py:2: loading it raised ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "loading it raised SystemExit: 3"),
        ("import not_a_module_at_all\n", "ModuleNotFoundError"),
        ("x = '\0'\n", "null"),
        ("x = 1\n", "defines no game"),
        ("from zermelo.games.share import Share\n", "defines no game"),
        (COUNT + "\nclass More(Count):\n    pass\n", "say which: mygame.py:Count or mygame.py:More"),
    ],
)
def test_files_that_cannot_be_loaded(write, text, message):
    path = write(text)
    before = set(sys.modules)
    with pytest.raises(UnknownGame) as error:
        game(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    if "defines" not in str(error.value):
        assert not [name for name in sys.modules.keys() - before if name.startswith("zermelo_file_")]


def test_files_that_are_not_there(tmp_path):
    for path in (tmp_path / "none.py", tmp_path / "folder.py", "no/such/file.py", "\0.py", "x" * 5_000 + ".py"):
        (tmp_path / "folder.py").mkdir(exist_ok=True)
        with pytest.raises(UnknownGame):
            game(str(path))
    with pytest.raises(UnknownGame, match="there is no such file"):
        game(str(tmp_path / "none.py"))


def test_private_bases_and_aliases_do_not_count(write):
    path = write(COUNT.replace("class Count", "class _Base") + "\nclass Count(_Base):\n    pass\n\nAlias = Count\n")
    assert game(path).name == "count"


def test_what_constructors_raise_becomes_a_bad_parameter(write):
    path = write(COUNT + "\n    def validate(self):\n        raise KeyError('x\\ny')\n")
    with pytest.raises(BadParameter, match=r"Count.* cannot be made: KeyError"):
        game(path)
    path = write(COUNT + "\n    def __init__(self, width):\n        super().__init__()\n", "other.py")
    with pytest.raises(BadParameter, match="width"):
        game(path)
    assert game(f"{path}:width=3").start == 5


names = st.sampled_from([*OWN, "nim", "mygame.py", "higher_takes.py:X", ""])
mess = st.text(st.sampled_from("abz019_=,:;()[]{}'\"\\ .-+#\n\0é∞"), max_size=30) | st.text(max_size=12)


@settings(max_examples=400, deadline=None)
@given(names, mess)
@example("kuhn_poker", ":players=0x1for x")
@example("kuhn_poker", ":players=1if 1else 2")
def test_any_name_gives_a_game_or_an_error_of_ours(name, rest):
    for text in (name + rest, name + ":" + rest, f"{name}:players={rest}", rest):
        try:
            found = game(text)
        except ZermeloError:
            continue
        assert isinstance(found, Game)


@settings(max_examples=300, deadline=None)
@given(mess)
def test_any_text_gives_parameters_or_an_error_of_ours(text):
    try:
        parameters = parse_parameters(text)
    except BadParameter:
        return
    assert all(name.isidentifier() for name in parameters)


values = st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab'\", ", max_size=6)


@given(st.dictionaries(st.sampled_from("abc"), values | st.lists(values, max_size=3) | st.tuples(values, values)))
def test_what_is_written_is_read(parameters):
    assert parse_parameters(",".join(f"{name}={value!r}" for name, value in parameters.items())) == parameters


@settings(max_examples=150, deadline=None)
@given(text=st.text(st.sampled_from("classGme(Zr):\n    pas=0\"'\0é"), max_size=60))
def test_any_file_gives_a_game_or_an_error_of_ours(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("fuzz") / "mygame.py"
    path.write_bytes(("from zermelo.contract import Game\n" + text).encode("latin-1"))
    with pytest.raises(ZermeloError):
        game(str(path))


def test_games_are_found_without_numba():
    code = (
        "import sys; from zermelo import games; from zermelo.catalogue import game;"
        "list(games); before = set(sys.modules);"
        "assert not any(m.startswith('zermelo.games.') for m in before), 'listing imports games';"
        f"[game(name) for name in {OWN!r}];"
        "bad = {'numba', 'scipy', 'torch'} & set(sys.modules); sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
