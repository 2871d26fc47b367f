"""Recordings of small searches, made by hand."""

from math import inf

import pytest

from zermelo.contract import CHANCE, Game
from zermelo.record import RecordedTree, Recorder


class Nested(Game):
    """States are nested tuples, ends are numbers; actions are called a, b, c, ..."""

    max_actions = 10_000

    def initial(self):
        return ()

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield from range(len(s))

    def result(self, s, action):
        return s[action]

    def utility(self, s, player):
        return float(s) if player == 0 else -float(s)

    def format_action(self, s, action):
        return "abcdefghijklmnopqrstuvwxyz"[action] if action < 26 else f"m{action}"


class Hidden(Nested):
    """Player 1 sees the colour of the first move, and nothing else."""

    colours: int = 1

    def result(self, s, action):
        return (*s, action)

    def view(self, s, player):
        return s[:1] and s[0] % self.colours if player == 1 else s


class Oddly(Nested):
    """Names that are no good as markup."""

    def format_action(self, s, action):
        return ("<b>&amp;", "\"double\" 'single'", "null\0byte", "a very long name of more than twenty letters")[action]

    def text(self, s, player=None):
        return "<state> & ]]>"


LECTURE = ((3, 12, 8), (2, 4, 6), (14, 5, 2))


def end(recorder, s, value=None):
    recorder.enter(s, None)
    recorder.leave(s if value is None else value)


def alpha_beta(recorder, s, player, alpha=-inf, beta=inf):
    recorder.window(alpha, beta)
    if not isinstance(s, tuple):
        end(recorder, s)
        return s
    recorder.enter(s, player)
    window = alpha, beta
    best, choice = (-inf, inf)[player], None
    for action, child in enumerate(s):
        recorder.branch(action)
        value = alpha_beta(recorder, child, 1 - player, alpha, beta)
        if choice is None or (value > best if player == 0 else value < best):
            best, choice = value, action
        alpha, beta = (max(alpha, best), beta) if player == 0 else (alpha, min(beta, best))
        if alpha >= beta:
            for other in range(action + 1, len(s)):
                recorder.skip(other, f"cut off at {best}")
            break
    recorder.leave_window(best, choice, *window)
    return best


def minimax(recorder, s, player):
    if not isinstance(s, tuple):
        end(recorder, s)
        return s
    recorder.enter(s, player)
    values = []
    for action, child in enumerate(s):
        recorder.branch(action)
        values.append(minimax(recorder, child, 1 - player))
    best = (max, min)[player](values)
    recorder.leave(best, values.index(best))
    return best


def uniform(branching, depth, number=0):
    """A tree whose ends follow no order."""
    if depth == 0:
        return number * 7919 % 19 - 9
    return tuple(uniform(branching, depth - 1, number * branching + i + 1) for i in range(branching))


def recorded(game, search, *arguments) -> RecordedTree:
    recorder = Recorder(game)
    search(recorder, *arguments)
    return recorder.finish(search.__name__)


@pytest.fixture
def lecture():
    return recorded(Nested(), alpha_beta, LECTURE, 0)


@pytest.fixture
def wide():
    """11,111 nodes."""
    return recorded(Nested(), minimax, uniform(10, 4), 0)


@pytest.fixture
def pruned_wide():
    return recorded(Nested(), alpha_beta, uniform(6, 5), 0)


@pytest.fixture
def star():
    """One node with 10,000 ends."""
    return recorded(Nested(), minimax, uniform(10_000, 1), 0)


@pytest.fixture
def chain():
    """2,001 nodes in one line."""
    recorder = Recorder(Nested())
    for i in range(2000):
        recorder.branch(0)
        recorder.enter((), i % 2)
    recorder.branch(0)
    recorder.enter(5, None)
    recorder.leave(5)
    for _ in range(2000):
        recorder.leave(5, 0)
    return recorder.finish("minimax")


@pytest.fixture
def coin():
    """Max chooses between two coins, the second of which is bent."""
    recorder = Recorder(Nested())
    recorder.enter(((-4, 4), (0, 8)), 0)
    for action, (odds, ends, value) in enumerate((((0.5, 0.5), (-4, 4), 0), ((1 / 3, 2 / 3), (0, 8), 16 / 3))):
        recorder.branch(action)
        recorder.enter(ends, CHANCE)
        for outcome, payoff in enumerate(ends):
            recorder.branch(outcome, odds[outcome])
            end(recorder, payoff)
        recorder.leave(value)
    recorder.leave(16 / 3, 1)
    return recorder.finish("expectiminimax")


@pytest.fixture
def three_players():
    recorder = Recorder(Nested())

    def visit(s, player):
        if isinstance(s[0], int):
            recorder.enter(s, None)
            recorder.leave(s[0], values=s)
            return s
        recorder.enter(s, player)
        options = []
        for action, child in enumerate(s):
            recorder.branch(action)
            options.append(visit(child, player + 1))
        best = max(options, key=lambda values: values[player])
        recorder.leave(best[0], options.index(best), values=best)
        return best

    visit(((((1, 2, 6), (4, 2, 3)), ((6, 1, 2), (7, 4, 1))), (((5, 1, 1), (1, 5, 2)), ((7, 7, 1), (5, 4, 5)))), 0)
    return recorder.finish("maxn")


@pytest.fixture
def hidden_move():
    """A function: the tree where player 0 has so many moves, of so many colours, and both then have two each."""

    def record(moves, colours):
        recorder = Recorder(Hidden(colours))

        def visit(s):
            if len(s) == 3:
                end(recorder, s, 0)
                return
            recorder.enter(s, len(s) % 2)
            for action in range(2 if s else moves):
                recorder.branch(action)
                visit((*s, action))
            recorder.leave(0, 0)

        visit(())
        return recorder.finish("minimax")

    return record


@pytest.fixture
def oddly():
    return recorded(Oddly(), alpha_beta, ((1, 2, 3, 4), (0, 5)), 0)


@pytest.fixture
def depth_limit():
    recorder = Recorder(Nested())
    recorder.enter(((1, 2), (3, 4)), 0)
    for action in range(2):
        recorder.branch(action)
        recorder.enter((), 1)
        recorder.leave(0.5 - action, bound="estimate")
    recorder.leave(0.5, 0, "estimate")
    return recorder.finish("minimax")
