"""Policies: what a player does in every state or, where information is hidden, on every view."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.contract import CHANCE, MEMORIES, Game, require_game
from zermelo.errors import BadParameter, EndlessGame, IllegalAction
from zermelo.plain_data import frame, game_data
from zermelo.running.nodes import actions_at, mover_at, outcomes_at, payoffs_at
from zermelo.situations import MANY, Situation, situations

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("player", "sees", "action", "name", "odds", "reached", "view")
"""Of a table of what is done where."""
IN_AN_ANSWER = 20_000
"""An answer's document lists its policy where no more states than this have to be looked at."""
SMALL = 5_000
"""A policy that searches in each state is listed with answers that took no more nodes than this."""


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

    # --- all that it says ----------------------------------------------------------------------------------------

    @property
    def is_listed(self) -> bool:
        """Whether all situations of which it says something are known; else they are those to which its play comes."""
        return isinstance(self.choose, Mapping) or self.choose is all_alike

    def is_quick(self, nodes: int) -> bool:
        """Whether a document lists it, where its answer took so many nodes."""
        return self.is_listed or nodes <= SMALL

    def situations(self, state: Any = None, *, most: int = MANY) -> list[Situation]:
        """What is done in each situation from a state on, in the order of play; EndlessGame where more than `most`
        states would have to be looked at.

        A policy that is a function, such as a search, is asked only where play comes.
        """
        return situations(self.game, self.says, state, whole=self.is_listed, most=most)

    def says(self, s: Any) -> dict[int, float] | None:
        """The odds in `s`; None where it says nothing of it."""
        if isinstance(self.choose, Mapping) and self.situation(s) not in self.choose:
            return None
        return self(s)

    def __iter__(self) -> Iterator[tuple[Any, dict[int, float]]]:
        """Each situation with the odds of its actions, so that `dict(policy)` has all of them."""
        if not isinstance(self.choose, Mapping):
            yield from ((self.key_of(found), found.odds) for found in self.situations())
            return
        for situation in self.choose:
            chosen = self.choose[situation]
            yield situation, dict(chosen) if isinstance(chosen, Mapping) else {chosen: 1.0}

    def key_of(self, found: Situation) -> Any:
        """A listed situation as this policy knows it."""
        return found.view

    def to_dict(self) -> dict[Any, dict[int, float]]:
        """The odds of actions by situation; `Policy(game, policy.to_dict())` says the same.

        >>> from zermelo import game
        >>> Policy.uniform(game("matching_pennies")).to_dict()
        {-1: {0: 0.5, 1: 0.5}}
        """
        return dict(self)

    def to_json(self) -> dict[str, Any]:
        """The policy as plain data: a row for each situation."""
        return game_data(self.game) | {"policy": [found.to_json() for found in self.situations()]}

    def to_frame(self) -> "DataFrame":
        """A table of pandas: a row for each situation and action."""
        return frame(COLUMNS, rows(self.situations()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name})"


def rows(found: Sequence[Situation]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table of what is done where."""
    for x in found:
        for action, p in x.odds.items():
            yield x.player, x.sees, action, x.names[action], p, x.reached, x.view


def in_an_answer(policy: Policy | None, state: Any = None, nodes: int = 0) -> dict[str, Any]:
    """An answer's policy for its document; where it is too large for that, a note says so. `nodes` is what the answer
    took."""
    if policy is None:
        return {"policy": None}
    left_out = f"the policy is left out, since the game is large; {type(policy).__name__}.to_json lists it"
    if not policy.is_quick(nodes):
        return {"policy": None, "policy_note": left_out}
    try:
        return {"policy": [found.to_json() for found in policy.situations(state, most=IN_AN_ANSWER)]}
    except EndlessGame:
        return {"policy": None, "policy_note": left_out}


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
