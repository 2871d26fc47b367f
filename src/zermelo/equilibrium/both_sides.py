"""Equilibrium play of both sides: what each does in which situation, and whole trees with their information sets."""

from typing import Any, NamedTuple

from zermelo.contract import CHANCE, Game
from zermelo.equilibrium.sequence_form import sequence_form
from zermelo.errors import EndlessGame
from zermelo.policy import Policy
from zermelo.record import RecordedTree, Recorder

CERTAIN = 1 - 1e-9
IMPOSSIBLE = 1e-9
MANY = 50_000


class Mirrored(Game):
    """The same game with the seats of two players exchanged."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.players = game.players  # type: ignore[misc]
        self.max_actions = game.max_actions  # type: ignore[misc]
        if game.probability is None:
            self.probability = None  # type: ignore[assignment, method-assign]
        if game.view is None:
            self.view = None  # type: ignore[assignment, method-assign]
        super().__init__()

    def initial(self):
        return self._game.initial()

    def to_move(self, s):
        mover = self._game.to_move(s)
        return mover if mover == CHANCE else 1 - mover

    def actions(self, s):
        return self._game.actions(s)

    def result(self, s, action):
        return self._game.result(s, action)

    def is_terminal(self, s):
        return self._game.is_terminal(s)

    def utility(self, s, player):
        return self._game.utility(s, 1 - player)

    def probability(self, s, action):
        return self._game.probability(s, action)

    def view(self, s, player):
        return self._game.view(s, 1 - player)


def best_policies(game: Game, state: Any = None) -> list[Policy]:
    """How each player plays in an equilibrium of a zero-sum game of at most two players.

    >>> from zermelo import game
    >>> hands = game("rock_paper_scissors")
    >>> after_rock = hands.play(hands.initial(), 0)
    >>> [round(float(p), 6) for p in best_policies(hands)[1](after_rock).values()]
    [0.333333, 0.333333, 0.333333]
    """
    policies = [sequence_form(game, state).policy]
    if game.players == 2:
        policies.append(sequence_form(Mirrored(game), state).policy)
    return policies


class Situation(NamedTuple):
    """What a player does on one view."""

    player: int
    sees: str
    """The state as the player may see it."""
    odds: dict[str, float]
    """The odds of each action, by name."""


def situations(game: Game, policies: list[Policy], state: Any = None, *, most: int = MANY) -> list[Situation]:
    """Every information set that equilibrium play can reach, in the order of play, and what its owner does there."""
    found: dict[tuple[int, Any], Situation] = {}
    level, count = [game.initial() if state is None else state], 0
    while level:
        below = []
        for s in level:
            count += 1
            if count > most:
                raise EndlessGame(f"{game.name} has more than {most:,} nodes: too many to be listed")
            if game.is_terminal(s):
                continue
            mover = game.to_move(s)
            odds = _odds(game, policies, s, mover)
            if mover != CHANCE:
                known = (mover, s if game.view is None else game.view(s, mover))
                named = {game.format_action(s, action): p for action, p in odds.items()}
                found.setdefault(known, Situation(mover, game.text(s, mover), named))
            below += [game.result(s, action) for action, p in odds.items() if p > IMPOSSIBLE]
        level = below
    return list(found.values())


def whole_tree(
    game: Game, policies: list[Policy] | None, state: Any = None, *, depth: int | None = None, most: int = MANY
) -> RecordedTree:
    """The whole tree, nodes that look the same to their mover joined, nothing cut off.

    With the players' policies, branches have their odds and the nodes that play reaches are worth what comes of them.
    """
    recorder = Recorder(game)
    count = 0

    def visit(s: Any, left: int, reached: bool) -> float:
        nonlocal count
        count += 1
        if count > most:
            raise EndlessGame(f"{game.name} has more than {most:,} nodes: give a depth")
        if game.is_terminal(s):
            recorder.end(s, float(game.utility(s, 0)))
            return float(game.utility(s, 0))
        mover = game.to_move(s)
        recorder.enter(s, mover)
        node = recorder.node
        assert node is not None
        if left == 0:
            recorder.leave(0.0, bound="estimate")
            node.value = None
            return 0.0
        known = mover == CHANCE or (policies is not None and reached)
        odds = _odds(game, policies or [], s, mover) if known else dict.fromkeys(game.actions(s), 0.0)
        value = 0.0
        for action in game.actions(s):
            p = odds.get(action, 0.0)
            recorder.branch(action, p if known else None)
            value += p * visit(game.result(s, action), left - 1, reached and p > IMPOSSIBLE)
        sure = [action for action, p in odds.items() if p >= CERTAIN and mover != CHANCE]
        recorder.leave(value, sure[0] if sure else None)
        if not reached or policies is None or depth is not None:
            node.value = None
        return value

    from zermelo.searches.surface import deep_recursion

    with deep_recursion():
        visit(game.initial() if state is None else state, -1 if depth is None else depth, True)
    return recorder.finish("equilibrium" if policies is not None else "whole tree")


def _odds(game: Game, policies: list[Policy], s: Any, mover: int) -> dict[int, float]:
    """The odds of the actions in `s`."""
    if mover == CHANCE:
        return {action: float(game.probability(s, action)) for action in game.actions(s)}
    return {action: float(p) for action, p in policies[mover](s).items()}
