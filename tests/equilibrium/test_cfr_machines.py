"""One source on every machine: plain Python, one core, and rows at once; and all of it as code for a GPU."""

import re
import subprocess
import sys

import numpy as np
import pytest
from for_gpu import require_compiler

from zermelo import game
from zermelo.compile import cuda, machine, program
from zermelo.compile.machine import NativeMachine
from zermelo.compile.memory import Words
from zermelo.compile.routine import Routine, put_array, refill, take_array
from zermelo.equilibrium.cfr.assessment import Judge, judging
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.cfr.full_tree import Solver, by_levels
from zermelo.equilibrium.cfr.incidence import form_of
from zermelo.equilibrium.cfr.variants import VARIANTS
from zermelo.equilibrium.forms.flat import flatten
from zermelo.games.leduc_poker import LeducPoker

KUHN = game("kuhn_poker")


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("variant", ["cfr+", "discounted", "predictive"])
def test_native_code_counts_the_same_regrets(players, variant):
    poker = game("kuhn_poker", players=players)
    form = form_of(flatten(poker, device="python"))
    solvers = [Solver(form, VARIANTS[variant], machine(device)) for device in ("python", "cpu")]
    for solver in solvers:
        solver.iterate(20)
        solver.iterate(15)
    for name in ("regrets", "sums", "odds", "plan"):
        plain, native = (take_array(s.on, getattr(s.known, name), form.flat.sequences) for s in solvers)
        assert np.array_equal(plain, native), name
    assert solvers[0].assess().gains == solvers[1].assess().gains


def test_native_walks_find_the_same_game():
    for poker in (KUHN, LeducPoker()):
        plain, native = flatten(poker, device="python"), flatten(poker, device="cpu")
        for name in ("key", "player", "level", "first", "before", "moves", "ends", "gains"):
            assert np.array_equal(getattr(plain, name), getattr(native, name)), name
        assert [plain.state(i) for i in range(plain.sets)] == [native.state(i) for i in range(native.sets)]
        assert plain.nodes == native.nodes


def test_sizes():
    flat = flatten(LeducPoker(), device="python")
    assert (flat.nodes, flat.sets, len(flat.ends), flat.sequences) == (9457, 936, 5520, 2186)
    assert flat.gains.sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_all_rows_of_a_level_at_once_come_to_the_same(players, simultaneous):
    form = form_of(flatten(game("kuhn_poker", players=players), device="python"))
    one, many = (Solver(form, VARIANTS["predictive"], machine("python"), simultaneous=simultaneous) for _ in range(2))
    one.iterate(30)
    refill(many.on, many.known.pace, many.variant.pace(0, 30))
    by_levels(many).run(30)
    for name in ("gain", "worth", "regrets", "sums", "odds", "plan"):
        assert getattr(one.known, name) == getattr(many.known, name), name
    judge = Judge(form, machine("python"))
    judge.judge(one.average())
    before = {name: list(getattr(judge.replies, name)) for name in ("odds", "plan", "gain", "best", "mean", "choice")}
    judging(form, judge.on, judge.tree, judge.replies).run()
    for name, words in before.items():
        assert getattr(judge.replies, name) == words, name


@pytest.mark.parametrize("device", ["python", "cpu"])
def test_arrays_go_there_and_back(device):
    on = machine(device)
    floats, words = np.array([1.5, -0.25, 1e300]), np.array([3, -(1 << 62), 7])
    assert np.array_equal(take_array(on, put_array(on, floats), 3), floats)
    assert np.array_equal(take_array(on, put_array(on, words), 3, floats=False), words)


def test_devices_give_the_same_answer():
    plain, native = (cfr(KUHN, iterations=77, device=device) for device in ("python", "cpu"))
    assert (plain.gains, plain.values) == (native.gains, native.values)
    assert dict(plain.policy.choose) == dict(native.policy.choose)


INTERRUPTED = """
import os, signal, threading
from zermelo import game
from zermelo.compile import machine
from zermelo.equilibrium.cfr.incidence import form_of
from zermelo.equilibrium.cfr.full_tree import Solver
from zermelo.equilibrium.cfr.variants import VARIANTS
from zermelo.equilibrium.forms.flat import flatten

solver = Solver(form_of(flatten(game("kuhn_poker"), device="python")), VARIANTS["cfr+"], machine("cpu"))
solver.iterate(1)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    solver.iterate(1 << 40)
except KeyboardInterrupt:
    done = solver.iterations
    solver.iterate(10)
    print(done > 1, solver.iterations == done + 10, max(solver.assess().gains) < 0.1)
"""


def test_an_interrupted_run_can_go_on():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=120)
    assert run.stdout.split() == ["True", "True", "True"], run.stderr


# --- code for a GPU --------------------------------------------------------------------------------------------------


class Compiler(cuda.Cuda):
    """A machine that compiles and keeps what it made."""

    def __init__(self):
        super().__init__((9, 0))
        self.made = {}

    def memory(self, words):
        return Words(words)

    def load(self, made):
        self.made[made.plain.__name__] = self.ptx(made)[1].decode()
        return None


def test_every_kernel_compiles_for_a_gpu(monkeypatch):
    require_compiler()
    monkeypatch.setattr(program, "_programs", {})
    compiler = Compiler()
    solver = Solver(form_of(flatten(KUHN)), VARIANTS["cfr+"], machine("cpu"))
    judge = Judge(solver.form, solver.on, solver.tree)
    gpu = NativeMachine(compiler)
    solver.on = gpu
    routines = by_levels(solver), judging(solver.form, gpu, solver.tree, judge.replies)
    assert all(isinstance(routine, Routine) and routine.steps for routine in routines)
    wanted = {"meet_row", "settle_row", "spread_row", "count_row", "respond_row"}
    assert set(compiler.made) == wanted
    for name, ptx in compiler.made.items():
        assert not re.findall(r"\.extern \.func[^;]*?(\w+)\s*[(;]", ptx), f"{name}: every function is there"
        assert not re.search(r"\bfma\.rn\.f64", ptx), f"{name}: floats come out as on the other machines"
