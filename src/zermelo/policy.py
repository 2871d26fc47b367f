"""Policies: what a player does in every state or, where information is hidden, on every view."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from zermelo.contract import CHANCE, MEMORIES, Game, require_game
from zermelo.errors import BadParameter, IllegalAction
from zermelo.running.nodes import actions_at, mover_at, outcomes_at, payoffs_at


class Policy:
    """A map from situations to the odds of actions.

    A situation is the state, or the mover's view of it where the game hides something. The map is a dict, or a function
    of the situation; values are an action, or a dict of actions and their odds.

    >>> from zermelo import game
    >>> always_paper = Policy(game("rock_paper_scissors"), lambda view: 1)
    >>> always_paper(game("rock_paper_scissors").initial())
    {1: 1.0}
    """

    def __init__(self, game: Game, choose: Mapping[Any, Any] | Callable[[Any], Any]) -> None:
        self.game = game
        self.choose = choose

    @classmethod
    def uniform(cls, game: Game) -> "Policy":
        """Every legal action with the same odds."""
        return cls(game, all_alike)

    @classmethod
    def best(cls, game: Game, method: Callable[..., Any], **options: Any) -> "Policy":
        """The action that a search picks in each state."""
        return cls(game, partial(_searched, method, game, options))

    def situation(self, s: Any) -> Any:
        """What the mover knows in `s`."""
        return s if self.game.view is None else self.game.view(s, self.game.to_move(s))

    def __call__(self, s: Any) -> dict[int, float]:
        """The odds of each action in `s`; they sum to 1."""
        legal = list(self.game.actions(s))
        if self.choose is all_alike:
            return dict.fromkeys(legal, 1 / len(legal))
        situation = self.situation(s)
        try:
            chosen = self.choose[situation] if isinstance(self.choose, Mapping) else self.choose(situation)
        except KeyError:
            raise BadParameter(f"the policy says nothing about {situation!r}") from None
        odds = chosen if isinstance(chosen, Mapping) else {chosen: 1.0}
        for action, p in odds.items():
            if action not in legal:
                raise IllegalAction(f"the policy plays {action!r} in {situation!r}; legal: {legal}")
            if not 0 <= p <= 1:
                raise BadParameter(f"the policy gives {action!r} the odds {p!r}; they must lie in [0, 1]")
        if abs(sum(odds.values()) - 1) > 1e-9:
            raise BadParameter(f"the policy's odds in {situation!r} sum to {sum(odds.values())!r}, not to 1")
        return dict(odds)

    def action(self, s: Any, source: random.Random) -> int:
        """An action drawn by its odds."""
        odds = self(s)
        return source.choices(list(odds), list(odds.values()))[0]


Policies = Policy | Sequence[Policy | None] | Mapping[int, Policy | None]
"""How players act: one policy for all, or one for each; a player whose policy is None plays all actions alike."""


def all_alike(situation: Any) -> Any:
    """Marks the uniform policy, whose odds follow from the actions that are legal."""
    raise BadParameter("the uniform policy is asked about states, not about what players know of them")


def _searched(method: Callable[..., Any], game: Game, options: Mapping[str, Any], s: Any) -> Any:
    """The action that a search picks."""
    return method(game, s, **options).action


def expected_values(game: Game, policies: Sequence[Policy], state: Any = None) -> tuple[float, ...]:
    """What every player gets on average when each follows its policy.

    >>> from zermelo import game
    >>> pennies = game("matching_pennies")
    >>> expected_values(pennies, [Policy.uniform(pennies)] * 2)
    (0.0, 0.0)
    """
    require_game(game, "expected_values")
    if len(policies) != game.players:
        raise BadParameter(f"{game.name} has {game.players} players; {len(policies)} policies were given")
    totals = [0.0] * game.players
    stack = [(game.initial() if state is None else game.checked_state(state), 1.0)]
    while stack:
        s, reach = stack.pop()
        if game.is_terminal(s):
            for player, payoff in enumerate(payoffs_at(game, s)):
                totals[player] += reach * float(payoff)
            continue
        mover = mover_at(game, s)
        if mover == CHANCE:
            odds = outcomes_at(game, s)
        else:
            actions_at(game, s)
            odds = policies[mover](s)
        stack.extend((game.result(s, action), reach * p) for action, p in odds.items() if p > 0)
    return tuple(total + 0.0 for total in totals)


def opened(game: Game) -> Game:
    """The game with perfect information: nothing is hidden, chance still moves.

    >>> from zermelo import game
    >>> opened(game("kuhn_poker")).traits.hidden
    False
    """
    import copy

    require_game(game, "opened")
    twin = copy.copy(game)
    for memory in MEMORIES:
        twin.__dict__.pop(memory, None)
    twin.view = None
    return twin
