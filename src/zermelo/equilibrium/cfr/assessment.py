"""Best responses to given play: what each player expects, and the most that it could get, set by set."""

from dataclasses import dataclass
from typing import Any

from zermelo.compile import Memory, kernel, load_float, store_float
from zermelo.compile.routine import Routine, put_array, refill, take_array
from zermelo.equilibrium.cfr.incidence import Form, Play, meet, meet_row, placed, spread_plan, spread_row


class Replies(Play):
    """What given play is worth, and best responses to it."""

    best: Memory  # [sets] the most that can be got from here on
    mean: Memory  # [sets] what the given odds get
    choice: Memory  # [sets] the sequence of the best action


@kernel
def respond_all(tree, replies):
    """Everybody's best response to the odds of all; one core, one row after the other."""
    spread_plan(0, tree.sets, tree, replies)
    meet(0, tree.sequences, tree, replies)
    for row in range(tree.sets - 1, -1, -1):
        respond(row, tree, replies)
    return 0


@kernel
def respond(row, tree, replies):
    """The most that can be got from set number `row` on, what its odds get, and the best action's sequence."""
    followed, follow, best, mean = tree.followed, tree.follow, replies.best, replies.mean
    start, stop = tree.first[row], tree.first[row + 1]
    most, value, chosen = 0.0, 0.0, start
    for i in range(start, stop):
        top = load_float(replies.gain, i)
        usual = top
        for k in range(followed[i], followed[i + 1]):
            top += load_float(best, follow[k])
            usual += load_float(mean, follow[k])
        value += load_float(replies.odds, i) * usual
        if i == start or top > most:
            most, chosen = top, i
    store_float(best, row, most)
    store_float(mean, row, value)
    replies.choice[row] = chosen
    return 0


@kernel
def respond_row(row, start, tree, replies):
    """`respond`, for rows from `start` on."""
    return respond(start + row, tree, replies)


@dataclass(frozen=True)
class Responses:
    """What some play pays, and what best responses to it pay."""

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

    def __init__(self, form: Form, on: Any, tree: Any = None) -> None:
        self.form, self.on = form, on
        flat = form.flat
        import numpy as np

        self.tree = placed(form, on) if tree is None else tree
        replies = self.replies = on.block(Replies)
        replies.odds, replies.plan = (put_array(on, np.ones(flat.sequences)) for _ in range(2))
        replies.gain = put_array(on, np.zeros(flat.sequences))
        replies.best, replies.mean = (put_array(on, np.zeros(flat.sets)) for _ in range(2))
        replies.choice = put_array(on, np.zeros(flat.sets, dtype=np.int64))
        self.routine: Any = None

    def judge(self, odds: Any) -> Responses:
        """What playing with these odds [sequences] pays, and what best responses to it pay."""
        flat, on, replies = self.form.flat, self.on, self.replies
        refill(on, replies.odds, odds)
        if on.name == "cuda":
            if self.routine is None:
                self.routine = judging(self.form, on, self.tree, replies)
            self.routine.run()
        else:
            on.call(respond_all, tree=self.tree, replies=replies)
        best, mean = take_array(on, replies.best, flat.sets), take_array(on, replies.mean, flat.sets)
        roots = take_array(on, replies.gain, flat.players)
        choice = take_array(on, replies.choice, flat.sets, floats=False)
        values, most = (tuple(self._whole(p, roots, worth) for p in range(flat.players)) for worth in (mean, best))
        return Responses(values, most, choice - flat.first[:-1])

    def _whole(self, player: int, roots: Any, worth: Any) -> float:
        """What the game is worth to a player: what it gets without a decision, and what its first sets are worth."""
        form = self.form
        total = float(roots[player])
        for number in form.follow[form.followed[player] : form.followed[player + 1]].tolist():
            total += float(worth[number])
        return total + 0.0


def judging(form: Form, on: Any, tree: Any, replies: Any) -> Routine:
    """What `respond_all` does, level by level, all rows of a level at once."""
    routine = Routine(on)
    deepest = max((len(levels) for levels in form.levels), default=0)
    spans = [[levels[d] for levels in form.levels if d < len(levels)] for d in range(deepest)]
    for level in spans:
        for start, stop in level:
            routine.add(spread_row, stop - start, start=start, tree=tree, play=replies)
    routine.add(meet_row, form.flat.sequences, start=0, tree=tree, play=replies)
    for level in reversed(spans):
        for start, stop in level:
            routine.add(respond_row, stop - start, start=start, tree=tree, replies=replies)
    return routine
