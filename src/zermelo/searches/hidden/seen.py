"""What a player saw and did, from the beginning of the game on, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.arguments import player_of
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter
from zermelo.running.nodes import require_sound


class Sight(NamedTuple):
    """One view, and what the player did on it; None where others moved on, or where it is the present."""

    view: Any
    action: int | None = None


@dataclass(frozen=True)
class Seen:
    """The views that a player had, one after the other.

    While a view stays the same, nothing happened that the player could see, so it stands here once. Where not `whole`,
    the last view is all that is known.

    >>> from zermelo import game
    >>> poker = game("kuhn_poker")
    >>> for sight in Seen.along(poker, [0, 2, 0], player=0).sights:  # a jack, a king for the other, a pass
    ...     print(sight)
    Sight(view=View(card=-1, turns=0, bettor=-1, staked=0), action=None)
    Sight(view=View(card=0, turns=0, bettor=-1, staked=0), action=0)
    Sight(view=View(card=0, turns=1, bettor=-1, staked=0), action=None)
    """

    player: int
    sights: tuple[Sight, ...]
    whole: bool = True

    @classmethod
    def along(cls, game: Game, actions: Sequence[int], *, player: int) -> "Seen":
        """What the player saw of a game in which these actions were taken, chance's among them."""
        s = game.initial()
        states = [s]
        for action in actions:
            s = game.play(s, action)
            states.append(s)
        return cls.through(game, states, actions, player=player)

    @classmethod
    def through(cls, game: Game, states: Sequence[Any], actions: Sequence[int], *, player: int) -> "Seen":
        """What the player saw of a game that went through these states by these actions."""
        player_of(game.players, player, game.name)
        sights = [Sight(view_of(game, states[0], player))]
        for before, action, after in zip(states, actions, states[1:], strict=False):
            view = view_of(game, after, player)
            if game.to_move(before) == player:
                sights[-1] = Sight(sights[-1].view, action)
                sights.append(Sight(view))
            elif view != sights[-1].view:
                sights.append(Sight(view))
        return cls(player, tuple(sights))

    @property
    def last(self) -> Any:
        """The present view."""
        return self.sights[-1].view


def seen_by(game: Game, state: Any, player: int | None, history: Sequence[Any], method: str) -> Seen:
    """What the player to move saw, given the state (None: the first one) and, where known, the states before it."""
    if isinstance(state, Seen):
        if player not in (None, state.player):
            raise BadParameter(f"{method}: player {player} was given, but it is player {state.player} who saw this")
        if not state.sights:
            raise BadParameter(f"{method}: {state!r} holds no view: begin with that of the first state")
        player_of(game.players, state.player, game.name)
        return state
    first = game.initial()
    s = first if state is None else game.checked_state(state)
    if game.is_terminal(s):
        raise BadParameter(f"{method}: the game is over in this state; there is nothing to choose")
    mover = next_mover(game, s)
    if player is None:
        player = mover
    player_of(game.players, player, game.name)
    if game.to_move(s) not in (player, CHANCE):
        raise BadParameter(f"{method}: player {player} does not move in this state; player {game.to_move(s)} does")
    if history:
        before = [game.checked_state(item) for item in history]
        if before[0] != first:
            raise BadParameter(f"{method}: history must begin with the first state of the game")
        return Seen.through(game, [*before, s], _actions(game, [*before, s], history, method), player=player)
    return Seen(player, (Sight(view_of(game, s, player)),), whole=s == first)


def next_mover(game: Game, s: Any) -> int:
    """Who moves in `s`, or after it where chance moves first."""
    while not game.is_terminal(s):
        require_sound(game, s)
        mover = game.to_move(s)
        if mover != CHANCE:
            return mover
        s = game.result(s, next(iter(game.actions(s))))
    return 0


def view_of(game: Game, s: Any, player: int) -> Any:
    """What the player sees: everything, where the game hides nothing."""
    return s if game.view is None else game.view(s, player)


def _actions(game: Game, states: list[Any], history: Sequence[Any], method: str) -> list[int]:
    """The actions between the states: those that came with the history, or those that lead from one to the next."""
    known = getattr(history, "actions", None)
    if known is not None and len(known) == len(history):
        return list(known)
    actions = []
    for before, after in zip(states, states[1:], strict=False):
        action = next((a for a, s in game.successors(before) if s == after), None)
        if action is None:
            raise BadParameter(
                f"{method}: history: no move leads from {game.format_state(before)} to the state that follows"
            )
        actions.append(action)
    return actions
