"""Best responses to given play: what each player expects, and the most that it could get, set by set."""

from dataclasses import dataclass
from typing import Any

from zermelo.compile import kernel, load_float, machine, store_float
from zermelo.compile.routine import Routine, put_array, refill, take_array
from zermelo.equilibrium.cfr.incidence import Form
from zermelo.equilibrium.cfr.kernels import meet, meet_row, spread_plan, spread_row
from zermelo.errors import DeviceError


@kernel
def respond(row, first, followed, follow, gain, odds, best, mean, choice):
    """The most that can be got from set number `row` on, what its odds get, and the best action's sequence."""
    start, stop = first[row], first[row + 1]
    most, value, chosen = 0.0, 0.0, start
    for i in range(start, stop):
        top = load_float(gain, i)
        usual = top
        for k in range(followed[i], followed[i + 1]):
            top += load_float(best, follow[k])
            usual += load_float(mean, follow[k])
        value += load_float(odds, i) * usual
        if i == start or top > most:
            most, chosen = top, i
    store_float(best, row, most)
    store_float(mean, row, value)
    choice[row] = chosen
    return 0


@kernel
def respond_row(row, start, first, followed, follow, gain, odds, best, mean, choice):
    """`respond`, for rows from `start` on."""
    return respond(start + row, first, followed, follow, gain, odds, best, mean, choice)


@kernel
def respond_all(
    players, sets, sequences, first, before, begin, entries, others, values, followed, follow, odds, plan, gain, best,
    mean, choice,
):  # fmt: skip
    """Everybody's best response to the odds of all; one core, one row after the other."""
    for row in range(sets):
        spread_plan(row, first, before, odds, plan)
    for row in range(sequences):
        meet(row, players, plan, begin, entries, others, values, gain)
    for row in range(sets - 1, -1, -1):
        respond(row, first, followed, follow, gain, odds, best, mean, choice)
    return 0


@dataclass(frozen=True)
class Responses:
    """What comes of some play, and of best responses to it."""

    values: tuple[float, ...]
    """What each player expects."""
    best: tuple[float, ...]
    """The most that each could get if the others played on."""
    choice: Any  # [sets] the place of the best action

    @property
    def gains(self) -> tuple[float, ...]:
        """What each would gain by a best response; never less than nothing."""
        return tuple(max(0.0, best - value) for best, value in zip(self.best, self.values, strict=True))


class Judge:
    """Finds best responses in one game on one machine."""

    def __init__(self, form: Form, on: Any, shared: dict[str, Any] | None = None) -> None:
        self.form, self.on = form, on
        flat = form.flat
        import numpy as np

        self.arrays = shared if shared is not None else placed(form, on)
        self.room = {
            "odds": put_array(on, np.ones(flat.sequences)), "plan": put_array(on, np.ones(flat.sequences)),
            "gain": put_array(on, np.zeros(flat.sequences)), "best": put_array(on, np.zeros(flat.sets)),
            "mean": put_array(on, np.zeros(flat.sets)), "choice": put_array(on, np.zeros(flat.sets, dtype=np.int64)),
        }  # fmt: skip
        self.routine: Any = None

    def judge(self, odds: Any) -> Responses:
        """What comes of playing with these odds [sequences], and of best responses to them."""
        flat, on = self.form.flat, self.on
        refill(on, self.room["odds"], odds)
        if on.name == "cuda":
            if self.routine is None:
                self.routine = judging(self.form, on, self.arrays, self.room)
            self.routine.run()
        else:
            given = {k: v for k, v in self.arrays.items() if k != "ranges"}
            sizes = {"players": flat.players, "sets": flat.sets, "sequences": flat.sequences}
            on.call(respond_all, **sizes, **given, **self.room)
        found = {name: take_array(on, self.room[name], flat.sets) for name in ("best", "mean")}
        roots = take_array(on, self.room["gain"], flat.players)
        choice = take_array(on, self.room["choice"], flat.sets, floats=False)
        totals = {name: [self._whole(p, roots, found[name]) for p in range(flat.players)] for name in found}
        return Responses(tuple(totals["mean"]), tuple(totals["best"]), choice - flat.first[:-1])

    def _whole(self, player: int, roots: Any, worth: Any) -> float:
        """What the game is worth to a player: what it gets without a decision, and what its first sets are worth."""
        form = self.form
        total = float(roots[player])
        for number in form.follow[form.followed[player] : form.followed[player + 1]].tolist():
            total += float(worth[number])
        return total + 0.0


def placed(form: Form, on: Any) -> dict[str, Any]:
    """The arrays of the form on a machine."""
    flat = form.flat
    arrays = {
        "ranges": form.ranges, "first": flat.first, "before": flat.before, "begin": form.begin,
        "entries": form.entries, "others": form.others, "values": form.values, "followed": form.followed,
        "follow": form.follow,
    }  # fmt: skip
    return {name: put_array(on, array) for name, array in arrays.items()}


def judging(form: Form, on: Any, arrays: dict[str, Any], room: dict[str, Any]) -> Routine:
    """The same as `respond_all`, level by level, each level's rows at once."""
    routine = Routine(on)
    deepest = max((len(levels) for levels in form.levels), default=0)
    spans = [[levels[d] for levels in form.levels if d < len(levels)] for d in range(deepest)]
    plan = {name: arrays[name] for name in ("first", "before")} | {name: room[name] for name in ("odds", "plan")}
    product = {name: arrays[name] for name in ("begin", "entries", "others", "values")}
    answer = {name: arrays[name] for name in ("first", "followed", "follow")}
    answer |= {name: room[name] for name in ("gain", "odds", "best", "mean", "choice")}
    for level in spans:
        for start, stop in level:
            routine.add(spread_row, stop - start, start=start, **plan)
    count = form.flat.sequences
    routine.add(meet_row, count, start=0, players=form.players, plan=room["plan"], gain=room["gain"], **product)
    for level in reversed(spans):
        for start, stop in level:
            routine.add(respond_row, stop - start, start=start, **answer)
    return routine


def chosen(device: str, *, quick: bool) -> Any:
    """The machine of this name; "auto" is plain Python for what is quick, or where there is no native code."""
    if device != "auto":
        return machine(device)
    try:
        return machine("python" if quick else "cpu")
    except DeviceError:
        return machine("python")
