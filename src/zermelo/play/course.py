"""One game as it goes on: where it stands, how it came there, what may be played, and whether it is over."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.running.nodes import actions_in, outcomes_at, payoffs_at
from zermelo.running.repetition import is_drawn_after, new_positions


class Path(tuple[Any, ...]):
    """The states before the present one, with the actions that were taken there, and the keys of the states where the
    game looks at repetition (searches take them instead of the states, which saves time)."""

    actions: tuple[int, ...]
    keys: tuple[int, ...]

    def __new__(cls, states: Iterable[Any] = (), actions: Iterable[int] = (), keys: Iterable[int] = ()) -> "Path":
        self = super().__new__(cls, tuple(states))
        self.actions, self.keys = tuple(actions), tuple(keys)
        return self

    @classmethod
    def of(cls, game: Game, history: Sequence[Any], state: Any) -> "Path":
        """The path through these states to the present one; its actions are found out where they are not known."""
        if isinstance(history, Path):
            return history
        actions = []
        for before, after in zip(history, [*history, state][1:], strict=True):
            action = next((a for a, s in game.successors(before) if s == after), None)
            if action is None:
                raise BadParameter(f"history: no move leads from {game.format_state(before)} to the state that follows")
            actions.append(action)
        return cls(history, actions)


class Course:
    """A game in progress. The states before it, given by the caller, count for repetition."""

    def __init__(self, game: Game, state: Any = None, before: Sequence[Any] = ()) -> None:
        self.game = game
        self.before = tuple(before)
        self.states: list[Any] = []
        self.actions: list[int] = []
        self.state = game.initial() if state is None else state
        self.keys = [game.key(s) for s in before] if game.repetition is not None else []

    def __len__(self) -> int:
        return len(self.actions)

    def push(self, action: int) -> None:
        """Play an action."""
        if self.game.repetition is not None:
            self.keys.append(self.game.key(self.state))
        self.states.append(self.state)
        self.actions.append(action)
        self.state = self.game.result(self.state, action)

    def pop(self) -> None:
        """Take the last action back."""
        self.state = self.states.pop()
        self.actions.pop()
        if self.keys:
            self.keys.pop()

    def history(self) -> tuple[Any, ...]:
        """The states before this one: with their actions, where these are known from the first on."""
        if self.before:
            return (*self.before, *self.states)
        return Path(self.states, self.actions, self.keys)

    def legal(self) -> list[int]:
        """The actions that may be taken here."""
        game, s = self.game, self.state
        actions = [*actions_in(game, s)]
        if not game.forbids_repetition:
            return actions
        return new_positions(game, s, actions, self.keys)

    def rolled(self, source: random.Random) -> int:
        """What chance does here, by its odds."""
        odds = outcomes_at(self.game, self.state)
        return source.choices(list(odds), list(odds.values()))[0]

    def is_repeated(self) -> bool:
        """Whether the position is a draw because it came up before."""
        return is_drawn_after(self.game, self.state, self.keys)

    def moves(self) -> list[int]:
        """The actions that may be taken here; none where the game has ended by its rules or by repetition."""
        return [] if self.game.is_over(self.state) or self.is_repeated() else self.legal()

    def is_over(self) -> bool:
        """Whether the game has ended: by its rules, by repetition, or because nothing may be played."""
        return not self.moves()

    def utilities(self) -> list[float]:
        """What everybody gets at the end."""
        game = self.game
        if self.is_repeated() and not game.is_terminal(self.state):
            return [game.draw_value] * game.players
        return [*map(float, payoffs_at(game, self.state))]
