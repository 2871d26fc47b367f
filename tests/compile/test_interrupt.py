"""Native work can be interrupted: Ctrl-C comes back soon and leaves everything usable."""

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
