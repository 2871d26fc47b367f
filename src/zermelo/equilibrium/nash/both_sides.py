"""Equilibrium play of both sides, and whole trees with their information sets."""

from typing import Any

from zermelo.compile import machine
from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.nash.sequence_form import sequence_form
from zermelo.errors import BadParameter, EndlessGame
from zermelo.policy import Policy
from zermelo.record import RecordedTree, Recorder
from zermelo.running.nodes import actions_at, mover_at, outcomes_at, payoffs_at
from zermelo.situations import IMPOSSIBLE

CERTAIN = 1 - 1e-9
MANY = 50_000


def best_policies(game: Game, state: Any = None) -> list[Policy]:
    """How each player plays in an equilibrium of a zero-sum game of at most two players.

    >>> from zermelo import game
    >>> hands = game("rock_paper_scissors")
    >>> after_rock = hands.play(hands.initial(), 0)
    >>> [round(float(p), 6) for p in best_policies(hands)[1](after_rock).values()]
    [0.333333, 0.333333, 0.333333]
    """
    found = sequence_form(game, state).policy
    assert found is not None
    return [found] * game.players


def whole_tree(
    game: Game,
    policies: list[Policy] | Policy | None,
    state: Any = None,
    *,
    depth: int | None = None,
    most: int = MANY,
    off_path: bool = False,
    partly: bool = False,
) -> RecordedTree:
    """The whole tree, without pruning; nodes that look the same to their mover are joined.

    With policies (one per player, or one `Behaviour` of all), branches have their odds, and nodes that play reaches
    have their expected payoffs; with `off_path` so do nodes that play avoids, as far as the policies cover them.
    With `partly`, the policies need not cover all nodes that play reaches, either.
    """
    everyone = [policies] * game.players if isinstance(policies, Policy) else policies
    recorder = Recorder(game)
    count = 0

    def visit(s: Any, left: int, reached: bool) -> tuple[float, ...] | None:
        """What the players get from here, where that is known."""
        nonlocal count
        count += 1
        if count > most:
            raise EndlessGame(f"{game.name} has more than {most:,} nodes: give a depth")
        if game.is_terminal(s):
            ends = tuple(map(float, payoffs_at(game, s)))
            recorder.enter(s, None)
            recorder.leave(ends[0], values=ends)
            return ends
        mover = mover_at(game, s)
        recorder.enter(s, mover)
        node = recorder.node
        assert node is not None
        odds = (
            None
            if left == 0
            else _known_odds(game, everyone, s, mover, reached or off_path, must=reached and not partly)
        )
        expected = {}
        for action in actions_at(game, s) if left else ():
            p = 0.0 if odds is None else odds.get(action, 0.0)
            recorder.branch(action, None if odds is None else p)
            expected[action] = visit(game.result(s, action), left - 1, reached and p > IMPOSSIBLE)
        sure = [action for action, p in (odds or {}).items() if p >= CERTAIN and mover != CHANCE]
        values = None if everyone is None or odds is None else _mean(odds, expected)
        recorder.leave(0.0, sure[0] if sure else None, "exact" if left else "estimate", values)
        node.value = None if values is None else values[0]
        return values

    from zermelo.running.recursion import deep_recursion

    left = -1 if depth is None else depth
    with deep_recursion():
        machine("python").call(visit, s=game.initial() if state is None else state, left=left, reached=True)
    return recorder.finish("equilibrium" if policies is not None else "whole tree")


def _known_odds(
    game: Game, policies: list[Policy] | None, s: Any, mover: int, wanted: bool, *, must: bool
) -> dict[int, float] | None:
    """The odds of the actions in `s`; None where they are not wanted, or where no policy says them."""
    if mover == CHANCE:
        return _odds(game, [], s, mover)
    if policies is None or not wanted:
        return None
    try:
        return _odds(game, policies, s, mover)
    except BadParameter:
        if must:
            raise
        return None


def _mean(odds: dict[int, float], expected: dict[int, tuple[float, ...] | None]) -> tuple[float, ...] | None:
    """What the players get on average; None where it is unknown after an action that may be played."""
    weighed = [(p, expected[action]) for action, p in odds.items() if p > IMPOSSIBLE]
    known = [(p, values) for p, values in weighed if values is not None]
    if len(known) < len(weighed):
        return None
    return tuple(sum(p * values[i] for p, values in known) + 0.0 for i in range(len(known[0][1])))


def _odds(game: Game, policies: list[Policy], s: Any, mover: int) -> dict[int, float]:
    """The odds of the actions in `s`."""
    if mover == CHANCE:
        return outcomes_at(game, s)
    return {action: float(p) for action, p in policies[mover](s).items()}
