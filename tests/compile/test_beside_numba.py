"""Shortcuts through Numba are this package's own: what somebody else compiles in the same process is not touched."""

import subprocess
import sys
import textwrap

SOURCE = """
    import numpy as np
    from numba import njit
    import zermelo

    @njit
    def before(x):
        return x * 2 + np.sum(np.arange(4))

    assert before(3) == 12
    toe = zermelo.game("tic_tac_toe")
    assert zermelo.alphabeta(toe, device="cpu").nodes == zermelo.alphabeta(toe, device="python").nodes

    @njit
    def after(values, words):
        total = 0.0
        for row in values:
            total += row.sum()
        seen = {word: len(word) for word in words}
        return total + np.sqrt(values).max() + before(1), [seen[word] for word in words]

    total, lengths = after(np.ones((3, 4)), ["a", "bcd"])
    assert total == 12 + 1 + 8 and lengths == [1, 3]
    assert zermelo.perft(toe, 5, device="cpu") == 15120
    print("fine")
"""


def test_functions_of_others_compile_before_and_after(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SOURCE)], capture_output=True, text=True, timeout=300, check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
