"""device="auto" is a matter of time: plain Python for what is over at a glance, kept native code for all else."""

import subprocess
import sys
import textwrap
import time

import pytest
from small_games import Laborious

import zermelo
from zermelo import Limit
from zermelo.compile import patience
from zermelo.compile.program import NotCompiled, kept_code_only
from zermelo.running import devices

CALLS = {
    "minimax": lambda game, device: zermelo.minimax(game, device=device),
    "maxn": lambda game, device: zermelo.maxn(game, device=device),
    "playouts": lambda game, device: zermelo.playouts(game, games=20 * game.n, device=device),
    "mcts.many": lambda game, device: zermelo.mcts.many(
        game, [game.initial()] * 3, limit=Limit(simulations=20 * game.n), device=device
    )[0],
}


@pytest.mark.parametrize("name", CALLS)
def test_small_things_stay_in_plain_python(nothing_compiled, name):
    assert CALLS[name](Laborious(n=3), "auto").device == "python"


@pytest.mark.parametrize("name", CALLS)
def test_what_is_compiled_is_used_when_plain_python_is_slow(nothing_compiled, name):
    game = Laborious(n=20)
    native = CALLS[name](game, "cpu")
    devices._spent.clear()
    found = CALLS[name](game, "auto")
    assert found.device == "cpu"
    assert devices._spent[next(iter(devices._spent))] == devices.WORTH_COMPILING, "the next one begins natively"
    if name in ("minimax", "maxn"):
        assert (found.value, found.action, found.nodes) == (native.value, native.action, native.nodes)


def test_what_plain_python_does_not_do_in_a_moment_is_compiled(nothing_compiled):
    assert zermelo.minimax(Laborious(n=30)).device == "cpu"


def test_many_short_calls_are_one_long_one(nothing_compiled, monkeypatch):
    """Every first move of a perft may be quick: all of them together are not."""
    monkeypatch.setattr(devices, "WORTH_COMPILING", 0.001)
    game, end = Laborious(n=3), time.monotonic() + 60
    while zermelo.minimax(game).device == "python":
        assert time.monotonic() < end
        time.sleep(0.01)
    assert zermelo.minimax(Laborious(n=3)).device == "cpu", "other instances of the same game are no other game"
    assert zermelo.minimax(Laborious(n=2)).device == "python"


def test_kept_code_is_asked_for_but_once(nothing_compiled):
    game = Laborious(n=3)
    with pytest.raises(NotCompiled), kept_code_only():
        zermelo.minimax(game, device="cpu")
    assert zermelo.minimax(game, device="cpu").device == "cpu"
    with kept_code_only():
        assert zermelo.minimax(game, device="cpu").device == "cpu"
        # The call has begun: what it needs besides is compiled.
        assert zermelo.maxn(game, device="cpu").device == "cpu"


def test_plain_python_takes_no_time_from_native_code(monkeypatch):
    """A search of a tenth of a second thinks for a tenth of a second, however long plain Python had tried before."""
    four, limit = zermelo.game("connect_four"), Limit(time=0.1)
    zermelo.search(four, limit=limit, device="cpu")
    monkeypatch.setattr(devices, "_spent", {})
    for name in ("GLANCE", "FIRST_GLANCE"):
        monkeypatch.setattr(devices, name, 0.15)
    found = zermelo.search(four, limit=limit)
    assert found.device == "cpu"
    assert found.nodes > 5_000


def test_a_stopped_search_leaves_nothing_behind(nothing_compiled):
    """What plain Python gave up is begun anew, and the next search is not ended by the clock of the last one."""
    game = Laborious(n=20)
    zermelo.minimax(game)
    time.sleep(2 * patience.TICK)
    plain, native = (zermelo.minimax(Laborious(n=8), device=d) for d in ("python", "cpu"))
    assert (plain.value, plain.nodes) == (native.value, native.nodes)


def test_the_reason_for_plain_python_is_given_once():
    source = """
        import zermelo
        from zermelo.running import devices
        for _ in range(3):
            devices.tell_once("zermelo: no compiler")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stderr.splitlines() == ["zermelo: no compiler"]
