"""Regrets counted on a GPU against those of one core. Needs a GPU: `make test-gpu`."""

import numpy as np
import pytest

import zermelo
from zermelo.compile import machine
from zermelo.compile.routine import put_array, take_array
from zermelo.equilibrium.cfr.cfr import cfr
from zermelo.equilibrium.cfr.full_tree import Solver
from zermelo.equilibrium.cfr.incidence import form_of
from zermelo.equilibrium.cfr.variants import VARIANTS
from zermelo.equilibrium.forms.flat import flatten
from zermelo.games.leduc_poker import LeducPoker

pytestmark = pytest.mark.gpu


def test_arrays_go_there_and_back() -> None:
    """What is put into the GPU's memory comes back."""
    on = machine("cuda")
    floats, words = np.array([1.5, -0.25, 1e300]), np.array([3, -(1 << 62), 7])
    assert np.array_equal(take_array(on, put_array(on, floats), 3), floats)
    assert np.array_equal(take_array(on, put_array(on, words), 3, floats=False), words)


@pytest.mark.parametrize("variant", ["cfr", "cfr+", "discounted", "predictive"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_the_same_regrets(players: int, variant: str, simultaneous: bool) -> None:
    """Regrets, sums and strategies are equal, bit for bit."""
    form = form_of(flatten(zermelo.game("kuhn_poker", players=players)))
    solvers = [
        Solver(form, VARIANTS[variant], machine(device), simultaneous=simultaneous) for device in ("cpu", "cuda")
    ]
    for solver in solvers:
        solver.iterate(70)
        solver.iterate(35)
        assert solver.iterations == 105
    for name in ("regrets", "sums", "odds", "plan"):
        one, other = (take_array(s.on, getattr(s.known, name), form.flat.sequences) for s in solvers)
        assert np.array_equal(one, other), name
    assert solvers[0].assess().gains == solvers[1].assess().gains


def test_leduc_poker() -> None:
    """The same answer, and a good one."""
    one, other = (cfr(LeducPoker(), until=1e-3, device=device) for device in ("cpu", "cuda"))
    assert one.iterations == other.iterations
    assert one.gains == other.gains
    assert other.exploitability <= 1e-3
    assert dict(one.policy.choose) == dict(other.policy.choose)
