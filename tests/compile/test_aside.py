"""Native code is made by a child process while plain Python answers, and nobody waits for it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
import small_games
from small_games import Laborious

import zermelo
from zermelo import Limit
from zermelo.compile import aside, cache

pytestmark = pytest.mark.skipif(not aside.is_possible(), reason="no child process can compile here")
PATIENCE = 400


def until(what):
    """Wait until that is so."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_plain_python_answers_until_native_code_is_there(nothing_compiled):
    game = Laborious()
    first = zermelo.search(game, limit=Limit(time=0.3))
    assert first.device == "python"
    assert first.compile_seconds > 0
    assert first.time < 0.6, "time to compile is no time to think"
    (making,) = aside._under_way.values()
    until(lambda: making.is_done)
    assert making.is_made
    second = zermelo.search(game, limit=Limit(time=0.3))
    assert second.device == "cpu"
    assert second.depth >= first.depth


def test_a_search_changes_over_in_the_middle(nothing_compiled):
    answers = []
    for answer in zermelo.search.stream(zermelo.game("connect_four"), limit=Limit(time=PATIENCE)):
        answers.append(answer)
        if answer.device == "cpu":
            break
    assert [answer.device for answer in answers] == ["python"] * (len(answers) - 1) + ["cpu"]
    depths, nodes = [answer.depth for answer in answers], [answer.nodes for answer in answers]
    assert depths == sorted(depths)
    assert nodes == sorted(nodes)


def test_trees_change_over_as_they_are(nothing_compiled):
    game = Laborious()
    auto = zermelo.mcts(game, limit=Limit(simulations=150_000), seed=3, longest=100)
    assert auto.device == "cpu"
    plain = zermelo.mcts(game, limit=Limit(simulations=150_000), seed=3, longest=100, device="cpu")
    assert {a: m.visits for a, m in auto.moves.items()} == {a: m.visits for a, m in plain.moves.items()}


def test_what_cannot_be_compiled_is_said_once(nothing_compiled, monkeypatch, capfd):
    class Listed(Laborious):
        def utility(self, s, player):
            won = len(str(s.left)) / 1.0
            return won if player == s.player else -won

    game = Listed(n=24)
    for _ in range(2):
        assert zermelo.minimax(game).device == "python"
    assert capfd.readouterr().err.count("cannot run natively") <= 1
    assert len(aside._under_way) <= 1


def test_a_child_that_dies_is_made_up_for(nothing_compiled, monkeypatch):
    real = aside.Making.__init__

    def begun(self, name, make):
        real(self, name, make)
        os.kill(self._child, signal.SIGKILL)

    monkeypatch.setattr(aside.Making, "__init__", begun)
    assert zermelo.minimax(Laborious(n=26)).device == "cpu", "it is compiled in place"
    found = zermelo.search(Laborious(), limit=Limit(time=0.3))
    assert found.device in ("python", "cpu")
    for making in aside._under_way.values():
        until(lambda making=making: making.is_done)
        assert not making.is_made
    assert zermelo.search(Laborious(), limit=Limit(depth=3), device="cpu").device == "cpu"


def test_where_no_process_can_be_forked_code_is_made_in_place(nothing_compiled, monkeypatch):
    def refused():
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    assert zermelo.minimax(Laborious(n=26)).device == "cpu"
    assert zermelo.mcts(Laborious(), limit=Limit(time=0.5), longest=100).device == "cpu"


@pytest.fixture
def command(tmp_path):
    """Runs the command in a folder with a user's game, and nothing compiled."""
    shutil.copy(small_games.__file__, tmp_path)
    environment = os.environ | {"ZERMELO_CACHE": str(tmp_path / "native")}

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "zermelo", *words], cwd=tmp_path, env=environment, capture_output=True, text=True,
            timeout=PATIENCE, check=True,
        )  # fmt: skip

    run.cache = tmp_path / "native"
    return run


def test_a_command_leaves_its_child_to_finish(command):
    done = command("analyse", "small_games.py:Laborious:n=300", "--method", "search", "--time", "0.5", "--json")
    found = json.loads(done.stdout)
    assert found["device"] == "python"
    assert found["seconds"] <= 0.6
    assert found["compile_seconds"] > 0
    assert "still being made, in the background" in done.stderr

    def entries():
        return [path for path in command.cache.glob("*") if not path.name.startswith(cache.UNFINISHED)]

    assert not entries(), "it did not wait"
    until(entries)
    done = command("analyse", "small_games.py:Laborious:n=300", "--method", "search", "--time", "0.5", "--json")
    assert json.loads(done.stdout)["device"] == "cpu"
    assert "compiling" not in done.stderr


def test_two_processes_do_not_make_the_same(command):
    for _ in range(2):
        command("analyse", "small_games.py:Laborious:n=300", "--method", "search", "--time", "0.3", "--json")
    until(lambda: len([*command.cache.glob("*")]) == 1 and not [*command.cache.glob(cache.UNFINISHED + "*")])


def test_without_children_code_is_made_in_place(nothing_compiled, monkeypatch):
    monkeypatch.setenv("ZERMELO_ASIDE", "0")
    found = zermelo.search(Laborious(), limit=Limit(time=0.3))
    assert found.device == "cpu"
    assert found.compile_seconds > found.time
