"""Regrets of a whole tree on one machine, iteration by iteration."""

from typing import Any

from zermelo.compile.program import STOPPED
from zermelo.compile.routine import Routine, put_array, refill, take_array
from zermelo.equilibrium.cfr import kernels
from zermelo.equilibrium.cfr.assessment import Judge, Responses, placed
from zermelo.equilibrium.cfr.incidence import Form
from zermelo.equilibrium.cfr.variants import Variant
from zermelo.errors import Interrupted

PORTION = 1 << 16
"""Iterations for which the pace is laid down at once."""


class Solver:
    """Counts regrets over a whole tree."""

    def __init__(self, form: Form, variant: Variant, on: Any, *, simultaneous: bool = False) -> None:
        import numpy as np

        self.form, self.variant, self.on, self.simultaneous = form, variant, on, simultaneous
        self.iterations = 0
        self.seed: int | None = None
        flat = form.flat
        self.arrays = placed(form, on)
        odds, plan = uniform(form)
        self.room = {
            "gain": put_array(on, np.zeros(flat.sequences)), "worth": put_array(on, np.zeros(flat.sets)),
            "regrets": put_array(on, np.zeros(flat.sequences)), "sums": put_array(on, np.zeros(flat.sequences)),
            "odds": put_array(on, odds), "plan": put_array(on, plan),
        }  # fmt: skip
        self.pace = put_array(on, np.zeros(PORTION * kernels.PACE))
        self.work = on.memory(kernels.WORK_WORDS)
        self.routine: Routine | None = None
        self.judge: Judge | None = None

    def iterate(self, count: int) -> None:
        """Do so many iterations more."""
        while count > 0:
            portion = min(count, PORTION)
            refill(self.on, self.pace, self.variant.pace(self.iterations, portion))
            self.work[kernels.STARTED] = self.work[kernels.DONE] = self.iterations
            self.work[kernels.GOAL], self.work[kernels.STATUS] = self.iterations + portion, 0
            try:
                self._run(portion)
            finally:
                self.iterations = self.work[kernels.DONE]
            count -= portion

    def _run(self, count: int) -> None:
        if self.on.name == "cuda":
            if self.routine is None:
                self.routine = crowd(self)
            self.routine.run(count)
            return
        self.on.call(
            kernels.iterate, players=self.form.players, together=self.simultaneous,
            prediction=self.variant.prediction, pace=self.pace, work=self.work, **self.arrays, **self.room,
        )  # fmt: skip
        if self.work[kernels.STATUS] == STOPPED:
            raise Interrupted("cfr was stopped")

    def average(self) -> Any:
        """The odds of every sequence's last action in the average strategy [sequences]."""
        return averaged(self.form, take_array(self.on, self.room["sums"], self.form.flat.sequences))

    def assess(self, odds: Any = None) -> Responses:
        """What the average strategies get, or others with these odds [sequences], and what best responses would."""
        if self.judge is None:
            self.judge = Judge(self.form, self.on, self.arrays)
        return self.judge.judge(self.average() if odds is None else odds)


def crowd(solver: Solver) -> Routine:
    """One iteration as `kernels.iterate` does it, level by level, all rows of a level at once."""
    routine = Routine(solver.on)
    form, arrays, room = solver.form, solver.arrays, solver.room
    product = {name: arrays[name] for name in ("begin", "entries", "others", "values")} | {"gain": room["gain"]}
    gathering = {"followed": arrays["followed"], "follow": arrays["follow"], "worth": room["worth"]}
    settling = {"first": arrays["first"], "pace": solver.pace, "work": solver.work, **room}
    spreading = {"first": arrays["first"], "before": arrays["before"], "odds": room["odds"], "plan": room["plan"]}
    first = form.flat.first
    for player, levels in enumerate(form.levels):
        start, stop = int(first[form.ranges[player]]), int(first[form.ranges[player + 1]])
        routine.add(
            kernels.meet_row, stop - start, start=start, players=form.players, plan=room["plan"], **product
        )  # fmt: skip
        for low, high in reversed(levels):
            rows = int(first[high] - first[low])
            routine.add(kernels.follow_row, rows, start=int(first[low]), gain=room["gain"], **gathering)
            routine.add(
                kernels.settle_row, high - low, start=low, prediction=solver.variant.prediction, **settling
            )  # fmt: skip
        if not solver.simultaneous:
            for low, high in levels:
                routine.add(kernels.spread_row, high - low, start=low, **spreading)
    if solver.simultaneous:
        for levels in form.levels:
            for low, high in levels:
                routine.add(kernels.spread_row, high - low, start=low, **spreading)
    routine.add(kernels.count_row, 1, work=solver.work)
    return routine


def uniform(form: Form) -> tuple[Any, Any]:
    """Odds that make no difference between actions, and the odds of playing for each sequence then."""
    import numpy as np

    flat = form.flat
    sizes = np.diff(flat.first)
    odds = np.concatenate((np.ones(flat.players), np.repeat(1.0 / sizes, sizes)))
    plan = np.ones(flat.sequences)
    for levels in form.levels:
        for low, high in levels:
            start, stop = flat.first[low], flat.first[high]
            plan[start:stop] = np.repeat(plan[flat.before[low:high]], sizes[low:high]) * odds[start:stop]
    return odds, plan


def averaged(form: Form, sums: Any) -> Any:
    """Sums of sequences as odds within their sets; all alike where nothing was summed up.

    Where nothing is hidden, nodes of one state are played alike: by what was summed up in all of them.
    """
    import numpy as np

    flat = form.flat
    sizes = np.diff(flat.first)
    own = np.maximum(sums[flat.players :], 0.0)
    if flat.game.view is None:
        own = _joined(flat, own, sizes)
    if not len(own):
        return np.ones(flat.players)
    whole = np.repeat(np.add.reduceat(own, flat.first[:-1] - flat.players), sizes)
    odds = np.where(whole > 0.0, own / np.where(whole > 0.0, whole, 1.0), np.repeat(1.0 / sizes, sizes))
    return np.concatenate((np.ones(flat.players), odds))


def _joined(flat: Any, own: Any, sizes: Any) -> Any:
    """The sums of sets that stand for one state, added up in each of them."""
    import numpy as np

    keys, place, count = np.unique(flat.key, return_inverse=True, return_counts=True)
    if len(keys) == flat.sets:
        return own
    out = own.copy()
    order = np.argsort(place, kind="stable")
    edges = np.concatenate(([0], np.cumsum(count)))
    for k in np.flatnonzero(count > 1).tolist():
        starts = flat.first[order[edges[k] : edges[k + 1]]] - flat.players
        rows = starts[:, None] + np.arange(sizes[order[edges[k]]])[None, :]
        out[rows] = own[rows].sum(axis=0)
    return out
