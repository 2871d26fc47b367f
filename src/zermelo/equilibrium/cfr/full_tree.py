"""Regrets of a whole tree, iteration by iteration: on one core, or all rows of a level at once.

Each iteration does three things for each player. `meet` finds what its sequences are worth as the others play. `settle`
then updates the regrets, the average and the next strategy of each set, the deepest first. `spread_plan` finds the odds
with which the player plays for each sequence by that strategy.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.compile import Memory, Setup, kernel, load_float, store_float
from zermelo.compile.routine import Routine, put_array, refill, take_array
from zermelo.equilibrium.cfr.assessment import Judge, Responses
from zermelo.equilibrium.cfr.incidence import Form, Play, meet, meet_row, placed, spread_plan, spread_row
from zermelo.equilibrium.cfr.variants import PACE, Variant
from zermelo.running.statuses import FINE, refuse

PORTION = 1 << 16
"""The most iterations for which the rows of `pace` are written at once."""


@dataclass(frozen=True)
class Turns(Setup):
    """Who learns when."""

    simultaneous: bool  # whether all players learn at once, instead of one after the other


class Regrets(Play):
    """What is known after some iterations."""

    done: int  # iterations made
    status: int  # that it was stopped
    goal: int  # iterations wanted
    started: int  # the iteration to which the first row of `pace` belongs
    prediction: float  # how often the last regret is counted once more in the next strategy
    worth: Memory  # [sets] what the set is worth to its player
    regrets: Memory  # [sequences]
    sums: Memory  # [sequences] the weighted sum of plans
    pace: Memory  # [iterations, PACE] shares kept of positive and of negative regrets, and the strategy's weight


# --- kernels ---------------------------------------------------------------------------------------------------------


@kernel
def iterate(setup, tree, known):
    """Iterations until as many are done as wanted; one core, one row after the other."""
    first, ranges = tree.first, tree.ranges
    while known.done < known.goal and known.status == FINE:
        for player in range(tree.players):
            low, high = ranges[player], ranges[player + 1]
            meet(first[low], first[high], tree, known)
            settle(low, high, tree, known)
            if not setup.simultaneous:
                spread_plan(low, high, tree, known)
        if setup.simultaneous:
            spread_plan(0, tree.sets, tree, known)
        known.done += 1
    return 0


@kernel
def settle(low, high, tree, known):
    """Update the values, the regrets, the average and the next strategies of the sets from `low` on, before `high`;
    the last set, which lies deepest, comes first."""
    first, followed, follow = tree.first, tree.followed, tree.follow
    gain, worth, odds, plan, pace = known.gain, known.worth, known.odds, known.plan, known.pace
    regrets, sums, prediction = known.regrets, known.sums, known.prediction
    at = PACE * (known.done - known.started)
    kept, kept_losses, weight = load_float(pace, at), load_float(pace, at + 1), load_float(pace, at + 2)
    for row in range(high - 1, low - 1, -1):
        start, stop = first[row], first[row + 1]
        value, whole = 0.0, 0.0
        for i in range(start, stop):
            total = load_float(gain, i)
            for k in range(followed[i], followed[i + 1]):
                total += load_float(worth, follow[k])
            store_float(gain, i, total)
            value += load_float(odds, i) * total
        store_float(worth, row, value)
        for i in range(start, stop):
            extra = load_float(gain, i) - value
            regret = load_float(regrets, i) + extra
            regret *= kept if regret > 0.0 else kept_losses
            store_float(regrets, i, regret)
            store_float(sums, i, load_float(sums, i) + weight * load_float(plan, i))
            wish = max(0.0, regret + prediction * extra)
            whole += wish
            store_float(odds, i, wish)
        for i in range(start, stop):
            store_float(odds, i, load_float(odds, i) / whole if whole > 0.0 else 1.0 / (stop - start))
    return 0


@kernel
def settle_row(row, start, tree, known):
    """`settle`, for one of the sets from `start` on."""
    return settle(start + row, start + row + 1, tree, known)


@kernel
def count_row(row, known):
    """One more iteration is done."""
    known.done += 1
    return 0


# --- on a machine ----------------------------------------------------------------------------------------------------


class FullTree:
    """Counts regrets over a whole tree."""

    def __init__(self, form: Form, variant: Variant, on: Any, *, simultaneous: bool = False) -> None:
        import numpy as np

        self.form, self.variant, self.on, self.setup = form, variant, on, Turns(simultaneous)
        self.iterations = 0
        self.seed: int | None = None
        flat = form.flat
        self.tree = placed(form, on)
        known = self.known = on.block(Regrets)
        odds, plan = uniform(form)
        known.odds, known.plan = put_array(on, odds), put_array(on, plan)
        known.gain, known.worth = put_array(on, np.zeros(flat.sequences)), put_array(on, np.zeros(flat.sets))
        known.regrets, known.sums = (put_array(on, np.zeros(flat.sequences)) for _ in range(2))
        known.pace = put_array(on, np.zeros(PORTION * PACE))
        known.prediction = variant.prediction
        self.routine: Routine | None = None
        self.judge: Judge | None = None

    def iterate(self, count: int) -> None:
        """Do so many iterations more."""
        known = self.known
        while count > 0:
            portion = min(count, PORTION)
            refill(self.on, known.pace, self.variant.pace(self.iterations, portion))
            known.started = known.done = self.iterations
            known.goal, known.status = self.iterations + portion, FINE
            try:
                self._run(portion)
            finally:
                self.iterations = known.done
            count -= portion

    def _run(self, count: int) -> None:
        if self.on.name == "cuda":
            if self.routine is None:
                self.routine = by_levels(self)
            self.routine.run(count)
            return
        self.on.call(iterate, setup=self.setup, tree=self.tree, known=self.known)
        refuse(self.form.flat.game, self.known.status, "cfr")

    def average(self) -> Any:
        """The odds of every sequence's last action in the average strategy [sequences]."""
        return averaged(self.form, take_array(self.on, self.known.sums, self.form.flat.sequences))

    def assess(self, odds: Any = None) -> Responses:
        """What the average strategies get, or others with these odds [sequences], and what best responses would."""
        if self.judge is None:
            self.judge = Judge(self.form, self.on, self.tree)
        return self.judge.judge(self.average() if odds is None else odds)


def by_levels(solver: FullTree) -> Routine:
    """One iteration as `iterate` does it, level by level, all rows of a level at once."""
    routine = Routine(solver.on)
    form, tree, known = solver.form, solver.tree, solver.known
    first = form.flat.first
    for player, levels in enumerate(form.levels):
        start, stop = int(first[form.ranges[player]]), int(first[form.ranges[player + 1]])
        routine.add(meet_row, stop - start, start=start, tree=tree, play=known)
        for low, high in reversed(levels):
            routine.add(settle_row, high - low, start=low, tree=tree, known=known)
        if not solver.setup.simultaneous:
            for low, high in levels:
                routine.add(spread_row, high - low, start=low, tree=tree, play=known)
    if solver.setup.simultaneous:
        for levels in form.levels:
            for low, high in levels:
                routine.add(spread_row, high - low, start=low, tree=tree, play=known)
    routine.add(count_row, 1, known=known)
    return routine


# --- strategies as arrays --------------------------------------------------------------------------------------------


def uniform(form: Form) -> tuple[Any, Any]:
    """Uniform odds of the actions, and the odds with which players then play for each sequence."""
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
