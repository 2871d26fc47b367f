"""What authors write in plain Python runs natively with the same meaning."""

import math
from typing import NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, Game, bits
from zermelo.bits import each, popcount, u64
from zermelo.compile import (
    freeze,
    hash64,
    kernel,
    load_state,
    machine,
    replace,
    state_words,
    store_state,
    table,
    thaw,
)

SQUARES = table([[1, 2, 3], [4, 5, 6]])
BOARDS = table([1 << 63, 5, 2**64 - 1])
WEIGHTS = table([0.5, 0.25])
PAIRS = [(0, 1), (1, 2)]
ALL = 0xFFFF_FFFF_FFFF_FFFF


class Inner(NamedTuple):
    count: int
    board: u64


def outside(x):
    """A helper that nobody marked."""
    return 2 * x if x > 1 else x


class Zoo(Game):
    """Nested states, tuples, tables, boards, helpers, constants."""

    n: int = 3
    mode: str = "open"

    class State(NamedTuple):
        cells: tuple[int, ...]
        inner: Inner
        done: bool
        ply: int = 0

    LIMIT = 5

    def initial(self):
        return self.State((0,) * 4, Inner(1, 1 << 63), False)

    def to_move(self, s):
        return s.ply % 2

    def moves(self, s):
        for i, cell in enumerate(s.cells):
            if cell == 0:
                yield i

    def actions(self, s):
        yield from self.moves(s)
        yield from range(10, 12)
        if s.ply > 3:
            return
        yield 15

    def result(self, s, action):
        if action >= 10:
            inner = Inner(s.inner.count + 1, s.inner.board >> 1)
            return self.State(s.cells, inner, s.inner.count > 2, s.ply + 1)
        cells = tuple(x if i != action else self.n for i, x in enumerate(s.cells))
        items = thaw(cells)
        items[0] += 1
        cells = replace(freeze(items), 3, outside(items[3]))
        return self.State(cells, s.inner, ply=s.ply + 1, done=False)

    def is_terminal(self, s):
        return s.ply >= self.LIMIT or s.done

    def utility(self, s, player):
        total = sum(x * SQUARES[1, i % 3] for i, x in enumerate(s.cells)) * WEIGHTS[s.ply % 2]
        total += popcount(s.inner.board ^ BOARDS[0]) + max(x for x in s.cells) + min(c for c in s.cells)
        for square in each(s.inner.board | 6):
            if square == 1:
                continue
            total += square
        if self.mode == "open":
            total += 1
        for a, b in PAIRS:
            total += a * b
        if any(c > 3 for c in s.cells) and not all(c > 0 for c in s.cells):
            total += bits.popcount(s.inner.board & ALL) + len(SQUARES)
        if 1 < total < 1000 and s.ply in (1, 3, 5):
            total += math.sqrt(2)
        return total if player == 0 else -total


class Younger(Zoo):
    """A subclass that goes on with what its parent does."""

    LIMIT = 4

    def actions(self, s):
        yield from super().actions(s)
        if s.ply == 0:
            yield 20

    def result(self, s, action):
        if action == 20:
            return s._replace(ply=s.ply + 2, cells=(9, 9, 9, 9))
        return super().result(s, action)


