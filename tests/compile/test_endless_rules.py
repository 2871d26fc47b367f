"""Rules without an end, and rules that write where they may not: one clear error on every machine, no crash."""

import functools
import subprocess
import sys
from typing import NamedTuple

import pytest

import zermelo
from zermelo import BrokenContract, Game


class Down(Game):
    """Count down to 0."""

    max_actions = 2

    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(6)

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        yield 1
        if s.n > 1:
            yield 2

    def result(self, s, action):
        return self.State(s.n - action)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, player):
        return 1.0 if player == 0 else -1.0


class CallsItself(Down):
    def utility(self, s, player):
        return 0.0 if self.steps(s.n) > 0 else 1.0

    def steps(self, n):
        if n == 77:
            return 0
        return 1 + self.steps(n - 1)


class InCircles(Down):
    def result(self, s, action):
        return self.State(s.n - action if s.n != 2 else self.there(s))

    def there(self, s):
        if s.n == 9:
            return 1
        return self.back(s) + 1

    def back(self, s):
        if s.n == 8:
            return 2
        return self.there(s) + 1


class ThroughBuiltins(Down):
    """Each call goes through C functions, which take room on the stack of the thread."""

    def result(self, s, action):
        return self.State(max(self.deeper(s.n - action), 0))

    def deeper(self, n):
        if n > 50:
            return n
        return max(self.deeper(m) for m in (n - 1, n - 2))


@functools.lru_cache(maxsize=None)  # noqa: UP033
def kept(n):
    return kept(n + 1) + sum(kept(m) for m in (n + 2,))


class ThroughCaches(Down):
    def utility(self, s, player):
        return kept(s.n)


METHODS = {
    "minimax": zermelo.minimax,
    "search": zermelo.search,
    "playouts": lambda game, device: zermelo.playouts(game, games=10, device=device),
}


def on_machines(*kinds):
    """All kinds by all methods in plain Python; natively, where compiling takes seconds, the first by all methods."""
    cases = [(kind, name, "python") for kind in kinds for name in METHODS]
    cases += [(kind, name, "cpu") for kind in kinds for name in METHODS if kind is kinds[0] or name == "minimax"]
    return pytest.mark.parametrize(
        ("kind", "method", "device"), cases, ids=[f"{kind.__name__} {name} {device}" for kind, name, device in cases]
    )


@on_machines(CallsItself, InCircles, ThroughBuiltins)
def test_recursion_without_end(kind, method, device):
    with pytest.raises(BrokenContract, match=r"test_endless.*calls itself without end"):
        METHODS[method](kind(), device=device)


def test_recursion_through_the_functions_of_python():
    with pytest.raises(BrokenContract, match="calls itself without end"):
        zermelo.minimax(ThroughCaches(), device="python")


def test_deep_rules_that_end_are_allowed():
    class Deep(CallsItself):
        def steps(self, n):
            return 0 if n > 3000 else 1 + self.steps(n + 1)

    assert {zermelo.minimax(Deep(), device=device).value for device in ("python", "cpu")} == {0.0}


# --- actions that never end ------------------------------------------------------------------------------------------


class Forever(Down):
    def actions(self, s):
        n = 0
        while True:
            yield n
            n += 1


@on_machines(Forever)
def test_actions_without_end(kind, method, device):
    with pytest.raises(BrokenContract, match="more than max_actions = 2"):
        METHODS[method](kind(), device=device)


def test_actions_without_end_are_told_everywhere():
    game = Forever()
    for ask in (
        lambda: list(game.actions(game.initial())),
        lambda: game.action_count(game.initial()),
        lambda: game.parse_action(game.initial(), "7"),
        lambda: game.play(game.initial(), 7),
        lambda: list(game.successors(game.initial())),
    ):
        with pytest.raises(BrokenContract, match="more than max_actions = 2"):
            ask()


# --- fill by hand ----------------------------------------------------------------------------------------------------


class ByHand(Down):
    def fill(self, s, out, n):
        out[n] = 1
        if s.n > 1:
            out[n + 1] = 2
            return n + 2
        return n + 1


class Beyond(ByHand):
    def fill(self, s, out, n):
        for i in range(5):
            out[n + i] = 1
        return n + 2


class Wild(ByHand):
    def fill(self, s, out, n):
        out[n] = 1
        out[n + 10_000_000_000 * (s.n - 5)] = 2
        return n + 1


class Before(ByHand):
    def fill(self, s, out, n):
        out[n - 1] = 1
        return n


class TooLarge(ByHand):
    def fill(self, s, out, n):
        out[n] = 1
        return n + 2


class FarTooLarge(ByHand):
    def fill(self, s, out, n):
        out[n] = 1
        out[n + 1] = 1
        return n + 1_000_000


class Smaller(ByHand):
    def fill(self, s, out, n):
        out[n] = 1
        return n - 3


class ThroughHelpers(ByHand):
    def fill(self, s, out, n):
        return put(out, n, 40)


def put(out, n, far):
    out[n] = 1
    out[n + far] = 1
    return n + 1


class Reads(ByHand):
    def fill(self, s, out, n):
        out[n] = out[n + 4_000_000_000] & 1
        return n + 1


@on_machines(Beyond, Wild, Before, TooLarge, FarTooLarge, Smaller, ThroughHelpers, Reads)
def test_fill_is_held_to_its_words(kind, method, device):
    with pytest.raises(BrokenContract, match=r"fill|max_actions|out\["):
        METHODS[method](kind(), device=device)


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_fill_that_keeps_to_them(device):
    found = zermelo.minimax(ByHand(), device=device)
    assert (found.value, found.nodes) == (1.0, zermelo.minimax(Down(), device=device).nodes)
    assert zermelo.perft(ByHand(), 4, device=device) == zermelo.perft(Down(), 4, device=device)


# --- memory of other rules -------------------------------------------------------------------------------------------


class Rolls(Down):
    rollout_words = 4

    def rollout(self, s, seed, memory, start):
        memory[start + 4 * s.n] = 7
        return 0.0


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_rollouts_are_held_to_theirs(device):
    with pytest.raises(BrokenContract, match=r"rollout|memory"):
        zermelo.mcts(Rolls(), limit=zermelo.Limit(simulations=50), device=device)


def test_ctrl_c_in_deep_python():
    """Plain Python runs in a thread of its own; Ctrl-C reaches it there."""
    program = (
        "import os, signal, threading, zermelo\n"
        "threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    zermelo.minimax(zermelo.game('chess'), depth=8, device='python')\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
        "print(zermelo.minimax(zermelo.game('bucket'), device='python').value)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[:1] == ["stopped"], done.stderr
    assert len(done.stdout.splitlines()) == 2
