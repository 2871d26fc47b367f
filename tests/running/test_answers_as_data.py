"""Answers leave Python: all of them pickle, those of games in files of the user's too."""

import pickle
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from answers import ANSWERS, POKER
from small_games import Countdown

import zermelo
from zermelo import Policy, UnknownGame
from zermelo.record import RecordedTree

RULES = """
from typing import NamedTuple
from zermelo import Game

class Nim(Game):
    class State(NamedTuple):
        left: int
        player: int

    def initial(self):
        return self.State(3, 0)
    def to_move(self, s):
        return s.player
    def actions(self, s):
        yield from range(1, min(s.left, 2) + 1)
    def result(self, s, action):
        return self.State(s.left - action, 1 - s.player)
    def is_terminal(self, s):
        return s.left == 0
    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0
"""


def known(answer: Any) -> str:
    """All that an answer shows of itself."""
    return re.sub(" at 0x[0-9a-f]+", "", f"{answer!r}\n{answer}")


@pytest.fixture(scope="module", params=ANSWERS)
def answer(request: pytest.FixtureRequest) -> Any:
    """Each kind of answer."""
    return ANSWERS[request.param]()


def test_every_answer_pickles(answer: Any) -> None:
    again = pickle.loads(pickle.dumps(answer))
    assert type(again) is type(answer)
    assert known(again) == known(answer)


def test_policies_say_the_same_when_they_come_back() -> None:
    for name in ("cfr", "cfr by sampling", "sequence form"):
        policy = ANSWERS[name]().policy
        again = pickle.loads(pickle.dumps(policy))
        for cards in ((0, 1), (0, 2), (1, 0), (2, 1)):
            s = POKER.play(POKER.initial(), *cards)
            assert again(s) == policy(s)
        assert sorted(again.choose) == sorted(policy.choose)
    uniform = pickle.loads(pickle.dumps(Policy.uniform(POKER)))
    assert uniform(POKER.play(POKER.initial(), 0, 1)) == {0: 0.5, 1: 0.5}


def test_trees_of_long_games_pickle() -> None:
    tree = zermelo.minimax(Countdown(3_000), record=True, device="python").tree
    again = pickle.loads(pickle.dumps(tree))
    assert isinstance(again, RecordedTree)
    assert [node.path for node in again.root.walk()][-1] == (1,) * 3_000
    assert [node.value for node in again.root.walk()] == [node.value for node in tree.root.walk()]


def test_games_that_were_used_pickle_small() -> None:
    game = zermelo.game("kuhn_poker")
    assert game.name == "kuhn_poker"
    before = len(pickle.dumps(game))
    zermelo.cfr(game, iterations=1)
    assert len(pickle.dumps(game)) == before
    assert pickle.loads(pickle.dumps(zermelo.Tree([1, 2], title="by hand"))).name == "by hand"


def unpickled_elsewhere(path: Path, expression: str) -> str:
    """What another process makes of a pickle, without importing anything before."""
    code = f"import pickle\nfound = pickle.load(open({str(path)!r}, 'rb'))\nprint({expression})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=path.parent)
    return run.stdout.strip() or run.stderr.strip().splitlines()[-1]


def test_games_in_files_pickle(tmp_path: Path) -> None:
    file, kept = tmp_path / "my games.py", tmp_path / "kept"
    file.write_text(textwrap.dedent(RULES), encoding="utf-8")
    game = zermelo.game(str(file))
    answer = zermelo.minimax(game, record=True)
    assert pickle.loads(pickle.dumps(answer)).game == game
    kept.write_bytes(pickle.dumps([game.initial(), answer, game]))
    assert unpickled_elsewhere(kept, "found[0], found[1].value, found[2]") == "State(left=3, player=0) -1.0 Nim()"
    file.write_text(RULES + "    # a remark\n", encoding="utf-8")
    assert unpickled_elsewhere(kept, "found[1].line_names, len(found[1].tree)") == "('1', '2') 7"
    file.unlink()
    said = unpickled_elsewhere(kept, "found")
    assert said.startswith(f"{UnknownGame.__module__}.UnknownGame: this was pickled with a game from a file")
    assert str(file) in said