class Heaps(Game):
    heaps: tuple[int, ...] = (2, 3)

    class State(NamedTuple):
        heaps: tuple[int, ...]
        player: int

    def initial(self):
        return self.State(self.heaps, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        moves = []
        for h, left in enumerate(s.heaps):
            for n in range(1, left + 1):
                moves.append(8 * h + n)
        return moves

    def result(self, s, action):
        h = action // 8
        return self.State(replace(s.heaps, h, s.heaps[h] - action % 8), 1 - s.player)

    def is_terminal(self, s):
        return all(h == 0 for h in s.heaps)

    def utility(self, s, player):
        return 1 if player == s.player else -1


class Comprehended(Heaps):
    def actions(self, s):
        return [8 * h + n for h in range(2) for n in range(1, s.heaps[h] + 1) if n > 0]

    def result(self, s, action):
        return self.State(tuple(s.heaps[i] - (action % 8 if i == action // 8 else 0) for i in range(2)), 1 - s.player)


class Filled(Heaps):
    """Hand-written generation; `actions` is derived from it."""

    actions = Game.actions

    def fill(self, s, out, n):
        for h in range(2):
            for k in range(1, s.heaps[h] + 1):
                out[n] = 8 * h + k
                n += 1
        return n


class Recursive(Heaps):
    """A method that calls itself, and two that call each other."""

    def depth(self, n):
        if n <= 0:
            return 0
        return 1 + self.depth(n - 1)

    def even(self, n):
        if n == 0:
            return True
        return self.odd(n - 1)

    def odd(self, n):
        if n == 0:
            return False
        return self.even(n - 1)

    def utility(self, s, player):
        value = self.depth(5) + (1 if self.even(4) else 0)
        return value if player == s.player else -value


class Whole(Game):
    """A state that is a plain integer, with chance."""

    def initial(self):
        return 7

    def to_move(self, s):
        return CHANCE if s % 2 else 0

    def actions(self, s):
        yield 1
        yield 2

    def probability(self, s, action):
        return 0.25 if action == 1 else 0.75

    def result(self, s, action):
        return s - action

    def is_terminal(self, s):
        return s <= 0

    def utility(self, s, player):
        return s if player == 0 else -s


class SharedHelper(Heaps):
    @staticmethod
    def sign(a, b=1):
        return a if a > b else -a

    @property
    def doubled(self):
        return 2 * len(self.heaps)

    def utility(self, s, player):
        worth = self.sign(self.doubled) + float(player == 0) + int(s.player > 0) + int(2.7) + float(len(self.heaps))
        return worth if player == s.player else -worth


class Student(Game):
    """Tic-tac-toe with the idioms of a first course: lists, membership, chained comparisons."""

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    class State(NamedTuple):
        board: tuple[int, ...]
        player: int

    def initial(self):
        return self.State((0,) * 9, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        return [i for i in range(9) if s.board[i] == 0]

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.player + 1
        return self.State(tuple(board), 1 - s.player)

    def winner(self, s):
        for a, b, c in self.LINES:
            if s.board[a] == s.board[b] == s.board[c] != 0:
                return s.board[a] - 1
        return -1

    def is_terminal(self, s):
        return self.winner(s) >= 0 or 0 not in s.board

    def utility(self, s, player):
        w = self.winner(s)
        if w < 0:
            return 0
        return 1 if w == player else -1


class Sliced(Student):
    def result(self, s, a):
        if a % 2:
            return self.State((*s.board[:a], s.player + 1, *s.board[a + 1 :]), 1 - s.player)
        return self.State(s.board[:a] + (s.player + 1,) + s.board[a + 1 :], 1 - s.player)  # noqa: RUF005

    def is_terminal(self, s):
        return self.winner(s) != -1 or s.board.count(0) == 0 or all(s.board) or min(s.board) > 0


class Square(Game):
    """A board of rows, and a state that the class does not name."""

    def initial(self):
        return (((0, 0), (0, 0)), 0)

    def to_move(self, s):
        return s[1] % 2

    def actions(self, s):
        for r in range(2):
            for c in range(2):
                if s[0][r][c] == 0:
                    yield 2 * r + c

    def result(self, s, action):
        rows, ply = s
        row = replace(rows[action // 2], action % 2, ply + 1)
        return replace(rows, action // 2, row), ply + 1

    def is_terminal(self, s):
        return s[1] == 4

    def utility(self, s, player):
        value = sum(row[0] for row in s[0]) - s[0][1][1]
        return value if player == 0 else -value


class Escaping(Student):
    def placed(self, s, a):
        board = list(s.board)
        board[a] = s.player + 1
        return board

    def result(self, s, a):
        return self.State(tuple(self.placed(s, a)), 1 - s.player)


def test_a_list_must_not_leave_its_function():
    with pytest.raises(zermelo.CompileError, match=r"placed returns a list"):
        zermelo.perft(Escaping(), 3, device="cpu")


@pytest.mark.parametrize(
    "game",
    [
        Zoo(), Zoo(n=7, mode="shut"), Younger(), Heaps(), Heaps(heaps=(1, 2, 2)), Comprehended(), Filled(), Recursive(),
        Whole(), SharedHelper(), Student(), Sliced(), Square(),
    ],
    ids=repr,
)  # fmt: skip
def test_machines_agree(game):
    report = zermelo.check(game, games=40)
    assert "cpu" in report.machines, report.notes
    python = zermelo.playouts(game, games=300, seed=5, device="python")
    cpu = zermelo.playouts(game, games=300, seed=5, device="cpu")
    assert python.means == cpu.means
    assert python.moves == cpu.moves
    assert [zermelo.perft(game, d, device="python") for d in range(4)] == [
        zermelo.perft(game, d, device="cpu") for d in range(4)
    ]


@kernel
def remember(game, s, memory, count):
    """Play first actions, keep every state in memory, and hash them all read back in reverse."""
    width = state_words(game)
    for i in range(count):
        store_state(game, memory, i * width, s)
        if not game.is_over(s):
            s = game.result(s, game.nth_action(s, i % game.action_count(s)))
    digest = 0
    for i in range(count):
        digest = hash64((digest, hash64(load_state(game, memory, (count - 1 - i) * width))))
    return digest


@pytest.mark.parametrize("game", [Zoo(), Younger(), Heaps(heaps=(3, 3)), Whole()], ids=repr)
def test_whole_states_in_memory(game):
    answers = []
    for device in ("python", "cpu"):
        on = machine(device)
        answers.append(on.call(remember, game=game, s=game.initial(), memory=on.memory(400), count=6))
    assert answers[0] == answers[1]


class Anything(Game):
    """A state of strings: fine on the python machine."""

    def initial(self):
        return ("a", frozenset({1, 2}))

    def to_move(self, s):
        return len(s[1]) % 2

    def actions(self, s):
        yield from sorted(s[1])

    def result(self, s, action):
        return (s[0] + "x", s[1] - {action})

    def is_terminal(self, s):
        return not s[1]

    def utility(self, s, player):
        return 1.0 if player == 0 else -1.0


def test_any_hashable_state_runs_in_plain_python():
    game = Anything()
    assert zermelo.minimax(game).value == 1.0
    assert zermelo.playouts(game, games=5000).device == "python"
    report = zermelo.check(game)
    assert any("python machine only" in note for note in report.notes)
    with pytest.raises(zermelo.CompileError, match='device="python"'):
        zermelo.minimax(game, device="cpu")
