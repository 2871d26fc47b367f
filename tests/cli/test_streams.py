"""What the command line does with its streams and with signals, and how long its messages are."""

import json
import os
import signal
import subprocess
import sys

import pytest
from command_line import refused

import zermelo
from zermelo.cli import main
from zermelo.errors import ZermeloError, shortened

TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@pytest.fixture(autouse=True)
def _plain_errors(monkeypatch):
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)


SHORT = [
    ("analyse", "{}"),
    ("analyse", "connect_four:rows={}"),
    ("analyse", "/no/{}/game.py"),
    ("analyse", "[[1, '{}']]"),
    ("analyse", "{{'{}': 'a'}}"),
    ("analyse", "tic_tac_toe", "--position", "{}"),
    ("analyse", "tic_tac_toe", "--moves", "{}"),
    ("analyse", "tic_tac_toe", "--method", "{}"),
    ("analyse", "tic_tac_toe", "--depth", "{}"),
    ("analyse", "tic_tac_toe", "--{}"),
    ("tree", "[3, 5]", "--svg", "{}"),
    ("match", "tic_tac_toe", "{}", "random"),
    ("match", "tic_tac_toe", "random", "random", "--openings", "{}"),
    ("{}",),
]


@pytest.mark.parametrize("text", ["x", "9", "'", '"', "a b ", "\\"])
def test_messages_do_not_repeat_what_is_endless(capsys, text):
    for arguments in SHORT:
        err = refused(capsys, *(word.format(text * 100_000) for word in arguments))
        assert len(err) <= 620
        assert err.count(text * 200) == 0


def test_what_is_wrong_and_what_to_do_stay():
    tic_tac_toe = zermelo.game("tic_tac_toe")
    s = tic_tac_toe.initial()
    for ask in (tic_tac_toe.parse_state, lambda text: tic_tac_toe.parse_action(s, text), zermelo.game):
        with pytest.raises(ZermeloError) as caught:
            ask("z" * 100_000)
        assert 60 < len(str(caught.value)) < 300
    assert shortened("it doesn't fit: " + "so " * 60 + "isn't it?") == "it doesn't fit: " + "so " * 60 + "isn't it?"
    assert shortened(f"{'a' * 500!r} is no name; write another") == f"'{'a' * 60}...' is no name; write another"
    middle = shortened("begin " + "and so on " * 1000 + "end")
    assert (middle[:9], middle[-6:], len(middle)) == ("begin and", "on end", 2000)


def standard_streams(line, buffered=True):
    """What a line of the shell comes to: its exit code and what it says on the error stream."""
    space = {k: v for k, v in os.environ.items() if k not in ("ZERMELO_DEBUG", "PYTHONUNBUFFERED")}
    space |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    line = line.replace("zermelo", f"{sys.executable} -m zermelo")
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=space, timeout=60)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    "verb", ["games", "games --json", "--help", "perft --help", "analyse '[[3, 5], [2, 9]]'", "tree '[3, 5]' --svg -"]
)
def test_an_output_that_cannot_be_written(verb, buffered):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    code, err = standard_streams(f"zermelo {verb} >/dev/full", buffered)
    assert (code, err.count("\n")) == (2, 1), err
    assert "cannot be written: No space left on device" in err
    code, err = standard_streams(f"zermelo {verb} >&-", buffered)
    assert (code, err) == (2, "zermelo: the standard output is closed, and there is nowhere to answer\n")


def test_closed_streams():
    assert standard_streams("zermelo nosuch 2>&-") == (2, "")
    assert standard_streams("zermelo nosuch 2>/dev/full") == (2, "")
    for line in ("zermelo uci <&-", "zermelo gtp <&-", "zermelo play tic_tac_toe <&-"):
        assert standard_streams(line) == (0, "")


def stopped(number, *arguments):
    """The exit code and what was printed when a signal came, some time after the first answer."""
    program = (
        "import os, signal, sys, threading\n"
        "from zermelo.cli import analyse, main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "so_far, counted = analyse._so_far, []\n"
        "def told(answer, nodes):\n"
        "    counted.append(answer)\n"
        f"    if len(counted) == 2: threading.Timer(0.2, os.kill, (os.getpid(), {number})).start()\n"
        "    return so_far(answer, nodes)\n"
        "analyse._so_far = told\n"
        f"sys.exit(main({list(arguments)!r}))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    return ran.returncode, ran.stdout


@pytest.mark.parametrize("method", ["search", "mcts", "alphabeta", "minimax"])
def test_ctrl_c_prints_what_is_known(method):
    code, out = stopped(
        signal.SIGINT, "analyse", "connect_four", "--method", method, "--time", "1000", "--device", "python"
    )
    assert code == 130
    assert [word for word in ("connect_four", "value ", "best ", "depth ") if word not in out] == []
    assert "interrupted: this is what was known so far" in out


def test_ctrl_c_with_hidden_cards():
    typed = ("analyse", "kuhn_poker", "--moves", "J Q", "--method", "ismcts", "--time", "1000", "--device", "python")
    code, out = stopped(signal.SIGINT, *typed)
    assert (code, "interrupted" in out) == (130, True)


def test_a_polite_end():
    code, out = stopped(
        signal.SIGTERM, "analyse", "connect_four", "--method", "alphabeta", "--time", "1000", "--json", "--device",
        "python",
    )  # fmt: skip
    found = json.loads(out)
    assert (code, found["interrupted"]) == (143, True)
    assert found["action"] is not None


def test_interrupted_before_anything_is_known(capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.cli.search_options.analyse", stop)
    assert main(["analyse", TREE]) == 130
    assert capsys.readouterr() == ("", "interrupted before anything was found out\n")


def test_payoffs_of_any_size_have_means(capsys):
    from zermelo import Tree, playouts

    big = Tree([[1e300, -1e300], [5, 1e300]])
    small = Tree([[1, -1], [5e-300, 1]])
    for device in ("python", "cpu"):
        one, other = playouts(big, device=device), playouts(small, device=device)
        assert one.mean == pytest.approx(other.mean * 1e300)
        assert one.error == pytest.approx(other.error * 1e300)
    huge = playouts(Tree([1.7e308] * 5))
    assert (huge.mean, huge.error) == (pytest.approx(1.7e308), pytest.approx(0, abs=1e303))
    assert main(["playouts", "[5.5e300, 5.5e300]"]) == 0
    assert "player 0: +5.5e+300 ± " in capsys.readouterr().out
