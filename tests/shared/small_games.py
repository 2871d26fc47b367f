"""The smallest games that tests need: to take matches, to count down, to push a piece to and fro."""

import inspect
from typing import NamedTuple

from zermelo import Game


class Subtraction(Game):
    """Take one or two of `n` matches; whoever takes the last one wins. The textbook's six functions and no more."""

    n: int = 7

    class State(NamedTuple):
        left: int
        player: int

    def initial(self):
        return self.State(self.n, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield 1
        if s.left > 1:
            yield 2

    def result(self, s, action):
        return self.State(s.left - action, 1 - s.player)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, player):
        return -1.0 if player == s.player else 1.0


BUSY = 400
"""Turns of a loop in a rule: a node takes about 20 microseconds in plain Python, and nearly none natively."""


class Laborious(Subtraction):
    """The same, by rules that take their time."""

    n: int = 40

    def result(self, s, action):
        work = 0
        for i in range(BUSY):
            work += i & 1
        return self.State(s.left - action + 0 * work, 1 - s.player)


class Countdown(Game):
    """One action, so many times."""

    start: int = 3

    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(self.start)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 1

    def result(self, s, action):
        return self.State(s.n - action)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, player):
        return 0.0


class Push(Game):
    """Both push a piece one place back (0) or forward (1); nobody ever wins."""

    max_actions = 2

    class State(NamedTuple):
        place: int
        player: int

    def initial(self):
        return self.State(0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return self.State(s.place + (1 if action else -1), 1 - s.player)

    def is_terminal(self, s):
        return False

    def utility(self, s, player):
        return 0.0


class Ring(Push):
    """The same on a ring of four places."""

    def result(self, s, action):
        return self.State((s.place + (1 if action else 3)) % 4, 1 - s.player)


def written(*kinds: type[Game]) -> str:
    """A file with these games."""
    head = "from typing import NamedTuple\n\nfrom zermelo import Game\n"
    return "\n\n".join([head, *map(inspect.getsource, kinds)])
