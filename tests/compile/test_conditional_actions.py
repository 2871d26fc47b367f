"""Actions that are yielded under a condition: natively a sum and no branch, with the same answers up to the limit."""

from typing import NamedTuple

import pytest

from zermelo import Game, kernel, machine

MOST = 3


class Marked(Game):
    """The actions of a state are the bits of its mask."""

    max_actions = MOST

    class State(NamedTuple):
        """The mask."""

        mask: int

    def initial(self):
        return self.State(0b1011)

    def to_move(self, s):
        return 0

    def actions(self, s):
        for cell in range(6):
            if s.mask >> cell & 1:
                yield 8 + cell
        rest = s.mask >> 6
        if rest > 0:
            yield rest

    def result(self, s, action):
        return self.State(0)

    def is_terminal(self, s):
        return s.mask == 0

    def utility(self, s, player):
        return 0.0


@kernel
def written(game, s, memory):
    """The index after the last action, or -1."""
    return game.fill(s, memory, 0)


@pytest.mark.parametrize("mask", [0, 1, 0b100000, 0b1011, 0b111000, 0b000111, 5 << 6 | 3, 9 << 6])
def test_actions_up_to_the_limit(mask):
    game, cpu = Marked(), machine("cpu")
    s = game.State(mask)
    expected = list(game.actions(s))
    memory = cpu.memory(MOST + 1)
    memory[MOST] = 77
    assert cpu.call(written, game=game, s=s, memory=memory) == len(expected)
    assert memory.part(0, len(expected)) == expected
    assert memory[MOST] == 77  # nothing is written behind the room that the game asked for


@pytest.mark.parametrize("mask", [0b1111, 0b111111, 1 << 6 | 0b111])
def test_more_are_refused(mask):
    game, cpu = Marked(), machine("cpu")
    memory = cpu.memory(MOST + 1)
    memory[MOST] = 77
    assert cpu.call(written, game=game, s=game.State(mask), memory=memory) == -1
    assert memory[MOST] == 77
