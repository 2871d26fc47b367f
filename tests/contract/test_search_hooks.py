"""What checkers and Othello tell an engine: both machines say the same, and the hooks agree with the rules."""

from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo import Game, game
from zermelo.bits import u64
from zermelo.compile import kernel, machine

NAMES = ["checkers", "checkers:draw_after=10", "othello", "othello:size=6", "othello:size=4"]
every_game = pytest.mark.parametrize("name", NAMES)


def states(of: Game, games: int = 6) -> Iterator[Any]:
    """The states of random games."""
    for seed in range(games):
        random, s = Random(seed), of.initial()
        yield s
        while not of.is_terminal(s):
            s = of.result(s, random.choice(list(of.actions(s))))
            yield s


@kernel
def told(game, s, depth, memory, top):
    """A number that depends on all that the hooks say down to a depth."""
    total = u64(game.key(s)) * 31 + game.score(s)
    total = total * 31 + int(1_000_000.0 * game.evaluate(s))
    if game.reversible is not None:
        total = total * 31 + game.reversible(s)
    if game.transform is not None:
        for k in range(1, game.symmetry_count):
            total = total * 31 + game.key(game.transform(s, k))
    if game.is_over(s):
        return total
    for i in range(top, game.fill_noisy(s, memory, top)):
        total = total * 31 + memory[i]
    end = game.fill(s, memory, top)
    if end == top:
        return total * 31 + int(2.0 * game.utility(s, 0))
    for i in range(top, end):
        action = memory[i]
        total = total * 31 + game.order(s, action)
        total = total * 31 + (1 if game.is_noisy(s, action) else 0)
        total = total * 31 + game.policy_index(s, action)
        total = total * 31 + game.history_index(s, action)
        if game.transform_action is not None:
            for k in range(1, game.symmetry_count):
                total = total * 31 + game.transform_action(action, k)
        if depth > 0:
            total = total * 31 + told(game, game.result(s, action), depth - 1, memory, end)
    return total


@every_game
def test_machines_agree(name: str) -> None:
    of = game(name)
    on = machine("cpu")
    memory = on.memory(of.max_actions * 4)
    for s in list(states(of, 2))[::7]:
        plain = machine("python").call(told, game=of, s=s, depth=1, memory=[0] * of.max_actions * 4, top=0)
        assert on.call(told, game=of, s=s, depth=1, memory=memory, top=0) == plain


@every_game
def test_hooks_agree_with_the_rules(name: str) -> None:
    of = game(name)
    room = [0] * of.max_actions
    seen = set()
    for s in states(of):
        legal = [] if of.is_terminal(s) else list(of.actions(s))
        assert len(legal) <= of.max_actions
        if legal:
            noisy = room[: of.fill_noisy(s, room, 0)]
            assert sorted(noisy) == sorted(action for action in legal if of.is_noisy(s, action))
        for action in legal:
            assert 0 <= of.policy_index(s, action) < of.policy_size
            assert 0 <= of.history_index(s, action) < of.history_size
            if of.is_noisy(s, action):
                assert of.order(s, action) >= 0
            seen.add(of.policy_index(s, action))
        if len(legal) < 8:
            assert len({of.policy_index(s, action) for action in legal}) == len(legal)
        assert abs(of.score(s)) < 900_000
        assert -1.0 < of.evaluate(s) < 1.0
    assert len(seen) > of.policy_size // 8


@every_game
def test_pictures_offer_the_legal_actions(name: str) -> None:
    of = game(name)
    for s in states(of, 3):
        drawn = ElementTree.fromstring(of.svg(s)).iter()
        offered = [int(element.attrib["data-action"]) for element in drawn if "data-action" in element.attrib]
        assert sorted(offered) == ([] if of.is_terminal(s) else sorted(of.actions(s)))
