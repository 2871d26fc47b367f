"""Native work can be interrupted: Ctrl-C comes back soon and leaves everything usable."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys, threading, time, zermelo
game = zermelo.game("connect_four")
zermelo.perft(game, 3, device="cpu")
{warm}
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
started = time.monotonic()
try:
    {work}
    print("finished")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - started < 20, zermelo.perft(game, 3, device="cpu"))
"""


@pytest.mark.parametrize(
    "work",
    [
        "zermelo.minimax(game, depth={0}, device='cpu')",
        "zermelo.perft(game, {0}, device='cpu')",
        "zermelo.playouts(game, games=10**{0}, device='cpu')",
    ],
)
def test_control_c(work):
    program = PROGRAM.format(warm=work.format(2), work=work.format(20 if "10**" not in work else 10))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == ["interrupted", "True", "343"], done.stderr


OFTEN = """
import os, random, signal, threading, time, zermelo
game = zermelo.game("connect_four")
zermelo.perft(game, 3, device="cpu")
source, count = random.Random(1), 0
while count < 100:
    try:
        threading.Timer(0.01 * source.random(), os.kill, (os.getpid(), signal.SIGINT)).start()
        while True:
            zermelo.perft(game, 4, device="cpu")
    except KeyboardInterrupt:
        count += 1
print("interrupted")
"""


def test_control_c_at_any_moment():
    """Also between two runs and while one begins: no native code runs on when its memory is gone."""
    done = subprocess.run([sys.executable, "-c", OFTEN], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "interrupted"), done.stderr


COMPILING = """
import signal, sys, time, zermelo

class Late(Exception): pass

def late(number, frame):
    raise Late

kind, handler = {{"Late": (Late, late), "KeyboardInterrupt": (KeyboardInterrupt, signal.default_int_handler)}}[{0!r}]
signal.signal(signal.SIGALRM, handler)
zermelo.perft(zermelo.game("nim"), 2, device="cpu")
for k, delay in enumerate((0.1, 0.2, 0.3, 0.4, 0.5, 0.6)):
    game = zermelo.game("connect_four", rows=5, cols=4 + k)
    signal.setitimer(signal.ITIMER_REAL, delay)
    try:
        while True:
            zermelo.alphabeta(game, depth=3, device="cpu")
    except kind:
        print(k, end=" ")
    assert signal.getsignal(signal.SIGALRM) is handler
print(zermelo.perft(game, 3, device="cpu"))
"""


@pytest.mark.parametrize("kind", ["Late", "KeyboardInterrupt"])
def test_what_a_handler_raises_is_passed_on(kind, tmp_path):
    """Also while something is compiled: the compiler takes it for no error of its own, and stays usable."""
    space = {**os.environ, "ZERMELO_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", COMPILING.format(kind)], capture_output=True, text=True, env=space, timeout=120
    )
    assert done.stdout.split() == ["0", "1", "2", "3", "4", "5", "729"], done.stderr
